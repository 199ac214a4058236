// vector_contract.hpp: the operations that vector_kernels.inc needs of the type `vector` of an instruction set, and a
// check at compile time that they are all there.
//
// A vector has 16 or 32 bytes. Its lanes are its groups of 16 bytes: one or two. Unless its name says otherwise, an
// operation works on each byte. `units` in a name means code units of 16 bits, `values` means values of 32 bits, both
// little-endian (generic.cpp says how this is so on a big-endian processor). `up` is towards the higher bits or bytes,
// `down` towards the lower. All functions are noexcept.
//
// A mask is a std::uint64_t: its bit i stands for byte i of a vector.
//
//   members
//     size                          bytes of the vector: 16 or 32
//     one_byte_of_lanes             a mask: the bits of the first eight bytes of each lane
//     zero()                        a vector whose bits are all 0
//     repeated<Bits>()              a vector that repeats these 64 bits
//     each_lane(table)              a vector that has these 16 bytes in each lane
//     load(in), store(out)          reads or writes `size` bytes at any address
//     store_past_cache(out)         as store, but at a multiple of `size`; if the processor can, it writes to memory without
//                                   reading it first. Later stores may overtake it, unless end_of_stores() is between
//     load_widened(in)              reads size / 2 bytes, and makes each a unit of the same value
//     units_of(unit)                a vector of units of this value
//     halves_apart()                exchanges the second and the third eight bytes of a vector of 32, so that interleaving
//                                   low bytes or units takes its first half. A vector of 16 bytes stays as it is
//     bits()                        a mask: the highest bit of each byte
//     any()                         whether any bit of the vector is set
//     byte_sums()                   the sum of each group of eight bytes, as a number of 64 bits in their place
//     total()                       the sum of the vector's numbers of 64 bits
//     units_up<N>(), units_down<N>()    shifts each unit by N bits, and fills with 0; also values_up, values_down
//     swapped_units()               reverses the bytes of each unit; also swapped_values
//     moved_up<N>()                 moves each byte N places towards the end of the vector; the first N bytes become 0
//     shuffled(table, patterns)     shuffles the bytes of each lane by an entry of the table (shuffles.hpp): the first
//                                   lane by the entry of bits 0 to 7 of `patterns`, the second by that of bits 16 to 23
//     store_lanes(out, second)      writes the first lane to `out`, and the second, if there is one, to `out + second`
//
//   functions
//     & | ^, and_not(a, b)          bit by bit; and_not is `a` without the bits that are set in `b`
//     equal, greater                FF in each byte for which it is true, else 00; greater compares signed bytes; also
//                                   equal_units, equal_values
//     choose(which, a, b)           `a` where the bytes of `which` are FF, `b` where they are 00
//     narrowed_bits(a, b)           a mask of the highest bits of the units: for each lane of 16 bytes first the eight
//                                   units of that lane of `a`, then the eight of that lane of `b`
//     plus, minus, minimum, maximum unsigned; also plus_units, plus_wide (64 bits), maximum_values
//     minus_to_0(a, b)              `a` minus `b`, unsigned; 0 where that would be negative
//     lookup(table, nibbles)        replaces each byte (00 to 0F) by the byte of `table` at that index of the same lane
//                                   (a byte above 0F becomes any byte of `table`, or 0)
//     pack(a, b), narrow(a, b)      pack makes each unit a byte, narrow makes each value a unit: first those of `a`,
//                                   then those of `b`; the numbers must fit
//     interleave_low_bytes(a, b)    takes the first eight bytes of each lane of `a` and `b`: one byte of `a`, one of
//                                   `b`, and so on; interleave_high_bytes takes the last eight; also ..._units
//     store_halves(a, b, out, at)   writes the lanes in the order: first of `a`, first of `b`, second of `a`, second of
//                                   `b`; the first to `out`, the n-th after it to `out + at(n)`
//
//   end_of_stores()               other threads see what store_past_cache has written before they see any later store
//   count(m), first(m), last_of(m)  of a mask: the number of bits set, the place of the lowest one, of the highest one
#ifndef UTFILTER_KERNELS_VECTOR_CONTRACT_HPP
#define UTFILTER_KERNELS_VECTOR_CONTRACT_HPP

#include "kernels/shuffles.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace utfilter::detail::vector_contract {

using std::declval;

template <class Expected, class... Got>
using all_are = std::enable_if_t<(std::is_same_v<Expected, Got> && ...)>;

template <class V, class = void>
inline constexpr bool can_be_loaded_and_stored = false;
template <class V>
inline constexpr bool can_be_loaded_and_stored<
    V, std::void_t<all_are<V, decltype(V::zero()), decltype(V::template repeated<1>()),
                           decltype(V::load(declval<const char*>())),
                           decltype(V::each_lane(declval<const unsigned char (&)[16]>())),
                           decltype(V::load_widened(declval<const char*>())), decltype(V::units_of(std::uint16_t{}))>,
                   decltype(declval<const V&>().store(declval<char*>())),
                   decltype(declval<const V&>().store_past_cache(declval<char*>())),
                   decltype(declval<const V&>().store_lanes(declval<char*>(), std::size_t{})),
                   decltype(store_halves(declval<V>(), declval<V>(), declval<char*>(),
                                         declval<std::size_t (&)(std::size_t)>()))>> = true;

template <class V, class = void>
inline constexpr bool can_be_asked = false;
template <class V>
inline constexpr bool can_be_asked<V, std::void_t<all_are<std::uint64_t, decltype(declval<const V&>().bits()),
                                                          decltype(narrowed_bits(declval<V>(), declval<V>()))>,
                                                  all_are<bool, decltype(declval<const V&>().any())>,
                                                  all_are<std::size_t, decltype(declval<const V&>().total())>>> = true;

template <class V, class = void>
inline constexpr bool can_be_calculated_with = false;
template <class V>
inline constexpr bool can_be_calculated_with<
    V, std::void_t<all_are<
           V, decltype(declval<V>() & declval<V>()), decltype(declval<V>() | declval<V>()),
           decltype(declval<V>() ^ declval<V>()), decltype(and_not(declval<V>(), declval<V>())),
           decltype(plus(declval<V>(), declval<V>())), decltype(minus(declval<V>(), declval<V>())),
           decltype(minimum(declval<V>(), declval<V>())), decltype(maximum(declval<V>(), declval<V>())),
           decltype(minus_to_0(declval<V>(), declval<V>())), decltype(maximum_values(declval<V>(), declval<V>())),
           decltype(plus_units(declval<V>(), declval<V>())), decltype(plus_wide(declval<V>(), declval<V>())),
           decltype(declval<const V&>().byte_sums())>>> = true;

template <class V, class = void>
inline constexpr bool can_be_compared = false;
template <class V>
inline constexpr bool can_be_compared<
    V, std::void_t<all_are<
           V, decltype(equal(declval<V>(), declval<V>())), decltype(greater(declval<V>(), declval<V>())),
           decltype(equal_units(declval<V>(), declval<V>())), decltype(equal_values(declval<V>(), declval<V>())),
           decltype(choose(declval<V>(), declval<V>(), declval<V>()))>>> = true;

template <class V, class = void>
inline constexpr bool can_be_shifted_and_shuffled = false;
template <class V>
inline constexpr bool can_be_shifted_and_shuffled<
    V,
    std::void_t<all_are<
        V, decltype(declval<const V&>().template units_up<1>()), decltype(declval<const V&>().template units_down<1>()),
        decltype(declval<const V&>().template values_up<1>()), decltype(declval<const V&>().template values_down<1>()),
        decltype(declval<const V&>().swapped_units()), decltype(declval<const V&>().swapped_values()),
        decltype(declval<const V&>().halves_apart()), decltype(declval<const V&>().template moved_up<1>()),
        decltype(declval<const V&>().shuffled(declval<const shuffles&>(), std::uint64_t{})),
        decltype(lookup(declval<V>(), declval<V>())), decltype(pack(declval<V>(), declval<V>())),
        decltype(narrow(declval<V>(), declval<V>())), decltype(interleave_low_bytes(declval<V>(), declval<V>())),
        decltype(interleave_high_bytes(declval<V>(), declval<V>())),
        decltype(interleave_low_units(declval<V>(), declval<V>())),
        decltype(interleave_high_units(declval<V>(), declval<V>()))>>> = true;

/// Fails the build with a message if a part of the contract is missing.
template <class V>
constexpr bool is_kept() noexcept {
  static_assert(V::size == 16 || V::size == 32, "utfilter: a vector has 16 or 32 bytes (see vector_contract.hpp)");
  static_assert(V::one_byte_of_lanes == (V::size == 16 ? 0x00FF : 0x00FF00FF),
                "utfilter: one_byte_of_lanes marks the first eight of each sixteen bits (see vector_contract.hpp)");
  static_assert(can_be_loaded_and_stored<V>,
                "utfilter: a vector lacks a load, a store or a constant (see vector_contract.hpp)");
  static_assert(can_be_asked<V>,
                "utfilter: a vector lacks bits, any, total or narrowed_bits (see vector_contract.hpp)");
  static_assert(can_be_calculated_with<V>,
                "utfilter: a vector lacks an operation of bits or numbers (see vector_contract.hpp)");
  static_assert(can_be_compared<V>, "utfilter: a vector lacks a comparison or choose (see vector_contract.hpp)");
  static_assert(can_be_shifted_and_shuffled<V>,
                "utfilter: a vector lacks a shift, a shuffle or a pack (see vector_contract.hpp)");
  return true;
}

}  // namespace utfilter::detail::vector_contract

#endif
