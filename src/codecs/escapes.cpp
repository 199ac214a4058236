// escapes.cpp: writes escapes.
#include "codecs/escapes.hpp"

#include "unicode/hex.hpp"
#include "unicode/surrogates.hpp"

#include <algorithm>

namespace utfilter::detail {
namespace {

char* write_json_escape(char32_t unit, char* out) noexcept { return write_hex(unit, 4, std::copy_n("\\u", 2, out)); }

}  // namespace

std::size_t write_escape(char32_t c, escape_style style, char* out) noexcept {
  char* end = out;
  if (c == U'\\' || c == U'"') {
    *end++ = '\\';
    *end++ = static_cast<char>(c);
  } else if (style == escape_style::json) {
    if (c > 0xFFFF) end = write_json_escape(high_surrogate(c), end);
    end = write_json_escape(c > 0xFFFF ? low_surrogate(c) : c, end);
  } else {
    end = c < 0x80 ? write_byte_escape(static_cast<unsigned char>(c), end) : write_code_point_escape(c, end);
  }
  return static_cast<std::size_t>(end - out);
}

}  // namespace utfilter::detail
