"""legacy_encodings.py: the decoders of the legacy encodings as the WHATWG's Encoding Standard describes them, and the
inputs that their rows have. generate.py writes the rows.

The single-byte encodings come from ../single_byte/. Of the indexes of the other encodings, only the characters that the
inputs need are here.
"""
import pathlib
from collections import namedtuple

# A piece of the input: text, or an error, which has a kind.
Item = namedtuple("Item", "size text kind")

# ---------------------------------------------------------------------------------------------------- single-byte encodings

TABLES = pathlib.Path(__file__).resolve().parent.parent / "single_byte"
NOT_WHATWG = ("ISO-8859-1", "ISO-8859-9", "ISO-8859-11", "IBM437", "IBM850")  # to the WHATWG, unknown or other encodings


def characters_of(path):
    """The character of each byte; None for an unassigned byte."""
    codes = [code for line in path.read_text(encoding="ascii").splitlines()[2:] for code in line.split()[1:]]
    return [None if code == "----" else chr(int(code, 16)) for code in codes]


SINGLE_BYTE = {path.stem: characters_of(path) for path in sorted(TABLES.glob("*.txt"))}


# Few decoders have these, or they have other rules for them.
RARE = """US-ASCII x-user-defined KOI8-T RK1048 PTCP154 VISCII TCVN ARMSCII-8 GEORGIAN-PS GEORGIAN-ACADEMY MIK
    KAMENICKY""".split()


def next_single_byte(characters):
    return lambda data: Item(1, characters[data[0]], None if characters[data[0]] else "unassigned")


# -------------------------------------------------------------------------------------------------- characters of the indexes

def index_of(text):
    """The characters of the byte sequences; None for an unassigned one, which the text gives as ----."""
    words = iter(text.split())
    return {bytes.fromhex(pair): None if code == "----" else "".join(chr(int(part, 16)) for part in code.split("+"))
            for pair, code in zip(words, words)}


SHIFT_JIS = index_of("""
    8140 3000  817E 00D7  8180 00F7  81AC 3013  81AD ----  81FC 25EF  8240 ----  8260 FF21  82A0 3042  835C 30BD
    849E ----  84BE 2542  84BF ----  8540 ----  859F ----  8740 2460  879C 222A  879D ----  889E ----  889F 4E9C
    8FBC 677E  955C 8868  9872 8155  9873 ----  989F 5F0C  9FFC 6ECC  E040 6F3E  EAA4 7199  EAA5 ----  EB40 ----
    ED40 7E8A  EEED ----  EEFC FF02  EF40 ----  EFFC ----  F040 E000  F07E E03E  F080 E03F  F9FC E757  FA40 2170
    FC4B 9ED1  FC4C ----  FCFC ----""")
EUC_JP = index_of("""
    A1A1 3000  A1FE 25C7  A2AE 3013  A2AF ----  A2BA 2208  A4A2 3042  A8C0 2542  A8C1 ----  A9A1 ----  ADA1 2460
    ADBF ----  ADFC 222A  ADFD ----  B0A1 4E9C  CFD3 8155  CFD4 ----  D0A1 5F0C  E0A4 7210  EDE4 8F9F  EEA1 904F
    F4A6 7199  F4A7 ----  F5A1 ----  F9A1 7E8A  FCEE 9ED1  FCEF ----  FCF0 ----  FCFE FF02  FDA1 ----  FEFE ----
    8FA1A1 ----  8FA2AE ----  8FA2AF 02D8  8FA2B9 0385  8FA2BA ----  8FA6E1 0386  8FABF7 017C  8FB0A1 4E02
    8FEDE3 9FA5  8FA4A2 ----  8FEDE4 ----  8FEEA1 ----  8FFEFE ----""")
EUC_KR = index_of("""
    8141 AC02  815A AC34  815B ----  815E ----  8160 ----  8161 AC35  817A AC55  817B ----  817E ----  817F ----
    8180 ----  8181 AC56  81FE AD13  A1A1 3000  A1B0 201C  A1FE FFE2  A2E7 00AE  A2E8 ----  A4A1 3131  ADA0 CDC5
    ADA1 ----  B0A0 CEFF  B0A1 AC00  C652 D7A3  C653 ----  C6A0 ----  C6A1 D264  C8A0 ----  C8FE D79D  C941 ----
    C9A1 ----  C9FE ----  CAA0 ----  CAA1 4F3D  FDFE 8A70  FE41 ----  FEA1 ----  FEFE ----""")
GB18030 = index_of("""
    8140 4E02  8141 4E04  817E 4E8A  8180 4E90  8181 4E96  81FE 4FA2  A140 E4C6  A1A1 3000  A1B0 201C  A1FE 3013
    A2AB E766  A2E3 20AC  A3A0 3000  A6D8 03C9  A6D9 FE10  A6F3 FE19  A6FE E79F  A7A0 E765  A8BC 1E3F  A8BF 01F9
    A996 3007  A9FE E80F  AAA1 E000  AFFE E233  B0A0 76C3  B0A1 554A  D7F9 5EA7  D7FA E810  D7FE E814  F7FE 9F44
    F8A1 E234  FE40 FA0C  FE50 2E81  FE59 9FB4  FEA0 9FBB  FEA1 E468  FEFE E4C5  81308130 0080  81308131 0081
    81308435 00A3  8135F436 1E3E  8135F437 E7C7  8135F438 1E40  82359833 A000  8336C738 D7FF  8336C739 E76C
    84318236 FE10  8431A437 FFFD  8431A439 FFFF  8431A530 ----  85308130 ----  8F39FE39 ----  90308130 10000
    E3329A35 10FFFF  E3329A36 ----  FE39FE39 ----""")
BIG5 = index_of("""
    8140 ----  81A1 ----  81A4 ----  86FE ----  8740 43F0  8765 56FB  8766 ----  8767 7D95  87DF 9FCB  87E0 ----
    8840 31C0  8861 00D2  8862 00CA+0304  8863 1EBE  8864 00CA+030C  88A3 00EA+0304  88A4 1EBF  88A5 00EA+030C
    88AA 23DB  88AB ----  8941 21145  8942 ----  8945 ----  8957 533B  A0FE 2626B  A140 3000  A14D FE50  A17E FE5A
    A1A1 FE5B  A1C3 FFE3  A1FE FF0F  A3E1 20AC  A3E2 ----  A440 4E00  A4A1 4E11  C67E 7C72  C6A1 2460  C7FE 041A
    C8A4 27607  C8A5 ----  C940 4E42  F9D5 9F98  F9D6 7881  F9FE FFED  FA40 20547  FE40 9442  FEFE 79D4""")

# -------------------------------------------------------------------------------------------------------------- the decoders


def within(byte, *ranges):
    return any(low <= byte <= high for low, high in ranges)


def after_lead(index, data, leads, trails):
    """A lead byte and its trail byte. A trail byte is part of the error only if it is not ASCII."""
    if not within(data[0], *leads):
        return Item(1, None, "unused_byte")
    if len(data) == 1:
        return Item(1, None, "incomplete_at_end")
    is_trail = within(data[1], *trails)
    text = index[data[:2]] if is_trail else None
    if text:
        return Item(2, text, None)
    return Item(1 if data[1] < 0x80 else 2, None, "unassigned" if is_trail else "truncated_sequence")


def half_width_katakana(byte):
    return chr(0xFF61 - 0xA1 + byte)


def next_shift_jis(data):
    if data[0] <= 0x80:
        return Item(1, chr(data[0]), None)
    if within(data[0], (0xA1, 0xDF)):
        return Item(1, half_width_katakana(data[0]), None)
    return after_lead(SHIFT_JIS, data, [(0x81, 0x9F), (0xE0, 0xFC)], [(0x40, 0x7E), (0x80, 0xFC)])


def next_euc_jp(data):
    if data[0] < 0x80:
        return Item(1, chr(data[0]), None)
    if data[0] == 0x8E and len(data) > 1 and within(data[1], (0xA1, 0xDF)):
        return Item(2, half_width_katakana(data[1]), None)
    if data[0] == 0x8F and len(data) > 1 and within(data[1], (0xA1, 0xFE)):
        if len(data) == 2:
            return Item(2, None, "incomplete_at_end")
        is_trail = within(data[2], (0xA1, 0xFE))
        text = EUC_JP[data[:3]] if is_trail else None
        if text:
            return Item(3, text, None)
        return Item(2 if data[2] < 0x80 else 3, None, "unassigned" if is_trail else "truncated_sequence")
    trails = [(0xA1, 0xFE)] if data[0] >= 0xA1 else []
    return after_lead(EUC_JP, data, [(0x8E, 0x8F), (0xA1, 0xFE)], trails)


def next_euc_kr(data):
    if data[0] < 0x80:
        return Item(1, chr(data[0]), None)
    return after_lead(EUC_KR, data, [(0x81, 0xFE)], [(0x41, 0xFE)])


def next_gb18030(data):
    """Also the decoder of GBK. Once a sequence of four bytes turns out to be none, only its first byte is the error."""
    if data[0] <= 0x80:
        return Item(1, "\u20AC" if data[0] == 0x80 else chr(data[0]), None)
    if data[0] == 0xFF or len(data) == 1 or not within(data[1], (0x30, 0x39)):
        return after_lead(GB18030, data, [(0x81, 0xFE)], [(0x40, 0x7E), (0x80, 0xFE)])
    for byte, expected in zip(data[2:4], ((0x81, 0xFE), (0x30, 0x39))):
        if not within(byte, expected):
            return Item(1, None, "truncated_sequence")
    if len(data) < 4:
        return Item(len(data), None, "incomplete_at_end")
    text = GB18030[data[:4]]
    return Item(4, text, None if text else "unassigned")


def next_big5(data):
    if data[0] < 0x80:
        return Item(1, chr(data[0]), None)
    return after_lead(BIG5, data, [(0x81, 0xFE)], [(0x40, 0x7E), (0xA1, 0xFE)])


MULTI_BYTE = {
    "shift_jis": next_shift_jis,
    "euc-jp": next_euc_jp,
    "euc-kr": next_euc_kr,
    "gbk": next_gb18030,
    "gb18030": next_gb18030,
    "big5": next_big5,
}
NEXT = {**{name.lower(): next_single_byte(characters) for name, characters in SINGLE_BYTE.items()}, **MULTI_BYTE}

# The longest sequences, in bytes.
LONGEST = {"euc-jp": 3, "gbk": 4, "gb18030": 4}



def standards_of(row, name):
    """The sources of a row, beside Python. test/scoreboard/run compares the rows with encoding_rs, which follows the WHATWG, but
    lacks what it adopted last; test/encodings/single_byte_sources.py compares the tables."""
    if name in (one.lower() for one in NOT_WHATWG):
        return ["glibc", "IANA"]
    return ["WHATWG"] if "/gb18030-2022/" in row else ["WHATWG", "encoding_rs"]


# Python's codecs that are nearest to the encodings. Others have the name of the encoding.
PYTHON = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs", "x-mac-cyrillic": "mac_cyrillic",
          "iso-8859-8-i": "iso8859-8", "windows-874": "cp874"}


def readings(encoding, data):
    """All texts that differ from the expected one at most in the sizes of the errors: each error may cover from one byte
    to the bytes of the longest sequence."""
    if not data:
        return {""}
    item = NEXT[encoding](data)
    if item.text:
        return {item.text + rest for rest in readings(encoding, data[item.size:])}
    sizes = range(1, min(LONGEST.get(encoding, 2), len(data)) + 1)
    return {"\uFFFD" + rest for size in sizes for rest in readings(encoding, data[size:])}


# ---------------------------------------------------------------------------------------------------------------- the inputs

def single_byte_inputs(name, characters):
    """Yields a group, the input, the rule, and the offsets near which the input is cut."""
    unassigned = bytes(byte for byte in range(0x100) if characters[byte] is None)
    assigned = bytes(byte for byte in range(0x100) if characters[byte] is not None)
    upper = bytes(byte for byte in assigned if byte >= 0xA0)
    controls = bytes(byte for byte in range(0x80, 0xA0) if characters[byte] == chr(byte)) if name.startswith("windows") else b""
    index = "the WHATWG's index" if name not in NOT_WHATWG else "IANA's registry"
    yield "table", bytes(byte for byte in assigned if byte not in controls), f"{index}: all bytes that have characters", [0x80]
    if controls:
        yield "undefined", controls, "the WHATWG's index: control characters, where Microsoft's table has nothing", None
    if unassigned:
        yield "table", bytes(range(0x100)), f"{index}: all bytes", [0x80, unassigned[0]]
    yield "bytes", bytes([0x00, 0x7F, upper[0], upper[-1]]), f"{index}: the first and last bytes of each half", None
    yield "bytes", bytes([0x0A, upper[-1], 0x0D, 0x0A, upper[0], 0x41]), f"{index}: characters between ASCII", None
    for byte in unassigned:
        yield "unassigned", bytes([0x3C, byte, 0x3E]), f"{index}: an unassigned byte; the ASCII around it stays", None
    if unassigned:
        last = unassigned[-1]
        yield "unassigned", bytes([last, last, 0x0A, last]), f"{index}: errors side by side, and at the end", None
    for seam in (16, 32, 64):
        run = (upper * 2)[:seam - 1]
        odd = unassigned[:1] or b"A"
        yield "seam", run + odd + upper[:3], f"an odd byte is the last of {seam}, where blocks of many decoders end", [seam]
        yield "seam", b"a" * (seam - 1) + upper[:1] + odd + b"a", f"a character is the last of {seam} bytes", [seam]


def cases(text):
    """Yields a group, an input and its rule for each input of the lines `group: rule: inputs`."""
    for line in text.split("\n"):
        *head, inputs = line.split(": ")
        if head:
            group, rule = (part.strip() for part in head)
        for one in inputs.split():
            yield group, bytes.fromhex(one), rule


INPUTS = {
    "shift_jis": """
        single: 80 is U+0080: 80 418041
        single: half-width katakana from A1 to DF: a1 df 41a142
        single: no character and no lead byte: a0 fd fe ff 3ca03e 3cfd3e 3cfe3e 3cff3e ffff
        pair: the first and last of their kind: 8140 817e 8180 81ac 81fc 84be 8740 879c 889f 9872 989f 9ffc e040 eaa4
            ed40 eefc fa40 fc4b
        pair: a trail byte that is a backslash in ASCII is part of the character: 835c 955c22
        pair: private characters, 0xE000 + pointer - 8836: f040 f07e f080 f9fc
        pair: in a text: 82a00a8fbc41 41b1826042
        unassigned: the trail byte is ASCII, and is read again: 85403e 82403e eb403e ef403e fc4c3e
        unassigned: the trail byte is not ASCII, and is part of the error: 81ad3e 849e3e 84bf3e 859f3e 879d3e 889e3e
            98733e eaa53e eeed3e effc3e fcfc3e
        ascii-after-lead: below the trail bytes, and is read again: 81003e 810a3e 81203e 81223e 813c3e 81303e e03f3e
            fc3f3e
        ascii-after-lead: 7F is no trail byte, and is read again: 817f3e fc7f3e
        bad-trail: is not ASCII, and is part of the error: 81fd3e 81fe3e 81ff3e fcff3e
        bad-trail: the byte after it begins a character: 81fdb13e 81fd82a03e 81ff813e3e
        truncated-end: the input ends after a lead byte: 81 9f e0 fc f0 4181 82a081 810a81
    """,
    "euc-jp": """
        single: no character and no lead byte: 80 8d 90 9f a0 ff 3c803e 3ca03e 3cff3e 8080
        pair: the first and last of their kind: a1a1 a1fe a2ae a8c0 ada1 adfc b0a1 cfd3 d0a1 f4a6 f9a1 fcee fcfe
        pair: in a text: a4a20ab0a141
        katakana: 8E and A1 to DF: 8ea1 8edf 418ea142
        katakana: 8E and ASCII, which is read again: 8e413e 8e0a3e 8e7f3e
        katakana: 8E and another byte, which is part of the error: 8ee03e 8efe3e 8ea03e 8e803e 8e8e3e 8eff3e
        katakana: 8E and a bad byte, then a character: 8e8ea4a23e 8ee0a4a2
        jis-x-0212: 8F and two bytes: 8fa2af 8fa2b9 8fa6e1 8fabf7 8fb0a1 8fede3 418fb0a142
        jis-x-0212: unassigned, and three bytes are the error: 8fa1a13e 8fa2ae3e 8fa2ba3e 8fede43e 8feea13e 8ffefe3e
        jis-x-0212: 8F and ASCII, which is read again: 8f413e 8f0a3e
        jis-x-0212: 8F, a byte and ASCII, which is read again: 8fa2413e 8fa20a3e 8fb07f3e
        jis-x-0212: 8F and a bad byte, which is part of the error: 8f803e 8fa03e 8fff3e 8f8e3e 8f8f3e
        jis-x-0212: 8F, a byte and a bad byte, which is part of the error: 8fa2803e 8fa2a03e 8fa2ff3e 8fa28e3e
        jis-x-0212: a bad byte, then a character: 8f8ea4a23e 8fa28ea4a23e
        unassigned: both bytes are the error: a2af3e a8c13e a9a13e adbf3e adfd3e cfd43e f4a73e f5a13e fcef3e fcf03e
            fda13e fefe3e
        ascii-after-lead: is read again: a1003e a10a3e a1223e a1403e a15c3e a17f3e fe413e
        bad-trail: is not ASCII, and is part of the error: a1803e a1a03e a1ff3e fe803e
        bad-trail: is a lead byte elsewhere, and is part of the error: a48eb13e a48e3e a48fa4a23e
        truncated-end: the input ends inside a sequence: a1 fe 8e 8f 8fa1 8fa2 41a1 a4a2a4 a10aa1
    """,
    "euc-kr": """
        single: no character and no lead byte: 80 ff 3c803e 3cff3e 8080
        pair: the first and last of their kind: 8141 815a 8161 817a 8181 81fe a1a1 a1fe a2e7 a4a1 ada0 b0a0 b0a1 c652
            c6a1 c8fe caa1 fdfe
        pair: in a text: b0a10ac65241
        unassigned: the trail byte is ASCII, and is read again: 815b3e 815e3e 81603e 817b3e 817e3e 817f3e c6533e
            c9413e fe413e
        unassigned: the trail byte is not ASCII, and is part of the error: 81803e a2e83e ada13e c6a03e c8a03e c9a13e
            c9fe3e caa03e fea13e fefe3e
        unassigned: the byte after it begins a character: 8180b0a13e c9a1b0a13e
        ascii-after-lead: below the trail bytes, and is read again: 81003e 810a3e 81223e 813c3e 81403e fe303e
        bad-trail: is not ASCII, and is part of the error: 81ff3e feff3e
        bad-trail: the byte after it begins a character: 81ffb0a13e
        truncated-end: the input ends after a lead byte: 81 a1 fe 41b0 b0a1b0 b00ab0
    """,
    "gb18030": """
        single: 80 is the euro sign: 80 418041
        single: no character and no lead byte: ff 3cff3e ffff
        pair: the first and last of their kind: 8140 817e 8180 81fe a1a1 a1fe a2e3 b0a0 b0a1 d7f9 f7fe fe50 a8bf a996
        pair: U+3000 twice: a3a0
        pair: private characters: a140 a2ab a6fe a7a0 a9fe aaa1 affe d7fa d7fe f8a1 fea1 fefe
        pair: in a text: b0a10af7fe41
        gb18030-2005: U+1E3F has two bytes: a8bc 8135f437
        gb18030-2022: characters that were private before: a6d9 a6f3 fe59 fea0
        four: the first and last of their kind: 81308130 81308131 81308435 8135f436 8135f438 82359833 8336c738
            8336c739 84318236 8431a437 8431a439
        four: beyond the Basic Multilingual Plane: 90308130 e3329a35 4190308130
        four: unassigned, and all four bytes are the error: 8431a5303e 853081303e 8f39fe393e e3329a363e fe39fe393e
        four: the third byte is none, and all after the first are read again: 8130413e 81300a3e 8130303e 81307f3e
            8130803e 8130ff3e
        four: the fourth byte is none, and all after the first are read again: 813081413e 8130810a3e 813081813e
            8130813a3e 813081ff3e 8130812f3e
        four: the fourth byte is none; the third and the fourth are a pair: 8130b0a13e 8130b0a1b0a1
        ascii-after-lead: is no trail byte, and is read again: 81003e 810a3e 81223e 812f3e 813a3e 813c3e 817f3e fe203e
        bad-trail: is not ASCII, and is part of the error: 81ff3e feff3e
        bad-trail: the byte after it begins a character: 81ffb0a13e
        truncated-end: the input ends inside a sequence: 81 fe 8130 813081 9030 e3329a 4181 b0a1b0 b0a18130 b00ab0
            ff418130
    """,
    "big5": """
        single: no character and no lead byte: 80 ff 3c803e 3cff3e 8080 a440ff
        pair: the first and last of their kind: 8740 8765 8767 87df 8840 8861 8863 88a4 88aa 8957 a140 a17e a1a1 a1fe
            a3e1 a440 a4a1 c67e c6a1 c7fe c940 f9d5 f9d6 f9fe fe40 fefe
        pair: characters for which vendors differ: a14d a1c3
        pair: beyond the Basic Multilingual Plane: 8941 a0fe c8a4 fa40
        pair: two characters: 8862 8864 88a3 88a5 0a88620a
        pair: in a text: a4400aa4a141
        unassigned: the trail byte is ASCII, and is read again: 81403e 87663e 89423e 89453e
        unassigned: the trail byte is not ASCII, and is part of the error: 81a13e 86fe3e 87e03e 88ab3e a3e23e c8a53e
        ascii-after-lead: is no trail byte, and is read again: a4003e a40a3e a4223e a43c3e a43f3e a47f3e fe303e
        bad-trail: is not ASCII, and is part of the error: a4803e a4a03e a4ff3e fe803e
        bad-trail: is a lead byte elsewhere, and is part of the error: a481a4403e a4813e a480a4403e
        truncated-end: the input ends after a lead byte: 81 a4 fe 88 41a4 a440a4 a40aa4
    """,
}
INPUTS["gbk"] = INPUTS["gb18030"]


def multi_byte_inputs(encoding):
    """Yields a group, an input and its rule."""
    yield "ascii", bytes.fromhex("000a223c5c7e7f"), "ASCII bytes are ASCII: no yen sign, no overline"
    yield from cases(INPUTS[encoding])
    character = next(data[:2] for _, data, rule in cases(INPUTS[encoding]) if rule == "in a text")
    for seam in (16, 32, 64):
        yield "seam", b"a" * (seam - 1) + character + b"b", f"a sequence across offset {seam}, where blocks of many decoders end"
        yield "seam", b"a" * (seam - 1) + character[:1], f"a lead byte is the last of {seam}"
