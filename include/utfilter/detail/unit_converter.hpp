// unit_converter.hpp: converts a whole string between UTF-8 and code units of this processor's byte order. Not for
// users.
// layer: codecs
#ifndef UTFILTER_DETAIL_UNIT_CONVERTER_HPP
#define UTFILTER_DETAIL_UNIT_CONVERTER_HPP

#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace utfilter::detail {

/// The encoding of a string whose code units have `unit` bytes: UTF-8, or UTF-16 or UTF-32 in the byte order of this
/// processor.
constexpr encoding encoding_of_units(std::size_t unit) noexcept {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return unit == 1 ? encoding::utf8 : unit == 2 ? encoding::utf16be : encoding::utf32be;
#else
  return unit == 1 ? encoding::utf8 : unit == 2 ? encoding::utf16le : encoding::utf32le;
#endif
}

/// Converts a text of `size` code units, which have `Unit` bytes, to a string of other units: char, char16_t, char32_t or
/// wchar_t. At least one of the two sides is UTF-8. Clears `whole` if the policy is strict and the text has an error.
/// Linear. Throws std::bad_alloc.
template <class To, std::size_t Unit>
UTFILTER_API std::basic_string<To> convert_units(const void* text, std::size_t size, on_error policy, bool& whole);

/// The first error of a text of `size` units of `from` bytes, if it is converted to units of `to` bytes. Linear.
UTFILTER_API std::optional<error_info> first_error(const void* text, std::size_t size, std::size_t from,
                                                   std::size_t to) noexcept;

/// A string of a type that the library does not know. `overwrite` gives the string `size` units, lets `write` write the
/// memory of them all, and keeps as many as that returns.
struct any_string {
  void* string;
  void (*overwrite)(void* string, std::size_t size, std::size_t (*write)(void* context, void* all) noexcept,
                    void* context);
};
/// As the other convert_units, but for an empty string of UTF-8. Returns `whole`.
UTFILTER_API bool convert_units(const void* text, std::size_t size, std::size_t unit, on_error policy,
                                const any_string&);

}  // namespace utfilter::detail

#endif
