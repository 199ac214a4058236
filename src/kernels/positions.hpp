// positions.hpp: from the byte that a vector kernel finds wrong to what kernels.hpp wants to know. Plain C++: the scalar rule
// decides where a kernel stops.
#ifndef UTFILTER_KERNELS_POSITIONS_HPP
#define UTFILTER_KERNELS_POSITIONS_HPP

#include "../utf8.hpp"
#include "kernels.hpp"

#include <algorithm>

namespace utfilter::detail {

/// Where the last whole well-formed sequence before `wrong_at` ends. All before it is well-formed but for one sequence at its
/// end, which may be ill-formed, cut off, or followed by what is wrong.
[[gnu::always_inline]] inline std::size_t end_of_good(const char* in, std::size_t wrong_at, std::size_t size) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  for (std::size_t back = 1; back <= std::min<std::size_t>(wrong_at, 4); ++back) {
    const std::size_t start = wrong_at - back;
    if (is_continuation(bytes[start])) continue;
    const sequence last = decode_utf8(bytes + start, size - start, false);
    return last.what == sequence::kind::scalar ? start + last.size : start;
  }
  return wrong_at;
}

/// The well-formed prefix: what is known once a byte is wrong, or the text has ended. `continuations` and `lines` are those
/// before `wrong_at`.
[[gnu::always_inline]] inline run well_formed(const char* in, std::size_t size, std::size_t wrong_at, std::size_t continuations, std::size_t lines) noexcept {
  const std::size_t end = end_of_good(in, wrong_at, size);
  return {end, end, wrong_at - continuations - (end < wrong_at), lines};
}

}  // namespace utfilter::detail

#endif
