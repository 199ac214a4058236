#!/usr/bin/env python3
"""classes_test.py SOURCE: checks that the table in test/README.md names each class of fwd.hpp once, and that its tests
exist."""
import pathlib
import re
import sys

source  = pathlib.Path(sys.argv[1])
classes = re.findall(r"^class (\w+);$", (source / "include/utfilter/fwd.hpp").read_text(encoding="utf-8"), re.MULTILINE)
page    = (source / "test/README.md").read_text(encoding="utf-8")
table   = re.search(r"^\| class \| test \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)
told    = []
wrong   = []
for row in table[1].splitlines() if table else ():
    _, names, test, _ = row.split("|")
    for name in re.findall(r"\w+", names):
        told.append(name)
        file = test.strip().replace("X_test", f"{name}_test")
        if not any((source / "test").glob(file)):
            wrong.append(f"test/README.md: the test of {name} does not exist: {file}")
wrong += [f"test/README.md does not name the test of {name}" for name in classes if name not in told]
wrong += [f"test/README.md names {name}, which fwd.hpp does not declare" for name in told if name not in classes]
wrong += [f"test/README.md names {name} twice" for name in set(told) if told.count(name) > 1]
print(*wrong, sep="\n", end="\n" if wrong else "")
print(f"{len(classes)} cases, {len(wrong)} failed")
sys.exit(bool(wrong) or len(classes) < 40)
