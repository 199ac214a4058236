#!/usr/bin/env python3
"""utfcat_identify_test.py UTFCAT: --identify tells what a file is, a list of encodings limits the guess, and -i leaves alone
what would only be assumed. Python's codecs and iconv say what a text is in an encoding."""

import gzip
import json
import re
import subprocess

from utfcat_cases import check, content, folder, run, run_tests

# One line each, with its language and encodings. These are the encodings that people meet most.
LINES = [
    ("Zażółć gęślą jaźń, która mówiła do mnie.", "pl", ["cp1250", "iso8859-2"]),
    ("Všichni lidé rodí se svobodní a sobě rovní.", "cs", ["cp1250", "iso8859-2"]),
    ("Все люди рождаются свободными и равными.", "ru", ["cp1251", "koi8-r", "cp866", "iso8859-5"]),
    ("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι.", "el", ["cp1253", "iso8859-7"]),
    ("يولد جميع الناس أحرارا متساوين في الكرامة", "ar", ["cp1256", "iso8859-6"]),
    ("มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน", "th", ["cp874"]),
    ("すべての人間は、生れながらにして自由である。", "ja", ["cp932", "euc_jp"]),
    ("모든 인간은 태어날 때부터 자유로우며", "ko", ["cp949"]),
    ("人人生而自由,在尊严和权利上一律平等。", "zh", ["gb18030"]),
    ("Größere Füße gehören zu schönen Mädchen.", "de", ["cp1252", "cp850"]),
    ("Où êtes-vous allé, à la fenêtre du château?", "fr", ["cp1252", "cp850", "cp437"]),
    ("El niño pequeño comió la piña en España.", "es gl", ["cp1252", "cp850", "cp437"]),
]
KEYS = ["file", "encoding", "language", "confidence", "evidence", "declared", "line_ends", "bom", "errors"]


def identity(*arguments, text=b""):
    status, out, said = run("--identify", "--format", "json", *arguments, text=text)
    return status, json.loads(out) if status != 2 else None, said


def test_a_line_of_legacy_text_is_known():
    for line, language, encodings in LINES:
        for codec in encodings:
            data = (line + "\n").encode(codec)
            status, (found,), _ = identity(text=data)
            what = (line, codec, found)
            check(what, (status, list(found)), (0, KEYS))
            check((what, "text"), run("--from", found["encoding"], text=data)[1].decode(), line + "\n")
            check((what, "language"), found["language"] in language.split(), True)
            check((what, "sure"), found["confidence"] >= 0.7 and found["evidence"] == "statistics", True)
            check((what, "guess"), run("--from", "guess", text=data)[1].decode(), line + "\n")


def test_lines_and_marks():
    for end, name in (("\n", "LF"), ("\r\n", "CR LF"), ("\r", "CR"), ("", "none"), ("\na\r\n", "mixed")):
        for codec, encoding, bom in (("utf-8", "UTF-8", False), ("utf-8-sig", "UTF-8", True), ("utf-16", "UTF-16LE", True),
                                     ("utf-16-be", "UTF-16BE", False)):
            _, (found,), _ = identity(text=f"naïve{end}".encode(codec))
            check((end, codec), (found["encoding"], found["line_ends"], found["bom"], found["confidence"], found["errors"]),
                  (encoding, name, bom, 1, 0))


def test_the_line_for_people():
    text = "Zażółć gęślą jaźń, która mówiła do mnie.\r\n".encode("cp1250")
    with folder({"a": text, "b": "naïve\n".encode(), "c": b"\x89PNG\r\n\x1a\n\0\0\0", "d": b"\xa9\n"}) as here:
        status, out, said = run("--identify", "a", "b", "c", "d", where=here)
        check("exit", (status, said), (1, ""))
        lines = out.decode().splitlines()
        check("a", bool(re.fullmatch(r"a: windows-1250, language pl, confidence 0\.9\d, by statistics, line ends CR LF, no byte order mark", lines[0])), True)
        check("b", lines[1], "b: UTF-8, confidence 1.00, by its structure, line ends LF, no byte order mark")
        check("c", lines[2], "c: no text")
        check("d", bool(re.fullmatch(r"d: windows-1252, (language [a-z]+, )?confidence 0\.\d\d, assumed, line ends LF, no byte order mark", lines[3])), True)
        check("names", run("--identify", "--names", "a", "b", "c", where=here)[1], b"windows-1250\nUTF-8\nbinary\n")
        check("one that is sure", run("--identify", "a", "b", where=here)[0], 0)
        check("one that is assumed", run("--identify", "d", where=here)[0], 1)
        check("one that is missing", run("--identify", "a", "missing", where=here)[0], 2)
        check("side by side", run("--identify", "--jobs", "4", "a", "b", "c", "d", where=here)[1], out)


def test_a_charset_that_utfcat_cannot_read():
    korean = '<meta charset="johab">한국어\r\n'.encode("johab")
    status, (found,), said = identity(text=korean)
    check("Korean", (status, found["encoding"], found["language"], found["evidence"], found["line_ends"], said),
          (0, "JOHAB", None, "declaration", "CR LF", ""))
    check("Korean, read", run("--from", "guess", text=korean)[0], 2)
    status, (found,), said = identity(text="Қазақстан халқы\r\n".encode("ptcp154"))
    check("Kazakh", (status, found["encoding"], found["language"], found["evidence"], found["line_ends"], said),
          (0, "PTCP154", "kk", "statistics", "CR LF", ""))
    check("Kazakh, read", run("--from", "guess", text="Қазақстан халқы\n".encode("ptcp154"))[1], "Қазақстан халқы\n".encode())


def test_iconv_takes_the_names():
    for line, _, encodings in LINES:
        for codec in encodings:
            data = (line + "\n").encode(codec)
            name = run("--identify", "--names", text=data)[1].decode().strip()
            done = subprocess.run(["iconv", "-f", name, "-t", "UTF-8"], input=data, capture_output=True, check=False)
            check((line, codec, name), (done.returncode, done.stdout.decode()), (0, line + "\n"))
    data = "naïve\n".encode("utf-16")
    check("mark", run("--identify", "--names", text=data)[1], b"UTF-16\n")


def test_a_declaration_is_told():
    text = '<?xml version="1.0" encoding="{}"?><a>naïve</a>\n'
    _, (found,), _ = identity(text=text.format("iso-8859-1").encode("latin-1"))
    check("right", (found["encoding"], found["evidence"], found["declared"]), ("ISO-8859-1", "declaration", None))
    _, (found,), _ = identity(text=text.format("iso-8859-1").encode())
    check("wrong", (found["encoding"], found["evidence"], found["declared"]), ("UTF-8", "structure", "ISO-8859-1"))


def test_damage_and_packing():
    data = ("naïve\n" * 20).encode()
    _, (found,), _ = identity(text=data + b"\xff\n")
    check("errors", (found["encoding"], found["errors"]), ("UTF-8", 1))
    _, (found,), _ = identity("-d", text=gzip.compress(data))
    check("gzip", (found["encoding"], found["errors"]), ("UTF-8", 0))
    check("gzip, not decompressed", identity(text=gzip.compress(data))[1][0]["encoding"], None)


def test_a_list_of_encodings():
    russian = "Все люди рождаются свободными и равными.\n"
    for codec, name in (("cp1251", "windows-1251"), ("koi8-r", "KOI8-R"), ("utf-8", "UTF-8"), ("utf-16", "UTF-16LE")):
        data = russian.encode(codec)
        _, (found,), _ = identity("--from", "utf-8,windows-1251,koi8-r", text=data)
        check(codec, found["encoding"], name)
        check((codec, "text"), run("--from", "utf-8,windows-1251,koi8-r", text=data)[1].decode(), russian)
    # The whole file decides, and not its first bytes.
    late = b"ascii\n" * 20000 + "à la carte, déjà vu\n".encode("latin-1")
    check("late", run("-f", "utf-8,latin1", text=late)[1].decode(), late.decode("latin-1"))
    check("one fits", identity("-f", "utf-8,latin1", text=late)[1][0]["evidence"], "structure")
    check("another is not taken", run("-f", "utf-8,koi8-r", text="é".encode("latin-1"))[1].decode(), "И")
    for wrong, why in (("utf-8,guess", "a list has only encodings"), ("utf-8,", "there is no encoding"), ("latin1,ltin2", "the nearest name is latin2"),
                       ("utf-8,detect", "a list has only encodings")):
        status, _, said = run("-f", wrong, text=b"a")
        check(wrong, (status, why in said), (2, True))


def test_in_place_leaves_an_assumption_alone():
    with folder({"a": b"\xa9 2020\n", "b": "Zażółć gęślą jaźń, która mówiła.\n".encode("cp1250")}) as here:
        status, _, said = run("-i", "-f", "guess", "a", where=here)
        check("assumed", (status, "assumption" in said, content(here, "a")), (1, True, b"\xa9 2020\n"))
        check("named", run("-i", "-f", "guess", "--legacy", "latin1", "a", where=here)[0], 0)
        check("named, text", content(here, "a"), "© 2020\n".encode())
        check("decided", run("-i", "-f", "guess", "b", where=here)[0], 0)
        check("decided, text", content(here, "b").decode(), "Zażółć gęślą jaźń, która mówiła.\n")


def test_what_does_not_fit_together():
    for arguments in (["--names"], ["--identify", "--names", "--format", "json"], ["--identify", "--check"], ["--identify", "--format", "sarif"],
                      ["--identify", "--to", "utf-16"], ["--identify", "--follow", "x"], ["--identify", "--quiet"], ["--identify", "--filter", "lf"],
                      ["--identify", "--in-place", "x"], ["--identify", "--output", "x"], ["--identify", "--bom", "require"]):
        status, out, said = run(*arguments, text=b"a\n")
        check(arguments, (status, out, "--identify" in said or "--names" in said), (2, b"", True))
    check("uchardet", "uchardet is gone" in run("-f", "guess", "--legacy", "uchardet", text=b"a")[2], True)


run_tests(globals(), at_least=200)
