// counting_new.hpp: an operator new that counts its calls, and fails on demand. Only one source file of a program may
// include this.
#ifndef UTFILTER_TEST_COUNTING_NEW_HPP
#define UTFILTER_TEST_COUNTING_NEW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

// With COUNT_LIVE_BYTES, also the size of the live blocks is counted, as malloc rounds it up. Not always, because that
// costs instructions, which test/costs counts. It needs glibc.
#ifdef COUNT_LIVE_BYTES
#  include <malloc.h>
#endif

struct allocation_counts {
  std::size_t calls = 0;
  std::size_t bytes = 0;
  std::size_t largest = 0;
};

// Each thread has its own copies of these variables.
inline thread_local allocation_counts allocations;
inline thread_local bool memory_is_out = false;
inline thread_local std::ptrdiff_t live_blocks = 0;
#ifdef COUNT_LIVE_BYTES
inline thread_local std::size_t live_bytes = 0;
#endif
inline thread_local std::size_t calls_to_failure = 0;  // 0: no call fails
inline thread_local bool failure_stays = false;        // all later calls fail, too

// Not inlined: g++ would warn that free does not match new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations.calls;
  allocations.bytes += size;
  allocations.largest = std::max(allocations.largest, size);
  const bool fails = calls_to_failure != 0 && --calls_to_failure == 0;
  if (fails) memory_is_out = failure_stays;
  if (fails || memory_is_out) throw std::bad_alloc();
  void* const memory = std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  ++live_blocks;
#ifdef COUNT_LIVE_BYTES
  live_bytes += malloc_usable_size(memory);
#endif
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory != nullptr) --live_blocks;
#ifdef COUNT_LIVE_BYTES
  live_bytes -= malloc_usable_size(memory);
#endif
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
// Without these, the address sanitizer's own array operators would be called, and those do not count.
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { operator delete(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }

/// Returns the allocations that the action makes.
template <class Action>
allocation_counts allocated(Action action) {
  allocations = {};
  action();
  return allocations;
}

/// Makes the Nth allocation during some actions fail. If `stays`, all later allocations in these actions fail, too.
class failing_allocation {
 public:
  failing_allocation(std::size_t nth, bool stays) : left_(nth), stays_(stays) {}

  /// Runs one of the actions. Allocations between the actions, such as those of exception handlers, neither count nor
  /// fail.
  template <class Action>
  void during(const Action& action) {
    struct arming {
      explicit arming(failing_allocation& f) : failure(f) {
        calls_to_failure = failure.left_;
        failure_stays = failure.stays_;
        memory_is_out = failure.stays_ && failure.happened();
      }
      ~arming() {
        failure.left_ = calls_to_failure;
        calls_to_failure = 0;
        failure_stays = memory_is_out = false;
      }
      arming(const arming&) = delete;
      arming& operator=(const arming&) = delete;
      failing_allocation& failure;
    };
    const arming armed(*this);
    action();
  }

  bool happened() const { return left_ == 0; }

 private:
  std::size_t left_;
  bool stays_;
};

#endif
