// latin1.cpp: ISO-8859-1.
#include "unicode/latin1.hpp"

#include "encodings/encoding_scheme.hpp"

namespace utfilter::detail {
namespace {

constexpr encoding_scheme row() noexcept {
  encoding_scheme row = scheme_named(
      encoding::latin1,
      "ISO-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1 cp28591 "
      "latin-1 iso-latin-1");
  row.longest = 1;
  row.decode = decode_latin1;
  row.encode = encode_latin1;
  row.to_utf8 = by_kernel<&kernel_table::latin1_to_utf8>;
  row.from_utf8 = by_kernel<&kernel_table::utf8_to_latin1>;
  row.source_size = by_kernel<&kernel_table::utf32_units_of_utf8, 1>;
  return row;
}

}  // namespace

const encoding_scheme latin1_scheme = complete<row>();

}  // namespace utfilter::detail
