// tables.hpp: the characters of the Chinese, Japanese and Korean encodings by the pointers of WHATWG's indexes, and the
// bytes of the characters. cjk.py writes the characters.
#ifndef UTFILTER_ENCODINGS_CJK_TABLES_HPP
#define UTFILTER_ENCODINGS_CJK_TABLES_HPP

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// The characters of an index, all of the BMP, by row and column; 0 where it has none. After the last column there is
/// another one without characters, and after the last row there are two. Bytes that are no lead or trail bytes lead
/// there. So decoding needs no branches, which would be unpredictable in many texts. The rows before `First` have no
/// characters, and are left out.
template <std::size_t First, std::size_t Rows, std::size_t Columns>
struct characters_by_place {
  static constexpr unsigned first = First, rows = Rows, columns = Columns, width = Columns + 1;
  char16_t units[(Rows + 2) * width] = {};

  /// The place of a pointer of WHATWG's.
  static constexpr unsigned place_of(unsigned pointer) noexcept {
    return (pointer / columns - first) * width + pointer % columns;
  }
};

/// Where the bytes of an encoding lead to in an index.
struct places_of_bytes {
  std::uint16_t of_lead[256] = {};
  std::uint8_t of_trail[256] = {};

  unsigned of(unsigned lead, unsigned trail) const noexcept { return of_lead[lead] + of_trail[trail]; }
};

/// The number of bits that are set in each byte. Baseline x86-64 has no instruction for it.
struct counts_of_bits {
  std::uint8_t of_byte[256] = {};

  constexpr counts_of_bits() noexcept {
    for (unsigned byte = 1; byte < 256; ++byte) of_byte[byte] = static_cast<std::uint8_t>(of_byte[byte / 2] + byte % 2);
  }
  constexpr unsigned of(unsigned bits16) const noexcept { return 0u + of_byte[bits16 & 0xFF] + of_byte[bits16 >> 8]; }
};
extern const counts_of_bits bit_counts;

/// The two bytes of each character of an index, the first one in the high bits; and ASCII, whose second byte is 0. The
/// characters are scattered. So 16 neighbours share a block, in which one bit for each says whether the table has it.
/// In a full block no bits need to be counted. IsFull says that nearly all characters of texts are in full blocks; only
/// then is it worth asking whether a block is full. Zeros fill up blocks that have 12 characters or more: punctuation
/// is in such ones.
template <std::size_t Planes, std::size_t Pages, std::size_t Size, bool IsFull>
struct bytes_by_character {
  static constexpr bool is_full = IsFull;
  struct block {
    std::uint16_t exist = 0;   // the bit n stands for the character n of the block
    std::uint16_t before = 0;  // the number of characters before those of this block
  };
  std::uint8_t page_of[Planes * 0x100] = {};  // page_of[c / 256] is the page of a character; page 0 is empty
  block blocks[Pages][16] = {};
  std::uint16_t bytes[Size + 1] = {};  // the last one is for a character that the table lacks

  /// The bytes of a character; 0 if the table lacks it. Without branches, except for the question above.
  unsigned of(char32_t c) const noexcept {
    if (c >= Planes * 0x10000) return 0;
    const block& b = blocks[page_of[c / 256]][c / 16 % 16];
    if (IsFull && b.exist == 0xFFFF) return bytes[b.before + c % 16];
    const unsigned exists = b.exist >> c % 16 & 1u, before = b.exist & ((1u << c % 16) - 1);
    return bytes[b.before + bit_counts.of(before)] & (0u - exists);
  }
};

/// JIS X 0208 with the rows of NEC, and those of IBM just after them. The 20 rows between the two, which have
/// private-use characters in Shift_JIS, are not in the table.
using jis0208_index = characters_by_place<0, 99, 94>;
inline constexpr unsigned first_private_pointer = 8836, first_ibm_pointer = 10716;
using jis0212_index = characters_by_place<1, 76, 94>;
using euc_kr_index = characters_by_place<0, 125, 190>;
using gb18030_index = characters_by_place<0, 126, 190>;
/// The index of Big5. Of a character of plane 2 it has the low 16 bits, and a bit in `beyond`.
struct big5_index : characters_by_place<6, 120, 157> {
  std::uint8_t beyond[sizeof units / sizeof *units / 8 + 1] = {};

  unsigned is_beyond(unsigned place) const noexcept { return beyond[place / 8] >> place % 8 & 1u; }
};
extern const jis0208_index jis0208_characters;
extern const jis0212_index jis0212_characters;
extern const euc_kr_index euc_kr_characters;
extern const gb18030_index gb18030_characters;
extern const big5_index big5_characters;

extern const places_of_bytes shift_jis_places, euc_jp_places, euc_kr_places, gb18030_places, big5_places;

/// The bytes of JIS X 0208, as in EUC-JP.
using jis0208_table = bytes_by_character<1, 99, 0x80 + 7326, false>;
using euc_kr_table = bytes_by_character<1, 146, 0x80 + 17048 + 47, true>;
using gb18030_table = bytes_by_character<1, 131, 0x80 + 23939 + 46, true>;
/// Without those of the lead bytes 81 to A0, Hong Kong's supplement, which WHATWG's standard only decodes.
using big5_table = bytes_by_character<3, 229, 0x80 + 14653, false>;
extern const jis0208_table jis0208_bytes;
extern const euc_kr_table euc_kr_bytes;
extern const gb18030_table gb18030_bytes;
extern const big5_table big5_bytes;

/// A part of index gb18030 ranges: from this pointer on, the characters of four bytes are those from `character` on.
struct gb18030_range {
  std::uint32_t pointer, character;
};
extern const gb18030_range gb18030_ranges[207];

}  // namespace utfilter::detail

#endif
