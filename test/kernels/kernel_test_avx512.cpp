// kernel_test_avx512.cpp: the kernels for AVX-512 with emulated instructions, so that kernel_test tests them on every x86-64
// processor. They are left out under clang++'s sanitizers, where they would take ten minutes; there, and everywhere else,
// pages without access lie around each buffer.
#define avx512_kernels avx512_kernels_of_the_test  // the library has a table of that name
#define UTFILTER_EMULATED_AVX512
#ifndef __clang__
#  pragma GCC optimize("O3")  // else they would take as long as all other tables together
#endif
#include "kernels/kernels.hpp"

#ifdef __has_feature
#  if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#    define UTFILTER_SANITIZED
#  endif
#endif

#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__) && !defined(UTFILTER_SANITIZED)
#  include "kernels/emulated_avx512.hpp"

#  include "kernels/avx512.cpp"
#endif

/// The emulated kernels, or null.
const utfilter::detail::kernel_table* emulated_kernels() noexcept {
#ifdef UTFILTER_TEST_EMULATED_AVX512_HPP
  static const utfilter::detail::kernel_table table = [] {
    auto copy = utfilter::detail::avx512_kernels;
    copy.name = "emulated avx512";
    return copy;
  }();
  return &table;
#else
  return nullptr;
#endif
}
