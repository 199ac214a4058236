// binary.hpp: tells what no program should write to as text: data that is no text, and text that is UTF-8 already.
// layer: codecs
#ifndef UTFILTER_BINARY_HPP
#define UTFILTER_BINARY_HPP

#include <utfilter/config.hpp>

#include <string_view>

namespace utfilter {

/// The format of data that is no text, by the first bytes of its file: "PNG", "PDF", "zip", "ELF" and others, or "data"
/// for data of a format that is not known. Empty for what may be text, and for no bytes. The name lives as long as the
/// program.
///
/// It is data if it has the first bytes of a known format (PDF and PostScript among them, RTF not), or if guess_encoding()
/// finds that it is no text. Without a byte order mark it is also data if it has the character NUL, in bytes or in UTF-16,
/// or looks like UTF-32: small numbers of 32 bits look like it, and are more frequent. Only the first
/// default_guess_bytes bytes count.
///
/// ```cpp
/// assert(utfilter::binary_format("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n") == "PDF");
/// assert(utfilter::binary_format("caf\xE9\n").empty());
/// ```
///
/// Complexity: constant; no allocation. Thread safety: any number of threads may call it.
UTFILTER_API std::string_view binary_format(std::string_view start) noexcept;

/// Whether the text is UTF-8, and shows it: it is well-formed, and not all of it is ASCII. Legacy text is never both but by
/// a rare chance. So to read such a text in a legacy encoding would make two or three characters of each one beyond ASCII.
///
/// ```cpp
/// assert(utfilter::shows_utf8("caf\u00E9") && !utfilter::shows_utf8("caf\xE9") && !utfilter::shows_utf8("cafe"));
/// ```
///
/// Complexity: linear; no allocation. Thread safety: any number of threads may call it. For a text in pieces, ask
/// utf8_checker, and whether one of its bytes is beyond ASCII.
UTFILTER_API bool shows_utf8(std::string_view text) noexcept;

}  // namespace utfilter

#endif
