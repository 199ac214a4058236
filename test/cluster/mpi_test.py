#!/usr/bin/env python3
"""mpi_test.py MPI_CHECK: compares examples/cluster/mpi_check.cpp, run by mpirun, with `utfcat --check`.

Also tests what users see if a rank cannot read its range, or is killed. The current directory must be empty.
"""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from support import check, equal, finish, utfcat, write_csv, write_ill_formed

MPI_CHECK = os.path.abspath(sys.argv[1])
MPIRUN = ["mpirun", "--oversubscribe"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # in a namespace users are root
PATIENCE = 60  # seconds


def start(ranks, *arguments, before=":"):
    """Starts mpi_check. Rank 0 writes into the file out.0: mpirun would pass its output on through a terminal, slowly."""
    pathlib.Path("out.0").write_bytes(b"")
    script = f'here=$PWD && {before} && exec "$0" "$@" > "$here/out.$OMPI_COMM_WORLD_RANK"'
    return subprocess.Popen([*MPIRUN, "-np", str(ranks), "sh", "-c", script, MPI_CHECK, *arguments], env=ENVIRONMENT,
                            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)


def messages(err):
    """What mpi_check says, without the words that mpirun adds."""
    return b"".join(line for line in err.splitlines(keepends=True) if line.startswith((b"mpi_check: ", b"Usage: ")))


def finished(process):
    """(output, messages, exit status) of mpi_check, as of utfcat(), and all messages."""
    err = process.communicate(timeout=PATIENCE)[1]
    return pathlib.Path("out.0").read_bytes(), messages(err), process.returncode, err


def mpi_check(ranks, *arguments, **options):
    return finished(start(ranks, *arguments, **options))[:3]


def same_as_utfcat():
    write_csv("good.csv", 300000)
    write_ill_formed("bad16.txt")
    text = pathlib.Path("bad16.txt").read_bytes()
    pathlib.Path("bad8.txt").write_bytes(b"".join(b"h\xc3\xa4 %d\xff\xe2\x82\n" % i if i % 7 == 0 else b"%d\n" % i for i in range(5000)) + b"\xf0")
    pathlib.Path("bad32.txt").write_bytes("".join(f"\ufeff{i}\n" for i in range(2000)).encode("utf-32-be") + b"\0\0\xd8\0\0")
    pathlib.Path("errors.txt").write_bytes(b"\xff" * 20000 + b"\n" + b"\xfe\n" * 20000)  # more than a batch for each rank
    pathlib.Path("one_line.txt").write_bytes(text.replace(b"\n\0", b" \0"))
    pathlib.Path("empty.txt").write_bytes(b"")
    pathlib.Path("ab.txt").write_bytes(b"a\xff")  # fewer bytes than ranks
    for name, encoding in (("good.csv", None), ("bad16.txt", None), ("bad16.txt", "utf-16be"), ("bad8.txt", None), ("bad32.txt", None),
                           ("errors.txt", None), ("one_line.txt", None), ("empty.txt", None), ("ab.txt", None)):
        for ranks in (1, 2, 4, 7) if name == "bad16.txt" and not encoding else (4,):
            reports, said, status = utfcat("--check", *(["--from", encoding] if encoding else []), name)
            # In the wrong byte order utfcat warns, too.
            said = b"".join(line for line in said.splitlines(keepends=True) if b"has U+0A00" not in line)
            wanted = reports, said, status
            got = mpi_check(ranks, name, *([encoding] if encoding else []))
            equal(got, wanted, f"{ranks} ranks, {name}, {encoding}")
    printed = subprocess.run([*MPIRUN, "-np", "2", MPI_CHECK, "bad16.txt"], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                             capture_output=True, check=False, timeout=PATIENCE)
    equal((printed.stdout, messages(printed.stderr), printed.returncode), utfcat("--check", "bad16.txt"), "what mpirun prints")


def failures():
    equal(mpi_check(2)[1:], (b"Usage: mpirun -np N mpi_check FILE [ENCODING]\n", 2), "no file")
    equal(mpi_check(2, "good.csv", "ebcdic")[1:], (b"mpi_check: there is no encoding ebcdic\n", 2), "an unknown encoding")
    host = os.uname().nodename.encode()
    out, err, status = mpi_check(3, "missing.txt")
    equal((out, err, status), (b"", b"mpi_check: rank 0 on %s: missing.txt: No such file or directory\n" % host, 2), "a missing file")
    os.mkfifo("pipe")
    err = mpi_check(2, "pipe")[1]
    check(err.startswith(b"mpi_check: rank 0 on %s: pipe: only a regular file has ranges" % host) and err.count(b"\n") == 1, "a pipe", err)

    # Each rank has a directory, as if it were a machine. Rank 2 has no file, or a shorter one.
    for rank in range(4):
        os.mkdir(f"machine{rank}")
        pathlib.Path(f"machine{rank}/text").write_bytes(b"\xff\n" * 1000)
    for damage, reason in ((lambda path: os.truncate(path, 999), b"text: has 999 bytes, but 2000 on rank 0\n"),
                           (os.remove, b"text: No such file or directory\n")):
        damage("machine2/text")
        out, err, status = mpi_check(4, "text", before="cd machine$OMPI_COMM_WORLD_RANK")
        whole = utfcat("--check", "machine0/text")[0].replace(b"machine0/", b"")
        equal((err, status), (b"mpi_check: rank 2 on %s: %s" % (host, reason), 2), "the failure of a rank")
        equal(out, b"".join(whole.splitlines(keepends=True)[:500]), "the errors of ranks 0 and 1")


def ranks():
    """The processes of the ranks, by rank."""
    found = {}
    for directory in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            variables = dict(entry.split(b"=", 1) for entry in (directory / "environ").read_bytes().split(b"\0") if b"=" in entry)
            if b"CHECKED_BY" in variables and os.readlink(directory / "exe") == MPI_CHECK:
                found[int(variables[b"OMPI_COMM_WORLD_RANK"])] = int(directory.name)
        except (OSError, KeyError):
            continue
    return found


def in_the_middle(what):
    """Checks a file of nothing but errors, and does something when rank 0 has stopped after its first errors. The other ranks
    are then in the middle of their ranges, too: their next batch waits for rank 0."""
    process = start(4, "many.txt")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and not os.path.getsize("out.0"):
        time.sleep(0.001)
    first = ranks()[0]
    os.kill(first, signal.SIGSTOP)
    while time.monotonic() < deadline and len(ranks()) < 4:
        time.sleep(0.01)
    time.sleep(0.5)  # by now each rank should have opened the file
    what()
    with contextlib.suppress(ProcessLookupError):  # mpirun may have ended it
        os.kill(first, signal.SIGCONT)
    return finished(process)


def interruptions():
    ENVIRONMENT["CHECKED_BY"] = "mpi_test"
    pathlib.Path("many.txt").write_bytes(b"\xff\n" * 800000)
    out, _, status, err = in_the_middle(lambda: os.kill(ranks()[2], signal.SIGKILL))
    whole = utfcat("--check", "many.txt")[0]
    check(status not in (0, 1) and b"rank 2 " in err and b"on signal 9 (Killed)" in b" ".join(err.split()) and out != whole, "mpirun says that a rank was killed", status, err)
    check(whole.startswith(out[:out.rfind(b"\n") + 1]), "what was printed before the kill is right")

    out, err, status, _ = in_the_middle(lambda: os.truncate("many.txt", 1000001))
    # A rank that opens the file only now finds another size.
    check(status == 2 and re.fullmatch(rb"mpi_check: rank (2 on \S+: many.txt: the range 800000-1200000 lacks byte 1000001: the file has "
                                       rb"become shorter, .*|[123] on \S+: many.txt: has 1000001 bytes, but 1600000 on rank 0)\n", err),
          "a file that becomes shorter", status, err)


if __name__ == "__main__":
    same_as_utfcat()
    failures()
    interruptions()
    finish()
