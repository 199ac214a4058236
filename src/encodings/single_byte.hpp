// single_byte.hpp: the row of an encoding of one byte per character: ASCII for the bytes 00..7F, a table of 128
// characters for the bytes 80..FF. A few bytes may be replaced. single_byte.py writes the tables and the rows.
#ifndef UTFILTER_ENCODINGS_SINGLE_BYTE_HPP
#define UTFILTER_ENCODINGS_SINGLE_BYTE_HPP

#include "encodings/encoding_scheme.hpp"
#include "kernels/byte_table.hpp"
#include "kernels/reference.hpp"
#include "unicode/latin1.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

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

 protected:
  static constexpr byte_table_with_pages<count_pages(Table)> bytes{Table};
  static_assert(bytes.is_right(Table), "utfilter: two pages of characters have the same place in the table");
};

/// A byte whose character is on the other side of ASCII: a letter for a byte below 80, or a character of ASCII for a byte
/// that the table leaves unassigned.
struct replaced_byte {
  unsigned char byte;
  char16_t character;
};

/// The row of an encoding with such bytes. It has no kernels, because they pass ASCII as it is.
template <encoding Encoding, const upper_characters& Table, const auto& Replaced>
struct single_byte_replacing : single_byte<Encoding, Table> {
  using base = single_byte<Encoding, Table>;

  static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const auto* const found = find([in](const replaced_byte& r) { return r.byte == *in; });
    return found != std::end(Replaced) ? sequence::scalar(found->character, 1) : base::decode(in, size, last);
  }
  static std::size_t encode(char32_t c, char* out) noexcept {
    if (is_replaced(c)) return 0;
    const auto* const found = find([c](const replaced_byte& r) { return r.character == c; });
    if (found == std::end(Replaced) || c < 0x80) return base::encode(c, out);
    *out = static_cast<char>(found->byte);
    return 1;
  }

  static constexpr encoding_scheme row(std::string_view names) noexcept {
    encoding_scheme row = base::row(names);
    row.decode = decode;
    row.encode = encode;
    row.to_utf8 = convert<decode, encode_utf8>;
    row.from_utf8 = convert<decode_utf8, encode>;
    return row;
  }

 private:
  template <class Is>
  static const replaced_byte* find(Is is) noexcept {
    return std::find_if(std::begin(Replaced), std::end(Replaced), is);
  }
  /// Whether this byte below 80 is no character of ASCII.
  static bool is_replaced(char32_t byte) noexcept {
    return byte < 0x80 && find([byte](const replaced_byte& r) { return r.byte == byte; }) != std::end(Replaced);
  }
};

}  // namespace utfilter::detail

#endif
