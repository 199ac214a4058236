"""utfcat --rejects and --line-fallback.

utfcat_lines_test.py UTFCAT UTFCAT_IN_PIECES: what must come out is computed here, on the whole text at once.
"""

import codecs
import csv
import gzip
import io
import json
import os
import random
import re
import resource
import signal
import subprocess

from utfcat_cases import OTHER as UTFCAT_IN_PIECES, UTFCAT, check, content, folder, run, run_tests


# ------------------------------------------------------------------------------------------------------- the reference


def decoded(data, encoding):
    """The text; None if it is ill-formed."""
    if encoding == "windows-1252":  # Python has no characters for five of the bytes, WHATWG has
        return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def lines_of(data, encoding):
    end = "\n".encode(encoding)
    begin = 0
    while begin < len(data):
        at = begin
        while at < len(data) and data[at:at + len(end)] != end:
            at += len(end)
        at = min(at + len(end), len(data))
        yield begin, at
        begin = at


def is_damaged_utf8(line):
    """Whether most characters beyond ASCII are well-formed: then it is no text of another encoding."""
    errors = []
    codecs.register_error("count", lambda error: (errors.append(error), ("", error.end))[1])
    beyond_ascii = sum(c > "\x7f" for c in line.decode("utf-8", "count"))
    return beyond_ascii >= 2 and beyond_ascii >= 2 * len(errors)


def sort(data, encoding, fallbacks, rejects):
    """What becomes of each line: (number, begin, end, text or None, encoding it was read in)."""
    for number, (begin, end) in enumerate(lines_of(data, encoding), 1):
        line = data[begin:end]
        is_damaged = encoding == "utf-8" and is_damaged_utf8(line)
        for read_as in (encoding, *(() if is_damaged else fallbacks)):
            text = decoded(line, read_as)
            if text is not None:
                yield number, begin, end, text, read_as
                break
        else:
            text = None if rejects else line.decode(encoding, "replace")
            yield number, begin, end, text, encoding


def expected(data, encoding, fallbacks, rejects):
    """The output, the bytes put aside, and the counts of the lines that passed, were put aside and fell back."""
    rows = list(sort(data, encoding, fallbacks, rejects))
    text = "".join(row[3] for row in rows if row[3] is not None)
    aside = b"".join(data[row[1]:row[2]] for row in rows if row[3] is None)
    return (text.encode(), aside, sum(row[3] is not None for row in rows), sum(row[3] is None for row in rows),
            sum(row[4] != encoding for row in rows))


def dirt(some, encoding):
    good = ["a", "é", "€", "😀", "word ", "\r", "\t", "a longer piece of text ", "\0"]
    bad = {"utf-8": [b"\xff", b"\xe9", b"\xe2\x82", b"\x80", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf0\x9f\x98"],
           "utf-16-le": [b"\x00\xd8", b"\x00\xdc", b"\x3d\xd8"]}[encoding]
    data = b""
    for _ in range(some.randrange(1, 40)):
        parts = [part.encode(encoding) for part in good] + (bad if some.random() < 0.3 else [])
        data += b"".join(some.choice(parts) for _ in range(some.randrange(0, 12))) + "\n".encode(encoding)
    return data[:len(data) - some.choice([0, 0, 1, 2, 5])]


def counts_in(stats):
    """(passed, put aside, bytes put aside, fallen back) as the line of --stats says; zeros if nothing special became of any."""
    aside = re.search(r", (\d+) of (\d+) lines? put aside \((\d+) bytes?\)", stats)
    fallen = re.search(r", (\d+)( of (\d+) lines?)? read by a fallback", stats)
    total = int(aside.group(2) if aside else fallen.group(3) if fallen else 0)
    put_aside = int(aside.group(1)) if aside else 0
    return total - put_aside, put_aside, int(aside.group(3)) if aside else 0, int(fallen.group(1)) if fallen else 0


# ----------------------------------------------------------------------------------------------------------- the tests


RULES = [([], True), (["windows-1252"], False), (["ascii", "windows-1252"], True), (["ascii"], True), (["ascii"], False)]


def test_every_line_is_in_the_text_or_aside():
    some = random.Random(1)
    for n in range(120):
        encoding = some.choice(["utf-8", "utf-8", "utf-16-le"])
        fallbacks, rejects = some.choice(RULES)
        if encoding != "utf-8":
            fallbacks, rejects = [], True
        data = dirt(some, encoding)
        text, aside, passed, put_aside, fallen = expected(data, encoding, fallbacks, rejects)
        with folder({"in": data, "in.gz": gzip.compress(data)}) as where:
            options = ["-e", "replace", "-s", "-f", encoding.replace("16-", "16")]
            if fallbacks:
                options += ["--line-fallback", ",".join(name.replace("ascii", "us-ascii") for name in fallbacks)]
            if rejects:
                options += ["--rejects", "bad"]
            for more, program, piece in ((["in"], UTFCAT, "0"), (["-d", "in.gz"], UTFCAT, "0"), (["-"], UTFCAT, "0"),
                                         (["--jobs", "3", "in"], UTFCAT_IN_PIECES, str(some.choice([7, 64, 300])))):
                status, out, err = run(*options, *more, where=where, text=data, program=program,
                                       environment={"UTFCAT_PIECE": piece})
                what = f"{n} {options} {more} {data!r}"
                check(what, (status, out), (0, text))
                if rejects:
                    check(what + " aside", content(where, "bad"), aside)
                if put_aside + fallen:
                    check(what + " counts", counts_in(err), (passed, put_aside, len(aside), fallen))
                else:
                    check(what + " counts", counts_in(err), (0, 0, 0, 0))


def test_ranges_put_together_are_the_whole():
    some = random.Random(2)
    for n in range(40):
        data = dirt(some, "utf-8")
        text, aside, *_ = expected(data, "utf-8", ["ascii"], True)
        with folder({"in": data}) as where:
            cuts = [0, *sorted(some.randrange(len(data) + 1) for _ in range(3)), ""]
            out, bad, records = b"", b"", []
            for begin, end in zip(cuts, cuts[1:]):
                options = ("--line-fallback", "us-ascii", "--range", f"{begin}-{end}", "in")
                out += run("--rejects", "bad", *options, where=where)[1]
                bad += content(where, "bad")
                run("--rejects", "bad", "--rejects-format", "jsonl", *options, where=where)
                records += [json.loads(line) for line in content(where, "bad").splitlines()]
            check(f"{n} {cuts} {data!r}", (out, bad), (text, aside))
            check(f"{n} offsets", b"".join(data[one["begin"]:one["end"]] for one in records), aside)


def records_of(data, name):
    for number, begin, end, text, _ in sort(data, "utf-8", [], True):
        if text is None:
            try:
                data[begin:end].decode()
            except UnicodeDecodeError as error:
                yield {"file": name, "line": number, "column": len(data[begin:begin + error.start].decode()) + 1,
                       "begin": begin, "end": end, "bytes": data[begin + error.start:begin + error.end].hex().upper()}


def test_records_say_where_each_line_is():
    some = random.Random(3)
    for n in range(40):
        name = some.choice(["in.csv", 'with "quotes", and\nlines', "ü.txt"])
        data = dirt(some, "utf-8")
        wanted = list(records_of(data, name))
        with folder({name: data}) as where:
            run("--rejects", "bad", "--rejects-format", "jsonl", name, where=where)
            got = [json.loads(line) for line in content(where, "bad").splitlines()]
            assert all(one.pop("error") for one in got)
            check(f"{n} jsonl {data!r}", got, wanted)
            run("--rejects", "bad", "--rejects-format", "csv", name, where=where)
            rows = list(csv.DictReader(io.StringIO(content(where, "bad").decode(), newline="")))
            assert all(one.pop("error") for one in rows)
            check(f"{n} csv {data!r}", rows, [{key: str(value) for key, value in one.items()} for one in wanted])


def test_places_of_characters_that_the_output_lacks():
    """They are in the file, also after lines that are put aside or read in an encoding of other sizes."""
    some = random.Random(4)
    for n in range(90):
        fallbacks, rejects = some.choice(RULES)
        data = dirt(some, "utf-8")
        stays = any(decoded(data[begin:end], "utf-8") is None and is_damaged_utf8(data[begin:end]) for begin, end in lines_of(data, "utf-8"))
        if not rejects and (stays or "windows-1252" not in fallbacks):
            continue  # errors that stay are reported, too; another test has them
        wanted = []
        for number, begin, _, text, read_as in sort(data, "utf-8", fallbacks, rejects):
            size = (lambda c: len(c.encode())) if read_as == "utf-8" else lambda c: 1
            offset = begin
            for column, c in enumerate(text or "", 1):
                if ord(c) > 0xFF:
                    wanted.append(f"in:{number}:{column}: byte {offset}")
                offset += size(c)
        with folder({"in": data}) as where:
            options = ["-t", "iso-8859-1", "in"]
            if fallbacks:
                options = ["--line-fallback", ",".join(name.replace("ascii", "us-ascii") for name in fallbacks), *options]
            if rejects:
                status, _, err = run("--rejects", "bad", *options, where=where)
                places = re.findall(r"^utfcat: (in:\d+:\d+: byte \d+)", err, re.M)
                wanted = wanted[:1]  # the text ends there
            else:
                status, out, _ = run("-c", *options, where=where)
                places = re.findall(r"^(in:\d+:\d+: byte \d+)", out.decode(), re.M)
            check(f"{n} {options} {data!r}", (status, places), (1 if wanted else 0, wanted))


def test_errors_that_stay():
    """A line that fits no fallback has the errors that it has without one."""
    data = "é\n".encode() + b"ab\xe9\xe9\n" + "€".encode() + b"\xff\n\xe9\n" + "é€".encode() + b"\xff"
    with folder({"in": data}) as where:
        plain = run("-c", "in", where=where)[1].splitlines()
        check("no fallback fits", run("-c", "--line-fallback", "us-ascii", "in", where=where)[1].splitlines(), plain)
        text = "é\nab" + b"\xe9\xe9".decode("shift_jis") + "\n€"
        check("one line fits Shift_JIS", run("-e", "strict", "--line-fallback", "shift_jis", "in", where=where)[:2], (1, text.encode()))
        check("in place", run("-i", "--line-fallback", "shift_jis", "in", where=where)[0], 1)
        check("it stays", content(where, "in"), data)
        text = "é\nab" + b"\xe9\xe9".decode("shift_jis") + "\n€\ufffd\n\ufffd\né€\ufffd"
        status, out, errors = run("--line-fallback", "shift_jis", "in", where=where)
        check("the text goes on", (status, out.decode()), (1, text))
        check("each error is told", re.findall(r"^utfcat: in:(\d+:\d+)", errors, re.M), ["3:2", "4:1", "5:3"])


def test_auto():
    """Each line is read in the encoding in which it is likeliest to be text."""
    lines = [("naïve", "utf-8"), ("Příliš žluťoučký kůň", "iso-8859-2"), ("Καλημέρα κόσμε", "cp1253"), ("Привет, мир", "koi8-r"),
             ("今日は良い天気です", "shift_jis"), ("Schöne Grüße", "cp850"), ("ok", "ascii")]
    data = b"".join(text.encode(name) + b"\n" for text, name in lines)
    text = "".join(text + "\n" for text, _ in lines)
    for options in ([], ["-i"], ["--jobs", "3"], ["--rejects", "bad"], ["--range", f"0-{len(data)}"]):
        with folder({"in": data}) as where:
            status, out, err = run("--line-fallback", "auto", *options, "in", where=where)
            check(f"auto {options}", (status, content(where, "in").decode() if options == ["-i"] else out.decode()), (0, text))
            check(f"auto {options}, nothing is aside", content(where, "bad") if "--rejects" in options else b"", b"")
    check("a symbol", run("--line-fallback", "auto", "-e", "strict", text=b"\xa9 2020\n")[0], 1)
    check("a symbol of one encoding", run("--line-fallback", "auto,latin1", text=b"\xa9 2020\n")[:2], (0, "© 2020\n".encode()))
    check("of two", run("--line-fallback", "auto,koi8-r,cp1251", text="Привет, мир\n".encode("cp1251"))[1].decode(), "Привет, мир\n")


def test_places_after_an_error_that_is_left_out():
    """The line after that of the fallback begins with an error of which no text is left."""
    data = b"\xe1\n\xff\xc3\xa9\n"
    _, _, err = run("--summary", "-e", "skip", "-f", "utf-8", "-t", "us-ascii", "--line-fallback", "iso-8859-7", text=data)
    places = re.findall(r"^ +(\d+:\d+)  (\S+ \S+)", err, re.M)
    check(err, places, [("1:1", "the target"), ("2:1", "byte that"), ("2:2", "the target")])


def test_several_files_and_in_place():
    files = {"a": b"1\n\xff2\n3", "b": "é\n".encode(), "c": b"\xff\n"}
    with folder(files) as where:
        status, out, err = run("--rejects", "bad", "a", "b", "c", where=where)
        check("one text", (status, out, content(where, "bad")), (0, b"1\n3" + "é\n".encode(), b"\xff2\n\xff\n"))
        check("told", err, "utfcat: a: 1 of 3 lines put aside (3 bytes)\nutfcat: c: 1 of 1 line put aside (2 bytes)\n")
        check("quiet stays quiet", run("-e", "skip", "--rejects", "bad", "b", where=where), (0, "é\n".encode(), ""))
        check("dry run", run("-i", "--dry-run", "--rejects", "bad2", "a", "b", "c", where=where)[:2], (1, b"a\nc\n"))
        check("which writes nothing", (os.path.exists(os.path.join(where, "bad2")), content(where, "a")), (False, files["a"]))
        check("in place", run("-i", "--rejects", "bad", "a", "b", "c", where=where)[:2], (0, b""))
        check("all is somewhere", [content(where, name) for name in ("a", "b", "c", "bad")],
              [b"1\n3", "é\n".encode(), b"", b"\xff2\n\xff\n"])
        status, out, err = run("--summary", "--rejects", "bad2", "a", "bad", where=where)
        check("summary", err, "a: UTF-8, no byte order mark, 1 line, well-formed\nbad: UTF-8, no byte order mark, 2 lines, "
              "2 of 2 lines put aside (5 bytes)\ntotal: 2 files, 3 lines, 2 lines put aside, well-formed\n")


def test_the_rejects_file_is_no_input():
    """It may be found in a directory, or be standard input. utfcat would read what it writes, without an end."""
    with folder({"a": b"1\n\xff2\n", "z": b"old\n"}) as where:
        check("in a directory", run("-r", "--rejects", "z", ".", where=where),
              (2, b"", "utfcat: --rejects: ./z is an input file as well\n"))
        done = subprocess.run([UTFCAT, "--rejects", "z", "a", "-"], capture_output=True, check=False, cwd=where,
                              stdin=os.open(os.path.join(where, "z"), os.O_RDONLY), timeout=60)
        check("standard input", (done.returncode, done.stdout), (2, b""))
        check("it stays", content(where, "z"), b"old\n")


def test_a_long_line_is_put_aside_in_parts():
    limit = 1 << 20
    data = b"a\n" + b"x" * (2 * limit + 5) + b"\nb\n"
    with folder({"in": data}) as where:
        check("parts", run("--rejects", "bad", "in", where=where)[:2], (0, b"a\nb\n"))
        check("its bytes", content(where, "bad"), data[2:-2])
        run("--rejects", "bad", "--rejects-format", "jsonl", "in", where=where)
        records = [json.loads(line) for line in content(where, "bad").splitlines()]
        check("records", [(one["line"], one["begin"], one["end"], one["error"], one["part"]) for one in records],
              [(2, 2, 2 + limit, "line too long", 1), (2, 2 + limit, 2 + 2 * limit, "line too long", 2),
               (2, 2 + 2 * limit, len(data) - 2, "line too long", 3)])
        check("without --rejects it passes", run("--line-fallback", "us-ascii", "in", where=where)[:2], (0, data))


def test_a_rejects_file_that_cannot_be_written():
    """Then the command ends before the line is lost: no text after it is written."""
    data = b"1\n\xff2\n3\n\xff4\n5\n\xff6\n7\n"
    with folder({"in": data}) as where:
        if os.path.exists("/dev/full"):
            check("full at once", run("--rejects", "/dev/full", "in", where=where),
                  (2, b"1\n", "utfcat: /dev/full: No space left on device\n"))
        for name, why in (("no/such", "No such file or directory"), (".", "Is a directory")):
            check(name, run("--rejects", name, "in", where=where), (2, b"", f"utfcat: {name}: {why}\n"))
        for room in range(10):

            def limit(room=room):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

            status, out, err = run("--rejects", "bad", "in", where=where, before=limit)
            whole = room // 3
            check(f"room {room}", (status, out), (2, b"1\n3\n5\n"[:2 + 2 * whole]) if whole < 3 else (0, b"1\n3\n5\n7\n"))
            if whole < 3:
                check(f"room {room} told", err, "utfcat: bad: File too large\n")
            check(f"room {room} aside", content(where, "bad")[:3 * whole], b"\xff2\n\xff4\n\xff6\n"[:3 * whole])
        out = run("--rejects", "bad", "-o", "out", "in", where=where,
                  before=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                  resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))))
        check("no half output", (out[0], os.path.exists(os.path.join(where, "out"))), (2, False))


def test_what_makes_no_sense():
    with folder({"in": b"\xff\n", "link": b""}) as where:
        os.remove(os.path.join(where, "link"))
        os.symlink("in", os.path.join(where, "link"))
        for options, words in (
                (["--rejects", "in", "in"], "in is an input file as well"),
                (["--rejects", "link", "in"], "in is an input file as well"),
                (["--rejects", "x", "-o", "x", "in"], "x is the output as well"),
                (["--rejects", "-", "in"], "needs the name of a file"),
                (["--rejects", "x", "-c", "in"], "has no lines to put aside"),
                (["--rejects", "x", "-q", "in"], "has no lines to put aside"),
                (["--rejects", "x", "--names-only", "in"], "has no lines to put aside"),
                (["--rejects", "x", "--follow", "in"], "which --follow does not wait for"),
                (["--line-fallback", "latin1", "--follow", "in"], "which --follow does not wait for"),
                (["--rejects-format", "csv", "in"], "is for --rejects"),
                (["--rejects", "x", "--rejects-format", "xml", "in"], "is none of text, jsonl, csv"),
                (["--rejects", "x", "--rejects-format", "csv", "-i", "in"], "would be lost"),
                (["--rejects", "x", "--rejects-format", "jsonl", "-o", "in", "in"], "would be lost"),
                (["--line-fallback", "utf-16", "in"], "cannot be utf-16"),
                (["--records", "csv", "in"], "--records is for --rejects and --line-fallback"),
                (["--rejects", "x", "--records", "tsv", "in"], "is none of lines, indented, csv"),
                (["--rejects", "x", "--records", "csv:", "in"], "is not csv:DELIM"),
                (["--rejects", "x", "--records", "csv:;'x", "in"], "is not csv:DELIM"),
                (["--rejects", "x", "--records", "csv:;;", "in"], "two different characters"),
                (["--rejects", "x", "--records", "csv:é", "in"], "two different characters"),
                (["--rejects", "x", "--records", "csv", "--range", "0-2", "in"], "may be the middle of a record"),
                (["--rejects", "x", "--filter", "mojibake,reject-controls", "in"], "pipe its text to another one"),
                (["--rejects", "x", "--filter", "skip-hole,reject-controls", "in"], "pipe its text to another one"),
                (["--line-fallback", "guess", "in"], "cannot be guess"),
                (["--line-fallback", "latin1,", "in"], "there is no encoding ''"),
                (["-f", "utf-8", "--line-fallback", "utf-32le", "in"], "whose code units have another size"),
                (["-f", "utf-16le", "--line-fallback", "auto", "in"], "a line of UTF-16LE cannot be auto, whose code units have another size"),
                (["-f", "utf-16le", "--line-fallback", "latin1", "in"], "whose code units have another size")):
            status, out, err = run(*options, where=where)
            check(f"{options}: {err}", (status, out, words in err), (2, b"", True))
            check(f"{options} changes nothing", (content(where, "in"), os.path.exists(os.path.join(where, "x"))),
                  (b"\xff\n", False))
        # Then the text is not that of the fallback, so the line stays.
        check("a mark shows other code units",
              run("--rejects", "x", "--line-fallback", "latin1", text=b"\xff\xfe\x00\xdc\n\x00a\x00\n\x00", where=where)[:2],
              (0, b"a\n"))
        check("and puts its line aside", content(where, "x"), b"\x00\xdc\n\x00")


# ------------------------------------------------------------------------------------------------------------- records


def grouped(text, kind, delimiter=",", quote='"'):
    """The records of a text, which is str or is read as Latin-1, by Python's own reader of CSV."""
    lines = re.findall("[^\n]*\n|[^\n]+$", text)
    if kind == "lines":
        return lines
    if kind == "indented":
        starts = [n for n, line in enumerate(lines) if n == 0 or line[0] not in " \t"]
    else:
        reader = csv.reader(iter(lines), delimiter=delimiter, quotechar=quote)
        starts = [0] + [reader.line_num for _ in reader]
    return ["".join(lines[begin:end]) for begin, end in zip(starts, [*starts[1:], len(lines)]) if begin != end]


def records_dirt(some, more, bad):
    """Some lines; most of their pieces are such as records have."""
    good = ["a", "word", "é", "€uro", "\n", "\n", "\r\n", " ", "\n ", "\n\t", *more]
    parts = [part.encode() for part in good] + (bad if some.random() < 0.7 else [])
    return b"".join(some.choice(parts) for _ in range(some.randrange(1, 60)))


RECORDS = [("lines", ",", '"'), ("csv", ",", '"'), ("csv:;", ";", '"'), ("csv:\\t", "\t", '"'), ("csv:|'", "|", "'"),
           ("indented", ",", '"')]


def test_records_pass_or_are_put_aside_whole():
    some = random.Random(5)
    for n in range(80):
        option, delimiter, quote = some.choice(RECORDS)
        finds = some.random() < 0.5
        data = records_dirt(some, [delimiter, delimiter, quote, quote * 2, delimiter + quote, quote + delimiter],
                            [b"\xff", b"\xe2\x82", b"\x01"])
        records = [one.encode("latin-1") for one in grouped(data.decode("latin-1"), option[:3] if option[0] == "c" else option,
                                                          delimiter, quote)]
        check("the oracle keeps all", b"".join(records), data)
        is_bad = [decoded(one, "utf-8") is None or (finds and b"\x01" in one) for one in records]
        text = b"".join(one for one, bad in zip(records, is_bad) if not bad)
        aside = [one for one, bad in zip(records, is_bad) if bad]
        lines = sum(len(grouped(one.decode("latin-1"), "lines")) for one in aside)
        told = ""
        if aside:
            what = "line" if option == "lines" else "record"
            told = (f"utfcat: in: {len(aside)} of {len(records)} {what}{'' if len(records) == 1 else 's'} put aside (" +
                    ("" if option == "lines" else f"{lines} line{'' if lines == 1 else 's'}, ") +
                    f"{len(b''.join(aside))} byte{'' if len(b''.join(aside)) == 1 else 's'})\n")
        with folder({"in": data}) as where:
            for program, piece in ((UTFCAT, "0"), (UTFCAT_IN_PIECES, str(some.choice([1, 7, 64])))):
                got = run("--rejects", "bad", "--records", option, *(["--filter", "reject-controls"] if finds else []), "in",
                          where=where, program=program, environment={"UTFCAT_PIECE": piece})
                check(f"{n} {option} {finds} {data!r}", (*got, content(where, "bad")), (0, text, told, b"".join(aside)))


def test_marks_of_csv_are_characters():
    """In these encodings the byte of a delimiter or a quote may be a part of another character."""
    some = random.Random(6)
    letters = {"shift_jis": "ソ表能ミ予十", "big5": "許功蓋餐", "gbk": "丄倈匼恀", "gb18030": "丄𠀀倈Ā", "iso-2022-jp": "あ、漢字「ア」",
               "euc-jp": "あ漢字", "utf-16le": "∢ⰀⰬ≼", "utf-16be": "∢ⰀⰬ≼", "utf-32le": "a漢"}
    for n in range(80):
        encoding = some.choice(sorted(letters))
        option, delimiter, quote = some.choice([row for row in RECORDS if row[0].startswith("csv")])
        parts = [delimiter, quote, quote * 2, delimiter + quote, "\n", "\n", "x", "\x01", *letters[encoding]]
        text = "".join(some.choice(parts) for _ in range(some.randrange(1, 60)))
        records = grouped(text, "csv", delimiter, quote)
        with folder({"in": text.encode(encoding.replace("utf-16", "utf-16-").replace("utf-32", "utf-32-"))}) as where:
            for program, piece in ((UTFCAT, "0"), (UTFCAT_IN_PIECES, str(some.choice([1, 3, 64])))):
                status, out, err = run("--rejects", "bad", "--records", option, "--filter", "reject-controls", "-f", encoding,
                                       "in", where=where, program=program, environment={"UTFCAT_PIECE": piece})
                check(f"{n} {encoding} {option} {text!r} {err}", (status, out.decode()),
                      (0, "".join(one for one in records if "\x01" not in one)))


def test_output_and_rejects_give_the_input_back():
    """Byte by byte, by the places in the records: nothing is lost, and nothing is twice."""
    some = random.Random(7)
    for n in range(100):
        wide = some.random() < 0.3
        data = records_dirt(some, [",", '"', '""', "\x01"], [] if wide else [b"\xff", b"\xc3", b"\xf0\x9f"])
        mark = some.choice([b"", b"\xef\xbb\xbf"])
        if wide:
            units = (mark + data).decode().encode("utf-16-le")
            at = some.randrange(len(units) // 2 + 1) * 2
            mark, data = b"", units[:at] + some.choice([b"", b"\x00\xdc", b"\x3d\xd8"]) + units[at:]
        options = ["-f", "utf-16le" if wide else some.choice(["utf-8", "detect", "guess"]), "-t", "same"]
        options += ["--records", some.choice(RECORDS)[0]]
        options += some.choice([[], ["--filter", "reject-controls"]])
        options += some.choice([[], ["-s"], ["--jobs", "2"], ["-e", "skip"], ["-e", "replace"]])
        data = mark + data
        with folder({"in": data, "in.gz": gzip.compress(data)}) as where:
            way = some.choice(["out", "-o", "-i", "gz", "stdin"])
            args = {"out": ["in"], "-o": ["-o", "to", "in"], "-i": ["-i", "in"], "gz": ["-d", "in.gz"], "stdin": ["-"]}[way]
            status, _, err = run("--rejects", "places", "--rejects-format", "jsonl", *options,
                                 *(["in"] if way == "-i" else args), where=where, text=data)
            what = f"{n} {way} {options} {data!r} {err}"
            if "guess" in options and status != 0:
                continue  # the dirt looks like no text
            check(what, status, 0)
            aside = [(one["begin"], one["end"]) for one in map(json.loads, content(where, "places").splitlines())]
            if way == "-o":
                os.remove(os.path.join(where, "to"))
            status, out, why = run("--rejects", "bad", *options, *args, where=where, text=data)
            if status == 1 and way in ("-o", "-i") and ("is no text" in why or "which is an assumption" in why):
                check(what + " left alone", content(where, "in"), data)
                continue
            check(what + why, status, 0)
            out = out if way in ("out", "gz", "stdin") else content(where, "to" if way == "-o" else "in")
            check(what + " aside", content(where, "bad"), b"".join(data[begin:end] for begin, end in aside))
            back, at = b"", 0
            for begin, end in [*aside, (len(data), len(data))]:
                size = begin - len(back)
                back += out[at:at + size] + data[begin:end]
                at += size
            check(what + " back", (back, at), (data, len(out)))
            counts = re.search(r"(\d+) of (\d+) (line|record)s? put aside \((?:(\d+) lines?, )?(\d+) bytes?\)", err)
            check(what + " counts", int(counts.group(5)) if counts else 0, sum(end - begin for begin, end in aside))


def test_a_record_longer_than_the_limit_is_put_aside_in_parts():
    limit = 1 << 20
    open_quote = b'a,b\n"' + b"x" * 98 + b"\n" + (b"y" * 99 + b"\n") * 30000
    with folder({"in": open_quote}) as where:
        status, out, err = run("--rejects", "bad", "--records", "csv", "in", where=where)
        check("an open quote", (status, out, content(where, "bad")), (0, b"a,b\n", open_quote[4:]))
        check("is told with its lines", err, "utfcat: in: 1 of 2 records put aside (30001 lines, 3000100 bytes)\n")
        run("--rejects", "bad", "--records", "csv", "--rejects-format", "jsonl", "in", where=where)
        got = [json.loads(line) for line in content(where, "bad").splitlines()]
        check("its parts", [(one["begin"], one["end"], one["part"]) for one in got],
              [(4, 4 + limit, 1), (4 + limit, 4 + 2 * limit, 2), (4 + 2 * limit, len(open_quote), 3)])


def test_what_a_filter_finds_after_lines_of_another_encoding():
    """A control character is no sign of another encoding: such a line is put aside, in whatever encoding it is."""
    data = "é\x85\n".encode() + b"\xe9\n\xe9\x01\nok\n" + "ÿ\x01\n".encode()
    with folder({"in": data}) as where:
        got = run("--rejects", "bad", "--line-fallback", "windows-1252", "--filter", "reject-controls", "in", where=where)
        check("put aside", (*got[:2], content(where, "bad")),
              (0, "é\nok\n".encode(), "é\x85\n".encode() + b"\xe9\x01\n" + "ÿ\x01\n".encode()))
        run("--rejects", "bad", "--rejects-format", "jsonl", "--line-fallback", "windows-1252", "--filter", "reject-controls",
            "in", where=where)
        got = [json.loads(line) for line in content(where, "bad").splitlines()]
        check("why", [(one["line"], one["column"], one["error"], one["bytes"]) for one in got],
              [(1, 2, "forbidden character", "C285"), (3, 1, "truncated sequence", "E9"),
               (5, 2, "forbidden character", "01")])


run_tests(globals())
