// utf8_automaton.hpp: Unicode table 3-7 as an automaton, which takes UTF-8 byte by byte without a branch.
#ifndef UTFILTER_UNICODE_UTF8_AUTOMATON_HPP
#define UTFILTER_UNICODE_UTF8_AUTOMATON_HPP

#include "unicode/utf8_table.hpp"

#include <cstdint>

namespace utfilter::detail::utf8_automaton {

/// The number of rows of the table that allow only some second bytes.
constexpr unsigned count_narrow_rows() noexcept {
  unsigned n = 0;
  for (const utf8_row& row : table_3_7.rows) n += row.is_narrow();
  return n;
}

/// The states between two bytes: how many continuation bytes must follow; or that the second byte of a narrow row must
/// follow, one state for each such row, from `narrow` on. Each byte leads from `ill_formed` to `ill_formed`.
enum state : unsigned { between, one_more, two_more, three_more, narrow, ill_formed = narrow + count_narrow_rows() };
inline constexpr unsigned states = ill_formed + 1;

constexpr state state_after_lead(unsigned byte) noexcept {
  unsigned s = narrow;
  for (const utf8_row& row : table_3_7.rows) {
    if (row.first_lead <= byte && byte <= row.last_lead) return state(row.is_narrow() ? s : row.size - 1u);
    s += row.is_narrow();
  }
  return ill_formed;
}
constexpr state state_after(state before, unsigned byte) noexcept {
  if (before == between) return state_after_lead(byte);
  if (before < narrow) return is_continuation(static_cast<unsigned char>(byte)) ? state(before - 1) : ill_formed;
  unsigned s = narrow;
  for (const utf8_row& row : table_3_7.rows)
    if (row.is_narrow() && s++ == before && row.has_second(byte)) return state(row.size - 2u);
  return ill_formed;
}

/// The automaton as one number for each byte: six bits for each state. The bits at the place 6 * s are 6 * t if the
/// byte leads from the state s to t. So a step is a shift to the right, by the lowest six bits of the last result.
struct automaton {
  std::uint64_t after[256] = {};

  constexpr automaton() noexcept {
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned s = 0; s < states; ++s) after[byte] |= std::uint64_t{6 * state_after(state(s), byte)} << 6 * s;
  }
};
inline constexpr automaton steps;

/// A state is the lowest six bits of a number.
inline constexpr std::uint64_t start = 6 * between;
constexpr std::uint64_t step(std::uint64_t s, unsigned byte) noexcept { return steps.after[byte] >> (s & 63); }
constexpr bool is_at(std::uint64_t s, state which) noexcept { return (s & 63) == 6 * which; }

}  // namespace utfilter::detail::utf8_automaton

#endif
