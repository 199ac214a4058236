"""The commands of a page's table of faults do what the table says.

faults_table_test.py UTFCAT PAGE: runs each command of the table on text with the fault of its row. A row without such a text
fails.
"""

import os
import re
import subprocess
import sys
import tempfile

UTFCAT, PAGE = map(os.path.abspath, sys.argv[1:3])
# By command: the text, and what utfcat writes to standard output.
ROWS = {
    "utfcat -e replace": (b"a\xffb\n", "a\ufffdb\n"),
    "utfcat --rejects FILE": (b"a\nb\xff\nc\n", "a\nc\n"),
    "utfcat --line-fallback windows-1252": (b"caf\xc3\xa9\ncaf\xe9\n", "caf\u00e9\n" * 2),
    "utfcat --filter lf": (b"a\r\nb\rc\n", "a\nb\nc\n"),
    "utfcat --filter remove:xml10": ("a\x0b\ufffeb\n", "ab\n"),
    "utfcat --filter remove:ansi": ("\x1b[31mred\x1b[0m \x1b]0;title\ab\n", "red b\n"),
    "utfcat --filter escape-controls": ("\x1b \u202e\n", "\\x1B \\u{202E}\n"),
    "utfcat --filter remove:invisible": ("a\u200bb\u2060\n", "ab\n"),
    "utfcat --filter skip-hole": (b"\0" * 600 + b"line\n", "line\n"),
    "utfcat --filter strip-boms": ("\ufeffa\n\ufeffb\ufeff\n", "a\nb\ufeff\n"),
    "utfcat --filter mojibake:auto": ("un caf\u00c3\u00a9\n", "un caf\u00e9\n"),
    "utfcat --filter reread:windows-1252:windows-1251": ("\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2\n", "\u041f\u0440\u0438\u0432\u0435\u0442\n"),
    "utfcat --filter declare": ('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>\n', '<?xml version="1.0" encoding="UTF-8"?><a>\u00e9</a>\n'),
    "utfcat --filter nfc": ("e\u0301\n", "\u00e9\n"),
    "utfcat --from mutf-8": (b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80\n", "a\0\U0001f600\n"),
    "utfcat --from guess": ("\u0421\u044a\u0435\u0448\u044c \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 \u043c\u044f\u0433\u043a\u0438\u0445 \u0431\u0443\u043b\u043e\u043a\n".encode("cp1251"),
                            "\u0421\u044a\u0435\u0448\u044c \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 \u043c\u044f\u0433\u043a\u0438\u0445 \u0431\u0443\u043b\u043e\u043a\n"),
}
# What utfcat --inspect says of a text is in a line that begins so.
INSPECTED = {"\ufffd\n": "-:1:1: byte 0: ", "a \u00ef\u00bf\u00bd\n": "-:1:3: byte 2: ", "\u951f\u65a4\u62f7\n": "-:1:1: byte 0: ", "a\n\0\0\0\0\n": "-:2:1: byte 2: "}


def run(command, text):
    with tempfile.TemporaryDirectory() as folder:
        words = [UTFCAT if word == "utfcat" else word for word in command.split()]
        done = subprocess.run(words, input=text.encode() if isinstance(text, str) else text, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr.decode()}"
    return done.stdout.decode()


with open(PAGE, encoding="utf-8") as page:
    commands = re.findall(r"^\|[^|\n]*\| `(utfcat [^`]*)`[^|\n]*\|[^|\n]*\|[^|\n]*\|$", page.read(), re.M)
assert sorted(commands) == sorted([*ROWS, "utfcat --inspect"]), set(commands) ^ {*ROWS, "utfcat --inspect"}
for command, (text, wanted) in ROWS.items():
    got = run(command, text)
    assert got == wanted, f"{command}\n  writes {got!r}\n  not    {wanted!r}"
for text, begins in INSPECTED.items():
    got = run("utfcat --inspect", text)
    assert any(line.startswith(begins) for line in got.splitlines()), f"{text!r}: {got}"
print(f"{len(ROWS) + len(INSPECTED)} cases, 0 failed")
