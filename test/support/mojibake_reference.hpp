// mojibake_reference.hpp: which characters of right text look like mojibake. This file may include nothing of include/ or
// src/.
#ifndef UTFILTER_TEST_MOJIBAKE_REFERENCE_HPP
#define UTFILTER_TEST_MOJIBAKE_REFERENCE_HPP

#include <string>
#include <string_view>

namespace conformance::reference {

/// Whether characters that could stand for `value` are the last letter of a word and what follows it. `before` and `after`
/// are the characters around them, or 0; a character that belongs to other mojibake is 0 before them.
inline bool looks_right(char32_t before, std::u32string_view group, char32_t value, char32_t after,
                        bool after_may_begin_group) {
  constexpr std::u32string_view capitals = U"ABCDEFGHIJKLMNOPQRSTUVWXYZ", letters = U"abcdefghijklmnopqrstuvwxyz",
                                digits = U"0123456789",
                                marks = U"\u00A0\u00AB\u00BB\u2013\u2014\u2018\u2019\u201C\u201D\u2026\u2039\u203A";
  const auto is_in = [](std::u32string_view all, char32_t c) { return all.find(c) != all.npos; };
  if (group[0] == U'\u00C2' || group[0] == U'\u00C3' || value / 0x100 == 0x1E) return false;
  for (const char32_t mark : group.substr(1))
    if (!is_in(marks, mark)) return false;
  if (after_may_begin_group || is_in(capitals, after) || is_in(letters, after) || is_in(digits, after)) return false;
  if (before >= 0x80) return before != 0xFEFF && before != 0xFFFD;
  if (is_in(letters, before)) return group.size() > 2 || group[0] == U'\u00DF';
  return is_in(capitals, before);
}

}  // namespace conformance::reference

#endif
