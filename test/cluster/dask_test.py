#!/usr/bin/env python3
"""dask_test.py SIZE: tests examples/cluster/utf_text.py with a scheduler and four worker processes, over TCP.

SIZE is that of the CSV file in bytes. One worker is killed while it reads. All expected values are computed by Python
alone. The current directory must be empty; utfcat must be on the PATH.
"""
import contextlib
import gzip
import io
import os
import pathlib
import subprocess
import sys
import time

import dask
import dask.dataframe
import pandas
from dask.distributed import Client

from support import check, equal, errors_of_utf16le, failure, finish, totals_of_csv, write_csv, write_ill_formed

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "cluster" / "utf_text.py"
sys.path.insert(0, str(EXAMPLE.parent))
import utf_text  # pylint: disable=wrong-import-position

SIZE = int(sys.argv[1])
WORKERS = 4


@contextlib.contextmanager
def cluster(path):
    """The processes that a user starts: `dask scheduler` and `dask worker`. `path` is the workers' PATH."""
    local = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--scheduler-file", "scheduler.json"]
    with open("dask.log", "ab") as log:
        started = []
        try:
            for command in (["scheduler", "--port", "0"],
                            ["worker", "--nworkers", str(WORKERS), "--nthreads", "1", "--local-directory", "workers"]):
                started.append(subprocess.Popen(["dask", command[0], *local, *command[1:]], stdout=log, stderr=log,
                                                env={**os.environ, "PATH": path}))
            while not os.path.exists("scheduler.json") and started[0].poll() is None:
                time.sleep(0.05)
            with Client(scheduler_file="scheduler.json", timeout=60) as client:
                client.wait_for_workers(WORKERS, timeout=60)
                client.upload_file(str(EXAMPLE))
                yield client
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait(30)
            pathlib.Path("scheduler.json").unlink(missing_ok=True)


def deadly_utfcat():
    """A PATH with a utfcat that once, for a range in the middle of the file, kills the worker that started it."""
    pathlib.Path("bin").mkdir()
    real = subprocess.check_output(["which", "utfcat"], text=True).strip()
    program = pathlib.Path("bin/utfcat")
    program.write_text(f"""#!/bin/sh
range=${{2%-*}}
if [ "$range" -gt {SIZE // 2} ] && [ "$6" = strict ] && mkdir {os.getcwd()}/killed 2> /dev/null; then kill -9 $PPID; fi
exec {real} "$@"
""", encoding="ascii")
    program.chmod(0o755)
    return f"{os.getcwd()}/bin:{os.environ['PATH']}"


def large_file(client):
    """Rows and sums of a large file while a worker is killed, and the same by Dask's own reader."""
    blocksize = max(SIZE // 64 | 1, 30001)  # odd, so that code units are cut
    rows, ids, cents, named, characters = totals_of_csv("large.csv")
    before = client.run(os.getpid)

    table = utf_text.read_csv("large.csv", blocksize=blocksize)
    equal(list(table.columns), ["id", "cents", "name"], "columns")
    check(table.npartitions > 16, "one file is many partitions")
    names = table.name
    got = dask.compute(table.id.count(), table.id.sum(), table.cents.sum(), names.count(), names.str.len().sum())
    equal(tuple(int(value) for value in got), (rows, ids, cents, named, characters), "rows and sums of read_csv")
    check(os.path.isdir("killed"), "a worker was killed")
    client.wait_for_workers(WORKERS, timeout=60)
    after = client.run(os.getpid)
    equal(len(set(before.values()) - set(after.values())), 1, "workers that are gone")

    lines = utf_text.read_text("large.csv", blocksize=blocksize)
    ends = lines.map(lambda line: line.endswith("\r\n"))
    with open("large.csv", encoding="utf-16", newline="\n") as file:
        length = sum(map(len, file))
    equal(dask.compute(lines.count(), ends.sum(), lines.map(len).sum()), (rows + 1, rows + 1, length), "lines of read_text")

    # Dask's own reader cuts the same file after a byte 0A or, since 2024, after the bytes 0A 00: both may be within a line.
    own = []
    why = failure(lambda: own.extend(own_reader(blocksize)))
    why = why and why.__context__ or why  # Dask 2022 fails once more when it reports the failure
    print(f'dask.dataframe.read_csv(encoding="utf-16-le", blocksize={blocksize}): {why or own!r}'[:200], flush=True)
    check(why is not None or own != [rows, ids], "Dask's own reader fails")


def own_reader(blocksize):
    table = dask.dataframe.read_csv("large.csv", encoding="utf-16-le", blocksize=blocksize)
    numbers = table[table.columns[0]]
    return [int(total) for total in dask.compute(numbers.count(), numbers.sum(), scheduler="synchronous")]


def ill_formed(client):
    """The error of each range, and what replaces the errors."""
    write_ill_formed("bad.txt")
    text = pathlib.Path("bad.txt").read_bytes()
    path, blocksize, errors = os.path.abspath("bad.txt"), 2001, errors_of_utf16le(text)
    line_begins = [0] + [at + 2 for at in range(2, len(text) - 1, 2) if text[at:at + 2] == b"\n\0"]
    parts = client.compute(utf_text.read_text("bad.txt", blocksize=blocksize).to_delayed())
    wrong = 0
    for part, begin in zip(parts, range(0, len(text), blocksize)):
        end = min(begin + blocksize, len(text))
        mine = [error for error in errors if begin <= error[3] < end]
        why = part.exception(timeout=60)
        if not mine:
            equal(why, None, f"range {begin}-{end}")
            continue
        wrong += 1
        offset, line, column, _ = mine[0]
        first = next(at for at in line_begins if at >= begin)
        place = f"{path}:{line - line_begins.index(first)}:{column}: byte {offset}: "
        check(isinstance(why, utf_text.RangeError) and why.status == 1 and (why.path, why.begin, why.end) == (path, begin, end)
              and why.reason.startswith(place) and ("line 1 begins at byte" not in why.reason) == (first == 0)
              and (first == 0 or why.reason.endswith(f" (line 1 begins at byte {first})")), f"{why!r} for {place}")
        check(place in str(why) and f"--range {begin}-{end} " in str(why), "the message names file, range and place:", why)
    check(10 < wrong < len(parts), "some ranges have errors")
    got = utf_text.read_text("bad.txt", blocksize=blocksize, errors="replace")
    equal(dask.compute(got.count(), got.map(lambda line: line.count("\ufffd")).sum()),
          (len(line_begins), len(errors)), "lines and replaced errors")


def small_files():
    """Every kind of cut in short texts of several encodings, without a cluster."""
    text = "a,b\r\nh\u00e4,\U0001f642\r\n\nx\u2028y,\x0b\rz\nlast"
    wanted = list(io.StringIO(text, newline="\n"))
    for codec, encoding, signature in (("utf-16-le", "detect", True), ("utf-16-be", "detect", True), ("utf-32-le", "detect", True),
                                       ("utf-8", "detect", True), ("utf-8", "utf-8", False), ("utf-16-be", "utf-16be", True),
                                       ("utf-16-le", "utf-16le", False)):
        pathlib.Path("small.txt").write_bytes((signature * "\ufeff" + text).encode(codec))
        for blocksize in (1, 2, 3, 7, 10, 1000, "1kB", None):
            equal(utf_text.read_text("small.txt", blocksize, encoding).compute(), wanted, f"{codec}, blocksize {blocksize}")
    pathlib.Path("small.txt").write_bytes("h\u00e4\n\u20ac\n".encode("cp1252"))
    equal(utf_text.read_text("small.txt", 2, "windows-1252").compute(), ["h\u00e4\n", "\u20ac\n"], "windows-1252")
    pathlib.Path("small.txt").write_bytes(b"")
    equal(utf_text.read_text("small.txt", 2).compute(), [], "an empty file")

    header, rows = "id,name,share\n", "".join(f"{i},n{i},{i / 4}\n" for i in range(9))
    for source, options in ((header + rows, {}), (header + rows, {"usecols": ["share"]}), (header + rows, {"dtype": {"id": "float64"}}),
                            (header + rows, {"names": ["x", "y", "z"], "header": 0}), (rows, {"names": ["x", "y", "z"]}),
                            (rows, {"header": None}), (header + rows, {"header": 0, "converters": {"name": str.upper}})):
        pathlib.Path("small.csv").write_bytes(("\ufeff" + source).encode("utf-16-le"))
        wanted = pandas.read_csv(io.StringIO(source), **options)
        for blocksize in (7, 50, None):
            got = utf_text.read_csv("small.csv", blocksize, **options).compute().reset_index(drop=True)
            check(got.equals(wanted), f"{options}, blocksize {blocksize}:", got)

    quoted = 'a,b\n1,"x\ny"\n2,z\n'
    pathlib.Path("small.csv").write_text(quoted, encoding="ascii")
    equal(list(utf_text.read_csv("small.csv", blocksize=None).compute().b), ["x\ny", "z"], "a quoted line feed with blocksize=None")


def refused():
    """What cannot be read gives an exception that names the file and the reason."""
    def refuses(call, *words):
        why = failure(call)
        check(why is not None and all(word in str(why) for word in words), words, repr(why))

    os.mkfifo("pipe")
    refuses(lambda: utf_text.read_csv("pipe"), "/pipe: --range needs a regular file")
    refuses(lambda: utf_text.read_text("pipe").compute(), "/pipe: --range needs a regular file")
    with gzip.open("small.gz", "wb") as file:
        file.write(b"a,b\n1,2\n")
    refuses(lambda: utf_text.read_csv("small.gz"), "/small.gz:1:2: byte 1: ", "this is gzip data")
    refuses(lambda: utf_text.read_text("no.txt"), "No such file", "no.txt")
    pathlib.Path("small.txt").write_text("one\ntwo\nthree\n", encoding="ascii")
    refuses(lambda: utf_text.read_text("small.txt", encoding="ebcdic").compute(), "there is no encoding ebcdic")
    refuses(lambda: utf_text.read_text("small.txt", errors="guess").compute(), "guess is none of strict")
    refuses(lambda: utf_text.read_text("small.txt", errors="stop"), "stop", "makes no sense")
    refuses(lambda: utf_text.read_text("small.txt", blocksize=0), "at least one byte")
    refuses(lambda: utf_text.read_csv("small.txt", nrows=1), "nrows makes no sense")
    refuses(lambda: utf_text.read_csv("small.txt", header=1), "the header can only be the first line")
    for change in (b"one\ntwo\nthree\nfour\n", b"one\n"):
        lines = utf_text.read_text("small.txt", blocksize=4)
        size = os.path.getsize("small.txt")
        pathlib.Path("small.txt").write_bytes(change)
        refuses(lines.compute, f"small.txt: the file has {len(change)} bytes, it had {size}")
    for text in ("\na,b\n1,2\n3,4\n", '"a\nx",b\n1,2\n3,4\n'):
        pathlib.Path("small.csv").write_text(text, encoding="ascii")
        refuses(lambda: utf_text.read_csv("small.csv", blocksize=4), "the first line is not the header")
    pathlib.Path("small.csv").write_text("a,b\n1,2\n3,x\n", encoding="ascii")
    refuses(lambda: utf_text.read_csv("small.csv", blocksize=6, sample=6).compute(), "mismatch")
    path, os.environ["PATH"] = os.environ["PATH"], os.getcwd()
    refuses(lambda: utf_text.read_text("small.txt").compute(), f"utfcat --range 0-{len(change)} on ", "'utfcat'")
    pathlib.Path("utfcat").write_text("#!/bin/sh\nkill -9 $$\n", encoding="ascii")
    os.chmod("utfcat", 0o755)
    refuses(lambda: utf_text.read_text("small.txt").compute(), "small.txt: signal 9 ended utfcat")
    os.environ["PATH"] = path


if __name__ == "__main__":
    with dask.config.set(scheduler="synchronous"):
        small_files()
        refused()
    write_csv("large.csv", SIZE)
    with cluster(deadly_utfcat()) as connected:
        large_file(connected)
        ill_formed(connected)
    finish()
