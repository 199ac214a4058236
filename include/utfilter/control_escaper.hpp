// control_escaper.hpp: the codec of escape_controls. Its UTF-8 output moves no cursor and forges no line.
// layer: codecs
#ifndef UTFILTER_CONTROL_ESCAPER_HPP
#define UTFILTER_CONTROL_ESCAPER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/text_walk.hpp>
#include <utfilter/printable_options.hpp>

#include <cstddef>

namespace utfilter {

/// Writes characters that control a terminal or reorder a line as visible ASCII, and passes all other characters on:
///
///     \xHH      the ASCII controls U+0000..U+001F and U+007F, except tab, line feed, and the carriage return of CR LF
///     \u{HHHH}  the C1 controls U+0080..U+009F; U+2028 and U+2029, which end a line; the twelve characters of
///               Unicode's Bidi_Control: U+061C, U+200E, U+200F, U+202A..U+202E, U+2066..U+2069
///
/// This is what it does by itself. With printable_options it escapes line feeds, tabs, backslashes, quotes and
/// invisible characters, too, and it writes the escapes of JSON. Unless backslashes are escaped, the escapes cannot be
/// undone (as with on_error::escape). An initial U+FEFF is a character. Ill-formed UTF-8 is reported as transcoder
/// reports it. Repairs are escaped like text: whatever the policy, the output has none of the characters above. In a
/// repair every carriage return is escaped, even before a line feed.
///
/// ```cpp
/// utfilter::codec_scoped_filter safe(std::clog, utfilter::control_escaper());  // no byte moves a terminal's cursor
/// std::clog << "\x1B[2J" << '\n';                                             // \x1B[2J
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class control_escaper : public detail::text_walk {
 public:
  /// The policy for line feeds, and for the carriage returns before them. `escape` writes a line feed as `\x0A`: use it
  /// for text that must stay on one line, such as the message of a log record.
  enum class line_feeds { pass, escape };

  /// Throws nothing. Complexity: constant.
  explicit control_escaper(line_feeds l = line_feeds::pass) noexcept : control_escaper(with(l)) {}

  /// The text is escaped as the options say; printable_options::limit does not count. Throws nothing. Complexity:
  /// constant.
  ///
  /// ```cpp
  /// utfilter::printable_options o;
  /// o.style = utfilter::escape_style::json;
  /// utfilter::codec_scoped_filter message(std::clog, utfilter::control_escaper(o));  // valid in a JSON string
  /// ```
  UTFILTER_API explicit control_escaper(const printable_options&) noexcept;

  /// What is escaped, and how: what the constructor was given, and for JSON all that JSON needs. Throws nothing. Complexity:
  /// constant.
  const printable_options& options() const noexcept { return options_; }

  /// The same for a finished line, whose fields have been escaped already: tabs, quotes and backslashes pass, because they
  /// stand between the fields or belong to escapes. Throws nothing. Complexity: constant.
  control_escaper for_lines() const noexcept {
    control_escaper result;
    result.options_ = options_;
    result.options_.tab = result.options_.quote = result.options_.backslash = false;
    return result;
  }

  /// In bytes: the size of the longest escape, a surrogate pair in JSON.
  static constexpr std::size_t min_output = 12;

  /// Converts one piece; doc/codecs.md has the rules. If line feeds pass, a carriage return is carried until the next
  /// byte, or the end, decides: before a line feed it is written together with the line feed, otherwise it is
  /// escaped. Linear in size.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// Converts one piece as the other transform does, and repairs its errors. The repairs are escaped like text. The status
  /// is malformed if the repairer has not repaired the error: conversion does that, and calls again.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                        repairer&) noexcept;

  /// Takes the text of a repair; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

  /// Writes one scalar value by itself, as its escape or as UTF-8. Returns the number of bytes.
  UTFILTER_API std::size_t encode(char32_t c, char* out) const noexcept;

 private:
  friend struct codec_state;  // the tests enumerate the states

  template <class... Repairer>
  codec_progress after_plain(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                             Repairer&...) noexcept;
  static codec_progress rewrite(text_walk&, const text_piece&, char* out, std::size_t room) noexcept;
  static printable_options with(line_feeds l) noexcept {
    printable_options o;
    o.line_feed = l == line_feeds::escape;
    return o;
  }

  printable_options options_;  // complete: see detail::complete
};

namespace detail {
template <>
inline constexpr bool has_repairs<control_escaper> = true;
}

}  // namespace utfilter

#endif
