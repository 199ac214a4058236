// two_byte.cpp: the table of the two-byte charsets, with their bytes and the places of their most frequent characters; and
// the names of other charsets.
#include "encodings/two_byte.hpp"

#include "encodings/names.hpp"

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
  std::string_view name, aliases;
  bool (*is_lead)(byte) noexcept;
  bool (*is_trail)(byte) noexcept;
};
constexpr two_byte_charset charsets[] = {
    {"Shift_JIS", "shift-jis sjis x-sjis ms-kanji csshiftjis windows-31j ms932 cp932 japanese-shift-jis", is_lead,
     is_trail},
    {"EUC-JP", "euc-jp eucjp x-euc-jp cseucpkdfmtjapanese ujis japanese-iso-8bit euc-japan", is_lead, in_94},
    {"EUC-KR", "euc-kr euckr ks-c-5601-1987 ksc5601 korean iso-ir-149 cseuckr", in_94, in_94},
    {"windows-949", "windows-949 cp949 uhc ms949", is_lead, is_trail_in_korean},
    {"GBK", "gbk x-gbk cp936 windows-936 gb2312 gb-2312-80 chinese euc-cn csgb2312 chinese-gbk euc-china", is_lead,
     is_trail},
    {"GB18030", "gb18030 chinese-gb18030", is_lead, is_trail},
    {"Big5", "big5 cn-big5 x-x-big5 csbig5 cp950 chinese-big5", is_lead, is_trail},
    {"Big5-HKSCS", "big5-hkscs", is_lead, is_trail},
};

const two_byte_charset* charset_of(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(std::begin(charsets), std::end(charsets), [&](const two_byte_charset& c) { return c.name == name; });
  return found != std::end(charsets) ? found : nullptr;
}

/// Charsets of ASCII bytes, and of single bytes, whose tables are not here.
struct named_charset {
  std::string_view name, aliases;
  char shift = 0;  // in charsets of ASCII bytes: begins the characters that are not ASCII
};
constexpr named_charset others[] = {
    {"ISO-2022-JP", "iso-2022-jp csiso2022jp jis", '\x1B'},
    {"ISO-2022-JP-2", "iso-2022-jp-2 csiso2022jp2", '\x1B'},
    {"ISO-2022-KR", "iso-2022-kr csiso2022kr", '\x1B'},
    {"ISO-2022-CN", "iso-2022-cn csiso2022cn", '\x1B'},
    {"HZ-GB-2312", "hz-gb-2312 hz", '~'},
    {"UTF-7", "utf-7 unicode-1-1-utf-7 csutf7", '+'},
    {"ibm-720", "ibm720 cp720 dos-720"},
    {"IBM737", "ibm737 cp737"},
    {"IBM775", "ibm775 cp775"},
    {"IBM852", "ibm852 cp852 cspcp852"},
    {"IBM855", "ibm855 cp855 csibm855"},
    {"IBM857", "ibm857 cp857 csibm857"},
    {"IBM00858", "ibm00858 ibm858 cp858 cp00858"},
    {"IBM860", "ibm860 cp860 csibm860"},
    {"IBM861", "ibm861 cp861 csibm861"},
    {"IBM862", "ibm862 cp862 dos-862"},
    {"IBM863", "ibm863 cp863 csibm863"},
    {"IBM864", "ibm864 cp864 csibm864"},
    {"IBM865", "ibm865 cp865 csibm865"},
    {"IBM869", "ibm869 cp869 csibm869"},
    {"x-mac-greek", "x-mac-greek macgreek mac-greek"},
    {"x-mac-turkish", "x-mac-turkish macturkish mac-turkish"},
    {"x-mac-centraleurroman", "x-mac-centraleurroman x-mac-ce macce maccentraleurope mac-centraleurope applemacce"},
    {"hp-roman8", "hp-roman8 roman8 cshproman8"},
    // ICU lacks these. A reader of the text gets at least the name.
    {"JOHAB", "johab cp1361"},
    {"KOI8-T", "koi8-t"},
    {"PTCP154", "ptcp154 pt154 cp154 cyrillic-asian"},
    {"RK1048", "rk1048 strk1048-2002 kz-1048"},
    {"TCVN", "tcvn tcvn-5712 tcvn5712-1"},
    {"VISCII", "viscii csviscii"},
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
  for (const two_byte_charset& charset : charsets)
    if (is_among(name, charset.aliases)) return charset.name;
  return {};
}

std::string_view declared_charset_named(std::string_view name) noexcept {
  const std::string_view found = two_byte_charset_named(name);
  if (!found.empty()) return found;
  for (const named_charset& charset : others)
    if (is_among(name, charset.aliases)) return charset.name;
  return {};
}

bool has_form_of(std::string_view name, std::string_view sample, bool is_whole) noexcept {
  // EUC-KR in a declaration means windows-949 (WHATWG).
  if (const two_byte_charset* const charset = charset_of(name == "EUC-KR" ? "windows-949" : name)) {
    const pair_counts found = count_pairs(*charset, sample, nullptr);
    return found.wrong == 0 && (found.pairs != 0 || !is_whole);
  }
  const auto* const other =
      std::find_if(std::begin(others), std::end(others), [&](const named_charset& c) { return c.name == name; });
  if (other == std::end(others)) return false;
  const bool has_bytes = std::any_of(sample.begin(), sample.end(), [](char c) { return static_cast<byte>(c) >= 0x80; });
  if (other->shift == 0) return has_bytes || !is_whole;
  return !has_bytes && (!is_whole || sample.find(other->shift) != std::string_view::npos);
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
