"""support.py: what the tests of examples/cluster share: texts, the errors that Python alone finds in them, and counting."""
import csv
import os
import pathlib
import random
import subprocess
import sys

CASES = {"passed": 0, "failed": 0}


def check(passed, *what):
    """Counts a case. A case that failed is printed."""
    CASES["passed" if passed else "failed"] += 1
    if not passed:
        print("FAILED:", *what, flush=True)


def equal(got, wanted, what):
    check(got == wanted, f"{what}: {str(got)[:600]!r} instead of {str(wanted)[:600]!r}")


def failure(call):
    """The exception that the call raises, or None."""
    try:
        call()
    except Exception as why:  # pylint: disable=broad-except
        return why
    return None


def finish():
    print(f"{pathlib.Path(sys.argv[0]).name}: {sum(CASES.values())} cases, {CASES['failed']} failed", flush=True)
    sys.exit(CASES["failed"] != 0)


def utfcat(*arguments):
    """Runs one utfcat on a whole file, and returns (standard output, standard error, exit status)."""
    ran = subprocess.run(["utfcat", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return ran.stdout, ran.stderr, ran.returncode


def write_csv(path, size, encoding="utf-16-le", end="\r\n"):
    """Writes a CSV file of about `size` bytes, with a byte order mark and characters of one to four bytes of UTF-8.

    In UTF-16LE the last name has the bytes 0A 00, but no line feed."""
    rows = random.Random(7)
    names = ["Ana", "Zoë", "Łukasz", "Ольга", "大野", "🙂 Kim", 'a "quoted", name', "", "\u0a05\u4e00"]
    with open(path, "w", encoding=encoding, newline="") as file:
        file.write("\ufeff")
        out = csv.writer(file, lineterminator=end)
        out.writerow(["id", "cents", "name"])
        number, chunk = 0, 2000
        while os.path.getsize(path) < size:
            out.writerows((number + i, rows.randrange(-9999, 9999), rows.choice(names)) for i in range(chunk))
            number += chunk
            file.flush()


def totals_of_csv(path, encoding="utf-16"):
    """(rows, sum of id, sum of cents, rows with a name, characters of all names), by Python's csv alone."""
    with open(path, encoding=encoding, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        count = ids = cents = named = characters = 0
        for number, amount, name in rows:
            count += 1
            ids += int(number)
            cents += int(amount)
            named += name != ""
            characters += len(name)
    return count, ids, cents, named, characters


def write_ill_formed(path, lines=4000, every=200):
    """Writes UTF-16LE with a byte order mark and CR LF, lone surrogates in one of `every` lines, and an odd byte at the end."""
    chance = random.Random(11)
    text = bytearray(b"\xff\xfe")
    for number in range(lines):
        line = f"{number},h\u00e4\U0001f642".encode("utf-16-le")
        if chance.randrange(every) == 0:
            line += chance.choice([b"\x3d\xd8", b"\x00\xdc", b"\x00\xdc\x3d\xd8", b"\x3d\xd8\x3d\xd8"])
        text += line + "x\r\n".encode("utf-16-le")
    pathlib.Path(path).write_bytes(text + b"a\x00b")


def errors_of_utf16le(text):
    """(offset, line, column, offset of the line) of each ill-formed subsequence, by the definition of UTF-16."""
    errors, line, column, line_begin = [], 1, 1, 0
    at = 2 if text[:2] == b"\xff\xfe" else 0
    while at < len(text):
        unit = int.from_bytes(text[at:at + 2], "little") if at + 2 <= len(text) else None
        after = int.from_bytes(text[at + 2:at + 4], "little") if at + 4 <= len(text) else 0
        size = 2
        if unit is not None and 0xd800 <= unit < 0xdc00 and 0xdc00 <= after < 0xe000:
            size = 4
        elif unit is None or 0xd800 <= unit < 0xe000:
            errors.append((at, line, column, line_begin))
        at += size
        column += 1
        if unit == 0x0a:
            line, column, line_begin = line + 1, 1, at
    return errors
