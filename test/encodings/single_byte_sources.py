#!/usr/bin/env python3
"""single_byte_sources.py [--all]: compares the tables of the single-byte encodings in data/single_byte/, byte by byte, with
glibc's iconv, ICU's uconv, Python's codecs, and encoding_rs, which has the indexes and labels of the WHATWG Encoding Standard.
DIFFERENCES lists where these differ, with the reason; any other difference is a failure. (A difference may be gone in another
version of a source.) Without --all a source that is not installed is left out; with --all that is a failure, too."""
import codecs
import fnmatch
import functools
import glob
import pathlib
import re
import shutil
import subprocess
import sys

TABLES = pathlib.Path(__file__).resolve().parents[1] / "data/single_byte"
MICROSOFT = "windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1257 windows-1258"
CONTROLS = range(0x80, 0xA0)

# Reason: sources, encodings (patterns), and what the source has for each byte; None where it has an error. "undefined" are the bytes 80..9F
# for which the table has the control character of the same value.
DIFFERENCES = {
    "WHATWG's indexes have a control character for each byte 80..9F that Microsoft leaves undefined": [
        ("iconv Python", MICROSOFT, "undefined")],
    "WHATWG's KOI8-U has the Belarusian letter of KOI8-RU for two of RFC 2319's box characters": [
        ("iconv ICU Python", "KOI8-U", {0xAE: 0x255D, 0xBE: 0x256C})],
    "U+05BA is younger than Microsoft's table of windows-1255": [
        ("iconv ICU Python", "windows-1255", {0xCA: None})],
    "ICU maps the unassigned bytes of windows-874 to private characters": [
        ("ICU", "windows-874", {0xDB: 0xF8C1, 0xDC: 0xF8C2, 0xDD: 0xF8C3, 0xDE: 0xF8C4, 0xFC: 0xF8C5, 0xFD: 0xF8C6, 0xFE: 0xF8C7,
                                0xFF: 0xF8C8})],
    "ICU maps an unassigned byte of windows-1253 to the character of the same value": [
        ("ICU", "windows-1253", {0xAA: 0xAA})],
    "IBM's tables exchange three control characters": [
        ("ICU", "IBM*", {0x1A: 0x1C, 0x1C: 0x7F, 0x7F: 0x1A})],
    "IBM's table of IBM437 has the Greek letter, those of IANA, Microsoft and Unicode the micro sign": [
        ("ICU", "IBM437", {0xE6: 0x3BC})],
    "glibc's MACINTOSH has the Greek letter instead of the increment, and another private character for Apple's logo": [
        ("iconv", "macintosh", {0xC6: 0x394, 0xF0: 0xE01E})],
    "glibc's MAC-UK has no euro sign": [
        ("iconv", "x-mac-cyrillic", {0xFF: 0xA4})],
}
# The source has no such encoding. (WHATWG's standard lacks those that it has no name for.)
LACKING = {"ICU": "ISO-8859-16 x-user-defined KOI8-T RK1048 PTCP154 VISCII TCVN ARMSCII-8 GEORGIAN-PS GEORGIAN-ACADEMY MIK KAMENICKY",
           "iconv": "x-user-defined KAMENICKY",
           "Python": "x-user-defined VISCII TCVN ARMSCII-8 GEORGIAN-PS GEORGIAN-ACADEMY MIK KAMENICKY",
           "WHATWG": "x-user-defined"}  # WHATWG has a rule instead of a table
# The name of the encoding in a source that does not know its preferred name.
NAMES = {"iconv": {"windows-874": "CP874", "PTCP154": "PT154", "x-mac-cyrillic": "MAC-UK", "ISO-8859-8-I": "ISO-8859-8"},
         "Python": {"windows-874": "cp874", "x-mac-cyrillic": "mac-cyrillic", "ISO-8859-8-I": "iso8859-8"}}

# WHATWG's labels that have another meaning, or none, in IANA's registry, and so here. The labels of WHATWG's windows-1252 that
# are names of ISO-8859-1, for example, mean ISO-8859-1.
OTHER_MEANING = {"windows-1252": ["ISO-8859-1", "US-ASCII"], "windows-1254": ["ISO-8859-9"], "windows-874": ["ISO-8859-11"]}


def read_table(path):
    """All names, the preferred one first, and the characters of the 256 bytes; None for an unassigned byte."""
    enumerator, names, *rows = path.read_text(encoding="ascii").splitlines()
    fields = [row.split()[1:] for row in rows]
    return names.split()[1:], [None if field == "----" else int(field, 16) for row in fields for field in row]


def by_command(command):
    """What a command makes of each byte. A line feed follows each, because the output of some bytes is empty or U+FFFD."""
    bytes_ = [byte for byte in range(256) if byte != 0x0A]
    done = subprocess.run(command, input=b"".join(bytes([byte, 0x0A]) for byte in bytes_), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = done.stdout.decode("utf-8").split("\n")
    if len(lines) != len(bytes_) + 1:
        return None
    result = {0x0A: 0x0A, **{byte: ord(line) if line not in ("", "\uFFFD") else None for byte, line in zip(bytes_, lines)}}
    return [result[byte] for byte in range(256)]


def by_iconv(name):
    return by_command(["iconv", "-c", "-f", name, "-t", "UTF-8"])


def by_icu(name):
    return by_command(["uconv", "--from-callback", "substitute", "-f", name, "-t", "UTF-8"])


def by_python(name):
    try:
        codec = codecs.lookup(name)
    except LookupError:
        return None
    text = [codec.decode(bytes([byte]), "ignore")[0] for byte in range(256)]
    return [ord(c) if c else None for c in text]


@functools.cache
def rust_sources():
    """The directory of the sources of encoding_rs; None if they are not installed."""
    return next(iter(sorted(glob.glob("/usr/share/cargo/registry/encoding_rs-*/src"))), None)


def by_whatwg(name):
    variable = {"ISO-8859-8-I": "iso_8859_8"}.get(name, name.lower().replace("-", "_"))
    data = pathlib.Path(rust_sources(), "data.rs").read_text(encoding="utf-8")
    found = re.search(rf"^    {variable}: \[([^\]]*)\]", data, re.MULTILINE)
    if not found:
        return None
    upper = [int(code, 16) or None for code in re.findall(r"0x([0-9A-F]+)", found[1])]
    return list(range(0x80)) + upper


SOURCES = {"iconv": (by_iconv, lambda: shutil.which("iconv"), "libc-bin"),
           "ICU": (by_icu, lambda: shutil.which("uconv"), "icu-devtools"),
           "Python": (by_python, lambda: True, "python3"),
           "WHATWG": (by_whatwg, rust_sources, "librust-encoding-rs-dev")}


def expected(source, name, table):
    """What the source must have: the table, with its known differences."""
    if name in LACKING.get(source, "").split() or (source == "WHATWG" and name not in whatwg_labels().values()):
        return None
    result = list(table)
    for sources, encodings, bytes_ in (row for rows in DIFFERENCES.values() for row in rows):
        if source not in sources.split() or not any(fnmatch.fnmatchcase(name, one) for one in encodings.split()):
            continue
        if bytes_ == "undefined":
            bytes_ = {byte: None for byte in CONTROLS if table[byte] == byte}
        for byte, character in bytes_.items():
            result[byte] = character
    return result


def compare(source, name, table):
    """A sentence for each byte that is not as it must be."""
    got = SOURCES[source][0](NAMES.get(source, {}).get(name, name))
    wanted = expected(source, name, table)
    if got is None:
        return [] if wanted is None else [f"{source} lacks {name}, and LACKING does not say so"]
    wanted = wanted or table
    shown = lambda c: "an error" if c is None else f"U+{c:04X}"
    return [f"{name}, byte {byte:02X}: {source} has {shown(got[byte])}, but must have {shown(wanted[byte])}: ours is {shown(table[byte])}"
            for byte in range(256) if got[byte] not in (wanted[byte], table[byte])]


@functools.cache
def whatwg_labels():
    """Each label of the WHATWG Encoding Standard, with the name of its encoding."""
    code = pathlib.Path(rust_sources(), "lib.rs").read_text(encoding="utf-8")
    labels = re.search(r"LABELS_SORTED: [^=]*= \[(.*?)\];", code, re.DOTALL)[1]
    encodings = re.search(r"ENCODINGS_IN_LABEL_SORT: [^=]*= \[(.*?)\];", code, re.DOTALL)[1]
    named = dict(re.findall(r'static (\w+)_INIT: Encoding = Encoding \{\s*name: "([^"]+)"', code))
    return dict(zip(re.findall(r'"([^"]+)"', labels), (named[one] for one in re.findall(r"&(\w+)_INIT", encodings))))


def compare_labels(names):
    """A sentence for each label of WHATWG's for a single-byte encoding that does not mean that encoding here. `names` has the
    encoding of each name in lower case."""
    wrong = []
    for label, encoding in whatwg_labels().items():
        if encoding.lower() not in names:
            continue  # it is none of the single-byte encodings
        ours = names.get(label)
        right = ours in (encoding, *OTHER_MEANING.get(encoding, []))
        if not right:
            wrong.append(f"label {label}: {encoding} to WHATWG, {ours or 'not accepted'} here")
    return wrong


def main():
    tables = [read_table(path) for path in sorted(TABLES.glob("*.txt"))]
    cases, wrong = 0, []
    for source, (_, installed, package) in SOURCES.items():
        if not installed():
            print(f"not compared with {source}: install {package}")
            if "--all" in sys.argv:
                wrong.append(f"{source} is not installed")
            continue
        for names, table in tables:
            wrong += compare(source, names[0], table)
            cases += 256
    if rust_sources():
        names = {name.lower(): all_names[0] for all_names, _ in tables for name in all_names}
        wrong += compare_labels(names)
        cases += len(names)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{cases} cases, {len(wrong)} failed")
    return 1 if wrong or len(tables) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
