// byte_table.hpp: an encoding of one byte per character, as the kernels need it: ASCII for the bytes 00..7F, a table for
// the bytes 80..FF.
#ifndef UTFILTER_KERNELS_BYTE_TABLE_HPP
#define UTFILTER_KERNELS_BYTE_TABLE_HPP

#include "unicode/byte_order.hpp"
#include "unicode/sequence.hpp"

#include <cstddef>

namespace utfilter::detail {

/// The characters of the bytes 80..FF, all of them beyond ASCII; 0 for an unassigned byte.
using upper_characters = char16_t[128];

/// The table, for both directions. Vector kernels look up rows of 16 bytes by four bits.
struct byte_table {
  /// The bytes of 64 neighbouring characters; 0 for a character that is missing in the encoding.
  struct page {
    char16_t first = 0;  // the first of the characters
    unsigned char bytes[4][16] = {};
  };

  // The low and the high byte of the characters of the bytes 80..FF. An unassigned byte has an unpaired surrogate: every
  // conversion from UTF-16 stops before it.
  unsigned char low[8][16] = {}, high[8][16] = {};
  // page_of[c / 64 % 256] is the index in `pages` for a character beyond ASCII. Page 0 is empty.
  unsigned char page_of[256] = {};
  const page* pages = nullptr;

  static constexpr char16_t unassigned = 0xDC00;

  /// The byte of a character beyond ASCII, or 0 if it is missing.
  constexpr unsigned char byte_of(char32_t c) const noexcept {
    const page& p = pages[page_of[c / 64 % 256]];
    return c - c % 64 == p.first ? p.bytes[c / 16 % 4][c % 16] : static_cast<unsigned char>(0);
  }
  sequence decode(const unsigned char* in) const noexcept {
    const char16_t c = unit_of(in[0]);
    return c == unassigned ? sequence::ill_formed(errc::unassigned, 1) : sequence::scalar(c, 1);
  }
  /// Writes the byte of a character. Returns false if the byte is missing; the byte written then has no meaning.
  bool put(char32_t c, char* out) const noexcept {
    const char32_t byte = c < 0x80 ? c : byte_of(c);
    *out = to_char(byte);
    return byte != 0 || c == 0;
  }
  /// The character of a byte. Without a branch: in many texts ASCII and other characters alternate.
  constexpr char16_t unit_of(unsigned char byte) const noexcept {
    const unsigned i = byte % 0x80u, row = i / 16, place = i % 16, beyond_ascii = 0u - (byte >> 7);
    const unsigned unit = static_cast<unsigned>(high[row][place] << 8 | low[row][place]);
    return static_cast<char16_t>((unit & beyond_ascii) | (byte & ~beyond_ascii));
  }
};

/// The number of pages for these characters, including the empty page.
constexpr std::size_t count_pages(const upper_characters& characters) noexcept {
  std::size_t count = 1;
  for (std::size_t i = 0; i < 128; ++i) {
    bool known = characters[i] == 0;
    for (std::size_t k = 0; k < i; ++k) known = known || characters[k] / 64 == characters[i] / 64;
    count += !known;
  }
  return count;
}

/// A table and its pages.
template <std::size_t Pages>
struct byte_table_with_pages : byte_table {
  page all[Pages] = {};

  byte_table_with_pages(const byte_table_with_pages&) = delete;  // `pages` would point to the pages of the original
  byte_table_with_pages& operator=(const byte_table_with_pages&) = delete;

  constexpr explicit byte_table_with_pages(const upper_characters& characters) noexcept {
    pages = all;
    std::size_t count = 1;
    for (unsigned i = 0; i < 128; ++i) {
      const char16_t c = characters[i] != 0 ? characters[i] : unassigned;
      low[i / 16][i % 16] = static_cast<unsigned char>(c & 0xFF);
      high[i / 16][i % 16] = static_cast<unsigned char>(c >> 8);
      if (c == unassigned) continue;
      unsigned char& index = page_of[c / 64 % 256];
      if (index == 0) index = static_cast<unsigned char>(count++);
      all[index].first = static_cast<char16_t>(c - c % 64);
      all[index].bytes[c / 16 % 4][c % 16] = static_cast<unsigned char>(0x80 + i);
    }
  }
  /// False if two pages have the same place in page_of.
  constexpr bool is_right(const upper_characters& characters) const noexcept {
    for (unsigned i = 0; i < 128; ++i)
      if (characters[i] != 0 && byte_of(characters[i]) != 0x80 + i) return false;
    return true;
  }
};

}  // namespace utfilter::detail

#endif
