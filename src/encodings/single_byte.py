#!/usr/bin/env python3
"""single_byte.py: the list of the single-byte encodings, and all that is derived from it.

    single_byte.py           writes the files
    single_byte.py --check   writes nothing. Fails if a file differs from what would be written

To add an encoding, add one line at the end of ENCODINGS, so that the enumerators keep their values, and run this script. It writes the tables and rows of the library
(single_byte.cpp and windows1252.cpp), the enumerators with their comments (encoding.hpp), the list of rows (rows.inc), the tables of the tests
(test/data/single_byte/) and the table of the page doc/encodings.md.

The characters come from Python's codecs. test/encodings/single_byte_sources.py compares them with other sources.
"""
import sys
import textwrap
from collections import namedtuple

from generated import ROOT, write_or_check

# enumerator  the enumerator of utfilter::encoding
# codec       Python's codec with its characters
# about       what it is for, which becomes the enumerator's comment
# names       all names: first the preferred one in its usual spelling, then the others in lower case: the names and aliases
#             of IANA's registry, the labels of the WHATWG Encoding Standard, the common spellings of both, and names of
#             programs (doc/encodings.md says which). If IANA and WHATWG give a name to different encodings, IANA's has
#             it; but TIS-620 is a name of WHATWG's, which has the same characters and more
# differs     characters that differ from the codec's, by byte; None for an unassigned byte. A few bytes may be replaced by
#             characters on the other side of ASCII: letters below 80, as VISCII has them, or ASCII from 80 on. Then no
#             kernel converts the encoding
Encoding = namedtuple("Encoding", "enumerator codec about names differs", defaults=[{}])


def row(first, characters):
    """Characters by byte, from the byte `first` on; None for U+FFFD."""
    return {first + i: None if c == "\uFFFD" else ord(c) for i, c in enumerate(characters)}


GEORGIAN = {0x80: 0x80, 0x8E: 0x8E, 0x9E: 0x9E}  # below A0 it has the characters of windows-1252 of before the euro sign

ENCODINGS = [
    Encoding("latin1", "iso8859_1", "ISO-8859-1: the value of each byte is its code point",
             "ISO-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1 cp28591 latin-1 iso-latin-1"),
    Encoding("windows1252", "cp1252", "Western European languages", "windows-1252 windows1252 cswindows1252 cp1252 x-cp1252 win1252 ansinew"),
    Encoding("iso8859_2", "iso8859_2", "Central European languages",
             "ISO-8859-2 iso_8859-2 iso_8859-2:1987 iso8859-2 iso88592 iso-ir-101 latin2 l2 csisolatin2 cp28592 iso-latin-2"),
    Encoding("iso8859_3", "iso8859_3", "Maltese, Esperanto",
             "ISO-8859-3 iso_8859-3 iso_8859-3:1988 iso8859-3 iso88593 iso-ir-109 latin3 l3 csisolatin3 cp28593"),
    Encoding("iso8859_4", "iso8859_4", "Baltic languages, before ISO-8859-10 and ISO-8859-13",
             "ISO-8859-4 iso_8859-4 iso_8859-4:1988 iso8859-4 iso88594 iso-ir-110 latin4 l4 csisolatin4 cp28594"),
    Encoding("iso8859_5", "iso8859_5", "Cyrillic",
             "ISO-8859-5 iso_8859-5 iso_8859-5:1988 iso8859-5 iso88595 iso-ir-144 cyrillic csisolatincyrillic cp28595"),
    Encoding("iso8859_6", "iso8859_6", "Arabic; ISO-8859-6-E and ISO-8859-6-I differ only in the direction of the text",
             "ISO-8859-6 iso_8859-6 iso_8859-6:1987 iso8859-6 iso88596 iso-ir-127 arabic ecma-114 asmo-708 csisolatinarabic "
             "iso-8859-6-e csiso88596e iso-8859-6-i csiso88596i cp28596"),
    Encoding("iso8859_7", "iso8859_7", "Greek, as in the edition of 2003, which adds the euro sign to that of 1987",
             "ISO-8859-7 iso_8859-7 iso_8859-7:1987 iso8859-7 iso88597 iso-ir-126 greek greek8 ecma-118 elot_928 sun_eu_greek "
             "csisolatingreek cp28597"),
    Encoding("iso8859_8", "iso8859_8", "Hebrew, in visual order; utfilter keeps the order of all text",
             "ISO-8859-8 iso_8859-8 iso_8859-8:1988 iso8859-8 iso88598 iso-ir-138 hebrew visual csisolatinhebrew "
             "iso-8859-8-e csiso88598e cp28598"),
    Encoding("iso8859_8i", "iso8859_8", "Hebrew, in logical order; the characters are those of ISO-8859-8",
             "ISO-8859-8-I logical csiso88598i cp38598"),
    Encoding("iso8859_9", "iso8859_9", "Turkish. To WHATWG these names mean windows-1254",
             "ISO-8859-9 iso_8859-9 iso_8859-9:1989 iso8859-9 iso88599 iso-ir-148 latin5 l5 csisolatin5 cp28599"),
    Encoding("iso8859_10", "iso8859_10", "Nordic languages",
             "ISO-8859-10 iso_8859-10 iso_8859-10:1992 iso8859-10 iso885910 iso-ir-157 latin6 l6 csisolatin6"),
    Encoding("iso8859_11", "iso8859_11", "Thai: TIS 620, the no-break space and controls. To WHATWG these names mean windows-874",
             "ISO-8859-11 iso_8859-11 iso8859-11 iso885911"),
    Encoding("iso8859_13", "iso8859_13", "Baltic languages",
             "ISO-8859-13 iso_8859-13 iso8859-13 iso885913 csiso885913 latin7 l7 cp28603"),
    Encoding("iso8859_14", "iso8859_14", "Celtic languages",
             "ISO-8859-14 iso_8859-14 iso_8859-14:1998 iso8859-14 iso885914 iso-ir-199 latin8 iso-celtic l8 csiso885914"),
    Encoding("iso8859_15", "iso8859_15", "Western European languages, with the euro sign",
             "ISO-8859-15 iso_8859-15 iso8859-15 iso885915 latin-9 l9 csisolatin9 csiso885915 latin9 iso-latin-9 cp28605"),
    Encoding("iso8859_16", "iso8859_16", "South-eastern European languages",
             "ISO-8859-16 iso_8859-16 iso_8859-16:2001 iso8859-16 iso885916 iso-ir-226 latin10 l10 csiso885916"),
    Encoding("windows874", "cp874", "Thai", "windows-874 windows874 cswindows874 dos-874 tis-620 tis620 cstis620 cp874 win874"),
    Encoding("windows1250", "cp1250", "Central European languages", "windows-1250 windows1250 cswindows1250 cp1250 x-cp1250 win1250"),
    Encoding("windows1251", "cp1251", "Cyrillic", "windows-1251 windows1251 cswindows1251 cp1251 x-cp1251 win1251 microsoft-cp1251"),
    Encoding("windows1253", "cp1253", "Greek", "windows-1253 windows1253 cswindows1253 cp1253 x-cp1253 win1253"),
    Encoding("windows1254", "cp1254", "Turkish", "windows-1254 windows1254 cswindows1254 cp1254 x-cp1254 win1254"),
    Encoding("windows1255", "cp1255", "Hebrew", "windows-1255 windows1255 cswindows1255 cp1255 x-cp1255 win1255",
             {0xCA: 0x05BA}),  # added to the character set after Microsoft's table was published
    Encoding("windows1256", "cp1256", "Arabic", "windows-1256 windows1256 cswindows1256 cp1256 x-cp1256 win1256"),
    Encoding("windows1257", "cp1257", "Baltic languages", "windows-1257 windows1257 cswindows1257 cp1257 x-cp1257 win1257"),
    Encoding("windows1258", "cp1258", "Vietnamese", "windows-1258 windows1258 cswindows1258 cp1258 x-cp1258 win1258"),
    Encoding("koi8r", "koi8_r", "Russian (RFC 1489)", "KOI8-R koi8r cskoi8r koi koi8 koi8_r cp20866 cyrillic-koi8"),
    Encoding("koi8u", "koi8_u", "Ukrainian (RFC 2319), with the Belarusian letter of KOI8-RU for two box characters, as "
             "in WHATWG's index", "KOI8-U koi8u cskoi8u koi8_u koi8-ru cp21866", {0xAE: 0x045E, 0xBE: 0x040E}),
    Encoding("macintosh", "mac_roman", "Western European languages on a Macintosh before Mac OS X, with the euro sign",
             "macintosh mac csmacintosh x-mac-roman mac-roman macroman applemac cp10000"),
    Encoding("mac_cyrillic", "mac_cyrillic", "Cyrillic on a Macintosh before Mac OS X, with the Ukrainian letters and the "
             "euro sign", "x-mac-cyrillic x-mac-ukrainian mac-cyrillic maccyrillic cp10007"),
    Encoding("ibm437", "cp437", "Western European languages under DOS, in zip archives", "IBM437 ibm-437 cp437 437 cspc8codepage437"),
    Encoding("ibm850", "cp850", "Western European languages under DOS", "IBM850 ibm-850 cp850 850 cspc850multilingual"),
    Encoding("ibm866", "cp866", "Cyrillic under DOS", "IBM866 ibm-866 cp866 866 csibm866 win866"),
    Encoding("ascii", "ascii", "ASCII alone, for text in which any other byte is an error. To WHATWG these names mean windows-1252",
             "US-ASCII ascii iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us us ibm367 cp367 csascii cp20127",
             dict.fromkeys(range(0x80, 0x100))),
    Encoding("x_user_defined", "ascii", "Bytes as text: 80..FF are the private-use characters U+F780..U+F7FF, as in WHATWG's standard",
             "x-user-defined", {byte: 0xF700 + byte for byte in range(0x80, 0x100)}),
    Encoding("koi8t", "koi8_t", "Tajik", "KOI8-T koi8t",
             dict.fromkeys([0x88, 0x8F, 0x98, 0x9A, 0x9C, 0x9D, 0x9E, 0x9F])),  # WHATWG has no rule for these
    Encoding("rk1048", "kz1048", "Kazakh (STRK1048-2002)", "RK1048 strk1048-2002 kz-1048 kz1048 cskz1048", {0x98: None}),
    Encoding("ptcp154", "ptcp154", "Cyrillic of Asia: Kazakh, Bashkir, Tatar and others",
             "PTCP154 csptcp154 pt154 cp154 cyrillic-asian"),
    Encoding("viscii", "latin1", "Vietnamese (RFC 1456). Six bytes below 20 are letters, too", "VISCII csviscii viscii1.1-1", {
        **row(0x02, "Ẳ"), **row(0x05, "ẴẪ"), **row(0x14, "Ỷ"), **row(0x19, "Ỹ"), **row(0x1E, "Ỵ"),
        **row(0x80, "ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲÕắằặấầẩậẽẹếềểễệốồổỗỠƠộờởịỰỨỪỬơớƯÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳĐứÒÓÔạỷừửÙÚỹỵÝỡưàáâãảăữẫèéêẻìíĩỉđựòóôõỏọụùúũủýợỮ")}),
    Encoding("tcvn", "latin1", "Vietnamese (TCVN 5712-1). Twelve bytes below 20 are letters, too, and five others are combining marks",
             "TCVN tcvn-5712 tcvn5712-1 tcvn5712-1:1993", {
        **row(0x01, "ÚỤ"), **row(0x04, "ỪỬỮ"), **row(0x11, "ỨỰỲỶỸÝỴ"),
        **row(0x80, "ÀẢÃÁẠẶẬÈẺẼÉẸỆÌỈĨÍỊÒỎÕÓỌỘỜỞỠỚỢÙỦŨ\u00A0ĂÂÊÔƠƯĐăâêôơưđẰ"), **row(0xB0, "\u0300\u0309\u0303\u0301\u0323"),
        **row(0xB5, "àảãáạẲằẳẵắẴẮẦẨẪẤỀặầẩẫấậèỂẻẽéẹềểễếệìỉỄẾỒĩíịòỔỏõóọồổỗốộờởỡớợùỖủũúụừửữứựỳỷỹýỵỐ")}),
    Encoding("armscii8", "latin1", "Armenian. Five punctuation marks are in it twice: it writes those of ASCII", "ARMSCII-8 armscii8", {
        **row(0xA1, "\uFFFDև։)(»«—.՝,-֊…՜՛՞ԱաԲբԳգԴդԵեԶզԷէԸըԹթԺժԻիԼլԽխԾծԿկՀհՁձՂղՃճՄմՅյՆնՇշՈոՉչՊպՋջՌռՍսՎվՏտՐրՑցՒւՓփՔքՕօՖֆ՚\uFFFD")}),
    Encoding("georgian_ps", "cp1252", "Georgian", "GEORGIAN-PS",
             {**GEORGIAN, **row(0xC0, "აბგდევზჱთიკლმნჲოპჟრსტჳუფქღყშჩცძწჭხჴჯჰჵ")}),
    Encoding("georgian_academy", "cp1252", "Georgian, the letters in another order", "GEORGIAN-ACADEMY",
             {**GEORGIAN, **row(0xC0, "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶ")}),
    Encoding("mik", "cp437", "Bulgarian under DOS", "MIK bulgaria-mik", {
        **row(0x80, "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя"),
        **row(0xC0, "└┴┬├─┼╣║╚╔╩╦╠═╬┐░▒▓│┤№§╗╝┘┌█▄▌▐▀")}),
    Encoding("kamenicky", "cp437", "Czech and Slovak under DOS, of the brothers Kamenický", "KAMENICKY keybcs2",
             row(0x80, "ČüéďäĎŤčěĚĹÍľĺÄÁÉžŽôöÓůÚýÖÜŠĽÝŘťáíóúňŇŮÔšřŕŔ¼§«»")),
]
BY_HAND = "latin1"  # has kernels of its own, so its row stands in a file of its own, latin1.cpp
ALONE = "windows1252"  # every program that repairs errors has this one; in a file of its own, it does not bring the others

WIDTH = 120  # of lines of C++
SCRIPT = "src/encodings/single_byte.py"


def characters(encoding):
    """The code point of each byte; None for an unassigned byte. Where Python's codecs leave a byte 80..9F undefined, WHATWG's
    indexes have the control character of the same value."""
    def of_byte(byte):
        text = bytes([byte]).decode(encoding.codec, "ignore")
        return encoding.differs.get(byte, ord(text) if text else byte if byte < 0xA0 else None)
    return [of_byte(byte) for byte in range(256)]


def unassigned(encoding):
    return characters(encoding).count(None)


def preferred(encoding):
    return encoding.names.split()[0]


def wrapped(text, indent, width=WIDTH):
    return "\n".join(textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False,
                                   break_long_words=False))


# --------------------------------------------------------------------------------------------------------- what is written

def lines_of_eight(values, show):
    return [(at, [show(value) for value in values[at:at + 8]]) for at in range(0, len(values), 8)]


def replaced(encoding):
    """The bytes whose characters are on the other side of ASCII, with these."""
    return [(byte, c) for byte, c in enumerate(characters(encoding)) if c is not None and c != byte and (c < 0x80 or byte < 0x80)]


def table_and_row(encoding):
    others = replaced(encoding)
    codes = "\n".join(f"    {', '.join(codes)},  // {0x80 + at:02X}" for at, codes in
                      lines_of_eight([c if c and c >= 0x80 else 0 for c in characters(encoding)[0x80:]], lambda c: f"0x{c:04X}"))
    names = wrapped(encoding.names, "", WIDTH - 10).splitlines()
    quoted = "\n".join(f'      "{line}{" " if line != names[-1] else ""}"' for line in names)
    name = encoding.enumerator
    pairs = wrapped(", ".join(f"{{0x{byte:02X}, 0x{c:04X}}}" for byte, c in others), "    ")
    list_, parameter = (f"constexpr replaced_byte {name}_replaced[] = {{\n{pairs},\n}};\n\n", f", {name}_replaced") if others else ("", "")
    return (f"constexpr upper_characters {name}_table = {{\n{codes}\n}};\n\n{list_}constexpr encoding_scheme {name}_row() noexcept {{\n"
            f"  return single_byte{'_replacing' if others else ''}<encoding::{name}, {name}_table{parameter}>::row(\n{quoted});\n}}\n")


def library(comment, tabled):
    return f"""\
// {comment}. single_byte.py writes this file: do not edit it.
#include "encodings/single_byte.hpp"

// clang-format off
namespace utfilter::detail {{
namespace {{

// An unassigned byte has the value 0.
{chr(10).join(map(table_and_row, tabled))}
}}  // namespace

{chr(10).join(f'const encoding_scheme {e.enumerator}_scheme = complete<{e.enumerator}_row>();' for e in tabled)}

}}  // namespace utfilter::detail
"""


def enumerator(encoding):
    count = unassigned(encoding)
    holes = f" {count} bytes are unassigned." if count > 1 else " One byte is unassigned." if count else ""
    return wrapped(f"{encoding.about}.{holes} Names: {encoding.names.lower()}.", "  /// ") + f"\n  {encoding.enumerator},"


def test_table(encoding):
    rows = "\n".join(f"{at:02X} {' '.join(codes)}" for at, codes in
                     lines_of_eight(characters(encoding), lambda c: "----" if c is None else f"{c:04X}"))
    return f"enumerator {encoding.enumerator}\nnames {encoding.names}\n{rows}\n"


def page_row(encoding):
    names = " ".join(f"`{name}`" for name in encoding.names.split()[1:])
    return f"| {preferred(encoding)} | `{encoding.enumerator}` | {encoding.about} | {unassigned(encoding) or ''} | {names + ' ' if names else ''}|"


def with_part(path, begin, end, part):
    """The content of the file, with `part` between the lines that begin with `begin` and `end` after their indent."""
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.lstrip().startswith(begin))
    last = next(i for i, line in enumerate(lines) if i > first and line.lstrip().startswith(end))
    return "\n".join([*lines[:first + 1], part, *lines[last:], ""])


def files():
    """The content of each file, by its path."""
    result = {f"test/data/single_byte/{preferred(e)}.txt": test_table(e) for e in ENCODINGS}
    tabled = [e for e in ENCODINGS if e.enumerator not in (BY_HAND, ALONE)]
    result["src/encodings/single_byte.cpp"] = library("single_byte.cpp: the tables and rows of the single-byte encodings", tabled)
    result["src/encodings/windows1252.cpp"] = library("windows1252.cpp: the table and the row of windows-1252",
                                                      [e for e in ENCODINGS if e.enumerator == ALONE])
    result["src/encodings/rows.inc"] = with_part(
        "src/encodings/rows.inc", f"// {SCRIPT} writes", "// end", "\n".join(f"UTFILTER_ROW({e.enumerator})" for e in ENCODINGS))
    result["include/utfilter/encoding.hpp"] = with_part(
        "include/utfilter/encoding.hpp", f"// {SCRIPT} writes", "// end", "\n".join(map(enumerator, ENCODINGS)))
    result["doc/encodings.md"] = with_part("doc/encodings.md", "| encoding | enumerator | for |", "<!-- end",
                                         "\n".join(["|---|---|---|---|---|", *map(page_row, ENCODINGS)]))
    return result


if __name__ == "__main__":
    sys.exit(write_or_check(SCRIPT, __doc__, files(), (ROOT / "test/data/single_byte").iterdir()))
