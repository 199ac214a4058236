#!/usr/bin/env python3
"""extract_test.py: tests which code extract.py takes from a page, and which pages it refuses."""
import pathlib
import sys

sys.dont_write_bytecode = True
import extract

CASES = [0, 0]


def extracted(text):
    try:
        return extract.files(text, pathlib.Path("doc/a.md"))
    except extract.Error as error:
        return error.line


def expect(text, wanted, what):
    CASES[0] += 1
    found = extracted(text)
    if found != wanted:
        CASES[1] += 1
        print(f"{what}: {found!r} instead of {wanted!r}")


def header(*parts):
    """The expected header. Each part is a namespace: (name, number of the first line, text)."""
    return "".join(f'namespace {{\nnamespace {name} {{\n#line {number} "doc/a.md"\n{text}\n}}\n}}\n' for name, number, text in parts)


CODE = "<!-- code: b -->\n```cpp\nint c();\n```\n"

expect("", {}, "an empty page")
expect("# A\n\n```sh\n#include <x>\n```\n\n    int c();\n", {}, "a page without C++")
expect(CODE, {"a.hpp": header(("b", 3, "int c();"))}, "a block")
expect("\n" + CODE + "\n<!-- code: d -->\n```cpp\ne\n\nf\n```\n", {"a.hpp": header(("b", 4, "int c();"), ("d", 9, "e\n\nf"))}, "two blocks")
expect(CODE + CODE, {"a.hpp": header(("b", 3, "int c();"), ("b", 7, "int c();"))}, "two blocks of one name")
expect("<!-- code: b -->\n```cpp\n#include <x>\nint c();\n```\n",
       {"a.hpp": '#line 3 "doc/a.md"\n#include <x>\n' + header(("b", 3, "\nint c();"))}, "#include")
expect("<!-- program: b -->\n```cpp\n#include <x>\nint main() {}\n```\n",
       {"b.cpp": '#line 3 "doc/a.md"\n#include <x>\nint main() {}\n'}, "a program")
expect("<!-- header: b -->\n```cpp\n#include <x>\nint c();\n```\n" + CODE,
       {"a/b.hpp": '#pragma once\n#line 3 "doc/a.md"\n#include <x>\nint c();\n', "a.hpp": header(("b", 8, "int c();"))}, "a header")
expect("````md\n<!-- code: b\n```cpp\n```\n````\n", {}, "a block that shows a page")
expect("<!-- performance -->\n" + CODE, {"a.hpp": header(("b", 4, "int c();"))}, "other comments")

for text, line, what in (
        ("\n```cpp\nint c();\n```\n", 2, "a block without a comment"),
        (CODE + "```cpp\nint d();\n```\n", 5, "a second block without a comment"),
        ("<!-- code: b -->\n\n```cpp\n```\n", 1, "an empty line after the comment"),
        ("<!-- code: b -->\n```sh\n```\n", 1, "another language"),
        ("x\n<!-- code: b -->", 2, "a comment at the end"),
        ("<!-- code: b -->\n" + CODE, 1, "two comments"),
        ("<!-- code: b c -->\n```cpp\n```\n", 1, "a name of two words"),
        ("<!-- code: -->\n```cpp\n```\n", 1, "an empty name"),
        ("x <!-- code: b -->\n```cpp\n```\n", 1, "text before the comment"),
        ("x <!-- header: b -->\n```cpp\n```\n", 1, "text before the comment of a header"),
        ("<!-- code b -->\n```cpp\n```\n", 1, "no colon"),
        ("x\n<!-- code: b -->\n```cpp\nint c();\n", 3, "a block without an end"),
        ("- x\n\n  ```cpp\n  ```\n", 3, "an indented block"),
        ("```c++\n```\n", 1, "the language c++"),
        ("``` cpp\n```\n", 1, "a space before the language"),
        ("```cpp title\n```\n", 1, "more than the language"),
        ("~~~cpp\n~~~\n", 1, "a fence of tildes"),
        ("````cpp\n````\n", 1, "a fence of four backquotes"),
        ("<!-- program: b -->\n```cpp\n```\n<!-- program: b -->\n```cpp\n```\n", 5, "two programs of one name"),
        ("<!-- header: b -->\n```cpp\n```\n<!-- header: b -->\n```cpp\n```\n", 5, "two headers of one name")):
    expect(text, line, what)

print(f"extract: {CASES[0]} cases, {CASES[1]} failed")
sys.exit(CASES[1] != 0)
