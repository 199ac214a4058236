"""What the user can write on utfcat's command line: utfcat_command_line_test.py UTFCAT"""

import contextlib
import os
import pty
import subprocess

from utfcat_cases import UTFCAT, check, folder, run, run_tests

# Each option below changes what becomes of these, so that the output shows which options utfcat has read.
FILES = {"in": b"a\xe9\n", "-": b"dash\n", "-c": b"file -c\n", "--": b"file --\n", "-x": b"file -x\n", "--x=": b"\n"}
AS_LATIN1, SKIPPED, REPLACED = "aé\n".encode(), b"a\n", "a\ufffd\n".encode()
SEE = " (see utfcat --help)"


def refused(why):
    return 2, b"", f"utfcat: {why}\n"


def test_what_is_read():
    with folder(FILES) as where:
        for words, out in (
            ("--from=latin1 in", AS_LATIN1),
            ("--from latin1 in", AS_LATIN1),
            ("-flatin1 in", AS_LATIN1),
            ("-f latin1 in", AS_LATIN1),
            ("in -f latin1", AS_LATIN1),
            ("in -f latin1 in", AS_LATIN1 * 2),
            ("--on-e skip in", SKIPPED),  # the name cut short
            ("--on-e=skip in", SKIPPED),
            ("--from-=x in", None),
            ("-deskip in", SKIPPED),  # -d -e skip
            ("-de skip in", SKIPPED),
            ("-ddd -d --decompress -e skip in", SKIPPED),  # an option without a value may be repeated
            ("-e skip -- in", SKIPPED),
            ("-e skip -- in -- -x", SKIPPED + b"file --\nfile -x\n"),
            ("-- -c", b"file -c\n"),
            ("-", b"standard input\n"),
            ("-e skip - in -", b"standard input\n" + SKIPPED),  # nothing is left for the second time
            ("-e skip -o - in", SKIPPED),
            ("", b"standard input\n"),
            ("-e skip --", b"standard input\n"),
        ):
            arguments = words.split()
            if out is None:
                check(words, run(*arguments, where=where), refused("option '--from-start' does not take any arguments" + SEE))
            else:
                check(words, run(*arguments, where=where, text=b"standard input\n"), (0, out, ""))
        check("an empty name of a file", run("", where=where), refused("'': No such file or directory"))


def test_what_is_refused():
    with folder(FILES) as where:
        for words, why in (
            ("--nonesuch", "unrecognised option '--nonesuch'"),
            ("--nonesuch=x", "unrecognised option '--nonesuch=x'"),
            ("--FROM", "unrecognised option '--FROM'"),
            ("---xy x", "unrecognised option '---xy'"),
            ("-x", "unrecognised option '-x'"),
            ("-cx", "unrecognised option '-cx'"),
            ("-c=x", "unrecognised option '-c=x'"),
            ("in -C", "unrecognised option '-C'"),
            ("--no\x1b", "unrecognised option '--no\\x1B'"),
            ("-f", "the required argument for option '--from' is missing"),
            ("in --to", "the required argument for option '--to' is missing"),
            ("-cf", "the required argument for option '--from' is missing"),
            ("-f -c", "the required argument for option '--from' is missing"),  # a letter is no value
            ("--from -e skip", "the required argument for option '--from' is missing"),
            ("--from= in", "the argument for option '--from' should follow immediately after the equal sign"),
            ("--check= in", "the argument for option '--check' should follow immediately after the equal sign"),
            ("--check=x in", "option '--check' does not take any arguments"),
            ("--st", "option '--st' is ambiguous and matches '--state', and '--stats'"),
            ("--s=x", "option '--s=x' is ambiguous and matches '--state', '--stats', and '--summary'"),
            ("--fro x", "option '--fro' is ambiguous and matches '--from', and '--from-start'"),
            ("-e bad --nonesuch", "unrecognised option '--nonesuch'"),  # all words are read before their values are
        ):
            check(words, run(*words.split(), where=where), refused(why + SEE))
        # Other words that begin with a hyphen are values.
        for words in ("-e -x", "-e --", "-e -", "-e --check", "-e -cd", "-e=x", "-e ="):
            value = words.split()[1] if " " in words else "=x"
            check(words, run(*words.split())[2].startswith(f"utfcat: --on-error: {value} is none of strict"), True)
        for words in (["-e", ""], ["--on-error", ""]):
            check(words, run(*words)[2].startswith("utfcat: --on-error: '' is none of strict"), True)


def test_what_is_repeated():
    with folder(FILES) as where:
        for words, option in (
            ("-e replace -e skip in", "--on-error"),
            ("-e skip -e skip in", "--on-error"),
            ("-ereplace --on-error=skip in", "--on-error"),
            ("-f latin1 --from utf-8 in", "--from"),
            ("-t utf-16 -t utf-8 in", "--to"),
            ("-o x -o y in", "--output"),
            ("--jobs 2 --jobs 2 in", "--jobs"),
            ("-b add --bom strip in", "--bom"),
        ):
            check(words, run(*words.split(), where=where), refused(f"{option} is given twice"))
        # The values of an option add up if they are a list.
        for words, out in (
            ("--filter escape-controls --filter lf", b"\\x1B[1m\n"),
            ("--filter lf --filter escape-controls", b"\\x1B[1m\n"),
            ("--filter=lf --filter escape-controls,mojibake", None),
            ("--filter mojibake --filter escape-controls,lf", b"\\x1B[1m\n"),
        ):
            got = run(*words.split(), text=b"\x1b[1m\r\n")
            check(words, got, refused("--filter: mojibake after escape-controls makes no sense: mojibake may have control "
                                      "characters, which do not pass before it: give mojibake first")
                  if out is None else (0, out, ""))
        check("a filter twice", run("--filter", "lf", "--filter", "lf"), refused("--filter: lf is given twice"))
        check("fallbacks", run("--line-fallback", "euc-jp", "--line-fallback", "latin1", text=b"\xff\xff\n\xc6\xfc\xcb\n"),
              run("--line-fallback", "euc-jp,latin1", text=b"\xff\xff\n\xc6\xfc\xcb\n"))


def test_the_nearest_name_is_told():
    for word, name in (("--inplace", "--in-place"), ("--on_error=skip", "--on-error"), ("--sumary", "--summary")):
        check(word, run(word), refused(f"unrecognised option '{word}' (the nearest is {name}; see utfcat --help)"))


def test_the_first_error_of_a_legacy_text_names_its_encoding():
    for name, text in (("windows-1252", "Gr\u00fc\u00dfe aus K\u00f6ln"), ("windows-1251", "\u041f\u0440\u0438\u0432\u0435\u0442, \u043a\u0430\u043a \u0434\u0435\u043b\u0430?")):
        data = f"one\n{text}\n".encode(name)
        status, out, err = run(text=data)
        check(name, (status, err.endswith(f" (--from guess reads it as {name})\n")), (1, True))
        check((name, "with it"), run("--from", "guess", text=data), (0, f"one\n{text}\n".encode(), ""))
        check((name, "in each check"), run("-c", text=data)[1].count(b"--from guess"), 1)
    for data in (b"caf\xc3\xa9\n\xff\n", b"a\xffb\n", b"\xff\x81\n"):
        check((data, "unsure"), "--from" in run(text=data)[2], False)
    check("a policy for byte order marks", "--from" in run("-b", "require", text="Gr\u00fc\u00dfe".encode("cp1252"))[2], False)


def test_a_message_begins_its_own_line_of_a_terminal():
    data = b"one\ntwo\xff\n"
    for both, wanted in ((True, b"one\r\ntwo\r\nutfcat: -:2:4: "), (False, b"one\r\ntwo")):
        ours, theirs = pty.openpty()
        done = subprocess.run([UTFCAT], input=data, stdout=theirs, stderr=theirs if both else subprocess.PIPE, check=False)
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other side is closed
            while piece := os.read(ours, 1000):
                shown += piece
        os.close(ours)
        check(("a terminal", both), (done.returncode, shown[:len(wanted)], both or len(shown) == len(wanted)), (1, wanted, True))
        check(("the message", both), both or done.stderr.startswith(b"utfcat: -:2:4: "), True)


def test_many_files_take_little_time():
    # If the time grew with the square of the number of files, this would take many seconds.
    with folder({"x": b"text\n"}) as where:
        check("files", run("-q", *["x"] * 100000, "-e", "skip", where=where), (0, b"", ""))


run_tests(globals())
