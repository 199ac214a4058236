// utf16.hpp: decodes and encodes one character of UTF-16 in a byte order.
#ifndef UTFILTER_UNICODE_UTF16_HPP
#define UTFILTER_UNICODE_UTF16_HPP

#include "unicode/byte_order.hpp"
#include "unicode/sequence.hpp"
#include "unicode/surrogates.hpp"

namespace utfilter::detail {

/// Unicode table 3-5. Each unpaired surrogate is one error of two bytes; the code unit after it is decoded by itself.
/// At the end of the input, a high surrogate and an odd byte after it are one error.
template <class Order>
constexpr sequence decode_utf16(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (size < 2) return sequence::incomplete(last, size);
  const char32_t unit = Order::load16(in);
  if (!is_surrogate(unit)) return sequence::scalar(unit, 2);
  if (is_low_surrogate(unit)) return sequence::ill_formed(errc::unpaired_low_surrogate, 2, unit);
  if (size < 4) return sequence::incomplete(last, size, unit);
  const char32_t low = Order::load16(in + 2);
  if (!is_low_surrogate(low)) return sequence::ill_formed(errc::unpaired_high_surrogate, 2, unit);
  return sequence::scalar(from_pair(unit, low), 4);
}

template <class Order>
constexpr std::size_t encode_utf16(char32_t c, char* out) noexcept {
  if (c < 0x10000) {
    Order::store16(c, out);
    return 2;
  }
  Order::store16(high_surrogate(c), out);
  Order::store16(low_surrogate(c), out + 2);
  return 4;
}

}  // namespace utfilter::detail

#endif
