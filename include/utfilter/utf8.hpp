// utf8.hpp: encodes one character as UTF-8; the size of a sequence; two characters that have names.
// layer: unicode
#ifndef UTFILTER_UTF8_HPP
#define UTFILTER_UTF8_HPP

#include <utfilter/config.hpp>

#include <cstddef>
#include <string_view>

namespace utfilter {

namespace detail {
/// The byte order mark of a text, if the text begins with it; anywhere else a character.
inline constexpr char32_t bom_character = U'\uFEFF';
/// The same as UTF-8.
inline constexpr std::string_view utf8_bom = "\xEF\xBB\xBF";
/// U+FFFD as UTF-8.
inline constexpr char replacement_character[] = "\xEF\xBF\xBD";

/// The size in bytes of a well-formed sequence of UTF-8 by its lead byte (RFC 3629 section 3); 1 for a continuation
/// byte.
constexpr std::size_t length_by_lead(unsigned char lead) noexcept {
  return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}
}  // namespace detail

/// Writes a scalar value as UTF-8 (RFC 3629 section 3) and returns the number of bytes, 1 to 4. `out` must have room
/// for four bytes. Precondition: `c` is at most 10FFFF. It encodes a surrogate like any other value: the caller must
/// make sure that `c` is none. Complexity: constant. Throws nothing.
constexpr std::size_t encode_utf8(char32_t c, char* out) noexcept {
  const auto unit = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) {
    out[0] = unit(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = unit(0xC0 | c >> 6);
    out[1] = unit(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = unit(0xE0 | c >> 12);
    out[1] = unit(0x80 | (c >> 6 & 0x3F));
    out[2] = unit(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = unit(0xF0 | c >> 18);
  out[1] = unit(0x80 | (c >> 12 & 0x3F));
  out[2] = unit(0x80 | (c >> 6 & 0x3F));
  out[3] = unit(0x80 | (c & 0x3F));
  return 4;
}

}  // namespace utfilter

#endif
