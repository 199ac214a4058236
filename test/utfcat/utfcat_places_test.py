"""The places that utfcat tells are places in the file, whatever stands between the file and what finds them.

utfcat_places_test.py UTFCAT UTFCAT_IN_PIECES: a model does one thing after the other, character by character: it decodes,
runs each filter, and encodes. Each character keeps the place of the one in the file from which it was made.
"""

import contextlib
import random
import re
import signal
import subprocess
import time
import unicodedata

from utfcat_cases import OLD_DECLARATION, with_new_declaration, OTHER as IN_PIECES, UTFCAT, check, content, folder, run, run_tests, similar, without_marks

MARK = "\ufeff"
MADE = {"Ã©": "é", "Â›": "\x9b"}  # what mojibake makes
ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


# ----------------------------------------------------------------------------------------------------------- the model


def is_control(c):
    return ord(c) < 0x20 and c not in "\t\n\r" or 0x7F <= ord(c) <= 0x9F


def decoded(text, encoding):
    """(character, place) of each, without the byte order mark."""
    line, column, offset, chars = 1, 1, 0, []
    for i, c in enumerate(text):
        if i == 0 and c == MARK:
            offset = len(c.encode(encoding))
            continue
        chars.append((c, (line, column, offset)))
        offset += len(c.encode(encoding))
        column += 1
        if c == "\n":
            line, column = line + 1, 1
    return chars


def with_line_ends(end, chars):
    result = []
    for i, (c, place) in enumerate(chars):
        if c in "\r\n" and not (c == "\n" and i and chars[i - 1][0] == "\r"):
            result += [(one, place) for one in end]
        elif c not in "\r\n":
            result.append((c, place))
    return result


def joined(make, chars):
    """What becomes of each two characters that make one."""
    result = []
    for c, place in chars:
        one = make(result[-1][0] + c) if result else None
        if one:
            result[-1] = (one, result[-1][1])
        else:
            result.append((c, place))
    return result


def composed(two):
    one = unicodedata.normalize("NFC", two)
    return one if len(one) == 1 else None


def filtered(name, chars, to_ascii):
    if name in ENDS:
        return with_line_ends(ENDS[name], chars)
    if name == "strip-boms":
        return without_marks(chars)
    if name == "skip-hole":
        zeros = next((i for i, (c, _) in enumerate(chars) if c != "\0"), len(chars))
        return chars[zeros:] if zeros >= 512 else chars
    if name == "declare":
        return with_new_declaration(chars, "us-ascii" if to_ascii else "utf-8")
    return joined(MADE.get if name == "mojibake" else composed, chars)


REPAIRS = {"replace": lambda c: "\ufffd", "skip": lambda c: "",
           "escape": lambda c: f"\\x{ord(c):02X}" if ord(c) < 0x80 else f"\\u{{{ord(c):04X}}}"}


def control_error(c, place):
    name = f" U+{ord(c):04X}" if c != "\0" else ""
    return place, f"control character{name}: {c.encode().hex(' ').upper()}"


def lacking_error(c, place):
    return place, f"the target encoding lacks U+{ord(c):04X}: {c.encode().hex(' ').upper()}"


def passed(chars, names, policy, to_ascii):
    """The text and the errors. Under the policy `check` all errors count, and under `strict` the first one ends the text."""
    errors, found = [], []
    for name in names:
        if name != "reject-controls":
            chars = filtered(name, chars, to_ascii)
            continue
        result = []
        for c, place in chars:
            if not is_control(c):
                result.append((c, place))
                continue
            found.append(control_error(c, place))
            if policy == "strict":
                break
            result += [(one, None) for one in REPAIRS.get(policy, lambda c: "?")(c)]
        chars = result
    errors += found
    text = ""
    for c, place in chars:
        if to_ascii and ord(c) > 0x7F:
            if place:
                errors.append(lacking_error(c, place))
            if policy == "strict":
                break
        text += c
    errors.sort(key=lambda error: error[0][2])
    return text, errors[:1] if policy == "strict" else errors


# ----------------------------------------------------------------------------------------------------------- the texts

PARTS = ("a", "word ", "\n", "\r\n", "\r", "é ", "€ ", "😀", "\x01", "\x1b[1m", "\x85 ", "e\u0301", "e\u0301\x02", MARK, "\n" + MARK, "\r" + MARK + "\x03",
         "Ã© ", "Â› ", "a longer line\r\n", " " * 40)
ORDERS = (["reject-controls"], ["lf", "reject-controls"], ["crlf", "reject-controls"], ["cr", "reject-controls"],
          ["strip-boms", "reject-controls"], ["mojibake", "reject-controls"], ["nfc", "reject-controls"], ["skip-hole", "reject-controls"],
          ["reject-controls", "lf"], ["reject-controls", "crlf"], ["reject-controls", "strip-boms"], ["skip-hole", "strip-boms", "crlf", "reject-controls"],
          ["mojibake", "lf", "reject-controls", "strip-boms"], ["lf"], ["crlf"], ["strip-boms", "crlf"], ["mojibake"], ["nfc"], ["declare", "reject-controls"], ["reject-controls", "declare"], [])


def some_text(some, parts):
    start = some.choice(["", "", MARK, "\0" * 511, "\0" * 600, OLD_DECLARATION])
    return start + "".join(some.choice(parts if some.random() < 0.4 else ["plain text "]) for _ in range(some.choice([3, 30, 200])))


def told(errors, name):
    return [f"{name}:{place[0]}:{place[1]}: byte {place[2]}: {message}" for place, message in errors]


def lines_of(output):
    """Without the hints that may come with the first error, and without what is said of a declaration."""
    return [re.sub(r" \([^()]*\)$", "", line.removeprefix("utfcat: ")) for line in output.split("\n") if line and ": still declares " not in line]


def test_each_filter_and_policy():
    some = random.Random(7)
    for encoding in ("utf-8", "utf-16-be"):
        for names in similar(ORDERS):
            text = some_text(some, PARTS)
            data = (text if encoding == "utf-8" else MARK + text.removeprefix(MARK)).encode(encoding)
            chars = decoded(data.decode(encoding), encoding)
            for policy in ("check", "strict", "replace", "skip", "escape"):
                for to_ascii in (False, True):
                    check_one(data, chars, names, policy, to_ascii, (names, encoding))


def check_one(data, chars, names, policy, to_ascii, what):
    if policy == "check" and names and "reject-controls" not in names:
        return  # a check has no text for filters
    if to_ascii and policy in ("replace", "skip", "escape"):
        return  # the characters that are lacking are repaired, and not told
    wanted, errors = passed(chars, names, policy, to_ascii)
    arguments = (["-c"] if policy == "check" else ["-e", policy]) + (["--filter", ",".join(names)] if names else [])
    arguments += ["-t", "us-ascii"] if to_ascii else []
    silent = policy in ("replace", "skip", "escape")
    for program, more, environment in ((UTFCAT, [], {}), (IN_PIECES, ["--jobs", "2"], {"UTFCAT_PIECE": "7"}))[: 1 + (not silent)]:
        status, out, err = run(*arguments, *more, text=data, program=program, environment=environment)
        what_now = (what, policy, to_ascii, more, arguments)
        check((what_now, "errors"), lines_of(out.decode() if policy == "check" else err), [] if silent else told(errors, "-"))
        check((what_now, "status"), status, 1 if errors and not silent else 0)
        if policy != "check":
            check((what_now, "text"), out, wanted.encode())
    if policy == "strict" and errors and "nfc" not in names:
        with folder({"file": data}) as path:
            got = run("--follow", *arguments, "file", where=path)
            if "declare" in names:
                check((what, arguments, "followed"), (got[0], got[1], "would lose it" in got[2]), (2, b"", True))
                return
            check((what, arguments, "followed"), (got[0], got[1], lines_of(got[2])), (1, wanted.encode(), told(errors, "file")))


def test_the_end_of_a_followed_text():
    """What comes after the end is not told, and what filters have given before it is written."""
    for data, arguments, out, error in (
            (b"a\x01b\xff", ["--filter", "reject-controls"], b"a", "1:2: byte 1: control character U+0001: 01"),
            (b"a\xc3\xa9b\xff", ["-t", "us-ascii"], b"a", "1:2: byte 1: the target encoding lacks U+00E9: C3 A9"),
            (b"hello\xff", ["--filter", "lf"], b"hello", "1:6: byte 5: byte that no text contains: FF"),
            (b"a\r\nb\x01\xff", ["--filter", "lf,reject-controls"], b"a\nb", "2:2: byte 4: control character U+0001: 01")):
        with folder({"f": data}) as path:
            for follow in ([], ["--follow"]):
                check((arguments, follow), run(*follow, *arguments, "f", where=path), (1, out, f"utfcat: f:{error}\n"))
    with folder({"f": b"ab\xc3"}) as path, subprocess.Popen((UTFCAT, "--follow", "-e", "replace", "--filter", "lf", "f"), cwd=path,
                                                            stdout=subprocess.PIPE) as started:
        check("before the cut character", started.stdout.read(2), b"ab")
        started.send_signal(signal.SIGINT)
        check("its repair", (started.stdout.read(), started.wait()), ("\ufffd".encode(), 0))


def test_a_character_that_filters_hold_for_long():
    """The mark comes pieces after its letter, because another filter leaves out everything between the two."""
    data = b"\nan e" + b"\x01" * 300000 + "\u0301\n".encode()
    error = "-:2:4: byte 4: the target encoding lacks U+00E9: C3 A9"
    for program, more, environment in ((UTFCAT, [], {}), (IN_PIECES, ["--jobs", "2"], {"UTFCAT_PIECE": "3000"})):
        got = run("--filter", "skip-controls,nfc", "-t", "us-ascii", *more, text=data, program=program, environment=environment)
        check(more, (got[0], got[1], lines_of(got[2])), (1, b"\nan ", [error]))


def test_errors_are_counted():
    for arguments, errors in ((["-c"], 2), (["-e", "skip"], 2), (["-e", "strict"], 1)):
        said = run(*arguments, "-s", "--filter", "reject-controls", text=b"a\x01b\x02\n")[2]
        check(arguments, f" {errors} error{'s' * (errors != 1)}" in said.split("\n")[-2], True)


def test_nothing_counts_after_the_end():
    """A character that the output lacks ends the text: lines, changes and damage after it count for nothing, in every cut."""
    lines = [b"\xff bad\n", b"good\r\n", b"caf\xc3\xa9 and\r\n", b"\xff bad\n", b"good\r\n"]
    for before in range(4):
        data = lines[0] * before + lines[1] * before + b"".join(lines[2:]) * 20
        with folder({"f": data}) as path:
            results = []
            for cut in (0, 1, len(lines[0]) * before + 1, data.index(b"\xa9") + 1, data.index(b"\xa9") + 12):
                results.append(run_cut(data, cut, ["-t", "us-ascii", "--rejects", "r", "-s", "--filter", "lf"], path))
            for got in results:
                check(before, got, results[0])
            status, out, said, aside = results[0]
            aside_wanted = f", {before} of {2 * before + 1} lines put aside ({6 * before} bytes)" if before else ""
            changes = f", {before} line end{'s' * (before != 1)} changed" if before else ""
            check((before, "text"), (status, out, aside), (1, b"good\n" * before + b"caf", lines[0] * before))
            check((before, "counts"), said.endswith(f" {2 * before} lines, 1 error{aside_wanted}{changes}\n"), True)


def run_cut(data, cut, arguments, path):
    """utfcat reads the text from a pipe, in two pieces. The bytes that have come are counted only up to the end."""
    with subprocess.Popen((UTFCAT, *arguments), cwd=path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        with contextlib.suppress(BrokenPipeError):
            started.stdin.write(data[:cut])
            started.stdin.flush()
            time.sleep(0.05)
            started.stdin.write(data[cut:])
            started.stdin.close()
        out, said = started.stdout.read(), started.stderr.read().decode()
        return started.wait(), out, said, content(path, "r")


def test_lines_without_sizes():
    """Where the text of lines does not show their sizes in the file, the line and the column are told."""
    with folder({"f": b"\xff\n" + "日本\n".encode("gb18030")}) as path:
        got = run("-f", "gb18030", "-t", "windows-1252", "--rejects", "r", "f", where=path)
        check("line", (got[0], got[1], got[2].split("\n")[0]), (1, b"", "utfcat: f:2:1: the target encoding lacks U+65E5: E6 97 A5"))


run_tests(globals())
