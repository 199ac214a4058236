// utfcat_runs.hpp: runs utfcat in an empty directory of its own, and reads and writes files there.
#ifndef UTFILTER_TEST_UTFCAT_RUNS_HPP
#define UTFILTER_TEST_UTFCAT_RUNS_HPP

#include "support/files.hpp"
#include "support/process.hpp"

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
namespace io = boost::iostreams;
using namespace processes;

namespace utfcat_runs {

inline result utfcat(
    arguments args, const std::string& input = "", const std::function<void()>& in_child = [] {}) {
  args.insert(args.begin(), "utfcat");
  return run(args, input, in_child);
}

inline result expected(int status, std::string out, std::string err = "") {
  return {status, std::move(out), std::move(err), 0};
}

//---------------------------------------------------------------------------------------------------------------- files

/// A fixture: each test begins in an empty directory of its own.
struct scratch : files::directory {
  scratch() {
    fs::current_path(path());
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~scratch() { fs::current_path("/"); }
};

inline void put(const std::string& name, const std::string& content) { files::write(name, content); }
inline std::string get(const std::string& name) { return files::content(name); }

inline std::vector<std::string> files_here() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(".")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

template <class Compressor>
std::string compressed(const std::string& text) {
  std::string result;
  io::copy(io::compose(Compressor(), io::array_source(text.data(), text.size())), io::back_inserter(result));
  return result;
}

inline std::string utf16le(const std::u16string& text) {
  std::string bytes;
  for (const char16_t unit : text) bytes += {static_cast<char>(unit & 0xFF), static_cast<char>(unit >> 8)};
  return bytes;
}

inline std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + " \xE2\x82\xAC\n";
  return text;
}

//--------------------------------------------------------------------------------------------------------------- faults

/// Runs the program, and calls `at_call` with its number whenever the program begins a system call. `at_call` finds the
/// files as they would be if the program were killed at that moment. Returns the exit status.
inline int run_by_system_calls(
    const arguments& command, const std::function<void(pid_t)>& at_call,
    const std::function<void()>& in_child = [] {}) {
  process p(command, [&] {
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // the leak check would trace the program, too
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    in_child();
  });
  int status = 0;
  for (bool begins = false; waitpid(p.pid(), &status, 0) == p.pid() && WIFSTOPPED(status); begins = !begins) {
    // The child stops when the program is loaded, then before and after each call.
    if (begins) at_call(p.pid());
    ptrace(PTRACE_SETOPTIONS, p.pid(), nullptr, PTRACE_O_TRACESYSGOOD);  // for PTRACE_GET_SYSCALL_INFO
    ptrace(PTRACE_SYSCALL, p.pid(), nullptr, nullptr);
  }
  p.has_ended();
  BOOST_REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/// The system call that a traced program begins, with the name of its file, if it is "write", "append" (a write with
/// O_APPEND) or "fsync"; "link" or "rename" without a name. Empty for all other calls.
inline std::string call_of(pid_t pid) {
  __ptrace_syscall_info call{};
  ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof call, &call);
  const auto number = static_cast<long>(call.entry.nr);
#ifdef SYS_link
  if (number == SYS_link) return "link";
#endif
  if (number == SYS_linkat) return "link";
#ifdef SYS_rename
  if (number == SYS_rename) return "rename";
#endif
  if (number == SYS_renameat || number == SYS_renameat2) return "rename";
  if (number != SYS_write && number != SYS_fsync) return "";
  const std::string process = "/proc/" + std::to_string(pid), file = std::to_string(call.entry.args[0]);
  std::ifstream facts(process + "/fdinfo/" + file);
  for (std::string word; word != "flags:" && facts >> word;) continue;
  int flags = 0;
  facts >> std::oct >> flags;
  return (number == SYS_fsync       ? "fsync "
          : (flags & O_APPEND) != 0 ? "append "
                                    : "write ") +
         fs::read_symlink(process + "/fd/" + file).filename().string();
}

/// For a child process: takes these rights (capabilities) away from the program, for tests that are run by root.
inline std::function<void()> without(const std::vector<int>& rights) {
  return [rights] {
    if (geteuid() != 0) return;
    for (const int right : rights)
      if (prctl(PR_CAPBSET_DROP, right) != 0) _exit(126);
  };
}

}  // namespace utfcat_runs

#endif
