// mojibake_line.hpp: finds out how a line of text was read wrong, and what it was before.
#ifndef UTFILTER_CODECS_MOJIBAKE_LINE_HPP
#define UTFILTER_CODECS_MOJIBAKE_LINE_HPP

#include "unicode/utf8.hpp"

#include <utfilter/detail/held_line.hpp>
#include <utfilter/encoding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

/// Characters of a line, and the bytes of the line with which they begin. The first two stand before the line's part that
/// can change.
struct line_text {
  static constexpr std::size_t context = 2, most = held_line::most + context;

  std::size_t size;
  std::array<char32_t, most> at;
  std::array<std::uint16_t, most + 1> from;  // the entry after the last is the size of the line

  line_text() noexcept {}  // leaves the characters without values: they are many

  void add(char32_t c, std::uint16_t begins) noexcept {
    at[size] = c;
    from[size++] = begins;
  }

  /// Whether a character is not the one of the line in its place. `line` has the bytes of the line.
  bool is_changed(std::size_t i, const char* line) const noexcept {
    const std::size_t bytes = from[i + 1] - from[i];
    const sequence was = first_character(line + from[i], bytes);
    return was.value != at[i] || was.size != bytes;
  }
};

/// Undoes the mojibake of a line, whatever its encodings are: changes.hpp has the rules of undo_mojibake. Returns the
/// encoding in which the line was read last; detect if it has no mojibake. Complexity: linear in the size, times the square
/// of the number of encodings that fit.
encoding undo_mojibake_of(line_text&) noexcept;

/// Whether a character that was read wrong may begin with the first two characters of well-formed text, in one of the
/// encodings that are tried. `before` is the text before them.
bool may_begin_mojibake(std::string_view before, std::string_view text) noexcept;

/// The bytes of well-formed text before the first character that may be part of mojibake, or end it; the size if there is
/// none. Most text needs no further look. Complexity: linear.
std::size_t before_mojibake(const char* in, std::size_t size) noexcept;

}  // namespace utfilter::detail

#endif
