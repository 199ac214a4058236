#!/usr/bin/env python3
"""promises_test.py SOURCE: checks that all tests and commands in doc/promises.md exist, and that it names all tests."""
import fnmatch
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from checks import check, finish

source = pathlib.Path(sys.argv[1])
text   = (source / "doc" / "promises.md").read_text(encoding="utf-8")
build  = "".join(file.read_text(encoding="utf-8") for file in (source / "test").glob("**/CMakeLists.txt"))


def is_test(name):
    return any(True for end in ("_test.cpp", "_test.sh", ".cpp") for _ in (source / "test").glob(f"*/{name}{end}")) \
        or re.search(rf"(NAME|_test\() *{name}\b", build)


named = set()
for row in re.findall(r"^\| (.*) \| (.*) \| .* \|$", text.split("\n## ")[0], re.MULTILINE)[1:]:
    for name in re.split(r", (?:and )?", row[1]):
        name = name.strip()
        named.add(name)
        check(name.startswith("test/") or is_test(name), f"there is no test {name}")
named.update(re.findall(r"\((\w+)\)", text))
for command in re.findall(r"`(test/[\w/]+)", text):
    check((source / command).exists(), f"there is no {command}")
for program in sorted(file.name[:-9] for file in (source / "test").glob("*/*_test.cpp")):
    check(any(fnmatch.fnmatch(program, name) for name in named), f"promises.md does not name {program}")
finish(50)
