// inspector.cpp: counts line ends and long lines in bulk, and decodes only where another finding may begin.
#include <utfilter/inspector.hpp>

#include "codecs/advance.hpp"
#include "unicode/bytes16.hpp"
#include "codecs/escapes.hpp"
#include "codecs/mojibake_group.hpp"
#include "codecs/mojibake_line.hpp"
#include "encodings/encoding_scheme.hpp"
#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/characters.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace utfilter {

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

/// Whether a character selects the form of another one.
bool selects_form(char32_t c) noexcept {
  return (c >= 0x180B && c <= 0x180F) || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x1BCA0 && c <= 0x1BCA3) ||
         (c >= 0x1D173 && c <= 0x1D17A) || c >= 0xE0080;
}

/// The kind of a character that counts by itself.
std::optional<finding> kind_of(char32_t c, bool after_non_ascii) noexcept {
  if (c < 0x20) {
    if (c == U'\t' || c == U'\n' || c == U'\r') return std::nullopt;
    return c == 0 ? finding::null : finding::c0_control;
  }
  if (c < 0x7F) return std::nullopt;
  if (c <= 0x9F) return finding::c1_control;
  if (c == 0xA0 || c == 0x202F) return finding::no_break_space;
  if (detail::is_bidi_control(c)) return finding::bidi_control;
  if (c == detail::bom_character) return finding::bom;
  if (c == 0xFFFD) return finding::replacement;
  if (c == 0x0A00 || c == 0x0D00 || c == 0x0A0D || c == 0x0D0A) return finding::shifted_utf16;
  if ((c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE) return finding::noncharacter;
  if ((c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000) return finding::private_use;
  if (c >= 0xE0000 && c <= 0xE007F) return finding::tag;
  if ((c == 0x200C || c == 0x200D) && after_non_ascii) return std::nullopt;
  if (contains(characters::invisible, c) && !selects_form(c)) return finding::invisible;
  return std::nullopt;
}

/// Whether a character of kind_of may begin with this character of well-formed text.
bool may_be_odd(const char* in) noexcept {
  const unsigned char lead = byte(in[0]);
  switch (lead) {
    case '\t':
    case '\n':
    case '\r': return false;
    case 0x7F:
    case 0xEE: return true;
    case 0xC2: return byte(in[1]) <= 0xA0 || byte(in[1]) == 0xAD;
    case 0xCD:
    case 0xD8: return byte(in[1]) == 0x8F || byte(in[1]) == 0x9C;
    case 0xE0: return byte(in[1]) == 0xA8 || byte(in[1]) == 0xB4;
    case 0xE1:
    case 0xE3: return byte(in[1]) == 0x85 || byte(in[1]) == 0x9E;
    case 0xE2: return byte(in[1]) <= 0x81;
    case 0xEF: return byte(in[1]) < 0xA4 || byte(in[1]) == 0xB7 || byte(in[1]) == 0xBB || byte(in[1]) >= 0xBE;
    default: return lead < 0x20 || lead >= 0xF3 || (lead >= 0xF0 && byte(in[2]) == 0xBF);
  }
}

using four_bytes = std::array<char, 4>;

bool is_flag(const four_bytes& c) noexcept { return c == four_bytes{'\xF0', '\x9F', '\x8F', '\xB4'}; }

/// Whether it is a tag after which a flag goes on: not U+E007F.
bool is_open_tag(const four_bytes& c) noexcept {
  if (c == four_bytes{'\xF3', '\xA0', '\x81', '\xBF'}) return false;
  return c[0] == '\xF3' && c[1] == '\xA0' && (c[2] == '\x80' || c[2] == '\x81');
}

/// The place after the next line end in some text; the size if it has none.
std::size_t after_line_end(const char* in, std::size_t size) noexcept {
  const char* const end = std::find_if(in, in + size, ends_line);
  return static_cast<std::size_t>(end - in) + (end != in + size);
}

bool has_non_ascii(const char* in, std::size_t size) noexcept {
  return detail::held_line::ascii_of({in, size}) != size;
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
    case finding::null_run: return "U+0000 in a row";
    case finding::null: return "U+0000";
    case finding::c0_control: return "control character of C0";
    case finding::c1_control: return "DEL or control character of C1";
    case finding::bidi_control: return "character that changes the direction of the text";
    case finding::open_bidi: return "line in which the text's direction stays changed";
    case finding::bom: return "U+FEFF inside the text";
    case finding::invisible: return "invisible character";
    case finding::tag: return "tag character";
    case finding::no_break_space: return "no-break space";
    case finding::private_use: return "private-use character";
    case finding::noncharacter: return "noncharacter";
    case finding::replacement: return "U+FFFD in the place of what was lost";
    case finding::replacement_mojibake: return "U+FFFD that was read wrong";
    case finding::mojibake: return "mojibake";
    case finding::shifted_utf16: return "line end of shifted or swapped UTF-16";
    case finding::two_encodings: return "line of two encodings";
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
    line_has_error_ = true;
    if (line_has_non_ascii_ && !line_is_counted_) note(finding::two_encodings, to);
    line_is_counted_ = line_has_non_ascii_;
    if (lengthen_line(error().size, 1)) note(finding::long_line, back(position(), line_bytes_, line_characters_));
  }
  if (done.status == codec_status::done) {
    end_run(to);
    close_bidi(to);
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

/// Passes U+0000 from a place on. Returns the place after them.
std::size_t inspector::pass_zeros(const piece& text, std::size_t at) noexcept {
  const std::size_t from = at;
  while (at != text.size && text.in[at] == '\0') ++at;
  const bool begins = zeros_ == 0, goes_on = at == text.size;
  zeros_ += at - from;
  if (begins && (goes_on || is_new(kind_of_zeros()))) zeros_at_ = text.place_of(from);
  if (!goes_on) end_zeros();
  // A long run is noticed where it becomes long: its end may be far away.
  if (goes_on && kind_of_zeros() != finding::null && (!at_start_ || kind_of_zeros() == finding::hole)) note_zeros();
  return at;
}

finding inspector::kind_of_zeros() const noexcept {
  constexpr std::uint64_t least_in_row = 16;
  if (at_start_ && zeros_ >= changes::skip_hole::least) return finding::hole;
  return zeros_ >= least_in_row ? finding::null_run : finding::null;
}

void inspector::note_zeros() noexcept {
  if (zeros_ != zeros_noted_) note(kind_of_zeros(), zeros_at_, zeros_ - zeros_noted_);
  zeros_noted_ = zeros_;
}

/// Counts U+0000 in a row, once something else follows them.
void inspector::end_zeros() noexcept {
  note_zeros();
  zeros_ = zeros_noted_ = 0;
  at_start_ = false;
}

/// Counts what waits for the next character: there is an error, or the end of the text.
void inspector::end_run(const text_position& at) noexcept {
  end_zeros();
  if (after_return_) note(finding::cr, back(at, 1, 1));
  after_return_ = false;
  last_ = {};
  hold_line({"", 0, at, at}, 0, true);
  line_.drop(0, "  ");
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

  const bool after_return = after_return_;
  if (after_return) note(text.in[0] == '\n' ? finding::crlf : finding::cr, back(text.from, 1, 1));
  after_return_ = text.in[text.size - 1] == '\r';
  if (text.in[0] != '\0') end_zeros();
  count_characters(text);
  count_line_ends(text, after_return);
  count_long_lines(text);
  find_mojibake(text);
  look_for_two_encodings(text);
  last_ = last_before(text, text.size);
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

/// The four bytes before a place.
std::array<char, 4> inspector::last_before(const piece& text, std::size_t at) const noexcept {
  four_bytes last = last_;
  const std::size_t n = std::min(at, last.size());
  std::rotate(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(n), last.end());
  std::copy_n(text.in + at - n, n, last.end() - static_cast<std::ptrdiff_t>(n));
  return last;
}

/// Passes a tag, which a flag may have (Unicode Technical Standard 51, ED-14a).
void inspector::pass_tag(const std::array<char, 4>& last) noexcept {
  constexpr std::uint8_t most = 7;
  const bool goes_on = flag_tags_ != 0 && flag_tags_ != most && is_open_tag(last);
  flag_tags_ = is_flag(last) ? 1 : goes_on ? static_cast<std::uint8_t>(flag_tags_ + 1) : 0;
}

/// Counts the other characters.
void inspector::count_characters(piece& text) noexcept {
  std::size_t looked = 0;  // for line ends
  const auto look_for_line_end = [&](std::size_t at) noexcept {
    if (bidi_depth_ != 0) {
      const char* const end = std::find_if(text.in + looked, text.in + at, ends_line);
      if (end != text.in + at)
        close_bidi(is_new(finding::open_bidi) ? text.place_of(static_cast<std::size_t>(end - text.in))
                                              : text_position());
    }
    looked = at;
  };
  for (std::size_t at = 0; (at = text.next_odd(at)) != text.size;) {
    if (text.in[at] == '\0') {
      at = pass_zeros(text, at);
      continue;
    }
    const sequence one = detail::first_character(text.in + at, text.size - at);
    const auto last = last_before(text, at);
    const auto kind = kind_of(one.value, byte(last.back()) >= 0x80);
    if (kind == finding::tag) pass_tag(last);
    if (kind && !(kind == finding::tag && flag_tags_ != 0)) {
      note(*kind, is_new(*kind) ? text.place_of(at) : text_position());
      if (*kind == finding::bidi_control) {
        look_for_line_end(at);
        count_bidi(one.value);
      }
    }
    at += one.size;
  }
  look_for_line_end(text.size);
}

/// Counts a change of the direction of the line, or takes one back (Unicode Standard Annex 9, rules X2 to X7).
void inspector::count_bidi(char32_t c) noexcept {
  constexpr std::uint8_t most = 64;  // of changes that are told apart
  const bool isolates = c >= 0x2066 && c <= 0x2068;
  if (isolates || c == 0x202A || c == 0x202B || c == 0x202D || c == 0x202E) {
    if (bidi_depth_ == most) return;
    bidi_isolates_ = bidi_isolates_ << 1 | std::uint64_t{isolates};
    ++bidi_depth_;
    return;
  }
  const auto take_back = [&]() noexcept {
    --bidi_depth_;
    bidi_isolates_ >>= 1;
  };
  if (c == 0x202C && bidi_depth_ != 0 && (bidi_isolates_ & 1) == 0) take_back();
  if (c == 0x2069 && bidi_isolates_ != 0) {  // takes back what the isolate has changed, too
    while ((bidi_isolates_ & 1) == 0) take_back();
    take_back();
  }
}

/// The line ends at a place.
void inspector::close_bidi(const text_position& at) noexcept {
  if (bidi_depth_ != 0) note(finding::open_bidi, at);
  bidi_depth_ = 0;
  bidi_isolates_ = 0;
}

//-------------------------------------------------------------------------------------------------------------- mojibake

/// Holds each line that may have mojibake, or that has not ended.
void inspector::find_mojibake(const piece& text) noexcept {
  std::size_t at = line_.size != 0 ? hold_line(text, 0, false) : 0;
  while (at != text.size) {
    // The line of the next characters that may be mojibake, or else the last line.
    const std::size_t odd = at + detail::before_mojibake(text.in + at, text.size - at);
    const std::size_t line = at + after_last_line_end(text.in + at, odd - at);
    const std::size_t ascii = detail::held_line::ascii_of({text.in + line, text.size - line});
    if (line + ascii != 0) line_.passed({text.in, line + ascii});
    at = hold_line(text, line + ascii, false);
  }
}

/// Holds the line that goes on at a place, up to its end, and decides about it. Returns the place after what it has held.
std::size_t inspector::hold_line(const piece& text, std::size_t at, bool stops) noexcept {
  using state = detail::held_line::state;
  std::ptrdiff_t begins = static_cast<std::ptrdiff_t>(at) - line_.size;
  while (true) {
    state now = state::goes_on;
    at += line_.take({text.in + at, text.size - at}, now);
    if (line_.size == 0 || (now == state::goes_on && !stops)) return at;
    const std::size_t held = line_.size;
    decide_about_line(text, begins, now == state::is_full);
    begins += static_cast<std::ptrdiff_t>(held - line_.size);
    if (now == state::ends || line_.size == 0) {
      if (now != state::is_full) return at;
      // After a part that ends with ASCII, the line goes on with ASCII that need not be held.
      const std::size_t ascii = detail::held_line::ascii_of({text.in + at, text.size - at});
      const std::size_t n = std::min(ascii, after_line_end(text.in + at, text.size - at));
      line_.passed({text.in + at, n});
      at += n;
      begins = static_cast<std::ptrdiff_t>(at);
      if (n != 0 && ends_line(text.in[at - 1])) return at;
    }
  }
}

/// Counts what the line, or if it is full, a part of it, has of mojibake.
void inspector::decide_about_line(const piece& text, std::ptrdiff_t begins, bool is_full) noexcept {
  const auto place_of = [&](std::size_t at) noexcept {
    const std::ptrdiff_t place = begins + static_cast<std::ptrdiff_t>(at);
    if (place >= 0) return text.place_of(static_cast<std::size_t>(place));
    return back(text.from, static_cast<std::uint64_t>(-place),
                characters_of(line_.bytes.data() + at, static_cast<std::size_t>(-place)));
  };
  detail::line_text was;
  const encoding read_as = line_.undo(is_full, was);
  const std::size_t size = was.from[was.size];
  const std::string_view line(line_.bytes.data(), line_.size);
  constexpr std::string_view as_windows1252 = "\u00EF\u00BF\u00BD", as_gbk = "\u951F\u65A4\u62F7";
  for (std::size_t at = 0; at != size; ++at) {
    if (line[at] != as_windows1252[0] && line[at] != as_gbk[0]) continue;
    const std::string_view rest = line.substr(at);
    if (rest.substr(0, as_windows1252.size()) != as_windows1252 && rest.substr(0, as_gbk.size()) != as_gbk) continue;
    const bool is_first = is_new(finding::replacement_mojibake);
    note(finding::replacement_mojibake, is_first ? place_of(at) : text_position());
  }
  for (std::size_t i = detail::line_text::context; read_as != encoding::detect && i != was.size; ++i) {
    const std::size_t from = was.from[i];
    const char32_t before = detail::first_character(line.data() + from, line.size() - from).value;
    const bool is_c1 = before <= 0x9F && was.from[i + 1] - from == 2;  // which is a kind of its own
    if (is_c1 || !was.is_changed(i, line.data())) continue;
    if (is_new(finding::mojibake)) found_.mojibake_read_as = read_as;
    note(finding::mojibake, is_new(finding::mojibake) ? place_of(from) : text_position());
  }
  char last[8];
  std::size_t n = 0;
  for (std::size_t i = was.size - 2; read_as != encoding::detect && i != was.size; ++i)
    n += encode_utf8(was.at[i], last + n);
  line_.drop(size, read_as != encoding::detect ? std::string_view(last, n) : line.substr(0, size));
}

/// Counts the lines that have ill-formed UTF-8 and characters beyond ASCII.
void inspector::look_for_two_encodings(const piece& text) noexcept {
  if (line_has_error_ && !line_is_counted_) {
    const std::size_t end = after_line_end(text.in, text.size), ascii = detail::held_line::ascii_of({text.in, end});
    if (ascii != end) {
      note(finding::two_encodings, is_new(finding::two_encodings) ? text.place_of(ascii) : text_position());
      line_is_counted_ = true;
    }
  }
  const std::size_t last = after_last_line_end(text.in, text.size);
  if (last != 0) line_has_error_ = line_is_counted_ = line_has_non_ascii_ = false;
  if (!line_has_non_ascii_) line_has_non_ascii_ = has_non_ascii(text.in + last, text.size - last);
}

}  // namespace utfilter
