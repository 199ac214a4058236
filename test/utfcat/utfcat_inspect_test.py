"""utfcat --inspect and --format.

utfcat_inspect_test.py UTFCAT UTFCAT_IN_PIECES: what must be found is computed here, character by character.
"""

import codecs
import gzip
import json
import os
import random
import re
import subprocess

from utfcat_cases import OTHER as UTFCAT_IN_PIECES, UTFCAT, check, folder, installed, python_with, run, run_tests, similar


# ------------------------------------------------------------------------------------------------------- the reference


def characters(data, encoding):
    """(character, offset) of each, with None for an ill-formed subsequence."""
    errors = []

    def note(error):
        errors.append((error.start, error.end))
        return "\U000FFFFD", error.end  # private use, which the texts here do not have

    codecs.register_error("note", note)
    mark = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE}.get(encoding, b"-")
    at = len(mark) if data.startswith(mark) else 0
    text = data[at:].decode(encoding, "note")
    found = []
    for c in text:
        if c == "\U000FFFFD":
            begin, end = errors[sum(one is None for one, _ in found)]
            found.append((None, at))
            at += end - begin
        else:
            found.append((c, at))
            at += len(c.encode(encoding))
    return found, at


BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


INVISIBLE = re.compile("[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u200b\u2060-\u2065\u206a-\u206f\u3164\uffa0\ufff0-\ufffb]")


def rule_of(c, before):
    n = ord(c)
    if n < 0x20 and c not in "\0\t\n\r":
        return "c0-control"
    if c in "\u00a0\u202f":
        return "no-break-space"
    if c == "\ufffd":
        return "replacement"
    if 0xE0000 <= n <= 0xE007F:
        return "tag"
    if INVISIBLE.match(c) or c in "\u200c\u200d" and (before is None or before < "\x80"):
        return "invisible"
    if 0x7F <= n <= 0x9F:
        return "c1-control"
    if c in BIDI:
        return "bidi-control"
    if n == 0xFEFF:
        return "mark-inside"
    if n in (0x0A00, 0x0D00, 0x0A0D, 0x0D0A):
        return "shifted-utf16"
    if 0xFDD0 <= n <= 0xFDEF or n & 0xFFFE == 0xFFFE:
        return "noncharacter"
    if 0xE000 <= n <= 0xF8FF or n >= 0xF0000:
        return "private-use"
    return None


def findings(data, encoding):
    """The findings but mojibake: (rule, line, column, offset, count), by their places."""
    text, end = characters(data, encoding)
    found = {}

    def note(rule, place, count=1):
        found[rule] = (found.get(rule, (place, 0))[0], found.get(rule, (place, 0))[1] + count)

    changes = []  # of direction, not taken back: whether each is an isolate
    flag = 0  # tags of a flag
    beyond, wrong, two = False, False, False  # of the line: a character beyond ASCII, an error, and both

    def end_line(here):
        if changes:
            note("open-bidi", here)
        changes.clear()

    zeros = 0
    while zeros < len(text) and text[zeros][0] == "\0":
        zeros += 1
    if zeros >= 512 and text[0][1] == 0:
        note("hole", (1, 1, 0), zeros)
    else:
        zeros = 0
    line, column, length, start = 1, 1, 0, None
    if encoding == "utf-16-le" and data.startswith(codecs.BOM_UTF16_LE):
        column = 2  # there U+FEFF is a character, because the label fixes the order of the bytes
    for i, (c, offset) in enumerate(text):
        here = (line, column, offset)
        last = text[i - 1][0] if i else None
        is_tag = c is not None and last is not None and "\U000e0000" <= c <= "\U000e007f"
        goes_on = is_tag and 0 < flag < 7 and "\U000e0000" <= last < "\U000e007f"
        flag = 1 if is_tag and last == "\U0001f3f4" else flag + 1 if goes_on else 0
        if length == 0:
            start = here
        if c is None:
            note("ill-formed", here)
        elif c in "\r\n":
            before = text[i - 1][0] if i else ""
            after = text[i + 1][0] if i + 1 < len(text) else ""
            if c == "\n" and before != "\r":
                note("LF", here)
            elif c == "\r":
                note("CR LF" if after == "\n" else "CR", here)
        elif c == "\0" and i >= zeros and (i == zeros or text[i - 1][0] != "\0"):
            run_of = next((n for n, (other, _) in enumerate(text[i:]) if other != "\0"), len(text) - i)
            note("nul-run" if run_of >= 16 else "nul", here, run_of)
        elif flag:
            pass
        elif i >= zeros and rule_of(c, text[i - 1][0] if i else "\0"):
            note(rule_of(c, text[i - 1][0] if i else "\0"), here)
        if [one for one, _ in text[i:i + 3]] == ["\u951F", "\u65a4", "\u62f7"]:
            note("replacement-mojibake", here)
        if c is not None and c in "\r\n":
            end_line(here)
            beyond = wrong = two = False
        beyond, wrong = beyond or c is not None and c >= "\x80", wrong or c is None
        if beyond and wrong and not two and encoding == "utf-8":
            note("two-encodings", here)
            two = True
        if c is not None and c in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068":
            changes.append(c >= "\u2066")
        if c == "\u202c" and changes and not changes[-1]:
            changes.pop()
        if c == "\u2069" and True in changes:
            while not changes.pop():
                pass
        if c is not None and c in "\r\n":
            length = 0
        else:
            length += 1
            if length == 1001:
                note("long-line", start)
        column += 1
        if c == "\n":
            line, column = line + 1, 1
    end_line((line, column, end))
    if length:
        note("unfinished-line", (line, column, end))
    ends = [rule for rule in ("LF", "CR LF", "CR") if rule in found]
    if ends:
        found.pop(max(ends, key=lambda rule: found[rule][1]))
    rows = [("mixed-line-ends" if rule in ends else rule, *place, count) for rule, (place, count) in found.items()]
    return sorted(rows, key=lambda row: row[1:4] + (row[0],))


def reported(output):
    rows = [(one["rule"], one["line"], one["column"], one["offset"], one["count"]) for one in json.loads(output)]
    return sorted(rows, key=lambda row: row[1:4] + (row[0],))


def dirt(some, encoding):
    parts = ["word ", "a", "\n", "\n", "\r\n", "\r", "\t", "z" * some.choice([5, 999, 1000, 1001]), "€", "中文", "😀" * 1001]
    odd = ["\0", "\x01", "\x1b", "\x7f", "\x85", "\u202e", "\ufeff", "\u0a00", "\u0d0a", "\ufdd0", "\U0010ffff", "\ue000",
           "\U000f0000", "😀", "\0" * 15, "\0" * 16, "\0" * 5000, "\u202a", "\u202c", "\u2066", "\u2069", "\u00ad", "\u200b",
           "\u200d", "é\u200d", "\u2060", "\U000e0041", "\U0001f3f4\U000e0067\U000e007f", "\u00a0", "\u202f", "\ufffd", "锟斤拷"]
    if encoding == "latin-1":
        parts, odd = parts[:-3] + ["é"], [c for c in odd if max(c) < "\u0100"]
    bad = {"utf-8": [b"\xff", b"\xe2\x82", b"\x80", b"\xed\xa0\x80"], "utf-16-le": [b"\x00\xdc"], "latin-1": []}[encoding]
    all_of_them = [part.encode(encoding) for part in parts * 3 + some.sample(odd, some.randrange(len(odd)))]
    all_of_them += bad if some.random() < 0.5 else []
    start = some.choice(["", "", "\ufeff", "\0" * 511, "\0" * 512, "\0" * 70000] if encoding != "latin-1" else [""])
    return start.encode(encoding) + b"".join(some.choice(all_of_them) for _ in range(some.randrange(0, some.choice([8, 60, 900]))))


# ----------------------------------------------------------------------------------------------------------- the tests


def test_findings_and_their_places():
    some = random.Random(5)
    for n in similar(range(150)):
        encoding = some.choice(["utf-8", "utf-8", "utf-16-le", "latin-1"])
        data = dirt(some, encoding)
        wanted = findings(data, encoding)
        name = encoding.replace("16-", "16").replace("latin-1", "iso-8859-1")
        with folder({"in": data, "in.gz": gzip.compress(data)}) as where:
            for more, program in ((["in"], UTFCAT), (["-d", "in.gz"], UTFCAT), (["-"], UTFCAT),
                                  (["--jobs", "3", "in"], UTFCAT_IN_PIECES)):
                status, out, _ = run("--inspect", "--format", "json", "-f", name, *more, text=data, where=where,
                                     program=program, environment={"UTFCAT_PIECE": str(some.choice([7, 100, 5000]))})
                rows = [row for row in reported(out) if row[0] != "mojibake"]  # another test has it
                check(f"{n} {name} {more} {data[:3000]!r}", (status, rows), (0, wanted))


def test_mojibake_and_no_offset_where_nobody_knows_it():
    text = "caf\u00c3\u00a9 \u00e2\u201a\u00ac\nna\u00c3\u00afve\n"
    status, out, _ = run("--inspect", "--format", "json", text=text.encode())
    check("mojibake", (status, reported(out)), (0, [("mojibake", 1, 4, 3, 3)]))
    status, out, _ = run("--inspect", "-f", "euc-jp", text="漢字\n\x01".encode("euc-jp") + b"\xff")
    check("EUC-JP", (status, [line.split(": ")[:2] for line in out.decode().splitlines()]),
          (0, [["-:2:1", "control character (--filter escape-controls shows it, skip-controls leaves it out)"],
               ["-:2:2", "byte 6"], ["-:2:3", "the last line has no line end (text that is appended continues it)"]]))


def test_text_format():
    data = b"\xef\xbb\xbfa\nb\r\nc\x01\x01\nd\xff"
    with folder({"odd\tname": data}) as where:
        check("text", run("--inspect", "odd\tname", where=where),
              (0, b"odd\\x09name:2:2: byte 6: line end CR LF, but 2 lines end with LF (--filter lf or crlf gives all lines one kind)\n"
                  b"odd\\x09name:3:2: byte 9: control character, the first of 2 (--filter escape-controls shows it, skip-controls "
                  b"leaves it out)\n"
                  b"odd\\x09name:4:2: byte 13: byte that no text contains: FF (--check names each)\n"
                  b"odd\\x09name:4:3: byte 14: the last line has no line end (text that is appended continues it)\n", ""))
        check("a file that is not there", run("--inspect", "none", where=where)[0], 2)
    check("as many of each", run("--inspect", text=b"a\r\nb\n"),
          (0, b"-:1:2: byte 1: line end CR LF, but 1 line ends with LF (--filter lf or crlf gives all lines one kind)\n", ""))
    check("a hole", run("--inspect", text=b"\0" * 600 + b"a\n"),
          (0, b"-:1:1: byte 0: hole of NUL at the start, as copytruncate leaves it: 600 bytes (--filter skip-hole leaves it out)\n", ""))
    check("nothing", run("--inspect", text=b"all is well\n"), (0, b"", ""))
    check("an empty file", run("--inspect", text=b""), (0, b"", ""))


def test_formats_of_a_check():
    """Each has the places that the text has."""
    some = random.Random(6)
    names = ["a.txt", "with space, 50% & colon: x", "ü", "two\nlines"]
    for n in range(20):
        files = {name: dirt(some, "utf-8") for name in names}
        with folder(files) as where:
            status, out, _ = run("-c", *names, where=where)
            lines = [re.fullmatch(r".*:(\d+):(\d+): byte (\d+): (.*)", line).groups() for line in out.decode().splitlines()]
            got = json.loads(run("-c", "--format", "json", *names, where=where)[1])
            check(f"{n} json", [(str(one["line"]), str(one["column"]), str(one["offset"]), one["message"]) for one in got], lines)
            assert {one["file"] for one in got} <= set(names) and all(one["level"] == "error" for one in got)
            status_of_format, out, _ = run("-c", "--format", "github", *names, where=where)
            check(f"{n} status", status_of_format, status)
            got = [re.fullmatch(r"::error file=([^,:]*),line=(\d+),col=(\d+),title=([^,:]*)::(.*)", line).groups()
                   for line in out.decode().splitlines()]
            plain = [(one[1], one[2], re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), one[4])) for one in got]
            check(f"{n} github", plain, [(line, column, message) for line, column, _, message in lines])
            files_of = {re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), one[0]) for one in got}
            assert files_of <= set(names), files_of
    with folder({}) as where:
        name = os.fsencode(where) + b"/a\xe9"  # no UTF-8
        with open(name, "wb") as file:
            file.write(b"\xff")
        wanted = os.path.join(where, "a\\xE9")
        (one,) = json.loads(run("-c", "--format", "json", name)[1])
        check("name in JSON", one["file"], wanted)
        check("name for GitHub", run("-c", "--format", "github", name)[1].startswith(f"::error file={wanted},line=1".encode()), True)
    check("nothing in JSON", json.loads(run("-c", "--format", "json", text=b"a\n")[1]), [])


LEVELS = {"ill-formed": "error", "unfinished-line": "note", "long-line": "note", "private-use": "note", "no-break-space": "note"}  # of all others: warning


def test_levels():
    odd = "\0\x01\x7f\u202e\ufeff\u0a00\ufdd0\ue000\u00a0\u00c3\u00a9"
    for data in (b"\0" * 512 + b"a\nb\n\r\n\r" + odd.encode() + b"\xff" + b"z" * 1001, b"\r\r\n\r\n\n"):
        found = json.loads(run("--inspect", "--format", "json", text=data)[1])
        levels = [(one["rule"], one["level"]) for one in found]
        check("levels", levels, [(rule, LEVELS.get(rule, "warning")) for rule, _ in levels])
        assert {rule for rule, _ in levels} >= LEVELS.keys() or len(levels) == 2, levels
        lines = run("--inspect", "--format", "github", text=data)[1].decode().splitlines()
        check("github", lines, [
            f"::{one['level'].replace('note', 'notice')} file=-,line={one['line']},col={one['column']},title={one['rule']}::{one['message']}"
            for one in found])


# The part of SARIF 2.1.0 that utfcat writes: the properties that are required or used, by the sections of the standard.
def an_object(required, **properties):
    return {"type": "object", "required": required.split(), "properties": properties, "additionalProperties": False}


TEXT = {"type": "string"}
FROM_0, FROM_1 = {"type": "integer", "minimum": 0}, {"type": "integer", "minimum": 1}
MESSAGE = an_object("text", text=TEXT)  # 3.11
REGION = an_object("startLine", startLine=FROM_1, startColumn=FROM_1, byteOffset=FROM_0)  # 3.30
PLACE = an_object("artifactLocation region", region=REGION,  # 3.29
                  artifactLocation=an_object("uri", uri={"type": "string", "pattern": "^[A-Za-z0-9._~/%-]+$"}))  # 3.4
RESULT = an_object("message", ruleId=TEXT, level={"enum": ["none", "note", "warning", "error"]}, message=MESSAGE,  # 3.27
                   occurrenceCount=FROM_1, locations={"type": "array", "items": an_object("physicalLocation", physicalLocation=PLACE)})
DRIVER = an_object("name", name=TEXT, version=TEXT, rules={  # 3.19
    "type": "array", "uniqueItems": True, "items": an_object("id", id=TEXT, shortDescription=MESSAGE)})
RUN = an_object("tool", columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]}, tool=an_object("driver", driver=DRIVER),  # 3.14
                results={"type": "array", "items": RESULT})
LOG = an_object("version runs", version={"const": "2.1.0"}, runs={"type": "array", "items": RUN},  # 3.13
                **{"$schema": {"type": "string", "format": "uri"}})


def test_sarif():
    python = python_with("jsonschema")
    if not installed("jsonschema", python):
        return
    some = random.Random(7)
    for n in range(6):
        files = {"a.txt": dirt(some, "utf-8"), "b b%:,.txt": dirt(some, "utf-8"), "ü": b"\xff\n"}
        with folder(files) as where:
            for what in ("--inspect", "--check"):
                out = run(what, "--format", "sarif", *files, where=where)[1]
                done = subprocess.run([python, "-c", "import json, jsonschema, sys\nlog, schema = json.load(sys.stdin)\n"
                                       "jsonschema.validate(log, schema)"], check=False, capture_output=True,
                                      input=json.dumps([json.loads(out), LOG]).encode())
                check(f"{n} {what} {done.stderr.decode()[-2000:]}", done.returncode, 0)
                (one,) = json.loads(out)["runs"]
                plain = json.loads(run(what, "--format", "json", *files, where=where)[1])
                got = [(result["ruleId"], result["level"], result["message"]["text"], result["occurrenceCount"],
                        result["locations"][0]["physicalLocation"]["region"]) for result in one["results"]]
                check(f"{n} {what} results", got, [
                    (p["rule"], p["level"], p["message"], p["count"],
                     {"startLine": p["line"], "startColumn": p["column"], "byteOffset": p["offset"]}) for p in plain])
                check(f"{n} {what} rules", [rule["id"] for rule in one["tool"]["driver"]["rules"]],
                      sorted({p["rule"] for p in plain}))
    check("nothing", len(json.loads(run("-c", "--format", "sarif", text=b"a\n")[1])["runs"][0]["results"]), 0)


def test_a_whole_report_in_sarif():
    with folder({"~ü/b-_%.txt": b"\xffa\x01"}) as where:
        (one,) = json.loads(run("--inspect", "--format", "sarif", "-r", ".", where=where)[1])["runs"]
    driver = one["tool"]["driver"]
    check("driver", (driver["name"], f" {driver['version']}\n" in run("--version")[1].decode()), ("utfcat", True))
    check("rules", [(rule["id"], rule["shortDescription"]["text"]) for rule in driver["rules"]],
          [("c0-control", "control character"), ("ill-formed", "ill-formed text"),
           ("unfinished-line", "the last line has no line end")])
    check("uris", {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in one["results"]},
          {"./~%C3%BC/b-_%25.txt"})
    driver = json.loads(run("-c", "--format", "sarif", text=b"\xff\xe2\x82")[1])["runs"][0]["tool"]["driver"]
    check("rules of a check", [(rule["id"], rule["shortDescription"]["text"]) for rule in driver["rules"]],
          [("byte-that-no-text-contains", "byte that no text contains"),
           ("incomplete-at-the-end-of-the-input", "incomplete at the end of the input")])


ASKED = "lf crlf cr".split()  # these are reported if somebody asks for them
KINDS = ("ill-formed utf16-inside declaration mixed-line-ends unfinished-line long-line hole nul-run nul c0-control c1-control bidi-control "
         "open-bidi mark-inside invisible tag no-break-space private-use noncharacter replacement replacement-mojibake mojibake shifted-utf16 two-encodings").split()


def test_fail_on():
    """Each kind alone, all kinds, and all but some, with each way to report."""
    kinds = run("--inspect", "--fail-on", "x", text=b"")[2].partition("they are ")[2].rstrip(")\n").replace(" and ", ", ").split(", ")
    check("the kinds", kinds, KINDS[:3] + ASKED + KINDS[3:])
    check("the completion", run("--words", "--fail-on")[1].decode().split(), ["any", *kinds])
    check("the completion of --allow", run("--words", "--allow")[1].decode().split(), kinds)
    some = random.Random(8)
    files = {f"f{n}": dirt(some, "utf-8") for n in range(40)}
    files |= {"clean": b"text\n", "empty": b"", "wide": "a\n".encode() + "text\r\nof Windows\r\n".encode("utf-16-le"), "moji": "caf\u00c3\u00a9\n".encode()}
    with folder(files) as where:
        found = {name: [row["rule"] for row in json.loads(run("--inspect", "--format", "json", name, where=where)[1])] for name in files}
        check("kinds that the files have", {kind for kinds in found.values() for kind in kinds} - set(KINDS), set())
        for _ in range(60):
            fail_on = some.choice([["any"], some.sample(KINDS, some.randint(1, 3))])
            allow = some.choice([[], some.sample(KINDS, some.randint(1, 6))])
            asked = some.sample(sorted(files), some.randint(1, 5))
            options = ["--inspect", "--fail-on", ",".join(fail_on), *(["--allow", ",".join(allow)] if allow else [])]
            fails = [name for name in asked if any((kind in fail_on or fail_on == ["any"]) and kind not in allow for kind in found[name])]
            status = 1 if fails else 0
            for more in ([], ["--jobs", "3"]):
                check((options, asked, more, "-q"), run(*options, *more, "-q", *asked, where=where)[:2], (status, b""))
                check((options, asked, more, "--names-only"), run(*options, *more, "--names-only", *asked, where=where)[:2],
                      (status, "".join(name + "\n" for name in fails).encode()))
                got, out, _ = run(*options, *more, "--format", "json", *asked, where=where)
                rules = [(row["file"], row["rule"]) for row in json.loads(out)]
                check((options, asked, more), (got, sorted(rules)),
                      (status, sorted((name, kind) for name in asked for kind in found[name] if kind not in allow)))
        check("a directory", run("-r", "--inspect", "--fail-on", "nul", "--names-only", ".", where=where)[0], 1)
        check("a missing file", run("--inspect", "--fail-on", "nul", "-q", "clean", "missing", where=where)[0], 2)


def test_line_ends_of_the_kind_that_nobody_wants():
    texts = {"lf": b"a\nb\n", "crlf": b"a\r\nb\r\n", "cr": b"a\rb\r", "both": b"a\r\nb\r\nc\n"}
    with folder(texts) as where:
        for kind in ASKED:
            for name, text in texts.items():
                has = re.search({"lf": b"(?<!\r)\n", "crlf": b"\r\n", "cr": b"\r(?!\n)"}[kind], text) is not None
                status, out, _ = run("--inspect", "--fail-on", kind, "--format", "json", name, where=where)
                rules = [row["rule"] for row in json.loads(out)]
                check((kind, name), (status, kind in rules), (int(has), has))
        check("any", run("--inspect", "--fail-on", "any", "-q", "lf", "crlf", "cr", where=where)[:2], (0, b""))
        check("allowed", run("--inspect", "--fail-on", "crlf", "--allow", "crlf", "crlf", where=where)[:2], (0, b""))
        check("text", run("--inspect", "--fail-on", "crlf", "crlf", where=where)[1],
              b"crlf:1:2: byte 1: line end CR LF, the first of 2 (--filter lf or crlf gives all lines one kind)\n")
        for asked, rules in (("lf", ["lf"]), ("any", ["mixed-line-ends"]), ("lf,mixed-line-ends", ["lf", "mixed-line-ends"])):
            out = run("--inspect", "--fail-on", asked, "--format", "json", "both", where=where)[1]
            check(("once", asked), [row["rule"] for row in json.loads(out)], rules)
    status, out, _ = run("--inspect", "-b", "require", "--format", "json", text=b"a\n")
    check("a byte order mark that lacks is told once", (status, [(row["rule"], row["message"]) for row in json.loads(out)]),
          (1, [("ill-formed", "missing byte order mark (--check names each)")]))


def test_a_declaration_that_is_not_true():
    xml = '<?xml version="1.0" encoding="%s"?>\n<a>%s</a>\n'
    for declared, is_in, option, name in (("ISO-8859-2", "utf-8", "utf-8", "UTF-8"), ("UTF-8", "latin-1", "latin1", "ISO-8859-1"),
                                          ("windows-1251", "utf-16-le", "utf-16le", "UTF-16LE")):
        text = (xml % (declared, "é")).encode(is_in)
        (one,) = json.loads(run("--inspect", "--format", "json", "-f", option, text=text)[1])
        check(declared, (one["rule"], one["line"], one["message"]),
              ("declaration", 1, f"the text declares {declared}, but is read as {name} (--filter declare changes that)"))
        check((declared, "fails"), run("--inspect", "--fail-on", "declaration", "-q", "-f", option, text=text)[0], 1)
    for declared, is_in, option in (("UTF-8", "utf-8", "utf-8"), ("ISO-8859-1", "latin-1", "windows-1252"), ("UTF-16", "utf-16-le", "utf-16le")):
        text = (xml % (declared, "é")).encode(is_in)
        check((declared, "is true"), run("--inspect", "-f", option, text=text)[1], b"")
    check("ASCII is in any", run("--inspect", text=(xml % ("ISO-8859-2", "e")).encode())[1], b"")


def test_what_makes_no_sense():
    for options, words in (
            (["--inspect", "-c"], "--check makes no sense with it"), (["--inspect", "-q"], "needs --fail-on"),
            (["--inspect", "--names-only"], "needs --fail-on"), (["--fail-on", "nul"], "--fail-on is for --inspect"),
            (["--inspect", "--fail-on", "null"], "there is no kind null (the nearest is nul; they are ill-formed, "), (["--allow", "nul", "-c"], "--allow is for --inspect"),
            (["--inspect", "--fail-on", "nul", "--allow", "any"], "--allow: there is no kind any"),
            (["--inspect", "--fail-on", "nul", "-q", "--format", "json"], "is for the reports of"),
            (["--identify", "--fail-on", "nul"], "--fail-on is for --inspect"),
            (["--inspect", "--summary"], "--summary makes no sense"), (["--inspect", "--follow", "x"], "--follow makes no sense"),
            (["--inspect", "--filter", "lf"], "--filter makes no sense"), (["--inspect", "-t", "latin1"], "--to makes no sense"),
            (["--inspect", "--line-fallback", "latin1"], "--line-fallback makes no sense"),
            (["--inspect", "-o", "x"], "--inspect writes no text"), (["--inspect", "-i", "x"], "write no text"),
            (["--format", "json"], "is for the reports of"), (["--format", "json", "-q"], "is for the reports of"),
            (["--format", "json", "-c", "--summary"], "is for the reports of"),
            (["--format", "json", "-c", "--follow", "x"], "--follow has none"),
            (["--format", "xml", "-c"], "is none of text, json, github, sarif")):
        status, out, err = run(*options)
        check(f"{options}: {err}", (status, out, words in err), (2, b"", True))


run_tests(globals())
