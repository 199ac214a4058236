// utf32.hpp: decodes and encodes one UTF-32 code unit in a byte order.
#ifndef UTFILTER_UNICODE_UTF32_HPP
#define UTFILTER_UNICODE_UTF32_HPP

#include "unicode/byte_order.hpp"
#include "unicode/sequence.hpp"
#include "unicode/surrogates.hpp"

namespace utfilter::detail {

/// Unicode D90. Each ill-formed code unit is one error of four bytes.
template <class Order>
constexpr sequence decode_utf32(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (size < 4) return sequence::incomplete(last, size);
  const char32_t unit = Order::load32(in);
  if (unit > 0x10FFFF) return sequence::ill_formed(errc::out_of_range, 4);
  if (is_surrogate(unit)) return sequence::ill_formed(errc::surrogate, 4, unit);
  return sequence::scalar(unit, 4);
}

template <class Order>
constexpr std::size_t encode_utf32(char32_t c, char* out) noexcept {
  Order::store32(c, out);
  return 4;
}

}  // namespace utfilter::detail

#endif
