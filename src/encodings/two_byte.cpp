// two_byte.cpp: the table of the two-byte charsets, with their bytes and the places of their most frequent characters; and
// the form of other charsets.
#include "encodings/two_byte.hpp"

#include "encodings/charset_names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace utfilter::detail {
namespace {

using byte = unsigned char;

bool in(byte b, byte first, byte last) noexcept { return b >= first && b <= last; }
bool in_94(byte b) noexcept { return in(b, 0xA1, 0xFE); }
bool is_lead(byte b) noexcept { return in(b, 0x81, 0xFE); }
bool is_trail(byte b) noexcept { return b >= 0x30 && b != 0x7F && b != 0xFF; }
bool is_trail_in_korean(byte b) noexcept { return in(b, 0x41, 0x5A) || in(b, 0x61, 0x7A) || in(b, 0x81, 0xFE); }

struct two_byte_charset {
  std::string_view name;
  bool (*is_lead)(byte) noexcept;
  bool (*is_trail)(byte) noexcept;
};
constexpr two_byte_charset charsets[] = {
    {"Shift_JIS", is_lead, is_trail}, {"EUC-JP", is_lead, in_94},
    {"EUC-KR", in_94, in_94},         {"windows-949", is_lead, is_trail_in_korean},
    {"GBK", is_lead, is_trail},       {"GB18030", is_lead, is_trail},
    {"Big5", is_lead, is_trail},      {"Big5-HKSCS", is_lead, is_trail},
};

const two_byte_charset* charset_of(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(std::begin(charsets), std::end(charsets), [&](const two_byte_charset& c) { return c.name == name; });
  return found != std::end(charsets) ? found : nullptr;
}

/// A charset whose text has only ASCII bytes. A declaration of it must not turn ASCII into other characters, as one of
/// UTF-7 turns +ADw- into <. So only escape sequences, which no ASCII text has, show such a charset.
struct escaped_charset {
  std::string_view name;
  std::string_view escape;  // stands in each text that is not ASCII; empty if the charset has no escape sequences
  bool begins_with_it;      // the escape sequence is in the first line; otherwise it may come after the sample
};
constexpr escaped_charset escaped[] = {
    {"ISO-2022-JP", "\x1B$", false},  {"ISO-2022-JP-1", "\x1B$", false}, {"ISO-2022-JP-2", "\x1B$", false},
    {"ISO-2022-KR", "\x1B$)C", true}, {"ISO-2022-CN", "\x1B$)", true},   {"ISO-2022-CN-EXT", "\x1B$)", true},
    {"HZ-GB-2312", "", true},
};

/// The sign of a charset: how many of its most frequent characters a sample must have.
struct sign {
  std::string_view charset;
  bool (*is_frequent)(byte lead, byte trail) noexcept;
  std::size_t pairs;   // the least number of pairs
  std::size_t share;   // the least share of frequent ones among them, in per cent
  std::size_t narrow;  // the least share of trail bytes below 80, in per cent: tells Big5 from Chinese in GB 2312
};
bool is_kana_of_shift_jis(byte lead, byte trail) noexcept {
  return (lead == 0x82 && in(trail, 0x9F, 0xF1)) || (lead == 0x83 && in(trail, 0x40, 0x96));
}
bool is_kana_of_euc_jp(byte lead, byte) noexcept { return lead == 0xA4 || lead == 0xA5; }
bool is_hangul(byte lead, byte) noexcept { return in(lead, 0xB0, 0xC8); }
bool is_frequent_in_big5(byte lead, byte) noexcept { return in(lead, 0xA4, 0xC6); }
bool is_frequent_in_gb2312(byte lead, byte trail) noexcept { return in(lead, 0xB0, 0xD7) && trail >= 0xA1; }
// The first sign that holds decides. A text in Japanese has kana; a text in Chinese is not in the rows of Hangul alone.
constexpr sign signs[] = {
    {"Shift_JIS", is_kana_of_shift_jis, 2, 25, 0},
    {"EUC-JP", is_kana_of_euc_jp, 2, 25, 0},
    {"EUC-KR", is_hangul, 6, 80, 0},
    {"Big5", is_frequent_in_big5, 6, 75, 20},
    {"GB18030", is_frequent_in_gb2312, 6, 60, 0},
    {"Big5", is_frequent_in_big5, 6, 75, 0},
};

struct pair_counts {
  std::size_t pairs = 0, frequent = 0, narrow = 0;
  std::size_t wrong = 0;  // bytes
};

pair_counts count_pairs(const two_byte_charset& charset, std::string_view sample,
                        bool (*is_frequent)(byte, byte) noexcept) noexcept {
  pair_counts found;
  const bool is_shift_jis = charset.name == "Shift_JIS";
  while (!sample.empty()) {
    const byte lead = static_cast<byte>(sample.front());
    sample.remove_prefix(1);
    if (lead < 0x80 || (is_shift_jis && in(lead, 0xA1, 0xDF))) continue;  // a character of one byte
    if (sample.empty()) break;
    const byte trail = static_cast<byte>(sample.front());
    if (!charset.is_lead(lead) || !charset.is_trail(trail)) {
      ++found.wrong;
      continue;
    }
    ++found.pairs;
    found.frequent += is_frequent != nullptr && is_frequent(lead, trail);
    found.narrow += trail < 0x80;
    sample.remove_prefix(1);
  }
  return found;
}

}  // namespace

std::string_view two_byte_charset_named(std::string_view name) noexcept {
  const charset_names* const found = find_charset_names(name);
  return found != nullptr && charset_of(found->preferred) != nullptr ? found->preferred : std::string_view();
}

std::string_view declared_charset_named(std::string_view name) noexcept {
  const charset_names* const found = find_charset_names(name);
  return found != nullptr && found->preferred != "UTF-7" ? found->preferred : std::string_view();
}

bool has_form_of(std::string_view name, std::string_view sample, bool is_whole) noexcept {
  // EUC-KR in a declaration means windows-949 (WHATWG).
  if (const two_byte_charset* const charset = charset_of(name == "EUC-KR" ? "windows-949" : name)) {
    const pair_counts found = count_pairs(*charset, sample, nullptr);
    return found.wrong == 0 && (found.pairs != 0 || !is_whole);
  }
  if (name.empty()) return false;
  const bool has_bytes = std::any_of(sample.begin(), sample.end(), [](char c) { return static_cast<byte>(c) >= 0x80; });
  const auto* const found =
      std::find_if(std::begin(escaped), std::end(escaped), [&](const escaped_charset& c) { return c.name == name; });
  if (found == std::end(escaped)) return has_bytes || !is_whole;  // a charset of single bytes
  if (has_bytes || found->escape.empty()) return false;
  return sample.find(found->escape) != std::string_view::npos || (!is_whole && !found->begins_with_it);
}

bool has_damaged_form_of(std::string_view name, std::string_view sample) noexcept {
  const two_byte_charset* const charset = charset_of(name);
  if (charset == nullptr) return false;
  const pair_counts found = count_pairs(*charset, sample, nullptr);
  return found.pairs != 0 && 8 * found.wrong <= found.pairs;
}

std::string_view likely_two_byte_charset(std::string_view sample) noexcept {
  for (const sign& s : signs) {
    const pair_counts found = count_pairs(*charset_of(s.charset), sample, s.is_frequent);
    if (found.wrong == 0 && found.pairs >= s.pairs && 100 * found.frequent >= s.share * found.pairs &&
        100 * found.narrow >= s.narrow * found.pairs)
      return s.charset;
  }
  return {};
}

}  // namespace utfilter::detail
