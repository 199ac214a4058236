"""python_codecs.py: the incremental decoders of Python's codecs. driver.hpp describes questions and answers."""
import codecs
import platform
import sys

NAMES = {("utf-8", "keep"): "utf-8", ("utf-8", "strip"): "utf-8-sig", ("utf-16le", "keep"): "utf-16-le",
         ("utf-16be", "keep"): "utf-16-be", ("utf-32le", "keep"): "utf-32-le", ("utf-32be", "keep"): "utf-32-be",
         ("utf-16", "strip"): "utf-16", ("utf-32", "strip"): "utf-32"}


def answer(mode, encoding, signature, pieces):
    if (encoding, signature) not in NAMES and signature == "strip":
        return "n/a"
    try:
        make = codecs.getincrementaldecoder(NAMES.get((encoding, signature), encoding))
    except LookupError:
        return "n/a"
    decoder = make({"strict": "strict", "replace": "replace", "skip": "ignore"}[mode])
    output, errors, taken = [], "", 0
    try:
        for number, piece in enumerate([*pieces, b""]):
            output.append(decoder.decode(piece, final=number == len(pieces)))
            taken += len(piece)
    except UnicodeDecodeError as error:
        # error.object holds the bytes kept from earlier pieces, then this piece. So error.object ends where this piece
        # ends, and error.start counts from the start of error.object.
        errors = f"{taken + len(piece) - (len(error.object) - error.start)}:{error.end - error.start},"
    except UnicodeError:
        errors = "told"
    return "".join(output).encode("utf-8", "surrogatepass").hex() + "|" + errors


for line in sys.stdin:
    words = line.rstrip("\n").split(" ")
    if words == ["version"]:
        print(platform.python_version(), flush=True)
    else:
        print(answer(*words[:3], [bytes.fromhex(piece) for piece in words[3].split("|")[:-1]]), flush=True)
