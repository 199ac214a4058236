#!/usr/bin/env python3
"""git_examples_test.py UTFCAT UTF16_FILTER SOURCE: git shows, converts and refuses files by the examples of examples/git, set up by
the commands of doc/git.md. Nothing of the user's configuration of git has an effect here.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from utfcat_cases import OTHER as FILTER, UTFCAT, check, run_tests

SOURCE = pathlib.Path(sys.argv[3]).resolve()
EXAMPLES = SOURCE / "examples/git"
PAGE = (SOURCE / "doc/git.md").read_text(encoding="utf-8")
scratch = tempfile.TemporaryDirectory()  # removed when the program ends
work = pathlib.Path(scratch.name)
for variable in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[variable]  # git sets some of them if one of its hooks runs this test
os.environ.update(HOME=str(work), XDG_CONFIG_HOME=str(work), GIT_CONFIG_NOSYSTEM="1", LC_ALL="C", TMPDIR=str(work / "temporary"),
                  PATH=f"{os.path.dirname(UTFCAT)}:{os.environ['PATH']}")
(work / "temporary").mkdir()
random.seed(16)


def check_has(what, text, *parts):
    for part in parts:
        check(f"{what} in {text!r:.300}", part in text, True)


def utf16(text, order="le"):
    return ("\uFEFF" + text).encode(f"utf-16-{order}")


class Repository:
    def __init__(self, name, *attributes):
        self.folder = work / name
        self.folder.mkdir()
        self.git("init", "--quiet")
        (self.folder / ".git/info/attributes").write_text("".join(line + "\n" for line in attributes), encoding="utf-8")

    def run(self, *command, **environment):
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, timeout=120, env={**os.environ, **environment})

    def try_git(self, *arguments, **environment):
        return self.run("git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments, **environment)

    def git(self, *arguments):
        ran = self.try_git(*arguments)
        if ran.returncode != 0:
            sys.exit(f"git {' '.join(arguments)}: {ran.stderr.decode()}")
        return ran.stdout

    def set_up(self, key):
        """Runs the commands of the page that set this key of git's configuration."""
        commands = re.findall(rf"^git config {re.escape(key)}.*", PAGE, re.MULTILINE)
        check(f"the page sets {key}", len(commands) > 0, True)
        for command in commands:
            for program in (EXAMPLES / "utf16_textconv", pathlib.Path(FILTER)):
                command = command.replace(f"/usr/local/bin/{program.name}", str(program))
            self.run("sh", "-c", command)

    def write(self, name, content):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(content)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def commit(self, name, content):
        self.write(name, content)
        self.git("add", "--", name)
        return self.try_git("commit", "--quiet", "-m", "x")


def test_sizes():
    """The examples are as short as readers expect."""
    for name, most in (("utf16_textconv", 30), ("pre-commit", 30), ("pre-commit-hooks.yaml", 30), ("utf16_filter.cpp", 100)):
        lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        code = [line for line in lines if not re.match(r"\s*(//|#|$)", line)] if name.endswith("cpp") else lines
        check(f"{name} has at most {most} lines", len(code) <= most, True)


def test_textconv():
    repository = Repository("textconv", "*.txt diff=utf16")
    repository.set_up("diff.utf16.")

    def diff(before, after):
        repository.commit("a.txt", before)
        repository.write("a.txt", after)
        ran = repository.try_git("diff")
        check("status of git diff", (ran.returncode, ran.stderr), (0, b""))
        return [line for line in ran.stdout.decode().splitlines() if line.startswith(("+", "-", "Binary")) and line[:3] not in ("+++", "---")]

    check("LE", diff(utf16("a\nb\n"), utf16("a\né\U0001F600\n")), ["-b", "+é\U0001F600"])
    check("BE", diff(utf16("a\nb\n", "be"), utf16("a\nc\n", "be")), ["-b", "+c"])
    check("empty", diff(b"", utf16("a\n")), ["+a"])
    check("only a mark", diff(utf16(""), utf16("a\n")), ["+a"])
    check("no mark: UTF-8", diff(utf16("a\nb\n"), b"a\nc\n"), ["-b", "+c"])
    check("only the byte order changes", diff(utf16("a\n"), utf16("a\n", "be")), [])
    check_has("without textconv", repository.git("diff", "--no-textconv").decode(), "Binary files a/a.txt and b/a.txt differ")
    lone, odd = "a\n".encode("utf-16-le") + b"\x3D\xD8b\0\n\0", "a\nb\n".encode("utf-16-le") + b"c"
    damaged = diff(utf16("a\nb\n"), b"\xFF\xFE" + lone)
    check("damaged", [damaged[0], *damaged[-3:]], ["+DAMAGED UTF-16LE, byte order mark, 2 lines, 1 error", "+", "-b", "+\\u{D83D}b"])
    check_has("the place", "\n".join(damaged), "2:1  unpaired high surrogate U+D83D: 3D D8")
    check_has("repaired", "\n".join(diff(b"\xFF\xFE" + odd, utf16("a\nb\n"))), "-DAMAGED UTF-16LE", "-\\x63")
    many = diff(utf16("a\n"), b"\xFF\xFE" + 10000 * b"\x3D\xD8\n\0")
    check("the summary of many errors is short", len([line for line in many if not line.startswith("+\\u")]) < 15, True)
    check_has("many errors", "\n".join(many), ", 10000 errors\n")
    repository.commit("a.txt", b"\xFF\xFE" + lone)
    repository.commit("a.txt", utf16("a\né\U0001F600\n"))
    check_has("git log", repository.git("log", "-p").decode(), "+é\U0001F600\n", "+\\u{D83D}b\n", "-\\u{D83D}b\n", "+DAMAGED", "-DAMAGED")
    repository.write("- 'a\".txt", utf16("b\n"))
    repository.git("add", "--all")
    check_has("odd name", repository.git("diff", "--cached").decode(), "+b\n")
    utfcat_fails = work / "fails"
    utfcat_fails.mkdir()
    (utfcat_fails / "utfcat").write_text("#!/bin/sh\n[ \"$1\" != --quiet ] || exit 2\n", encoding="utf-8")
    (utfcat_fails / "utfcat").chmod(0o755)
    ran = repository.try_git("diff", "--cached", PATH=f"{utfcat_fails}:{os.environ['PATH']}")
    check("if utfcat fails, git diff fails", ran.returncode != 0 and ran.stderr != b"", True)


GOOD = {"empty": "", "ascii": "a\n", "crlf": "a\r\n\r\nb", "mixed line ends": "a\nb\r\nc\r", "emoji": "\U0001F600é\u4E2D\uFFFF\U0010FFFF",
        "no text but line ends": "\r\n", "large": "Привет, \U0001F600 world\r\n" * 65536,
        **{f"{size} characters": "x" * size for size in (32757, 32758, 65515, 65516, 65517, 2 * 65516)}}
REFUSED = {"odd": (utf16("ab") + b"c", "line 1, column 3 (byte 6): incomplete at the end of the input"),
           "lone": (utf16("a\n") + b"\x3D\xD8b\0", "line 2, column 1 (byte 6): unpaired high surrogate U+D83D"),
           "low": (utf16("a") + b"\x00\xDC", "unpaired low surrogate U+DC00"), "no mark": ("a\n".encode("utf-16-le"), "FF FE"),
           "big-endian": (utf16("a\n", "be"), "FF FE"), "UTF-8": ("é\n".encode(), "FF FE"), "one byte": (b"\xFF", "FF FE"),
           "UTF-8 with a mark": (b"\xEF\xBB\xBFa\n", "FF FE"), "only a mark": (utf16(""), "byte for byte"),
           "two marks": (utf16("\uFEFFa"), "byte for byte"), "NUL": (utf16("a\0b"), "NUL"),
           "UTF-32": (b"\xFF\xFE\0\0a\0\0\0", "NUL"), "large": (utf16("x\n" * 1500000) + b"\0", "byte 6000002")}
NOT_FROM_THE_FILTER = {"UTF-16": utf16("a\né\n"), "big-endian": utf16("a\n", "be"), "no mark": "ab\n".encode("utf-16-le"),
                       "Latin-1": b"caf\xE9\n", "UTF-8 with a mark": b"\xEF\xBB\xBFa\n", "binary": bytes(range(256))}


def test_filter_round_trip():
    repository = Repository("filter", "*.txt filter=utf16 -text")
    repository.set_up("filter.utf16.")
    repository.git("config", "core.autocrlf", "true")
    for name, text in GOOD.items():
        content = utf16(text) if text else b""
        committed = repository.commit(f"{name}.txt", content)
        check(f"{name} is committed", (committed.returncode, committed.stderr), (0, b""))
        check(f"{name} in the repository", repository.git("cat-file", "blob", f":{name}.txt"), text.encode())
        (repository.folder / f"{name}.txt").unlink()
        repository.git("checkout", "--", f"{name}.txt")
        check(f"{name} comes back", repository.read(f"{name}.txt"), content)
    check("nothing has changed", repository.git("status", "--short"), b"")
    ran = repository.run("git", "-c", "filter.utf16.required=true", "-c", f"filter.utf16.process={FILTER}", "clone", "--quiet",
                         repository.folder, work / "clone")
    check("clone", (ran.returncode, ran.stderr), (0, b""))
    repository.write("ascii.txt", utf16("a\nc\n"))
    check_has("git diff shows text", repository.git("diff").decode(), "\n+c\n")
    for name in ("with space.txt", "new\nline.txt", "folder/é\t\".txt", "-x.txt"):
        check(name, repository.commit(name, utf16(name)).returncode, 0)
        check(name, repository.git("cat-file", "blob", f":./{name}"), name.encode())


def test_filter_refuses():
    repository = Repository("refused", "*.txt filter=utf16 -text")
    repository.set_up("filter.utf16.")
    for name, (content, why) in REFUSED.items():
        repository.write(f"{name}.txt", content)
        ran = repository.try_git("add", "--", f"{name}.txt")
        check(f"{name}: git add fails", ran.returncode != 0, True)
        check_has(name, ran.stderr.decode(), f"utf16_filter: {name}.txt: not converted: ", why)
        check(f"{name} is not changed", repository.read(f"{name}.txt"), content)
    check("nothing is staged", repository.git("ls-files"), b"")
    repository.write("new\nline.txt", b"")
    repository.write("new\nline.txt", b"\xFF")
    check_has("a name", repository.try_git("add", "new\nline.txt").stderr.decode(), "utf16_filter: new\\x0Aline.txt: not")


def test_filter_leaves():
    """What was committed without the filter is checked out as it is; so is what git commits if the filter is not required."""
    for name, content in NOT_FROM_THE_FILTER.items():
        repository = Repository(name)
        repository.commit("a.txt", content)
        (repository.folder / ".git/info/attributes").write_text("*.txt filter=utf16 -text\n", encoding="utf-8")
        repository.set_up("filter.utf16.")
        (repository.folder / "a.txt").unlink()
        ran = repository.try_git("checkout", "--", "a.txt")
        check(f"{name} is checked out", ran.returncode, 0)
        check_has(name, ran.stderr.decode(), "utf16_filter: a.txt: checked out unchanged: ")
        check(f"{name} is as in the repository", repository.read("a.txt"), content)
        if name == "UTF-16":
            repository.git("add", "--renormalize", "a.txt")
            check("renormalized", repository.git("cat-file", "blob", ":a.txt"), "a\né\n".encode())
            continue
        os.utime(repository.folder / "a.txt", (0, 0))  # git compares the content again
        check(f"git status refuses {name}", repository.try_git("status").returncode, 128)
        repository.write("a.txt", content + b"x")
        check(f"git diff refuses {name}", repository.try_git("diff").returncode, 128)
        repository.write("a.txt", content)
        with open(repository.folder / ".git/info/attributes", "a", encoding="utf-8") as attributes:
            attributes.write("a.txt -filter\n")
        check(f"{name} without the filter", repository.git("status", "--short"), b"")

    repository = Repository("not required", "*.txt filter=utf16 -text")
    repository.git("config", "filter.utf16.process", str(FILTER))
    for name, (content, why) in REFUSED.items():
        repository.write(f"{name}.txt", content)
        ran = repository.try_git("add", f"{name}.txt")
        check(f"{name} is staged as it is", (ran.returncode, repository.git("cat-file", "blob", f":{name}.txt")), (0, content))
        check_has(name, ran.stderr.decode(), why)


def packet(data):
    return b"%04x" % (len(data) + 4) + data


def request(command, content=None, path=b"a.txt"):
    lines = [b"command=" + command + b"\n"] + ([b"pathname=" + path + b"\n", b"ref=refs/heads/x\n"] if content is not None else [])
    pieces = [] if content is None else [content[i:i + 65516] for i in range(0, len(content), 65516)]
    return b"".join(map(packet, lines)) + b"0000" + (b"".join(map(packet, pieces)) + b"0000" if content is not None else b"")


def lists(data):
    """The lists of packets in the filter's output."""
    found, one = [], []
    while data:
        size = int(data[:4], 16)
        check("a packet has at most 65516 bytes", size <= 65520 and size not in (1, 2, 3, 4) and size <= len(data) + 4, True)
        if size == 0:
            found.append(one)
            one = []
        else:
            one.append(data[4:size])
        data = data[size or 4:]
    check("the last list has an end", one, [])
    return found


HELLO = packet(b"git-filter-client\n") + packet(b"version=2\n") + b"0000"
CAPABILITIES = b"".join(packet(b"capability=%s\n" % name) for name in (b"clean", b"smudge", b"delay")) + b"0000"
WELCOME = [[b"git-filter-server\n", b"version=2\n"], [b"capability=clean\n", b"capability=smudge\n"]]
ERROR = [[b"status=error\n"]]


def speak(*requests):
    ran = subprocess.run([FILTER], input=b"".join(requests), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)
    return ran.returncode, lists(ran.stdout), ran.stderr.decode()


def answers(*requests):
    """The answers to many requests: None for an error, else the content."""
    status, found, _ = speak(HELLO, CAPABILITIES, *requests)
    check("status and welcome", (status, found[:2]), (0, WELCOME))
    found = iter(found[2:])
    told = []
    for one in found:
        told.append(None if one == [b"status=error\n"] else b"".join(next(found)))
        if one != [b"status=error\n"]:
            check("status before and after", (one, next(found)), ([b"status=success\n"], []))
    check("each request has an answer", len(told), len(requests))
    return told


def test_protocol():
    check("nothing to do", speak(HELLO, CAPABILITIES), (0, WELCOME, ""))
    others = [request(b"list_available_blobs"), request(b"unknown", b"abc"), request(b"unknown", b""), request(b"", b"abc")]
    check("unknown commands", speak(HELLO, CAPABILITIES, *others), (0, WELCOME + 4 * ERROR, ""))
    check("the next one works", answers(*others, request(b"clean", utf16("a"))), [None] * 4 + [b"a"])
    for data, why in ((b"", "git"), (b"0000", "version 2"), (packet(b"version=1\n") + b"0000", "version 2"), (HELLO, "capabilities"),
                      (HELLO[:-4], "too early"), (HELLO + b"00", "too early"), (HELLO + b"hello", "packets"), (HELLO + b"0003", "packets"),
                      (HELLO + b"fff1" + 70000 * b"x", "packets"), (HELLO + CAPABILITIES + request(b"clean", b"abc")[:-4], "too early"),
                      (HELLO + CAPABILITIES + request(b"clean", b"")[:-4], "too early"),
                      (HELLO + CAPABILITIES + request(b"clean", b"abc")[:-5], "too early")):
        status, _, said = speak(data)
        check(f"{data[:60]}: status", status, 1)
        check_has(f"{data[:60]}", said, "utf16_filter: ", why)
    with open("/dev/full", "wb") as full:
        ran = subprocess.run([FILTER], input=HELLO + CAPABILITIES, stdout=full, stderr=subprocess.PIPE, check=False)
        check("a full disk", (ran.returncode, b"standard output" in ran.stderr), (1, True))


def test_no_byte_is_lost():
    """What is accepted comes back; what is well-formed is accepted."""
    characters = ["a", "\n", "\r\n", "é", "\u4E2D", "\U0001F600", "\uFEFF", "\uFFFE", "\u0085", "\0"]
    files = []
    for _ in range(1500):
        text = "".join(random.choices(characters, weights=[9] * 6 + [1] * 4, k=random.randint(0, 12)))
        content = bytearray(utf16(text))
        for _ in range(random.choice((0, 0, 1, 2))):
            place = random.randrange(len(content) + 1)
            content[place:place + random.randint(0, 2)] = random.choice((b"", b"\xD8", b"\xDC", b"\0", b"\xFF\xFE", b"\xC3\xA9"))
        files.append(bytes(content))
    for there, back in ((b"clean", b"smudge"), (b"smudge", b"clean")):
        made = answers(*(request(there, content) for content in files))
        again = answers(*(request(back, content if content is not None else b"") for content in made))
        for content, other, came_back in zip(files, made, again):
            try:
                text = content.decode("utf-16-le" if there == b"clean" else "utf-8")
            except UnicodeDecodeError:
                text = None
            good = text is not None and "\0" not in text and (text[:2] not in ("\uFEFF", "\uFEFF\uFEFF") and text[:1] == "\uFEFF"
                                                              if there == b"clean" else text[:1] != "\uFEFF") or content == b""
            if there == b"clean":
                check(f"clean {content}", other, content.decode("utf-16").encode() if good else None)
            else:
                check(f"smudge {content}", other, (utf16(text) if content else b"") if good else content)
            if good:
                check(f"{there} {content} comes back", came_back, content)


def test_hook():
    repository = Repository("hook")
    shutil.copy(EXAMPLES / "pre-commit", repository.folder / ".git/hooks/pre-commit")
    good = repository.commit("good.txt", "é\n".encode())
    check("the first commit", (good.returncode, good.stderr), (0, b""))
    bad = b"good\nca\xE9 x\n"
    for name, shown in (("bad.txt", "bad.txt"), ("with space/two  spaces .txt", "with space/two  spaces .txt"), ("new\nline\n", "new\\x0Aline\\x0A"),
                        ("new\nfolder\n/x", "new\\x0Afolder\\x0A/x"), ("-c", "-c"), ("é\".txt", "é\".txt")):
        refused = repository.commit(name, bad)
        check(f"{name!r} is refused", refused.returncode != 0, True)
        check_has(repr(name), refused.stderr.decode(), f"{shown}:2:3: byte 7: ", "pre-commit: not committed: the staged files above")
        repository.write(name, b"repaired\n")
        check(f"{name!r}: the index counts", repository.try_git("commit", "-m", "x").returncode != 0, True)
        check(f"{name!r}: repaired", repository.commit(name, b"repaired\n").returncode, 0)
        repository.write(name, bad)
        check(f"{name!r} is not staged", repository.commit("good.txt", name.encode()).returncode, 0)
        check(f"git commit -a takes {name!r}", repository.try_git("commit", "-am", "x").returncode != 0, True)
        repository.git("checkout", "HEAD", "--", f"./{name}")
    for what, content, status in (("UTF-16", utf16("a\r\n"), 0), ("damaged", utf16("a") + b"\x3D\xD8", 1), ("binary", bytes(range(256)) * 9, 0),
                                  ("empty", b"", 0), ("UTF-16BE", utf16("a", "be"), 0)):
        check(what, repository.commit(what, content).returncode, status)
        repository.git("reset", "--quiet", "--hard")
    (repository.folder / "link").symlink_to("nowhere-\udce9")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{repository.git('rev-parse', 'HEAD').decode().strip()},submodule")
    repository.git("add", "link")
    repository.git("rm", "--quiet", "bad.txt")
    check("a link, a submodule, a deleted file", repository.try_git("commit", "-qm", "x").returncode, 0)
    repository.git("mv", "good.txt", "moved.txt")
    check("a renamed file", repository.try_git("commit", "-qm", "x").returncode, 0)
    repository.write("old", bad)
    repository.git("add", "old")
    repository.git("commit", "--quiet", "--no-verify", "-m", "x")
    repository.git("mv", "old", "new")
    check_has("a renamed file that is bad", repository.try_git("commit", "-m", "x").stderr.decode(), "new:2:3: ")
    repository.git("reset", "--quiet", "--hard")
    repository.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "x")
    check("nothing", repository.try_git("commit", "--allow-empty", "-qm", "x").returncode, 0)
    (repository.folder / "sub").mkdir()
    (repository.folder / "sub/bad").write_bytes(bad)
    repository.git("-C", "sub", "config", "diff.relative", "true")
    repository.git("-C", "sub", "add", "bad")
    check_has("in a folder", repository.try_git("-C", "sub", "commit", "-m", "x").stderr.decode(), "sub/bad:2:3: ")
    check_has("two files", repository.commit("bad too", bad).stderr.decode(), "sub/bad:2:3: ", "bad too:2:3: ")
    if not shutil.which("utfcat", path="/usr/bin:/bin"):
        ran = repository.try_git("commit", "-m", "x", PATH="/usr/bin:/bin")
        check("without utfcat", (ran.returncode, ran.stderr.splitlines()[:1]), (1, [b"pre-commit: not committed: utfcat is not in PATH"]))
    ran = repository.try_git("commit", "-m", "x", TMPDIR="/dev/full")
    check("without a temporary folder", (ran.returncode, b"no temporary folder" in ran.stderr), (1, True))
    check("no file is left", os.listdir(os.environ["TMPDIR"]), [])


def test_framework():
    """The entries of pre-commit-hooks.yaml, as pre-commit runs them: with names after them."""
    hooks = (EXAMPLES / "pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^  entry: (.*)$", hooks, re.MULTILINE)
    check("each hook has what it needs", [len(re.findall(rf"^[- ] {key}: \S", hooks, re.MULTILINE)) for key in ("id", "name", "language", "types")],
          [len(entries)] * 4)
    folder = Repository("framework")
    for name, content in (("-good", utf16("a")), ("bad", utf16("ab") + b"\0"), ("utf8", b"a")):
        folder.write(name, content)
    for entry, utf8 in zip(entries, (0, 1)):
        for name, status in (("-good", 0), ("bad", 1), ("utf8", utf8)):
            ran = folder.run(*entry.split(), name)
            check(f"{entry} {name}", (ran.returncode, ran.stdout.startswith(f"{name}:1:".encode())), (status, status != 0))


run_tests(globals(), at_least=3000)
