// vector_contract.hpp: what vector_kernels.inc asks of the type `vector` of an instruction set, and the check that it
// has all of it.
//
// A vector is 16 or 32 bytes, seen as lanes of 16. An operation works on bytes; on code units of 16 bits or values of
// 32, where its name says so. All functions are noexcept.
//
//   members
//     size                          bytes: 16 or 32
//     one_byte_of_lanes             of a mask with a bit for each byte: the bits of the first half of each lane
//     zero()                        all bits are 0
//     repeated<Bits>()              the same 64 bits again and again
//     each_lane(table)              the same 16 bytes in each lane
//     load(in), store(out)          size bytes at any address
//     load_widened(in)              size / 2 bytes, each as a unit
//     bits()                        a mask: the sign bit of each byte, the first byte's lowest
//     any()                         whether a bit is set
//     byte_sums()                   the sum of each eight bytes, as 64 bits
//     total()                       the sum of these
//     units_up<N>(), units_down<N>()    shifts within units; also values_up, values_down
//     swapped_units()               the other byte order; also swapped_values
//     moved_up<N>()                 each byte N places towards the end; zeros come in at the start
//     shuffled(table, patterns)     each lane by an entry of the table: the low byte of its 16 bits of `patterns`
//     store_lanes(out, second)      the first lane at `out`, the second one, if there is one, at `out + second`
//
//   functions
//     & | ^, and_not(a, b)          and_not: `a` without the bits of `b`
//     equal, greater                all bits of a byte where it holds; greater is signed; also equal_units, equal_values
//     choose(which, a, b)           `a` where `which` is all ones, `b` where it is zero
//     narrowed_bits(a, b)           the sign of each unit: of each lane those of `a`, then those of `b`
//     plus, minus, minimum, maximum unsigned; also plus_units, plus_wide (64 bits), maximum_values
//     minus_to_0(a, b)              the difference, or 0 where it would be negative
//     lookup(table, nibbles)        each byte's entry of its lane of the table, by its low nibble; its high nibble is 0
//     pack(a, b), narrow(a, b)      units as bytes, values as units: in order, and they fit
//     interleave_low_bytes(a, b)    of each lane the first halves, a byte of each in turn; also high, also units
//     store_halves(a, b, out, at)   the lanes, of `a` and `b` in turn: the first at `out`, the n-th after it at `out + at(n)`
//
//   count(m), first(m), last_of(m)  of a mask: how many bits are set, and the place of the lowest and the highest one
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
inline constexpr bool
    can_be_loaded_and_stored<V, std::void_t<all_are<V, decltype(V::zero()), decltype(V::template repeated<1>()),
                                                    decltype(V::load(declval<const char*>())),
                                                    decltype(V::each_lane(declval<const unsigned char (&)[16]>())),
                                                    decltype(V::load_widened(declval<const char*>()))>,
                                            decltype(declval<const V&>().store(declval<char*>())),
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
        decltype(declval<const V&>().template moved_up<1>()),
        decltype(declval<const V&>().shuffled(declval<const shuffles&>(), std::uint64_t{})),
        decltype(lookup(declval<V>(), declval<V>())), decltype(pack(declval<V>(), declval<V>())),
        decltype(narrow(declval<V>(), declval<V>())), decltype(interleave_low_bytes(declval<V>(), declval<V>())),
        decltype(interleave_high_bytes(declval<V>(), declval<V>())),
        decltype(interleave_low_units(declval<V>(), declval<V>())),
        decltype(interleave_high_units(declval<V>(), declval<V>()))>>> = true;

/// Fails the build with a sentence where a part of the contract is missing.
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
