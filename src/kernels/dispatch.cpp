// dispatch.cpp: chooses the kernel table for this processor.
#include "kernels.hpp"

#ifdef UTFILTER_KERNEL_SWITCH
#include <cstdio>
#include <cstdlib>
#include <cstring>
#endif

namespace utfilter::detail {

const kernel_table* const* usable_kernels() noexcept {
  static const struct choice {
    choice() noexcept {
      std::size_t n = 0;
#if defined(__x86_64__) && defined(__GNUC__)
      __builtin_cpu_init();
      if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
          __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("bmi2"))
        tables[n++] = &avx512_kernels;
      if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
          __builtin_cpu_supports("popcnt"))
        tables[n++] = &avx2_kernels;
      if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt"))
        tables[n++] = &sse41_kernels;
#endif
#if defined(__AARCH64EL__) && defined(__ARM_NEON)
      tables[n++] = &neon_kernels;
#endif
      tables[n] = &scalar_kernels;
    }
    const kernel_table* tables[8] = {};
  } all;
  return all.tables;
}

std::atomic<const kernel_table*> chosen_kernels{nullptr};

const kernel_table& choose_kernels() noexcept {
  const kernel_table* const* tables = usable_kernels();
#ifdef UTFILTER_KERNEL_SWITCH
  // Only where the tests are built: a table by its name.
  const char* const name = std::getenv("UTFILTER_KERNELS");
  if (name != nullptr && *name != '\0') {
    while (*tables != nullptr && std::strcmp((*tables)->name, name) != 0) ++tables;
    if (*tables == nullptr) {
      std::fprintf(stderr, "utfilter: this processor has no kernels named %s\n", name);
      std::abort();
    }
  }
#endif
  chosen_kernels.store(*tables, std::memory_order_relaxed);
  return **tables;
}

}  // namespace utfilter::detail
