// scalar.cpp: the kernel table in plain C++, the reference for every other.
#include "../convert.hpp"
#include "../latin1.hpp"
#include "../utf16.hpp"
#include "../utf32.hpp"
#include "../utf8.hpp"
#include "kernels.hpp"

#include <utfilter/codec.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace utfilter::detail {
namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080;

std::uint64_t load64(const char* in) noexcept {
  std::uint64_t word;
  std::memcpy(&word, in, sizeof word);
  return word;
}

std::size_t validate_utf8(const char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  while (at < size) {
    if (size - at >= 8 && (load64(in + at) & high_bits) == 0) {
      at += 8;
      continue;
    }
    const sequence next = decode_utf8(reinterpret_cast<const unsigned char*>(in) + at, size - at, false);
    if (next.what != sequence::kind::scalar) break;
    at += next.size;
  }
  return at;
}

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  // Where the room cuts a character, what validates is the characters before it.
  const std::size_t n = validate_utf8(in, std::min(size, room));
  if (n != 0) std::memcpy(out, in, n);
  return {n, n};
}

text_counts count_utf8(const char* in, std::size_t size) noexcept {
  text_counts counts{0, 0, size};
  for (std::size_t at = 0; at < size; ++at) {
    if (in[at] == '\n') {
      ++counts.line_feeds;
      counts.characters = 0;
      counts.tail       = size - at - 1;
    } else if (!is_continuation(static_cast<unsigned char>(in[at]))) {
      ++counts.characters;
    }
  }
  return counts;
}

}  // namespace

const kernel_table scalar_kernels = {
    "scalar",
    validate_utf8,
    copy_utf8,
    convert<decode_utf16<little_endian>, encode_utf8>,
    convert<decode_utf16<big_endian>, encode_utf8>,
    convert<decode_utf32<little_endian>, encode_utf8>,
    convert<decode_utf32<big_endian>, encode_utf8>,
    convert<decode_latin1, encode_utf8>,
    convert<decode_utf8, encode_utf16<little_endian>>,
    convert<decode_utf8, encode_utf16<big_endian>>,
    convert<decode_utf8, encode_utf32<little_endian>>,
    convert<decode_utf8, encode_utf32<big_endian>>,
    convert<decode_utf8, encode_latin1>,
    count_utf8,
    count<decode_utf16<little_endian>>,
    count<decode_utf16<big_endian>>,
};

}  // namespace utfilter::detail
