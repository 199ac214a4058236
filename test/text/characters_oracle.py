#!/usr/bin/env python3
"""characters_oracle.py PROGRAM: compares the sets of characters.hpp (PROGRAM is characters_list) with Python's knowledge of
Unicode, with Unicode's data files, and with the productions of the specifications."""
import pathlib
import re
import subprocess
import sys
import unicodedata

UNICODE = pathlib.Path("/usr/share/unicode")
SCALARS = [*range(0xD800), *range(0xE000, 0x110000)]


def with_property(file, value):
    text = (UNICODE / file).read_text(encoding="utf-8")
    return {c for first, last in re.findall(rf"^(\w+)(?:\.\.(\w+))? *; *{value}\b", text, re.M)
            for c in range(int(first, 16), int(last or first, 16) + 1)}


def where(wanted):
    return {c for c in SCALARS if wanted(c)}


def between(*ranges):
    return {c for first, last in ranges for c in range(first, last + 1)}


def category(*names):
    return where(lambda c: unicodedata.category(chr(c)) in names)


C0 = between((0, 8), (0xB, 0xC), (0xE, 0x1F))
CONTROLS = category("Cc") - {9, 10, 13}
NONCHARACTERS = where(lambda c: c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF)
INVISIBLE = with_property("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point") | where(
    lambda c: unicodedata.name(chr(c), "").startswith("INTERLINEAR ANNOTATION"))
# XML 1.0 (fifth edition) section 2.2, production 2; XML 1.1 (second edition) section 2.2, productions 2 and 2a.
XML10 = {9, 0xA, 0xD} | between((0x20, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF))
XML11 = between((1, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF))
RESTRICTED = between((1, 8), (0xB, 0xC), (0xE, 0x1F), (0x7F, 0x84), (0x86, 0x9F))
EXPECTED = {
    "nul": {0},
    "c0": C0,
    "c1": between((0x80, 0x9F)),
    "controls": CONTROLS,
    "line_separators": category("Zl", "Zp"),
    "bidi": with_property("PropList.txt", "Bidi_Control"),
    "tags": between((0xE0000, 0xE007F)),
    "invisible": INVISIBLE,
    "noncharacters": NONCHARACTERS,
    "private_use": category("Co"),
    "replacement": {0xFFFD},
    "supplementary": between((0x10000, 0x10FFFF)),
    "surrogate_escapes": {ord(bytes([byte]).decode("ascii", "surrogateescape")) for byte in range(0x80, 0x100)},
    "non_ascii": set(SCALARS) - set(range(0x80)),
    "ansi": {0x1B, 0x8E, 0x8F, 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F},
    "xml10": set(SCALARS) - XML10,
    "xml11": set(SCALARS) - (XML11 - RESTRICTED),
    "json_text": where(lambda c: c < 0x20 and chr(c) not in "\t\n\r"),
    "postgresql": {0},
    "utf8mb3": between((0x10000, 0x10FFFF)),
    "ascii": set(SCALARS) - set(range(0x80)),
    "printable": CONTROLS | category("Zl", "Zp", "Co") | INVISIBLE | NONCHARACTERS,
}


def main(program):
    failed = 0
    lines = subprocess.run([program], check=True, capture_output=True, encoding="ascii").stdout.splitlines()
    found = {}
    for line in lines:
        name, *ranges = line.split()
        found[name] = between(*([int(end, 16) for end in r.split("-")] for r in ranges))
    for name in sorted({*found, *EXPECTED}):
        wrong = found.get(name, set()) ^ EXPECTED.get(name, set())
        if wrong or name not in found or name not in EXPECTED:
            failed += 1
            print(f"{name}: {len(wrong)} characters differ, such as {[f'U+{c:04X}' for c in sorted(wrong)[:5]]}")
    print(f"{len(found)} cases, {failed} failed")
    return failed != 0 or len(found) < 20


sys.exit(main(sys.argv[1]))
