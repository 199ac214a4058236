// process.hpp: child processes: a function in a child, a shell command, and programs as users run them, with pipes at
// their input and outputs and with a time limit.
#ifndef UTFILTER_TEST_PROCESS_HPP
#define UTFILTER_TEST_PROCESS_HPP

#include "support/paths.hpp"
#include "support/pipe_ends.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace processes {

using arguments = std::vector<std::string>;
using clock_type = std::chrono::steady_clock;

inline constexpr auto patience = std::chrono::seconds(20);

//----------------------------------------------------------------------------------------------- functions and commands

struct end_of_child {
  int status;        // as of waitpid(2)
  std::string said;  // on standard error
};

/// Runs the action in a child of this process. For actions that end the process, or that a process can do only once.
template <class Action>
end_of_child in_child(Action action) {
  pipe_ends errors;
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGABRT, SIG_DFL);  // the test framework has its own handler
    dup2(errors.writer(), STDERR_FILENO);
    action();
    _exit(0);
  }
  errors.close_writer();
  end_of_child end = {0, {}};
  for (std::string some; !(some = errors.receive(256)).empty();) end.said += some;
  waitpid(child, &end.status, 0);
  return end;
}

struct shell_outcome {
  int status;  // 128 plus the number of the signal, if one ended it
  std::string output;

  friend bool operator==(const shell_outcome& a, const shell_outcome& b) {
    return a.status == b.status && a.output == b.output;
  }
  friend std::ostream& operator<<(std::ostream& out, const shell_outcome& o) {
    return out << o.status << ", " << o.output;
  }
};

/// Runs a shell command. Returns its standard output and its exit status.
inline shell_outcome shell(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output};
}

//------------------------------------------------------------------------------------------------------------- programs

/// A program with pipes to its standard input and from its two outputs. If the program hangs, it is killed and the test
/// fails.
class process {
 public:
  /// The first word of the command is a path, or the name of a program that the build made. The child calls `in_child`
  /// before it starts the program. `in_child` may replace the program's descriptors.
  explicit process(
      const arguments& command, const std::function<void()>& in_child = [] {}) {
    int ends[3][2];
    for (auto& pair : ends)
      if (pipe2(pair, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    arguments words = command;
    if (words.at(0).find('/') == std::string::npos) words[0] = paths::program(words[0]);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[0][0], 0);
      dup2(ends[1][1], 1);
      dup2(ends[2][1], 2);
      std::signal(SIGPIPE, SIG_DFL);
      in_child();
      execv(argv[0], argv.data());
      _exit(127);
    }
    in_ = ends[0][1];
    close(ends[0][0]);
    for (int i = 1; i <= 2; ++i) {
      from_[i - 1] = ends[i][0];
      close(ends[i][1]);
    }
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() {
    if (pid_ > 0) {
      kill(SIGKILL);
      wait();
    }
    end_input();
    for (const int fd : from_)
      if (fd >= 0) close(fd);
  }

  /// Writes to standard input. The text must fit into the pipe's buffer.
  void send(const std::string& words) {
    BOOST_REQUIRE_EQUAL(::write(in_, words.data(), words.size()), static_cast<ssize_t>(words.size()));
  }
  void end_input() {
    if (in_ >= 0) close(in_);
    in_ = -1;
  }
  void close_output() {
    close(from_[0]);
    from_[0] = -1;
  }

  /// Waits for the next `size` bytes of standard output. The input stays open.
  std::string receive(std::size_t size) {
    const auto deadline = clock_type::now() + patience;
    while (text[0].size() < size && exchange("", deadline)) {
    }
    BOOST_CHECK_MESSAGE(text[0].size() >= size, "only " << text[0].size() << " of " << size << " bytes came");
    std::string result = text[0].substr(0, size);
    text[0].erase(0, result.size());
    return result;
  }

  /// Waits for the next line of an output (0: standard output, 1: standard error). Returns it without its line feed.
  /// The input stays open.
  std::string receive_line(std::size_t output = 0) {
    const auto deadline = clock_type::now() + patience;
    while (text[output].find('\n') == std::string::npos && from_[output] >= 0 && exchange("", deadline)) {
    }
    const std::size_t size = text[output].find('\n');
    BOOST_REQUIRE_MESSAGE(size != std::string::npos, "no line came, only: " << text[output]);
    std::string result = text[output].substr(0, size);
    text[output].erase(0, size + 1);
    return result;
  }

  /// Sends the rest of the input and reads both outputs to their ends.
  void finish(const std::string& input) {
    const auto deadline = clock_type::now() + patience;
    rest_ = input;
    if (rest_.empty()) end_input();
    while (from_[0] >= 0 || from_[1] >= 0)
      if (!exchange(rest_, deadline)) {
        BOOST_ERROR("it hangs");
        kill(SIGKILL);
        break;
      }
  }

  void kill(int signal) const { ::kill(pid_, signal); }

  pid_t pid() const { return pid_; }
  /// The caller has waited for the program without wait().
  void has_ended() { pid_ = -1; }

  /// Waits for the program. Returns its exit status, or -1 if a signal ended it.
  int wait() {
    int status = 0;
    wait4(std::exchange(pid_, -1), &status, 0, &usage);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string text[2];  // standard output and error
  rusage usage{};

 private:
  /// Waits for a pipe that is ready, then reads and writes without waiting. Returns false after the deadline.
  bool exchange(const std::string& input, clock_type::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock_type::now()).count();
    if (left <= 0) return false;
    pollfd all[3] = {{from_[0], POLLIN, 0}, {from_[1], POLLIN, 0}, {input.empty() ? -1 : in_, POLLOUT, 0}};
    poll(all, 3, static_cast<int>(left));
    for (int i = 0; i < 2; ++i) {
      if (all[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t got = ::read(from_[i], buffer, sizeof buffer);
      if (got > 0) {
        text[i].append(buffer, static_cast<std::size_t>(got));
      } else {
        close(from_[i]);
        from_[i] = -1;
      }
    }
    if (all[2].revents != 0) {
      const std::size_t size = std::min<std::size_t>(input.size() - sent_, 4096);  // a ready pipe takes this at once
      const ssize_t taken = size != 0 ? ::write(in_, input.data() + sent_, size) : -1;
      if (taken > 0) sent_ += static_cast<std::size_t>(taken);
      if (taken < 0 || sent_ == input.size()) end_input();
    }
    return true;
  }

  pid_t pid_;
  int in_;
  int from_[2];
  std::string rest_;
  std::size_t sent_ = 0;
};

struct result {
  int status;
  std::string out;
  std::string err;
  long memory;  // the most that the program used, in KiB

  bool operator==(const result& other) const { return status == other.status && out == other.out && err == other.err; }
};

inline std::ostream& operator<<(std::ostream& to, const result& r) {
  return to << "status " << r.status << "\nout: " << r.out.substr(0, 2000) << "\nerr: " << r.err.substr(0, 2000);
}

inline result run(
    const arguments& command, const std::string& input = "", const std::function<void()>& in_child = [] {}) {
  process p(command, in_child);
  p.finish(input);
  const int status = p.wait();
  return {status, p.text[0], p.text[1], p.usage.ru_maxrss};
}

}  // namespace processes

#endif
