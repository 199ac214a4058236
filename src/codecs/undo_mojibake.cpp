// undo_mojibake.cpp: passes text up to the next characters whose bytes are UTF-8, and writes what they stand for; or holds
// each line until it is known how it was read.
#include <utfilter/changes.hpp>

#include "codecs/copy_until.hpp"
#include "codecs/mojibake_group.hpp"
#include "codecs/mojibake_line.hpp"
#include "encodings/encoding_scheme.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace utfilter::changes {

using detail::group;
using detail::sequence;

namespace {

/// For copy_until: the next group, or the start of one that waits.
struct next_group {
  const detail::encoding_scheme* read_as;
  bool may_go_on;
  char32_t before;            // the character before the text; 0 if there is none, or if that is the end of a group
  unsigned char first, last;  // the bytes with which a group begins
  group& found;

  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (at == size) return false;
    const auto lead = static_cast<unsigned char>(in[at]);
    if (lead < first || lead > last) return false;
    const std::size_t next = at + detail::length_by_lead(lead);
    if (next < size && static_cast<unsigned char>(in[next]) < 0x80) return false;  // the usual case: ASCII follows
    found = detail::first_group(
        {*read_as, in + at, size - at, may_go_on, at == 0 ? before : detail::last_character(in, at)});
    return found.what != group::kind::none;
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept {
    const detail::bytes16 may_begin = detail::between(detail::load(in), first, last);
    if (last >= 0xE0) return may_begin;  // the first character may have three bytes
    return may_begin & detail::between(detail::load(in + 2), 0x80, 0xFF);
  }
#endif
};

}  // namespace

undo_mojibake::undo_mojibake(encoding read_as) noexcept : guesses_(read_as == encoding::guess) {
  if (!is_single_byte(read_as)) return;
  read_as_ = detail::scheme_of(read_as);
  for (unsigned byte = detail::first_utf8_lead; byte <= detail::last_utf8_lead; ++byte) {
    const auto in = static_cast<unsigned char>(byte);
    const sequence one = read_as_->decode(&in, 1, true);
    char unit[4];
    if (one.what != sequence::kind::scalar || one.value < 0x80) continue;
    encode_utf8(one.value, unit);
    first_lead_ = std::min(first_lead_, static_cast<unsigned char>(*unit));
    last_lead_ = std::max(last_lead_, static_cast<unsigned char>(*unit));
  }
}

const char* undo_mojibake::why_not() const noexcept {
  if (read_as_ != nullptr || guesses_) return nullptr;
  return "utfilter::undo_mojibake: mojibake is UTF-8 that was read in an encoding of one byte per character";
}

codec_progress undo_mojibake::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  if (guesses_) return undo_lines(in, out, room, facts);
  return detail::progress_of(in.text.data(), in.text.size(), out, room, [&](detail::cursor& at) noexcept {
    group undone{group::kind::none};
    while (true) {
      const char* const from = at.in;
      const next_group wanted{read_as_, in.may_go_on(), before_, first_lead_, last_lead_, undone};
      const bool found = detail::copy_until(wanted, at, from == in.text.data());
      if (at.in != from) before_ = detail::last_character(from, static_cast<std::size_t>(at.in - from));
      if (at.left() == 0 && in.next == text_piece::follows::error) before_ = 0;
      if (!found) return at.left() == 0 ? codec_status::need_input : codec_status::need_output;
      if (undone.what == group::kind::waits) return codec_status::need_input;
      char unit[4];
      const std::size_t length = encode_utf8(undone.value, unit);
      if (length > at.room()) return codec_status::need_output;
      told_.offset = in.text.size() - at.left();
      told_.size = static_cast<std::uint8_t>(undone.size);
      told_.code_point = undone.value;
      at.write({unit, length});
      at.in += undone.size;
      before_ = 0;
      ++facts.changes;
      if (is_observed_) return codec_status::told;
    }
  });
}

codec_progress undo_mojibake::undo_lines(const text_piece& in, char* out, std::size_t room,
                                         text_facts& facts) noexcept {
  using state = detail::held_line::state;
  std::ptrdiff_t begins = -static_cast<std::ptrdiff_t>(line_.size);  // the place of the line in the piece
  return detail::progress_of(in.text.data(), in.text.size(), out, room, [&](detail::cursor& at) noexcept {
    const auto rest = [&]() noexcept { return std::string_view(at.in, at.left()); };
    while (true) {
      if (undone_.size != 0) {
        if (const codec_status why = give(at, begins, facts); why != codec_status::need_input) return why;
        begins += undone_.line_bytes;
        undone_.size = 0;
      }
      if (line_.size == 0) {
        const std::size_t ascii = detail::held_line::ascii_of(rest());
        const text_piece passing{{at.in, ascii}};
        const std::size_t n = passing.fitting(at.room());
        line_.passed({at.in, n});
        at.write({at.in, n});
        at.in += n;
        if (n != ascii) return codec_status::need_output;
        begins = at.in - in.text.data();
      }
      state now = state::goes_on;
      at.in += line_.take(rest(), now);
      const bool stops = !in.may_go_on() && at.left() == 0;
      if (line_.size == 0 || (now == state::goes_on && !stops)) {
        if (stops && in.next == text_piece::follows::error) line_.drop(0, "  ");
        if (at.left() == 0) return codec_status::need_input;
        continue;
      }
      decide(now == state::is_full);
      undone_.before_error = stops && in.next == text_piece::follows::error;
    }
  });
}

/// Finds out what the line was, or if it is full, a part of it.
void undo_mojibake::decide(bool is_full) noexcept {
  detail::line_text was;
  const encoding read_as = line_.undo(is_full, was);
  const std::uint16_t size = was.from[was.size];
  undone_.given = undone_.changes = undone_.told = 0;
  undone_.line_bytes = size;
  if (read_as == encoding::detect) {
    std::copy_n(line_.bytes.begin(), size, undone_.text.begin());
    undone_.size = size;
    return;
  }
  std::size_t written = 0;
  for (std::size_t i = detail::line_text::context; i != was.size; ++i) {
    const std::uint16_t from = was.from[i], bytes = static_cast<std::uint16_t>(was.from[i + 1] - from);
    if (was.is_changed(i, line_.bytes.data()))
      undone_.places[undone_.changes++] = {from, bytes, static_cast<std::uint16_t>(written)};
    written += encode_utf8(was.at[i], &undone_.text[written]);
  }
  undone_.size = static_cast<std::uint16_t>(written);
}

/// Writes what the line becomes.
codec_status undo_mojibake::give(detail::cursor& at, std::ptrdiff_t begins, text_facts& facts) noexcept {
  detail::undone_line& to = undone_;
  while (to.given != to.size) {
    // Up to the next change, or with it.
    const bool is_change = to.told != to.changes && to.given == to.places[to.told].to;
    std::size_t end = to.told != to.changes ? to.places[to.told].to : to.size;
    if (is_change) end += detail::length_by_lead(static_cast<unsigned char>(to.text[to.given]));
    const text_piece text{{&to.text[to.given], end - to.given}};
    const std::size_t n = text.fitting(at.room());
    at.write(text.text.substr(0, n));
    to.given = static_cast<std::uint16_t>(to.given + n);
    if (to.given != end) return codec_status::need_output;
    if (!is_change) continue;
    tell(begins, to.places[to.told++]);
    ++facts.changes;
    if (is_observed_) return codec_status::told;
  }
  line_.drop(to.line_bytes, to.before_error ? "  " : std::string_view(to.text.data(), to.size));
  return codec_status::need_input;
}

/// Notes a change for the observer. The line begins at a place of the piece, or before the piece.
void undo_mojibake::tell(std::ptrdiff_t begins, const detail::undone_line::place& change) noexcept {
  told_ = error_info();
  told_.size = static_cast<std::uint8_t>(std::min<std::size_t>(change.size, told_.bytes.size()));
  std::copy_n(line_.bytes.begin() + change.from, told_.size, told_.bytes.begin());
  told_.code_point = detail::first_character(&undone_.text[change.to], undone_.size - change.to).value;
  const std::ptrdiff_t place = begins + change.from;
  if (place >= 0) {
    told_.offset = static_cast<std::uint64_t>(place);
    return;
  }
  // Before the piece: by so many bytes and characters. See text_walk::note_of.
  told_.line = 0;
  told_.offset = static_cast<std::uint64_t>(-place);
  const char* const from = &line_.bytes[change.from];
  told_.column = static_cast<std::uint64_t>(std::count_if(
      from, from - place, [](char c) { return !detail::is_continuation(static_cast<unsigned char>(c)); }));
}

}  // namespace utfilter::changes
