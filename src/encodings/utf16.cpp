// utf16.cpp: UTF-16 (RFC 2781): UTF-16LE, UTF-16BE, and UTF-16 without a byte order in its name.
#include "unicode/utf16.hpp"

#include "encodings/encoding_scheme.hpp"

#include <string_view>

namespace utfilter::detail {
namespace {

using namespace std::string_view_literals;

template <class Order>
constexpr encoding_scheme row_of(encoding value, std::string_view names) noexcept {
  encoding_scheme row = scheme_named(value, names);
  row.code_unit = 2;
  row.longest = 4;
  row.decode = decode_utf16<Order>;
  row.encode = encode_utf16<Order>;
  row.source_size = by_kernel<&kernel_table::utf16_units_of_utf8, 2>;
  return row;
}

constexpr encoding_scheme little() noexcept {
  encoding_scheme row = row_of<little_endian>(
      encoding::utf16le, "UTF-16LE utf16le csutf16le ucs-2 ucs2 ucs-2le unicode unicodefeff utf-16le-bom cp1200");
  row.bom = "\xFF\xFE"sv;
  row.to_utf8 = by_kernel<&kernel_table::utf16le_to_utf8>;
  row.from_utf8 = by_kernel<&kernel_table::utf8_to_utf16le>;
  row.last_line = by_kernel<&kernel_table::utf16le_last_line>;
  return row;
}

constexpr encoding_scheme big() noexcept {
  encoding_scheme row = row_of<big_endian>(
      encoding::utf16be, "UTF-16BE utf16be csutf16be ucs-2be unicodefffe utf-16be-bom cp1201 bigendianunicode");
  row.bom = "\xFE\xFF"sv;
  row.to_utf8 = by_kernel<&kernel_table::utf16be_to_utf8>;
  row.from_utf8 = by_kernel<&kernel_table::utf8_to_utf16be>;
  row.last_line = by_kernel<&kernel_table::utf16be_last_line>;
  return row;
}

/// Input is big-endian unless a byte order mark says otherwise (RFC 2781 section 4.3). Output is big-endian.
constexpr encoding_scheme any() noexcept {
  encoding_scheme row = big();
  row.value = encoding::utf16;
  row.names = "UTF-16 utf16 csutf16 iso-10646-ucs-2 csunicode";
  return row;
}

}  // namespace

const encoding_scheme utf16_scheme = complete<any>();
const encoding_scheme utf16le_scheme = complete<little>();
const encoding_scheme utf16be_scheme = complete<big>();

}  // namespace utfilter::detail
