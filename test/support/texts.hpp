// texts.hpp: makes texts, and encodes them in each encoding, without the library.
#ifndef UTFILTER_TEST_TEXTS_HPP
#define UTFILTER_TEST_TEXTS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace texts {

using text32 = std::u32string;

inline const std::string feff = "\xEF\xBB\xBF";      // U+FEFF in UTF-8
inline const std::string fffd = "\xEF\xBF\xBD";      // U+FFFD
inline const std::string euro = "\xE2\x82\xAC";      // U+20AC
inline const std::string grin = "\xF0\x9F\x98\x80";  // U+1F600

/// The text, a string or a literal, this many times.
template <class Text>
auto repeated(const Text& text, std::size_t times) {
  std::basic_string once(text);
  decltype(once) all;
  for (; times != 0; --times) all += once;
  return all;
}

/// The parts of a list, between which the separator stands.
inline std::vector<std::string> split(std::string_view list, char separator = '|') {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != list.npos; list.remove_prefix(end == list.npos ? 0 : end + 1))
    parts.emplace_back(list.substr(0, end = list.find(separator)));
  return parts;
}

/// Lines of random characters of every length, at least `bytes` bytes in UTF-8. Always the same.
inline text32 random_lines(std::size_t bytes) {
  text32 text;
  std::linear_congruential_engine<std::uint32_t, 1664525, 1013904223, 0> random(12345);
  std::size_t size = 0;
  const auto add = [&](char32_t c, std::size_t bytes_of_c) {
    text += c;
    size += bytes_of_c;
  };
  while (size < bytes) {
    const char32_t value = random() >> 8;  // the lowest bits are not very random
    switch (value % 16) {
      case 0: add(0x80 + value % 0x700, 2); break;
      case 1: add(0x4E00 + value % 0x5000, 3); break;
      case 2: add(0x10000 + value % 0x100000, 4); break;
      case 3: add(U'\n', 1); break;
      default: add(U'a' + value % 16, 1);
    }
  }
  return text;
}

/// The bytes, such as "E2 82 AC".
inline std::string hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty()) text += ' ';
    (text += digits[byte / 16]) += digits[byte % 16];
  }
  return text;
}

/// RFC 3629 section 3. A surrogate becomes three bytes, as in CESU-8.
inline std::string utf8(const text32& text) {
  std::string out;
  for (const char32_t c : text) {
    if (c < 0x80) {
      out += static_cast<char>(c);
      continue;
    }
    const int trailing = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out += static_cast<char>((0xF00 >> (trailing + 1) & 0xFF) | c >> 6 * trailing);
    for (int i = trailing; i-- > 0;) out += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
  }
  return out;
}

inline std::string utf16(const text32& text, bool little) {
  std::string out;
  const auto unit = [&](char32_t u) {
    const char high = static_cast<char>(u >> 8), low = static_cast<char>(u & 0xFF);
    out += little ? low : high;
    out += little ? high : low;
  };
  for (const char32_t c : text) {
    if (c < 0x10000) {
      unit(c);
    } else {
      unit(0xD800 + ((c - 0x10000) >> 10));
      unit(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return out;
}
/// Each of the code units, of `size` bytes, by itself. Any value may be a unit, also a surrogate.
inline std::vector<std::string> code_units(std::size_t size, bool little, std::initializer_list<std::uint32_t> values) {
  std::vector<std::string> units;
  for (const std::uint32_t value : values) {
    std::string unit;
    for (std::size_t i = 0; i < size; ++i) unit += static_cast<char>(value >> 8 * (little ? i : size - 1 - i) & 0xFF);
    units.push_back(unit);
  }
  return units;
}

inline std::string utf16le(const text32& text) { return utf16(text, true); }
inline std::string utf16be(const text32& text) { return utf16(text, false); }

inline std::string utf32(const text32& text, bool little) {
  std::string out;
  for (const char32_t c : text)
    for (int i = 0; i < 4; ++i) out += static_cast<char>(c >> 8 * (little ? i : 3 - i) & 0xFF);
  return out;
}
inline std::string utf32le(const text32& text) { return utf32(text, true); }
inline std::string utf32be(const text32& text) { return utf32(text, false); }

/// UTR 26: encodes each UTF-16 code unit as if it were a character.
inline std::string cesu8(const text32& text) {
  text32 units;
  for (const char32_t c : text) {
    if (c < 0x10000)
      units += c;
    else
      (units += 0xD800 + ((c - 0x10000) >> 10)) += 0xDC00 + ((c - 0x10000) & 0x3FF);
  }
  return utf8(units);
}
/// As CESU-8, but U+0000 is C0 80.
inline std::string modified_utf8(const text32& text) {
  std::string out;
  for (const char byte : cesu8(text)) out += byte == '\0' ? std::string("\xC0\x80") : std::string(1, byte);
  return out;
}

}  // namespace texts

#endif
