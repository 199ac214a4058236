#!/usr/bin/env python3
"""parallel_test.py UTFCAT_PARALLEL: compares examples/cluster/utfcat_parallel, run by GNU parallel, with one utfcat.

A job is killed in the middle of its text. The current directory must be empty; utfcat must be on the PATH.
"""
import gzip
import os
import pathlib
import subprocess
import sys

from support import check, equal, finish, utfcat, write_csv, write_ill_formed

PROGRAM = os.path.abspath(sys.argv[1])
REAL = subprocess.check_output(["which", "utfcat"], text=True).strip()


def utfcat_parallel(*arguments, blocksize=50001, path=os.environ["PATH"]):
    environment = {**os.environ, "PATH": path, "BLOCKSIZE": str(blocksize), "PARALLEL": "--jobs 4"}
    ran = subprocess.run([PROGRAM, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
    return ran.returncode, ran.stderr.decode()


def same_as_utfcat():
    write_csv("good file.csv", 600000)
    write_ill_formed("bad.txt")
    pathlib.Path("empty.txt").write_bytes(b"")
    for name, *options in (("good file.csv",), ("bad.txt", "-e", "replace"), ("bad.txt", "-e", "escape"), ("empty.txt",),
                           ("good file.csv", "-f", "utf-16le"), ("good file.csv", "-t", "utf-16", "-b", "strip")):
        for blocksize in (50001, 7 * os.path.getsize(name) // 8 + 1, 10**9):
            wanted = utfcat(*options, name)[0]
            equal(utfcat_parallel(name, "out", *options, blocksize=blocksize), (0, ""), f"{name} {options}")
            check(pathlib.Path("out").read_bytes() == wanted, f"{name} {options}, blocksize {blocksize}: the text")
            os.remove("out")


def killed_jobs():
    """A job writes half of its text and is killed: once, then always."""
    os.mkdir("bin")
    program = pathlib.Path("bin/utfcat")
    program.write_text(f"""#!/bin/sh
case $* in *300006-350007*)
  if [ -e always ] || mkdir killed 2> /dev/null; then {REAL} "$@" | head -c 20000; kill -9 $$; fi ;;
esac
exec {REAL} "$@"
""", encoding="ascii")
    program.chmod(0o755)
    path = f"{os.getcwd()}/bin:{os.environ['PATH']}"
    wanted = utfcat("good file.csv")[0]
    equal(utfcat_parallel("good file.csv", "out", path=path), (0, ""), "a job is killed once")
    check(os.path.isdir("killed"), "a job was killed")
    check(pathlib.Path("out").read_bytes() == wanted, "the text, although a job was killed")
    pathlib.Path("always").write_bytes(b"")
    status, message = utfcat_parallel("good file.csv", "out", path=path)
    check(status == 2 and "This job failed" in message and "300006-350007" in message and "out is unchanged" in message,
          "a job is always killed", status, message)
    check(pathlib.Path("out").read_bytes() == wanted, "OUT is unchanged")


def failures():
    pathlib.Path("kept").write_bytes(b"kept\n")

    def refuses(status, words, *arguments, **options):
        got = utfcat_parallel(*arguments, **options)
        check(got[0] == status and all(word in got[1] for word in words), arguments, got)
        check(pathlib.Path("kept").read_bytes() == b"kept\n", arguments, "OUT is unchanged")

    first = utfcat("bad.txt")[1].decode().replace("utfcat: bad.txt", f"utfcat: {os.path.abspath('bad.txt')}")
    refuses(1, [first, "the text is ill-formed"], "bad.txt", "kept")
    os.mkfifo("pipe")
    refuses(2, ["/pipe: --range needs a regular file"], "pipe", "kept")
    with gzip.open("small.gz", "wb") as file:
        file.write(b"text\n")
    refuses(1, ["/small.gz:1:2: byte 1: ", "this is gzip data"], "small.gz", "kept")
    refuses(2, ["missing.txt", "No such file"], "missing.txt", "kept")
    refuses(2, ["there is no encoding ebcdic"], "bad.txt", "kept", "-f", "ebcdic")
    refuses(2, ["usage"], "bad.txt")
    refuses(2, ["BLOCKSIZE"], "bad.txt", "kept", blocksize="1M")
    refuses(2, ["/dev/full is not a regular file"], "bad.txt", "/dev/full")
    refuses(2, ["No such file or directory"], "bad.txt", "missing/out")
    refuses(2, ["utfcat"], "bad.txt", "kept", path="/usr/bin:/bin")
    check(not list(pathlib.Path().glob("*.[0-9]*")), "no temporary file is left", os.listdir())


if __name__ == "__main__":
    same_as_utfcat()
    killed_jobs()
    failures()
    finish()
