#!/usr/bin/env python3
"""report.py BUILD: what test/coverage prints, from the programs of the build and what they reached, BUILD/all.profdata."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
REASONS = ROOT / "test" / "line_coverage" / "reasons.txt"
TABLES = ["sse41", "avx2", "avx512", "scalar", "dispatch"]  # what is compiled for each has its own counts


class Counts:
    def __init__(self):
        self.lines = {}                                   # line -> how often
        self.branches = collections.defaultdict(lambda: [0, 0])  # place -> how often it was so, and not so

    def row(self, name):
        hit, all_lines = sum(map(bool, self.lines.values())), len(self.lines)
        ways = [bool(n) for both in self.branches.values() for n in both]
        return f"{name:48}{hit:6} of{all_lines:6} {percent(hit, all_lines)}{sum(ways):8} of{len(ways):6} {percent(sum(ways), len(ways))}"


def percent(part, whole):
    return f"{100 * part / whole:5.1f} %" if whole else "      -"


def export(build, objects, form, places):
    more = [word for o in objects[1:] for word in ("-object", o)]
    command = ["llvm-cov-14", "export", f"-format={form}", f"-instr-profile={build}/all.profdata", objects[0], *more, *[str(ROOT / p) for p in places]]
    if form == "text":
        command.insert(3, "-skip-functions")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def counts_of(build, objects, places):
    """File -> Counts."""
    files = collections.defaultdict(Counts)
    for record in export(build, objects, "lcov", places).split("end_of_record\n"):
        if name := re.search(r"^SF:(.*)$", record, re.MULTILINE):
            lines = files[os.path.relpath(name.group(1), ROOT)].lines
            for line, count in re.findall(r"^DA:(\d+),(\d+)", record, re.MULTILINE):
                lines[int(line)] = lines.get(int(line), 0) + int(count)
    for file in json.loads(export(build, objects, "text", places))["data"][0]["files"]:
        branches = files[os.path.relpath(file["filename"], ROOT)].branches
        for line, column, _, _, true, false, *_ in file["branches"]:  # of each instance of a template
            branches[line, column][0] += true
            branches[line, column][1] += false
    return files


def sources():
    return [str(p.relative_to(ROOT)) for place in ("src", "include") for p in ROOT.joinpath(place).rglob("*.[ch]pp")]


def programs(build):
    found = (p for p in pathlib.Path(build).rglob("*") if not p.suffix and "CMakeFiles" not in p.parts and p.is_file() and os.access(p, os.X_OK))
    return sorted(str(p) for p in found)


def read_reasons():
    """(file, line's text) -> reason; in the file `file: text`, and below it, indented, the reason."""
    reasons, key = {}, None
    for line in REASONS.read_text().splitlines():
        if line.startswith(" ") and key:
            reasons[key] = (reasons[key] + " " + line.strip()).strip()
        elif line.strip() and not line.startswith("#"):
            key = tuple(line.split(": ", 1))
            reasons[key] = ""
    return reasons


def end_of_block(text, line):
    """Where a line ends with {, the line of the bracket that closes it."""
    if not text[line - 1].endswith("{"):
        return line
    indentation = text[line - 1][:len(text[line - 1]) - len(text[line - 1].lstrip())]
    return next(n for n in range(line + 1, len(text) + 1) if text[n - 1].startswith(indentation + "}"))


def main():
    build = os.path.abspath(sys.argv[1])
    files = {}
    for name, counts in sorted(counts_of(build, programs(build), ["src", "include"]).items()):
        if not name.startswith("src/kernels/"):
            files[name] = counts
    for table in TABLES:
        (compiled,) = pathlib.Path(build, "CMakeFiles/utfilter_core.dir/src/kernels").glob(f"{table}.cpp.o")
        for name, counts in sorted(counts_of(build, [str(compiled)], ["src/kernels"]).items()):
            files[name if f"/{table}." in name else f"{name} ({table})"] = counts

    print(f"{'':48}{'lines':>23}{'branches':>25}")
    for name, counts in files.items():
        print(counts.row(name))
    total = Counts()
    for name, counts in files.items():
        total.lines.update({(name, line): n for line, n in counts.lines.items()})
        total.branches.update({(name, place): both for place, both in counts.branches.items()})
    print(total.row("all"))

    reasons, failed, used = read_reasons(), 0, set()
    for name, counts in files.items():
        file = name.split(" (")[0]
        text = (ROOT / file).read_text().splitlines()
        reason_of = {}  # line -> the entry that it belongs to
        for entry in (e for e in reasons if e[0] in (name, file) and reasons[e]):
            for line in (n for n, t in enumerate(text, 1) if " ".join(t.split()) == entry[1]):
                reason_of.update((n, entry) for n in range(line, end_of_block(text, line) + 1))
        for line, count in sorted(counts.lines.items()):
            if count == 0 and line not in reason_of:
                failed += 1
                print(f"not reached: {name}:{line}: {' '.join(text[line - 1].split())}")
            elif count == 0:
                used.add((name, line))
            elif line in reason_of:
                failed += 1
                print(f"reached, and has a reason why it is not: {name}:{line}: {' '.join(text[line - 1].split())}")
    uncounted = set(sources()) - {name.split(" (")[0] for name in files}
    for file in sorted(f for f in uncounted if not reasons.get((f, "*"))):
        failed += 1
        print(f"no program has code of it: {file}")
    there = {(file, "*") for file in uncounted}
    there |= {(f, " ".join(t.split())) for name in files for f in (name, name.split(" (")[0])
             for t in (ROOT / name.split(" (")[0]).read_text().splitlines()}
    for key in reasons:
        if key not in there or not reasons[key]:
            failed += 1
            print(f"not there, or without a reason: {': '.join(key)}")
    print(f"{len(total.lines)} cases, {failed} failed: {len(used)} lines are not reached, and have a reason")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
