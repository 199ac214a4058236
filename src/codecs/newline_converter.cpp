// newline_converter.cpp: passes text up to the next line end that changes, and writes that.
#include <utfilter/newline_converter.hpp>

#include "codecs/copy_until.hpp"
#include "codecs/text_codec.hpp"

#include <cstddef>
#include <string_view>

namespace utfilter {

namespace {

using detail::copied;

/// For copy_until: the next character C.
template <char C>
struct next_character {
  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept { return at != size && in[at] == C; }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept { return detail::equal(detail::load(in), C); }
#endif
};

/// The same: the next CR that no LF follows, or LF that no CR precedes. No LF follows a CR at the end of the text.
struct next_single {
  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (at == size) return false;
    return in[at] == '\n' ? at == 0 || in[at - 1] != '\r' : in[at] == '\r' && (at + 1 == size || in[at + 1] != '\n');
  }
#ifdef __GNUC__
  // The mark is at a single CR, but at the byte before a single LF.
  detail::bytes16 marks(const char* in) const noexcept {
    return detail::equal(detail::load(in), '\r') ^ detail::equal(detail::load(in + 1), '\n');
  }
#endif
};

/// Copies text up to the next line end that is of another kind.
copied copy(newline to, const char* in, std::size_t size, char* out, std::size_t room, bool is_rare) noexcept {
  switch (to) {
    case newline::lf: return detail::copy_until(next_character<'\r'>(), in, size, out, room, is_rare);
    case newline::crlf: return detail::copy_until(next_single(), in, size, out, room, is_rare);
    case newline::cr: break;
  }
  return detail::copy_until(next_character<'\n'>(), in, size, out, room, is_rare);
}

}  // namespace

codec_progress newline_converter::rewrite(const char* in, std::size_t size, follows, char* out,
                                          std::size_t room) noexcept {
  static constexpr std::string_view line_ends[] = {"\n", "\r\n", "\r"};
  const std::string_view line_end = line_ends[static_cast<int>(to_)];
  codec_progress done{0, 0, codec_status::need_input};
  const auto stop = [&](codec_status why) noexcept {
    done.status = why;
    return done;
  };
  while (true) {
    const char* const text = in + done.consumed;
    const std::size_t left = size - done.consumed, space = room - done.produced;
    if (left != 0 && *text == '\n' && after_return_) {
      ++done.consumed;
      after_return_ = false;
      facts_.changes += to_ == newline::cr;
      facts_.changes -= to_ == newline::crlf;  // the carriage return was counted as one without a line feed
      continue;
    }
    const auto [n, found] = copy(to_, text, left, out + done.produced, space, done.consumed == 0);
    if (n != 0) after_return_ = text[n - 1] == '\r';
    done.consumed += n;
    done.produced += n;
    if (!found) return stop(n == left ? codec_status::need_input : codec_status::need_output);
    if (after_return_ && text[n] == '\n') continue;
    if (line_end.size() > room - done.produced) return stop(codec_status::need_output);
    for (const char c : line_end) out[done.produced++] = c;
    after_return_ = text[n] == '\r';
    ++done.consumed;
    ++facts_.changes;
  }
}

}  // namespace utfilter
