#!/usr/bin/env python3
"""page.py [--check] RESULTS PAGE.md: writes the tables and the chart of each set of results in RESULTS/MODEL again from
its JSON. In PAGE.md replaces the text between <!-- performance --> and <!-- /performance --> by a list of the sets of
g++, and for each table of kernels a short table with the range over its sets. --check changes nothing, but fails if a
file would change.
"""
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
import report


def files_of(results_directory, page):
    """Yields (name, text) of each file that is made from the JSON of the sets."""
    sets, rows, charts = {}, [], {}
    to_results = os.path.relpath(results_directory, os.path.dirname(os.path.abspath(page)))
    for name in sorted(glob.glob(os.path.join(results_directory, "*", "*.json"))):
        results = report.Results([name])
        stem = name[:-len(".json")]
        yield stem + ".md", report.full_tables(results)
        yield stem + ".svg", report.chart(results)
        if results.stem() != results.context["kernels"]:
            continue  # another compiler
        model = os.path.basename(os.path.dirname(name))
        link = f"{to_results}/{os.path.relpath(stem, results_directory)}"
        sets.setdefault(results.context["kernels"], []).append((model, results))
        if model not in charts or results.context["kernels"] == "avx512":
            charts[model] = f"![Chart of {model}]({link}.svg)\n"
        rows.append([model, f"[{results.context['kernels']}]({link}.md)", report.goals_reached(results),
                     report.circumstances(results)])
    parts = [report.table(["processor", "all results", "reached", "measured on"], rows)]
    for kernels in sorted(sets, key=lambda kernels: (kernels != "avx512", kernels)):
        parts.append(f"The {kernels} kernels on {' and '.join(model for model, _ in sets[kernels])}:\n")
        parts.append(report.short_table([results for _, results in sets[kernels]]))
    parts += charts.values()
    with open(page, encoding="utf-8") as file:
        text = file.read()
    text, places = re.subn("(<!-- performance -->\n).*(<!-- /performance -->)",
                           lambda marks: marks[1] + "\n".join(parts) + marks[2], text, flags=re.S)
    if places != 1:
        sys.exit(f"{page} must have the marks <!-- performance --> and <!-- /performance --> once")
    yield page, text


def main():
    check = sys.argv[1:2] == ["--check"]
    wrong = 0
    for name, text in files_of(*sys.argv[1 + check:]):
        old = None
        if os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                old = file.read()
        if text == old:
            continue
        if not check:
            report.write(name, text)
            continue
        wrong += 1
        command = " ".join([sys.argv[0], *sys.argv[2:]])
        print(f"{name} does not follow from the results. To write it again, run: {command}")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
