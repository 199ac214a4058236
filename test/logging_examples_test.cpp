// logging_examples_test.cpp: the logging examples as their users run them, on good input and on bad, and where nothing can be
// written.
#define BOOST_TEST_MODULE logging_examples
#include "shell.hpp"

#include <utfilter/text.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

using namespace utfilter;

namespace {

const std::string fffd = "\xEF\xBF\xBD";

/// A hundred records: one ends inside a character, all have an escape sequence and what formatters look for.
struct hundred_records {
  std::string bad, repaired;

  explicit hundred_records(const std::string& prefix = "") {
    for (int i = 0; i < 100; ++i) {
      const std::string start = "record " + std::to_string(i) + " {} %v \x1B[0m";
      bad += start + (i == 41 ? "\xE2\x82" : "\xE2\x82\xAC") + '\n';
      repaired += prefix + start + (i == 41 ? fffd : "\xE2\x82\xAC") + '\n';
    }
  }
};

}  // namespace

//-------------------------------------------------------------------------------------------------------------- Boost.Log

namespace {

const std::string logging_boost = LOGGING_BOOST;

/// The archives PREFIX.1.gz, PREFIX.2.gz, ..., decompressed by gzip, which refuses what is incomplete.
std::vector<std::string> archives(const std::string& prefix) {
  std::vector<std::string> texts;
  while (true) {
    const std::string name = prefix + '.' + std::to_string(texts.size() + 1) + ".gz";
    if (!std::filesystem::exists(name)) return texts;
    const shell::outcome unpacked = shell::run("gzip -dc '" + name + "' 2>&1");
    texts.push_back(unpacked.status == 0 ? unpacked.output : "damaged");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(boost_writes_complete_archives_and_tells_the_repairs) {
  const shell::scratch_directory dir;
  const hundred_records          records("[info] ");
  shell::write(dir / "in", records.bad);
  const std::string command = logging_boost + " " + dir / "log" + " 1000 <" + dir / "in" + " 2>" + dir / "err";
  BOOST_TEST(shell::run(command) == (shell::outcome{0, "100 lines, 1 repairs\n"}));
  BOOST_TEST((shell::content(dir / "err") == records.repaired));

  const auto  files = archives(dir / "log");
  std::string all;
  for (const std::string& text : files) {
    BOOST_TEST(text.back() == '\n');  // a record is in one archive
    if (&text != &files.back()) BOOST_TEST((text.size() >= 1000 && text.size() < 1040));
    all += text;
  }
  BOOST_TEST(files.size() == 4u);
  BOOST_TEST((all == records.repaired));

  // A later run overwrites none.
  BOOST_TEST(shell::run(command).status == 0);
  BOOST_TEST(archives(dir / "log").size() == 8u);
}

BOOST_AUTO_TEST_CASE(boost_goes_on_when_a_file_cannot_be_written) {
  // Random letters, which gzip cannot make much smaller, and a limit on the size of a file: the start of each is lost to it.
  const shell::scratch_directory dir;
  std::string                    input;
  for (unsigned i = 0, random = 1; i < 200'000; ++i) {
    random = random * 1664525 + 1013904223;
    input += i % 80 == 79 ? '\n' : static_cast<char>('0' + (random >> 26));
  }
  shell::write(dir / "in", input + "the last\xFF\n");
  const shell::outcome outcome = shell::run("trap '' XFSZ; ulimit -f 100; " + logging_boost + " " + dir / "log" + " 1000000 <" +
                                            dir / "in" + " 2>&1 | grep -c 'records are lost: .*too large'");
  const auto files = archives(dir / "log");
  BOOST_REQUIRE(files.size() > 1u);
  BOOST_TEST(outcome.output == std::to_string(files.size() - 1) + '\n');
  BOOST_TEST(files.front() == "damaged");
  const std::string last = "\n[info] the last" + fffd + "\n";
  BOOST_TEST((files.back().size() > last.size() && files.back().substr(files.back().size() - last.size()) == last));
}

BOOST_AUTO_TEST_CASE(boost_tells_a_full_disk_also_under_a_small_log) {
  const shell::scratch_directory dir;
  shell::write(dir / "in", "a\n");
  BOOST_TEST(shell::run("trap '' XFSZ; ulimit -f 0; " + logging_boost + " " + dir / "log" + " <" + dir / "in" +
                        " 2>&1 | grep -c 'records are lost: .*too large'") == (shell::outcome{0, "1\n"}));
  BOOST_TEST(shell::run(logging_boost + " " + dir / "nonesuch/log <" + dir / "in" +
                        " 2>&1 | grep -c 'records are lost: .*No such file'") == (shell::outcome{0, "1\n"}));
  // Standard error may be full, too.
  BOOST_TEST(shell::run(logging_boost + " " + dir / "log <" + dir / "in" + " 2>/dev/full") ==
             (shell::outcome{0, "1 lines, 0 repairs\n"}));
  BOOST_TEST(shell::run(logging_boost + " 2>/dev/null").status == 2);
}

//----------------------------------------------------------------------------------------------------------------- spdlog

namespace {

const std::string logging_spdlog = LOGGING_SPDLOG;

}  // namespace

BOOST_AUTO_TEST_CASE(spdlog_repairs_its_file_and_tells_the_errors) {
  const shell::scratch_directory dir;
  const hundred_records          records("[info] ");
  shell::write(dir / "in", records.bad);
  BOOST_TEST(shell::run(logging_spdlog + " " + dir / "log" + " <" + dir / "in" + " 2>&1") ==
             (shell::outcome{0, "byte 20: incomplete at the end of the input: E2 82\n1 records repaired, 1 errors\n"}));
  BOOST_TEST((shell::content(dir / "log") == records.repaired));

  // A full disk: spdlog tells it.
  BOOST_TEST(shell::run("trap '' XFSZ; ulimit -f 0; " + logging_spdlog + " " + dir / "full" + " <" + dir / "in" +
                        " 2>&1 | grep -c 'File too large'") == (shell::outcome{0, "1\n"}));
  BOOST_TEST(shell::run(logging_spdlog + " /dev/null/none <" + dir / "in" + " 2>/dev/null").status == 1);
}

//------------------------------------------------------------------------------------------------------------------- glog

namespace {

const std::string logging_glog = LOGGING_GLOG;

/// The texts of the records, without what glog writes before them: "I20240229 12:34:56.123456 123 logging_glog.cpp:80] "
std::string without_prefixes(const std::string& log) {
  std::string        texts;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) {
    const std::size_t prefix = line.find("] ");
    if (line.find("logging_glog.cpp:") < prefix) texts += line.substr(prefix + 2) + '\n';
  }
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(glog_repairs_its_files_and_standard_error) {
  const shell::scratch_directory dir;
  const hundred_records          records;
  shell::write(dir / "in", records.bad);
  BOOST_TEST(shell::run(logging_glog + " " + dir / "" + " <" + dir / "in" + " 2>" + dir / "err") ==
             (shell::outcome{0, "1 records repaired in files, 1 errors on std::clog\n"}));
  BOOST_TEST((without_prefixes(shell::content(dir / "logging_glog.INFO")) == records.repaired));
  BOOST_TEST((without_prefixes(shell::content(dir / "err")) == records.repaired));
}

BOOST_AUTO_TEST_CASE(glog_repairs_the_record_that_glog_itself_cuts) {
  for (const std::string padding : {"", "x"}) {  // one of them is cut inside a character
    const shell::scratch_directory dir;
    std::string                    long_text = padding;
    while (long_text.size() < 40'000) long_text += "\xC3\xA9";
    shell::write(dir / "in", "\xC3\xA9 " + long_text + "\nnext\n");
    BOOST_TEST(shell::run(logging_glog + " " + dir / "" + " <" + dir / "in" + " 2>" + dir / "err").status == 0);
    const std::string file = shell::content(dir / "logging_glog.INFO");
    BOOST_TEST(file.size() > 29'000u);
    BOOST_TEST(is_utf8(file));
    BOOST_TEST(without_prefixes(file).substr(without_prefixes(file).size() - 5) == "next\n");
    BOOST_TEST(is_utf8(shell::content(dir / "err")));
  }
}

BOOST_AUTO_TEST_CASE(glog_survives_a_full_disk) {
  const shell::scratch_directory dir;
  shell::write(dir / "in", "a\xFF\nb\n");
  const shell::outcome told{0, "1 records repaired in files, 1 errors on std::clog\n"};
  BOOST_TEST(shell::run(logging_glog + " " + dir / "" + " <" + dir / "in" + " 2>/dev/full").status == 0);
  BOOST_TEST((without_prefixes(shell::content(dir / "logging_glog.INFO")) == "a" + fffd + "\nb\n"));
  BOOST_TEST(shell::run("trap '' XFSZ; ulimit -f 0; " + logging_glog + " " + dir / "" + " <" + dir / "in" +
                        " 2>&1 | tail -n 1") == told);
  BOOST_TEST(shell::run(logging_glog + " " + dir / "nonesuch <" + dir / "in" + " 2>&1 | tail -n 1") == told);
}
