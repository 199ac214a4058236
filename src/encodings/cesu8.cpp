// cesu8.cpp: CESU-8 (Unicode Technical Report 26): each UTF-16 code unit is written as UTF-8 would write a code point
// with the same value. And Java's modified UTF-8, which is the same but for U+0000.
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

//------------------------------------------------------------------------------------------------- modified UTF-8

/// U+0000 is C0 80, so that no text has a byte 00. After C0 a wrong byte is no part of the error, as after E0.
sequence decode_modified(const unsigned char* in, std::size_t size, bool last) noexcept {
  if (in[0] == 0x00) return sequence::ill_formed(errc::unused_byte, 1);
  if (in[0] != 0xC0) return decode(in, size, last);
  if (size < 2) return sequence::incomplete(last, 1);
  if (in[1] == 0x80) return sequence::scalar(U'\0', 2);
  return sequence::ill_formed(is_continuation(in[1]) ? errc::overlong : errc::truncated_sequence, 1);
}

std::size_t write_nul(char* out) noexcept {
  out[0] = '\xC0';
  out[1] = '\x80';
  return 2;
}

std::size_t encode_modified(char32_t c, char* out) noexcept { return c == U'\0' ? write_nul(out) : encode(c, out); }

//------------------------------------------------------------------------------------------------- bulk conversion
//
// Text without supplementary characters is the same in UTF-8 and CESU-8. So a kernel copies it up to the first such
// character. From there on the text is converted by way of UTF-16, piece by piece, in a buffer that stays in the cache.

/// Marks the bytes from F0 on: their four highest bits are set.
constexpr word fours_of(word w) noexcept { return w & w << 1 & w << 2 & w << 3 & all_marks; }

/// The number of bytes before the first byte that is F0 or more.
std::size_t before_fours(const char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  for (word any = 0; size - at >= 64; at += 64) {
    for (std::size_t i = 0; i < 64; i += 8) any |= fours_of(load_word(in + at + i));
    if (any != 0) break;
  }
  while (size - at >= 8 && fours_of(load_word(in + at)) == 0) at += 8;
  while (at != size && byte_at(in, at) < 0xF0) ++at;
  return at;
}

struct to_utf8 {};
struct from_utf8 {};

run convert_each(to_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert<decode, encode_utf8>(in, size, out, room);
}
run convert_each(from_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert<decode_utf8, encode>(in, size, out, room);
}

constexpr std::size_t least_piece = 128, longest_piece = 4096;  // bytes

/// Converts a piece of a text. Stops early before an unpaired surrogate, and perhaps before the end of the piece.
run convert_piece(to_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  char units[2 * longest_piece + 128];
  const run half = kernels().cesu8_to_units(in, size, units);
  run good = kernels().utf16le_to_utf8(units, half.produced, out, room);
  // A piece may end after a high surrogate, which has three bytes. Any other unpaired surrogate is left to
  // convert_each.
  const std::size_t rest = half.produced - good.consumed;
  if (rest > 2) return {};
  good.consumed = half.consumed - rest / 2 * 3;
  return good;
}
run convert_piece(from_utf8, const char* in, std::size_t size, char* out, std::size_t) noexcept {
  char units[2 * longest_piece + 64];
  run good = kernels().utf8_to_utf16le(in, size, units, 2 * longest_piece);
  std::memset(units + good.produced, 0, 64);
  good.produced = kernels().units_to_cesu8(units, good.produced, out);
  return good;
}

/// Converts until a piece has few supplementary characters.
template <class Direction>
run convert_supplementary(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{};
  for (std::size_t piece = least_piece;; piece = std::min(2 * piece, longest_piece)) {
    const char* const from = in + done.consumed;
    char* const to = out + done.produced;
    const std::size_t room_left = room - done.produced, n = std::min(piece, size - done.consumed);
    run some{};
    if (n >= least_piece && room_left >= 2 * n + least_piece) some = convert_piece(Direction(), from, n, to, room_left);
    if (some.consumed == 0) some = convert_each(Direction(), from, std::min(n, least_piece), to, room_left);
    done = done + some;
    const std::size_t replaced =
        some.consumed < some.produced ? some.produced - some.consumed : some.consumed - some.produced;
    if (replaced < some.consumed / 64 || some.consumed == 0) break;
  }
  return done;
}

/// Copies pieces that stay in the cache. The first ones are small, because the next supplementary character may be
/// near.
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

//------------------------------------------------------------------------------------------------- with U+0000
//
// Without U+0000 a text is the same in CESU-8 and in modified UTF-8. So the bulk conversions of CESU-8 convert the parts
// between. They stop before C0, but not before 00.

std::size_t before_zero(const char* in, std::size_t size) noexcept {
  const void* const zero = size != 0 ? std::memchr(in, 0, size) : nullptr;
  return zero != nullptr ? static_cast<std::size_t>(static_cast<const char*>(zero) - in) : size;
}

/// Converts all U+0000 at the start.
run convert_nuls(to_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  std::size_t n = 0;
  for (; size - 2 * n >= 2 && n != room && byte_at(in, 2 * n) == 0xC0 && byte_at(in, 2 * n + 1) == 0x80; ++n)
    out[n] = '\0';
  return {2 * n, n, n, 0};
}
run convert_nuls(from_utf8, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  std::size_t n = 0;
  for (; n != size && room - 2 * n >= 2 && in[n] == '\0'; ++n) write_nul(out + 2 * n);
  return {n, 2 * n, n, 0};
}

template <class Direction>
run convert_modified(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  constexpr std::size_t longest_part = 16384, longest_character = 6;  // bytes; a part stays in the cache
  run done{};
  for (std::size_t zero = 0;;) {  // no byte 00 stands before this place
    done = done + convert_nuls(Direction(), in + done.consumed, size - done.consumed, out + done.produced,
                               room - done.produced);
    const char* const from = in + done.consumed;
    if (zero < done.consumed + longest_character)
      zero = done.consumed + before_zero(from, std::min(size - done.consumed, longest_part));
    const run part =
        convert_by_copying<Direction>(from, zero - done.consumed, out + done.produced, room - done.produced);
    if (part.consumed == 0) return done;
    done = done + part;
  }
}

//------------------------------------------------------------------------------------------------- the rows

/// A supplementary character has two bytes more than in UTF-8, and in UTF-16 one code unit more than in UTF-32.
std::size_t source_size(const char* text, std::size_t size) noexcept {
  const std::size_t units = kernels().utf16_units_of_utf8(text, size);
  return size + 2 * (units - kernels().utf32_units_of_utf8(text, size));
}

std::size_t source_size_modified(const char* text, std::size_t size) noexcept {
  std::size_t nuls = 0;
  for (std::size_t at = 0; (at += before_zero(text + at, size - at)) != size; ++at) ++nuls;
  return source_size(text, size) + nuls;
}

constexpr encoding_scheme cesu8_row() noexcept {
  encoding_scheme row = scheme_named(encoding::cesu8, "CESU-8 cesu8 cscesu8 cscesu-8");
  row.longest = 6;
  row.decode = decode;
  row.encode = encode;
  row.to_utf8 = convert_by_copying<to_utf8>;
  row.from_utf8 = convert_by_copying<from_utf8>;
  row.source_size = source_size;
  return row;
}

constexpr encoding_scheme modified_utf8_row() noexcept {
  encoding_scheme row =
      scheme_named(encoding::modified_utf8, "MUTF-8 mutf8 modified-utf-8 modified-utf8 modified_utf8");
  row.longest = 6;
  row.decode = decode_modified;
  row.encode = encode_modified;
  row.to_utf8 = convert_modified<to_utf8>;
  row.from_utf8 = convert_modified<from_utf8>;
  row.source_size = source_size_modified;
  return row;
}

}  // namespace

const encoding_scheme cesu8_scheme = complete<cesu8_row>();
const encoding_scheme modified_utf8_scheme = complete<modified_utf8_row>();

}  // namespace utfilter::detail
