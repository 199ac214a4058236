#!/usr/bin/env python3
"""judge_test.py: the judge must find the fault of each faulty decoder, and none in the decoder without a fault.

With the name of a fault as its argument, this program is the decoder with that fault (drivers/driver.hpp describes
questions and answers).
"""
import sys
import time

sys.dont_write_bytecode = True
import judge
import runner
import scoreboard

sys.path.append(str(scoreboard.CORPUS))
import legacy_encodings

# The failures that the judge finds for each fault: in strict mode, and in the other modes. Some faults cause several.
FAULTS = {
    "none": (set(), set()),
    "hangs": ({"hangs"}, {"hangs"}),
    "crashes": ({"hangs"}, {"hangs"}),
    "takes surrogates": ({"invented"}, {"invented"}),
    "writes bytes": ({"invented"}, {"invented"}),
    "invents at the end": ({"invented"}, {"invented", "place"}),
    "refuses noncharacters": ({"refused"}, {"refused"}),
    "drops every U+FEFF": ({"text"}, {"text", "good byte"}),
    "takes the next byte": (set(), {"good byte"}),
    "stops at the first error": (set(), {"text", "good byte", "marks", "place"}),
    "leaves errors out": ({"silent", "end"}, {"silent", "end"}),
    "reports no error": ({"silent", "end"}, {"silent", "end"}),
    "drops the end": ({"end"}, {"end", "marks", "place"}),
    "decodes each piece": ({"refused", "cuts", "place"}, {"refused", "text", "good byte", "cuts", "marks", "place"}),
    "reports places in the piece": ({"place", "cuts"}, {"place", "cuts"}),
    "reports the next byte, too": ({"place"}, {"place"}),
    "U+FFFD for each byte": (set(), {"marks", "place"}),
}

# The same in legacy encodings.
LEGACY_FAULTS = {
    "none": (set(), set()),
    "takes ASCII into errors": ({"place"}, {"good byte"}),
    "one byte is an error": ({"size"}, {"size"}),
    "drops the end": ({"end"}, {"end", "place"}),
    "has other characters": ({"mapping"}, {"mapping"}),
    "assigns the unassigned": ({"mapping"}, {"mapping"}),
    "lacks characters": ({"refused"}, {"refused"}),
    "passes bad bytes on": ({"invented"}, {"invented"}),
    "stops at the first error": (set(), {"text", "good byte", "marks", "size", "place"}),
    "reports no error": ({"silent", "end"}, {"silent", "end"}),
    "reports the next byte": ({"place"}, {"place"}),
}


def items_of_legacy(encoding, data, fault):
    """Yields for each character or error its offset and size, and the character, or None for an error."""
    offset = 0
    while offset < len(data):
        size, text, kind = legacy_encodings.NEXT[encoding](data[offset:])
        if fault == "takes ASCII into errors" and kind and data[offset + size:offset + size + 1] == b">":
            size += 1
        elif fault == "one byte is an error" and kind:
            size = 1
        elif fault == "assigns the unassigned" and kind == "unassigned":
            text = "\uE000"
        elif fault == "passes bad bytes on" and kind == "unused_byte":
            text = chr(data[offset])
        elif fault == "has other characters" and text == "\u3000":
            text = "\u3001"
        elif fault == "lacks characters" and text == "\u3000":
            text = None
        if fault != "drops the end" or kind != "incomplete_at_end":
            yield offset, size, text
        offset += size


def items(data, fault):
    """Yields for each character or error its offset and size, and the character, or None for an error."""
    offset = 0
    while offset < len(data):
        try:
            good = data[offset:].decode("utf-8", "surrogatepass" if fault == "takes surrogates" else "strict")
            error = None
        except UnicodeDecodeError as caught:
            error = caught
            good = data[offset:offset + error.start].decode("utf-8", "surrogatepass")
        for character in good:
            size = len(character.encode("utf-8", "surrogatepass"))
            if character == "\uFFFE" and fault == "refuses noncharacters":
                yield offset, size, None
            elif character != "\uFEFF" or fault != "drops every U+FEFF":
                yield offset, size, character
            offset += size
        if error is None:
            return
        size = error.end - error.start
        if fault == "U+FFFD for each byte":
            yield from ((offset + i, 1, None) for i in range(size))
        elif fault == "takes the next byte" and data[offset] >= 0xC2 and data[offset + size:offset + size + 1] == b">":
            size += 1
            yield offset, size - 1, None
        elif fault == "invents at the end" and offset + size == len(data):
            yield offset, size, "\u20AC"
        elif fault != "drops the end" or offset + size != len(data) or "unexpected end" not in error.reason:
            yield offset, size, None
        offset += size


def answer(fault, mode, encoding, pieces):
    data = b"".join(pieces)
    if fault in ("hangs", "crashes") and data == b"\xE0\xA0":
        if fault == "crashes":
            sys.exit(1)
        time.sleep(60)
    if encoding != "utf-8":
        found = list(items_of_legacy(encoding, data, fault))
    elif fault == "decodes each piece":
        found = [item for piece in pieces for item in items(piece, fault)]
    else:
        found = list(items(data, fault))
    output, errors = b"", ""
    for offset, size, text in found:
        if text is not None:
            output += text.encode("utf-8", "surrogatepass")
            continue
        if fault == "leaves errors out":
            continue
        if fault == "writes bytes":
            output += data[offset:offset + size]
            continue
        if fault == "reports places in the piece":
            for piece in pieces[:-1]:
                if offset >= len(piece):
                    offset -= len(piece)
        if fault == "reports no error":
            output += "\uFFFD".encode() if mode != "skip" else b""
            continue
        errors += f"{offset}:{size + (fault == 'reports the next byte, too')},"
        if fault == "reports the next byte":
            errors = errors.replace(f"{offset}:", f"{offset + 1}:")
        if mode == "strict" or fault == "stops at the first error":
            break
        output += "\uFFFD".encode() if mode == "replace" else b""
    return output.hex() + "|" + errors


def be_a_driver(fault):
    for line in sys.stdin:
        mode, encoding, _, hexadecimal = line.rstrip("\n").split(" ")
        pieces = [bytes.fromhex(piece) for piece in hexadecimal.split("|")[:-1]]
        print(answer(fault, mode, encoding, pieces), flush=True)


def failed(faults, rows):
    """How many cases fail: the judge must find what the table says."""
    count = 0
    for fault, by_modes in faults.items():
        for modes, expected in zip((("strict",), ("replace", "skip")), by_modes):
            outcome = runner.outcome_of([sys.executable, __file__, fault], rows, scoreboard.OURS, modes=modes)
            found = {failure for failure in judge.FAILURES if outcome.failed[failure]}
            if found == expected:
                continue
            count += 1
            print(f"{fault}, {modes}: found {sorted(found)}, not {sorted(expected)}")
            for failure in sorted(found - expected):
                print("   ", failure, outcome.simplest(failure))
    return count


def main():
    runner.PATIENCE, runner.MOST_HANGS = 6, 1
    groups = ("well-formed", "boundary", "truncated-end", "cut-short", "signature", "no-lead")
    corpus = runner.rows_of(scoreboard.CORPUS)
    rows = [row for row in corpus if row["from"] == "utf-8" and row["signature"] == "keep"
            and row["id"].split("/")[1] in groups and len(row["input"]) <= 8]
    legacy = [row for row in corpus if row["from"] in ("euc-jp", "gb18030") and len(row["input"]) <= 8]
    count = failed(FAULTS, rows) + failed(LEGACY_FAULTS, legacy)
    print(f"scoreboard judge: {2 * (len(FAULTS) + len(LEGACY_FAULTS))} cases, {count} failed")
    sys.exit(count != 0)


if __name__ == "__main__":
    be_a_driver(sys.argv[1]) if len(sys.argv) > 1 else main()
