// words.hpp: eight bytes of text at a time, in plain C++. The first byte of a word has its lowest bits, whatever the
// processor's byte order is.
#ifndef UTFILTER_KERNELS_WORDS_HPP
#define UTFILTER_KERNELS_WORDS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace utfilter::detail {

using word = std::uint64_t;

inline word first_byte_lowest(word w) noexcept {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap64(w);
#else
  return w;
#endif
}

inline word load_word(const char* in) noexcept {
  word w;
  std::memcpy(&w, in, sizeof w);
  return first_byte_lowest(w);
}

inline void store_word(word w, char* out) noexcept {
  w = first_byte_lowest(w);
  std::memcpy(out, &w, sizeof w);
}

// A mark is the highest bit of a byte.
constexpr word all_marks = 0x8080808080808080, all_ones = 0x0101010101010101;

constexpr bool is_ascii(word w) noexcept { return (w & all_marks) == 0; }

/// Marks the bytes 80..BF: bit 7 is set, bit 6 is not.
constexpr word continuations_of(word w) noexcept { return w & ~w << 1 & all_marks; }

/// Marks the bytes that are 0. Adding 7F to the low seven bits sets bit 7 of every other byte.
constexpr word zeros_of(word w) noexcept { return ~(((w & ~all_marks) + ~all_marks) | w) & all_marks; }
/// Whether a byte is 0. The subtraction sets bit 7 of the lowest such byte, which had none.
constexpr bool has_zero(word w) noexcept { return ((w - all_ones) & ~w & all_marks) != 0; }
constexpr word line_feeds_of(word w) noexcept { return zeros_of(w ^ all_ones * '\n'); }

constexpr bool has_line_feed(word w) noexcept { return has_zero(w ^ all_ones * '\n'); }

/// Marks the bytes that are no line feeds. For ASCII only; this takes fewer steps.
constexpr word not_line_feeds_of(word ascii) noexcept { return ((ascii ^ all_ones * '\n') + ~all_marks) & all_marks; }

/// The number of marked bytes.
constexpr std::size_t count_marked(word marks) noexcept {
  return static_cast<std::size_t>((marks >> 7) * all_ones >> 56);
}

/// The number of bytes before the first mark: 8 if there is none.
constexpr std::size_t bytes_before(word marks) noexcept {
  return marks == 0 ? 8 : count_marked(((marks & (0 - marks)) - 1) & all_marks);
}

/// The number of bytes after the last line feed: all if there is none.
inline std::size_t after_last_line_feed(const char* in, std::size_t size) noexcept {
  std::size_t left = size;
  while (left >= 8 && !has_line_feed(load_word(in + left - 8))) left -= 8;
  while (left != 0 && in[left - 1] != '\n') --left;
  return size - left;
}

/// A bit for each byte, the lowest one for the first byte. The multiplication moves the mark of the byte n to the bit
/// 56 + n; no two products meet.
constexpr word bits_of_marks(word marks) noexcept { return (marks >> 7) * 0x0102040810204080 >> 56; }
/// The number of the lowest bit that is set; one must be.
inline std::size_t first_bit(word bits) noexcept {
#if defined(__GNUC__)
  return static_cast<unsigned>(__builtin_ctzll(bits));
#else
  std::size_t n = 0;
  while ((bits >> n & 1) == 0) ++n;
  return n;
#endif
}

/// The number of bits that are set. Baseline x86-64 has no instruction for it.
constexpr std::size_t count_bits(word bits) noexcept {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  return static_cast<std::size_t>(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F) * all_ones >> 56);
}

/// All bits of the first n bytes.
constexpr word first_bytes(std::size_t n) noexcept { return n == 8 ? ~word{0} : (word{1} << 8 * n) - 1; }

// Some characters of ASCII as code units of one, two or four bytes; the first has the lowest bits.
constexpr word widen_to_16(word four_bytes) noexcept {
  const word pairs = (four_bytes | four_bytes << 16) & 0x0000FFFF0000FFFF;
  return (pairs | pairs << 8) & 0x00FF00FF00FF00FF;
}
constexpr word widen_to_32(word two_bytes) noexcept { return (two_bytes | two_bytes << 24) & 0x000000FF000000FF; }
constexpr word narrow_from_16(word four_units) noexcept {
  const word pairs = (four_units | four_units >> 8) & 0x0000FFFF0000FFFF;
  return (pairs | pairs >> 16) & 0x00000000FFFFFFFF;
}
constexpr word narrow_from_32(word two_values) noexcept { return (two_values | two_values >> 24) & 0xFFFF; }

}  // namespace utfilter::detail

#endif
