// tutorial_page.cpp: runs the commands of doc/tutorial.md in an empty folder, `./tutorial` with the code that stands
// before the command, and compares what they print with the page. Then it tries each step on what the page does not
// show: files that are missing, damaged or full.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/process.hpp"

#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#define main tutorial_main
#include <tutorial.cpp>
#undef main

namespace io = boost::iostreams;  // a later step uses what an earlier one has added
#include <tutorial.hpp>

namespace {
using namespace std::string_literals;

/// Each test begins in an empty folder of its own.
class in_a_folder {
 public:
  in_a_folder() { std::filesystem::current_path(folder_.path()); }
  ~in_a_folder() { std::filesystem::current_path(before_); }
  in_a_folder(const in_a_folder&) = delete;
  in_a_folder& operator=(const in_a_folder&) = delete;

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  files::directory folder_;
};

/// The text that the action writes to the three standard streams, as a terminal shows it.
std::string shown(const std::function<void()>& action) {
  std::ostringstream text;
  std::ostream* const streams[] = {&std::cout, &std::cerr, &std::clog};
  std::vector<std::streambuf*> buffers;
  for (std::ostream* stream : streams) buffers.push_back(stream->rdbuf(text.rdbuf()));
  action();
  for (std::size_t i = 0; i != buffers.size(); ++i) streams[i]->rdbuf(buffers[i]);
  return text.str();
}

using run_function = void (*)(const std::string&);

/// The function `run` of each step, by the name of the code on the page.
const std::map<std::string, run_function> steps = {
    {"tutorial", run},
    {"tutorial_errors", tutorial_errors::run},
    {"tutorial_repair", tutorial_repair::run},
    {"tutorial_write", tutorial_write::run},
    {"tutorial_chain", tutorial_chain::run},
    {"tutorial_strings", tutorial_strings::run},
    {"tutorial_log", tutorial_log::run},
    {"tutorial_change", tutorial_change::run},
};

/// What the program of the step shows.
std::string shown_by(run_function of, std::string argument) {
  return shown([&] {
    if (of == run) {
      char name[] = "./tutorial";
      char* argv[] = {name, argument.data(), nullptr};
      tutorial_main(2, argv);
      return;
    }
    try {
      of(argument);
    } catch (const std::exception& error) {  // as main does
      std::cerr << argument << ": " << error.what() << '\n';
    }
  });
}

struct command {
  std::string step, line, output;
};

std::vector<command> commands_of(const std::string& page) {
  std::vector<command> all;
  std::string step;
  bool in_console = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, std::regex("<!-- (code|program): (\\w+) -->")))
      step = found[2];
    else if (line == "```console")
      in_console = true;
    else if (line == "```")
      in_console = false;
    else if (in_console && line.rfind("$ ", 0) == 0)
      all.push_back({step, line.substr(2), {}});
    else if (in_console)
      all.back().output += line + '\n';
  }
  return all;
}

BOOST_AUTO_TEST_SUITE(tutorial_page)

BOOST_FIXTURE_TEST_CASE(each_command_prints_what_the_page_shows, in_a_folder) {
  const std::string program = "./tutorial ";
  std::map<std::string, int> runs;
  for (const auto& [step, line, output] : commands_of(files::content(paths::source("doc/tutorial.md")))) {
    BOOST_TEST_CONTEXT(step << ": " << line) {
      if (line.rfind(program, 0) != 0) {
        BOOST_TEST((processes::shell(line) == processes::shell_outcome{0, output}));
        continue;
      }
      ++runs[step];
      BOOST_TEST(shown_by(steps.at(step), processes::shell("printf %s " + line.substr(program.size())).output) ==
                 output);
      if (step == "tutorial" && line != "./tutorial absent.txt")
        BOOST_TEST(shown_by(tutorial_errors::run, line.substr(program.size())) == output);
    }
  }
  BOOST_TEST(runs.size() == steps.size() - 1);  // the page says that the second step prints what the first one does
}

BOOST_FIXTURE_TEST_CASE(the_program_tells_its_usage_and_returns_a_status, in_a_folder) {
  char name[] = "./tutorial", file[] = "text", absent[] = "absent";
  char* argv[] = {name, file, absent};
  BOOST_TEST(shown([&] { BOOST_TEST(tutorial_main(1, argv) == 2); }) == "usage: tutorial FILE\n");
  BOOST_TEST(shown([&] { BOOST_TEST(tutorial_main(3, argv) == 2); }) == "usage: tutorial FILE\n");
  files::write(file, "\xEF\xBB\xBFone\n\ntwo");
  BOOST_TEST(shown([&] { BOOST_TEST(tutorial_main(2, argv) == 0); }) == "one\n\ntwo\n");
  argv[1] = absent;
  BOOST_TEST(shown([&] { BOOST_TEST(tutorial_main(2, argv) == 1); }) ==
             "absent: cannot be opened: No such file or directory\n");
}

BOOST_FIXTURE_TEST_CASE(each_step_reports_its_errors, in_a_folder) {
  files::write("cut", "\xFE\xFF\0A\0\n\0B\xD8"s);
  const std::string message = "cut: line 2, column 2 (byte 8): incomplete at the end of the input: D8\n";
  for (const auto& [name, of] : steps) {
    if (of == tutorial_strings::run || of == tutorial_log::run) continue;
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(shown_by(of, "absent").rfind("absent: cannot be opened", 0) == 0u);
      if (of == tutorial_chain::run) continue;
      const std::string text = of == tutorial_write::run ? "" : "A\n";
      BOOST_TEST(
          shown_by(of, "cut") ==
          (of == tutorial_repair::run ? "A\nB\uFFFD\nerrors: 1; the first: " + message.substr(5) : text + message));
    }
  }
  BOOST_TEST(processes::shell("gzip cut").status == 0);
  BOOST_TEST(shown_by(tutorial_chain::run, "cut.gz") == "A\ncut.gz: " + message.substr(5));
  files::write("cut.gz", files::content("cut.gz").substr(0, 20));
  BOOST_TEST(shown_by(tutorial_chain::run, "cut.gz").find("cut.gz: ") != std::string::npos);
  files::write("plain.gz", "text\n");
  BOOST_TEST(shown_by(tutorial_chain::run, "plain.gz").rfind("plain.gz: ", 0) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_is_reported, in_a_folder) {
  files::write("text", "A\n");
  std::filesystem::create_symlink("/dev/full", "new.txt");
  BOOST_TEST(shown_by(tutorial_write::run, "text").find("No space left") != std::string::npos);
  std::filesystem::remove("new.txt");
  std::filesystem::create_directory("new.txt");
  BOOST_TEST(shown_by(tutorial_write::run, "text").rfind("text: new.txt cannot be opened", 0) == 0u);
}

BOOST_FIXTURE_TEST_CASE(text_without_errors_has_no_report_of_errors, in_a_folder) {
  files::write("text", "\u20AC\n");
  BOOST_TEST(shown_by(tutorial_repair::run, "text") == "\u20AC\n");
  BOOST_TEST(shown_by(tutorial_strings::run, "\u20AC") == "\u20AC: 1 code units of UTF-16\n");
  BOOST_TEST(shown_by(tutorial_log::run, "\u20AC") == "open \u20AC\n");
}

BOOST_FIXTURE_TEST_CASE(each_digit_of_a_long_text_is_hidden, in_a_folder) {
  std::string text, hidden;
  for (int i = 0; i != 100'000; ++i) {
    text += i % 7 == 0 ? "\u20AC\n" : i % 2 == 0 ? "9" : "x0:/";
    hidden += i % 7 == 0 ? "\u20AC\n" : i % 2 == 0 ? "#" : "x#:/";
  }
  files::write("text", text + '\n');
  BOOST_TEST(shown_by(tutorial_change::run, "text") == hidden + "\ndigits hidden: 85714\n");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
