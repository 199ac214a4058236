#!/usr/bin/env python3
"""site.py PAGE.md: prints a page as Doxygen needs it to show what GitHub shows. doc/Doxyfile names this script as the
filter of the pages.

- Each heading gets the name that a link to it has: [x](files.md#in-pieces). Doxygen would number the headings.
- The first page is README.md. doc/README.md becomes the parent of all other pages to which it links, so that these
  stand in its order in the tree of the site.
- A link to a file that is no page of the site becomes plain text, and an image a part of the page.
- Doxygen shows code in headings as HTML, knows no code in the text of a link, ends code at an apostrophe, and removes a
  percent sign before a word, also in code, unless it stands between quotation marks.
"""
import base64
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
FIRST, PARENT = TOP / "README.md", TOP / "doc" / "README.md"


def label(page):
    """The name of a page in Doxygen, or None if the file is no page of the site."""
    if page == FIRST:
        return "index"
    if page.suffix == ".md" and page.parent in (TOP, TOP / "doc"):
        return "page_" + page.stem.lower()
    return None


def link(page, found):
    """The text that takes the place of a link or an image of a page."""
    image, shown, target = found[1], " ".join(found[2].replace("`", "").split()), found[3]
    if re.match(r"[a-z]+:", target):
        return found[0]
    path, _, heading = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if image:
        data = base64.b64encode(file.read_bytes()).decode()
        return f'@htmlonly[block]<img src="data:image/svg+xml;base64,{data}" alt="{shown}"/>@endhtmlonly'
    name = label(file)
    if name is None:
        return found[2]  # with its code
    if heading:
        name += "-" + heading
    elif page == PARENT and file != FIRST:
        return f'@subpage {name} "{shown}"'
    return f"[{shown}](@ref {name})"


def code(span):
    """A span of code, in marks inside of which an apostrophe and a percent sign mean nothing."""
    if re.search(r"%[A-Za-z$]", re.sub('"[^"]*"', "", span[1])):
        return "<code>" + re.sub(r"[\\%@#&<>]", r"\\\g<0>", span[1]) + "</code>"
    return f"``{span[1]}``" if "'" in span[1] else span[0]


def paragraphs(page, text):
    text = re.sub(r"(!?)\[((?:[^\[\]`]|`[^`]*`)+)\]\(([^()\s]+)\)", lambda found: link(page, found), text)
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", code, text)
    return re.sub(r"^.*</?details>.*$", r"@htmlonly[block]\g<0>@endhtmlonly", text, flags=re.MULTILINE)


def heading(page, found, used):
    shown = found[2].replace("`", "").replace("<", "&lt;").replace(">", "&gt;")
    if found[1] == "#":
        return f"@mainpage {shown}" if page == FIRST else f"# {shown} {{#{label(page)}}}"
    slug = re.sub(r"[^\w\- ]", "", found[2].lower()).replace(" ", "-")
    name = f"{label(page)}-{slug}"
    used[name] = used.get(name, -1) + 1
    level = found[1][1:] if page == FIRST else found[1]  # below @mainpage, # is a section
    return f"{level} {shown} {{#{name}{f'-{used[name]}' if used[name] else ''}}}"


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    text, used = page.read_text(encoding="utf-8"), {}
    # Blocks of code stay as they are, and lines that begin with # are no headings there.
    for n, part in enumerate(re.split(r"^(```.*?^``` *$)", text, flags=re.MULTILINE | re.DOTALL)):
        if n % 2 == 0:
            part = paragraphs(page, part)
            part = re.sub(r"^(#+) +(.*?) *$", lambda found: heading(page, found, used), part, flags=re.MULTILINE)
        sys.stdout.write(part)


main()
