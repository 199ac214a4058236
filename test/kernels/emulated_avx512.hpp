// emulated_avx512.hpp: the instructions of AVX-512 that avx512.cpp uses, as plain C++. So kernel_test tests those kernels
// on every x86-64 processor. The names are Intel's; the meanings are those of the Intel Intrinsics Guide. avx512.cpp
// includes this file in place of <immintrin.h>.
#ifndef UTFILTER_TEST_EMULATED_AVX512_HPP
#define UTFILTER_TEST_EMULATED_AVX512_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

// ------------------------------------------------------------------------------------------------------------ the types
namespace emulated {

/// A register of `Size` bytes.
template <std::size_t Size>
struct reg {
  unsigned char bytes[Size] = {};

  template <class T>
  T get(std::size_t i) const noexcept {
    T x;
    std::memcpy(&x, bytes + i * sizeof x, sizeof x);
    return x;
  }
  template <class T>
  void set(std::size_t i, T x) noexcept {
    std::memcpy(bytes + i * sizeof x, &x, sizeof x);
  }
};

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;

}  // namespace emulated

using __m512i = emulated::reg<64>;
using __m256i = emulated::reg<32>;
using __m128i = emulated::reg<16>;
using __mmask64 = emulated::u64;
using __mmask32 = emulated::u32;
using __mmask16 = emulated::u16;

// ------------------------------------------------------------------------------------------------ how they are calculated
namespace emulated {

/// A register of lanes T: lane i is of(i).
template <class T, std::size_t Size = 64, class Of>
reg<Size> made(Of of) noexcept {
  reg<Size> result;
  for (std::size_t i = 0; i < Size / sizeof(T); ++i) result.template set<T>(i, static_cast<T>(of(i)));
  return result;
}
/// The same for two registers, lane by lane.
template <class T, class Of>
__m512i lanes(const __m512i& a, const __m512i& b, Of of) noexcept {
  return made<T>([&](std::size_t i) { return of(a.get<T>(i), b.get<T>(i)); });
}
template <class T, class Of>
__m512i lanes(const __m512i& a, Of of) noexcept {
  return made<T>([&](std::size_t i) { return of(a.get<T>(i)); });
}
/// Lane by lane, `a` where the mask has a bit, `b` elsewhere.
template <class T>
__m512i choose(u64 k, const __m512i& a, const __m512i& b) noexcept {
  return made<T>([&](std::size_t i) { return (k >> i & 1) != 0 ? a.get<T>(i) : b.get<T>(i); });
}
/// A bit for each lane for which is(lane of a, lane of b) is true.
template <class T, class Is>
u64 mask_of(const __m512i& a, const __m512i& b, Is is) noexcept {
  u64 result = 0;
  for (std::size_t i = 0; i < 64 / sizeof(T); ++i) result |= u64{is(a.get<T>(i), b.get<T>(i))} << i;
  return result;
}
/// Interleaves, in each 16 bytes, the lower (half 0) or the upper (half 1) eight bytes of both.
template <class T>
__m512i unpacked(const __m512i& a, const __m512i& b, std::size_t half) noexcept {
  constexpr std::size_t n = 16 / sizeof(T);
  return made<T>([&](std::size_t i) {
    const std::size_t from = i / n * n + half * n / 2 + i % n / 2;
    return i % 2 == 0 ? a.get<T>(from) : b.get<T>(from);
  });
}
template <class T>
__m512i compressed(u64 k, const __m512i& a) noexcept {
  __m512i result;
  std::size_t n = 0;
  for (std::size_t i = 0; i < 64 / sizeof(T); ++i)
    if ((k >> i & 1) != 0) result.set<T>(n++, a.get<T>(i));
  return result;
}
template <class Register>
Register loaded(const void* in) noexcept {
  Register result;
  std::memcpy(result.bytes, in, sizeof result.bytes);
  return result;
}
template <class T>
void store_some(void* out, u64 k, const __m512i& a) noexcept {
  for (std::size_t i = 0; i < 64 / sizeof(T); ++i)
    if ((k >> i & 1) != 0) std::memcpy(static_cast<char*>(out) + i * sizeof(T), a.bytes + i * sizeof(T), sizeof(T));
}

}  // namespace emulated

// ------------------------------------------------------------------------------------------------------ the instructions
#define UTFILTER_LANES(name, T, formula) \
  inline __m512i name(const __m512i& x, const __m512i& y) noexcept { \
    using namespace emulated; \
    return lanes<T>(x, y, [](T a, T b) { return formula; }); \
  }
#define UTFILTER_SHIFT(name, T, formula) \
  inline __m512i name(const __m512i& x, unsigned n) noexcept { \
    using namespace emulated; \
    return lanes<T>(x, [n](T a) { return formula; }); \
  }
#define UTFILTER_MASK(name, Mask, T, formula) \
  inline Mask name(const __m512i& x, const __m512i& y) noexcept { \
    using namespace emulated; \
    return static_cast<Mask>(mask_of<T>(x, y, [](T a, T b) { return formula; })); \
  }

UTFILTER_LANES(_mm512_add_epi8, u8, a + b)
UTFILTER_LANES(_mm512_add_epi16, u16, a + b)
UTFILTER_LANES(_mm512_add_epi32, u32, a + b)
UTFILTER_LANES(_mm512_sub_epi8, u8, a - b)
UTFILTER_LANES(_mm512_sub_epi32, u32, a - b)
UTFILTER_LANES(_mm512_subs_epu8, u8, a < b ? 0 : a - b)
UTFILTER_LANES(_mm512_min_epu8, u8, a < b ? a : b)
UTFILTER_LANES(_mm512_and_si512, u64, a& b)
UTFILTER_LANES(_mm512_andnot_si512, u64, ~a& b)
UTFILTER_LANES(_mm512_or_si512, u64, a | b)
UTFILTER_SHIFT(_mm512_slli_epi16, u16, a << n)
UTFILTER_SHIFT(_mm512_srli_epi16, u16, a >> n)
UTFILTER_SHIFT(_mm512_slli_epi32, u32, a << n)
UTFILTER_SHIFT(_mm512_srli_epi32, u32, a >> n)
UTFILTER_MASK(_mm512_cmpeq_epi8_mask, __mmask64, u8, a == b)
UTFILTER_MASK(_mm512_cmpneq_epi8_mask, __mmask64, u8, a != b)
UTFILTER_MASK(_mm512_cmplt_epi8_mask, __mmask64, i8, a < b)
UTFILTER_MASK(_mm512_cmplt_epu8_mask, __mmask64, u8, a < b)
UTFILTER_MASK(_mm512_cmpge_epu8_mask, __mmask64, u8, a >= b)
UTFILTER_MASK(_mm512_test_epi8_mask, __mmask64, u8, (a & b) != 0)
UTFILTER_MASK(_mm512_testn_epi8_mask, __mmask64, u8, (a & b) == 0)
UTFILTER_MASK(_mm512_cmpeq_epi16_mask, __mmask32, u16, a == b)
UTFILTER_MASK(_mm512_test_epi16_mask, __mmask32, u16, (a & b) != 0)
UTFILTER_MASK(_mm512_cmpeq_epi32_mask, __mmask16, u32, a == b)
UTFILTER_MASK(_mm512_cmpge_epu32_mask, __mmask16, u32, a >= b)
UTFILTER_MASK(_mm512_cmpgt_epu32_mask, __mmask16, u32, a > b)
UTFILTER_MASK(_mm512_test_epi32_mask, __mmask16, u32, (a & b) != 0)
#undef UTFILTER_LANES
#undef UTFILTER_SHIFT
#undef UTFILTER_MASK

inline __mmask64 _mm512_movepi8_mask(const __m512i& a) noexcept {
  return emulated::mask_of<emulated::i8>(a, a, [](int x, int) { return x < 0; });
}

inline __m512i _mm512_setzero_si512() noexcept { return {}; }
inline __m512i _mm512_set1_epi8(char x) noexcept {
  return emulated::made<char>([&](std::size_t) { return x; });
}
inline __m512i _mm512_set1_epi16(short x) noexcept {
  return emulated::made<short>([&](std::size_t) { return x; });
}
inline __m512i _mm512_set1_epi64(long long x) noexcept {
  return emulated::made<long long>([&](std::size_t) { return x; });
}
inline __m512i _mm512_set4_epi32(int d, int c, int b, int a) noexcept {
  const int x[] = {a, b, c, d};
  return emulated::made<int>([&](std::size_t i) { return x[i % 4]; });
}
inline __m512i _mm512_set_epi64(long long h, long long g, long long f, long long e, long long d, long long c,
                                long long b, long long a) noexcept {
  const long long x[] = {a, b, c, d, e, f, g, h};
  return emulated::made<long long>([&](std::size_t i) { return x[i]; });
}

inline __m512i _mm512_load_si512(const void* in) noexcept { return emulated::loaded<__m512i>(in); }
inline __m512i _mm512_loadu_si512(const void* in) noexcept { return emulated::loaded<__m512i>(in); }
inline __m256i _mm256_loadu_si256(const void* in) noexcept { return emulated::loaded<__m256i>(in); }
inline __m512i _mm512_maskz_loadu_epi8(__mmask64 k, const void* in) noexcept {
  const auto* const from = static_cast<const unsigned char*>(in);
  return emulated::made<emulated::u8>([&](std::size_t i) { return (k >> i & 1) != 0 ? from[i] : 0; });
}
inline void _mm512_storeu_si512(void* out, const __m512i& a) noexcept { std::memcpy(out, a.bytes, 64); }
inline void _mm512_stream_si512(void* out, const __m512i& a) noexcept { std::memcpy(out, a.bytes, 64); }
inline void _mm256_storeu_si256(void* out, const __m256i& a) noexcept { std::memcpy(out, a.bytes, 32); }
inline void _mm_storeu_si128(void* out, const __m128i& a) noexcept { std::memcpy(out, a.bytes, 16); }
inline void _mm512_mask_storeu_epi8(void* out, __mmask64 k, const __m512i& a) noexcept {
  emulated::store_some<emulated::u8>(out, k, a);
}
inline void _mm512_mask_storeu_epi16(void* out, __mmask32 k, const __m512i& a) noexcept {
  emulated::store_some<emulated::u16>(out, k, a);
}

inline __m512i _mm512_maskz_mov_epi8(__mmask64 k, const __m512i& a) noexcept {
  return emulated::choose<emulated::u8>(k, a, {});
}
inline __m512i _mm512_maskz_mov_epi16(__mmask32 k, const __m512i& a) noexcept {
  return emulated::choose<emulated::u16>(k, a, {});
}
inline __m512i _mm512_mask_mov_epi8(const __m512i& b, __mmask64 k, const __m512i& a) noexcept {
  return emulated::choose<emulated::u8>(k, a, b);
}
inline __m512i _mm512_mask_mov_epi16(const __m512i& b, __mmask32 k, const __m512i& a) noexcept {
  return emulated::choose<emulated::u16>(k, a, b);
}
inline __m512i _mm512_mask_mov_epi32(const __m512i& b, __mmask16 k, const __m512i& a) noexcept {
  return emulated::choose<emulated::u32>(k, a, b);
}
inline __m512i _mm512_mask_blend_epi8(__mmask64 k, const __m512i& b, const __m512i& a) noexcept {
  return emulated::choose<emulated::u8>(k, a, b);
}
inline __m512i _mm512_mask_blend_epi16(__mmask32 k, const __m512i& b, const __m512i& a) noexcept {
  return emulated::choose<emulated::u16>(k, a, b);
}
inline __m512i _mm512_mask_blend_epi32(__mmask16 k, const __m512i& b, const __m512i& a) noexcept {
  return emulated::choose<emulated::u32>(k, a, b);
}
inline __m512i _mm512_mask_add_epi16(const __m512i& b, __mmask32 k, const __m512i& x, const __m512i& y) noexcept {
  return _mm512_mask_mov_epi16(b, k, _mm512_add_epi16(x, y));
}
inline __m512i _mm512_mask_sub_epi8(const __m512i& b, __mmask64 k, const __m512i& x, const __m512i& y) noexcept {
  return _mm512_mask_mov_epi8(b, k, _mm512_sub_epi8(x, y));
}
inline __m512i _mm512_mask_sub_epi32(const __m512i& b, __mmask16 k, const __m512i& x, const __m512i& y) noexcept {
  return _mm512_mask_mov_epi32(b, k, _mm512_sub_epi32(x, y));
}
inline __m512i _mm512_mask_slli_epi16(const __m512i& b, __mmask32 k, const __m512i& x, unsigned n) noexcept {
  return _mm512_mask_mov_epi16(b, k, _mm512_slli_epi16(x, n));
}
inline __mmask64 _mm512_mask_cmpge_epu8_mask(__mmask64 k, const __m512i& x, const __m512i& y) noexcept {
  return k & _mm512_cmpge_epu8_mask(x, y);
}
inline __mmask64 _mm512_mask_test_epi8_mask(__mmask64 k, const __m512i& x, const __m512i& y) noexcept {
  return k & _mm512_test_epi8_mask(x, y);
}
inline __mmask64 _mm512_mask_testn_epi8_mask(__mmask64 k, const __m512i& x, const __m512i& y) noexcept {
  return k & _mm512_testn_epi8_mask(x, y);
}

inline __m512i _mm512_ternarylogic_epi64(const __m512i& a, const __m512i& b, const __m512i& c,
                                         unsigned truth) noexcept {
  return emulated::made<emulated::u64>([&](std::size_t i) {
    const emulated::u64 x = a.get<emulated::u64>(i), y = b.get<emulated::u64>(i), z = c.get<emulated::u64>(i);
    emulated::u64 result = 0;
    for (unsigned row = 0; row < 8; ++row)
      if ((truth >> row & 1) != 0)
        result |= ((row & 4) != 0 ? x : ~x) & ((row & 2) != 0 ? y : ~y) & ((row & 1) != 0 ? z : ~z);
    return result;
  });
}
inline __m512i _mm512_shldi_epi16(const __m512i& a, const __m512i& b, unsigned n) noexcept {
  return emulated::lanes<emulated::u16>(a, b, [n](unsigned x, unsigned y) { return (x << 16 | y) << n >> 16; });
}
/// Byte by byte: the eight bits of the same 64 bits of `x` that begin at this bit.
inline __m512i _mm512_multishift_epi64_epi8(const __m512i& from, const __m512i& x) noexcept {
  return emulated::made<emulated::u8>([&](std::size_t i) {
    const auto bits = x.get<emulated::u64>(i / 8);
    const unsigned n = from.bytes[i] % 64;
    return n == 0 ? bits : bits >> n | bits << (64 - n);
  });
}
/// Byte by byte: the bit of the same 64 bits of `x` that this byte of `at` names.
inline __mmask64 _mm512_mask_bitshuffle_epi64_mask(__mmask64 k, const __m512i& x, const __m512i& at) noexcept {
  emulated::u64 result = 0;
  for (std::size_t i = 0; i < 64; ++i) result |= (x.get<emulated::u64>(i / 8) >> at.bytes[i] % 64 & 1) << i;
  return k & result;
}

inline __m512i _mm512_permutexvar_epi8(const __m512i& at, const __m512i& x) noexcept {
  return emulated::made<emulated::u8>([&](std::size_t i) { return x.bytes[at.bytes[i] % 64]; });
}
inline __m512i _mm512_maskz_permutexvar_epi8(__mmask64 k, const __m512i& at, const __m512i& x) noexcept {
  return _mm512_maskz_mov_epi8(k, _mm512_permutexvar_epi8(at, x));
}
inline __m512i _mm512_mask_permutexvar_epi8(const __m512i& b, __mmask64 k, const __m512i& at,
                                            const __m512i& x) noexcept {
  return _mm512_mask_mov_epi8(b, k, _mm512_permutexvar_epi8(at, x));
}
inline __m512i _mm512_permutex2var_epi8(const __m512i& x, const __m512i& at, const __m512i& y) noexcept {
  return emulated::made<emulated::u8>([&](std::size_t i) {
    const unsigned n = at.bytes[i] % 128;
    return n < 64 ? x.bytes[n] : y.bytes[n - 64];
  });
}
inline __m512i _mm512_permutexvar_epi16(const __m512i& at, const __m512i& x) noexcept {
  using emulated::u16;
  return emulated::made<u16>([&](std::size_t i) { return x.get<u16>(at.get<u16>(i) % 32); });
}
inline __m512i _mm512_permutexvar_epi64(const __m512i& at, const __m512i& x) noexcept {
  using emulated::u64;
  return emulated::made<u64>([&](std::size_t i) { return x.get<u64>(at.get<u64>(i) % 8); });
}
inline __m512i _mm512_shuffle_epi8(const __m512i& x, const __m512i& at) noexcept {
  return emulated::made<emulated::u8>(
      [&](std::size_t i) { return at.bytes[i] >= 0x80 ? 0 : x.bytes[i / 16 * 16 + at.bytes[i] % 16]; });
}
inline __m512i _mm512_unpacklo_epi8(const __m512i& a, const __m512i& b) noexcept {
  return emulated::unpacked<emulated::u8>(a, b, 0);
}
inline __m512i _mm512_unpackhi_epi8(const __m512i& a, const __m512i& b) noexcept {
  return emulated::unpacked<emulated::u8>(a, b, 1);
}
inline __m512i _mm512_unpacklo_epi16(const __m512i& a, const __m512i& b) noexcept {
  return emulated::unpacked<emulated::u16>(a, b, 0);
}
inline __m512i _mm512_unpackhi_epi16(const __m512i& a, const __m512i& b) noexcept {
  return emulated::unpacked<emulated::u16>(a, b, 1);
}
inline __m512i _mm512_maskz_compress_epi8(__mmask64 k, const __m512i& a) noexcept {
  return emulated::compressed<emulated::u8>(k, a);
}
inline __m512i _mm512_maskz_compress_epi32(__mmask16 k, const __m512i& a) noexcept {
  return emulated::compressed<emulated::u32>(k, a);
}
/// In each 16 bytes: the eight units of `a`, then those of `b`, each as the byte from 0 to 255 that is nearest.
inline __m512i _mm512_packus_epi16(const __m512i& a, const __m512i& b) noexcept {
  using emulated::i16;
  return emulated::made<emulated::u8>([&](std::size_t i) {
    const std::size_t from = i / 16 * 8 + i % 8;
    return std::clamp(i % 16 < 8 ? a.get<i16>(from) : b.get<i16>(from), i16{0}, i16{255});
  });
}

inline __m256i _mm512_castsi512_si256(const __m512i& a) noexcept { return emulated::loaded<__m256i>(a.bytes); }
inline __m512i _mm512_castsi256_si512(const __m256i& a) noexcept {
  __m512i result;
  std::memcpy(result.bytes, a.bytes, sizeof a.bytes);
  return result;
}
inline __m256i _mm512_extracti64x4_epi64(const __m512i& a, int half) noexcept {
  return emulated::loaded<__m256i>(a.bytes + 32 * half);
}
inline __m512i _mm512_inserti64x4(__m512i a, const __m256i& b, int half) noexcept {
  std::memcpy(a.bytes + 32 * half, b.bytes, sizeof b.bytes);
  return a;
}
inline __m256i _mm512_cvtepi16_epi8(const __m512i& a) noexcept {
  return emulated::made<emulated::u8, 32>([&](std::size_t i) { return a.get<emulated::u16>(i); });
}
inline __m128i _mm512_cvtepi32_epi8(const __m512i& a) noexcept {
  return emulated::made<emulated::u8, 16>([&](std::size_t i) { return a.get<emulated::u32>(i); });
}
inline __m512i _mm512_cvtepu8_epi16(const __m256i& a) noexcept {
  return emulated::made<emulated::u16>([&](std::size_t i) { return a.get<emulated::u8>(i); });
}
inline __m512i _mm512_cvtepu16_epi32(const __m256i& a) noexcept {
  return emulated::made<emulated::u32>([&](std::size_t i) { return a.get<emulated::u16>(i); });
}

// On general registers, and on masks.
inline __mmask64 _mm512_kunpackd(__mmask64 high, __mmask64 low) noexcept { return high << 32 | (low & 0xFFFFFFFF); }
inline unsigned char _kortestz_mask64_u8(__mmask64 a, __mmask64 b) noexcept { return (a | b) == 0; }
inline unsigned char _kortestc_mask64_u8(__mmask64 a, __mmask64 b) noexcept { return (a | b) == ~__mmask64{0}; }
inline long long _mm_popcnt_u64(emulated::u64 x) noexcept { return __builtin_popcountll(x); }
inline emulated::u64 _tzcnt_u64(emulated::u64 x) noexcept {
  return x == 0 ? 64u : static_cast<unsigned>(__builtin_ctzll(x));
}
inline emulated::u64 _lzcnt_u64(emulated::u64 x) noexcept {
  return x == 0 ? 64u : static_cast<unsigned>(__builtin_clzll(x));
}
inline emulated::u64 _bzhi_u64(emulated::u64 x, unsigned n) noexcept {
  return n % 256 < 64 ? x & ((emulated::u64{1} << n % 256) - 1) : x;
}
inline emulated::u64 _pdep_u64(emulated::u64 x, emulated::u64 k) noexcept {
  emulated::u64 result = 0;
  for (; k != 0; k &= k - 1, x >>= 1)
    if ((x & 1) != 0) result |= k & (0 - k);
  return result;
}
#define _mm_sfence() static_cast<void>(0)  // clang++ has a builtin function of this name
inline void _mm256_zeroupper() noexcept {}

#endif
