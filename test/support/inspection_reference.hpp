// inspection_reference.hpp: what an inspection must find in a text, computed the slow way from the whole text. This
// file may include nothing of include/ or src/.
#ifndef UTFILTER_TEST_INSPECTION_REFERENCE_HPP
#define UTFILTER_TEST_INSPECTION_REFERENCE_HPP

#include "support/conformance_reference.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace conformance::reference {

struct found {
  std::uint64_t count = 0, offset = 0, line = 0, column = 0;  // of the first one
};
/// The names of the enumerators, and what was found; nothing for what was not found.
using findings = std::map<std::string, found>;

/// A character, or an error, and its place.
struct placed {
  char32_t value;
  std::uint64_t offset, line, column;
};
inline constexpr char32_t no_character = 0xFFFFFFFF;

inline bool is_bidi(char32_t c) {
  return c != 0 &&
         std::u32string_view(U"\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069").find(c) !=
             std::u32string_view::npos;
}

/// The kind of a character that counts by itself. `before` is the character before it.
inline const char* kind_of(char32_t c, char32_t before) {
  if (c < 0x20 && c != 9 && c != 10 && c != 13) return "c0_control";
  if (c >= 0x7F && c <= 0x9F) return "c1_control";
  if (c == 0xA0 || c == 0x202F) return "no_break_space";
  if (is_bidi(c)) return "bidi_control";
  if (c == 0xFEFF) return "bom";
  if (c == 0xFFFD) return "replacement";
  if (c == 0x0A00 || c == 0x0D00 || c == 0x0A0D || c == 0x0D0A) return "shifted_utf16";
  if ((c >= 0xFDD0 && c <= 0xFDEF) || c % 0x10000 >= 0xFFFE) return "noncharacter";
  if ((c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000) return "private_use";
  if (c >= 0xE0000 && c <= 0xE007F) return "tag";
  if (c == 0x200C || c == 0x200D) return before < 0x80 || before == no_character ? "invisible" : nullptr;
  const bool is_invisible = c == 0xAD || c == 0x34F || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 ||
                            c == 0x200B || (c >= 0x2060 && c <= 0x2065) || (c >= 0x206A && c <= 0x206F) ||
                            c == 0x3164 || c == 0xFFA0 || (c >= 0xFFF0 && c <= 0xFFFB);
  return is_invisible ? "invisible" : nullptr;
}

/// Everything but mojibake.
inline findings inspect(std::string_view text) {
  // The byte order mark has an offset, but no column.
  std::vector<placed> all;
  placed at{0, 0, 1, 1};
  if (text.substr(0, 3) == "\xEF\xBB\xBF") at.offset = 3;
  while (at.offset != text.size()) {
    const item one = decode(encoding::utf8, text.substr(static_cast<std::size_t>(at.offset)));
    at.value = one.good ? one.value : no_character;
    all.push_back(at);
    at.offset += one.size;
    ++at.column;
    if (at.value == U'\n') at = {0, at.offset, at.line + 1, 1};
  }
  at.value = no_character;  // stands at the end
  all.push_back(at);
  const std::size_t end = all.size() - 1;

  findings result;
  const auto note = [&](const char* kind, const placed& p, std::uint64_t n = 1) {
    found& f = result[kind];
    if (f.count == 0) f = {0, p.offset, p.line, p.column};
    f.count += n;
  };
  std::size_t start = 0;
  if (text.substr(0, 3) != "\xEF\xBB\xBF")
    while (all[start].value == 0) ++start;
  if (start >= 512)
    note("hole", all[0], start);
  else
    start = 0;
  std::size_t flag_tags = 0;
  for (std::size_t i = start; i != end;) {
    std::size_t zeros = i;
    while (zeros != end && all[zeros].value == 0) ++zeros;
    if (zeros - i >= 16) note("null_run", all[i], zeros - i);
    if (zeros != i && zeros - i < 16) note("null", all[i], zeros - i);
    if (zeros != i) {
      i = zeros;
      continue;
    }
    const char32_t before = i == 0 ? 0 : all[i - 1].value;
    const bool is_tag = all[i].value >= 0xE0000 && all[i].value <= 0xE007F;
    const bool goes_on = flag_tags != 0 && flag_tags != 7 && before >= 0xE0000 && before < 0xE007F;
    flag_tags = !is_tag ? 0 : before == 0x1F3F4 ? 1 : goes_on ? flag_tags + 1 : 0;
    if (all[i].value != no_character && flag_tags == 0)
      if (const char* const kind = kind_of(all[i].value, before)) note(kind, all[i]);
    const auto is_next = [&](std::u32string_view word) {
      if (end - i < word.size()) return false;
      for (std::size_t k = 0; k != word.size(); ++k)
        if (all[i + k].value != word[k]) return false;
      return true;
    };
    if (is_next(U"\u951F\u65A4\u62F7") || is_next(U"\u00EF\u00BF\u00BD")) note("replacement_mojibake", all[i]);
    ++i;
  }

  std::vector<bool> changes;  // of direction, not taken back: whether each is an isolate
  bool has_error = false, has_beyond = false, is_counted = false;
  for (std::size_t i = 0; i <= end; ++i) {
    const char32_t c = all[i].value;
    if (i == end || c == U'\r' || c == U'\n') {
      if (!changes.empty()) note("open_bidi", all[i]);
      changes.clear();
      has_error = has_beyond = is_counted = false;
      continue;
    }
    (c == no_character ? has_error : c >= 0x80 ? has_beyond : is_counted) |= c >= 0x80;
    if (has_error && has_beyond && !is_counted) {
      note("two_encodings", all[i]);
      is_counted = true;
    }
    const bool isolates = c >= 0x2066 && c <= 0x2068;
    if (isolates || c == 0x202A || c == 0x202B || c == 0x202D || c == 0x202E) changes.push_back(isolates);
    if (c == 0x202C && !changes.empty() && !changes.back()) changes.pop_back();
    if (c == 0x2069 && std::find(changes.begin(), changes.end(), true) != changes.end()) {
      while (!changes.back()) changes.pop_back();
      changes.pop_back();
    }
  }

  std::size_t line = 0;
  for (std::size_t i = 0; i <= end; ++i) {
    const char32_t c = all[i].value;
    if (i != end && c != U'\r' && c != U'\n') continue;
    if (i - line > 1000) note("long_line", all[line]);
    if (i == end && i != line) note("unfinished_line", all[i]);
    if (i == end) break;
    if (c == U'\r') note(all[i + 1].value == U'\n' ? "crlf" : "cr", all[i]);
    if (c == U'\n' && (i == 0 || all[i - 1].value != U'\r')) note("lf", all[i]);
    line = i + 1;
  }

  return result;
}

}  // namespace conformance::reference

#endif
