// gb18030.cpp: GB18030 and GBK as in the WHATWG Encoding Standard, section 10: GB 18030-2022. Both are decoded alike.
#include "encodings/cjk/multi_byte.hpp"
#include "encodings/cjk/names.hpp"
#include "encodings/cjk/tables.hpp"

#include <algorithm>
#include <iterator>

namespace utfilter::detail {
namespace {

constexpr bool is_lead(unsigned b) noexcept { return b >= 0x81 && b <= 0xFE; }
constexpr bool is_digit(unsigned b) noexcept { return b >= 0x30 && b <= 0x39; }
constexpr bool is_trail(unsigned b) noexcept { return b >= 0x40 && b <= 0xFE && b != 0x7F; }

constexpr char32_t euro = 0x20AC;

//-------------------------------------------------------------------------------------------------------- four bytes

/// The range that has the pointer or the character. In both orders the ranges are the same.
template <std::uint32_t gb18030_range::*Member>
const gb18030_range& range_of(std::uint32_t value) noexcept {
  const gb18030_range* first = std::begin(gb18030_ranges);
  // Binary search without branches, which would be unpredictable. The range is one of `size`, from `first` on.
  for (std::size_t size = std::size(gb18030_ranges); size > 1; size -= size / 2)
    first += first[size / 2].*Member <= value ? size / 2 : 0;
  return *first;
}

/// A character of two bytes in GB 18030-2000 that has four since then.
constexpr std::uint32_t moved_pointer = 7457, moved_character = 0xE7C7;

/// The pointer of U+10000. The last range begins there; no search is needed for it.
constexpr std::uint32_t first_beyond = 189000;

/// The character of a pointer; 0 if it has none.
char32_t character_of_four(std::uint32_t pointer) noexcept {
  constexpr std::uint32_t last_of_bmp = 39419, last = 1237575;
  if ((pointer > last_of_bmp && pointer < first_beyond) || pointer > last) return 0;
  if (pointer >= first_beyond) return 0x10000 + (pointer - first_beyond);
  if (pointer == moved_pointer) return moved_character;
  const gb18030_range& range = range_of<&gb18030_range::pointer>(pointer);
  return range.character + (pointer - range.pointer);
}

std::uint32_t pointer_of_four(char32_t c) noexcept {
  if (c >= 0x10000) return first_beyond + (c - 0x10000);
  if (c == moved_character) return moved_pointer;
  const gb18030_range& range = range_of<&gb18030_range::character>(c);
  return range.pointer + (c - range.character);
}

//--------------------------------------------------------------------------------------------------------- two bytes

/// Private-use characters whose places other characters took in 2022. They are still encoded in their former two bytes,
/// which are decoded as the new characters.
struct former_character {
  std::uint16_t value, bytes;
};
constexpr former_character former_characters[] = {
    {0xE78D, 0xA6D9}, {0xE78E, 0xA6DA}, {0xE78F, 0xA6DB}, {0xE790, 0xA6DC}, {0xE791, 0xA6DD}, {0xE792, 0xA6DE},
    {0xE793, 0xA6DF}, {0xE794, 0xA6EC}, {0xE795, 0xA6ED}, {0xE796, 0xA6F3}, {0xE81E, 0xFE59}, {0xE826, 0xFE61},
    {0xE82B, 0xFE66}, {0xE82C, 0xFE67}, {0xE832, 0xFE6D}, {0xE843, 0xFE7E}, {0xE854, 0xFE90}, {0xE864, 0xFEA0}};

/// The two bytes of a character; 0 if it is not encoded in two.
unsigned two_bytes_of(char32_t c) noexcept {
  if (const unsigned bytes = gb18030_bytes.of(c)) return bytes;
  if (c < former_characters[0].value || c > 0xE864) return 0;
  for (const former_character& one : former_characters)
    if (one.value == c) return one.bytes;
  return 0;
}

//--------------------------------------------------------------------------------------------------------- the rows

constexpr std::uint32_t pointer_of(const unsigned char* four) noexcept {
  return ((four[0] - 0x81u) * 10 + four[1] - 0x30u) * 1260 + (four[2] - 0x81u) * 10 + four[3] - 0x30u;
}

struct gb18030_pairs : pairs_of_index {
  /// Passes characters of four bytes, and single ones of ASCII between them.
  static void pass_longer(const unsigned char*& at, const unsigned char* end, char16_t*& to,
                          const char16_t* full) noexcept {
    for (; to <= full && end - at >= 5; at += 4) {
      if (at[0] < 0x80) *to++ = *at++;
      if (0 + is_lead(at[0]) + is_digit(at[1]) + is_lead(at[2]) + is_digit(at[3]) != 4) break;  // one branch
      const char32_t c = character_of_four(pointer_of(at));
      if (c == 0) break;
      to = put_units(sequence::scalar(c, 4), to);
    }
  }
};

struct decoding {
  static constexpr gb18030_pairs pairs{{gb18030_characters.units, gb18030_places}};

  UTFILTER_NOINLINE static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead < 0x80) return sequence::scalar(lead, 1);
    if (lead == 0x80) return sequence::scalar(euro, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    if (is_digit(in[1])) return decode_four(in, size, last);
    const unsigned trail = in[1];
    if (const unsigned unit = pairs.unit_of(lead, trail)) return sequence::scalar(unit, 2);
    return no_character(1, trail, is_trail(trail));
  }

  /// If a sequence of the form of four bytes breaks off, only its first byte is the error. The others are decoded
  /// again.
  static sequence decode_four(const unsigned char* in, std::size_t size, bool last) noexcept {
    if (size < 3) return sequence::incomplete(last, 2);
    if (!is_lead(in[2])) return sequence::ill_formed(errc::truncated_sequence, 1);
    if (size < 4) return sequence::incomplete(last, 3);
    if (!is_digit(in[3])) return sequence::ill_formed(errc::truncated_sequence, 1);
    const char32_t c = character_of_four(pointer_of(in));
    return c != 0 ? sequence::scalar(c, 4) : sequence::ill_formed(errc::unassigned, 4);
  }

  /// The euro sign also has two bytes, and 18 characters that were added in 2022 also have four.
  static std::size_t size_of(char32_t c) noexcept { return c == euro ? 1 : gb18030_bytes.of(c) != 0 ? 2 : 4; }
};

struct gb18030 {
  static constexpr std::size_t longest = 4;

  UTFILTER_NOINLINE static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    if (const std::size_t size = put_pair(two_bytes_of(c), out)) return size;
    if (c == not_encoded) return 0;
    const std::uint32_t pointer = pointer_of_four(c);
    put_two_bytes(pointer / 12600 + 0x81, pointer / 1260 % 10 + 0x30, out);
    put_two_bytes(pointer / 10 % 126 + 0x81, pointer % 10 + 0x30, out + 2);
    return 4;
  }
  static unsigned bytes_of(char32_t c) noexcept { return gb18030_bytes.of(c); }

 private:
  /// A3 A0 would be this private-use character, but is decoded as the ideographic space.
  static constexpr char32_t not_encoded = 0xE5E5;
};

struct gbk {
  static constexpr std::size_t longest = 2;

  UTFILTER_NOINLINE static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    if (c == euro) return put_byte(0x80, out);
    return put_pair(two_bytes_of(c), out);
  }
  static unsigned bytes_of(char32_t c) noexcept { return c != euro ? gb18030_bytes.of(c) : 0; }
};

constexpr encoding_scheme gbk_row() noexcept {
  encoding_scheme row = multi_byte<decoding, gbk>::row(encoding::gbk, gbk_names,
                                                       gb18030::longest);  // as it is decoded
  row.is_irregular = true;
  return row;
}

constexpr encoding_scheme gb18030_row() noexcept {
  encoding_scheme row = multi_byte<decoding, gb18030>::row(encoding::gb18030, gb18030_names);
  row.is_irregular = true;
  return row;
}

}  // namespace

const encoding_scheme gbk_scheme = complete<gbk_row>();
const encoding_scheme gb18030_scheme = complete<gb18030_row>();

}  // namespace utfilter::detail
