#!/usr/bin/env python3
"""mojibake_bytes.py: writes mojibake_bytes.inc, the characters that undo_mojibake may take for bytes, from Python's codecs.

    mojibake_bytes.py            writes the file
    mojibake_bytes.py --check    writes nothing. Fails if the file differs from what would be written
"""
import pathlib
import sys

FILE = pathlib.Path(__file__).with_suffix(".inc")
# In the order of `tried` in mojibake_line.cpp.
ENCODINGS = ["cp1252", "cp1251", "cp850", "cp437", "koi8_r", "mac_roman", "cp1250", "iso8859_2"]


def table():
    leads, continuations = {}, {}
    for bit, encoding in enumerate(ENCODINGS):
        for byte in range(0x80, 0xF5):
            try:
                c = ord(bytes([byte]).decode(encoding))
            except UnicodeDecodeError:
                continue
            of = continuations if byte < 0xC0 else leads if byte >= 0xC2 else None
            if of is not None and c >= 0xA0:  # below, any encoding may have it
                of[c] = of.get(c, 0) | 1 << bit
    rows = (f"    {{0x{c:04X}, 0x{leads.get(c, 0):02X}, 0x{continuations.get(c, 0):02X}}},\n"
            for c in sorted({*leads, *continuations}))
    return ("// mojibake_bytes.inc: characters, and the encodings in which each is a lead byte of UTF-8, and a continuation byte.\n"
            "// mojibake_bytes.py writes this file: do not edit it.\n// clang-format off\n" + "".join(rows))


if sys.argv[1:] == ["--check"]:
    sys.exit(f"{FILE.name} is not as {pathlib.Path(__file__).name} writes it" if FILE.read_text(encoding="ascii") != table() else 0)
FILE.write_text(table(), encoding="ascii")
