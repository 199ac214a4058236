// lines_apart_reference.hpp: what must become of the lines or records of a text that are ill-formed, computed on the whole
// text, one by one. It knows UTF-8, windows-1252 and UTF-16LE by their definitions and includes nothing of the library.
#ifndef UTFILTER_TEST_LINES_APART_REFERENCE_HPP
#define UTFILTER_TEST_LINES_APART_REFERENCE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lines_apart {

enum class encoding { utf8, windows1252, utf16le };
enum class records { line, csv, indented };

/// A character of a text, or an ill-formed subsequence.
struct item {
  bool is_character = false;
  char32_t value = 0;
  std::size_t size = 1;
};

inline unsigned byte_of(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0x100;  // 100 is no byte
}

/// Unicode table 3-7; an ill-formed subsequence is a maximal subpart (D93b).
inline item utf8_item(std::string_view text) {
  struct row {
    unsigned first, last, second_first, second_last;
    std::size_t size;
  };
  constexpr row rows[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
                          {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
                          {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  const unsigned lead = byte_of(text, 0);
  if (lead < 0x80) return {true, lead, 1};
  for (const row& r : rows) {
    if (lead < r.first || lead > r.last) continue;
    char32_t value = lead & (0xFFU >> (r.size + 1));
    for (std::size_t i = 1; i != r.size; ++i) {
      const unsigned b = byte_of(text, i);
      if (b < (i == 1 ? r.second_first : 0x80U) || b > (i == 1 ? r.second_last : 0xBFU)) return {false, 0, i};
      value = value << 6 | (b & 0x3F);
    }
    return {true, value, r.size};
  }
  return {false, 0, 1};
}

inline item windows1252_item(std::string_view text) {
  constexpr char32_t high[] = {0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
                               0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                               0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};
  const unsigned b = byte_of(text, 0);
  return {true, b >= 0x80 && b < 0xA0 ? high[b - 0x80] : b, 1};
}

inline item utf16le_item(std::string_view text) {
  const auto unit_at = [&](std::size_t at) { return byte_of(text, at) | byte_of(text, at + 1) << 8; };
  if (text.size() < 2) return {false, 0, text.size()};
  const unsigned first = unit_at(0);
  if (first < 0xD800 || first > 0xDFFF) return {true, first, 2};
  if (first > 0xDBFF) return {false, 0, 2};
  if (text.size() < 4) return {false, 0, text.size()};
  const unsigned second = unit_at(2);
  if (second < 0xDC00 || second > 0xDFFF) return {false, 0, 2};
  return {true, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 4};
}

inline item item_of(encoding e, std::string_view text) {
  switch (e) {
    case encoding::utf8: return utf8_item(text);
    case encoding::windows1252: return windows1252_item(text);
    case encoding::utf16le: break;
  }
  return utf16le_item(text);
}

inline void append(char32_t c, std::string& to) {
  const auto add = [&](char32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) return add(c);
  if (c < 0x800) {
    add(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      add(0xE0 | c >> 12);
    } else {
      add(0xF0 | c >> 18);
      add(0x80 | (c >> 12 & 0x3F));
    }
    add(0x80 | (c >> 6 & 0x3F));
  }
  add(0x80 | (c & 0x3F));
}

/// A line or record as UTF-8, with U+FFFD for each error.
struct decoded_line {
  std::string text;
  std::size_t errors = 0;
  bool is_odd = false;           // it has an error, or the character that counts as one
  std::size_t beyond_ascii = 0;  // characters that are well-formed
  std::size_t line_feeds = 0;
  std::size_t offset = 0, line = 0, column = 1, size = 0;  // of what is odd; the offset and the line are in the record
};
inline decoded_line decode(encoding e, std::string_view bytes, char32_t odd = 0xFFFFFFFF) {
  decoded_line result;
  std::size_t column = 1;
  for (std::size_t at = 0; at != bytes.size(); ++column) {
    const item next = item_of(e, bytes.substr(at));
    if (!result.is_odd && (!next.is_character || next.value == odd)) {
      result.is_odd = true;
      result.offset = at;
      result.line = result.line_feeds;
      result.column = column;
      result.size = next.is_character ? 0 : next.size;
    }
    result.errors += !next.is_character;
    result.beyond_ascii += next.is_character && next.value > 0x7F;
    append(next.is_character ? next.value : 0xFFFD, result.text);
    at += next.size;
    if (next.is_character && next.value == U'\n') {
      ++result.line_feeds;
      column = 0;
    }
  }
  return result;
}

/// A line, or a part of one, that is put aside or read by a fallback. If it is a part, the place is that of the line,
/// and `bytes` is empty.
struct record {
  std::string text;
  std::uint64_t begin = 0, end = 0, part = 0;
  std::uint64_t line = 1, column = 1, offset = 0;
  std::string bytes;  // the ill-formed subsequence
  std::uint64_t first_line = 1, line_feeds = 0;

  auto all() const { return std::tie(text, begin, end, part, line, column, offset, bytes, first_line, line_feeds); }
  friend bool operator==(const record& a, const record& b) { return a.all() == b.all(); }
};

struct rules {
  encoding from = encoding::utf8;
  bool sets_aside = true;  // there is a sink; otherwise errors are replaced
  std::vector<encoding> fallbacks = {};
  std::size_t limit = 1 << 20;
  records kind = records::line;
  char32_t odd = 0xFFFFFFFF;  // a character that counts as an error
};

struct outcome {
  std::string output;
  std::vector<record> aside;
  std::vector<std::size_t> aside_at;  // for each of them, the size of the output before it
  std::vector<record> fallen;
  std::vector<encoding> fallen_to;  // for each of them
  std::uint64_t lines_passed = 0, lines_aside = 0, lines_fallen = 0;
  std::uint64_t bytes_passed = 0, bytes_aside = 0, bytes_fallen = 0;
  std::uint64_t records_passed = 0, records_aside = 0, records_fallen = 0;
  std::uint64_t errors = 0;
};

/// The size of the first line, with its line feed, or of the rest of the text.
inline std::size_t size_of_line(encoding e, std::string_view text) {
  const std::size_t unit = e == encoding::utf16le ? 2 : 1;
  for (std::size_t at = 0; at + unit <= text.size(); at += unit)
    if (text[at] == '\n' && (unit == 1 || text[at + 1] == '\0')) return at + unit;
  return text.size();
}

/// The size of the first record, or of the rest of the text. In CSV the fields are delimited by commas, and quoted by ".
inline std::size_t size_of_record(const rules& by, std::string_view text) {
  const std::size_t unit = by.from == encoding::utf16le ? 2 : 1;
  const auto is = [&](char c, std::size_t at) {
    return at + unit <= text.size() && text[at] == c && (unit == 1 || text[at + 1] == '\0');
  };
  if (by.kind == records::line) return size_of_line(by.from, text);
  std::size_t at = 0;
  if (by.kind == records::indented) {
    do at += size_of_line(by.from, text.substr(at));
    while (is(' ', at) || is('\t', at));
    return at;
  }
  while (true) {  // a field
    if (is('"', at))
      for (at += unit; at < text.size(); at += unit) {
        if (!is('"', at)) continue;
        at += unit;
        if (!is('"', at)) break;
      }
    while (at < text.size() && !is(',', at) && !is('\n', at)) at += unit;
    if (at >= text.size()) return text.size();
    at += unit;
    if (is('\n', at - unit)) return at;
  }
}

/// Sorts a text whose first `byte order mark` bytes are a byte order mark, which passes as `written`.
inline outcome sort(const rules& by, std::string_view text, std::size_t size_of_bom = 0,
                    const std::string& written = {}) {
  outcome result;
  result.output = written;
  result.bytes_passed = size_of_bom;
  std::uint64_t line = 1;
  const auto put_aside = [&](const record& one, std::size_t lines) {
    result.bytes_aside += one.text.size();
    result.lines_aside += lines;
    result.records_aside += one.part < 2;
    result.aside.push_back(one);
    result.aside_at.push_back(result.output.size());
  };
  for (std::size_t begin = size_of_bom; begin < text.size();) {
    const std::string_view bytes = text.substr(begin, size_of_record(by, text.substr(begin)));
    const decoded_line read = decode(by.from, bytes, by.odd);
    const std::size_t lines = read.text.back() == '\n' ? read.line_feeds : read.line_feeds + 1;
    const auto fits = [&](encoding e) { return !decode(e, bytes, by.odd).is_odd; };
    const bool is_too_long = bytes.size() > by.limit;
    const auto fallback = std::find_if(by.fallbacks.begin(), by.fallbacks.end(), fits);
    // Most of its characters beyond ASCII are UTF-8, so it is damaged, and no text of another encoding.
    const bool is_damaged = by.from == encoding::utf8 && read.beyond_ascii >= 2 && read.beyond_ascii >= 2 * read.errors;
    const bool falls = !is_too_long && read.errors != 0 && !is_damaged && fallback != by.fallbacks.end();
    record bad;  // the line, if it has an error
    bad.text = bytes;
    bad.begin = begin;
    bad.end = begin + bytes.size();
    bad.line = line + read.line;
    bad.first_line = line;
    bad.line_feeds = read.line_feeds;
    bad.column = read.column;
    bad.offset = begin + read.offset;
    bad.bytes = bytes.substr(read.offset, read.size);
    if (by.sets_aside && is_too_long) {
      std::size_t feeds = 0;
      for (std::size_t at = 0; at < bytes.size(); at += by.limit) {
        record one;
        one.text = bytes.substr(at, by.limit);
        one.begin = begin + at;
        one.end = one.begin + one.text.size();
        one.part = at / by.limit + 1;
        one.line = line;
        one.offset = begin;
        const std::size_t unit = by.from == encoding::utf16le ? 2 : 1;
        one.first_line = line + feeds;
        for (std::size_t i = 0; i + unit <= one.text.size(); i += unit)
          one.line_feeds += one.text[i] == '\n' && (unit == 1 || one.text[i + 1] == '\0');
        feeds += one.line_feeds;
        put_aside(one, at == 0 ? lines : 0);
      }
    } else if (by.sets_aside && read.is_odd && !falls) {
      put_aside(bad, lines);
    } else {
      if (falls) {
        result.fallen.push_back(bad);
        result.fallen_to.push_back(*fallback);
      }
      result.output += falls ? decode(*fallback, bytes).text : read.text;
      result.errors += falls ? 0 : read.errors;
      result.lines_passed += lines;
      ++result.records_passed;
      result.bytes_passed += bytes.size();
      result.lines_fallen += falls ? lines : 0;
      result.records_fallen += falls;
      result.bytes_fallen += falls ? bytes.size() : 0;
    }
    begin += bytes.size();
    line += read.line_feeds;
  }
  return result;
}

}  // namespace lines_apart

#endif
