// interrupted_test.cpp: signals whose handlers do not restart system calls (no SA_RESTART) interrupt the opening of
// files. No way to open a file fails for that reason.
// build: unsanitized
#define BOOST_TEST_MODULE interrupted
#include "support/files.hpp"

#include <utfilter/follow_streambuf.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/range_streambuf.hpp>
#include <utfilter/wide_stream.hpp>

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdarg>
#include <filesystem>
#include <string>
#include <thread>

namespace {

/// Calls of open(2) that still fail with EINTR.
int interruptions = 0;

}  // namespace

/// The program's own open(2), which the library calls by this name.
#ifdef __GLIBC__
extern "C" int open64(const char* path, int flags, ...) {
#else
extern "C" int open(const char* path, int flags, ...) {
#endif
  if (interruptions != 0) {
    --interruptions;
    errno = EINTR;
    return -1;
  }
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

namespace {

using namespace std::chrono_literals;

/// Sends signals to the thread that made this object until it is destroyed.
class storm {
 public:
  storm() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, &before_);
    sender_ = std::thread([this, target = pthread_self()] {
      while (!over_) {
        pthread_kill(target, SIGUSR1);
        std::this_thread::sleep_for(1ms);
      }
    });
  }
  ~storm() {
    over_ = true;
    sender_.join();
    sigaction(SIGUSR1, &before_, nullptr);
  }
  storm(const storm&) = delete;
  storm& operator=(const storm&) = delete;

 private:
  std::atomic<bool> over_{false};
  struct sigaction before_ {};
  std::thread sender_;
};

/// A named pipe, and a thread that opens its other end after a while. Until then, opening the pipe waits.
class slow_pipe {
 public:
  explicit slow_pipe(int flags) : path_(place_.path() / "pipe") {
    BOOST_REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
    other_ = std::thread([this, flags] {
      std::this_thread::sleep_for(50ms);
      const int end = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path_.c_str(), flags, 0));
      if (flags == O_WRONLY) [[maybe_unused]]
        const ssize_t written = write(end, "text", 4);
      char received[100];
      for (ssize_t got; flags == O_RDONLY && (got = read(end, received, sizeof received)) > 0;)
        received_.append(received, static_cast<std::size_t>(got));
      close(end);
    });
  }
  ~slow_pipe() {
    // If the test could not open its end, this lets the thread go on.
    const int both = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path_.c_str(), O_RDWR | O_NONBLOCK, 0));
    if (other_.joinable()) other_.join();
    close(both);
  }
  slow_pipe(const slow_pipe&) = delete;
  slow_pipe& operator=(const slow_pipe&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string received() {
    other_.join();
    return received_;
  }

 private:
  const files::directory place_;
  const std::filesystem::path path_;
  std::string received_;
  std::thread other_;
};

BOOST_AUTO_TEST_CASE(a_pipe_is_opened_in_spite_of_signals) {
  {
    slow_pipe pipe(O_WRONLY);
    const storm signals;
    utfilter::ifstream in(pipe.path());
    std::string text;
    in >> text;
    BOOST_TEST(text == "text");
  }
  {
    slow_pipe pipe(O_WRONLY);
    const storm signals;
    BOOST_TEST(utfilter::read_file(pipe.path()) == "text");
  }
  {
    slow_pipe pipe(O_WRONLY);
    const storm signals;
    utfilter::wifstream in(pipe.path());
    std::wstring text;
    in >> text;
    BOOST_TEST((text == L"text"));
  }
  {
    slow_pipe pipe(O_RDONLY);
    {
      const storm signals;
      utfilter::ofstream out(pipe.path(), utfilter::encoding::utf16le);
      out << "t";
      out.close();
      BOOST_TEST(out.good());
    }
    BOOST_TEST(pipe.received().size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(a_file_is_followed_in_spite_of_signals) {
  const files::temporary_file file("text");
  interruptions = 3;
  utfilter::follow_streambuf log(file.path());
  BOOST_TEST(interruptions == 0);
  BOOST_TEST(log.in_avail() == 4);
  interruptions = 3;
  BOOST_TEST(utfilter::follow_streambuf::identity_of(file.path()) == log.identity());
  BOOST_TEST(interruptions == 0);
}

}  // namespace
