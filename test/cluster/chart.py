#!/usr/bin/env python3
"""chart.py [--check]: makes results.svg from results.json, and the text between the marks <!-- measured --> of doc/cluster.md.

measure.py writes results.json. --check changes nothing, but fails if one of the two does not follow from the results.
"""
import json
import math
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "doc" / "cluster.md"
RESULTS = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
SECONDS, BYTES, CORES = RESULTS["seconds"], RESULTS["bytes"], RESULTS["cores"]
WORKERS = (1, 2, 4)
ENGINES = (("Dask, CSV", "Dask: sums of a CSV"), ("Dask, lines", "Dask: lines counted"),
           ("GNU parallel", "GNU parallel: to a file"), ("MPI", "MPI: checked"))
STYLE = (".page{fill:#ffffff}text{fill:#1f2328}line{stroke:#d8dce0}.c0{fill:#0969da}.c1{fill:#9aa4ae}.small{font-size:9px}"
         "@media(prefers-color-scheme:dark){.page{fill:#0d1117}text{fill:#e6edf3}line{stroke:#30363d}.c0{fill:#4d9dff}.c1{fill:#7d8590}}")


def figure(seconds):
    return f"{seconds:.2f}" if seconds < 10 else f"{seconds:.1f}"


def chart():
    """Bars: an axis for each engine, a bar for each number of workers."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 250" font-family="sans-serif" font-size="11">',
             f"<style>{STYLE}</style>", '<rect class="page" width="960" height="250" rx="6"/>',
             f'<rect class="c0" x="44" y="14" width="11" height="11"/><text x="60" y="24">workers on {CORES} cores</text>',
             '<rect class="c1" x="194" y="14" width="11" height="11"/><text x="210" y="24">more workers than cores</text>',
             f'<text x="944" y="24" text-anchor="end">{BYTES / 1e9:.1f} GB of UTF-16LE, {RESULTS["processor"]}: seconds, less is better</text>']
    for place, (key, title) in enumerate(ENGINES):
        left, bottom, height = 44 + 232 * place, 220, 140
        most = max(SECONDS[f"{key}, {workers}"] for workers in WORKERS)
        parts.append(f'<text x="{left}" y="52" font-weight="bold">{title}</text>')
        parts.append(f'<line x1="{left}" x2="{left + 204}" y1="{bottom}" y2="{bottom}"/>')
        for column, workers in enumerate(WORKERS):
            seconds = SECONDS[f"{key}, {workers}"]
            bar, x = height * seconds / most, left + 12 + 66 * column
            kind = "c1" if workers > CORES else "c0"
            parts.append(f'<rect class="{kind}" x="{x}" y="{bottom - bar:.1f}" width="48" height="{bar:.1f}"/>')
            parts.append(f'<text x="{x + 24}" y="{bottom - bar - 5:.1f}" text-anchor="middle">{figure(seconds)}</text>')
            parts.append(f'<text x="{x + 24}" y="{bottom + 15}" text-anchor="middle">{workers}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def table(header, rows):
    return "\n".join(["| " + " | ".join(header) + " |", "|---" + "|--:" * (len(header) - 1) + "|",
                      *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def paragraph(text):
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False) + "\n"


def measured():
    rows = [[title, *(figure(SECONDS[f"{key}, {workers}"]) for workers in WORKERS)] for key, title in ENGINES]
    parts = {"`utfcat -o OUT FILE`": "utfcat", "`utfcat --check FILE`": "utfcat --check", "`cat FILE | cat`": "cat"}
    one = ", ".join(f"{what} {figure(SECONDS[key])} s" for what, key in parts.items())
    return (paragraph(f"Measured on {RESULTS['processor']} with {CORES} cores, {RESULTS['date']}, by `test/cluster/measure.py`: a file "
                      f"of {BYTES / 1e9:.1f} GB in UTF-16LE, in the system's cache; the shortest time of two or three, in seconds. With 4 "
                      f"workers there are more workers than cores. One process takes: {one}.") + "\n"
            + table(["seconds", *(f"{workers} worker" + "s" * (workers > 1) for workers in WORKERS)], rows)
            + "\n![Time against workers](../test/cluster/results.svg)\n\n"
            + paragraph("Dask's time is that of a started cluster. The others are whole commands; of MPI's time "
                        + ", ".join(f"{figure(SECONDS[f'start of MPI, {workers}'])}" for workers in WORKERS)
                        + f" s are its start. A range costs {1000 * SECONDS['start of utfcat']:.1f} ms to start utfcat, "
                        f"{SECONDS['1000 ranges in Dask']:.1f} ms in all in Dask ({SECONDS['1000 tasks in Dask']:.1f} ms without utfcat) "
                        f"and {SECONDS['1000 ranges in GNU parallel']:.1f} ms in all in GNU parallel."))


def model():
    """The time of 100 workers for 400 GB, from the measured parts and assumed limits of the storage."""
    size, workers, block = 400e9, 100, 256 * 2**20
    ranges = size / block
    start = SECONDS["start of MPI, 4"]
    # name, bytes a second of one worker, seconds in the scheduler for each range, seconds of the rest
    engines = [("Dask: sums of a CSV", BYTES / SECONDS["Dask, CSV, 1"], SECONDS["1000 tasks in Dask"] / 1000, 0),
               ("Dask: lines counted", BYTES / SECONDS["Dask, lines, 1"], SECONDS["1000 tasks in Dask"] / 1000, 0),
               ("MPI: checked", BYTES / SECONDS["utfcat --check"], 0, start),
               ("`utfcat --range -o PART` by GNU parallel or Slurm", BYTES / SECONDS["utfcat"],
                SECONDS["1000 ranges in GNU parallel"] / 1000 - SECONDS["start of utfcat"], 0)]
    limits = (("1.25 GB/s (one link of 10 Gbit/s)", 1.25e9), ("10 GB/s", 10e9), ("none", float("inf")))
    rows = []
    for name, speed, overhead, rest in engines:
        rows.append([name, f"{speed / 1e9:.2f} GB/s", f"{ranges * max(overhead, 0) + rest:.1f} s",
                     *(f"{rest + max(size / min(workers * speed, limit), ranges * max(overhead, 0)):.0f} s" for _, limit in limits)])
    return ("### A model of 100 workers\n\n"
            + paragraph(f"This is **a model on paper**, not a measurement: {workers} workers with a core each, {size / 1e9:.0f} GB, ranges "
                        f"of {block // 2**20} MiB ({ranges:.0f} of them). A worker takes as long for a byte as the single worker measured "
                        "above, from a cache. The scheduler takes its time for one range after the other, while the workers read. So the "
                        "time is")
            + "\n    start + max(bytes / min(workers x speed of a worker, limit of the storage), ranges x time in the scheduler)\n\n"
            + paragraph("The limits of the storage and network are assumed: all workers together read no faster than that.") + "\n"
            + table(["engine", "speed of a worker", "start and scheduler", *(f"limit: {name}" for name, _ in limits)], rows) + "\n"
            + paragraph(f"The storage decides: one link of 10 Gbit/s is used up by {filling('Dask, CSV, 1')} workers that parse CSV, or by "
                        f"{filling('utfcat')} that convert. The model leaves out the start of an engine on other machines, the workers' "
                        "own disks and links, slow machines, and parts that are put together by one process, as `utfcat_parallel` does: "
                        "that process writes no faster than one disk."))


def filling(key):
    """How many workers read as much as a link of 10 Gbit/s carries."""
    return math.ceil(1.25e9 / (BYTES / SECONDS[key]))


def main():
    check = sys.argv[1:] == ["--check"]
    text, places = re.subn("(<!-- measured -->\n).*(<!-- /measured -->)", lambda marks: marks[1] + measured() + "\n" + model() + marks[2],
                           PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    wrong = places != 1
    for path, wanted in ((HERE / "results.svg", chart()), (PAGE, text)):
        if path.exists() and path.read_text(encoding="utf-8") == wanted:
            continue
        if check:
            print(f"{path} does not follow from results.json; test/cluster/chart.py writes it again")
            wrong = True
        else:
            path.write_text(wanted, encoding="utf-8")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
