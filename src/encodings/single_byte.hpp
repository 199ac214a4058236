// single_byte.hpp: the row of an encoding of one byte per character: ASCII for the bytes 00..7F, a table of 128
// characters for the bytes 80..FF. single_byte.py writes the tables and the rows.
#ifndef UTFILTER_ENCODINGS_SINGLE_BYTE_HPP
#define UTFILTER_ENCODINGS_SINGLE_BYTE_HPP

#include "encodings/encoding_scheme.hpp"
#include "kernels/reference.hpp"
#include "unicode/byte_order.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace utfilter::detail {

/// The characters of the bytes 80..FF; 0 for an unassigned byte.
struct upper_half {
  char16_t character[128];
};

constexpr char32_t decode_byte(const upper_half& table, unsigned char byte) noexcept {
  return byte < 0x80 ? byte : table.character[byte - 0x80];
}

/// The same characters with their bytes, sorted by character.
struct sorted_half {
  struct entry {
    char16_t character = 0;
    unsigned char byte = 0;
  };
  entry entries[128];
};

constexpr sorted_half sorted(const upper_half& table) noexcept {
  sorted_half result;
  for (unsigned i = 0; i < 128; ++i) {
    unsigned place = i;
    for (; place != 0 && result.entries[place - 1].character > table.character[i]; --place)
      result.entries[place] = result.entries[place - 1];
    result.entries[place].character = table.character[i];
    result.entries[place].byte = static_cast<unsigned char>(0x80 + i);
  }
  return result;
}

/// The encoding is a parameter because g++ 14 gives external linkage to a template over an object with internal
/// linkage. Without the encoding, all single-byte encodings would share the functions of one `table`.
template <encoding Encoding, const upper_half& Table>
struct single_byte {
  static sequence decode(const unsigned char* in, std::size_t, bool) noexcept {
    const char32_t c = decode_byte(Table, in[0]);
    return c == 0 && in[0] != 0 ? sequence::ill_formed(errc::unassigned, 1) : sequence::scalar(c, 1);
  }

  static std::size_t encode(char32_t c, char* out) noexcept {
    // No search is needed if the byte has the value of its character.
    if (c < 0x80 || (c < 0x100 && Table.character[c - 0x80] == c)) {
      out[0] = to_char(c);
      return 1;
    }
    const auto* const end = by_character.entries + 128;
    const auto* const found = std::lower_bound(
        by_character.entries, end, c, [](const sorted_half::entry& e, char32_t value) { return e.character < value; });
    if (found == end || found->character != c) return 0;
    out[0] = static_cast<char>(found->byte);
    return 1;
  }

  static constexpr encoding_scheme row(std::string_view names) noexcept {
    encoding_scheme row = scheme_named(Encoding, names);
    row.longest = 1;
    row.decode = decode;
    row.encode = encode;
    row.to_utf8 = convert<decode, encode_utf8>;
    row.from_utf8 = convert<decode_utf8, encode>;
    row.last_line = last_line<decode, 1>;
    return row;
  }

 private:
  static constexpr sorted_half by_character = sorted(Table);
};

}  // namespace utfilter::detail

#endif
