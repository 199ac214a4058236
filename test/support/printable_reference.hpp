// printable_reference.hpp: the output of a printable, computed the slow way, and the ways back to the text. This file
// may include nothing of include/ or src/. Invisible characters are no part of it: printable_oracle.py knows them.
#ifndef UTFILTER_TEST_PRINTABLE_REFERENCE_HPP
#define UTFILTER_TEST_PRINTABLE_REFERENCE_HPP

#include "support/escape_controls_reference.hpp"

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conformance::reference {

/// What must not be divided: characters that pass, and escapes. All but CR LF and escapes are one character.
inline std::vector<std::string> printable_units(std::string_view text, const escape_choice& choice) {
  std::vector<std::string> units;
  const bool passes_line_feeds = !choice.line_feed && !choice.json;
  while (!text.empty()) {
    const item next = decode(encoding::utf8, text);
    std::size_t taken = next.size;
    if (passes_line_feeds && text.substr(0, 2) == "\r\n") {
      units.emplace_back("\r\n");
      taken = 2;
    } else if (next.good) {
      units.push_back(shown(next.value, choice));
    } else if (choice.json) {
      units.emplace_back("\xEF\xBF\xBD");
    } else {
      for (const char c : text.substr(0, taken)) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02X", byte_of(c));
        units.emplace_back(escape);
      }
    }
    text.remove_prefix(taken);
  }
  return units;
}

/// The units that remain if the output has at most `limit` bytes.
inline std::vector<std::string> cut_to_bytes(std::vector<std::string> units, std::size_t limit) {
  std::size_t size = 0;
  for (const std::string& unit : units) size += unit.size();
  if (size <= limit) return units;
  for (; !units.empty() && size + 3 > limit; units.pop_back()) size -= units.back().size();
  if (limit >= 3) units.emplace_back("\xE2\x80\xA6");
  return units;
}

inline std::size_t characters_of(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text)
    if ((byte_of(c) & 0xC0) != 0x80) ++n;
  return n;
}

/// The output with at most this many characters.
inline std::string cut_to_characters(const std::vector<std::string>& units, std::size_t most) {
  std::string text;
  for (const std::string& unit : units) {
    if (characters_of(text) + characters_of(unit) > most) break;
    text += unit;
  }
  return text;
}

inline std::string joined(const std::vector<std::string>& units) {
  std::string text;
  for (const std::string& unit : units) text += unit;
  return text;
}

/// The text with each ill-formed subsequence as U+FFFD.
inline std::string replaced(std::string_view text) {
  std::string out;
  for (; !text.empty();) {
    const item next = decode(encoding::utf8, text);
    out += next.good ? std::string(text.substr(0, next.size)) : "\xEF\xBF\xBD";
    text.remove_prefix(next.size);
  }
  return out;
}

/// The text of which this is the output, if backslashes were escaped; std::nullopt if there is no such text.
inline std::optional<std::string> undone(std::string_view out) {
  std::string text;
  const auto number = [&](std::size_t at, std::size_t digits) -> std::optional<char32_t> {
    if (digits == 0 || digits > 6 || at + digits > out.size()) return std::nullopt;
    char32_t value = 0;
    for (const char c : out.substr(at, digits)) {
      const std::size_t digit = std::string_view("0123456789ABCDEF").find(c);
      if (digit == std::string_view::npos) return std::nullopt;
      value = 16 * value + static_cast<char32_t>(digit);
    }
    return value;
  };
  for (std::size_t i = 0; i < out.size();) {
    if (out[i] != '\\') {
      text += out[i++];
      continue;
    }
    const char kind = i + 1 < out.size() ? out[i + 1] : '\0';
    if (kind == '\\' || kind == '"') {
      text += kind;
      i += 2;
    } else if (kind == 'x') {
      const auto byte = number(i + 2, 2);
      if (!byte) return std::nullopt;
      text += static_cast<char>(*byte);
      i += 4;
    } else if (kind == 'u' && i + 2 < out.size() && out[i + 2] == '{') {
      const std::size_t end = out.find('}', i);
      if (end == std::string_view::npos) return std::nullopt;
      const auto value = number(i + 3, end - i - 3);
      if (!value) return std::nullopt;
      text += utf8(*value);
      i = end + 1;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

/// Why the output of a printable is not harmless; empty if it is.
inline std::string harm(std::string_view out, const escape_choice& choice) {
  char why[64];
  for (std::string_view rest = out; !rest.empty();) {
    const item next = decode(encoding::utf8, rest);
    if (!next.good) return "ill-formed UTF-8";
    const bool ends_line = rest.substr(0, 2) == "\r\n" && !choice.line_feed && !choice.json;
    const bool stays = next.value == U'\\' || next.value == U'"';  // they stand in escapes
    if (!ends_line && !stays && shown(next.value, choice) != utf8(next.value)) {
      std::snprintf(why, sizeof why, "U+%04X", static_cast<unsigned>(next.value));
      return why;
    }
    rest.remove_prefix(ends_line ? 2 : next.size);
  }
  return {};
}

}  // namespace conformance::reference

#endif
