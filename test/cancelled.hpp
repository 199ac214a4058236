// cancelled.hpp: threads that are cancelled. Under glibc their stacks are unwound, which passes through every catch (...).
#ifndef UTFILTER_TEST_CANCELLED_HPP
#define UTFILTER_TEST_CANCELLED_HPP

#include <pthread.h>

#include <boost/test/unit_test.hpp>

/// What an observer, or a device, does when its thread is cancelled. Returns only where cancelling has no effect.
inline void be_cancelled() {
  pthread_cancel(pthread_self());
  pthread_testcancel();
}

/// Runs the action in a thread of its own. Whether that ended because it was cancelled.
template <class Action>
bool ends_cancelled(Action action) {
  pthread_t  thread;
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
