// cjk_tables.hpp: the characters of the Chinese, Japanese and Korean encodings by the pointers of WHATWG's indexes, and the
// pointers of the characters. cjk.py writes the characters.
#ifndef UTFILTER_ENCODINGS_CJK_TABLES_HPP
#define UTFILTER_ENCODINGS_CJK_TABLES_HPP

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// A pointer that no index has.
inline constexpr unsigned no_pointer = 0xFFFF;

/// The characters of an index, all of the BMP, by their pointers; 0 where it has none.
template <std::size_t Size>
struct characters_by_pointer {
  char16_t units[Size] = {};

  char16_t at(unsigned pointer) const noexcept { return pointer < Size ? units[pointer] : static_cast<char16_t>(0); }
};

/// The number of bits that are set, without an instruction for it, which baseline x86-64 lacks.
constexpr unsigned count_bits(unsigned bits16) noexcept {
  bits16 -= bits16 >> 1 & 0x5555;
  bits16 = (bits16 & 0x3333) + (bits16 >> 2 & 0x3333);
  bits16 = (bits16 + (bits16 >> 4)) & 0x0F0F;
  return (bits16 + (bits16 >> 8)) & 0x1F;
}

/// The pointers of characters. The characters of an index are scattered. So 16 neighbours share a block, in which one bit
/// for each says whether it exists.
template <std::size_t Pages, std::size_t Size>
struct pointers_by_character {
  struct block {
    std::uint16_t exist = 0;   // the bit n stands for the character n of the block
    std::uint16_t before = 0;  // the number of pointers before those of this block
  };
  std::uint8_t page_of[0x300] = {};  // page_of[c / 256] is the page of a character; page 0 is empty
  block blocks[Pages][16] = {};
  std::uint16_t pointers[Size] = {};

  unsigned of(char32_t c) const noexcept {
    if (c >= 0x30000) return no_pointer;
    const block& b = blocks[page_of[c / 256]][c / 16 % 16];
    const unsigned bit = 1u << c % 16;
    return (b.exist & bit) != 0 ? pointers[b.before + count_bits(b.exist & (bit - 1))] : no_pointer;
  }
};

using jis0208_index = characters_by_pointer<11104>;
using jis0212_index = characters_by_pointer<7211>;
using euc_kr_index = characters_by_pointer<23750>;
using gb18030_index = characters_by_pointer<23940>;
/// The index of Big5. The characters of plane 2 have a bit in `beyond`.
struct big5_index : characters_by_pointer<19782> {
  std::uint8_t beyond[(19782 + 7) / 8] = {};

  bool is_beyond(unsigned pointer) const noexcept { return (beyond[pointer / 8] >> pointer % 8 & 1) != 0; }
};
extern const jis0208_index jis0208_characters;
extern const jis0212_index jis0212_characters;
extern const euc_kr_index euc_kr_characters;
extern const gb18030_index gb18030_characters;
extern const big5_index big5_characters;

using jis0208_pointer_table = pointers_by_character<99, 7326>;
using euc_kr_pointer_table = pointers_by_character<146, 17048>;
using gb18030_pointer_table = pointers_by_character<131, 23939>;
using big5_pointer_table = pointers_by_character<229, 14653>;
extern const jis0208_pointer_table jis0208_pointers;
extern const euc_kr_pointer_table euc_kr_pointers;
extern const gb18030_pointer_table gb18030_pointers;
/// Without the pointers below first_big5_pointer, those of Hong Kong's supplement, which WHATWG only decodes.
extern const big5_pointer_table big5_pointers;
inline constexpr unsigned first_big5_pointer = 5024;

/// A part of index gb18030 ranges: from this pointer on, the characters of four bytes are those from `character` on.
struct gb18030_range {
  std::uint32_t pointer, character;
};
extern const gb18030_range gb18030_ranges[207];

}  // namespace utfilter::detail

#endif
