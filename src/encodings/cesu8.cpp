// cesu8.cpp: CESU-8 (Unicode Technical Report 26): each UTF-16 code unit is written as UTF-8 would write a code point
// with the same value.
#include "encodings/encoding_scheme.hpp"
#include "kernels/reference.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf8.hpp"

namespace utfilter::detail {
namespace {

/// Sequences of one to three bytes are decoded as in UTF-8, except that encoded surrogates are code units: two of them
/// can be a pair. An unpaired surrogate is one error of three bytes. If the input ends after a high surrogate, or
/// inside the low surrogate after it, the error has all these bytes.
sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (in[0] >= 0xF0 && in[0] <= 0xF4) return sequence::ill_formed(errc::forbidden_length, 1);
  if (in[0] != 0xED) return decode_utf8(in, size, last);

  if (size < 2) return sequence::incomplete(last, 1);
  if (!is_continuation(in[1])) return sequence::ill_formed(errc::truncated_sequence, 1);
  if (size < 3) return sequence::incomplete(last, 2);
  if (!is_continuation(in[2])) return sequence::ill_formed(errc::truncated_sequence, 2);
  const char32_t unit = 0xD000 | (in[1] & 0x3Fu) << 6 | (in[2] & 0x3Fu);
  if (!is_surrogate(unit)) return sequence::scalar(unit, 3);
  if (is_low_surrogate(unit)) return sequence::ill_formed(errc::unpaired_low_surrogate, 3, unit);

  const sequence unpaired = sequence::ill_formed(errc::unpaired_high_surrogate, 3, unit);
  if (size < 4) return sequence::incomplete(last, 3, unit);
  if (in[3] != 0xED) return unpaired;
  if (size < 5) return sequence::incomplete(last, 4, unit);
  if (in[4] < 0xB0 || in[4] > 0xBF) return unpaired;
  if (size < 6) return sequence::incomplete(last, 5, unit);
  if (!is_continuation(in[5])) return unpaired;
  return sequence::scalar(from_pair(unit, 0xD000 | (in[4] & 0x3Fu) << 6 | (in[5] & 0x3Fu)), 6);
}

std::size_t encode(char32_t c, char* out) noexcept {
  if (c < 0x10000) return encode_utf8(c, out);
  // encode_utf8 writes a surrogate as three bytes, like any other code point from U+0800 to U+FFFF.
  return encode_utf8(high_surrogate(c), out) + encode_utf8(low_surrogate(c), out + 3);
}

constexpr encoding_scheme row() noexcept {
  encoding_scheme row = scheme_named(encoding::cesu8, "CESU-8 cesu8 cscesu8 cscesu-8");
  row.longest = 6;
  row.decode = decode;
  row.encode = encode;
  row.to_utf8 = convert<decode, encode_utf8>;
  row.from_utf8 = convert<decode_utf8, encode>;
  row.last_line = last_line<decode, 1>;
  return row;
}

}  // namespace

const encoding_scheme cesu8_scheme = complete<row>();

}  // namespace utfilter::detail
