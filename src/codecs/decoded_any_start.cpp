// decoded_any_start.cpp: finds the row of any encoding, to decode a text by it. A program that links this file has the
// tables of all encodings.
#include "codecs/decoded_start.hpp"
#include "encodings/encoding_scheme.hpp"

#include <string>
#include <string_view>

namespace utfilter::detail {

std::string decode_any_start(std::string_view bytes, encoding from, decoded_start& start) {
  const encoding_scheme* const row = scheme_of(from);
  if (row == nullptr || row->after != nullptr) return {};
  return decode_start(*row, bytes, start);
}

}  // namespace utfilter::detail
