// cesu8.cpp: CESU-8 (Unicode Technical Report 26): each UTF-16 code unit is written as UTF-8 would write a code point
// with the same value.
#include "encodings/encoding_scheme.hpp"
#include "kernels/positions.hpp"
#include "kernels/reference.hpp"
#include "kernels/words.hpp"
#include "unicode/byte_order.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace utfilter::detail {
namespace {

/// Sequences of one to three bytes are decoded as in UTF-8, except that encoded surrogates are code units: two of them
/// can be a pair. An unpaired surrogate is one error of three bytes. If the input ends after a high surrogate, or
/// inside the low surrogate after it, the error has all these bytes.
sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (in[0] >= 0xF0 && in[0] <= 0xF4) return sequence::ill_formed(errc::forbidden_length, 1);
  if (in[0] != 0xED) return decode_utf8(in, size, last);

  if (size < 2) return sequence::incomplete(last, 1);
  if (!is_continuation(in[1])) return sequence::ill_formed(errc::truncated_sequence, 1);
  if (size < 3) return sequence::incomplete(last, 2);
  if (!is_continuation(in[2])) return sequence::ill_formed(errc::truncated_sequence, 2);
  const char32_t unit = 0xD000 | (in[1] & 0x3Fu) << 6 | (in[2] & 0x3Fu);
  if (!is_surrogate(unit)) return sequence::scalar(unit, 3);
  if (is_low_surrogate(unit)) return sequence::ill_formed(errc::unpaired_low_surrogate, 3, unit);

  const sequence unpaired = sequence::ill_formed(errc::unpaired_high_surrogate, 3, unit);
  if (size < 4) return sequence::incomplete(last, 3, unit);
  if (in[3] != 0xED) return unpaired;
  if (size < 5) return sequence::incomplete(last, 4, unit);
  if (in[4] < 0xB0 || in[4] > 0xBF) return unpaired;
  if (size < 6) return sequence::incomplete(last, 5, unit);
  if (!is_continuation(in[5])) return unpaired;
  return sequence::scalar(from_pair(unit, 0xD000 | (in[4] & 0x3Fu) << 6 | (in[5] & 0x3Fu)), 6);
}

std::size_t encode(char32_t c, char* out) noexcept {
  if (c < 0x10000) return encode_utf8(c, out);
  // encode_utf8 writes a surrogate as three bytes, like any other code point from U+0800 to U+FFFF.
  return encode_utf8(high_surrogate(c), out) + encode_utf8(low_surrogate(c), out + 3);
}

//------------------------------------------------------------------------------------------------- bulk conversion
//
// Text without supplementary characters is the same in UTF-8 and CESU-8. So a kernel copies it up to the first such
// character. From there on supplementary characters are replaced in each 64 bytes, and the kernels check the UTF-8: what
// is read, or what has been written.

constexpr std::size_t step = 64;  // bytes with a bit each in a word

/// Marks the bytes from F0 on: their four highest bits are set.
constexpr word fours_of(word w) noexcept { return w & w << 1 & w << 2 & w << 3 & all_marks; }

/// The bytes before the first one from F0 on.
std::size_t before_fours(const char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  for (word any = 0; size - at >= step; at += step) {
    for (std::size_t i = 0; i < step; i += 8) any |= fours_of(load_word(in + at + i));
    if (any != 0) break;
  }
  while (size - at >= 8 && fours_of(load_word(in + at)) == 0) at += 8;
  while (at != size && byte_at(in, at) < 0xF0) ++at;
  return at;
}

// How to convert. `from` and `to` are the bytes of a supplementary character.
//   starts(in)            marks where a supplementary character may begin, of eight bytes; reads nine
//   convert_one(in, out)  converts a supplementary character, or returns false if there is none; reads and writes eight
//                         bytes
//
// CESU-8   11101101 1010wwww 10zzzzyy 11101101 1011yyyy 10xxxxxx
// UTF-8    11110uuu 10uuzzzz 10yyyyyy 10xxxxxx                      where uuuuu = wwww + 1
//
// In a word the first byte is the lowest, so this picture reads from right to left.
struct to_utf8 {
  static constexpr std::size_t from = 6, to = 4;

  static word starts(const char* in) noexcept {  // ED, then A0..AF
    return zeros_of((load_word(in) ^ all_ones * 0xED) | ((load_word(in + 1) & all_ones * 0xF0) ^ all_ones * 0xA0));
  }
  static bool convert_one(const char* in, char* out) noexcept {
    const word w = load_word(in);
    if ((w & 0xC0F0FFC0F0FF) != 0x80B0ED80A0ED) return false;
    const word u = (w & 0xF00) + 0x100;
    store_word(
        0x8080F0 | u >> 10 | (u << 4 & 0x3000) | (w >> 10 & 0xF00) | (w << 4 & 0x300000) | (w >> 16 & 0xFF0F0000), out);
    return true;
  }
};

/// Only for well-formed text, in which each byte from F0 on begins a supplementary character.
struct from_utf8 {
  static constexpr std::size_t from = 4, to = 6;

  static word starts(const char* in) noexcept { return fours_of(load_word(in)); }
  static bool convert_one(const char* in, char* out) noexcept {
    const word w = load_word(in);
    const word u = (w << 10 & 0x1C00) | (w >> 4 & 0x300);
    store_word(0xB0ED80A0ED + (u - 0x100) + (w >> 4 & 0x30000) + (w << 10 & 0x3C0000) + (w << 16 & 0xFF0F00000000),
               out);
    return true;
  }
};

run convert_each(to_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert<decode, encode_utf8>(in, size, out, room);
}
run convert_each(from_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert<decode_utf8, encode>(in, size, out, room);
}

/// Copies n bytes, at most `step`; may read and write 15 more.
void copy_some(const char* in, std::size_t n, char* out) noexcept {
  std::memcpy(out, in, 16);
  for (std::size_t at = 16; at < n; at += 16) std::memcpy(out + at, in + at, 16);
}

/// Replaces the supplementary characters of the text, up to its last 79 bytes or fewer. All other bytes are copied,
/// also wrong ones; the end may be inside a character. Needs room for 3 / 2 of the text. The result counts no characters.
template <class Direction>
run replace_supplementary(const char* in, std::size_t size, char* out) noexcept {
  run done{};
  while (size - done.consumed >= step + 16) {
    const char* const from = in + done.consumed;
    word bits = 0;
    for (std::size_t i = 0; i < step; i += 8) bits |= bits_of(Direction::starts(from + i)) << i;
    std::size_t taken = 0;
    char* to = out + done.produced;
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t place = first_bit(bits);
      copy_some(from + taken, place - taken, to);
      to += place - taken;
      taken = place;
      if (!Direction::convert_one(from + place, to)) continue;
      to += Direction::to;
      taken += Direction::from;
    }
    if (taken < step) {
      copy_some(from + taken, step - taken, to);
      to += step - taken;
      taken = step;
    }
    done.consumed += taken;
    done.produced = static_cast<std::size_t>(to - out);
  }
  return done;
}

/// Converts a piece of a text, in which every byte may be wrong. `out` has room for 3 / 2 of it. Converts nothing if it
/// cannot tell where the text is wrong.
run convert_piece(to_utf8, const char* in, std::size_t size, char* out) noexcept {
  const run replaced = replace_supplementary<to_utf8>(in, before_fours(in, size), out);
  run good = kernels().validate_utf8(out, replaced.produced);
  // The last character may be unfinished. Its bytes have not been replaced.
  const std::size_t rest = replaced.produced - good.consumed;
  if (rest >= to_utf8::from || rest > replaced.consumed ||
      std::memcmp(in + replaced.consumed - rest, out + good.consumed, rest) != 0)
    return {};
  good.produced = good.consumed;
  good.consumed = replaced.consumed - rest;
  return good;
}
run convert_piece(from_utf8, const char* in, std::size_t size, char* out) noexcept {
  run good = kernels().validate_utf8(in, size);
  const run replaced = replace_supplementary<from_utf8>(in, good.consumed, out);
  // Zeros follow the last bytes, and are left out of the result.
  const std::size_t rest = good.consumed - replaced.consumed;
  char last[3 * step] = {}, replaced_last[5 * step];
  std::memcpy(last, in + replaced.consumed, rest);
  const run end = replace_supplementary<from_utf8>(last, sizeof last, replaced_last);
  const std::size_t produced = end.produced - (end.consumed - rest);
  std::memcpy(out + replaced.produced, replaced_last, produced);
  good.produced = replaced.produced + produced;
  return good;
}

/// Converts until a piece has few supplementary characters.
template <class Direction>
run convert_supplementary(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{};
  for (std::size_t piece = 128;; piece = std::min<std::size_t>(2 * piece, 2048)) {
    const char* const from = in + done.consumed;
    char* const to = out + done.produced;
    const std::size_t room_left = room - done.produced, most = std::min(piece, size - done.consumed);
    run some = most >= 128 && room_left >= 2 * most ? convert_piece(Direction(), from, most, to) : run{};
    if (some.consumed == 0) some = convert_each(Direction(), from, std::min<std::size_t>(most, 128), to, room_left);
    done = done + some;
    const std::size_t replaced =
        some.consumed < some.produced ? some.produced - some.consumed : some.consumed - some.produced;
    if (replaced < some.consumed / 64 || some.consumed == 0) break;
  }
  return done;
}

/// The pieces that are copied stay in the cache. They grow, because the next supplementary character may be near.
template <class Direction>
run convert_by_copying(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{};
  for (std::size_t piece = 64; done.consumed != size; piece = std::min<std::size_t>(2 * piece, 4096)) {
    const std::size_t most = std::min({piece, size - done.consumed, room - done.produced});
    const std::size_t n = before_fours(in + done.consumed, most);
    const run copied = kernels().copy_utf8(in + done.consumed, n, out + done.produced, n);
    done = done + copied;
    if (n == most && copied.consumed != 0 && copied.consumed + 3 >= n) continue;
    const run some = convert_supplementary<Direction>(in + done.consumed, size - done.consumed, out + done.produced,
                                                      room - done.produced);
    if (some.consumed == 0) break;
    done = done + some;
    piece = 32;
  }
  return done;
}

constexpr encoding_scheme row() noexcept {
  encoding_scheme row = scheme_named(encoding::cesu8, "CESU-8 cesu8 cscesu8 cscesu-8");
  row.longest = 6;
  row.decode = decode;
  row.encode = encode;
  row.to_utf8 = convert_by_copying<to_utf8>;
  row.from_utf8 = convert_by_copying<from_utf8>;
  row.last_line = last_line<decode, 1>;
  return row;
}

}  // namespace

const encoding_scheme cesu8_scheme = complete<row>();

}  // namespace utfilter::detail
