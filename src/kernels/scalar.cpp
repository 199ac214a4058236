// scalar.cpp: the kernel table in plain C++. It is the reference for every other table.
#include "kernels/kernels.hpp"
#include "kernels/reference.hpp"
#include "unicode/latin1.hpp"
#include "unicode/utf16.hpp"
#include "unicode/utf32.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace utfilter::detail {
namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080;

std::uint64_t load64(const char* in) noexcept {
  std::uint64_t word;
  std::memcpy(&word, in, sizeof word);
  return word;
}

run validate_utf8(const char* in, std::size_t size) noexcept {
  run done{};
  while (done.consumed < size) {
    if (size - done.consumed >= 8 && (load64(in + done.consumed) & high_bits) == 0) {
      for (const char c : std::string_view(in + done.consumed, 8)) done.line_feeds += c == '\n';
      done.consumed += 8;
      done.characters += 8;
      continue;
    }
    const sequence next =
        decode_utf8(reinterpret_cast<const unsigned char*>(in) + done.consumed, size - done.consumed, false);
    if (next.what != sequence::kind::scalar) break;
    done.consumed += next.size;
    ++done.characters;
    done.line_feeds += next.value == U'\n';
  }
  done.produced = done.consumed;
  return done;
}

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  // If the room ends inside a character, validation stops before that character.
  const run done = validate_utf8(in, std::min(size, room));
  if (done.consumed != 0) std::memcpy(out, in, done.consumed);
  return done;
}

constexpr kernel_table scalar_table() noexcept {
  kernel_table result = {};
  result.name = "scalar";

  result.validate_utf8 = validate_utf8;
  result.copy_utf8 = copy_utf8;

  result.utf16le_to_utf8 = convert<decode_utf16<little_endian>, encode_utf8>;
  result.utf16be_to_utf8 = convert<decode_utf16<big_endian>, encode_utf8>;
  result.utf32le_to_utf8 = convert<decode_utf32<little_endian>, encode_utf8>;
  result.utf32be_to_utf8 = convert<decode_utf32<big_endian>, encode_utf8>;
  result.latin1_to_utf8 = convert<decode_latin1, encode_utf8>;
  result.utf8_to_utf16le = convert<decode_utf8, encode_utf16<little_endian>>;
  result.utf8_to_utf16be = convert<decode_utf8, encode_utf16<big_endian>>;
  result.utf8_to_utf32le = convert<decode_utf8, encode_utf32<little_endian>>;
  result.utf8_to_utf32be = convert<decode_utf8, encode_utf32<big_endian>>;
  result.utf8_to_latin1 = convert<decode_utf8, encode_latin1>;

  result.utf8_last_line = last_line<decode_utf8, 1>;
  result.utf16le_last_line = last_line<decode_utf16<little_endian>, 2>;
  result.utf16be_last_line = last_line<decode_utf16<big_endian>, 2>;
  return result;
}

}  // namespace

const kernel_table scalar_kernels = scalar_table();

}  // namespace utfilter::detail
