// euc_jp.cpp: EUC-JP as in the WHATWG Encoding Standard, section 12.1. JIS X 0212 has three bytes, and is only decoded.
#include "encodings/cjk/jis0208.hpp"
#include "encodings/cjk/multi_byte.hpp"
#include "encodings/cjk/names.hpp"

namespace utfilter::detail {
namespace {

struct euc_jp {
  static constexpr std::size_t longest = 3;
  static constexpr unsigned katakana_lead = 0x8E, jis0212_lead = 0x8F;

  static bool is_in_94(unsigned b) noexcept { return b >= 0xA1 && b <= 0xFE; }
  static constexpr pairs_of_index pairs{jis0208_characters.units, euc_jp_places};
  /// The character of JIS X 0212 of the two bytes after its lead byte; 0 if there is none.
  static char16_t unit_of_jis0212(unsigned second, unsigned third) noexcept {
    const unsigned row = second - 0xA1 - jis0212_index::first;
    return row < jis0212_index::rows && is_in_94(third)
               ? jis0212_characters.units[row * jis0212_index::width + third - 0xA1]
               : char16_t{0};
  }

  UTFILTER_NOINLINE static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead < 0x80) return sequence::scalar(lead, 1);
    if (lead != katakana_lead && lead != jis0212_lead && !is_in_94(lead))
      return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    if (lead == jis0212_lead && is_in_94(in[1])) {
      if (size < 3) return sequence::incomplete(last, 2);
      const char16_t unit = unit_of_jis0212(in[1], in[2]);
      return unit != 0 ? sequence::scalar(unit, 3) : no_character(2, in[2], is_in_94(in[2]));
    }
    if (lead == katakana_lead && in[1] >= 0xA1 && in[1] <= 0xDF)
      return sequence::scalar(first_katakana + in[1] - 0xA1, 2);
    // The katakana end at DF: E0 to FE cannot follow 8E.
    if (lead == katakana_lead) return no_character(1, in[1], false);
    const unsigned unit = pairs.unit_of(lead, in[1]);
    return unit != 0 ? sequence::scalar(unit, 2) : no_character(1, in[1], is_in_94(in[1]));
  }

  UTFILTER_NOINLINE static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    if (c == 0xA5) return put_byte(0x5C, out);
    if (c == 0x203E) return put_byte(0x7E, out);
    if (is_half_katakana(c)) return put_two_bytes(katakana_lead, c - first_katakana + 0xA1, out);
    return put_pair(jis0208_bytes_of(c), out);
  }

  static unsigned bytes_of(char32_t c) noexcept { return jis0208_bytes.of(c); }

  /// JIS X 0212 has some of the characters that NEC and IBM added to JIS X 0208: they may also have three bytes.
  static std::size_t size_of(char32_t c) noexcept { return is_half_katakana(c) || jis0208_bytes.of(c) != 0 ? 2 : 3; }
};

constexpr encoding_scheme row() noexcept {
  encoding_scheme row = multi_byte<euc_jp>::row(encoding::euc_jp, euc_jp_names);
  row.is_irregular = true;
  return row;
}

}  // namespace

const encoding_scheme euc_jp_scheme = complete<row>();

}  // namespace utfilter::detail
