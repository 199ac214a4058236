"""The profiles of the sets of characters, each against the program that it is for.

utfcat_profiles_test.py UTFCAT [--all]: the program takes each text that `--filter reject:PROFILE` passes, and gives it
back unchanged. It refuses each text in which the filter finds a character. Where a program is laxer than its
specification, an exception below says so. Without --all, a program that is not installed is left out; with --all, that
is a failure.
"""

import contextlib
import csv
import glob
import io
import json
import os
import random
import re
import shutil
import string
import subprocess
import time

from utfcat_cases import check, installed, python_with, run, run_tests

# Each stands at an end of some set, or is one that programs treat in a way of their own.
HOSTILE = [
    *(f"a{c}b" for c in "\0\x01\x08\t\n\v\f\r\x0e\x1f \x7f\x80\x84\x85\x9f\xa0\xad\u061c\u200b\u2028\u2029\ud7ff\ue000"
                        "\ufdd0\ufeff\ufff9\ufffd\ufffe\uffff\U00010000\U000e0041\U0001fffe\U0010ffff"),
    "\x1b[31mred\x1b[0m \x9b1mbold\x9cm",
    "\u202eevil\u2066 '; \" <![CDATA[ ]]> &amp; -- \\u0000 \\",
    "\r\n\u0085\u2028line ends\n\r",
    "\U0001f600\ufffd\U0001f3f4\U000e0067\U000e007f",
]
SEED = 20
ENDS = sorted(set("".join(HOSTILE)) - {"\n", *string.ascii_letters})
SINGLES = [text[1] for text in HOSTILE if len(text) == 3]


def random_texts():
    """Without line feeds, so that one run of utfcat reads a text from each line."""
    some = random.Random(SEED)

    def character(kind):
        if kind == "end":
            return some.choice(ENDS)
        if kind == "any":
            return chr(some.choice([some.randrange(0x80, 0xD800), some.randrange(0xE000, 0x110000)]))
        return chr(some.randrange(0x20, 0x7F))

    texts = []
    for _ in range(10_000):
        kinds = ["end"] * some.randrange(4) + ["any"] * some.choice([0, 0, 1]) + ["ascii"] * some.randrange(1, 8)
        some.shuffle(kinds)
        texts.append("".join(character(kind) for kind in kinds))
    return texts


RANDOM = random_texts()
TEXTS = HOSTILE + RANDOM


def found(profile):
    """For each text, whether the filter finds a character of the profile in it."""
    alone = []
    for text in HOSTILE:
        status, _, errors = run("-q", "--filter", f"reject:{profile}", text=text.encode())
        check((profile, text, errors), status in (0, 1), True)
        alone.append(status != 0)
    # The first line keeps a byte order mark from the start of the file.
    lines = ".\n" + "".join(text + "\n" for text in RANDOM)
    status, out, errors = run("-c", "--format", "json", "--filter", f"reject:{profile}", text=lines.encode())
    check((profile, errors), status, 1)
    bad = {one["line"] - 2 for one in json.loads(out)}
    answers = alone + [n in bad for n in range(len(RANDOM))]
    # Neither direction is empty.
    check((profile, "some of both"), 100 < sum(answers) < len(answers) - 100, True)
    return answers


def compare(profile, program, is_found, answers, *, wanted=str, lax=""):
    """An answer is the text as the program gives it back, or None if the program refuses it. `wanted` tells for a text
    what the program should give back. The program may take characters of `lax` although it should not."""
    check((profile, program, "answers"), len(answers), len(is_found))
    for text, bad, answer in zip(TEXTS, is_found, answers):
        what = (profile, program, f"seed {SEED}", text, "found" if bad else "passed")
        if not bad:
            check(what, ascii(answer), ascii(wanted(text)))
        elif set(text).isdisjoint(lax):
            check(what, ascii(answer), "None")


# ------------------------------------------------------------------------------------------------------------------ XML
def document(content, version="1.0"):
    return f'<?xml version="{version}" encoding="UTF-8"?>\n<a>{content}</a>'


def in_xml(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def references(text):
    return "".join(f"&#x{ord(c):X};" for c in text)


# Debian's Python has lxml; the Python that runs this test may be another one.
WITH_LXML = """
import json, sys
from lxml import etree

def text_of(document):
    try:
        return etree.fromstring(document.encode()).text
    except etree.XMLSyntaxError:
        return None

json.dump([text_of(document) for document in json.load(sys.stdin)], sys.stdout)
"""


def test_xml10():
    python = python_with("lxml.etree")
    if not installed("lxml", python):
        return

    def answers(documents):
        return json.loads(subprocess.run([python, "-c", WITH_LXML], input=json.dumps(documents).encode(),
                                         capture_output=True, check=True).stdout)

    is_found = found("xml10")
    # A parser makes line feeds of other line ends: XML 1.0 section 2.11.
    compare("xml10", "lxml", is_found, answers([document(in_xml(text)) for text in TEXTS]),
            wanted=lambda text: re.sub("\r\n?", "\n", text))
    # References do not help: section 4.1, Legal Character.
    compare("xml10", "lxml, references", is_found, answers([document(references(text)) for text in TEXTS]))


def test_xml11():
    """lxml and expat read only XML 1.0. rxp only says whether it takes a document."""
    if not installed("rxp", shutil.which("rxp")):
        return
    is_found = found("xml11")

    def refused(contents):
        for n, content in enumerate(contents):
            with open(f"{n}.xml", "wb") as file:
                file.write(document(content, "1.1").encode())
        command = 'n=0; while [ $n -lt $1 ]; do rxp -xs "$n.xml" 2> /dev/null || echo $n; n=$((n + 1)); done'
        out = subprocess.run(["sh", "-c", command, "sh", str(len(contents))], capture_output=True, check=True).stdout
        return {int(n) for n in out.split()}

    # rxp reads one document, up to its first error. So all that the filter passes is one document.
    whole = "\n".join(in_xml(text) for text, bad in zip(TEXTS, is_found) if not bad)
    check(("xml11", f"seed {SEED}", "all that the filter passes"), refused([whole]), set())
    # Some of the texts alone.
    some = TEXTS[:1000]
    bad = refused([in_xml(text) for text in some])
    for n, text in enumerate(some):
        check(("xml11", "rxp", f"seed {SEED}", text), n in bad, is_found[n])
    # Only in XML 1.1, references to control characters other than NUL are right: section 4.1, Legal Character.
    bad = refused([references(c) for c in SINGLES])
    check("references", {SINGLES[n] for n in bad}, {"\0", "\ufffe", "\uffff"})


# ----------------------------------------------------------------------------------------------------------------- JSON
def json_string(text):
    """As a program writes it that escapes no other control characters. JSON forbids tab, line feed and carriage return
    in a string, too, but between its tokens they are white space. The profile lets them pass, for that reason."""
    for c, escape in ("\\", "\\\\"), ('"', '\\"'), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"):
        text = text.replace(c, escape)
    return f'"{text}"'


def read_by_python(value):
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return None


def read_by_jq(values):
    """jq's function fromjson is the parser that reads its input, but goes on after an error."""
    out = subprocess.run(["jq", "-c", ".[] | try fromjson catch null"], input=json.dumps(values).encode(),
                         capture_output=True, check=True).stdout
    return [json.loads(line) for line in out.decode().rstrip("\n").split("\n")]


def test_json_text():
    is_found = found("json_text")
    strings = [json_string(text) for text in TEXTS]
    compare("json_text", "Python's json", is_found, [read_by_python(one) for one in strings])
    for c in "\t\n\r":
        check(("white space", c), read_by_python(f"[{c}1{c},{c}2{c}]{c}"), [1, 2])
        check(("white space in a string", c), read_by_python(f'"{c}"'), None)
        check(("white space passes", c), run("-q", "--filter", "reject:json_text", text=f"[{c}1]".encode())[0], 0)
    if installed("jq", shutil.which("jq")):
        # jq 1.6 looks for control characters, but overlooks the first and the last one, NUL and U+001F.
        compare("json_text", "jq", is_found, read_by_jq(strings), lax="\0\x1f")


def test_json_lines_with_escapes():
    """Each line of JSON Lines is valid afterwards, and means the same."""
    lines = "".join(f'{{"n": {n}, "text": {json_string(text)}}}\n' for n, text in enumerate(TEXTS))
    wanted = [{"n": n, "text": text} for n, text in enumerate(TEXTS)]
    has_jq = installed("jq", shutil.which("jq"))
    for sets in ("json_text", "controls", "json_text+non_ascii", "json_text+bidi+supplementary", "controls+printable"):
        status, out, errors = run("--filter", f"escape:{sets}=json", text=lines.encode())
        check((sets, "utfcat"), (status, errors), (0, ""))
        got = out.decode().removesuffix("\n").split("\n")
        check((sets, "lines"), len(got), len(wanted))
        for line, one in zip(got, wanted):
            check((sets, f"seed {SEED}", line), ascii(read_by_python(line)), ascii(one))
        check((sets, "is ASCII"), "non_ascii" not in sets or out.isascii(), True)
        if has_jq:
            # jq writes the bytes of its strings as they are.
            done = subprocess.run(["jq", "-c", "."], input=out, capture_output=True, check=False)
            check((sets, "jq", done.stderr), done.returncode, 0)
            read = [read_by_python(line) for line in done.stdout.decode().rstrip("\n").split("\n")]
            check((sets, "lines of jq"), len(read), len(wanted))
            for got, one in zip(read, wanted):
                check((sets, "jq", f"seed {SEED}"), ascii(got), ascii(one))


# ------------------------------------------------------------------------------------------------------------ databases
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]


@contextlib.contextmanager
def server(command, ask):
    """Runs a server, which ends with this test, even if that is killed. The command `ask` succeeds once it is ready."""
    with open("server.log", "wb") as log:
        process = subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while (done := subprocess.run(ask, capture_output=True, check=False)).returncode != 0:
            if process.poll() is not None or time.monotonic() > end:
                with open("server.log", encoding="utf-8", errors="replace") as log:
                    raise AssertionError(f"no answer from {command}: {done.stderr.decode()}\n{log.read()}")
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait()


class PostgreSQL:
    """A server of its own, on a socket in a folder."""

    def __init__(self, programs, folder):
        self.psql = [f"{programs}/psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", f"--host={folder}",
                     "--username=postgres", "--dbname=postgres", "--set=ON_ERROR_STOP=1", "--command"]

    def try_to(self, statement, text=b""):
        return subprocess.run([*self.psql, statement], input=text, capture_output=True, check=False,
                              env={**os.environ, "PGCLIENTENCODING": "UTF8"})

    def do(self, statement, text=b""):
        done = self.try_to(statement, text)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout


@contextlib.contextmanager
def postgresql_server(programs):
    """PostgreSQL refuses to run as root."""
    here = os.path.join(os.getcwd(), "postgresql")
    os.chmod(".", 0o755)
    os.mkdir(here)
    user = []
    if os.getuid() == 0:
        user = AS_POSTGRES
        shutil.chown(here, "postgres")
    subprocess.run([*user, f"{programs}/initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust",
                    "--username=postgres", f"--pgdata={here}/data"], check=True, capture_output=True, cwd="/")
    database = PostgreSQL(programs, here)
    with server([*(user or ["setpriv"]), "--pdeathsig=QUIT", f"{programs}/postgres", "-F", "-D", f"{here}/data",
                 "-k", here, "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700"],
                [*database.psql, "select 1"]):
        yield database


def test_postgresql():
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not installed("PostgreSQL", programs):
        return
    is_found = found("postgresql")
    with postgresql_server(programs[-1]) as database:
        check("server_encoding", database.do("show server_encoding"), b"UTF8\n")
        # The server reads the bytes of each text: clients such as psql and psycopg2 would not send it a NUL.
        database.do("create table bytes (n int, b bytea); create table texts (n int, t text)")
        rows = "".join(f"{n}\t\\\\x{text.encode().hex()}\n" for n, text in enumerate(TEXTS))
        database.do("copy bytes from stdin", rows.encode())
        database.do("""do $$ declare one bytes; begin for one in select * from bytes loop
                         begin insert into texts values (one.n, convert_from(one.b, 'UTF8'));
                         exception when character_not_in_repertoire then null; end;
                       end loop; end $$""")
        taken = database.do("select n, encode(convert_to(t, 'UTF8'), 'hex') from texts").decode().split()
        taken = {int(n): bytes.fromhex(b).decode() for n, b in (line.split("|") for line in taken)}
        compare("postgresql", "bytes in the server", is_found, [taken.get(n) for n in range(len(TEXTS))])
        # What a client sends.
        table = io.StringIO(newline="")
        passed = [[str(n), text] for n, text in enumerate(TEXTS) if not is_found[n]]
        csv.writer(table, quoting=csv.QUOTE_ALL).writerows(passed)
        database.do("truncate texts")
        done = database.try_to("copy texts from stdin (format csv)", table.getvalue().encode())
        check(("postgresql", "copy from stdin"), (done.returncode, done.stderr), (0, b""))
        out = database.do("copy (select * from texts order by n) to stdout (format csv)").decode()
        read = list(csv.reader(io.StringIO(out, newline=""), strict=True))
        check(("postgresql", "rows"), len(read), len(passed))
        for got, wanted in zip(read, passed):
            check(("postgresql", "copy from stdin", f"seed {SEED}"), ascii(got), ascii(wanted))
        # Files that the server reads.
        for text, bad in zip(HOSTILE, is_found):
            with open("postgresql/file.csv", "wb") as file:
                file.write(('1,"' + text.replace('"', '""') + '"\n').encode())
            os.chmod("postgresql/file.csv", 0o644)
            done = database.try_to(f"copy texts from '{os.getcwd()}/postgresql/file.csv' (format csv)")
            check(("postgresql", "copy from a file", text),
                  (done.returncode != 0, b'invalid byte sequence for encoding "UTF8": 0x00' in done.stderr), (bad, bad))


def test_utf8mb3():
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    mariadbd, mariadb = shutil.which("mariadbd", path=path), shutil.which("mariadb", path=path)
    if not installed("MariaDB", mariadbd and mariadb):
        return
    is_found = found("utf8mb3")
    here = os.getcwd()
    os.mkdir("data")
    # Without the tables of privileges, nothing needs to be installed in the folder of the data. root must be named.
    start = ["setpriv", "--pdeathsig=KILL", mariadbd, "--no-defaults", *(["--user=root"] if os.getuid() == 0 else []),
             f"--datadir={here}/data", f"--socket={here}/socket", f"--pid-file={here}/pid", "--skip-grant-tables",
             "--skip-networking", "--skip-innodb", "--default-storage-engine=MyISAM", "--sql-mode=STRICT_ALL_TABLES"]
    client = [mariadb, "--no-defaults", f"--socket={here}/socket", "--default-character-set=utf8mb4", "--batch",
              "--skip-column-names", "--binary-mode"]
    with server(start, [*client, "--execute=select 1"]):
        table = "create table d.texts (n int, t text character set utf8mb3)"
        subprocess.run([*client, f"--execute=create database d; {table}"], check=True)
        statements = []
        for n, text in enumerate(TEXTS):
            quoted = text.replace("\\", "\\\\").replace("'", "\\'")
            statements.append(f"insert into texts values ({n}, '{quoted}');\n")
        # The client goes on after a statement that fails.
        errors = subprocess.run([*client, "--force", "d"], input="".join(statements).encode(), capture_output=True,
                                check=False).stderr
        check("errors of MariaDB", set(re.findall(rb"^ERROR (.*?) at line \d+: ([\w ]*)", errors, re.M)),
              {(b"1366 (22007)", b"Incorrect string value")})
        out = subprocess.run([*client, "--execute=select n, hex(convert(t using utf8mb4)) from texts", "d"],
                             capture_output=True, check=True).stdout.decode()
    taken = {int(n): bytes.fromhex(b).decode() for n, b in (line.split("\t") for line in out.splitlines())}
    compare("utf8mb3", "MariaDB", is_found, [taken.get(n) for n in range(len(TEXTS))])


# ---------------------------------------------------------------------------------------------------------------- ASCII
def test_ascii():
    def decoded(text):
        try:
            return text.encode().decode("ascii")
        except UnicodeDecodeError:
            return None

    compare("ascii", "Python", found("ascii"), [decoded(text) for text in TEXTS])


run_tests(globals(), at_least=50_000)
