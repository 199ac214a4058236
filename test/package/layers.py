#!/usr/bin/env python3
"""layers.py [--quiet] SOURCE: checks that every #include under include/utfilter and src names a file of its own layer,
or of a layer below it, and that utfcat includes no header of the library but the public ones and FOR_UTFCAT. Prints a
sentence for each #include that does not, and for each file of no layer; then the exit status is 1. Last it prints the
number of cases, unless --quiet is given.

A header under include/utfilter names its layer in its first lines: `// layer: codecs`. A file under src is of the layer
that its folder is named after, unless it names another one in the same way."""
import fnmatch
import pathlib
import re
import sys

# The layers, the lowest first; those in one row do not include each other. Each stands with the headers of other
# libraries that it may include. (All layers may include the C++ standard library.)
LAYERS = (
    {"unicode": ""},
    {"kernels": "immintrin.h arm_neon.h wasm_simd128.h sys/auxv.h cpuid.h"},
    {"encodings": "", "exceptions": ""},
    {"locale": "langinfo.h windows.h", "codecs": ""},
    {"conversion": ""},
    {"transfer": ""},
    {"filters": "boost/*", "streams": "", "logs": "fmt/* spdlog/*"},
    {"posix": "fcntl.h poll.h unistd.h sys/inotify.h sys/stat.h", "threads": "pthread.h sys/single_threaded.h",
     "sources": "boost/*", "icu": "unicode/*", "nfc": "utf8proc.h"},
    {"all": ""},
    {"utfcat": "boost/*"},
    {"system": "fcntl.h poll.h unistd.h sys/* io.h windows.h shellapi.h"},
)
RANKS = {name: rank for rank, row in enumerate(LAYERS) for name in row}
OTHERS = {name: others.split() for row in LAYERS for name, others in row.items()}
# These files do not exist: an old compiler prints their names in its error. See the headers that include them.
NO_FILES = {"utfilter/needs_cxx17", "utfilter/needs_exceptions", "utfilter/needs_boost_1_74"}
# utfcat and line_reader both find the places in a file from which decoded text comes. A user has no need of this header.
FOR_UTFCAT = "utfilter/detail/source_map.hpp"


def layer_of(source, path):
    """The layer of a file, or None if it has none. The path is relative to the project's folder."""
    first_lines = re.match(r"(?://.*\n)*", (source / path).read_text(encoding="utf-8"))[0]
    named = re.search(r"^// layer: (\w+)$", first_lines, re.MULTILINE)
    layer = named[1] if named else path.split("/")[1] if path.startswith("src/") else None
    return layer if layer in RANKS else None


def allowed(layer):
    below = [name for name, rank in RANKS.items() if rank < RANKS[layer]]
    return f"{layer} may include {', '.join([layer, *below, 'the standard library', *OTHERS[layer]])}"


def complaint(source, path, by_quotes, included):
    """The mistake of an include in the file at `path`; empty if it is allowed."""
    layer = layer_of(source, path)
    folder = "src/utfcat" if path.startswith("src/utfcat/") else "src"
    if ".." in included.split("/"):
        return f"{included} goes up by ../; files of {folder} are included by their path from {folder}"
    if folder == "src/utfcat" and included.startswith("utfilter/detail/") and included != FOR_UTFCAT:
        return f"{included} is no public header; of the others utfcat may include only {FOR_UTFCAT}"
    target = f"{folder}/{included}" if by_quotes else f"include/{included}"
    if included in NO_FILES:
        return ""
    if not by_quotes and not included.startswith("utfilter/"):
        if re.fullmatch(r"\w+", included) or any(fnmatch.fnmatch(included, other) for other in OTHERS[layer]):
            return ""
        return f"layer {layer} includes {included} of another library; {allowed(layer)}"
    if not (source / target).is_file():
        return f"there is no {target}; files of {folder} are included by their path from {folder}"
    other = layer_of(source, target)
    if other in (None, layer) or RANKS[other] < RANKS[layer]:  # check() names a file of no layer
        return ""
    return f"layer {layer} includes {included} of layer {other}; {allowed(layer)}"


def check(source):
    """The number of includes, and a sentence for each one that is not allowed, and for each file without a layer."""
    number, wrong = 0, []
    files = [file for folder in ("include/utfilter", "src") for file in sorted((source / folder).rglob("*")) if file.suffix in (".hpp", ".cpp", ".inc")]
    for file in files:
        path = file.relative_to(source).as_posix()
        if layer_of(source, path) is None:
            wrong.append(f"{path} belongs to no layer; name it in the first lines: // layer: {' | '.join(RANKS)}")
            continue
        for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', text)
            if not found:
                continue
            number += 1
            if why := complaint(source, path, found.group(1) == '"', found.group(2)):
                wrong.append(f"{path}:{line}: {why}")
    return number, wrong


def main():
    quiet = sys.argv[1] == "--quiet"
    number, wrong = check(pathlib.Path(sys.argv[-1]))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if not quiet:
        print(f"{number} cases, {len(wrong)} failed")
    return 1 if wrong or number < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
