// bytes16.hpp: sixteen bytes at once, by the vectors of g++ and clang++, which have them on every processor.
#ifndef UTFILTER_UNICODE_BYTES16_HPP
#define UTFILTER_UNICODE_BYTES16_HPP

#ifdef __GNUC__

#  include <cstddef>
#  include <cstdint>
#  include <cstring>

namespace utfilter::detail {

/// Sixteen bytes. A comparison gives FF in each byte for which it is true, and 00 in the others. Such an FF is a mark.
using bytes16 = std::uint8_t __attribute__((vector_size(16)));

using signed16 = std::int8_t __attribute__((vector_size(16)));
using halves16 = std::uint64_t __attribute__((vector_size(16)));

inline bytes16 load(const char* in) noexcept {
  bytes16 v;
  std::memcpy(&v, in, sizeof v);
  return v;
}
inline void store(bytes16 v, char* out) noexcept { std::memcpy(out, &v, sizeof v); }
/// The higher byte of each two.
inline bytes16 higher(bytes16 a, bytes16 b) noexcept { return a > b ? a : b; }
inline bytes16 equal(bytes16 v, unsigned char byte) noexcept { return reinterpret_cast<bytes16>(v == byte); }
/// Signed: also true for 80..FF.
inline bytes16 less(bytes16 v, signed char byte) noexcept {
  return reinterpret_cast<bytes16>(reinterpret_cast<signed16>(v) < byte);
}
/// Both bounds are included.
inline bytes16 between(bytes16 v, unsigned char first, unsigned char last) noexcept {
  return reinterpret_cast<bytes16>(v >= first) & reinterpret_cast<bytes16>(v <= last);
}
inline bool any(bytes16 marks) noexcept {
  const auto two = reinterpret_cast<halves16>(marks);
  return (two[0] | two[1]) != 0;
}
/// Whether the highest bit of a byte is set.
inline bool any_highest_bit(bytes16 v) noexcept {
  const auto two = reinterpret_cast<halves16>(v);
  return ((two[0] | two[1]) & 0x8080808080808080) != 0;
}
/// The number of bytes before the first mark; 16 if there is none.
inline std::size_t first_of(bytes16 marks) noexcept {
  const auto two = reinterpret_cast<halves16>(marks);
  const auto first = [](std::uint64_t half) noexcept {
#  if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return static_cast<std::size_t>(__builtin_ctzll(half)) / 8;
#  else
    return static_cast<std::size_t>(__builtin_clzll(half)) / 8;
#  endif
  };
  if (two[0] != 0) return first(two[0]);
  return two[1] != 0 ? 8 + first(two[1]) : 16;
}

/// The number of bytes up to the last mark, with it; 0 if there is none.
inline std::size_t after_last_of(bytes16 marks) noexcept {
  const auto two = reinterpret_cast<halves16>(marks);
  const auto after_last = [](std::uint64_t half) noexcept {
#  if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return 8 - static_cast<std::size_t>(__builtin_clzll(half)) / 8;
#  else
    return 8 - static_cast<std::size_t>(__builtin_ctzll(half)) / 8;
#  endif
  };
  if (two[1] != 0) return 8 + after_last(two[1]);
  return two[0] != 0 ? after_last(two[0]) : 0;
}

}  // namespace utfilter::detail

#endif

#endif
