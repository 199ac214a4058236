#!/usr/bin/env python3
"""extract.py PAGE.md DIRECTORY: extracts the C++ of a documentation page, so that tests can compile and run it.

Directly before each ```cpp block of a page, without an empty line, stands a comment that the page's reader does not see:

    <!-- code: NAME -->       The block has whole functions, classes and constants. They go into DIRECTORY/PAGE.hpp, in
                              their order, in a namespace NAME. Blocks of the same name share a namespace. #include
                              lines go before the namespace.
    <!-- program: NAME -->    The block is a whole program with main. It goes into DIRECTORY/NAME.cpp.
    <!-- header: NAME -->     The block is a whole header, with what it includes. It goes into DIRECTORY/PAGE/NAME.hpp.

Any other block that looks like C++ is an error, reported with its line. #line directives make the compiler's messages
point to the page. The script prints the names of the files, one in each line. It does not rewrite a file whose content
stays the same.

The namespaces stand inside an unnamed namespace, so that the compiler warns about a function that no test calls, and so
that pages may use the same names. If a block needs headers that it does not show, the test includes them before
DIRECTORY/PAGE.hpp. A header is for what only some programs can use, because it needs a library of its own.

CMakeLists.txt runs this script for each doc/*.md. A page with blocks has a test, PAGE_page.cpp in this folder, which
includes <PAGE.hpp>. The tests of all pages are compiled into the program doc_test. Programs are built as doc_NAME. The
tests of headers stand in other folders.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"<!-- *(code|program|header): *(.*?) *-->")
FENCE = re.compile(r"( *)(`{3,}|~{3,}) *(.*?) *")
FENCE_OF_CPP = "```cpp"
CPP = re.compile(r"(c|cc|c\+\+|cpp|cxx|h|hpp|objective-c\+\+)\b", re.IGNORECASE)


class Error(Exception):
    """An error in a page, with its line."""

    def __init__(self, line, what):
        super().__init__(what)
        self.line = line


def blocks(text):
    """All blocks, each as (kind, name, number of its first line, lines)."""
    found, comment, fence = [], None, None
    for number, line in enumerate(text.split("\n"), 1):
        if fence:
            indent, mark, opened, lines = fence
            if re.fullmatch(rf" {{0,3}}{mark[0]}{{{len(mark)},}} *", line[len(indent):]):
                if comment:
                    found.append((*comment, opened + 1, lines))
                comment = fence = None
            else:
                lines.append(line)
            continue
        opening, named = FENCE.fullmatch(line), COMMENT.fullmatch(line)
        if comment and line != FENCE_OF_CPP:
            raise Error(number - 1, f"no {FENCE_OF_CPP} block follows the comment")
        if opening:
            if line != FENCE_OF_CPP and CPP.match(opening[3]):
                raise Error(number, f"a block of C++ must begin with a line that contains only {FENCE_OF_CPP}")
            if line == FENCE_OF_CPP and not comment:
                raise Error(number, f"no comment before {FENCE_OF_CPP}: <!-- code: NAME -->, <!-- program: NAME --> or <!-- header: NAME -->")
            fence = (opening[1], opening[2], number, [])
        elif named:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", named[2]):
                raise Error(number, f"{named[2]!r} is not a valid name of a namespace or a program")
            comment = (named[1], named[2])
        elif re.search(r"<!--\s*(code|program|header)\b", line):
            raise Error(number, "a comment that names a block must be alone in its line: <!-- code: NAME -->, <!-- program: NAME -->, <!-- header: NAME -->")
    if fence:
        raise Error(fence[2], "the block has no end")
    if comment:
        raise Error(len(text.split("\n")), f"no {FENCE_OF_CPP} block follows the comment")
    return found


def files(text, page):
    """The files to write, as {name: content}."""
    made, header = {}, ""
    quoted = '"' + str(page).replace("\\", "\\\\").replace('"', '\\"') + '"'
    for kind, name, number, lines in blocks(text):
        if kind != "code":
            file, before = (name + ".cpp", "") if kind == "program" else (f"{page.stem}/{name}.hpp", "#pragma once\n")
            if file in made:
                raise Error(number - 1, f"there are two {kind}s {name}")
            made[file] = f"{before}#line {number} {quoted}\n" + "\n".join(lines) + "\n"
            continue
        for i, line in enumerate(lines):
            if re.match(r"\s*#\s*include\b", line):
                header += f"#line {number + i} {quoted}\n{line}\n"
                lines[i] = ""
        header += f"namespace {{\nnamespace {name} {{\n#line {number} {quoted}\n" + "\n".join(lines) + "\n}\n}\n"
    if header:
        made[page.stem + ".hpp"] = header
    return made


def main(page, directory):
    page, directory = pathlib.Path(page), pathlib.Path(directory)
    try:
        made = files(page.read_text(encoding="utf-8"), page)
    except Error as error:
        sys.exit(f"{page}:{error.line}: {error}")
    for name, content in made.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != content:
            file.write_text(content, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: extract.py PAGE.md DIRECTORY")
    main(*sys.argv[1:])
