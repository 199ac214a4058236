// mojibake_group.cpp: reads characters as the bytes that they were, once or twice.
#include "codecs/mojibake_group.hpp"

#include "encodings/encoding_scheme.hpp"
#include "unicode/utf8.hpp"

#include <cstddef>

namespace utfilter::detail {
namespace {

bool is_lead(int byte) noexcept {
  return byte >= static_cast<int>(first_utf8_lead) && byte <= static_cast<int>(last_utf8_lead);
}

/// The byte of a character in an encoding of one byte per character; -1 if it has none.
int byte_of(const encoding_scheme& read_as, char32_t c) noexcept {
  char byte[1];
  if (c > 0xFFFF) return -1;
  if (read_as.encode(c, byte) != 0) return static_cast<unsigned char>(*byte);
  return c >= 0x80 && c <= 0x9F ? static_cast<int>(c) : -1;
}

/// The character at a place: of the text itself, or if `Level` is more than 0, the one that the group there stands for.
template <int Level>
group read(const text_at& text, std::size_t at) noexcept {
  if constexpr (Level == 0) {
    if (at == text.size) return {text.may_go_on ? group::kind::waits : group::kind::none};
    const sequence one = first_character(text.in + at, text.size - at);
    return {group::kind::found, one.value, one.size};
  } else {
    group found{group::kind::found};
    unsigned char bytes[4];
    for (std::size_t n = 0; n != sizeof bytes;) {
      const group next = read<Level - 1>(text, at + found.size);
      if (next.what != group::kind::found) return next;
      const int byte = byte_of(text.read_as, next.value);
      if (byte < 0 || (n == 0 && !is_lead(byte))) break;
      bytes[n++] = static_cast<unsigned char>(byte);
      found.size += next.size;
      const sequence one = decode_utf8(bytes, n, false);
      if (one.what == sequence::kind::ill_formed) break;
      found.value = one.value;
      if (one.what == sequence::kind::scalar) return found;
    }
    return {group::kind::none};
  }
}

constexpr bool is_letter_or_digit(char32_t c) noexcept {
  return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
}

/// A dash, an ellipsis, a no-break space or a quotation mark: what often follows a word.
constexpr bool ends_word(char32_t c) noexcept {
  switch (c) {
    case 0x00A0:
    case 0x00AB:
    case 0x00BB:
    case 0x2013:
    case 0x2014:
    case 0x2018:
    case 0x2019:
    case 0x201C:
    case 0x201D:
    case 0x2026:
    case 0x2039:
    case 0x203A: return true;
    default: return false;
  }
}

/// Whether a word of right text may have this character before its last letter, which is beyond ASCII and begins a group.
constexpr bool may_precede(char32_t before, char32_t letter, bool is_pair) noexcept {
  if (before == 0xFEFF || before == 0xFFFD) return false;
  if (before >= 0x80) return true;  // in text that was read wrong, it would be part of a group
  if (before >= U'A' && before <= U'Z') return true;
  return before >= U'a' && before <= U'z' &&
         (!is_pair || letter == U'\u00DF');  // a pair begins with a capital, or this
}

/// The group at the start of a text, unless it looks like the end of a word and what follows words.
group unless_right(const text_at& text, const group& found) noexcept {
  const sequence letter = first_character(text.in, text.size);
  if (letter.value == U'\u00C2' || letter.value == U'\u00C3') return found;  // gives a character of Latin-1
  if (found.value / 0x100 == 0x1E) return found;                             // Vietnamese
  std::size_t marks = 0;
  for (std::size_t at = letter.size; at != found.size; ++marks) {
    const sequence mark = first_character(text.in + at, found.size - at);
    if (!ends_word(mark.value)) return found;
    at += mark.size;
  }
  if (!may_precede(text.before, letter.value, marks == 1)) return found;

  const group next = read<0>(text, found.size);
  if (next.what == group::kind::waits) return next;
  const bool goes_on =
      next.what == group::kind::found && (is_letter_or_digit(next.value) || is_lead(byte_of(text.read_as, next.value)));
  return goes_on ? found : group{group::kind::none};
}

}  // namespace

group first_group(const text_at& text) noexcept {
  const group once = read<1>(text, 0);
  if (once.what != group::kind::found) return once;
  if (is_lead(byte_of(text.read_as, once.value)))
    if (const group twice = read<2>(text, 0); twice.what != group::kind::none) return twice;
  return unless_right(text, once);
}

char32_t last_character(const char* in, std::size_t size) noexcept {
  std::size_t at = size - 1;
  while (is_continuation(static_cast<unsigned char>(in[at]))) --at;
  return first_character(in + at, size - at).value;
}

}  // namespace utfilter::detail
