"""utfcat, where two features meet: one file under two names.

utfcat_pairs_test.py UTFCAT [long]
"""

import os
import subprocess
import tempfile

from utfcat_cases import UTFCAT, check, content, run_tests, write


def run_with(arguments, stdin=b"", stdout=None, stderr=None):
    """As run(), but the three may be open files."""
    done = subprocess.run([UTFCAT, *arguments], check=False, timeout=60, stderr=stderr or subprocess.PIPE,
                          stdout=stdout or subprocess.PIPE, **({"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}))
    return done.returncode, (done.stdout or b""), (done.stderr or b"").decode()


def test_a_file_has_one_use():
    """Each way to name the file twice, in each pair of uses. utfcat says so, and nothing has changed."""
    bad = b"a\nb\xff\n"
    others = {"the name": "f", "a path": "./f", "from the root": None, "a symbolic link": "soft", "a link to it": "softer", "a hard link": "hard"}
    for way, other in others.items():
        for first in ([], ["-i"], ["-o", "out"], ["-i", "--dry-run"]):
            for there in (True, False):
                if way == "a hard link" and not there:
                    continue
                with tempfile.TemporaryDirectory() as here:
                    os.chdir(here)
                    write(bad, "in")
                    if there:
                        write(bad, "f")
                        os.link("f", "hard")
                    os.symlink("f", "soft")
                    os.symlink(os.path.join(here, "soft"), "softer")
                    name = other or os.path.join(here, "f")

                    def refused(arguments, words, **streams):
                        status, out, err = run_with(arguments, **streams)
                        check((way, arguments, there, err), (status, out, words in err), (2, b"", True))
                        check((way, arguments, "unchanged"), [content(one) if os.path.exists(one) else None for one in ("in", "f")],
                              [bad, bad if there else None])
                        check((way, arguments, "no other"), os.path.exists("out"), False)

                    refused(["--rejects", name, *first, "in", "f"], "is an input file as well")
                    refused(["--rejects", "f", *first, name, "in"], "is an input file as well")
                    if there:
                        os.mkdir("d")
                        os.link("f", "d/deep")
                        refused(["--rejects", name, *first, "-r", "d"], "--rejects: d/deep is an input file as well")
                    if there and first[:1] != ["-i"]:
                        with open("f", "rb") as stdin:
                            refused(["--rejects", name, *first], "is an input file as well", stdin=stdin)
                    if there and not first:
                        with open("f", "ab") as stdout:
                            refused(["in", name], "is the output as well", stdout=stdout)
                            refused(["in", "-o", "/dev/stdout", name], "is the output as well", stdout=stdout)
                            refused(["--rejects", name, "in"], "standard output as well", stdout=stdout)
                            refused(["--rejects", "/dev/stdout", "in"], "standard output as well", stdout=stdout)
                            refused(["--follow", name], "is the file that is followed as well", stdout=stdout)
                            refused(["--follow", "--state", name, "in"], "standard output as well", stdout=stdout)
                        with open("f", "ab") as log, open("seen", "w+b") as seen:
                            status = run_with(["--rejects", name, "in"], stdout=seen, stderr=log)[0]
                            check((way, "messages"), (status, os.path.getsize("seen")), (2, 0))
                        write(bad, "f")
                        refused(["-r", "-o", name, "."], "is the output as well, so it would get its old text again")
                    if first == ["-o", "out"]:
                        refused(["--rejects", name, "-o", "f", "in"], "is the output as well")
                        refused(["--rejects", "f", "-o", name, "in"], "is the output as well")
                        refused(["--follow", "--state", name, "-o", "f", "in"], "is the output as well")
                        refused(["--follow", "--state", "f", "-o", name, "in"], "is the output as well")
                        refused(["--follow", "-o", name, "f"], "is the file that is followed as well")
                        refused(["--follow", "--state", name, "f"], "is followed, so --state cannot replace it")
                    if there and first[:1] == ["-i"] and way != "a hard link":
                        refused(["-f", "windows-1252", *first, "f", name], "--in-place would convert it twice")
                        refused(["-f", "windows-1252", *first, "-r", "d", "./d/deep"], "--in-place would convert it twice")
                    os.chdir("/")


def test_a_terminal_or_null_may_have_several_uses():
    write(b"a\nb\xff\n", "in")
    check("null", run_with(["--rejects", "/dev/null", "-o", "/dev/null", "in"])[:2], (0, b""))
    with open("/dev/null", "r+b") as null:
        check("null, open", run_with(["--rejects", "/dev/null", "-", "in"], stdin=null, stdout=null)[0], 0)
    check("the output replaces an input", run_with(["-o", "in", "-e", "skip", "in"])[:2], (0, b""))
    check("its text", content("in"), b"a\nb\n")


def test_lines_put_aside_in_place_are_kept():
    """They are the only copy. A second run appends, whatever the name of the output is."""
    for number, arguments in enumerate((["-i", "f"], ["-i", "f", "g"], ["-o", "f", "f"], ["-o", "./f", "f"])):
        write(b"a\nb\xff\n", "f")
        write(b"\xfe\n", "g")
        aside = f"aside{number}"
        check((arguments, "first"), run_with(["--rejects", aside, *arguments])[0], 0)
        first = content(aside)
        check((arguments, "second"), run_with(["--rejects", aside, *arguments])[0], 0)
        check((arguments, "nothing is lost"), content(aside), first)
        write(b"c\xff\nd\n", "f")
        run_with(["--rejects", aside, *arguments])
        check((arguments, "third"), (content(aside), content("f")), (first + b"c\xff\n", b"d\n"))
    write(b"c\xff\nd\n", "f")
    for _ in range(2):
        run_with(["--rejects", "aside", "f"])
        check("otherwise it is emptied", content("aside"), b"c\xff\n")
    # What makes no sense is found before any file is emptied.
    for arguments, words in ((["-b", "add", "-t", "iso-8859-1"], "byte order mark"), (["-o", "no/such"], "no/such"),
                             (["-o", "."], "Is a directory")):
        status, _, err = run_with(["--rejects", "aside", *arguments, "f"])
        check((arguments, err), (status, words in err, content("aside")), (2, True, b"c\xff\n"))


run_tests(globals())
