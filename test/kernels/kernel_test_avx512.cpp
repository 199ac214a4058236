// kernel_test_avx512.cpp: the kernels for AVX-512 with emulated instructions, so that kernel_test tests them on every x86-64
// processor.
#define avx512_kernels avx512_kernels_of_the_test  // the library has a table of that name
#define UTFILTER_EMULATED_AVX512
#ifndef __clang__
#  pragma GCC optimize("O3")  // else they would take as long as all other tables together
#endif
#include "kernels/kernels.hpp"

#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__)
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
