#!/usr/bin/env python3
"""bench_test.py: made-up measurements. Tests the names of processors, the comparison with a committed set, and the page
with the results of several processors."""
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
import compare
import page
import processors
import report

cases, failed = 0, 0


def expect(what, found, wanted):
    global cases, failed
    cases += 1
    if found != wanted:
        failed += 1
        print(f"{what}: {found!r} instead of {wanted!r}")


def measured(directory, speeds, mebibytes="64", **told):
    """Results from a file as Google Benchmark writes it. Speeds by name are in GB/s, or in ns for names with "line"."""
    context = {"date": "2026-01-02T03:04:05", "compiler": "GNU 12.2.0", "kernels": "avx2", "mebibytes": mebibytes,
               "host_name": "secret"}
    runs = []
    for name, value in speeds.items():
        speed = {"items_per_second": 1e9 / value} if "line" in name else {"bytes_per_second": value * 1e9}
        runs += [{"name": name, **speed}] * 3 + [{"name": name, "run_type": "aggregate"}]
    name = os.path.join(directory, "measured.json")
    report.write(name, json.dumps({"context": context, "benchmarks": runs}))
    results = report.Results([name])
    results.context.update(command="run", machine="A Processor", vendor="AuthenticAMD", family=25, model=1)
    results.context.update(told)
    return results


def commit(directory, results, model=None):
    """Writes the JSON of a set, as report.py does. Returns its path."""
    place = os.path.join(directory, model or processors.name(results.context))
    os.makedirs(place, exist_ok=True)
    name = os.path.join(place, results.stem() + ".json")
    report.write(name, report.raw(results))
    return name


# The names of processors.
def name_of(vendor, family, model):
    return processors.name({"machine": "A Processor", "vendor": vendor, "family": family, "model": model})


for vendor, family, model, wanted in [
        ("AuthenticAMD", 25, 0x01, "amd-zen-3"), ("AuthenticAMD", 25, 0x21, "amd-zen-3"),
        ("AuthenticAMD", 25, 0x11, "amd-zen-4"), ("AuthenticAMD", 25, 0x61, "amd-zen-4"),
        ("AuthenticAMD", 25, 0xA0, "amd-zen-4"), ("AuthenticAMD", 26, 0x02, "amd-zen-5"),
        ("AuthenticAMD", 23, 0x31, "amd-zen-2"), ("GenuineIntel", 6, 0x6A, "intel-ice-lake-server"),
        ("GenuineIntel", 6, 0x8F, "intel-sapphire-rapids"), ("GenuineIntel", 6, 0xCF, "intel-emerald-rapids"),
        ("GenuineIntel", 6, 0xAD, "intel-granite-rapids"), ("GenuineIntel", 6, 0x55, "intel-skylake-server"),
        ("GenuineIntel", 6, 0x3F, "intel-haswell-server"), ("AuthenticAMD", 25, 0x90, "authenticamd-25-144"),
        ("GenuineIntel", 19, 0x01, "genuineintel-19-1")]:
    expect("the name of a processor", name_of(vendor, family, model), wanted)
expect("a processor without a number", processors.name({"machine": "Intel(R) Xeon(R)"}), "intel-r-xeon-r")
expect("/proc/cpuinfo of x86-64",
       processors.read("processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"
                       "model name\t: AMD EPYC\nmodel\t\t: 9\n"),
       {"machine": "AMD EPYC", "vendor": "AuthenticAMD", "family": 25, "model": 1})
expect("/proc/cpuinfo of AArch64",
       processors.read("CPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n"),
       {"machine": os.uname().machine, "vendor": "0x41", "family": 3, "model": 0xd0c})
expect("no /proc/cpuinfo", processors.read(""), {"machine": os.uname().machine})

BEFORE = {
    "validate and copy, memory/ascii/utfilter avx2": 10, "validate and copy, memory/ascii/memcpy": 10,
    "validate, hot/ascii/utfilter avx2": 80, "validate, hot/ascii/simdutf haswell": 80,
    "validate, hot/ascii/utfilter scalar": 3,
    "read a chain/ascii/utf8_validator": 8, "read a chain/ascii/simdutf filter": 4,
    "read a chain/ascii/std::ifstream": 9,
    "write and flush a line of 100 bytes/ascii/utf8_validator": 20,
    "write and flush a line of 100 bytes/ascii/identity filter": 20,
    "build a chain, write a line, close/ascii/utf8_validator": 700,
    "read a chain, repairing an error every 100 bytes/ascii/utf8_validator": 3,
    "process/ascii/utfcat": 6, "process/ascii/simdutf without streams": 6,
}


def compared(directory, changes, mebibytes="64", left_out=()):
    """What is printed if these measurements have changed: the summary, the rows that fell, the missing rows."""
    now = {name: value for name, value in {**BEFORE, **changes}.items() if name not in left_out}
    lines = "\n".join(compare.compare(measured(directory, now, mebibytes), measured(directory, BEFORE))).split("\n")
    return lines[0], [line for line in lines[1:] if line.startswith("| ") and not line.startswith("| what")], \
        [line for line in lines if line.startswith("missing: ")]


SUMMARY = "8 rows compared with the committed ones: {} fell by more than 5 %, {} rose by more"
with tempfile.TemporaryDirectory() as directory:
    expect("the same results", compared(directory, {}), (SUMMARY.format(0, 0), [], []))
    slower = {name: value / 2 for name, value in BEFORE.items() if name.startswith(("validate and copy", "process"))}
    expect("a slower machine, where the ratios are the same", compared(directory, slower),
           (SUMMARY.format(0, 0), [], []))
    expect("a bar that became faster", compared(directory, {"validate and copy, memory/ascii/memcpy": 12.5}),
           (
        SUMMARY.format(1, 0),
        ["| validate and copy, memory | ascii | utfilter avx2 | memcpy | 1.00 | 0.80 | -20 % |"], []))
    expect("falls of 4 and of 6 %",
           compared(directory, {"process/ascii/utfcat": 5.76, "read a chain/ascii/utf8_validator": 7.52}), (
        SUMMARY.format(1, 0), ["| read a chain | ascii | utf8_validator | simdutf filter | 2.00 | 1.88 | -6 % |"], []))
    expect("one that rose, and a competitor that fell", compared(
        directory, {"process/ascii/utfcat": 7, "read a chain/ascii/std::ifstream": 1}), (SUMMARY.format(0, 1), [], []))
    expect("rows without a bar", compared(directory, {
        "validate, hot/ascii/utfilter scalar": 1.5,
        "read a chain, repairing an error every 100 bytes/ascii/utf8_validator": 2.4}), (SUMMARY.format(2, 0), [
            "| validate, hot | ascii | utfilter scalar | none: absolute | 3.00 GB/s | 1.50 GB/s | -50 % |",
            "| read a chain, repairing an error every 100 bytes | ascii | utf8_validator | none: absolute "
            "| 3.00 GB/s | 2.40 GB/s | -20 % |"],
         []))
    expect("times: more is worse", compared(directory, {
        "write and flush a line of 100 bytes/ascii/utf8_validator": 25,
        "build a chain, write a line, close/ascii/utf8_validator": 1400}), (SUMMARY.format(2, 0), [
            "| build a chain, write a line, close | ascii | utf8_validator | none: absolute "
            "| 700 ns | 1400 ns | -50 % |",
            "| write and flush a line of 100 bytes | ascii | utf8_validator | identity filter "
            "| 1.00 | 0.80 | -20 % |"], []))
    left_out = ["process/ascii/utfcat", "validate, hot/ascii/utfilter scalar"]
    expect("rows that are missing", compared(directory, {}, left_out=left_out),
           ("6 rows compared with the committed ones: 0 fell by more than 5 %, 0 rose by more", [],
            ["missing: process/ascii/utfcat; simdutf without streams", "missing: validate, hot/ascii/utfilter scalar"]))
    expect("texts of another size", compared(directory, {}, mebibytes="1"),
           ("The committed set is of texts of 64 MiB, these are of 1: not compared", [], []))
    expect("other corpora",
           compare.compare(measured(directory, {"process/my.txt/utfcat": 1}), measured(directory, BEFORE)),
           ["0 rows compared with the committed ones: 0 fell by more than 5 %, 0 rose by more"])

    # The committed set is found by model, kernels and compiler, and is what was measured.
    zen3 = measured(directory, BEFORE)
    commit(directory, zen3)
    found, name = compare.committed(directory, zen3)
    expect("the name of the set", name, "amd-zen-3/avx2")
    expect("the set", (found.rows, found.units, found.corpora), (zen3.rows, zen3.units, zen3.corpora))
    expect("what it says of the machine",
           [found.context.get(key) for key in ("vendor", "family", "model", "host_name")],
           ["AuthenticAMD", 25, 1, None])
    for told in ({"model": 0x11}, {"kernels": "avx512"}, {"compiler": "Clang 14.0.6"}):
        expect(f"a set with {told}", compare.committed(directory, measured(directory, BEFORE, **told))[0], None)

    # A page with the results of two processors has the range over both.
    results, text = os.path.join(directory, "results"), os.path.join(directory, "performance.md")
    commit(results, zen3)
    faster = {name: value * (2 if "utfcat" in name else 1) for name, value in BEFORE.items()}
    faster.update({"NFC of text in NFC, hot/ascii/utfilter": 9, "NFC of text in NFC, hot/ascii/ICU": 0.9,
                   "NFC of text in NFC, hot/ascii/utf8proc": 0.05,
                   "IBM852 to UTF-8, hot/ascii/utfilter": 1.2, "IBM852 to UTF-8, hot/ascii/ICU": 0.5,
                   "IBM852 to UTF-8, hot/ascii/ICU, two calls": 0.6, "IBM852 to UTF-8, hot/ascii/iconv(3)": 2,
                   "GBK to UTF-8, hot/dense/utfilter avx2": 2.4, "GBK to UTF-8, hot/dense/encoding_rs": 0.8,
                   "UTF-8 to GBK, hot/dense/utfilter avx2": 2, "UTF-8 to GBK, hot/dense/encoding_rs": 0.02})
    zen4 = measured(directory, faster, model=0x11)
    commit(results, zen4)
    clang = measured(directory, {name: 1e-3 for name in BEFORE}, compiler="Clang 14.0.6")
    commit(results, clang)
    for name in report.SHORT:
        report.write(os.path.join(directory, name), "before\n<!-- performance -->\nold\n<!-- /performance -->\nafter\n")
    made = dict(page.files_of(results, directory))
    lines = made[text].split("\n")
    expect("the text around the tables", (lines[:2], lines[-3:]),
           (["before", "<!-- performance -->"], ["<!-- /performance -->", "after", ""]))
    for wanted in ("| process; simdutf without streams | 6.00 to 12.0 (1.00 to 2.00) |",
                   "| read a chain; simdutf filter | 8.00 (2.00) |",
                   "The avx2 kernels on amd-zen-3 and amd-zen-4:", "![Chart of amd-zen-4](results/amd-zen-4/avx2.svg)"):
        expect(f"the page has the line {wanted}", wanted in lines, True)
    for name, wanted in (("nfc.md", ["| NFC of text in NFC, hot; ICU | 9.00 (10.0) |",
                                     "| NFC of text in NFC, hot; utf8proc | 9.00 (180) |"]),
                         ("charsets.md", ["| IBM852 to UTF-8, hot; ICU | 1.20 (2.00) |"]),
                         ("encodings.md", ["| GBK to UTF-8, hot; encoding_rs | 2.40 (3.00) |",
                                           "| UTF-8 to GBK, hot; encoding_rs | 2.00 (100) |"])):
        corpus = "dense" if name == "encodings.md" else "ascii"
        expect(f"{name}: the table of the one set that has its rows, with the corpora of these",
               made[os.path.join(directory, name)].split("\n")[2:-3],
               ["The avx2 kernels on amd-zen-4:", "", f"| GB/s (ratio) | {corpus} |", "|---|--:|", *wanted])
    expect("the page's list of sets", [line.split(" | ")[:2] for line in lines if line.startswith("| amd")],
           [["| amd-zen-3", "[avx2](results/amd-zen-3/avx2.md)"], ["| amd-zen-4", "[avx2](results/amd-zen-4/avx2.md)"]])
    expect("the files of the sets", sorted(os.path.relpath(name, directory) for name in made),
           ["charsets.md", "encodings.md", "nfc.md", "performance.md"] + [f"results/{name}.{end}" for name in (
               "amd-zen-3/avx2-clang", "amd-zen-3/avx2", "amd-zen-4/avx2") for end in ("md", "svg")])
    expect("a set's table names the model", made[os.path.join(results, "amd-zen-4/avx2.md")].split("\n")[2],
           "A Processor (amd-zen-4), GNU 12.2.0, avx2 kernels; `run`, 2026-01-02.")

print(f"{cases} cases, {failed} failed")
sys.exit(failed != 0)
