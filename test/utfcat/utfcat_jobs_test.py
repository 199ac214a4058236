#!/usr/bin/env python3
"""utfcat_jobs_test.py SEQUENTIAL IN_PIECES [long]: utfcat --jobs N writes what utfcat writes: the same text, messages and
exit status, wherever its threads cut the file.

SEQUENTIAL is utfcat; IN_PIECES reads as many bytes at once as the environment variable UTFCAT_PIECE says.
"""
import contextlib
import gzip
import itertools
import os
import random
import sys

from utfcat_cases import OTHER as IN_PIECES, UTFCAT, check, content, run, run_tests, write

is_long = "long" in sys.argv[3:]
random.seed(7)

# Units of each encoding at which decoders decide: characters of each length, and what is ill-formed.
UTF8 = [b"a", b"\n", b"\xC3\xA9", b"\xE2\x82\xAC", b"\xF0\x9F\x98\x80", b"\x80", b"\xE2\x82", b"\xF0\x9F\x98", b"\xFF",
        b"\xED\xA0\x80", b"\xC0", b"\xEF\xBB\xBF", b"\0"]
CESU8 = UTF8 + [b"\xED\xA0\xBD\xED\xB8\x80", b"\xED\xB8\x80", b"\xED\xA0\xBD\xED\xB8", b"\xED\x9F\xBF", b"\xED"]
MUTF8 = CESU8 + [b"\xC0\x80"]
UNITS = [0x61, 0x0A, 0xE9, 0x20AC, 0xD83D, 0xDE00, 0xFEFF, 0x0A0A]
SAMPLES = {
    "utf-8": UTF8,
    "cesu-8": CESU8,
    "mutf-8": MUTF8,
    "utf-16le": [unit.to_bytes(2, "little") for unit in UNITS],
    "utf-16be": [unit.to_bytes(2, "big") for unit in UNITS],
    "utf-32le": [unit.to_bytes(4, "little") for unit in UNITS + [0x1F600, 0x110000]],
    "utf-32be": [unit.to_bytes(4, "big") for unit in UNITS + [0x1F600, 0x110000]],
    "windows-1252": [b"a", b"\n", b"\x80", b"\xFF"],
    "iso-8859-1": [b"a", b"\n", b"\x80", b"\xFF"],
    "iso-8859-11": [b"a", b"\n", b"\xA1", b"\xDB"],  # DB is unassigned
}
BYTE_ORDER_MARKS = {"utf-8": b"\xEF\xBB\xBF", "utf-16le": b"\xFF\xFE", "utf-16be": b"\xFE\xFF", "utf-32le": b"\xFF\xFE\0\0",
              "utf-32be": b"\0\0\xFE\xFF"}


def text_in(encoding, count):
    """A text with runs of one unit, which may be all continuation bytes or all surrogates."""
    units = SAMPLES[encoding]
    text = b""
    while count > 0:
        run = min(count, random.choice([1, 1, 1, 2, 3, 40]))
        text += random.choice(units) * run
        count -= run
    return text


def texts():
    """Pairs of an option --from and a text."""
    for encoding, units in SAMPLES.items():
        name = {"utf-16le": "utf-16", "utf-32be": "utf-32"}.get(encoding)
        for _ in range(60 if is_long else 6):
            text = text_in(encoding, random.choice([3, 20, 120]))
            if encoding in BYTE_ORDER_MARKS and random.random() < 0.5:
                text = BYTE_ORDER_MARKS[encoding] + text
                yield random.choice(["detect", encoding, name or "detect"]), text
            else:
                yield encoding, text + random.choice([b"", b"", b"\xD8", b"\xE2\x82"])
        for unit in units:
            yield encoding, unit * 100
            yield encoding, b"a" * 4 + unit * 90 + units[0]
    yield "utf-16be", b"\0a" * 10 + b"\xDE\0\0a\x20\xAC" * 20
    yield "detect", b""
    yield "detect", b"x"


TARGETS = ["utf-8", "utf-16", "utf-16le", "utf-32be", "iso-8859-1", "koi8-r", "cesu-8", "mutf-8"]
POLICIES = ["strict", "stop", "replace", "skip", "escape", "windows-1252"]
MARKS = ["automatic", "keep", "strip", "add", "require", "reject"]
FALLBACKS = [[], [], [], ["--fallback", "windows-1252"], ["--fallback", "guess", "--guess-bytes", "7"]]
REPORTS = [[], ["-s"], ["--summary"], ["-c"], ["-c", "--summary", "-s"], ["-q"], ["-q", "--summary"], ["-o", "out"], ["-p"]]


def some_options():
    options = ["-t", random.choice(TARGETS), "-e", random.choice(POLICIES), "-b", random.choice(MARKS)]
    if random.random() < 0.1:
        options = ["-e", "keep", "-t", "utf-8"]
    return options + random.choice(REPORTS) + random.choice(FALLBACKS)


def outcome(program, words, text, piece=0):
    """What the program says, and what it writes to the file `out`."""
    with contextlib.suppress(FileNotFoundError):
        os.remove("out")
    done = run(*words, text=text, program=program, environment={"UTFCAT_PIECE": str(piece)})
    return (*done, content("out") if os.path.exists("out") else None)


def compare(words, text=b"", pieces=(1, 2, 3, 5, 64, 100)):
    """Compares the two programs with some numbers of threads and some sizes of pieces."""
    wanted = outcome(UTFCAT, words, text)
    for jobs, piece in random.sample(list(itertools.product([0, 1, 2, 3, 7], pieces)), 4 if is_long else 2):
        files = {name: content(name)[:300] for name in words if os.path.isfile(name) and name != "out"}
        check((jobs, words, f"pieces of {piece} bytes", files), outcome(IN_PIECES, ["--jobs", str(jobs), *words], text, piece), wanted)


def test_all_that_a_thread_can_cut():
    # The first read decides the encoding and finds an error, whose repair has two bytes because the text is UTF-8.
    write(b"a\xE9b\xE2\x82\xACc", "in")
    compare(["-f", "detect", "-t", "iso-8859-1", "-e", "windows-1252", "--summary", "in"], pieces=(200,))
    # on_error::keep leaves bytes in the text that are not whole characters, also beside the errors of a summary.
    write(b"\xE2\x82\xAC\xED\xA0\x80" + b"a" * 40 + b"\xC0" + b"\x80" * 300, "in")
    for piece in (2, 5):
        compare(["-f", "utf-8", "-e", "keep", "--summary", "in"], pieces=(piece,))
    previous = b"first\n"
    for encoding, text in texts():
        write(text, "in")
        write(previous, "previous")
        previous = text
        options = ["-f", encoding] + some_options()
        compare(options + ["in"])
        kind = random.randrange(4)
        options = ["-f", encoding] + some_options()
        if kind == 0:
            compare(options + ["in", "missing", "previous", "in"])
        elif kind == 1:
            compare(options + ["-"], text)
        elif kind == 2:
            begin = random.randrange(len(text) + 1)
            compare(options + ["--range", f"{begin}-{random.randrange(begin, len(text) + 2)}", "in"])
        else:
            packed = gzip.compress(text)
            write(packed if random.random() < 0.7 else packed[:random.randrange(2, len(packed))], "in.gz")
            compare(options + ["-d", "in.gz", "in"])


run_tests(globals())
