// positions.hpp: from the byte that a vector kernel finds wrong to what kernels.hpp wants to know. Plain C++.
#ifndef UTFILTER_KERNELS_POSITIONS_HPP
#define UTFILTER_KERNELS_POSITIONS_HPP

#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>

namespace utfilter::detail {

/// Where the last whole well-formed sequence before `wrong_at` ends. All before it is well-formed but for one sequence
/// at its end, which may be cut off there: what is wrong within one is never its first byte.
[[gnu::always_inline]] inline std::size_t end_of_good(const char* in, std::size_t wrong_at) noexcept {
  for (std::size_t back = 1; back <= std::min<std::size_t>(wrong_at, 3); ++back) {
    const auto byte = static_cast<unsigned char>(in[wrong_at - back]);
    if (is_continuation(byte)) continue;
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return wrong_at - back + (length <= back ? length : 0);
  }
  return wrong_at;
}

/// The well-formed prefix: what is known once a byte is wrong, or the text has ended. `continuations` and `lines` are
/// those before `wrong_at`.
[[gnu::always_inline]] inline run well_formed(const char* in, std::size_t wrong_at, std::size_t continuations,
                                              std::size_t lines) noexcept {
  const std::size_t end = end_of_good(in, wrong_at);
  return {end, end, wrong_at - continuations - (end < wrong_at), lines};
}

}  // namespace utfilter::detail

#endif
