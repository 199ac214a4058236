#!/usr/bin/env python3
"""report.py: makes tables and a chart from the measurements of utfilter_bench.

report.py --output DIRECTORY --command COMMAND JSON...: reads Google Benchmark's JSON, one file for each corpus, and
writes a set of results of this processor: DIRECTORY/MODEL/KERNELS.json (every repetition, one line for each
measurement), KERNELS.md (all tables) and KERNELS.svg (a chart). MODEL is the processor's name (processors.py), KERNELS
the name of the kernels in use and, unless it is g++, of the compiler. Prints a short table.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import sys
from collections import namedtuple

import processors

# The goals of this library: FACTOR times the best of the BARS (the competitors), but no more than 0.95 of LIMIT. If the
# unit is ns, the bar is a time, and PLUS is added to it. OURS and BARS are names, or beginnings of names; {kernels}
# stands for the table of kernels in use. BY_CORPUS has other factors for some corpora. A goal with ONLY applies to that
# corpus alone.
Goal = namedtuple("Goal", "what ours bars factor by_corpus limit only plus", defaults=({}, None, None, None))
BEST, SIMDUTF = "utfilter {kernels}", ["simdutf"]
NO_COUNTS = ", no counts"  # simdutf's validation counts neither lines nor characters
FROM16, TO16 = ["UTF-16LE to UTF-8", "UTF-16BE to UTF-8"], "UTF-8 to UTF-16LE"
ICU = ["ICU", "ICU, two calls"]
CHARSETS = [what for name in ("IBM852", "EUC-TW") for what in (f"{name} to UTF-8, hot", f"UTF-8 to {name}, hot")]
NAMES = pathlib.Path(__file__).resolve().parents[2] / "src/encodings/cjk/names.hpp"
MULTI_BYTE = re.findall(r'string_view \w+_names =\s+"(\S+)', NAMES.read_text(encoding="utf-8"))
READ16, WRITE16 = "read a chain, UTF-16LE to UTF-8", "write a chain, UTF-16LE to UTF-8"
GOALS = [
    Goal("validate, hot", BEST + NO_COUNTS, SIMDUTF, 1.2, {"emoji": 1.0, "random": 1.0}, "reading alone"),
    Goal("validate and copy, memory", BEST, ["memcpy"], 0.95),
    *[Goal(what + ", hot", BEST, SIMDUTF, 1.3) for what in FROM16],
    *[Goal(what + ", memory", BEST, SIMDUTF, 1.0) for what in FROM16],
    Goal(TO16 + ", memory", BEST, SIMDUTF, 1.2),
    *[Goal(what + where, "utfilter avx2" + counts, ["simdutf haswell"], 1.0, {"emoji": 2.0} if what in FROM16 else {})
      for where in (", hot", ", memory")
      for what, counts in [("validate", NO_COUNTS)] + [(w, "") for w in FROM16 + [TO16]]],
    *[Goal(what, BEST, ["encoding_rs"], 1.0) for name in ("windows-1252", "KOI8-R")
      for what in (f"{name} to UTF-8, hot", f"UTF-8 to {name}, hot")],
    *[Goal(what, BEST, [4.0], 1.0)
      for what in ("UTF-8 to UTF-32LE, hot", "UTF-8 to ISO-8859-1, hot", "CESU-8 to UTF-8, hot", "UTF-8 to CESU-8, hot")],
    *[Goal(what, "utfilter", ICU, 0.9) for what in CHARSETS],
    *[goal for name in MULTI_BYTE for goal in (
        Goal(f"{name} to UTF-8, hot", BEST, ["encoding_rs"], 1.0, {"dense": 1.5}),
        Goal(f"{name} to UTF-8, hot", BEST, ["iconv(3)"], 1.0, {"dense": 2.0}),
        Goal(f"UTF-8 to {name}, hot", BEST, ["encoding_rs"], 1.0, {"dense": 3.0}),
        Goal(f"UTF-8 to {name}, hot", BEST, ["iconv(3)"] + ICU, 1.0),
        Goal(f"{name} to UTF-8, repairing an error in each line", "utfilter", ["encoding_rs"], 1.0),
        Goal(f"{name} to UTF-8, repairing bytes FF", "utfilter", [0.15], 1.0))],
    *[Goal(f"{what}, {size}", "utfilter", SIMDUTF, 0.91)
      for size in ("128 KiB", "64 bytes") for what in ("to_u16string", "to_utf8_string")],
    Goal("read a chain", "utf8_validator", ["simdutf filter"], 1.3, {}, "identity filter"),
    Goal("write a chain", "utf8_validator", ["simdutf filter"], 1.2, {}, "identity filter"),
    Goal(READ16, "utf16_to_utf8", ["simdutf filter"], 1.3, {}, "identity filter"),
    Goal(WRITE16, "utf16_to_utf8", ["simdutf filter"], 1.3, {}, "identity filter"),
    Goal("read a file", "utfilter::ifstream", ["chain, simdutf filter"], 1.3, {}, "read(2)"),
    Goal("read a file", "utfilter::ifstream", ["std::ifstream"], 0.9, {}, None, "ascii"),
    Goal("process", "utfcat", ["simdutf without streams"], 1.0),
    Goal("process, UTF-16LE to UTF-8", "utfcat", ["simdutf without streams"], 1.0),
    Goal("write and flush a line of 100 bytes", "utf8_validator", ["identity filter"], 1.0, plus=8),
    Goal("write and flush a line of 100 bytes", "utf8_validator", ["simdutf filter"], 1.0),
    Goal("write a field of 60 bytes", "printable", ["std::string"], 1.0, {}, None, "ascii", plus=5),
    Goal("build a chain, write a line, close", "utf8_validator", ["identity filter"], 1.4),
    *[Goal(f"build a stream, {what} a line", "utfilter", ["std"], 1.4) for what in ("read", "write")],
    *[Goal(f"log a record of {size} bytes, {to}", "spdlog_sink", ["no check"], 1.0, {}, None, corpus, plus=ns)
      for size in (60, 120) for to in ("dropped", "to a file") for corpus, ns in (("ascii", 5), ("cjk", 12))],
    *[Goal(f"log a record of {size} bytes, {to}", "escaping_spdlog_sink", ["no check"], 1.0, plus=15)
      for size in (60, 120) for to in ("dropped", "to a file")],
    Goal("write a record of four pieces", "scoped_filter", ["no check"], 1.0, plus=20),
    Goal("read a chain, repairing an error every 100 bytes", "utf8_validator", [3.0], 1.0),
    Goal("read lines", "line_reader", ["getline"], 0.9),
    Goal("read lines, UTF-16LE to UTF-8", "line_reader", ["getline"], 1.0),
    *[Goal(what, "utf8_validator", ["utf8_validator, one thread"], 1.95)
      for what in ("two threads, write and flush lines", "two threads, build chains")],
]

# The family of a goal is the first whose pattern is in its name.
FAMILIES = [
    ("of errors", "repairing"),
    ("of strings", "^to_u"),
    ("of logs", "record|field"),
    ("of lines and chains of one line", "write and flush|build a|read lines|two threads"),
    ("of chains, files and processes", "chain|file|process"),
    ("of encodings with several bytes", "|".join(map(re.escape, MULTI_BYTE)) + "|EUC-TW"),
    ("of kernels and other encodings", ""),
]

# The rows of the short tables in each page of doc/: the task, OURS and the BARS, of which the first one is named.
SHORT = {
    "performance.md": [
        ("validate, hot", BEST, SIMDUTF), ("validate and copy, memory", BEST, ["memcpy"]),
        ("UTF-16LE to UTF-8, hot", BEST, SIMDUTF), ("read a chain", "utf8_validator", ["simdutf filter"]),
        (READ16, "utf16_to_utf8", ["simdutf filter"]), ("read a file", "utfilter::ifstream", ["chain, simdutf filter"]),
        ("process", "utfcat", ["simdutf without streams"])],
    "encodings.md": [(what, BEST, ["encoding_rs"]) for name in MULTI_BYTE
                     for what in (f"{name} to UTF-8, hot", f"UTF-8 to {name}, hot")],
    "charsets.md": [(what, "utfilter", ICU) for what in CHARSETS],
    "nfc.md": [(f"NFC of {text}, hot", "utfilter", [bar])
               for text in ("text in NFC", "decomposed text") for bar in ("ICU", "utf8proc")],
}

# The panels of the chart, and the bars in each: this library, simdutf, the limit, others.
PANELS = [("validate and copy, memory", [BEST, "simdutf and memcpy", "memcpy", None]),
          ("UTF-16LE to UTF-8, hot", [BEST, "simdutf", None, "ICU"]),
          ("read a chain", ["utf8_validator", "simdutf filter", "identity filter", "code_converter, to char32_t"]),
          (READ16, ["utf16_to_utf8", "simdutf filter", None, None]),
          ("read a file", ["utfilter::ifstream", "chain, simdutf filter", "read(2)", None]),
          ("process", ["utfcat", "simdutf without streams", "cat", "iconv"])]


def number(value):
    """The value with three digits."""
    return "" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


class Results:
    """The measurements: rows[(what, corpus, who)] lists the results of all repetitions, in GB/s (10^9 bytes) or ns.
    They are read from Google Benchmark's files, or from the JSON of a set of results."""

    def __init__(self, files):
        self.rows, self.units, failed = {}, {}, []
        for name in files:
            with open(name, encoding="utf-8") as file:
                content = json.load(file)
            self.context = content["context"]
            for row in content.get("rows", []):
                self.rows[row["what"], row["corpus"], row["who"]] = row["runs"]
                self.units[row["what"]] = row["unit"]
            for run in content.get("benchmarks", []):
                if run.get("run_type") == "aggregate":
                    continue
                what, corpus, who = re.sub("/manual_time$", "", run["name"]).split("/", 2)
                if run.get("error_occurred"):
                    failed.append(f"{what}/{corpus}/{who}: {run.get('error_message')}")
                    continue
                per_line = "items_per_second" in run
                value = 1e9 / run["items_per_second"] if per_line else run["bytes_per_second"] / 1e9
                self.rows.setdefault((what, corpus, who), []).append(float(f"{value:.4g}"))
                self.units[what] = "ns" if per_line else "GB/s"
        if failed or not self.rows:
            sys.exit("\n".join(["report.py: these measurements failed:"] + failed))
        self.corpora = list(dict.fromkeys(corpus for _, corpus, _ in self.rows))

    def median(self, what, corpus, who):
        runs = self.rows.get((what, corpus, who))
        return statistics.median(runs) if runs else None

    def best(self, what, corpus, names):
        """The best of these names, and its result. A number among the names is itself a result. "simdutf" stands for
        any of its implementations."""
        wanted = "|".join(re.escape(self.filled(name)) for name in names if isinstance(name, str))
        found = [(f"{name:g} {self.units.get(what)}", name) for name in names if not isinstance(name, str)]
        found += [(who, self.median(what, corpus, who)) for w, c, who in self.rows
                  if (w, c) == (what, corpus) and re.fullmatch(f"({wanted})( (icelake|haswell|westmere|fallback|arm64))?", who)]
        choose = min if self.units.get(what) == "ns" else max
        return choose(found, key=lambda one: one[1]) if found else (None, None)

    def stem(self):
        """The name of the set's files, without the ending."""
        compiler = self.context["compiler"].split()[0].lower()
        return self.context["kernels"] + ("" if compiler == "gnu" else "-" + compiler)

    def filled(self, name):
        return name.replace("{kernels}", self.context["kernels"])

    def judge(self, goal, corpus):
        """(our result, the bar, its name, their ratio, the goal, whether it is reached), or None without results."""
        ours = self.median(goal.what, corpus, self.filled(goal.ours))
        who, bar = self.best(goal.what, corpus, goal.bars)
        if ours is None or bar is None or (goal.only and corpus != goal.only):
            return None
        if self.units[goal.what] == "ns":
            target = bar * goal.factor + (goal.plus or 0)
            return ours, bar, who, bar / ours, target, ours <= target
        target = bar * goal.by_corpus.get(corpus, goal.factor)
        limit = self.median(goal.what, corpus, goal.limit) if goal.limit else None
        if limit is not None:
            target = min(target, 0.95 * limit)
        return ours, bar, who, ours / bar, target, ours >= target


def table(head, rows):
    """A Markdown table. Columns of words are aligned left, columns of numbers right."""
    words = [any(re.match(r"\W*[a-z]", row[column], re.I) for row in rows) for column in range(len(head))]
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if word else "--:" for word in words) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def filled_columns(head, rows):
    """The table without columns that are empty."""
    kept = [column for column in range(len(head)) if any(row[column] for row in rows)]
    return table([head[column] for column in kept], [[row[column] for column in kept] for row in rows])


def circumstances(results):
    """The machine, the compiler, the kernels, simdutf, the command and the date."""
    context = results.context
    parts = [processors.label(context), context["compiler"], context["kernels"] + " kernels"]
    if "simdutf" in context:
        parts.append("simdutf " + context["simdutf"])
    return ", ".join(parts) + f"; `{context['command']}`, " + context["date"][:10]


def span(values):
    """The smallest and the largest of the numbers, or one number if they are the same."""
    return " to ".join(dict.fromkeys([number(min(values)), number(max(values))]))


def short_table(sets, page):
    """The rows of SHORT for a page. Each cell has the range over these sets of results. Empty if there are none."""
    corpora = list(dict.fromkeys(corpus for results in sets for corpus in results.corpora))
    rows = []
    for what, who, bars in SHORT[page]:
        cells, compared = [], False
        for corpus in corpora:
            judged = [j for j in (results.judge(Goal(what, who, bars, 1.0), corpus) for results in sets) if j]
            ours = [m for m in (results.median(what, corpus, results.filled(who)) for results in sets) if m]
            compared = compared or bool(judged)
            ratio = f" ({span([j[3] for j in judged])})" if judged else ""
            cells.append(span([j[0] for j in judged] or ours) + ratio if ours else "")
        if any(cells):
            rows.append([f"{what}; {bars[0]}" if compared else what] + cells)
    return filled_columns(["GB/s (ratio)"] + corpora, rows) if rows else ""


def judgements(results):
    """Yields each goal that was measured, with its corpus and judgement."""
    for goal in GOALS:
        if goal.ours.startswith(BEST) and goal.bars == SIMDUTF and results.context["kernels"] == "avx2":
            continue  # the AVX2 kernels have their own goals
        for corpus in results.corpora:
            judged = results.judge(goal, corpus)
            if judged is not None:
                yield goal, corpus, judged


def goals_reached(results):
    reached = [judged[-1] for _, _, judged in judgements(results)]
    return f"{sum(reached)} of {len(reached)} goals"


def goals_by_family(results):
    """How many of the goals are reached, and how many of each family."""
    families = {}
    for goal, _, judged in judgements(results):
        family = next(name for name, what in FAMILIES if re.search(what, goal.what))
        families.setdefault(family, []).append(judged[-1])
    said = [f"{sum(reached)} of {len(reached)} {name}" for name, reached in sorted(families.items())]
    return f"{goals_reached(results)} are reached: " + ", ".join(said) + "."


def full_tables(results):
    size = int(results.context["mebibytes"])
    text = ["# What was measured", circumstances(results) + ".",
            "Medians; GB/s are 10^9 bytes of input a second of processor time, ns are for one line. *Hot* is a text of 128 KiB, *memory* "
            f"one of {size} MiB, files have about {4 * size} MiB. A ratio above 1 means that this library is faster.",
            f"![chart]({results.stem()}.svg)", "## Against the bars"]
    rows = [[goal.what, corpus, results.filled(goal.ours), number(ours), who, number(bar), number(ratio),
             number(target), "yes" if good else "**no**"]
            for goal, corpus, (ours, bar, who, ratio, target, good) in judgements(results)]
    text += [goals_by_family(results),
             table(["what", "corpus", "ours", "", "the bar", "", "ratio", "goal", "reached"], rows), "## Everything"]
    for what in results.units:
        names = sorted({who for w, _, who in results.rows if w == what})
        text += [filled_columns(
            [f"{what}, {results.units[what]}"] + results.corpora,
            [[who] + [number(results.median(what, corpus, who)) for corpus in results.corpora] for who in names])]
    return "\n\n".join(part.rstrip("\n") for part in text) + "\n"


# Colours of: the page, the text, the lines; this library, simdutf, the limit, others.
LIGHT = ["#ffffff", "#1f2328", "#d8dce0", "#0969da", "#e8860c", "#9aa4ae", "#bf3989"]
DARK = ["#0d1117", "#e6edf3", "#30363d", "#4d9dff", "#f0a13a", "#7d8590", "#db61a2"]


def styles(colours):
    page, ink, faint, *bars = colours
    return f".page{{fill:{page}}}text{{fill:{ink}}}line{{stroke:{faint}}}" + "".join(
        f".c{i}{{fill:{colour}}}" for i, colour in enumerate(bars))


def chart(results):
    """An SVG chart with a panel for each task, and in it a group of bars for each corpus."""
    panels = [(what, names) for what, names in PANELS if results.units.get(what)]
    width, height, left, plot_width, plot_height = 480, 200, 44, 420, 130
    columns = 2
    total = (columns * width, (len(panels) + 1) // columns * height + 40)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]} {total[1]}" font-family="sans-serif" font-size="11">',
           f"<style>{styles(LIGHT)}.small{{font-size:9px}}@media(prefers-color-scheme:dark){{{styles(DARK)}}}</style>",
           f'<rect class="page" width="{total[0]}" height="{total[1]}" rx="6"/>']
    for at, label in enumerate(["utfilter", "simdutf", "the limit", "others"]):
        out.append(f'<rect class="c{at}" x="{left + at * 90}" y="14" width="11" height="11"/>'
                   f'<text x="{left + at * 90 + 16}" y="24">{label}</text>')
    out.append(f'<text x="{total[0] - 16}" y="24" text-anchor="end">{processors.label(results.context)}: '
               "GB/s of input, more is better</text>")

    for index, (what, names) in enumerate(panels):
        x0, y0 = index % columns * width + left, index // columns * height + 40
        base = y0 + 30 + plot_height
        values = {(corpus, i): results.best(what, corpus, [name])[1] for corpus in results.corpora
                  for i, name in enumerate(names) if name}
        corpora = [corpus for corpus in results.corpora if any(values.get((corpus, i)) for i in range(len(names)))]
        shown = [i for i in range(len(names)) if any(values.get((corpus, i)) for corpus in corpora)]
        top = max(v for v in values.values() if v)
        step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100) if top / s <= 5 or s == 100)
        scale = plot_height / (step * (int(top / step) + 1))
        subjects = " · ".join(results.filled(names[i]) for i in shown)
        out.append(f'<text x="{x0}" y="{y0 + 8}" font-weight="bold">{what}</text>'
                   f'<text class="small" x="{x0}" y="{y0 + 20}">{subjects}</text>')
        tick = 0
        while tick <= top + step:
            y = base - tick * scale
            if y < y0 + 29:
                break
            out.append(f'<line x1="{x0}" x2="{x0 + plot_width}" y1="{y:.1f}" y2="{y:.1f}"/>'
                       f'<text class="small" x="{x0 - 4}" y="{y + 3:.1f}" text-anchor="end">{tick:g}</text>')
            tick += step
        group = plot_width / len(corpora)
        bar = min(14, group * 0.8 / len(shown))
        for place, corpus in enumerate(corpora):
            middle = x0 + (place + 0.5) * group
            for i, who in enumerate(shown):
                value = values.get((corpus, who))
                if value is None:
                    continue
                x = middle + (i - len(shown) / 2) * bar
                out.append(f'<rect class="c{who}" x="{x:.1f}" y="{base - value * scale:.1f}" width="{bar - 1:.1f}" '
                           f'height="{value * scale:.1f}"><title>{number(value)}</title></rect>')
            out.append(f'<text x="{middle:.1f}" y="{base + 14}" text-anchor="middle">{corpus}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def raw(results):
    told = ["machine", "vendor", "family", "model", "command", "date", "compiler", "kernels", "simdutf", "mebibytes",
            "num_cpus", "caches"]  # nothing that identifies the machine
    head = {key: results.context[key] for key in told if key in results.context}
    rows = [json.dumps({"what": what, "corpus": corpus, "who": who, "unit": results.units[what], "runs": runs})
            for (what, corpus, who), runs in results.rows.items()]
    return '{"context": ' + json.dumps(head) + ',\n"rows": [\n' + ",\n".join(rows) + "\n]}\n"


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", required=True)
    parser.add_argument("--command", required=True)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()

    results = Results(args.files)
    results.context.update(processors.this_machine(), command=args.command)
    directory = os.path.join(args.output, processors.name(results.context))
    os.makedirs(directory, exist_ok=True)
    stem = os.path.join(directory, results.stem())
    write(stem + ".json", raw(results))
    write(stem + ".md", full_tables(results))
    write(stem + ".svg", chart(results))
    print(f"All results: {stem}.md", file=sys.stderr)
    print("\n".join(filter(None, (short_table([results], page) for page in SHORT))))
    print(goals_by_family(results))


if __name__ == "__main__":
    main()
