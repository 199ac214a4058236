// shift_jis.cpp: Shift_JIS as in the WHATWG Encoding Standard, section 12.3: windows-31j.
#include "encodings/jis0208.hpp"
#include "encodings/multi_byte.hpp"
#include "unicode/byte_order.hpp"

namespace utfilter::detail {
namespace {

struct shift_jis {
  static constexpr std::size_t longest = 2;

  static bool is_lead(unsigned b) noexcept { return (b >= 0x81 && b <= 0x9F) || (b >= 0xE0 && b <= 0xFC); }
  static bool is_trail(unsigned b) noexcept { return b >= 0x40 && b <= 0xFC && b != 0x7F; }

  /// The rows F0 to F9 of the user are private-use characters, from U+E000 on.
  static char16_t unit_of(unsigned lead, unsigned trail) noexcept {
    if (!is_lead(lead) || !is_trail(trail)) return 0;
    const unsigned row = lead < 0xA0 ? lead - 0x81 : lead - 0xC1;
    const unsigned pointer = row * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
    if (pointer >= first_private && pointer <= last_private) return static_cast<char16_t>(0xE000 + pointer - first_private);
    return jis0208_characters.at(pointer);
  }

  static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead <= 0x80) return sequence::scalar(lead, 1);
    if (lead >= 0xA1 && lead <= 0xDF) return sequence::scalar(first_katakana + lead - 0xA1, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    const unsigned trail = in[1];
    if (const char16_t unit = unit_of(lead, trail)) return sequence::scalar(unit, 2);
    return sequence::ill_formed(is_trail(trail) ? errc::unassigned : errc::truncated_sequence, trail < 0x80 ? 1 : 2);
  }

  static std::size_t encode(char32_t c, char* out) noexcept {
    if (c <= 0x80) return put_byte(c, out);
    if (c == 0xA5) return put_byte(0x5C, out);
    if (c == 0x203E) return put_byte(0x7E, out);
    if (is_half_katakana(c)) return put_byte(c - first_katakana + 0xA1, out);
    unsigned pointer = jis0208_pointer(c);
    if (pointer == no_pointer) return 0;
    if (pointer >= first_of_nec && pointer <= last_of_nec) pointer = pointer_of_ibm(pointer);
    const unsigned row = pointer / 188, cell = pointer % 188;
    return put_two_bytes(row + (row < 0x1F ? 0x81 : 0xC1), cell + (cell < 0x3F ? 0x40 : 0x41), out);
  }

  static std::size_t size_of(char32_t c) noexcept { return c == 0x80 || is_half_katakana(c) ? 1 : 2; }

 private:
  static constexpr unsigned first_private = 8836, last_private = 10715;
  /// The rows that NEC selected from those of IBM. WHATWG's encoder writes the latter.
  static constexpr unsigned first_of_nec = 8272, last_of_nec = 8835;

  /// The pointer in the rows of IBM: these have the kanji, the Roman numerals and the symbols in the same order.
  static unsigned pointer_of_ibm(unsigned of_nec) noexcept {
    constexpr unsigned first_numeral = 8634, first_symbol = 8644;
    return of_nec + (of_nec < first_numeral ? 2472 : of_nec < first_symbol ? 2082 : 2092);
  }
};

constexpr encoding_scheme row() noexcept {
  return multi_byte<shift_jis>::row(
      encoding::shift_jis,
      "Shift_JIS shift-jis sjis x-sjis ms_kanji csshiftjis windows-31j cswindows31j ms932 cp932 windows-932 x-ms-cp932 "
      "cp943c sjis-win pck japanese-shift-jis");
}

}  // namespace

const encoding_scheme shift_jis_scheme = complete<row>();

}  // namespace utfilter::detail
