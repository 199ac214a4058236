// undo_mojibake.cpp: passes text up to the next characters whose bytes are UTF-8, and writes what they stand for.
#include <utfilter/changes.hpp>

#include "codecs/copy_until.hpp"
#include "codecs/mojibake_group.hpp"
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

undo_mojibake::undo_mojibake(encoding read_as) noexcept {
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
  if (read_as_ != nullptr) return nullptr;
  return "utfilter::undo_mojibake: mojibake is UTF-8 that was read in an encoding of one byte per character";
}

codec_progress undo_mojibake::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
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

}  // namespace utfilter::changes
