#!/usr/bin/env python3
"""members_test.py SOURCE: checks that errors.md lists all members of stream_report and of error_info, and no others."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from checks import finish, same

source = pathlib.Path(sys.argv[1])
page   = (source / "doc" / "errors.md").read_text(encoding="utf-8")


def members(text, name):
    """The members of a struct, and those of its base class, which is in the same header."""
    base, body = re.search(rf"^struct {name}(?: : (\w+))? {{\n(.*?)^}};", text, re.MULTILINE | re.DOTALL).groups()
    code = re.sub(r"//.*|^    .*", "", body, flags=re.MULTILINE)  # no statements of functions
    return set(re.findall(r"(\w+(?:\(\))?)\s*(?:const\s*)?(?:=[^;]*)?;", code)) | (members(text, base) if base else set())


for name, header in (("stream_report", "params.hpp"), ("error_info", "error.hpp")):
    there = members((source / "include" / "utfilter" / header).read_text(encoding="utf-8"), name)
    table = re.search(rf"^\| member of `{name}` \| \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    told  = set(re.findall(r"`([\w()]+)`", " ".join(row.split("|")[1] for row in table[1].splitlines()))) if table else set()
    same(there, told, f"errors.md does not list {name}'s", f"errors.md lists {name}'s")
finish(30)
