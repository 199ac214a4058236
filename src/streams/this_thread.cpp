// this_thread.cpp: numbers for threads, and which of them are left in a child process.
// layer: threads
#include <utfilter/stream.hpp>

#include <atomic>
#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#endif
#if __has_include(<sys/single_threaded.h>)
#  include <sys/single_threaded.h>
#endif

namespace utfilter::detail {

namespace {

std::atomic<std::uint64_t> threads{0};  // that have a number

// At the last fork that made this process:
std::atomic<std::uint64_t> threads_before{0};
std::atomic<std::uint64_t> forked_by{0};

#if defined(__unix__) || defined(__APPLE__)
// If this fails for lack of memory, a child takes its parent's threads for its own.
[[maybe_unused]] const int notices_forks = pthread_atfork(nullptr, nullptr, [] {
  forked_by.store(this_thread(), std::memory_order_relaxed);
  threads_before.store(threads.load(std::memory_order_relaxed), std::memory_order_relaxed);
});
#endif

}  // namespace

// If a signal handler takes a number for the thread in the middle of this, the thread changes its number, which does no
// harm: the handler has left the buffers that it entered by its own number.
std::uint64_t this_thread() noexcept {
  thread_local std::uint64_t mine = 0;
  if (mine == 0) mine = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return mine;
}

bool exists(std::uint64_t thread) noexcept {
  return thread > threads_before.load(std::memory_order_relaxed) || thread == forked_by.load(std::memory_order_relaxed);
}

bool is_only_thread() noexcept {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;  // of glibc
#else
  return false;
#endif
}

}  // namespace utfilter::detail
