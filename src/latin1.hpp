// latin1.hpp: one byte of ISO-8859-1, decoded and encoded.
#ifndef UTFILTER_LATIN1_HPP
#define UTFILTER_LATIN1_HPP

#include "byte_order.hpp"
#include "forms.hpp"

namespace utfilter::detail {

constexpr sequence decode_latin1(const unsigned char* in, std::size_t, bool) noexcept { return sequence::scalar(in[0], 1); }

inline std::size_t encode_latin1(char32_t c, char* out) noexcept {
  if (c > 0xFF) return 0;
  out[0] = to_char(c);
  return 1;
}

}  // namespace utfilter::detail

#endif
