// multi_byte.hpp: the row of an encoding in which ASCII has one byte and most other characters have two. Text is converted
// by way of UTF-16, in pieces that stay in the cache: this file walks through the pairs of bytes, and the kernels convert
// between UTF-16 and UTF-8.
#ifndef UTFILTER_ENCODINGS_MULTI_BYTE_HPP
#define UTFILTER_ENCODINGS_MULTI_BYTE_HPP

#include "encodings/encoding_scheme.hpp"
#include "kernels/positions.hpp"
#include "kernels/reference.hpp"
#include "kernels/words.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace utfilter::detail {

/// A piece of text has so many code units of UTF-16.
inline constexpr std::size_t units_of_piece = 1024;

/// This many bytes of ASCII are faster converted by a kernel than by the walk.
inline constexpr std::size_t long_ascii = 32;

inline bool begins_long_ascii(const unsigned char* in, std::size_t size) noexcept {
  if (size < long_ascii) return false;
  word all = 0;
  for (std::size_t i = 0; i < long_ascii; i += 8) all |= load_word(reinterpret_cast<const char*>(in) + i);
  return is_ascii(all);
}

/// The kernels between UTF-8 and UTF-16 in this processor's byte order.
inline run units_to_utf8(const char16_t* units, std::size_t count, char* out, std::size_t room) noexcept {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const convert_kernel convert = kernels().utf16be_to_utf8;
#else
  const convert_kernel convert = kernels().utf16le_to_utf8;
#endif
  return convert(reinterpret_cast<const char*>(units), 2 * count, out, room);
}
inline run utf8_to_units(const char* in, std::size_t size, char16_t* units, std::size_t room) noexcept {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const convert_kernel convert = kernels().utf8_to_utf16be;
#else
  const convert_kernel convert = kernels().utf8_to_utf16le;
#endif
  return convert(in, size, reinterpret_cast<char*>(units), 2 * room);
}

/// Writes a character in UTF-16, and returns the end.
inline char16_t* put_unit(char32_t c, char16_t* to) noexcept {
  if (c >= 0x10000) {
    *to++ = static_cast<char16_t>(high_surrogate(c));
    c = low_surrogate(c);
  }
  *to++ = static_cast<char16_t>(c);
  return to;
}

/// The bulk conversions of an encoding. `Form` has
///   decode, encode          of the row
///   unit_of(lead, trail)    the character of two bytes, if the first one is 80 or more, the pair is a character, and
///                           that is a code unit of UTF-16; otherwise 0
///   size_of(c)              the bytes of a character beyond ASCII, which the encoding has
///   longest                 the bytes of its longest character
template <class Form>
struct multi_byte {
  static run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    run done{};
    while (done.consumed != size) {
      const auto* const from = reinterpret_cast<const unsigned char*>(in) + done.consumed;
      const std::size_t left = size - done.consumed, room_left = room - done.produced;
      // A unit becomes at most three bytes. The last step of a piece may write two units.
      const std::size_t most = std::min(units_of_piece, room_left / 3);
      run some{};
      if (begins_long_ascii(from, left)) {
        some = ascii_scheme.to_utf8(in + done.consumed, left, out + done.produced, room_left);
      } else if (most >= few) {
        char16_t units[units_of_piece];
        std::size_t consumed = 0;
        const std::size_t count = walk(from, left, units, most - 1, consumed);
        some = units_to_utf8(units, count, out + done.produced, room_left);
        some.consumed = consumed;
      } else {
        some = convert<Form::decode, encode_utf8>(in + done.consumed, left, out + done.produced, room_left);
        return done + some;
      }
      if (some.consumed == 0) break;
      done = done + some;
    }
    return done;
  }

  static run from_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    run done{};
    while (done.consumed != size) {
      const char* const from = in + done.consumed;
      const std::size_t left = size - done.consumed, room_left = room - done.produced;
      const std::size_t most = std::min(units_of_piece, room_left / Form::longest);
      run some{};
      if (begins_long_ascii(reinterpret_cast<const unsigned char*>(from), left)) {
        some = ascii_scheme.from_utf8(from, left, out + done.produced, room_left);
        done = done + some;
        if (some.consumed == 0) break;
        continue;
      }
      if (most < few) return done + convert<decode_utf8, Form::encode>(from, left, out + done.produced, room_left);
      char16_t units[units_of_piece];
      some = utf8_to_units(from, std::min(left, most), units, most);
      const std::size_t count = some.produced / 2;
      std::size_t encoded = 0;
      some.produced = put(units, count, out + done.produced, encoded);
      if (encoded != count) {  // the target lacks a character: count again up to that
        some.consumed = utf8_size(units, encoded);
        const run counted = kernels().validate_utf8(from, some.consumed);
        some.characters = counted.characters;
        some.line_feeds = counted.line_feeds;
      }
      done = done + some;
      if (encoded != count || some.consumed == 0) break;
    }
    return done;
  }

  static std::size_t source_size(const char* text, std::size_t size) noexcept {
    std::size_t bytes = 0;
    const auto* at = reinterpret_cast<const unsigned char*>(text);
    const auto* const end = at + size;
    while (at != end) {
      if (end - at >= 8 && is_ascii(load_word(reinterpret_cast<const char*>(at)))) {
        at += 8;
        bytes += 8;
        continue;
      }
      const sequence next = decode_utf8(at, static_cast<std::size_t>(end - at), true);
      bytes += next.value < 0x80 ? 1 : Form::size_of(next.value);
      at += next.size;
    }
    return bytes;
  }

  static constexpr encoding_scheme row(encoding value, std::string_view names) noexcept {
    encoding_scheme row = scheme_named(value, names);
    row.longest = Form::longest;
    row.decode = Form::decode;
    row.encode = Form::encode;
    row.to_utf8 = to_utf8;
    row.from_utf8 = from_utf8;
    row.last_line = last_line<Form::decode, 1>;
    row.source_size = source_size;
    return row;
  }

 private:
  static constexpr std::size_t few = 16;  // units: for fewer, a piece is not worth it

  /// Decodes sequences to at most `most` + 1 units, and returns their number. Stops at an error, and before long ASCII.
  static std::size_t walk(const unsigned char* in, std::size_t size, char16_t* units, std::size_t most,
                          std::size_t& consumed) noexcept {
    const unsigned char* at = in;
    const unsigned char* const end = in + size;
    char16_t* to = units;
    char16_t* const full = units + most;
    while (at != end && to < full) {
      const unsigned lead = *at;
      if (lead < 0x80) {
        if (begins_long_ascii(at, static_cast<std::size_t>(end - at))) break;
        *to++ = static_cast<char16_t>(lead);
        ++at;
        continue;
      }
      if (end - at >= 2) {
        const char16_t unit = Form::unit_of(lead, at[1]);
        if (unit != 0) {
          *to++ = unit;
          at += 2;
          continue;
        }
      }
      const sequence next = Form::decode(at, static_cast<std::size_t>(end - at), false);
      if (next.what != sequence::kind::scalar) break;
      to = put_unit(next.value, to);
      if (next.second() != 0) to = put_unit(next.second(), to);
      at += next.size;
    }
    consumed = static_cast<std::size_t>(at - in);
    return static_cast<std::size_t>(to - units);
  }

  /// Encodes units up to a character that the encoding lacks; `encoded` is their number. Returns the bytes written.
  static std::size_t put(const char16_t* units, std::size_t count, char* out, std::size_t& encoded) noexcept {
    char* to = out;
    std::size_t i = 0;
    while (i != count) {
      char32_t c = units[i];
      if (c < 0x80) {
        *to++ = static_cast<char>(c);
        ++i;
        continue;
      }
      const bool is_pair = is_high_surrogate(c);
      if (is_pair) c = from_pair(c, units[i + 1]);
      const std::size_t n = Form::encode(c, to);
      if (n == 0) break;
      to += n;
      i += is_pair ? 2 : 1;
    }
    encoded = i;
    return static_cast<std::size_t>(to - out);
  }

  static std::size_t utf8_size(const char16_t* units, std::size_t count) noexcept {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i != count; ++i)
      bytes += units[i] < 0x80 ? 1 : units[i] < 0x800 || is_surrogate(units[i]) ? 2 : 3;
    return bytes;
  }
};

}  // namespace utfilter::detail

#endif
