// positions.hpp: turns the place where a vector kernel finds a wrong byte into the result that kernels.hpp asks for.
// Plain C++.
#ifndef UTFILTER_KERNELS_POSITIONS_HPP
#define UTFILTER_KERNELS_POSITIONS_HPP

#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>

// On s390x g++ cannot inline these functions into one that is compiled for newer processors, and always_inline would
// not compile.
#if defined(__GNUC__) && !defined(__s390x__)
#  define UTFILTER_POSITIONS_INLINE [[gnu::always_inline]] inline
#else
#  define UTFILTER_POSITIONS_INLINE inline
#endif

namespace utfilter::detail {

/// The end of the last whole well-formed sequence before `wrong_at`. Everything before `wrong_at` must be well-formed,
/// except that the last sequence may be unfinished there.
///
/// If the byte at `wrong_at` breaks a sequence, it stands in the place of the sequence's second, third or fourth byte.
/// So the lead byte is one to three bytes before `wrong_at`: the last byte there that is no continuation byte.
UTFILTER_POSITIONS_INLINE std::size_t end_of_good(const char* in, std::size_t wrong_at) noexcept {
  for (std::size_t back = 1; back <= std::min<std::size_t>(wrong_at, 3); ++back) {
    const auto byte = static_cast<unsigned char>(in[wrong_at - back]);
    if (is_continuation(byte)) continue;
    const std::size_t length = length_by_lead(byte);
    return wrong_at - back + (length <= back ? length : 0);
  }
  return wrong_at;
}

/// The result for the well-formed prefix, when a kernel has found a wrong byte or the end of the text at `wrong_at`.
/// `continuations` and `lines` are the numbers of continuation bytes and line feeds before `wrong_at`. All other bytes
/// there begin a character; the last character does not count if it is unfinished.
UTFILTER_POSITIONS_INLINE run well_formed(const char* in, std::size_t wrong_at, std::size_t continuations,
                                          std::size_t lines) noexcept {
  const std::size_t end = end_of_good(in, wrong_at);
  return {end, end, wrong_at - continuations - (end < wrong_at), lines};
}

/// The sum of two runs, of which the second begins where the first has ended.
UTFILTER_POSITIONS_INLINE run operator+(const run& a, const run& b) noexcept {
  return {a.consumed + b.consumed, a.produced + b.produced, a.characters + b.characters, a.line_feeds + b.line_feeds};
}

}  // namespace utfilter::detail

#undef UTFILTER_POSITIONS_INLINE

#endif
