// bom.cpp: finds the longest byte order mark at the start of a text.
#include "encodings/bom.hpp"

#include "encodings/encoding_scheme.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter::detail {
namespace {

constexpr encoding_set set_of(encoding e) noexcept { return encoding_set{1} << static_cast<unsigned>(e); }

/// Whether a text whose first byte this is may begin with a byte order mark: EF BB BF, FF FE, FE FF or 00 00 FE FF.
bool may_begin_bom(unsigned char first) noexcept { return first >= 0xEF || first == 0; }

}  // namespace

encoding_set boms_of(encoding e) noexcept {
  if (e == encoding::utf8) return set_of(e);
  if (!is_decided_by_bom(e)) return has_bom(e) ? set_of(e) : 0;
  // In UTF-16 and UTF-32 without a byte order, only the byte order marks of encodings with the same code unit may decide.
  const std::size_t unit = is_undecided(e) ? 0 : code_unit_size(e);
  encoding_set set = 0;
  for (const encoding_scheme* const row : unicode_rows)
    if (row->without_bom == row->value && (unit == 0 || unit == row->code_unit)) set |= set_of(row->value);
  return set;
}

bool lacks_bom(const encoding_scheme& target) noexcept {
  char unit[6];
  return target.encode(bom_character, unit) == 0;
}

bom_match match_bom(encoding_set candidates, const unsigned char* in, std::size_t size, bool last) noexcept {
  bom_match match{bom_match::kind::absent, encoding::detect, 0};
  if (size != 0 && !may_begin_bom(*in)) return match;
  for (unsigned place = 0; candidates >> place != 0; ++place) {
    const auto e = static_cast<encoding>(place);
    if ((candidates & set_of(e)) == 0) continue;
    const std::string_view bytes = unicode_scheme_of(e)->bom;
    const std::size_t shared = std::min(bytes.size(), size);
    if (shared != 0 && std::memcmp(bytes.data(), in, shared) != 0) continue;
    if (shared < bytes.size()) {
      if (!last) return {bom_match::kind::undecided, encoding::detect, 0};
    } else if (bytes.size() > match.size) {
      match = {bom_match::kind::found, e, bytes.size()};
    }
  }
  return match;
}

encoding encoding_by_bom(std::string_view text) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  const bom_match match = match_bom(boms_of(encoding::guess), bytes, text.size(), true);
  return match.what == bom_match::kind::found ? match.found : encoding::detect;
}

}  // namespace utfilter::detail
