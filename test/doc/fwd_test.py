#!/usr/bin/env python3
"""fwd_test.py SOURCE: checks that fwd.hpp declares the types of all public headers, and no others; and that utfilter.hpp
includes all public headers, except those that need another library."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from checks import finish, same

headers = pathlib.Path(sys.argv[1]) / "include" / "utfilter"
# The end of a namespace of one line has no comment.
DETAIL  = re.compile(r"^namespace detail \{\n(?:.*\n\}\n|(?:.*\n)*?\}  // namespace detail\n)", re.MULTILINE)
TYPE    = re.compile(r"^(?:template <.*>\n)?(?:class|struct|enum class)(?: UTFILTER_\w+)? (\w+)(?: :.*)?( \{|;)$"
                     r"|^using (\w+)( =) codec_\w+<[\w:]+>;$", re.MULTILINE)


def types(header, ends):
    """The types of the namespace utfilter in a header. `ends` is what follows the name."""
    text = DETAIL.sub("", header.read_text(encoding="utf-8"))
    return {m[1] or m[3] for m in TYPE.finditer(text) if (m[2] or m[4]).strip() in ends}


told  = types(headers / "fwd.hpp", (";", "="))
there = set().union(*(types(h, ("{", "=")) for h in headers.glob("*.hpp") if h.name != "fwd.hpp"))
same(there, told, "fwd.hpp lacks", "fwd.hpp declares")
text     = {h.name: h.read_text(encoding="utf-8") for h in headers.glob("*.hpp") if h.name != "utfilter.hpp"}
included = set(re.findall(r"^#include <utfilter/(.*)>$", (headers / "utfilter.hpp").read_text(encoding="utf-8"), re.MULTILINE))
optional = re.compile(r"^// layer: (logs|icu|nfc)$", re.MULTILINE)
should   = {name for name in text if not optional.search(text[name])}
same(should, included, "utfilter.hpp does not include", "utfilter.hpp includes")
finish(120)
