// signature.hpp: the signatures (byte order marks) of the encodings, and looking for them byte by byte.
#ifndef UTFILTER_SIGNATURE_HPP
#define UTFILTER_SIGNATURE_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

/// U+FEFF in an encoding (Unicode table 2-4): for utf16 and utf32 the big-endian one; empty for encodings without one.
std::string_view signature_of(encoding) noexcept;

/// A set of encodings whose signatures are looked for.
using encoding_set = std::uint16_t;
constexpr encoding_set set_of(encoding e) noexcept { return static_cast<encoding_set>(1u << static_cast<unsigned>(e)); }

/// Every signature that text declared as `e` may begin with: one for utf8 or utf16le, two for utf16, five for detect.
encoding_set signatures_of(encoding e) noexcept;

struct signature_match {
  enum class kind { undecided, absent, found };
  kind        what;
  encoding    found;
  std::size_t size;  // bytes of the signature
};

/// Looks for the longest signature of `candidates` at the start of the input. `undecided` while a further byte may tell; with
/// `last` none follows, so that FF FE and FF FE 00 are UTF-16LE then.
signature_match match_signature(encoding_set candidates, const unsigned char* in, std::size_t size, bool last) noexcept;

}  // namespace utfilter::detail

#endif
