// cost_counters.hpp: counts those costs of a piece of code that are the same in each run. Only one source file of a
// program may include this, on Linux with glibc. Callgrind counts the instructions and writes a profile for each
// measurement; all other costs are counted here.
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
  std::size_t reads = 0;      // calls of a source's read, or of read(2)
  std::size_t writes = 0;     // calls of a sink's write, or of write(2)
  std::size_t flushes = 0;    // calls of a sink's flush

  // Bytes that memcpy and memmove copied, for us, for Boost or for the standard library; std::copy and std::string call
  // them. The copies of devices are not counted, so reading a text through one link counts as one copy. Copies that the
  // compiler makes in place, and the stores of kernels, are not counted here; they show in the instructions.
  std::size_t copied = 0;
};

// Volatile, because compilers know memcpy, and assume that it neither reads nor writes these variables.
inline volatile costs counted;
inline volatile bool counting = false;

/// While this object lives, only allocations are counted. It is for the work of devices, and for memcpy itself, which
/// differs between processors.
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

// These replace the C library's functions, in shared libraries, too. They reach the C library's copy function by
// another name, because the usual name would call these functions again. The optimiser must not see through that, so
// memcpy and memmove are not inlined.
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

/// The costs of the action when it runs for the second time, because some work is done only once in a program. Names
/// callgrind's profile `name`.
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
