#!/usr/bin/env python3
"""make_seeds.py: writes all of test/fuzz/seeds again, from the conformance tables. A seed has the inputs of one
encoding, one after the other, with some policy, sizes of pieces and sizes of rooms. Run this after a target has changed
the order of its choices."""
import itertools
import json
import pathlib
import re
import shutil
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"
HEADER = 64

# In the order of the enumerators: of the library, of the conformance tests (ENCODINGS, KINDS), and of chain.cpp
# (BEHAVIOURS).
WORDS = (HERE.parent / "support" / "reference_items.hpp").read_text(encoding="utf-8")
ENCODINGS, ON_ERROR, BOM = (re.findall(r"EACH\((\w+)\)", re.search(rf"#define UTFILTER_TEST_{name}\(EACH\)((?:.*\\\n)*.*)", WORDS)[1])
                            for name in ("ENCODINGS", "ON_ERRORS", "BOMS"))
KINDS = ["validator", "utf16_decoder", "decoder", "encoder", "bom"]
BEHAVIOURS = ["all", "one", "none", "end", "failure"]

# The choices of class plan: how many sizes it uses, then six sizes.
WHOLE = [0] * 7
BYTES = [1, 1] + [0] * 5
MIXED = [6, 3, 0, 1, 7, 2, 40]

BEST_KERNELS = [3]
BYTE_ORDER_MARKS = {"utf8": b"\xef\xbb\xbf", "utf16": b"\xff\xfe", "utf32le": b"\xff\xfe\0\0"}


def texts():
    """For each encoding, all inputs of the tables. For utf8, the inputs to be encoded, too."""
    inputs = {}
    for name in ("decode", "extra_decode", "encode", "web_decode", "web_encode"):
        for line in (DATA / f"{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            inputs.setdefault(row.get("from", "utf8"), []).append(bytes.fromhex(row["input"]))
    return {encoding: b"".join(dict.fromkeys(rows)) for encoding, rows in inputs.items()}


def params(on_error, bom="automatic"):
    """The choices of any_params: the fallback is UTF-8, the replacement U+FFFD, and there is no error limit."""
    return [BOM.index(bom), ON_ERROR.index(on_error), 0, 0, 15]


def setup(kind, encoding, on_error, bom="automatic"):
    """The choices of any_setup."""
    return [KINDS.index(kind), ENCODINGS.index(encoding)] + params(on_error, bom)


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
    for bom, (encoding, mark) in itertools.product(BOM[1:], BYTE_ORDER_MARKS.items()):
        chosen = setup("bom", encoding, "replace", bom)
        seed(f"bom_{bom}_{encoding}", chosen, 0, BYTES, BYTES, mark + inputs[encoding])


def escape(inputs):
    controls = "\t\r\n\r \x1b\x7f\x85\u061c\u2028\u202e\u2066\u2069\ufeff\\\u20ac\U0001f600".encode() + b"\xff\r\xe2\x80"
    for on_error, line_feeds in itertools.product(ON_ERROR, (0, 1)):
        if on_error != "keep":
            chosen = setup("validator", "utf8", on_error) + [line_feeds, 0] + BYTES + MIXED
            write("escape", f"{on_error}_{line_feeds}", chosen, controls + inputs["utf8"])


def change(inputs):
    """The codecs, by their numbers in change.cpp: the rows of text_filter_rows.hpp, then two more. The two bytes after them are choices of the rules about lines."""
    text = "a\r\n\rb\n\n\ufeffc\ufeff\x01\x85\u202e\ue000caf\u00c3\u00a9 \u00c3\u0083\u00c2\u00a9\n".encode() * 3
    starts = {6: b"\0" * 600, 8: b"<meta charset=latin1><meta charset=l2>"}
    for number, on_error in itertools.product(range(11), ("replace", "strict")):
        chosen = BEST_KERNELS + params(on_error) + [number, 20, number % 2, 0, 0]
        write("change", f"{number}_{on_error}", chosen + BYTES + MIXED, starts.get(number, b"\0") + text + inputs["utf8"][:600])


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
              "unflushed": ["all", "all", "failure"], "vetoed": [], "refuses": ["none"] * 16, "dies": ["one", "none"]}
    for writing, gzip, composed, (encoding, elements), (how, calls) in itertools.product(
            (0, 1), (0, 3), (0, 1), filters.items(), faults.items()):
        if how in ("short", "waits", "unflushed", "vetoed", "refuses", "dies") and gzip:
            continue
        if how in ("unflushed", "dies") and not writing or how == "vetoed" and composed or how == "refuses" and not (writing and composed):
            continue
        links = [6, 5, 6, 4] if composed else [0, 2, 4, 6]  # indices of link_sizes in chain.cpp
        drawn = [len(calls)] + [BEHAVIOURS.index(call) for call in calls] + [0] * (16 - len(calls))
        chosen = BEST_KERNELS + [writing, gzip, composed, 1 - composed] + links + MIXED + drawn + [len(elements) - 1]
        name = ["read", "write"][writing] + "_gzip" * (gzip > 0) + "_composed" * composed + f"_{encoding}_{how}"
        chosen += [byte for escaping, element in elements for byte in [escaping] + element]
        chosen += [0, how == "unflushed"] + ([3, 1] if how == "vetoed" else [0]) * len(elements)  # throw at the second error
        chosen += [3 * (how == "dies")]
        write("chain", name, chosen, inputs[encoding][:400])


def guess(inputs):
    words = "na\u00efve, \u043f\u0440\u0438\u0432\u0435\u0442, \u4f60\u597d\u3002 \U0001f600\n"
    samples = {codec: words.encode(codec) for codec in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")}
    samples.update({"legacy": "na\u00efve caf\u00e9\n".encode("latin-1"), "no_text": b"/bin/a\0/bin/b\0\xe9\0", "marked": b"\xff\xfeo\0k\0",
                    "cut": "abc\u20ac".encode()[:-1]})
    for (name, sample), (on_error, guess_bytes) in itertools.product(samples.items(), (("replace", 7), ("replace", 0), ("strict", 255))):
        write("guess", f"{name}_{on_error}_{guess_bytes}", BEST_KERNELS + params(on_error) + [0, 0, guess_bytes, 0, 0] + BYTES + MIXED, sample)
    # Found by its letters. The reference lacks KOI8-R.
    russian = 3 * ("\u042d\u0442\u043e \u0442\u0435\u043a\u0441\u0442 \u043d\u0435 "
                   "\u043d\u0430 \u0438\u043d\u043e\u0441\u0442\u0440\u0430\u043d\u043d\u043e\u043c.\n")
    write("guess", "legacy_koi8_r", BEST_KERNELS + params("replace") + [3, 1, 255, 1, 0] + BYTES + MIXED, russian.encode("koi8-r"))
    for encoding, text in inputs.items():
        write("guess", f"table_{encoding}", BEST_KERNELS + params("escape") + [0, 0, 255, 1, 0] + MIXED + MIXED, text[:2000])


def charset(inputs):
    """The charsets, by their numbers in charset.cpp, with Python's name of each."""
    chinese, japanese, korean = "\u4e2d\u6587\u3002", "\u65e5\u672c\u8a9e\u3042\u30a2\u3002", "\ud55c\uad6d\uc5b4"
    texts = {
        0: ("shift_jis", japanese), 1: ("euc_jp", japanese), 2: ("euc_kr", korean), 3: ("gbk", chinese), 4: ("gb18030", chinese + "\U0001f600"),
        5: ("big5", chinese), 6: ("big5hkscs", chinese + "\u00ca\u0304"), 8: ("cp949", korean), 9: ("iso8859_3", "\u0127"), 10: ("cp037", "\u00e9"),
        12: ("iso2022_jp", japanese), 13: ("iso2022_jp_2", japanese + korean), 14: ("iso2022_kr", korean), 16: ("hz", chinese),
        17: ("utf_7", chinese + "\U0001f600"), 20: ("utf_16_be", chinese), 21: ("utf_32_be", chinese)}
    for number, (codec, text) in texts.items():
        text = f"a\n{text}b~\\{text}\n"
        encoded = text.encode(codec)
        for name, on_error, damage in (("good", "strict", b""), ("bad", "replace", b"\xff\x81\n\x1b(\x80")):
            half = len(encoded) // 2
            write("charset", f"from_{codec}_{name}", BEST_KERNELS + [number, 0] + params(on_error) + [0] + BYTES + MIXED,
                  encoded[:half] + damage + encoded[half:])
    write("charset", "from_cp949_ff", BEST_KERNELS + [8, 0] + params("strict") + [0] + BYTES + MIXED, korean.encode("cp949") + b"\xff\n")
    mixed = f"a\n{chinese}{japanese}{korean}\u00e9\u0905\u304b\u309a~\\\n".encode()
    for number, (on_error, mark, cut) in itertools.product(range(26), (("strict", b"", BYTES), ("skip", b"\xef\xbb\xbf", WHOLE),
                                                                       ("escape", b"\xef\xbb\xbf", MIXED))):
        if on_error == "strict":
            bad = "\u65e5\u672c\u304b".encode() + b"\xff" + mixed
        else:
            bad = mixed + "\u304b".encode() + b"\xc3\x28" + "\U0001f4a9\u05d0\u304b\U0001f4a9".encode() + mixed
        write("charset", f"to_{number:02}_{on_error}", BEST_KERNELS + [number, 1] + params(on_error) + [1] + cut + MIXED, mark + bad)
    raw = b"a\xa4\xb3\n\x82\x7e\xa4\xe9\x81\x22\x81\x30\x81\x30\x8f\xa1\x41\x1b$B$\"\x1b(B\x0e!!\x0f\xff+AOk-\xa4"
    for number in range(26):
        write("charset", f"raw_{number:02}", BEST_KERNELS + [number, 0] + params("skip") + [0] + BYTES + MIXED, raw)


def nfc(inputs):
    decomposed = unicodedata.normalize("NFD", "\u00e9\u1ec7\u0958 \ud55c\uad6d\uc5b4\n\u0419\u1f82\u212b\u2126\U0001d15e\n").encode()
    reordered = "a\u0301\u0316\u0315\u0327b\u0f71\u0f72\u0f80\u1100\u1161\u11a8\u0344\n".encode()
    many = ("a" + "\u0301\u0316" * 20 + "\n").encode()
    for on_error in ON_ERROR:
        if on_error != "keep":
            for name, text in (("marks", decomposed + b"\xcc" + reordered + many), ("table", inputs["utf8"])):
                write("nfc", f"{on_error}_{name}", BEST_KERNELS + params(on_error) + [0] + BYTES + MIXED + [3], text)


def main():
    shutil.rmtree(HERE / "seeds", ignore_errors=True)
    inputs = texts()
    for target in (transcode, escape, change, kernels, text, others, chain, guess, charset, nfc):
        target(inputs)


if __name__ == "__main__":
    main()
