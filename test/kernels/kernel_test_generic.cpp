// kernel_test_generic.cpp: the tables that kernel_test tests: those of this processor, the generic one, and the emulated
// one for AVX-512 (kernel_test_avx512.cpp) if this processor lacks it. The library has the generic table only where it has
// no better one, so with g++ it is compiled here for the other processors of 64 bits.
#include "kernels/kernels.hpp"

#include <string_view>

#if defined(__LP64__) && defined(__GNUC__) && !defined(__clang__) && !defined(UTFILTER_GENERIC_KERNELS)
#  define UTFILTER_GENERIC_KERNELS
#  define UTFILTER_ADD_GENERIC_KERNELS
#  include "kernels/generic.cpp"
#endif

const utfilter::detail::kernel_table* emulated_kernels() noexcept;  // kernel_test_avx512.cpp

const utfilter::detail::kernel_table* const* tested_kernels() noexcept {
  using namespace utfilter::detail;
  static const kernel_tables all = [] {
    kernel_tables list;
    bool has_avx512 = false;
    for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
      has_avx512 = has_avx512 || (*table)->name == std::string_view("avx512");
      list.add(**table);
    }
#ifdef UTFILTER_ADD_GENERIC_KERNELS
    list.add(generic_kernels);
#endif
    if (!has_avx512 && emulated_kernels() != nullptr) list.add(*emulated_kernels());
    return list;
  }();
  return all.tables;
}
