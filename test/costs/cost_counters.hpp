// cost_counters.hpp: counts what a piece of code costs, all that is the same each time. For one source file of a
// program, on Linux with glibc. Instructions are counted by callgrind, which writes a profile for each measurement; all
// else is counted here.
#ifndef UTFILTER_TEST_COST_COUNTERS_HPP
#define UTFILTER_TEST_COST_COUNTERS_HPP

#include "support/counting_new.hpp"

#include <cstddef>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

struct costs {
  std::size_t allocations = 0;
  std::size_t allocated = 0;  // bytes
  std::size_t reads = 0;      // calls upstream: of a source, or read(2)
  std::size_t writes = 0;     // calls downstream: of a sink, or write(2)
  std::size_t flushes = 0;    // of a sink

  // Bytes that memcpy and memmove copied, whoever called them: we, Boost, the standard library; std::copy and
  // std::string come down to them. What devices copy is not counted: to read through one link copies a text once. What
  // a compiler copies in place and what kernels store is not seen here, but in the instructions.
  std::size_t copied = 0;
};

// Volatile, since compilers know memcpy and that it reads and writes no such thing.
inline volatile costs counted;
inline volatile bool counting = false;

/// While it lives nothing is counted but allocations: what a device does, and memcpy itself, which differs with the
/// processor.
class uncounted {
 public:
  uncounted() noexcept : were_counting_(counting) { toggle(false); }
  ~uncounted() { toggle(true); }
  uncounted(const uncounted&) = delete;
  uncounted& operator=(const uncounted&) = delete;

 private:
  void toggle(bool on) noexcept {
    if (!were_counting_) return;
    CALLGRIND_TOGGLE_COLLECT;
    counting = on;
  }
  bool were_counting_;
};

inline void count(std::size_t costs::*what, std::size_t n = 1) noexcept {
  if (counting) counted.*what = counted.*what + n;
}

// These are found before the C library's own, also by shared libraries. The optimiser is not to look into memcpy, nor
// to know that this is one: so the library's own, which would be ours again, goes by another name.
extern "C" {
void* own_memmove(void* to, const void* from, std::size_t n, std::size_t room) __asm__("__memmove_chk");

[[gnu::noinline]] void* memcpy(void* to, const void* from, std::size_t n) noexcept {
  count(&costs::copied, n);
  const uncounted here;
  return own_memmove(to, from, n, n);
}
[[gnu::noinline]] void* memmove(void* to, const void* from, std::size_t n) noexcept {
  count(&costs::copied, n);
  const uncounted here;
  return own_memmove(to, from, n, n);
}
ssize_t read(int fd, void* s, std::size_t n) {
  count(&costs::reads);
  return syscall(SYS_read, fd, s, n);
}
ssize_t write(int fd, const void* s, std::size_t n) {
  count(&costs::writes);
  return syscall(SYS_write, fd, s, n);
}
ssize_t writev(int fd, const iovec* pieces, int n) {
  count(&costs::writes);
  return syscall(SYS_writev, fd, pieces, n);
}
}

/// What the action costs when it is done for the second time, since some things are done once in a program. Callgrind's
/// profile is given that name.
template <class Action>
costs measured(const char* name, Action&& action) {
  action();
  for (std::size_t costs::*what : {&costs::reads, &costs::writes, &costs::flushes, &costs::copied}) counted.*what = 0;
  allocations = {};
  counting = true;
  CALLGRIND_ZERO_STATS;
  action();
  CALLGRIND_DUMP_STATS_AT(name);
  counting = false;
  return {allocations.calls, allocations.bytes, counted.reads, counted.writes, counted.flushes, counted.copied};
}

#endif
