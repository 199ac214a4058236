"""What the tests of utfcat share that are lists of functions named test_...: they run utfcat and count their cases.

The first argument of such a test is the path of utfcat.
"""

import contextlib
import os
import subprocess
import sys
import tempfile

UTFCAT = os.path.abspath(sys.argv[1])
_cases = 0


def run(*arguments, text=b"", where=None, program=UTFCAT, environment=None, before=None):
    """The status, what is on standard output, and what is on standard error. `before` is called before utfcat starts."""
    done = subprocess.run((program, *arguments), input=text, capture_output=True, check=False, cwd=where,
                          env={**os.environ, **(environment or {})}, preexec_fn=before)
    return done.returncode, done.stdout, done.stderr.decode()


def check(what, got, wanted):
    global _cases
    _cases += 1
    assert got == wanted, f"{what}:\n  is       {str(got)[:3000]}\n  expected {str(wanted)[:3000]}"


@contextlib.contextmanager
def folder(files):
    """A folder with these files."""
    with tempfile.TemporaryDirectory() as path:
        for name, bytes_of_file in files.items():
            os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
            with open(os.path.join(path, name), "wb") as file:
                file.write(bytes_of_file)
        yield path


def content(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def run_tests(of_module):
    """Calls the functions of a module whose names begin with test_, and prints the number of cases."""
    for name, test in list(of_module.items()):
        if name.startswith("test_"):
            test()
    print(f"{_cases} cases, 0 failed")
