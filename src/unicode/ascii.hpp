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

/// The bytes of a word, copied if that is asked for.
template <class Word, bool Copy = false>
std::uint64_t word_at(const char* in, std::size_t at = 0, char* out = nullptr) noexcept {
  Word w;
  std::memcpy(&w, in + at, sizeof w);
  if (Copy) std::memcpy(out + at, &w, sizeof w);
  return w;
}

#ifdef __GNUC__
/// As pass_short_ascii, for more bytes than a few words have. The first sixteen bytes tell most texts of other scripts.
template <bool Copy>
inline bool pass_ascii_by_sixteen(const char* in, std::size_t size, char* out) noexcept {
  // The first of 20..7E becomes 0; all others are above the last. There is no fast comparison of unsigned bytes: the
  // highest bit tells.
  constexpr unsigned char first = 0x20, above_last = 0x80 - (0x7F - first);
  const auto has_others = [](bytes16 highest) noexcept { return any_highest_bit(highest | (highest + above_last)); };
  const auto pass_at = [in, out](std::size_t at) noexcept {
    const bytes16 v = load(in + at);
    if (Copy) store(v, out + at);
    return v - first;
  };
  bytes16 highest = pass_at(0);
  if (has_others(highest)) return false;
  const auto pass_halves = [&](std::size_t half) noexcept {  // the two may overlap
    for (std::size_t at = 16; at < half; at += 16) highest = higher(highest, pass_at(at));
    for (std::size_t at = 0; at < half; at += 16) highest = higher(highest, pass_at(size - half + at));
  };
  size > 64 ? pass_halves(64) : pass_halves(32);
  return !has_others(highest);
}
#endif

/// Whether all bytes are 20..7E. Copies them if that is asked for; if not all are, may copy only some. Precondition: there
/// are 1 to short_ascii bytes.
template <bool Copy>
inline bool pass_short_ascii(const char* in, std::size_t size, char* out) noexcept {
#ifdef __GNUC__
  if (size > 32) return pass_ascii_by_sixteen<Copy>(in, size, out);
#endif
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t others = 0;
  if (size >= 8) {
    const std::size_t end = size - 8;  // the last eight bytes may overlap those before
    for (std::size_t at = 0; at < end; at += 8) others |= others_than_ascii(word_at<std::uint64_t, Copy>(in, at, out));
    others |= others_than_ascii(word_at<std::uint64_t, Copy>(in, end, out));
  } else if (size >= 4) {
    const std::uint64_t end = word_at<std::uint32_t, Copy>(in, size - 4, out);
    others = others_than_ascii(word_at<std::uint32_t, Copy>(in, 0, out) | end << 32);
  } else {
    const std::uint64_t middle = word_at<std::uint8_t, Copy>(in, size / 2, out);
    const std::uint64_t end = word_at<std::uint8_t, Copy>(in, size - 1, out);
    others = others_than_ascii(word_at<std::uint8_t, Copy>(in, 0, out) | middle << 8 | end << 16 | 0x2020202020000000);
  }
  return (others & high_bits) == 0;
}
inline bool is_short_ascii(const char* in, std::size_t size) noexcept {
  return pass_short_ascii<false>(in, size, nullptr);
}

}  // namespace utfilter::detail

#endif
