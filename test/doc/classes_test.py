#!/usr/bin/env python3
"""classes_test.py SOURCE: checks that the table in test/README.md names each class of fwd.hpp once, and that its tests
exist."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from checks import check, finish, same

source  = pathlib.Path(sys.argv[1])
classes = re.findall(r"^class (\w+);$", (source / "include/utfilter/fwd.hpp").read_text(encoding="utf-8"), re.MULTILINE)
page    = (source / "test/README.md").read_text(encoding="utf-8")
table   = re.search(r"^\| class \| test \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)
told    = []
for row in table[1].splitlines() if table else ():
    _, names, test, _ = row.split("|")
    for name in re.findall(r"\w+", names):
        check(name not in told, f"test/README.md names {name} twice")
        told.append(name)
        file = test.strip().replace("X_test", f"{name}_test")
        check(any((source / "test").glob(file)), f"test/README.md: the test of {name} does not exist: {file}")
same(set(classes), set(told), "test/README.md does not name the test of", "test/README.md names")
finish(120)
