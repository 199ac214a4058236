// changes.cpp: the changes of changes.hpp but undo_mojibake. Each passes text up to the next place that it changes.
#include <utfilter/changes.hpp>

#include "codecs/copy_until.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace utfilter::changes {

using detail::cursor;

namespace {

cursor cursor_in(const text_piece& in, char* out, std::size_t room) noexcept {
  return {in.text.data(), in.text.size(), out, room};
}
codec_progress progress(const text_piece& in, const cursor& at, const char* out) noexcept {
  return in.progress(in.text.size() - at.left(), static_cast<std::size_t>(at.out - out));
}

}  // namespace

//------------------------------------------------------------------------------------------------------------- line ends

namespace {

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

/// Copies text up to the next line end that is of another kind. Returns whether there is one.
bool copy(newline to, cursor& at, bool is_rare) noexcept {
  switch (to) {
    case newline::lf: return detail::copy_until(next_character<'\r'>(), at, is_rare);
    case newline::crlf: return detail::copy_until(next_single(), at, is_rare);
    case newline::cr: break;
  }
  return detail::copy_until(next_character<'\n'>(), at, is_rare);
}

}  // namespace

codec_progress convert_newlines::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  static constexpr std::string_view line_ends[] = {"\n", "\r\n", "\r"};
  const std::string_view line_end = line_ends[static_cast<int>(to_)];
  cursor at = cursor_in(in, out, room);
  while (true) {
    if (at.left() != 0 && *at.in == '\n' && after_return_) {
      ++at.in;
      after_return_ = false;
      facts.changes += to_ == newline::cr;
      facts.changes -= to_ == newline::crlf;  // the carriage return was counted as one without a line feed
      continue;
    }
    const char* const from = at.in;
    const bool found = copy(to_, at, from == in.text.data());
    if (at.in != from) after_return_ = at.in[-1] == '\r';
    if (!found) break;
    if (after_return_ && *at.in == '\n') continue;
    if (line_end.size() > at.room()) break;
    at.write(line_end);
    after_return_ = *at.in++ == '\r';
    ++facts.changes;
  }
  return progress(in, at, out);
}

//---------------------------------------------------------------------------------------------------- control characters

namespace {

/// For copy_until: the next control character but tab, line feed and carriage return.
struct next_control {
  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (at == size) return false;
    const auto c = static_cast<unsigned char>(in[at]);
    if (c == 0xC2) return static_cast<unsigned char>(in[at + 1]) < 0xA0;
    return c < 0x20 ? c != '\t' && c != '\n' && c != '\r' : c == 0x7F;
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept {
    using detail::equal;
    const detail::bytes16 v = detail::load(in), next = detail::load(in + 1);
    const detail::bytes16 c0 = equal(v & 0xE0, 0) & ~(equal(v, '\t') | equal(v, '\n') | equal(v, '\r'));
    return c0 | equal(v, 0x7F) | (equal(v, 0xC2) & equal(next & 0xE0, 0x80));
  }
#endif
};

}  // namespace

codec_progress remove_controls::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  cursor at = cursor_in(in, out, room);
  while (detail::copy_until(next_control(), at, at.in == in.text.data())) {
    at.in += *at.in == '\xC2' ? 2 : 1;
    ++facts.changes;
  }
  return progress(in, at, out);
}

codec_progress reject_controls::operator()(text_piece in, char* out, std::size_t room, text_facts&) noexcept {
  cursor at = cursor_in(in, out, room);
  const bool found = detail::copy_until(next_control(), at, true);
  codec_progress done = progress(in, at, out);
  if (found) done.status = codec_status::malformed;
  return done;
}

//------------------------------------------------------------------------------------------------------ byte order marks

namespace {

bool ends_line(char c) noexcept { return c == '\n' || c == '\r'; }

/// For copy_until: the next U+FEFF at the start of a line.
struct next_bom {
  bool at_start;  // whether the text begins at the start of a line

  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (size - at < 3 || std::memcmp(in + at, detail::utf8_bom.data(), 3) != 0) return false;
    return at == 0 ? at_start : ends_line(in[at - 1]);
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept {
    using detail::equal;
    using detail::load;
    return equal(load(in), 0xEF) & equal(load(in + 1), 0xBB) & equal(load(in + 2), 0xBF);
  }
#endif
};

}  // namespace

codec_progress strip_boms::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  cursor at = cursor_in(in, out, room);
  while (true) {
    const char* const from = at.in;
    const bool found = detail::copy_until(next_bom{at_start_}, at, from == in.text.data());
    if (at.in != from) at_start_ = ends_line(at.in[-1]);
    if (!found) return progress(in, at, out);
    at.in += 3;
    ++facts.changes;
  }
}

//---------------------------------------------------------------------------------------------------------------- a hole

namespace {

/// The number of U+0000 at the start of the text.
std::size_t zeros_at(std::string_view text) noexcept {
  const std::size_t size = text.size();
  if (size != 0 && text[0] == '\0' && std::memcmp(text.data(), text.data() + 1, size - 1) == 0) return size;
  return std::min(text.find_first_not_of('\0'), size);
}

}  // namespace

codec_progress skip_hole::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  const std::size_t size = in.text.size();
  if (at_start_) {
    const std::size_t zeros = zeros_at(in.text);
    zeros_ += zeros;
    if (zeros_ >= least) facts.changes = zeros_;
    if (zeros == size && in.next != text_piece::follows::nothing) return {size, 0, codec_status::need_input};
    at_start_ = false;
    if (zeros_ >= least) zeros_ = 0;
    in.text.remove_prefix(zeros);
  }
  const std::size_t zeros = static_cast<std::size_t>(std::min<std::uint64_t>(zeros_, room));
  if (zeros != 0) std::memset(out, 0, zeros);
  zeros_ -= zeros;
  const std::size_t n = in.fitting(room - zeros);
  if (n != 0) std::memcpy(out + zeros, in.text.data(), n);
  in.text.remove_prefix(n);
  const bool is_whole = in.text.empty() && zeros_ == 0;
  return {size - in.text.size(), zeros + n, is_whole ? codec_status::need_input : codec_status::need_output};
}

}  // namespace utfilter::changes
