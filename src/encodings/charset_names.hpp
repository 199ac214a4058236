// charset_names.hpp: the names of charsets that are no encodings of this library, and of the encodings that it may have
// been built without. Declarations and the charsets of ICU look names up here, so a name that a text declares means
// what it means in a program.
#ifndef UTFILTER_ENCODINGS_CHARSET_NAMES_HPP
#define UTFILTER_ENCODINGS_CHARSET_NAMES_HPP

#include "encodings/cjk/names.hpp"
#include "encodings/names.hpp"

#include <cstddef>
#include <string_view>

namespace utfilter::detail {

/// The names of a charset. Of two similar charsets, a name means the larger one, as in the WHATWG Encoding Standard:
/// texts with that name have its characters, so gb2312 is GBK.
struct charset_names {
  std::string_view preferred;
  std::string_view icu_name;  // one that all versions of ICU know; that of the converter may be another: gb18030-2022
  std::string_view others;    // separated by spaces
};

// The sources of the names: WHATWG's labels; IANA's registry (csISO2022JP2); ICU's aliases (x-windows-50221); Windows'
// code pages (cp50225); Java (x-ibm737); glibc (johab); TeX (applemacce).
inline constexpr charset_names all_charset_names[] = {
    {"ISO-2022-JP-1", "ISO_2022,locale=ja,version=1", "JIS JIS_Encoding csJISEncoding x-windows-50221"},
    {"ISO-2022-JP-2", "ISO_2022,locale=ja,version=2", "csISO2022JP2"},
    {"ISO-2022-KR", "ISO_2022,locale=ko,version=0", "csISO2022KR cp50225"},
    {"HZ-GB-2312", "HZ", "HZ cp52936"},
    {"ISO-2022-CN", "ISO_2022,locale=zh,version=0", "csISO2022CN x-ISO-2022-CN-GB cp50227 x-cp50227"},
    {"ISO-2022-CN-EXT", "ISO_2022,locale=zh,version=1", "csISO2022CNEXT"},
    {"EUC-TW", "EUC-TW", "csEUCTW euc-taiwan"},
    {"UTF-7", "UTF-7", "csUTF7 unicode-1-1-utf-7 unicode-2-0-utf-7 cp65000 windows-65000"},
    {"ibm-720", "ibm-720", "cp720 DOS-720 windows-720 x-IBM720"},
    {"IBM737", "IBM737", "cp737 windows-737 x-IBM737"},
    {"IBM775", "IBM775", "cp775 csPC775Baltic windows-775"},
    {"IBM851", "IBM851", "cp851 csIBM851"},
    {"IBM852", "IBM852", "cp852 csPCp852 windows-852"},
    {"IBM855", "IBM855", "cp855 csIBM855 csPCp855 windows-855"},
    {"ibm-856", "ibm-856", "cp856 x-IBM856"},
    {"IBM857", "IBM857", "cp857 csIBM857 windows-857"},
    {"IBM00858", "IBM00858", "IBM858 cp858 CP00858 CCSID00858 PC-Multilingual-850+euro windows-858"},
    {"IBM860", "IBM860", "cp860 csIBM860"},
    {"IBM861", "IBM861", "cp861 cp-is csIBM861 windows-861"},
    {"IBM862", "IBM862", "cp862 csPC862LatinHebrew csIBM862 DOS-862 windows-862"},
    {"IBM863", "IBM863", "cp863 csIBM863"},
    {"IBM864", "IBM864", "cp864 csIBM864"},
    {"IBM865", "IBM865", "cp865 csIBM865"},
    {"IBM868", "IBM868", "cp868 cp-ar csIBM868"},
    {"IBM869", "IBM869", "cp869 cp-gr csIBM869 windows-869"},
    {"ibm-1125", "ibm-1125", "cp1125"},
    {"ibm-1131", "ibm-1131", "cp1131"},
    {"x-mac-greek", "x-mac-greek", "mac-greek macgr cp10006 windows-10006"},
    {"x-mac-turkish", "x-mac-turkish", "mac-turkish mactr cp10081 windows-10081"},
    {"x-mac-centraleurroman", "x-mac-centraleurroman",
     "x-mac-ce macce mac-centraleurope x-mac-centraleurope applemacce cp10029 windows-10029"},
    {"hp-roman8", "hp-roman8", "roman8 r8 csHPRoman8 x-roman8"},
    // ICU lacks this one. A reader of the text gets at least the name.
    {"JOHAB", "", "cp1361"},
};

/// The entry of an encoding that has these names in its row.
constexpr charset_names charset_with(std::string_view names, std::string_view icu_name) noexcept {
  const std::size_t end = names.find(' ');
  return {names.substr(0, end), icu_name, names.substr(end + 1)};
}

/// The seven encodings of cjk/names.hpp. Of ICU's similar converters each has the larger one: EUC-KR that of windows-949,
/// Big5 that with the characters of Hong Kong. doc/charsets.md says how they differ from the encodings.
inline constexpr charset_names cjk_charset_names[] = {
    charset_with(shift_jis_names, "ibm-943_P15A-2003"),
    charset_with(euc_jp_names, "euc-jp-2007"),
    charset_with(iso_2022_jp_names, "ISO_2022,locale=ja,version=0"),
    charset_with(euc_kr_names, "ibm-1363_P11B-1998"),
    charset_with(gbk_names, "windows-936-2000"),
    charset_with(gb18030_names, "gb18030"),
    charset_with(big5_names, "ibm-1375_P100-2008"),
};

/// The entry that has a name for which `is_same` returns true; null if there is none.
template <std::size_t N, class Compare>
const charset_names* find_charset_names(const charset_names (&table)[N], const Compare& is_same) noexcept {
  for (const charset_names& of : table) {
    if (is_same(of.preferred)) return &of;
    for (std::string_view others = of.others; !others.empty();)
      if (is_same(take_name(others))) return &of;
  }
  return nullptr;
}

/// The entry of a charset that is no encoding of this library in any build; null if there is none. Case, hyphens,
/// underscores and colons do not matter, as in ICU.
inline const charset_names* find_charset_names(std::string_view name) noexcept {
  return find_charset_names(all_charset_names, [name](std::string_view n) { return alike_names(name, n); });
}

/// The entry of one of the seven encodings; null if there is none. Hyphens count, as in the names of all encodings.
inline const charset_names* find_cjk_charset_names(std::string_view name) noexcept {
  return find_charset_names(cjk_charset_names, [name](std::string_view n) { return equal_names(name, n); });
}

}  // namespace utfilter::detail

#endif
