// utf8.hpp: decodes one UTF-8 sequence, for the kernels and the codecs. encode_utf8 is public: <utfilter/utf8.hpp>.
#ifndef UTFILTER_UNICODE_UTF8_HPP
#define UTFILTER_UNICODE_UTF8_HPP

#include "unicode/sequence.hpp"
#include "unicode/utf8_table.hpp"

#include <utfilter/utf8.hpp>

#include <cstddef>

namespace utfilter::detail {

/// By table_3_7, which src/encodings/utf8.cpp compares with it. The bytes of an error are a maximal subpart of an ill-formed subsequence (Unicode D93b).
constexpr sequence decode_utf8(const unsigned char* in, std::size_t size, bool last) noexcept {
  const unsigned char lead = in[0];
  if (lead < 0x80) return sequence::scalar(lead, 1);
  if (lead < 0xC0) return sequence::ill_formed(errc::unexpected_continuation, 1);
  if (lead < 0xC2) return sequence::ill_formed(errc::overlong, 1);
  if (lead >= 0xFE) return sequence::ill_formed(errc::unused_byte, 1);
  if (lead >= 0xF8) return sequence::ill_formed(errc::forbidden_length, 1);
  if (lead >= 0xF5) return sequence::ill_formed(errc::out_of_range, 1);

  if (size < 2) return sequence::incomplete(last, 1);
  const unsigned char second = in[1];
  if (!is_continuation(second)) return sequence::ill_formed(errc::truncated_sequence, 1);
  if (lead < 0xE0) return sequence::scalar((lead & 0x1Fu) << 6 | (second & 0x3Fu), 2);
  if (lead == 0xE0 && second < 0xA0) return sequence::ill_formed(errc::overlong, 1);
  if (lead == 0xED && second > 0x9F) return sequence::ill_formed(errc::surrogate, 1);
  if (lead == 0xF0 && second < 0x90) return sequence::ill_formed(errc::overlong, 1);
  if (lead == 0xF4 && second > 0x8F) return sequence::ill_formed(errc::out_of_range, 1);

  if (size < 3) return sequence::incomplete(last, 2);
  if (!is_continuation(in[2])) return sequence::ill_formed(errc::truncated_sequence, 2);
  if (lead < 0xF0) return sequence::scalar((lead & 0x0Fu) << 12 | (second & 0x3Fu) << 6 | (in[2] & 0x3Fu), 3);

  if (size < 4) return sequence::incomplete(last, 3);
  if (!is_continuation(in[3])) return sequence::ill_formed(errc::truncated_sequence, 3);
  return sequence::scalar((lead & 0x07u) << 18 | (second & 0x3Fu) << 12 | (in[2] & 0x3Fu) << 6 | (in[3] & 0x3Fu), 4);
}

/// The first character of well-formed text.
inline sequence first_character(const char* in, std::size_t size) noexcept {
  return decode_utf8(reinterpret_cast<const unsigned char*>(in), size, true);
}

}  // namespace utfilter::detail

#endif
