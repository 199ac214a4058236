"""texts.py: reads the texts of languages from Debian packages: translations of programs, pages of help, manual pages.

Nothing is installed: apt-get downloads the packages into a folder, and the files are read from there.
"""
import collections
import gettext
import gzip
import html
import io
import pathlib
import pickle
import re
import subprocess
import tarfile
import zipfile

from languages import LANGUAGES

SHORTEST = 3  # characters of a line


# --------------------------------------------------------------------------------------------------- kinds of files
# Each function gives the lines of a file.

def without_markup(text):
    """The text as a reader sees it: no tags, no underlined letters of menus, no placeholders."""
    text = html.unescape(re.sub(r"<[^<>]{1,300}>", " ", text))
    text = re.sub(r"[_&](?=\w)|&(?=\w)", "", text)
    return re.sub(r"%[-#+ '0-9.$*]*[a-zA-Z]+|\$?\{[^{}]*\}|\\[ntr]|\$\w+|@\w+", " ", text)


def long_enough(lines):
    return [line for line in lines if len(line) >= SHORTEST]


def of_catalogue(data):
    """Gettext's: the translations that differ from the source."""
    try:
        messages = gettext.GNUTranslations(io.BytesIO(data))._catalog  # pylint: disable=protected-access
    except (UnicodeDecodeError, OSError, ValueError):
        return []
    found = []
    for key, value in sorted(messages.items(), key=str):
        source = key[0] if isinstance(key, tuple) else key
        if source and value != source and len(value) >= SHORTEST:
            found.append(without_markup(value))
    return found


def of_page(data):
    """Of HTML and Mallard: the paragraphs, without examples of code."""
    text = re.sub(r"(?s)<(script|style|code|cmd|screen|pre|credit|media)\b.*?</\1>|<!--.*?-->|<\?.*?\?>", " ",
                  data.decode("utf-8", "replace"))
    parts = re.split(r"</?(?:p|title|item|desc|td|li|h\d|dt|dd|section|div)\b[^<>]*>", text)
    return long_enough(" ".join(without_markup(part).split()) for part in parts)


def of_language_pack(data):
    """Mozilla's: the values of messages."""
    found = []
    with zipfile.ZipFile(io.BytesIO(data)) as pack:
        for name in sorted(pack.namelist()):
            if not name.endswith((".ftl", ".properties", ".dtd")):
                continue
            text = pack.read(name).decode("utf-8", "replace")
            if name.endswith(".dtd"):
                values = re.findall(r'<!ENTITY\s+\S+\s+"([^"]+)"', text)
            else:
                lines = [line for line in text.splitlines() if not line.startswith("#")]
                values = [re.sub(r"^[-\w.]+\s*=\s*", "", line).strip() for line in lines]
            found += map(without_markup, long_enough(values))
    return found


def of_manual(data):
    """The sentences of a manual page, without most of troff's requests and escapes."""
    try:
        lines = gzip.decompress(data).decode().splitlines()
    except (UnicodeDecodeError, OSError):
        return []
    return [re.sub(r"\\(f\[\w*\]|f\(..|f.|&|s[-+]?\d|\(..|.)", "", line) for line in lines if line and line[0] not in ".'"]


def of_lines(data):
    try:
        return [line for line in data.decode().splitlines() if line != "%"]
    except UnicodeDecodeError:
        return []


# -------------------------------------------------------------------------------------------------------------- packages

# The files of the packages: their names, in which the first group is the locale if the name has one, and what reads them.
FILES = [
    (r"/(?:locale|translations)/([^/]+)/LC_MESSAGES/[^/]+\.mo$", of_catalogue),
    (r"/wp-content/languages/(?:[a-z-]*-)?([a-z]{2,3}(?:_[A-Z]{2})?)\.mo$", of_catalogue),
    (r"/help/([^/]+)/[^/]+/.*\.page$", of_page),
    (r"/installation-guide-amd64/([^/]+)/.*\.html$", of_page),
    (r"/langpack-([A-Za-z-]+)@[^/]*\.xpi$", of_language_pack),
    (r"/man/([^/]+)/man[1-8]/[^/]+\.gz$", of_manual),
    (r"/dict/(faroese)$", of_lines),
    (r"/fortunes/(?:off/)?(?:([a-z]{2})/)?[^/.]+$", of_lines),
]
CODES = {locale: language.code for language in LANGUAGES for locale in language.locales.split()}


def code_of(locale, package):
    """The language of a locale, or None. The packages of fortunes are named after theirs."""
    if locale is None:
        locale = {"br": "pt_br"}.get(package.removeprefix("fortunes-"), package.removeprefix("fortunes-"))
    locale = locale.lower()
    if locale in CODES or "@" in locale or locale.startswith("zh"):
        return CODES.get(locale)
    return CODES.get(re.split("[_-]", locale)[0])


def package_file(folder, package):
    return next(iter(sorted(pathlib.Path(folder).glob(f"{package}_*.deb"))), None)


def version_of(folder, package):
    return package_file(folder, package).name.split("_")[1].replace("%3a", ":")


def download(folder, packages):
    """Brings the packages that the folder lacks."""
    missing = [package for package in packages if not package_file(folder, package)]
    if missing:
        subprocess.run(["apt-get", "download", "--quiet", *missing], cwd=folder, check=True)


def read_package(folder, package):
    """{code: lines}, each line once. A line that the package also has in English is not translated."""
    lines = collections.defaultdict(dict)
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package_file(folder, package)], stdout=subprocess.PIPE) as unpack:
        with tarfile.open(fileobj=unpack.stdout, mode="r|") as tar:
            for entry in tar:
                kinds = ((re.search(name, entry.name), read) for name, read in FILES)
                found, read = next((each for each in kinds if each[0]), (None, None))
                code = code_of(found[1], package) if found and entry.isfile() else None
                if code:
                    lines[code].update(dict.fromkeys(read(tar.extractfile(entry).read())))
    english = lines.get("en", {})
    return {code: [line for line in own if code == "en" or line not in english] for code, own in lines.items()}


def texts_of(folder, packages):
    """{code: {package: lines}}. What was read is kept in the folder, in a file for each package."""
    found = collections.defaultdict(dict)
    for package in packages:
        kept = package_file(folder, package).with_suffix(".texts")
        if not kept.exists():
            kept.write_bytes(pickle.dumps(read_package(folder, package)))
        for code, lines in pickle.loads(kept.read_bytes()).items():
            if lines:
                found[code][package] = lines
    return found
