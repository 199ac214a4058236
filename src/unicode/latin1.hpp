// latin1.hpp: decodes and encodes one byte of ISO-8859-1. Its value is the code point.
#ifndef UTFILTER_UNICODE_LATIN1_HPP
#define UTFILTER_UNICODE_LATIN1_HPP

#include "unicode/byte_order.hpp"
#include "unicode/sequence.hpp"

namespace utfilter::detail {

constexpr sequence decode_latin1(const unsigned char* in, std::size_t, bool) noexcept {
  return sequence::scalar(in[0], 1);
}

constexpr std::size_t encode_latin1(char32_t c, char* out) noexcept {
  if (c > 0xFF) return 0;
  out[0] = to_char(c);
  return 1;
}

}  // namespace utfilter::detail

#endif
