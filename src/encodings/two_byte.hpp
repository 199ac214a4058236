// two_byte.hpp: charsets as a text shows them: by the names that it declares, and by the form by which a guess recognises
// them. These are the multi-byte encodings, which a library may have been built without, and the charsets that are no
// encodings of this library.
#ifndef UTFILTER_ENCODINGS_TWO_BYTE_HPP
#define UTFILTER_ENCODINGS_TWO_BYTE_HPP

#include <string_view>

namespace utfilter::detail {

/// The preferred name of the two-byte charset with this name: an encoding of cjk/names.hpp, but not ISO-2022-JP. Empty if
/// there is none.
std::string_view two_byte_charset_named(std::string_view name) noexcept;

/// The same of any charset that a text may declare: all of charset_names.hpp but UTF-7, which makes other characters of
/// ASCII, and which browsers do not know.
std::string_view declared_charset_named(std::string_view name) noexcept;

/// Whether a sample has the form of the charset, which is a result of these functions. A two-byte charset has characters of
/// two bytes or more, and at most one error for eight of them. If the library has the encoding, it decodes the sample;
/// otherwise an error is a lead byte without a trail byte. The end may cut a character, and if the sample is not whole,
/// such characters may follow it. In a charset of ASCII bytes all bytes are ASCII, and there is an escape sequence; only
/// that of ISO-2022-JP may follow the sample. HZ has no escape sequences, so no sample has its form. In a charset of single
/// bytes nearly all bytes are characters, so any sample has its form. A whole text of ASCII has none of these forms.
/// Complexity: linear.
bool has_form_of(std::string_view charset, std::string_view sample, bool is_whole) noexcept;

/// Whether a sample is text of the two-byte charset, or of ISO-2022-JP if the library has that, perhaps damaged: it has
/// characters of two bytes, and at most one error for eight of them. Complexity: linear.
bool has_damaged_form_of(std::string_view two_byte_charset, std::string_view sample) noexcept;

/// The two-byte charset that a sample probably is: it has no errors, and many of the characters are among the most frequent
/// ones, such as kana. Empty if there is none. Complexity: linear.
std::string_view likely_two_byte_charset(std::string_view sample) noexcept;

}  // namespace utfilter::detail

#endif
