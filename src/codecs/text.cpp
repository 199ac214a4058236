// text.cpp: checks UTF-8 in memory.
#include <utfilter/text.hpp>

#include "kernels/kernels.hpp"
#include "unicode/ascii.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/utf8_checker.hpp>

#include <cstddef>
#include <string_view>

namespace utfilter {

namespace {

UTFILTER_NOINLINE bool is_utf8_by_kernel(std::string_view text) noexcept {
  constexpr std::size_t least = 36;  // in bytes; as for utf8_checker
  if (text.size() >= least) return detail::kernels().is_well_formed(text.data(), text.size());
  utf8_checker whole;
  return whole.take(text) && whole.is_whole();
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  if (text.empty()) return true;
  if (text.size() <= detail::short_ascii && detail::is_short_ascii(text.data(), text.size())) return true;
  return is_utf8_by_kernel(text);
}

std::size_t complete_prefix(std::string_view text) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const std::size_t start = text.size() - back;
    if (detail::is_continuation(bytes[start])) continue;
    const bool incomplete = detail::decode_utf8(bytes + start, back, false).what == detail::sequence::kind::incomplete;
    return incomplete ? start : text.size();
  }
  return text.size();
}

}  // namespace utfilter
