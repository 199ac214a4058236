// utf8_checker.cpp: takes pieces of UTF-8: short ones by the automaton, long ones by a kernel.
#include <utfilter/utf8_checker.hpp>

#include "kernels/kernels.hpp"
#include "unicode/utf8_automaton.hpp"

namespace utfilter {

using namespace detail::utf8_automaton;

static_assert(start == 0, "utf8_checker begins in the state 0");

bool utf8_checker::take_text(const char* in, std::size_t size) noexcept {
  // In bytes. Kernels with vectors pass more bytes faster than the automaton does. (Scalar ones do from some 200 on.)
  constexpr std::size_t least_for_kernel = 36;
  constexpr std::size_t some = 8;
  std::uint64_t s = state_;
  std::size_t at = 0;
  // Passes a byte, unless it is impossible.
  const auto pass = [&]() noexcept {
    s = step(s, static_cast<unsigned char>(in[at]));
    at += !is_at(s, ill_formed);
    return !is_at(s, ill_formed);
  };
  if (size >= least_for_kernel) {
    while (!is_at(s, between) && pass()) continue;
    if (is_at(s, between)) at += detail::kernels().validate_utf8(in + at, size - at).consumed;
  }
  // Looks at the state once for `some` bytes: after an impossible byte the state stays ill_formed.
  for (std::uint64_t next = s; size - at >= some; s = next, at += some) {
    for (std::size_t i = 0; i < some; ++i) next = step(next, static_cast<unsigned char>(in[at + i]));
    if (is_at(next, ill_formed)) break;
  }
  while (at != size && pass()) continue;
  offset_ += at;
  state_ = static_cast<std::uint8_t>(s & 63);
  return !is_at(s, ill_formed);
}

}  // namespace utfilter
