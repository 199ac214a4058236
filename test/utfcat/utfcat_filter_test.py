"""utfcat --filter, --to same, --in-place, --dry-run, --recursive and --names-only.

utfcat_filter_test.py UTFCAT: what must come out is computed here, on the whole text at once.
"""

import contextlib
import itertools
import os
import random
import re
import signal
import struct
import subprocess
import time

from utfcat_cases import BRIEF, SEQUENCES, UTFCAT, check, content, folder, run, run_tests, similar, state_of

MARK = "\ufeff"
NEWLINES = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


def is_control(c):
    return ord(c) < 0x20 and c not in "\t\n\r" or 0x7F <= ord(c) <= 0x9F


def filtered(name, text):
    """What the filter makes of the whole text."""
    if name in NEWLINES:
        return re.sub("\r\n|\r|\n", NEWLINES[name], text)
    if name == "skip-controls":
        return "".join(c for c in text if not is_control(c))
    if name == "remove:bidi+tags":
        return re.sub("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]", "", text)
    if name == "remove:ansi":
        return re.sub(SEQUENCES, "", text)
    if name == "escape:xml10":
        return re.sub("[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]", lambda c: f"\\x{ord(c[0]):02X}" if c[0] < "\x80" else f"\\u{{{ord(c[0]):04X}}}", text)
    if name == "escape:c0=json":
        return re.sub("[\0-\x08\v\f\x0e-\x1f]", lambda c: f"\\u{ord(c[0]):04X}", text)
    if name == "strip-boms":
        return re.sub(f"(^|(?<=[\n\r])){MARK}+", "", text)
    if name == "skip-hole":
        return re.sub("^\0{512,}", "", text)
    raise KeyError(name)


def dirty_text(some):
    parts = ["\x1b]0;title\a", "\x1b", "\x9d", "\u202e", "\U000e0041", "\uffff", "\r", "\n", "\r\n", MARK, MARK + MARK, "\0", "\x1b[1m", "\x7f", "\x85", "é", "€", "😀", "word ", "a longer line\r\n"]
    start = some.choice(["", MARK, "\0" * 511, "\0" * 512, "\0" * 5000])
    return start + "".join(some.choice(parts) for _ in range(some.randrange(1, 200)))


def test_each_filter_on_dirt():
    some = random.Random(40)
    orders = [["remove:bidi+tags"], ["remove:ansi"], ["escape:xml10"], ["escape:c0=json"], ["remove:ansi", "skip-controls", "remove:bidi+tags"],
              ["lf"], ["crlf"], ["cr"], ["skip-controls"], ["strip-boms"], ["skip-hole"],
              ["skip-hole", "strip-boms", "skip-controls", "crlf"], ["lf", "skip-hole", "strip-boms"]]
    for _ in similar(range(60)):
        text = dirty_text(some)
        for names in orders:
            wanted = text
            for name in names:
                wanted = filtered(name, wanted)
            for encoding in ("utf-8", "utf-16le", "utf-32be"):
                got = run("-f", encoding, "-b", "keep", "--filter", ",".join(names), text=text.encode(encoding.replace("le", "-le").replace("be", "-be")))
                # A mark at the start is the byte order mark of the text, which the decoder has already.
                check((names, encoding), got[:2], (0, wanted.encode()))


def test_with_other_options():
    text = "".join(f"line {n}\r\n" for n in range(100_000))
    unix = text.replace("\r\n", "\n")
    with folder({"dos": text.encode(), "dos16": (MARK + text).encode("utf-16-le")}) as path:
        for name in ("dos", "dos16"):
            check("one thread", run("--filter", "lf", name, where=path), (0, unix.encode(), ""))
            check("threads", run("--filter", "lf", "--jobs", "2", name, where=path), (0, unix.encode(), ""))
            check("to UTF-16", run("--filter", "lf", "-t", "utf-16le", "--jobs", "2", name, where=path), (0, unix.encode("utf-16-le"), ""))
        middle = len(text) // 2
        parts = [run("--filter", "lf", "--range", part, "dos", where=path)[1] for part in (f"0-{middle}", f"{middle}-")]
        check("ranges", b"".join(parts), unix.encode())
        status, _, errors = run("--filter", "lf", "-s", "-o", "out", "dos", where=path)
        check("counts", (status, errors.endswith(", 0 errors, 100000 line ends changed\n")), (0, True))
    # Each file is a text of its own.
    with folder({"a": b"x\r", "b": b"\ny\r\n"}) as path:
        check("two files", run("--filter", "lf", "a", "b", where=path), (0, b"x\n\ny\n", ""))
    check("two names", run("--nfc", "--filter", "lf", text="e\u0301\r\n".encode()), (0, "é\n".encode(), ""))


def test_rejected_characters():
    text = "a\x1b[1m\r\n\tb\x85c\n"
    for encoding, marked in (("utf-8", b""), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        data = marked + text.encode(encoding)
        places = [len(marked + "a".encode(encoding)), len(marked + "a\x1b[1m\r\n\tb".encode(encoding))]
        reports = f"-:1:2: byte {places[0]}: control character U+001B: 1B\n-:2:3: byte {places[1]}: control character U+0085: C2 85\n"
        check((encoding, "check"), run("-c", "--filter", "reject-controls", text=data), (1, reports.encode(), ""))
        first = "utfcat: " + reports.split("\n", maxsplit=1)[0] + "\n"
        check((encoding, "strict"), run("--filter", "reject-controls", text=data), (1, b"a", first))
        check((encoding, "quiet"), run("-q", "--filter", "reject-controls", text=data), (1, b"", ""))
        check((encoding, "escape"), run("-e", "escape", "--filter", "reject-controls", text=data),
              (0, b"a\\x1B[1m\r\n\tb\\u{0085}c\n", ""))
        check((encoding, "skip"), run("-e", "skip", "--filter", "reject-controls", text=data), (0, b"a[1m\r\n\tbc\n", ""))
    # What waits in a filter after it comes out, too.
    check("nfc", run("--filter", "reject-controls,nfc", text=b"e\xcc\x81\x1b")[:2], (1, "é".encode()))
    # The place is that in the file, behind ill-formed bytes, too.
    wrong = b"\xff\xffa\xe2\x82\x1b\n\x1b"
    lines = [line for line in run("-c", "--filter", "reject-controls", text=wrong)[1].decode().split("\n") if "control" in line]
    check("behind errors", lines, ["-:1:5: byte 5: control character U+001B: 1B", "-:2:1: byte 7: control character U+001B: 1B"])
    check("a charset", run("-f", "shift_jis", "-c", "--filter", "reject-controls", text="日本\x1b語\n".encode("shift_jis")),
          (1, b"-:1:3: byte 4: control character U+001B: 1B\n", ""))
    with folder({"log": text.encode()}) as path:
        check("stop", run("-e", "stop", "--filter", "reject-controls", "-o", "log", "log", where=path)[0], 1)
        check("stop", content(path, "log"), b"a")
        check("strict", run("--filter", "reject-controls", "-o", "log", "log", where=path), (0, b"", ""))


def test_rejected_sets():
    text = "a\u202eb\x1b\n\U0001f600\uffff\n"
    wanted = {"bidi": [(1, 2, "forbidden character U+202E (bidi): E2 80 AE")],
              "xml10": [(1, 4, "control character U+001B: 1B"), (2, 2, "forbidden character U+FFFF (noncharacters): EF BF BF")],
              "utf8mb3": [(2, 1, "forbidden character U+1F600 (supplementary): F0 9F 98 80")]}
    for name, reports in wanted.items():
        status, out, _ = run("-c", "--filter", f"reject:{name}", text=text.encode())
        got = re.findall(r"-:(\d+):(\d+): byte \d+: (.*)\n", out.decode())
        check(name, (status, got), (1, [(str(line), str(column), why) for line, column, why in reports]))
    check("nothing to reject", run("-c", "--filter", "reject:tags", text=text.encode()), (0, b"", ""))
    with folder({"in": b"good\nb\xe2\x80\xaed\nlast\n"}) as path:
        check("rejects", run("--rejects", "bad", "--filter", "reject:bidi", "in", where=path)[:2], (0, b"good\nlast\n"))
        check("rejects", content(path, "bad"), b"b\xe2\x80\xaed\n")


def test_refused():
    for arguments, words in (
        (["--filter", "skip-control"], "there is no filter skip-control (the nearest name is skip-controls"),
        (["--filter", ""], "there is no filter ''"),
        (["--filter", "lf,"], "there is no filter ''"),
        (["--filter", "lf:utf-8"], "lf takes no encoding"),
        (["--filter", "remove"], "remove needs a set of characters, such as remove:bidi"),
        (["--filter", "remove:"], "--filter remove: there is no set ''"),
        (["--filter", "reject:bidi+tag"], "--filter reject: there is no set tag (the nearest name is tags"),
        (["--filter", "remove:bidi=json"], "--filter remove: =json makes no sense"),
        (["--filter", "escape:bidi=html"], "--filter escape: =html is not =json"),
        (["--filter", "remove:bidi,remove:bidi"], "remove:bidi is given twice"),
        (["--filter", "mojibake:utf-16"], "mojibake needs an encoding of one byte per character, it cannot be utf-16"),
        (["--filter", "mojibake:nothing"], "--filter: there is no encoding nothing"),
        (["--filter", "skip-controls,mojibake"], "mojibake after skip-controls makes no sense"),
        (["--filter", "lf,lf"], "lf is given twice"),
        (["--filter", "lf,crlf"], "crlf after lf makes no sense: the last one alone decides"),
        (["--filter", "skip-controls,skip-hole"], "skip-hole after skip-controls makes no sense"),
        (["--filter", "cr,escape-controls"], "escape-controls after cr makes no sense"),
        (["--filter", "lf", "-c"], "--check and --quiet write no text"),
        (["--filter", "lf", "-q"], "--check and --quiet write no text"),
        (["--filter", "lf", "--summary"], "--summary shows the text as the file has it"),
        (["--filter", "lf", "-e", "keep", "-f", "utf-8"], "keep leaves bytes that --filter cannot read"),
        (["--filter", "nfc", "--follow", "--state", "s", "x"], "--filter nfc, declare and mojibake:auto hold text back"),
        (["--filter", "declare", "--follow", "--state", "s", "x"], "--filter nfc, declare and mojibake:auto hold text back"),
        (["-i"], "standard input cannot be replaced"),
        (["-i", "x", "-o", "y"], "--output makes no sense"),
        (["-i", "x", "-c"], "there is none for --in-place"),
        (["-i", "x", "--names-only"], "there is none for --in-place"),
        (["-i", "x", "--range", "0-9"], "--in-place would leave only the range"),
        (["-i", "x", "-d"], "decompressed text"),
        (["-i", "x", "--follow"], "--follow makes no sense"),
        (["--dry-run", "x"], "give both"),
        (["-t", "same", "x", "y"], "one file, or --in-place"),
        (["-t", "same", "-r", "x"], "one file, or --in-place"),
        (["-t", "same", "-c", "x"], "a check writes none"),
        (["-t", "same", "--follow", "x"], "--follow makes no sense"),
        (["--names-only", "--summary", "x"], "--summary makes no sense"),
        (["-r", "--follow", "x"], "--recursive makes no sense"),
        (["-r", "--range", "0-9", "x"], "--recursive makes no sense"),
    ):
        status, out, errors = run(*arguments)
        check((arguments, errors), (status, out, words in errors, errors.count("\n")), (2, b"", True, 1))


FILTERS = ("nfc", "lf", "crlf", "cr", "escape-controls", "skip-controls", "reject-controls", "mojibake", "strip-boms", "skip-hole")
# After each filter, those that would find nothing any more, or undo its work.
IN_VAIN = {
    "lf": ("crlf", "cr"),
    "crlf": ("lf", "cr"),
    "cr": ("lf", "crlf", "escape-controls"),
    "escape-controls": ("skip-controls", "reject-controls", "mojibake", "skip-hole"),
    "skip-controls": ("escape-controls", "reject-controls", "mojibake", "skip-hole"),
    "reject-controls": ("mojibake", "skip-hole"),
    "strip-boms": ("skip-hole",),
}


def test_every_pair():
    for first, second in itertools.permutations(FILTERS, 2):
        makes_sense = second not in IN_VAIN.get(first, ())
        status, out, errors = run("--filter", f"{first},{second}", text=b"a")
        check((first, second), (status, out), (0, b"a") if makes_sense else (2, b""))
        check((first, second), errors.startswith(f"utfcat: --filter: {second} after {first} makes no sense: "), not makes_sense)


def test_the_nearest_name():
    for wrong, nearest in (("nfd", "nfc"), ("lff", "lf"), ("ccr", "cr"), ("crlff", "crlf"), ("escapecontrols", "escape-controls"),
                           ("skip_controls", "skip-controls"), ("reject-control", "reject-controls"), ("mojibakke", "mojibake"),
                           ("stripbom", "strip-boms"), ("kip-holes", "skip-hole")):
        check(wrong, f"there is no filter {wrong} (the nearest name is {nearest};" in run("--filter", wrong)[2], True)


SENTENCES = (
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich", "Portez ce vieux whisky au juge blond qui fuma, à Noël",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia", "À noite, vovô Kowalsky vê o ímã cair no pé do pinguim",
    "Zażółć gęślą jaźń", "Příliš žluťoučký kůň úpěl ďábelské ódy", "Árvíztűrő tükörfúrógép", "Съешь же ещё этих мягких французских булок",
    "Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів!", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία", "Pijamalı hasta yağız şoföre çabucak güvendi",
    "Flygande bäckasiner söka hwila på mjuka tuvor", "Høj bly gom vandt fræk sexquiz på wc", "Törkylempijävongahdus", "Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa",
    "עטלף אבק נס דרך מזגן שהתפוצץ כי חם", "نص حكيم له سر قاطع وذو شأن عظيم", "いろはにほへと ちりぬるを", "다람쥐 헌 쳇바퀴에 타고파", "天地玄黃 宇宙洪荒", "“quotes” – and… €5 😀",
)


def read_wrong(text, codec):
    """The text as a program shows it that takes its UTF-8 for this encoding."""
    return "".join(bytes([b]).decode(codec, "ignore") or chr(b) for b in text.encode())


def test_mojibake():
    for text in SENTENCES:
        for name, codec in (("", "cp1252"), (":windows-1252", "cp1252"), (":windows-1251", "cp1251"), (":windows-1250", "cp1250"), (":iso-8859-1", "latin-1")):
            wrong = read_wrong(text, codec)
            for dirt in (wrong, read_wrong(wrong, codec)):
                check((name, text), run("--filter", "mojibake" + name, text=dirt.encode()), (0, text.encode(), ""))
            check((name, "right"), run("--filter", "mojibake" + name, text=text.encode()), (0, text.encode(), ""))
    count = run("--filter", "mojibake", "-s", text="cafÃ© Ã".encode())[2]
    check("counted", count.endswith(", 0 errors, 1 character changed\n"), True)


def test_to_same():
    for encoding, marked in (("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"),
                             ("utf-32-le", b"\xff\xfe\0\0"), ("utf-32-be", b"\0\0\xfe\xff")):
        data = marked + "é€\r\n".encode(encoding)
        wanted = marked + "é€\n".encode(encoding)
        for more in ([], ["--jobs", "2"], ["-b", "keep"], ["-f", "guess"]):
            check((encoding, more), run("-t", "same", "--filter", "lf", *more, text=data)[:2], (0, wanted))
        check((encoding, "strip"), run("-t", "same", "-b", "strip", text=data)[1], "é€\r\n".encode(encoding))
        check((encoding, "only a mark"), run("-t", "same", text=marked), (0, marked, ""))
        check((encoding, "cut"), run("-t", "same", "-e", "replace", text=data + b"\xe2"[: len(marked) and 1])[0], 0)
    for encoding in ("windows-1252", "shift_jis", "iso-2022-jp", "gb18030"):
        data = ("日本語" if encoding != "windows-1252" else "é€").encode(encoding.replace("windows-", "cp"))
        check(encoding, run("-f", encoding, "-t", "same", text=data), (0, data, ""))
        check(encoding, run("-f", encoding, "-t", "same", "-e", "replace", text=data + b"\xff\x80"[: encoding != "windows-1252"])[:2],
              (0, data + b"?"[: encoding not in ("windows-1252", "gb18030")] + (b"\x84\x31\xa4\x37" if encoding == "gb18030" else b"")))


FILES = {
    "dos": b"a\r\nb\r\n",
    "unix": b"a\nb\n",
    "u16": b"\xff\xfea\0\r\0\n\0",
    "marked": b"\xef\xbb\xbfh\xc3\xa9\r\n",
    "broken": b"a\xe9\r\n",
    "empty": b"",
    "sub/deep/dos": b"x\r\n",
    "sub/.git/dos": b"x\r\n",
    "sub/image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "sub/index": struct.pack(">100I", *range(100, 20100, 200)),  # offsets, as the files of strfile have them
    "sub/messages": struct.pack("<8I", 0x950412DE, 0, 2, 28, 44, 5, 60, 0) + b"\0The message\0in UTF-8\xc3\xa9\0" * 9,
    "sub/packed": b"\x1f\x8b\x08\0\0\0\0\0\0\3" + bytes(60),
}


def test_in_place():
    with folder(FILES) as path:
        os.symlink("../dos", os.path.join(path, "sub/link"))
        os.symlink("../..", os.path.join(path, "sub/deep/up"))
        os.mkfifo(os.path.join(path, "sub/pipe"))
        before = {name: os.stat(os.path.join(path, name)) for name in FILES}
        told = ("utfcat: ./broken:1:2: byte 1: truncated sequence: E9\n"
                "utfcat: ./broken: {} written, because the text is not complete\n"
                "utfcat: 4 binary files skipped, the first is ./sub/image\n")
        changing = ["dos", "marked", "sub/deep/dos", "u16"]
        names = "".join(f"./{name}\n" for name in changing).encode()
        check("dry run", run("-i", "-t", "same", "--filter", "lf", "--dry-run", "-r", where=path), (1, names, told.format("would not be")))
        for name, data in FILES.items():
            check(name, content(path, name), data)
        check("in place", run("-i", "-t", "same", "--filter", "lf", "-r", where=path), (1, b"", told.format("not")))
        for name, data in FILES.items():
            wanted = data.replace(b"\r\0", b"").replace(b"\r\n", b"\n") if name in changing else data
            check(name, content(path, name), wanted)
            now = os.stat(os.path.join(path, name))
            check((name, "touched"), (now.st_ino, now.st_mtime_ns) != (before[name].st_ino, before[name].st_mtime_ns), name in changing)
        check("again", run("-i", "-t", "same", "--filter", "lf", "--dry-run", "-r", where=path), (1, b"", told.format("would not be")))
        check("no temporary files", sorted(os.listdir(path)), sorted({name.split("/")[0] for name in FILES}))
        check("a pipe", run("-i", "sub/pipe", "dos", where=path), (2, b"", "utfcat: sub/pipe: is no regular file, so it cannot be replaced\n"))
        check("none", run("-i", "nothing", "dos", where=path), (2, b"", "utfcat: nothing: No such file or directory\n"))
        check("a directory", run("-i", "sub", where=path)[0], 2)


def test_names_only():
    with folder(FILES) as path:
        told = "utfcat: 4 binary files skipped, the first is ./sub/image\n"
        check("names", run("--names-only", "-r", where=path), (1, b"./broken\n", told))
        check("quiet", run("--names-only", "-q", "-r", where=path), (1, b"./broken\n", ""))
        check("target", run("--names-only", "-t", "windows-1251", "marked", "dos", where=path), (1, b"marked\n", ""))
        check("none", run("--names-only", "dos", "unix", where=path), (0, b"", ""))
        check("controls", run("--names-only", "--filter", "reject-controls", "dos", "sub/image", where=path)[:2], (1, b"sub/image\n"))
        check("whole", run("-r", "sub", where=path), (0, b"x\r\n", told.replace("./", "")))


def test_a_file_that_changes_meanwhile():
    """utfcat waits in the middle of the file while another program appends to it."""
    is_stopped = False
    for size in range(4, 4 + 20):  # utfcat may be too fast for this program
        with folder({"log": b"a\r\n" * size * 1_000_000}) as path:
            is_stopped = change_meanwhile(path, b"a\r\n" * size * 1_000_000)
        if is_stopped:
            break
    check("utfcat could be stopped", is_stopped, True)


def change_meanwhile(path, data):
    """Returns False if utfcat was too fast."""
    def is_writing():
        """It has read some of the file then."""
        with contextlib.suppress(FileNotFoundError):
            return any(entry.name.startswith(".utfcat-") and entry.stat().st_size != 0 for entry in os.scandir(path))
        return False

    name = os.path.join(path, "log")
    with subprocess.Popen((UTFCAT, "-i", "--filter", "lf", name), stderr=subprocess.PIPE) as started:
        while not is_writing() and started.poll() is None:
            time.sleep(0.0005)
        if started.poll() is None:
            started.send_signal(signal.SIGSTOP)
            while started.poll() is None and state_of(started) not in "TZ":
                time.sleep(0.0005)
        if not is_writing():
            started.send_signal(signal.SIGCONT)
            started.communicate()
            return False
        with open(name, "ab") as file:
            file.write(b"more")
        started.send_signal(signal.SIGCONT)
        _, errors = started.communicate()
        check("status", (started.returncode, errors.decode()), (2, f"utfcat: {name}: has been changed by another program, so it is left alone\n"))
        check("content", content(name), data + b"more")
        check("no temporary files", os.listdir(path), ["log"])
    return True


def test_a_directory_that_cannot_be_read():
    with folder({"a/x": b"x", "b/x": b"y\xff"}) as path:
        os.chmod(path, 0o755)
        os.chmod(os.path.join(path, "a"), 0)
        command = (UTFCAT, "-c", "-r", ".")
        if os.geteuid() == 0:
            command = ("setpriv", "--reuid=65534", "--clear-groups", *command)
        done = subprocess.run(command, capture_output=True, check=False, cwd=path)
        os.chmod(os.path.join(path, "a"), 0o755)
        check("unreadable", (done.returncode, done.stdout.decode(), done.stderr.decode()),
              (2, "./b/x:1:2: byte 1: byte that no text contains: FF\n", "utfcat: ./a: Permission denied\n"))


def test_a_directory_with_the_name_of_standard_input():
    with folder({"-/x": b"file"}) as path:
        check("standard input", run("-r", "-", text=b"input", where=path), (0, b"input", ""))
        check("the directory", run("-r", "./-", text=b"input", where=path), (0, b"file", ""))


def test_a_guess_looks_at_the_text_after_a_hole():
    """As copytruncate leaves it: the text after the hole shows the encoding."""
    some = random.Random(9)
    text = "caf\u00e9 \u043f\u0440\u0438\u0432\u0435\u0442\n"
    for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le"):
        for size in (512, 600, 4092, 4096, 5000, 65536, 70000, 300000):
            data = "".join(["\0" * size, text]).encode(encoding)  # in UTF-16 it has as many characters
            with folder({"in": data}) as where:
                for more in ([], ["--jobs", "2"], ["--guess-bytes", str(some.randrange(100, 5000))]):
                    check(f"{encoding} {size} {more}", run("-f", "guess", "--filter", "skip-hole", *more, "in", where=where),
                          (0, text.encode(), ""))
                check(f"{encoding} {size} by a pipe", run("-f", "guess", "--filter", "skip-hole", text=data), (0, text.encode(), ""))
                check(f"{encoding} {size} is named", b"hole of NUL at the start" in run("-f", "guess", "--inspect", "in", where=where)[1], True)
    for encoding in ("utf-8", "utf-16-le"):
        with folder({"in": ("\0" * 600 + text).encode(encoding)}) as where:
            started = subprocess.Popen((UTFCAT, "--follow", "-f", "guess", "--filter", "skip-hole", "in"), stdout=subprocess.PIPE, cwd=where)
            check(f"{encoding} followed", started.stdout.read(len(text.encode())), text.encode())
            started.send_signal(signal.SIGINT)
            check(f"{encoding} ended", (started.communicate()[0], started.returncode), (b"", 0))
    check("zeros alone are no text", run("-f", "guess", text=bytes(70000))[0], 1)


def test_follow():
    with folder({"log": b"\0" * 4096 + b"one\r\n"}) as path:
        name = os.path.join(path, "log")
        started = subprocess.Popen((UTFCAT, "--follow", "--filter", "skip-hole,lf", name), stdout=subprocess.PIPE)
        check("first", started.stdout.readline(), b"one\n")
        with open(name, "ab", buffering=0) as file:
            file.write(b"two\r")
            check("second", started.stdout.readline(), b"two\n")
            file.write(b"\nthree\r\n\0\0")
            check("third", started.stdout.readline(), b"three\n")
        started.send_signal(signal.SIGTERM)
        rest, _ = started.communicate()
        check("rest", (started.returncode, rest), (0, b""))  # zeros at the end are no text yet
    with folder({"log": b"one\n\x1b"}) as path:
        done = subprocess.run((UTFCAT, "--follow", "--filter", "reject-controls", os.path.join(path, "log")), capture_output=True, check=False)
        check("rejected", (done.returncode, done.stdout, done.stderr.decode().endswith("log:2:1: byte 4: control character U+001B: 1B\n")), (1, b"one\n", True))


def test_a_large_hole():
    """A sparse file: it takes no room on the disk."""
    with folder({"log": b""}) as path:
        name = os.path.join(path, "log")
        size = (2 << 30) // BRIEF
        with open(name, "r+b") as file:
            file.truncate(size)
            file.seek(size)
            file.write(b"after\n")
        check("hole", run("--filter", "skip-hole", name), (0, b"after\n", ""))


run_tests(globals())
