#!/usr/bin/env python3
"""Counts how often guesses about texts of many languages, in the encodings that hold them, are right.

confusion.py --quick GUESSES   a few samples, utfilter alone: for the quick tests
confusion.py --check GUESSES   all samples and detectors: fails if a promise is broken, or utfilter is less often right
                               than results.txt says
confusion.py --write GUESSES   all samples and detectors: writes results.txt, results.svg and the tables of doc/guessing.md
confusion.py --page            fails if results.svg or the page is not that of results.txt

GUESSES is the program of guesses.cpp. A guess is right if the sample, decoded as the encoding guessed, is the text from
which the sample was made. The promises: well-formed UTF-8 is always guessed as UTF-8; and of the samples of 256 bytes
or more, 99.9 % in UTF-8, UTF-16 and UTF-32 are guessed right.
"""

import codecs
import collections
import ctypes
import ctypes.util
import functools
import os
import pathlib
import subprocess
import sys
import tempfile

import corpora

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "doc" / "guessing.md"
RESULTS = HERE / "results.txt"
CHART = HERE / "results.svg"
SLOW = ["chardet", "charset-normalizer"]  # Python's
STEP = 7  # those are asked about each seventh sample: every kind of damage is among these
DETECTORS = ["utfilter", "uchardet", "ICU", "file", "enca"] + SLOW
COUNT = 40  # samples of each language, encoding and size
QUICK_COUNT = 8
GROUPS = ["UTF-8", "UTF-16", "UTF-32", "one byte", "several bytes"]
NEEDED = 99.9  # per cent

# Names that Python does not know.
PYTHON_NAMES = {"iso-8859-8-i": "iso8859-8", "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman",
                "windows-874": "cp874", "x-mac-centraleurroman": "mac_latin2", "mac-cyrillic": "mac_cyrillic",
                "mac-centraleurope": "mac_latin2", "windows-949": "cp949", "uhc": "cp949", "maccyr": "mac_cyrillic"}


def group_of(encoding):
    if encoding.startswith("utf-"):
        return {"8": "UTF-8", "1": "UTF-16", "3": "UTF-32"}[encoding[4]]
    several = "\u4e16".encode(encoding, "ignore")  # all of them have this character
    return "several bytes" if several else "one byte"


@functools.lru_cache(None)
def codec_of(name):
    name = PYTHON_NAMES.get(name.strip().lower(), name.strip().lower())
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError, UnicodeError):
        return None


def is_right(sample, name):
    codec = codec_of(name)
    if codec is None:
        return False
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(sample.data) == sample.text
    except (UnicodeError, ValueError):
        return False


Sample = collections.namedtuple("Sample", "language encoding size data text")


def all_samples(count):
    result = []
    for language, (_, legacy) in corpora.LANGUAGES.items():
        text = corpora.text_of(language)
        for encoding in corpora.UNICODE + legacy:
            for size in corpora.SIZES:
                result += [Sample(language, encoding, size, *pair)
                           for pair in corpora.samples(language, text, encoding, size, count)]
    return result


# -------------------------------------------------------------------------------------------------------- the detectors

def ask_by_pipe(command, samples):
    given = b"".join(b"%d\n%s" % (len(s.data), s.data) for s in samples)
    answer = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout.decode()
    return [line.split("\t") for line in answer.splitlines()]


def ask_utfilter(program, samples):
    return ask_by_pipe([program], samples)


def ask_slow(samples):
    """{detector: the names, in the order of the samples; None for a sample about which it was not asked}"""
    lines = ask_by_pipe([HERE / "python_detectors.py"], samples[::STEP])
    answers = {}
    for column, who in enumerate(SLOW):
        answers[who] = [None] * len(samples)
        answers[who][::STEP] = [line[column] for line in lines]
    return answers


def in_groups(values, size):
    return (values[i:i + size] for i in range(0, len(values), size))


def ask_program(command, paths, name_of):
    names = []
    for group in in_groups(paths, 500):
        # Without LC_ALL enca takes the language of the user.
        answer = subprocess.run(command + group, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                                env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout.decode()
        lines = answer.splitlines()
        if len(lines) != len(group):
            sys.exit(f"confusion.py: {command[0]} wrote {len(lines)} lines about {len(group)} files")
        names += [name_of(line) for line in lines]
    return names


def after_colon(line):
    return line.rsplit(": ", 1)[-1]


ENCA_LANGUAGES = {"cs", "hu", "pl", "ru", "uk", "zh"}


def ask_enca(samples, paths):
    """enca must be told the language; for a language that it does not know, "none"."""
    by_language = collections.defaultdict(list)
    for i, sample in enumerate(samples):
        folder = corpora.LANGUAGES.get(sample.language, ["none"])[0].split(":")[-1][:2]
        by_language[folder if folder in ENCA_LANGUAGES else "none"].append(i)
    names = [""] * len(samples)
    for language, places in by_language.items():
        answers = ask_program(["enca", "-P", "-m", "-L", language], [paths[i] for i in places], after_colon)
        for i, name in zip(places, answers):
            names[i] = name
    return names


def ask_icu(samples):
    path = ctypes.util.find_library("icui18n")
    version = path.rsplit(".", 1)[1]
    library = ctypes.CDLL(path)

    def function(name, result, *arguments):
        found = getattr(library, f"{name}_{version}")
        found.restype, found.argtypes = result, arguments
        return found

    status_of = ctypes.POINTER(ctypes.c_int)
    detector = function("ucsdet_open", ctypes.c_void_p, status_of)(ctypes.c_int(0))
    set_text = function("ucsdet_setText", None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, status_of)
    detect = function("ucsdet_detect", ctypes.c_void_p, ctypes.c_void_p, status_of)
    get_name = function("ucsdet_getName", ctypes.c_char_p, ctypes.c_void_p, status_of)
    names = []
    for sample in samples:
        status = ctypes.c_int(0)
        set_text(detector, sample.data, len(sample.data), status)
        match = detect(detector, status)
        name = get_name(match, status) if match else None
        # For Arabic and Hebrew it also says the direction: IBM420_rtl.
        names.append(name.decode().split("_rtl")[0].split("_ltr")[0] if name else "")
    return names


def ask_all(program, samples):
    """{detector: the names, in the order of the samples}"""
    answers = {"utfilter": [line[0] for line in ask_utfilter(program, samples)]}
    answers["ICU"] = ask_icu(samples)
    answers.update(ask_slow(samples))
    with tempfile.TemporaryDirectory(prefix="utfilter-") as folder:
        paths = []
        for i, sample in enumerate(samples):
            paths.append(f"{folder}/{i}")
            with open(paths[-1], "wb") as file:
                file.write(sample.data)
        answers["uchardet"] = ask_program(["uchardet"], paths, after_colon)
        answers["file"] = ask_program(["file", "--brief", "--mime-encoding"], paths, str)
        answers["enca"] = ask_enca(samples, paths)
    return answers


# ----------------------------------------------------------------------------------------------------------- the results

def counts_of(samples, answers):
    """{(encoding, size): [samples, right of each detector in order]}. The count of a detector that was asked about a part of the
    samples is that of all if the others were as the part."""
    counts = collections.OrderedDict()
    asked = collections.Counter()
    for i, sample in enumerate(samples):
        row = counts.setdefault((sample.encoding, sample.size), [0] * (1 + len(answers)))
        row[0] += 1
        for column, names in enumerate(answers.values()):
            if names[i] is not None:
                asked[sample.encoding, sample.size, column] += 1
                row[1 + column] += is_right(sample, names[i])
    for (encoding, size), row in counts.items():
        row[1:] = [scaled(right, row[0], asked[encoding, size, column]) for column, right in enumerate(row[1:])]
    return counts


def scaled(count, samples, asked):
    return count if asked == samples else round(count * samples / asked)


def broken_promises(samples, names):
    broken = []
    counts = collections.Counter()
    right = collections.Counter()
    for sample, name in zip(samples, names):
        if sample.encoding not in corpora.UNICODE:
            if name.startswith("UTF-16") or name.startswith("UTF-32") or name == "detect":
                broken.append(f"{sample.language} in {sample.encoding} is taken for {name}: {sample.text!r}")
            continue
        if sample.encoding == "utf-8" and name != "UTF-8":
            broken.append(f"well-formed UTF-8 is taken for {name}: {sample.text!r}")
        if sample.size >= 256:
            counts[sample.encoding] += 1
            right[sample.encoding] += is_right(sample, name)
    for encoding, count in counts.items():
        if 100 * right[encoding] < NEEDED * count:
            broken.append(f"{encoding} from 256 bytes on: {right[encoding]} of {count} samples are right")
    return broken


def versions():
    def version(package):
        return subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", package], stdout=subprocess.PIPE,
                              check=True).stdout.decode()
    detectors = " ".join(f"{p} {version(p)}" for p in ("uchardet", "libicu-dev", "file", "enca", "python3-chardet",
                                                       "python3-charset-normalizer"))
    texts = " ".join(f"{p} {version(p)}" for p in corpora.PACKAGES)
    return detectors, texts


def write_results(counts, languages):
    detectors, texts = versions()
    lines = ["# The samples of each encoding and size, and how many of them each detector guesses right.",
             "# test/guessing/run --write writes this file.", f"# Detectors: {detectors}", f"# Texts: {texts}",
             f"# Languages: {languages}", "encoding\tsize\tsamples\t" + "\t".join(DETECTORS)]
    lines += [f"{encoding}\t{size}\t" + "\t".join(map(str, row)) for (encoding, size), row in counts.items()]
    RESULTS.write_text("\n".join(lines) + "\n")


def read_results():
    rows = [line.split("\t") for line in RESULTS.read_text().splitlines() if not line.startswith("#")]
    return {(row[0], int(row[1])): [int(n) for n in row[2:]] for row in rows[1:]}


def comments():
    return [line[2:] for line in RESULTS.read_text().splitlines() if line.startswith("# ")]


# -------------------------------------------------------------------------------------------------------------- the page

def per_cent(right, count):
    if right == count:
        return "100"
    return f"{min(100 * right / count, 99.99):.2f}".rstrip("0").rstrip(".")


def grouped(results):
    """{(group, size): [samples, right of each detector]}"""
    groups = {}
    for (encoding, size), row in results.items():
        sums = groups.setdefault((group_of(encoding), size), [0] * len(row))
        for i, n in enumerate(row):
            sums[i] += n
    return {(g, s): groups[g, s] for g in GROUPS for s in corpora.SIZES if (g, s) in groups}


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)] +
                     ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def tables(results):
    head = ["encoding", "bytes", "samples"] + DETECTORS
    short = [[group, str(size), str(row[0])] + [per_cent(n, row[0]) for n in row[1:]]
             for (group, size), row in grouped(results).items()]
    recorded = "\n".join(f"{line}.\n" for line in comments()[2:])
    return {"summary": table(head, short), "recorded": recorded}


def page_with(results, page):
    for name, text in tables(results).items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, rest = page.split(begin)
        page = before + begin + text + end + rest.split(end)[1]
    return page


def chart(results):
    """Bars: how often each detector is right, for each group and size."""
    colours = ["#1a6faf", "#66a9d9", "#e08214", "#999999", "#5aae61", "#b2abd2", "#d6604d", "#4d4d4d"]
    bar, gap, left, width = 9, 14, 150, 500
    groups = grouped(results)
    height = 40 + len(groups) * (bar * len(DETECTORS) + gap)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 60} {height}" '
           'font-family="sans-serif" font-size="11">',
           f'<rect width="{left + width + 60}" height="{height}" fill="white"/>']
    x = 10
    for detector, colour in zip(DETECTORS, colours):
        out.append(f'<rect x="{x}" y="8" width="10" height="10" fill="{colour}"/>'
                   f'<text x="{x + 14}" y="17">{detector}</text>')
        x += 32 + 6 * len(detector)
    y = 32
    for (group, size), row in groups.items():
        out.append(f'<text x="{left - 8}" y="{y + 30}" text-anchor="end">{group}, {size} bytes</text>')
        for colour, right in zip(colours, row[1:]):
            length = width * right / row[0]
            out.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 1}" fill="{colour}"/>'
                       f'<text x="{left + length + 4:.1f}" y="{y + 8}" font-size="9">{per_cent(right, row[0])} %</text>')
            y += bar
        y += gap
    return "\n".join(out + ["</svg>"]) + "\n"


def check_page():
    results = read_results()
    if CHART.read_text() != chart(results) or PAGE.read_text() != page_with(results, PAGE.read_text()):
        sys.exit("confusion.py: the page or the chart is not that of results.txt: run test/guessing/run --write")


# ------------------------------------------------------------------------------------------------------------------ main

def main():
    mode = sys.argv[1]
    if mode == "--page":
        return check_page()
    samples = all_samples(QUICK_COUNT if mode == "--quick" else COUNT)
    languages = len({s.language for s in samples})
    if languages < 20:
        sys.exit(f"confusion.py: there are texts of only {languages} languages; install iso-codes")
    if mode == "--quick":
        broken = broken_promises(samples, [names[0] for names in ask_utfilter(sys.argv[2], samples)])
    else:
        answers = ask_all(sys.argv[2], samples)
        broken = broken_promises(samples, answers["utfilter"])
        counts = counts_of(samples, {name: answers[name] for name in DETECTORS})
    if mode == "--check":
        if comments()[2:] != ["Detectors: " + versions()[0], "Texts: " + versions()[1], f"Languages: {languages}"]:
            print("confusion.py: the packages are not those of results.txt: only the promises are checked")
        else:
            recorded = read_results()
            for key, row in counts.items():
                if row[1] < recorded[key][1]:
                    broken.append(f"{key}: utfilter guesses {row[1]} of {row[0]} right, {recorded[key][1]} before")
    if broken:
        sys.exit("confusion.py: " + "\n".join(broken))
    if mode == "--write":
        write_results(counts, languages)
        results = read_results()
        CHART.write_text(chart(results))
        PAGE.write_text(page_with(results, PAGE.read_text()))
    print(f"{len(samples)} samples of {languages} languages")
    return None


if __name__ == "__main__":
    main()
