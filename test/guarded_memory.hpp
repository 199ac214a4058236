// guarded_memory.hpp: memory between two pages that nobody may touch: who reads or writes one byte beside it ends the program.
#ifndef UTFILTER_TEST_GUARDED_MEMORY_HPP
#define UTFILTER_TEST_GUARDED_MEMORY_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

class guarded_memory {
 public:
  /// Of that many bytes, rounded up to whole pages.
  explicit guarded_memory(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_           = (size + page - 1) / page * page;
    void* const all = mmap(nullptr, size_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    begin_ = static_cast<char*>(all) + page;
    make_writable(true);
  }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;

  char* begin() const { return begin_; }
  char* end() const { return begin_ + size_; }

  /// Whether only reading is allowed between the guards, too.
  void make_writable(bool writable) const {
    if (mprotect(begin_, size_, writable ? PROT_READ | PROT_WRITE : PROT_READ) != 0)
      throw std::system_error(errno, std::generic_category(), "mprotect");
  }

 private:
  char*       begin_;
  std::size_t size_;
};

/// A touch of a guard ends the test. While this lives, it is first said who did it. One at a time.
class guard_report {
 public:
  explicit guard_report(std::function<std::string()> who) {
    who_ = std::move(who);
    struct sigaction handler {};
    handler.sa_handler = [](int signal) {
      std::cerr << "crashed: " << who_() << std::endl;
      sigaction(signal, &before_us, nullptr);
    };
    sigaction(SIGSEGV, &handler, &before_us);
  }
  ~guard_report() { sigaction(SIGSEGV, &before_us, nullptr); }
  guard_report(const guard_report&) = delete;
  guard_report& operator=(const guard_report&) = delete;

 private:
  static inline std::function<std::string()> who_;
  static inline struct sigaction             before_us;
};

#endif
