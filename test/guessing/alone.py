#!/usr/bin/env python3
"""alone.py: how often the library's own statistics are right about texts that did not train them.

    alone.py LIKELY FOLDER [CODE...]   right and wrong for each encoding and language, beside uchardet; then how often answers of
                                       each confidence are right. CODE is a language; all without one
    alone.py --quick LIKELY            a few samples of the packages that corpora.py names. Fails if too few are right

LIKELY is the program of likely.cpp. FOLDER has the packages of src/encodings/models/languages.py that are kept apart; apt-get
downloads those that it lacks. A sample is a piece of a text in one of the encodings in which its language is found. A guess is
right if it makes of the sample the text from which the sample was made. It is wrong without a word if it is not right and its
confidence is that of an answer, not of an assumption.
"""
import codecs
import collections
import ctypes
import ctypes.util
import functools
import hashlib
import pathlib
import random
import subprocess
import sys
import unicodedata

import corpora

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src/encodings/models"), str(ROOT / "src/encodings")]
from candidates import decomposed, prepared  # noqa: E402
from languages import APART, LANGUAGES  # noqa: E402
from texts import download, texts_of  # noqa: E402

COUNTS = {64: 24, 256: 16, 4096: 8}  # samples of each language and encoding, by their size in bytes
SHARE = 300_000  # characters of a language, of which each package gives the same share
LEAST = 0.5  # the confidence of an answer
QUICK_COUNT = 8
NEEDED = {64: 93, 256: 96, 4096: 99}  # per cent that must be right of the quick samples

# Python's names of what the detectors name.
NAMES = {"x-mac-centraleurroman": "mac_latin2", "mac-centraleurope": "mac_latin2", "macintosh": "mac_roman", "ibm737": "cp737", "ibm-720": "cp720", "x-mac-greek": "mac_greek",
         "x-mac-turkish": "mac_turkish",
         "x-mac-cyrillic": "mac_cyrillic", "mac-cyrillic": "mac_cyrillic", "rk1048": "kz1048", "windows-874": "cp874",
         "tis-620": "cp874", "armscii-8": "armscii8", "uhc": "cp949", "euc-kr": "cp949", "shift_jis": "cp932", "gbk": "gb18030", "big5": "big5hkscs"}
# What a writer takes where an encoding lacks a character.
PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "−": "-", "‐": "-",
                       "‑": "-", "\u200b": "", "\u200e": "", "\u200f": "", "\u202f": " ", "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ"})
# The same bytes are Romanian letters with a cedilla in windows-1250 and with a comma, as is right, in ISO-8859-16.
COMMAS = str.maketrans("şţŞŢ", "șțȘȚ")

Sample = collections.namedtuple("Sample", "language encoding size data text")
Answer = collections.namedtuple("Answer", "name language confidence cost")


# --------------------------------------------------------------------------------------------------------- the samples

@functools.lru_cache(None)
def in_encoding(c, encoding):
    """The character, or what stands for it in this encoding."""
    for form in (c, c.translate(PLAIN), c.translate(COMMAS), unicodedata.normalize("NFKC", c)):
        try:
            form.encode(encoding)
            return form
        except UnicodeEncodeError:
            pass
    return ""


def text_in(packages, code, encoding):
    share = SHARE // len(packages)
    text = "\n".join("\n".join(packages[package])[:share] for package in sorted(packages))
    text = decomposed(text) if encoding == "cp1258" else prepared(text, code) if code == "fa" else unicodedata.normalize("NFC", text)
    return "".join(in_encoding(c, encoding) for c in text)


def pieces(text, encoding, size, count, choose):
    """Pieces of the size, each with a byte beyond ASCII. The end may cut a character."""
    for _ in range(20 * count if len(text) >= size else 0):
        at = choose.randrange(len(text) - size // 4)
        data = text[at:at + size].encode(encoding)[:size]
        if len(data) == size and not data.isascii():
            yield data


def samples(folder, languages, counts):
    texts = texts_of(folder, APART)
    for language in LANGUAGES:
        packages = texts.get(language.code)
        if not packages or (languages and language.code not in languages):
            continue
        for encoding in language.encodings.replace("?", "").split():
            text = text_in(packages, language.code, encoding)
            choose = random.Random(hashlib.sha256(f"{language.code} {encoding}".encode()).digest())
            for size, count in counts.items():
                for _, data in zip(range(count), pieces(text, encoding, size, count, choose)):
                    yield Sample(language.code, encoding, size, data, decoded(data, encoding))


# ------------------------------------------------------------------------------------------------------- the detectors

def decoded(data, codec):
    """Without a character that the end cuts."""
    return codecs.getincrementaldecoder(codec)("strict").decode(data)


def is_right(sample, name):
    try:
        text = decoded(sample.data, codecs.lookup(NAMES.get(name.lower(), name)).name)
        return text.translate(COMMAS) == sample.text.translate(COMMAS)
    except (LookupError, ValueError):
        return False


def ask(program, asked):
    """For each sample its likely encodings."""
    given = b"".join(b"%d\n%s" % (len(s.data), s.data) for s in asked)
    lines = subprocess.run([program, "-"], input=given, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    return [[Answer(name, language, float(confidence), float(cost)) for name, language, confidence, cost in
             (answer.split(" ") for answer in line.split("\t")[:-1])] for line in lines]


def ask_uchardet(asked):
    """For each sample a name, or nothing."""
    path = ctypes.util.find_library("uchardet")
    if path is None:
        return [""] * len(asked)
    library = ctypes.CDLL(path)
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    library.uchardet_handle_data.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    for function in ("uchardet_get_charset", "uchardet_data_end", "uchardet_delete"):
        getattr(library, function).argtypes = [ctypes.c_void_p]
    names = []
    for sample in asked:
        detector = library.uchardet_new()
        library.uchardet_handle_data(detector, sample.data, len(sample.data))
        library.uchardet_data_end(detector)
        names.append(library.uchardet_get_charset(detector).decode())
        library.uchardet_delete(detector)
    return names


# ------------------------------------------------------------------------------------------------------------ the results

Result = collections.namedtuple("Result", "sample best right theirs_right theirs_wrong")


def results_of(program, asked):
    for sample, answers, name in zip(asked, ask(program, asked), ask_uchardet(asked)):
        best = answers[0] if answers else Answer("", "", 0, 0)
        theirs = is_right(sample, name)
        yield Result(sample, best, is_right(sample, best.name), theirs, bool(name) and not theirs)


def per_cent(of, results):
    return 100 * sum(map(of, results)) / len(results)


def cell(results):
    if not results:
        return 23 * " "
    return (f"{per_cent(lambda r: r.right, results):5.1f} /{per_cent(lambda r: not r.right and r.best.confidence >= LEAST, results):4.1f} "
            f"{per_cent(lambda r: r.theirs_right, results):5.1f} /{per_cent(lambda r: r.theirs_wrong, results):5.1f}")


def print_table(results, key):
    groups = collections.defaultdict(list)
    for result in results:
        groups[key(result.sample)].append(result)
    for name in [*sorted(groups), "all"]:
        row = groups.get(name, results)
        print(f"{name:14}" + " | ".join(cell([r for r in row if r.sample.size == size]) for size in COUNTS))
    print()


def print_curve(results):
    """How often answers are right, by their confidence."""
    groups = collections.defaultdict(list)
    for result in results:
        groups[int(20 * result.best.confidence)].append(result)
    print("confidence  answers  right, per cent")
    for step, group in sorted(groups.items()):
        mean = sum(r.best.confidence for r in group) / len(group)
        print(f"{mean:10.2f} {len(group):8} {per_cent(lambda r: r.right, group):6.1f}")
    print()


def measure(program, folder, languages):
    download(folder, APART)
    results = list(results_of(program, list(samples(folder, languages, COUNTS))))
    print(f"right / wrong without a word, per cent, of this library and of uchardet; {', '.join(map(str, COUNTS))} bytes")
    print_table(results, lambda sample: sample.encoding)
    print_table(results, lambda sample: sample.language)
    print_curve(results)
    wrong = collections.Counter(f"{r.sample.language} in {r.sample.encoding}, {r.sample.size} bytes: {r.best.name} {r.best.language}"
                                for r in results if not r.right)
    print(*(f"{count} times {what}" for what, count in wrong.most_common(40)), sep="\n")


def check_quickly(program):
    asked = []
    for language, (_, encodings) in corpora.LANGUAGES.items():
        text = corpora.text_of(language) if encodings else ""
        for encoding in encodings:
            for size in COUNTS:
                asked += [Sample(language, encoding, size, *piece)
                          for piece in corpora.samples(language, text, encoding, size, QUICK_COUNT)]
    answers = ask(program, asked)
    failed = False
    for size, needed in NEEDED.items():
        found = [bool(of) and is_right(sample, of[0].name) for sample, of in zip(asked, answers) if sample.size == size]
        share = 100 * sum(found) / max(1, len(found))
        failed = failed or share < needed
        print(f"{size} bytes: {share:.1f} % of {len(found)} samples are right, {needed} are needed")
    sys.exit(failed)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--quick":
        check_quickly(sys.argv[2])
    elif len(sys.argv) >= 3:
        measure(sys.argv[1], sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)
