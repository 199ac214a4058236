// encoding_rows.hpp: a row for each encoding, with the bytes that tests of all encodings need. (For the other single-byte
// encodings ISO-8859-1 and its like stand: see some_encodings.hpp.)
#ifndef UTFILTER_TEST_ENCODING_ROWS_HPP
#define UTFILTER_TEST_ENCODING_ROWS_HPP

#include "support/texts.hpp"

#include <utfilter/encoding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace encoding_rows {

using utfilter::encoding;
using units = std::vector<std::string>;

/// An error that can repeat itself, with the repair that each policy makes of it.
struct repeatable {
  std::string bytes, escaped;
  std::string as_windows1252 = {};  // empty if this encoding has no such policy
  /// A text that may stand after a run of the error, its UTF-8, and whether it takes the last error of the run away,
  /// because the two make a character.
  struct tail {
    std::string bytes, utf8;
    bool completes;
  };
  std::vector<tail> tails = {};  // besides an `a`
};

struct row {
  encoding value;
  /// Bytes of every kind that begin, continue or end a character or a byte order mark.
  std::string kinds;
  /// The boundary bytes, code units and sequences.
  units boundaries;
  /// Those of texts of lines: line feed, carriage return, characters of every size, and errors.
  units in_lines;
  /// Those at which a cut between two ranges of a file may go wrong, besides a line feed and an `A`.
  units in_ranges;
  std::vector<repeatable> errors = {};
};

inline units operator+(units some, const units& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}
/// Each byte as a string.
inline units each(std::string_view bytes) {
  units all;
  for (const char c : bytes) all.emplace_back(1, c);
  return all;
}
inline units wide(std::size_t size, bool little, std::initializer_list<std::uint32_t> list) {
  return texts::code_units(size, little, list);
}

/// Rows that differ only in the byte order, or in the name.
inline row utf16_row(encoding value, bool little, const units& in_ranges, std::vector<repeatable> errors = {}) {
  const std::uint32_t last = little ? 0x0A0A : 0xFFFE;
  return {value,
          {"\x00\x0A\x41\xD8\xDB\xDC\xFE\xFF", 8},
          wide(2, little, {0x000A, 0x0041, 0x20AC, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFEFF, 0xFFFE}) + units{"\n"},
          wide(2, little, {0x000A, 0x000D, 0x00E9, 0x20AC, 0xD83D, 0xDE00, 0xFEFF, last}) + units{"\n"},
          in_ranges + wide(2, little, {0x000A, 0x000D, 0x0A41, 0x0A00, 0xD83D, 0xDE00, 0xFEFF, 0x0A0A}),
          std::move(errors)};
}
inline row utf32_row(encoding value, bool little, const units& in_ranges, std::vector<repeatable> errors = {}) {
  return {value,
          {"\x00\x0A\x10\x11\xD8\xFE\xFF", 7},
          wide(4, little, {0x0A, 0x41, 0xD800, 0xDFFF, 0xFEFF, 0x10FFFF, 0x110000, 0xFFFE0000}) + units{"\n"},
          (little ? wide(4, true, {0x0A, 0x0D, 0xE9, 0xD800, 0xFEFF, 0x10FFFF, 0x0A0A0A0A})
                  : wide(4, false, {0x0A, 0x0D, 0xE9, 0xD800, 0xFEFF, 0x10FFFF, 0x110000, 0xFFFE0000})) +
              units{"\n"},
          in_ranges + wide(4, little, {0x0A, 0x0A00, 0xD800, 0xFEFF, 0x10FFFF, 0x0A000000}),
          std::move(errors)};
}
inline row single_byte_row(encoding value, const units& in_lines) {
  return {value,
          "\x0A\x41\x80\xDB\xE9",
          each("\x0A\x41\x80\x81\xA4\xFF"),
          in_lines,
          {"\r", "\x85", "\x8A", "\xE9", "\xEF\xBB\xBF", "\xDB"}};
}

inline row gb_row(encoding value, std::vector<repeatable> errors) {
  return {value,
          "\x0A\x2F\x30\x35\x41\x7F\x80\x81\x84\xA6\xE3\xF4\xFF",
          each("\x0A\x30\x39\x41\x7F\x80\x81\xC4\xFE\xFF") + units{"\x81\x30\x81\x30"},
          {"\n", "\r", "0", "\x81\x30\x81\x30", "\x81", "\xA2\xE3", "\x80", "\xFF"},
          {"\r", "\x81\x30", "\x81", "\x30", "\xC4\xE3", "\xFF"},
          std::move(errors)};
}

inline const std::vector<row>& all() {
  using namespace std::string_literals;
  using namespace std::string_view_literals;
  static const units of_utf8 =
      each("\x0A\x41\x7F\x80\x8F\x90\x9F\xA0\xBB\xBF\xC1\xC2\xE0\xE1\xED\xEF\xF0\xF1\xF4\xF5\xFF");
  static const std::vector<repeatable::tail> e_acute = {{"\xC3\xA9", "\xC3\xA9", false}};
  static const std::vector<row> rows = {
      {encoding::utf8,
       "\x0A\x41\x80\x90\xA0\xBB\xBF\xC2\xE0\xE1\xED\xEF\xF0\xF1\xF4",
       of_utf8,
       {"\n", "\r", "A", "\x80", "\xC3", "\xE2\x82", "\xAC", "\xF0\x9F\x98", "\xEF\xBB\xBF", "\xFF"},
       {"\r", "\xE2", "\x82", "\xAC", "\xF0\x9F\x98\x80", "\xEF\xBB\xBF", "\xFF", "\xC3"},
       {{"\xFF", "\\xFF", "\xC3\xBF", e_acute},
        {"\x80", "\\x80", "\xE2\x82\xAC", e_acute},
        {"\xC3", "\\xC3", "\xC3\x83", {{"\xA9", "\xC3\xA9", true}}},
        {"\xE2\x82", "\\xE2\\x82", "\xC3\xA2\xE2\x80\x9A", {{"\xAC", "\xE2\x82\xAC", true}}},
        {"\xF0\x9F\x98", "\\xF0\\x9F\\x98", "\xC3\xB0\xC5\xB8\xCB\x9C", {{"\x80", "\xF0\x9F\x98\x80", true}}}}},
      {encoding::detect,
       "\x00\x0A\x41\x80\xBB\xBF\xC2\xEF\xFE\xFF"s,
       each("\x00\x0A\x41\xBB\xBF\xEF\xFE\xFF"sv) + units{"\xEF\xBB\xBF", "\xFF\xFE"},
       {"\n", "\r", "A", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\0"s, "\0\n"s, "\xFF", "\xEF\xBB"},
       {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\xE2\x82", "\r", "\xFF", "\0"s, "\n\0"s}},
      utf16_row(encoding::utf16, false, wide(2, false, {0xFFFE})),
      utf16_row(
          encoding::utf16le, true, {},
          {{"\x00\xD8"s, "\\u{D800}", "", {{"\x00\xDC"s, "\xF0\x90\x80\x80", true}}}, {"\x01\xDC"s, "\\u{DC01}"}}),
      utf16_row(encoding::utf16be, false, {}, {{"\xDF\xFF"s, "\\u{DFFF}"}}),
      utf32_row(encoding::utf32, false, wide(4, false, {0xFFFE0000})),
      utf32_row(encoding::utf32le, true, {}, {{"\x00\x00\x11\x00"s, "\\x00\\x00\\x11\\x00"}}),
      utf32_row(encoding::utf32be, false, {}),
      {encoding::cesu8,
       "\x0A\x41\x80\xA0\xB0\xBF\xC2\xE0\xE1\xED",
       each("\x0A\x41\x80\x9F\xA0\xAF\xB0\xBF\xC0\xC2\xE0\xED\xEF\xF0\xFF") + units{"\xED\xA0\x80", "\xED\xB0\x80"},
       {"\n", "\r", "A", "\x80", "\xC3", "\xE2\x82", "\xAC", "\xED\xA0\xBD", "\xED\xB8\x80", "\xF0"},
       {"\r", "\xED\xA0\x81", "\xED\xB0\x80", "\xED", "\xA0", "\xEF\xBB\xBF", "\xFF"},
       {{"\xED\xA0\x80", "\\u{D800}", "", {{"\xED\xB0\x80", "\xF0\x90\x80\x80", true}}}}},
      {encoding::modified_utf8,
       "\x00\x0A\x41\x80\x81\xA0\xB0\xC0\xC1\xE1\xED"s,
       each("\x00\x0A\x41\x80\x81\xB0\xC0\xED\xF0"sv) + units{"\xC0\x80", "\xED\xA0\x80", "\xED\xB0\x80"},
       {"\n", "\r", "\xC0\x80", "\x80", "\xC0", "\xE2\x82", "\xED\xA0\xBD", "\xED\xB8\x80", "\0"s},
       {"\xC0\x80", "\xED\xA0\x81", "\xED\xB0\x80", "\xED", "\xA0", "\xC0", "\xFF", "\0"s},
       {{"\0"s, "\\x00"}, {"\xC0", "\\xC0", "", {{"\x80", "\0"s, true}}}}},
      single_byte_row(encoding::latin1, {"\n", "\r", "A", "\x80", "\xE9"}),
      single_byte_row(encoding::windows1252, {"\n", "\r", "A", "\x80", "\xE9"}),
      single_byte_row(encoding::koi8r, {"\n", "\r", "A", "\x80", "\xE9"}),
      single_byte_row(encoding::iso8859_11, {"\n", "\r", "A", "\x80", "\xDB"}),
      {encoding::shift_jis,
       "\x0A\x41\x7F\x80\x81\x85\xA0\xB1\xF0\xFC\xFD",
       each("\x0A\x41\x7F\x80\x81\xA0\xB1\xF0\xFD") + units{"\x82\xA0"},
       {"\n", "\r", "A", "\x82\xA0", "\x81", "\xB1", "\xFF"},
       {"\r", "\x82\xA0", "\x82", "\xA0", "\xB1", "\x5C"},
       {{"\xFF", "\\xFF"}, {"\x85\x9F", "\\x85\\x9F"}}},
      {encoding::euc_jp,
       "\x0A\x41\x80\x8E\x8F\xA1\xA9\xB0\xDF\xE0\xFE\xFF",
       each("\x0A\x41\x80\x8E\x8F\xA1\xB0\xFF") + units{"\xA4\xA2", "\x8F\xB0\xA1"},
       {"\n", "\r", "\xA4\xA2", "\x8F\xB0", "\xA1", "\x8F\xA2\xB7", "\x8E", "\x80"},
       {"\r", "\xA4\xA2", "\x8F", "\xB0", "\x8E", "\x80"},
       {{"\x8F\xA1\xA1", "\\x8F\\xA1\\xA1"}}},
      {encoding::iso_2022_jp,
       "\x0A\x0E\x1B\x20\x24\x28\x29\x40\x41\x42\x49\x4A\x5C\x7E\x80",
       each("\x0A\x1B\x24\x28\x42\x5C\x80") + units{"\x1B$B", "\x1B(B", "\x1B(J", "\x1B(I", "$\""},
       {"\n", "\r", "\x1B$B", "\x1B(B", "\x1B(J", "$\"", "\x5C", "\x1B", "\x80"},
       {},  // its texts are read only from the start
       {{"\x80", "\\x80"}}},
      {encoding::euc_kr,
       "\x0A\x40\x41\x5B\x7F\x80\x81\xA1\xB0\xC9\xFF",
       each("\x0A\x41\x5B\x7F\x80\x81\xA1\xB0\xC9\xFF"),
       {"\n", "\r", "A", "\xB0\xA1", "\x81", "\xC9", "\xFF"},
       {"\r", "\xB0\xA1", "\x81", "\xC9", "\x5B", "\xFF"},
       {{"\xC9\xA1", "\\xC9\\xA1"}}},
      gb_row(encoding::gbk, {{"\xFF", "\\xFF"}}),
      gb_row(encoding::gb18030, {{"\x84\x31\xA5\x30", "\\x84\\x31\\xA5\\x30"}}),
      {encoding::big5,
       "\x0A\x40\x62\x7F\x80\x81\x88\xA1\xA4\xFF",
       each("\x0A\x41\x62\x7F\x80\x88\xA4\xFF") + units{"\x88\x62"},
       {"\n", "\r", "A", "\xA4\x40", "\x88\x62", "\x88", "\xFF"},
       {"\r", "\xA4\x40", "\x88\x62", "\x88", "\x40", "\xFF"},
       {{"\x81\xA1", "\\x81\\xA1"}}},
  };
  return rows;
}

/// The row of an encoding; that of UTF-8 for an encoding without a row.
inline const row& of(encoding e) {
  const auto found = std::find_if(all().begin(), all().end(), [e](const row& r) { return r.value == e; });
  return found != all().end() ? *found : all().front();
}

}  // namespace encoding_rows

#endif
