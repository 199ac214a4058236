// guarded_memory.hpp: memory between two guard pages: a read or write one byte outside of the memory ends the program.
#ifndef UTFILTER_TEST_GUARDED_MEMORY_HPP
#define UTFILTER_TEST_GUARDED_MEMORY_HPP

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

#ifdef _WIN32
#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>
#else
#  include <sys/mman.h>
#  include <unistd.h>
#endif

class guarded_memory {
 public:
  /// Allocates `size` bytes, rounded up to whole pages.
  explicit guarded_memory(std::size_t size) {
    const std::size_t page = page_size();
    size_ = (size + page - 1) / page * page;
    begin_ = reserve(size_ + 2 * page) + page;
    make_writable(true);
  }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;

  char* begin() const { return begin_; }
  char* end() const { return begin_ + size_; }

  /// Makes the memory between the guard pages writable, or read-only.
  void make_writable(bool writable) const {
#ifdef _WIN32
    DWORD before;
    if (VirtualProtect(begin_, size_, writable ? PAGE_READWRITE : PAGE_READONLY, &before) == 0) fail("VirtualProtect");
#else
    if (mprotect(begin_, size_, writable ? PROT_READ | PROT_WRITE : PROT_READ) != 0) fail("mprotect");
#endif
  }

 private:
#ifdef _WIN32
  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(static_cast<int>(GetLastError()), std::system_category(), what);
  }
  static std::size_t page_size() {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
  }
  static char* reserve(std::size_t size) {
    void* const all = VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
    if (all == nullptr) fail("VirtualAlloc");
    return static_cast<char*>(all);
  }
#else
  [[noreturn]] static void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }
  static std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
  static char* reserve(std::size_t size) {
    void* const all = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) fail("mmap");
    return static_cast<char*>(all);
  }
#endif

  char* begin_;
  std::size_t size_;
};

/// An access to a guard page ends the test. While this object lives, the test first prints the text that `who` returns.
/// Only one such object may live at a time.
class guard_report {
 public:
  explicit guard_report(std::function<std::string()> who) {
    who_ = std::move(who);
#ifdef _WIN32
    before_us = std::signal(SIGSEGV, report);
#else
    struct sigaction handler {};
    handler.sa_handler = report;
    sigaction(SIGSEGV, &handler, &before_us);
#endif
  }
  ~guard_report() { restore(); }
  guard_report(const guard_report&) = delete;
  guard_report& operator=(const guard_report&) = delete;

 private:
  static void report(int) {
    std::cerr << "crashed: " << who_() << std::endl;
    restore();
  }
#ifdef _WIN32
  static void restore() { std::signal(SIGSEGV, before_us); }
  static inline void (*before_us)(int) = SIG_DFL;
#else
  static void restore() { sigaction(SIGSEGV, &before_us, nullptr); }
  static inline struct sigaction before_us;
#endif
  static inline std::function<std::string()> who_;
};

#endif
