#!/usr/bin/env python3
"""Counts how often guesses about damaged texts are right, and how often they are wrong without a word.

damage.py --quick GUESSES   utfilter alone, fewer texts: fails if a promise is broken; for the quick tests
damage.py --check GUESSES   all texts: fails if a promise is broken, or utfilter is worse than damage.txt says
damage.py --write GUESSES   all texts and detectors: writes damage.txt and the table of doc/guessing.md
damage.py --page            fails if the page is not that of damage.txt

GUESSES is the program of guesses.cpp. A guess is right if the text, before it was damaged, is what the encoding guessed
makes of its bytes. It is wrong without a word if it is not right, the damaged bytes have no error in the encoding
guessed, and the guess does not say that it is unsure: utfilter says "assumption" or "no text", the others no name.
The promises are about UTF-8, with a detector and without one: at least 95 % of the texts of each kind of damage are
right, and none is wrong without a word.
"""

import codecs
import collections
import hashlib
import pathlib
import random
import subprocess
import sys

import confusion
import corpora

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "doc" / "guessing.md"
RESULTS = HERE / "damage.txt"
SIZES = [256, 1024, 4096]
COUNT, QUICK_COUNT = 4, 1  # texts of each language, encoding and size
NEEDED = 95  # per cent
LOG = "a log"
ASSUMPTION = "5"  # the last enumerator of utfilter::evidence
UNITS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
KINDS = ["none", "a bit flipped", "a byte inserted", "a byte lost", "a unit lost", "cut at the start", "cut at the end",
         "a line in another encoding", "each 80th line cut", "zero bytes"]

Text = collections.namedtuple("Text", "language encoding kind data sample")


def cut_lines(text, encoding, unit):
    """Each 80th line, or the second of a short text, ends in the middle of a character."""
    lines = text.split("\n")
    step = 80 if len(lines) > 80 else max(2, len(lines) // 2)
    parts = []
    for number, line in enumerate(lines):
        part = line.encode(encoding)
        beyond = [i for i, c in enumerate(line) if ord(c) >= 0x80]
        if number % step == 1 and beyond:
            part = line[:beyond[-1] + 1].encode(encoding)[:-unit]
        parts.append(part)
    return "\n".encode(encoding).join(parts)


def damaged(sample, choose, other):
    """{kind: bytes}"""
    data, unit = sample.data, UNITS.get(sample.encoding, 1)
    place = choose.randrange(len(data))
    flipped = bytearray(data)
    flipped[place] ^= 1 << choose.randrange(8)
    whole = place // unit * unit
    line = data.find("\n".encode(sample.encoding), len(data) // 3)
    while line != -1 and line % unit:
        line = data.find("\n".encode(sample.encoding), line + 1)
    after_line = line + unit if line != -1 else whole
    first = next((i for i, byte in enumerate(data) if byte >= 0xC0), 0)
    kinds = {"a unit lost": data[:whole] + data[whole + unit:]} if unit != 1 else {}
    return kinds | {
        "none": data,
        "a bit flipped": bytes(flipped),
        "a byte inserted": data[:place] + bytes([choose.randrange(1, 256)]) + data[place:],
        "a byte lost": data[:place] + data[place + 1:],
        "cut at the start": data[first + 1:] if unit == 1 else data[unit:],
        "cut at the end": data[:-1],
        "a line in another encoding": data[:after_line] + other + data[after_line:],
        "each 80th line cut": cut_lines(sample.text, sample.encoding, unit),
        "zero bytes": data[:whole] + bytes(16 * unit) + data[whole:],
    }


def log():
    """The text of a log: nearly all of it is ASCII."""
    names = ["Bj\u00f6rn", "Jos\u00e9", "Zo\u00eb", "\u0141ukasz", "\u0410\u043d\u043d\u0430", "\u0395\u03bb\u03ad\u03bd\u03b7"]
    return "".join(f"2026-01-{n % 28 + 1:02} 10:{n % 60:02} INFO user {names[n // 7 % 6] if n % 7 == 0 else f'u{n}'} logged in\n"
                   for n in range(2000))


def all_texts(count):
    texts = []
    for language, (_, legacy) in [*corpora.LANGUAGES.items(), (LOG, (None, []))]:
        text = log() if language == LOG else corpora.text_of(language)
        for encoding in corpora.UNICODE + legacy:
            seed = hashlib.sha256(f"damage {language} {encoding}".encode()).digest()
            choose = random.Random(int.from_bytes(seed[:8], "little"))
            for size in SIZES:
                for data, decoded in corpora.samples(language, text, encoding, size, count):
                    sample = confusion.Sample(language, encoding, size, data, decoded)
                    stranger = "cp1252" if encoding != "cp1252" else "utf-8"
                    other = ("caf\u00e9 cr\u00e8me, " * 2 + "na\u00efve\n").encode(stranger)
                    for kind, bytes_ in damaged(sample, choose, other).items():
                        texts.append(Text(language, encoding, kind, bytes_, sample))
    return texts


def decodes(data, name):
    codec = confusion.codec_of(name)
    if codec is None:
        return False
    try:
        codecs.getincrementaldecoder(codec)("strict").decode(data, True)
    except (UnicodeError, ValueError):
        return False
    return True


def ask_utfilter(program, texts):
    given = b"".join(b"%d\n%s" % (len(t.data), t.data) for t in texts)
    answer = subprocess.run([program], input=given, stdout=subprocess.PIPE, check=True).stdout.decode()
    lines = [line.split("\t") for line in answer.splitlines()]
    return {"utfilter": ["" if why == ASSUMPTION or name == "detect" else name for name, why, *_ in lines]}


def counts_of(texts, answers):
    """{(group, kind): [texts, then right and silently wrong of each detector]}"""
    counts = {}
    asked = collections.Counter()
    for i, text in enumerate(texts):
        row = counts.setdefault((confusion.group_of(text.encoding), text.kind), [0] * (1 + 2 * len(answers)))
        row[0] += 1
        for column, names in enumerate(answers.values()):
            if names[i] is None:
                continue
            asked[confusion.group_of(text.encoding), text.kind, column] += 1
            if not names[i]:
                # An assumption may be right, too.
                right = column == 0 and confusion.is_right(text.sample, "windows-1252")
                row[1 + 2 * column] += right
            elif confusion.is_right(text.sample, names[i]):
                row[1 + 2 * column] += 1
            else:
                row[2 + 2 * column] += decodes(text.data, names[i])
    for (group, kind), row in counts.items():
        row[1:] = [confusion.scaled(n, row[0], asked[group, kind, i // 2]) for i, n in enumerate(row[1:])]
    return {(g, k): counts[g, k] for g in confusion.GROUPS for k in KINDS if (g, k) in counts}


def broken_promises(counts):
    broken = []
    for (group, kind), (texts, *row) in counts.items():
        right, wrong = row[0:2]
        if group == "UTF-8" and (100 * right < NEEDED * texts or wrong):
            broken.append(f"{group}, {kind}: of {texts} texts {right} are right, {wrong} are wrong without a word")
    return broken


def read_results():
    rows = [line.split("\t") for line in RESULTS.read_text().splitlines() if not line.startswith("#")]
    return {(row[0], row[1]): [int(n) for n in row[2:]] for row in rows[1:]}, rows[0][3:]


def table():
    results, names = read_results()
    detectors = names[::2]
    head = ["encoding", "damage", "texts"] + detectors
    rows = []
    for (group, kind), row in results.items():
        cells = [f"{confusion.per_cent(right, row[0])} / {confusion.per_cent(wrong, row[0])}"
                 for right, wrong in zip(row[1::2], row[2::2])]
        rows.append([group, kind, str(row[0])] + cells)
    return confusion.table(head, rows)


def page_with(page):
    begin, end = "<!-- damage -->\n", "<!-- end of damage -->\n"
    before, rest = page.split(begin)
    return before + begin + table() + end + rest.split(end)[1]


def main():
    mode = sys.argv[1]
    if mode == "--page":
        if PAGE.read_text() != page_with(PAGE.read_text()):
            sys.exit("damage.py: the page is not that of damage.txt: run test/guessing/run --write")
        return
    texts = all_texts(QUICK_COUNT if mode == "--quick" else COUNT)
    answers = ask_utfilter(sys.argv[2], texts)
    if mode == "--write":
        others = confusion.ask_all(sys.argv[2], texts)
        for who in confusion.DETECTORS[1:]:
            unsure = {"unknown", "binary", "unknown-8bit", "???", ""}
            answers[who] = ["" if name is not None and name.lower() in unsure else name for name in others[who]]
    counts = counts_of(texts, answers)
    if mode == "--write":
        names = "\t".join(f"{who}\t{who}, wrong" for who in answers)
        lines = ["# Damaged texts of each kind: how many there are; how many guesses of each detector are right, and wrong without a word.",
                 "# test/guessing/run --write writes this file.", "encoding\tdamage\ttexts\t" + names]
        lines += ["\t".join([group, kind] + [str(n) for n in row]) for (group, kind), row in counts.items()]
        RESULTS.write_text("\n".join(lines) + "\n")
        PAGE.write_text(page_with(PAGE.read_text()))
    broken = broken_promises(counts)
    if mode == "--check":
        recorded, _ = read_results()
        for key, row in counts.items():
            for i in (1, 3):
                if key in recorded and row[0] == recorded[key][0] and (row[i] < recorded[key][i] or row[i + 1] > recorded[key][i + 1]):
                    broken.append(f"{key[0]}, {key[1]}: {row[i:i + 2]} right and silently wrong, were {recorded[key][i:i + 2]}")
    print(f"{len(texts)} texts of {len({t.language for t in texts})} languages")
    if broken:
        sys.exit("\n".join(broken))


if __name__ == "__main__":
    main()
