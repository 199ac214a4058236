// convert.hpp: bulk conversion and counting, character by character: the reference for every kernel, and what encodings
// without a kernel of their own use.
#ifndef UTFILTER_CONVERT_HPP
#define UTFILTER_CONVERT_HPP

#include "forms.hpp"
#include "kernels/kernels.hpp"

#include <cstring>

namespace utfilter::detail {

using decode_function = sequence (*)(const unsigned char* in, std::size_t size, bool last) noexcept;
using encode_function = std::size_t (*)(char32_t, char* out) noexcept;

/// The contract of kernels.hpp, for any pair of forms.
template <decode_function Decode, encode_function Encode>
run convert(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done{0, 0};
  while (done.consumed < size) {
    const sequence next =
        Decode(reinterpret_cast<const unsigned char*>(in) + done.consumed, size - done.consumed, false);
    if (next.what != sequence::kind::scalar) break;
    char              unit[6];
    const std::size_t length = Encode(next.value, unit);
    if (length == 0 || length > room - done.produced) break;
    std::memcpy(out + done.produced, unit, length);
    done.consumed += next.size;
    done.produced += length;
  }
  return done;
}

/// Counts well-formed text of any form.
template <decode_function Decode>
text_counts count(const char* in, std::size_t size) noexcept {
  text_counts counts{0, 0, size};
  for (std::size_t at = 0; at < size;) {
    const sequence next = Decode(reinterpret_cast<const unsigned char*>(in) + at, size - at, true);
    at += next.size;
    ++counts.characters;
    if (next.value == U'\n') {
      ++counts.line_feeds;
      counts.characters = 0;
      counts.tail       = size - at;
    }
  }
  return counts;
}

}  // namespace utfilter::detail

#endif
