// signature.hpp: looks for signatures (byte order marks) byte by byte.
#ifndef UTFILTER_ENCODINGS_SIGNATURE_HPP
#define UTFILTER_ENCODINGS_SIGNATURE_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// A set of encodings whose signatures are looked for, a bit each.
using encoding_set = std::uint64_t;

/// The encodings whose signature a text that is declared as `e` may begin with: one for utf8 or utf16le, two for utf16,
/// five for detect.
encoding_set signatures_of(encoding e) noexcept;

struct signature_match {
  enum class kind { undecided, absent, found };
  kind what;
  encoding found;
  std::size_t size;  // bytes of the signature
};

/// Looks for the longest signature of `candidates` at the start of the input. `undecided` while a further byte may
/// tell; with `last` none follows, so that FF FE and FF FE 00 are UTF-16LE then.
signature_match match_signature(encoding_set candidates, const unsigned char* in, std::size_t size, bool last) noexcept;

}  // namespace utfilter::detail

#endif
