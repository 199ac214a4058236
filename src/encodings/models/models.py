#!/usr/bin/env python3
"""models.py: makes the models of languages by which the encoding of a text is guessed, from texts of Debian packages.

    models.py FOLDER           writes src/encodings/models.inc
    models.py --check FOLDER   writes nothing. Fails if the file differs from what would be written

The packages are read from the folder; apt-get downloads those that it lacks, 220 MB (it needs `apt-get update` before, and
installs nothing). languages.py lists the languages and the packages, candidates.py the encodings. To add a language,
add its row to languages.py and run this script; it then counts in all encodings that have its letters.

models.hpp says what the tables mean. A model is made of the words that have a letter beyond ASCII, because only these tell an
encoding: of all pairs of neighbouring characters in them, with the characters around the word.
"""
import collections
import math
import pathlib
import re
import sys
import textwrap
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from candidates import ALIASES, ENCODINGS, VISUAL, characters, prepared  # noqa: E402
from languages import LANGUAGES, SCARCE, TRAINING  # noqa: E402
from texts import download, texts_of, version_of  # noqa: E402

TARGET = HERE.parent / "models.inc"
LONGEST_TEXT = 1_000_000  # characters of a language, of which each package gives its share
STEP = 0.75  # bits
DEAREST = 15  # steps: a cost is half a byte
DEAREST_OF_ASCII = 8  # of two letters of ASCII: names, abbreviations and codes have any of them


def cost_of(share):
    """In steps."""
    return max(0, min(DEAREST, round(-math.log2(share) / STEP)))


# ---------------------------------------------------------------------------------------------------- kinds of characters
# They are in the order of `kind` in models.hpp.

EDGE, DIGIT, PUNCTUATION, SYMBOL, ODD, BOX, FOREIGN, WRONG, FIRST_MARK = range(9)
MARKS = "\u00a0«»“”„‘’‚–—…·°¡¿ºª"
FIRST_LETTER = FIRST_MARK + len(MARKS)
OPENING, CLOSING = "«“„‘‚¡¿", "»”’…°ºª"  # the other marks stand between words
SYMBOLS = "§©®™€£¥±²³µ½¼¾×÷•†№´،؛؟ـ\u200e\u200f\u200c\u200d¢"
BLOCKS = {
    "latin": [(0xC0, 0x24F), (0x1E00, 0x1EFF), (0x300, 0x36F)],
    "greek": [(0x370, 0x3FF), (0x1F00, 0x1FFF)],
    "cyrillic": [(0x400, 0x52F)],
    "hebrew": [(0x590, 0x5FF), (0xFB1D, 0xFB4F)],
    "arabic": [(0x600, 0x6FF)],
    "armenian": [(0x530, 0x58F)],
    "georgian": [(0x10A0, 0x10FF)],
    "thai": [(0xE00, 0xE7F)],
}


def small(c):
    """The small letter of a capital. That of the Turkish İ is one of ASCII, so it is a letter of its own."""
    lower = c.lower()
    return lower if len(lower) == 1 else c


def is_letter_of(c, script):
    """Whether it is a letter or a mark on a letter, beyond ASCII, of the script."""
    in_block = any(first <= ord(c) <= last for first, last in BLOCKS[script])
    return in_block and unicodedata.category(c)[0] in "LM" and c not in SYMBOLS


def letters_of_ascii(script):
    return 26 if script == "latin" else 1


def kind_of(c, script, letters):
    """The kind of a character of an encoding beyond ASCII; `letters` has the places of those of the script."""
    c = small(c).translate(ALIASES)
    if c in MARKS:
        return FIRST_MARK + MARKS.index(c)
    if c in SYMBOLS:
        return SYMBOL
    if c in letters:
        return FIRST_LETTER + letters_of_ascii(script) + letters[c]
    if "\x80" <= c < "\xa0":
        return WRONG
    return BOX if "\u2500" <= c <= "\u259f" else FOREIGN if is_letter_of(c, script) else ODD


# ----------------------------------------------------------------------------------------------------- classes of a language

CLASSES = ["edge", "digit", "punctuation", "opening", "closing", "between", "symbol", "foreign"]  # then the letters
OF = {name: number for number, name in enumerate(CLASSES)}


def class_of_mark(c):
    return OF["opening" if c in OPENING else "closing" if c in CLOSING else "between"]


# A line of a box stands where a space does.
CLASSES_OF_KINDS = [OF[name] for name in "edge digit punctuation symbol symbol edge foreign symbol".split()]
CLASSES_OF_KINDS += map(class_of_mark, MARKS)

# How many letters beyond ASCII a model has at most, and how frequent they are among these at least.
LIMITS = {"latin": (72, 0.0015), "thai": (80, 1e-5)}
OTHER_LIMITS = (64, 1e-4)
# Where a pair is rare, its share of all words counts as so many pairs, and the share of its second class as so many of these.
OF_ALL_WORDS, OF_CLASS = 30, 8
FOREIGN_LETTERS = 40  # a letter that the language lacks is one of so many

WORDS = re.compile(r"(?:\A|.)[A-Za-z]*[^\0-\x7f][A-Za-z\x80-\U0010ffff]*(?:.|\Z)", re.DOTALL)


class Model:
    """The counts of pairs in the texts of a language."""

    def __init__(self, language, text):
        self.language = language
        script = language.script
        most, least = LIMITS.get(script, OTHER_LIMITS)
        self.letters = collections.Counter(small(c) for c in text if not c.isascii() and is_letter_of(c, script))
        frequent = [c for c, n in self.letters.most_common(most) if n > 2 and n >= least * self.letters.total()]
        self.alphabet = sorted(frequent)
        self.first = len(CLASSES) + letters_of_ascii(script)  # class of the alphabet
        self.count = self.first + len(self.alphabet)
        of_character = {}

        def pairs_of(part):
            classes = []
            for c in part:
                if c not in of_character:
                    of_character[c] = self.class_of(small(c))
                classes.append(of_character[c])
            return zip(classes, classes[1:])

        self.pairs, self.pairs_of_all = collections.Counter(), collections.Counter(pairs_of(text))
        for word in WORDS.finditer(f" {text} "):
            self.pairs.update(pairs_of(word[0]))

    def class_of(self, c):
        if c in self.alphabet:
            return self.first + self.alphabet.index(c)
        if c.isascii() and c.isalpha():
            return len(CLASSES) + (ord(c) - ord("a") if self.language.script == "latin" else 0)
        if c.isascii():
            return OF["digit" if c.isdigit() else "edge" if c <= " " else "punctuation"]
        if c in MARKS:
            return class_of_mark(c)
        return OF["foreign" if unicodedata.category(c)[0] in "LM" else "symbol"]

    def sums(self, pairs, side):
        found = [0.5] * self.count
        for pair, n in pairs.items():
            found[pair[side]] += n
        return found

    def costs(self):
        """The cost of each class after each class."""
        before, after = self.sums(self.pairs, 0), self.sums(self.pairs, 1)
        before_in_all, total = self.sums(self.pairs_of_all, 0), sum(after)

        def cost(p, c):
            in_all = (self.pairs_of_all[p, c] + OF_CLASS * after[c] / total) / (before_in_all[p] + OF_CLASS)
            share = (self.pairs[p, c] + OF_ALL_WORDS * in_all) / (before[p] + OF_ALL_WORDS)
            steps = cost_of(share / (FOREIGN_LETTERS if c == OF["foreign"] else 1))
            is_ascii = len(CLASSES) <= min(p, c) and max(p, c) < self.first
            return min(steps, DEAREST_OF_ASCII) if is_ascii else steps
        return [[cost(p, c) for c in range(self.count)] for p in range(self.count)]


def costs_of_marks(texts):
    """The cost of each mark among those of its class: after a letter, and after another character."""
    found = []
    for after_letter in (True, False):
        counts = collections.Counter()
        for text in texts:
            counts.update(c for before, c in zip(" " + text, text) if c in MARKS and before.isalpha() == after_letter)
        of_class = collections.Counter()
        for c, n in counts.items():
            of_class[class_of_mark(c)] += n
        found += [cost_of((counts[c] + 0.5) / (of_class[class_of_mark(c)] + 2)) for c in MARKS]
    return found


def costs_of_case(texts):
    """The cost of a small letter and of a capital: after no letter, a small one, one capital, and several capitals."""
    counts = [[0, 0] for _ in range(4)]
    for text in texts:
        state = 0
        for c in text:
            if c.lower() == c.upper():
                state = 0
                continue
            capital = c != c.lower()
            counts[state][capital] += 1
            state = 1 if not capital else 2 if state < 2 else 3
    return [cost_of((n + 0.5) / (sum(row) + 2)) for row in counts for n in row]


# --------------------------------------------------------------------------------------------- Chinese, Japanese and Korean

# How many frequent characters each has, in the order of han_language in models.hpp.
HAN = {"ja": 1000, "ko": 1000, "zh": 1400, "zh-Hant": 1400}
LEAST_BITS = 4  # what the most frequent ones cost; half a byte has the bits beyond it, and 15 says that it is not frequent


def costs_of_han(texts):
    """{character: the costs in the four languages}, in order."""
    costs = collections.defaultdict(lambda: [15] * len(HAN))
    for place, (code, frequent) in enumerate(HAN.items()):
        counts = collections.Counter(c for c in texts[code] if "\x80" <= c < "\U00010000")
        for c, n in counts.most_common(frequent):
            costs[c][place] = max(0, min(14, round(-math.log2(n / counts.total())) - LEAST_BITS))
    return dict(sorted(costs.items()))


# ---------------------------------------------------------------------------------------------------------------- the texts

def teaches(line, script):
    """Whether a line has no letter of another script."""
    return script == "han" or all(c.isascii() or not c.isalpha() or is_letter_of(c, script) or c in MARKS for c in line)


def text_of(packages, language):
    """The same share of each package, so that no subject prevails."""
    parts = ["\n".join(line for line in lines if teaches(line, language.script)) for lines in packages.values()]
    text, left = [], LONGEST_TEXT
    for i, part in enumerate(sorted(parts, key=len)):
        text.append(part[:left // (len(parts) - i)])
        left -= len(text[-1])
    return prepared("\n".join(text), language.code, language.encodings)


def training_texts(folder):
    packages = texts_of(folder, TRAINING)
    for code, found in texts_of(folder, SCARCE).items():
        packages.setdefault(code, found)
    return [text_of(packages[language.code], language) for language in LANGUAGES]


# ----------------------------------------------------------------------------------------------------------- the candidates

def fits(model, encoding):
    """Whether the encoding has the letters of nearly all words of the language."""
    has = {small(c).translate(ALIASES) for c in characters(encoding) if c}
    needed = sum(n for c, n in model.letters.items() if c in model.alphabet)
    return sum(n for c, n in model.letters.items() if c in model.alphabet and c in has) >= 0.97 * needed


def bytes_of_letters(model, encoding):
    return {(c, byte) for byte, c in enumerate(characters(encoding)) if c and small(c).translate(ALIASES) in model.alphabet}


def languages_of(encoding, models):
    """The languages that the encoding has the letters of: (number, whether it is usual for it). If a usual encoding has the
    same bytes for all letters of a language, another one has nothing to add."""
    for number, model in enumerate(models):
        if model.language.script != encoding.script or not fits(model, encoding):
            continue
        names = model.language.encodings.split()
        usual = [e for e in ENCODINGS if e.codec in names]
        letters = bytes_of_letters(model, encoding)
        if encoding in usual or encoding.codec + "?" in names or not any(letters <= bytes_of_letters(model, e) for e in usual):
            yield number, encoding in usual


# ---------------------------------------------------------------------------------------------------------- what is written

WIDTH = 120  # of lines of C++


def array(kind, name, values):
    lines = [""]
    for value in values:
        if len(lines[-1]) + len(str(value)) + 5 > WIDTH:
            lines.append("")
        lines[-1] += f"{value},"
    return f"constexpr {kind} {name}[] = {{\n" + "".join(f"    {line}\n" for line in lines) + "};\n"


def identifier(name):
    return name.lower().replace("-", "_")


def identifier_of(language):
    """A language has several models if its letters are written in several ways."""
    number = [other for other in LANGUAGES if other.code == language.code].index(language)
    return identifier(language.code) + (f"_{number + 1}" if number else "")


def of_language(model, letters):
    own = {c: model.first + place for place, c in enumerate(model.alphabet)}
    classes = [*CLASSES_OF_KINDS, *range(len(CLASSES), model.first), *(own.get(c, OF["foreign"]) for c in letters)]
    cells = [cost for row in model.costs() for cost in row + [0] * (model.count % 2)]
    pairs = [first + 16 * second for first, second in zip(cells[::2], cells[1::2])]
    name = identifier_of(model.language)
    return array("std::uint8_t", f"{name}_classes", classes) + array("std::uint8_t", f"{name}_pairs", pairs)


def row_of_language(model):
    name = identifier_of(model.language)
    return f'    {{"{model.language.code}", script::{model.language.script}, {model.count}, {name}_classes, {name}_pairs}},\n'


def of_encoding(encoding, letters):
    upper, name = characters(encoding), identifier(encoding.name)
    text = array("std::uint8_t", f"{name}_kinds", [kind_of(c, encoding.script, letters) if c else WRONG for c in upper])
    if encoding.enumerator is None:
        text += array("char16_t", f"{name}_characters", [f"0x{ord(c):X}" if c else 0 for c in upper])
    return text


def row_of_encoding(encoding, first, count):
    name = identifier(encoding.name)
    capitals = sum(1 << place for place, c in enumerate(characters(encoding)) if c and c.isupper())
    return (f'    {{"{encoding.name}", encoding::{encoding.enumerator or "detect"}, script::{encoding.script}, {encoding.prior}, '
            f"{name}_kinds, {{0x{capitals % 2**64:X}, 0x{capitals >> 64:X}}}, "
            f"{'nullptr' if encoding.enumerator else name + '_characters'}, {first}, {count}}},\n")


def written(folder):
    texts = training_texts(folder)
    models = [Model(language, text) for language, text in zip(LANGUAGES, texts) if language.script != "han"]
    letters = {script: {c: place for place, c in enumerate(sorted({
        c for model in models if model.language.script == script for c in model.alphabet}))} for script in BLOCKS}

    rows, pairs, of_encodings = [], [], []
    for encoding in ENCODINGS:
        found = [(number, usual, False) for number, usual in languages_of(encoding, models)]
        if encoding.codec in VISUAL:
            found += [(number, usual, True) for number, usual, _ in found]
        if found:
            of_encodings.append(of_encoding(encoding, letters[encoding.script]))
            rows.append(row_of_encoding(encoding, len(pairs), len(found)))
            pairs += found

    codes = " ".join(dict.fromkeys(language.code for language in LANGUAGES))
    with_case = [text for language, text in zip(LANGUAGES, texts) if language.script in ("latin", "greek", "cyrillic")]
    han = costs_of_han({language.code: text for language, text in zip(LANGUAGES, texts)})
    packages = " ".join(f"{package} {version_of(folder, package)}" for package in TRAINING + SCARCE)
    return "\n".join([
        "// models.inc: the models of languages, and the kinds of the bytes of encodings; models.hpp says what they mean.",
        "// models/models.py writes this file: do not edit it. The texts are from these packages of Debian, with their versions:",
        *("// " + line for line in textwrap.wrap(packages, WIDTH - 3, break_on_hyphens=False)),
        "// clang-format off",
        *(of_language(model, letters[model.language.script]) for model in models),
        "constexpr char why_unknown[] =\n"
        "    \"params::language must be the code of ISO 639 of a language that the guess knows; a region may follow it. It \"\n"
        + "\n".join(f'    "{line}"' for line in textwrap.wrap(f"knows {codes}", WIDTH - 7, drop_whitespace=False)) + ";\n",
        "constexpr language_model language_models[] = {\n" + "".join(map(row_of_language, models)) + "};\n",
        *of_encodings,
        "constexpr single_byte_candidate single_byte_candidates[] = {\n" + "".join(rows) + "};\n",
        array("candidate_language", "candidate_languages", ["{%d,%d,%d}" % each for each in pairs]),
        array("std::uint8_t", "mark_costs", costs_of_marks(texts)),
        array("std::uint8_t", "case_costs", costs_of_case(with_case)),
        array("char16_t", "frequent_characters", [f"0x{ord(c):X}" for c in han]),
        array("std::uint16_t", "frequent_costs", [f"0x{a + 16 * b + 256 * c + 4096 * d:X}" for a, b, c, d in han.values()]),
    ])


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    download(arguments[0], TRAINING + SCARCE)
    text = written(arguments[0])
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit("models.inc is not as models.py writes it. Debian may have newer versions of the packages that it names")


if __name__ == "__main__":
    main()
