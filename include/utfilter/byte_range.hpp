// byte_range.hpp: a range of the bytes of a file or text.
#ifndef UTFILTER_BYTE_RANGE_HPP
#define UTFILTER_BYTE_RANGE_HPP

#include <utfilter/config.hpp>

#include <cstdint>

namespace utfilter {

/// The bytes from offset `begin` up to, but not including, offset `end`.
struct byte_range {
  std::uint64_t begin = 0;  ///< The offset of the first byte.
  std::uint64_t end = 0;    ///< The offset after the last byte.
};

/// @{
/// Compares both members. Complexity: constant.
inline bool operator==(const byte_range& a, const byte_range& b) noexcept {
  return a.begin == b.begin && a.end == b.end;
}
inline bool operator!=(const byte_range& a, const byte_range& b) noexcept { return !(a == b); }
/// @}

}  // namespace utfilter

#endif
