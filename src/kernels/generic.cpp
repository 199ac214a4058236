// generic.cpp: the kernel table for processors without a file of their own that have vectors of 16 bytes and shuffle
// them by 16 indices. It uses the compiler's vector types, which exist on every processor.
#include "kernels/kernels.hpp"

#ifdef UTFILTER_GENERIC_KERNELS

#  include "kernels/before_region.hpp"

#  ifdef __wasm_simd128__
#    include <wasm_simd128.h>
#  endif

#  ifdef __s390x__
#    pragma GCC push_options
#    pragma GCC target("arch=z13")
#  endif

namespace utfilter::detail {
namespace {

std::size_t count(std::uint64_t m) noexcept { return static_cast<std::size_t>(__builtin_popcountll(m)); }
std::size_t first(std::uint64_t m) noexcept { return static_cast<std::size_t>(__builtin_ctzll(m)); }
std::size_t last_of(std::uint64_t m) noexcept { return 63 - static_cast<std::size_t>(__builtin_clzll(m)); }

using byte_elements = std::uint8_t __attribute__((vector_size(16)));
using signed_elements = std::int8_t __attribute__((vector_size(16)));
using unit_elements = std::uint16_t __attribute__((vector_size(16)));
using value_elements = std::uint32_t __attribute__((vector_size(16)));
using wide_elements = std::uint64_t __attribute__((vector_size(16)));

// In vector_contract.hpp the byte at place i has lower bits of a number than the byte at place i + 1. On a big-endian
// processor it is the other way round. So there load() and store() reverse the vector: the byte at place i of the
// contract is the element 15 - i, which is i ^ 15.
#  if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
constexpr std::uint8_t mirror = 15;
#  else
constexpr std::uint8_t mirror = 0;
#  endif

/// A vector whose byte at place i is the one at the place At[i] of `a`, or at At[i] - 16 of `b`.
template <std::uint8_t... At>
byte_elements picked(byte_elements a, byte_elements b) noexcept {
  static_assert(sizeof...(At) == 16);
  constexpr std::uint8_t at[] = {At...};
#  define UTFILTER_PLACE(i) at[(i) ^ mirror] ^ mirror
#  define UTFILTER_PLACES \
    UTFILTER_PLACE(0), UTFILTER_PLACE(1), UTFILTER_PLACE(2), UTFILTER_PLACE(3), UTFILTER_PLACE(4), UTFILTER_PLACE(5), \
        UTFILTER_PLACE(6), UTFILTER_PLACE(7), UTFILTER_PLACE(8), UTFILTER_PLACE(9), UTFILTER_PLACE(10), \
        UTFILTER_PLACE(11), UTFILTER_PLACE(12), UTFILTER_PLACE(13), UTFILTER_PLACE(14), UTFILTER_PLACE(15)
#  ifdef __clang__
  return __builtin_shufflevector(a, b, UTFILTER_PLACES);
#  else
  return __builtin_shuffle(a, b, byte_elements{UTFILTER_PLACES});
#  endif
#  undef UTFILTER_PLACES
#  undef UTFILTER_PLACE
}

/// A vector whose byte at place i is the one at the place at[i] of `v`; all of `at` are below 16.
byte_elements picked_by(byte_elements v, byte_elements at) noexcept {
#  ifdef __wasm_simd128__
  return reinterpret_cast<byte_elements>(wasm_i8x16_swizzle(reinterpret_cast<v128_t>(v), reinterpret_cast<v128_t>(at)));
#  else
  return __builtin_shuffle(v, at ^ mirror);
#  endif
}

byte_elements in_places(byte_elements v) noexcept {
  return mirror == 0 ? v : picked<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(v, v);
}

/// See vector_contract.hpp.
struct vector {
  static constexpr std::size_t size = 16;
  static constexpr std::uint64_t one_byte_of_lanes = 0x00FF;

  byte_elements v;

  template <class Elements>
  static vector of(Elements x) noexcept {
    return {reinterpret_cast<byte_elements>(x)};
  }
  signed_elements as_signed() const noexcept { return reinterpret_cast<signed_elements>(v); }
  unit_elements as_units() const noexcept { return reinterpret_cast<unit_elements>(v); }
  value_elements as_values() const noexcept { return reinterpret_cast<value_elements>(v); }
  wide_elements as_wide() const noexcept { return reinterpret_cast<wide_elements>(v); }
  /// The first or the second eight bytes; the first of them is the lowest.
  template <unsigned N>
  std::uint64_t half() const noexcept {
    return as_wide()[mirror == 0 ? N : 1 - N];
  }

  static vector zero() noexcept { return {byte_elements{}}; }
  template <std::uint64_t Bits>
  static vector repeated() noexcept {
    return of(wide_elements{Bits, Bits});
  }
  static vector each_lane(const unsigned char (&table)[16]) noexcept { return load_bytes(table); }
  static vector load(const char* in) noexcept { return load_bytes(in); }
  static vector load_widened(const char* in) noexcept {
    std::uint64_t eight;
    std::memcpy(&eight, in, sizeof eight);
    const byte_elements x = in_places(of(wide_elements{eight, 0}).v);
    return {picked<0, 16, 1, 16, 2, 16, 3, 16, 4, 16, 5, 16, 6, 16, 7, 16>(x, byte_elements{})};
  }
  static vector units_of(std::uint16_t unit) noexcept { return of(unit_elements{} + unit); }
  vector halves_apart() const noexcept { return *this; }
  void store(char* out) const noexcept {
    const byte_elements x = in_places(v);
    std::memcpy(out, &x, sizeof x);
  }
  void store_past_cache(char* out) const noexcept { store(out); }

  std::uint64_t bits() const noexcept { return bits_of(half<0>()) | bits_of(half<1>()) << 8; }
  bool any() const noexcept { return (half<0>() | half<1>()) != 0; }

  vector byte_sums() const noexcept {
    constexpr std::uint64_t of_two = 0x00FF00FF00FF00FF, of_four = 0x0000FFFF0000FFFF, of_eight = 0x00000000FFFFFFFF;
    const wide_elements twos = (as_wide() & of_two) + (as_wide() >> 8 & of_two);
    const wide_elements fours = (twos & of_four) + (twos >> 16 & of_four);
    return of((fours & of_eight) + (fours >> 32));
  }
  std::size_t total() const noexcept { return static_cast<std::size_t>(half<0>() + half<1>()); }

  template <int Bits>
  vector units_up() const noexcept {
    return of(as_units() << Bits);
  }
  template <int Bits>
  vector units_down() const noexcept {
    return of(as_units() >> Bits);
  }
  vector swapped_units() const noexcept { return {picked<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(v, v)}; }

  template <int Bits>
  vector values_up() const noexcept {
    return of(as_values() << Bits);
  }
  template <int Bits>
  vector values_down() const noexcept {
    return of(as_values() >> Bits);
  }
  vector swapped_values() const noexcept {
    return {picked<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(v, v)};
  }

  template <int Bytes>
  vector moved_up() const noexcept {
    return {picked<16 - Bytes, 17 - Bytes, 18 - Bytes, 19 - Bytes, 20 - Bytes, 21 - Bytes, 22 - Bytes, 23 - Bytes,
                   24 - Bytes, 25 - Bytes, 26 - Bytes, 27 - Bytes, 28 - Bytes, 29 - Bytes, 30 - Bytes, 31 - Bytes>(
        byte_elements{}, v)};
  }

  vector shuffled(const shuffles& table, std::uint64_t patterns) const noexcept {
    return {picked_by(v, load_bytes(table.entry[patterns & 0xFF]).v)};
  }
  void store_lanes(char* out, std::size_t) const noexcept { store(out); }  // there is one lane only

 private:
  static vector load_bytes(const void* in) noexcept {
    byte_elements x;
    std::memcpy(&x, in, sizeof x);
    return {in_places(x)};
  }
  /// The highest bit of each byte. The product brings the bit of byte i, which is 1 << 8 * i, to the place 56 + i.
  static std::uint64_t bits_of(std::uint64_t eight) noexcept {
    return (eight >> 7 & 0x0101010101010101) * 0x0102040810204080 >> 56;
  }
};

vector operator&(vector a, vector b) noexcept { return {a.v & b.v}; }
vector operator|(vector a, vector b) noexcept { return {a.v | b.v}; }
vector operator^(vector a, vector b) noexcept { return {a.v ^ b.v}; }
vector and_not(vector a, vector b) noexcept { return {a.v & ~b.v}; }
vector equal(vector a, vector b) noexcept { return vector::of(a.v == b.v); }
vector greater(vector a, vector b) noexcept { return vector::of(a.as_signed() > b.as_signed()); }
vector equal_units(vector a, vector b) noexcept { return vector::of(a.as_units() == b.as_units()); }
vector equal_values(vector a, vector b) noexcept { return vector::of(a.as_values() == b.as_values()); }
vector choose(vector which, vector a, vector b) noexcept { return {(which.v & a.v) | (~which.v & b.v)}; }
void end_of_stores() noexcept {}
std::uint64_t narrowed_bits(vector a, vector b) noexcept {
  return vector{picked<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a.v, b.v)}.bits();
}
vector plus(vector a, vector b) noexcept { return {a.v + b.v}; }
vector minus(vector a, vector b) noexcept { return {a.v - b.v}; }
vector minimum(vector a, vector b) noexcept { return {a.v < b.v ? a.v : b.v}; }
vector maximum(vector a, vector b) noexcept { return {a.v > b.v ? a.v : b.v}; }
vector maximum_values(vector a, vector b) noexcept {
  return vector::of(a.as_values() > b.as_values() ? a.as_values() : b.as_values());
}
vector plus_units(vector a, vector b) noexcept { return vector::of(a.as_units() + b.as_units()); }
vector plus_wide(vector a, vector b) noexcept { return vector::of(a.as_wide() + b.as_wide()); }
vector minus_to_0(vector a, vector b) noexcept { return {maximum(a, b).v - b.v}; }
vector lookup(vector table, vector nibbles) noexcept { return {picked_by(table.v, nibbles.v)}; }
vector pack(vector a, vector b) noexcept {
  return {picked<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a.v, b.v)};
}
vector narrow(vector a, vector b) noexcept {
  return {picked<0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29>(a.v, b.v)};
}
vector interleave_low_bytes(vector a, vector b) noexcept {
  return {picked<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a.v, b.v)};
}
vector interleave_high_bytes(vector a, vector b) noexcept {
  return {picked<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a.v, b.v)};
}
vector interleave_low_units(vector a, vector b) noexcept {
  return {picked<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>(a.v, b.v)};
}
vector interleave_high_units(vector a, vector b) noexcept {
  return {picked<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>(a.v, b.v)};
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

const kernel_table generic_kernels = vector_table<as_it_is>("generic");

}  // namespace utfilter::detail

#  ifdef __s390x__
#    pragma GCC pop_options
#  endif

#endif
