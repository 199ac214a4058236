#!/usr/bin/env python3
"""cjk_sources.py [--all]: compares the tables of the Chinese, Japanese and Korean encodings in data/cjk/ with other
sources: glibc's iconv, ICU's uconv, Python's codecs, node's TextDecoder, and the crate encoding_rs, which has the
decoders and encoders of the WHATWG Encoding Standard.

Each source decodes each code of more than one byte, and each but node encodes each character that WHATWG's encoder has;
encoding_rs encodes all of Unicode. What they must give follows from the tables and from the rules of WHATWG's decoders
and encoders, which are here, too.

DIFFERENCES lists where these differ, with the reason; any other difference is a failure. (A difference may be gone in
another version of a source.) Each code must have its character in one of the sources, besides Python, from which the
tables are made. Without --all a source that is not installed is left out; with --all that is a failure, except for
node."""
import ctypes
import functools
import glob
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
TABLES = HERE.parent / "data/cjk"

# The codes that HKSCS has withdrawn: their characters have other codes.
WITHDRAWN = """8E69 8E6F 8E7E 8EAB 8EB4 8ECD 8ED0 8F57 8F69 8F6E 8FCB-8FCC 8FFE 906D 907A 90DC 90F1 91BF 9244
    92AF-92B2 92C8 92D1 9447 94CA 95D9 9644 96ED 96FC 9B76 9B78 9B7B 9BC6 9BDE 9BEC 9BF6 9C42 9C53 9C62 9C68 9C6B
    9C77 9CBC-9CBD 9CD0 9D57 9D5A 9DC4 9EA9 9EEF 9EFD 9F60 9F66 9FCB 9FD8 A063 A077 A0D5 A0DF A0E4 C6CF C6D3 C6D5
    C6D7 C6DE-C6DF FA5F FA66 FABD FAC5 FAD5 FB48 FBB8 FBF3 FBF9 FC4F FC6C FCB9 FCE2 FCF1 FDB7-FDB8 FDBB FDF1 FE52
    FE6F FEAA FEDD"""
PRIVATE = "E000-F8FF"
# The codes to which GB18030 of 2022 gives other characters.
CHANGED_IN_2022 = "A6D9-A6DF A6EC-A6ED A6F3 FE59 FE61 FE66-FE67 FE6D FE7E FE90 FEA0"
FOUR_BYTES_OF_2022 = "82359037-82359134 84318236-84318335"

# By direction and reason: sources, encodings, codes, and what the source has: one of these code points or bytes, or
# None for an error. After a code and a colon stands what it has for this code. "encode": what it has for a character
# that has the code here, or for the character U+XXXX.
DIFFERENCES = {
    "decode": {
        "JIS X 0208 by its letter: the wave dash, the double vertical line, and the minus, cent, pound and not signs": [
            ("Python", "EUC-JP", "A1C1:301C A1C2:2016 A1DD:2212 A1F1:00A2 A1F2:00A3 A2CC:00AC", None),
            ("iconv Python", "ISO-2022-JP", "2141:301C 2142:2016 215D:2212 2171:00A2 2172:00A3 224C:00AC", None)],
        "JIS X 0208 without the rows of NEC and IBM": [
            ("Python", "EUC-JP", "ADA1-ADFE F9A1-FCFE", None),
            ("iconv Python", "ISO-2022-JP", "2D21-2D7E 7921-7C7E", None)],
        "JIS X 0212 has the tilde of ASCII once more": [
            ("Python", "EUC-JP", "8FA2B7:007E", None)],
        "EUC-JP-MS has private characters in rows 85 to 94 of both sets, IBM's characters in rows 83 and 84 of JIS X "
        "0212 instead of rows 89 to 92 of JIS X 0208, and the full-width broken bar": [
            ("iconv", "EUC-JP", "F5A1-FEFE 8FF5A1-8FFEFE", PRIVATE),
            ("iconv", "EUC-JP", "8FF3F3-8FF4FE", "2116 2121 2160-2179 3231 4E00-9FFF F900-FAFF FF02 FF07"),
            ("iconv", "EUC-JP", "8FA2C3:FFE4", None)],
        "ICU has the Roman numerals and a sign of IBM's in row 83 of JIS X 0212": [
            ("ICU node", "EUC-JP", "8FF3A1-8FF3B7", "2160-2179 3231")],
        "ICU has the two rows of private characters of Windows": [
            ("ICU", "EUC-KR", "C9A1-C9FE FEA1-FEFE", PRIVATE)],
        "on the web A3A0 is a space": [
            ("iconv ICU node Python", "GB18030", "A3A0:E5E5", None)],
        "GB18030 before 2022": [
            ("ICU node Python WHATWG", "GB18030", CHANGED_IN_2022, PRIVATE),
            ("WHATWG", "GBK", CHANGED_IN_2022, PRIVATE)],
        "GB18030 before 2005": [
            ("Python", "GB18030", "A8BC:E7C7 8135F437:1E3F", None)],
        "glibc has characters beyond the BMP for six private ones, and no four bytes for characters that have two": [
            ("iconv", "GB18030", "FE51:20087 FE52:20089 FE53:200CC FE6C:215D7 FE76:2298F FE91:241FE", None),
            ("iconv", "GB18030", FOUR_BYTES_OF_2022, None)],
        "a newer glibc, such as 2.41, has GB18030 of 2022 to the letter: these four bytes are the private characters": [
            ("iconv", "GB18030", FOUR_BYTES_OF_2022, PRIVATE)],
        "HKSCS has withdrawn these codes": [
            ("iconv ICU Python", "Big5", WITHDRAWN, None)],
        "to ICU the letters with a mark that are two characters are private ones": [
            ("ICU", "Big5", "8862 8864 88A3 88A5", PRIVATE)],
        "HKSCS of 2004": [
            ("Python", "Big5", "877A-87DF", None)],
        "ICU keeps private characters of older editions of HKSCS, and lacks two characters": [
            ("ICU", "Big5", "8140-84FE 8840-8844 8846 8849-884A 884D 884F-8852 8854-8855 88A9-88AA 8C43 8C6D 8C74 8CB7 "
                            "8CB9 8CBB 8CC0 8CD7-8CD8 8CDA 8CED 8D48 C879 C8A1 C8A3", PRIVATE),
            ("ICU", "Big5", "87A4 87AC", None)],
        "HKSCS has other signs than Microsoft's code page 950, and no euro sign": [
            ("iconv Python", "Big5", "A145:2022 A14E:FF64 A1C2:203E A1E3:223C A1F2:2641 A1F3:2609 A241:FF0F A242:FF3C "
                                     "A244:00A5 A246:00A2 A247:00A3", None),
            ("iconv Python", "Big5", "A3E1", None)],
        "HKSCS has no pictures of control characters, which are the ETEN system's": [
            ("iconv ICU Python", "Big5", "A3C0-A3E0", None)],
        "glibc's BIG5-HKSCS lacks seven codes of Big5": [
            ("iconv", "Big5", "A15A A1C3 A1C5 A1FE A240 A2CC A2CE", None)],
    },
    "encode": {
        "a newer glibc, such as 2.41, has GB18030 of 2022 to the letter: the private characters have four bytes": [
            ("iconv", "GB18030", CHANGED_IN_2022, FOUR_BYTES_OF_2022)],
        "to WHATWG's encoders the yen sign and the overline are 5C and 7E, and the minus sign is the full-width one": [
            ("ICU", "Shift_JIS EUC-JP", "U+00A5 U+203E U+2212", None), ("Python", "Shift_JIS", "U+00A5 U+203E", None),
            ("ICU", "ISO-2022-JP", "U+2212", None)],
        "ICU encodes no characters of IBM's rows": [
            ("ICU", "ISO-2022-JP", "7921-7C7E", None)],
        "ICU does not return from the set of these two to ASCII at the end of a line": [
            ("ICU", "ISO-2022-JP", "U+00A5:1B284A5C U+203E:7E", None)],
        "WHATWG has a control character for the byte 80": [
            ("iconv ICU", "Shift_JIS", "80", None)],
        "Python prefers NEC's codes to IBM's": [
            ("Python", "Shift_JIS", "FA40-FC4B", "ED40-EEFC")],
        "JIS X 0208 by its letter, and without the rows of NEC and IBM": [
            ("Python", "EUC-JP", "A1C1-A1C2 A1DD A1F1-A1F2 A2CC ADA1-ADFE F9A1-FCFE", None),
            ("iconv Python", "ISO-2022-JP", "2141-2142 215D 2171-2172 224C 2D21-2D7E 7921-7C7E", None)],
        "JIS X 0212 has characters of the rows of NEC and IBM": [
            ("Python", "EUC-JP", "ADE2 F9A1-FCFE", "8FA1A1-8FFEFE"), ("iconv", "EUC-JP", "F9A1-FCFE", "8FA1A1-8FFEFE")],
        "GB18030 before 2022 has four bytes for characters that have two since then, GBK none": [
            ("ICU Python WHATWG", "GB18030", CHANGED_IN_2022, "82359037-82359134 84318236-84318335"),
            ("WHATWG", "GBK", CHANGED_IN_2022, None)],
        "GB18030 before 2005": [
            ("Python", "GB18030", "A8BC:8135F437 8135F437:A8BC", None)],
        "glibc lacks these private characters, and has others for the codes of six": [
            ("iconv", "GB18030", CHANGED_IN_2022 + " FE51-FE53 FE6C FE76 FE91", None),
            ("iconv", "GB18030", "U+20087:FE51 U+20089:FE52 U+200CC:FE53 U+215D7:FE6C U+2298F:FE76 U+241FE:FE91",
             None)],
        "WHATWG's encoder of ISO-2022-JP makes half-width katakana those of full width": [
            ("iconv ICU Python", "ISO-2022-JP", "U+FF61-U+FF9F", None)],
        "HKSCS has withdrawn these codes of WHATWG's encoder": [
            ("iconv ICU Python", "Big5", "C6CF:FBFD C6D3:FCD3 C6D5:FEC1 C6D7:90C4 C6DF:C969 FB48:9DEF FBF9:9DFB "
                                         "FC6C:A0DC FE52:9975", None)],
        "HKSCS has other signs than Microsoft's code page 950, and no euro sign": [
            ("iconv Python", "Big5", "A145 A14E A1C2 A1E3 A1F2-A1F3 A241-A242 A244 A246-A247 A3E1", None),
            ("iconv Python", "Big5", "A1FE:A241 A240:A242", None)],
        "glibc's BIG5-HKSCS lacks codes of Big5": [
            ("iconv", "Big5", "A15A A1C3 A1C5", None)],
        "the rounded corners have two codes": [
            ("iconv Python", "Big5", "A27E-A2A3", "F9FA-F9FD")],
        "HKSCS has no pictures of control characters, which are the ETEN system's": [
            ("iconv ICU Python", "Big5", "A3C0-A3E0", None)],
        "ICU keeps private characters of older editions of HKSCS": [
            ("ICU", "Big5", "C879 C8A1 C8A3", None)],
    },
}

# The name of each encoding in each source. (To node euc-kr is KS X 1001 alone, and big5 code page 950.)
ENCODINGS = ["Shift_JIS", "EUC-JP", "ISO-2022-JP", "EUC-KR", "GBK", "GB18030", "Big5"]
NAMES = {
    "iconv": {"Shift_JIS": "CP932", "EUC-JP": "EUC-JP-MS", "ISO-2022-JP": "ISO-2022-JP", "EUC-KR": "UHC",
              "GB18030": "GB18030", "Big5": "BIG5-HKSCS"},
    "ICU": {"Shift_JIS": "ibm-943_P15A-2003", "EUC-JP": "euc-jp-2007", "ISO-2022-JP": "ISO-2022-JP",
            "EUC-KR": "windows-949-2000", "GB18030": "gb18030", "Big5": "ibm-1375_P100-2008"},
    "Python": {"Shift_JIS": "cp932", "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp", "EUC-KR": "cp949",
               "GB18030": "gb18030", "Big5": "big5hkscs"},
    "node": {"Shift_JIS": "shift_jis", "EUC-JP": "euc-jp", "ISO-2022-JP": "iso-2022-jp", "GB18030": "gb18030"},
    "WHATWG": {encoding: encoding.lower() for encoding in ENCODINGS},
}


# ----------------------------------------------------------------------------------------------------------- the tables

@functools.cache
def table(name):
    """The character of each pointer; "." for none."""
    width, *rows = (TABLES / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    return "".join(row.ljust(int(width.split()[1]), ".") for row in rows).rstrip(".")


@functools.cache
def gb18030_ranges():
    """The first pointer and the first code point of each range."""
    lines = (TABLES / "gb18030_ranges.txt").read_text(encoding="ascii").split("\n")
    return [tuple(int(field, 16) for field in line.split()) for line in lines if line]


def at(name, pointer):
    """The character of a pointer; None if it has none."""
    found = table(name)[pointer:pointer + 1]
    return found if found not in ("", ".") else None


# ----------------------------------------------------------------------------------------------- the bytes of a pointer

def shift_jis(pointer):
    lead, trail = divmod(pointer, 188)
    return bytes([lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)])


def euc_jp(pointer):
    return bytes([pointer // 94 + 0xA1, pointer % 94 + 0xA1])


def iso_2022_jp(pointer):
    return b"\x1B$B" + bytes([pointer // 94 + 0x21, pointer % 94 + 0x21]) + b"\x1B(B"


def euc_kr(pointer):
    return bytes([pointer // 190 + 0x81, pointer % 190 + 0x41])


def gb18030(pointer):
    lead, trail = divmod(pointer, 190)
    return bytes([lead + 0x81, trail + (0x40 if trail < 0x3F else 0x41)])


def gb18030_of_four(pointer):
    rest, fourth = divmod(pointer, 10)
    rest, third = divmod(rest, 126)
    first, second = divmod(rest, 10)
    return bytes([first + 0x81, second + 0x30, third + 0x81, fourth + 0x30])


def big5(pointer):
    lead, trail = divmod(pointer, 157)
    return bytes([lead + 0x81, trail + (0x40 if trail < 0x3F else 0x62)])


# ---------------------------------------------------------------------------------------------------- WHATWG's decoders
# Each function gives the text of each code of more than one byte; None for a code without a character.

def decode_shift_jis():
    private = range(8836, 10716)
    return {shift_jis(pointer): chr(0xE000 + pointer - 8836) if pointer in private else at("jis0208", pointer)
            for pointer in range(60 * 188)}


def decode_euc_jp():
    pointers = range(94 * 94)
    return {**{euc_jp(pointer): at("jis0208", pointer) for pointer in pointers},
            **{b"\x8F" + euc_jp(pointer): at("jis0212", pointer) for pointer in pointers}}


def decode_iso_2022_jp():
    return {iso_2022_jp(pointer): at("jis0208", pointer) for pointer in range(94 * 94)}


def decode_euc_kr():
    return {euc_kr(pointer): at("euc_kr", pointer) for pointer in range(126 * 190)}


@functools.cache
def decode_gb18030():
    codes = {gb18030(pointer): at("gb18030", pointer) for pointer in range(126 * 190)}
    ends = [pointer for pointer, _ in gb18030_ranges()[1:-1]] + [39420, 189000 + 0x100000]
    for (first, character), end in zip(gb18030_ranges(), ends):
        codes.update({gb18030_of_four(pointer): chr(character + pointer - first) for pointer in range(first, end)})
    codes[gb18030_of_four(7457)] = "\uE7C7"
    codes.update(dict.fromkeys(map(gb18030_of_four, [39420, 188999, 189000 + 0x100000])))
    return codes


def decode_big5():
    pairs = {1133: "\u00CA\u0304", 1135: "\u00CA\u030C", 1164: "\u00EA\u0304", 1166: "\u00EA\u030C"}
    return {big5(pointer): pairs.get(pointer) or at("big5", pointer) for pointer in range(126 * 157)}


# ---------------------------------------------------------------------------------------------------- WHATWG's encoders
# Each function gives the bytes of each character that the encoding has.

ASCII = {chr(byte): bytes([byte]) for byte in range(0x80)}
HALF_WIDTH = [chr(character) for character in range(0xFF61, 0xFFA0)]  # katakana


def first_codes(name, code_of, pointers):
    """The code of the first pointer that has a character, by the character."""
    return {at(name, pointer): code_of(pointer) for pointer in reversed(pointers) if at(name, pointer)}


def encode_shift_jis():
    """Pointers 8272 to 8835 are NEC's for characters that IBM's codes after them have, too."""
    codes = {**ASCII, **first_codes("jis0208", shift_jis, [*range(8272), *range(8836, 60 * 188)]), "\x80": b"\x80"}
    codes.update({"\u00A5": b"\x5C", "\u203E": b"\x7E", "\u2212": codes["\uFF0D"]})
    return {**codes, **{character: bytes([0xA1 + number]) for number, character in enumerate(HALF_WIDTH)}}


def encode_euc_jp():
    codes = {**ASCII, **first_codes("jis0208", euc_jp, range(94 * 94))}
    codes.update({"\u00A5": b"\x5C", "\u203E": b"\x7E", "\u2212": codes["\uFF0D"]})
    return {**codes, **{character: bytes([0x8E, 0xA1 + number]) for number, character in enumerate(HALF_WIDTH)}}


def encode_iso_2022_jp():
    """Half-width katakana become those of full width, as by normalisation; but sound marks become those that do not
    combine."""
    codes = {**ASCII, **first_codes("jis0208", iso_2022_jp, range(94 * 94))}
    codes.update({"\u00A5": b"\x1B(J\x5C\x1B(B", "\u203E": b"\x1B(J\x7E\x1B(B", "\u2212": codes["\uFF0D"]})
    full_width = {character: unicodedata.normalize("NFKC", character) for character in HALF_WIDTH}
    full_width.update({"\uFF9E": "\u309B", "\uFF9F": "\u309C"})
    codes.update({character: codes[full] for character, full in full_width.items()})
    return {character: code for character, code in codes.items() if character not in "\x0E\x0F\x1B"}


def encode_euc_kr():
    return {**ASCII, **first_codes("euc_kr", euc_kr, range(126 * 190))}


def encode_two_bytes_of_gb18030():
    """Eighteen private characters keep the codes that 2022 gave to other characters."""
    kept = {"A6D9": 0xE78D, "A6DA": 0xE78E, "A6DB": 0xE78F, "A6DC": 0xE790, "A6DD": 0xE791, "A6DE": 0xE792,
            "A6DF": 0xE793, "A6EC": 0xE794, "A6ED": 0xE795, "A6F3": 0xE796, "FE59": 0xE81E, "FE61": 0xE826,
            "FE66": 0xE82B, "FE67": 0xE82C, "FE6D": 0xE832, "FE7E": 0xE843, "FE90": 0xE854, "FEA0": 0xE864}
    return {**ASCII, **first_codes("gb18030", gb18030, range(126 * 190)),
            **{chr(character): bytes.fromhex(code) for code, character in kept.items()}}


def encode_gbk():
    return {**encode_two_bytes_of_gb18030(), "\u20AC": b"\x80"}


def encode_gb18030():
    """U+E5E5 has no code: its two bytes are a space, and no four bytes have it."""
    four_bytes = {text: code for code, text in decode_gb18030().items() if text and len(code) == 4}
    return {**four_bytes, **encode_two_bytes_of_gb18030()}


def encode_big5():
    """The codes of HKSCS before A140 are left out. Six characters have the last of their codes."""
    codes = first_codes("big5", big5, range(5024, 126 * 157))
    last = {at("big5", pointer): big5(pointer) for pointer in range(5024, 126 * 157)}
    return {**ASCII, **codes, **{character: last[character] for character in "\u2550\u255E\u2561\u256A\u5341\u5345"}}


DECODERS = {"Shift_JIS": decode_shift_jis, "EUC-JP": decode_euc_jp, "ISO-2022-JP": decode_iso_2022_jp,
            "EUC-KR": decode_euc_kr, "GBK": decode_gb18030, "GB18030": decode_gb18030, "Big5": decode_big5}
ENCODERS = {"Shift_JIS": encode_shift_jis, "EUC-JP": encode_euc_jp, "ISO-2022-JP": encode_iso_2022_jp,
            "EUC-KR": encode_euc_kr, "GBK": encode_gbk, "GB18030": encode_gb18030, "Big5": encode_big5}


# ---------------------------------------------------------------------------------------------------------- the sources
# A source has a function that decodes each text of a list, with the source's name of the encoding; most have one that
# encodes. None stands for an error.

@functools.cache
def libc():
    found = ctypes.CDLL(None)
    size = ctypes.POINTER(ctypes.c_size_t)
    text = ctypes.POINTER(ctypes.c_char_p)
    found.iconv_open.restype = ctypes.c_void_p
    found.iconv_close.argtypes = [ctypes.c_void_p]
    found.iconv.argtypes = [ctypes.c_void_p, text, size, text, size]
    found.iconv.restype = ctypes.c_size_t
    return found


def by_iconv(to, from_, inputs):
    descriptor = libc().iconv_open(to.encode(), from_.encode())
    if descriptor == ctypes.c_void_p(-1).value:
        raise LookupError(f"iconv lacks {from_} or {to}")
    output = ctypes.create_string_buffer(4 * max(map(len, inputs)) + 16)
    for input_ in inputs:
        begin, size = ctypes.c_char_p(input_), ctypes.c_size_t(len(input_))
        out, room = ctypes.cast(output, ctypes.c_char_p), ctypes.c_size_t(len(output))
        result = libc().iconv(descriptor, begin, size, out, room)
        libc().iconv(descriptor, None, None, out, room)  # writes what follows the text, and forgets it
        yield ctypes.string_at(output, len(output) - room.value) if result == 0 else None
    libc().iconv_close(descriptor)


def iconv_decodes(name, codes):
    return [text if text is None else text.decode() for text in by_iconv("UTF-8", name, codes)]


def iconv_encodes(name, texts):
    return list(by_iconv(name, "UTF-8", [text.encode() for text in texts]))


def lines_of(command, lines):
    """The lines that a command writes when it reads these."""
    done = subprocess.run(command, input=b"".join(line + b"\n" for line in lines), stdout=subprocess.PIPE, check=True)
    return done.stdout.split(b"\n")[:-1]


def icu_decodes(name, codes):
    """An error becomes %XHH."""
    lines = lines_of(["uconv", "--from-callback", "escape", "-f", name, "-t", "UTF-8"], codes)
    return [None if b"%X" in line else line.decode() for line in lines]


def icu_encodes(name, texts):
    """An error becomes %UHHHH."""
    command = ["uconv", "--no-fallback", "--to-callback", "escape", "-f", "UTF-8", "-t", name]
    lines = lines_of(command, map(str.encode, texts))
    return [None if line.startswith(b"%U") else line for line in lines]


def python_decodes(name, codes):
    def decode(code):
        try:
            return code.decode(name)
        except UnicodeDecodeError:
            return None
    return list(map(decode, codes))


def python_encodes(name, texts):
    def encode(text):
        try:
            return text.encode(name)
        except UnicodeEncodeError:
            return None
    return list(map(encode, texts))


NODE = """
const decoder = new TextDecoder(process.argv[1], {fatal: true});
for (const line of require('fs').readFileSync(0, 'latin1').trimEnd().split('\\n')) {
  let text = '-';
  try { text = decoder.decode(Buffer.from(line, 'hex')); } catch {}
  process.stdout.write(text + '\\n');
}
"""


def node_has_icu():
    command = ["node", "-e", "new TextDecoder('gb18030')"]
    return shutil.which("node") and subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def node_decodes(name, codes):
    lines = lines_of(["node", "-e", NODE, name], [code.hex().encode() for code in codes])
    return [None if line == b"-" else line.decode() for line in lines]


@functools.cache
def rust():
    """The Rust compiler, and the sources of the crates cfg_if and encoding_rs; None if one of them is not installed."""
    compiler = next(filter(shutil.which, ["/usr/bin/rustc", "rustc"]), None)
    crates = [max(glob.glob(f"/usr/share/cargo/registry/{name}-[0-9]*/src/lib.rs"), default=None)
              for name in ("cfg-if", "encoding_rs")]
    return [compiler, *crates] if compiler and all(crates) else None


@functools.cache
def encoding_rs():
    """A folder with the program cjk_encoding_rs."""
    compiler, cfg_if, source = rust()
    folder = tempfile.TemporaryDirectory()
    options = [compiler, "-C", "opt-level=1", "--edition", "2018", "--cap-lints", "allow", "-L", "."]
    library = [*options, "--crate-type", "rlib", "--crate-name"]
    for command in ([*library, "cfg_if", cfg_if],
                    [*library, "encoding_rs", "--cfg", 'feature="alloc"', "--extern", "cfg_if=libcfg_if.rlib", source],
                    [*options, "--extern", "encoding_rs=libencoding_rs.rlib", HERE / "cjk_encoding_rs.rs"]):
        subprocess.run(command, cwd=folder.name, check=True)
    return folder


def encoding_rs_decodes(name, codes):
    lines = lines_of([f"{encoding_rs().name}/cjk_encoding_rs", "decode", name], [code.hex().encode() for code in codes])
    return [None if line == b"-" else line.decode() for line in lines]


def encoding_rs_encodes_all(name):
    """The code of each character of Unicode that has one."""
    lines = lines_of([f"{encoding_rs().name}/cjk_encoding_rs", "encode", name], [])
    return {chr(int(character, 16)): bytes.fromhex(code.decode()) for character, code in map(bytes.split, lines)}


# Name: how it decodes, how it encodes, whether it is installed, and its package; None for one that is not needed.
SOURCES = {"iconv": (iconv_decodes, iconv_encodes, lambda: platform.libc_ver()[0] == "glibc", "glibc"),
           "ICU": (icu_decodes, icu_encodes, lambda: shutil.which("uconv"), "icu-devtools"),
           "Python": (python_decodes, python_encodes, lambda: True, "python3"),
           "node": (node_decodes, None, node_has_icu, None),
           "WHATWG": (encoding_rs_decodes, None, rust, "rustc librust-encoding-rs-dev")}


# ---------------------------------------------------------------------------------------------------------- comparisons

def shown(found):
    """A text as code points; bytes in hexadecimal, without ISO-2022-JP's sequences around two bytes."""
    if found is None:
        return "an error"
    if isinstance(found, bytes):
        return found.hex().upper().replace("1B2442", "").replace("1B2842", "")
    return " ".join(f"{ord(character):04X}" for character in found)


def holds(ranges, one):
    """Whether one of the ranges ("A145 A14E-A150") holds a code or code point."""
    def is_in(first, last):
        return len(first) == len(one) and first <= one <= (last or first)
    return any(is_in(*range_.partition("-")[::2]) for range_ in ranges.split())


def is_known(direction, source, encoding, keys, found):
    """Whether DIFFERENCES has this difference. `keys` are the names that the code or character may have there."""
    for sources, encodings, codes, has in (row for rows in DIFFERENCES[direction].values() for row in rows):
        if source not in sources.split() or encoding not in encodings.split():
            continue
        for token in codes.split():
            where, colon, value = token.partition(":")
            if any(holds(where, key) for key in keys):
                if (shown(found) == value) if colon else (found is None) if has is None else holds(has, shown(found)):
                    return True
    return False


def in_blocks(function, name, inputs, wanted):
    """What `function` makes of each input. It gets a thousand at once, and one by one only those of a thousand that do
    not give what is wanted."""
    def results(of):
        found = function(name, of) if of else []
        if len(found) != len(of):
            raise ValueError(f"{len(found)} results for {len(of)} texts in {name}")
        return found

    def joined(of, start):
        part = of[start:start + 1000]
        return None if None in part else part[0][:0].join(part)
    starts = range(0, len(inputs), 1000)
    found = results([joined(inputs, start) for start in starts])
    again = [number for start, result in zip(starts, found) if result is None or result != joined(wanted, start)
             for number in range(start, min(start + 1000, len(inputs)))]
    singly = dict(zip(again, results([inputs[number] for number in again])))
    return [singly[number] if number in singly else text for number, text in enumerate(wanted)]


def compare_decoder(source, encoding, codes):
    """The codes that the source decodes to something else, and a sentence for each difference that is not known."""
    wanted = list(codes.values())
    differ, wrong = set(), []
    found = in_blocks(SOURCES[source][0], NAMES[source][encoding], list(codes), wanted)
    for code, ours, theirs in zip(codes, wanted, found):
        if ours == theirs:
            continue
        differ.add(code)
        if not is_known("decode", source, encoding, [shown(code)], theirs):
            wrong.append(f"{encoding}, code {shown(code)}: {source} has {shown(theirs)}, ours is {shown(ours)}")
    return differ, wrong


def compare_encoder(source, encoding, codes):
    """The number of characters, and a sentence for each difference that is not known."""
    if source == "WHATWG":
        theirs = encoding_rs_encodes_all(NAMES[source][encoding])
    elif SOURCES[source][1]:
        codes = {character: code for character, code in codes.items() if character not in ASCII}
        results = in_blocks(SOURCES[source][1], NAMES[source][encoding], list(codes), list(codes.values()))
        theirs = dict(zip(codes, results))
    else:
        return 0, []
    wrong = []
    for character in sorted({character for character, _ in codes.items() ^ theirs.items()}):
        found, ours = theirs.get(character), codes.get(character)
        if not is_known("encode", source, encoding, [f"U+{shown(character)}", shown(ours)], found):
            name = f"{encoding}, character U+{shown(character)}"
            wrong.append(f"{name}: {source} has {shown(found)}, ours is {shown(ours)}")
    return len(theirs), wrong


def main():
    cases, wrong = 0, []
    sources = [source for source, (*_, installed, _) in SOURCES.items() if installed()]
    for source, (*_, package) in SOURCES.items():
        if source not in sources:
            print(f"not compared with {source}" + (f": install {package}" if package else ""))
            if "--all" in sys.argv and package:
                wrong.append(f"{source} is not installed")
    for encoding in ENCODINGS:
        decoder, encoder = DECODERS[encoding](), ENCODERS[encoding]()
        alone = {code for code, text in decoder.items() if text}
        for source in sources:
            if encoding not in NAMES[source]:
                continue
            differ, sentences = compare_decoder(source, encoding, decoder)
            size, more = compare_encoder(source, encoding, encoder)
            cases += len(decoder) + size
            sentences += more
            wrong += sentences[:20] + ([f"and {len(sentences) - 20} more"] if len(sentences) > 20 else [])
            if source != "Python":  # the tables are made from its codecs
                alone &= differ
        if {"iconv", "WHATWG"} <= set(sources) and encoding in NAMES["iconv"]:
            wrong += [f"{encoding}, code {shown(code)}: no other source has {shown(decoder[code])}"
                      for code in sorted(alone)[:20]]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{cases} cases, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
