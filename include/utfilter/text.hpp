// text.hpp: checks and repairs UTF-8 in memory, and guesses encodings, without streams: for function entries and debug
// builds.
// layer: codecs
#ifndef UTFILTER_TEXT_HPP
#define UTFILTER_TEXT_HPP

#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfilter {

/// Whether the text is well-formed UTF-8 (RFC 3629 section 4, Unicode table 3-7). Complexity: linear; no allocation.
///
/// ```cpp
/// assert(utfilter::is_utf8("na\u00EFve") && !utfilter::is_utf8("na\xEFve"));
/// ```
UTFILTER_API bool is_utf8(std::string_view text) noexcept;

/// The first ill-formed subsequence of the text; std::nullopt if the text is well-formed. A sequence that is incomplete
/// at the end of the text is an error. An initial U+FEFF is a byte order mark and does not count as a column.
/// Complexity: linear; no allocation.
///
/// ```cpp
/// if (const auto error = utfilter::find_error("key\xC0\xAF")) std::cerr << to_string(*error) << '\n';
/// ```
UTFILTER_API std::optional<error_info> find_error(std::string_view text) noexcept;

/// A copy of the text with each ill-formed subsequence repaired, by on_error::replace (U+FFFD), skip, escape or
/// windows1252. Any other policy works as replace. The result is well-formed UTF-8. Complexity: linear. Throws
/// std::bad_alloc.
///
/// ```cpp
/// assert(utfilter::sanitize("caf\xE9", utfilter::on_error::windows1252) == "caf\u00E9");
/// ```
UTFILTER_API std::string sanitize(std::string_view text, on_error policy = on_error::replace);

/// The size of the text in bytes, without an incomplete sequence at its end (0 to 3 bytes) that more bytes could still
/// complete. For cutting a buffer between characters. Complexity: constant; it looks at the last three bytes.
///
/// ```cpp
/// std::string_view text = "caf\u00E9";
/// text = text.substr(0, utfilter::complete_prefix(text.substr(0, 4)));  // no more than four bytes: "caf"
/// ```
UTFILTER_API std::size_t complete_prefix(std::string_view text) noexcept;

/// The result of guess_encoding. It converts to the encoding.
struct encoding_guess {
  utfilter::encoding encoding;  ///< detect for data that is no text
  evidence decided_by;          ///< why it is this encoding
  /// The name of the encoding or charset that the text declares, if that is not `encoding`. It lives as long as the
  /// program.
  std::string_view unused_declaration;
  double confidence = 1;  ///< from 0 to 1: see stream_report::confidence
  std::string_view language =
      {};  ///< of the text, by ISO 639, if statistics have found it; lives as long as the program

  /// The encoding.
  operator utfilter::encoding() const noexcept { return encoding; }  // NOLINT(google-explicit-constructor)
};

/// The result of guess_charset: the name of the charset, which lives as long as the program; "detect" for data that is
/// no text.
struct charset_guess : std::string_view {
  evidence decided_by;  ///< why it is this charset
  /// The name of the encoding or charset that the text declares, if that is another. It lives as long as the program.
  std::string_view unused_declaration;
  double confidence = 1;  ///< from 0 to 1: see stream_report::confidence
  std::string_view language =
      {};  ///< of the text, by ISO 639, if statistics have found it; lives as long as the program
};

/// An encoding that a text may be in; guess_encodings returns it.
struct encoding_candidate {
  utfilter::encoding encoding;  ///< one of the library
  std::string_view language;    ///< the likeliest, by ISO 639; empty if nothing tells it; lives as long as the program
  double confidence;            ///< from 0 to 1: see stream_report::confidence
  utfilter::evidence evidence;  ///< assumption if the confidence is too low, or the text has only symbols in it
};

/// The encoding that a reader with encoding::guess and these params would find, from the start of a text: by its byte
/// order mark, or by its first params::guess_bytes bytes. A shorter text is taken for a whole one. encoding::detect for
/// data that is no text. Only guess_bytes, candidates, language, least_confidence, legacy and guess_legacy matter; what
/// makes no sense of them is left out. doc/guessing.md describes how it decides.
///
/// ```cpp
/// assert(utfilter::guess_encoding(std::string_view("o\0k\0", 4)) == utfilter::encoding::utf16le);
/// assert(utfilter::guess_encoding("caf\xE9") == utfilter::encoding::windows1252);
/// ```
///
/// Complexity: linear in guess_bytes; no allocation, unless params::guess_legacy allocates. Thread safety: any number
/// of threads may call it.
UTFILTER_API encoding_guess guess_encoding(std::string_view text, const params& p = {}) noexcept;

/// The name of the encoding that guess_encoding finds, or of a charset that is no encoding of this library, such as
/// "IBM852": params::guess_legacy names it, the text declares it, or its structure shows it. For programs that can
/// read more charsets by another library. "detect" for data that is no text. The name lives as long as the program.
/// Complexity: that of guess_encoding.
///
/// ```cpp
/// assert(utfilter::guess_charset("na\u00EFve") == "UTF-8");
/// ```
UTFILTER_API charset_guess guess_charset(std::string_view text, const params& p = {}) noexcept;

/// The encodings of the library that the text may be in, the likeliest first: at most eight, and none for data that is no
/// text. If the first is no assumption, it is what guess_encoding finds. The text and the params are those of
/// guess_encoding.
///
/// ```cpp
/// for (const utfilter::encoding_candidate& each : utfilter::guess_encodings("ma\xB3o s\xB3\xF3w"))
///   std::cout << to_string(each.encoding) << ", " << each.language << ", " << each.confidence << '\n';
/// ```
///
/// Complexity: linear in guess_bytes. Throws std::bad_alloc, and std::invalid_argument, with the reason, for params that
/// make no sense. Thread safety: any number of threads may call it.
UTFILTER_API std::vector<encoding_candidate> guess_encodings(std::string_view text, const params& p = {});

namespace detail {
/// Prints the place of the assertion, its expression, and the offset and kind of the error; then aborts.
[[noreturn]] UTFILTER_API void assert_utf8_failed(const char* expression, const error_info&, const char* file,
                                                  unsigned line, const char* function) noexcept;
inline void assert_utf8(std::string_view text, const char* expression, const char* file, unsigned line,
                        const char* function) noexcept {
  if (!is_utf8(text)) assert_utf8_failed(expression, *find_error(text), file, line, function);
}
}  // namespace detail
}  // namespace utfilter

/// @file
/// UTFILTER_ASSERT_UTF8, an assertion for debug builds.

/// Like assert: if `text` (anything that converts to std::string_view) is not well-formed UTF-8, prints its expression,
/// and the offset and kind of the first error, and aborts. Under NDEBUG it does nothing and does not evaluate `text`.
/// Complexity: linear.
///
/// ```cpp
/// void set_title(const std::string& title) {
///   UTFILTER_ASSERT_UTF8(title);
/// }
/// ```
#ifdef NDEBUG
#  define UTFILTER_ASSERT_UTF8(text) static_cast<void>(0)
#else
#  define UTFILTER_ASSERT_UTF8(text) \
    ::utfilter::detail::assert_utf8((text), #text, __FILE__, static_cast<unsigned>(__LINE__), __func__)
#endif

#endif
