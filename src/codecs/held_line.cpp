// held_line.cpp: passes text that cannot be mojibake, and keeps lines that may be.
#include <utfilter/detail/held_line.hpp>

#include "codecs/mojibake_line.hpp"
#include "unicode/bytes16.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/text_codec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {
namespace {

unsigned char byte(const char* in) noexcept { return static_cast<unsigned char>(*in); }

/// The bytes of the character before a place of well-formed text.
std::size_t size_before(const char* in) noexcept {
  std::size_t size = 1;
  while (is_continuation(byte(in - size))) ++size;
  return size;
}

/// Whether a character of well-formed text may be part of mojibake, or end it. `before` has at least so many bytes before it.
bool may_be_mojibake(const char* in, std::size_t before, std::size_t left) noexcept {
  const unsigned char lead = byte(in);
  if (lead < 0xC2) return false;
  if (lead == 0xC2 && byte(in + 1) < 0xA0) return true;                               // a control character of C1
  if (lead == 0xC3 && byte(in + 1) == 0x83 && left > 2 && in[2] == ' ') return true;  // Ã, of an à
  if (lead == 0xE9 && byte(in + 1) == 0x94 && byte(in + 2) == 0x9F) return true;  // of three ideographs, see inspector
  if (before == 0 || byte(in - 1) < 0x80) return false;
  if (lead == 0xC2 && byte(in + 1) == 0xBF && byte(in - 1) == 0xAF && byte(in - 2) == 0xC3)
    return true;  // U+FFFD, as well

  const std::size_t size = size_before(in);
  return may_begin_mojibake({in - before, before - size}, {in - size, left + size});
}

}  // namespace

std::size_t before_mojibake(const char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  while (at != size) {
#ifdef __GNUC__
    constexpr std::size_t before = 4, after = 2, block = 16;
    while (at >= before && size - at >= block + after) {
      const char* const here = in + at;
      const bytes16 lead = load(here), second = load(here + 1), third = load(here + 2);
      if (!any_highest_bit(lead)) {
        at += block;
        continue;
      }
      // Other characters are no continuation bytes, or no lead bytes, in any of the encodings.
      const bytes16 two = load(here - 2), three = load(here - 3);
      const bytes16 may_continue =
          between(lead, 0xC2, 0xC6) | equal(lead, 0xCB) | between(lead, 0xCE, 0xD2) | equal(lead, 0xE2);
      const bytes16 are_cyrillic = between(two, 0xD0, 0xD1) & ((equal(lead, 0xD0) & between(second, 0x90, 0xBF)) |
                                                               (equal(lead, 0xD1) & between(second, 0x80, 0x8F)));
      const bytes16 are_greek = between(lead, 0xCE, 0xCF) & between(two, 0xCE, 0xCF);
      const bytes16 no_lead =
          equal(three, 0xE0) | equal(three, 0xE1) | between(three, 0xE3, 0xED) | between(two, 0xD2, 0xDF);
      const bytes16 follow = may_continue & between(load(here - 1), 0x80, 0xBF) & ~(are_cyrillic | are_greek | no_lead);
      const bytes16 alone = (equal(lead, 0xC2) & between(second, 0x80, 0x9F)) |
                            (equal(lead, 0xC3) & equal(second, 0x83) & equal(third, ' ')) |
                            (equal(lead, 0xE9) & equal(second, 0x94) & equal(third, 0x9F));
      const bytes16 odd = follow | alone;
      if (any(odd)) {
        at += first_of(odd);
        break;
      }
      at += block;
    }
    if (at == size) break;
#endif
    if (may_be_mojibake(in + at, at, size - at)) return at;
    ++at;
  }
  return size;
}

//------------------------------------------------------------------------------------------------------------ held lines

std::size_t held_line::ascii_of(std::string_view text) noexcept {
  std::size_t n = 0;
#ifdef __GNUC__
  while (text.size() - n >= 16 && !any_highest_bit(load(text.data() + n))) n += 16;
#endif
  while (n != text.size() && static_cast<unsigned char>(text[n]) < 0x80) ++n;
  return n;
}

std::size_t held_line::take(std::string_view text, state& now) noexcept {
  const std::size_t room = text_piece{text}.fitting(most - size);
  const auto ends = [](char c) noexcept { return c == '\n' || c == '\r'; };
  const auto n = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), ends) - text.begin());
  const std::size_t taken = std::min(n, room);
  std::copy_n(text.begin(), taken, bytes.begin() + size);
  size = static_cast<std::uint16_t>(size + taken);
  now = taken != n ? state::is_full : n != text.size() ? state::ends : state::goes_on;
  return taken;
}

encoding held_line::undo(bool is_full, line_text& to) const noexcept {
  // A full line is divided after ASCII, which is in no cluster.
  std::size_t n = size;
  while (is_full && n > most / 2 && static_cast<unsigned char>(bytes[n - 1]) >= 0x80) --n;
  const bool has_no_place = is_full && n <= most / 2;
  if (has_no_place) n = size;

  to.size = 0;
  for (const char32_t c : before) to.add(c, 0);
  if (before_mojibake(bytes.data(), n) == n) {
    to.from[to.size] = static_cast<std::uint16_t>(n);
    return encoding::detect;
  }
  for (std::size_t at = 0; at != n;) {
    const sequence one = first_character(&bytes[at], n - at);
    to.add(one.value, static_cast<std::uint16_t>(at));
    at += one.size;
  }
  to.from[to.size] = static_cast<std::uint16_t>(n);
  const encoding read_as = undo_mojibake_of(to);

  // Or else after a character that has come back, before those that the next ones may belong to.
  constexpr std::size_t longest_group = 200;  // bytes: of a character that was read wrong three times
  while (has_no_place && to.size > line_text::context + 1 && to.from[to.size] + longest_group > n) --to.size;
  return read_as;
}

void held_line::drop(std::size_t n, std::string_view became) noexcept {
  std::size_t at = became.size();
  for (int i = 0; i != 2 && at != 0; ++i) do
      --at;
    while (is_continuation(static_cast<unsigned char>(became[at])));
  while (at != became.size()) {
    const sequence one = first_character(became.data() + at, became.size() - at);
    before[0] = before[1];
    before[1] = one.value;
    at += one.size;
  }
  size = static_cast<std::uint16_t>(size - n);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(n), size, bytes.begin());
}

}  // namespace utfilter::detail
