// files.cpp: files in the system's cache, read by streams, one chunk at a time, and by processes such as utfcat.
#include "filters.hpp"

#include <utfilter/fstream.hpp>

#include <boost/iostreams/device/file_descriptor.hpp>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

namespace io = boost::iostreams;

[[noreturn]] void fail(const std::string& what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

/// A file that repeats a text so often that its size comes close to `bytes`. The destructor removes it.
class text_file {
 public:
  text_file(std::string path, const std::string& text, std::size_t bytes)
      : times((bytes + text.size() / 2) / text.size()), path_(std::move(path)) {
    std::ofstream file(path_, std::ios::binary);
    for (std::size_t n = times; n != 0; --n) file << text;
    file.close();
    if (!file) fail(path_);
    // Writes the file to the disk now, so that this work does not slow down a measurement.
    const descriptor written(path_);
    if (fsync(written.get()) != 0) fail(path_);
  }
  ~text_file() { std::remove(path_.c_str()); }
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;

  const std::string& path() const noexcept { return path_; }

  class descriptor {
   public:
    explicit descriptor(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
      if (fd_ < 0) fail(path);
    }
    ~descriptor() { close(fd_); }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    int get() const noexcept { return fd_; }

   private:
    int fd_;
  };

  const std::size_t times;

 private:
  std::string path_;
};

void read_by_system(const std::string& path, verifier* seen) {
  static std::vector<char> buffer(chunk);
  const text_file::descriptor file(path);
  while (const ssize_t got = read(file.get(), buffer.data(), chunk)) {
    if (got < 0) fail(path);
    if (seen != nullptr) (*seen)(buffer.data(), static_cast<std::size_t>(got));
  }
}

template <class Push>
action read_by_chain(const std::string& path, Push push) {
  return [=](verifier* seen) {
    io::filtering_istream chain;
    push(chain);
    chain.push(io::file_descriptor_source(path), chunk);
    drain(chain, seen);
  };
}

double seconds(const timeval& t) noexcept {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// Runs a program with its output going to /dev/null, or to the verifier. Returns its processor time in seconds. Throws
/// if the program fails.
double run(const std::vector<std::string>& command, verifier* seen) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (seen != nullptr)
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  else
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  const int failed = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);

  char buffer[4096];
  for (ssize_t got = 0; failed == 0 && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    (*seen)(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  if (failed != 0) fail(command[0], failed);

  int status;
  rusage usage;
  if (wait4(child, &status, 0, &usage) != child) fail("wait4");
  if (status != 0) throw std::runtime_error(command[0] + " failed");
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

void add_files(const corpus& c) {
  // The measurements use these files until the program ends, which removes them.
  static std::unique_ptr<text_file> utf8, utf16;
  const std::string path = c.directory + '/' + c.name;
  utf8 = std::make_unique<text_file>(path + ".utf8", c.memory.utf8, c.file_size);
  utf16 = std::make_unique<text_file>(path + ".utf16le", c.memory.utf16le, c.file_size);

  const task read{"read a file", c.name, utf8->times * c.memory.utf8.size(), c.memory.utf8, utf8->times};
  read.add("read(2)", [](verifier* seen) { read_by_system(utf8->path(), seen); });
  read.add("std::ifstream", [](verifier* seen) {
    std::ifstream in(utf8->path(), std::ios::binary);
    drain(in, seen);
  });
  read.add("utfilter::ifstream", [](verifier* seen) {
    utfilter::ifstream in(utf8->path());
    drain(in, seen);
  });
  for_each_validator(
      [&](const std::string& who, auto push) { read.add("chain, " + who, read_by_chain(utf8->path(), push)); });

  task cat{"process", c.name, read.bytes, read.expected, read.times};
  const auto add = [](const task& t, const std::string& who, const std::vector<std::string>& command) {
    t.add_timed(who, [=](verifier* seen) { return run(command, seen); });
  };
  add(cat, "cat", {"cat", utf8->path()});
  add(cat, "utfcat", {UTFCAT, utf8->path()});
  add(cat, "iconv", {"iconv", "-f", "UTF-8", "-t", "UTF-8", utf8->path()});
  add(cat, "uconv", {"uconv", "-f", "UTF-8", "-t", "UTF-8", utf8->path()});
#ifdef UTFILTER_BENCH_SIMDUTF
  add(cat, "simdutf without streams", {SIMDUTF_CAT, "utf8", utf8->path()});
#endif
  cat.expected = {};  // isutf8 only checks
  add(cat, "isutf8", {"isutf8", utf8->path()});

  task cat16{"process, UTF-16LE to UTF-8", c.name, utf16->times * c.memory.utf16le.size(), c.memory.utf8, utf16->times};
  add(cat16, "utfcat", {UTFCAT, "-f", "utf-16le", utf16->path()});
  add(cat16, "iconv", {"iconv", "-f", "UTF-16LE", "-t", "UTF-8", utf16->path()});
  add(cat16, "uconv", {"uconv", "-f", "UTF-16LE", "-t", "UTF-8", utf16->path()});
#ifdef UTFILTER_BENCH_SIMDUTF
  add(cat16, "simdutf without streams", {SIMDUTF_CAT, "utf16le", utf16->path()});
#endif
  cat16.expected = c.memory.utf16le;
  add(cat16, "cat", {"cat", utf16->path()});
}

}  // namespace bench
