#!/usr/bin/env python3
"""declared_files.py UTFCAT [--show]: files that declare their encoding, from Debian's packages, are read by it.

The test takes the files out of packages, which it downloads with apt-get if the user's cache lacks them; it installs
nothing. It finds the declarations by expressions of its own, and Python's codecs decide what the text is. Each file is
read whole, by a guess about its first 2,000 bytes, and cut after 1,500 bytes. --show prints a line for each file.
"""

import codecs
import collections
import concurrent.futures
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = rb"([A-Za-z0-9_.:+-]+)"
BEFORE = rb"\A(?:[^\n]*\n)?"  # a declaration may be in the first or in the second line
FIRST = 1024  # bytes in which a declaration stands
LICENCE = rb"\A(?:[#%][^\n]*\n|\r?\n)*"  # comments at the start of a file do not count as some of these

# By kind: how its declarations look in these files.
KINDS = {
    "XML": rb"\A\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']" + NAME,
    "HTML": rb"(?i)<meta\b[^>]*\bcharset\s*=\s*[\"']?" + NAME,
    "CSS": rb"\A@charset \"" + NAME + rb"\";",
    "Python, Ruby": BEFORE + rb"[ \t]*#[^\n]*?coding[:=][ \t]*" + NAME,
    "Emacs": BEFORE + rb"[^\n]*?-\*-[^\n]*?coding:[ \t]*" + NAME + rb"[^\n]*-\*-",
    "Emacs, at the end": rb"(?s)Local Variables:.{,200}?\bcoding: *" + NAME + rb".{,200}\Z",
    "Vim": BEFORE + rb"[^\n]*\bvim:[^\n]*(?:fileencoding|fenc)=([\w-]+)",
    "Vim, at the end": rb"\bvim:[^\n]*(?:fileencoding|fenc)=([\w-]+)[^\n]*(?:\n[^\n]*){,4}\n?\Z",
    "mail, gettext": rb"(?im)^\"?Content-Type:[^\n]*(?:\n[ \t][^\n]*)*?charset\s*=\s*\"?" + NAME,
    "TeX": rb"(?m)^(?:\\usepackage\[|\\inputencoding\{)" + NAME + rb"(?:\]\{inputenc)?\}",
    "Hunspell": rb"(?m)^SET " + NAME + rb"$",
    "Vim script": rb"(?m)^scriptencoding " + NAME + rb"$",
    "POD": rb"(?m)^=encoding " + NAME + rb"$",
}
AT_THE_END = ("Emacs, at the end", "Vim, at the end")

# The package, the paths of its files, and the kind of their declarations.
SOURCES = [
    ("docbook-xsl", "/common/|/fo/.*[.]xsl$", "XML"),
    ("xkb-data", "rules/.*[.]xml$", "XML"),
    ("libxml-parser-perl", "/examples/", "XML"),
    ("w3c-markup-validator", "/tests/", "XML"),
    ("apache2-doc", "/manual/(ko|tr|fr|ja|es)/[^/]*[.]html", "HTML"),
    ("w3c-markup-validator", "/tests/", "HTML"),
    ("sql-ledger", "/templates/.*[.]html$", "HTML"),
    ("vm", "/html/", "HTML"),
    ("openjade", "[.]htm$", "HTML"),
    ("python3-cssutils", "[.]css$", "CSS"),
    ("libjs-jquery-datatables", "[.]css$", "CSS"),
    ("libpython3.11-testsuite", "[.]py$", "Python, Ruby"),
    ("ruby-mail", "[.]rb$", "Python, Ruby"),
    ("lookup-el", "[.]el$", "Emacs"),
    ("mew-beta", "[.]el$", "Emacs"),
    ("vm", "[.]el$", "Emacs"),
    ("libpython3.11-testsuite", "[.](py|txt)$", "Emacs"),
    ("latex-cjk-chinese", "", "Emacs, at the end"),
    ("latex-cjk-common", "", "Emacs, at the end"),
    ("linuxdoc-tools", "[.]pm$", "Emacs, at the end"),
    ("w3m-el", "/doc/", "Emacs, at the end"),
    ("python3-powerline", "[.]py$", "Vim"),
    ("vim-runtime", "[.]vim$", "Vim, at the end"),
    ("vim-runtime", "/(lang|keymap)/.*[.]vim$", "Vim script"),
    ("gettext-doc", "[.]po$", "mail, gettext"),
    ("libpython3.11-testsuite", "/test_email/data/msg", "mail, gettext"),
    ("sql-ledger", "/templates/.*[.]tex", "TeX"),
    ("libdate-calc-perl", "[.](pm|pod)$", "POD"),
    ("liblingua-translit-perl", "[.](pm|pod)$", "POD"),
    ("libcss-dom-perl", "[.](pm|pod)$", "POD"),
]
SOURCES += [(package, "[.]aff$", "Hunspell") for package in """
    myspell-da myspell-el-gr myspell-eo myspell-et myspell-fo myspell-ga myspell-nb myspell-pl myspell-hr myspell-he
    myspell-hy hunspell-lt hunspell-pl hunspell-be hunspell-id""".split()]
ALIKE = 12  # files of one source and encoding

# Files in these charsets, if they are ASCII, do not show that they are in them.
SEVERAL_BYTES = {"big5", "cp932", "cp949", "cp950", "euc_jp", "euc_kr", "gb2312", "gbk", "shift_jis"}
PYTHON_NAMES = {"euc-japan": "euc_jp", "euc-china": "gb2312"}


def cache():
    """The folder of the packages, one for each release."""
    ask = 'root=$1; . "$root/cmake/setup.sh"; kept_folder "packages/$(. /etc/os-release; echo "$VERSION_CODENAME")"'
    return pathlib.Path(subprocess.check_output(["bash", "-c", ask, "-", ROOT], text=True).strip())


def package_file(folder, package):
    return next(iter(sorted(folder.glob(f"{package}_*.deb"))), None)


def fetch(folder, packages):
    """Downloads the packages that the folder lacks. Returns those that it still lacks, and what apt-get said of them."""
    missing = [p for p in packages if not package_file(folder, p)]
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    own_lists = [f"Dir::State::lists={folder}/lists", f"Dir::Cache={folder}", "Acquire::Languages=none"]
    said = ""
    # The system's lists of packages may be old or missing. Then apt-get keeps its own in the folder, which needs no root.
    for settings in ([], own_lists):
        options = [f"--option={setting}" for setting in settings + ["APT::Sandbox::User=root"] * (os.geteuid() == 0)]

        def apt(program, *words, where=folder):
            return subprocess.run([program, *options, *words], cwd=where, capture_output=True, text=True, check=False)

        if not missing:
            break
        if settings:
            said += apt("apt-get", "update").stderr
        # apt-get downloads nothing if it does not know one of the packages. What is only installed has no file.
        records = apt("apt-cache", "show", *missing).stdout.split("\n\n")
        known = {record.split("\n", 1)[0].removeprefix("Package: ") for record in records if "\nFilename: " in record}
        if not known:
            continue
        with tempfile.TemporaryDirectory(dir=folder) as new:
            said += apt("apt-get", "download", *sorted(known), where=new).stderr
            for file in pathlib.Path(new).glob("*.deb"):
                file.rename(folder / file.name)
        missing = [p for p in missing if not package_file(folder, p)]
    return missing, said


def files_in(folder, package):
    """The files of a package that its sources name: (path, bytes)."""
    wanted = re.compile("|".join(f"(?:{paths})" for name, paths, _ in SOURCES if name == package))
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package_file(folder, package)], stdout=subprocess.PIPE) as unpack:
        with tarfile.open(fileobj=unpack.stdout, mode="r|") as tar:
            for entry in tar:
                if entry.isfile() and wanted.search(entry.name.removesuffix(".gz")):
                    data = tar.extractfile(entry).read()
                    yield entry.name, gzip.decompress(data) if entry.name.endswith(".gz") else data


def codec_of(name):
    """Python's name of the encoding, or None."""
    name = re.sub("-(unix|dos|mac)$", "", name.lower())
    try:
        return codecs.lookup(PYTHON_NAMES.get(name, name)).name
    except LookupError:
        return None


def declared(kind, data):
    """The encoding that the file declares, as Python names it, or None; and where the declaration ends."""
    licence = re.match(LICENCE, data).end() if kind in ("Hunspell", "TeX") else 0
    found = re.search(KINDS[kind], data if kind in AT_THE_END else data[:licence + 2 * FIRST])
    if not found or (kind not in AT_THE_END and found.end() > licence + FIRST):
        return None, 0
    return codec_of(found[1].decode()), found.end()


def is_text_of(codec, data):
    """Whether the encoding really decodes the file: control characters of the set C1 show that it does not."""
    try:
        return not re.search("[\x80-\x9f]", data.decode(codec))
    except UnicodeDecodeError:
        return False


def expected(codec, data, is_whole=True):
    """The text of the file, and why utfcat takes it for that. `data` is what is guessed about."""
    utf8 = is_text_of("utf-8", data)
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8", "UTF-8, byte order mark"
    if utf8 and not data.isascii():
        return "utf-8", "(by its structure)" if codec == "utf-8" else "(by its structure, though it declares "
    if b"\x1b$" in data:
        return "iso2022_jp", "(by its structure)"
    if utf8 and is_whole and (codec.startswith("iso2022") or codec in SEVERAL_BYTES):
        return "utf-8", "(by its structure)"
    if not is_text_of(codec, data) and not (codec in SEVERAL_BYTES and not is_whole):
        return None, None  # the file lies about itself
    return codec, "(as it declares)"


def answers(utfcat, codec, end, kind, data):
    """For each way to read the file: its name, what is right, and what utfcat says."""
    whole = expected(codec, data[:4096], len(data) < 4096)
    yield from answer(utfcat, "whole", data, [], whole)
    if kind in AT_THE_END or whole[0] is None:
        return
    right = expected(codec, data[:2000], len(data) < 2000)
    # ASCII alone does not show what follows it, if the charset is one that needs characters to be known by.
    yield from answer(utfcat, "by 2,000 bytes", data, ["--guess-bytes=2000"], right)
    if end <= 1500 < len(data):
        cut = data[:1500].decode(whole[0], "ignore").encode(whole[0])
        yield from answer(utfcat, "cut after 1,500 bytes", cut, [], expected(codec, cut))


def answer(utfcat, way, data, options, right):
    done = subprocess.run([utfcat, "-f", "guess", "-s", *options], input=data, capture_output=True, check=False)
    said = done.stderr.decode()
    if right[0] is None:  # right is what utfcat does not take for declared
        yield way, "(as it declares)" not in said, said
    else:
        text = data.removeprefix(codecs.BOM_UTF8).decode(right[0])
        yield way, right[1] in said and done.stdout == text.encode(), said


def selected(folder, packages):
    """The files that declare an encoding: (source, kind, path, bytes, encoding, end of the declaration). Equal files count
    once, and so do all but some of those that are alike."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = dict(zip(packages, pool.map(lambda package: list(files_in(folder, package)), packages)))
    found, seen, alike = [], set(), collections.Counter()
    for package, paths, kind in SOURCES:
        for path, data in sorted(files.get(package, [])):
            if data in seen or not re.search(paths, path.removesuffix(".gz")):
                continue
            codec, end = declared(kind, data)
            if codec is None or alike[package, kind, codec, data.isascii()] == ALIKE:
                continue
            alike[package, kind, codec, data.isascii()] += 1
            seen.add(data)
            found.append((package, kind, path, data, codec, end))
    return found


def main():
    utfcat, shows = sys.argv[1], "--show" in sys.argv
    folder = cache()
    packages = sorted({package for package, _, _ in SOURCES})
    missing, said = fetch(folder, packages)
    is_debian_12 = folder.name == "bookworm"
    if missing and is_debian_12:
        sys.exit(f"{said}These packages are missing: {' '.join(missing)}\n"
                 f"By hand, run: cd {folder} && apt-get download {' '.join(missing)}")
    if missing:
        print(f"skipped: the files of {' '.join(missing)}, because apt-get does not have them")
    files = selected(folder, [p for p in packages if p not in missing])
    counts, by_kind, legacy = collections.Counter(), collections.defaultdict(collections.Counter), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        all_answers = pool.map(lambda f: list(answers(utfcat, f[4], f[5], f[1], f[3])), files)
    for (package, kind, path, data, codec, _), ways in zip(files, all_answers):
        if expected(codec, data)[0] is None:
            what = "that do not decode by it"
        else:
            what = "ASCII" if data.isascii() else "UTF-8" if is_text_of("utf-8", data) else codec
            legacy += what not in ("ASCII", "UTF-8")
        by_kind[kind][what] += 1
        for way, is_right, words in ways:
            counts[is_right] += 1
            if not is_right or shows:
                print(f"{'right' if is_right else 'WRONG'}: {kind}, {codec}, {what}, {package}{path[1:]}, {way}: {words.strip()}",
                      file=sys.stdout if is_right else sys.stderr)
    for kind, each in by_kind.items():
        print(f"{kind}: " + ", ".join(f"{count} {what}" for what, count in each.most_common()))
    print(f"{len(files)} files, of which {legacy} are neither UTF-8 nor ASCII")
    print(f"{counts.total()} cases, {counts[False]} failed")
    # Debian's newer versions lack some of the packages, and more of their files are UTF-8.
    lacking = [kind for kind in KINDS if not by_kind[kind]] if is_debian_12 else []
    least = 100 if is_debian_12 else 50
    if lacking:
        sys.exit(f"There are no files of these kinds: {', '.join(lacking)}")
    if legacy < least:
        sys.exit(f"Only {legacy} files are neither UTF-8 nor ASCII; {least} are wanted")
    sys.exit(counts[False] != 0)


main()
