#!/usr/bin/env python3
"""generate.py: writes the boundary corpus into its own folder, from the tables of the standards alone.
README.md describes the rows.

    generate.py           writes the files
    generate.py --check   writes nothing. Fails if a file differs from what would be written, or if Python's own
                          decoders (independent code) return something else although their rules are the same
"""
import argparse
import codecs
import itertools
import json
import pathlib
import sys

import legacy_encodings
from legacy_encodings import Item

# ------------------------------------------------------------------------------------------------------------- the standards

# The Unicode Standard, table 3-7: the range of each byte of a well-formed UTF-8 sequence.
TABLE_3_7 = [
    [(0x00, 0x7F)],
    [(0xC2, 0xDF), (0x80, 0xBF)],
    [(0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)],
    [(0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)],
    [(0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)],
]

# CESU-8 (Unicode Technical Report 26): each UTF-16 code unit is encoded as UTF-8 would encode a code point of that
# value. So surrogates are encoded, too, and no sequence has four bytes.
CESU_8 = [
    [(0x00, 0x7F)],
    [(0xC2, 0xDF), (0x80, 0xBF)],
    [(0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)],
    [(0xE1, 0xEF), (0x80, 0xBF), (0x80, 0xBF)],
]
CESU_8_LOW_SURROGATE = [(0xED, 0xED), (0xB0, 0xBF), (0x80, 0xBF)]

def agreeing(row, data):
    """How many bytes at the start of the data are in the row's ranges."""
    count = 0
    for (low, high), byte in zip(row, data):
        if not low <= byte <= high:
            break
        count += 1
    return count


def kind_of_lead(lead, cesu):
    """The kind of error of a byte that begins no character."""
    if lead < 0xC0:
        return "unexpected_continuation"
    if lead < 0xC2:
        return "overlong"
    if lead > 0xFD:
        return "unused_byte"
    return "forbidden_length" if lead > 0xF7 or (cesu and lead < 0xF5) else "out_of_range"


def kind_of_second(lead):
    """The kind of error of a lead byte before a continuation byte that this lead does not allow."""
    return {0xE0: "overlong", 0xF0: "overlong", 0xED: "surrogate", 0xF4: "out_of_range"}[lead]


def by_table(table, data):
    """The first item: a character, or the maximal subpart of an ill-formed subsequence (Unicode D93b). This is the
    longest start of a well-formed sequence, or else one byte."""
    longest = max(agreeing(row, data) for row in table)
    for row in table:
        if agreeing(row, data) == len(row):
            value = data[0] if len(row) == 1 else data[0] & 0x7F >> len(row)
            for byte in data[1:len(row)]:
                value = value << 6 | byte & 0x3F
            return Item(len(row), chr(value), None)
    if longest == 0:
        return Item(1, None, kind_of_lead(data[0], table is CESU_8))
    if longest == len(data):
        return Item(longest, None, "incomplete_at_end")
    of_second = longest == 1 and 0x80 <= data[1] <= 0xBF
    return Item(longest, None, kind_of_second(data[0]) if of_second else "truncated_sequence")


def is_high(unit):
    return 0xD800 <= unit <= 0xDBFF


def is_low(unit):
    return 0xDC00 <= unit <= 0xDFFF


def paired(high, low):
    return 0x10000 + (high - 0xD800 << 10) + (low - 0xDC00)


def next_utf_8(data):
    return by_table(TABLE_3_7, data)


def next_cesu_8(data):
    item = by_table(CESU_8, data)
    if item.kind or not (is_high(ord(item.text)) or is_low(ord(item.text))):
        return item
    if is_low(ord(item.text)):
        return Item(3, None, "unpaired_low_surrogate")
    rest = data[3:]
    of_low = agreeing(CESU_8_LOW_SURROGATE, rest)
    if of_low == 3:
        return Item(6, chr(paired(ord(item.text), ord(by_table(CESU_8, rest).text))), None)
    return Item(3 + of_low, None, "incomplete_at_end") if of_low == len(rest) else Item(3, None, "unpaired_high_surrogate")


def next_utf_16(order):
    """Unicode D91 and D98; RFC 2781."""
    def following(data):
        if len(data) < 2:
            return Item(len(data), None, "incomplete_at_end")
        unit = int.from_bytes(data[:2], order)
        if is_low(unit):
            return Item(2, None, "unpaired_low_surrogate")
        if not is_high(unit):
            return Item(2, chr(unit), None)
        if len(data) < 4:
            return Item(len(data), None, "incomplete_at_end")
        low = int.from_bytes(data[2:4], order)
        return Item(4, chr(paired(unit, low)), None) if is_low(low) else Item(2, None, "unpaired_high_surrogate")
    return following


def next_utf_32(order):
    """Unicode D90 and D101."""
    def following(data):
        if len(data) < 4:
            return Item(len(data), None, "incomplete_at_end")
        unit = int.from_bytes(data[:4], order)
        if unit > 0x10FFFF:
            return Item(4, None, "out_of_range")
        return Item(4, None, "surrogate") if 0xD800 <= unit <= 0xDFFF else Item(4, chr(unit), None)
    return following


NEXT = {
    "utf-8": next_utf_8,
    "utf-16le": next_utf_16("little"),
    "utf-16be": next_utf_16("big"),
    "utf-32le": next_utf_32("little"),
    "utf-32be": next_utf_32("big"),
    "cesu-8": next_cesu_8,
    **legacy_encodings.NEXT,
}

# The signatures that each encoding looks for, the longest first, and the encoding that each signature decides.
UTF_8_MARK, LE, BE, LE_32, BE_32 = b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"
SIGNATURES = {
    "utf-8": [(UTF_8_MARK, "utf-8")],
    "utf-16le": [(LE, "utf-16le")],
    "utf-16be": [(BE, "utf-16be")],
    "utf-32le": [(LE_32, "utf-32le")],
    "utf-32be": [(BE_32, "utf-32be")],
    "utf-16": [(BE, "utf-16be"), (LE, "utf-16le")],
    "utf-32": [(BE_32, "utf-32be"), (LE_32, "utf-32le")],
    "detect": [(LE_32, "utf-32le"), (BE_32, "utf-32be"), (UTF_8_MARK, "utf-8"), (LE, "utf-16le"), (BE, "utf-16be")],
}
WITHOUT_SIGNATURE = {"utf-16": "utf-16be", "utf-32": "utf-32be", "detect": "utf-8"}

REPLACEMENT = "\uFFFD".encode()


def decoded(encoding, signature, data):
    """The output with U+FFFD for each ill-formed subsequence, and the errors."""
    offset, line, column, output, errors = 0, 1, 1, b"", []
    source = WITHOUT_SIGNATURE.get(encoding, encoding)
    # In UTF-8 an initial U+FEFF is a signature even if it is kept. In encodings with a fixed byte order one that is
    # kept is a character.
    if signature == "strip" or encoding == "utf-8":
        for mark, decided in SIGNATURES.get(encoding, []):
            if data.startswith(mark):
                offset, source = len(mark), decided
                output = mark if signature == "keep" else b""
                break
    while offset < len(data):
        item = NEXT[source](data[offset:])
        if item.kind:
            errors.append({"offset": offset, "size": item.size, "line": line, "column": column, "kind": item.kind,
                           "output_offset": len(output)})
            output += REPLACEMENT
        else:
            output += item.text.encode()
        offset += item.size
        column += len(item.text or REPLACEMENT.decode())
        if item.text == "\n":
            line, column = line + 1, 1
    return output, errors


# --------------------------------------------------------------------------------------------------------- Python's own decoders

# The decoders that follow the same rules. Python's utf-16 and utf-32 do not: without a signature they use the byte
# order of the machine.
PYTHON = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be"}


def python_says(codec, data):
    """The output with U+FFFD, and offset and size of each error."""
    places = []

    def note(error):
        places.append((error.start, error.end - error.start))
        return "\uFFFD", error.end

    codecs.register_error("boundaries.note", note)
    return data.decode(codec, "boundaries.note").encode(), places


def python_agrees(row, codec):
    """Whether Python's decoder gives the output, the offsets and the sizes that the row expects."""
    output, places = python_says(codec, hexed(row["input"]))
    return output.hex() == row["output"] and places == [(error["offset"], error["size"]) for error in row["errors"]]


def sources_of(row):
    """The names of the independent sources that agree with a row of a legacy encoding."""
    name = row["from"]
    codec = legacy_encodings.PYTHON.get(name, name)
    return legacy_encodings.standards_of(row["id"], name) + ([f"Python {codec}"] if python_agrees(row, codec) else [])


# -------------------------------------------------------------------------------------------------------------------- the rows

LONGEST_OF_EVERY = 9  # bytes: 256 ways to cut


def some_cuts(size, around):
    """The cuts of longer input: one piece; single bytes; two pieces, cut near each offset in `around`; four
    pieces, of which the second is empty."""
    cuts = [[size], [1] * size]
    places = sorted({place + by for place in around for by in range(-4, 5) if 0 < place + by < size})
    cuts += [[place, size - place] for place in places]
    cuts += [[place, 0, 1, size - place - 1] for place in places[::3] if place + 1 < size]
    return cuts


class Corpus:
    """The rows of one file. The same input with the same encoding and signature is added only once."""

    def __init__(self):
        self.rows, self.seen = [], set()

    def add(self, group, encoding, data, rule, signature="keep", around=None):
        data = bytes(data)
        if (encoding, signature, data) in self.seen:
            return
        self.seen.add((encoding, signature, data))
        output, errors = decoded(encoding, signature, data)
        number = sum(row["id"].startswith(f"{encoding}/{group}/") for row in self.rows) + 1
        cuts = "every"
        if len(data) > LONGEST_OF_EVERY:
            cuts = some_cuts(len(data), around or [error["offset"] for error in errors] or [len(data) // 2])
        self.rows.append({"id": f"{encoding}/{group}/{number}", "from": encoding, "signature": signature, "input": data.hex(),
                          "cuts": cuts, "output": output.hex(), "errors": errors, "rule": rule})
        if encoding in legacy_encodings.NEXT:
            self.rows[-1]["sources"] = sources_of(self.rows[-1])
        if encoding in legacy_encodings.MULTI_BYTE and errors:
            others = legacy_encodings.readings(encoding, data) - {output.decode()}
            self.rows[-1]["other_sizes"] = sorted({text.encode().hex() for text in others})

    def text(self):
        return "".join(json.dumps(row) + "\n" for row in self.rows)


def hexed(text):
    return bytes.fromhex(text)


def lowest(row):
    return bytes(low for low, high in row)


def highest(row):
    return bytes(high for low, high in row)


E_ACUTE, EURO, SMILE = "\u00E9".encode(), "\u20AC".encode(), "\U0001F600".encode()


def utf_8():
    corpus, name = Corpus(), "utf-8"

    corpus.add("well-formed", name, b"", "nothing is well-formed")
    for number, row in enumerate(TABLE_3_7, 1):
        for which, data in (("first", lowest(row)), ("last", highest(row))):
            corpus.add("well-formed", name, data, f"Unicode table 3-7, row {number}: the {which} sequence")
    for value, what in ((0x0000, "NUL"), (0x0085, "NEL"), (0x2028, "line separator: it ends no line here"), (0xE000, "private use"),
                        (0xFDD0, "noncharacter"), (0xFFFD, "U+FFFD itself is no error"), (0xFFFE, "noncharacter"),
                        (0x1FFFF, "noncharacter"), (0x10FFFE, "noncharacter")):
        corpus.add("well-formed", name, chr(value).encode(), f"Unicode D92: {what}")
    for data in (b"<" + E_ACUTE + b">", EURO + SMILE, E_ACUTE + EURO + b"a", SMILE + E_ACUTE + b"\r\n"):
        corpus.add("well-formed", name, data, "Unicode D92: characters of several lengths")

    for number, row in enumerate(TABLE_3_7, 1):
        for base in (lowest(row), highest(row)):
            for place in range(1, len(row)):
                low, high = row[place]
                for byte, where in ((low - 1, "below"), (low, "the first of"), (high, "the last of"), (high + 1, "above")):
                    data = base[:place] + bytes([byte]) + base[place + 1:] + b">"
                    corpus.add("boundary", name, data, f"Unicode table 3-7, row {number}: byte {place + 1} is {where} its range")

    # The lengths are those of RFC 2279 section 2. RFC 2279 does not use FE and FF: here FE continues the pattern, and
    # FF stands alone.
    lengths = {0xC0: 2, 0xC1: 2, 0xF5: 4, 0xF7: 4, 0xF8: 5, 0xFB: 5, 0xFC: 6, 0xFD: 6, 0xFE: 7, 0xFF: 1}
    for lead, length in lengths.items():
        rule = f"RFC 3629 section 1: {lead:02X} never appears"
        for tail in (0x80, 0xBF):
            corpus.add("no-lead", name, bytes([lead] + [tail] * (length - 1)) + b">", rule)
        corpus.add("no-lead", name, b"<" + bytes([lead]) + b">", rule)
        corpus.add("no-lead", name, bytes([lead]), rule + ", at the end")
    for text, what in (("c080", "NUL"), ("c1bf", "U+007F"), ("e08080", "NUL"), ("e09fbf", "U+07FF"), ("f0808080", "NUL"),
                       ("f08fbfbf", "U+FFFF"), ("c0af", "the slash"), ("e080af", "the slash"), ("f08080af", "the slash"),
                       ("f880808080", "NUL"), ("fc8080808080", "NUL")):
        corpus.add("overlong", name, hexed(text) + b">", f"RFC 3629 section 3: {what} in too many bytes")
    for text, what in (("eda080", "U+D800"), ("edafbf", "U+DBFF"), ("edb080", "U+DC00"), ("edbfbf", "U+DFFF"),
                       ("eda080edb080", "a pair"), ("edafbfedbfbf", "a pair")):
        corpus.add("surrogate", name, hexed(text) + b">", f"RFC 3629 section 3: {what} is no character of UTF-8")

    for tail in (0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF):
        corpus.add("continuation", name, b"<" + bytes([tail]) + b">", "Unicode D93b: a continuation byte begins nothing")
    for count in range(1, 6):
        corpus.add("continuation", name, b"\x80" * count, "Unicode D93b: each continuation byte is a maximal subpart of its own")
    for character in (b"a", E_ACUTE, EURO, SMILE):
        corpus.add("continuation", name, character + b"\xBFb", "Unicode D93b: one continuation byte too many")

    starts = sorted({base[:size] for row in TABLE_3_7 for base in (lowest(row), highest(row)) for size in range(1, len(row))})
    for start in starts:
        corpus.add("truncated-end", name, start, "Unicode D93b: the input ends inside a sequence")
        corpus.add("truncated-end", name, EURO + start, "Unicode D93b: the input ends inside a sequence, after a whole one")
    for start in starts:
        rule = "Unicode D93b: a sequence is cut short by a byte that is looked at again: "
        for after, what in ((b">", "ASCII"), (b"\n>", "a line feed"), (E_ACUTE, "another lead"), (SMILE, "another lead"),
                            (b"\xFFa", "a byte that never appears"), (start, "the same start, which the end cuts short")):
            corpus.add("cut-short", name, start + after, rule + what)
    corpus.add("cut-short", name, hexed("3c22c2223e"), "Unicode D93b: a lead byte takes no quote with it")

    for data, table in (("c0afe080bff0818241", "3-8"), ("eda080edbfbfedaf41", "3-9"), ("f4919293ff4180bf42", "3-10"),
                        ("e180e2f09192f1bf41", "3-11")):
        corpus.add("standard", name, hexed(data), f"Unicode table {table}", around=range(1, 9))
    corpus.add("standard", name, hexed("61f18080e180c262806380bf64"), "Unicode 6.0, table 3-8", around=(1, 4, 6, 7))
    for text in ("41e289a2ce912e", "ed959ceab5adec96b4", "e697a5e69cace8aa9e", "efbbbff0a38eb4"):
        corpus.add("standard", name, hexed(text), "RFC 3629 section 7, an example")

    for signature in ("keep", "strip"):
        rule = f"RFC 3629 section 6: the signature ({signature})"
        for data in (UTF_8_MARK, UTF_8_MARK + b"a", UTF_8_MARK + UTF_8_MARK, UTF_8_MARK + b"\xFF", UTF_8_MARK + b"\n\xFF",
                     UTF_8_MARK + b"\xC3"):
            corpus.add("signature", name, data, rule, signature)
        rule = f"RFC 3629 section 6: no signature, since it is not at the start ({signature})"
        for data in (b"a" + UTF_8_MARK, b"\xFF" + UTF_8_MARK, b"\n" + UTF_8_MARK + b"\xFF"):
            corpus.add("signature", name, data, rule, signature)
        rule = f"Unicode D93b: the start of a signature is text like any other ({signature})"
        for text in ("", "61", "ef", "efbb", "ef61", "efbb61", "efbbbe", "efbbc0", "efbfbe", "efbfbf", "efef", "efbbef",
                     "efbbefbbbf", "efefbbbf", "eebbbf", "fffe", "feff"):
            corpus.add("signature", name, hexed(text), rule, signature)

    rule = "lines end with U+000A alone; a carriage return, U+0085 and U+2028 are characters"
    for data in (b"a\n\xFF", b"a\r\n\xFF", b"\n\n\xFF", b"\r\r\xFF", b"\xFF\n\xFF", b"\xE2\n\xE2",
                 E_ACUTE + b"\n" + SMILE + b"\x80", "\u0085".encode() + b"\xFF", "\u2028".encode() + b"\xFF",
                 b"\xC3\r\n\x80", b"\n\xF0\x9F\n"):
        corpus.add("lines", name, data, rule)

    for seam in (16, 32, 64, 128):
        for before, what, data in itertools.product(range(1, 4), ("whole", "cut short"), (EURO, SMILE)):
            if before < len(data):
                there = data if what == "whole" else data[:-1]
                text = b"a" * (seam - before) + there + b"b" * 3
                corpus.add("seam", name, text, f"a sequence across offset {seam}, where blocks of many decoders end: {what}",
                           around=[seam])
    for count in (16, 32, 64):
        corpus.add("seam", name, b"a" * (count - 1) + b"\xE2", f"a lead byte is the last of {count}", around=[count - 1])
    corpus.add("seam", name, EURO * 11 + b"\xE2\x82", "a long text, cut at its end", around=[33])
    return corpus


def utf_16(name, order):
    corpus = Corpus()

    def add(group, units, rule, odd=b"", signature="keep", around=None):
        corpus.add(group, name, b"".join(unit.to_bytes(2, order) for unit in units) + odd, rule, signature, around)

    high, low = (0xD800, 0xDBFF), (0xDC00, 0xDFFF)
    add("well-formed", [], "nothing is well-formed")
    for unit in (0x0000, 0x000A, 0x0041, 0x00D8, 0x0A00, 0x0A41, 0x0D0A, 0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF):
        add("well-formed", [unit], "Unicode D91: a unit that is no surrogate is a character")
    for pair in itertools.product(high, low):
        add("well-formed", pair, "Unicode D91: a surrogate pair at the limits")
        add("well-formed", [0x41, *pair, 0x3E], "Unicode D91: a surrogate pair between characters")
    add("well-formed", [0xD8DC, 0xDCD8], "Unicode D91: a surrogate pair in which the bytes look swapped")
    for unit in (*high, *low):
        add("unpaired", [unit, 0x3E], "Unicode D91: a surrogate without its other half; the next unit is whole")
        add("unpaired", [0x41, unit, 0x0A, unit], "Unicode D91: a surrogate without its other half, in two lines")
    for pair in itertools.product((*high, *low, 0xD7FF, 0xE000, 0x0041, 0x000A), repeat=2):
        add("pairs", pair, "Unicode D91: each two units of those at the limits")
    for three in itertools.product((0xD83D, 0xDE00, 0x0041), repeat=3):
        add("triples", three, "Unicode D91: a high surrogate, a low one and a letter in each order")
    for unit in (*high, *low):
        add("truncated-end", [unit], "the input ends with a surrogate")
        add("truncated-end", [0x41, unit], "the input ends with a surrogate")
        for odd in (b"\x00", b"\x3E", b"\xD8", b"\xDC"):
            add("truncated-end", [unit], "the input ends with a surrogate and one byte of the next unit", odd)
    for odd in (b"\x00", b"\x0A", b"\x41", b"\xD8", b"\xDC", b"\xFE", b"\xFF"):
        add("truncated-end", [], "the input ends inside a code unit", odd)
        add("truncated-end", [0x41], "the input ends inside a code unit", odd)
    add("truncated-end", [0xD83D, 0xDE00], "the input ends inside a code unit, after a pair", b"\x41")
    for signature in ("keep", "strip"):
        for units in ([0xFEFF], [0xFEFF, 0x41], [0xFEFF, 0xFEFF], [0xFEFF, 0xD800, 0x41]):
            rule = {"keep": "Unicode D98: the label fixes the order, an initial U+FEFF is a character",
                    "strip": "an initial U+FEFF is taken off"}[signature]
            add("signature", units, rule, signature=signature)
        for units in ([0xFFFE], [0xFFFE, 0x4100], [0x41, 0xFEFF], [0xD800, 0xFEFF], [0x0A, 0xFEFF, 0xDC00]):
            add("signature", units, f"no signature: of the other order, or not at the start ({signature})", signature=signature)
        for odd in (b"", b"\xFE", b"\xFF"):
            add("signature", [], f"no whole signature ({signature})", odd, signature)
    for seam in (16, 32, 64):
        add("seam", [0x61] * (seam // 2 - 1) + [0xD83D, 0xDE00, 0x62], f"a pair across offset {seam}", around=[seam])
        add("seam", [0x61] * (seam // 2 - 1) + [0xD83D, 0x62, 0x62], f"a high surrogate alone before offset {seam}", around=[seam])
        add("seam", [0x61] * (seam // 2 - 1) + [0xD83D], f"a high surrogate at the end, at offset {seam}", around=[seam])
        add("seam", [0x61] * (seam // 2 - 1), f"an odd byte at the end, at offset {seam}", b"\x61", around=[seam - 2])
    return corpus


def utf_32(name, order):
    corpus = Corpus()

    def add(group, units, rule, odd=b"", signature="keep"):
        corpus.add(group, name, b"".join(unit.to_bytes(4, order) for unit in units) + odd, rule, signature)

    add("well-formed", [], "nothing is well-formed")
    for unit in (0x0, 0xA, 0x41, 0x0A00, 0xD7FF, 0xE000, 0xFFFE, 0xFFFF, 0x10000, 0xA0A0A, 0x10FFFF):
        add("well-formed", [unit], "Unicode D90: a scalar value")
    add("well-formed", [0x1F600, 0xE9], "Unicode D90: two scalar values")
    for unit in (0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0x1FFFFF, 0x01000000, 0x0A000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        rule = "Unicode D90: " + ("a surrogate is no scalar value" if unit < 0x10000 else "beyond the last scalar value")
        add("ill-formed", [unit], rule)
        add("ill-formed", [unit, 0x3E], rule)
        add("ill-formed", [0x0A, unit], rule)
    add("ill-formed", [0xD800, 0xDC00], "Unicode D90: a pair of surrogates is none in UTF-32")
    for unit in (0x41, 0x0A0A0A0A, 0xD800, 0x10FFFF, 0xFFFFFFFF):
        for size in (1, 2, 3):
            odd = unit.to_bytes(4, order)[:size]
            add("truncated-end", [], "the input ends inside a code unit", odd)
            add("truncated-end", [0x41], "the input ends inside a code unit", odd)
    for signature in ("keep", "strip"):
        for units in ([0xFEFF], [0xFEFF, 0x41], [0xFEFF, 0xFEFF], [0xFEFF, 0xD800]):
            rule = {"keep": "Unicode D101: the label fixes the order, an initial U+FEFF is a character",
                    "strip": "an initial U+FEFF is taken off"}[signature]
            add("signature", units, rule, signature=signature)
        for units in ([0xFFFE0000], [0x41, 0xFEFF], [0xD800, 0xFEFF]):
            add("signature", units, f"no signature: of the other order, or not at the start ({signature})", signature=signature)
        for size in range(4):
            add("signature", [], f"no whole signature ({signature})", 0xFEFF.to_bytes(4, order)[:size], signature)
    return corpus


def cesu_8():
    corpus, name = Corpus(), "cesu-8"

    def encoded(*units):
        return b"".join(chr(unit).encode("utf-8", "surrogatepass") for unit in units)

    corpus.add("well-formed", name, b"", "nothing is well-formed")
    for unit in (0x00, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFEFF, 0xFFFF):
        corpus.add("well-formed", name, encoded(unit), "UTR 26: the Basic Multilingual Plane is as in UTF-8")
    for units in ((0xD800, 0xDC00), (0xDBFF, 0xDFFF), (0xD83D, 0xDE00)):
        rule = "UTR 26: a character beyond it is six bytes, a pair of surrogates"
        corpus.add("well-formed", name, encoded(*units), rule)
        corpus.add("well-formed", name, b"<" + encoded(*units) + b">", rule)
    for unit in (0xD800, 0xDBFF, 0xDC00, 0xDFFF):
        corpus.add("unpaired", name, encoded(unit) + b">", "UTR 26: a surrogate without its other half")
        corpus.add("unpaired", name, b"\n" + encoded(unit, 0xE9), "UTR 26: a surrogate without its other half")
    for units in ((0xDC00, 0xD800), (0xD800, 0xD800, 0xDC00), (0xD800, 0xDC00, 0xDC00), (0xD800, 0xDBFF), (0xD800, 0xE000),
                  (0xD800, 0xD7FF)):
        corpus.add("unpaired", name, encoded(*units) + b">", "UTR 26: surrogates in another order than high, low", around=(3, 6))
    for tail in ("ed", "edb0", "edaf", "ed9f", "80", "c3", "ed41", "edb041"):
        corpus.add("unpaired", name, encoded(0xD800) + hexed(tail) + b">", "UTR 26: a high surrogate, then something else")
    for size in range(1, 6):
        corpus.add("truncated-end", name, encoded(0xD83D, 0xDE00)[:size], "UTR 26: the input ends inside a pair")
        corpus.add("truncated-end", name, b"\na" + encoded(0xD83D, 0xDE00)[:size], "UTR 26: the input ends inside a pair")
    for size in (1, 2):
        corpus.add("truncated-end", name, EURO[:size], "the input ends inside a sequence")
        corpus.add("cut-short", name, EURO[:size] + b">", "a sequence is cut short")
    for text in ("c0af", "c1bf", "e08080", "e09fbf", "80", "bf", "c3c3a9"):
        corpus.add("ill-formed", name, hexed(text) + b">", "UTR 26: as in UTF-8")
    for text in ("f09f9880", "f0908080", "f48fbfbf"):
        corpus.add("ill-formed", name, hexed(text) + b">", "UTR 26: four bytes are UTF-8, not CESU-8")
    for text in ("f5808080", "f880808080", "ff", "fe"):
        corpus.add("ill-formed", name, hexed(text) + b">", "UTR 26: bytes that never appear")
    return corpus


def single_bytes():
    corpus = Corpus()
    for name, characters in legacy_encodings.SINGLE_BYTE.items():
        if name in legacy_encodings.RARE:
            continue
        corpus.add("bytes", name.lower(), b"", "nothing is well-formed")
        for group, data, rule, around in legacy_encodings.single_byte_inputs(name, characters):
            corpus.add(group, name.lower(), data, rule, around=around)
    for name in ("iso-8859-1", "windows-1252"):
        for data in (b"\x00", b"a\xFF", b"\xFE\xFF", b"\xFF\xFE\x41", b"\xEF\xBB\xBFa", b"\xE9\r\n\xA0"):
            corpus.add("bytes", name, data, "a signature, or what looks like UTF-8, is text like any other")
    return corpus


def multi_byte(name):
    corpus = Corpus()
    corpus.add("ascii", name, b"", "nothing is well-formed")
    for group, data, rule in legacy_encodings.multi_byte_inputs(name):
        corpus.add(group, name, data, f"WHATWG, {name} decoder: {rule}")
    return corpus


def detect():
    corpus = Corpus()
    rule = "Unicode D98, RFC 2781 section 4.3: a signature decides the byte order and is no text; without one big-endian"
    for text in ("", "feff", "fffe", "feff0041", "fffe4100", "0041", "4100", "feffd83dde00", "fffe3dd800de", "fffefffe", "fefffeff",
                 "fefffffe", "fffed83d", "feffd83d", "fffe3dd8", "fffe3dd841", "ff", "fe", "00", "fffe41", "feff00", "d83dfeff",
                 "d83d", "fffe0a0000dc", "ff41", "fe41", "fffe0000"):
        corpus.add("signature", "utf-16", hexed(text), rule, "strip")
    rule = "Unicode D101: a signature decides the byte order and is no text; without one big-endian"
    for text in ("", "0000feff", "fffe0000", "0000feff00000041", "fffe000041000000", "00000041", "41000000", "fffe0000fffe0000",
                 "fffe000000d80000", "0000feff0000d800", "fffe000041", "0000feff00", "ff", "fffe", "fffe00", "0000fe", "00",
                 "fffe0041", "0000fe41", "0000fffe"):
        corpus.add("signature", "utf-32", hexed(text), rule, "strip")
    rule = "Unicode section 23.8: a signature decides; without one, UTF-8. The bytes of half a signature are text"
    for text in ("", "efbbbf", "efbbbf61", "fffe4100", "feff0041", "fffe000041000000", "0000feff00000041", "61", "c3a9", "ef",
                 "efbb", "efbb61", "efbb80", "efbbbfefbbbf", "efbbbfff", "fe", "ff", "fe61", "ff61", "feff", "fffe", "fffe00",
                 "fffe0000", "fffe0061", "fffe61", "00", "0000", "0000fe", "0000feff", "000061", "0000fe61", "0000feff61", "0061",
                 "efbfbd", "fffe3dd800de", "feffd83d", "fffe3dd8", "fefffffe", "fffefffe", "0afffe", "61efbbbf", "fffe0a0000d8",
                 "efc3a9"):
        corpus.add("signature", "detect", hexed(text), rule, "strip")
    return corpus


FILES = {
    "utf-8": utf_8,
    "utf-16le": lambda: utf_16("utf-16le", "little"),
    "utf-16be": lambda: utf_16("utf-16be", "big"),
    "utf-32le": lambda: utf_32("utf-32le", "little"),
    "utf-32be": lambda: utf_32("utf-32be", "big"),
    "cesu-8": cesu_8,
    "single-bytes": single_bytes,
    **{name: lambda name=name: multi_byte(name) for name in legacy_encodings.MULTI_BYTE},
    "signatures": detect,
}

def complaint_of_python(row):
    """The different result of Python's decoder. None if the two agree, "" if their rules are not the same."""
    codec, data = PYTHON.get(row["from"]), hexed(row["input"])
    if codec is None:
        return ""
    if row["signature"] == "strip":
        if row["from"] != "utf-8":
            return ""
        codec = "utf-8-sig"
        if data.startswith(UTF_8_MARK):
            return None if data[3:].decode("utf-8", "replace").encode().hex() == row["output"] else "another output"
    output, places = python_says(codec, data)
    ours = [(error["offset"], error["size"]) for error in row["errors"]]
    if output.hex() != row["output"] or places != ours:
        return f"{output.hex()} {places}, not {row['output']} {ours}"
    return None


def check(here):
    failures = cases = compared = 0
    for name, make in FILES.items():
        corpus = make()
        path = here / f"{name}.jsonl"
        if not path.exists() or path.read_text() != corpus.text():
            failures += 1
            print(f"{path.name} is not what generate.py writes")
        for row in corpus.rows:
            cases += 1
            complaint = complaint_of_python(row)
            compared += complaint != ""
            if complaint:
                failures += 1
                print(f"{row['id']}: Python gives {complaint}")
    print(f"boundary corpus: {cases} cases, {failures} failed; {compared} compared with Python's decoders")
    return failures == 0


def main():
    parser = argparse.ArgumentParser(description="Writes the boundary corpus, or checks it.")
    parser.add_argument("--check", action="store_true")
    here = pathlib.Path(__file__).resolve().parent
    if parser.parse_args().check:
        sys.exit(not check(here))
    for name, make in FILES.items():
        (here / f"{name}.jsonl").write_text(make().text())


if __name__ == "__main__":
    main()
