#!/usr/bin/env python3
"""report.py BUILD: prints the report of test/coverage, from the programs of the build and from BUILD/all.profdata,
which records the lines that they reached."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutation"))
import sites

ROOT = pathlib.Path(__file__).resolve().parents[2]
REASONS = ROOT / "test" / "line_coverage" / "reasons.txt"
TABLES = ["sse41", "avx2", "avx512", "scalar", "dispatch"]  # code that is compiled for each of them has separate counts
NOT_EVERYWHERE = ["avx2", "avx512"]  # kernels that run only on some processors
NO_CODE = re.compile(r"\s*([{}]*;?|} else {|else|#.*)\s*(//.*)?")  # nothing runs in such a line


class Counts:
    def __init__(self):
        self.lines = {}                                   # line -> how often it ran
        self.branches = collections.defaultdict(lambda: [0, 0])  # place -> how often the condition was true, and false

    def row(self, name):
        hit, all_lines = sum(map(bool, self.lines.values())), len(self.lines)
        ways = [bool(n) for both in self.branches.values() for n in both]
        return f"{name:48}{hit:6} of{all_lines:6} {percent(hit, all_lines)}{sum(ways):8} of{len(ways):6} {percent(sum(ways), len(ways))}"


def percent(part, whole):
    return f"{100 * part / whole:5.1f} %" if whole else "      -"


def export(build, objects, form):
    more = [word for o in objects[1:] for word in ("-object", o)]
    command = ["llvm-cov-14", "export", f"-format={form}", f"-instr-profile={build}/all.profdata", "-ignore-filename-regex=^/usr/", objects[0], *more]
    if form == "text":
        command.insert(3, "-skip-functions")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def counts_of(build, objects, places):
    """A dictionary: file below one of the places -> Counts. One file may have several paths: with a compiler cache they
    are relative to the build's folders."""
    files = collections.defaultdict(Counts)

    def file_of(path):
        name = os.path.relpath(path, ROOT)
        return name if name.startswith(tuple(f"{p}/" for p in places)) else None

    for record in export(build, objects, "lcov").split("end_of_record\n"):
        if (path := re.search(r"^SF:(.*)$", record, re.MULTILINE)) and (name := file_of(path.group(1))):
            lines = files[name].lines
            for line, count in re.findall(r"^DA:(\d+),(\d+)", record, re.MULTILINE):
                lines[int(line)] = lines.get(int(line), 0) + int(count)
    for file in json.loads(export(build, objects, "text"))["data"][0]["files"]:
        if not (name := file_of(file["filename"])):
            continue
        branches = files[name].branches
        for line, column, _, _, true, false, *_ in file["branches"]:  # one record for each instance of a template
            branches[line, column][0] += true
            branches[line, column][1] += false
    return files


def programs(build):
    found = (p for p in pathlib.Path(build).rglob("*") if not p.suffix and "CMakeFiles" not in p.parts and p.is_file() and os.access(p, os.X_OK))
    return sorted(str(p) for p in found)


def runs(file):
    """Whether the file has code that may run, and not only declarations and tables."""
    return bool({"run", "constexpr"} & set(sites.Source((ROOT / file).read_text()).flavour))


def read_reasons():
    """A dictionary: text of a line, in which * is any text -> reason. In the file the reason stands below, indented."""
    reasons, key = {}, None
    for line in REASONS.read_text().splitlines():
        if line.startswith(" ") and key:
            reasons[key] = (reasons[key] + " " + line.strip()).strip()
        elif line.strip() and not line.startswith("#"):
            key = line
            reasons[key] = ""
    return reasons


def end_of_block(text, line):
    """If a line ends with {, the number of the line with the closing bracket; otherwise the line's own number."""
    if not text[line - 1].endswith("{"):
        return line
    indentation = text[line - 1][:len(text[line - 1]) - len(text[line - 1].lstrip())]
    return next(n for n in range(line + 1, len(text) + 1) if text[n - 1].startswith(indentation + "}"))


def judge(files, uncounted, reasons):
    """Returns the complaints, and how many lines have a reason not to be reached. `files`: name -> (line -> count,
    text). `uncounted`: the files whose code is in no program."""
    wrong, used, covered = [], set(), set()
    entries = {key: re.compile(re.escape(key).replace(r"\*", ".*")) for key in reasons if reasons[key]}
    for name, (counts, text) in files.items():
        reason_of = {}  # line -> the entries that it belongs to
        for line, words in enumerate(text, 1):
            for key, entry in entries.items():
                if entry.fullmatch(" ".join(words.split())):
                    for n in range(line, end_of_block(text, line) + 1):
                        reason_of.setdefault(n, []).append(key)
        for line in sorted(line for line, count in counts.items() if count == 0 and not NO_CODE.fullmatch(text[line - 1])):
            if line not in reason_of:
                wrong.append(f"not reached: {name}:{line}: {' '.join(text[line - 1].split())}")
            else:
                used.update(reason_of[line])
                covered.add((name, line))
    for file in uncounted:
        key = f"all of {pathlib.PurePath(file).name}"
        used.add(key)
        if not reasons.get(key):
            wrong.append(f"no program contains its code: {file}")
    wrong += [f"matches no line, or its lines are reached, or it has no reason: {key}" for key in reasons if key not in used or not reasons[key]]
    return wrong, len(covered)


def main():
    build = os.path.abspath(sys.argv[1])
    files, sources = {}, set(sites.files_of_library(ROOT))
    for name, counts in sorted(counts_of(build, programs(build), ["src", "include"]).items()):
        if name in sources and not name.startswith("src/kernels/"):
            files[name] = counts
    for table in TABLES:
        (compiled,) = pathlib.Path(build, "CMakeFiles/utfilter_core.dir/src/kernels").glob(f"{table}.cpp.o")
        found = sorted(counts_of(build, [str(compiled)], ["src/kernels"]).items())
        if table in NOT_EVERYWHERE and not any(n for _, counts in found for n in counts.lines.values()):
            print(f"{table}: not counted, because this processor cannot run it")
            continue
        for name, counts in found:
            files[name if f"/{table}." in name else f"{name} ({table})"] = counts

    print(f"{'':48}{'lines':>23}{'branches':>25}")
    for name, counts in files.items():
        print(counts.row(name))
    total = Counts()
    for name, counts in files.items():
        total.lines.update({(name, line): n for line, n in counts.lines.items()})
        total.branches.update({(name, place): both for place, both in counts.branches.items()})
    print(total.row("all"))

    uncounted = sorted(file for file in sources - {name.split(" (")[0] for name in files}
                       if runs(file) and pathlib.PurePath(file).stem not in NOT_EVERYWHERE)
    wrong, used = judge({name: (counts.lines, (ROOT / name.split(" (")[0]).read_text().splitlines()) for name, counts in files.items()},
                        uncounted, read_reasons())
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(total.lines)} cases, {len(wrong)} failed: {used} lines are not reached for a known reason")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
