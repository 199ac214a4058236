// changes.cpp: the changes of changes.hpp but undo_mojibake. Each passes text up to the next place that it changes.
#include <utfilter/changes.hpp>

#include "codecs/copy_until.hpp"
#include "codecs/escapes.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

/// The largest gap between two leads divides the ranges: so most text that has no character of the set is passed at once.
utfilter::detail::character_search::character_search(characters of) noexcept
    : set(of), leads(leads_of(of)), low{0xFF, 0xFF}, high{0, 0} {
  int before = -1, largest = -1;
  for (int i = 0; i != 64; ++i) {
    if ((leads >> i & 1) == 0) continue;
    const auto lead = static_cast<std::uint8_t>(0xC0 + i);
    if (before < 0) {
      low[0] = high[0] = lead;
    } else if (i - before > largest) {
      // Everything so far is one range, and what comes now the other one.
      if (low[1] <= high[1]) high[0] = high[1];
      low[1] = high[1] = lead;
      largest = i - before;
    } else {
      high[1] = lead;
    }
    before = i;
  }
}

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

//---------------------------------------------------------------------------------------------------- sets of characters

namespace {

/// For copy_until: the next character of the set.
struct next_of {
  const detail::character_search& search;

  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (at == size) return false;
    const auto c = static_cast<unsigned char>(in[at]);
    if (c < 0x80) return (c < 0x20 || c == 0x7F) && contains(search.set, c);
    if (c < 0xC0 || (search.leads >> (c - 0xC0) & 1) == 0) return false;
    return contains(search.set, detail::first_character(in + at, size - at).value);
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept {
    using detail::between;
    using detail::equal;
    const detail::bytes16 v = detail::load(in);
    const detail::bytes16 c0 = equal(v & 0xE0, 0) & ~(equal(v, '\t') | equal(v, '\n') | equal(v, '\r'));
    return c0 | equal(v, 0x7F) | between(v, search.low[0], search.high[0]) | between(v, search.low[1], search.high[1]);
  }
#endif
};

/// The same for characters::controls, which many texts have their neighbours of.
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

/// Copies text up to the next character of the set. Returns whether there is one.
bool copy(const detail::character_search& search, cursor& at, bool is_rare) noexcept {
  if (search.set == characters::controls) return detail::copy_until(next_control(), at, is_rare);
  return detail::copy_until(next_of{search}, at, is_rare);
}

using detail::escape_part;

/// What follows the character with which an escape sequence of a terminal begins (ECMA-48, section 5.4 and 8.3).
escape_part part_after(char32_t c) noexcept {
  switch (c) {
    case 0x1B: return escape_part::escape;
    case 0x9B: return escape_part::control;
    case 0x8E:
    case 0x8F: return escape_part::shift;
    default: return escape_part::string;
  }
}

bool is_between(unsigned char c, unsigned char first, unsigned char last) noexcept { return c >= first && c <= last; }

/// Passes the next byte of an escape sequence. Returns false if it is not a part of the sequence, which has ended before.
/// Counts another sequence that begins in the middle of this one.
bool pass(escape_part& part, unsigned char c, std::uint64_t& sequences) noexcept {
  const auto goes_on = [&](escape_part next) noexcept {
    part = next;
    return true;
  };
  switch (part) {
    case escape_part::string_escape:
      if (c == '\\') return goes_on(escape_part::none);
      ++sequences;  // the string has no end
      [[fallthrough]];
    case escape_part::escape:
      if (c == '[') return goes_on(escape_part::control);
      if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') return goes_on(escape_part::string);
      if (c == 'N' || c == 'O') return goes_on(escape_part::shift);
      [[fallthrough]];
    case escape_part::intermediate:
      if (is_between(c, 0x20, 0x2F)) return goes_on(escape_part::intermediate);
      if (is_between(c, 0x30, 0x7E)) return goes_on(escape_part::none);
      break;
    case escape_part::control:
      if (is_between(c, 0x20, 0x3F)) return true;
      if (is_between(c, 0x40, 0x7E)) return goes_on(escape_part::none);
      break;
    case escape_part::string:
      if (c == 0x07) return goes_on(escape_part::none);
      if (c == 0x1B) return goes_on(escape_part::string_escape);
      if (c != '\n' && c != '\r' && c != 0x18 && c != 0x1A) return true;  // CAN and SUB cancel it
      break;
    case escape_part::shift:
      if (is_between(c, 0x20, 0x7E)) return goes_on(escape_part::none);
      break;
    case escape_part::none: break;
  }
  part = escape_part::none;
  return false;
}

/// Passes the rest of an escape sequence, as far as the text has it.
void pass_sequence(escape_part& part, cursor& at, std::uint64_t& sequences) noexcept {
  while (part != escape_part::none && at.left() != 0) {
    const auto c = static_cast<unsigned char>(*at.in);
    const std::size_t n = detail::length_by_lead(c);
    if (n == 1 && !pass(part, c, sequences)) return;
    if (n > 1 && part != escape_part::string) {  // only control strings have characters beyond ASCII
      sequences += part == escape_part::string_escape;
      part = escape_part::none;
      return;
    }
    if (c == 0xC2 && at.in[1] == '\x9C') part = escape_part::none;  // the end of a string
    at.in += n;
  }
}

}  // namespace

codec_progress remove_characters::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  cursor at = cursor_in(in, out, room);
  while (true) {
    pass_sequence(part_, at, facts.changes);
    if (!copy(search_, at, at.in == in.text.data())) break;
    const detail::sequence found = detail::first_character(at.in, at.left());
    at.in += found.size;
    ++facts.changes;
    const bool begins = (search_.set & characters::ansi) != characters::none && contains(characters::ansi, found.value);
    if (begins) part_ = part_after(found.value);
  }
  if (in.next == text_piece::follows::nothing && at.left() == 0) {
    facts.changes += part_ == escape_part::string_escape;
    part_ = escape_part::none;
  }
  return progress(in, at, out);
}

codec_progress reject_characters::operator()(text_piece in, char* out, std::size_t room, text_facts&) noexcept {
  cursor at = cursor_in(in, out, room);
  const bool found = copy(search_, at, true);
  codec_progress done = progress(in, at, out);
  if (found) done.status = codec_status::malformed;
  return done;
}

codec_progress escape_characters::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  cursor at = cursor_in(in, out, room);
  while (copy(search_, at, at.in == in.text.data())) {
    const detail::sequence found = detail::first_character(at.in, at.left());
    char escape[detail::longest_escape];
    const std::size_t size = detail::write_escape(found.value, style_, escape);
    if (size > at.room()) break;
    at.write({escape, size});
    at.in += found.size;
    ++facts.changes;
  }
  return progress(in, at, out);
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
