// boundary_texts.hpp: texts of boundary bytes and code units in each encoding.
#ifndef UTFILTER_TEST_BOUNDARY_TEXTS_HPP
#define UTFILTER_TEST_BOUNDARY_TEXTS_HPP

#include "support/texts.hpp"

#include <utfilter/decoder.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace boundary_texts {

using utfilter::encoding;
using utfilter::on_error;

/// Calls visit(text) for every string of up to `most` units.
template <class Visit>
void for_each_string(const std::vector<std::string>& units, std::size_t most, const Visit& visit,
                     std::string text = {}) {
  visit(text);
  if (most == 0) return;
  for (const std::string& unit : units) for_each_string(units, most - 1, visit, text + unit);
}

/// The boundary bytes or code units of an encoding.
inline std::vector<std::string> units_of(encoding e) {
  std::vector<std::string> units;
  const auto bytes = [&](std::initializer_list<int> list) {
    for (const int byte : list) units.emplace_back(1, static_cast<char>(byte));
  };
  const auto wide = [&](std::size_t size, bool big, std::initializer_list<std::uint32_t> list) {
    for (const std::string& unit : texts::code_units(size, !big, list)) units.push_back(unit);
    bytes({0x0A});  // part of a code unit
  };
  switch (e) {
    case encoding::detect:
      bytes({0x00, 0x0A, 0x41, 0xBB, 0xBF, 0xEF, 0xFE, 0xFF});
      units.push_back("\xEF\xBB\xBF");
      units.push_back("\xFF\xFE");
      break;
    case encoding::utf16:
    case encoding::utf16be:
      wide(2, true, {0x000A, 0x0041, 0x20AC, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFEFF, 0xFFFE});
      break;
    case encoding::utf16le:
      wide(2, false, {0x000A, 0x0041, 0x20AC, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFEFF, 0xFFFE});
      break;
    case encoding::utf32:
    case encoding::utf32be: wide(4, true, {0x0A, 0x41, 0xD800, 0xDFFF, 0xFEFF, 0x10FFFF, 0x110000, 0xFFFE0000}); break;
    case encoding::utf32le: wide(4, false, {0x0A, 0x41, 0xD800, 0xDFFF, 0xFEFF, 0x10FFFF, 0x110000, 0xFFFE0000}); break;
    case encoding::cesu8:
      bytes({0x0A, 0x41, 0x80, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xFF});
      units.push_back("\xED\xA0\x80");
      units.push_back("\xED\xB0\x80");
      break;
    case encoding::modified_utf8:
      bytes({0x00, 0x0A, 0x41, 0x80, 0x81, 0xB0, 0xC0, 0xED, 0xF0});
      units.push_back("\xC0\x80");
      units.push_back("\xED\xA0\x80");
      units.push_back("\xED\xB0\x80");
      break;
    case encoding::latin1:
    case encoding::windows1252:
    case encoding::koi8r:
    case encoding::iso8859_11: bytes({0x0A, 0x41, 0x80, 0x81, 0xA4, 0xFF}); break;
    case encoding::shift_jis:
      bytes({0x0A, 0x41, 0x7F, 0x80, 0x81, 0xA0, 0xB1, 0xF0, 0xFD});
      units.push_back("\x82\xA0");
      break;
    case encoding::euc_jp:
      bytes({0x0A, 0x41, 0x80, 0x8E, 0x8F, 0xA1, 0xB0, 0xFF});
      units.push_back("\xA4\xA2");
      units.push_back("\x8F\xB0\xA1");
      break;
    case encoding::iso_2022_jp:
      bytes({0x0A, 0x1B, 0x24, 0x28, 0x42, 0x5C, 0x80});
      for (const char* one : {"\x1B$B", "\x1B(B", "\x1B(J", "\x1B(I", "$\""}) units.emplace_back(one);
      break;
    case encoding::euc_kr: bytes({0x0A, 0x41, 0x5B, 0x7F, 0x80, 0x81, 0xA1, 0xB0, 0xC9, 0xFF}); break;
    case encoding::gbk:
    case encoding::gb18030:
      bytes({0x0A, 0x30, 0x39, 0x41, 0x7F, 0x80, 0x81, 0xC4, 0xFE, 0xFF});
      units.push_back("\x81\x30\x81\x30");
      break;
    case encoding::big5:
      bytes({0x0A, 0x41, 0x62, 0x7F, 0x80, 0x88, 0xA4, 0xFF});
      units.push_back("\x88\x62");
      break;
    default:
      bytes({0x0A, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBB, 0xBF, 0xC1,
             0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF});
  }
  return units;
}

/// A megabyte of boundary units, mixed with plain text.
inline std::string random_text(encoding from, std::mt19937& random) {
  const std::vector<std::string> units = units_of(from);
  const encoding to = from == encoding::utf16 ? encoding::utf16be : from == encoding::utf32 ? encoding::utf32be : from;
  utfilter::encoder plain(to, on_error::skip);
  char line[400];
  constexpr std::string_view in = "a line of text, of \u20AC 12 and caf\u00E9\n";
  const utfilter::codec_progress encoded = plain.convert(in.data(), in.size(), line, sizeof line, true);
  std::string text;
  while (text.size() < 1'000'000)
    if (random() % 4 == 0)
      text.append(line, encoded.produced);
    else
      for (std::size_t n = random() % 9; n != 0; --n) text += units[random() % units.size()];
  return text;
}

}  // namespace boundary_texts

#endif
