// inspector.cpp: counts line ends and long lines in bulk, and decodes only where another finding may begin.
#include <utfilter/inspector.hpp>

#include "codecs/advance.hpp"
#include "unicode/bytes16.hpp"
#include "codecs/escapes.hpp"
#include "codecs/mojibake_group.hpp"
#include "encodings/encoding_scheme.hpp"
#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace utfilter {

using detail::group;
using detail::sequence;

/// Well-formed text that has passed.
struct inspector::piece {
  const char* in;
  std::size_t size;
  text_position from, to;       // the places before and after it
  std::size_t returns = 0;      // the carriage returns that next_odd has passed
  std::size_t before_feed = 0;  // those before a line feed of the text

  std::size_t next_odd(std::size_t at) noexcept;
  text_position place_of(std::size_t at) const noexcept {
    const detail::kernel_table& kernel = detail::kernels();
    text_position place = from;
    detail::advance(place, kernel.validate_utf8(in, at), [&] { return kernel.utf8_last_line(in, at); });
    return place;
  }
};

namespace {

unsigned char byte(char c) noexcept { return static_cast<unsigned char>(c); }

bool ends_line(char c) noexcept { return c == '\n' || c == '\r'; }

/// The place at which these bytes and characters begin, if they end at `at`. None of them may be a line feed.
text_position back(text_position at, std::uint64_t bytes, std::uint64_t characters) noexcept {
  at.offset -= bytes;
  at.column -= characters;
  return at;
}

std::size_t characters_of(const char* in, std::size_t size) noexcept {
  return detail::kernels().utf32_units_of_utf8(in, size);
}

/// The bytes in which count_long_lines looks for a line end first. Most lines are shorter.
constexpr std::size_t step_back = 192;

/// The place after the last line end in some text; 0 if it has none.
std::size_t after_last_line_end(const char* in, std::size_t size) noexcept {
#ifdef __GNUC__
  for (; size >= 16; size -= 16) {
    const detail::bytes16 v = detail::load(in + size - 16);
    const detail::bytes16 ends = detail::equal(v, '\n') | detail::equal(v, '\r');
    if (detail::any(ends)) return size - 16 + detail::after_last_of(ends);
  }
#endif
  while (size != 0 && !ends_line(in[size - 1])) --size;
  return size;
}

/// Whether a line ends in these bytes, which are `step_back`.
bool has_line_end(const char* in) noexcept {
#ifdef __GNUC__
  detail::bytes16 ends = {};
  for (std::size_t i = 0; i != step_back; i += 16) {
    const detail::bytes16 v = detail::load(in + i);
    ends |= detail::equal(v, '\n') | detail::equal(v, '\r');
  }
  return detail::any(ends);
#else
  return std::any_of(in, in + step_back, ends_line);
#endif
}

/// The kind of a character that counts by itself.
std::optional<finding> kind_of(char32_t c) noexcept {
  if (c < 0x20) {
    if (c == U'\t' || c == U'\n' || c == U'\r') return std::nullopt;
    return c == 0 ? finding::null : finding::c0_control;
  }
  if (c < 0x7F) return std::nullopt;
  if (c <= 0x9F) return finding::c1_control;
  if (detail::is_bidi_control(c)) return finding::bidi_control;
  if (c == detail::bom_character) return finding::bom;
  if (c == 0x0A00 || c == 0x0D00 || c == 0x0A0D || c == 0x0D0A) return finding::shifted_utf16;
  if ((c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE) return finding::noncharacter;
  if ((c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000) return finding::private_use;
  return std::nullopt;
}

/// Whether a character of kind_of, or a group of mojibake, may begin with this character of well-formed text.
bool may_be_odd(const char* in) noexcept {
  switch (const unsigned char lead = byte(in[0])) {
    case '\t':
    case '\n':
    case '\r': return false;
    case 0x7F:
    case 0xC3:  // all that windows-1252 makes of the first byte of a character
    case 0xEE: return true;
    case 0xC2: return byte(in[1]) < 0xA0;
    case 0xD8: return byte(in[1]) == 0x9C;
    case 0xE0: return byte(in[1]) == 0xA8 || byte(in[1]) == 0xB4;
    case 0xE2: return byte(in[1]) <= 0x81;
    case 0xEF: return byte(in[1]) < 0xA4 || byte(in[1]) == 0xB7 || byte(in[1]) == 0xBB || byte(in[1]) == 0xBF;
    default: return lead < 0x20 || lead >= 0xF3 || (lead >= 0xF0 && byte(in[2]) == 0xBF);
  }
}

/// Whether a group may begin with this character of well-formed text: its next character must be one that windows-1252
/// makes of 80..BF. These begin with C2, C5, C6, CB and E2.
bool may_begin_group(const char* in, std::size_t size) noexcept {
  if (byte(in[0]) != 0xC3) return false;
  if (size == 2) return true;
  const unsigned char next = byte(in[2]);
  return next == 0xC2 || next == 0xC5 || next == 0xC6 || next == 0xCB || next == 0xE2;
}

}  // namespace

const char* to_string(finding f) noexcept {
  switch (f) {
    case finding::lf: return "line end LF";
    case finding::crlf: return "line end CR LF";
    case finding::cr: return "line end CR";
    case finding::unfinished_line: return "last line without its end";
    case finding::long_line: return "line of more than 1,000 characters";
    case finding::hole: return "U+0000 of a hole at the start";
    case finding::null: return "U+0000";
    case finding::c0_control: return "control character of C0";
    case finding::c1_control: return "DEL or control character of C1";
    case finding::bidi_control: return "character that changes the direction of the text";
    case finding::bom: return "U+FEFF inside the text";
    case finding::private_use: return "private-use character";
    case finding::noncharacter: return "noncharacter";
    case finding::mojibake: return "mojibake";
    case finding::shifted_utf16: return "line end of shifted or swapped UTF-16";
  }
  return "";
}

/// The place of the next character that must be decoded, from a place on; the size if there is none.
std::size_t inspector::piece::next_odd(std::size_t at) noexcept {
  if (const auto usual_text = detail::kernels().usual_text; usual_text != nullptr) {
    const detail::usual_run passed = usual_text(in + at, size - at);
    returns += passed.returns;
    before_feed += passed.before_feed;
    return at + passed.bytes;
  }
  for (; at != size; ++at) {
    if (in[at] == '\r') {
      ++returns;
      before_feed += at + 1 != size && in[at + 1] == '\n';
    } else if (!detail::is_continuation(byte(in[at])) && may_be_odd(in + at)) {
      break;
    }
  }
  return at;
}

codec_progress inspector::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  const text_position from = position();
  const codec_progress done = input_.transform(in, size, out, room, last);
  const bool is_error = done.status == codec_status::malformed;
  const text_position to = is_error ? text_position(error()) : position();
  look_at({out, done.produced, from, to});
  if (is_error) {
    end_run(to);
    if (lengthen_line(error().size, 1)) note(finding::long_line, back(position(), line_bytes_, line_characters_));
  }
  if (done.status == codec_status::done) {
    end_run(to);
    if (line_bytes_ != 0 && is_new(finding::unfinished_line)) note(finding::unfinished_line, to);
  }
  return done;
}

std::size_t inspector::check(const char* in, std::size_t size) noexcept {
  constexpr std::size_t most = 16384;  // bytes that are still in the cache when they are read again
  std::size_t passed = 0;
  while (passed != size) {
    const text_position from = position();
    const std::size_t n = input_.check(in + passed, std::min(size - passed, most));
    if (n == 0) break;
    look_at({in + passed, n, from, position()});
    passed += n;
  }
  return passed;
}

void inspector::note(finding f, const text_position& at, std::uint64_t count) noexcept {
  finding_count& found = found_.counts[static_cast<std::size_t>(f)];
  if (found.count == 0) found.first = at;
  found.count += count;
}

/// Counts the U+0000 at the start, once something else follows them.
void inspector::note_zeros() noexcept {
  at_start_ = false;
  if (zeros_ != 0) note(zeros_ >= changes::skip_hole::least ? finding::hole : finding::null, {}, zeros_);
}

/// Counts what waits for the next character: there is an error, or the end of the text.
void inspector::end_run(const text_position& at) noexcept {
  if (at_start_) note_zeros();
  if (after_return_) note(finding::cr, back(at, 1, 1));
  after_return_ = false;
  finish_groups(nullptr, 0, at, false);
  before_ = 0;
}

void inspector::look_at(piece text) noexcept {
  using detail::utf8_bom;
  if (text.from.offset == 0 && std::string_view(text.in, text.size).substr(0, utf8_bom.size()) == utf8_bom) {
    text.in += utf8_bom.size();
    text.size -= utf8_bom.size();
    text.from.offset = utf8_bom.size();
    at_start_ = false;
  }
  if (text.size == 0) return;

  std::size_t zeros = 0;
  if (at_start_) {
    while (zeros != text.size && text.in[zeros] == '\0') ++zeros;
    zeros_ += zeros;
    if (zeros != text.size) note_zeros();
  }
  const bool after_return = after_return_;
  if (after_return) note(text.in[0] == '\n' ? finding::crlf : finding::cr, back(text.from, 1, 1));
  after_return_ = text.in[text.size - 1] == '\r';
  count_characters(text, zeros, finish_groups(text.in, text.size, text.from, true));
  count_line_ends(text, after_return);
  count_long_lines(text);
}

/// Counts the line ends, except a carriage return at the end of the text. `after_return` says that a carriage return,
/// which has been counted, precedes the text. Call count_characters first: it finds the carriage returns.
void inspector::count_line_ends(const piece& text, bool after_return) noexcept {
  const char* const in = text.in;
  const bool begins_with_feed = after_return && *in == '\n';
  const auto count = [&](finding f, std::uint64_t n, auto is_first) noexcept {
    text_position first;
    if (n != 0 && is_new(f)) {
      std::size_t at = 0;
      while (!is_first(at)) ++at;
      first = text.place_of(at);
    }
    note(f, first, n);
  };
  count(finding::crlf, text.before_feed, [&](std::size_t at) noexcept { return in[at] == '\r' && in[at + 1] == '\n'; });
  count(finding::cr, text.returns - text.before_feed - after_return_,
        [&](std::size_t at) noexcept { return in[at] == '\r' && in[at + 1] != '\n'; });
  count(finding::lf, text.to.line - text.from.line - text.before_feed - begins_with_feed,
        [&](std::size_t at) noexcept { return in[at] == '\n' && (at == 0 ? !begins_with_feed : in[at - 1] != '\r'); });
}

/// Returns whether the line becomes too long by this.
bool inspector::lengthen_line(std::size_t bytes, std::size_t characters) noexcept {
  const bool was_long = line_characters_ > longest_line;
  line_bytes_ += bytes;
  line_characters_ += characters;
  return !was_long && line_characters_ > longest_line;
}

/// Goes forward from the start of a line by as many bytes as it may have characters, and looks back for a line end:
/// most lines end within these bytes, so none of their characters is counted.
void inspector::count_long_lines(const piece& text) noexcept {
  std::size_t start = 0;
  const auto begin_line = [&](std::size_t at) noexcept {
    start = at;
    line_bytes_ = line_characters_ = 0;
  };
  while (start != text.size) {
    if (line_characters_ > longest_line) {
      const char* const end = std::find_if(text.in + start, text.in + text.size, ends_line);
      const auto at = static_cast<std::size_t>(end - text.in);
      line_bytes_ += at - start;
      if (at == text.size) return;
      begin_line(at + 1);
      continue;
    }
    const auto more = static_cast<std::size_t>(longest_line + 1 - line_characters_);
    std::size_t n = std::min(more, text.size - start);
    if (n == more && n >= step_back && has_line_end(text.in + start + n - step_back)) {
      // Begins the line too early. So the next line end is found here at the latest, and then the line begins there.
      begin_line(start + n - step_back);
      continue;
    }
    while (start + n != text.size && detail::is_continuation(byte(text.in[start + n]))) ++n;
    if (const std::size_t next = after_last_line_end(text.in + start, n); next != 0) {
      begin_line(start + next);
      continue;
    }
    const bool is_long = lengthen_line(n, characters_of(text.in + start, n));
    start += n;
    if (is_long) note(finding::long_line, back(text.place_of(start), line_bytes_, line_characters_));
  }
}

/// Counts the other characters from `at` on, and the groups of mojibake from `groups_from` on.
void inspector::count_characters(piece& text, std::size_t at, std::size_t groups_from) noexcept {
  const detail::encoding_scheme& read_as = detail::windows1252_scheme;
  while ((at = text.next_odd(at)) != text.size) {
    const char* const in = text.in + at;
    const std::size_t left = text.size - at;
    if (at >= groups_from && may_begin_group(in, left)) {
      if (at != groups_from) before_ = detail::last_character(text.in, at);
      const group found = detail::first_group({read_as, in, left, true, before_});
      if (found.what == group::kind::found) {
        note(finding::mojibake, is_new(finding::mojibake) ? text.place_of(at) : text_position());
        groups_from = at + found.size;
        before_ = 0;
      } else if (found.what == group::kind::waits) {
        std::memcpy(group_.data(), in, left);
        waiting_ = static_cast<std::uint8_t>(left);
        groups_from = text.size;
      }
    }
    const sequence one = detail::first_character(in, left);
    if (const auto kind = kind_of(one.value)) note(*kind, is_new(*kind) ? text.place_of(at) : text_position());
    at += one.size;
  }
  if (groups_from < text.size) before_ = detail::last_character(text.in, text.size);
}

/// Decides about the group that waits, with the text that follows it at a place. Returns the size of its part in that
/// text.
std::size_t inspector::finish_groups(const char* in, std::size_t size, const text_position& at,
                                     bool may_go_on) noexcept {
  if (waiting_ == 0) return 0;
  constexpr std::size_t enough = 40;  // bytes
  char text[sizeof group_ + enough];
  const std::size_t waited = waiting_, n = text_piece{{in, size}}.fitting(enough), known = waited + n;
  std::copy_n(group_.begin(), waited, text);
  std::copy_n(in, n, text + waited);
  waiting_ = 0;
  std::size_t next = 0;
  while (next < waited) {
    const group found =
        detail::first_group({detail::windows1252_scheme, text + next, known - next, may_go_on, before_});
    if (found.what == group::kind::waits) {
      std::copy(text + next, text + known, group_.begin());
      waiting_ = static_cast<std::uint8_t>(known - next);
      return size;
    }
    if (found.what == group::kind::found) {
      note(finding::mojibake, back(at, waited - next, characters_of(text + next, waited - next)));
      next += found.size;
      before_ = 0;
    } else {
      const sequence one = detail::first_character(text + next, known - next);
      next += one.size;
      before_ = one.value;
    }
  }
  return next - waited;
}

}  // namespace utfilter
