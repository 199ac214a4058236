#!/usr/bin/env python3
"""characters.py: writes characters.inc, the table of characters.hpp's sets, from Unicode's data.

    characters.py [FOLDER]           writes the file
    characters.py --check [FOLDER]   writes nothing. Fails if the file differs from what would be written

FOLDER has the Unicode Character Database; Debian's package unicode-data puts it into /usr/share/unicode. Unicode
reserves the code points of Default_Ignorable_Code_Point long before it assigns them, so most of its versions give the
same file.
"""
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).with_suffix(".inc")
# Each code point that is in a set has one of these parts. The bits are those of characters.hpp, where each set is a union
# of parts.
PARTS = {"nul": 0x1, "c0": 0x2, "delete": 0x4, "nel": 0x8, "c1": 0x10, "separator": 0x20, "bidi": 0x40, "tag": 0x80,
         "ignorable": 0x100, "high_ignorable": 0x200, "last_two": 0x400, "noncharacter": 0x800,
         "high_noncharacter": 0x1000, "private": 0x2000, "high_private": 0x4000, "replacement": 0x8000, "surrogate_escape": 0x40000}


def properties(folder):
    """The sets of code points with the properties that matter, and with the general category Co."""
    def read(file):
        return (folder / file).read_text(encoding="utf-8")

    def values(file, value):
        found = set()
        for first, last in re.findall(rf"^(\w+)(?:\.\.(\w+))? *; *{value}\b", read(file), re.MULTILINE):
            found.update(range(int(first, 16), int(last or first, 16) + 1))
        return found

    # These three may take the text between them along: a receiver of plain text either preserves all of it, or removes
    # the characters with the annotation (The Unicode Standard, section 23.8).
    annotations = {int(code, 16) for code in re.findall(r"^(\w+);INTERLINEAR ANNOTATION ", read("UnicodeData.txt"), re.MULTILINE)}
    # Private use has two lines for each range, "First" and "Last".
    ends = [int(code, 16) for code in re.findall(r"^(\w+);<[^;]*>;Co;", read("UnicodeData.txt"), re.MULTILINE)]
    private = set()
    for first, last in zip(ends[::2], ends[1::2]):
        private.update(range(first, last + 1))
    return (values("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point") | annotations,
            values("PropList.txt", "Bidi_Control"), values("PropList.txt", "Noncharacter_Code_Point"), private)


def parts(folder):
    """The part of each code point that has one."""
    ignorable, bidi, noncharacters, private = properties(folder)
    assert bidi <= ignorable and not ignorable & (noncharacters | private)
    part = {}
    for c in ignorable:
        part[c] = "tag" if 0xE0000 <= c <= 0xE007F else "high_ignorable" if c > 0xFFFF else "ignorable"
    part.update((c, "bidi") for c in bidi)
    for c in noncharacters:
        part[c] = "high_noncharacter" if c > 0xFFFF else "last_two" if c >= 0xFFFE else "noncharacter"
    for c in private:
        part[c] = "high_private" if c > 0xFFFF else "private"
    part.update((c, "c0") for c in range(0x20) if chr(c) not in "\t\n\r")
    part.update((c, "c1") for c in range(0x80, 0xA0))
    part.update((c, "surrogate_escape") for c in range(0xDC80, 0xDD00))  # PEP 383
    part.update({0: "nul", 0x7F: "delete", 0x85: "nel", 0x2028: "separator", 0x2029: "separator", 0xFFFD: "replacement"})
    return part


def written(part):
    rows = []
    for c in sorted(part):
        if rows and rows[-1][1] == c - 1 and rows[-1][2] == part[c]:
            rows[-1][1] = c
        else:
            rows.append([c, c, part[c]])
    lines = "\n".join(f"    {{0x{first:04X}, 0x{last:04X}, 0x{PARTS[name]:X}}},  // {name}" for first, last, name in rows)
    return f"""\
// characters.inc: the ranges of characters.hpp's sets, in order. characters.py writes this file: do not edit it.
// clang-format off
{lines}
""", len(rows)


def main():
    arguments = sys.argv[1:]
    checks = arguments[:1] == ["--check"]
    folder = pathlib.Path(([*arguments[checks:], "/usr/share/unicode"])[0])
    text, rows = written(parts(folder))
    stale = not FILE.is_file() or FILE.read_text(encoding="utf-8") != text
    if not checks:
        FILE.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if stale:
        print(f"{FILE.name} is not as characters.py writes it from {folder}; run it, and commit what it writes")
    print(f"{rows} cases, {int(stale)} failed")
    return 1 if stale or rows < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
