// counting_new.hpp: an operator new that counts, and fails as it is told. For one source file of a program.
#ifndef UTFILTER_TEST_COUNTING_NEW_HPP
#define UTFILTER_TEST_COUNTING_NEW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

struct allocation_counts {
  std::size_t calls   = 0;
  std::size_t bytes   = 0;
  std::size_t largest = 0;
};

// Of each thread.
inline thread_local allocation_counts allocations;
inline thread_local bool              memory_is_out = false;

// Not inlined: g++ would warn of a free that does not match new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations.calls;
  allocations.bytes += size;
  allocations.largest = std::max(allocations.largest, size);
  if (memory_is_out) throw std::bad_alloc();
  if (void* const memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// Those of the address sanitizer would not come here.
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

/// What the action allocates.
template <class Action>
allocation_counts allocated(Action action) {
  allocations = {};
  action();
  return allocations;
}

#endif
