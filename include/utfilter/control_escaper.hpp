// control_escaper.hpp: the codec under escape_controls: UTF-8 to UTF-8 that moves no cursor and forges no line.
#ifndef UTFILTER_CONTROL_ESCAPER_HPP
#define UTFILTER_CONTROL_ESCAPER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

/// Writes what controls a terminal or reorders a line as visible ASCII, and passes all other characters on:
///
///     \xHH      the ASCII controls U+0000..U+001F and U+007F, but not tab, line feed and the carriage return of CR LF
///     \u{HHHH}  the C1 controls U+0080..U+009F; U+2028 and U+2029, which end a line; the twelve characters of
///               Unicode's Bidi_Control: U+061C, U+200E, U+200F, U+202A..U+202E, U+2066..U+2069
///
/// A backslash in the text stays as it is, so that this cannot be undone (as for on_error::escape). An initial U+FEFF
/// is a character. Ill-formed UTF-8 is told as transcoder tells it, and repairs are escaped like text: whatever the
/// policy, none of these characters comes out. In a repair every carriage return is escaped.
///
/// ```cpp
/// utfilter::codec_scoped_filter safe(std::clog, utfilter::control_escaper());  // no byte moves a terminal's cursor
/// std::clog << "\x1B[2J" << '\n';                                             // \x1B[2J
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a value.
class control_escaper : public codec_base {
 public:
  /// What becomes of line feeds, and of the carriage returns before them. A text that is to be one line, as the message
  /// of a log record, has them escaped: `\x0A`.
  enum class line_feeds { pass, escape };

  /// Linear, as all of it.
  explicit control_escaper(line_feeds l = line_feeds::pass) noexcept : line_feeds_(l) {
    facts_.encoding = encoding::utf8;
    facts_.reads_utf8 = true;
  }

  /// Bytes: `\u{HHHH}`.
  static constexpr std::size_t min_output = 8;

  /// The rules are those of doc/codecs.md. A carriage return is carried until the byte behind it, or the end, decides;
  /// one that is passed is written together with its line feed. Linear in size.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// One scalar value by itself: its escape, or UTF-8.
  UTFILTER_API std::size_t encode(char32_t c, char* out) const noexcept;

 private:
  friend struct codec_state;  // the tests enumerate them

  std::size_t pass_harmless(const char* in, std::size_t size) noexcept;
  bool is_control(char32_t c) const noexcept;

  line_feeds line_feeds_;
  std::array<char, 4> carry_ = {};
  std::uint8_t carried_ = 0;  // bytes of carry_ in use: an unfinished sequence, or a carriage return
};

}  // namespace utfilter

#endif
