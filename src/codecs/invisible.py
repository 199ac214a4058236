#!/usr/bin/env python3
"""invisible.py: writes invisible.cpp, the characters of printable_options::invisible, from Unicode's data.

    invisible.py [FOLDER]           writes the file
    invisible.py --check [FOLDER]   writes nothing. Fails if the file differs from what would be written

FOLDER has the Unicode Character Database; Debian's package unicode-data puts it into /usr/share/unicode. Unicode
reserves the code points of Default_Ignorable_Code_Point long before it assigns them, so most of its versions give the
same file.
"""
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).with_suffix(".cpp")


def characters(folder):
    """The set of invisible code points."""
    def rows(file, row):
        return re.findall(row, (folder / file).read_text(encoding="utf-8"), re.MULTILINE)

    found = set()
    for file, value in (("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point"),
                        ("PropList.txt", "Noncharacter_Code_Point")):
        for first, last in rows(file, rf"^(\w+)(?:\.\.(\w+))? *; *{value}\b"):
            found.update(range(int(first, 16), int(last or first, 16) + 1))
    # These three may take the text between them along: a receiver of plain text either preserves all of it, or removes
    # the characters with the annotation (The Unicode Standard, section 23.8).
    found.update(int(code, 16) for code in rows("UnicodeData.txt", r"^(\w+);INTERLINEAR ANNOTATION "))
    # Private use, which is the general category Co: two lines for each range, "First" and "Last".
    ends = [int(code, 16) for code in rows("UnicodeData.txt", r"^(\w+);<[^;]*>;Co;")]
    for first, last in zip(ends[::2], ends[1::2]):
        found.update(range(first, last + 1))
    return found


def ranges(found):
    """The first and the last of each run of neighbours, in order."""
    firsts = sorted(c for c in found if c - 1 not in found)
    lasts = sorted(c for c in found if c + 1 not in found)
    return list(zip(firsts, lasts))


def written(runs):
    rows = "\n".join(f"    {{0x{first:04X}, 0x{last:04X}}}," for first, last in runs)
    return f"""\
// invisible.cpp: the characters of printable_options::invisible. invisible.py writes this file: do not edit it.
#include "codecs/escapes.hpp"

#include <algorithm>
#include <iterator>

// clang-format off
namespace utfilter::detail {{
namespace {{

struct range {{
  char32_t first, last;
}};

constexpr range invisible[] = {{
{rows}
}};

}}  // namespace

bool is_invisible(char32_t c) noexcept {{
  const auto ends_before = [](const range& r, char32_t value) {{ return r.last < value; }};
  const range* const found = std::lower_bound(std::begin(invisible), std::end(invisible), c, ends_before);
  return found != std::end(invisible) && found->first <= c;
}}

}}  // namespace utfilter::detail
"""


def main():
    arguments = sys.argv[1:]
    checks = arguments[:1] == ["--check"]
    folder = pathlib.Path(([*arguments[checks:], "/usr/share/unicode"])[0])
    runs = ranges(characters(folder))
    text = written(runs)
    stale = not FILE.is_file() or FILE.read_text(encoding="utf-8") != text
    if not checks:
        FILE.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if stale:
        print(f"{FILE.name} is not as invisible.py writes it from {folder}; run it, and commit what it writes")
    print(f"{len(runs)} cases, {int(stale)} failed")
    return 1 if stale or len(runs) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
