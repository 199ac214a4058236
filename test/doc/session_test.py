#!/usr/bin/env python3
"""session_test.py PAGE.md NAME PROGRAM GDB: compares the output of gdb with the session in PAGE.md.

The session follows <!-- session: NAME -->. Runs gdb on PROGRAM, which is the page's program NAME, with the commands of
the session. A line `...` of the page stands for any lines. The values of addresses and the numbers of frames are not
compared."""
import pathlib
import re
import subprocess
import sys

page, name, program, gdb = sys.argv[1:]
ROOT      = pathlib.Path(__file__).parents[2]
UTF8CHECK = ROOT / "src" / "gdb" / "utf8check.py"

text    = pathlib.Path(page).read_text(encoding="utf-8")
session = re.search(rf"<!-- session: {name} -->\n```text\n(.*?)\n```", text, re.DOTALL)
source  = re.search(rf"<!-- program: {name} -->\n```cpp\n", text)
if not session or not source:
    sys.exit(f"{page}: there is no session or no program {name}")
first_line = text.count("\n", 0, source.end())  # lines before the program


def in_program(line):
    """A line of output, with line numbers of the page converted to line numbers of the program."""
    line = re.sub(rf"(\S*/)?{re.escape(pathlib.Path(page).name)}(:|, line )(\d+)",
                  lambda match: f"{name}.cpp{match[2]}{int(match[3]) - first_line}", line)
    return re.sub(r"^(\d+)\t", lambda match: f"{int(match[1]) - first_line}\t", line)


def comparable(line):
    return re.sub(r"^#\d+ ", "#", re.sub(r"0x[0-9a-f]+", "0x", line))


commands = re.findall(r"^\(gdb\) (.*)$", session[1], re.MULTILINE)
commands = [re.sub(r"/\S*/utf8check\.py$", str(UTF8CHECK), command) for command in commands]
ran = subprocess.run([gdb, "--quiet", "--nx", "--batch", "--directory", str(ROOT),
                      *(word for command in commands for word in ("-ex", command)), program],
                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=120, check=False)
noise    = re.compile(r"\[Thread debugging using|Using host libthread_db|warning: (Error disabling address space|Source file is more recent)")
got      = [comparable(in_program(line)) for line in ran.stdout.splitlines() if not noise.match(line)]
expected = [comparable(line) for line in session[1].splitlines() if not line.startswith("(gdb) ")]

pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in expected)
passed  = re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None
if not passed:
    print("The page shows:", *expected, "", "gdb prints:", *got, sep="\n")
print(f"{len(expected)} cases, {0 if passed else 1} failed")
sys.exit(not passed)
