"""utfcat on a disk that is full: each file that it writes is old or new, and whole, and what it says names the file.

utfcat_disk_test.py UTFCAT: files may not be larger than a limit, at each byte of what is written; and a disk of its own in
memory is full at each page, if the system lets the test have one. When there is room again, the same command does all.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from utfcat_cases import UTFCAT, check, content, run_tests, write

INSIDE = sys.argv[2:] == ["inside"]  # in a name space of its own
THIS = os.path.abspath(sys.argv[0])
REASONS = ("File too large", "No space left on device")


class Command:
    """A command, the files before it and after it, and what else may be there if it fails."""

    def __init__(self, arguments, before, after, meanwhile=lambda files, before, after: False, status=0):
        self.arguments, self.before, self.after, self.status = arguments, before, after, status
        self.meanwhile = meanwhile

    def may_be(self, files):
        """Each file is as before or as after."""
        names = files.keys() | self.before.keys() | self.after.keys()
        each = all(files.get(name) in (self.before.get(name), self.after.get(name)) for name in names)
        return (each and self.keeps_all(files)) or self.meanwhile(files, self.before, self.after)

    def keeps_all(self, files):
        """A file is new only if what keeps its old text is there, too."""
        return all(files.get(name) == self.after[name] for name in self.after if name in ("bad", "a.bak")) or \
            all(files.get(name) == self.before[name] for name in ("in", "a") if name in self.before)


def has_part_of_lines(files, before, after):
    """Whether only some of the lines are put aside yet."""
    return {**files, "bad": b""} == {**before, "bad": b""} and files["bad"].startswith(before["bad"]) and after["bad"].startswith(files["bad"])


def commands(lines):
    """The ways in which utfcat writes files. The files have so many lines."""
    dos, unix = b"a line\r\n" * lines, b"a line\n" * lines
    bad, good, aside = b"good\nb\xff\n" * lines, b"good\n" * lines, b"b\xff\n" * lines
    yield Command(["-i", "--filter", "lf", "a", "b"], {"a": dos, "b": dos + b"x\r\n"}, {"a": unix, "b": unix + b"x\n"})
    yield Command(["-i", "--jobs", "2", "--filter", "lf", "a"], {"a": dos}, {"a": unix})
    yield Command(["-t", "utf-16le", "-o", "out", "in"], {"in": unix, "out": b"old"}, {"in": unix, "out": unix.decode().encode("utf-16-le")})
    yield Command(["-i", "--backup", "--filter", "lf", "a"], {"a": dos}, {"a": unix, "a.bak": dos})
    # A part of the lines may be there, but not if the file that they come from has changed.
    for way in (["-i"], ["-o", "in"]):
        yield Command([*way, "--rejects", "bad", "in"], {"in": bad, "bad": b"earlier\n"}, {"in": good, "bad": b"earlier\n" + aside}, has_part_of_lines)
    # The output and the state may be behind. The log has an error, which ends it.
    yield Command(["--follow", "--state", "state", "-o", "out", "--filter", "lf", "log"], {"log": dos + b"\xff"}, {"log": dos + b"\xff", "out": unix},
                  lambda files, before, after: files["log"] == before["log"] and after["out"].startswith(files.get("out", b"")), 1)


def files_here():
    return {name: content(name) for name in os.listdir(".")}


def run(command, limit=None):
    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    done = subprocess.run((UTFCAT, *command.arguments), capture_output=True, check=False, timeout=60, preexec_fn=before)
    return done.returncode, done.stderr.decode(errors="replace")


def check_command(command, what, run_limited, make_room):
    """Runs a command where there may be no room, and then where there is. Returns whether there was room."""
    status, said = run_limited()
    files = {name: data for name, data in files_here().items() if name != "filler"}
    state = files.pop("state", None)
    what = (command.arguments, what, said)
    if status == command.status and files == command.after:
        return True
    check((what, "the status"), (status, [reason for reason in REASONS if reason in said] != []), (2, True))
    check((what, "says the file"), re.search("^utfcat: [a-z.]+: (cannot create a file in [.]: )?(" + "|".join(REASONS) + ")$", said, re.M) is not None, True)
    shown = {name: data[-60:] for name, data in files.items()}
    check((what, shown, "no temporary file"), [name for name in files if name.startswith(".")], [])
    check((what, shown), command.may_be(files), True)
    check((what, "the state"), state is None or state.startswith(b"utfcat-state/1\n") and b"\ncrc32 " in state, True)
    make_room()
    status, said = run(command)
    files = files_here()
    files.pop("state", None)
    if "bad" in files and files["bad"] != command.after["bad"]:  # a part came twice
        check((what, "none is lost"), files["bad"].endswith(command.after["bad"].removeprefix(b"earlier\n")), True)
        files["bad"] = command.after["bad"]
    if "a.bak" in files and status == 2:  # a backup that is there already is left alone
        check((what, said), files["a.bak"], command.before["a"])
        return False
    check((what, said, "with room"), (status, files), (command.status, command.after))
    return False


def put(files):
    for name in os.listdir("."):
        os.remove(name)
    for name, data in files.items():
        write(data, name)


def test_no_file_may_be_large():
    """The limit is at each byte: a write takes a part, and the next one fails."""
    if INSIDE:
        return
    for command in commands(8):
        most = max(len(data) for data in command.after.values()) + 1
        for limit in [*range(0, most, 7), *range(most, 1000, 50)]:
            put(command.before)
            if check_command(command, limit, lambda: run(command, limit), lambda: None) and limit > most:
                break
        check((command.arguments, "has room in the end"), limit < 1000 or "--follow" in command.arguments, True)


def test_a_summary():
    """What is shown in part is no success. The file is only read."""
    write(b"good\nb\xff\n" * 9, "in")
    for limit in range(0, 400, 20):
        with open("shown", "wb") as out:
            done = subprocess.run((UTFCAT, "--summary", "in"), stderr=out, stdout=subprocess.PIPE, check=False,
                                  preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))
        is_whole = content("shown").endswith(b"b[FF]\n")
        check((limit, content("shown")), (done.returncode, content("in")), (1 if is_whole else 2, b"good\nb\xff\n" * 9))
    check("whole", is_whole, True)


def test_a_small_disk():
    """The disk has room for the files and for so many pages more, or for so many files."""
    if not INSIDE:
        for way in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
            if shutil.which("unshare") and subprocess.run([*way, "mount", "-t", "tmpfs", "tmpfs", "."], capture_output=True, check=False).returncode == 0:
                check("on a small disk", subprocess.run([*way, sys.executable, THIS, UTFCAT, "inside"], check=False).returncode, 0)
                return
        print("no disk in memory: the system refuses it")
        return
    page, here = resource.getpagesize(), os.getcwd()
    for command in commands(1500):
        used = sum(-(-len(data) // page) for data in command.before.values())
        for what in [f"size={(used + more) * page}" for more in range(1, 16)] + [f"nr_inodes={len(command.before) + more}" for more in range(1, 5)]:
            disk = tempfile.mkdtemp(dir=here)
            subprocess.run(["mount", "-t", "tmpfs", "-o", what, "tmpfs", disk], check=True)
            os.chdir(disk)
            put(command.before)
            check_command(command, what, lambda: run(command), lambda: subprocess.run(["mount", "-o", "remount,size=10m,nr_inodes=100", disk], check=True))
            os.chdir(here)
            subprocess.run(["umount", disk], check=True)


run_tests(globals(), 50)
