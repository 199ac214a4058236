// big5.cpp: Big5 as in the WHATWG Encoding Standard, section 11.1: with Hong Kong's supplement, which is only decoded.
#include "encodings/cjk/multi_byte.hpp"
#include "encodings/cjk/names.hpp"
#include "encodings/cjk/tables.hpp"

namespace utfilter::detail {
namespace {

/// All but the characters of plane 2, which pairs_of_index would take for others.
struct big5_pairs : pairs_of_index {
  using pairs_of_index::unit_of;
  unsigned unit_of(unsigned lead, unsigned trail) const noexcept {
    const unsigned place = places.of(lead, trail);
    return units[place] & (big5_characters.is_beyond(place) - 1);
  }
};

struct big5 {
  static constexpr std::size_t longest = 2;

  static bool is_lead(unsigned b) noexcept { return b >= 0x81 && b <= 0xFE; }
  static bool is_trail(unsigned b) noexcept { return (b >= 0x40 && b <= 0x7E) || (b >= 0xA1 && b <= 0xFE); }

  static constexpr big5_pairs pairs{big5_characters.units, big5_places};

  UTFILTER_NOINLINE static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead < 0x80) return sequence::scalar(lead, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    const unsigned trail = in[1];
    if (!is_trail(trail)) return no_character(1, trail, false);
    for (const double_character& p : double_characters)
      if (p.lead == lead && p.trail == trail) return sequence::pair(p.letter, p.accent, 2);
    const unsigned place = big5_places.of(lead, trail);
    const char32_t low = big5_characters.units[place];
    if (low == 0) return no_character(1, trail, true);
    return sequence::scalar(low + 0x20000 * big5_characters.is_beyond(place), 2);
  }

  UTFILTER_NOINLINE static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    return put_pair(bytes_of(c), out);
  }

  static unsigned bytes_of(char32_t c) noexcept { return big5_bytes.of(c); }

  static std::size_t size_of(char32_t) noexcept { return 2; }

 private:
  static constexpr char16_t macron = 0x0304, caron = 0x030C;
  /// The bytes of two characters, which the index lacks.
  struct double_character {
    unsigned char lead, trail;
    char16_t letter, accent;
  };
  static constexpr double_character double_characters[] = {{0x88, 0x62, 0x00CA, macron},
                                                           {0x88, 0x64, 0x00CA, caron},
                                                           {0x88, 0xA3, 0x00EA, macron},
                                                           {0x88, 0xA5, 0x00EA, caron}};
};

constexpr encoding_scheme row() noexcept {
  encoding_scheme row = multi_byte<big5>::row(encoding::big5, big5_names);
  row.is_irregular = true;  // because of the pairs
  return row;
}

}  // namespace

const encoding_scheme big5_scheme = complete<row>();

}  // namespace utfilter::detail
