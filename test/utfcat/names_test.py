#!/usr/bin/env python3
"""names_test.py UTFCAT WITHOUT_ICU: what the names of encodings mean: every label of the WHATWG Encoding Standard, as the sources of
encoding_rs list them; names of mail and Windows; each name the same with and without ICU; and each name the same in a declaration.
Python's codecs decide what text is."""
import pathlib
import re
import sys

from utfcat_cases import OTHER as WITHOUT, check, run, run_tests, similar

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "encodings"))
import single_byte_sources  # noqa: E402  its folder had to be named first

# What WHATWG's encodings are to Python. Where another encoding has the same characters and more, it is that one.
PYTHON = {"UTF-8": "utf-8", "UTF-16LE": "utf-16le", "UTF-16BE": "utf-16be", "GBK": "gbk", "gb18030": "gb18030", "Big5": "big5",
          "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp", "Shift_JIS": "cp932", "EUC-KR": "cp949", "macintosh": "mac_roman",
          "x-mac-cyrillic": "mac_cyrillic", "ISO-8859-8-I": "iso8859_8"}
# Characters of each, among them some that only the larger one of two similar charsets has.
TEXTS = {"UTF-8": "é中😀", "UTF-16LE": "é中😀", "UTF-16BE": "é中😀", "GBK": "汉字丂镕", "gb18030": "汉字丂ẞ😀", "Big5": "漢字",
         "EUC-JP": "日本語カナ", "ISO-2022-JP": "日本語カナ", "Shift_JIS": "日本語①纊髙", "EUC-KR": "한국어갂똠"}

# Labels with the meaning that IANA has registered, under which the same bytes are other characters.
AS_IANA = {"utf-16": "utf-16be", "iso-10646-ucs-2": "utf-16be", "csunicode": "utf-16be"}
IANA_NAMES = {"windows-1252": ("iso8859_1", "cp1252"), "windows-1254": ("iso8859_9", "cp1254"), "windows-874": ("iso8859_11", "cp874")}
ASCII = ("ascii", "us-ascii", "ansi_x3.4-1968")
# Browsers refuse the charsets of these labels. Here they are charsets of ICU.
REFUSED_BY_BROWSERS = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr", "iso-2022-cn": None,
                       "iso-2022-cn-ext": None}

# Names of mail, editors and Windows, with Python's codec, and a text that the codec of a similar name lacks.
OTHERS = [("cp932", "cp932", "①能"), ("windows-31j", "cp932", "①能"), ("ms932", "cp932", "①能"), ("cp51932", "euc_jp", "日本"),
          ("eucJP-ms", "euc_jp", "日本"), ("cp50220", "iso2022_jp", "日本"), ("cp50221", "iso2022_jp", "日本"),
          ("cp50222", "iso2022_jp", "日本"), ("x-iso-2022-jp", "iso2022_jp", "日本"), ("cp936", "gbk", "丂"), ("cp949", "cp949", "갂"),
          ("uhc", "cp949", "갂"), ("cp950", "cp950", "漢字"), ("cp54936", "gb18030", "丂😀"), ("euc-cn", "gb2312", "汉字"),
          ("cp65001", "utf-8", "é"), ("utf-8-sig", "utf-8", "é"), ("utf-16le-bom", "utf-16le", "é"), ("ucs-2le", "utf-16le", "é"),
          ("cp1200", "utf-16le", "é"), ("cp1201", "utf-16be", "é"), ("cp20127", "ascii", "e"), ("cp28592", "iso8859_2", "ł"),
          ("win1251", "cp1251", "я"), ("tis-620", "cp874", "ก€"), ("tis620", "cp874", "ก€"), ("cp10000", "mac_roman", "é€"),
          ("cp10007", "mac_cyrillic", "яє"), ("cp10006", "mac_greek", "αβ"), ("cp20932", "euc_jp", "日本"), ("cp52936", "hz", "汉字e"),
          ("cp65000", "utf-7", "é"), ("eucJP-win", "euc_jp", "日本"), ("cp51949", "cp949", "갂"), ("cp50225", "iso2022_kr", "한"),
          ("csWindows31J", "cp932", "①能"), ("iso-ir-58", "gbk", "丂"), ("ks_c_5601-1989", "cp949", "갂"), ("ucs2", "utf-16le", "é"),
          ("windows-950", "cp950", "漢字"), ("shiftjis", "cp932", "①能"), ("EUC_JP", "euc_jp", "日本"), ("euc_kr", "cp949", "갂"),
          ("big-5", "cp950", "漢字"), ("big5_hkscs", "big5hkscs", "\U00020547"), ("iso2022_jp", "iso2022_jp", "日本"), ("gb18030-2000", "gb18030", "丂😀"),
          ("mskanji", "cp932", "①能"), ("win949", "cp949", "갂"), ("x-mswin-936", "gbk", "丂"), ("eucjpms", "euc_jp", "日本"), ("ibm-437", "cp437", "éµ"), ("cp852", "cp852", "ł"), ("cp737", "cp737", "αβ")]

# Texts for declarations, of which each charset has one. In most charsets of ICU the text has no form of UTF-8.
SCRIPTS = ["дом Москва", "日本語かな", "한국어", "汉字文本", "漢字文本", "Ελληνικά", "žluťoučký", "שלום", "كتاب", "ภาษาไทย", "naïve café", "ğüş",
           "ąčęė", "Հայերեն", "ქართული", "það", "não", "٠١٢", "۰۱۲", "ạơư", "\uF780\uF7FF"]
# A declaration of these does not count: they make other characters of ASCII.
UNDECLARED = ("UTF-7", "HZ-GB-2312")
LACKING = ("JOHAB",)  # charsets of declarations, but not of ICU


def single_byte_text(codec):
    """Each byte beyond ASCII that the codec decodes to a character that is no control character."""
    text = bytes(range(0xA0, 0x100)).decode(codec, "ignore")
    return "".join(c for c in text if ord(c) < 0xF000)


def test_whatwg_labels():
    check("labels of the standard", len(labels) >= 220, True)
    for label, encoding in labels.items():
        if label == "replacement":
            check(label, run("-f", label)[0], 2)
        elif label in ASCII:
            check(label, run("-f", label, text=b"e\n")[:2], (0, b"e\n"))
            check(f"{label}, beyond ASCII", run("-f", label, text=b"\xE9")[0], 1)
        elif encoding == "replacement":
            codec = REFUSED_BY_BROWSERS[label]
            text = "한국어" if codec == "iso2022_kr" else "汉字"
            check(label, run("-f", label, text=text.encode(codec) if codec else b"e")[:2], (0, text.encode() if codec else b"e"))
        elif encoding == "x-user-defined":
            check(label, run("-f", label, text=b"e\x80\xFF")[:2], (0, "e\uF780\uF7FF".encode()))
        else:
            codecs = [PYTHON.get(encoding, encoding.lower().replace("-", "_").replace("windows_", "cp").replace("ibm", "cp"))]
            if label in AS_IANA:
                codecs = [AS_IANA[label]]
            elif encoding in IANA_NAMES:
                codecs = [IANA_NAMES[encoding]["windows" in label or "cp" in label or label in ("dos-874", "tis-620")]]
            for codec in codecs:
                text = TEXTS.get(encoding) or single_byte_text(codec)
                if codec == "koi8_u":
                    text = text.replace("╝", "").replace("╬", "")  # letters to WHATWG: single_byte_sources.py
                check(f"{label}: {encoding}, {codec}", run("-f", label, text=text.encode(codec)), (0, text.encode(), ""))


def test_names_of_programs():
    for name, codec, text in OTHERS:
        check(name, run("-f", name, text=text.encode(codec)), (0, text.encode(), ""))
        check(f"{name}, writing", run("-t", name, "--bom", "keep", text=text.encode())[:2], (0, text.encode(codec)))


def test_names_without_icu():
    """A name of the library's own means the same in both. A name of ICU's is refused without it, with the way out."""
    listed = run("-l", program=WITHOUT)[1].decode().split()
    names = sorted({name for name in listed if name not in ("detect", "guess")})
    check("names of the library", len(names) > 300, True)
    probe = bytes(byte for byte in range(0x20, 0x100)) + b"\n" * 4
    for name in names:
        check(f"{name}, with ICU and without", run("-f", name, "-e", "replace", text=probe), run("-f", name, "-e", "replace", text=probe, program=WITHOUT))
    for label, encoding in labels.items():
        status, _, said = run("-f", label, program=WITHOUT)
        needs_icu = encoding == "replacement"
        check(f"{label} without ICU", (status, "ICU" in said), (2, True) if needs_icu else (0, False))
    for name, codec, text in OTHERS:
        if name in names:
            check(f"{name} without ICU", run("-f", name, text=text.encode(codec), program=WITHOUT), (0, text.encode(), ""))


def charset_table():
    """Each name of src/encodings/charset_names.hpp, with the preferred name of its charset."""
    code = (pathlib.Path(__file__).resolve().parents[2] / "src/encodings/charset_names.hpp").read_text(encoding="utf-8")
    rows = re.findall(r'^    \{"([^"]+)",\s*"[^"]*",((?:\s*"[^"]*")+)\},$', code, re.MULTILINE)
    return {name.lower(): preferred for preferred, others in rows for name in [preferred, *"".join(re.findall('"([^"]*)"', others)).split()]}


def test_declarations():
    """A declaration of a name means what -f NAME means."""
    table = charset_table()
    check("names of charsets", len(table) > 120, True)
    own = {line.split()[0]: line.split() for line in run("-l", program=WITHOUT)[1].decode().splitlines()}
    of_name = {name.lower(): preferred for preferred, names in own.items() for name in names}
    script_of = {}
    for name in similar(sorted({*labels, *table, *of_name, *(name for name, _, _ in OTHERS)} - {"detect", "guess", "replacement"})):
        preferred = of_name.get(name.lower()) or table.get(name.lower()) or name
        header = f"Content-Type: text/plain; charset={name}\n\n"
        if preferred.startswith(("UTF-16", "UTF-32", "UTF-8", "CESU", "MUTF", "US-ASCII")):
            read_as = "UTF-8" if preferred not in ("CESU-8", "MUTF-8") else preferred
            check(f"{name}, declared", run("-s", "-f", "guess", text=header.encode())[2].startswith(f"-: {read_as} (as it declares)"), True)
            continue
        tries = [script_of[preferred]] if preferred in script_of else SCRIPTS
        written = [(text, run("-t", name, text=text.encode())) for text in tries]
        if written[0][1][0] == 2:
            check(f"{name}, which ICU lacks", preferred in LACKING, True)
            continue
        text, data = next(((text, done[1]) for text, done in written if done[0] == 0), ("", b""))
        check(f"{name}, a text", text != "", True)
        script_of[preferred] = text
        status, read, said = run("-s", "-f", "guess", text=header.encode() + data)
        why = said.splitlines()[-1].partition("(")[2].partition(")")[0]  # in the report; a warning comes before it
        if preferred in UNDECLARED:
            check(f"{name}, declared", (status, why), (0, "by its structure"))
        else:
            check(f"{name}, declared", (status, read.decode("utf-8", "replace")), (0, header + text))
            check(f"{name}, why", why == "as it declares" or ("ISO-2022" in preferred and why.startswith("by its structure")), True)


if not single_byte_sources.rust_sources():
    sys.exit("names_test needs the sources of encoding_rs: install librust-encoding-rs-dev")
labels = single_byte_sources.whatwg_labels()
run_tests(globals())
