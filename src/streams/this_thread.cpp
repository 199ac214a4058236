// this_thread.cpp: numbers for threads. Those of a child process differ from those of its parent.
#include <utfilter/stream.hpp>

#include <atomic>
#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#endif

namespace utfilter::detail {

namespace {

std::atomic<std::uint64_t> forks{0};

#if defined(__unix__) || defined(__APPLE__)
// If this fails for lack of memory, a child that was forked in the middle of a write takes its parent's thread for one
// of its own.
[[maybe_unused]] const int counts_forks =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
#endif

}  // namespace

// The number is the address of an object that each thread has, and the forks. No system uses the 16 highest bits of an
// address to tell two objects from each other.
std::uint64_t this_thread() noexcept {
  thread_local char mine;
  return std::uint64_t{reinterpret_cast<std::uintptr_t>(&mine)} << 16 |
         (forks.load(std::memory_order_relaxed) & 0xFFFF);
}

}  // namespace utfilter::detail
