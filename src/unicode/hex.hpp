// hex.hpp: writes bytes and code points in hexadecimal, for messages and escapes.
#ifndef UTFILTER_UNICODE_HEX_HPP
#define UTFILTER_UNICODE_HEX_HPP

#include <algorithm>

namespace utfilter::detail {

/// Writes the last `digits` hexadecimal digits of the value; returns the end of the output.
template <class Output>
Output write_hex(char32_t value, int digits, Output out) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) *out++ = "0123456789ABCDEF"[value >> shift & 0xF];
  return out;
}

/// The number of digits that a code point needs: at least four, as in U+00E9 and U+1F600.
constexpr int code_point_digits(char32_t c) noexcept { return c > 0xFFFFF ? 6 : c > 0xFFFF ? 5 : 4; }

/// Writes \xHH; returns the end of the output.
inline char* write_byte_escape(unsigned char byte, char* out) noexcept {
  return write_hex(byte, 2, std::copy_n("\\x", 2, out));
}

/// Writes \u{HHHH}, with four digits or more; returns the end of the output.
inline char* write_code_point_escape(char32_t c, char* out) noexcept {
  out = write_hex(c, code_point_digits(c), std::copy_n("\\u{", 3, out));
  *out++ = '}';
  return out;
}

}  // namespace utfilter::detail

#endif
