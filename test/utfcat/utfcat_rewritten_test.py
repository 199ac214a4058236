"""utfcat --follow: a file of which a part that was read is rewritten is read again from the line with the first change.

utfcat_rewritten_test.py UTFCAT: what is written then is computed by Python's codecs and the models of the filters in
utfcat_cases.py from the whole text, old and new. follow_test tries each byte and block with the library.
"""

import codecs
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time

from utfcat_cases import UTFCAT, check, content, filtered, is_asleep, run_tests, write

PATIENCE = 20  # seconds
# The names for utfcat and for Python, and characters by their sizes in bytes.
ENCODINGS = {
    "utf-8": ("utf-8", ["az09 \n\r", "äöλж", "€日本", "😀🎉"]),
    "detect": ("utf-8-sig", ["az09 \n\r", "äöλж", "€日本", "😀🎉"]),
    "utf-16": ("utf-16", ["az09 \n\räöλж€日本ਊ", "😀🎉"]),
    "utf-16le": ("utf-16-le", ["az09 \n\räöλж€日本ਊ", "😀🎉"]),
    "utf-16be": ("utf-16-be", ["az09 \n\räöλж€日本ਊ", "😀🎉"]),
    "utf-32": ("utf-32", ["az09 \n\räöλж€日本ਊ😀🎉"]),
    "windows-1252": ("cp1252", ["az09 \n\räöé€"]),
    "shift_jis": ("shift_jis", ["az09 \n\r", "日本語ソ"]),
    "gb18030": ("gb18030", ["az09 \n\r", "日本語", "ਊऊ"]),
}
FILTERS = ((), ("lf",), ("strip-boms", "lf"), ("skip-controls",), ("skip-hole", "escape-controls"))


class Log:
    """A file that utfcat follows, and what it has to write. The text is decoded as far as its characters are complete."""

    def __init__(self, codec, names=()):
        self.codec, self.names = codec, names
        self.data, self.wanted, self.said = b"", "", ""
        write(b"", "log")

    def text(self, data=None):
        return codecs.getincrementaldecoder(self.codec)().decode(self.data if data is None else data)

    def filtered(self, text):
        """Without a carriage return that comes only if the text ends there."""
        return filtered(self.names, text.removesuffix("\r") if "escape-controls" in self.names else text)[0]

    def change(self, data):
        """Writes the file anew, by one call of the system, where it changes."""
        old, old_text = self.data, self.text()
        first = next((i for i, (a, b) in enumerate(zip(old, data)) if a != b), len(old))
        self.data = data
        if first == len(old):
            self.wanted += self.filtered(self.text())[len(self.filtered(old_text)):]
        else:
            before = self.text(data[:first])
            line = before.rfind("\n") + 1
            self.wanted += self.filtered(self.text())[len(self.filtered(before[:line])):]
            where = f"line {before.count(chr(10)) + 1} (byte {self.size_of(line)})" if line else "its start"
            self.said += f"utfcat: log: rewritten from byte {first} on, so it is read again from {where}; its old text was written before\n"
        file = os.open("log", os.O_WRONLY)
        os.pwrite(file, data[first:], first)
        os.close(file)

    def size_of(self, characters):
        """The bytes of so many characters at the start of the file."""
        return next(n for n in range(len(self.data) + 1) if len(self.text(self.data[:n])) == characters)


@contextlib.contextmanager
def following(*arguments):
    with open("shown", "ab") as out, open("told", "wb") as told:
        process = subprocess.Popen((UTFCAT, "--follow", *arguments, "log"), stdout=out, stderr=told)
    yield process
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=PATIENCE)


def wait_for(name, text):
    end = time.monotonic() + PATIENCE
    while (found := content(name) if os.path.exists(name) else None) != text and time.monotonic() < end:
        time.sleep(0.001)
    return found == text


def wait_until_asleep(process):
    """utfcat looks at what it has read before it reads what was added: a change between the two is seen in two parts. So it
    must wait for a change when the file changes."""
    end = time.monotonic() + PATIENCE
    while not is_asleep(process, 0.0005) and time.monotonic() < end:
        pass


def clean():
    for name in os.listdir("."):
        os.remove(name)


def other_character(of, old, groups):
    """Another character of the same size."""
    return of.choice([c for group in groups if old in group for c in group if c != old])


def test_each_character():
    """Each character of a text becomes another one of its size, and then the one it was."""
    of = random.Random(1)
    for name, (codec, groups) in ENCODINGS.items():
        clean()
        log = Log(codec)
        text = "".join(of.choice(of.choice(groups)) for _ in range(60))
        with following("-f", name) as process:
            log.change(text.encode(codec))
            arrived = wait_for("shown", log.wanted.encode())
            for i, old in enumerate(text):
                for new in (text[:i] + other_character(of, old, groups) + text[i + 1:], text):
                    if arrived:
                        wait_until_asleep(process)
                        log.change(new.encode(codec))
                        arrived = wait_for("shown", log.wanted.encode())
                        check((name, text, i, new), (content("shown").decode(), content("told").decode()), (log.wanted, log.said))
        check((name, "all", len(text)), arrived, True)


def test_edits():
    """Texts change anywhere, and grow at the same moment or not. Their last character may not be complete. Filters, --to,
    -o, and several runs with --state."""
    of = random.Random(2)
    for number in range(30):
        clean()
        name = of.choice(list(ENCODINGS))
        codec, groups = ENCODINGS[name]
        names = of.choice(FILTERS)
        log = Log(codec, names)
        arguments = ["-f", name, *(["--filter", ",".join(names)] if names else [])]
        state = of.random() < 0.5
        if state:
            arguments += ["--state", "state", "-o", "out"]
        target = "utf-16-le" if of.random() < 0.3 else "utf-8"
        arguments += ["--to", "utf-16le"] if target != "utf-8" else []
        shown = "out" if state else "shown"
        text = "".join(of.choice(of.choice(groups)) for _ in range(of.choice([3, 50, 300])))
        data = text.encode(codec)
        arrived = True
        for one in range(3 if state else 1):
            if one != 0:  # what was added tells that utfcat has opened the file
                text = log.text() + "a"
                data = text.encode(codec)
            with following(*arguments) as process:
                for left in reversed(range(8)):
                    wait_until_asleep(process)
                    log.change(data)
                    arrived = arrived and wait_for(shown, log.wanted.encode(target))
                    if not arrived:
                        break
                    at = of.randrange(len(text))
                    rest = list(text[at:])
                    if of.random() < 0.3:
                        rest = [of.choice(of.choice(groups)) for _ in rest]
                    else:
                        rest[0] = other_character(of, rest[0], groups)
                    text = text[:at] + "".join(rest)
                    while len(text.encode(codec)) < len(data) or of.random() < 0.5:
                        text += of.choice(of.choice(groups))
                    data = text.encode(codec)
                    if left != 1:  # the last one is complete
                        data = data[:max(len(log.data), len(data) - of.choice([0, 0, 1, 2, 3]))]
                said = log.said
            told = content("told").decode()
            check((number, arguments, text), (process.returncode, content(shown).decode(target), told), (0, log.wanted, said))
            log.said = ""
            if not arrived:
                break


def test_large_files():
    """Of a file that is larger than what is kept of it, a little more is read again, but from the start of a line."""
    for name, codec, size in (("utf-8", "utf-8", 300_000), ("utf-16", "utf-16", 300_000), ("utf-8", "utf-8", 6_000_000)):
        clean()
        text = "".join(f"{i} äöü\n" for i in range(size // 12))
        data = text.encode(codec)
        write(data, "log")
        wanted = text
        with following("-f", name):
            arrived = wait_for("shown", wanted.encode())
            for n, share in enumerate((2, 3, 10, 100, 1)):
                time.sleep(0.05)  # so the time of the change is another one
                at = len(text) // share - 5
                at = text.rfind("\n", 0, at) + 1
                new = text[:at] + "x" + text[at + 1:]
                offset = len(text[:at].encode(codec))
                with open("log", "r+b") as file:
                    file.seek(offset)
                    file.write("x".encode(codec)[-1 if codec == "utf-8" else -2:])
                end = time.monotonic() + PATIENCE
                said = rf"(?:utfcat: log: .*\n){{{n}}}utfcat: log: rewritten from byte (\d+) on, so it is read again from (?:line (\d+) \(byte (\d+)\)|its start); its old text was written before\n"
                while not (told := re.fullmatch(said, content("told").decode())) and time.monotonic() < end:
                    time.sleep(0.01)
                check((name, size, share, content("told")), bool(told), True)
                if not told:
                    break
                changed, line, start = (int(g or 0) for g in told.groups())
                block = max(4096, len(data) // 512)
                check((name, size, share, "near", changed, start, offset), changed - 200 < start <= changed <= offset < changed + block, True)
                again = new[new.index("\n" + new.split("\n")[line - 1] + "\n") + 1 if line else 0:]
                wanted += again
                text = new
                check((name, size, share, "text"), wait_for("shown", wanted.encode()), True)
        check((name, size), arrived, True)


def test_a_guess():
    """If the first line changes, the encoding is guessed anew. If a later line changes, it stays."""
    clean()
    log = Log("cp1252")
    text = "é" * 3 + "\n" + "ete " * 200 + "\né\n"
    with following("-f", "guess", "--legacy", "windows-1252"):
        log.change(text.encode("cp1252"))
        check("at first", wait_for("shown", log.wanted.encode()), True)
        log.change((text[:-2] + "ä\n").encode("cp1252"))
        check("a later line", wait_for("shown", log.wanted.encode()), True)
        log.codec = "utf-8"
        data = ("ää" + text[3:-2] + "ää\n").encode()
        log.data = b""
        log.wanted += data.decode()
        write(data, "new")
        time.sleep(0.05)  # so the time of the change is another one
        with open("log", "r+b") as file:
            file.write(data)
        check("the first line", wait_for("shown", log.wanted.encode()), True)


def test_a_check():
    """Errors are told again if their lines are."""
    clean()
    write(b"a\n\xff\nb\n\xe9\n", "log")
    with following("-f", "utf-8", "-c") as process:
        old = "log:2:1: byte 2: byte that no text contains: FF\nlog:4:1: byte 6: truncated sequence: E9\n"
        check("errors", wait_for("shown", old.encode()), True)
        with open("log", "r+b") as file:
            file.seek(4)
            file.write(b"c")
        again = "log:4:1: byte 6: truncated sequence: E9\n"
        check("the last one comes again", wait_for("shown", (old + again).encode()), True)
        said = "utfcat: log: rewritten from byte 4 on, so it is read again from line 3 (byte 4)\n"
        check("what is said", content("told").decode(), said)
    check("the status", process.returncode, 1)


run_tests(vars(sys.modules[__name__]), at_least=1100)
