#!/usr/bin/env python3
"""cjk.py: the tables of the Chinese, Japanese and Korean encodings, and the files that have them.

    cjk.py           writes the files
    cjk.py --check   writes nothing. Fails if a file differs from what would be written

The tables are the indexes of the WHATWG Encoding Standard, with the changes of 2022 to GB18030. An index gives the
character of each pointer, and a pointer is the number of a pair of bytes: pointer / width is the row of the lead byte,
pointer % width the column of the trail byte. The script writes each index for the library (src/encodings/cjk/), as a
string with one character for each pointer, and for the tests (test/data/cjk/), as a line for each row.

The characters come from Python's codecs and from the lists of differences below. test/encodings/cjk_sources.py compares
the tables with other sources.
"""
import sys
import unicodedata
from collections import namedtuple

from generated import ROOT, write_or_check


# ----------------------------------------------------------------------------------------------- the bytes of a pointer

def in_shift_jis(pointer):
    lead, trail = divmod(pointer, 188)
    return bytes([lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)])


def in_euc_jp_of_three_bytes(pointer):
    lead, trail = divmod(pointer, 94)
    return bytes([0x8F, lead + 0xA1, trail + 0xA1])


def in_euc_kr(pointer):
    lead, trail = divmod(pointer, 190)
    return bytes([lead + 0x81, trail + 0x41])


def in_gb18030(pointer):
    lead, trail = divmod(pointer, 190)
    return bytes([lead + 0x81, trail + (0x40 if trail < 0x3F else 0x41)])


def in_big5(pointer):
    lead, trail = divmod(pointer, 157)
    return bytes([lead + 0x81, trail + (0x40 if trail < 0x3F else 0x62)])


def in_gb18030_of_four_bytes(pointer):
    rest, fourth = divmod(pointer, 10)
    rest, third = divmod(rest, 126)
    first, second = divmod(rest, 10)
    return bytes([first + 0x81, second + 0x30, third + 0x81, fourth + 0x30])


# ----------------------------------------------------------------------------------------------------------- the tables

# name     the name of its files
# width    the pointers of a row
# pointers the number of pointers that have a pair of bytes
# codec    Python's codec with its characters
# bytes_of the function that gives the bytes of a pointer, in the codec's encoding
# without  pointers that have a character in the codec alone
# differs  differences from the codec, by their reason: the bytes of a pointer, and the characters from that pointer on
Table = namedtuple("Table", "name width pointers codec bytes_of without differs")

# Shift_JIS has 60 lead bytes for 120 rows of 94. EUC-JP and ISO-2022-JP have the first 94 of these rows. The index is
# that of Microsoft's code page 932, as Python's cp932 is: with the characters of NEC and IBM, and with the signs that
# Microsoft took instead of the wave dash, the double vertical line, and the minus, cent, pound and not signs.
JIS0208 = Table("jis0208", 94, 120 * 94, "cp932", in_shift_jis,
                range(8836, 10716),  # F040 to F9FC: WHATWG's decoder computes the private characters of these codes
                {})

JIS0212 = Table("jis0212", 94, 94 * 94, "euc_jp", in_euc_jp_of_three_bytes, (), {
    "the index has the full-width tilde, so that no character of ASCII has two codes": {"8FA2B7": "～"},
})

EUC_KR = Table("euc_kr", 190, 125 * 190, "cp949", in_euc_kr, (), {})

GB18030 = Table("gb18030", 190, 126 * 190, "gb18030", in_gb18030, (), {
    "on the web A3A0 is a space, as in older programs, and not the private character U+E5E5": {"A3A0": "\u3000"},
    "GB18030 of 2005 exchanges the codes of U+1E3F and the private character U+E7C7; Python has that of 2000": {
        "A8BC": "ḿ"},
    "GB18030 of 2022 has characters of Unicode 4.1 in the place of private ones": {
        "A6D9": "\uFE10\uFE12\uFE11\uFE13\uFE14\uFE15\uFE16", "A6EC": "\uFE17\uFE18", "A6F3": "\uFE19",
        "FE59": "龴", "FE61": "龵", "FE66": "龶龷", "FE6D": "龸", "FE7E": "龹", "FE90": "龺", "FEA0": "龻"},
})

BIG5 = Table("big5", 157, 126 * 157, "big5hkscs", in_big5, (), {
    "HKSCS of 2008 adds 68 characters to that of 2004, which Python has": {
        "877A": "㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏"
                "䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋"},
    "HKSCS has withdrawn these codes, because the characters have others, and the index still decodes them": {
        "8E69": "箸", "8E6F": "簆", "8E7E": "糎", "8EAB": "緒", "8EB4": "縝", "8ECD": "者", "8ED0": "耨", "8F57": "菁",
        "8F69": "蒨", "8F6E": "萏", "8FCB": "覦覩", "8FFE": "起", "906D": "都", "907A": "銹", "90DC": "靜",
        "90F1": "響", "91BF": "鼖", "9244": "蔃", "92AF": "兙兛兝兞", "92C8": "鍮", "92D1": "瑹", "9447": "浧",
        "94CA": "禛", "95D9": "邗", "9644": "靝", "96ED": "瀞", "96FC": "嬨", "9B76": "爁", "9B78": "矗", "9B7B": "纇",
        "9BC6": "駖", "9BDE": "釔", "9BEC": "惞", "9BF6": "澶", "9C42": "輶", "9C53": "侻", "9C62": "營", "9C68": "鄄",
        "9C6B": "鷰", "9C77": "菏", "9CBC": "尐秣", "9CD0": "婧", "9D57": "輋", "9D5A": "筑", "9DC4": "拐",
        "9EA9": "恢", "9EEF": "痹", "9EFD": "汊", "9F60": "鬮", "9F66": "鼗", "9FCB": "僭", "9FD8": "弌", "A063": "蠏",
        "A077": "拎", "A0D5": "瑨", "A0DF": "煢", "A0E4": "牐", "C6CF": "廴", "C6D3": "无", "C6D5": "癶", "C6D7": "隶",
        "C6DE": "〃仝", "FA5F": "倩", "FA66": "偽", "FABD": "包", "FAC5": "卄", "FAD5": "卿", "FB48": "嘅",
        "FBB8": "婷", "FBF3": "幵", "FBF9": "廐", "FC4F": "彘", "FC6C": "悤", "FCB9": "撐", "FCE2": "晴", "FCF1": "杞",
        "FDB7": "沜渝", "FDBB": "港", "FDF1": "煮", "FE52": "猪", "FE6F": "瑜", "FEAA": "瓩", "FEDD": "砉"},
    "for signs the index follows Microsoft's code page 950": {
        "A145": "‧", "A14E": "﹑", "A1C2": "¯", "A1E3": "～", "A1F2": "⊕⊙", "A241": "∕﹨", "A244": "￥",
        "A246": "￠￡", "A3E1": "€"},
    "the index has the pictures of control characters of the ETEN system": {
        "A3C0": "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡"},
})

TABLES = [JIS0208, JIS0212, EUC_KR, GB18030, BIG5]

LIBRARY, TESTS = "src/encodings/cjk", "test/data/cjk"
WIDTH = 120  # of lines of C++
SCRIPT = "src/encodings/cjk.py"
NONE = "."  # a pointer without a character. No table has a character of ASCII


def by_codec(table, pointer):
    """The character that Python's codec has for a pointer. NONE if it has none or, as four pointers of Big5, two."""
    try:
        text = table.bytes_of(pointer).decode(table.codec)
    except UnicodeDecodeError:
        return NONE
    return text if len(text) == 1 else NONE


def characters(table):
    """The character of each pointer, up to the last pointer that has one."""
    pointer_of = {table.bytes_of(pointer): pointer for pointer in range(table.pointers)}
    result = [by_codec(table, pointer) for pointer in range(table.pointers)]
    for pointer in table.without:
        result[pointer] = NONE
    for differs in table.differs.values():
        for first, text in differs.items():
            pointer = pointer_of[bytes.fromhex(first)]
            result[pointer:pointer + len(text)] = text
    return "".join(result).rstrip(NONE)


def rows(table):
    text = characters(table)
    return [text[at:at + table.width] for at in range(0, len(text), table.width)]


def ranges():
    """The pointers of GB18030's four bytes at which the code points go on elsewhere, with the code point of each. From
    189000 on they have the characters beyond the BMP. (8135F437, pointer 7457, has U+E7C7 since 2005. WHATWG's decoder
    and encoder have a rule for that. Here it has U+1E3F, as in Python.)"""
    found, expected = [], None
    for pointer in range(39420):
        code_point = ord(in_gb18030_of_four_bytes(pointer).decode("gb18030"))
        if code_point != expected:
            found.append((pointer, code_point))
        expected = code_point + 1
    return [*found, (189000, 0x10000)]


# ------------------------------------------------------------------------------------------------------ what is written

def is_plain(character):
    """Whether a character stands for itself in C++. The others are written as \\uXXXX, because a reader could not see
    them, or a program might change them: marks, spaces, and format, control, private and unassigned characters; the
    Hangul filler, which is an invisible letter; and characters that normalisation replaces."""
    return (unicodedata.category(character)[0] in "LNPS" and character != "\u3164"
            and unicodedata.normalize("NFC", character) == character)


def in_cpp(character):
    if is_plain(character):
        return character
    return f"\\u{ord(character):04X}" if ord(character) < 0x10000 else f"\\U{ord(character):08X}"


def columns(text):
    """The columns of a screen, at most."""
    return sum(1 if ord(character) < 0x1100 else 2 for character in text)


def literals(row):
    """The lines of C++ for a row."""
    lines = [""]
    for character in map(in_cpp, row):
        if columns(lines[-1] + character) > WIDTH - len('U""'):
            lines.append("")
        lines[-1] += character
    return "".join(f'U"{line}"\n' for line in lines)


def head(name, what):
    return f"// {name}.inc: {what}. cjk.py writes this file: do not edit it.\n// clang-format off\n"


def library_table(table):
    last = len(characters(table)) - 1
    what = f"the characters of the pointers 0 to {last}, {table.width} in a row; U'{NONE}' for none"
    return head(table.name, what) + "".join(map(literals, rows(table)))


def test_table(table):
    return "\n".join([f"width {table.width}", *(row.rstrip(NONE) for row in rows(table)), ""])


def files():
    """The content of each file, by its path."""
    result = {f"{LIBRARY}/{table.name}.inc": library_table(table) for table in TABLES}
    result.update({f"{TESTS}/{table.name}.txt": test_table(table) for table in TABLES})
    result[f"{LIBRARY}/gb18030_ranges.inc"] = (
        head("gb18030_ranges", "the first pointer and the first code point of each range of four bytes")
        + "".join(f"{{0x{pointer:04X}, 0x{code_point:04X}}},\n" for pointer, code_point in ranges()))
    result[f"{TESTS}/gb18030_ranges.txt"] = "".join(
        f"{pointer:04X} {code_point:04X}\n" for pointer, code_point in ranges())
    return result


if __name__ == "__main__":
    present = [file for folder in (LIBRARY, TESTS) for file in (ROOT / folder).glob("*.[it][nx][ct]")]
    sys.exit(write_or_check(SCRIPT, __doc__, files(), present))
