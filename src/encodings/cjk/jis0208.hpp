// jis0208.hpp: what the three encodings with the characters of JIS X 0208 have in common.
#ifndef UTFILTER_ENCODINGS_CJK_JIS0208_HPP
#define UTFILTER_ENCODINGS_CJK_JIS0208_HPP

#include "encodings/cjk/tables.hpp"

namespace utfilter::detail {

/// Half-width katakana are the bytes A1 to DF of JIS X 0201, in Shift_JIS and after 8E in EUC-JP.
inline constexpr char32_t first_katakana = 0xFF61, last_katakana = 0xFF9F;
constexpr bool is_half_katakana(char32_t c) noexcept { return c >= first_katakana && c <= last_katakana; }

/// The bytes of JIS X 0208 for a character beyond ASCII, as in EUC-JP, for the encoders; 0 if there are none. WHATWG's
/// encoders write the minus sign as its full-width form.
inline unsigned jis0208_bytes_of(char32_t c) noexcept { return jis0208_bytes.of(c == 0x2212 ? 0xFF0D : c); }

}  // namespace utfilter::detail

#endif
