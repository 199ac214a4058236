// forms.hpp: an encoding form: how one encoding writes a scalar value, as the transcoder needs to know it.
//
// A form decodes and encodes single characters in scalar code, which is what decides about errors, carried bytes and the
// edges of buffers, and names the bulk conversions for the middle. A new encoding is one file that defines a form and
// one line in form_of.
#ifndef UTFILTER_FORMS_HPP
#define UTFILTER_FORMS_HPP

#include "kernels/kernels.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// What stands at the start of some bytes. Of 32-bit fields, since narrower ones are put together in memory, which stalls.
struct sequence {
  enum class kind : std::uint32_t { scalar, ill_formed, incomplete };

  char32_t      value;  // the scalar value; where ill-formed the lone surrogate, or 0
  errc          code;   // where ill-formed
  kind          what;
  std::uint32_t size;  // bytes; 0 where incomplete

  static constexpr sequence scalar(char32_t value, std::size_t size) noexcept {
    return {value, errc{}, kind::scalar, static_cast<std::uint32_t>(size)};
  }
  static constexpr sequence ill_formed(errc code, std::size_t size, char32_t value = 0) noexcept {
    return {value, code, kind::ill_formed, static_cast<std::uint32_t>(size)};
  }
  /// More bytes decide; at the end of the input, all `size` bytes are one error.
  static constexpr sequence incomplete(bool last, std::size_t size, char32_t value = 0) noexcept {
    return last ? ill_formed(errc::incomplete_at_end, size, value) : sequence{0, errc{}, kind::incomplete, 0};
  }
};

struct encoding_form {
  /// The sequence at the start of `in` (size >= 1). `last`: no byte follows, and the answer is not `incomplete`.
  /// A longer input does not change an answer that was already given.
  sequence (*decode)(const unsigned char* in, std::size_t size, bool last) noexcept;
  /// Writes one scalar value, at most six bytes; 0 where the encoding lacks it.
  std::size_t (*encode)(char32_t, char* out) noexcept;
  /// Bulk conversions, as kernels.hpp has them.
  convert_kernel   to_utf8;
  convert_kernel   from_utf8;
  last_line_kernel last_line;
};

extern const encoding_form utf8_form;
extern const encoding_form utf16le_form, utf16be_form;
extern const encoding_form utf32le_form, utf32be_form;
extern const encoding_form cesu8_form;
extern const encoding_form latin1_form, windows1252_form;
extern const encoding_form octet_form;  // any bytes, unchecked and uncounted

/// The form of an encoding; for utf16 and utf32 the big-endian one, for detect null.
const encoding_form* form_of(encoding) noexcept;

/// The code point of a byte of windows-1252.
char32_t windows1252_to_unicode(unsigned char) noexcept;

}  // namespace utfilter::detail

#endif
