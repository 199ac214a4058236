// encoding_scheme.hpp: the facts of one encoding. They are a row, at the end of the encoding's own file.
// CONTRIBUTING.md says how to add an encoding.
#ifndef UTFILTER_ENCODINGS_ENCODING_SCHEME_HPP
#define UTFILTER_ENCODINGS_ENCODING_SCHEME_HPP

#include "encodings/bom.hpp"
#include "kernels/kernels.hpp"
#include "unicode/sequence.hpp"

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

namespace utfilter::detail {

/// How one encoding writes text (Unicode D93: encoding scheme). UTF-16 and UTF-32 without a byte order have rows of
/// their own.
///
/// decode and encode convert one character. They decide about errors, carried bytes and the edges of buffers. The bulk
/// conversions are for the middle of a buffer.
struct encoding_scheme {
  encoding value = encoding::detect;

  /// All names that are accepted, separated by spaces: first the preferred name in its usual spelling, then the others
  /// in lower case.
  std::string_view names = {};
  /// U+FEFF in this encoding (Unicode table 2-4); empty if its texts do not begin with a byte order mark.
  std::string_view bom = {};
  /// The encoding of a text without a byte order mark. It differs from `value` if the byte order mark decides the byte
  /// order.
  encoding without_bom = encoding::detect;
  /// Bytes of a code unit: 1, 2 or 4.
  std::size_t code_unit = 1;
  /// Bytes of the longest character: 1 to 6.
  std::size_t longest = 0;

  /// The sequence at the start of `in` (size >= 1). If `last` is set, no byte follows, and the result is never
  /// `incomplete`. A result other than `incomplete` stays the same if more bytes follow.
  sequence (*decode)(const unsigned char* in, std::size_t size, bool last) noexcept = nullptr;
  /// Writes one scalar value and returns the number of its bytes, at most `longest`; 0 if the encoding lacks it.
  std::size_t (*encode)(char32_t, char* out) noexcept = nullptr;

  /// Bulk conversions, with the contract of kernels.hpp.
  convert_kernel to_utf8 = nullptr;
  convert_kernel from_utf8 = nullptr;
  /// Null if a line feed is one byte 0A, and if no other character has such a byte: then the UTF-8 that was made of a text
  /// tells its last line.
  last_line_kernel last_line = nullptr;
  /// The size of a text in this encoding, in bytes. The text is given in well-formed UTF-8, and the encoding must have
  /// all its characters.
  count_kernel source_size = nullptr;
  /// Whether a text may have another size than source_size tells, because a character has two sequences (source_size
  /// counts the shorter one), one sequence stands for two characters, or there are escape sequences.
  bool is_irregular = false;

  /// For an encoding with escape sequences (ISO/IEC 2022), which has a row for each state; null for other encodings.
  /// The bytes are sequences that this row's functions have decoded or written. Returns the row for the bytes after
  /// them.
  const encoding_scheme* (*after)(const char* bytes, std::size_t size) noexcept = nullptr;
  /// The escape sequence that must end a text in this state; empty if none must.
  std::string_view at_end = {};
};

/// A row with the fields that all encodings fill in the same way. (UTF-16 and UTF-32 without a byte order change some
/// of these fields again.)
constexpr encoding_scheme scheme_named(encoding value, std::string_view names) noexcept {
  encoding_scheme row;
  row.value = value;
  row.names = names;
  row.without_bom = value;
  return row;
}

/// Whether a row has this function: a constant that is not null. It compares types, because g++ with
/// -fsanitize=undefined finds no constant in the comparison of a function's address with null (GCC bug 71962).
template <auto Function>
inline constexpr bool is_given = !std::is_same_v<std::integral_constant<decltype(Function), Function>,
                                                 std::integral_constant<decltype(Function), nullptr>>;

/// The row that `Make()` returns. A row that lacks a field fails the build.
template <encoding_scheme (*Make)() noexcept>
constexpr encoding_scheme complete() noexcept {
  constexpr encoding_scheme row = Make();
  static_assert(!row.names.empty(), "utfilter: the row of an encoding has no names");
  static_assert(row.code_unit == 1 || row.code_unit == 2 || row.code_unit == 4,
                "utfilter: a code unit has 1, 2 or 4 bytes");
  static_assert(row.longest >= row.code_unit && row.longest <= 6,
                "utfilter: the longest character has code_unit to 6 bytes");
  static_assert(row.bom.size() <= longest_bom, "utfilter: the byte order mark is longer than longest_bom");
  static_assert(row.bom.empty() || static_cast<unsigned>(row.value) < std::numeric_limits<encoding_set>::digits,
                "utfilter: encoding_set has no bit for the encoding");
  static_assert(is_given<row.decode> && is_given<row.encode>,
                "utfilter: the row of an encoding lacks decode or encode");
  static_assert(is_given<row.to_utf8> && is_given<row.from_utf8>,
                "utfilter: the row of an encoding lacks to_utf8 or from_utf8");
  static_assert(is_given<row.source_size>, "utfilter: the row of an encoding lacks source_size");
  static_assert(is_given<row.last_line> == (row.value == encoding::utf8 || row.code_unit != 1),
                "utfilter: last_line is for UTF-8, and for code units that are not bytes");
  // The functions of unicode.cpp rely on these two.
  static_assert(is_unicode(row.value) || (row.bom.empty() && row.without_bom == row.value && row.code_unit == 1),
                "utfilter: only UTF-8, UTF-16 and UTF-32 have byte order marks, or code units that are not bytes");
  static_assert(is_given<row.after> == has_states(row.value), "utfilter: only ISO-2022-JP has states");
  return row;
}

/// The row of an encoding; null for encoding::detect, encoding::guess and values without an enumerator.
/// A program that calls it has the rows and tables of all encodings: 400 KB. Only what must find any encoding calls it.
const encoding_scheme* scheme_of(encoding) noexcept;
/// The same among UTF-8, UTF-16 and UTF-32; null for all others.
const encoding_scheme* unicode_scheme_of(encoding) noexcept;

/// Whether the text, or its user, is still to name the encoding.
constexpr bool is_undecided(encoding e) noexcept { return e == encoding::detect || e == encoding::guess; }

/// A sentence for an encoding that this library lacks; null for one that it has, and for detect and guess.
const char* why_missing(encoding) noexcept;

/// Why the list cannot be params::candidates, as a sentence for people; null if it can. Linear.
const char* why_no_candidates(const encoding_list&) noexcept;

/// The rows of UTF-8, UTF-16 and UTF-32, in the order of the enumerators.
inline constexpr std::size_t unicode_encodings = 7;
extern const encoding_scheme* const unicode_rows[unicode_encodings];

#define UTFILTER_ROW(name) extern const encoding_scheme name##_scheme;
#include "encodings/rows.inc"
#undef UTFILTER_ROW

}  // namespace utfilter::detail

#endif
