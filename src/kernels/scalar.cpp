// scalar.cpp: the kernel table in plain C++, for every processor. It reads words of eight bytes. The end of a text, and
// everything ill-formed, is left to reference.hpp, which takes one character at a time.
#include "kernels/byte_table.hpp"
#include "kernels/kernels.hpp"
#include "kernels/positions.hpp"
#include "kernels/reference.hpp"
#include "kernels/words.hpp"
#include "unicode/latin1.hpp"
#include "unicode/utf16.hpp"
#include "unicode/utf32.hpp"
#include "unicode/utf8.hpp"
#include "unicode/utf8_automaton.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/counts.inc"

namespace utfilter::detail {
namespace {

//----------------------------------------------------------------------------------------------------------- validation

using namespace utf8_automaton;

constexpr std::size_t block_words = 4, block = 8 * block_words;

/// The part of a text that has been checked. The last sequence may be unfinished.
class checked {
 public:
  /// Takes a block. Returns false, and takes nothing, if a byte there is wrong.
  bool take(const char* in) noexcept {
    const word words[block_words] = {load_word(in), load_word(in + 8), load_word(in + 16), load_word(in + 24)};
    word any = 0;
    for (const word w : words) any |= w;
    if (is_ascii(any) && is_between()) {
      line_feeds_ += block - count(words, not_line_feeds_of);
      return true;
    }
    const std::uint64_t next = after_block(in);
    if (is_at(next, ill_formed)) return false;
    state_ = next;
    continuations_ += count(words, continuations_of);
    line_feeds_ += count(words, line_feeds_of);
    return true;
  }
  run result(const char* in, std::size_t size) const noexcept {
    return well_formed(in, size, continuations_, line_feeds_);
  }

 private:
  bool is_between() const noexcept { return is_at(state_, between); }
  std::uint64_t after_block(const char* in) const noexcept {
    std::uint64_t s = state_;
    for (std::size_t i = 0; i < block; i += 8)
      for (std::size_t k = 0; k < 8; ++k) s = step(s, byte_at(in, i + k));  // unrolled by the compiler
    return s;
  }
  template <class Marks>
  static std::size_t count(const word (&words)[block_words], Marks marks) noexcept {
    word sums = 0;
    for (const word w : words) sums += marks(w) >> 7;
    return static_cast<std::size_t>(sums * all_ones >> 56);
  }

  std::uint64_t state_ = start;
  std::size_t continuations_ = 0, line_feeds_ = 0;
};

/// The sum of two runs; `rest` begins where `done` has ended.
run sum(const run& done, const run& rest) noexcept {
  return {done.consumed + rest.consumed, done.produced + rest.produced, done.characters + rest.characters,
          done.line_feeds + rest.line_feeds};
}

run validate_characters(const char* in, std::size_t size) noexcept {
  run done{};
  while (done.consumed < size) {
    const sequence next =
        decode_utf8(reinterpret_cast<const unsigned char*>(in) + done.consumed, size - done.consumed, false);
    if (next.what != sequence::kind::scalar) break;
    done.consumed += next.size;
    ++done.characters;
    done.line_feeds += next.value == U'\n';
  }
  done.produced = done.consumed;
  return done;
}

run validate_utf8(const char* in, std::size_t size) noexcept {
  checked text;
  std::size_t at = 0;
  while (size - at >= block && text.take(in + at)) at += block;
  const run done = text.result(in, at);
  return sum(done, validate_characters(in + done.consumed, size - done.consumed));
}

bool is_well_formed(const char* in, std::size_t size) noexcept { return validate_utf8(in, size).consumed == size; }

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  // If the room ends inside a character, validation stops before that character.
  const run done = validate_utf8(in, std::min(size, room));
  if (done.consumed != 0) std::memcpy(out, in, done.consumed);
  return done;
}

//----------------------------------------------------------------------------------------------------------- conversion

constexpr std::size_t some = 8;  // characters that are converted without a look at the ends of the input and the room

/// The members of an encoding that `convert_words` needs:
///   unit, longest        the bytes of a code unit, and of the longest character
///   decode, encode       as in reference.hpp
///   load(in, ascii)      reads `some` code units, sets `ascii` to a byte for each, and returns how many of them, from
///                        the first on, are known to be ASCII
///   store(ascii, out)    writes such bytes as code units
///   pass(in, take)       calls take(value, size) for the next character and returns its result; returns false if it is
///                        ill-formed. Each length has its own call, so that the compiler knows the range of the value.
///                        `longest` bytes can be read.
///   goes_on(in)          whether pass() is better than load() for the next character, after one that was not ASCII
///   put(c, out)          as encode, but may write `longest` bytes
struct utf8 {
  static constexpr std::size_t unit = 1, longest = 4;
  static constexpr decode_function decode = decode_utf8;
  static constexpr encode_function encode = encode_utf8;

  static std::size_t load(const char* in, word& ascii) noexcept {
    ascii = load_word(in);
    return bytes_before(ascii & all_marks);
  }
  static void store(word ascii, char* out) noexcept { store_word(ascii, out); }
  static bool goes_on(const char* in) noexcept { return ((byte_at(in, 0) | byte_at(in, 1)) & 0x80) != 0; }
  /// Without a branch between one byte and two, which alternate in many texts.
  static std::size_t put(char32_t c, char* out) noexcept {
    if (c >= 0x10000) {
      little_endian::store32(0x808080F0 | c >> 18 | (c >> 4 & 0x3F00) | (c << 10 & 0x3F0000) | (c & 0x3F) << 24, out);
      return 4;
    }
    if (c >= 0x800) {
      little_endian::store32(0x8080E0 | c >> 12 | (c << 2 & 0x3F00) | (c & 0x3F) << 16, out);
      return 3;
    }
    const char32_t is_two = (c + 0x780) >> 11;  // 1 from U+0080 on
    const char32_t two = 0x80C0 | c >> 6 | (c & 0x3F) << 8;
    little_endian::store16(c ^ ((c ^ two) & (0 - is_two)), out);
    return 1 + is_two;
  }

  template <class Take>
  static bool pass(const char* in, const Take& take) noexcept {
    const char32_t w = little_endian::load32(in);
    if ((w & 0x80) == 0) return take(w & 0x7F, 1);
    if ((w & 0xC0E0) == 0x80C0) {
      const char32_t c = (w & 0x1F) << 6 | (w >> 8 & 0x3F);
      return c >= 0x80 && take(c, 2);
    }
    if ((w & 0xC0C0F0) == 0x8080E0) {
      const char32_t c = (w & 0x0F) << 12 | (w >> 2 & 0x0FC0) | (w >> 16 & 0x3F);
      return c >= 0x800 && !is_surrogate(c) && take(c, 3);
    }
    if ((w & 0xC0C0C0F8) == 0x808080F0) {
      const char32_t c = (w & 0x07) << 18 | (w << 4 & 0x3F000) | (w >> 10 & 0x0FC0) | (w >> 24 & 0x3F);
      return c >= 0x10000 && c <= 0x10FFFF && take(c, 4);
    }
    return false;
  }
};

struct latin1 {
  static constexpr std::size_t unit = 1, longest = 1;
  static constexpr decode_function decode = decode_latin1;
  static constexpr encode_function encode = encode_latin1;

  static std::size_t load(const char* in, word& ascii) noexcept { return utf8::load(in, ascii); }
  static bool goes_on(const char*) noexcept { return true; }
  static std::size_t put(char32_t c, char* out) noexcept { return encode_latin1(c, out); }
  static void store(word ascii, char* out) noexcept { utf8::store(ascii, out); }
  template <class Take>
  static bool pass(const char* in, const Take& take) noexcept {
    return take(byte_at(in, 0), 1);
  }
};

template <class Order>
struct utf16 {
  static constexpr std::size_t unit = 2, longest = 4;
  static constexpr decode_function decode = decode_utf16<Order>;
  static constexpr encode_function encode = encode_utf16<Order>;

  static constexpr bool big = std::is_same_v<Order, big_endian>;
  static bool goes_on(const char*) noexcept { return true; }
  static std::size_t put(char32_t c, char* out) noexcept { return encode(c, out); }
  static std::size_t load(const char* in, word& ascii) noexcept {
    const word a = load_word(in), b = load_word(in + 8);
    ascii = narrow_from_16(a >> (big ? 8 : 0)) | narrow_from_16(b >> (big ? 8 : 0)) << 32;
    return ((a | b) & (big ? 0x80FF80FF80FF80FF : 0xFF80FF80FF80FF80)) == 0 ? some : 0;
  }
  static void store(word ascii, char* out) noexcept {
    store_word(widen_to_16(ascii & 0xFFFFFFFF) << (big ? 8 : 0), out);
    store_word(widen_to_16(ascii >> 32) << (big ? 8 : 0), out + 8);
  }
  template <class Take>
  static bool pass(const char* in, const Take& take) noexcept {
    const char32_t c = Order::load16(in);
    if (c < 0x800) return take(c, 2);
    if (!is_surrogate(c)) return take(c, 2);
    const char32_t low = Order::load16(in + 2);
    return is_high_surrogate(c) && is_low_surrogate(low) && take(from_pair(c, low), 4);
  }
};

template <class Order>
struct utf32 {
  static constexpr std::size_t unit = 4, longest = 4;
  static constexpr decode_function decode = decode_utf32<Order>;
  static constexpr encode_function encode = encode_utf32<Order>;

  static constexpr bool big = std::is_same_v<Order, big_endian>;
  static bool goes_on(const char*) noexcept { return true; }
  static std::size_t put(char32_t c, char* out) noexcept { return encode(c, out); }
  static std::size_t load(const char* in, word& ascii) noexcept {
    word any = 0;
    ascii = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const word w = load_word(in + 8 * i);
      any |= w;
      ascii |= narrow_from_32(w >> (big ? 24 : 0)) << 16 * i;
    }
    return (any & (big ? 0x80FFFFFF80FFFFFF : 0xFFFFFF80FFFFFF80)) == 0 ? some : 0;
  }
  static void store(word ascii, char* out) noexcept {
    for (unsigned i = 0; i < 4; ++i) store_word(widen_to_32(ascii >> 16 * i & 0xFFFF) << (big ? 24 : 0), out + 8 * i);
  }
  template <class Take>
  static bool pass(const char* in, const Take& take) noexcept {
    const char32_t c = Order::load32(in);
    if (c < 0x800) return take(c, 4);
    if (c < 0x10000) return !is_surrogate(c) && take(c, 4);
    return c <= 0x10FFFF && take(c, 4);
  }
};

/// Any encoding of one byte per character.
struct single_byte {
  static constexpr std::size_t unit = 1, longest = 1;
  const byte_table& table;

  sequence decode(const unsigned char* in, std::size_t, bool) const noexcept { return table.decode(in); }
  std::size_t encode(char32_t c, char* out) const noexcept { return put(c, out); }

  static bool goes_on(const char*) noexcept { return true; }
  std::size_t put(char32_t c, char* out) const noexcept { return table.put(c, out); }
  static std::size_t load(const char* in, word& ascii) noexcept { return utf8::load(in, ascii); }
  static void store(word ascii, char* out) noexcept { utf8::store(ascii, out); }
  template <class Take>
  bool pass(const char* in, const Take& take) const noexcept {
    const char16_t c = table.unit_of(static_cast<unsigned char>(in[0]));
    return c != byte_table::unassigned && take(c, 1);
  }
};

/// Converts words of ASCII, and up to `some` other characters at a time. Leaves the end of the input, the end of the
/// room, and the first character that is ill-formed or missing in the target to `convert_by`.
template <class From, class To>
run convert_words_by(const From& from, const To& to, const char* in, std::size_t size, char* out,
                     std::size_t room) noexcept {
  run done{};
  const auto take = [&](char32_t c, std::size_t length) noexcept {
    const std::size_t produced = to.put(c, out + done.produced);
    if (produced == 0) return false;
    done.consumed += length;
    done.produced += produced;
    done.line_feeds += c == U'\n';
    return true;
  };
  bool good = true;
  while (good && size - done.consumed >= some * From::longest && room - done.produced >= some * To::longest) {
    word ascii;
    const std::size_t n = from.load(in + done.consumed, ascii);
    if (n != 0) {
      to.store(ascii, out + done.produced);
      done = sum(done, {n * From::unit, n * To::unit, n, count_marked(line_feeds_of(ascii) & first_bytes(n))});
    }
    if (n == some) continue;
    std::size_t i = n;
    do good = from.pass(in + done.consumed, take);
    while (good && ++i < some && from.goes_on(in + done.consumed));
    done.characters += i - n;
  }
  const auto decode = [&](const unsigned char* bytes, std::size_t left, bool last) noexcept {
    return from.decode(bytes, left, last);
  };
  const auto encode = [&](char32_t c, char* unit) noexcept { return to.encode(c, unit); };
  return sum(done, convert_by(decode, encode, in + done.consumed, size - done.consumed, out + done.produced,
                              room - done.produced));
}
template <class From, class To>
run convert_words(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert_words_by(From(), To(), in, size, out, room);
}

run bytes_to_utf8(const byte_table& table, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert_words_by(single_byte{table}, utf8(), in, size, out, room);
}
run utf8_to_bytes(const byte_table& table, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return convert_words_by(utf8(), single_byte{table}, in, size, out, room);
}

/// CESU-8 as code units: a surrogate is a character like any other.
struct cesu8_units : utf8 {
  static constexpr std::size_t longest = 3;

  static sequence decode(const unsigned char* in, std::size_t size, bool) noexcept {
    char bytes[4] = {};
    std::memcpy(bytes, in, std::min(size, longest));
    sequence next = sequence::incomplete(false, size);
    pass(bytes, [&](char32_t c, std::size_t length) noexcept {
      if (length <= size) next = sequence::scalar(c, length);
      return true;
    });
    return next;
  }
  template <class Take>
  static bool pass(const char* in, const Take& take) noexcept {
    const char32_t first = byte_at(in, 0), second = byte_at(in, 1) ^ 0x80u;
    if (first < 0x80) return take(first, 1);
    if (second > 0x3F) return false;
    if (first < 0xE0) return first >= 0xC2 && take((first & 0x1F) << 6 | second, 2);
    const char32_t third = byte_at(in, 2) ^ 0x80u, c = (first & 0x0F) << 12 | second << 6 | third;
    return first < 0xF0 && third <= 0x3F && c >= 0x800 && take(c, 3);
  }
};

/// The code units of UTF-16LE: a surrogate is a character like any other.
struct utf16_units : utf16<little_endian> {
  static constexpr std::size_t longest = 2;

  static sequence decode(const unsigned char* in, std::size_t, bool) noexcept {
    return sequence::scalar(little_endian::load16(reinterpret_cast<const char*>(in)), 2);
  }
  template <class Take>
  static bool pass(const char* in, const Take& take) noexcept {
    return take(little_endian::load16(in), 2);
  }
};

run cesu8_to_units(const char* in, std::size_t size, char* units) noexcept {
  return convert_words<cesu8_units, utf16_units>(in, size, units, 2 * size);
}
std::size_t units_to_cesu8(const char* units, std::size_t size, char* out) noexcept {
  return convert_words<utf16_units, utf8>(units, size, out, size / 2 * 3).produced;
}

constexpr kernel_table scalar_table() noexcept {
  kernel_table result = {};
  result.name = "scalar";

  result.validate_utf8 = validate_utf8;
  result.is_well_formed = is_well_formed;
  result.copy_utf8 = copy_utf8;
  result.copy_utf8_to_error = copy_utf8;

  result.utf16le_to_utf8 = convert_words<utf16<little_endian>, utf8>;
  result.utf16be_to_utf8 = convert_words<utf16<big_endian>, utf8>;
  result.utf32le_to_utf8 = convert_words<utf32<little_endian>, utf8>;
  result.utf32be_to_utf8 = convert_words<utf32<big_endian>, utf8>;
  result.latin1_to_utf8 = convert_words<latin1, utf8>;
  result.utf8_to_utf16le = convert_words<utf8, utf16<little_endian>>;
  result.utf8_to_utf16be = convert_words<utf8, utf16<big_endian>>;
  result.utf8_to_utf32le = convert_words<utf8, utf32<little_endian>>;
  result.utf8_to_utf32be = convert_words<utf8, utf32<big_endian>>;
  result.utf8_to_latin1 = convert_words<utf8, latin1>;
  result.bytes_to_utf8 = bytes_to_utf8;
  result.utf8_to_bytes = utf8_to_bytes;
  result.cesu8_to_units = cesu8_to_units;
  result.units_to_cesu8 = units_to_cesu8;

  result.utf16_units_of_utf8 = utf16_units_of_utf8;
  result.utf32_units_of_utf8 = utf32_units_of_utf8;
  result.utf8_bytes_of_utf16 = utf8_bytes_of_utf16;
  result.utf8_bytes_of_utf32 = utf8_bytes_of_utf32;

  result.utf8_last_line = last_line<decode_utf8, 1>;
  result.utf16le_last_line = last_line<decode_utf16<little_endian>, 2>;
  result.utf16be_last_line = last_line<decode_utf16<big_endian>, 2>;
  return result;
}

}  // namespace

const kernel_table scalar_kernels = scalar_table();

}  // namespace utfilter::detail
