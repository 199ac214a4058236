// signature.cpp: finds the longest signature at the start of a text.
#include "encodings/signature.hpp"

#include "encodings/encoding_scheme.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter::detail {
namespace {

constexpr encoding_set set_of(encoding e) noexcept { return encoding_set{1} << static_cast<unsigned>(e); }

/// Whether the signature of this row may decide the encoding of a text that is declared as `e`. For UTF-16 and UTF-32
/// without a byte order, only the signatures of encodings with the same code unit size may do so.
bool may_decide(const encoding_scheme& row, encoding e) noexcept {
  const bool fixed = row.without_signature == row.value;
  return fixed && !row.signature.empty() && (scheme_of(e) == nullptr || code_unit_size(e) == row.code_unit);
}

}  // namespace

encoding_set signatures_of(encoding e) noexcept {
  if (!is_decided_by_signature(e)) return has_signature(e) ? set_of(e) : 0;
  encoding_set set = 0;
  for (const encoding one : encodings())
    if (may_decide(*scheme_of(one), e)) set |= set_of(one);
  return set;
}

signature_match match_signature(encoding_set candidates, const unsigned char* in, std::size_t size,
                                bool last) noexcept {
  signature_match match{signature_match::kind::absent, encoding::detect, 0};
  for (unsigned place = 0; candidates >> place != 0; ++place) {
    const auto e = static_cast<encoding>(place);
    if ((candidates & set_of(e)) == 0) continue;
    const std::string_view signature = scheme_of(e)->signature;
    const std::size_t shared = std::min(signature.size(), size);
    if (shared != 0 && std::memcmp(signature.data(), in, shared) != 0) continue;
    if (shared < signature.size()) {
      if (!last) return {signature_match::kind::undecided, encoding::detect, 0};
    } else if (signature.size() > match.size) {
      match = {signature_match::kind::found, e, signature.size()};
    }
  }
  return match;
}

}  // namespace utfilter::detail
