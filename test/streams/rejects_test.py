"""Records of lines that are put aside, as Python's json, csv and sqlite3, the sqlite3 command, and PostgreSQL read them.

rejects_test.py PUT_ASIDE: what the records must say is computed here, from the bytes of the source.
"""

import contextlib
import csv
import glob
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

PUT_ASIDE = os.path.abspath(sys.argv[1])
LIMIT = 40
COLUMNS = ["file", "line", "column", "begin", "end", "error", "bytes"]
QUOTED = ", ".join(f'"{name}"' for name in COLUMNS)  # some are words of SQL
NAMES = [b"plain.csv", b'a "quoted", name.csv', b"back\\slash\ttab", b"two\nlines\r\n", "caf\u00e9 \U0001f600".encode(), b"not \xff UTF-8", b""]
LINES = [
    (b"caf\xc3\xa9\n", None),
    (b"a,\"b\",\xff\n", ("byte that no text contains", 7, "FF")),
    ("\u20ac\u20ac".encode() + b"\xe2\x82\r\n", ("truncated sequence", 3, "E282")),
    (b"\x00\x80\n", ("unexpected continuation byte", 2, "80")),
    (b"\n", None),
    (b"x" * 100 + b"\n", "parts"),
    (b"\xed\xa0\x80\n", ("encoded surrogate", 1, "ED")),
    (b"end\xf0\x9f", ("incomplete at the end of the input", 4, "F09F")),
]
CASES = 0


def check(what, got, wanted):
    global CASES
    CASES += 1
    assert got == wanted, f"{what}:\n  is       {got}\n  expected {wanted}"


def shown(name):
    """The name in a record: bytes that are no UTF-8 are escaped."""
    return name.decode(errors="backslashreplace").replace("\\xff", "\\xFF") if b"\xff" in name else name.decode()


def expected(name):
    """The records, and the bytes that are put aside."""
    records, aside, begin = [], b"", 0
    for number, (line, error) in enumerate(LINES, 1):
        if error == "parts":
            for part, at in enumerate(range(0, len(line), LIMIT), 1):
                end = min(at + LIMIT, len(line))
                records.append([shown(name), number, 1, begin + at, begin + end, "line too long", "", part])
        elif error:
            records.append([shown(name), number, error[1], begin, begin + len(line), error[0], error[2], None])
        aside += line if error else b""
        begin += len(line)
    return records, aside


def put_aside(form, name):
    text = b"".join(line for line, _ in LINES)
    return subprocess.run([PUT_ASIDE, form, name, str(LIMIT)], input=text, capture_output=True, check=True).stdout


def in_database(fill, line="line"):
    """What a table has after it was filled. `line` is the number of the line, as an expression of SQL."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rejects.db")
        fill(path)
        with contextlib.closing(sqlite3.connect(path)) as database:
            rows = [list(row) for row in database.execute(f"select {QUOTED} from rejects order by rowid")]
            found = database.execute(f"select count(*) from rejects where {line} = 3 and bytes = 'E282'").fetchone()
    check("a row is found by its numbers", found, (1,))
    return rows


def by_module(rows):
    def fill(path):
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute(f"create table rejects ({QUOTED})")
            database.executemany("insert into rejects values (?, ?, ?, ?, ?, ?, ?)", rows)
            database.commit()
    return fill


def by_command(text):
    def fill(path):
        file = os.path.join(os.path.dirname(path), "rejects.csv")
        with open(file, "wb") as to:
            to.write(text)
        subprocess.run(["sqlite3", path, ".mode csv", f".import {file} rejects"], check=True, capture_output=True)
    return fill


class PostgreSQL:
    """A cluster of databases of its own. Its program runs alone, without a server, for each list of statements."""

    def __init__(self, folder):
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.data = os.path.join(folder, "data")
        # PostgreSQL refuses to run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(folder, "postgres")
        self.run("initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--pgdata=" + self.data)

    def run(self, program, *arguments, text=b""):
        done = subprocess.run([*self.user, os.path.join(self.programs, program), *arguments], input=text,
                              capture_output=True, check=False, cwd="/")
        log = (done.stdout + done.stderr).decode(errors="replace")
        assert done.returncode == 0 and "ERROR" not in log, log

    def rows(self, *statements):
        """What the table `rejects` has after the statements."""
        path = os.path.join(os.path.dirname(self.data), "rows.csv")
        columns = ", ".join(f'"{name}" {"bigint" if name in COLUMNS[1:5] else "text"}' for name in COLUMNS)
        out = f"copy (select {QUOTED} from rejects order by line, \"begin\") to '{path}' (format csv)"
        all_of_them = ("drop table if exists rejects, raw", f"create table rejects ({columns})", *statements, out)
        self.run("postgres", "--single", "-j", "-F", "-D", self.data, "template1",
                 text="".join(statement + ";\n\n" for statement in all_of_them).encode())
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.reader(file, strict=True))


def check_in_postgresql(database, folder, name, words):
    path = os.path.join(folder, "records")
    with open(path, "wb") as to:
        to.write(put_aside("csv", name))
    check("CSV in PostgreSQL", database.rows(f"copy rejects from '{path}' (format csv, header true)"), words)
    with open(path, "wb") as to:
        to.write(put_aside("jsonl", name))
    values = ", ".join(f"(record->>'{column}')" + ("::bigint" if column in COLUMNS[1:5] else "") for column in COLUMNS)
    # This is how PostgreSQL reads a file line by line: as CSV with quotes and delimiters that do not occur.
    check("JSON Lines in PostgreSQL", database.rows(
        "create table raw (record jsonb)",
        f"copy raw from '{path}' (format csv, quote e'\\x01', delimiter e'\\x02')",
        f"insert into rejects select {values} from raw"), words)


has_command = shutil.which("sqlite3") is not None
for name in NAMES:
    records, aside = expected(name)
    short = [record[:7] for record in records]
    words = [[str(value) for value in record] for record in short]

    check("the bytes of the lines", put_aside("text", name), aside)

    lines = put_aside("jsonl", name).decode().split("\n")
    check("the last line ends", lines.pop(), "")
    read = [json.loads(line) for line in lines]
    for one, record in zip(read, records):
        check("members of JSON", list(one), COLUMNS + ["part"] * (record[7] is not None))
    check("values of JSON", [[one[column] for column in COLUMNS] + [one.get("part")] for one in read], records)

    text = put_aside("csv", name)
    rows = list(csv.reader(io.StringIO(text.decode(), newline=""), strict=True))
    check("the first line of CSV", rows[0], COLUMNS)
    check("values of CSV", rows[1:], words)

    check("values in a database", in_database(by_module([[one[column] for column in COLUMNS] for one in read])), short)
    if has_command:
        check("values that the sqlite3 command has loaded", in_database(by_command(text), "cast(line as integer)"), words)

if glob.glob("/usr/lib/postgresql/*/bin"):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        database = PostgreSQL(folder)
        for name in NAMES:
            check_in_postgresql(database, folder, name,
                                [[str(value) for value in record[:7]] for record in expected(name)[0]])
else:
    print("skipped: PostgreSQL, because it is not installed")

if not has_command:
    print("skipped: the sqlite3 command, because it is not installed")
print(f"{CASES} cases, 0 failed")
