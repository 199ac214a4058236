// euc_kr.cpp: EUC-KR as in the WHATWG Encoding Standard, section 13.1: windows-949.
#include "encodings/cjk/multi_byte.hpp"
#include "encodings/cjk/names.hpp"
#include "encodings/cjk/tables.hpp"

namespace utfilter::detail {
namespace {

struct euc_kr {
  static constexpr std::size_t longest = 2;

  static bool is_lead(unsigned b) noexcept { return b >= 0x81 && b <= 0xFE; }
  static bool is_trail(unsigned b) noexcept { return b >= 0x41 && b <= 0xFE; }

  static constexpr pairs_of_index pairs{euc_kr_characters.units, euc_kr_places};

  UTFILTER_NOINLINE static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead < 0x80) return sequence::scalar(lead, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    const unsigned trail = in[1];
    if (const unsigned unit = pairs.unit_of(lead, trail)) return sequence::scalar(unit, 2);
    return no_character(1, trail, is_trail(trail));
  }

  UTFILTER_NOINLINE static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    return put_pair(bytes_of(c), out);
  }

  static unsigned bytes_of(char32_t c) noexcept { return euc_kr_bytes.of(c); }

  static std::size_t size_of(char32_t) noexcept { return 2; }
};

constexpr encoding_scheme row() noexcept { return multi_byte<euc_kr>::row(encoding::euc_kr, euc_kr_names); }

}  // namespace

const encoding_scheme euc_kr_scheme = complete<row>();

}  // namespace utfilter::detail
