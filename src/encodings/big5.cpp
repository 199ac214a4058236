// big5.cpp: Big5 as in the WHATWG Encoding Standard, section 11.1: with Hong Kong's supplement, which is only decoded.
#include "encodings/cjk_tables.hpp"
#include "encodings/multi_byte.hpp"
#include "unicode/byte_order.hpp"

namespace utfilter::detail {
namespace {

struct big5 {
  static constexpr std::size_t longest = 2;

  static bool is_lead(unsigned b) noexcept { return b >= 0x81 && b <= 0xFE; }
  static bool is_trail(unsigned b) noexcept { return (b >= 0x40 && b <= 0x7E) || (b >= 0xA1 && b <= 0xFE); }
  static unsigned pointer_of(unsigned lead, unsigned trail) noexcept {
    return (lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
  }

  static char16_t unit_of(unsigned lead, unsigned trail) noexcept {
    if (!is_lead(lead) || !is_trail(trail)) return 0;
    const unsigned pointer = pointer_of(lead, trail);
    return big5_characters.is_beyond(pointer) ? char16_t{0} : big5_characters.units[pointer];
  }

  static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead < 0x80) return sequence::scalar(lead, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    const unsigned trail = in[1];
    if (!is_trail(trail)) return sequence::ill_formed(errc::truncated_sequence, trail < 0x80 ? 1 : 2);
    const unsigned pointer = pointer_of(lead, trail);
    for (const pair& p : pairs)
      if (p.pointer == pointer) return sequence::pair(p.letter, p.accent, 2);
    const char32_t low = big5_characters.units[pointer];
    if (low == 0) return sequence::ill_formed(errc::unassigned, trail < 0x80 ? 1 : 2);
    return sequence::scalar(big5_characters.is_beyond(pointer) ? 0x20000 + low : low, 2);
  }

  static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    const unsigned pointer = big5_pointers.of(c);
    if (pointer == no_pointer) return 0;
    const unsigned cell = pointer % 157;
    return put_two_bytes(pointer / 157 + 0x81, cell + (cell < 0x3F ? 0x40 : 0x62), out);
  }

  /// The accents have no bytes of their own: those of the letter before them are for both.
  static std::size_t size_of(char32_t c) noexcept { return c == macron || c == caron ? 0 : 2; }

 private:
  static constexpr char32_t macron = 0x0304, caron = 0x030C;
  /// The pointers of two characters, which are not in the index.
  struct pair {
    unsigned pointer;
    char32_t letter, accent;
  };
  static constexpr pair pairs[] = {
      {1133, 0x00CA, macron}, {1135, 0x00CA, caron}, {1164, 0x00EA, macron}, {1166, 0x00EA, caron}};
};

constexpr encoding_scheme row() noexcept {
  return multi_byte<big5>::row(
      encoding::big5,
      "Big5 big5-hkscs csbig5 cn-big5 x-x-big5 x-big5 csbig5hkscs big5hk big5hkscs hkscs-big5 cp950 windows-950 "
      "x-windows-950 ms950 cp951 chinese-big5");
}

}  // namespace

const encoding_scheme big5_scheme = complete<row>();

}  // namespace utfilter::detail
