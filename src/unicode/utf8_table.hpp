// utf8_table.hpp: Unicode table 3-7, the well-formed byte sequences of UTF-8. Everything that must know them is derived
// from this table, or compared with it by the compiler.
#ifndef UTFILTER_UNICODE_UTF8_TABLE_HPP
#define UTFILTER_UNICODE_UTF8_TABLE_HPP

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

constexpr bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0) == 0x80; }

/// A row: the lead bytes, the bytes of a sequence, and its second bytes. Third and fourth bytes are 80..BF.
struct utf8_row {
  std::uint8_t first_lead, last_lead, size, first_second, last_second;

  constexpr bool has_second(unsigned byte) const noexcept { return first_second <= byte && byte <= last_second; }
  /// Whether only a part of 80..BF can be the second byte.
  constexpr bool is_narrow() const noexcept { return size > 1 && (first_second != 0x80 || last_second != 0xBF); }
};

struct utf8_table {
  static constexpr std::size_t size = 9;
  utf8_row rows[size];

  /// The row of a lead byte; null for a byte that begins no sequence.
  constexpr const utf8_row* of(unsigned lead) const noexcept {
    for (const utf8_row& row : rows)
      if (row.first_lead <= lead && lead <= row.last_lead) return &row;
    return nullptr;
  }
  /// Whether the second byte can follow the lead byte in a sequence.
  constexpr bool allows(unsigned lead, unsigned second) const noexcept {
    const utf8_row* const row = of(lead);
    return row != nullptr && row->size > 1 && row->has_second(second);
  }
};

inline constexpr utf8_table table_3_7 = {{
    {0x00, 0x7F, 1, 0x00, 0x00},
    {0xC2, 0xDF, 2, 0x80, 0xBF},
    {0xE0, 0xE0, 3, 0xA0, 0xBF},  // less is overlong
    {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F},  // more is a surrogate
    {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF},  // less is overlong
    {0xF1, 0xF3, 4, 0x80, 0xBF},
    {0xF4, 0xF4, 4, 0x80, 0x8F},  // more is out of range
}};

/// CESU-8 (Unicode Technical Report 26) has surrogates, and no sequences of four bytes.
constexpr utf8_table make_cesu8_table() noexcept {
  utf8_table table = table_3_7;
  for (utf8_row& row : table.rows) {
    if (row.first_lead == 0xED) row.last_second = 0xBF;
    if (row.size == 4) row = table.rows[0];
  }
  return table;
}
inline constexpr utf8_table cesu8_table = make_cesu8_table();

}  // namespace utfilter::detail

#endif
