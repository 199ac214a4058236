// surrogates.hpp: the arithmetic of surrogate pairs (Unicode D91, table 3-5; RFC 2781 section 2).
#ifndef UTFILTER_UNICODE_SURROGATES_HPP
#define UTFILTER_UNICODE_SURROGATES_HPP

namespace utfilter::detail {

constexpr bool is_surrogate(char32_t c) noexcept { return (c & 0xFFFFF800) == 0xD800; }
constexpr bool is_high_surrogate(char32_t c) noexcept { return (c & 0xFFFFFC00) == 0xD800; }
constexpr bool is_low_surrogate(char32_t c) noexcept { return (c & 0xFFFFFC00) == 0xDC00; }

constexpr char32_t from_pair(char32_t high, char32_t low) noexcept {
  return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}
constexpr char32_t high_surrogate(char32_t c) noexcept { return 0xD800 + ((c - 0x10000) >> 10); }
constexpr char32_t low_surrogate(char32_t c) noexcept { return 0xDC00 + (c & 0x3FF); }

}  // namespace utfilter::detail

#endif
