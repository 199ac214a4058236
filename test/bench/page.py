#!/usr/bin/env python3
"""page.py [--check] RESULTS DOC: writes the tables and the chart of each set of results in RESULTS/MODEL again from its
JSON. In the pages of report.SHORT in DOC replaces the text between <!-- performance --> and <!-- /performance -->:

- in performance.md by a list of the sets of g++, for each table of kernels a short table with the range over its sets,
  and the charts
- in the other pages by a short table with the range over the sets of the best table of kernels

--check changes nothing, but fails if a file would change.
"""
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
import report


def filled_page(page, parts):
    """The text of the page, with these parts between the marks."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    text, places = re.subn("(<!-- performance -->\n).*(<!-- /performance -->)",
                           lambda marks: marks[1] + "\n".join(parts) + marks[2], text, flags=re.S)
    if places != 1:
        sys.exit(f"{page} must have the marks <!-- performance --> and <!-- /performance --> once")
    return text


def files_of(results_directory, doc):
    """Yields (name, text) of each file that is made from the JSON of the sets."""
    sets, rows, charts = {}, [], {}
    to_results = os.path.relpath(results_directory, doc)
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
    for page in report.SHORT:
        tables = []
        for kernels in sorted(sets, key=lambda kernels: (kernels != "avx512", kernels)):
            measured = [(model, results) for model, results in sets[kernels] if report.short_table([results], page)]
            if measured:
                *others, last = [model for model, _ in measured]
                models = f"{', '.join(others)} and {last}" if others else last
                tables += [f"The {kernels} kernels on {models}:\n",
                           report.short_table([results for _, results in measured], page)]
        if page == "performance.md":
            parts = [report.table(["processor", "all results", "reached", "measured on"], rows), *tables, *charts.values()]
        else:
            parts = tables[:2] or ["No committed results have these rows yet: `test/bench/run --write` adds them.\n"]
        yield os.path.join(doc, page), filled_page(os.path.join(doc, page), parts)


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
