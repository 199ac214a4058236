// utf8_automaton.hpp: Unicode table 3-7 as an automaton, which takes UTF-8 byte by byte without a branch.
#ifndef UTFILTER_UNICODE_UTF8_AUTOMATON_HPP
#define UTFILTER_UNICODE_UTF8_AUTOMATON_HPP

#include <cstdint>

namespace utfilter::detail::utf8_automaton {

/// The states between two bytes. Each byte leads from `ill_formed` to `ill_formed`.
enum state : unsigned { between, one_more, two_more, three_more, after_e0, after_ed, after_f0, after_f4, ill_formed };
inline constexpr unsigned states = ill_formed + 1;

constexpr bool is_in(unsigned byte, unsigned first, unsigned last) noexcept { return first <= byte && byte <= last; }

constexpr state state_after_lead(unsigned byte) noexcept {
  return byte < 0x80               ? between
         : byte == 0xE0            ? after_e0
         : byte == 0xED            ? after_ed
         : byte == 0xF0            ? after_f0
         : byte == 0xF4            ? after_f4
         : is_in(byte, 0xC2, 0xDF) ? one_more
         : is_in(byte, 0xE1, 0xEF) ? two_more
         : is_in(byte, 0xF1, 0xF3) ? three_more
                                   : ill_formed;
}
constexpr state state_after(state before, unsigned byte) noexcept {
  const auto if_in = [&](unsigned first, unsigned last, state after) noexcept {
    return is_in(byte, first, last) ? after : ill_formed;
  };
  switch (before) {
    case between: return state_after_lead(byte);
    case one_more: return if_in(0x80, 0xBF, between);
    case two_more: return if_in(0x80, 0xBF, one_more);
    case three_more: return if_in(0x80, 0xBF, two_more);
    case after_e0: return if_in(0xA0, 0xBF, one_more);
    case after_ed: return if_in(0x80, 0x9F, one_more);
    case after_f0: return if_in(0x90, 0xBF, two_more);
    case after_f4: return if_in(0x80, 0x8F, two_more);
    case ill_formed: break;
  }
  return ill_formed;
}

/// The automaton as one number for each byte: six bits for each state. The bits at the place 6 * s are 6 * t if the
/// byte leads from the state s to t. So a step is a shift to the right, by the lowest six bits of the last result.
struct automaton {
  std::uint64_t after[256] = {};

  constexpr automaton() noexcept {
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned s = 0; s < states; ++s)
        after[byte] |= std::uint64_t{6 * state_after(static_cast<state>(s), byte)} << 6 * s;
  }
};
inline constexpr automaton steps;

/// A state is the lowest six bits of a number.
inline constexpr std::uint64_t start = 6 * between;
constexpr std::uint64_t step(std::uint64_t s, unsigned byte) noexcept { return steps.after[byte] >> (s & 63); }
constexpr bool is_at(std::uint64_t s, state which) noexcept { return (s & 63) == 6 * which; }

}  // namespace utfilter::detail::utf8_automaton

#endif
