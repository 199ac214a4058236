// signature.hpp: looks for a signature (byte order mark) at the start of a text.
#ifndef UTFILTER_ENCODINGS_SIGNATURE_HPP
#define UTFILTER_ENCODINGS_SIGNATURE_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// A set of encodings, one bit for each: the encodings whose signatures to look for.
using encoding_set = std::uint64_t;

/// The encodings whose signatures may begin a text that is declared as `e`: one for utf8 or utf16le, two for utf16,
/// five for detect.
encoding_set signatures_of(encoding e) noexcept;

struct signature_match {
  enum class kind { undecided, absent, found };
  kind what;
  encoding found;
  std::size_t size;  // bytes of the signature
};

/// Looks for the longest signature of `candidates` at the start of the input. The result is `undecided` while a further
/// byte may change it. If `last` is set, no byte follows: then FF FE and FF FE 00 begin with the signature of UTF-16LE.
signature_match match_signature(encoding_set candidates, const unsigned char* in, std::size_t size, bool last) noexcept;

}  // namespace utfilter::detail

#endif
