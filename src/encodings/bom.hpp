// bom.hpp: looks for a byte order mark at the start of a text.
#ifndef UTFILTER_ENCODINGS_BOM_HPP
#define UTFILTER_ENCODINGS_BOM_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

struct encoding_scheme;

/// A set of the encodings that have byte order marks, one bit for each: those whose byte order marks to look for.
using encoding_set = std::uint32_t;

/// The encodings whose byte order marks may begin a text that is declared as `e`: one for utf8 or utf16le, two for
/// utf16, five for detect.
encoding_set boms_of(encoding e) noexcept;

/// Whether the encoding lacks U+FEFF: then it cannot hold a byte order mark.
bool lacks_bom(const encoding_scheme&) noexcept;

struct bom_match {
  enum class kind { undecided, absent, found };
  kind what;
  encoding found;
  std::size_t size;  // bytes of the byte order mark
};

/// Looks for the longest byte order mark of `candidates` at the start of the input. The result is `undecided` while a
/// further byte may change it. If `last` is set, no byte follows: then FF FE and FF FE 00 begin with the byte order
/// mark of UTF-16LE.
bom_match match_bom(encoding_set candidates, const unsigned char* in, std::size_t size, bool last) noexcept;

/// The encoding whose byte order mark the text begins with; detect if there is none.
encoding encoding_by_bom(std::string_view text) noexcept;

}  // namespace utfilter::detail

#endif
