"""What the tests of utfcat share that are lists of functions named test_...: they run utfcat and count their cases.

The first argument of such a test is the path of utfcat, and the second one may be that of another program.
"""

import contextlib
import os
import subprocess
import sys
import tempfile

UTFCAT = os.path.abspath(sys.argv[1])
OTHER = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
_cases = _failed = 0


def run(*arguments, text=b"", where=None, program=UTFCAT, environment=None, before=None):
    """The status, what is on standard output, and what is on standard error. `before` is called before utfcat starts."""
    done = subprocess.run((program, *arguments), input=text, capture_output=True, check=False, cwd=where,
                          env={**os.environ, **(environment or {})}, preexec_fn=before)
    return done.returncode, done.stdout, done.stderr.decode(errors="surrogateescape")


def check(what, got, wanted):
    """Counts a case. Shows the first ten that fail."""
    global _cases, _failed
    _cases += 1
    if got == wanted:
        return
    _failed += 1
    if _failed <= 10:
        message = f"{what}:\n  is       {str(got)[:3000]}\n  expected {str(wanted)[:3000]}"
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
