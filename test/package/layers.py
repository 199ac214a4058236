#!/usr/bin/env python3
"""layers.py [--quiet] SOURCE: checks that every #include under include/utfilter and src names a file of its own layer,
or of a layer below it, and that utfcat includes no header of the library but the public ones and FOR_UTFCAT. Prints a
sentence for each #include that does not; then the exit status is 1. Last it prints the number of cases, unless --quiet
is given."""
import fnmatch
import pathlib
import re
import sys

# Each layer, the lowest first: its rank, its files, and the headers of other libraries that it may include. (All layers
# may include the C++ standard library.)
LAYERS = {
    "unicode":    (0, "src/unicode/* config.hpp error.hpp fwd.hpp utf8.hpp", ""),
    "kernels":    (1, "src/kernels/*", "immintrin.h arm_neon.h wasm_simd128.h sys/auxv.h cpuid.h"),
    "locale":     (3, "src/encodings/locale.cpp", "langinfo.h windows.h"),
    "encodings":  (2, "src/encodings/* encoding.hpp", ""),
    "codecs":     (3, "src/codecs/* checkpoint.hpp codec.hpp control_cleaner.hpp control_escaper.hpp hole_skipper.hpp inspector.hpp line_sorter.hpp mark_stripper.hpp mojibake_undoer.hpp newline_converter.hpp params.hpp printable.hpp printable_options.hpp repair.hpp signature_codec.hpp text.hpp transcoder.hpp utf8_checker.hpp "
                      "detail/printable_format.hpp detail/printable_pieces.hpp detail/signed_codec.hpp detail/text_codec.hpp detail/unit_converter.hpp detail/wide_codec.hpp", ""),
    "conversion": (4, "byte_range.hpp conversion.hpp convert.hpp decoder.hpp utf_error.hpp detail/codec_contract.hpp detail/exceptions.hpp "
                      "detail/naming.hpp detail/needs_exceptions.hpp detail/transfer.hpp", ""),
    "filters":    (5, "filter.hpp bom_filter.hpp escape_controls.hpp from_utf8.hpp inspect.hpp mojibake.hpp newlines.hpp strip_marks.hpp to_utf8.hpp utf16_to_utf8.hpp utf8_validator.hpp "
                      "stream_source.hpp detail/chain_access.hpp", "boost/*"),
    "posix":      (6, "src/streams/growing_file_posix.cpp", "fcntl.h poll.h unistd.h sys/inotify.h sys/stat.h"),
    "threads":    (6, "src/streams/this_thread.cpp", "pthread.h"),
    "streams":    (5, "src/streams/* stream.hpp fstream.hpp follow_streambuf.hpp line_reader.hpp range_streambuf.hpp rejects.hpp scoped_filter.hpp wide_stream.hpp "
                      "detail/lossless_streambuf.hpp detail/source_map.hpp", ""),
    "logs":       (5, "printable_fmt.hpp spdlog_sink.hpp", "fmt/* spdlog/*"),
    "sources":    (6, "follow_source.hpp lines.hpp range_source.hpp", "boost/*"),
    "icu":        (6, "src/icu/* charset.hpp icu.hpp", "unicode/*"),
    "uchardet":   (6, "src/uchardet/* uchardet.hpp", "uchardet/*"),
    "nfc":        (6, "src/nfc/* nfc_normalizer.hpp nfc.hpp", "utf8proc.h"),
    "all":        (7, "utfilter.hpp", ""),
    "system":     (9, "src/utfcat/system.cpp src/utfcat/system_windows.cpp", "fcntl.h poll.h unistd.h sys/* io.h windows.h shellapi.h"),
    "utfcat":     (8, "src/utfcat/*", "boost/*"),
}
# These files do not exist: an old compiler prints their names in its error. See the headers that include them.
NO_FILES = {"utfilter/needs_cxx17", "utfilter/needs_exceptions", "utfilter/needs_boost_1_74"}
# utfcat and line_reader both find the places in a file from which decoded text comes. A user has no need of this header.
FOR_UTFCAT = "utfilter/detail/source_map.hpp"


def layer_of(path):
    """The layer of a file, or None. The path is relative to the project's folder."""
    name = path.removeprefix("include/utfilter/")
    return next((layer for layer, (_, files, _) in LAYERS.items() if any(fnmatch.fnmatch(name, file) for file in files.split())), None)


def allowed(layer):
    rank, _, others = LAYERS[layer]
    below = [name for name, (other, _, _) in LAYERS.items() if other < rank]
    return f"{layer} may include {', '.join([layer, *below, 'the standard library', *others.split()])}"


def complaint(source, path, by_quotes, included):
    """The mistake of an include in the file at `path`; empty if it is allowed."""
    layer = layer_of(path)
    if layer is None:
        return "the file belongs to no layer; name it in LAYERS in test/package/layers.py"
    folder = "src/utfcat" if path.startswith("src/utfcat/") else "src"
    if ".." in included.split("/"):
        return f"{included} goes up by ../; files of {folder} are included by their path from {folder}"
    if folder == "src/utfcat" and included.startswith("utfilter/detail/") and included != FOR_UTFCAT:
        return f"{included} is no public header; of the others utfcat may include only {FOR_UTFCAT}"
    target = f"{folder}/{included}" if by_quotes else f"include/{included}"
    if included in NO_FILES:
        return ""
    if not by_quotes and not included.startswith("utfilter/"):
        if re.fullmatch(r"\w+", included) or any(fnmatch.fnmatch(included, other) for other in LAYERS[layer][2].split()):
            return ""
        return f"layer {layer} includes {included} of another library; {allowed(layer)}"
    if not (source / target).is_file():
        return f"there is no {target}; files of {folder} are included by their path from {folder}"
    other = layer_of(target)
    if other is None:
        return f"{target} belongs to no layer; name it in LAYERS in test/package/layers.py"
    if other == layer or LAYERS[other][0] < LAYERS[layer][0]:
        return ""
    return f"layer {layer} includes {included} of layer {other}; {allowed(layer)}"


def check(source):
    """The number of includes, and a sentence for each one that is not allowed."""
    number, wrong = 0, []
    files = [file for folder in ("include/utfilter", "src") for file in sorted((source / folder).rglob("*")) if file.suffix in (".hpp", ".cpp", ".inc")]
    for file in files:
        path = file.relative_to(source).as_posix()
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
