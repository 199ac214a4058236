// multi_byte.hpp: bulk conversion of the encodings in which ASCII has one byte and most other characters have two. Text is
// converted by way of UTF-16, in pieces that stay in the cache: this file walks through the pairs of bytes, and the kernels
// convert between UTF-16 and UTF-8.
#ifndef UTFILTER_ENCODINGS_CJK_MULTI_BYTE_HPP
#define UTFILTER_ENCODINGS_CJK_MULTI_BYTE_HPP

#include "encodings/cjk/tables.hpp"
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
#include <utility>

namespace utfilter::detail {

/// The code units of a piece. The first piece of a call is smaller, because an error may follow soon. Fewer than the
/// smallest number are not worth a piece.
inline constexpr std::size_t most_units = 1024, first_units = 64, few_units = 16;

/// This many bytes of ASCII are converted faster by a kernel than by a walk.
inline constexpr std::size_t long_ascii = 32;
inline bool begins_long_ascii(const unsigned char* in, std::size_t size) noexcept {
  if (size < long_ascii) return false;
  word all = 0;
  for (std::size_t i = 0; i < long_ascii; i += 8) all |= load_word(reinterpret_cast<const char*>(in) + i);
  return is_ascii(all);
}

/// The row of the byte order in which this processor has char16_t.
inline const encoding_scheme& units_scheme() noexcept {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return utf16be_scheme;
#else
  return utf16le_scheme;
#endif
}

//------------------------------------------------------------------------------------------------------------- decoding

/// The error of `before` bytes and the byte `trail`, which are no character together. `is_trail` says whether the last
/// byte is a trail byte. If it is ASCII, it is no part of the error, and is decoded again.
constexpr sequence no_character(std::size_t before, unsigned trail, bool is_trail) noexcept {
  return sequence::ill_formed(is_trail ? errc::unassigned : errc::truncated_sequence,
                              trail < 0x80 ? before : before + 1);
}

/// The code units of a walk, and the bytes from which they come. `is_end` says that no character follows: there is an error,
/// or the text ends within a sequence.
struct walk_result {
  std::size_t units, consumed;
  bool is_end;
};

/// Converts to UTF-8 by way of units. A `Walker` has
///   ascii(in, size)              the bytes of long ASCII at the start of the text; 0 if the text begins otherwise;
///   walk(in, size, units, most)  decodes sequences to at most `most` units; stops at an error, and before long ASCII;
///   each(in, size, out, room)    converts a few characters, with the contract of kernels.hpp.
template <class Walker>
run to_utf8_by_units(const Walker& walker, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{};
  while (done.consumed != size) {
    const char* const from = in + done.consumed;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(from);
    char* const to = out + done.produced;
    const std::size_t left = size - done.consumed, room_left = room - done.produced;
    const std::size_t most = std::min(most_units, room_left / 3);  // a unit becomes at most three bytes
    run some{};
    if (const std::size_t ascii = walker.ascii(bytes, left); ascii != 0) {
      some = ascii_scheme.from_utf8(from, ascii, to, room_left);  // also copies ASCII, mostly faster than to_utf8
    } else if (most < few_units) {
      return done + walker.each(from, left, to, room_left);
    } else {
      char16_t units[most_units];
      const walk_result walked = walker.walk(bytes, left, units, most);
      some = units_scheme().to_utf8(reinterpret_cast<const char*>(units), 2 * walked.units, to, room_left);
      some.consumed = walked.consumed;
      if (walked.is_end) return done + some;
    }
    if (some.consumed == 0) break;
    done = done + some;
  }
  return done;
}

/// Writes the characters of a sequence as units, and returns the end: two units, at most.
inline char16_t* put_units(const sequence& s, char16_t* to) noexcept {
  const bool is_pair = s.value >= 0x10000;
  *to++ = static_cast<char16_t>(is_pair ? high_surrogate(s.value) : s.value);
  if (is_pair) *to++ = static_cast<char16_t>(low_surrogate(s.value));
  if (s.second() != 0) *to++ = static_cast<char16_t>(s.second());
  return to;
}

//------------------------------------------------------------------------------------------------------------- encoding

/// Writes the two bytes of a character, the first one in the high bits. Returns 0 if there are none.
inline std::size_t put_pair(unsigned bytes, char* out) noexcept {
  return bytes != 0 ? put_two_bytes(bytes >> 8, bytes, out) : 0;
}

/// The bytes of UTF-8 that the units were.
inline std::size_t utf8_size(const char16_t* units, std::size_t count) noexcept {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i != count; ++i) {
    const char16_t u = units[i];
    bytes += u < 0x80 ? 1u : u < 0x800 || is_surrogate(u) ? 2u : 3u;
  }
  return bytes;
}

/// Converts the first bytes character by character, unless they are ASCII, and returns false if an error or the end of the
/// room stops it. In text with an error every few bytes this is faster than to begin a piece for each.
template <class Walker>
bool begins_well(const Walker& walker, const char* in, std::size_t size, char* out, std::size_t room,
                 run& done) noexcept {
  constexpr std::size_t first = 8, longest = 4;  // bytes; the first ones may end within a sequence of at most `longest`
  if (size <= first || walker.begins_with_ascii(load_word(in))) return true;
  done = walker.each(in, first, out, room);
  return done.consumed + longest > first;
}

/// The code units that a walk has encoded, and the bytes that it has written.
struct put_result {
  std::size_t units, produced;
};

/// Converts from UTF-8 by way of units. A `Walker` has
///   begins_with_ascii(word)    whether the first eight bytes are characters of ASCII;
///   ascii(in, size)            as above;
///   longest                    the most bytes that it writes for a unit, at least two;
///   put(units, count, out)     encodes units up to a character that the encoding lacks;
///   each(in, size, out, room)  as above.
template <class Walker>
run from_utf8_by_units(const Walker& walker, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{};
  if (!begins_well(walker, in, size, out, room, done)) return done;
  for (std::size_t piece = first_units; done.consumed != size; piece = most_units) {
    const char* const from = in + done.consumed;
    char* const to = out + done.produced;
    const std::size_t left = size - done.consumed, room_left = room - done.produced;
    const std::size_t most = std::min(piece, room_left / walker.longest);
    bool is_whole = true;
    run some{};
    if (const std::size_t ascii = walker.ascii(reinterpret_cast<const unsigned char*>(from), left); ascii != 0) {
      some = ascii_scheme.from_utf8(from, ascii, to, room_left);
    } else if (most < few_units) {
      return done + walker.each(from, left, to, room_left);
    } else {
      char16_t units[most_units];
      some = units_scheme().from_utf8(from, std::min(left, most), reinterpret_cast<char*>(units), sizeof units);
      const std::size_t count = some.produced / 2;
      const put_result put = walker.put(units, count, to);
      is_whole = put.units == count;
      // The encoding lacks the next character: counts again, up to that.
      if (!is_whole) some = kernels().validate_utf8(from, utf8_size(units, put.units));
      some.produced = put.produced;
    }
    done = done + some;
    if (some.consumed == 0 || !is_whole) break;
  }
  return done;
}

//---------------------------------------------------------------------------------------------------------- pairs of bytes

/// Where characters begin in 64 bytes, of which the first one begins a character. Each bit stands for a byte, the lowest
/// one for the first. `leads` has the bytes that take the next byte as their trail byte, unless they are trail bytes
/// themselves. In each row of such bytes the first one is a lead byte, because the byte before it ends a character. So is
/// every other one after it.
constexpr word starts_of(word leads) noexcept {
  constexpr word even = 0x5555555555555555;
  // Adding 1 to the lowest bit of a row clears all bits of the row.
  const word first = leads & ~(leads << 1);
  const word from_even = leads & ~(leads + (first & even)), from_odd = leads & ~from_even;
  return ~(((from_even & even) | (from_odd & ~even)) << 1);
}

/// The bytes of ASCII; 0 for others. Reading a table takes fewer instructions than deciding.
struct bytes_of_ascii {
  unsigned char of[256] = {};

  constexpr bytes_of_ascii() noexcept {
    for (unsigned byte = 0; byte < 0x80; ++byte) of[byte] = static_cast<unsigned char>(byte);
  }
};
inline constexpr bytes_of_ascii ascii_bytes;

/// The characters of one and two bytes, by an index. No function has a branch: in many texts it would be unpredictable.
struct pairs_of_index {
  const char16_t* units;  // of a characters_by_place
  const places_of_bytes& places;

  /// Whether leads_of marks all bytes beyond ASCII.
  static constexpr bool leads_are_all_beyond_ascii = true;
  /// Marks the bytes that may be lead bytes.
  static word leads_of(word bytes) noexcept { return bytes & all_marks; }
  /// The character of one byte; 0 if it is none.
  static unsigned unit_of(unsigned byte) noexcept { return ascii_bytes.of[byte]; }
  /// The character of two bytes; 0 if it is none, or none of the BMP, or if the first one is a character.
  unsigned unit_of(unsigned lead, unsigned trail) const noexcept { return units[places.of(lead, trail)]; }
  /// Passes longer characters, those that a text may be full of, until `to` is beyond `full`: at most three units at once.
  static void pass_longer(const unsigned char*&, const unsigned char*, char16_t*&, const char16_t*) noexcept {}
};

template <class Step, std::size_t... I>
UTFILTER_INLINE void steps(const Step& step, std::index_sequence<I...>) noexcept {
  (step(I), ...);
}
/// Takes the steps 0 to Count - 1 without a loop. Compilers leave some of the loops of a large function as they are.
template <std::size_t Count, class Step>
UTFILTER_INLINE void unrolled(const Step& step) noexcept {
  steps(step, std::make_index_sequence<Count>());
}

/// Walks through text whose characters have one or two bytes, and seldom more. It finds in 64 bytes at once where the
/// characters begin, so their sizes need no branches. `Pairs` is pairs_of_index, or has its functions.
template <class Pairs>
struct pair_walker {
  Pairs pairs;
  decode_function decode;  // of the row

  static std::size_t ascii(const unsigned char* in, std::size_t size) noexcept {
    return begins_long_ascii(in, size) ? size : 0;
  }
  run each(const char* in, std::size_t size, char* out, std::size_t room) const noexcept {
    run done{};
    while (done.consumed != size) {
      const auto* const from = reinterpret_cast<const unsigned char*>(in) + done.consumed;
      const sequence next = decode(from, size - done.consumed, false);
      if (next.what != sequence::kind::scalar) break;
      char characters[8];
      const std::size_t length = encode_all(next, encode_utf8, characters);
      if (length > room - done.produced) break;
      std::memcpy(out + done.produced, characters, length);
      done = done + run{next.size, length, next.characters(), std::size_t{next.value == U'\n'}};
    }
    return done;
  }

  walk_result walk(const unsigned char* in, std::size_t size, char16_t* units, std::size_t most) const noexcept {
    const unsigned char* at = in;
    const unsigned char* const end = in + size;
    char16_t* to = units;
    // A group writes at most `group` units, and one sequence at most two.
    const char16_t* const full = units + most - group;
    const char16_t* const full_for_one = units + most - 2;
    // The last byte of a window may be a lead byte, so another byte must follow the window.
    while (to <= full && end - at > smallest_window) {
      const std::size_t left = static_cast<std::size_t>(end - at), room = static_cast<std::size_t>(units + most - to);
      const std::size_t words = std::min<std::size_t>((left - 1) / 8, 8);
      const word leads = leads_in(at, words);
      if ((leads & 0xFFFF) == 0 && begins_long_ascii(at, left)) break;
      const word starts = starts_of(leads);
      const bool is_sparse = Pairs::leads_are_all_beyond_ascii && count_bits(starts & leads) <= most_sparse &&
                             std::min(left, room) >= 64 + run_step;
      if (is_sparse ? !pass_runs(at, end, to, starts & leads) : !pass_groups(at, end, to, full, starts, 8 * words))
        return result(in, at, units, to, true);
    }
    if (end - at <= smallest_window)
      while (at != end && to <= full_for_one)
        if (!pass_one(at, end, to)) return result(in, at, units, to, true);
    return result(in, at, units, to, false);
  }

 private:
  /// So many characters are decoded side by side. They have at most twice as many bytes.
  static constexpr std::size_t group = 8;
  static constexpr std::ptrdiff_t smallest_window = 2 * group;
  /// pass_others writes at most so many units before it looks at the room again.
  static constexpr std::size_t most_of_other = 3;
  /// In a window with at most so many characters beyond ASCII, it is faster to pass runs of ASCII than groups.
  static constexpr std::size_t most_sparse = 12;
  static constexpr std::size_t run_step = 16;

  static walk_result result(const unsigned char* in, const unsigned char* at, const char16_t* units, const char16_t* to,
                            bool is_end) noexcept {
    return {static_cast<std::size_t>(to - units), static_cast<std::size_t>(at - in), is_end};
  }

  static word leads_in_word(const unsigned char* at) noexcept {
    return bits_of_marks(Pairs::leads_of(load_word(reinterpret_cast<const char*>(at))));
  }
  /// The bytes of so many words, at most eight, that may be lead bytes: a bit for each.
  static word leads_in(const unsigned char* at, std::size_t words) noexcept {
    word bits = 0;
    if (words == 8) {
      unrolled<8>([&](std::size_t i) { bits |= leads_in_word(at + 8 * i) << 8 * i; });
    } else {
      for (std::size_t i = 0; i != words; ++i) bits |= leads_in_word(at + 8 * i) << 8 * i;
    }
    return bits;
  }

  /// Passes groups of characters up to the end of the window: `size` bytes, at least 2 * group. Returns false at an error,
  /// and at the end of the text. May stop earlier, at a character without a unit or after it.
  bool pass_groups(const unsigned char*& at, const unsigned char* end, char16_t*& to, const char16_t* full, word starts,
                   std::size_t size) const noexcept {
    const Pairs by = pairs;
    const unsigned char* from = at;
    const unsigned char* const last = from + size - 2 * group;
    char16_t* put = to;
    bool is_good = true;
    do {
      unsigned missing = 0;
      word left = starts;
      std::size_t passed = 2 * group;
      if ((starts & 0xFFFF) == 0x5555) {
        unrolled<group>([&](std::size_t i) {
          const unsigned unit = by.unit_of(from[2 * i], from[2 * i + 1]);
          put[i] = static_cast<char16_t>(unit);
          missing |= unit - 1;
        });
      } else {
        unrolled<group>([&](std::size_t i) {
          const std::size_t place = first_bit(left);
          const unsigned unit = by.unit_of(from[place], from[place + 1]) | Pairs::unit_of(from[place]);
          put[i] = static_cast<char16_t>(unit);
          missing |= unit - 1;
          left &= left - 1;
        });
        passed = first_bit(left | word{1} << 2 * group);  // the window may have no other start
      }
      if (missing >> 16 != 0) {
        for (; *put != 0; ++put) starts &= starts - 1;
        from += first_bit(starts);
        if (put <= full + group - most_of_other) is_good = pass_others(from, end, put, full);
        break;
      }
      starts >>= passed;
      from += passed;
      put += group;
    } while (from <= last && put <= full);
    at = from;
    to = put;
    return is_good;
  }

  /// Passes a character without a unit, and more of them if they follow.
  bool pass_others(const unsigned char*& at, const unsigned char* end, char16_t*& to,
                   const char16_t* full) const noexcept {
    do {
      const unsigned char* const before = at;
      pairs.pass_longer(at, end, to, full);
      if (at == before && !pass_one(at, end, to)) return false;
    } while (to <= full && end - at >= 2 && (pairs.unit_of(at[0], at[1]) | Pairs::unit_of(at[0])) == 0);
    return true;
  }

  /// Passes a window of 64 bytes, most of which are ASCII: copies them up to each lead byte, and decodes one character
  /// there. Returns as pass_groups does. Reads and writes up to run_step more than it passes.
  bool pass_runs(const unsigned char*& at, const unsigned char* end, char16_t*& to, word leads) const noexcept {
    const Pairs by = pairs;
    const unsigned char* const last = at + 64;
    const unsigned char* from = at;
    char16_t* put = to;
    bool is_good = true;
    while (leads != 0) {
      const std::size_t ascii = first_bit(leads | word{1} << run_step);
      widen(from, run_step, put);
      from += ascii;
      put += ascii;
      leads >>= ascii;
      const std::size_t is_pair = leads & 1;
      const unsigned unit = by.unit_of(from[0], from[1]);
      if (is_pair > unit) {
        const unsigned char* const before = from;
        is_good = pass_others(from, end, put, put);
        const std::size_t passed = static_cast<std::size_t>(from - before);
        if (passed % 2 != 0 || !is_good) break;  // the lead bytes after it may be others
        leads >>= passed;
        continue;
      }
      *put = static_cast<char16_t>(unit);
      put += is_pair;
      from += 2 * is_pair;
      leads >>= 2 * is_pair;
    }
    if (leads == 0 && from < last) {
      const std::size_t ascii = static_cast<std::size_t>(last - from);
      widen(from, ascii, put);
      from = last;
      put += ascii;
    }
    at = from;
    to = put;
    return is_good;
  }
  /// Copies `size` bytes of ASCII, and more up to the next multiple of run_step.
  static void widen(const unsigned char* from, std::size_t size, char16_t* to) noexcept {
    for (std::size_t i = 0; i < size; i += run_step) {
      unsigned char bytes[run_step];  // a copy: compilers use vectors if they see that nothing overlaps
      std::memcpy(bytes, from + i, run_step);
      for (std::size_t k = 0; k != run_step; ++k) to[i + k] = bytes[k];
    }
  }

  bool pass_one(const unsigned char*& at, const unsigned char* end, char16_t*& to) const noexcept {
    const sequence next = decode(at, static_cast<std::size_t>(end - at), false);
    if (next.what != sequence::kind::scalar) return false;
    to = put_units(next, to);
    at += next.size;
    return true;
  }
};

/// Not inlined: several encodings share it.
template <class Pairs>
UTFILTER_NOINLINE run to_utf8_by_pairs(const pair_walker<Pairs>& walker, const char* in, std::size_t size, char* out,
                                       std::size_t room) noexcept {
  return to_utf8_by_units(walker, in, size, out, room);
}

/// So many code units are looked at together.
inline constexpr std::size_t put_block = 16;

/// A bit for each of the units of a block that is beyond ASCII, the lowest one for the first unit.
inline word beyond_ascii(const char16_t* units) noexcept {
  char marks[put_block];
  for (std::size_t k = 0; k != put_block; ++k) marks[k] = static_cast<char>(units[k] < 0x80 ? 0 : -1);
  return bits_of_marks(load_word(marks) & all_marks) | bits_of_marks(load_word(marks + 8) & all_marks) << 8;
}

/// Writes the low bytes of a block of units.
inline void put_low_bytes(const char16_t* units, char* out) noexcept {
  char bytes[put_block];  // a copy: compilers use vectors if they see that nothing overlaps
  for (std::size_t k = 0; k != put_block; ++k) bytes[k] = static_cast<char>(units[k]);
  std::memcpy(out, bytes, put_block);
}

/// Encodes units up to a character that the encoding lacks. `Encoding` is that of multi_byte.
template <class Encoding>
class putter {
  const char16_t* at_;
  char* to_;

  /// Encodes one character, and returns false if the encoding lacks it. There is room for two bytes, also if only the first
  /// one counts.
  bool put_one() noexcept {
    char32_t c = *at_;
    if (const unsigned bytes = Encoding::bytes_of(c)) {
      put_two_bytes(bytes >> 8, bytes, to_);
      to_ += 1 + static_cast<std::size_t>(c >= 0x80);
      ++at_;
      return true;
    }
    const bool is_pair = is_high_surrogate(c);
    if (is_pair) c = from_pair(c, at_[1]);
    const std::size_t size = Encoding::encode(c, to_);
    to_ += size;
    at_ += size == 0 ? 0 : is_pair ? 2 : 1;
    return size != 0;
  }

  /// Encodes a block of which most is ASCII: copies that, and encodes the others, which `beyond` marks. Reads and writes
  /// a block more.
  bool put_runs(word beyond) noexcept {
    const char16_t* const end = at_ + put_block;
    while (beyond != 0) {
      const std::size_t ascii = first_bit(beyond);
      put_low_bytes(at_, to_);
      at_ += ascii;
      to_ += ascii;
      const char16_t* const before = at_;
      if (!put_one()) return false;
      beyond = beyond >> ascii >> (at_ - before);
    }
    if (at_ < end) {
      put_low_bytes(at_, to_);
      to_ += end - at_;
      at_ = end;
    }
    return true;
  }

 public:
  putter(const char16_t* units, char* out) noexcept : at_(units), to_(out) {}

  put_result put(std::size_t count) noexcept {
    constexpr std::size_t most_sparse = 5;  // in a block with at most so many characters beyond ASCII, runs are faster
    const char16_t* const units = at_;
    const char16_t* const end = at_ + count;
    char* const out = to_;
    bool is_good = true;
    while (at_ != end && is_good) {
      const std::size_t left = static_cast<std::size_t>(end - at_);
      const word beyond = left < 2 * put_block ? ~word{0} : beyond_ascii(at_);
      if (count_bits(beyond) <= most_sparse) {
        is_good = put_runs(beyond);
      } else {
        const char16_t* const block_end = at_ + std::min(left, put_block);
        while (at_ < block_end && is_good) is_good = put_one();
      }
    }
    return {static_cast<std::size_t>(at_ - units), static_cast<std::size_t>(to_ - out)};
  }
};
template <class Encoding>
put_result put_pairs(const char16_t* units, std::size_t count, char* out) noexcept {
  return putter<Encoding>(units, out).put(count);
}

struct pair_putter {
  std::size_t longest;
  put_result (*put)(const char16_t* units, std::size_t count, char* out) noexcept;
  convert_kernel each;

  static bool begins_with_ascii(word bytes) noexcept { return is_ascii(bytes); }
  static std::size_t ascii(const unsigned char* in, std::size_t size) noexcept {
    return begins_long_ascii(in, size) ? size : 0;
  }
};

/// Not inlined: the encodings share it.
UTFILTER_NOINLINE inline run from_utf8_by_pairs(const pair_putter& walker, const char* in, std::size_t size, char* out,
                                                std::size_t room) noexcept {
  return from_utf8_by_units(walker, in, size, out, room);
}

//------------------------------------------------------------------------------------------------------------- the row

/// The row of an encoding without states. Two encodings may be decoded alike. `Decoding` has
///   decode                  of the row;
///   pairs                   pairs_of_index, or its like;
///   size_of(c)              the bytes of a character beyond ASCII, which the encoding has.
/// `Encoding` has
///   encode                  of the row;
///   bytes_of(c)             the two bytes of a character of the BMP, the first one in the high bits; for ASCII its byte
///                           and 0; 0 if encode must be called. A branch there should be predictable;
///   longest                 the bytes of its longest character.
template <class Decoding, class Encoding = Decoding>
struct multi_byte {
  static run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    constexpr pair_walker<decltype(Decoding::pairs)> walker{Decoding::pairs, Decoding::decode};
    return to_utf8_by_pairs(walker, in, size, out, room);
  }
  static run from_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    constexpr pair_putter walker{Encoding::longest, put_pairs<Encoding>, convert<decode_utf8, Encoding::encode>};
    return from_utf8_by_pairs(walker, in, size, out, room);
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
      bytes += next.value < 0x80 ? 1 : Decoding::size_of(next.value);
      at += next.size;
    }
    return bytes;
  }

  static constexpr encoding_scheme row(encoding value, std::string_view names,
                                       std::size_t longest = Encoding::longest) noexcept {
    encoding_scheme row = scheme_named(value, names);
    row.longest = longest;
    row.decode = Decoding::decode;
    row.encode = Encoding::encode;
    row.to_utf8 = to_utf8;
    row.from_utf8 = from_utf8;
    row.source_size = source_size;
    return row;
  }
};

}  // namespace utfilter::detail

#endif
