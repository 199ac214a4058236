// utfcat_signals_test.cpp: signals end utfcat as they end other programs, and leave no temporary file.
// build: program:utfcat
#define BOOST_TEST_MODULE utfcat_signals
#include "support/brief.hpp"
#include "support/tally.hpp"
#include "support/pipe_ends.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace utfcat_runs;

namespace {

constexpr int ending_signals[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU,
                                  SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2};

/// Waits for the program. Returns the signal that ended it, 0 if it ended by itself.
int signal_that_ended(process& p) {
  int status = 0;
  BOOST_REQUIRE(waitpid(p.pid(), &status, 0) == p.pid());
  p.has_ended();
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void without_core() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

/// Replaces a descriptor by the writing end of a pipe whose reader has gone. For the child, before it starts the
/// program.
void nobody_reads(int descriptor) {
  pipe_ends ends;
  dup2(ends.writer(), descriptor);
}

/// Waits until the temporary file has text.
void wait_for_temporary() {
  const auto deadline = clock_type::now() + patience;
  const auto begun = [] {
    for (const std::string& name : files_here())
      if (name.rfind(".utfcat-", 0) == 0 && fs::file_size(name) != 0) return true;
    return false;
  };
  while (!begun() && clock_type::now() < deadline) usleep(1000);
  BOOST_TEST(begun());
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_signals, scratch)

BOOST_AUTO_TEST_CASE(a_signal_ends_it_and_leaves_the_output_file_and_no_temporary) {
  for (const bool exists : {true, false}) {
    for (const int signal : ending_signals) {
      BOOST_TEST_CONTEXT(strsignal(signal)) {
        if (exists) put("out", "old");
        process p({"utfcat", "-o", "out"}, without_core);
        p.send("new\n");
        wait_for_temporary();
        p.kill(signal);
        p.finish("");
        BOOST_TEST(signal_that_ended(p) == signal);
        BOOST_TEST((files_here() == (exists ? arguments{"out"} : arguments{})));
        if (exists) BOOST_TEST(get("out") == "old");
        BOOST_TEST(p.text[1] == "");
      }
    }
    fs::remove("out");
  }
}

// nohup(1) makes its program ignore a signal in this way.
BOOST_AUTO_TEST_CASE(a_signal_that_the_caller_ignores_does_not_end_it) {
  for (const int signal : ending_signals) {
    BOOST_TEST_CONTEXT(strsignal(signal)) {
      put("out", "old");
      process p({"utfcat", "-o", "out"}, [signal] { std::signal(signal, SIG_IGN); });
      p.send("new\n");
      wait_for_temporary();
      p.kill(signal);
      p.finish("more\n");
      BOOST_TEST(signal_that_ended(p) == 0);
      BOOST_TEST(get("out") == "new\nmore\n");
      BOOST_TEST((files_here() == arguments{"out"}));
    }
  }
}

//------------------------------------------------------------------------------------------------------ at any moment

using contents = std::map<std::string, std::string>;

/// A command that changes files, and the files that it may leave behind at any moment.
struct change {
  arguments words;
  contents before;
  std::function<bool(const contents&)> may_be;
  std::function<bool(const contents&)> is_done;              // when the command has ended by itself
  std::function<bool(const contents&)> is_redone = nullptr;  // when it has run again after it was killed; null: is_done
  bool handles_signals = false;                              // it ends with status 0, and goes on when it runs again
};

contents contents_here() {
  contents all;
  for (const std::string& name : files_here()) all[name] = get(name);
  return all;
}

void put_all(const contents& files) {
  for (const std::string& name : files_here()) fs::remove(name);
  for (const auto& [name, content] : files) put(name, content);
}

/// Runs utfcat, and sends the signal after so many stops: it stops before and after each system call. Returns the status
/// of waitpid, and whether there were so many.
std::pair<int, bool> run_with_signal(const arguments& words, int signal, std::size_t when) {
  process p(words, [] {
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // the leak check would trace the program, too
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  });
  int status = 0;
  std::size_t stops = 0;
  while (waitpid(p.pid(), &status, 0) == p.pid() && WIFSTOPPED(status)) {
    const int passed = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    if (stops++ == when) p.kill(signal);
    ptrace(PTRACE_SYSCALL, p.pid(), nullptr, static_cast<long>(passed));
  }
  p.has_ended();
  return {status, stops > when};
}

bool is_temporary(const std::string& name) { return name[0] == '.' && name.find(".utfcat-") != std::string::npos; }

contents without_temporaries(contents files) {
  for (auto one = files.begin(); one != files.end();)
    one = is_temporary(one->first) ? files.erase(one) : std::next(one);
  return files;
}

/// Each file is old or new, and no other one than a temporary is there: SIGKILL may leave it. After that the command does
/// what it would have done.
void check_at_any_moment(const change& what, int signal, std::size_t first, std::size_t step) {
  tally cases;
  bool more = true;
  for (std::size_t when = first; more && !cases.is_hopeless(); when += step) {
    put_all(what.before);
    const auto [status, was_sent] = run_with_signal(what.words, signal, when);
    more = was_sent;
    contents files = contents_here();
    const bool is_killed = WIFSIGNALED(status) && WTERMSIG(status) == signal;
    const bool is_ended = is_killed || (what.handles_signals && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (is_killed && signal == SIGKILL) files = without_temporaries(files);
    bool is_right = is_ended ? what.may_be(files) : WIFEXITED(status) && what.is_done(files);
    if (is_right && is_ended && (signal == SIGKILL || what.handles_signals)) {
      run(what.words);
      files = without_temporaries(contents_here());
      is_right = (what.is_redone ? what.is_redone : what.is_done)(files);
    }
    if (!cases.failed(is_right)) continue;
    std::string text;
    for (const auto& [name, content] : files) text += '\n' + name + ": " + content.substr(0, 100);
    BOOST_ERROR("a signal at stop " << when << " left status " << status << " and" << text);
  }
  cases.summary(strsignal(signal) + (" and " + what.words.at(1)));
}

bool is_one_of(const contents& files, const std::string& name, const arguments& all) {
  const auto found = files.find(name);
  return found != files.end() && std::find(all.begin(), all.end(), found->second) != all.end();
}

const std::string old_text = "good\r\nb\xFF\nmore\r\n", line_aside = "b\xFF\n";

/// The changes: each way in which utfcat writes a file.
std::vector<change> changes() {
  const auto are = [](const contents& wanted) { return [wanted](const contents& files) { return files == wanted; }; };
  std::vector<change> all;
  all.push_back({{"utfcat", "-o", "out", "in"},
                 {{"in", numbers(10)}, {"out", "old"}},
                 [](const contents& files) {
                   return files.size() == 2 && is_one_of(files, "out", {"old", numbers(10)});
                 },
                 are({{"in", numbers(10)}, {"out", numbers(10)}})});
  all.push_back(
      {{"utfcat", "-i", "--filter", "lf", "a", "b"},
       {{"a", "1\r\n"}, {"b", "2\r\n"}},
       [](const contents& files) {
         return files.size() == 2 && is_one_of(files, "a", {"1\r\n", "1\n"}) && is_one_of(files, "b", {"2\r\n", "2\n"});
       },
       are({{"a", "1\n"}, {"b", "2\n"}})});
  const auto has_backup = [](const contents& files) {
    const bool has_one = is_one_of(files, "a.bak", {"1\r\n"});
    return files.size() == (has_one ? 2U : 1U) &&
           is_one_of(files, "a", has_one ? arguments{"1\r\n", "1\n"} : arguments{"1\r\n"});
  };
  // A backup that is there already is left alone.
  all.push_back({{"utfcat", "-i", "--backup", "--filter", "lf", "a"},
                 {{"a", "1\r\n"}},
                 has_backup,
                 are({{"a", "1\n"}, {"a.bak", "1\r\n"}}),
                 [has_backup](const contents& files) { return files.size() == 2 && has_backup(files); }});
  // The line that leaves the file is on the disk before: it is never in neither.
  const auto has_line = [](const contents& files) {
    const bool is_old = is_one_of(files, "in", {old_text});
    const bool is_told = is_one_of(files, "bad", {"earlier\n" + line_aside, "earlier\n" + line_aside + line_aside});
    return files.size() == 2 && (is_told || (is_old && is_one_of(files, "bad", {"earlier\n"}))) &&
           (is_old || is_one_of(files, "in", {"good\r\nmore\r\n"}));
  };
  for (const arguments& words :
       {arguments{"utfcat", "-i", "--rejects", "bad", "in"}, {"utfcat", "-o", "in", "--rejects", "bad", "in"}})
    all.push_back({words,
                   {{"in", old_text}, {"bad", "earlier\n"}},
                   has_line,
                   are({{"in", "good\r\nmore\r\n"}, {"bad", "earlier\n" + line_aside}}),
                   [has_line](const contents& files) { return has_line(files) && files.at("in") != old_text; }});
  // The log has an error, which ends it.
  const auto is_written = [](const contents& files) {
    return files.size() == 3 && is_one_of(files, "out", {"good\nb"});
  };
  all.push_back({{"utfcat", "--follow", "--filter", "lf", "--state", "state", "-o", "out", "log"},
                 {{"log", old_text}},
                 [](const contents& files) {
                   const auto out = files.find("out");
                   return files.size() <= 3 && (out == files.end() || out->second == "" || out->second == "good\nb");
                 },
                 is_written,
                 nullptr,
                 true});
  return all;
}

/// Brief runs send the signal at fewer moments, but not the same ones for each change.
void check_all_at_any_moment(int signal) {
  const std::size_t step = brief::nth == 1 ? 1 : 4 * brief::nth;
  std::size_t first = 0;
  for (const change& what : changes()) check_at_any_moment(what, signal, (first += 7) % step, step);
}

BOOST_AUTO_TEST_CASE(a_signal_at_any_moment_leaves_old_files_or_new_ones_and_no_temporary) {
  check_at_any_moment(changes().front(), SIGTERM, 0, brief::nth);
  check_all_at_any_moment(SIGTERM);
}

BOOST_AUTO_TEST_CASE(a_kill_at_any_moment_leaves_old_files_or_new_ones) { check_all_at_any_moment(SIGKILL); }

BOOST_AUTO_TEST_CASE(a_reader_that_goes_away_ends_it_without_a_message) {
  process p({"utfcat"});
  p.send("first\n");
  BOOST_TEST(p.receive(6) == "first\n");
  p.close_output();
  p.finish("second\n");
  BOOST_TEST(signal_that_ended(p) == SIGPIPE);
  BOOST_TEST(p.text[1] == "");

  for (const arguments& args :
       {arguments{"-t", "utf-16"}, {"-c"}, {"-e", "replace"}, {"--help"}, {"-o", "/dev/stdout"}}) {
    arguments command = args;
    command.insert(command.begin(), "utfcat");
    process early(command, [] { nobody_reads(1); });
    early.finish("te\xFFxt\n");
    BOOST_TEST(signal_that_ended(early) == SIGPIPE);
    BOOST_TEST(early.text[1] == "");
  }
}

// A service may inherit SIGPIPE as ignored from its caller. Then cat(1) reports the same error.
BOOST_AUTO_TEST_CASE(a_reader_that_goes_away_is_reported_if_the_caller_ignores_sigpipe) {
  process p({"utfcat"}, [] { std::signal(SIGPIPE, SIG_IGN); });
  p.close_output();
  p.finish("text\n");
  BOOST_TEST(p.wait() == 2);
  BOOST_TEST(p.text[1] == "utfcat: standard output: Broken pipe\n");
}

// Here the text goes to a file, and the reader of the messages goes away.
BOOST_AUTO_TEST_CASE(a_reader_of_messages_that_goes_away_leaves_the_output_file_and_no_temporary) {
  put("out", "old");
  process p({"utfcat", "-o", "out", "nosuch"}, [] { nobody_reads(2); });
  p.finish("");
  BOOST_TEST(signal_that_ended(p) == SIGPIPE);
  BOOST_TEST(get("out") == "old");
  BOOST_TEST((files_here() == arguments{"out"}));
}

BOOST_AUTO_TEST_CASE(a_pipe_that_is_the_output_file_and_loses_its_reader_ends_it) {
  BOOST_REQUIRE(mkfifo("pipe", 0600) == 0);
  const int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  process p({"utfcat", "-o", "pipe"});
  p.send("text\n");
  pollfd readable{reader, POLLIN, 0};
  poll(&readable, 1, static_cast<int>(std::chrono::milliseconds(patience).count()));
  close(reader);
  p.finish("more\n");
  BOOST_TEST(signal_that_ended(p) == SIGPIPE);
  BOOST_TEST((files_here() == arguments{"pipe"}));
}

BOOST_AUTO_TEST_SUITE_END()
