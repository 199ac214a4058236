// control_escaper.cpp: passes runs of harmless characters on, and writes the others as escapes.
#include <utfilter/control_escaper.hpp>
#include <utfilter/text_codec.hpp>

#include "codecs/cursor.hpp"
#include "codecs/escapes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace utfilter {

control_escaper::control_escaper(const printable_options& o) noexcept
    : text_walk(rewrite), options_(detail::complete(o)) {}

codec_progress control_escaper::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                          bool last) noexcept {
  return after_plain(in, size, out, room, last);
}

codec_progress control_escaper::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                          repairer& by) noexcept {
  return after_plain(in, size, out, room, last, by);
}

/// Passes the text at the start that is surely ASCII without line feeds and without anything to escape. The messages of
/// logs are often nothing else.
template <class... Repairer>
codec_progress control_escaper::after_plain(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                            Repairer&... by) noexcept {
  const std::size_t plain = carried_ == 0 ? detail::plain_prefix(in, std::min(size, room), options_) : 0;
  if (plain != 0) std::memcpy(out, in, plain);
  position_.pass_columns(plain, plain);
  const codec_progress rest = text_walk::transform(in + plain, size - plain, out + plain, room - plain, last, by...);
  return {plain + rest.consumed, plain + rest.produced, rest.status};
}

codec_progress control_escaper::insert(const char* in, std::size_t size, char* out, std::size_t room,
                                       bool last) noexcept {
  // If the source fails, a carriage return that waits is left out: nobody knows whether a line feed follows it.
  if (last) return {0, 0, codec_status::done};
  return text_walk::insert(in, size, out, room, last);
}

codec_progress control_escaper::rewrite(text_walk& walk, const text_piece& in, char* out, std::size_t room) noexcept {
  auto& self = static_cast<control_escaper&>(walk);
  const printable_options& options = self.options_;
  return detail::progress_of(in.text.data(), in.text.size(), out, room, [&](detail::cursor& at) noexcept {
    while (true) {
      const std::size_t harmless = detail::find_escaped(at.in, at.left(), options);
      const std::size_t n = text_piece{{at.in, harmless}}.fitting(at.room());
      at.write({at.in, n});
      at.in += n;
      if (n != harmless) return codec_status::need_output;
      if (at.left() == 0) return codec_status::need_input;

      const detail::sequence one =
          detail::decode_for_escapes(at.in, at.left(), in.next != text_piece::follows::unknown, options);
      if (one.what == detail::sequence::kind::incomplete) return codec_status::need_input;
      char escape[min_output];
      const std::size_t length = self.encode(one.value, escape);
      if (length > at.room()) return codec_status::need_output;
      at.write({escape, length});
      at.in += one.size;
      ++self.facts_.changes;
    }
  });
}

std::size_t control_escaper::encode(char32_t c, char* out) const noexcept {
  return detail::is_escaped(c, options_) ? detail::write_escape(c, options_.style, out) : encode_utf8(c, out);
}

}  // namespace utfilter
