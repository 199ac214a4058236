#!/usr/bin/env python3
"""reference.py: checks that the reference, which Doxygen makes from the headers, is complete.

    reference.py examples HEADER... FILE.cpp
        Writes a program of all examples: the ```cpp blocks in the comments of the headers. Each becomes the body of a
        function, unless it begins with a function itself. The program runs the examples with an assertion.

    reference.py check XML HTML
        Checks Doxygen's XML. The comment of each class must state complexity and thread safety, and have an example or
        name a guide. The comment of each constructor must state what it throws. The comment of each free function must
        state its complexity and, unless it is noexcept, what it throws. No constructor shows a name of detail. The HTML
        must contain all public members and all documented macros.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

BLOCK = re.compile(r"^ *///? ```cpp\n((?:^ *///.*\n)*?)^ */// ```$", re.MULTILINE)

PREAMBLE = """#include <utfilter/utfilter.hpp>
#include <utfilter/icu.hpp>
#include <utfilter/nfc.hpp>
#include <utfilter/printable_fmt.hpp>
#include <utfilter/spdlog_sink.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cassert>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

namespace io = boost::iostreams;
"""


def examples(headers, program):
    """Writes the program of all examples."""
    text, run = PREAMBLE, []
    for header in headers:
        content = pathlib.Path(header).read_text(encoding="utf-8")
        for block in BLOCK.finditer(content):
            line   = content.count("\n", 0, block.start(1)) + 1
            name   = f"{pathlib.Path(header).stem}_{line}"
            code   = re.sub(r"^ */// ?", "", block[1], flags=re.MULTILINE)
            defines = re.match(r"void \w+\(", code)
            begin, end = ("", "") if defines else ("void example() {\n", "}\n")
            text += f'\nnamespace {name} {{\n{begin}#line {line} "{header}"\n{code}{end}}}\n'
            if "assert(" in code and not defines:
                run.append(f"  {name}::example();\n")
    text += "\nint main() {\n" + "".join(run) + "}\n"
    if text.count("\n#line") < 30 or len(run) < 5:
        sys.exit("reference.py: there are too few examples; has their form changed?")
    pathlib.Path(program).write_text(text, encoding="utf-8")


def words(element):
    """The text of an element, without its examples."""
    def text(part):
        inside = "" if part.tag == "programlisting" else (part.text or "") + "".join(map(text, part))
        return inside + (part.tail or "")
    return " ".join(text(element).split()) if element is not None else ""


def told(element):
    return words(element.find("briefdescription")) + " " + words(element.find("detaileddescription"))


def check(directory, pages):
    """Prints all that is missing, and exits with 1 if anything is."""
    missing, classes, functions, macros = [], 0, 0, 0
    for file in sorted(pathlib.Path(directory).glob("*.xml")):
        compound = xml.parse(file).getroot().find("compounddef")
        if compound is None:
            continue
        name, kind = words(compound.find("compoundname")), compound.get("kind")
        ours = name.startswith("utfilter") and compound.get("prot") != "private"
        page = pathlib.Path(pages, compound.get("id") + ".html")
        page = page.read_text(encoding="utf-8") if page.exists() else ""
        for member in compound.iter("memberdef"):
            macro = member.get("kind") == "define" and told(member) != " "
            macros += macro
            if (ours or macro) and member.get("prot") == "public" and f'id="{member.get("id").rpartition("_1")[2]}"' not in page:
                missing.append(f"{name}::{words(member.find('name'))} is on no page")
        if not ours:
            continue
        says = told(compound)
        if kind == "class" and compound.get("prot") == "public":
            classes += 1
            for what in ("omplexity", "hread safety"):
                if what not in says:
                    missing.append(f"{name} does not state its {what.replace('omp', 'comp').replace('hread', 'thread')}")
            if compound.find("detaileddescription//programlisting") is None and "guide" not in says:
                missing.append(f"{name} has no example")
        for member in compound.iter("memberdef"):
            if member.get("kind") != "function" or member.get("prot") != "public":
                continue
            signature = name + "::" + words(member.find("name")) + words(member.find("argsstring"))
            is_constructor = words(member.find("name")) == name.rpartition("::")[2]
            if is_constructor and "detail::" in signature + words(member.find("templateparamlist")):
                missing.append(f"{signature} shows what is not for users (see doc/reference.sed)")
            throws = not re.search(r"noexcept|= ?default|= ?delete", signature)
            if kind == "namespace":
                functions += 1
                if "omplexity" not in told(member):
                    missing.append(f"{signature} does not state its complexity")
                if throws and "hrows" not in told(member):
                    missing.append(f"{signature} does not state what it throws")
            elif compound.get("prot") == "public" and is_constructor and throws and "&&" not in signature:
                if "hrows" not in told(member) + says:
                    missing.append(f"{signature} does not state what it throws")
    print(*missing, sep="\n", end="\n" if missing else "")
    print(f"{classes} classes, {functions} functions, {macros} macros: {len(missing)} failed")
    sys.exit(bool(missing) or classes < 20 or functions < 10 or macros < 2)


if len(sys.argv) > 3 and sys.argv[1] == "examples":
    examples(sys.argv[2:-1], sys.argv[-1])
elif len(sys.argv) == 4 and sys.argv[1] == "check":
    check(sys.argv[2], sys.argv[3])
else:
    sys.exit(__doc__)
