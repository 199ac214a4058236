// convert.hpp: converts UTF-8 strings to strings of UTF-16, UTF-32 and wchar_t, and back; and bytes in any encoding, and
// paths, to UTF-8.
// layer: conversion
#ifndef UTFILTER_CONVERT_HPP
#define UTFILTER_CONVERT_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/config.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/detail/decoded_start.hpp>
#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/unit_converter.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#if UTFILTER_HAS_EXCEPTIONS
#  include <utfilter/utf_error.hpp>
#endif

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace utfilter {

UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

/// @cond
namespace string_detail {

[[noreturn]] inline void end_conversion(const error_info& error) {
#if UTFILTER_HAS_EXCEPTIONS
  throw utf_error(error);
#else
  detail::refuse("utfilter: " + to_string(error));
#endif
}

/// Throws or aborts for on_error::keep.
inline void refuse_keep(on_error policy) {
  if (policy == on_error::keep)
    detail::refuse(
        "utfilter: on_error::keep makes no sense for a string of another type, it cannot keep ill-formed bytes");
}

template <class To, class From>
std::basic_string<To> convert(std::basic_string_view<From> text, on_error policy) {
  refuse_keep(policy);
  bool whole = true;
  std::basic_string<To> made = detail::convert_units<To, sizeof(From)>(text.data(), text.size(), policy, whole);
  if (!whole) end_conversion(*detail::first_error(text.data(), text.size(), sizeof(From), sizeof(To)));
  return made;
}

#ifdef __cpp_lib_char8_t
template <class From>
std::u8string convert_to_u8(std::basic_string_view<From> text, on_error policy) {
  refuse_keep(policy);
  std::u8string made;
  const auto overwrite = [](void* string, std::size_t size, std::size_t (*write)(void*, void*) noexcept,
                            void* context) {
    auto& s = *static_cast<std::u8string*>(string);
#  ifdef __cpp_lib_string_resize_and_overwrite
    s.resize_and_overwrite(size, [&](char8_t* all, std::size_t) noexcept { return write(context, all); });
#  else
    s.resize(size);
    s.resize(write(context, s.data()));
#  endif
  };
  if (!detail::convert_units(text.data(), text.size(), sizeof(From), policy, {&made, overwrite}))
    end_conversion(*detail::first_error(text.data(), text.size(), sizeof(From), 1));
  return made;
}
#endif

/// Appends the rest of a text.
template <class Codec>
void append_decoded(std::string& made, codec_decoder<Codec> text, std::string_view bytes) {
  made.reserve(made.size() + bytes.size());
  char piece[4096];
  codec_progress done;
  do {
    done = text.convert(bytes.data(), bytes.size(), piece, sizeof piece, true);
    made.append(piece, done.produced);
    bytes.remove_prefix(done.consumed);
  } while (done.status == codec_status::need_output);
#if UTFILTER_HAS_EXCEPTIONS
  if (text.failed()) std::rethrow_exception(text.failure());
#else
  if (text.failed()) end_conversion(*text.report().last_error);
#endif
}

/// Appends the rest of a text after its start has been decoded.
template <class Options>
UTFILTER_NOINLINE void append_rest(std::string& made, const std::optional<checkpoint>& end, std::string_view bytes,
                                   encoding from, const Options& options) {
  if (!end || end->offset == 0) return append_decoded(made, decoder(from, options), bytes);
  params p = detail::to_params(options);
  p.start = end;
  append_decoded(made, decoder(from, p), bytes.substr(static_cast<std::size_t>(end->offset)));
}

/// Decodes a text. Most texts need no decoder.
template <class Options>
std::string decoded(std::string_view bytes, encoding from, const Options& options) {
  detail::decoded_start start;
  std::string made = detail::decode_start(bytes, from, start);
  if (!start.is_whole) append_rest(made, start.end, bytes, from, options);
  return made;
}

/// Whether T is a std::filesystem::path, or a class like it. A test by name would need <filesystem>, which is large.
template <class T, class = void>
constexpr bool is_path = false;
template <class T>
constexpr bool is_path<
    T, std::void_t<decltype(T::preferred_separator), typename T::string_type,
                   decltype(std::declval<const T&>().native()), decltype(std::declval<const T&>().root_directory())>> =
    true;

}  // namespace string_detail
/// @endcond

/// @{
/// Converts UTF-8 to UTF-16, UTF-32 or a wide string, in the byte order of the processor. A wide string is UTF-16 if
/// wchar_t has 16 bits (Windows), else UTF-32.
///
/// `policy` says what becomes of each ill-formed subsequence (a maximal subpart, Unicode D93b). replace: U+FFFD; skip:
/// nothing; escape: its bytes as `\xHH`; windows1252: its bytes, read as windows-1252; stop: the text ends before it;
/// strict: throws utf_error, whose offset counts bytes. An initial U+FEFF is a character like any other.
///
/// ```cpp
/// assert(utfilter::to_u16string("caf\u00E9 \U0001F600") == u"caf\u00E9 \U0001F600");
/// assert(utfilter::to_u32string("caf\xE9") == U"caf\uFFFD");
/// assert(utfilter::to_wstring("caf\xE9", utfilter::on_error::windows1252) == L"caf\u00E9");
/// ```
///
/// Throws std::invalid_argument for on_error::keep, and std::bad_alloc. A program that is compiled without exceptions
/// prints the reason on stderr instead, and aborts. Complexity: linear. Well-formed text takes one allocation, or none
/// if it is short. For a long text its size is an estimate from parts of the text, up to a quarter too large; if it is
/// too small or still larger, there is a second one (the string of to_u8string may stay larger).
inline std::u16string to_u16string(std::string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<char16_t>(utf8, policy);
}
inline std::u32string to_u32string(std::string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<char32_t>(utf8, policy);
}
inline std::wstring to_wstring(std::string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<wchar_t>(utf8, policy);
}
/// @}

/// @{
/// Converts UTF-16, UTF-32 or a wide string, in the byte order of the processor, to UTF-8. A wide string is UTF-16 if
/// wchar_t has 16 bits (Windows), else UTF-32.
///
/// `policy` says what becomes of each unpaired surrogate, and of each value of UTF-32 that is no character. replace and
/// windows1252: U+FFFD; skip: nothing; escape: `\u{HHHH}` for a surrogate, `\xHH` for each byte of another value; stop:
/// the text ends before it; strict: throws utf_error. Offsets count bytes of memory: the index of a code unit is
/// `error.info().offset / sizeof(char16_t)`. An initial U+FEFF is a character like any other.
///
/// ```cpp
/// assert(utfilter::to_utf8_string(u"caf\u00E9") == "caf\u00E9");
/// const char16_t half[] = {u'a', 0xD83D};
/// assert(utfilter::to_utf8_string({half, 2}, utfilter::on_error::escape) == "a\\u{D83D}");
/// ```
///
/// Exceptions and complexity are those of to_u16string.
inline std::string to_utf8_string(std::u16string_view utf16, on_error policy = on_error::replace) {
  return string_detail::convert<char>(utf16, policy);
}
inline std::string to_utf8_string(std::u32string_view utf32, on_error policy = on_error::replace) {
  return string_detail::convert<char>(utf32, policy);
}
inline std::string to_utf8_string(std::wstring_view wide, on_error policy = on_error::replace) {
  return string_detail::convert<char>(wide, policy);
}
/// @}

/// Decodes bytes to UTF-8, as the filter to_utf8 does: encoding::detect and encoding::guess look at the bytes, a byte
/// order mark is dropped, and the options mean the same. By default each error becomes U+FFFD.
///
/// ```cpp
/// assert(utfilter::to_utf8_string("caf\xE9", utfilter::encoding::latin1) == "caf\u00E9");
/// const std::string why = utfilter::to_utf8_string(std::strerror(ENOENT), utfilter::locale_encoding());
/// ```
///
/// Throws std::invalid_argument for params that make no sense, utf_error if the policy is strict or there are more errors
/// than params::error_limit, what the observer throws, and std::bad_alloc. A program that is compiled without exceptions
/// prints the reason on stderr instead, and aborts. Complexity: linear.
template <class Options = on_error, class = detail::if_options<Options>>
std::string to_utf8_string(std::string_view bytes, encoding from, const Options& options = on_error::replace) {
  if constexpr (std::is_same_v<Options, on_error> || std::is_same_v<Options, params>)
    if (detail::is_usual(options)) return string_detail::decoded(bytes, from, options);
  std::string made;
  string_detail::append_decoded(made, decoder(from, options), bytes);
  return made;
}

/// The text of a path, for a message or a log: the same on all systems, and always well-formed. A path is UTF-16 on
/// Windows, and each unpaired surrogate in it becomes U+FFFD. Elsewhere it is bytes, which are read as UTF-8, and each
/// ill-formed one becomes U+FFFD. So two paths may have the same text: open files by the path.
///
/// ```cpp
/// assert(utfilter::to_utf8_string(std::filesystem::path(u"caf\u00E9")) == "caf\u00E9");
/// ```
///
/// For names in another encoding: `to_utf8_string(path.native(), locale_encoding())`. Throws std::bad_alloc. Complexity:
/// linear.
template <class Path, class = std::enable_if_t<string_detail::is_path<Path>>>
std::string to_utf8_string(const Path& path) {
  if constexpr (sizeof(typename Path::value_type) == 1)
    return sanitize(path.native());
  else
    return to_utf8_string(std::basic_string_view<typename Path::value_type>(path.native()));
}

#ifdef __cpp_lib_char8_t
/// @{
/// The same for char8_t, C++20's type for UTF-8, which may be ill-formed as well: `to_u8string(u"a") == u8"a"`.
/// Policies, exceptions and complexity are those of the functions above.
inline std::u16string to_u16string(std::u8string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<char16_t>(utf8, policy);
}
inline std::u32string to_u32string(std::u8string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<char32_t>(utf8, policy);
}
inline std::wstring to_wstring(std::u8string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<wchar_t>(utf8, policy);
}
inline std::string to_utf8_string(std::u8string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert<char>(utf8, policy);
}
inline std::u8string to_u8string(std::string_view utf8, on_error policy = on_error::replace) {
  return string_detail::convert_to_u8(utf8, policy);
}
inline std::u8string to_u8string(std::u16string_view utf16, on_error policy = on_error::replace) {
  return string_detail::convert_to_u8(utf16, policy);
}
inline std::u8string to_u8string(std::u32string_view utf32, on_error policy = on_error::replace) {
  return string_detail::convert_to_u8(utf32, policy);
}
inline std::u8string to_u8string(std::wstring_view wide, on_error policy = on_error::replace) {
  return string_detail::convert_to_u8(wide, policy);
}
/// @}
#endif

UTFILTER_END_EXCEPTIONS_NAMESPACE

}  // namespace utfilter

#endif
