"""What the tests of utfcat share that are lists of functions named test_...: they run utfcat and count their cases.

The first argument of such a test is the path of utfcat, and the second one may be that of another program.
"""

import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unicodedata

UTFCAT = os.path.abspath(sys.argv[1])
OTHER = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
BRIEF = int(os.environ.get("UTFILTER_BRIEF", "1"))
_cases = _failed = 0


def similar(cases):
    """Cases that take the same paths: one of so many as UTFILTER_BRIEF says, the same ones in each run; all without it."""
    cases = list(cases)
    return random.Random(BRIEF).sample(cases, -(-len(cases) // BRIEF)) if BRIEF != 1 else cases


def run(*arguments, text=b"", where=None, program=UTFCAT, environment=None, before=None):
    """The status, what is on standard output, and what is on standard error. `before` is called before utfcat starts."""
    done = subprocess.run((program, *arguments), input=text, capture_output=True, check=False, cwd=where,
                          env={**os.environ, **(environment or {})}, preexec_fn=before)
    return done.returncode, done.stdout, done.stderr.decode(errors="surrogateescape")


def state_of(process):
    """As proc(5) names it: S if it sleeps, T if it is stopped, Z if it has ended."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0]


def is_asleep(process, pause):
    """Whether it sleeps, or has ended, three times in a row; `pause` seconds are between them."""
    for _ in range(3):
        if state_of(process) not in "SZ":
            return False
        time.sleep(pause)
    return True


def installed(what, there):
    """Whether the test can use a program. Says what is left out without it; with --all that fails."""
    if there:
        return True
    if "--all" in sys.argv:
        check(f"{what} is installed", False, True)
    else:
        print(f"skipped: {what}, because it is not installed")
    return False


def python_with(module):
    """A Python that has the module: the one that runs this test, or Debian's; None if neither has it."""
    for program in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(program):
            if subprocess.run([program, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
                return program
    return None


def shortened(value):
    text = re.sub(r"(.{1,8}?)\1{30,}", r"\1...\1", str(value)) if len(str(value)) > 1000 else str(value)
    return text[:3000]


def check(what, got, wanted):
    """Counts a case. Shows the first ten that fail."""
    global _cases, _failed
    _cases += 1
    if got == wanted:
        return
    _failed += 1
    if _failed <= 10:
        message = f"{what}:\n  is       {shortened(got)}\n  expected {shortened(wanted)}"
        print(message.encode("ascii", "backslashreplace").decode())


@contextlib.contextmanager
def folder(files):
    """A folder with these files."""
    with tempfile.TemporaryDirectory() as path:
        for name, bytes_of_file in files.items():
            write(bytes_of_file, path, name)
        yield path


def write(data, *path):
    os.makedirs(os.path.dirname(os.path.join("", *path)) or ".", exist_ok=True)
    with open(os.path.join(*path), "wb") as file:
        file.write(data)


def content(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


# A text is a list of characters, each with the number of the character of the file from which it comes.
CONTROLS = "".join(chr(c) for c in (*range(0x20), *range(0x7F, 0xA0)) if chr(c) not in "\t\n\r")
TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def without_marks(chars):
    """A model of strip-boms: pairs of a character and its place, without the byte order marks at the start of a line."""
    result, at_start = [], True
    for c, place in chars:
        if c == "\ufeff" and at_start:
            continue
        at_start = c in "\r\n"
        result.append((c, place))
    return result


OLD_DECLARATION = '@charset "latin1";'


def with_new_declaration(chars, name="utf-8"):
    """A model of declare: such pairs, with the name of the output's encoding where the text declares another."""
    text = "".join(c for c, _ in chars[:20])
    begin = 1 if text.startswith("\ufeff") else 0
    if not text.startswith(OLD_DECLARATION, begin):
        return chars
    place = chars[begin][1]
    return chars[:begin] + [(c, place) for c in OLD_DECLARATION.replace("latin1", name)] + chars[begin + len(OLD_DECLARATION):]


def newlines(to):
    def change(text):
        out = []
        for i, (c, at) in enumerate(text):
            if c == "\n" and i != 0 and text[i - 1][0] == "\r":
                continue
            out += [(one, at) for one in to] if c in "\r\n" else [(c, at)]
        return out
    return change


def escape_controls(text):
    out = []
    for i, (c, at) in enumerate(text):
        lone_cr = c == "\r" and text[i + 1:i + 2] != [("\n", text[i + 1][1])] if i + 1 < len(text) else c == "\r"
        word = f"\\x{ord(c):02X}" if ord(c) < 0x80 else f"\\u{{{ord(c):04X}}}"
        out += [(one, at) for one in word] if c in CONTROLS + TURNS or lone_cr else [(c, at)]
    return out


def skip_hole(text):
    n = next((i for i, (c, _) in enumerate(text) if c != "\0"), len(text))
    return text[n:] if n >= 512 else text


def mojibake(text):
    """Groups of characters of ISO 8859-1 that are the bytes of one character."""
    out, i = [], 0
    while i != len(text):
        for n in (2, 3, 4):
            group = "".join(c for c, _ in text[i:i + n])
            try:
                one = group.encode("latin-1").decode() if group[:1] > "\x7f" else ""
            except UnicodeError:
                continue
            if len(one) == 1:
                out.append((one, text[i][1]))
                i += n
                break
        else:
            out.append(text[i])
            i += 1
    return out


def nfc(text):
    out = []
    for i, (c, at) in enumerate(text):
        if c == "\u0301" and out and len(unicodedata.normalize("NFC", out[-1][0] + c)) == 1 and text[i - 1][0] == out[-1][0]:
            out[-1] = (unicodedata.normalize("NFC", out[-1][0] + c), out[-1][1])
        else:
            out.append((c, at))
    return out


# Escape sequences of terminals: control sequences, control strings, single shifts, and those of two or three bytes.
SEQUENCES = ("(\x1b\\[|\x9b)[ -?]*[@-~]?|(\x1b[]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\a\x1b\n\r\x18\x1a\x9c]*(\a|\x9c|\x1b\\\\)?"
             "|(\x1b[NO]|[\x8e\x8f])[ -~]?|\x1b[ -/]*[0-~]?")
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def without_sequences(text):
    gone = {i for found in re.finditer(SEQUENCES, "".join(c for c, _ in text)) for i in range(*found.span())}
    out, start = [], 0
    for c, at in text:
        if start not in gone:
            out.append((c, at))
        start += len(c)
    return out


def escape_json(text):
    return [(one, at) for c, at in text for one in (f"\\u{ord(c):04X}" if c in CONTROLS and c < " " else c)]


def reread(text):
    """Text of KOI8-R that was read as windows-1252."""
    def one(c):
        try:
            return c.encode("cp1252").decode("koi8_r") if c > "\x7f" else c
        except UnicodeEncodeError:
            return bytes([ord(c)]).decode("koi8_r") if c < "\xa0" else c
    return [(one(c), at) for c, at in text]


FILTERS = {"reread:windows-1252:koi8-r": reread, "remove:ansi": without_sequences, "remove:bidi": lambda text: [one for one in text if one[0] not in BIDI],
           "escape:c0=json": escape_json, "reject:bidi": None, "lf": newlines("\n"), "crlf": newlines("\r\n"), "cr": newlines("\r"), "escape-controls": escape_controls, "strip-boms": without_marks,
           "skip-controls": lambda text: [one for one in text if one[0] not in CONTROLS], "reject-controls": None, "mojibake": mojibake,
           "skip-hole": skip_hole, "nfc": nfc, "declare": with_new_declaration}


def filtered(names, text):
    """What the filters make of the text, and the character of the text at which it ends; None if it does not."""
    text, end = [(c, i) for i, c in enumerate(text)], None
    for name in names:
        if not name.startswith("reject"):
            text = FILTERS[name](text)
            continue
        refused = BIDI if name == "reject:bidi" else CONTROLS
        bad = next((i for i, (c, _) in enumerate(text) if c in refused), None)
        if bad is not None:
            text, end = text[:bad], text[bad][1]
    return "".join(c for c, _ in text), end


def run_tests(of_module, at_least=1):
    """Calls the functions of a module whose names begin with test_, each in an empty folder. Prints the number of cases."""
    for name, test in list(of_module.items()):
        if name.startswith("test_"):
            with folder({}) as here:
                os.chdir(here)
                test()
                os.chdir("/")
    print(f"{_cases} cases, {_failed} failed")
    sys.exit(_failed != 0 or _cases < at_least)
