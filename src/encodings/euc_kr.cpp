// euc_kr.cpp: EUC-KR as in the WHATWG Encoding Standard, section 13.1: windows-949.
#include "encodings/cjk_tables.hpp"
#include "encodings/multi_byte.hpp"
#include "unicode/byte_order.hpp"

namespace utfilter::detail {
namespace {

struct euc_kr {
  static constexpr std::size_t longest = 2;

  static bool is_lead(unsigned b) noexcept { return b >= 0x81 && b <= 0xFE; }
  static bool is_trail(unsigned b) noexcept { return b >= 0x41 && b <= 0xFE; }

  static char16_t unit_of(unsigned lead, unsigned trail) noexcept {
    if (!is_lead(lead) || !is_trail(trail)) return 0;
    return euc_kr_characters.at((lead - 0x81) * 190 + trail - 0x41);
  }

  static sequence decode(const unsigned char* in, std::size_t size, bool last) noexcept {
    const unsigned lead = in[0];
    if (lead < 0x80) return sequence::scalar(lead, 1);
    if (!is_lead(lead)) return sequence::ill_formed(errc::unused_byte, 1);
    if (size < 2) return sequence::incomplete(last, 1);
    const unsigned trail = in[1];
    if (const char16_t unit = unit_of(lead, trail)) return sequence::scalar(unit, 2);
    return sequence::ill_formed(is_trail(trail) ? errc::unassigned : errc::truncated_sequence, trail < 0x80 ? 1 : 2);
  }

  static std::size_t encode(char32_t c, char* out) noexcept {
    if (c < 0x80) return put_byte(c, out);
    const unsigned pointer = euc_kr_pointers.of(c);
    return pointer != no_pointer ? put_two_bytes(pointer / 190 + 0x81, pointer % 190 + 0x41, out) : 0;
  }

  static std::size_t size_of(char32_t) noexcept { return 2; }
};

constexpr encoding_scheme row() noexcept {
  return multi_byte<euc_kr>::row(
      encoding::euc_kr,
      "EUC-KR cseuckr ks_c_5601-1987 ks_c_5601-1989 csksc56011987 ksc5601 ksc_5601 korean iso-ir-149 windows-949 cp949 "
      "ms949 uhc cp51949 windows-51949 cp20949 x-cp20949 korean-iso-8bit euc-korea euckr");
}

}  // namespace

const encoding_scheme euc_kr_scheme = complete<row>();

}  // namespace utfilter::detail
