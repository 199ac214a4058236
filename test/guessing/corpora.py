"""Texts of many languages, from Debian's packages, and samples of them in the encodings that hold them."""

import gettext
import glob
import gzip
import hashlib
import random
import re
import subprocess

# By language: its folder of manual pages and of the names in iso-codes, or after "iso:" of these only; and the legacy encodings of its
# texts, by Python's names.
LANGUAGES = {
    "Danish": ("da", ["cp1252", "iso8859-1", "cp850"]),
    "Dutch": ("nl", ["cp1252", "iso8859-15"]),
    "Finnish": ("fi", ["cp1252", "iso8859-15"]),
    "French": ("fr", ["cp1252", "iso8859-15", "mac_roman", "cp850"]),
    "German": ("de", ["cp1252", "iso8859-1", "mac_roman", "cp850", "cp437"]),
    "Italian": ("it", ["cp1252", "iso8859-1"]),
    "Portuguese": ("pt_BR", ["cp1252", "iso8859-1", "cp850"]),
    "Spanish": ("es", ["cp1252", "iso8859-1", "cp850"]),
    "Swedish": ("sv", ["cp1252", "iso8859-1"]),
    "Czech": ("cs", ["cp1250", "iso8859-2"]),
    "Hungarian": ("hu", ["cp1250", "iso8859-2"]),
    "Polish": ("pl", ["cp1250", "iso8859-2"]),
    "Romanian": ("ro", ["iso8859-16"]),
    "Turkish": ("tr", ["cp1254", "iso8859-9"]),
    "Vietnamese": ("vi", []),
    "Greek": ("el", ["cp1253", "iso8859-7"]),
    "Russian": ("ru", ["cp1251", "koi8-r", "iso8859-5", "cp866", "mac_cyrillic"]),
    "Serbian": ("sr", ["cp1251", "iso8859-5"]),
    "Ukrainian": ("uk", ["cp1251", "koi8-u"]),
    "Arabic": ("iso:ar", ["cp1256", "iso8859-6"]),
    "Hebrew": ("iso:he", ["cp1255", "iso8859-8"]),
    "Hindi": ("iso:hi", []),
    "Bengali": ("iso:bn", []),
    "Thai": ("iso:th", ["cp874"]),
    "Georgian": ("iso:ka", []),
    "Japanese": ("ja", ["shift_jis", "euc_jp"]),
    "Korean": ("iso:ko", ["euc_kr"]),
    "Chinese, simplified": ("zh_CN", ["gb18030"]),
    "Chinese, traditional": ("zh_TW", ["big5"]),
}
PACKAGES = ("iso-codes " + " ".join(
    "manpages-" + language for language in
    "cs da de el es fi fr hu it ja nl pl pt-br ro ru sr sv tr uk vi zh".split())).split()
UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
SIZES = [64, 256, 4096]
LONGEST_TEXT = 300_000  # characters


def files_of(package):
    command = ["dpkg-query", "--listfiles", package]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode().split()


def manual_pages(folder):
    """The sentences of the manual pages, without most of troff's requests and escapes."""
    text = []
    size = 0
    package = "manpages-" + ("zh" if folder.startswith("zh") else folder.lower().replace("_", "-"))
    for path in sorted(path for path in files_of(package) if re.search(f"/{folder}/man./.*[.]gz$", path)):
        try:
            page = gzip.open(path).read().decode()
        except (UnicodeDecodeError, OSError):
            continue
        lines = [line for line in page.splitlines() if line and line[0] not in ".'"]
        lines = [re.sub(r"\\(f\[\w*\]|f\(..|f.|&|s[-+]?\d|\(..|.)", "", line) for line in lines]
        # Pages that are not translated would only test English.
        foreign = [line for line in lines if not line.isascii()]
        if 20 * len(foreign) < len(lines):
            continue
        text.append("\n".join(lines) + "\n")
        size += len(text[-1])
        if size > LONGEST_TEXT:
            break
    return "".join(text)


def names(folder):
    """The translated names of countries, languages and currencies."""
    text = []
    for domain in ("iso_3166-1", "iso_3166-3", "iso_4217", "iso_15924", "iso_639-2"):
        for path in glob.glob(f"/usr/share/locale/{folder}/LC_MESSAGES/{domain}.mo"):
            with open(path, "rb") as file:
                catalog = gettext.GNUTranslations(file)._catalog  # pylint: disable=protected-access
            text += [value for key, value in sorted(catalog.items(), key=str) if key and isinstance(value, str)]
    return "\n".join(text) + "\n"


def text_of(language):
    folder = LANGUAGES[language][0]
    pages = "" if folder.startswith("iso:") else manual_pages(folder)
    return pages if len(pages) > 5000 else names(folder.replace("iso:", ""))


def samples(language, text, encoding, size, count):
    """Cuts `count` pieces of `size` bytes at places that depend on the arguments alone: (bytes, text). Each begins with a
    character, and has at least one beyond ASCII. Its end may cut a character."""
    characters = text
    if encoding not in UNICODE:  # without the few characters that the encoding lacks
        characters = text.encode(encoding, "ignore").decode(encoding)
    seed = hashlib.sha256(f"{language} {encoding} {size}".encode()).digest()
    choose = random.Random(int.from_bytes(seed[:8], "little"))
    found = []
    attempts = 0
    while len(found) < count and attempts < 20 * count:
        attempts += 1
        if len(characters) <= size // 4:
            break
        at = choose.randrange(len(characters) - size // 4)
        piece = characters[at:at + size]
        data = piece.encode(encoding)[:size]
        decoded = data.decode(encoding, "ignore")
        if len(data) == size and not decoded.isascii():
            found.append((data, decoded))
    return found
