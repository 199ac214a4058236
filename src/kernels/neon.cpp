// neon.cpp: the kernel table for little-endian AArch64. All these processors have NEON, so this file needs no region of
// an instruction set.
#if defined(__AARCH64EL__) && defined(__ARM_NEON)

#  include "kernels/before_region.hpp"

#  include <arm_neon.h>

namespace utfilter::detail {
namespace {

std::size_t count(std::uint64_t m) noexcept { return static_cast<std::size_t>(__builtin_popcountll(m)); }
std::size_t first(std::uint64_t m) noexcept { return static_cast<std::size_t>(__builtin_ctzll(m)); }
std::size_t last_of(std::uint64_t m) noexcept { return 63 - static_cast<std::size_t>(__builtin_clzll(m)); }

const std::uint8_t* bytes(const char* in) noexcept { return reinterpret_cast<const std::uint8_t*>(in); }

int8x16_t as_signed(uint8x16_t v) noexcept { return vreinterpretq_s8_u8(v); }
uint16x8_t as_units(uint8x16_t v) noexcept { return vreinterpretq_u16_u8(v); }
uint32x4_t as_values(uint8x16_t v) noexcept { return vreinterpretq_u32_u8(v); }
uint64x2_t as_wide(uint8x16_t v) noexcept { return vreinterpretq_u64_u8(v); }

/// See vector_contract.hpp.
struct vector {
  static constexpr std::size_t size = 16;
  static constexpr std::uint64_t one_byte_of_lanes = 0x00FF;

  uint8x16_t v;

  static vector of_units(uint16x8_t x) noexcept { return {vreinterpretq_u8_u16(x)}; }
  static vector of_values(uint32x4_t x) noexcept { return {vreinterpretq_u8_u32(x)}; }
  static vector of_wide(uint64x2_t x) noexcept { return {vreinterpretq_u8_u64(x)}; }

  [[gnu::always_inline]] static vector zero() noexcept { return {vdupq_n_u8(0)}; }
  template <std::uint64_t Bits>
  [[gnu::always_inline]] static vector repeated() noexcept {
    return of_wide(vdupq_n_u64(Bits));
  }
  [[gnu::always_inline]] static vector each_lane(const unsigned char (&table)[16]) noexcept {
    return {vld1q_u8(table)};
  }
  static vector load(const char* in) noexcept { return {vld1q_u8(bytes(in))}; }
  static vector load_widened(const char* in) noexcept { return of_units(vmovl_u8(vld1_u8(bytes(in)))); }
  static vector units_of(std::uint16_t unit) noexcept { return of_units(vdupq_n_u16(unit)); }
  vector halves_apart() const noexcept { return *this; }
  void store(char* out) const noexcept { vst1q_u8(reinterpret_cast<std::uint8_t*>(out), v); }
  void store_past_cache(char* out) const noexcept { store(out); }

  /// Gives each byte of a half the bit of its place, then adds up the bytes of each half in three steps of pairs.
  std::uint64_t bits() const noexcept {
    const uint8x16_t marked =
        vandq_u8(vreinterpretq_u8_s8(vshrq_n_s8(as_signed(v), 7)), repeated<0x8040201008040201>().v);
    const uint8x16_t pairs = vpaddq_u8(marked, marked), fours = vpaddq_u8(pairs, pairs),
                     eights = vpaddq_u8(fours, fours);
    return vgetq_lane_u16(as_units(eights), 0);
  }
  bool any() const noexcept { return vmaxvq_u32(as_values(v)) != 0; }

  vector byte_sums() const noexcept { return of_wide(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(v)))); }
  std::size_t total() const noexcept { return vaddvq_u64(as_wide(v)); }

  template <int Bits>
  vector units_up() const noexcept {
    return of_units(vshlq_n_u16(as_units(v), Bits));
  }
  template <int Bits>
  vector units_down() const noexcept {
    return of_units(vshrq_n_u16(as_units(v), Bits));
  }
  vector swapped_units() const noexcept { return {vrev16q_u8(v)}; }

  template <int Bits>
  vector values_up() const noexcept {
    return of_values(vshlq_n_u32(as_values(v), Bits));
  }
  template <int Bits>
  vector values_down() const noexcept {
    return of_values(vshrq_n_u32(as_values(v), Bits));
  }
  vector swapped_values() const noexcept { return {vrev32q_u8(v)}; }

  template <int Bytes>
  vector moved_up() const noexcept {
    return {vextq_u8(zero().v, v, 16 - Bytes)};
  }

  vector shuffled(const shuffles& table, std::uint64_t patterns) const noexcept {
    return {vqtbl1q_u8(v, vld1q_u8(table.entry[patterns & 0xFF]))};
  }
  void store_lanes(char* out, std::size_t) const noexcept { store(out); }  // there is one lane only
};

vector operator&(vector a, vector b) noexcept { return {vandq_u8(a.v, b.v)}; }
vector operator|(vector a, vector b) noexcept { return {vorrq_u8(a.v, b.v)}; }
vector operator^(vector a, vector b) noexcept { return {veorq_u8(a.v, b.v)}; }
vector and_not(vector a, vector b) noexcept { return {vbicq_u8(a.v, b.v)}; }
vector equal(vector a, vector b) noexcept { return {vceqq_u8(a.v, b.v)}; }
vector greater(vector a, vector b) noexcept { return {vcgtq_s8(as_signed(a.v), as_signed(b.v))}; }
vector equal_units(vector a, vector b) noexcept { return vector::of_units(vceqq_u16(as_units(a.v), as_units(b.v))); }
vector equal_values(vector a, vector b) noexcept {
  return vector::of_values(vceqq_u32(as_values(a.v), as_values(b.v)));
}
vector choose(vector which, vector a, vector b) noexcept { return {vbslq_u8(which.v, a.v, b.v)}; }
void end_of_stores() noexcept {}
std::uint64_t narrowed_bits(vector a, vector b) noexcept { return vector{vuzp2q_u8(a.v, b.v)}.bits(); }
vector plus(vector a, vector b) noexcept { return {vaddq_u8(a.v, b.v)}; }
vector minus(vector a, vector b) noexcept { return {vsubq_u8(a.v, b.v)}; }
vector minimum(vector a, vector b) noexcept { return {vminq_u8(a.v, b.v)}; }
vector maximum(vector a, vector b) noexcept { return {vmaxq_u8(a.v, b.v)}; }
vector maximum_values(vector a, vector b) noexcept {
  return vector::of_values(vmaxq_u32(as_values(a.v), as_values(b.v)));
}
vector plus_units(vector a, vector b) noexcept { return vector::of_units(vaddq_u16(as_units(a.v), as_units(b.v))); }
vector plus_wide(vector a, vector b) noexcept { return vector::of_wide(vaddq_u64(as_wide(a.v), as_wide(b.v))); }
vector minus_to_0(vector a, vector b) noexcept { return {vqsubq_u8(a.v, b.v)}; }
vector lookup(vector table, vector nibbles) noexcept { return {vqtbl1q_u8(table.v, nibbles.v)}; }
vector pack(vector a, vector b) noexcept { return {vuzp1q_u8(a.v, b.v)}; }
vector narrow(vector a, vector b) noexcept { return vector::of_units(vuzp1q_u16(as_units(a.v), as_units(b.v))); }
vector interleave_low_bytes(vector a, vector b) noexcept { return {vzip1q_u8(a.v, b.v)}; }
vector interleave_high_bytes(vector a, vector b) noexcept { return {vzip2q_u8(a.v, b.v)}; }
vector interleave_low_units(vector a, vector b) noexcept {
  return vector::of_units(vzip1q_u16(as_units(a.v), as_units(b.v)));
}
vector interleave_high_units(vector a, vector b) noexcept {
  return vector::of_units(vzip2q_u16(as_units(a.v), as_units(b.v)));
}
template <class At>
void store_halves(vector a, vector b, char* out, const At& at) noexcept {
  a.store(out);
  b.store(out + at(1));
}

}  // namespace
}  // namespace utfilter::detail

#  include "kernels/vector_kernels.inc"
#  include "kernels/vector_table.inc"

namespace utfilter::detail {

const kernel_table neon_kernels = vector_table<as_it_is>("neon");

}  // namespace utfilter::detail

#endif
