// windows1252.cpp: the form of windows-1252, as the WHATWG Encoding Standard's index has it.
#include "../byte_order.hpp"
#include "../convert.hpp"
#include "../utf8.hpp"

#include <utfilter/codec.hpp>

namespace utfilter::detail {
namespace {

// 80..9F; every other byte is its own code point. The five bytes that Microsoft's table leaves open are C1 controls.
constexpr char32_t upper[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,  //
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,  //
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,  //
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

sequence decode(const unsigned char* in, std::size_t, bool) noexcept {
  return sequence::scalar(windows1252_to_unicode(in[0]), 1);
}

std::size_t encode(char32_t c, char* out) noexcept {
  if (c < 0x80 || (c >= 0xA0 && c <= 0xFF)) {
    out[0] = to_char(c);
    return 1;
  }
  for (unsigned i = 0; i < 32; ++i) {
    if (upper[i] == c) {
      out[0] = to_char(0x80 + i);
      return 1;
    }
  }
  return 0;
}

}  // namespace

char32_t windows1252_to_unicode(unsigned char byte) noexcept {
  return byte >= 0x80 && byte < 0xA0 ? upper[byte - 0x80] : byte;
}

const encoding_form windows1252_form = {decode, encode, convert<decode, encode_utf8>, convert<decode_utf8, encode>,
                                        last_line<decode, 1>};

}  // namespace utfilter::detail
