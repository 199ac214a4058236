#!/usr/bin/env python3
"""escaping_page.py PAGE PROGRAM: checks the tables and figures of doc/escaping.md (PAGE). PROGRAM is escaped_text.

Every code point, and every ill-formed string of the kinds in the second table, goes through each column's escaper. What
comes out must be what the cell says, and each row must have as many members as it says. The properties are those of the
Unicode Character Database, which Debian's package unicode-data puts into /usr/share/unicode.
"""
import itertools
import pathlib
import re
import subprocess
import sys
import unicodedata

FOLDER = pathlib.Path("/usr/share/unicode")
SEPARATOR = "~"  # stands between the texts of one run; a part of no escape
SCALARS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]

#------------------------------------------------------------------------------------------------------ Unicode's data


def rows(file, value):
    """The code points of the lines `FIRST..LAST ; VALUE`."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    return {c for first, last in re.findall(rf"^(\w+)(?:\.\.(\w+))? *; *{value}(?= *#| *;| *$)", text, re.MULTILINE)
            for c in range(int(first, 16), int(last or first, 16) + 1)}


def assigned(version):
    """The general category and the bidirectional class of each character that this version of Unicode has."""
    ages = (FOLDER / "DerivedAge.txt").read_text(encoding="utf-8")
    later = set()
    for first, last, age in re.findall(r"^(\w+)(?:\.\.(\w+))? *; *([\d.]+)", ages, re.MULTILINE):
        if tuple(map(int, age.split("."))) > version:
            later.update(range(int(first, 16), int(last or first, 16) + 1))
    found, start = {}, None
    for line in (FOLDER / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        code, name, category, _, bidi = line.split(";")[:5]
        code = int(code, 16)
        if name.endswith(", First>"):
            start = code
            continue
        for c in range(code if start is None else start, code + 1):
            if c not in later:
                found[c] = category, bidi
        start = None
    return found


def classes(version):
    """The rows of the first table: each name with its characters. A character is in the first row that it fits."""
    data = assigned(version)
    ignorable = rows("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")

    def category(*names):
        return {c for c, (name, _) in data.items() if name in names}

    unassigned = set(SCALARS) - set(data)
    every = [
        ("U+000A, line feed", {0x0A}),
        ("U+000D, carriage return", {0x0D}),
        ("U+0009, tab", {0x09}),
        ("the other controls of ASCII: NUL, BEL, ESC, DEL and so on", {c for c in category("Cc") if c < 0x80}),
        ("the C1 controls: NEL, CSI, OSC and so on", category("Cc")),
        ("Zl, U+2028", category("Zl")),
        ("Zp, U+2029", category("Zp")),
        ("Bidi_Control", rows("PropList.txt", "Bidi_Control")),
        ('`"`', {ord('"')}),
        ("`\\`", {ord("\\")}),
        ("Default_Ignorable_Code_Point: Variation_Selector", ignorable & rows("PropList.txt", "Variation_Selector")),
        ("Default_Ignorable_Code_Point: tags", ignorable & category("Cf") & set(range(0xE0000, 0xE0080))),
        ("Default_Ignorable_Code_Point, the rest of Cf: U+00AD, U+200B..U+200D, U+2060, U+FEFF and so on",
         ignorable & category("Cf")),
        ("Default_Ignorable_Code_Point: letters, the fillers of Hangul", ignorable & category("Lo")),
        ("Default_Ignorable_Code_Point: marks, such as U+034F", ignorable & category("Mn", "Mc", "Me")),
        ("Default_Ignorable_Code_Point: reserved, such as U+2065", ignorable & unassigned),
        ("U+FFF9..U+FFFB, interlinear annotation", {0xFFF9, 0xFFFA, 0xFFFB}),
        ("Noncharacter_Code_Point", rows("PropList.txt", "Noncharacter_Code_Point")),
        ("Co, private use", category("Co")),
        ("the rest of Cf: signs of Arabic, Syriac and Kaithi, joiners of hieroglyphs", category("Cf")),
        ("Zs, spaces, but U+0020", category("Zs") - {0x20}),
        ("Mn, Mc, Me: combining marks", category("Mn", "Mc", "Me")),
        ("Bidi_Class R and AL: letters of right-to-left scripts",
         {c for c, (_, bidi) in data.items() if bidi in ("R", "AL")}),
        ("Cn, unassigned", unassigned),
        ("all others: U+0020, letters with their homoglyphs, digits, punctuation, symbols", set(SCALARS)),
    ]
    seen = set()
    for name, members in every:
        yield name, sorted(members - seen)
        seen |= members


#------------------------------------------------------------------------------------------------------ ill-formed text


def strings(*ranges):
    """Each string of bytes whose bytes are in the ranges, (first, last) for each."""
    return [bytes(s) for s in itertools.product(*(range(first, last + 1) for first, last in ranges))]


def ill_formed():
    """The rows of the second table: each name with its strings."""
    tail = (0x80, 0xBF)
    whole = {chr(c).encode() for c in SCALARS if c >= 0x80}
    return [
        ("surrogates, as CESU-8 has them: `ED A0 80` to `ED BF BF`", strings((0xED, 0xED), (0xA0, 0xBF), tail)),
        ("overlong forms of two, three and four bytes",
         strings((0xC0, 0xC1), tail) + strings((0xE0, 0xE0), (0x80, 0x9F), tail) +
         strings((0xF0, 0xF0), (0x80, 0x8F), tail, tail)),
        ("beyond U+10FFFF: `F4 90 80 80` to `F4 BF BF BF`", strings((0xF4, 0xF4), (0x90, 0xBF), tail, tail)),
        ("bytes of no UTF-8: `C0`, `C1`, `F5` to `FF`", strings((0xC0, 0xC1)) + strings((0xF5, 0xFF))),
        ("truncated sequences", sorted({s[:n] for s in whole for n in range(1, len(s))})),
        ("`80` to `BF` where a character must begin", strings(tail)),
    ]


#-------------------------------------------------------------------------------------------------------------- the page

CHARACTERS = {  # the columns after the number of characters, and what escapes there
    "`escape_controls`": [["escape_controls"], ["control_escaper"]],
    "`printable`": [["printable"], ["escape_controls", "line_feed"]],
    "with `tab`, `backslash`, `quote`": [["printable", "tab", "backslash", "quote"]],
    "with `invisible`": [["printable", "invisible"], ["escape_controls", "line_feed", "invisible"]],
    "with `json`": [["printable", "json"], ["escape_controls", "json"]],
    "with both": [["printable", "invisible", "json"], ["escape_controls", "invisible", "json"]],
}
ILL_FORMED = {
    "`printable`": [["printable"]],
    "with `json`": [["printable", "json"]],
    "`escape_controls` and `escape`": [["escape_controls", "escape"], ["control_escaper", "escape"]],
    "and `replace`": [["escape_controls", "replace"], ["control_escaper", "replace"]],
}


def in_json(c):
    units = chr(c).encode("utf-16-be").hex().upper()
    return "".join("\\u" + units[i:i + 4] for i in range(0, len(units), 4))


SHOWN = {  # what a cell of the first table means for a code point
    "passes": chr,
    "`\\xHH`": lambda c: f"\\x{c:02X}",
    "`\\u{H}`": lambda c: f"\\u{{{c:04X}}}",
    "`\\uHHHH`": in_json,
    "`\\\\`": lambda c: "\\\\",
    '`\\"`': lambda c: '\\"',
}
REPAIRED = {  # what a cell of the second table means for a string
    "`\\xHH` for each byte": lambda s: "".join(f"\\x{b:02X}" for b in s),
    "U+FFFD for each byte": lambda s: "\uFFFD" * len(s),
    "one U+FFFD": lambda s: "\uFFFD",
}


def table(page, first_cell):
    """The header and the rows of the table with this first cell. A \\| in a cell is a vertical line."""
    lines = iter(page.splitlines())
    for line in lines:
        if line.startswith(f"| {first_cell} |"):
            break
    split = lambda row: [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
    body = itertools.takewhile(lambda row: row.startswith("|"), lines)
    return split(line), [split(row) for row in body][1:]


class checks:
    number, wrong = 0, 0

    @classmethod
    def check(cls, passed, what):
        cls.number += 1
        if not passed:
            cls.wrong += 1
            if cls.wrong <= 20:
                print(what)


check = checks.check


def escaped(program, arguments, texts):
    """What the program makes of each text."""
    joined = (SEPARATOR.encode()).join(texts)
    out = subprocess.run([program, *arguments], input=joined, stdout=subprocess.PIPE, check=True).stdout
    return out.decode().split(SEPARATOR)


def check_table(page, first_cell, columns, program, members_of_rows, meanings, as_bytes, counts):
    """Runs every member of every row through each column. Returns the outputs of each command, by its words."""
    header, found = table(page, first_cell)
    check(header[1:] == ["number", *columns], f"the columns of {first_cell} are {header[1:]}")
    check([row[0] for row in found] == [name for name, _ in members_of_rows],
          f"the rows of {first_cell} are {[row[0] for row in found]}")
    outputs = {}
    for place, commands in enumerate(columns.values()):
        for command in commands:
            every = [m for _, members in members_of_rows for m in members if m != ord(SEPARATOR)]
            outputs[" ".join(command)] = dict(zip(every, escaped(program, command, map(as_bytes, every)), strict=True))
            outputs[" ".join(command)][ord(SEPARATOR)] = SEPARATOR
        for row, (name, members) in zip(found, members_of_rows):
            meaning = meanings.get(row[2 + place])
            check(meaning is not None, f"{name}: {row[2 + place]} has no meaning")
            for command in commands if meaning else []:
                out = outputs[" ".join(command)]
                differs = [m for m in members if out[m] != meaning(m)]
                check(not differs, f"{name}: {command} makes of {len(differs)} such as {differs[:1]} "
                      f"{[out[m] for m in differs[:1]]}, and not {row[2 + place]}")
    for row, (name, members) in zip(found, members_of_rows):
        if counts:
            check(row[1] == f"{len(members):,}", f"{name}: the row has {len(members):,} members, and not {row[1]}")
    return outputs


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    program = sys.argv[2]
    here = re.search(r"PropList-(\d+)\.(\d+)", (FOLDER / "PropList.txt").read_text(encoding="utf-8"))
    named = re.search(r"Unicode (\d+)\.(\d+)", page)
    counts = tuple(map(int, here.groups())) >= tuple(map(int, named.groups()))
    if not counts:
        print(f"skipped: the numbers of characters, because {FOLDER} has Unicode {'.'.join(here.groups())}")

    every = list(classes(tuple(map(int, named.groups()))))
    check(sum(len(members) for _, members in every) == 0x110000 - 0x800, "the rows are not all scalar values")
    outputs = check_table(page, "characters", CHARACTERS, program, every, SHOWN, lambda c: chr(c).encode(), counts)
    wrong = ill_formed()
    repaired = check_table(page, "ill-formed bytes", ILL_FORMED, program, wrong, REPAIRED, bytes, True)

    # A second opinion about ill-formed text.
    for command, errors in (("printable json", "replace"), ("escape_controls replace", "replace")):
        check(all(repaired[command][s] == s.decode("utf-8", errors) for _, members in wrong for s in members),
              f"Python decodes otherwise than {command}")

    # The text below the tables, in its order.
    says = lambda text: check(text in " ".join(page.split()), f"the page does not say: {text}")
    one = lambda text, *command: subprocess.run([program, *command], input=text, stdout=subprocess.PIPE,
                                                check=True).stdout
    printed, safe = outputs["printable"], outputs["printable invisible"]
    for command in (["escape_controls"], ["control_escaper"]):
        check(one(b"\r\n\r\r\n", *command) == b"\r\n\\x0D\r\n", f"CR LF through {command}")
    check(one(b"\r\n", "printable") == b"\\x0D\\x0A", "CR LF through printable")

    windows = {bytes([b]): one(bytes([b]), "escape_controls", "windows1252").decode() for b in range(0x80, 0x100)}
    c1 = sorted(s for s, out in windows.items() if out.startswith("\\u{00"))
    names = [f"`{s.hex().upper()}`" for s in c1]
    says(f"the C1 controls that the policy `windows1252` makes of {', '.join(names[:-1])} and {names[-1]}")
    check(all(windows[s] == (f"\\u{{00{s.hex().upper()}}}" if s in c1 else s.decode("cp1252")) for s in windows),
          "windows-1252")

    ends = rows("LineBreak.txt", "(?:BK|CR|LF|NL)") | {c for c, (_, b) in assigned((99, 0)).items() if b == "B"}
    ends |= {c for c in SCALARS if len(f"a{chr(c)}b".splitlines()) != 1}
    check(len(ends) >= 10 and not any(chr(c) in printed[c] for c in ends), f"line ends pass: {sorted(ends)}")

    # Normalization and case.
    dangerous = {chr(c) for c in SCALARS if printed[c] != chr(c)}
    forms = ("NFC", "NFD", "NFKC", "NFKD")
    for c in SCALARS:
        if chr(c) in dangerous:
            continue
        others = {unicodedata.normalize(form, chr(c)) for form in forms}
        others |= {chr(c).lower(), chr(c).upper(), chr(c).casefold()}
        if not dangerous.isdisjoint("".join(others)):
            check(False, f"U+{c:04X} becomes a character that is escaped")
    compatible = [c for c in SCALARS if c > 0x7F and set('"\\') & set(unicodedata.normalize("NFKC", chr(c)))]
    says(f"{', '.join(f'U+{c:04X}' for c in compatible)} become `\"` or `\\`")
    marks = [chr(c) for c in SCALARS if unicodedata.category(chr(c))[0] == "M"]
    composing = {p for p in map(chr, range(0x20, 0x7F)) if not p.isalnum()
                 for mark in marks if len(unicodedata.normalize("NFC", p + mark)) == 1}
    says(f"composes it with {', '.join(f'`{p}`' for p in sorted(composing)[:-1])} or `{sorted(composing)[-1]}`")
    check(unicodedata.normalize("NFC", "=\u0338") == "\u2260", "NFC")

    spaces = [chr(c) for name, members in every if name.startswith("Zs") for c in members]
    check(all(f"a{s}b".split() == ["a", "b"] and printed[ord(s)] == s for s in spaces), "str.split() and spaces")

    # How much longer the text becomes.
    def growth(command):
        return max(len(out.encode()) / len(m if isinstance(m, bytes) else chr(m).encode())
                   for outputs_of in (outputs, repaired) for m, out in outputs_of.get(command, {}).items())
    says(f"at most {growth('printable tab backslash quote'):.0f} times as many bytes, in JSON "
         f"{growth('printable json'):.0f} times")
    check(growth("printable") == 4 and growth("printable invisible") == 4, "growth")

    # US-ASCII.
    text = SEPARATOR.join(chr(c) for c in SCALARS if c not in (0x0A, 0x0D)).encode()
    ascii_only = one(text, "ascii").split(SEPARATOR.encode())
    check(len(ascii_only) >= len(SCALARS) - 2 and all(re.fullmatch(rb"[\t\x20-\x7E]*", s) for s in ascii_only),
          "from_utf8(ascii) lets something pass")

    # A terminal that is not in the mode of UTF-8.
    check("\u00DB".encode() == b"\xC3\x9B" and printed[0xDB] == "\u00DB" and safe[0xDB] == "\u00DB", "U+00DB")

    print(f"{checks.number} cases, {checks.wrong} failed")
    return 1 if checks.wrong or checks.number < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
