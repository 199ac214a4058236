#!/usr/bin/env python3
"""printable_oracle.py PROGRAM: compares printable (PROGRAM is printable_lines) with twenty lines of Python, which know
UTF-8, JSON and Unicode's properties without the library: every code point, and random bytes, under random options."""
import json
import pathlib
import random
import re
import subprocess
import sys
import unicodedata

DATA = pathlib.Path("/usr/share/unicode/DerivedCoreProperties.txt").read_text(encoding="utf-8")
IGNORABLE = {c for first, last in re.findall(r"^(\w+)(?:\.\.(\w+))? *; Default_Ignorable_Code_Point", DATA, re.M)
             for c in range(int(first, 16), int(last or first, 16) + 1)}
BIDI = {c for c in range(0x3000) if unicodedata.bidirectional(chr(c)) in "LRE RLE LRO RLO PDF LRI RLI FSI PDI".split()}
CONTROLS = BIDI | {*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x61C, 0x200E, 0x200F}


def invisible(c):
    is_annotation = unicodedata.name(chr(c), "").startswith("INTERLINEAR ANNOTATION")
    is_noncharacter = c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF
    return c in IGNORABLE or is_annotation or is_noncharacter or unicodedata.category(chr(c)) == "Co"


def expected(style, choices, limit, text):
    line_feed, tab, backslash, quote, hides = (c == "1" or (style == "json" and i < 4) for i, c in enumerate(choices))
    passes = {c for c, escaped in (("\n", line_feed), ("\r\n", line_feed), ("\t", tab)) if not escaped}
    shown = []
    # Python decodes a byte that is ill-formed as a lone surrogate, U+DC80..U+DCFF.
    decoded = text.decode("utf-8", "replace" if style == "json" else "surrogateescape")
    for unit in re.findall(r"\r\n|." if not line_feed else ".", decoded, re.S):
        c = ord(unit[0])
        if 0xDC80 <= c <= 0xDCFF:
            unit = f"\\x{c - 0xDC00:02X}"
        elif unit == "\\" and backslash or unit == '"' and quote:
            unit = "\\" + unit
        elif unit not in passes and (c in CONTROLS or hides and invisible(c)):
            if style == "json":
                in_lower_case = json.dumps(unit)[3:-1].split("\\u") if c > 0x7F else [f"{c:04x}"]
                unit = "".join("\\u" + digits.upper() for digits in in_lower_case)
            else:
                unit = f"\\x{c:02X}" if c < 0x80 else f"\\u{{{c:04X}}}"
        shown.append(unit.encode())
    if limit != "-" and len(b"".join(shown)) > int(limit):
        while shown and len(b"".join(shown)) > int(limit) - 3:
            shown.pop()
        shown += ["\u2026".encode()] if int(limit) >= 3 else []
    return b"".join(shown)


def questions():
    """A style, choices, a limit and a text for each case."""
    for style in "backslash", "json":
        for first in range(0, 0x110000, 64):
            if not 0xD800 <= first <= 0xDFFF:
                yield style, "11111", "-", "".join(map(chr, range(first, first + 64))).encode()
    rng = random.Random(1)
    special = [*CONTROLS, *b'\\"ax', 0xE9, 0x2019, 0x202F, 0x20AC, 0x6587, 0xFEFF, 0x1F600, 0xE0041, 0x10FFFF]
    for _ in range(30000):
        style = rng.choice(["backslash", "json"])
        text = "".join(chr(rng.choice(special)) * rng.choice([1, 1, 1, 40]) for _ in range(rng.randrange(12))).encode()
        text = bytes(b if rng.random() < 0.95 else rng.randrange(256) for b in text)
        text += rng.choice([b"", b"\r\n", b"\xE2\x80", b"\xFF"])
        yield style, "".join(rng.choice("01") for _ in range(5)), rng.choice(["-", str(rng.randrange(60))]), text


def main():
    cases = list(questions())
    asked = "".join(f"{style} {choices} {limit} .{text.hex()}\n" for style, choices, limit, text in cases)
    said = subprocess.run([sys.argv[1]], input=asked, capture_output=True, encoding="ascii", check=True).stdout
    failed = 0
    for case, answer in zip(cases, said.split("\n")[:-1], strict=True):
        right = expected(*case)
        if bytes.fromhex(answer) == right:
            continue
        failed += 1
        if failed <= 10:
            print(f"{case}: {bytes.fromhex(answer)}, not {right}")
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed or len(cases) < 60_000 else 0


if __name__ == "__main__":
    sys.exit(main())
