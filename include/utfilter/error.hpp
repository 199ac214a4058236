// error.hpp: the kinds of error in encoded text, a place in a text, and the description of one error.
// layer: unicode
#ifndef UTFILTER_ERROR_HPP
#define UTFILTER_ERROR_HPP

#include <utfilter/config.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace utfilter {

/// The kinds of error. In UTF-8 one error covers one maximal subpart of an ill-formed subsequence (Unicode D93b).
enum class errc {
  unexpected_continuation = 1,  ///< 80..BF at the start of a sequence.
  truncated_sequence,           ///< A sequence cut short by a byte that cannot continue it.
  overlong,                     ///< C0, C1; E0 before 80..9F; F0 before 80..8F.
  surrogate,                    ///< ED before A0..BF; a UTF-32 code unit D800..DFFF.
  out_of_range,                 ///< F4 before 90..BF; F5..F7; a UTF-32 code unit above 10FFFF.
  forbidden_length,  ///< F8..FD, the five- and six-byte forms of RFC 2044, RFC 2279; in CESU-8 and MUTF-8 F0..F4 too.
  unused_byte,       ///< FE, FF; in modified UTF-8 00.
  unpaired_high_surrogate,  ///< D800..DBFF without a low surrogate after it.
  unpaired_low_surrogate,   ///< DC00..DFFF without a high surrogate before it.
  incomplete_at_end,        ///< The input ended inside a sequence, a code unit or a surrogate pair.
  missing_bom,              ///< Under bom::require: the input does not begin with a byte order mark.
  unexpected_bom,           ///< Under bom::reject: the input begins with a byte order mark.
  unmappable,               ///< A well-formed character that the target encoding cannot hold.
  unassigned,  ///< A byte for which a single-byte encoding has no character; bytes for which a charset has none.
  no_text,     ///< Under encoding::guess: zero bytes or control characters, but neither UTF-16 nor UTF-32.
  forbidden,   ///< A character that reject_characters refuses.
  control = forbidden,  ///< The name of before: reject_controls refuses control characters.
};

/// The category of errc, named "utf". Every value is equivalent to std::errc::illegal_byte_sequence. Complexity:
/// constant.
UTFILTER_API const std::error_category& utf_category() noexcept;

/// Converts an errc to a std::error_code. Complexity: constant.
inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), utf_category()}; }

/// The kind of error in words: "overlong encoding". The same as make_error_code(code).message(). Complexity: constant.
/// Throws std::bad_alloc.
inline std::string to_string(errc code) { return utf_category().message(static_cast<int>(code)); }

/// A place in a text, which may still be encoded. All counts refer to the input of the filter or codec that tells the
/// place.
struct text_position {
  std::uint64_t offset = 0;  ///< Bytes of input before it, including a byte order mark.
  std::uint64_t line = 1;    ///< 1 + line feeds (U+000A) before it. A carriage return does not end a line.
  std::uint64_t column = 1;  ///< 1 + scalar values since the last line feed: an error is one, a byte order mark none.
  std::uint64_t line_offset = 0;  ///< Bytes of input before that line.

  /// Moves past one character, which has `size` bytes. Complexity: constant.
  constexpr void pass(char32_t c, std::uint64_t size) noexcept {
    if (c != U'\n') return pass_columns(1, size);
    offset += size;
    pass_lines(1);
  }
  /// Moves past so many characters and errors, which have `size` bytes together. None of them is a line feed.
  /// Complexity: constant.
  constexpr void pass_columns(std::uint64_t columns, std::uint64_t size) noexcept {
    offset += size;
    column += columns;
  }
  /// Begins a line at the offset, after so many more line feeds. Complexity: constant.
  constexpr void pass_lines(std::uint64_t line_feeds) noexcept {
    line += line_feeds;
    column = 1;
    line_offset = offset;
  }
};

/// The place that is as far after `to` as `place` is after `from`. So a place in a part of a text becomes one in the
/// whole text: `from` is where the part says that it begins, and `to` where it does. `Place` is text_position or a class
/// derived from it, whose other members are kept. Complexity: constant.
///
/// ```cpp
/// utfilter::text_position start;  // of a part that follows "\nab"
/// start.pass(U'\n', 1);
/// start.pass_columns(2, 2);
/// utfilter::text_position place;  // in the part, after "cd"
/// place.pass_columns(2, 2);
/// place = utfilter::moved(place, {}, start);
/// assert(place.offset == 5 && place.line == 2 && place.column == 5 && place.line_offset == 1);
/// ```
template <class Place>
constexpr Place moved(Place place, const text_position& from, const text_position& to) noexcept {
  if (place.line == from.line) {
    place.column += to.column - from.column;
    place.line_offset = to.line_offset;
  } else {
    place.line_offset += to.offset - from.offset;
  }
  place.line += to.line - from.line;
  place.offset += to.offset - from.offset;
  return place;
}

/// @{
/// Compares all members. Complexity: constant.
constexpr bool operator==(const text_position& a, const text_position& b) noexcept {
  return a.offset == b.offset && a.line == b.line && a.column == b.column && a.line_offset == b.line_offset;
}
constexpr bool operator!=(const text_position& a, const text_position& b) noexcept { return !(a == b); }
/// @}

/// One error: its place, which is before the ill-formed subsequence, its kind and its bytes.
struct error_info : text_position {
  errc code = errc{};                       ///< The kind of error; errc{} if it is none, but a change of the text.
  std::array<unsigned char, 6> bytes = {};  ///< The first `size` bytes are the ill-formed subsequence.
  std::uint8_t size = 0;                    ///< 0 for missing_bom and no_text, else 1 to 6.
  char32_t code_point = 0;  ///< A lone surrogate, an unmappable or control character, what a change writes; else 0.

  /// The error in words, for people: "overlong encoding: C0", "unpaired high surrogate U+D800: 00 D8". It does not give
  /// the place, because callers print the place in their own way. For a byte FF or FE at offset 0 it adds a hint: the
  /// text looks like UTF-16. For a byte 00 that no text contains, it says how modified UTF-8 writes U+0000. A change is
  /// in words, too: "changed to U+00E9: C3 83 C2 A9".
  UTFILTER_API std::string message() const;
};

/// @{
/// Compares all members. Complexity: constant.
UTFILTER_API bool operator==(const error_info&, const error_info&) noexcept;
inline bool operator!=(const error_info& a, const error_info& b) noexcept { return !(a == b); }
/// @}

/// The place and the message: "line 3, column 14 (byte 71): overlong encoding: C0". Complexity: constant. Throws
/// std::bad_alloc.
UTFILTER_API std::string to_string(const error_info&);

}  // namespace utfilter

// Lets the compiler convert an errc to a std::error_code.
template <>
struct std::is_error_code_enum<utfilter::errc> : std::true_type {};

namespace utfilter {

/// @{
/// Whether the error code has the value of the errc and its category has the name "utf". A program may hold two copies
/// of this library, for example if the program and its plug-in both link it statically. Then there are two categories.
/// The standard library compares categories by address, so error codes of different copies are never equal to each
/// other. But each of them is equal to its errc, and to std::errc::illegal_byte_sequence.
///
/// Complexity: constant.
inline bool operator==(const std::error_code& code, errc kind) noexcept {
  return code.value() == static_cast<int>(kind) && std::string_view(code.category().name()) == utf_category().name();
}
inline bool operator==(errc kind, const std::error_code& code) noexcept { return code == kind; }
inline bool operator!=(const std::error_code& code, errc kind) noexcept { return !(code == kind); }
inline bool operator!=(errc kind, const std::error_code& code) noexcept { return !(code == kind); }
/// @}

}  // namespace utfilter

#endif
