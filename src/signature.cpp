// signature.cpp: the table of signatures, and the search for the longest.
#include "signature.hpp"

#include <algorithm>
#include <cstring>

namespace utfilter::detail {

std::string_view signature_of(encoding e) noexcept {
  using namespace std::string_view_literals;
  switch (e) {
    case encoding::utf8: return "\xEF\xBB\xBF"sv;
    case encoding::utf16:
    case encoding::utf16be: return "\xFE\xFF"sv;
    case encoding::utf16le: return "\xFF\xFE"sv;
    case encoding::utf32:
    case encoding::utf32be: return "\x00\x00\xFE\xFF"sv;
    case encoding::utf32le: return "\xFF\xFE\x00\x00"sv;
    default: return {};
  }
}

encoding_set signatures_of(encoding e) noexcept {
  constexpr auto utf16_set = static_cast<encoding_set>(set_of(encoding::utf16le) | set_of(encoding::utf16be));
  constexpr auto utf32_set = static_cast<encoding_set>(set_of(encoding::utf32le) | set_of(encoding::utf32be));
  switch (e) {
    case encoding::detect: return static_cast<encoding_set>(set_of(encoding::utf8) | utf16_set | utf32_set);
    case encoding::utf16: return utf16_set;
    case encoding::utf32: return utf32_set;
    default: return signature_of(e).empty() ? encoding_set{0} : set_of(e);
  }
}

signature_match match_signature(encoding_set candidates, const unsigned char* in, std::size_t size, bool last) noexcept {
  signature_match match{signature_match::kind::absent, encoding::detect, 0};
  for (const encoding e : {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be}) {
    if ((candidates & set_of(e)) == 0) continue;
    const std::string_view signature = signature_of(e);
    const std::size_t      shared    = std::min(signature.size(), size);
    if (std::memcmp(signature.data(), in, shared) != 0) continue;
    if (shared < signature.size()) {
      if (!last) return {signature_match::kind::undecided, encoding::detect, 0};
    } else if (signature.size() > match.size) {
      match = {signature_match::kind::found, e, signature.size()};
    }
  }
  return match;
}

}  // namespace utfilter::detail
