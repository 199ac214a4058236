#!/usr/bin/env python3
"""utfcat_files_test.py UTFCAT IN_PIECES: a check of many files says of each what a check of that one says, in their order,
however many threads read them.

IN_PIECES is utfcat, and reads as many bytes at once as the environment variable UTFCAT_PIECE says.
"""

import itertools
import os
import random
import shutil
import subprocess

from utfcat_cases import OTHER as IN_PIECES, UTFCAT, check, folder, run, run_tests, similar

PARTS = ["é", "a\n", "€\r\n", "\ufeff", "Ã©", "\x1b", "😀", "\0", "CAFÉ” ", "漢字"]
ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "shift_jis"]
CHECKS = [["-q"], ["-c"], ["-c", "-s"], ["-c", "--summary"], ["-q", "--summary"], ["--names-only"], ["--inspect"],
          ["--inspect", "--format", "github"], ["-c", "-t", "iso-8859-1"], ["-c", "--filter", "reject-controls"],
          ["-i", "--dry-run", "-e", "replace"], ["-i", "--dry-run", "-t", "same", "--filter", "lf"]]
READINGS = [[], ["-f", "utf-8"], ["-f", "guess"], ["-f", "utf-16le"], ["-b", "require"], ["-b", "reject"], ["-b", "keep"]]


def some_text(of):
    text = "".join(of.choice(PARTS) for _ in range(of.choice([0, 1, 5, 50, 2000])))
    dirty = bytearray(text.encode(of.choice(ENCODINGS), "replace"))
    for _ in range(of.choice([0, 0, 1, 5])):
        if dirty:
            dirty[of.randrange(len(dirty))] = of.randrange(256)
    return bytes(dirty)


def files():
    of = random.Random(5)
    all_files = {f"f{i:02}": some_text(of) for i in range(14)}
    all_files["f08"] = b"a\xff\n" * 20000  # more reports than are kept until it is the file's turn
    all_files["f11"] = "aé€\n".encode() * 200000 + b"\xff\n"  # all threads read it
    all_files["f99"] = b"\xff"
    return all_files


def test_many_files_say_what_each_says_alone():
    with folder(files()) as path:
        once = sorted(os.listdir(path))
        once[3:3] = ["missing", "."]
        twice = once[:4] + once[11:12] + once[4:]
        for reading, options in similar(itertools.product(READINGS, CHECKS)):
            names = once if "-i" in options else twice  # which would replace it twice
            alone = [run(*options, *reading, name, where=path) for name in names]
            wanted = (max(one[0] for one in alone), b"".join(one[1] for one in alone), "".join(one[2] for one in alone))
            for jobs in ("1", "2", "0"):
                status, out, errors = run(*options, *reading, "--jobs", jobs, *names, where=path)
                if options == ["-c", "--summary"]:  # the last line counts all files
                    total = out.splitlines(keepends=True)[-1]
                    check((options, reading, jobs, "total"), total.startswith(f"total: {len(names)} files, ".encode()), True)
                    out = out[:-len(total)]
                check((options, reading, jobs), (status, out, errors), wanted)


def test_reports_that_are_one_document():
    with folder(files()) as path:
        names = sorted(os.listdir(path))
        for options in (["--inspect", "--format", "sarif"], ["-c", "--format", "json"]):
            wanted = run(*options, *names, where=path)
            for jobs in ("2", "7"):
                check((options, jobs), run(*options, "--jobs", jobs, *names, where=path), wanted)


def test_directories_that_cannot_be_read_are_counted():
    with folder({"d/a": b"a\n", "d/b": b"b\n", "d/e/b": b"b\n", "d/f/c": b"c\n"}) as path:
        os.chmod(path, 0o755)
        program = shutil.copy(UTFCAT, path)
        for name, words in (("e", "1 directory"), ("f", "2 directories")):
            os.chmod(os.path.join(path, "d", name), 0)
            as_nobody = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None  # root reads all of them
            out = run("-c", "--summary", "-r", "d", where=path, program=program, before=as_nobody)[1].decode()
            check(words, out.splitlines()[-1].endswith(f", {words} could not be read"), True)
        for name in "ef":
            os.chmod(os.path.join(path, "d", name), 0o755)


def test_binary_files_are_counted_in_their_order():
    binary = bytes(range(256)) * 4
    with folder({"a/1": b"text\n", "a/2": binary, "a/3": b"a\xff\n", "b/1": binary}) as path:
        for jobs in ("1", "2", "5"):
            status, out, errors = run("-c", "-r", "--jobs", jobs, "a", "b", where=path)
            check(("skipped", jobs), (status, out, errors),
                  (1, b"a/3:1:2: byte 1: byte that no text contains: FF\n", "utfcat: 2 binary files skipped, the first is a/2\n"))


def test_a_pipe_among_files_is_read_in_its_turn():
    with folder({"one": b"\xff", "three": b"\xff"}) as path:
        os.mkfifo(os.path.join(path, "two"))
        with subprocess.Popen(["sh", "-c", "printf '\\200' > two"], cwd=path):
            status, out, _ = run("--names-only", "--jobs", "4", "one", "two", "three", where=path)
        check("pipe", (status, out), (1, b"one\ntwo\nthree\n"))


def test_the_first_report_that_cannot_be_written_ends_the_command():
    with folder(files()) as path:
        names = sorted(os.listdir(path))
        for jobs in ("1", "4"):
            with open("/dev/full", "wb") as full:
                done = subprocess.run((IN_PIECES, "-c", "--jobs", jobs, *names), cwd=path, stdout=full, stderr=subprocess.PIPE, check=False)
            check(("full", jobs), (done.returncode, b"No space left on device" in done.stderr), (2, True))


def test_large_files_are_read_in_pieces_by_all_threads():
    with folder(files()) as path:
        names = sorted(os.listdir(path))
        wanted = run("-c", *names, where=path)
        for piece in ("1000", "100000"):
            check(("pieces", piece), run("-c", "--jobs", "4", *names, where=path, program=IN_PIECES, environment={"UTFCAT_PIECE": piece}), wanted)


run_tests(globals())
