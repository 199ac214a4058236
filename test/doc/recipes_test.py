#!/usr/bin/env python3
"""recipes_test.py SOURCE: checks the table of log recipes in doc/logs.md against the recipes in doc/log_recipes.md.

Each row states the lines of code that the recipe has, without empty lines, comments and directives. Each row has a pair
of costs for each that the tests test/logging/recipe_*_test.cpp measure under its name, or an em dash and the words "not run". Each
recipe of the page is measured.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import extract
from checks import check, finish

# The code of each row, if that is not the header of the same name: the ways to use it, each of whole headers or of
# HEADER.DEFINITION.
CODE = {
    "syslog(3)": ["syslog"],
    "systemd journal": ["journal"],
    "spdlog": [f"spdlog.printable_sink spdlog.{log}" for log in ("file_log", "rotating_log", "async_log")],
    "spdlog with a context of your own":
        ["spdlog.printable_sink spdlog.file_log spdlog.user_flag spdlog.set_pattern_with_user"],
    "Boost.Log": ["boost_log"],
    "Boost.Log, wide": ["boost_log_wide", "boost_log_wide boost_log"],
    "JSON by any of them": ["json_object"],
}

source  = pathlib.Path(sys.argv[1])
page    = (source / "doc/log_recipes.md").read_text(encoding="utf-8")
table   = (source / "doc/logs.md").read_text(encoding="utf-8").split("\n## Each backend\n")[1].split("\n## ")[0]
headers = {name: lines for kind, name, _, lines in extract.blocks(page) if kind == "header"}
headers["quill"] = re.search(r"^## quill\n.*?^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1].splitlines()
costs   = "".join(file.read_text(encoding="utf-8") for file in sorted((source / "test/logging").glob("recipe_*_test.cpp")))


def size(name):
    """The lines of code of a header with the recipes that it includes, or of one of its definitions."""
    header, _, definition = name.partition(".")
    lines = headers[header]
    if definition:
        first = next(i for i, line in enumerate(lines) if re.match(rf"\w.*\b{definition}\b", line))
        lines = lines[first:next(i for i in range(first, len(lines)) if lines[i].startswith("}")) + 1]
    included = [found[1] for line in lines if (found := re.match(r'#include "(\w+)\.hpp"', line))]
    return sum(map(size, included)) + sum(1 for line in lines if not re.match(r"\s*(//|#|$)", line))


rows = {}
for row in re.findall(r"^\| (.*) \|$", table, re.MULTILINE)[1:]:
    backend, lines, checked, cost = (row.split(" | ") + ["", ""])[:4]
    name = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", backend).split(":")[0]
    rows[name] = cost
    counted = {sum(map(size, way.split())) for way in CODE.get(name, [name.lower().replace("+", "p")])}
    check({int(n) for n in re.findall(r"\d+", lines)} == counted, f"logs.md: {name} has {lines} lines, but there are {counted}")
    if cost == "—":
        check("not run" in checked, f"logs.md: {name} has no cost and no reason")

measured = dict.fromkeys(rows, 0)
for name in re.findall(r'row\(\s*"(.*?)"', costs):
    of = max((row for row in rows if name.startswith(row)), key=len, default=None)
    check(of, f"recipe_*_test.cpp measure {name}, which is not in logs.md")
    if of:
        measured[of] += 1
for name, cost in rows.items():
    pairs = len(re.findall(r"\d+ / \d+", cost))
    check(pairs == measured[name] and (pairs > 0) == (cost != "—"),
          f"logs.md: {name} has {pairs} pairs of costs, but recipe_*_test.cpp measure {measured[name]}")
for name in headers:
    users = costs + "\n".join("\n".join(lines) for lines in headers.values())
    check(name == "quill" or re.search(rf'#include [<"](log_recipes/)?{name}\.hpp', users),
          f"log_recipes.md: recipe_*_test.cpp do not measure {name}")
finish(40)
