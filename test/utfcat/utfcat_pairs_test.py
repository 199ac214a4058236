"""utfcat, where two features meet: one file under two names, --to same, ranges, and each pair of options and of filters.

utfcat_pairs_test.py UTFCAT [long]: what must come out is computed here, by Python's codecs, on the whole text at once and
one step after the other. Without `long` some of the pairs are tried.
"""

import codecs
import itertools
import os
import random
import subprocess
import sys
import tempfile

from utfcat_cases import FILTERS, OLD_DECLARATION, UTFCAT, check, content, filtered, run, run_tests, write

LONG = sys.argv[2:] == ["long"]
MARK = "\ufeff"


def some_of(cases, n):
    """All of them in the long test, otherwise n at random, but the same ones each time."""
    cases = list(cases)
    return cases if LONG or len(cases) <= n else random.Random(len(cases)).sample(cases, n)


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


#------------------------------------------------------------------------------------------------------------- --to same

# By name: Python's name, and the byte order mark, if the encoding has one.
ENCODINGS = {"utf-8": ("utf-8", codecs.BOM_UTF8), "utf-16le": ("utf-16-le", codecs.BOM_UTF16_LE), "utf-16be": ("utf-16-be", codecs.BOM_UTF16_BE),
             "utf-32le": ("utf-32-le", codecs.BOM_UTF32_LE), "utf-32be": ("utf-32-be", codecs.BOM_UTF32_BE), "cesu-8": ("utf-8", b""), "mutf-8": ("utf-8", b""),
             "windows-1252": ("cp1252", b""), "koi8-r": ("koi8-r", b""), "shift_jis": ("cp932", b""), "euc-jp": ("euc-jp", b""), "gbk": ("gbk", b""),
             "gb18030": ("gb18030", b""), "big5": ("big5", b""), "euc-kr": ("euc-kr", b""), "iso-2022-jp": ("iso2022_jp", b"")}
SCRIPTS = {"utf": f"a\r\né€\u4e02 {MARK}x\n{MARK}漢\n", "cesu-8": f"é{MARK}漢\n{MARK}", "mutf-8": f"é{MARK}漢\n{MARK}", "windows-1252": "é€œ\n”",
           "koi8-r": "ёЯ─\n", "gbk": "漢字\n", "gb18030": f"漢{MARK}\U0001f600é\n", "big5": "漢字\n", "euc-kr": "한글漢\n", "iso-2022-jp": "漢字\nカ\n"}


def plain_text(name):
    return SCRIPTS.get(name, SCRIPTS["utf"] if name.startswith("utf") else "漢字カ\nｶｷ\n")


def test_same_leaves_what_is_right():
    """Each encoding, with none, one and two byte order marks, by each policy, by filters that find nothing, in each way."""
    changes = [[], ["--filter", "skip-hole"], ["--filter", "skip-controls"], ["--filter", "mojibake:auto"], ["--filter", "reread:iso-8859-6:koi8-r"], ["--nfc"], ["-d"], ["--jobs", "2"], ["--line-fallback", "FALLBACK"], ["--rejects", "bad"]]
    policies = [[], ["-e", "replace"], ["-e", "skip"], ["-e", "escape"], ["-b", "keep"], ["-b", "require"], ["-b", "reject"], ["-b", "add"], ["-b", "strip"]]
    ways = [["FILE"], ["-i", "FILE"], ["-o", "out", "FILE"], ["-f", "detect", "FILE"], ["-f", "guess", "FILE"]]
    cases = itertools.product(ENCODINGS, range(3), changes, policies, ways)
    for name, marks, change, policy, way in some_of(cases, 250):
        python, mark = ENCODINGS[name]
        text = plain_text(name)
        data = (mark or (MARK.encode(python) if name in ("cesu-8", "mutf-8", "gb18030") else b"")) * marks + text.encode(python)
        has_mark = bool(mark and marks)
        if ("-f" in way and not (has_mark or name == "utf-8")) or ("-d" in change and "-i" in way):
            continue
        write(data, "in")
        write(b"", "out")
        fallback = {"utf-16le": "utf-16be", "utf-16be": "utf-16le", "utf-32le": "utf-32be", "utf-32be": "utf-32le"}.get(name, "windows-1252")
        arguments = [fallback if one == "FALLBACK" else "in" if one == "FILE" else one for one in change + policy + way]
        arguments += [] if "-f" in way else ["-f", name]
        status, out, err = run("-t", "same", *arguments)
        got = content("in") if "-i" in way else content("out") if "-o" in way else out
        rule = policy[1] if policy[:1] == ["-b"] else "keep"
        wanted, state = data, 0
        if not mark and rule in ("strip", "require", "reject"):
            wanted, state = None, 2
        elif rule == "strip" and has_mark:
            wanted = data[len(mark):]
        elif rule == "add" and not has_mark:
            wanted, state = (mark + data, 0) if mark else (None, 1 if "-i" in way else 2)  # as other files may have one
        elif rule == ("reject" if has_mark else "require"):
            wanted, state = None, 1
        if wanted is None:  # an error
            check((arguments, err), (status, content("in")), (state, data))
        else:
            check((arguments, name, marks, err), (status, got), (state, wanted))


def test_same_changes_no_other_character():
    """An encoding that reads more than it writes: the file is left alone, and utfcat says why."""
    for name, data in (("euc-jp", b"\x8f\xb0\xa1\n"), ("euc-jp", b"\r\n\xff\x8f\xb0\xa1\n"), ("iso-2022-jp", b"\x1b(I67\x1b(B\r\n"),
                       ("iso-2022-jp", b"\x1b(Ja\x1b(B\n"), ("shift_jis", b"\xfa\x4a\n"), ("big5", b"\x88\x62\n")):
        for policy in ("strict", "replace", "skip", "escape"):
            for change in ([], ["--filter", "lf"]):
                if change and data in (b"\x1b(Ja\x1b(B\n", b"\xfa\x4a\n", b"\x88\x62\n"):
                    continue  # another code of the same character
                write(data, "in")
                status, _, err = run("-i", "-t", "same", "-f", name, "-e", policy, *change, "in")
                check((name, data, policy, change, err), (status, content("in"), "in: not written" in err), (1, data, True))
                check((name, policy, change, err, "why"), "so --to same would change it" in err or policy == "strict", True)


#---------------------------------------------------------------------------------------------------------------- ranges

def test_ranges_put_together_are_the_whole():
    """Each encoding with each option that may depend on what came before; or the range is refused."""
    changes = [[], *(["--filter", name] for name in ("lf", "crlf", "cr", "escape-controls", "skip-controls", "reject-controls", "mojibake", "strip-boms", "skip-hole", "declare", "remove:ansi", "remove:bidi", "escape:c0=json", "reject:bidi",
                                                          "mojibake:auto", "reread:windows-1252:koi8-r")),
               ["--nfc"], ["--line-fallback", "windows-1252"], ["--line-fallback", "auto"], ["--line-fallback", "utf-16be,utf-16le"], ["--rejects", "bad"], ["-t", "same"], ["-b", "add"], ["-b", "strip"],
               ["-b", "keep", "-t", "utf-16"], ["-t", "iso-2022-jp"], ["-t", "gb18030"], ["--filter", "skip-hole,strip-boms,lf"]]
    of = random.Random(6)
    cases = itertools.product(ENCODINGS, (False, True), changes, (["-f", "NAME"], [], ["-f", "guess"]))
    for name, marked, change, way in some_of(cases, 80):
        python, mark = ENCODINGS[name]
        parts = ["a\n", "\r\n", "\0" * 600 + "x\n", "\x1b[m\n", "e\u0301\n", MARK + "y\n", "Ã©\n", "¥\n", "漢\n", "カ\r"]
        text = "".join(of.choice(parts) for _ in range(12)) + of.choice(["", "\n"])
        data = (mark if marked else b"") + text.encode(python, "ignore") + of.choice([b"", b"\xff\n", b"\n\xff\xff\xe9\xff\n\0\n\0a\n"])
        if not mark and "-f" not in way:
            continue
        write(data, "in")
        arguments = [*change, *(name if one == "NAME" else one for one in way), "-e", "replace", "in"]
        whole = run(*arguments)
        cuts = sorted({0, *(of.randrange(len(data) + 1) for _ in range(4))})
        ranges = [f"{a}-{b}" for a, b in zip(cuts, [*cuts[1:], ""])]
        got = [run("--range", one, *arguments) for one in ranges]
        if any(one[0] == 2 for one in got):
            check((arguments, name, ranges, got), (all(one[1] == b"" for one in got), "utfilter::" in got[0][2]), (True, False))
            expected = name == "iso-2022-jp" or "iso-2022-jp" in change or "declare" in change
            check((arguments, "refused", got), expected or whole[0] == 2 or "no text" in got[0][2], True)
        elif whole[0] != 1:
            check((arguments, name, ranges, data), b"".join(one[1] for one in got), whole[1])


#------------------------------------------------------------------------------------------------- filters, and options

def dirty_text(of):
    parts = ["\r", "\n", "\r\n", MARK, "\n" + MARK, "\0", "\x1b[1m", "\x85", "e\u0301", "ë", "Ã© ", "\u202e", "€ ", "😀", "word ", "a line\r\n"]
    return of.choice(["", "\0" * 511 + "x", "\0" * 600, "a" * 70000, OLD_DECLARATION]) + "".join(of.choice(parts) for _ in range(of.randrange(1, 40))) + "end"


def test_each_pair_of_filters():
    """In both orders: the text, and the place of a control character in the file, or a refusal before anything is written."""
    of = random.Random(8)
    orders = list(itertools.permutations(FILTERS, 2)) + list(itertools.permutations(["lf", "crlf", "nfc", "mojibake", "strip-boms", "reject-controls"], 3))
    for names in some_of(orders, 110):
        for name in some_of(("utf-8", "utf-16le", "utf-32be"), 1):
            python = ENCODINGS[name][0]
            text = dirty_text(of)
            write(text.encode(python), "in")
            status, out, err = run("-f", name, "-b", "keep", "--filter", ",".join(names), "-o", "out", "in")
            if status == 2:
                check((names, err), (out, os.path.exists("out"), "makes no sense" in err), (b"", False, True))
                continue
            wanted, end = filtered(names, text)
            if end is None:
                check((names, name, text, err), (status, content("out")), (0, wanted.encode()))
            else:
                before = text[:end]
                at = f"in:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}: byte {len(before.encode(python))}: "
                check((names, name, text, err), (status, at in err, os.path.exists("out")), (1, True, False))
                got = run("-f", name, "-b", "keep", "--filter", ",".join(names), "in")
                check((names, name, text, "what comes before"), got[:2], (1, wanted.encode()))
                got = run("-c", "-f", name, "-b", "keep", "--filter", ",".join(names), "in")
                check((names, name, text, "check", got), got[1].decode().startswith(at), True)
            if os.path.exists("out"):
                os.remove("out")


def test_mojibake_of_lines_beside_each_filter():
    """`mojibake:auto` has no model here: by itself, before or after the model of the other filter, it gives the same text."""
    def auto(chars):
        write(chars.encode(), "alone")
        status, out, err = run("-f", "utf-8", "-b", "keep", "--filter", "mojibake:auto", "alone")
        check(("mojibake:auto", chars, err), status, 0)
        return out.decode()

    of = random.Random(9)
    parts = ["Gr\u00c3\u00b6\u00c3\u0178e\n", "d\u221a\u00a9j\u221a\u2020 vu\r\n", "It\u00e2\u20ac\u2122s", "\u0420\u0458\u0420\u0451\u0421\u0402\r", "\u00e9t\u00e9 ", "\u0084x\u0093 "]
    for name in (one for one in FILTERS if one not in ("declare", "mojibake")):
        for _ in range(60 if LONG else 6):
            text = "".join(of.choice([dirty_text(of)[:300], of.choice(parts)]) for _ in range(8))
            write(text.encode(), "in")
            for names in ([name, "mojibake:auto"], ["mojibake:auto", name]):
                status, out, err = run("-f", "utf-8", "-b", "keep", "--filter", ",".join(names), "in")
                if status == 2:
                    check((names, err), (out, "makes no sense" in err), (b"", True))
                    continue
                if names[0] == name:
                    text_between, end = filtered([name], text)
                    wanted = auto(text_between)
                else:
                    wanted, end = filtered([name], auto(text))
                check((names, text, err), (status, out), (0 if end is None else 1, wanted.encode()))


# Pairs of these. Each has words of the command line.
OPTIONS = [["-e", "replace"], ["-e", "skip"], ["-e", "stop"], ["-e", "escape"], ["-e", "keep"], ["-e", "windows-1252"], ["-f", "guess"], ["-f", "utf-16le"], ["-f", "windows-1252"],
           ["-f", "iso-2022-jp"], ["-f", "ibm-37"], ["-t", "utf-16"], ["-t", "us-ascii"], ["-t", "same"], ["-t", "gb18030"], ["-t", "iso-2022-jp"], ["-b", "add"], ["-b", "require"],
           ["-b", "reject"], ["-b", "strip"], ["--filter", "lf"], ["--filter", "reject-controls"], ["--filter", "skip-hole"], ["--filter", "declare"], ["--filter", "mojibake:auto"], ["--filter", "reread:windows-1252:koi8-r"], ["--nfc"], ["--rejects", "bad"],
           ["--rejects", "bad", "--rejects-format", "csv"], ["--rejects", "in"], ["--line-fallback", "windows-1252"], ["--line-fallback", "auto"], ["--line-fallback", "utf-16be"], ["-c"], ["-q"], ["--inspect"],
           ["--names-only"], ["--summary"], ["-s"], ["-d"], ["-p"], ["--range", "0-7"], ["--range", "5-"], ["--jobs", "2"], ["-o", "out"], ["-o", "in"], ["-i"], ["-i", "--dry-run"], ["-r"],
           ["--guess-bytes", "5"], ["--legacy", "koi8-r"], ["--fallback", "utf-16le"], ["--format", "json"], ["--follow", "--state", "state"]]
INPUTS = [b"", b"a\r\nb\xff\xfe\n\x1b[1m\xe9t\xe9\n", MARK.encode() + b"x\xc3\xa9\ny\x00\n", (MARK + "a\né€\r\n").encode("utf-16-le") + b"\x00\xdc\n\x00",
          b"\0" * 600 + b"caf\xc3\xa9\n\xff\n", b"\x1f\x8b\x08\x00broken"]


def test_each_pair_of_options():
    """No crash, no hang and no words of the library; what is refused has changed nothing; an input is never lost."""
    pairs = [(one, other) for one, other in itertools.combinations(OPTIONS, 2) if one[0] != other[0]]
    for one, other in some_of(pairs, 150):
        for data in INPUTS if LONG else random.Random(str(one + other)).sample(INPUTS, 1):
            arguments = [*one, *other]
            for name in ("out", "bad", "state"):
                if os.path.exists(name):
                    os.remove(name)
            write(data, "in")
            follows = "--follow" in arguments
            try:
                done = subprocess.run(["timeout", "-s", "INT", "0.4", UTFCAT, *arguments, "in"] if follows else [UTFCAT, *arguments, "in"],
                                      capture_output=True, check=False, timeout=20)
            except subprocess.TimeoutExpired:
                check((arguments, data), "hangs", "ends")
                continue
            err = done.stderr.decode(errors="replace")
            check((arguments, data, err), done.returncode in ((0, 1, 2, 124) if follows else (0, 1, 2)), True)
            check((arguments, data, err, "words"), [word for word in ("utfilter::", "terminate", "std::", "basic_", "iostreams", "Exception") if word in err], [])
            check((arguments, data, err, "a reason"), done.returncode != 2 or err.startswith("utfcat: "), True)
            if done.returncode == 2:
                check((arguments, data, err, "unchanged"), (content("in"), os.path.exists("out")), (data, False))
            aside = content("bad") if os.path.exists("bad") else b""
            if "-i" not in arguments and ["-o", "in"] not in (one, other):
                check((arguments, data, "the input"), content("in"), data)
            elif done.returncode == 0 and not {"-t", "-b", "-e", "-f", "--filter", "--nfc", "--line-fallback", "--fallback", "-d", "--range"} & set(arguments):
                # All lines are in one of the two. Those of UTF-16 are UTF-8 in the output.
                got, line_feed, mark = content("in"), b"\n", MARK.encode()
                if data.startswith(b"\xff\xfe"):
                    got, line_feed, mark = got.decode().encode("utf-16-le"), b"\n\0", b"\xff\xfe"
                check((arguments, data, aside), sorted((got + aside).split(line_feed)), sorted(data.replace(mark, b"").split(line_feed)))


run_tests(globals())
