// cancelled.hpp: threads that are cancelled. glibc unwinds their stacks, and this unwinding passes through every catch
// (...). The address sanitizer does not know this unwinding and would report a stack overflow, so
// CANCELLED_THREADS_UNWIND is not defined under it.
#ifndef UTFILTER_TEST_CANCELLED_HPP
#define UTFILTER_TEST_CANCELLED_HPP

#include <pthread.h>

#include <boost/test/unit_test.hpp>

#if defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define UNDER_ADDRESS_SANITIZER
#  endif
#elif defined(__SANITIZE_ADDRESS__)
#  define UNDER_ADDRESS_SANITIZER
#endif
#if defined(__GLIBC__) && !defined(UNDER_ADDRESS_SANITIZER)
#  define CANCELLED_THREADS_UNWIND
#endif

/// Cancels the calling thread, as if from outside, while it is in an observer or a device. Returns only if cancelling
/// has no effect.
inline void be_cancelled() {
  pthread_cancel(pthread_self());
  pthread_testcancel();
}

/// Runs the action in a thread of its own. Returns whether the thread ended because it was cancelled.
template <class Action>
bool ends_cancelled(Action action) {
  pthread_t thread;
  const auto run = [](void* what) -> void* {
    (*static_cast<Action*>(what))();
    return nullptr;
  };
  BOOST_REQUIRE(pthread_create(&thread, nullptr, run, &action) == 0);
  void* result = nullptr;
  BOOST_REQUIRE(pthread_join(thread, &result) == 0);
  return result == PTHREAD_CANCELED;
}

#endif
