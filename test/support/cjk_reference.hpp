// cjk_reference.hpp: decodes and encodes Shift_JIS, EUC-JP, ISO-2022-JP, EUC-KR, GBK, GB18030 and Big5 the slow way:
// one character at a time, by the steps of the WHATWG Encoding Standard, from the tables in data/cjk/. This file may
// include nothing of include/ or src/.
#ifndef UTFILTER_TEST_CJK_REFERENCE_HPP
#define UTFILTER_TEST_CJK_REFERENCE_HPP

#include "support/paths.hpp"
#include "support/reference_items.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conformance::reference {

//--------------------------------------------------------------------------------------------------------------- tables

/// Ends the program, also one without exceptions.
[[noreturn]] inline void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

/// An index of the standard: the code point of each pointer. The first line of its file is "width NUMBER". Each line
/// after it has the characters of so many pointers, in UTF-8; a dot stands for a pointer without a character, and so
/// does the missing end of a line.
class index {
 public:
  explicit index(const std::string& name) {
    std::ifstream file(paths::source("test/data/cjk/" + name + ".txt"), std::ios::binary);
    std::string word;
    std::size_t width = 0;
    if (!(file >> word >> width) || word != "width") give_up("test/data/cjk/" + name + ".txt cannot be read");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      const std::size_t row = code_points_.size();
      for (std::size_t at = 0; at < line.size();) code_points_.push_back(next_character(line, at));
      if (code_points_.size() > row + width) give_up(name + ".txt has a line that is too long");
      code_points_.resize(row + width, U'.');
    }
  }

  std::optional<char32_t> at(std::size_t pointer) const {
    if (pointer >= code_points_.size() || code_points_[pointer] == U'.') return std::nullopt;
    return code_points_[pointer];
  }

  std::size_t size() const { return code_points_.size(); }

 private:
  static char32_t next_character(const std::string& line, std::size_t& at) {
    const unsigned lead = byte_of(line[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t value = size == 1 ? lead : lead & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) value = value * 64 + byte_of(line.at(at + i)) % 64;
    at += size;
    return value;
  }

  std::vector<char32_t> code_points_;
};

inline const index& jis0208() {
  static const index table("jis0208");
  return table;
}
inline const index& jis0212() {
  static const index table("jis0212");
  return table;
}
inline const index& euc_kr_index() {
  static const index table("euc_kr");
  return table;
}
inline const index& gb18030_index() {
  static const index table("gb18030");
  return table;
}
inline const index& big5_index() {
  static const index table("big5");
  return table;
}

/// The pointer that an encoder uses for each code point.
using pointers = std::map<char32_t, std::size_t>;

/// The first pointer of each code point, without the pointers from `low` to `high`.
inline pointers first_pointers(const index& table, std::size_t low = 1, std::size_t high = 0) {
  pointers first;
  for (std::size_t pointer = 0; pointer < table.size(); ++pointer) {
    if (pointer >= low && pointer <= high) continue;
    if (const std::optional<char32_t> c = table.at(pointer)) first.emplace(*c, pointer);
  }
  return first;
}

inline std::optional<std::size_t> find(const pointers& of, char32_t c) {
  const auto found = of.find(c);
  return found == of.end() ? std::nullopt : std::optional(found->second);
}

/// The pointers and code points at which the ranges of four bytes in GB18030 begin.
inline const std::vector<std::pair<std::size_t, char32_t>>& gb18030_ranges() {
  static const std::vector<std::pair<std::size_t, char32_t>> ranges = [] {
    std::vector<std::pair<std::size_t, char32_t>> result;
    std::ifstream file(paths::source("test/data/cjk/gb18030_ranges.txt"));
    unsigned long pointer, code_point;
    while (file >> std::hex >> pointer >> code_point) result.emplace_back(pointer, static_cast<char32_t>(code_point));
    if (result.empty()) give_up("test/data/cjk/gb18030_ranges.txt cannot be read");
    return result;
  }();
  return ranges;
}

//------------------------------------------------------------------------------------------------------------- decoding

inline bool is_within(unsigned byte, unsigned low, unsigned high) { return byte >= low && byte <= high; }

/// The error of a lead byte and a second byte that are no character together. There is a `pointer` if the second byte has
/// the right form. If it is ASCII, it is read again, and only the lead byte is wrong.
inline item wrong_pair(std::optional<std::size_t> pointer, unsigned second) {
  return ill_formed(pointer ? errc::unassigned : errc::truncated_sequence, second < 0x80 ? 1 : 2);
}

inline item pair_of(const index& table, std::optional<std::size_t> pointer, unsigned second) {
  if (pointer) {
    if (const std::optional<char32_t> c = table.at(*pointer)) return character(*c, 2);
  }
  return wrong_pair(pointer, second);
}

inline item decode_shift_jis(std::string_view in) {
  const unsigned lead = byte_of(in[0]);
  if (lead <= 0x80) return character(lead, 1);
  if (is_within(lead, 0xA1, 0xDF)) return character(0xFF61 - 0xA1 + lead, 1);
  if (!is_within(lead, 0x81, 0x9F) && !is_within(lead, 0xE0, 0xFC)) return ill_formed(errc::unused_byte, 1);
  if (in.size() < 2) return ill_formed(errc::incomplete_at_end, 1);

  const unsigned trail = byte_of(in[1]);
  std::optional<std::size_t> pointer;
  if (is_within(trail, 0x40, 0x7E) || is_within(trail, 0x80, 0xFC))
    pointer = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
  if (pointer && *pointer >= 8836 && *pointer <= 10715)
    return character(static_cast<char32_t>(0xE000 - 8836 + *pointer), 2);
  return pair_of(jis0208(), pointer, trail);
}

inline item decode_euc_jp(std::string_view in) {
  const unsigned lead = byte_of(in[0]);
  if (lead < 0x80) return character(lead, 1);
  if (lead != 0x8E && lead != 0x8F && !is_within(lead, 0xA1, 0xFE)) return ill_formed(errc::unused_byte, 1);
  if (in.size() < 2) return ill_formed(errc::incomplete_at_end, 1);

  const unsigned second = byte_of(in[1]);
  const bool is_right = is_within(second, 0xA1, 0xFE);
  if (lead == 0x8E && is_within(second, 0xA1, 0xDF)) return character(0xFF61 - 0xA1 + second, 2);
  if (lead == 0x8E || !is_right) return wrong_pair(std::nullopt, second);
  if (lead != 0x8F) return pair_of(jis0208(), (lead - 0xA1) * 94 + second - 0xA1, second);
  if (in.size() < 3) return ill_formed(errc::incomplete_at_end, 2);

  const unsigned third = byte_of(in[2]);
  if (!is_within(third, 0xA1, 0xFE)) return ill_formed(errc::truncated_sequence, third < 0x80 ? 2 : 3);
  const std::optional<char32_t> c = jis0212().at((second - 0xA1) * 94 + third - 0xA1);
  return c ? character(*c, 3) : ill_formed(errc::unassigned, 3);
}

inline item decode_euc_kr(std::string_view in) {
  const unsigned lead = byte_of(in[0]);
  if (lead < 0x80) return character(lead, 1);
  if (!is_within(lead, 0x81, 0xFE)) return ill_formed(errc::unused_byte, 1);
  if (in.size() < 2) return ill_formed(errc::incomplete_at_end, 1);
  const unsigned trail = byte_of(in[1]);
  std::optional<std::size_t> pointer;
  if (is_within(trail, 0x41, 0xFE)) pointer = (lead - 0x81) * 190 + trail - 0x41;
  return pair_of(euc_kr_index(), pointer, trail);
}

/// The standard's "index gb18030 ranges code point".
inline std::optional<char32_t> gb18030_range_code_point(std::size_t pointer) {
  if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return std::nullopt;
  if (pointer == 7457) return 0xE7C7;
  std::pair<std::size_t, char32_t> last;
  for (const auto& range : gb18030_ranges())
    if (range.first <= pointer) last = range;
  return static_cast<char32_t>(last.second + pointer - last.first);
}

/// GB18030 and GBK.
inline item decode_gb18030(std::string_view in) {
  const unsigned first = byte_of(in[0]);
  if (first < 0x80) return character(first, 1);
  if (first == 0x80) return character(0x20AC, 1);
  if (first == 0xFF) return ill_formed(errc::unused_byte, 1);
  if (in.size() < 2) return ill_formed(errc::incomplete_at_end, 1);

  const unsigned second = byte_of(in[1]);
  if (!is_within(second, 0x30, 0x39)) {
    std::optional<std::size_t> pointer;
    if (is_within(second, 0x40, 0x7E) || is_within(second, 0x80, 0xFE))
      pointer = (first - 0x81) * 190 + second - (second < 0x7F ? 0x40 : 0x41);
    return pair_of(gb18030_index(), pointer, second);
  }
  if (in.size() < 3) return ill_formed(errc::incomplete_at_end, 2);
  const unsigned third = byte_of(in[2]);
  if (!is_within(third, 0x81, 0xFE)) return ill_formed(errc::truncated_sequence, 1);
  if (in.size() < 4) return ill_formed(errc::incomplete_at_end, 3);
  const unsigned fourth = byte_of(in[3]);
  if (!is_within(fourth, 0x30, 0x39)) return ill_formed(errc::truncated_sequence, 1);
  const std::optional<char32_t> c = gb18030_range_code_point(
      (first - 0x81) * (10 * 126 * 10) + (second - 0x30) * (10 * 126) + (third - 0x81) * 10 + fourth - 0x30);
  return c ? character(*c, 4) : ill_formed(errc::unassigned, 4);
}

inline item decode_big5(std::string_view in) {
  const unsigned lead = byte_of(in[0]);
  if (lead < 0x80) return character(lead, 1);
  if (!is_within(lead, 0x81, 0xFE)) return ill_formed(errc::unused_byte, 1);
  if (in.size() < 2) return ill_formed(errc::incomplete_at_end, 1);
  const unsigned trail = byte_of(in[1]);
  std::optional<std::size_t> pointer;
  if (is_within(trail, 0x40, 0x7E) || is_within(trail, 0xA1, 0xFE))
    pointer = (lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
  if (pointer == 1133) return two_characters(0xCA, 0x304, 2);
  if (pointer == 1135) return two_characters(0xCA, 0x30C, 2);
  if (pointer == 1164) return two_characters(0xEA, 0x304, 2);
  if (pointer == 1166) return two_characters(0xEA, 0x30C, 2);
  return pair_of(big5_index(), pointer, trail);
}

/// A character set of ISO-2022-JP, and the escape sequences that begin it. An encoder writes the first.
enum class character_set : unsigned char { ascii, roman, katakana, jis0208 };

constexpr std::pair<std::string_view, character_set> escape_sequences[] = {{"\x1B(B", character_set::ascii},
                                                                           {"\x1B(J", character_set::roman},
                                                                           {"\x1B(I", character_set::katakana},
                                                                           {"\x1B$B", character_set::jis0208},
                                                                           {"\x1B$@", character_set::jis0208}};

/// What the characters before a place mean for those after it. In all encodings but ISO-2022-JP they mean nothing.
struct text_state {
  character_set set = character_set::ascii;
  bool after_escape = false;  // the last three bytes are an escape sequence
};

inline item decode_iso_2022_jp(std::string_view in, text_state& state) {
  const unsigned byte = byte_of(in[0]);
  if (byte == 0x1B) {
    for (const auto& [sequence, set] : escape_sequences) {
      if (in.substr(0, 3) != sequence) continue;
      const bool is_second = state.after_escape;
      state = {set, true};
      return is_second ? ill_formed(errc::truncated_sequence, 3) : escape_sequence(3);
    }
    // The bytes after the escape are read again, also at the end of the text.
    const bool may_go_on = in == "\x1B" || in == "\x1B(" || in == "\x1B$";
    state.after_escape = false;
    return ill_formed(may_go_on ? errc::incomplete_at_end : errc::truncated_sequence, 1);
  }

  const bool is_lead = state.set == character_set::jis0208 && is_within(byte, 0x21, 0x7E);
  if (is_lead && in.size() < 2) return ill_formed(errc::incomplete_at_end, 1);
  state.after_escape = false;
  switch (state.set) {
    case character_set::ascii:
    case character_set::roman:
      if (byte >= 0x80 || byte == 0x0E || byte == 0x0F) break;
      if (state.set == character_set::roman && byte == 0x5C) return character(0xA5, 1);
      if (state.set == character_set::roman && byte == 0x7E) return character(0x203E, 1);
      return character(byte, 1);
    case character_set::katakana:
      if (!is_within(byte, 0x21, 0x5F)) break;
      return character(0xFF61 - 0x21 + byte, 1);
    case character_set::jis0208:
      if (!is_lead) break;
      const unsigned trail = byte_of(in[1]);
      if (trail == 0x1B) return ill_formed(errc::truncated_sequence, 1);
      if (!is_within(trail, 0x21, 0x7E)) return ill_formed(errc::truncated_sequence, 2);
      const std::optional<char32_t> c = jis0208().at((byte - 0x21) * 94 + trail - 0x21);
      return c ? character(*c, 2) : ill_formed(errc::unassigned, 2);
  }
  return ill_formed(errc::unused_byte, 1);
}

//------------------------------------------------------------------------------------------------------------- encoding

inline std::string bytes(std::initializer_list<std::size_t> values) {
  std::string out;
  for (const std::size_t value : values) out += static_cast<char>(static_cast<unsigned char>(value));
  return out;
}

/// The pointer in JIS X 0208 that the encoders of EUC-JP and ISO-2022-JP use.
inline std::optional<std::size_t> jis0208_pointer(char32_t c) {
  static const pointers first = first_pointers(jis0208());
  return find(first, c == 0x2212 ? 0xFF0D : c);
}

/// The functions below return an empty string for a character that the encoding lacks.
inline std::string encode_shift_jis(char32_t c) {
  static const pointers first = first_pointers(jis0208(), 8272, 8835);
  if (c <= 0x80) return bytes({c});
  if (c == 0xA5) return bytes({0x5C});
  if (c == 0x203E) return bytes({0x7E});
  if (c >= 0xFF61 && c <= 0xFF9F) return bytes({c - 0xFF61 + 0xA1});
  const std::optional<std::size_t> pointer = find(first, c == 0x2212 ? 0xFF0D : c);
  if (!pointer) return {};
  const std::size_t lead = *pointer / 188, trail = *pointer % 188;
  return bytes({lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41)});
}

inline std::string encode_euc_jp(char32_t c) {
  if (c < 0x80) return bytes({c});
  if (c == 0xA5) return bytes({0x5C});
  if (c == 0x203E) return bytes({0x7E});
  if (c >= 0xFF61 && c <= 0xFF9F) return bytes({0x8E, c - 0xFF61 + 0xA1});
  const std::optional<std::size_t> pointer = jis0208_pointer(c);
  return pointer ? bytes({*pointer / 94 + 0xA1, *pointer % 94 + 0xA1}) : std::string();
}

inline std::string encode_euc_kr(char32_t c) {
  static const pointers first = first_pointers(euc_kr_index());
  if (c < 0x80) return bytes({c});
  const std::optional<std::size_t> pointer = find(first, c);
  return pointer ? bytes({*pointer / 190 + 0x81, *pointer % 190 + 0x41}) : std::string();
}

/// The two bytes that GB18030 gave to private-use characters before 2022. Its encoder still writes them.
constexpr std::pair<char32_t, std::size_t> gb18030_private_use[] = {
    {0xE78D, 0xA6D9}, {0xE78E, 0xA6DA}, {0xE78F, 0xA6DB}, {0xE790, 0xA6DC}, {0xE791, 0xA6DD}, {0xE792, 0xA6DE},
    {0xE793, 0xA6DF}, {0xE794, 0xA6EC}, {0xE795, 0xA6ED}, {0xE796, 0xA6F3}, {0xE81E, 0xFE59}, {0xE826, 0xFE61},
    {0xE82B, 0xFE66}, {0xE82C, 0xFE67}, {0xE832, 0xFE6D}, {0xE843, 0xFE7E}, {0xE854, 0xFE90}, {0xE864, 0xFEA0}};

inline std::string encode_gb18030(char32_t c, bool is_gbk) {
  static const pointers first = first_pointers(gb18030_index());
  if (c < 0x80) return bytes({c});
  if (c == 0xE5E5) return {};
  if (is_gbk && c == 0x20AC) return bytes({0x80});
  for (const auto& [private_use, pair] : gb18030_private_use)
    if (c == private_use) return bytes({pair / 256, pair % 256});
  if (const std::optional<std::size_t> pointer = find(first, c)) {
    const std::size_t lead = *pointer / 190, trail = *pointer % 190;
    return bytes({lead + 0x81, trail + (trail < 0x3F ? 0x40 : 0x41)});
  }
  if (is_gbk) return {};
  std::pair<std::size_t, char32_t> last;
  for (const auto& range : gb18030_ranges())
    if (range.second <= c) last = range;
  const std::size_t pointer = c == 0xE7C7 ? 7457 : last.first + c - last.second;
  return bytes({pointer / (10 * 126 * 10) + 0x81, pointer / (10 * 126) % 10 + 0x30, pointer / 10 % 126 + 0x81,
                pointer % 10 + 0x30});
}

/// The first pointer of each code point from 5024 on, where Big5 itself begins; the last one of six code points.
inline pointers big5_pointers() {
  constexpr std::size_t without_hong_kong = (0xA1 - 0x81) * 157;
  pointers of = first_pointers(big5_index(), 0, without_hong_kong - 1);
  for (std::size_t pointer = without_hong_kong; pointer < big5_index().size(); ++pointer)
    for (const char32_t c : {U'\u2550', U'\u255E', U'\u2561', U'\u256A', U'\u5341', U'\u5345'})
      if (big5_index().at(pointer) == c) of[c] = pointer;
  return of;
}

inline std::string encode_big5(char32_t c) {
  static const pointers of = big5_pointers();
  if (c < 0x80) return bytes({c});
  const std::optional<std::size_t> pointer = find(of, c);
  if (!pointer) return {};
  const std::size_t trail = *pointer % 157;
  return bytes({*pointer / 157 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x62)});
}

/// The index ISO-2022-JP katakana: the fullwidth forms of U+FF61 to U+FF9F.
constexpr std::u32string_view fullwidth_katakana =
    U"\u3002\u300C\u300D\u3001\u30FB\u30F2\u30A1\u30A3\u30A5\u30A7\u30A9\u30E3\u30E5\u30E7\u30C3\u30FC"
    U"\u30A2\u30A4\u30A6\u30A8\u30AA\u30AB\u30AD\u30AF\u30B1\u30B3\u30B5\u30B7\u30B9\u30BB\u30BD\u30BF"
    U"\u30C1\u30C4\u30C6\u30C8\u30CA\u30CB\u30CC\u30CD\u30CE\u30CF\u30D2\u30D5\u30D8\u30DB\u30DE\u30DF"
    U"\u30E0\u30E1\u30E2\u30E4\u30E6\u30E8\u30E9\u30EA\u30EB\u30EC\u30ED\u30EF\u30F3\u309B\u309C";

/// The bytes that lead from one character set to another; empty if they are the same.
inline std::string escape_to(character_set next, text_state& state) {
  if (state.set == next) return {};
  state.set = next;
  for (const auto& [sequence, set] : escape_sequences)
    if (set == next) return std::string(sequence);
  give_up("there is no such character set");
}

/// Returns an empty string, and leaves the state alone, if the encoding lacks the character.
inline std::string encode_iso_2022_jp(char32_t c, text_state& state) {
  if (c == 0x0E || c == 0x0F || c == 0x1B) return {};
  const bool is_roman = state.set == character_set::roman && c != 0x5C && c != 0x7E;
  if (c < 0x80) return escape_to(is_roman ? character_set::roman : character_set::ascii, state) + bytes({c});
  if (c == 0xA5) return escape_to(character_set::roman, state) + bytes({0x5C});
  if (c == 0x203E) return escape_to(character_set::roman, state) + bytes({0x7E});
  if (c >= 0xFF61 && c <= 0xFF9F) c = fullwidth_katakana[c - 0xFF61];
  const std::optional<std::size_t> pointer = jis0208_pointer(c);
  if (!pointer) return {};
  return escape_to(character_set::jis0208, state) + bytes({*pointer / 94 + 0x21, *pointer % 94 + 0x21});
}

}  // namespace conformance::reference

#endif
