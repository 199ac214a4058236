// dispatch.cpp: chooses the kernel table for the processor that the program runs on.
#include "kernels/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <cpuid.h>

#  include <cstring>
#  include <string_view>
#elif defined(UTFILTER_GENERIC_KERNELS) && defined(__s390x__)
#  include <sys/auxv.h>
#endif

namespace utfilter::detail {
namespace {

kernel_tables kernels_of_this_processor() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  x86_64_features has{};
  has.ssse3 = __builtin_cpu_supports("ssse3");
  has.sse41 = __builtin_cpu_supports("sse4.1");
  has.popcnt = __builtin_cpu_supports("popcnt");
  has.avx2 = __builtin_cpu_supports("avx2");
  has.bmi = __builtin_cpu_supports("bmi");
  has.bmi2 = __builtin_cpu_supports("bmi2");
  has.avx512bw = __builtin_cpu_supports("avx512bw");
  has.avx512vl = __builtin_cpu_supports("avx512vl");
  has.avx512vbmi = __builtin_cpu_supports("avx512vbmi");
  has.avx512vbmi2 = __builtin_cpu_supports("avx512vbmi2");
  has.avx512bitalg = __builtin_cpu_supports("avx512bitalg");
  return kernels_with(has);
#elif defined(__AARCH64EL__) && defined(__ARM_NEON)
  return kernel_tables().add(neon_kernels).add(scalar_kernels);
#elif defined(UTFILTER_GENERIC_KERNELS) && defined(__s390x__)
  kernel_tables list;
  if ((getauxval(AT_HWCAP) & HWCAP_S390_VX) != 0) list.add(generic_kernels);
  return list.add(scalar_kernels);
#elif defined(UTFILTER_GENERIC_KERNELS)
  return kernel_tables().add(generic_kernels).add(scalar_kernels);
#else
  return kernel_tables().add(scalar_kernels);
#endif
}

#if defined(__x86_64__) && defined(__GNUC__)
const fetch_distances& distances_of_this_processor(bool has_avx512) noexcept {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0) return far_ahead;
  char vendor[12];
  std::memcpy(vendor, &ebx, 4);
  std::memcpy(vendor + 4, &edx, 4);
  std::memcpy(vendor + 8, &ecx, 4);
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return far_ahead;
  return distances_for({vendor, sizeof vendor}, family_of(eax), has_avx512);
}
#endif

}  // namespace

#if defined(__x86_64__) && defined(__GNUC__)
kernel_tables kernels_with(const x86_64_features& has) noexcept {
  kernel_tables list;
  if (has.avx512bw && has.avx512vl && has.avx512vbmi && has.avx512vbmi2 && has.avx512bitalg && has.bmi2 && has.popcnt)
    list.add(avx512_kernels);
  if (has.avx2 && has.bmi && has.bmi2 && has.popcnt) list.add(avx2_kernels);
  if (has.sse41 && has.ssse3 && has.popcnt) list.add(sse41_kernels);
  return list.add(scalar_kernels);
}
#endif

const kernel_table* const* usable_kernels() noexcept {
  static const kernel_tables all = kernels_of_this_processor();
  return all.tables;
}

std::atomic<const kernel_table*> chosen_kernels{nullptr};

std::atomic<const fetch_distances*> chosen_distances{&far_ahead};

const kernel_table& choose_kernels() noexcept {
  const kernel_table* const best = *usable_kernels();
#if defined(__x86_64__) && defined(__GNUC__)
  chosen_distances.store(&distances_of_this_processor(best == &avx512_kernels), std::memory_order_relaxed);
#endif
  chosen_kernels.store(best, std::memory_order_relaxed);
  return *best;
}

}  // namespace utfilter::detail
