#!/usr/bin/env python3
"""modified_utf8_test.py UTFCAT: utfcat reads and writes modified UTF-8 as Python does with the rules of Java's
specification: each unit of UTF-16 becomes one, two or three bytes, and U+0000 two.
"""
import random

from utfcat_cases import check, run, run_tests

random.seed(447)


def modified(text):
    units = text.encode("utf-16-be")
    units = [int.from_bytes(units[i:i + 2], "big") for i in range(0, len(units), 2)]
    return b"".join(chr(unit).encode("utf-8", "surrogatepass") if unit != 0 else b"\xC0\x80" for unit in units)


KINDS = ["\0", "\n", "a", "\x7F", "\x80", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFEFF", "\uFFFF", "\U00010000",
         "\U0001F600", "\U0010FFFF"]


def test_texts():
    for number in range(120):
        kinds = random.sample(KINDS, random.randint(1, len(KINDS)))
        longest = random.choice((1, 3, 50, 3000))
        text = "".join(random.choice(kinds) * random.randint(1, longest) for _ in range(random.randint(1, 60)))
        plain, java = text.encode(), modified(text)
        jobs = ["--jobs", "2"] if number % 3 == 0 else []
        check("decoded", run(*jobs, "-f", random.choice(("mutf-8", "modified-utf-8")), text=java)[1], plain)
        check("encoded", run(*jobs, "-f", "utf-8", "-t", "mutf-8", "-b", "keep", text=plain)[1], java)
        # With errors, each of the other tests has the bytes: here only that repaired text is well-formed, and comes back.
        wrong = bytearray(java)
        for _ in range(random.randint(1, 9)):
            wrong[random.randrange(len(wrong))] = random.choice((0, 0x41, 0x80, 0xC0, 0xC1, 0xED, 0xF0, 0xFF))
        repaired = run("-f", "mutf-8", "-e", "replace", text=bytes(wrong))[1]
        again = run("-f", "utf-8", "-t", "mutf-8", "-b", "keep", text=repaired)[1]
        check("repaired", again, modified(repaired.decode()))


def test_the_byte_00():
    check("a byte 00", run("-f", "mutf-8", text=b"a\0b")[2],
          "utfcat: -:1:2: byte 1: byte that no text contains: 00 (modified UTF-8 writes U+0000 as C0 80)\n")
    check("escaped", run("-f", "mutf-8", "-e", "escape", text=b"a\0\xC0\x80")[1], b"a\\x00\0")


run_tests(globals())
