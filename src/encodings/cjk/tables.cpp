// tables.cpp: makes the tables from the texts that cjk.py writes, while the library is compiled.
#include "encodings/cjk/tables.hpp"

namespace utfilter::detail {
namespace {

// clang-format off
constexpr char32_t jis0208_text[] =
#include "encodings/cjk/jis0208.inc"
;
constexpr char32_t jis0212_text[] =
#include "encodings/cjk/jis0212.inc"
;
constexpr char32_t euc_kr_text[] =
#include "encodings/cjk/euc_kr.inc"
;
constexpr char32_t gb18030_text[] =
#include "encodings/cjk/gb18030.inc"
;
constexpr char32_t big5_text[] =
#include "encodings/cjk/big5.inc"
;
// clang-format on

/// Stands for a pointer without a character.
constexpr char32_t none = U'.';

template <class Table, std::size_t End>
constexpr Table characters_of(const char32_t (&text)[End]) noexcept {
  Table table;
  static_assert((End - 2) / Table::columns + 1 == Table::first + Table::rows, "the index has another number of rows");
  for (unsigned i = 0; i + 1 < End; ++i)
    if (text[i] != none) table.units[Table::place_of(i)] = static_cast<char16_t>(text[i] & 0xFFFF);
  return table;
}

constexpr jis0208_index characters_of_jis0208() noexcept {
  jis0208_index table;
  constexpr unsigned end = sizeof jis0208_text / sizeof *jis0208_text - 1;
  constexpr unsigned left_out = first_ibm_pointer - first_private_pointer;
  static_assert((end - left_out - 1) / 94 + 1 == jis0208_index::rows, "the index has another number of rows");
  for (unsigned i = 0; i < end; ++i) {
    if (jis0208_text[i] == none) continue;
    const unsigned pointer = i < first_private_pointer ? i : i - left_out;
    table.units[jis0208_index::place_of(pointer)] = static_cast<char16_t>(jis0208_text[i]);
  }
  return table;
}

constexpr big5_index characters_of_both_planes() noexcept {
  auto table = characters_of<big5_index>(big5_text);
  for (unsigned i = 0; i + 1 < sizeof big5_text / sizeof *big5_text; ++i) {
    if (big5_text[i] <= 0xFFFF) continue;
    const unsigned place = big5_index::place_of(i);
    std::uint8_t& bits = table.beyond[place / 8];
    bits = static_cast<std::uint8_t>(bits | 1u << place % 8);
  }
  return table;
}

//------------------------------------------------------------------------------------------------ the places of bytes

/// The row of a lead byte, and the column of a trail byte; -1 for other bytes.
using line_of = int (*)(int byte) noexcept;

/// `lines` is the number of rows of the index for one lead byte: 1, or 2 for Shift_JIS, where a lead byte has two rows
/// of JIS X 0208.
template <class Index>
constexpr places_of_bytes places_in(line_of row_of, line_of column_of, unsigned lines = 1) noexcept {
  places_of_bytes places;
  for (int byte = 0; byte < 256; ++byte) {
    const int row = row_of(byte), column = column_of(byte);
    const unsigned begin = static_cast<unsigned>(row) * lines - Index::first;  // more than all rows, if there is none
    places.of_lead[byte] =
        static_cast<std::uint16_t>((row < 0 || begin >= Index::rows ? Index::rows : begin) * Index::width);
    places.of_trail[byte] =
        static_cast<std::uint8_t>(column < 0 ? Index::columns
                                             : static_cast<unsigned>(column) / Index::columns * Index::width +
                                                   static_cast<unsigned>(column) % Index::columns);
  }
  return places;
}

constexpr int in(int byte, int first, int last) noexcept { return byte >= first && byte <= last ? byte - first : -1; }
constexpr int in_two(int byte, int first, int last, int other_first, int other_last) noexcept {
  if (in(byte, first, last) >= 0) return byte - first;
  return in(byte, other_first, other_last) >= 0 ? last - first + 1 + byte - other_first : -1;
}
/// Without F0 to F9, the rows of private-use characters.
constexpr int shift_jis_row(int byte) noexcept {
  return byte >= 0xFA ? in_two(byte, 0x81, 0x81 + 0xEF - 0xC1, 0xFA, 0xFC) : in_two(byte, 0x81, 0x9F, 0xE0, 0xEF);
}
constexpr int shift_jis_column(int byte) noexcept { return in_two(byte, 0x40, 0x7E, 0x80, 0xFC); }
constexpr int euc_jp_line(int byte) noexcept { return in(byte, 0xA1, 0xFE); }
constexpr int lead_row(int byte) noexcept { return in(byte, 0x81, 0xFE); }
constexpr int euc_kr_column(int byte) noexcept { return in(byte, 0x41, 0xFE); }
constexpr int gb18030_column(int byte) noexcept { return in_two(byte, 0x40, 0x7E, 0x80, 0xFE); }
constexpr int big5_column(int byte) noexcept { return in_two(byte, 0x40, 0x7E, 0xA1, 0xFE); }

}  // namespace

constexpr counts_of_bits bit_counts;

namespace {

//---------------------------------------------------------------------------------------------- the bytes of a pointer

constexpr unsigned two_bytes(std::size_t lead, std::size_t trail) noexcept {
  return static_cast<unsigned>(lead << 8 | trail);
}
constexpr unsigned bytes_of_jis0208(std::size_t p) noexcept { return two_bytes(p / 94 + 0xA1, p % 94 + 0xA1); }
constexpr unsigned bytes_of_euc_kr(std::size_t p) noexcept { return two_bytes(p / 190 + 0x81, p % 190 + 0x41); }
constexpr unsigned bytes_of_gb18030(std::size_t p) noexcept {
  return two_bytes(p / 190 + 0x81, p % 190 + (p % 190 < 0x3F ? 0x40 : 0x41));
}
constexpr unsigned bytes_of_big5(std::size_t p) noexcept {
  return two_bytes(p / 157 + 0x81, p % 157 + (p % 157 < 0x3F ? 0x40 : 0x62));
}

constexpr bool takes_first(char32_t) noexcept { return false; }
/// Big5 has these characters twice, and WHATWG's encoder takes the second pointer.
constexpr bool takes_last_in_big5(char32_t c) noexcept {
  return c == 0x2550 || c == 0x255E || c == 0x2561 || c == 0x256A || c == 0x5341 || c == 0x5345;
}

/// The bytes of ASCII, and of the characters from the pointer `begin` on. If a character has several pointers, the
/// first one counts, or the last one if `takes_last` is true for the character. The first pass finds which characters
/// exist, the second one their bytes.
template <class Table, std::size_t End>
constexpr Table encoded(const char32_t (&text)[End], unsigned (*bytes_of)(std::size_t) noexcept, std::size_t begin = 0,
                        bool (*takes_last)(char32_t) noexcept = takes_first) noexcept {
  Table table;
  std::size_t pages = 1;
  const auto exists = [&table, &pages](char32_t c) {
    std::uint8_t& page = table.page_of[c / 256];
    if (page == 0) page = static_cast<std::uint8_t>(pages++);
    auto& b = table.blocks[page][c / 16 % 16];
    b.exist = static_cast<std::uint16_t>(b.exist | 1u << c % 16);
  };
  for (char32_t c = 0; c < 0x80; ++c) exists(c);
  for (std::size_t i = begin; i + 1 < End; ++i)
    if (text[i] != none) exists(text[i]);
  unsigned before = 0;
  for (auto& page : table.blocks)
    for (auto& b : page) {
      if (Table::is_full && bit_counts.of(b.exist) >= 12) b.exist = 0xFFFF;
      b.before = static_cast<std::uint16_t>(before);
      before += bit_counts.of(b.exist);
    }
  for (char32_t c = 0; c < 0x80; ++c) table.bytes[c] = static_cast<std::uint16_t>(c << 8);  // page 0 is empty
  for (std::size_t i = begin; i + 1 < End; ++i) {
    const char32_t c = text[i];
    if (c == none) continue;
    const auto& b = table.blocks[table.page_of[c / 256]][c / 16 % 16];
    std::uint16_t& bytes = table.bytes[b.before + bit_counts.of(b.exist & ((1u << c % 16) - 1))];
    if (bytes == 0 || takes_last(c)) bytes = static_cast<std::uint16_t>(bytes_of(i));
  }
  return table;
}

/// Whether the table has as many pages and characters as its type says. With fewer of either in the type, the table above
/// would not have compiled.
template <std::size_t Planes, std::size_t Pages, std::size_t Size, bool IsFull>
constexpr bool is_full(const bytes_by_character<Planes, Pages, Size, IsFull>& table) noexcept {
  bool has_last_page = false;
  for (const std::uint8_t page : table.page_of) has_last_page = has_last_page || page == Pages - 1;
  const auto& last = table.blocks[Pages - 1][15];
  return has_last_page && last.before + bit_counts.of(last.exist) == Size;
}

}  // namespace

constexpr jis0208_index jis0208_characters = characters_of_jis0208();
constexpr jis0212_index jis0212_characters = characters_of<jis0212_index>(jis0212_text);
constexpr euc_kr_index euc_kr_characters = characters_of<euc_kr_index>(euc_kr_text);
constexpr gb18030_index gb18030_characters = characters_of<gb18030_index>(gb18030_text);
constexpr big5_index big5_characters = characters_of_both_planes();

constexpr places_of_bytes shift_jis_places = places_in<jis0208_index>(shift_jis_row, shift_jis_column, 2);
constexpr places_of_bytes euc_jp_places = places_in<jis0208_index>(euc_jp_line, euc_jp_line);
constexpr places_of_bytes euc_kr_places = places_in<euc_kr_index>(lead_row, euc_kr_column);
constexpr places_of_bytes gb18030_places = places_in<gb18030_index>(lead_row, gb18030_column);
constexpr places_of_bytes big5_places = places_in<big5_index>(lead_row, big5_column);

constexpr jis0208_table jis0208_bytes = encoded<jis0208_table>(jis0208_text, bytes_of_jis0208);
constexpr euc_kr_table euc_kr_bytes = encoded<euc_kr_table>(euc_kr_text, bytes_of_euc_kr);
constexpr gb18030_table gb18030_bytes = encoded<gb18030_table>(gb18030_text, bytes_of_gb18030);
constexpr big5_table big5_bytes =
    encoded<big5_table>(big5_text, bytes_of_big5, std::size_t{0xA1 - 0x81} * 157, takes_last_in_big5);
static_assert(is_full(jis0208_bytes) && is_full(euc_kr_bytes) && is_full(gb18030_bytes) && is_full(big5_bytes),
              "a table of bytes is larger than its index");

constexpr gb18030_range gb18030_ranges[] = {
#include "encodings/cjk/gb18030_ranges.inc"
};

}  // namespace utfilter::detail
