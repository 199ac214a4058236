// iso_2022_jp.cpp: ISO-2022-JP as in the WHATWG Encoding Standard, section 12.2. Escape sequences choose the set of
// characters of the bytes after them, so there is a row for each state of a text.
#include "encodings/cjk/jis0208.hpp"
#include "encodings/cjk/multi_byte.hpp"
#include "encodings/cjk/names.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace utfilter::detail {
namespace {

constexpr unsigned escape = 0x1B;

/// The sets of characters. Those of one byte are ASCII, JIS X 0201's Latin characters and its katakana.
enum class character_set : unsigned char { ascii, roman, katakana, jis0208 };

/// What decides about the next byte. After an escape sequence, another one is an error (WHATWG: it could hide text from
/// those who look for it).
struct state {
  character_set set = character_set::ascii;
  bool follows_escape = false;
};

struct escape_sequence {
  char bytes[4];
  character_set set;
};
constexpr escape_sequence escape_sequences[] = {{"\x1B(B", character_set::ascii},
                                                {"\x1B(J", character_set::roman},
                                                {"\x1B(I", character_set::katakana},
                                                {"\x1B$@", character_set::jis0208},
                                                {"\x1B$B", character_set::jis0208}};
constexpr std::size_t size_of_escape = 3;

/// The escape sequence with which the bytes begin; null if it is none that this encoding has.
const escape_sequence* find_escape(const char* bytes) noexcept {
  for (const escape_sequence& one : escape_sequences)  // most differ in the last byte
    if (bytes[2] == one.bytes[2] && bytes[1] == one.bytes[1] && bytes[0] == one.bytes[0]) return &one;
  return nullptr;
}

//-------------------------------------------------------------------------------------------------------- decoding

sequence decode_escape(bool follows_escape, const unsigned char* in, std::size_t size, bool last) noexcept {
  constexpr sequence wrong = sequence::ill_formed(errc::truncated_sequence, 1);
  if (size >= 2 && in[1] != '(' && in[1] != '$') return wrong;
  if (size < size_of_escape) return sequence::incomplete(last, 1);
  if (find_escape(reinterpret_cast<const char*>(in)) == nullptr) return wrong;
  return follows_escape ? sequence::ill_formed(errc::truncated_sequence, size_of_escape)
                        : sequence::shift(size_of_escape);
}

constexpr bool is_in_94(unsigned b) noexcept { return b >= 0x21 && b <= 0x7E; }

/// The character of two bytes; 0 if there is none. EUC-JP has the same bytes with the high bits set.
char16_t unit_of(unsigned lead, unsigned trail) noexcept {
  return jis0208_characters.units[euc_jp_places.of(lead ^ 0x80, trail ^ 0x80)];
}

sequence decode_pair(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (!is_in_94(in[0])) return sequence::ill_formed(errc::unused_byte, 1);
  if (size < 2) return sequence::incomplete(last, 1);
  if (in[1] == escape) return sequence::ill_formed(errc::truncated_sequence, 1);
  if (!is_in_94(in[1])) return sequence::ill_formed(errc::truncated_sequence, 2);
  const char16_t unit = unit_of(in[0], in[1]);
  return unit != 0 ? sequence::scalar(unit, 2) : sequence::ill_formed(errc::unassigned, 2);
}

UTFILTER_NOINLINE sequence decode_in(state now, const unsigned char* in, std::size_t size, bool last) noexcept {
  const unsigned b = in[0];
  if (b == escape) return decode_escape(now.follows_escape, in, size, last);
  constexpr sequence wrong = sequence::ill_formed(errc::unused_byte, 1);
  switch (now.set) {
    case character_set::roman:
      if (b == 0x5C) return sequence::scalar(0xA5, 1);
      if (b == 0x7E) return sequence::scalar(0x203E, 1);
      [[fallthrough]];
    case character_set::ascii: return b < 0x80 && b != 0x0E && b != 0x0F ? sequence::scalar(b, 1) : wrong;
    case character_set::katakana:
      return b >= 0x21 && b <= 0x5F ? sequence::scalar(first_katakana + b - 0x21, 1) : wrong;
    case character_set::jis0208: break;
  }
  return decode_pair(in, size, last);
}

/// The number of bytes from the last ESC on; 0 if there is none. Long text is searched piece by piece.
std::size_t after_last_escape(const char* bytes, std::size_t size) noexcept {
  constexpr std::size_t piece = 4096;
  for (std::size_t end = size; end != 0;) {
    const std::size_t begin = end - std::min(end, piece);
    if (std::memchr(bytes + begin, escape, end - begin) != nullptr) {
      std::size_t at = end - 1;
      while (byte_at(bytes, at) != escape) --at;
      return size - at;
    }
    end = begin;
  }
  return 0;
}

/// The state after the bytes, which were decoded or written from the state `before` on. The last escape sequence
/// decides. (An ESC that begins no escape sequence is an error, and does not change the state.)
UTFILTER_NOINLINE state state_after(state before, const char* bytes, std::size_t size) noexcept {
  const std::size_t rest = after_last_escape(bytes, size);
  const escape_sequence* const found = rest >= size_of_escape ? find_escape(bytes + size - rest) : nullptr;
  return found != nullptr ? state{found->set, rest == size_of_escape} : state{before.set, false};
}

/// Some bytes at the start of a text without ESC and the shifts of ISO/IEC 2022, which this encoding lacks: all bytes
/// before them, or fewer. `size` is that of a piece that stays in the cache.
std::size_t before_controls(const char* in, std::size_t size) noexcept {
  if (const auto usual_text = kernels().usual_text; usual_text != nullptr) return usual_text(in, size).bytes;
  for (const int control : {0x1B, 0x0E, 0x0F})
    if (const void* const found = std::memchr(in, control, size))
      size = static_cast<std::size_t>(static_cast<const char*>(found) - in);
  return size;
}

/// Marks the bytes of a word that are no characters of ASCII here.
constexpr word not_ascii_of(word bytes) noexcept {
  return (bytes & all_marks) | zeros_of(bytes ^ all_ones * escape) |
         zeros_of((bytes ^ all_ones * 0x0E) & all_ones * 0xFE);
}

/// The size of the ASCII at the start of a text in this set; 0 if that is not long.
std::size_t long_ascii_of(character_set now, const unsigned char* in, std::size_t size) noexcept {
  constexpr std::size_t piece = 8192;
  if (now != character_set::ascii || !begins_long_ascii(in, size)) return 0;
  const std::size_t ascii = before_controls(reinterpret_cast<const char*>(in), std::min(size, piece));
  return ascii < long_ascii ? 0 : ascii;
}

/// Walks through text that may have escape sequences. to_utf8_by_units has the contract.
struct walker {
  state& now;

  std::size_t ascii(const unsigned char* in, std::size_t size) const noexcept {
    return long_ascii_of(now.set, in, size);
  }

  walk_result walk(const unsigned char* in, std::size_t size, char16_t* units, std::size_t most) const noexcept {
    const unsigned char* at = in;
    const unsigned char* const end = in + size;
    char16_t* to = units;
    bool is_end = false;
    while (to != units + most) {
      if (now.set == character_set::jis0208) pass_pairs(at, end, to, units + most);
      if (now.set == character_set::ascii) pass_ascii(at, end, to, units + most);
      if (at == end || to == units + most) break;
      const auto left = static_cast<std::size_t>(end - at);
      if (*at == escape && left >= size_of_escape) {
        const escape_sequence* const found = find_escape(reinterpret_cast<const char*>(at));
        is_end = found == nullptr || now.follows_escape;
        if (is_end) break;
        now = {found->set, true};
        at += size_of_escape;
        if (long_ascii_of(now.set, at, left - size_of_escape) == 0) continue;
        now.follows_escape = false;
        break;
      }
      const sequence next = decode_in(now, at, left, false);
      is_end = next.what != sequence::kind::scalar;
      if (is_end) break;
      now.follows_escape = false;
      *to++ = static_cast<char16_t>(next.value);  // no character beyond the BMP is in this encoding
      at += next.size;
    }
    return {static_cast<std::size_t>(to - units), static_cast<std::size_t>(at - in), is_end};
  }

  run each(const char* in, std::size_t size, char* out, std::size_t room) const noexcept {
    run done{};
    while (done.consumed != size) {
      const auto* const from = reinterpret_cast<const unsigned char*>(in) + done.consumed;
      const sequence next = decode_in(now, from, size - done.consumed, false);
      if (next.what == sequence::kind::shift) {
        now = {find_escape(in + done.consumed)->set, true};
        done.consumed += next.size;
        continue;
      }
      if (next.what != sequence::kind::scalar) break;
      char character[4];
      const std::size_t length = encode_utf8(next.value, character);
      if (length > room - done.produced) break;
      std::memcpy(out + done.produced, character, length);
      now.follows_escape = false;
      done = done + run{next.size, length, 1, std::size_t{next.value == U'\n'}};
    }
    return done;
  }

 private:
  // Both take eight bytes at a time, up to an escape sequence or an error. They have no branch for each character, because
  // the lengths of words are unpredictable.

  void pass_ascii(const unsigned char*& at, const unsigned char* end, char16_t*& to,
                  const char16_t* full) const noexcept {
    std::size_t passed = 8;
    while (passed == 8 && end - at >= 8 && full - to >= 8) {
      passed = bytes_before(not_ascii_of(load_word(reinterpret_cast<const char*>(at))));
      for (std::size_t i = 0; i != 8; ++i) to[i] = at[i];
      to += passed;
      at += passed;
      if (passed != 0) now.follows_escape = false;
    }
  }

  void pass_pairs(const unsigned char*& at, const unsigned char* end, char16_t*& to,
                  const char16_t* full) const noexcept {
    std::size_t passed = 4;
    while (passed == 4 && end - at >= 8 && full - to >= 4) {
      const char16_t a = unit_of(at[0], at[1]), b = unit_of(at[2], at[3]), c = unit_of(at[4], at[5]),
                     d = unit_of(at[6], at[7]);
      to[0] = a, to[1] = b, to[2] = c, to[3] = d;
      if ((a == 0) | (b == 0) | (c == 0) | (d == 0)) passed = a == 0 ? 0 : b == 0 ? 1 : c == 0 ? 2 : 3;
      to += passed;
      at += 2 * passed;
      if (passed != 0) now.follows_escape = false;
    }
  }
};

UTFILTER_NOINLINE run to_utf8_from(state now, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return to_utf8_by_units(walker{now}, in, size, out, room);
}

//-------------------------------------------------------------------------------------------------------- encoding

/// A character as the encoder writes it: the set, and one or two bytes. `size` is 0 if the encoding lacks it.
struct encoded_character {
  character_set set = character_set::ascii;
  std::size_t size = 0;
  char bytes[2] = {};
};

/// WHATWG's encoder writes no katakana of one byte: it writes the full-width ones, from U+FF61 on.
constexpr char16_t full_width_katakana[] =
    u"\u3002\u300C\u300D\u3001\u30FB\u30F2\u30A1\u30A3\u30A5\u30A7\u30A9\u30E3\u30E5\u30E7\u30C3\u30FC\u30A2\u30A4\u30A6"
    u"\u30A8\u30AA\u30AB\u30AD\u30AF\u30B1\u30B3\u30B5\u30B7\u30B9\u30BB\u30BD\u30BF\u30C1\u30C4\u30C6\u30C8\u30CA\u30CB"
    u"\u30CC\u30CD\u30CE\u30CF\u30D2\u30D5\u30D8\u30DB\u30DE\u30DF\u30E0\u30E1\u30E2\u30E4\u30E6\u30E8\u30E9\u30EA\u30EB"
    u"\u30EC\u30ED\u30EF\u30F3\u309B\u309C";
static_assert(std::size(full_width_katakana) - 1 == last_katakana - first_katakana + 1, "katakana are missing");

UTFILTER_NOINLINE encoded_character encoded(character_set now, char32_t c) noexcept {
  encoded_character found;
  const auto one_byte = [&found](character_set set, char32_t byte) {
    found.set = set;
    found.size = put_byte(byte, found.bytes);
    return found;
  };
  if (c == 0x0E || c == 0x0F || c == escape) return found;  // they would be read as shifts
  if (c == 0xA5) return one_byte(character_set::roman, 0x5C);
  if (c == 0x203E) return one_byte(character_set::roman, 0x7E);
  if (c < 0x80) {
    const bool stays = now == character_set::roman && c != 0x5C && c != 0x7E;
    return one_byte(stays ? now : character_set::ascii, c);
  }
  const unsigned bytes = jis0208_bytes_of(is_half_katakana(c) ? full_width_katakana[c - first_katakana] : c);
  if (bytes == 0) return found;
  found.set = character_set::jis0208;
  found.size = put_two_bytes(bytes >> 8 & 0x7F, bytes & 0x7F, found.bytes);
  return found;
}

constexpr const char* escape_of(character_set set) noexcept {
  return set == character_set::ascii ? "\x1B(B" : set == character_set::roman ? "\x1B(J" : "\x1B$B";
}

/// Writes the character, after an escape sequence if the set changes. Returns the number of bytes: at most five; 0 if the
/// encoding lacks it.
std::size_t encode_in(character_set& now, char32_t c, char* out) noexcept {
  const encoded_character found = encoded(now, c);
  if (found.size == 0) return 0;
  char* to = out;
  if (found.set != now) to = std::copy_n(escape_of(found.set), size_of_escape, to);
  now = found.set;
  to = std::copy_n(found.bytes, found.size, to);
  return static_cast<std::size_t>(to - out);
}

/// Most characters of ASCII: encoded() leaves them as they are.
constexpr bool is_plain(char16_t c) noexcept { return (c >= 0x20 && c < 0x80) || c == u'\n'; }

/// Encodes text. from_utf8_by_units has the contract.
struct putter {
  static constexpr std::size_t longest = 5;
  character_set& now;

  bool begins_with_ascii(word bytes) const noexcept { return now == character_set::ascii && not_ascii_of(bytes) == 0; }
  std::size_t ascii(const unsigned char* in, std::size_t size) const noexcept { return long_ascii_of(now, in, size); }

  put_result put(const char16_t* units, std::size_t count, char* out) const noexcept {
    char* to = out;
    std::size_t i = 0;
    while (true) {  // no character beyond the BMP is in this encoding
      if (now == character_set::ascii)
        for (; i != count && is_plain(units[i]); ++i) to += put_byte(units[i], to);
      if (now == character_set::jis0208) {
        for (; i != count && units[i] >= 0x80; ++i) {
          const unsigned bytes = jis0208_bytes.of(units[i]);
          if (bytes == 0) break;
          to += put_two_bytes(bytes >> 8 & 0x7F, bytes & 0x7F, to);
        }
      }
      if (i == count) break;
      const std::size_t size = encode_in(now, units[i], to);
      if (size == 0) break;
      to += size;
      ++i;
    }
    return {i, static_cast<std::size_t>(to - out)};
  }

  run each(const char* in, std::size_t size, char* out, std::size_t room) const noexcept {
    run done{};
    while (done.consumed != size) {
      const auto* const from = reinterpret_cast<const unsigned char*>(in) + done.consumed;
      const sequence next = decode_utf8(from, size - done.consumed, false);
      if (next.what != sequence::kind::scalar) break;
      char unit[longest];
      character_set then = now;
      const std::size_t length = encode_in(then, next.value, unit);
      if (length == 0 || length > room - done.produced) break;
      std::memcpy(out + done.produced, unit, length);
      now = then;
      done = done + run{next.size, length, 1, std::size_t{next.value == U'\n'}};
    }
    return done;
  }
};

UTFILTER_NOINLINE run from_utf8_to(character_set now, const char* in, std::size_t size, char* out,
                                   std::size_t room) noexcept {
  return from_utf8_by_units(putter{now}, in, size, out, room);
}

/// The escape sequences do not count: the text does not show them.
std::size_t source_size(const char* text, std::size_t size) noexcept {
  std::size_t bytes = 0;
  const auto* at = reinterpret_cast<const unsigned char*>(text);
  for (const auto* const end = at + size; at != end;) {
    const sequence next = decode_utf8(at, static_cast<std::size_t>(end - at), true);
    const char32_t c = next.value;
    bytes += c < 0x80 || c == 0xA5 || c == 0x203E || is_half_katakana(c) ? 1u : 2u;
    at += next.size;
  }
  return bytes;
}

//-------------------------------------------------------------------------------------------------------- the rows

template <character_set Set, bool FollowsEscape>
struct in_state {
  static constexpr state now{Set, FollowsEscape};

  static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    return decode_in(now, in, size, last);
  }
  static std::size_t encode(char32_t c, char* out) noexcept {
    character_set set = Set;
    return encode_in(set, c, out);
  }
  static run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    return to_utf8_from(now, in, size, out, room);
  }
  static run from_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    return from_utf8_to(Set, in, size, out, room);
  }
  static const encoding_scheme* after(const char* bytes, std::size_t size) noexcept;

  static constexpr encoding_scheme row() noexcept {
    encoding_scheme row = scheme_named(encoding::iso_2022_jp, iso_2022_jp_names);
    row.longest = 5;
    row.decode = decode;
    row.encode = encode;
    row.to_utf8 = to_utf8;
    row.from_utf8 = from_utf8;
    row.source_size = source_size;
    row.is_irregular = true;
    row.after = after;
    if (Set != character_set::ascii) row.at_end = escape_of(character_set::ascii);
    return row;
  }
};

/// The rows by set, each without and with an escape sequence just before.
template <character_set Set>
constexpr encoding_scheme rows_of_set[2] = {complete<in_state<Set, false>::row>(),
                                            complete<in_state<Set, true>::row>()};

const encoding_scheme* row_of(state s) noexcept {
  switch (s.set) {
    case character_set::ascii: return s.follows_escape ? &rows_of_set<character_set::ascii>[1] : &iso_2022_jp_scheme;
    case character_set::roman: return &rows_of_set<character_set::roman>[s.follows_escape];
    case character_set::katakana: return &rows_of_set<character_set::katakana>[s.follows_escape];
    case character_set::jis0208: break;
  }
  return &rows_of_set<character_set::jis0208>[s.follows_escape];
}

template <character_set Set, bool FollowsEscape>
const encoding_scheme* in_state<Set, FollowsEscape>::after(const char* bytes, std::size_t size) noexcept {
  if (size < size_of_escape) return row_of({Set, false});
  return row_of(state_after(now, bytes, size));
}

}  // namespace

const encoding_scheme iso_2022_jp_scheme = complete<in_state<character_set::ascii, false>::row>();

}  // namespace utfilter::detail
