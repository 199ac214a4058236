// cjk_tables.cpp: makes the tables from the texts that cjk.py writes, while the library is compiled.
#include "encodings/cjk_tables.hpp"

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
  static_assert(sizeof table.units == (End - 1) * sizeof(char16_t), "the index has another size");
  for (std::size_t i = 0; i + 1 < End; ++i)
    table.units[i] = static_cast<char16_t>(text[i] == none ? char32_t{0} : text[i] & 0xFFFF);
  return table;
}

constexpr big5_index characters_of_both_planes() noexcept {
  auto table = characters_of<big5_index>(big5_text);
  for (std::size_t i = 0; i + 1 < sizeof big5_text / sizeof *big5_text; ++i)
    if (big5_text[i] > 0xFFFF) table.beyond[i / 8] = static_cast<std::uint8_t>(table.beyond[i / 8] | 1u << i % 8);
  return table;
}

constexpr bool takes_first(char32_t) noexcept { return false; }
/// Big5 has these characters twice, and WHATWG's encoder takes the second pointer.
constexpr bool takes_last_in_big5(char32_t c) noexcept {
  return c == 0x2550 || c == 0x255E || c == 0x2561 || c == 0x256A || c == 0x5341 || c == 0x5345;
}

/// The pointers of the characters from the pointer `begin` on. Of several pointers of a character the first one counts,
/// unless `takes_last` is true for the character. The first pass finds which characters exist, the second one their
/// pointers.
template <class Table, std::size_t End>
constexpr Table pointers_of(const char32_t (&text)[End], std::size_t begin = 0,
                            bool (*takes_last)(char32_t) noexcept = takes_first) noexcept {
  Table table;
  std::size_t pages = 1;
  for (std::size_t i = begin; i + 1 < End; ++i) {
    const char32_t c = text[i];
    if (c == none) continue;
    std::uint8_t& page = table.page_of[c / 256];
    if (page == 0) page = static_cast<std::uint8_t>(pages++);
    auto& b = table.blocks[page][c / 16 % 16];
    b.exist = static_cast<std::uint16_t>(b.exist | 1u << c % 16);
  }
  unsigned before = 0;
  for (auto& page : table.blocks)
    for (auto& b : page) {
      b.before = static_cast<std::uint16_t>(before);
      before += count_bits(b.exist);
    }
  for (std::uint16_t& pointer : table.pointers) pointer = no_pointer;
  for (std::size_t i = begin; i + 1 < End; ++i) {
    const char32_t c = text[i];
    if (c == none) continue;
    const auto& b = table.blocks[table.page_of[c / 256]][c / 16 % 16];
    std::uint16_t& pointer = table.pointers[b.before + count_bits(b.exist & ((1u << c % 16) - 1))];
    if (pointer == no_pointer || takes_last(c)) pointer = static_cast<std::uint16_t>(i);
  }
  return table;
}

/// Whether the table has as many pages and characters as its type says. With fewer of either in the type, the table above
/// would not have compiled.
template <std::size_t Pages, std::size_t Size>
constexpr bool is_full(const pointers_by_character<Pages, Size>& table) noexcept {
  bool has_last_page = false;
  for (const std::uint8_t page : table.page_of) has_last_page = has_last_page || page == Pages - 1;
  return has_last_page && table.pointers[Size - 1] != no_pointer;
}

}  // namespace

constexpr jis0208_index jis0208_characters = characters_of<jis0208_index>(jis0208_text);
constexpr jis0212_index jis0212_characters = characters_of<jis0212_index>(jis0212_text);
constexpr euc_kr_index euc_kr_characters = characters_of<euc_kr_index>(euc_kr_text);
constexpr gb18030_index gb18030_characters = characters_of<gb18030_index>(gb18030_text);
constexpr big5_index big5_characters = characters_of_both_planes();

constexpr jis0208_pointer_table jis0208_pointers = pointers_of<jis0208_pointer_table>(jis0208_text);
constexpr euc_kr_pointer_table euc_kr_pointers = pointers_of<euc_kr_pointer_table>(euc_kr_text);
constexpr gb18030_pointer_table gb18030_pointers = pointers_of<gb18030_pointer_table>(gb18030_text);
constexpr big5_pointer_table big5_pointers =
    pointers_of<big5_pointer_table>(big5_text, first_big5_pointer, takes_last_in_big5);
static_assert(is_full(jis0208_pointers) && is_full(euc_kr_pointers) && is_full(gb18030_pointers) &&
                  is_full(big5_pointers),
              "a table of pointers is larger than its index");

constexpr gb18030_range gb18030_ranges[] = {
#include "encodings/cjk/gb18030_ranges.inc"
};

}  // namespace utfilter::detail
