// advance.hpp: moves the position of a codec past text that a kernel has passed.
#ifndef UTFILTER_CODECS_ADVANCE_HPP
#define UTFILTER_CODECS_ADVANCE_HPP

#include "kernels/kernels.hpp"
#include "kernels/words.hpp"

#include <utfilter/error.hpp>

namespace utfilter::detail {

/// The last line of text that was converted to UTF-8, in which a line feed is one byte 0A. The UTF-8 has the same
/// characters, and a kernel counts them.
inline line_end last_line_by_utf8(const char* in, const char* utf8, const run& done) noexcept {
  // Errors are often at the end of a line: then the text after one begins with the only line feed.
  if (done.line_feeds == 1 && *in == '\n') return {done.consumed - 1, done.characters - 1};
  return {after_last_line_feed(in, done.consumed), kernels().utf8_last_line(utf8, done.produced).characters};
}

/// Moves the position past the text. Calls `last_line()`, which returns the line_end of the text, only if the text has a
/// line feed.
template <class LastLine>
void advance(text_position& at, const run& text, const LastLine& last_line) noexcept {
  if (text.line_feeds == 0) return at.pass_columns(text.characters, text.consumed);
  const line_end last = last_line();
  at.offset += text.consumed - last.bytes;
  at.pass_lines(text.line_feeds);
  at.pass_columns(last.characters, last.bytes);
}

}  // namespace utfilter::detail

#endif
