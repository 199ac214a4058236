// charset_names.hpp: the names of the charsets that are no encodings of this library. Declarations and the charsets of ICU
// look names up here, so a name that a text declares means what it means in a program.
#ifndef UTFILTER_ENCODINGS_CHARSET_NAMES_HPP
#define UTFILTER_ENCODINGS_CHARSET_NAMES_HPP

#include "encodings/names.hpp"

#include <string_view>

namespace utfilter::detail {

/// The names of a charset. Of two similar charsets, a name means the larger one, as in the WHATWG Encoding Standard:
/// texts with that name have its characters, so gb2312 is GBK.
struct charset_names {
  std::string_view preferred;
  std::string_view icu_name;  // one that all versions of ICU know; that of the converter may be another: gb18030-2022
  std::string_view others;    // separated by spaces
};

// The sources of the names: WHATWG's labels; IANA's registry (csgbk); ICU's aliases (windows-932, x-windows-50220);
// Windows' code pages (cp51932, cp50225, x-cp20936); Java (ms950, x-ibm737); Emacs (japanese-iso-8bit, euc-china,
// junet); PHP and glibc (eucjp-win, sjis-win, eucjp-ms, johab); TeX (applemacce).
inline constexpr charset_names all_charset_names[] = {
    {"Shift_JIS", "ibm-943_P15A-2003",
     "sjis x-sjis MS_Kanji csShiftJIS windows-31j csWindows31J ms932 cp932 windows-932 x-ms-cp932 cp943c sjis-win pck "
     "japanese-shift-jis"},
    {"EUC-JP", "euc-jp-2007",
     "X-EUC-JP csEUCPkdFmtJapanese Extended_UNIX_Code_Packed_Format_for_Japanese eucjis ujis cp51932 cp20932 eucJP-ms "
     "eucJP-win japanese-iso-8bit euc-japan"},
    {"ISO-2022-JP", "ISO_2022,locale=ja,version=0",
     "csISO2022JP x-iso-2022-jp cp50220 cp50221 cp50222 x-windows-iso2022jp x-windows-50220 ISO-2022-JP-MS junet"},
    {"ISO-2022-JP-1", "ISO_2022,locale=ja,version=1", "JIS JIS_Encoding csJISEncoding x-windows-50221"},
    {"ISO-2022-JP-2", "ISO_2022,locale=ja,version=2", "csISO2022JP2"},
    {"EUC-KR", "ibm-1363_P11B-1998",
     "csEUCKR KS_C_5601-1987 KS_C_5601-1989 csKSC56011987 KSC_5601 korean iso-ir-149 cp51949 windows-51949 cp20949 "
     "x-cp20949 korean-iso-8bit euc-korea"},
    {"windows-949", "ibm-1363_P11B-1998", "cp949 UHC ms949"},
    {"ISO-2022-KR", "ISO_2022,locale=ko,version=0", "csISO2022KR cp50225"},
    {"GBK", "windows-936-2000",
     "csGBK x-gbk cp936 MS936 windows-936 GB2312 csGB2312 GB_2312-80 csISO58GB231280 iso-ir-58 chinese EUC-CN CN-GB "
     "cp51936 cp20936 x-cp20936 chinese-gbk chinese-iso-8bit euc-china"},
    {"GB18030", "gb18030", "csGB18030 cp54936 windows-54936 chinese-gb18030"},
    {"HZ-GB-2312", "HZ", "HZ cp52936"},
    {"ISO-2022-CN", "ISO_2022,locale=zh,version=0", "csISO2022CN x-ISO-2022-CN-GB cp50227 x-cp50227"},
    {"ISO-2022-CN-EXT", "ISO_2022,locale=zh,version=1", "csISO2022CNEXT"},
    {"Big5", "windows-950-2000", "csBig5 CN-Big5 x-x-big5 x-big5 cp950 windows-950 x-windows-950 ms950 chinese-big5"},
    {"Big5-HKSCS", "ibm-1375_P100-2008", "csBig5HKSCS big5hk HKSCS-BIG5"},
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
    // ICU lacks these. A reader of the text gets at least the name.
    {"JOHAB", "", "cp1361"},
    {"KOI8-T", "", ""},
    {"PTCP154", "", "csPTCP154 pt154 cp154 Cyrillic-Asian"},
    {"RK1048", "", "STRK1048-2002 KZ-1048 csKZ1048"},
    {"TCVN", "", "tcvn-5712 tcvn5712-1"},
    {"VISCII", "", "csVISCII"},
};

/// The entry with this name; null if there is none. Case, hyphens, underscores and colons do not matter, as in ICU.
inline const charset_names* find_charset_names(std::string_view name) noexcept {
  for (const charset_names& of : all_charset_names) {
    if (alike_names(name, of.preferred)) return &of;
    for (std::string_view others = of.others; !others.empty();)
      if (alike_names(name, take_name(others))) return &of;
  }
  return nullptr;
}

}  // namespace utfilter::detail

#endif
