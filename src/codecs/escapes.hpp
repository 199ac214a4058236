// escapes.hpp: which characters the printable_options escape, and their escapes.
#ifndef UTFILTER_CODECS_ESCAPES_HPP
#define UTFILTER_CODECS_ESCAPES_HPP

#include "unicode/utf8.hpp"

#include <utfilter/characters.hpp>
#include <utfilter/printable_options.hpp>

#include <cstddef>

namespace utfilter::detail {

/// In bytes: `\uDB40\uDC41`.
inline constexpr std::size_t longest_escape = 12;

/// The same options, with all that the style escapes in any case. The functions below take such options.
constexpr printable_options complete(printable_options o) noexcept {
  if (o.style == escape_style::json) o.line_feed = o.tab = o.backslash = o.quote = true;
  return o;
}

/// Whether printable_options::invisible escapes the character.
inline bool is_invisible(char32_t c) noexcept {
  return contains(characters::invisible | characters::noncharacters | characters::private_use, c);
}

/// The characters with the property Bidi_Control (Unicode Character Database, PropList.txt).
constexpr bool is_bidi_control(char32_t c) noexcept {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// The C1 control characters, the separators of lines and paragraphs, and the characters that change the direction.
constexpr bool is_control_beyond_ascii(char32_t c) noexcept {
  return (c >= 0x80 && c <= 0x9F) || c == 0x2028 || c == 0x2029 || is_bidi_control(c);
}

/// Whether the options escape the character, if no line feed follows it.
inline bool is_escaped(char32_t c, const printable_options& o) noexcept {
  if (c >= 0x80) return is_control_beyond_ascii(c) || (o.invisible && is_invisible(c));
  switch (c) {
    case U'\n': return o.line_feed;
    case U'\t': return o.tab;
    case U'\\': return o.backslash;
    case U'"': return o.quote;
    default: return c < 0x20 || c == 0x7F;
  }
}

/// The size of a part at the start of the text whose bytes are all 20..7E and not escaped. It is the size of the text,
/// or of some pieces of it; what follows may be such bytes, too.
std::size_t plain_prefix(const char* in, std::size_t size, const printable_options&) noexcept;
/// The place of the first character of well-formed text that is escaped, or the size if there is none. A carriage return
/// at the end of the text counts as escaped.
std::size_t find_escaped(const char* in, std::size_t size, const printable_options&) noexcept;

/// Writes the escape of a character; returns the number of bytes, at most longest_escape.
std::size_t write_escape(char32_t c, escape_style, char* out) noexcept;

/// Does the same as decode_utf8, but takes CR LF as one sequence, a line feed, if line feeds pass. So a carriage return
/// at the end of the input is incomplete until the next byte is there.
inline sequence decode_for_escapes(const char* in, std::size_t size, bool last, const printable_options& o) noexcept {
  if (*in != '\r' || o.line_feed) return decode_utf8(reinterpret_cast<const unsigned char*>(in), size, last);
  if (size == 1 && !last) return sequence::incomplete(false, 1);
  return size > 1 && in[1] == '\n' ? sequence::scalar(U'\n', 2) : sequence::scalar(U'\r', 1);
}

}  // namespace utfilter::detail

#endif
