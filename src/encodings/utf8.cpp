// utf8.cpp: UTF-8 (RFC 3629).
#include "unicode/utf8.hpp"

#include "encodings/encoding_scheme.hpp"

namespace utfilter::detail {
namespace {

constexpr sequence::kind expected(const unsigned char (&text)[4]) noexcept {
  const utf8_row* const row = table_3_7.of(text[0]);
  bool good = row != nullptr && (row->size == 1 || row->has_second(text[1]));
  for (std::size_t i = 2; good && i < row->size; ++i) good = is_continuation(text[i]);
  return good ? sequence::kind::scalar : sequence::kind::ill_formed;
}

/// Whether decode_utf8 decides by the table: after each lead byte, with each later byte on both sides of the bounds of
/// all ranges.
constexpr bool decodes_by_table() noexcept {
  constexpr unsigned char later[] = {0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0};
  for (unsigned lead = 0; lead < 0x100; ++lead)
    for (std::size_t i = 1; i < 4; ++i)
      for (const unsigned char byte : later) {
        const utf8_row* const row = table_3_7.of(lead);
        unsigned char text[4] = {static_cast<unsigned char>(lead), row ? row->first_second : byte, 0x80, 0x80};
        text[i] = byte;
        const sequence found = decode_utf8(text, sizeof text, true);
        if (found.what != expected(text)) return false;
        if (found.what == sequence::kind::scalar && found.size != row->size) return false;
      }
  return true;
}
static_assert(decodes_by_table());

run copy(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return kernels().copy_utf8(in, size, out, room);
}

/// Text is often written line by line: then the last line is empty, and no kernel is needed.
line_end last_line(const char* in, std::size_t size) noexcept {
  if (size != 0 && in[size - 1] == '\n') return {0, 0};
  return kernels().utf8_last_line(in, size);
}

std::size_t source_size(const char*, std::size_t size) noexcept { return size; }

constexpr encoding_scheme row() noexcept {
  encoding_scheme row =
      scheme_named(encoding::utf8,
                   "UTF-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 cp65001 utf-8-sig "
                   "utf-8-bom utf8bom utf-8-with-signature utf-8-emacs utf-8-strict utf8x utf8mb3 utf8mb4 utf8nobom");
  row.bom = utf8_bom;
  row.longest = 4;
  row.decode = decode_utf8;
  row.encode = encode_utf8;
  row.to_utf8 = copy;
  row.from_utf8 = copy;
  row.last_line = last_line;
  row.source_size = source_size;
  return row;
}

}  // namespace

const encoding_scheme utf8_scheme = complete<row>();

}  // namespace utfilter::detail
