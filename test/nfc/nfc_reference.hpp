// nfc_reference.hpp: the text that normalize_nfc must give, computed the slow way: over the whole text at once, with
// utf8proc's own normalization. This file may include nothing of include/ or src/.
#ifndef UTFILTER_TEST_NFC_REFERENCE_HPP
#define UTFILTER_TEST_NFC_REFERENCE_HPP

#include "support/conformance_reference.hpp"

#include <utf8proc.h>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace conformance::reference {

inline std::u32string code_points(std::string_view utf8) {
  std::u32string text;
  while (!utf8.empty()) {
    const item next = decode(encoding::utf8, utf8);
    text += next.value;
    utf8.remove_prefix(next.size);
  }
  return text;
}

inline std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* out = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &out, static_cast<utf8proc_option_t>(options));
  if (size < 0) throw std::runtime_error(utf8proc_errmsg(size));
  const std::string result(reinterpret_cast<char*>(out), static_cast<std::size_t>(size));
  std::free(out);
  return result;
}

inline bool is_mark(char32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class != 0;
}

/// The Stream-Safe Text Process (UAX 15, section 13). Adds the number of inserted characters to `inserted`.
inline std::string stream_safe(std::string_view text, std::size_t& inserted) {
  std::string result;
  std::size_t marks = 0;
  for (const char32_t c : code_points(text)) {
    const std::string one = utf8(c);
    const std::u32string parts = code_points(mapped(one, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT));
    std::size_t leading = 0, trailing = 0;
    while (leading != parts.size() && is_mark(parts[leading])) ++leading;
    while (trailing != parts.size() && is_mark(parts[parts.size() - 1 - trailing])) ++trailing;
    if (marks + leading > 30) {
      result += "\xCD\x8F";  // U+034F
      marks = 0;
      ++inserted;
    }
    result += one;
    marks = leading == parts.size() ? marks + leading : trailing;
  }
  return result;
}

/// Normalizes the text before and after each U+11A7 by itself: U+11A7 composes with nothing (Unicode, section 3.12), but
/// utf8proc 2.8 takes it for a trailing consonant, and drops it after a syllable.
inline std::string nfc(std::string_view text) {
  constexpr std::string_view before_consonants = "\xE1\x86\xA7";
  std::string result;
  while (true) {
    const std::size_t end = text.find(before_consonants);
    result += mapped(text.substr(0, end), UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (end == std::string_view::npos) return result;
    result += before_consonants;
    text.remove_prefix(end + before_consonants.size());
  }
}

}  // namespace conformance::reference

#endif
