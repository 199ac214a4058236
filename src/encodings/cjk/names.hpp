// names.hpp: the names of the seven multi-byte encodings of the WHATWG Encoding Standard. Their rows have these; and a
// library without their rows (UTFILTER_WITHOUT_CJK) still tells a text's encoding by its name.
#ifndef UTFILTER_ENCODINGS_CJK_NAMES_HPP
#define UTFILTER_ENCODINGS_CJK_NAMES_HPP

#include <string_view>

namespace utfilter::detail {

// As in a row: the preferred name first, all separated by spaces. Of two similar charsets a name means the larger one, as
// in the WHATWG Encoding Standard: texts with that name have its characters, so gb2312 is GBK, and cp949 is EUC-KR.
//
// Hyphens and underscores count: only names that somebody writes are names. These are their sources: WHATWG's labels;
// IANA's registry (csgbk); ICU's aliases (windows-932, x-windows-50220); Windows' code pages (cp51932, x-cp20936); Java
// (ms950, x-mswin-936, big5_hkscs); Python (shiftjis, euc_jp, iso2022_jp, gb18030-2000); Perl (shiftjis, euc-cn); Ruby
// (euc-jp-ms, cp951); Emacs (japanese-iso-8bit, euc-china, junet); PHP and glibc (eucjp-win, sjis-win, big-5); MySQL
// (eucjpms); PostgreSQL (mskanji, win950, euc_kr).
inline constexpr std::string_view shift_jis_names =
    "Shift_JIS shift-jis shiftjis sjis x-sjis ms_kanji mskanji csshiftjis windows-31j cswindows31j ms932 cp932 "
    "windows-932 x-ms-cp932 win932 cp943c sjis-win pck japanese-shift-jis";
inline constexpr std::string_view euc_jp_names =
    "EUC-JP euc_jp x-euc-jp cseucpkdfmtjapanese extended_unix_code_packed_format_for_japanese eucjis ujis cp51932 cp20932 "
    "eucjp-ms euc-jp-ms eucjpms eucjp-win japanese-iso-8bit euc-japan eucjp";
inline constexpr std::string_view iso_2022_jp_names =
    "ISO-2022-JP iso_2022_jp csiso2022jp x-iso-2022-jp cp50220 cp50221 cp50222 x-windows-iso2022jp x-windows-50220 "
    "iso-2022-jp-ms junet iso2022-jp iso2022_jp iso2022jp";
inline constexpr std::string_view euc_kr_names =
    "EUC-KR euc_kr cseuckr ks_c_5601-1987 ks_c_5601-1989 csksc56011987 ksc5601 ksc_5601 korean iso-ir-149 windows-949 cp949 "
    "x-windows-949 win949 ms949 uhc cp51949 windows-51949 cp20949 x-cp20949 korean-iso-8bit euc-korea euckr";
inline constexpr std::string_view gbk_names =
    "GBK csgbk x-gbk gb2312 csgb2312 gb_2312 gb_2312-80 gb2312-80 csiso58gb231280 iso-ir-58 chinese cp936 ms936 windows-936 "
    "x-mswin-936 win936 euc-cn euc_cn euccn cn-gb cp51936 cp20936 x-cp20936 chinese-gbk chinese-iso-8bit euc-china";
inline constexpr std::string_view gb18030_names =
    "GB18030 csgb18030 cp54936 windows-54936 gb18030-2000 gb18030-2022 chinese-gb18030";
inline constexpr std::string_view big5_names =
    "Big5 big-5 big5-hkscs csbig5 cn-big5 x-x-big5 x-big5 csbig5hkscs big5hk big5hkscs big5_hkscs hkscs-big5 cp950 "
    "windows-950 x-windows-950 win950 ms950 cp951 chinese-big5";

inline constexpr std::string_view all_cjk_names[] = {shift_jis_names, euc_jp_names,  iso_2022_jp_names, euc_kr_names,
                                                     gbk_names,       gb18030_names, big5_names};

}  // namespace utfilter::detail

#endif
