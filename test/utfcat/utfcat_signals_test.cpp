// utfcat_signals_test.cpp: signals end utfcat as they end other programs, and leave no temporary file.
// build: program:utfcat
#define BOOST_TEST_MODULE utfcat_signals
#include "support/brief.hpp"
#include "support/tally.hpp"
#include "support/pipe_ends.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstring>
#include <string>

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

// The signal is sent before and after each system call.
BOOST_AUTO_TEST_CASE(a_signal_at_any_moment_leaves_no_temporary) {
  put("in", numbers(10));
  tally cases;
  bool done = false;
  for (std::size_t when = 0; !done; when += brief::nth) {
    put("out", "old");
    process p({"utfcat", "-o", "out", "in"}, [] {
      setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // the leak check would trace the program, too
      ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    });
    int status = 0;
    std::size_t stops = 0;
    while (waitpid(p.pid(), &status, 0) == p.pid() && WIFSTOPPED(status)) {
      const int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
      if (stops++ == when) p.kill(SIGTERM);
      ptrace(PTRACE_SYSCALL, p.pid(), nullptr, static_cast<long>(signal));
    }
    p.has_ended();
    done = stops <= when;
    const bool is_old = get("out") == "old", is_new = get("out") == numbers(10);
    const bool by_signal = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
    const bool by_itself = WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_new;  // if the signal came too late
    if (cases.failed(((by_signal && (is_old || is_new)) || by_itself) && files_here() == arguments{"in", "out"})) {
      BOOST_ERROR("a signal at stop " << when << " left status " << status << " and " << files_here().size()
                                      << " files");
      for (const std::string& name : files_here())
        if (name != "in") fs::remove(name);
    }
    BOOST_REQUIRE(when < 10000u);
  }
  cases.summary("signals at a moment");
}

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
