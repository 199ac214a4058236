// advance.hpp: moves the position of a codec past text that a kernel has passed.
#ifndef UTFILTER_CODECS_ADVANCE_HPP
#define UTFILTER_CODECS_ADVANCE_HPP

#include "kernels/kernels.hpp"

#include <utfilter/error.hpp>

namespace utfilter::detail {

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
