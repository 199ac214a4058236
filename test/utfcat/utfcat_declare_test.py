#!/usr/bin/env python3
"""utfcat_declare_test.py UTFCAT: after --filter declare, the programs that believe a declaration read the text as it is.

Those are Python, its parsers of XML and mail, xmllint and msgfmt. Python's codecs say what a text is in an encoding.
"""

import email
import glob
import itertools
import os
import re
import subprocess
import xml.etree.ElementTree

from utfcat_cases import BRIEF, check, content, folder, run, run_tests, similar

# Texts that declare {}, in ISO-8859-2.
TEXTS = {
    "po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\nmsgid "a"\nmsgstr "ąś"\n',
    "xml": '<?xml version="1.0" encoding="{}"?>\n<a>ąś</a>\n', "html": '<html><head><meta charset={}></head>ąś\n',
    "http": '<meta http-equiv="Content-Type" content="text/html; charset={}"><p>ąś\n', "css": '@charset "{}";\na::before {{ content: "ąś" }}\n',
    "py": '#!/usr/bin/python3\n# -*- coding: {} -*-\nresult = "ąś"\n', "eml": "Subject: a\nContent-Type: text/plain; charset={}\n\nąś\n",
    "aff": "SET {}\nTRY ąś\n", "pod": "=encoding {}\n\nąś\n", "vim": '" a\nscriptencoding {}\necho "ąś"\n', "sql": "SET client_encoding = '{}';\n-- ąś\n",
    "vimrc": "# vim: set fileencoding={} :\nąś\n", "end": "ąś\n\n\n# vim: fenc={}\n",
}
# The names that utfcat writes, and Python's names of the same encodings.
TARGETS = {"UTF-8": "utf-8", "windows-1250": "cp1250", "UTF-16LE": "utf-16-le", "ISO-8859-16": "iso8859-16", "GB18030": "gb18030", "IBM852": "cp852"}


def in_case_of(kind, old, name):
    if kind in ("po", "aff") and name == "windows-1250":
        return "cp1250"
    return name.lower() if old == old.lower() else name


def test_only_the_name_changes():
    for (kind, text), old in similar(itertools.product(TEXTS.items(), ("ISO-8859-2", "iso-8859-2", "Latin2"))):
        data = text.format(old).encode("iso-8859-2")
        for name, codec in TARGETS.items():
            if old == "Latin2" and name != "UTF-8":
                continue
            wanted = text.format(in_case_of(kind, old, name)).encode(codec)
            for options in ([], ["--jobs", "2"], ["--filter", "lf"], ["-e", "replace"]):
                what = (kind, old, name, options)
                if "--jobs" in options and name == "IBM852":
                    continue  # a charset of ICU has one thread
                check(what, run("-f", "guess", "-t", name, "--filter", "declare", *options, text=data), (0, wanted, ""))
            with folder({"in": data}) as path:
                check((kind, old, name, "-i"), run("-f", "guess", "-t", name, "--filter", "declare", "-i", "in", where=path), (0, b"", ""))
                check((kind, old, name, "in place"), content(path, "in"), wanted)
            check((kind, old, name, "-s"), run("-f", "iso-8859-2", "-t", name, "--filter", "declare", "-s", text=data)[2].endswith("1 declaration changed\n"), True)
        wanted = text.format(in_case_of(kind, old, "UTF-8")).encode()
        check((kind, old, "twice"), run("-f", "guess", "--filter", "declare", text=wanted), (0, wanted, ""))
        check((kind, old, "with its mark"), run("-f", "iso-8859-2", "-t", "utf-16le-bom", "--filter", "declare", text=data),
              (0, ("\ufeff" + text.format(in_case_of(kind, old, "UTF-16"))).encode("utf-16-le"), ""))


def test_two_files_that_become_one_text():
    data = {name: TEXTS["xml"].format("ISO-8859-2").encode("iso-8859-2") for name in "ab"}
    with folder(data) as path:
        check("both", run("-f", "iso-8859-2", "--filter", "declare", "a", "b", where=path), (0, 2 * TEXTS["xml"].format("UTF-8").encode(), ""))


def test_names_that_cannot_be_written_stay_and_are_told():
    latex = "\\documentclass{{a}}\n\\usepackage[{}]{{inputenc}}\nąś\n"
    old = latex.format("latin2").encode("iso-8859-2")
    declare = ["-f", "guess", "--filter", "declare"]
    check("utf8", run(*declare, text=old), (0, latex.format("utf8").encode(), ""))
    check("cp1250", run(*declare, "-t", "cp1250", text=old), (0, latex.format("cp1250").encode("cp1250"), ""))
    status, out, errors = run(*declare, "-t", "utf-16le", text=old)
    check("UTF-16LE", (status, out), (0, latex.format("latin2").encode("utf-16-le")))
    check("told", errors, "utfcat: -: still declares ISO-8859-2, but is written in UTF-16LE, which has no such name: change the text\n")
    for target in ("UTF-8", "windows-1250", "IBM852", "x-mac-centraleurroman"):
        page = TEXTS["xml"].format("ISO-8859-2").encode("iso-8859-2")
        said = f"utfcat: -: still declares ISO-8859-2, but is written in {target} (--filter declare changes that)\n"
        check((target, "without the filter"), run("-f", "iso-8859-2", "-t", target, text=page)[2], said)
        check((target, "with it"), run("-f", "iso-8859-2", "-t", target, "--filter", "declare", text=page)[2], "")
    rtf = b"{\\rtf1\\ansi\\ansicpg1250\\deff0 \xb9\\par}"
    check("RTF", run("-f", "1250", "--filter", "declare", text=rtf), (0, b"{\\rtf1\\ansi\\ansicpg65001\\deff0 \xc4\x85\\par}", ""))


def test_what_makes_no_sense_is_refused():
    with folder({"in": b"a\n"}) as path:
        for options, why in ((["-t", "same"], "--to same keeps the encoding"), (["--range", "0-1"], "needs the whole file"),
                             (["--follow"], "would lose it"), (["-c"], "write no text"), (["--inspect"], "")):
            status, out, errors = run("--filter", "declare", *options, "in", where=path)
            check(options, (status, out, why in errors), (2, b"", True))


# ------------------------------------------------------------------------------------------------ those who believe it


def converted(path, name, target):
    check((name, target), run("-f", "guess", "-t", target, "--filter", "declare", "-i", name, where=path)[0], 0)
    return os.path.join(path, name)


def test_readers_see_the_same_text():
    for old, codec in (("ISO-8859-2", "iso-8859-2"), ("CP1250", "cp1250"), ("UTF-8", "utf-8")):  # msgconv knows no windows-1250
        files = {f"f.{kind}": TEXTS[kind].format(old).encode(codec) for kind in ("po", "xml", "py", "eml")}
        for target in ("UTF-8", "windows-1250", "ISO-8859-2"):
            with folder(files) as path:
                names = {}
                exec(compile(content(converted(path, "f.py", target)), "f.py", "exec"), names)  # bytes, so that Python looks for the name
                check(("python", old, target), names["result"], "ąś")
                page = converted(path, "f.xml", target)
                check(("expat", old, target), xml.etree.ElementTree.parse(page).getroot().text, "ąś")
                check(("xmllint", old, target), subprocess.run(["xmllint", "--xpath", "string(/a)", page], capture_output=True, check=False).stdout.decode().strip(), "ąś")
                mail = email.message_from_bytes(content(converted(path, "f.eml", target)))
                check(("mail", old, target), mail.get_payload(decode=True).decode(mail.get_content_charset()), "ąś\n")
                catalogue = converted(path, "f.po", target)
                done = subprocess.run(["msgfmt", "-c", "-o", "f.mo", catalogue], cwd=path, capture_output=True, check=False)
                check(("msgfmt", old, target), done.returncode, 0)
                text = subprocess.run(["msgconv", "-t", "UTF-8", catalogue], capture_output=True, check=False).stdout.decode()
                check(("msgconv", old, target), 'msgstr "ąś"' in text, True)


# The files of Vim declare their encodings, of which there are 15, and those of Python's standard library.
REAL = ["/usr/share/vim/vim*/lang/*.vim", "/usr/share/vim/vim*/keymap/*.vim", "/usr/share/doc/*/*.html", "/usr/lib/python3*/*.py",
        "/usr/share/xml/*/*.xml", "/usr/share/mime/packages/*.xml"]
NAME = re.compile(r"[\w.:+-]+")


def test_real_files():
    seen, encodings = 0, set()
    for path in (path for pattern in REAL for path in similar(sorted(glob.glob(pattern))[:150])):
        if not os.path.isfile(path):
            continue
        data = content(path)
        report = run("-c", "-s", "-f", "guess", path)[2]
        found = re.search(r": ([\w-]+) \(as it declares\)", report) or re.search(r": (UTF-8) \(by its structure\)", report)
        if not found or len(data) > 1 << 18:
            continue
        encodings.add(found[1])
        target = "UTF-16LE" if found[1] == "UTF-8" else "UTF-8"
        status, plain, _ = run("-f", "guess", "-t", target, path)
        if status != 0:
            continue  # one of Vim's files is not in the encoding that its name tells
        _, out, errors = run("-f", "guess", "-t", target, "--filter", "declare", "-s", path)
        count = int((re.search(r", (\d+) declarations? changed", errors) or [0, 0])[1])
        old, new = (text.decode(target.lower()) for text in (plain, out))
        names = list(zip(NAME.findall(old), NAME.findall(new)))
        changed = [(a, b) for a, b in names if a != b]
        check((path, "the rest"), (NAME.sub("", old), len(NAME.findall(old))), (NAME.sub("", new), len(names)))
        check((path, "the count"), len(changed), count)
        check((path, "the names"), {b.lower() for _, b in changed} - {target.lower(), "utf8"}, set())
        check((path, "nothing left"), "still declares" in errors, False)
        seen += count
    check("enough of them", seen > 20 // BRIEF and len(encodings) > (8 if BRIEF == 1 else 4), True)


run_tests(globals(), at_least=800 // BRIEF)
