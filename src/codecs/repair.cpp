// repair.cpp: writes the bytes of an error as escapes, or as the characters that they are in windows-1252.
#include <utfilter/repair.hpp>

#include "encodings/encoding_scheme.hpp"
#include "unicode/hex.hpp"

#include <utfilter/utf8.hpp>

namespace utfilter {
namespace {

/// The number of bytes of the ill-formed subsequence that encode error.code_point: 0 if there is no code point, else
/// all. The exception is a high surrogate at the end of the input: a part of its low surrogate may follow it.
std::size_t bytes_of_code_point(const error_info& error) noexcept {
  if (error.code_point == 0) return 0;
  if (error.code != errc::incomplete_at_end) return error.size;
  // In CESU-8 the high surrogate begins with ED A0..AF. In UTF-16 one of its two bytes is D8..DB, so the two cannot be
  // confused.
  const bool cesu8 = error.bytes[0] == 0xED && (error.bytes[1] & 0xF0) == 0xA0;
  return cesu8 ? 3 : 2;
}

}  // namespace

std::size_t escape_error(const error_info& error, repair_buffer& out) noexcept {
  char* end = out.data();
  const std::size_t as_one_unit = bytes_of_code_point(error);
  if (as_one_unit != 0) end = detail::write_code_point_escape(error.code_point, end);
  for (std::size_t i = as_one_unit; i < error.size; ++i) end = detail::write_byte_escape(error.bytes[i], end);
  return static_cast<std::size_t>(end - out.data());
}

std::size_t windows1252_error(const error_info& error, repair_buffer& out) noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < error.size; ++i)
    n += encode_utf8(detail::windows1252_scheme.decode(&error.bytes[i], 1, true).value, out.data() + n);
  return n;
}

}  // namespace utfilter
