// printable_options.hpp: which characters printable, control_escaper and escape_controls escape, and how.
// layer: codecs
#ifndef UTFILTER_PRINTABLE_OPTIONS_HPP
#define UTFILTER_PRINTABLE_OPTIONS_HPP

#include <utfilter/config.hpp>

#include <cstddef>
#include <limits>

namespace utfilter {

/// How to write a character that must not pass as it is.
enum class escape_style {
  /// `\xHH` for an ASCII control and for an ill-formed byte, `\u{HHHH}` with four to six digits for another character,
  /// `\\` for a backslash and `\"` for a quote.
  backslash,
  /// JSON (RFC 8259 section 7): `\uHHHH`, two of them (a surrogate pair) for a character beyond U+FFFF, `\\` and `\"`.
  /// What JSON does not allow in a string is always escaped: controls, line feeds and tabs, backslashes and quotes. So
  /// the result stands between quotes in any JSON text, and a JSON parser gives the text back.
  json,
};

/// What printable and control_escaper escape. With any options they escape the controls that move a cursor, end a line
/// or reorder it:
///
///     U+0000..U+001F and U+007F   the controls of ASCII, except tab and line feed
///     U+0080..U+009F              the C1 controls
///     U+2028, U+2029              the separators of lines and paragraphs
///     U+061C, U+200E, U+200F, U+202A..U+202E, U+2066..U+2069     Unicode's Bidi_Control
///
/// All other characters pass, unless the members say otherwise. doc/escaping.md has a row for each class of characters,
/// and tells what those that pass can do: for example, letters of right-to-left scripts can reorder what follows them.
///
/// ```cpp
/// utfilter::printable_options o;
/// o.backslash = true;  // now the result can be undone
/// assert(utfilter::to_printable("C:\\\x1B[2J", o) == "C:\\\\\\x1B[2J");
/// ```
struct printable_options {
  escape_style style = escape_style::backslash;  ///< How an escape is written.
  /// Whether line feeds are escaped. If not, they pass, and so does a carriage return right before one.
  bool line_feed = true;
  bool tab = false;  ///< Whether tabs are escaped.
  /// Whether a backslash in the text becomes two. Only then can the result be undone: without it, the four characters
  /// `\x0A` look the same as an escaped line feed.
  bool backslash = false;
  /// Whether a quote, U+0022, is escaped. Set `backslash`, too, for a text between quotes.
  bool quote = false;
  /// Whether characters are escaped that show nothing, or that each program shows in its own way. These are Unicode's
  /// Default_Ignorable_Code_Point (the zero-width characters, the variation selectors, the tags U+E0000..U+E007F and
  /// others), noncharacters, private-use characters, and U+FFF9..U+FFFB: some programs leave out these three and the
  /// annotation between them. Some scripts and emoji need such characters.
  bool invisible = false;
  /// The most bytes of output. A longer output is cut between characters, never inside an escape, and ends with U+2026,
  /// an ellipsis, within these bytes. If they are fewer than the three of an ellipsis, nothing is left of it.
  /// control_escaper ignores this member: it converts a stream of any length.
  std::size_t limit = (std::numeric_limits<std::size_t>::max)();
};

}  // namespace utfilter

#endif
