// encoding.hpp: the encodings and their names.
// layer: encodings
#ifndef UTFILTER_ENCODING_HPP
#define UTFILTER_ENCODING_HPP

#include <utfilter/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace utfilter {

/// The encodings that the filters read and write.
///
/// The single-byte encodings are those of the WHATWG Encoding Standard, and others that it lacks, such as ISO-8859-9,
/// IBM850 and VISCII. Their bytes 00..7F are ASCII, but for a few of VISCII and TCVN. WHATWG's indexes
/// have a control character for each byte 80..9F that Microsoft's tables leave undefined. Other bytes may be unassigned
/// (errc::unassigned).
///
/// UTF-8 is that of RFC 3629 and Unicode table 3-7: noncharacters, NUL, private-use and unassigned code points are
/// well-formed, surrogates are not.
///
/// Beware of `utf16` and `utf32` for text without a byte order mark: they read it as big-endian (RFC 2781 section 4.3,
/// Unicode D98 and D101), and little-endian text then mostly decodes into nonsense *without an error*. If you know the
/// byte order, name it: `utf16le` or `utf16be`, `utf32le` or `utf32be`.
enum class encoding {
  /// For reading only: a byte order mark of UTF-8, UTF-16 or UTF-32 decides the encoding, at the earliest byte that
  /// settles it. Without a byte order mark the encoding is params::fallback. FF FE 00 00 means UTF-32LE (WHATWG
  /// differs, because it has no UTF-32). If the text ends after FF FE or FF FE 00, it is UTF-16LE. Names: detect.
  detect,
  /// For reading only: as detect, but the text itself decides if there is no byte order mark: its first
  /// params::guess_bytes bytes, or all of it if it is shorter. doc/guessing.md describes how. A reader waits until it
  /// has these bytes. As params::fallback it means the same. Names: guess.
  guess,
  /// RFC 3629. Names: utf-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 cp65001 utf-8-sig
  /// utf-8-bom utf8bom utf-8-with-signature utf-8-emacs utf-8-strict utf8x utf8mb3 utf8mb4
  /// utf8nobom.
  utf8,
  /// RFC 2781 section 3.3: a byte order mark decides the byte order; without one the text is big-endian. Output is
  /// big-endian. Names: utf-16 utf16 csutf16 iso-10646-ucs-2 csunicode.
  utf16,
  /// Always little-endian. An initial U+FEFF is a character; only bom::strip, add, require and reject treat it as a
  /// byte order mark. The same holds for utf16be, utf32le and utf32be. Names: utf-16le utf16le csutf16le ucs-2 ucs2
  /// ucs-2le unicode unicodefeff utf-16le-bom cp1200.
  utf16le,
  /// Always big-endian. Names: utf-16be utf16be csutf16be ucs-2be unicodefffe utf-16be-bom cp1201
  /// bigendianunicode.
  utf16be,
  /// Unicode D101: a byte order mark decides the byte order; without one the text is big-endian. Output is big-endian.
  /// Names: utf-32 utf32 csutf32 iso-10646-ucs-4 csucs4 ucs-4.
  utf32,
  /// Always little-endian. Names: utf-32le utf32le csutf32le ucs-4le cp12000.
  utf32le,
  /// Always big-endian. Names: utf-32be utf32be csutf32be ucs-4be cp12001 bigendianutf32.
  utf32be,
  /// Unicode Technical Report 26: a supplementary character is a pair of surrogates, of three bytes each. There is no
  /// byte order mark. Names: cesu-8 cesu8 cscesu8 cscesu-8.
  cesu8,
  /// Java's modified UTF-8, in class files, JNI and java.io.DataInput (Java Virtual Machine Specification, section
  /// 4.4.7): as CESU-8, but U+0000 is C0 80, so that no text has a byte 00. That byte is an error (errc::unused_byte),
  /// and so are F0..F4 (errc::forbidden_length) and, although Java has them, unpaired surrogates. There is no byte
  /// order mark, and `guess` finds it only by its name in the text. Names: mutf-8 mutf8 modified-utf-8 modified-utf8
  /// modified_utf8.
  modified_utf8,

  // src/encodings/single_byte.py writes the single-byte encodings:
  /// ISO-8859-1: the value of each byte is its code point. Names: iso-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1
  /// iso88591 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1 cp28591 latin-1 iso-latin-1.
  latin1,
  /// Western European languages. Names: windows-1252 windows1252 cswindows1252 cp1252 x-cp1252 win1252 ansinew.
  windows1252,
  /// Central European languages. Names: iso-8859-2 iso_8859-2 iso_8859-2:1987 iso8859-2 iso88592 iso-ir-101 latin2 l2
  /// csisolatin2 cp28592 iso-latin-2.
  iso8859_2,
  /// Maltese, Esperanto. 7 bytes are unassigned. Names: iso-8859-3 iso_8859-3 iso_8859-3:1988 iso8859-3 iso88593
  /// iso-ir-109 latin3 l3 csisolatin3 cp28593.
  iso8859_3,
  /// Baltic languages, before ISO-8859-10 and ISO-8859-13. Names: iso-8859-4 iso_8859-4 iso_8859-4:1988 iso8859-4
  /// iso88594 iso-ir-110 latin4 l4 csisolatin4 cp28594.
  iso8859_4,
  /// Cyrillic. Names: iso-8859-5 iso_8859-5 iso_8859-5:1988 iso8859-5 iso88595 iso-ir-144 cyrillic csisolatincyrillic
  /// cp28595.
  iso8859_5,
  /// Arabic; ISO-8859-6-E and ISO-8859-6-I differ only in the direction of the text. 45 bytes are unassigned. Names:
  /// iso-8859-6 iso_8859-6 iso_8859-6:1987 iso8859-6 iso88596 iso-ir-127 arabic ecma-114 asmo-708 csisolatinarabic
  /// iso-8859-6-e csiso88596e iso-8859-6-i csiso88596i cp28596.
  iso8859_6,
  /// Greek, as in the edition of 2003, which adds the euro sign to that of 1987. 3 bytes are unassigned. Names:
  /// iso-8859-7 iso_8859-7 iso_8859-7:1987 iso8859-7 iso88597 iso-ir-126 greek greek8 ecma-118 elot_928 sun_eu_greek
  /// csisolatingreek cp28597.
  iso8859_7,
  /// Hebrew, in visual order; utfilter keeps the order of all text. 36 bytes are unassigned. Names: iso-8859-8
  /// iso_8859-8 iso_8859-8:1988 iso8859-8 iso88598 iso-ir-138 hebrew visual csisolatinhebrew iso-8859-8-e csiso88598e
  /// cp28598.
  iso8859_8,
  /// Hebrew, in logical order; the characters are those of ISO-8859-8. 36 bytes are unassigned. Names: iso-8859-8-i
  /// logical csiso88598i cp38598.
  iso8859_8i,
  /// Turkish. To WHATWG these names mean windows-1254. Names: iso-8859-9 iso_8859-9 iso_8859-9:1989 iso8859-9 iso88599
  /// iso-ir-148 latin5 l5 csisolatin5 cp28599.
  iso8859_9,
  /// Nordic languages. Names: iso-8859-10 iso_8859-10 iso_8859-10:1992 iso8859-10 iso885910 iso-ir-157 latin6 l6
  /// csisolatin6.
  iso8859_10,
  /// Thai: TIS 620, the no-break space and controls. To WHATWG these names mean windows-874. 8 bytes are unassigned.
  /// Names: iso-8859-11 iso_8859-11 iso8859-11 iso885911.
  iso8859_11,
  /// Baltic languages. Names: iso-8859-13 iso_8859-13 iso8859-13 iso885913 csiso885913 latin7 l7 cp28603.
  iso8859_13,
  /// Celtic languages. Names: iso-8859-14 iso_8859-14 iso_8859-14:1998 iso8859-14 iso885914 iso-ir-199 latin8
  /// iso-celtic l8 csiso885914.
  iso8859_14,
  /// Western European languages, with the euro sign. Names: iso-8859-15 iso_8859-15 iso8859-15 iso885915 latin-9 l9
  /// csisolatin9 csiso885915 latin9 iso-latin-9 cp28605.
  iso8859_15,
  /// South-eastern European languages. Names: iso-8859-16 iso_8859-16 iso_8859-16:2001 iso8859-16 iso885916 iso-ir-226
  /// latin10 l10 csiso885916.
  iso8859_16,
  /// Thai. 8 bytes are unassigned. Names: windows-874 windows874 cswindows874 dos-874 tis-620 tis620 cstis620 cp874
  /// win874.
  windows874,
  /// Central European languages. Names: windows-1250 windows1250 cswindows1250 cp1250 x-cp1250 win1250.
  windows1250,
  /// Cyrillic. Names: windows-1251 windows1251 cswindows1251 cp1251 x-cp1251 win1251 microsoft-cp1251.
  windows1251,
  /// Greek. 3 bytes are unassigned. Names: windows-1253 windows1253 cswindows1253 cp1253 x-cp1253 win1253.
  windows1253,
  /// Turkish. Names: windows-1254 windows1254 cswindows1254 cp1254 x-cp1254 win1254.
  windows1254,
  /// Hebrew. 10 bytes are unassigned. Names: windows-1255 windows1255 cswindows1255 cp1255 x-cp1255 win1255.
  windows1255,
  /// Arabic. Names: windows-1256 windows1256 cswindows1256 cp1256 x-cp1256 win1256.
  windows1256,
  /// Baltic languages. 2 bytes are unassigned. Names: windows-1257 windows1257 cswindows1257 cp1257 x-cp1257 win1257.
  windows1257,
  /// Vietnamese. Names: windows-1258 windows1258 cswindows1258 cp1258 x-cp1258 win1258.
  windows1258,
  /// Russian (RFC 1489). Names: koi8-r koi8r cskoi8r koi koi8 koi8_r cp20866 cyrillic-koi8.
  koi8r,
  /// Ukrainian (RFC 2319), with the Belarusian letter of KOI8-RU for two box characters, as in WHATWG's index. Names:
  /// koi8-u koi8u cskoi8u koi8_u koi8-ru cp21866.
  koi8u,
  /// Western European languages on a Macintosh before Mac OS X, with the euro sign. Names: macintosh mac csmacintosh
  /// x-mac-roman mac-roman macroman applemac cp10000.
  macintosh,
  /// Cyrillic on a Macintosh before Mac OS X, with the Ukrainian letters and the euro sign. Names: x-mac-cyrillic
  /// x-mac-ukrainian mac-cyrillic maccyrillic cp10007.
  mac_cyrillic,
  /// Western European languages under DOS, in zip archives. Names: ibm437 ibm-437 cp437 437 cspc8codepage437.
  ibm437,
  /// Western European languages under DOS. Names: ibm850 ibm-850 cp850 850 cspc850multilingual.
  ibm850,
  /// Cyrillic under DOS. Names: ibm866 ibm-866 cp866 866 csibm866 win866.
  ibm866,
  /// ASCII alone, for text in which any other byte is an error. To WHATWG these names mean windows-1252. 128 bytes are
  /// unassigned. Names: us-ascii ascii iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us us ibm367
  /// cp367 csascii cp20127.
  ascii,
  /// Bytes as text: 80..FF are the private-use characters U+F780..U+F7FF, as in WHATWG's standard. Names:
  /// x-user-defined.
  x_user_defined,
  /// Tajik. 19 bytes are unassigned. Names: koi8-t koi8t.
  koi8t,
  /// Kazakh (STRK1048-2002). One byte is unassigned. Names: rk1048 strk1048-2002 kz-1048 kz1048 cskz1048.
  rk1048,
  /// Cyrillic of Asia: Kazakh, Bashkir, Tatar and others. Names: ptcp154 csptcp154 pt154 cp154 cyrillic-asian.
  ptcp154,
  /// Vietnamese (RFC 1456). Six bytes below 20 are letters, too. Names: viscii csviscii viscii1.1-1.
  viscii,
  /// Vietnamese (TCVN 5712-1). Twelve bytes below 20 are letters, too, and five others are combining marks. Names: tcvn
  /// tcvn-5712 tcvn5712-1 tcvn5712-1:1993.
  tcvn,
  /// Armenian. Five punctuation marks are in it twice: it writes those of ASCII. 2 bytes are unassigned. Names:
  /// armscii-8 armscii8.
  armscii8,
  /// Georgian. Names: georgian-ps.
  georgian_ps,
  /// Georgian, the letters in another order. Names: georgian-academy.
  georgian_academy,
  /// Bulgarian under DOS. Names: mik bulgaria-mik.
  mik,
  /// Czech and Slovak under DOS, of the brothers Kamenický. Names: kamenicky keybcs2.
  kamenicky,
  // end

  /// @{
  /// The encodings of several bytes a character of the WHATWG Encoding Standard, decoded and encoded as there. A
  /// library that was built with UTFILTER_CJK=OFF lacks them: encodings() has none of them.
  ///
  /// Japanese: windows-31j. Names: shift_jis shift-jis shiftjis sjis x-sjis ms_kanji mskanji csshiftjis windows-31j
  /// cswindows31j ms932 cp932 windows-932 x-ms-cp932 win932 cp943c sjis-win pck japanese-shift-jis.
  shift_jis,
  /// Japanese, under Unix. Characters of JIS X 0212 have three bytes, and are only decoded. Names: euc-jp euc_jp
  /// x-euc-jp cseucpkdfmtjapanese extended_unix_code_packed_format_for_japanese eucjis ujis cp51932 cp20932 eucjp-ms
  /// euc-jp-ms eucjpms eucjp-win japanese-iso-8bit euc-japan eucjp.
  euc_jp,
  /// Japanese, in mail. Escape sequences choose the set of characters of the bytes after them. So no text can be read
  /// from its middle: there are no checkpoints and no ranges. Names: iso-2022-jp iso_2022_jp csiso2022jp x-iso-2022-jp
  /// cp50220 cp50221 cp50222 x-windows-iso2022jp x-windows-50220 iso-2022-jp-ms junet iso2022-jp iso2022_jp iso2022jp.
  iso_2022_jp,
  /// Korean: windows-949. Names: euc-kr euc_kr cseuckr ks_c_5601-1987 ks_c_5601-1989 csksc56011987 ksc5601 ksc_5601
  /// korean iso-ir-149 windows-949 cp949 x-windows-949 win949 ms949 uhc cp51949 windows-51949 cp20949 x-cp20949
  /// korean-iso-8bit euc-korea euckr.
  euc_kr,
  /// Chinese. It is decoded as GB18030, and encoded in one or two bytes a character. Names: gbk csgbk x-gbk gb2312
  /// csgb2312 gb_2312 gb_2312-80 gb2312-80 csiso58gb231280 iso-ir-58 chinese cp936 ms936 windows-936 x-mswin-936 win936
  /// euc-cn euc_cn euccn cn-gb cp51936 cp20936 x-cp20936 chinese-gbk chinese-iso-8bit euc-china.
  gbk,
  /// Chinese, with all of Unicode but U+E5E5: GB 18030-2022. Names: gb18030 csgb18030 cp54936 windows-54936 gb18030-2000
  /// gb18030-2022 chinese-gb18030.
  gb18030,
  /// Chinese, in Taiwan and Hong Kong. The characters of Hong Kong's supplement whose lead byte is 81 to A0 are only
  /// decoded. Names: big5 big-5 big5-hkscs csbig5 cn-big5 x-x-big5 x-big5 csbig5hkscs big5hk big5hkscs big5_hkscs
  /// hkscs-big5 cp950 windows-950 x-windows-950 win950 ms950 cp951 chinese-big5.
  big5,
  /// @}
};

/// The preferred MIME name of the IANA character set registry, such as "UTF-16LE"; "detect" for encoding::detect;
/// "unknown" for a value without an enumerator. Complexity: linear in the number of encodings.
UTFILTER_API std::string_view encoding_name(encoding) noexcept;

/// The name that encoding_name returns, as a std::string. Complexity: that of encoding_name. Throws std::bad_alloc.
inline std::string to_string(encoding e) { return std::string(encoding_name(e)); }

/// All names of an encoding that encoding_from_name accepts, separated by spaces: the preferred name first, then the
/// others in lower case. "unknown" for a value without an enumerator. For programs that list the names. Complexity:
/// linear in the number of encodings.
UTFILTER_API std::string_view encoding_names(encoding) noexcept;

/// The encoding with this name, in any mixture of upper and lower case (ASCII). std::nullopt if no enumerator lists the
/// name.
///
/// Names and aliases mean what the IANA registry says, even if WHATWG gives the same label another meaning: "utf-16" is
/// not UTF-16LE here, and "iso-8859-1" is not windows-1252. All other labels of WHATWG's mean what they mean there, and
/// so does "tis-620", because windows-874 has all its characters. Names of programs are accepted, too: "cp65001",
/// "utf-8-sig". doc/encodings.md has the list.
///
/// ```cpp
/// const auto from = utfilter::encoding_from_name("Latin1");
/// assert(from && utfilter::encoding_name(*from) == "ISO-8859-1");
/// ```
///
/// Complexity: linear in the number of names.
UTFILTER_API std::optional<encoding> encoding_from_name(std::string_view name) noexcept;

/// The encoding in which the system writes text for this program: messages of std::strerror, values of std::getenv and
/// the names of files. That is nl_langinfo(CODESET) of the current locale, which is US-ASCII until the program calls
/// `std::setlocale(LC_ALL, "")`; under Windows it is the code page that GetACP returns. encoding::detect if the library
/// has no such encoding. Complexity: that of encoding_from_name. Thread safety: not while another thread calls
/// std::setlocale.
UTFILTER_API encoding locale_encoding() noexcept;

/// The accepted names that are nearest to a name, for the message about a wrong one: names of at most three different
/// encodings, the nearest first; the rest is empty. The distance is the number of letters and digits to add, remove or
/// change, at most a third of the name's (1 is always near enough); of equal ones the first in the order of enumerators
/// comes first. Case, spaces and punctuation do not count. The names live as long as the program.
///
/// ```cpp
/// if (!utfilter::encoding_from_name("windows-1521"))
///   std::cerr << "did you mean " << utfilter::nearest_encoding_names("windows-1521")[0] << "?\n";  // windows-1252
/// ```
///
/// Complexity: linear in the size of all names.
UTFILTER_API std::array<std::string_view, 3> nearest_encoding_names(std::string_view name) noexcept;
namespace detail {
/// The message, with the nearest names, about a name that no encoding has.
UTFILTER_API std::string why_no_encoding(std::string_view name);
}  // namespace detail

/// A list of encodings, such as encodings() and params::candidates. Its elements live as long as the program: the library
/// keeps a list that a program makes, and equal lists only once.
///
/// ```cpp
/// const utfilter::encoding_list all = utfilter::encodings();
/// assert(all.begin() != all.end() && *all.begin() == utfilter::encoding::utf8);
/// ```
///
/// Complexity: to make a list, linear in its size, and in the number of different lists of the program; constant
/// otherwise. Throws nothing but std::bad_alloc, where a list is made. Thread safety: that of a plain value, such as an
/// int.
class encoding_list {
 public:
  /// No encodings.
  encoding_list() noexcept = default;
  /// @{
  /// These encodings, in this order.
  UTFILTER_API encoding_list(const encoding* begin, std::size_t size);
  encoding_list(std::initializer_list<encoding> of) : encoding_list(of.begin(), of.size()) {}
  /// @}

  /// Whether it has no encodings.
  bool empty() const noexcept { return begin_ == end_; }
  /// @{
  /// Iterators: the first encoding, and one past the last.
  const encoding* begin() const noexcept { return begin_; }
  const encoding* end() const noexcept { return end_; }
  /// @}

 private:
  friend UTFILTER_API encoding_list encodings() noexcept;
  encoding_list(const encoding* begin, const encoding* end) noexcept : begin_(begin), end_(end) {}

  const encoding* begin_ = nullptr;
  const encoding* end_ = nullptr;
};

/// Why a text is read in an encoding, the strongest reason first.
enum class evidence : std::uint8_t {
  named,        ///< The caller named it. (encoding::detect names UTF-8 for text without a byte order mark.)
  bom,          ///< The text begins with its byte order mark.
  declaration,  ///< The text declares it in its first lines, as XML and HTML do, and decodes by it.
  structure,    ///< The text has the structure of UTF-8, UTF-16, UTF-32, ISO-2022 or HZ, it is ASCII, or of
                ///< params::candidates it decodes by this one alone.
  statistics,   ///< In this encoding the text is likely text of a language, or params::guess_legacy says so.
  assumption,   ///< Little evidence or none: it is params::legacy, the likeliest of params::candidates, or a
                ///< params::fallback other than UTF-8. It may well be wrong.
  mark [[deprecated("until 0.4: write bom")]] = bom,  ///< The name that 0.2 had. It goes in 0.4.
};

/// The name of the enumerator: "statistics". "unknown" for a value without one. Complexity: constant.
UTFILTER_API const char* to_string(evidence) noexcept;

/// All encodings but detect and guess, in the order of the enumerators. Complexity: constant. Throws nothing.
///
/// ```cpp
/// for (const utfilter::encoding e : utfilter::encodings()) std::cout << utfilter::encoding_name(e) << '\n';
/// ```
UTFILTER_API encoding_list encodings() noexcept;

/// Whether a text in this encoding may begin with a byte order mark. True for detect and guess, which
/// look for several byte order marks; false for a value without an enumerator. Complexity: constant.
UTFILTER_API bool has_bom(encoding) noexcept;

/// Whether the byte order mark of a text, or its absence, decides how the text is read. True for detect, guess, utf16
/// and utf32, and for no other value. Complexity: constant.
UTFILTER_API bool is_decided_by_bom(encoding) noexcept;

/// @cond
// Names of version 0.2, until 0.4.
[[deprecated("until 0.4: write has_bom")]] inline bool has_signature(encoding e) noexcept { return has_bom(e); }
[[deprecated("until 0.4: write is_decided_by_bom")]] inline bool is_decided_by_signature(encoding e) noexcept {
  return is_decided_by_bom(e);
}
/// @endcond

/// The size of a code unit in bytes: 1, 2 or 4. For detect, guess, and a value without an enumerator, it is 1.
/// Complexity: constant.
UTFILTER_API std::size_t code_unit_size(encoding) noexcept;

/// Whether each character of the encoding is one byte, as in ISO-8859-1. False for detect, guess, and a value without
/// an enumerator. Complexity: constant.
UTFILTER_API bool is_single_byte(encoding) noexcept;

namespace detail {
/// The size of the longest byte order mark, that of UTF-32, in bytes.
inline constexpr std::size_t longest_bom = 4;

/// Returns the size in bytes of a text in an encoding. The text is given in well-formed UTF-8, and the encoding must
/// have all its characters.
using source_size_function = std::size_t (*)(const char* text, std::size_t size) noexcept;

/// The source_size_function of a decided encoding. It is linear; constant for encoding::utf8.
UTFILTER_API source_size_function source_size_of(encoding) noexcept;

/// Whether a text in the encoding may have another size than source_size_of tells, because a character has two
/// sequences of different sizes, one sequence stands for two characters, or there are escape sequences. False for
/// detect, guess, and a value without an enumerator.
UTFILTER_API bool is_irregular(encoding) noexcept;

/// Whether it is a form of Unicode that may begin with a byte order mark: UTF-8, UTF-16 or UTF-32. What reads and writes
/// these alone needs no tables.
constexpr bool is_unicode(encoding e) noexcept { return e >= encoding::utf8 && e <= encoding::utf32be; }

/// encoding_name of such a form.
UTFILTER_API std::string_view unicode_name(encoding) noexcept;

/// Whether it is one of the Chinese, Japanese and Korean encodings, which UTFILTER_CJK=OFF leaves out of the library.
UTFILTER_API bool is_cjk(encoding) noexcept;

/// Whether the encoding with this name was left out of the library by UTFILTER_CJK=OFF.
UTFILTER_API bool is_left_out(std::string_view name) noexcept;
inline constexpr char why_left_out[] =
    "this library was built without the Chinese, Japanese and Korean encodings (UTFILTER_CJK)";

/// Whether escape sequences decide about the bytes after them, as in ISO-2022-JP. Then a text can be read only from its
/// start.
constexpr bool has_states(encoding e) noexcept { return e == encoding::iso_2022_jp; }
}  // namespace detail

}  // namespace utfilter

#endif
