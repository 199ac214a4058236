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

/// The bytes before the first one from F0 on.
std::size_t before_fours(const char* in, std::size_t size) noexcept {
  constexpr std::size_t some = 64;
  const auto fours_of = [&](std::size_t at) noexcept {
    const word w = load_word(in + at);
    return w & w << 1 & w << 2 & w << 3 & all_marks;  // the four highest bits of a byte are set
  };
  std::size_t at = 0;
  for (word any = 0; size - at >= some; at += some) {
    for (std::size_t i = 0; i < some; i += 8) any |= fours_of(at + i);
    if (any != 0) break;
  }
  while (size - at >= 8 && fours_of(at) == 0) at += 8;
  while (at != size && byte_at(in, at) < 0xF0) ++at;
  return at;
}

// How to convert the characters that differ, one at a time. `from` and `to` are the bytes of a supplementary character.
// convert_one(in, out) converts it, or returns false if it is none; eight bytes of both can be read and written.
struct to_utf8 {
  static constexpr std::size_t from = 6, to = 4;

  static bool convert_one(const char* in, char* out) noexcept {
    const word w = load_word(in);
    if ((w & 0xC0F0FFC0F0FF) != 0x80B0ED80A0ED) return false;
    const word high = (w >> 2 & 0x3C0) | (w >> 16 & 0x3F), low = (w >> 26 & 0x3C0) | (w >> 40 & 0x3F);
    encode_utf8(from_pair(static_cast<char32_t>(high), static_cast<char32_t>(low)), out);
    return true;
  }
  static run convert_any(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    return convert<decode, encode_utf8>(in, size, out, room);
  }
};

struct from_utf8 {
  static constexpr std::size_t from = 4, to = 6;

  static bool convert_one(const char* in, char* out) noexcept {
    const word w = load_word(in);
    const word c = (w << 18 & 0x1C0000) | (w << 4 & 0x3F000) | (w >> 10 & 0xFC0) | (w >> 24 & 0x3F);
    if ((w & 0xC0C0C0F8) != 0x808080F0 || c < 0x10000 || c > 0x10FFFF) return false;
    const word pair = c - 0x10000;
    store_word(0x80B0ED80A0ED | (pair >> 8 & 0xF00) | (pair << 6 & 0x3F0000) | (pair << 26 & 0xF00000000) |
                   (pair << 40 & 0x3F0000000000),
               out);
    return true;
  }
  static run convert_any(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    return convert<decode_utf8, encode>(in, size, out, room);
  }
};

/// Converts character by character, until the last 16 bytes or so have no supplementary character.
template <class Direction>
run convert_supplementary(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{};
  for (std::size_t same = 0; same < 16;) {
    const char* const from = in + done.consumed;
    char* const to = out + done.produced;
    const std::size_t left = size - done.consumed, room_left = room - done.produced;
    if (std::min(left, room_left) >= 8) {
      if (Direction::convert_one(from, to)) {
        done = done + run{Direction::from, Direction::to, 1, 0};
        same = 0;
        continue;
      }
      if (byte_at(from, 0) < 0x80) {
        *to = *from;
        done = done + run{1, 1, 1, *from == '\n'};
        ++same;
        continue;
      }
    }
    const run some = Direction::convert_any(from, std::min<std::size_t>(left, 6), to, room_left);
    if (some.consumed == 0) break;
    done = done + some;
    same = some.consumed == some.produced ? same + some.consumed : 0;
  }
  return done;
}

/// Text without supplementary characters is the same in UTF-8 and CESU-8: it is copied, in pieces that stay in the cache.
/// The pieces grow, because the next supplementary character may be near.
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
