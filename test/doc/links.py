#!/usr/bin/env python3
"""links.py: checks every link of the documentation.

    links.py pages SOURCE
        The Markdown pages of the project: each link names a file that exists and, after #, a heading of that page.
        doc/README.md links to each page of doc/ exactly once. Files that name a page as doc/PAGE.md name one that
        exists.

    links.py site DIRECTORY
        The HTML pages that Doxygen made: each link names a page or a file that exists and, after #, an anchor of that
        page. So do the scripts that show the tree of all pages, but for the anchors: those of members without a long
        comment do not exist. The text has no marks that Doxygen should have replaced, and the code has each percent
        sign of the pages.

Links to other sites are not followed.
"""
import collections
import html
import html.parser
import pathlib
import re
import sys
import urllib.parse

FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^ *\2[`~]* *$", re.MULTILINE | re.DOTALL)
# A code span may show a link, but is none. It does not go beyond its paragraph.
CODE = re.compile(r"(`+)(?!`)((?:(?!\n\n).)*?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)\)")
MARKS = re.compile(r"`|(?<!operator\[)\]\(|</?(?:a|b|code|details|em|p|summary|t[dhrt]|table)\b|@(?:ref|subpage)\b|ilinebr")
NAMED_PAGE = re.compile(r"\bdoc/[a-z_]{2,}\.md\b")
SOURCES = ("*", "cmake/*", "doc/*", "examples/**/*", "include/**/*", "packaging/**/*", "src/**/*", "test/**/*",
           "tools/*")


def without_code(text):
    """The text with its blocks of code as empty lines, and without its comments."""
    def lines_of(found):
        return "\n" * found[0].count("\n")
    return re.sub(r"<!--.*?-->", lines_of, FENCE.sub(lines_of, text), flags=re.DOTALL)


def anchors(text):
    """The anchors that a page has for its headings, by the rule of GitHub and other sites."""
    seen, found = collections.Counter(), set()
    for heading in re.findall(r"^#+ +(.*?) *$", without_code(text), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        found.add(slug if not seen[slug] else f"{slug}-{seen[slug]}")
        seen[slug] += 1
    return found


def links(text):
    """Each link of a page, as (line, target)."""
    shown = CODE.sub(lambda span: re.sub(r"[^\n]", "x", span[0]), without_code(text))
    return [(shown.count("\n", 0, found.start()) + 1, found[1]) for found in LINK.finditer(shown)]


def check_pages(source):
    """The number of links, and a sentence for each that is wrong."""
    number, wrong = 0, []
    pages = sorted([*source.glob("*.md"), *source.glob("doc/*.md"), *source.glob("test/**/*.md")])
    for page in pages:
        listed = collections.Counter()
        for line, target in links(page.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", target):
                continue
            number += 1
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            listed[file] += 1
            place = f"{page.relative_to(source)}:{line}: {target}"
            if not file.exists():
                wrong.append(f"{place}: there is no such file")
            elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
                wrong.append(f"{place}: the page has no such heading")
        if page == source / "doc" / "README.md":
            for other in sorted(source.glob("doc/*.md")):
                number += 1
                if other != page and listed[other.resolve()] != 1:
                    wrong.append(f"doc/README.md has {listed[other.resolve()]} links to {other.name}, and not one")
    for file in sorted({file for pattern in SOURCES for file in source.glob(pattern) if file.is_file()}):
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # an example of another encoding
            continue
        for found in NAMED_PAGE.finditer(text):
            number += 1
            if not (source / found[0]).exists():
                line = text.count("\n", 0, found.start()) + 1
                wrong.append(f"{file.relative_to(source)}:{line}: {found[0]} does not exist")
    return number, wrong


class Page(html.parser.HTMLParser):
    """The anchors of an HTML page; its links, as (line, target); and its text without code, as (line, text)."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.text = set(), [], []
        self.code = []  # the tags around code in which the parser is
        self.feed(text)

    def handle_data(self, data):
        if not self.code:
            self.text.append((self.getpos()[0], data))

    def handle_endtag(self, tag):
        if self.code and tag == self.code[-1]:
            self.code.pop()

    def handle_starttag(self, tag, attrs):
        begins = tag in ("code", "pre", "script", "style", "tt") or ("class", "fragment") in attrs
        if begins or self.code and tag == self.code[-1]:
            self.code.append(tag)
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append((self.getpos()[0], value))


def check_site(directory):
    """As check_pages."""
    number, wrong = 0, []
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(directory.glob("**/*.html"))}
    named = {file: page.links for file, page in pages.items()}
    for script in sorted(directory.glob("*.js")):
        if script.name.startswith("navtreeindex"):  # shows nothing, and names pages that the site may lack
            continue
        text = script.read_text(encoding="utf-8")
        named[script] = [(text.count("\n", 0, found.start()) + 1, found[1])
                         for found in re.finditer(r'"([\w.-]+\.html)(?:#\w+)?"', text)]
    for file, targets in named.items():
        for line, target in targets:
            if re.match(r"[a-z]+:", target):
                continue
            number += 1
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            to = file.parent / path if path else file
            if not to.exists():
                wrong.append(f"{file.name}:{line}: {target}: there is no such file")
            # Doxygen links to the nested classes of a class even if all of them are private, and not shown. And 1.17
            # links from a list of names to letters that it has not marked.
            elif anchor and anchor not in pages[to].anchors and not re.fullmatch("nested-classes|index_.", anchor):
                wrong.append(f"{file.name}:{line}: {target}: the page has no such anchor")
    for file, page in pages.items():
        for line, text in page.text:
            if found := MARKS.search(text):
                wrong.append(f"{file.name}:{line}: the text has {found[0]!r}: {' '.join(text.split())[:100]}")
    for page in sorted((pathlib.Path(__file__).resolve().parents[2] / "doc").glob("*.md")):
        file = directory / f"page_{page.stem}.html"
        if file not in pages:
            continue
        for found in re.finditer(r"(?<!`)`([^`\n]*%[^`\n]*)`(?!`)", page.read_text(encoding="utf-8")):
            number += 1
            code = file.read_text(encoding="utf-8").replace('<span class="tt">', "<code>").replace("</span>", "</code>")  # 1.17
            if f"<code>{html.escape(found[1], quote=False)}</code>" not in code:
                wrong.append(f"{file.name}: there is no {found[0]}")
    return number, wrong


def main():
    checks = {"pages": check_pages, "site": check_site}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    number, wrong = checks[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve())
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{number} cases, {len(wrong)} failed")
    sys.exit(bool(wrong) or number < 100)


if __name__ == "__main__":
    main()
