// utf32.cpp: UTF-32 (Unicode D90, D99 to D101): UTF-32LE, UTF-32BE, and UTF-32 without a byte order in its name.
#include "unicode/utf32.hpp"

#include "encodings/encoding_scheme.hpp"
#include "kernels/reference.hpp"

#include <string_view>

namespace utfilter::detail {
namespace {

using namespace std::string_view_literals;

template <class Order>
constexpr encoding_scheme row_of(encoding value, std::string_view names) noexcept {
  encoding_scheme row = scheme_named(value, names);
  row.code_unit = 4;
  row.longest = 4;
  row.decode = decode_utf32<Order>;
  row.encode = encode_utf32<Order>;
  row.last_line = last_line<decode_utf32<Order>, 4>;
  row.source_size = by_kernel<&kernel_table::utf32_units_of_utf8, 4>;
  return row;
}

constexpr encoding_scheme little() noexcept {
  encoding_scheme row = row_of<little_endian>(encoding::utf32le, "UTF-32LE utf32le csutf32le ucs-4le cp12000");
  row.bom = "\xFF\xFE\x00\x00"sv;
  row.to_utf8 = by_kernel<&kernel_table::utf32le_to_utf8>;
  row.from_utf8 = by_kernel<&kernel_table::utf8_to_utf32le>;
  return row;
}

constexpr encoding_scheme big() noexcept {
  encoding_scheme row =
      row_of<big_endian>(encoding::utf32be, "UTF-32BE utf32be csutf32be ucs-4be cp12001 bigendianutf32");
  row.bom = "\x00\x00\xFE\xFF"sv;
  row.to_utf8 = by_kernel<&kernel_table::utf32be_to_utf8>;
  row.from_utf8 = by_kernel<&kernel_table::utf8_to_utf32be>;
  return row;
}

/// Input is big-endian unless a byte order mark says otherwise (Unicode D101). Output is big-endian.
constexpr encoding_scheme any() noexcept {
  encoding_scheme row = big();
  row.value = encoding::utf32;
  row.names = "UTF-32 utf32 csutf32 iso-10646-ucs-4 csucs4 ucs-4";
  return row;
}

}  // namespace

const encoding_scheme utf32_scheme = complete<any>();
const encoding_scheme utf32le_scheme = complete<little>();
const encoding_scheme utf32be_scheme = complete<big>();

}  // namespace utfilter::detail
