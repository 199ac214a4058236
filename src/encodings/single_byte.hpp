// single_byte.hpp: the row of an encoding of one byte per character: ASCII for the bytes 00..7F, a table of 128
// characters for the bytes 80..FF. single_byte.py writes the tables and the rows.
#ifndef UTFILTER_ENCODINGS_SINGLE_BYTE_HPP
#define UTFILTER_ENCODINGS_SINGLE_BYTE_HPP

#include "encodings/encoding_scheme.hpp"
#include "kernels/byte_table.hpp"
#include "kernels/reference.hpp"
#include "unicode/latin1.hpp"

#include <cstddef>

namespace utfilter::detail {

/// @{
/// Separate functions: each encoding would have a copy of them, 200 bytes, for the few characters that no kernel converts.
UTFILTER_NOINLINE inline sequence decode_byte(const byte_table& table, const unsigned char* in) noexcept {
  return table.decode(in);
}
UTFILTER_NOINLINE inline std::size_t encode_byte(const byte_table& table, char32_t c, char* out) noexcept {
  return table.put(c, out);
}
/// @}

/// The encoding is a parameter because g++ 14 gives external linkage to a template over an object with internal
/// linkage. Without the encoding, all single-byte encodings would share the functions of one `table`.
template <encoding Encoding, const upper_characters& Table>
struct single_byte {
  static sequence decode(const unsigned char* in, std::size_t, bool) noexcept { return decode_byte(bytes, in); }

  static std::size_t encode(char32_t c, char* out) noexcept { return encode_byte(bytes, c, out); }

  static run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    return kernels().bytes_to_utf8(bytes, in, size, out, room);
  }
  static run from_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
    return kernels().utf8_to_bytes(bytes, in, size, out, room);
  }

  static constexpr encoding_scheme row(std::string_view names) noexcept {
    encoding_scheme row = scheme_named(Encoding, names);
    row.longest = 1;
    row.decode = decode;
    row.encode = encode;
    row.to_utf8 = to_utf8;
    row.from_utf8 = from_utf8;
    row.source_size = by_kernel<&kernel_table::utf32_units_of_utf8, 1>;
    return row;
  }

 private:
  static constexpr byte_table_with_pages<count_pages(Table)> bytes{Table};
  static_assert(bytes.is_right(Table), "utfilter: two pages of characters have the same place in the table");
};

}  // namespace utfilter::detail

#endif
