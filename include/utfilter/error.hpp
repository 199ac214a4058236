// error.hpp: what can be wrong with encoded text, and where it was found.
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

/// The kinds of error. In UTF-8 each belongs to one maximal subpart of an ill-formed subsequence (Unicode D93b).
enum class errc {
  unexpected_continuation = 1,  ///< 80..BF where a sequence must start.
  truncated_sequence,           ///< A sequence cut short by a byte that cannot continue it.
  overlong,                     ///< C0, C1; E0 before 80..9F; F0 before 80..8F.
  surrogate,                    ///< ED before A0..BF; a UTF-32 code unit D800..DFFF.
  out_of_range,                 ///< F4 before 90..BF; F5..F7; a UTF-32 code unit above 10FFFF.
  forbidden_length,         ///< F8..FD, the five- and six-byte forms of RFC 2044 and RFC 2279; in CESU-8 F0..F4 too.
  unused_byte,              ///< FE, FF.
  unpaired_high_surrogate,  ///< D800..DBFF without a low surrogate behind it.
  unpaired_low_surrogate,   ///< DC00..DFFF without a high surrogate before it.
  incomplete_at_end,        ///< The input ended inside a sequence, a code unit or a surrogate pair.
  missing_bom,              ///< bom::require, and the input does not begin with a signature.
  unexpected_bom,           ///< bom::reject, and the input begins with one.
  unmappable,               ///< A well-formed character that the target encoding cannot hold.
};

/// The category of errc, named "utf". Every value is equivalent to std::errc::illegal_byte_sequence. Complexity:
/// constant.
UTFILTER_API const std::error_category& utf_category() noexcept;

/// What makes an errc a std::error_code. Complexity: constant.
inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), utf_category()}; }

/// The kind of error in words: "overlong encoding". The same as make_error_code(code).message(). Complexity: constant.
/// Throws std::bad_alloc.
inline std::string to_string(errc code) { return utf_category().message(static_cast<int>(code)); }

/// One error: what was wrong, where, and the bytes themselves. All counts are of the input of the filter that found it.
struct error_info {
  errc code = errc{};        ///< What was wrong.
  std::uint64_t offset = 0;  ///< Bytes before the ill-formed subsequence, a signature included.
  std::uint64_t line = 1;    ///< 1 + line feeds (U+000A) before it. A carriage return does not end a line.
  std::uint64_t column = 1;  ///< 1 + scalar values since that line feed; an error counts as one, a signature as none.
  std::uint64_t line_offset = 0;            ///< Bytes before that line.
  std::array<unsigned char, 6> bytes = {};  ///< The ill-formed subsequence; the first `size` bytes count.
  std::uint8_t size = 0;                    ///< 0 for missing_bom, else 1 to 6.
  char32_t code_point = 0;                  ///< The lone surrogate or the unmappable character; 0 where there is none.

  /// What is wrong, for people: "overlong encoding: C0", "unpaired high surrogate U+D800: 00 D8". It names no place,
  /// since callers print their own. FF or FE at offset 0 is followed by the hint that the text looks like UTF-16.
  UTFILTER_API std::string message() const;
};

/// Place and message: "line 3, column 14 (byte 71): overlong encoding: C0". Complexity: constant. Throws
/// std::bad_alloc.
UTFILTER_API std::string to_string(const error_info&);

}  // namespace utfilter

/// An errc is an error code.
template <>
struct std::is_error_code_enum<utfilter::errc> : std::true_type {};

namespace utfilter {

/// @{
/// Whether the code is this one of the category "utf", by its name. A program may hold this library twice, such as a
/// plug-in that is linked with it statically in a program that is, too. Then there are two categories, and the standard
/// library compares categories by address: two std::error_code of two copies are never equal. Each of them equals its
/// errc and std::errc::illegal_byte_sequence.
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
