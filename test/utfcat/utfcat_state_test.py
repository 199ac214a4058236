"""utfcat --follow --state with filters: a text that is read in several runs becomes what it becomes in one.

utfcat_state_test.py UTFCAT [long]: the expected text is made by the models of the filters in utfcat_cases.py, on the whole
text at once. filter_memory_test tries every cut of many texts, and follow_kill_test kills utfcat.
"""

import contextlib
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time

from utfcat_cases import FILTERS, UTFCAT, check, content, filtered, is_asleep, run, run_tests, write

LONG = sys.argv[2:] == ["long"]
MARK = "\ufeff"
PATIENCE = 60  # seconds
ENCODINGS = {"utf-8": ("utf-8", b""), "utf-16le": ("utf-16-le", b""), "utf-32be": ("utf-32-be", b""), "utf-16": ("utf-16-be", b"\xfe\xff"),
             "gb18030": ("gb18030", b"")}


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)


def waits(process):
    """Whether utfcat waits for more of the file: it sleeps, and has a state or has ended."""
    return is_asleep(process, 0.003) and (os.path.exists("state") or process.poll() is not None)


@contextlib.contextmanager
def following(arguments):
    """utfcat while it follows. It is ended by SIGTERM, if it has not ended."""
    with open("shown", "ab") as out:
        process = subprocess.Popen((UTFCAT, "--follow", "--state", "state", *arguments, "log"), stdout=out, stderr=subprocess.PIPE)
    yield process
    process.send_signal(signal.SIGTERM)
    process.err = process.communicate(timeout=PATIENCE)[1]


def clean():
    for name in os.listdir("."):
        os.remove(name)


def dirty_text(of):
    parts = ["\r", "\n", "\r\n", MARK, "\n" + MARK, "\0", "\x1b[1m", "\x85", "e\u0301", "ł", "Ã© ", "Ã.", "©", "\u202e", "€", "😀", "word", "a line\r\n"]
    start = of.choice(["", "\0" * 511 + "x", "\0" * 600, "\0" * 70000, "x" + MARK])
    # The end is long enough to tell that a NUL before it is none of UTF-16: otherwise the last characters wait.
    text = "".join(of.choice(parts) for _ in range(of.randrange(1, 40))) + "the end"
    return start + (text if start else text.lstrip(MARK))  # an initial byte order mark is not of the text


def place():
    """The place in the file, in bytes."""
    found = re.search(r"offset=(\d+)", content("state").decode())
    return int(found.group(1)) if found else 0


def test_an_output_has_one_byte_order_mark():
    """Also if it has text already and there is no state."""
    for options, mark, codec in ((["-t", "utf-16"], "\ufeff", "utf-16-be"), (["-b", "add"], "\ufeff", "utf-8"), (["-t", "utf-16le-bom"], "\ufeff", "utf-16-le")):
        clean()
        for n in range(3):
            with open("log", "ab") as file:
                file.write(f"line {n}\n".encode())
            if n:
                os.remove("state")
            with following([*options, "-o", "out"]) as process:
                wait_until(lambda: waits(process))
            check((options, n, process.err), content("out").decode(codec).count(mark), 1)
        check((options, "text"), content("out").decode(codec), mark + "line 0\n" + "line 0\nline 1\n" + "line 0\nline 1\nline 2\n")


def test_filters_go_on():
    """Each filter and pairs of them, in several encodings, cut at any byte into runs; with -o and to standard output."""
    of, reached = random.Random(55), []
    names_of_all = [name for name in FILTERS if name not in ("nfc", "declare")]
    stacks = [(name,) for name in names_of_all for _ in range(2)] + list(itertools.permutations(names_of_all, 2))
    for names in stacks if LONG else stacks[:18] + of.sample(stacks[18:], 20):
        clean()
        encoding = of.choice(list(ENCODINGS))
        text = dirty_text(of)
        data = ENCODINGS[encoding][1] + text.encode(ENCODINGS[encoding][0])
        wanted, end = filtered(names, text)
        arguments = ["-f", encoding, "--filter", ",".join(names)]
        to_file = of.random() < 0.5
        cuts = [of.randrange(len(data)) for _ in range(of.choice([1, 1, 2, 3]))]
        if of.random() < 0.5:
            cuts[-1] = max(0, len(data) - of.randrange(1, 60))
        written = 0
        for cut in (*sorted(cuts), len(data)):
            with open("log", "ab") as file:
                file.write(data[written:cut])
            written = cut
            with following([*arguments, *(["-o", "out"] if to_file else [])]) as process:
                wait_until(lambda: waits(process))
            if process.returncode != 0:
                break
            reached.append(place() > cut - 4 * 1024 or end is not None or b"\0\0\0" in data[:cut])
        if process.returncode == 2:
            check((names, process.err), ("makes no sense" in process.err.decode(), os.path.exists("state")), (True, False))
            continue
        check((names, encoding, cuts, text[-200:], process.err), (content("out" if to_file else "shown").decode(), process.returncode), (wanted, 1 if end is not None else 0))
        if end is None:
            check((names, encoding, cuts, "the place"), place(), len(data))
    check("how far the runs came", (len(reached) > 50, reached.count(False) * 10 < len(reached)), (True, True))


def test_an_error_after_a_restart():
    """Its place is the one in the file. It is told again by the next run, and the text before it comes once."""
    write("one\r\nÃ".encode(), "log")
    arguments = ["--filter", "mojibake,lf,reject-controls", "-o", "out"]
    with following(arguments) as process:
        wait_until(lambda: waits(process))
    check("before", (process.returncode, process.err, content("out")), (0, b"", b"one\n"))
    with open("log", "ab") as file:
        file.write("© Ã© \x1b\n".encode())
    for _ in range(2):
        with following(arguments) as process:
            wait_until(lambda: process.poll() is not None)
        check("after", (process.returncode, process.err.decode(), content("out")),
              (1, "utfcat: log:2:7: byte 15: control character U+001B: 1B\n", "one\né é ".encode()))


def test_other_filters():
    """The state of other filters is refused, and says which ones it needs. Nothing has changed."""
    for first, second, words in (
            (["--filter", "lf,strip-boms"], [], "is the state of text after --filter lf,strip-boms (give --filter lf,strip-boms to go on"),
            ([], ["--filter", "lf"], "is the state of text without filters (leave out --filter to go on"),
            (["--filter", "lf,strip-boms"], ["--filter", "strip-boms,lf"], "give --filter lf,strip-boms to go on"),
            (["--filter", "mojibake"], ["--filter", "mojibake:windows-1251"], "give --filter mojibake:windows-1252 to go on")):
        clean()
        write(b"a\r\n", "log")
        with following([*first, "-o", "out"]) as process:
            wait_until(lambda: waits(process))
        files = {name: content(name) for name in os.listdir(".")}
        check((first, "first"), (process.returncode, files["out"] in (b"a\r\n", b"a\n")), (0, True))
        for anew in ([], ["--from-start"]):
            status, out, err = run("--follow", "--state", "state", *second, *anew, "-o", "out", "log")
            check((first, second, err), (status, out, err.startswith("utfcat: state: is the state of text ") and words in err), (2, b"", True))
            check((first, second, "unchanged"), {name: content(name) for name in os.listdir(".")}, files)
    named = first[1] + ":windows-1252"  # the same filter by its full name
    with following(["--filter", named, "-o", "out"]) as process:
        wait_until(lambda: waits(process))
    check(named, (process.returncode, process.err), (0, b""))


def test_the_next_file():
    """After a restart the next file is a file of its own: it may have a hole, too."""
    arguments = ["--filter", "skip-hole,lf", "-o", "out"]
    for hole in (511, 512, 5000):
        clean()
        write(b"\0" * 600 + b"a\r", "log")
        with following(arguments) as process:
            wait_until(lambda: waits(process))
        check("one", content("out"), b"a\n")
        os.rename("log", "log.1")
        wanted = b"a\n" + b"\0" * (hole if hole < 512 else 0) + b"\nb\n"
        write(b"\0" * hole + b"\nb\r\n", "log")
        with following(arguments) as process:
            wait_until(lambda: content("out") == wanted)
        check(("two", hole), (content("out"), process.returncode, process.err), (wanted, 0, b""))


run_tests(globals(), 80)
