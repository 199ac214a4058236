#!/usr/bin/env python3
"""utfcat_utf16_added_test.py UTFCAT IN_PIECES: UTF-8 to which a program has added UTF-16 ends where that begins, with one error.

IN_PIECES is utfcat, and reads as many bytes at once as the environment variable UTFCAT_PIECE says. Python's codecs say what the
bytes are, and where.
"""

import contextlib
import gzip
import json
import os
import random
import re
import signal
import subprocess
import time

from utfcat_cases import OTHER as IN_PIECES
from utfcat_cases import UTFCAT, check, content, folder, run, run_tests

BEFORE = ["# log\n- one\n", "ünï – 漢字😀\n", "no line end", "a\r\n\r\n", "\n\n", "\ufeffmarked\n", "tab\t\nlast\t", "x\n" * 1000]
ADDED = ["- two\r\n", "ok\r\n", "a whole line\n", "Привет – мир\r\n", "да\r\n", "“quoted”\r\nmore\r\n", "naïve café\r\n" * 50, "tab\tand 5 € 😀 x\r\n",
         "\r\n\r\nafter empty lines\r\n", "Ελλάδα 漢字\r\n", "שלום\r\n", "letters\n\r\n", "x" * 5000 + "\r\n"]
MARK = "\ufeff"


def kinds():
    """The bytes, where UTF-16 begins, and its encoding: of texts before and after that, with a mark and without."""
    for before in BEFORE:
        for added in ADDED:
            for encoding in ("utf-16-le", "utf-16-be"):
                for mark in ("", MARK):
                    if encoding == "utf-16-be" and not mark and not before.endswith("\n"):
                        continue  # without the start of a line nothing tells the byte order
                    yield before, (mark + added).encode(encoding), encoding


def place(before):
    """The line, the column and the byte after a text. A mark is no column."""
    line = before.removeprefix(MARK) if "\n" not in before else before[before.rindex("\n") + 1:]
    return before.count("\n") + 1, len(line) + 1, len(before.encode())


def words_on(before, encoding, name="in"):
    line, column, byte = place(before)
    return f"{name}:{line}:{column}: byte {byte}: from here {encoding.replace('16-', '16').upper()} (tail -c +{byte + 1} "


def without_mark(text):
    return text.removeprefix(MARK)


def test_text_ends_where_utf16_begins():
    for before, utf16, encoding in kinds():
        text, words = without_mark(before), words_on(before, encoding)
        with folder({"in": before.encode() + utf16}) as path:
            what = (before[:20], utf16[:20])
            status, out, errors = run("in", where=path)
            check((what, "strict"), (status, out.decode(), errors.count("\n"), errors.startswith("utfcat: " + words)), (1, text, 1, True))
            status, out, errors = run("-c", "in", where=path)
            check((what, "-c"), (status, out.count(b"\n"), out.decode().startswith(words), errors), (1, 1, True, ""))


def test_all_options_tell_the_same():
    some = random.Random(8)
    for before, utf16, encoding in some.sample(list(kinds()), 25):
        data, text = before.encode() + utf16, without_mark(before)
        begin = len(before.encode())
        files = {"in": data, "in.gz": gzip.compress(data), "old": b"old\n"}
        with folder(files) as path:
            def ends(*options, out=text.encode(), status=1, name="in", told=True, stdin=b"", program=UTFCAT, piece="0"):
                got = run(*options, where=path, text=stdin, program=program, environment={"UTFCAT_PIECE": piece})
                words = words_on(before, encoding, name)
                said = got[2] if not told else words if got[2].startswith("utfcat: " + words) and got[2].count("from here") == 1 else got[2]
                check((options, piece, data[:40]), (got[0], got[1], said), (status, out, words if told else ""))

            longest = max(len(line) for line in before.encode().split(b"\n"))
            if begin >= 12 or before.startswith(MARK) or (before.endswith("\n") and longest >= 3):
                ends("-f", "guess", "in")  # a shorter text may be anything
            ends("-f", "utf-8", "in", out=before.encode())
            for more in ([], ["-e", "stop"], ["-t", "same"] if not before.startswith(MARK) else [],
                         ["--rejects", "bad"], ["--line-fallback", "windows-1252"], ["--filter", "skip-hole"], ["--jobs", "3"], ["-s"]):
                ends(*more, "in")
            ends("-t", "utf-16be", "in", out=text.encode("utf-16-be"))
            ends("--filter", "crlf", "in", out=re.sub("\r?\n", "\r\n", text).encode())
            ends("-", stdin=data, name="-")
            ends("-q", "in", out=b"", told=False)
            ends("--names-only", "-c", "in", out=b"in\n", told=False)
            for piece in (1, 2, 3, 7, 100, begin, begin + 1, begin + 2, begin + 3):
                ends("--jobs", "2", "in", program=IN_PIECES, piece=str(piece or 1))
            status, out, errors = run("-d", "in.gz", where=path)
            check("gzip", (status, out, f"in.gz:{place(before)[0]}:" in errors, "of the decompressed text" in errors), (1, text.encode(), True, True))

            status, out, errors = run("-c", "--format", "json", "in", where=path)
            one = json.loads(out)
            line, column, byte = place(before)
            check("json", [(r["line"], r["column"], r["offset"], r["level"], r["message"][:16]) for r in one],
                  [(line, column, byte, "error", "from here UTF-16")])
            status, out, errors = run("-c", "--summary", "in", where=path)
            check("summary", (status, b"1 error (tail" in out, out.count(b"from here UTF-16") - out.count(b"(looks")), (1, True, 2))
            status, out, errors = run("--inspect", "in", where=path)
            check("inspect", (status, out.count(b": from here UTF-16"), b"NUL" in out), (0, 1, False))

            # What would be overwritten stays. (Whether a short file is refused because it has zero bytes is another matter.)
            for options in (["-i", "in"], ["-o", "old", "in"], ["-i", "--force", "-t", "utf-16le", "in"]):
                status, _, errors = run(*options, where=path)
                check((options, "stays"), (status, content(path, "in"), content(path, "old"), errors != ""), (1, data, b"old\n", True))

            # A policy that repairs goes on; the bytes are those of UTF-8.
            status, out, errors = run("-e", "replace", "in", where=path)
            whole = without_mark(data.decode(errors="replace"))
            check(("replace", data[:40]), (status, out.decode(), errors.count("\n"), f"byte {begin}: from here UTF-16" in errors), (0, whole, 1, True))
            check("replace -q", run("-q", "-e", "replace", "in", where=path)[1:], (b"", ""))


def test_hints_read_both_parts():
    some = random.Random(9)
    for before, utf16, encoding in some.sample(list(kinds()), 25):
        with folder({"in": before.encode() + utf16}) as path:
            errors = run("in", where=path)[2]
            tail, name = re.search(r"tail -c \+(\d+) with --from (\S+) reads it", errors).groups()
            rest = subprocess.run(["tail", "-c", "+" + tail, "in"], cwd=path, capture_output=True, check=True).stdout
            check("tail", run("--from", name, text=rest)[:2], (0, without_mark(utf16.decode(encoding)).encode()))
            found = re.search(r"--range (\d+-\d+) the text before it", errors)
            check("only where a line begins", found is not None, place(before)[1] == 1 and "\n" in before)
            if found:
                check("range", run("--range", found[1], "in", where=path)[:2], (0, without_mark(before).encode()))
            for options in (["in", "in2"], ["-"], ["-i", "--force", "in"]):
                errors = run(*options, where=path, text=before.encode() + utf16)[2]
                check((options, "no range"), ("tail" in errors, "--range" in errors), (True, False))


def test_ranges_count_from_the_file():
    data = b"# log\n- one\n" + "- two\r\n".encode("utf-16-le")
    with folder({"in": data}) as path:
        for begin, line in ((0, 3), (1, 2), (6, 2), (7, 1), (12, 1)):
            status, out, errors = run("--range", f"{begin}-", "in", where=path)
            wanted = data[data.index(b"\n", begin - 1) + 1 if begin else 0:12]
            check(begin, (status, out, f"in:{line}:1: byte 12: from here UTF-16LE" in errors), (1, wanted, True))
        check("before", run("--range", "0-12", "in", where=path), (0, data[:12], ""))


def test_place_of_the_cut_does_not_matter():
    utf16 = "- two\r\nthree\r\n".encode("utf-16-le")
    for edge in (65536, 327681):
        for shift in range(-12, 6):
            for line in (b"text of a line\n", b"t\xc3\xa9xt"):
                before = (line * (edge // len(line) + 2))[-(edge + shift):]
                before = before[1:] + b"\n" if before[0] & 0xC0 == 0x80 else before
                with folder({"in": before + utf16}) as path:
                    for more in ([], ["--jobs", "2"]):
                        status, out, errors = run(*more, "in", where=path)
                        check((edge, shift, more), (status, out == before, f"byte {len(before)}: from here UTF-16LE" in errors), (1, True, True))


def test_a_byte_order_mark_at_the_start_decides():
    """It may begin with zeros, and come byte by byte."""
    text = "caf\u00e9\r\ntwo letters\r\n"
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        data = ("\ufeff" + text).encode(encoding)
        for size in (1, 2, 3, 5, len(data)):
            check((encoding, size), written(data, range(size, len(data), size)), (0, text.encode(), ""))
        with folder({"in": data}) as path:
            check((encoding, "file"), run("in", where=path), (0, text.encode(), ""))
            with subprocess.Popen((UTFCAT, "--follow", "in"), stdout=subprocess.PIPE, cwd=path) as process:
                check((encoding, "followed"), process.stdout.read(len(text.encode())), text.encode())
                process.send_signal(signal.SIGINT)
                check((encoding, "to its end"), (process.stdout.read(), process.wait()), (b"", 0))


def written(data, cuts, *options):
    """Runs utfcat on a pipe into which the data comes in parts."""
    with subprocess.Popen([UTFCAT, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for begin, end in zip([0, *cuts], [*cuts, len(data)]):
            with contextlib.suppress(BrokenPipeError):  # it may have ended
                os.write(process.stdin.fileno(), data[begin:end])
            time.sleep(0.01)
        process.stdin.close()
        out, errors = process.stdout.read(), process.stderr.read().decode()
    return process.returncode, out, errors


def test_text_from_a_pipe():
    some = random.Random(10)
    for before, utf16, encoding in some.sample([kind for kind in kinds() if len(kind[0]) + len(kind[1]) < 200], 20):
        begin = len(before.encode())
        data = before.encode() + utf16
        # A writer that stops within the first two code units is not waited for.
        where = [i for i in range(1, len(data)) if not begin < i < begin + 4]
        for cuts in ([begin] if begin in where else [], sorted(some.sample(where, min(6, len(where))))):
            status, out, errors = written(data, cuts)
            check((data, cuts), (status, out.decode(), words_on(before, encoding, "-") in errors), (1, without_mark(before), True))


def test_names_and_prompts_are_not_waited_for():
    for parts in ([b"name\0", b"x\0", b"y\0", b"last"], [b"login: ", b"\n"], [b"8=FIX\x0135=2\x01", b"10=1\x01"], [b"\xc3\xa9\0", b"a\0"]):
        with subprocess.Popen([UTFCAT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for part in parts:
                os.write(process.stdin.fileno(), part)
                check(part, os.read(process.stdout.fileno(), len(part)), part)
            process.stdin.close()


LETTERS = [chr(c) for c in range(33, 127)]
WITH_ZEROS = {
    "find -print0": "".join(f"./{name}\0" for name in ["a", "b/c", "d e", "ü"]), "letters": "\0".join(LETTERS) + "\0",
    "flags": "y\0n\0 \0" * 4000, "white space": " \0\t\0\r\0\n\0", "IFS": " \0\t\0\n\0\0", "records": "a\n\0b\n\0c\n\0", "lines": "a\0b\0c\n" * 100,
    "fields": "a\0b\0\r\n" * 100, "CRLF after NUL": "a\0b\0c\0\r\n\0d\r\n", "arguments": "ls\0-l\0-a\0\n", "hole": "\0" * 5000 + "a\n",
    "end": "a\nb\0", "one line end": "a\0\n\0b\n", "SOH": "8=F\x019=2\x01\r\n" * 9, "colours": "\x032red\x03\r\n" * 9, "UTF-32": "a\0\0\0b\0\0\0\n\0\0\0",
    "a cell": "a\0b\0c\0d\0\n", "x": "x\0\n\0y\0\n\0z\0\n\0", "words": "one\0two\0three\0\r\nfour\0\n",
}


def test_utf8_with_zeros_stays_text():
    some = random.Random(11)
    texts = dict(WITH_ZEROS)
    for n in range(150):  # lines of fields, most of them of one letter: NUL comes after no line end
        for _ in range(80):
            fields = ["".join(some.choice("abcXYZ12-é漢") for _ in range(some.choice([0, 1, 1, 1, 2, 5]))) for _ in range(some.randrange(9))]
            texts[n] = texts.get(n, "") + "-" * some.randrange(1, 3) + "\0".join(fields) + some.choice(["\n", "\r\n", "\0\r\n"])
    for name, text in texts.items():
        data = ("first line\n" + text).encode()
        with folder({"in": data}) as path:
            status, out, errors = run("in", where=path)
            check(name, (status, out, "from here" in errors), (0, data, False))
            status, out, errors = run("-c", "--jobs", "2", "in", where=path, program=IN_PIECES, environment={"UTFCAT_PIECE": str(some.choice([1, 7, 64]))})
            check((name, "-c"), (status, out, "from here" in errors), (0, b"", False))


def test_whole_utf16_is_no_addition():
    for text in ("some text\r\nmore\r\n", "Привет\r\n"):
        for encoding in ("utf-16-le", "utf-16-be"):
            for mark in ("", MARK):
                data = (mark + text).encode(encoding)
                for more in ([], ["-f", "guess"], ["-f", encoding.replace("16-", "16")], ["-f", "utf-8"], ["-f", "windows-1252"]):
                    check((data, more), "from here" in run(*more, text=data)[2], False)
                check(data, run("-f", "guess", text=data)[:2], (0, text.encode()))


def test_other_encodings_may_have_such_bytes():
    data = b"caf\xe9\n" + "a line\r\n".encode("utf-16-le")
    check("windows-1252", run("-f", "windows-1252", text=data)[:2], (0, data.decode("cp1252").encode()))
    data = "漢字\u0a0a\r\n".encode("utf-16-le") + "a line\r\n".encode("utf-16-le")
    check("utf-16le", run("-f", "utf-16le", text=data)[:2], (0, data.decode("utf-16-le").encode()))


def follow(path, *options, seconds=5, append=None):
    with subprocess.Popen([UTFCAT, "--follow", *options, "in"], cwd=path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(0.5)
        for part in append or []:
            with open(os.path.join(path, "in"), "ab") as file:
                file.write(part)
            time.sleep(0.3)
        try:
            out, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            out, errors = process.communicate()
            return "goes on", out, errors.decode()
        return process.returncode, out, errors.decode()


def test_a_log_that_is_followed():
    parts = ["two\r\n".encode("utf-16-le"), "three\r\n".encode("utf-16-le")]
    message = "in:2:1: byte 6: from here UTF-16LE (tail -c +7 with --from utf-16le reads it)\n"
    for more in ([], ["-f", "guess"], ["-e", "stop"]):
        with folder({"in": b"# log\n"}) as path:
            check(more, follow(path, *more, append=parts), (1, b"# log\n", "utfcat: " + message))
    with folder({"in": b"# log\n"}) as path:
        check("-c", follow(path, "-c", append=parts), (1, message.encode(), ""))
    with folder({"in": b"# log\n"}) as path:
        for n in range(2):  # the state is before UTF-16, so it is found again
            status, _, errors = follow(path, "--state", "state", "-o", "out", append=parts if n == 0 else [])
            check(("state", n), (status, content(path, "out"), "byte 6: from here UTF-16LE" in errors), (1, b"# log\n", True))
    with folder({"in": b"# log\n"}) as path:
        status, out, errors = follow(path, "-e", "replace", append=parts, seconds=1)
        check("replace", (status, out, errors.count("from here"), errors.count("\n")), ("goes on", b"# log\n" + b"".join(parts), 1, 1))


run_tests(globals(), 1000)
