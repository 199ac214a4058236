// avx2.cpp: the kernel table for x86-64 with AVX2, BMI1, BMI2 and POPCNT: Intel since Haswell, AMD since Excavator.
#if defined(__x86_64__) && defined(__GNUC__)

#  include "kernels/before_region.hpp"

#  include <immintrin.h>

#  ifdef __clang__
#    pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#  else
#    pragma GCC push_options
#    pragma GCC target("avx2,bmi,bmi2,popcnt")
#  endif

#  include "kernels/clear_upper.inc"

namespace utfilter::detail {
namespace {

std::size_t count(std::uint64_t m) noexcept { return static_cast<std::size_t>(_mm_popcnt_u64(m)); }
std::size_t first(std::uint64_t m) noexcept { return static_cast<std::size_t>(_tzcnt_u64(m)); }
std::size_t last_of(std::uint64_t m) noexcept { return 63 - static_cast<std::size_t>(__builtin_clzll(m)); }

#  ifndef __clang__
template <std::uint64_t Bits>
constexpr std::uint64_t in_memory = Bits;
#  endif

/// See vector_contract.hpp.
struct vector {
  static constexpr std::size_t size = 32;
  static constexpr std::uint64_t one_byte_of_lanes = 0x00FF00FF;

  __m256i v;

  [[gnu::always_inline]] static vector zero() noexcept { return {_mm256_setzero_si256()}; }
  /// Loads the constant from memory. Without the assembler statement g++ builds the constant anew at every use: in a
  /// general register, from which it goes to a vector register through the execution port that shuffles need.
  template <std::uint64_t Bits>
  [[gnu::always_inline]] static vector repeated() noexcept {
#  ifdef __clang__
    return {_mm256_set1_epi64x(static_cast<long long>(Bits))};
#  else
    __m256i bits;
    asm("vpbroadcastq {%1, %0|%0, %1}" : "=x"(bits) : "m"(in_memory<Bits>));
    return {bits};
#  endif
  }
  [[gnu::always_inline]] static vector each_lane(const unsigned char (&table)[16]) noexcept {
    return {_mm256_broadcastsi128_si256(load_lane(table))};
  }
  static vector load(const char* in) noexcept { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in))}; }
  static vector load_widened(const char* in) noexcept { return {_mm256_cvtepu8_epi16(load_lane(in))}; }
  static vector units_of(std::uint16_t unit) noexcept { return {_mm256_set1_epi16(static_cast<short>(unit))}; }
  vector halves_apart() const noexcept { return {_mm256_permute4x64_epi64(v, 0xD8)}; }
  void store(char* out) const noexcept { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), v); }
  void store_past_cache(char* out) const noexcept { _mm256_stream_si256(reinterpret_cast<__m256i*>(out), v); }

  std::uint64_t bits() const noexcept { return static_cast<std::uint32_t>(_mm256_movemask_epi8(v)); }
  bool any() const noexcept { return _mm256_testz_si256(v, v) == 0; }

  vector byte_sums() const noexcept { return {_mm256_sad_epu8(v, _mm256_setzero_si256())}; }
  std::size_t total() const noexcept {
    const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return static_cast<std::size_t>(_mm_cvtsi128_si64(halves) + _mm_extract_epi64(halves, 1));
  }

  template <int Bits>
  vector units_up() const noexcept {
    return {_mm256_slli_epi16(v, Bits)};
  }
  template <int Bits>
  vector units_down() const noexcept {
    return {_mm256_srli_epi16(v, Bits)};
  }
  vector swapped_units() const noexcept {
    return {_mm256_shuffle_epi8(
        v, _mm256_set_epi64x(0x0E0F0C0D0A0B0809, 0x0607040502030001, 0x0E0F0C0D0A0B0809, 0x0607040502030001))};
  }

  template <int Bits>
  vector values_up() const noexcept {
    return {_mm256_slli_epi32(v, Bits)};
  }
  template <int Bits>
  vector values_down() const noexcept {
    return {_mm256_srli_epi32(v, Bits)};
  }
  vector swapped_values() const noexcept {
    return {_mm256_shuffle_epi8(
        v, _mm256_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203, 0x0C0D0E0F08090A0B, 0x0405060700010203))};
  }

  template <int Bytes>
  vector moved_up() const noexcept {
    return {_mm256_alignr_epi8(v, _mm256_permute2x128_si256(v, v, 0x08), 16 - Bytes)};
  }

  vector shuffled(const shuffles& table, std::uint64_t patterns) const noexcept {
    const __m256i first_lane = _mm256_castsi128_si256(load_lane(table.entry[patterns & 0xFF]));
    return {
        _mm256_shuffle_epi8(v, _mm256_inserti128_si256(first_lane, load_lane(table.entry[patterns >> 16 & 0xFF]), 1))};
  }
  void store_lanes(char* out, std::size_t second) const noexcept {
    store_lane(out, _mm256_castsi256_si128(v));
    store_lane(out + second, _mm256_extracti128_si256(v, 1));
  }

  static __m128i load_lane(const void* in) noexcept { return _mm_loadu_si128(static_cast<const __m128i*>(in)); }
  static void store_lane(char* out, __m128i x) noexcept { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), x); }
};

vector operator&(vector a, vector b) noexcept { return {_mm256_and_si256(a.v, b.v)}; }
vector operator|(vector a, vector b) noexcept { return {_mm256_or_si256(a.v, b.v)}; }
vector operator^(vector a, vector b) noexcept { return {_mm256_xor_si256(a.v, b.v)}; }
vector and_not(vector a, vector b) noexcept { return {_mm256_andnot_si256(b.v, a.v)}; }
vector equal(vector a, vector b) noexcept { return {_mm256_cmpeq_epi8(a.v, b.v)}; }
vector greater(vector a, vector b) noexcept { return {_mm256_cmpgt_epi8(a.v, b.v)}; }
vector equal_units(vector a, vector b) noexcept { return {_mm256_cmpeq_epi16(a.v, b.v)}; }
vector equal_values(vector a, vector b) noexcept { return {_mm256_cmpeq_epi32(a.v, b.v)}; }
vector choose(vector which, vector a, vector b) noexcept { return {_mm256_blendv_epi8(b.v, a.v, which.v)}; }
void end_of_stores() noexcept { _mm_sfence(); }
std::uint64_t narrowed_bits(vector a, vector b) noexcept { return vector{_mm256_packs_epi16(a.v, b.v)}.bits(); }
vector plus(vector a, vector b) noexcept { return {_mm256_add_epi8(a.v, b.v)}; }
vector minus(vector a, vector b) noexcept { return {_mm256_sub_epi8(a.v, b.v)}; }
vector minimum(vector a, vector b) noexcept { return {_mm256_min_epu8(a.v, b.v)}; }
vector maximum(vector a, vector b) noexcept { return {_mm256_max_epu8(a.v, b.v)}; }
vector maximum_values(vector a, vector b) noexcept { return {_mm256_max_epu32(a.v, b.v)}; }
vector plus_units(vector a, vector b) noexcept { return {_mm256_add_epi16(a.v, b.v)}; }
vector plus_wide(vector a, vector b) noexcept { return {_mm256_add_epi64(a.v, b.v)}; }
vector minus_to_0(vector a, vector b) noexcept { return {_mm256_subs_epu8(a.v, b.v)}; }
vector lookup(vector table, vector nibbles) noexcept { return {_mm256_shuffle_epi8(table.v, nibbles.v)}; }
vector pack(vector a, vector b) noexcept { return {_mm256_permute4x64_epi64(_mm256_packus_epi16(a.v, b.v), 0xD8)}; }
vector narrow(vector a, vector b) noexcept { return {_mm256_permute4x64_epi64(_mm256_packus_epi32(a.v, b.v), 0xD8)}; }
vector interleave_low_bytes(vector a, vector b) noexcept { return {_mm256_unpacklo_epi8(a.v, b.v)}; }
vector interleave_high_bytes(vector a, vector b) noexcept { return {_mm256_unpackhi_epi8(a.v, b.v)}; }
vector interleave_low_units(vector a, vector b) noexcept { return {_mm256_unpacklo_epi16(a.v, b.v)}; }
vector interleave_high_units(vector a, vector b) noexcept { return {_mm256_unpackhi_epi16(a.v, b.v)}; }
template <class At>
void store_halves(vector a, vector b, char* out, const At& at) noexcept {
  vector::store_lane(out, _mm256_castsi256_si128(a.v));
  vector::store_lane(out + at(1), _mm256_castsi256_si128(b.v));
  vector::store_lane(out + at(2), _mm256_extracti128_si256(a.v, 1));
  vector::store_lane(out + at(3), _mm256_extracti128_si256(b.v, 1));
}

}  // namespace
}  // namespace utfilter::detail

#  include "kernels/vector_kernels.inc"
#  include "kernels/vector_table.inc"

namespace utfilter::detail {

const kernel_table avx2_kernels = vector_table<clear_upper>("avx2");

}  // namespace utfilter::detail

#  ifdef __clang__
#    pragma clang attribute pop
#  else
#    pragma GCC pop_options
#  endif

#endif
