// reference.hpp: bulk conversion, one character at a time. Every kernel must give the same results. Encodings without
// kernels use this conversion.
#ifndef UTFILTER_KERNELS_REFERENCE_HPP
#define UTFILTER_KERNELS_REFERENCE_HPP

#include "kernels/kernels.hpp"
#include "unicode/sequence.hpp"

#include <cstddef>
#include <cstring>

namespace utfilter::detail {

using decode_function = sequence (*)(const unsigned char* in, std::size_t size, bool last) noexcept;
using encode_function = std::size_t (*)(char32_t, char* out) noexcept;

/// Fulfils the contract of kernels.hpp for any pair of functions that decode and encode one character.
template <class Decode, class Encode>
run convert_by(const Decode& decode, const Encode& encode, const char* in, std::size_t size, char* out,
               std::size_t room) noexcept {
  run done{};
  while (done.consumed < size) {
    const sequence next =
        decode(reinterpret_cast<const unsigned char*>(in) + done.consumed, size - done.consumed, false);
    if (next.what != sequence::kind::scalar) break;
    char unit[6];
    const std::size_t length = encode(next.value, unit);
    if (length == 0 || length > room - done.produced) break;
    std::memcpy(out + done.produced, unit, length);
    done.consumed += next.size;
    done.produced += length;
    ++done.characters;
    done.line_feeds += next.value == U'\n';
  }
  return done;
}

template <decode_function Decode, encode_function Encode>
run convert(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  const auto decode = [](const unsigned char* bytes, std::size_t left, bool last) noexcept {
    return Decode(bytes, left, last);
  };
  const auto encode = [](char32_t c, char* unit) noexcept { return Encode(c, unit); };
  return convert_by(decode, encode, in, size, out, room);
}

/// The last line of well-formed text in which a line feed is one code unit of `Unit` bytes.
template <decode_function Decode, std::size_t Unit>
line_end last_line(const char* in, std::size_t size) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  const auto feed = [&](std::size_t at) noexcept {
    const sequence one = Decode(bytes + at, Unit, true);
    return one.what == sequence::kind::scalar && one.value == U'\n';
  };
  std::size_t start = size;
  while (start != 0 && !feed(start - Unit)) start -= Unit;
  line_end last{size - start, 0};
  for (sequence next; start < size; start += next.size) {
    next = Decode(bytes + start, size - start, true);
    last.characters += next.characters();
  }
  return last;
}

}  // namespace utfilter::detail

#endif
