// encoding_scheme.hpp: the facts of one encoding: a row, which ends the encoding's own file.
//
// A new encoding is that file, an enumerator in encoding.hpp, and a line in rows.inc. All else is derived from the row.
#ifndef UTFILTER_ENCODINGS_ENCODING_SCHEME_HPP
#define UTFILTER_ENCODINGS_ENCODING_SCHEME_HPP

#include "kernels/kernels.hpp"
#include "unicode/sequence.hpp"

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <string_view>

namespace utfilter::detail {

/// How one encoding writes text (Unicode D93: encoding scheme), or what a label such as UTF-16 announces.
///
/// decode and encode take one character. They decide about errors, carried bytes and the edges of buffers; the bulk
/// conversions are for the middle.
struct encoding_scheme {
  encoding value = encoding::detect;

  /// All names that are accepted, with a space between them: the preferred one as it is written, then the others in
  /// lower case.
  std::string_view names = {};
  /// U+FEFF in it (Unicode table 2-4); empty where a text does not begin with a signature.
  std::string_view signature = {};
  /// What a text without a signature is. It differs from `value` where the signature decides.
  encoding unmarked = encoding::detect;
  /// Bytes of a code unit: 1, 2 or 4.
  std::size_t code_unit = 1;
  /// Bytes of the longest character: 1 to 6.
  std::size_t longest = 0;

  /// The sequence at the start of `in` (size >= 1). With `last` no byte follows, and the answer is not `incomplete`. A
  /// longer input does not change an answer that was already given.
  sequence (*decode)(const unsigned char* in, std::size_t size, bool last) noexcept = nullptr;
  /// Writes one scalar value and returns its bytes, at most `longest`; 0 where the encoding lacks it.
  std::size_t (*encode)(char32_t, char* out) noexcept = nullptr;

  /// Bulk conversions, with the contract of kernels.hpp.
  convert_kernel to_utf8 = nullptr;
  convert_kernel from_utf8 = nullptr;
  last_line_kernel last_line = nullptr;
};

/// Sets what any encoding has that writes its text in one way, unlike UTF-16 and UTF-32 without a byte order.
constexpr encoding_scheme scheme_named(encoding value, std::string_view names) noexcept {
  encoding_scheme row;
  row.value = value;
  row.names = names;
  row.unmarked = value;
  return row;
}

/// The row that `Make()` fills, if it is complete.
template <encoding_scheme (*Make)() noexcept>
constexpr encoding_scheme complete() noexcept {
  constexpr encoding_scheme row = Make();
  static_assert(!row.names.empty(), "utfilter: the row of an encoding has no names");
  static_assert(row.code_unit == 1 || row.code_unit == 2 || row.code_unit == 4,
                "utfilter: a code unit has 1, 2 or 4 bytes");
  static_assert(row.longest >= row.code_unit && row.longest <= 6,
                "utfilter: the longest character has code_unit to 6 bytes");
  static_assert(row.decode != nullptr && row.encode != nullptr,
                "utfilter: the row of an encoding decodes or encodes nothing");
  static_assert(row.to_utf8 != nullptr && row.from_utf8 != nullptr && row.last_line != nullptr,
                "utfilter: the row of an encoding has no bulk conversion");
  return row;
}

/// The row of an encoding; null for detect, and for what is no enumerator.
const encoding_scheme* scheme_of(encoding) noexcept;

#define UTFILTER_ROW(name) extern const encoding_scheme name##_scheme;
#include "encodings/rows.inc"
#undef UTFILTER_ROW

}  // namespace utfilter::detail

#endif
