#!/usr/bin/env python3
"""python_verdicts.py: the verdicts of Python's UTF-8 decoder on many short strings, for python_verdicts_test.cpp.

    python3 test/enumerations/python_verdicts.py > test/data/python_utf8.txt    records the verdicts
    python3 test/enumerations/python_verdicts.py PREFIX                         shows one group; PREFIX is in hex

The strings are all strings of up to four boundary bytes, and all strings of five and six bytes in which each byte
stands for a class of bytes. There are too many strings to record each verdict. Strings that begin with the same bytes
are a group, and each group has a checksum.
"""
import codecs
import itertools
import sys
import zlib

# BOUNDARIES has both ends of each range of bytes in Unicode table 3-7, CLASSES one byte of each range.
BOUNDARIES = bytes.fromhex("00 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 ff")
CLASSES = bytes.fromhex("41 85 98 b3 c1 d0 e0 e7 ed f0 f2 f4 fa")

errors = []  # of the string that is being decoded: begin and end of each error, and whether the input ended in it


def note(error):
    """An error handler that notes the error, and replaces it as 'replace' does."""
    errors.append((error.start, error.end, error.reason == "unexpected end of data"))
    return "\ufffd", error.end


codecs.register_error("note", note)


def verdict(text):
    """Size, bytes up to the last boundary, number of errors, begin and end of each error, and the repaired text."""
    errors.clear()
    replaced = text.decode("utf-8", "note")
    assert replaced == text.decode("utf-8", "replace")
    try:
        text.decode("utf-8")
        assert not errors
    except UnicodeDecodeError as error:
        assert errors[0][:2] == (error.start, error.end)
    complete = errors[-1][0] if errors and errors[-1][2] else len(text)
    places = [place for start, end, _ in errors for place in (start, end)]
    return bytes([len(text), complete, len(errors), *places]) + replaced.encode()


def strings(prefix, alphabet, lengths):
    """All strings that begin with the prefix, the shorter ones first."""
    for length in lengths:
        for rest in itertools.product(alphabet, repeat=length - len(prefix)):
            yield prefix + bytes(rest)


def groups():
    """Yields each prefix with the strings that begin with it."""
    yield b"", strings(b"", BOUNDARIES, (0, 1))
    for prefix in itertools.product(BOUNDARIES, repeat=2):
        yield bytes(prefix), strings(bytes(prefix), BOUNDARIES, (2, 3, 4))
    for prefix in itertools.product(CLASSES, repeat=3):
        yield bytes(prefix), strings(bytes(prefix), CLASSES, (5, 6))


def main():
    print(f"# Python {sys.version.split()[0]}: prefix, number of strings, CRC-32 of their verdicts; made by python_verdicts.py")
    for prefix, texts in groups():
        verdicts = [verdict(text) for text in texts]
        print(prefix.hex() or "-", len(verdicts), f"{zlib.crc32(b''.join(verdicts)):08x}")


def show(wanted):
    for prefix, texts in groups():
        if prefix == wanted:
            for text in texts:
                print(text.hex() or "-", verdict(text).hex())


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        show(bytes.fromhex(sys.argv[1].strip("-")))
