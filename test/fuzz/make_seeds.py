#!/usr/bin/env python3
"""make_seeds.py: writes all of test/fuzz/seeds again, from the conformance tables. A seed has the inputs of one
encoding, one after the other, with some policy, sizes of pieces and sizes of rooms. Run this after a target has changed
the order of its choices."""
import itertools
import json
import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"
HEADER = 64

# In the order of the enumerators: of the library, of the conformance tests (KINDS), and of chain.cpp (BEHAVIOURS).
ENCODINGS = ["detect", "utf8", "utf16", "utf16le", "utf16be", "utf32", "utf32le", "utf32be", "cesu8", "latin1", "windows1252", "iso8859_11"]
ON_ERROR = ["strict", "stop", "replace", "skip", "escape", "keep", "windows1252"]
BOM = ["automatic", "keep", "strip", "add", "require", "reject"]
KINDS = ["validator", "utf16_decoder", "decoder", "encoder", "signature"]
BEHAVIOURS = ["all", "one", "none", "end", "failure"]

# The choices of class plan: how many sizes it uses, then six sizes.
WHOLE = [0] * 7
BYTES = [1, 1] + [0] * 5
MIXED = [6, 3, 0, 1, 7, 2, 40]

BEST_KERNELS = [3]
SIGNATURES = {"utf8": b"\xef\xbb\xbf", "utf16": b"\xff\xfe", "utf32le": b"\xff\xfe\0\0"}


def texts():
    """For each encoding, all inputs of the tables. For utf8, the inputs to be encoded, too."""
    inputs = {}
    for name in ("decode", "extra_decode", "encode"):
        for line in (DATA / f"{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            inputs.setdefault(row.get("from", "utf8"), []).append(bytes.fromhex(row["input"]))
    return {encoding: b"".join(dict.fromkeys(rows)) for encoding, rows in inputs.items()}


def setup(kind, encoding, on_error, bom="automatic"):
    """The choices of any_setup: the fallback is UTF-8, the replacement U+FFFD, and there is no error limit."""
    return [KINDS.index(kind), ENCODINGS.index(encoding), BOM.index(bom), ON_ERROR.index(on_error), 0, 0, 15]


def write(target, name, choices, text):
    path = HERE / "seeds" / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    assert len(choices) <= HEADER and not path.exists()
    path.write_bytes(bytes(choices).ljust(HEADER, b"\0") + text)


def transcode(inputs):
    def seed(name, chosen, writing, sizes, rooms, text):
        write("transcode", name, BEST_KERNELS + chosen + [writing] + sizes + rooms, text)

    for encoding, text in inputs.items():
        for on_error, sizes, rooms in (("replace", BYTES, MIXED), ("escape", MIXED, WHOLE), ("strict", WHOLE, BYTES)):
            seed(f"from_{encoding}_{on_error}", setup("decoder", encoding, on_error), 0, sizes, rooms, text)
    for encoding in ENCODINGS[1:]:
        for on_error, sizes, rooms in (("replace", MIXED, WHOLE), ("escape", BYTES, MIXED)):
            seed(f"to_{encoding}_{on_error}", setup("encoder", encoding, on_error), 1, sizes, rooms, inputs["utf8"])
    for on_error in ON_ERROR:
        seed(f"validator_{on_error}", setup("validator", "utf8", on_error), 0, MIXED, MIXED, inputs["utf8"])
    for bom, (encoding, signature) in itertools.product(BOM[1:], SIGNATURES.items()):
        chosen = setup("signature", encoding, "replace", bom)
        seed(f"bom_{bom}_{encoding}", chosen, 0, BYTES, BYTES, signature + inputs[encoding])


def escape(inputs):
    controls = "\t\r\n\r \x1b\x7f\x85\u061c\u2028\u202e\u2066\u2069\ufeff\\\u20ac\U0001f600".encode() + b"\xff\r\xe2\x80"
    for on_error, line_feeds in itertools.product(ON_ERROR, (0, 1)):
        if on_error != "keep":
            chosen = setup("validator", "utf8", on_error) + [line_feeds, 0] + BYTES + MIXED
            write("escape", f"{on_error}_{line_feeds}", chosen, controls + inputs["utf8"])


def kernels(inputs):
    """The conversions, by their numbers in kernels.cpp."""
    sources = ["utf8", "utf8", "utf16le", "utf16be", "utf32le", "utf32be", "latin1"] + ["utf8"] * 5
    codecs = {"utf8": "utf-8", "utf16le": "utf-16-le", "utf16be": "utf-16-be", "utf32le": "utf-32-le", "utf32be": "utf-32-be"}
    for number, encoding in enumerate(sources):
        characters = "well-formed \u00e9\u20ac\U0001f600\n" * 12 if encoding in codecs else "well-formed \u00e9\n" * 20
        text = characters.encode(codecs.get(encoding, "latin-1"))
        write("kernels", f"{number:02}_{encoding}_at_end", [number, 1, 1], text + inputs[encoding][:200])
        write("kernels", f"{number:02}_{encoding}_little_room", [number, 0, 0, 13, 29, 0x40, 3], text)


def text(inputs):
    for on_error in ON_ERROR:
        write("text", on_error, BEST_KERNELS + [ON_ERROR.index(on_error)], inputs["utf8"])


def others(inputs):
    """The encodings, by their numbers in others.cpp."""
    for number, encoding in enumerate(["utf8", "utf16le", "utf16be", "utf32le", "utf32be", "cesu8", "latin1", "windows1252"]):
        write("others", f"from_{encoding}", BEST_KERNELS + [number, 0] + MIXED + MIXED, inputs[encoding])
        write("others", f"to_{encoding}", BEST_KERNELS + [number, 1] + MIXED + MIXED, inputs["utf8"])


def chain(inputs):
    escapes = 3
    filters = {
        "utf8": [(0, setup("validator", "utf8", "replace"))],
        "detect": [(0, setup("decoder", "detect", "escape")), (0, setup("encoder", "utf16le", "strict"))],
        "utf16": [(0, setup("utf16_decoder", "utf16", "skip")), (escapes, setup("decoder", "utf8", "replace"))],
    }
    faults = {"well": [], "short": ["one"] * 16, "waits": ["none", "one"] * 8, "ends": ["all", "end"], "fails": ["one", "failure"],
              "unflushed": ["all", "all", "failure"], "vetoed": []}
    for writing, gzip, composed, (encoding, elements), (how, calls) in itertools.product(
            (0, 1), (0, 3), (0, 1), filters.items(), faults.items()):
        if how in ("short", "waits", "unflushed", "vetoed") and gzip:
            continue
        if how == "unflushed" and not writing or how == "vetoed" and composed:
            continue
        links = [6, 5, 6, 4] if composed else [0, 2, 4, 6]  # indices of link_sizes in chain.cpp
        drawn = [len(calls)] + [BEHAVIOURS.index(call) for call in calls] + [0] * (16 - len(calls))
        chosen = BEST_KERNELS + [writing, gzip, composed, 1 - composed] + links + MIXED + drawn + [len(elements) - 1]
        name = ["read", "write"][writing] + "_gzip" * (gzip > 0) + "_composed" * composed + f"_{encoding}_{how}"
        chosen += [byte for escaping, element in elements for byte in [escaping] + element]
        chosen += [0, how == "unflushed"] + [3, 1] * (len(elements) if how == "vetoed" else 0)  # throw at the second error
        write("chain", name, chosen, inputs[encoding][:400])


def main():
    shutil.rmtree(HERE / "seeds", ignore_errors=True)
    inputs = texts()
    for target in (transcode, escape, kernels, text, others, chain):
        target(inputs)


if __name__ == "__main__":
    main()
