// two_byte.hpp: charsets that are no encodings of this library: their names; and of those with characters of two bytes, the
// form of their text, by which guesses know it.
#ifndef UTFILTER_ENCODINGS_TWO_BYTE_HPP
#define UTFILTER_ENCODINGS_TWO_BYTE_HPP

#include <string_view>

namespace utfilter::detail {

/// The name, as ICU knows it, of the two-byte charset with one of these names; empty if there is none. Case does not
/// matter, and an underscore is a hyphen.
std::string_view two_byte_charset_named(std::string_view name) noexcept;

/// The same of charsets of single bytes and of ASCII bytes, which are no encodings of this library either.
std::string_view other_charset_named(std::string_view name) noexcept;

/// Whether a sample may be text of the charset, which is a result of other_charset_named. Single bytes are not checked, as
/// nearly all of them are characters. A whole text of ASCII alone is ASCII. Complexity: linear.
bool may_be(std::string_view other_charset, std::string_view sample, bool is_whole) noexcept;

/// Whether a sample has the form of the charset, which is a result of these functions: each lead byte has a trail byte, and
/// if `needs_pairs` there is one. The end may cut a character. The sample of a damaged text has characters of two bytes, and
/// for eight of them one wrong byte at most. Complexity: linear.
bool has_form_of(std::string_view two_byte_charset, std::string_view sample, bool needs_pairs) noexcept;
bool has_damaged_form_of(std::string_view two_byte_charset, std::string_view sample) noexcept;

/// The two-byte charset that a sample probably is: it has the form, and many of the characters are among the most frequent
/// ones, such as kana. Empty if there is none. Complexity: linear.
std::string_view likely_two_byte_charset(std::string_view sample) noexcept;

}  // namespace utfilter::detail

#endif
