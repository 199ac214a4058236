"""utfcat --nfc against Python's unicodedata and ICU, on the text of manual pages and on mixtures.

utfcat_nfc_test.py UTFCAT UTFCAT_WITHOUT: the second one was built without utfilter::nfc.
"""

import ctypes.util
import glob
import gzip
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

UTFCAT, WITHOUT = sys.argv[1:3]


def run(*command, text=b""):
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def nfc(text):
    """The text as utfcat --nfc writes it."""
    status, out, errors = run(UTFCAT, "--nfc", text=text.encode())
    assert (status, errors) == (0, ""), errors
    return out.decode()


def check(name, got, wanted):
    if got == wanted:
        return
    at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
    sys.exit(f"{name}: at {at} there is {ascii(got[at - 5:at + 5])}, not {ascii(wanted[at - 5:at + 5])}")


def icu():
    """A function that normalizes by ICU's C interface, or None. (The transliterator of uconv 72 leaves U+306F U+3099.)"""
    name = ctypes.util.find_library("icuuc")
    if name is None:
        return None
    library, version = ctypes.CDLL(name), name.rsplit(".", 1)[1]
    instance = getattr(library, "unorm2_getNFCInstance_" + version)
    instance.restype = ctypes.c_void_p
    normalize = getattr(library, "unorm2_normalize_" + version)
    normalize.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p]
    code = ctypes.c_int(0)
    nfc_of_icu = instance(ctypes.byref(code))

    def normalized(text):
        units = text.encode("utf-16-le")
        room = len(units) * 2
        out = ctypes.create_string_buffer(2 * room)
        size = normalize(nfc_of_icu, units, len(units) // 2, out, room, ctypes.byref(code))
        assert code.value <= 0, code
        return out.raw[: 2 * size].decode("utf-16-le")

    return normalized


def manual_pages(language, most=200_000):
    text = ""
    for name in sorted(glob.glob(f"/usr/share/man/{language}/man*/*.gz")):
        with gzip.open(name) as page:
            text += page.read().decode("utf-8", "replace")
        if len(text) > most:
            break
    return text[:most]


SENTENCES = {
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.\n",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n",
    "fr": "Où sont passés les élèves français ? Ça dépend de l'été, de Noël et des œufs.\n",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। क़ ज़ ड़\n",
    "bn": "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। কো কৌ\n",
    "he": "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ\n",
    "ar": "يُولَدُ جَمِيعُ النَّاسِ أَحْرَارًا مُتَسَاوِينَ فِي الْكَرَامَةِ وَالْحُقُوقِ\n",
    "el": "Ἐν ἀρχῇ ἦν ὁ Λόγος, καὶ ὁ Λόγος ἦν πρὸς τὸν Θεόν, ᾧ ᾳ ΐ\n",
    "ja": "すべての人間は、生まれながらにして自由であり、ガギグゲゴ ﾊﾞﾋﾟ\n",
}


def real_texts():
    for language, sentence in SENTENCES.items():
        yield language, (manual_pages(language) + sentence * 50)


def test_real_text():
    by_icu = icu()
    changed = 0
    for language, text in real_texts():
        for form in ("NFC", "NFD"):
            given = unicodedata.normalize(form, text)
            got = nfc(given)
            changed += got != given
            check(f"{language} in {form}, as Python", got, unicodedata.normalize("NFC", text))
            if by_icu is not None:
                check(f"{language} in {form}, as ICU", got, by_icu(given))
        check(f"{language} again", nfc(got), got)
    assert changed >= 6, changed


def test_mixtures():
    """Only characters that Python's version of Unicode has. Fewer than 30 marks follow each other."""
    some = random.Random(15)
    known = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co") and chr(c) != "\r"]
    marks = [c for c in known if unicodedata.combining(c)]
    changing = [c for c in known if unicodedata.decomposition(c)]
    lines = []
    for _ in range(3000):
        kinds = some.choices((marks, changing, known), (4, 4, 1), k=some.randrange(1, 8))
        lines.append("".join(some.choice(kind) for kind in kinds))
    text = "\n".join(lines)
    check("mixtures", nfc(text), unicodedata.normalize("NFC", text))


def test_long_runs():
    """A million marks: the joiners are counted, and memory and time stay small."""
    text = ("e" + "\u0301\u0323" * 500_000).encode()
    limit = "ulimit -v 400000; " if "sanitize" not in os.environ.get("CXXFLAGS", "") else ""
    status, out, errors = run("sh", "-c", f'{limit}exec "$0" --nfc -s', UTFCAT, text=text)
    assert status == 0 and len(out.decode()) - out.decode().count("\u034f") > 999_990, errors
    assert errors.endswith(", 33333 joiners inserted\n"), errors
    assert out.decode().count("\u034f") == 33333
    assert "joiner" not in run(UTFCAT, "--nfc", "-s", text="é".encode())[2]


def test_with_other_options():
    accent = "e\u0301"
    for arguments, text, wanted in (
        (["-t", "iso-8859-1"], accent.encode(), (0, b"\xe9", "")),
        (["-f", "utf-16"], ("\ufeff" + accent).encode("utf-16-be"), (0, "é".encode(), "")),
        (["-b", "add"], accent.encode(), (0, "\ufeffé".encode(), "")),
        (["-e", "skip"], b"e\xff\xcc\x81", (0, "é".encode(), "")),
        (["-e", "replace"], b"e\xff\xcc\x81", (0, "e\ufffd\u0301".encode(), "")),
        ([], b"xe\xcc\x81\xffz\n", (1, "xé".encode(), "utfcat: -:1:4: byte 4: byte that no text contains: FF\n")),
        # The places of characters that the output lacks are those in the file.
        (
            ["-t", "iso-8859-1"],
            f"{accent}\n{accent}\u20ac{accent}\n".encode(),
            (1, b"\xe9\n\xe9", "utfcat: -:2:3: byte 7: the target encoding lacks U+20AC: E2 82 AC\n"),
        ),
        (["-t", "iso-8859-1", "-e", "replace"], f"{accent}\u20ac\xff".encode() + b"\xff", (0, b"\xe9?\xff?", "")),
    ):
        got = run(UTFCAT, "--nfc", *arguments, text=text)
        assert got == wanted, (arguments, got)
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in "ab"]
        for name in names:
            with open(name, "wb") as file:
                file.write(accent.encode())
        assert run(UTFCAT, "--nfc", *names) == (0, "éé".encode(), "")


def test_refused():
    for option in ("-c", "-q", "--summary", "--follow", "--on-error=keep"):
        status, out, errors = run(UTFCAT, "--nfc", "-f", "utf-8", option, "/dev/null")
        assert (status, out) == (2, b"") and "--filter" in errors and errors.count("\n") == 1, (option, errors)
    status, out, errors = run(WITHOUT, "--nfc")
    assert (status, out) == (2, b"") and "libutf8proc-dev" in errors and "UTFILTER_BUILD_NFC" in errors, errors


for test in (test_real_text, test_mixtures, test_long_runs, test_with_other_options, test_refused):
    test()
