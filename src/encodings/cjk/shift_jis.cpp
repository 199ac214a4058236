// shift_jis.cpp: Shift_JIS as in the WHATWG Encoding Standard, section 12.3: windows-31j.
#include "encodings/cjk/jis0208.hpp"
#include "encodings/cjk/multi_byte.hpp"
#include "encodings/cjk/names.hpp"

namespace utfilter::detail {
namespace {

/// The lead bytes are 81 to 9F and E0 to FC, and A1 to DF are characters.
struct shift_jis_pairs {
  static constexpr bool leads_are_all_beyond_ascii = false;
  static word leads_of(word bytes) noexcept { return bytes & ~(bytes << 1 ^ bytes << 2) & all_marks; }
  static unsigned unit_of(unsigned byte) noexcept {
    const unsigned is_single = (byte < 0x80) | (byte - 0xA1 <= 0xDF - 0xA1);
    return (byte + (first_katakana - 0xA1) * (byte >> 7)) & (0u - is_single);
  }
  static unsigned unit_of(unsigned lead, unsigned trail) noexcept {
    return jis0208_characters.units[shift_jis_places.of(lead, trail)];
  }
  static void pass_longer(const unsigned char*&, const unsigned char*, char16_t*&, const char16_t*) noexcept {}
};

/// What the first byte of EUC-JP becomes in Shift_JIS. The high bits are the first byte there. The low bits plus the low
/// seven bits of EUC-JP's second byte are the second byte. ASCII has one byte, which stays as it is.
struct bytes_of_first {
  std::uint16_t of[256] = {};

  constexpr bytes_of_first() noexcept {
    for (unsigned byte = 0; byte < 0x80; ++byte) of[byte] = static_cast<std::uint16_t>(byte << 8);
    for (unsigned byte = 0xA1; byte < 0xFF; ++byte) {
      const unsigned row = byte - 0xA1, lead = row / 2 + 0x81 + (row / 2 < 0x1F ? 0 : 0x40);
      of[byte] = static_cast<std::uint16_t>(lead << 8 | (0x40 - 0x21 + row % 2 * 94));
    }
  }
};

struct shift_jis {
  static constexpr std::size_t longest = 2;

  static bool is_lead(unsigned b) noexcept { return (b >= 0x81 && b <= 0x9F) || (b >= 0xE0 && b <= 0xFC); }
  static bool is_trail(unsigned b) noexcept { return b >= 0x40 && b <= 0xFC && b != 0x7F; }
  static constexpr shift_jis_pairs pairs{};

  UTFILTER_NOINLINE static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead <= 0x80) return sequence::scalar(lead, 1);
    if (lead >= 0xA1 && lead <= 0xDF) return sequence::scalar(first_katakana + lead - 0xA1, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    const unsigned trail = in[1];
    if (const unsigned unit = shift_jis_pairs::unit_of(lead, trail)) return sequence::scalar(unit, 2);
    if (lead >= 0xF0 && lead <= 0xF9 && is_trail(trail))
      return sequence::scalar(first_private + (lead - 0xF0) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41), 2);
    return no_character(1, trail, is_trail(trail));
  }

  UTFILTER_NOINLINE static std::size_t encode(char32_t c, char* out) noexcept {
    if (c <= 0x80) return put_byte(c, out);
    if (c == 0xA5) return put_byte(0x5C, out);
    if (c == 0x203E) return put_byte(0x7E, out);
    if (is_half_katakana(c)) return put_byte(c - first_katakana + 0xA1, out);
    const unsigned of_jis = jis0208_bytes_of(c);
    if (of_jis == 0) return 0;
    const unsigned bytes = of_jis >> 8 < first_of_nec ? from_euc(of_jis) : bytes_of_ibm(of_jis);
    return put_two_bytes(bytes >> 8, bytes, out);
  }

  static unsigned bytes_of(char32_t c) noexcept { return from_euc(without_nec(jis0208_bytes.of(c))); }

  static std::size_t size_of(char32_t c) noexcept { return c == 0x80 || is_half_katakana(c) ? 1 : 2; }

 private:
  /// The rows F0 to F9 are for the user's characters.
  static constexpr char32_t first_private = 0xE000;

  static constexpr bytes_of_first of_first{};

  /// The bytes in Shift_JIS of a character with these bytes in EUC-JP. Characters of NEC get the bytes of NEC's rows.
  /// The second byte is never 7F.
  static unsigned from_euc(unsigned bytes) noexcept {
    const unsigned with_delete = of_first.of[bytes >> 8] + (bytes & 0x7F);
    return with_delete + ((with_delete & 0xFF) >= 0x7F);
  }

  /// From this row of EUC-JP on, the index has the characters that NEC selected from those of IBM. WHATWG's encoder
  /// writes them in the rows of IBM, which have the kanji, the Roman numerals and the symbols in the same order.
  static constexpr unsigned first_of_nec = 0xF9;
  static unsigned without_nec(unsigned bytes) noexcept { return bytes < first_of_nec << 8 ? bytes : 0; }
  static unsigned bytes_of_ibm(unsigned bytes) noexcept {
    constexpr unsigned first_numeral = 8634, first_symbol = 8644;
    unsigned pointer = ((bytes >> 8) - 0xA1) * 94 + (bytes & 0xFF) - 0xA1;
    pointer += pointer < first_numeral ? 2472 : pointer < first_symbol ? 2082 : 2092;
    const unsigned lead = pointer / 188 + 0xC1, trail = pointer % 188 + 0x40;
    return lead << 8 | (trail + (trail >= 0x7F));
  }
};

constexpr encoding_scheme row() noexcept { return multi_byte<shift_jis>::row(encoding::shift_jis, shift_jis_names); }

}  // namespace

const encoding_scheme shift_jis_scheme = complete<row>();

}  // namespace utfilter::detail
