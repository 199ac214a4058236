// inspection_reference.hpp: what an inspection must find in a text, computed the slow way from the whole text. This
// file may include nothing of include/ or src/.
#ifndef UTFILTER_TEST_INSPECTION_REFERENCE_HPP
#define UTFILTER_TEST_INSPECTION_REFERENCE_HPP

#include "support/conformance_reference.hpp"
#include "support/mojibake_reference.hpp"

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

/// The character that the characters from `at` on stand for, if UTF-8 was read as windows-1252 `level` times. `size`
/// becomes the number of these characters.
inline char32_t undone(const std::vector<placed>& all, std::size_t at, int level, std::size_t& size) {
  size = 1;
  if (level == 0) return all[at].value;
  std::string bytes;
  for (std::size_t used = 0; bytes.size() != 4;) {
    std::size_t n = 0;
    const char32_t c = undone(all, at + used, level - 1, n);
    int byte = c >= 0x80 && c <= 0x9F ? static_cast<int>(c) : -1;
    for (int b = 0; b != 256; ++b)
      if (windows1252(static_cast<unsigned char>(b)) == c) byte = b;
    if (byte < 0) return no_character;
    bytes += static_cast<char>(byte);
    used += n;
    const item one = decode(encoding::utf8, bytes);
    size = used;
    if (one.good) return one.value < 0x80 ? no_character : one.value;
    if (one.code != errc::incomplete_at_end) return no_character;
  }
  return no_character;
}

/// Whether the characters from a place on, which could stand for another one, look like the end of a word.
inline bool looks_right(const std::vector<placed>& all, std::size_t at, std::size_t size, char32_t value,
                        bool is_after_group) {
  const auto known = [](const placed& p) { return p.value == no_character ? 0 : p.value; };
  std::u32string group;
  for (std::size_t i = at; i != at + size; ++i) group += all[i].value;
  const char32_t before = at == 0 || is_after_group ? 0 : known(all[at - 1]), after = known(all[at + size]);
  bool may_begin = false;
  for (int b = 0xC2; b != 0xF5; ++b) may_begin = may_begin || windows1252(static_cast<unsigned char>(b)) == after;
  return looks_right(before, group, value, after, may_begin);
}

inline const char* kind_of(char32_t c) {
  if (c == 0) return "null";
  if (c < 0x20 && c != 9 && c != 10 && c != 13) return "c0_control";
  if (c >= 0x7F && c <= 0x9F) return "c1_control";
  for (const char32_t bidi : U"\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069")
    if (c == bidi && c != 0) return "bidi_control";
  if (c == 0xFEFF) return "bom";
  if (c == 0x0A00 || c == 0x0D00 || c == 0x0A0D || c == 0x0D0A) return "shifted_utf16";
  if ((c >= 0xFDD0 && c <= 0xFDEF) || c % 0x10000 >= 0xFFFE) return "noncharacter";
  if ((c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000) return "private_use";
  return nullptr;
}

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
  for (std::size_t i = start; i != end; ++i)
    if (all[i].value != no_character)
      if (const char* const kind = kind_of(all[i].value)) note(kind, all[i]);

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

  bool is_after_group = false;
  for (std::size_t i = 0; i < end;) {
    std::size_t once = 0, twice = 0;
    const char32_t value = undone(all, i, 1, once);
    const bool is_twice = value != no_character && undone(all, i, 2, twice) != no_character;
    const bool is_group = is_twice || (value != no_character && !looks_right(all, i, once, value, is_after_group));
    if (is_group) note("mojibake", all[i]);
    i += is_twice ? twice : is_group ? once : 1;
    is_after_group = is_group;
  }
  return result;
}

}  // namespace conformance::reference

#endif
