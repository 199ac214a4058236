// mojibake_group.cpp: reads characters as the bytes that they were, once or twice.
#include "codecs/mojibake_group.hpp"

#include "codecs/text_codec.hpp"
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

}  // namespace

group group_at(const text_at& text, std::size_t at) noexcept {
  const group once = read<1>(text, at);
  if (once.what != group::kind::found || !is_lead(byte_of(text.read_as, once.value))) return once;
  const group twice = read<2>(text, at);
  return twice.what == group::kind::none ? once : twice;
}

}  // namespace utfilter::detail
