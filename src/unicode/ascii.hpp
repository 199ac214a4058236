// ascii.hpp: recognises short printable ASCII, such as a word or a line that is written to a stream, without a call of a
// kernel.
#ifndef UTFILTER_UNICODE_ASCII_HPP
#define UTFILTER_UNICODE_ASCII_HPP

#include "unicode/bytes16.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace utfilter::detail {

/// The longest text for which is_short_ascii is faster than a kernel, in bytes.
inline constexpr std::size_t short_ascii = 128;

/// The highest bit of a byte is set if one of the eight is not 20..7E.
///
/// If all are 20..7E, neither the difference nor the sum sets the high bit of a byte or changes the next byte. If not,
/// look at the lowest byte outside of 20..7E. No borrow or carry from a lower byte reaches it, so it sets a high bit: 00..1F
/// and FF in the difference, 7F..FE in the sum.
inline std::uint64_t others_than_ascii(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  return (bytes - 0x20 * ones) | (bytes + ones);
}

template <class Word>
std::uint64_t word_at(const char* in) noexcept {
  Word w;
  std::memcpy(&w, in, sizeof w);
  return w;
}

#ifdef __GNUC__
/// As is_short_ascii, for more bytes than a few words have. The first sixteen bytes tell most texts of other scripts.
inline bool is_ascii_by_sixteen(const char* in, std::size_t size) noexcept {
  // One more than 20..7E is 21..7F. One more than another byte is less, as a signed byte.
  const auto others_at = [](const char* s) noexcept { return less(load(s) + 1, 0x21); };
  bytes16 others = others_at(in);
  if (any(others)) return false;
  const char* const last = in + size - 16;  // may overlap the bytes before
  for (in += 16; in < last; in += 16) others |= others_at(in);
  return !any(others | others_at(last));
}
#endif

/// Whether all bytes are 20..7E. Precondition: there are 1 to short_ascii bytes.
inline bool is_short_ascii(const char* in, std::size_t size) noexcept {
#ifdef __GNUC__
  if (size > 32) return is_ascii_by_sixteen(in, size);
#endif
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t others = 0;
  if (size >= 8) {
    const char* const last = in + size - 8;  // may overlap the bytes before
    for (; in < last; in += 8) others |= others_than_ascii(word_at<std::uint64_t>(in));
    others |= others_than_ascii(word_at<std::uint64_t>(last));
  } else if (size >= 4) {
    others = others_than_ascii(word_at<std::uint32_t>(in) | word_at<std::uint32_t>(in + size - 4) << 32);
  } else {
    const auto byte = [in](std::size_t i) noexcept { return std::uint64_t{static_cast<unsigned char>(in[i])}; };
    const std::uint64_t three = byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
    others = others_than_ascii(three | 0x2020202020000000);
  }
  return (others & high_bits) == 0;
}

}  // namespace utfilter::detail

#endif
