#!/usr/bin/env python3
"""utfcat_careful_test.py UTFCAT: what replaces files makes none of them worse: -i, and -o over a file that is there.

Python's codecs say what a text is in an encoding, and what it becomes.
"""

import gzip
import os
import shutil
import subprocess
import tempfile

from utfcat_cases import UTFCAT, check, content, folder, run, run_tests, write

TEXTS = {
    "cp1252": "café, naïve – voilà «là»\n", "latin-1": "déjà vu\nÆØÅ\n", "iso8859-2": "zażółć gęślą jaźń\n", "cp1250": "Příliš žluťoučký\n",
    "cp1251": "Съешь же ещё этих мягких\n", "koi8-r": "чаю, да выпей\n", "iso8859-7": "Άνοιξη\n", "cp1253": "ξεσκεπάζω\n",
    "cp1254": "pijamalı hasta\n", "cp1255": "דג סקרן\n", "cp1256": "نص حكيم\n", "tis-620": "เป็นมนุษย์\n", "mac-roman": "Übergröße\n",
    "gbk": "你好，世界\n", "gb18030": "汉字😀\n", "big5": "漢字測試\n", "shift_jis": "日本語のテスト\n", "euc_jp": "漢字かな\n", "euc_kr": "한국어\n",
}
NAMES = {"tis-620": "windows-874", "mac-roman": "macintosh", "cp1252": "windows-1252", "latin-1": "iso-8859-1"}
# Python's name of the encoding that utfcat means by a name.
READ_BY = {"gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs", "tis-620": "cp874"}

DATA = {
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\n", "gif": b"GIF89a\1\2!", "jpeg": b"\xff\xd8\xff\xe0abc", "pdf": b"%PDF-1.4\n%\xe2\xe3\n",
    "ps": b"%!PS-Adobe-3.0\n", "zip": b"PK\3\4abc", "gzip": gzip.compress(b"caf\xe9\n"), "elf": b"\x7fELF\2\1\1", "mp3": b"ID3\3abc\n",
    "mpeg": b"\0\0\1\xba\x44\0\4\xe9\n", "wav": b"RIFF\1\1\1\1WAVEfmt ", "ttf": b"\0\1\0\0\0abc", "class": b"\xca\xfe\xba\xbeabc",
    "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "nul": b"one two\0three caf\xe9\n", "data": bytes(range(256)) * 9,
}


def in_place(*options, files):
    """Runs utfcat -i over the files. Returns status, what they are then, and what it said."""
    with folder(files) as path:
        status, out, errors = run("-i", *options, *files, where=path)
        return status, [content(path, name) for name in files], out, errors


def over_a_file(*options, data):
    with folder({"in": data, "out": b"old\n"}) as path:
        status, _, errors = run(*options, "-o", "out", "in", where=path)
        return status, content(path, "out"), errors


def test_data_that_is_no_text_is_left_alone():
    good = {"good": b"caf\xe9\n"}
    for name, data in DATA.items():
        for reading in ([], ["-f", "windows-1252"], ["-f", "guess", "--legacy", "windows-1252"], ["-e", "replace"], ["-t", "utf-16le"]):
            status, after, _, errors = in_place("-e", "windows-1252", *reading, files={name: data, **good}) \
                if reading[:1] != ["-e"] else in_place(*reading, files={name: data, **good})
            check((name, reading, "kept"), after[0], data)
            check((name, reading, "the others go on"), after[1] != good["good"], True)
            check((name, reading, "status"), status, 1)
            check((name, reading, "message"), f"{name}: is " in errors and "no text" in errors and "--force" in errors, True)
        status, after, errors = over_a_file("-f", "windows-1252", data=data)
        check((name, "-o"), (status, after, "no text" in errors), (1, b"old\n", True))
        status, after, _, errors = in_place("-f", "iso-8859-1", "--force", files={name: data})
        check((name, "--force"), (status, after[0], errors), (0, data.decode("latin-1").encode(), ""))
        status, after, _, errors = in_place("-f", "windows-1252", "-r", files={name: data})
        check((name, "-r"), (status, after[0], "1 binary file skipped" in errors), (0, data, True))


def test_the_same_command_twice_changes_nothing():
    for codec, text in TEXTS.items():
        name, data = NAMES.get(codec, codec), text.encode(codec)
        for options in ([], ["--filter", "lf"], ["-t", "utf-16"], ["-e", "replace"], ["--jobs", "2"], ["-t", "same"], ["--keep-times"]):
            said = (codec, options)
            utf8 = text.encode()
            status, after, _, errors = in_place("-f", name, *options, files={"f": utf8, "g": data})
            check((*said, "kept"), after[0], utf8)
            check((*said, "said"), (status, "f: is UTF-8 already" in errors, "left alone" in errors or "f: not written" in errors), (1, True, True))
            wanted = data if "same" in options else text.encode("utf-16-be" if "utf-16" in options else "utf-8")
            check((*said, "the other one"), after[1].removeprefix(b"\xfe\xff"), wanted)
        status, after, errors = over_a_file("-f", name, data=utf8)
        check((codec, "-o"), (status, after, "is UTF-8 already" in errors), (1, b"old\n", True))
        twice = utf8.decode(READ_BY.get(codec, codec), "replace").encode()
        status, after, _, errors = in_place("-f", name, "-e", "replace", "--force", files={"f": utf8})
        if codec in ("latin-1", "koi8-r", "gb18030", "mac-roman"):  # Python reads these bytes as utfcat does
            check((codec, "--force"), after[0], twice)
        check((codec, "--force, status"), status, 0)


def test_standard_output_and_new_files_get_a_warning():
    utf8 = "déjà vu\n".encode()
    twice = utf8.decode("latin-1").encode()
    with folder({"f": utf8, "f.gz": gzip.compress(utf8), "big": utf8 * 100_000}) as path:
        for options in (["f"], ["-d", "f.gz"], ["-d", "f"], ["--jobs", "2", "f"], ["-"], ["--range", "0-100", "f"]):
            status, out, errors = run("-f", "latin-1", *options, where=path, text=utf8)
            check((options, "text"), (status, out), (0, twice))
            check((options, "warning"), "is UTF-8 already" in errors and "--from utf-8" in errors, True)
        for jobs in ("1", "3"):
            status, out, errors = run("-f", "latin-1", "--jobs", jobs, "big", where=path)
            check((jobs, "big"), (status, out == twice * 100_000, errors.count("is UTF-8 already")), (0, True, 1))
        status, out, errors = run("-f", "latin-1", "-o", "new", "f", where=path)
        check("a new file", (status, content(path, "new"), "is UTF-8 already" in errors), (0, twice, True))
        check("a check", "is UTF-8 already" in run("-c", "-f", "latin-1", "f", where=path)[2], True)
        check("under -q", run("-q", "-f", "latin-1", "f", where=path)[2], "")
        check("in one that has a mark", run("-f", "detect", "--fallback", "latin-1", "-", text=b"\xef\xbb\xbf" + utf8)[2], "")
    for legacy in (b"caf\xc3\xa9\n", b"d\xe9j\xe0 vu\n", b"plain\n", b"", b"\xc3\xa9\xe9\n", b"\xc3\xa9\xc3"):
        check((legacy, "no warning"), run("-f", "latin-1", "-", text=legacy), (0, legacy.decode("latin-1").encode(), ""))


def test_one_accent_is_not_doubled_either():
    once = "café\n".encode()
    status, after, _, errors = in_place("-f", "windows-1252", files={"f": once})
    check("-i", (status, after[0], "is UTF-8 already" in errors), (1, once, True))
    check("-o", over_a_file("-f", "windows-1252", data=once)[:2], (1, b"old\n"))


def test_standard_input_may_have_nul():
    with folder({"out": b"old\n"}) as path:
        check("-o", run("-o", "out", where=path, text=b"one two\0three\n"), (0, b"", ""))
        check("out", content(path, "out"), b"one two\0three\n")


def test_code_units_of_another_size_are_left_alone():
    text = "One line of text\r\nand another one\n" * 5
    wide = {"utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE", "utf-32-le": "UTF-32LE", "utf-32-be": "UTF-32BE"}
    for codec, name in wide.items():
        data = text.encode(codec)
        for options in ([], ["-t", "same", "--filter", "lf"], ["-f", "windows-1252"], ["-e", "replace"], ["-f", "utf-8", "-e", "skip"]):
            status, after, _, errors = in_place(*options, files={"f": data, "g": b"a\r\n"})
            check((codec, options), (status, after[0] == data), (1, True))
            check((codec, options, "said"), name in errors or "is no text" in errors, True)
        status, after, _, errors = in_place("-f", name, files={"f": data})
        check((codec, "named"), (status, after[0], errors), (0, text.encode(), ""))
        status, after, errors = over_a_file("-f", "utf-8", data=data)
        check((codec, "-o"), (status, after), (1, b"old\n"))
        for narrow in (text.encode(), (text + "é\n").encode()):
            status, after, _, errors = in_place("-f", name, "-e", "replace", files={"f": narrow})
            check((codec, "of bytes"), (status, after[0], "looks like UTF-8" in errors), (1, narrow, True))
            check((codec, "of bytes, forced"), in_place("-f", name, "-e", "replace", "--force", files={"f": narrow})[1][0] != narrow, True)


def test_an_assumption_replaces_no_file():
    short = b"\x80\x81 b\xb1\n"  # nothing shows what this is
    status, after, _, errors = in_place("-f", "guess", files={"f": short})
    check("-i", (status, after[0], "assumption" in errors and "left alone" in errors), (1, short, True))
    status, after, errors = over_a_file("-f", "guess", data=short)
    check("-o", (status, after, "assumption" in errors), (1, b"old\n", True))
    for options in (["-f", "guess", "--legacy", "iso-8859-1"], ["--fallback", "iso-8859-1"], ["-f", "iso-8859-1"]):
        status, after, _, _ = in_place(*options, files={"f": short})
        check((options, "named"), (status, after[0]), (0, short.decode("latin-1").encode()))
    check("forced", in_place("-f", "guess", "--force", "-e", "replace", files={"f": short})[1][0] != short, True)


def test_other_names_of_a_file_keep_no_old_text():
    with folder({"f": b"a\r\n", "g": b"b\n"}) as path:
        os.link(os.path.join(path, "f"), os.path.join(path, "h"))
        os.link(os.path.join(path, "g"), os.path.join(path, "i"))
        status, _, errors = run("-i", "--filter", "lf", "f", "g", where=path)
        check("said", (status, "has 2 names" in errors), (1, True))
        check("kept", (content(path, "f"), content(path, "h")), (b"a\r\n", b"a\r\n"))
        check("a dry run says so", run("-i", "--dry-run", "--filter", "lf", "f", where=path)[0], 1)
        status, _, errors = run("--filter", "lf", "-o", "f", "g", where=path)
        check("-o", (status, content(path, "f"), "has 2 names" in errors), (1, b"a\r\n", True))
        check("unchanged", run("-i", "--filter", "lf", "g", where=path), (0, b"", ""))
        check("forced", run("-i", "--force", "--filter", "lf", "f", where=path), (0, b"", ""))
        check("one name is new", (content(path, "f"), content(path, "h")), (b"a\n", b"a\r\n"))


def test_attributes_and_times_stay():
    for place in (tempfile.gettempdir(), os.path.dirname(os.path.abspath(__file__)), "/var/tmp"):
        with tempfile.TemporaryDirectory(dir=place) as path:
            file = os.path.join(path, "f")
            write(b"a\r\n", path, "f")
            try:
                os.setxattr(file, "user.note", b"keep me")
                os.setxattr(file, "user.empty", b"")
            except OSError:
                continue
            os.utime(file, ns=(1_000_000_000_123_456_789, 1_100_000_000_987_654_321))
            check("without --keep-times", run("-i", "--filter", "lf", "f", where=path), (0, b"", ""))
            check("now", os.stat(file).st_mtime_ns > 1_600_000_000_000_000_000, True)
            os.utime(file, ns=(1_000_000_000_123_456_789, 1_100_000_000_987_654_321))
            check("--keep-times", run("-i", "--keep-times", "--filter", "crlf", "f", where=path), (0, b"", ""))
            check("times", os.stat(file).st_mtime_ns, 1_100_000_000_987_654_321)
            check("text", content(path, "f"), b"a\r\n")
            check("attributes", {n: os.getxattr(file, n) for n in os.listxattr(file)}, {"user.note": b"keep me", "user.empty": b""})
            return
    check("a file system with extended attributes", False, True)


def test_the_old_file_can_be_kept():
    for option, name in (("--backup", "f.bak"), ("--backup=.orig", "f.orig"), ("--backup=old-*", "old-f"), ("--backup=*~*", "f~f"), ("--back=~", "f~")):
        with folder({"d/f": b"a\r\n", "d/g": b"g\n"}) as path:
            os.utime(os.path.join(path, "d/f"), ns=(5, 7_000_000_000))
            os.chmod(os.path.join(path, "d/f"), 0o640)
            check((option, "first"), run("-i", option, "--filter", "lf", "d/f", "d/g", where=path), (0, b"", ""))
            check((option, "files"), sorted(os.listdir(os.path.join(path, "d"))), sorted(["f", "g", name]))
            kept = os.stat(os.path.join(path, "d", name))
            check((option, "kept"), (content(path, "d", name), kept.st_mtime_ns, kept.st_mode & 0o777), (b"a\r\n", 7_000_000_000, 0o640))
            check((option, "new"), content(path, "d/f"), b"a\n")
            check((option, "nothing to do"), run("-i", option, "--filter", "lf", "d/f", where=path), (0, b"", ""))
            status, _, errors = run("-i", option, "--filter", "crlf", "d/f", where=path)
            check((option, "again"), (status, f"d/{name} is there already" in errors), (1, True))
            check((option, "both kept"), (content(path, "d/f"), content(path, "d", name)), (b"a\n", b"a\r\n"))
            check((option, "forced"), run("-i", option, "--force", "--filter", "cr", "d/f", where=path), (0, b"", ""))
            check((option, "both new"), (content(path, "d/f"), content(path, "d", name)), (b"a\r", b"a\n"))
            status, _, errors = run("--backup=.2", "-o", "d/g", "d/f", where=path)
            check((option, "-o"), (status, content(path, "d/g"), content(path, "d/g.2"), errors), (0, b"a\r", b"g\n", ""))
            check((option, "-o, new"), run("--backup", "-o", "d/h", "d/f", where=path), (0, b"", ""))
            check((option, "no copy"), os.path.exists(os.path.join(path, "d/h.bak")), False)
    with folder({"f": b"a\r\n", "to": b"b\r\n"}) as path:
        os.symlink("to", os.path.join(path, "link"))
        check("a link", run("-i", "--backup", "--filter", "lf", "link", where=path), (0, b"", ""))
        check("its target", (content(path, "to"), content(path, "to.bak"), os.path.islink(os.path.join(path, "link"))), (b"b\n", b"b\r\n", True))
        write(b"of the link\n", path, "link.bak")
        status, _, errors = run("-i", "--backup", "--rejects", "rej", "--filter", "crlf", "link", where=path)
        check("a link whose target has a copy", (status, "to.bak is there already" in errors, content(path, "to")), (1, True, b"b\n"))
        os.remove(os.path.join(path, "to.bak"))
        check("a file beside the link", run("-i", "--backup", "--filter", "crlf", "link", where=path), (0, b"", ""))
        check("the copy is beside the target", (content(path, "to.bak"), content(path, "link.bak")), (b"b\n", b"of the link\n"))
        for wrong in ("--backup=a/b", "--backup=*"):
            status, _, errors = run("-i", wrong, "f", where=path)
            check((wrong, "refused"), (status, "--backup: " in errors, content(path, "f")), (2, True, b"a\r\n"))
        for option in ("--backup", "--force", "--keep-times"):
            status, _, errors = run(option, "f", where=path)
            check((option, "alone"), (status, f"{option} is about files that --in-place or --output replaces" in errors), (2, True))


def test_a_copy_is_no_other_file_of_the_call():
    files = {"f": b"a\xff\nb\n", "f.bak": b"precious\xff\n", "g": b"g\n"}
    for options in (["-i", "--rejects", "f.bak", "f"], ["-i", "-e", "skip", "f", "f.bak"], ["-i", "-e", "skip", "f.bak", "f"],
                    ["-o", "f", "-e", "skip", "f.bak"], ["-o", "f", "-e", "skip", "--rejects", "f.bak", "g"],
                    ["-i", "-e", "skip", "--backup=g", "f"]):
        for force in ([], ["--force"]):
            with folder(files) as path:
                before = [] if any(option.startswith("--backup") for option in options) else ["--backup"]
                status, _, errors = run(*before, *force, *options, where=path)
                if "--backup=g" in options:  # the copy is fg
                    check((options, force), (status, content(path, "g"), content(path, "fg")), (0, b"g\n", files["f"]))
                    continue
                check((options, force), (status, "is the copy that --backup makes of f as well" in errors), (2, True))
                check((options, force, "files"), {name: content(path, name) for name in os.listdir(path)}, files)
    with folder({"f": b"a\xff\n"}) as path:  # a copy that is not there yet
        for name in ("f.bak", "./f.bak"):
            check(("not there", name), (run("-i", "--backup", "--rejects", name, "f", where=path)[0], os.listdir(path)), (2, ["f"]))
    with folder({"d/f": b"1\r\n", "d/g": b"g\n"}) as path:
        check("-r", run("-i", "--backup", "--filter", "lf", "-r", "d", where=path), (0, b"", ""))
        write(b"2\r\n", path, "d/f")
        status, _, errors = run("-i", "--backup", "--force", "--filter", "lf", "-r", "d", where=path)
        check("-r again", (status, errors), (0, "utfcat: 1 file left out, as copies of --backup\n"))
        check("-r, files", {n: content(path, "d", n) for n in os.listdir(os.path.join(path, "d"))}, {"f": b"2\n", "f.bak": b"2\r\n", "g": b"g\n"})


def test_what_cannot_be_replaced_keeps_its_older_copy():
    """In a directory such as /tmp only its owner may rename the file of somebody else."""
    if os.geteuid() != 0:
        print("skipped: only root can make the files of somebody")
        return
    nobody = 65534
    with folder({"f": b"a\r\n", "f.bak": b"older\n"}) as path:
        program = shutil.copy(UTFCAT, path)
        os.chmod(path, 0o1777)
        os.chmod(os.path.join(path, "f"), 0o666)
        os.chown(os.path.join(path, "f.bak"), nobody, nobody)
        files = sorted(os.listdir(path))
        for older in (True, False):
            if not older:
                os.remove(os.path.join(path, "f.bak"))
                files.remove("f.bak")
            status, _, errors = run("-i", "--force", "--backup", "--filter", "lf", "f", where=path, program=program, before=lambda: os.setuid(nobody))
            check((older, "said"), (status, errors), (2, "utfcat: f: cannot be replaced: Operation not permitted\n"))
            check((older, "files"), (sorted(os.listdir(path)), content(path, "f"), os.stat(os.path.join(path, "f")).st_nlink), (files, b"a\r\n", 1))
            check((older, "copy"), content(path, "f.bak") if older else b"older\n", b"older\n")
    long = "n" * 253
    with folder({long: b"a\r\n"}) as path:
        status, _, errors = run("-i", "--backup", "--filter", "lf", long, where=path)
        check("a long name", (status, "File name too long" in errors, os.listdir(path), content(path, long)), (2, True, [long], b"a\r\n"))
    with folder({"f": b"a\r\n", "f.bak/x": b""}) as path:
        status, _, errors = run("-i", "--force", "--backup", "--filter", "lf", "f", where=path)
        check("a directory", (status, errors, sorted(os.listdir(path)), content(path, "f")),
              (2, "utfcat: f.bak: cannot be replaced: Is a directory\n", ["f", "f.bak"], b"a\r\n"))


def test_a_file_that_is_left_alone_keeps_its_lines():
    for more, other in ([], "g"), (["--backup"], "f.bak"):
        with folder({"f": b"a\nb\xff\n"}) as path:
            if other == "g":
                os.link(os.path.join(path, "f"), os.path.join(path, other))
            else:
                write(b"old\n", path, other)
            for time in range(2):
                status, _, errors = run("-i", *more, "--rejects", "rej", "f", where=path)
                check((other, time), (status, "1 of 2 lines would be put aside" in errors, "left alone" in errors), (1, True, True))
                check((other, time, "rejects"), (content(path, "rej"), content(path, "f")), (b"", b"a\nb\xff\n"))
            status, out, errors = run("-i", *more, "--dry-run", "--filter", "lf", "-e", "skip", "f", where=path)
            check((other, "a dry run"), (status, out, "left alone" in errors), (1, b"", True))


def test_lines_of_two_files_stay_two():
    for codec, name, bad in (("utf-8", "utf-8", b"\xff"), ("utf-16-le", "utf-16le", b"\0\xdc"), ("utf-32-be", "utf-32be", b"\0\0\xd8\0")):
        first, second = "a\nx".encode(codec) + bad, "y".encode(codec) + bad + "\nb\n".encode(codec)
        with folder({"f": first, "g": second}) as path:
            status, _, _ = run("-i", "--force", "-f", name, "-t", name, "--rejects", "rej", "f", "g", where=path)
            wanted = "x".encode(codec) + bad + "\ny".encode(codec) + bad + "\n".encode(codec)
            again = in_place("--force", "-f", name, "-t", name, "--rejects", os.path.join(path, "again"), files={"f": first})
            in_place("--force", "-f", name, "-t", name, "--rejects", os.path.join(path, "again"), files={"f": second})
            check((codec, "by two calls"), (again[0], content(path, "again")), (0, wanted))
            check(codec, (status, content(path, "rej"), content(path, "f"), content(path, "g")), (0, wanted, "a\n".encode(codec), "b\n".encode(codec)))


def test_an_archive_is_not_replaced_by_its_text():
    data = gzip.compress(b"text\n")
    with folder({"f.gz": data, "f": b"old\n"}) as path:
        status, _, errors = run("-d", "-o", "f.gz", "f.gz", where=path)
        check("itself", (status, content(path, "f.gz"), "--decompress would leave plain text under its name" in errors), (2, data, True))
        check("another one", (run("-d", "-o", "f", "f.gz", where=path), content(path, "f")), ((0, b"", ""), b"text\n"))


def test_a_descriptor_is_no_file_that_can_be_replaced():
    with folder({"f": b"a\r\n"}) as path:
        with open(os.path.join(path, "f"), "r+b") as file:
            done = subprocess.run([UTFCAT, "-i", "--filter", "lf", "/dev/stdin"], stdin=file, capture_output=True, check=False)
        check("said", (done.returncode, done.stderr), (2, b"utfcat: /dev/stdin: is no name of a file, so it cannot be replaced\n"))
        check("kept", content(path, "f"), b"a\r\n")


def test_a_dry_run_says_by_its_status_whether_files_would_change():
    files = {"a": b"a\n", "b": b"b\r\n", "c": b"c\r\n"}
    with folder(files) as path:
        for jobs in ("1", "2"):
            run_dry = ["-i", "--dry-run", "--jobs", jobs, "--filter", "lf"]
            check((jobs, "none"), run(*run_dry, "a", where=path), (0, b"", ""))
            check((jobs, "some"), run(*run_dry, "a", "b", "c", where=path), (1, b"b\nc\n", ""))
            check((jobs, "missing"), run(*run_dry, "a", "b", "x", where=path)[:2], (2, b"b\n"))
        check("untouched", {name: content(path, name) for name in files}, files)
        with open(os.fsencode(path) + b"/\xff", "wb") as file:
            file.write(b"a\r\n")
        check("a name as it is", run("-i", "--dry-run", "--filter", "lf", b"\xff", where=path), (1, b"\xff\n", ""))


def test_a_file_that_an_option_does_not_fit_does_not_end_the_others():
    status, after, _, errors = in_place("-t", "same", "-b", "add", "-f", "guess", "--legacy", "windows-1252", "--filter", "lf",
                                        files={"a": b"caf\xe9\n", "b": "éè\r\n".encode()})
    check("files", after, [b"caf\xe9\n", b"\xef\xbb\xbf" + "éè\n".encode()])
    check("status", (status, "a: " in errors and "left alone" in errors), (1, True))


def test_a_text_that_declares_its_old_encoding_is_told():
    texts = {
        "po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\nmsgid "a"\nmsgstr "ąś"\n',
        "xml": '<?xml version="1.0" encoding="{}"?>\n<a>ąś</a>\n', "html": '<html><head><meta charset="{}"></head>ąś\n',
        "css": '@charset "{}";\na::before {{ content: "ąś" }}\n', "py": '# -*- coding: {} -*-\nprint("ąś")\n',
        "tex": '\\documentclass{{a}}\n\\inputencoding{{{}}}\nąś\n', "aff": 'SET {}\nTRY ąś\n',
    }
    for kind, text in texts.items():
        old, new = text.format("ISO-8859-2"), text.format("UTF-8")
        said = f"f.{kind}: still declares ISO-8859-2, but is written in "
        for reading in (["-f", "iso-8859-2"], ["-f", "guess"]):
            with folder({f"f.{kind}": old.encode("iso-8859-2")}) as path:
                status, out, errors = run(*reading, f"f.{kind}", where=path)
                check((kind, reading), (status, out, errors.count(said + "UTF-8")), (0, old.encode(), 1))
                check((kind, reading, "once"), errors.count("\n"), 1)
                status, _, errors = run(*reading, "-i", f"f.{kind}", where=path)
                check((kind, reading, "-i"), (status, content(path, f"f.{kind}"), said in errors), (0, old.encode(), True))
        for quiet in (["-f", "iso-8859-2", "-t", "iso-8859-2"], ["-f", "iso-8859-2", "-q"], ["-f", "iso-8859-2", "-c"], ["-f", "iso-8859-2", "-t", "same"]):
            errors = run(*quiet, text=old.encode("iso-8859-2"))[2]
            check((kind, quiet), errors, "")
        check((kind, "right already"), run("-f", "iso-8859-2", text=new.encode("iso-8859-2"))[2], "")
        check((kind, "now right"), run("-t", "iso-8859-2", text=old.encode())[2], "")
        check((kind, "other names of the same"), run("-t", "latin2", text=old.encode())[2], "")
        wrong = run("-f", "iso-8859-2", "-t", "windows-1250", text=old.encode("iso-8859-2"))[2]
        check((kind, "another one"), "still declares ISO-8859-2, but is written in windows-1250" in wrong, True)
        for target in ("iso-8859-2", "utf-16", "gb18030"):  # UTF-8 that declares UTF-8
            name, way = ("UTF-8", " (--filter declare changes that)") if kind != "tex" else ("utf8", ", which has no such name: change the text")
            check((kind, "UTF-8", target), run("-t", target, text=text.format(name).encode())[2],
                  "" if kind == "tex" and target == "utf-16" else f"utfcat: -: still declares {name}, but is written in {target.upper()}{way}\n"
                  if kind != "tex" or target != "iso-8859-2" else "utfcat: -: still declares utf8, but is written in ISO-8859-2 (--filter declare changes that)\n")
        plain = text.replace("ąś", "as")
        check((kind, "ASCII"), [run("-f", f, "-t", t, text=plain.format(name).encode())[2] for f, t, name in (
            ("utf-8", "iso-8859-2", "UTF-8"), ("iso-8859-2", "utf-8", "ISO-8859-2"), ("utf-8", "us-ascii", "UTF-8"))], ["", "", ""])
        check((kind, "far away"), "still declares ISO-8859-2, but is written in UTF-8" in
              run("-f", "iso-8859-2", text=(plain.format("ISO-8859-2") + "a\n" * 5000 + "ą\n").encode("iso-8859-2"))[2], True)
    check("UTF-16", run("-f", "utf-16", text="<?xml version='1.0' encoding='UTF-16'?>\n<a>é</a>\n".encode("utf-16"))[2],
          "utfcat: -: still declares UTF-16, but is written in UTF-8 (--filter declare changes that)\n")
    prose = "the charset is: ISO-8859-2\nąś\n".encode("iso-8859-2")
    check("prose", run("-f", "iso-8859-2", text=prose)[2], "")


def test_names_that_mean_a_mark_write_it():
    text = "aé\n"
    for name, codec in (("utf-8-sig", "utf-8"), ("UTF-8-BOM", "utf-8"), ("utf8bom", "utf-8"), ("utf-8-with-signature", "utf-8"),
                        ("utf-16le-bom", "utf-16-le"), ("utf-16be-bom", "utf-16-be")):
        marked = ("\ufeff" + text).encode(codec)
        for data in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
            for options in ([], ["-b", "add"], ["--jobs", "2"]):
                check((name, options), run("-t", name, *options, text=data), (0, marked, ""))
        check((name, "read"), run("-f", name, "-b", "strip", text=marked), (0, text.encode(), ""))
        for policy in ("strip", "keep"):
            check((name, policy), run("-t", name, "-b", policy, text=text.encode()), (0, text.encode(codec), ""))
        for policy in ("require", "reject"):
            status, out, errors = run("-t", name, "-b", policy, text=text.encode())
            check((name, policy), (status, out, "would write none" in errors), (2, b"", True))
    for name, codec in (("utf-8", "utf-8"), ("utf-16le", "utf-16-le"), ("1251", "cp1251"), ("65001", "utf-8"), ("1252", "cp1252")):
        check((name, "no mark"), run("-t", name, text="a\n".encode()), (0, "a\n".encode(codec), ""))
        check((name, "read"), run("-f", name, text="d\n".encode(codec)), (0, b"d\n", ""))
    for name in ("ansi", "OEM"):
        status, out, errors = run("-f", name, text=b"a")
        check(name, (status, out, "another encoding on each Windows" in errors), (2, b"", True))


def test_what_cannot_be_looked_at_is_said():
    with folder({}) as path:
        deep = os.getcwd()
        os.chdir(path)
        for _ in range(30):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        write(b"\xff\n", "f")
        os.chdir(path)
        status, _, errors = run("-c", "-r", path)
        check("a path that is too long", (status, "name too long" in errors), (2, True))
        os.chdir(deep)
        os.system(f"rm -rf '{path}'/d*")


def test_names_of_the_basic_plane_lack_the_characters_above():
    text = "aé€😀\n漢😀😀" + "x" * 9000 + "𝄞\n" + "😀" * 3000
    repairs = {"replace": "\ufffd", "skip": "", "escape": None}
    for name, codec in (("utf8mb3", "utf-8"), ("ucs-2", "utf-16-le"), ("UCS2", "utf-16-le"), ("ucs-2be", "utf-16-be"), ("iso-10646-ucs-2", "utf-16-be")):
        for policy, repair in repairs.items():
            wanted = "".join(c if c <= "\uffff" else f"\\u{{{ord(c):X}}}" if repair is None else repair for c in text)
            if name == "iso-10646-ucs-2":
                wanted = "\ufeff" + wanted
            for options in ([], ["--jobs", "2"], ["--filter", "lf"], ["--filter", "declare"]):
                got = run("-t", name, "-e", policy, *options, text=text.encode())
                check((name, policy, options), got, (0, wanted.encode(codec), ""))
        marked = run("-t", name, "-e", "skip", "-b", "add", text="a😀b".encode())
        check((name, "its mark"), marked, (0, "\ufeffab".encode(codec), ""))
        status, out, errors = run("-t", name, "-b", "strip", text=text.encode())
        check((name, "strict"), (status, out, errors.startswith("utfcat: -:1:4: byte 6: the target encoding lacks U+1F600")), (1, "aé€".encode(codec), True))
        status, out, errors = run("-c", "-t", name, text=text.encode())
        lacking = [i for i, c in enumerate(text) if c > "\uffff"]
        places = [int(line.split("byte ")[1].split(":")[0]) for line in out.decode().splitlines()]
        check((name, "check"), (status, places), (1, [len(text[:i].encode()) for i in lacking]))
        check((name, "two files"), run("-t", name, "-e", "skip", "-", "-", text=b"")[0], 0)
        with folder({"in": text.encode()}) as path:
            status, _, errors = run("-i", "-t", name, "in", where=path)
            check((name, "-i"), (status, content(path, "in"), "not written" in errors), (1, text.encode(), True))
            parts = [run("--range", part, "-t", name, "-b", "strip", "-e", "skip", "in", where=path)[1] for part in ("0-9", "9-")]
            check((name, "ranges"), b"".join(parts), "".join(c for c in text if c <= "\uffff").encode(codec))
        check((name, "what it holds"), run("-t", name, "-b", "strip", text="aé€漢\n".encode()), (0, "aé€漢\n".encode(codec), ""))
    check("keep", run("-f", "utf-8", "-t", "utf8mb3", "-e", "keep", text=b"a")[0], 2)
    check("utf8mb4", run("-t", "utf8mb4", text="😀".encode()), (0, "😀".encode(), ""))
    check("no mark", run("-t", "utf8NoBOM", text=b"a"), (0, b"a", ""))
    check("big-endian", run("-t", "BigEndianUnicode", text=b"a"), (0, b"\0a", ""))


run_tests(globals(), at_least=400)
