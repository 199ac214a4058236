#!/usr/bin/env python3
"""compare.py RESULTS JSON...: compares measurements of utfilter_bench (Google Benchmark's JSON) with the committed set
of the same processor model, kernels and compiler in RESULTS, and prints the rows that fell by more than 5 %.

A row that has a bar is compared by its ratio to the bar, because both are measured in the same run. Any other row of
this library is compared by its absolute speed, and is marked, because the absolute speed also depends on the machine's
other work.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import processors
import report

FALL = 0.05
OURS = "(.*, )?utf(ilter|8_|16_|cat)"


def figures(results):
    """A number for each row, {(what, corpus, who, bar): number}: higher is better. The bar is "" if there is none."""
    found = {}
    for goal, corpus, (_, _, _, ratio, *_) in report.judgements(results):
        bars = [bar for bar in goal.bars if isinstance(bar, str)]
        if bars:
            found[goal.what, corpus, results.filled(goal.ours), ", ".join(bars)] = ratio
    with_bar = {row[:3] for row in found}
    for what, corpus, who in results.rows:
        if re.match(OURS, who) and (what, corpus, who) not in with_bar:
            value = results.median(what, corpus, who)
            found[what, corpus, who, ""] = 1 / value if results.units[what] == "ns" else value
    return found


def compare(new, old):
    """The lines to print."""
    sizes = [results.context["mebibytes"] for results in (old, new)]
    if sizes[0] != sizes[1]:
        return [f"The committed set is of texts of {sizes[0]} MiB, these are of {sizes[1]}: not compared"]
    now, before = figures(new), figures(old)
    rows, missing, rose = [], [], 0
    for row, value in before.items():
        what, corpus, who, bar = row
        if corpus not in new.corpora:
            continue
        if row not in now:
            missing.append(f"missing: {what}/{corpus}/{who}" + (f"; {bar}" if bar else ""))
            continue
        change = now[row] / value - 1
        rose += change > FALL
        if change < -FALL:
            both = [report.number(value), report.number(now[row])] if bar else [
                f"{report.number(r.median(what, corpus, who))} {r.units[what]}" for r in (old, new)]
            rows.append((change, [what, corpus, who, bar or "none: absolute", *both, f"{100 * change:.0f} %"]))
    compared = len([row for row in before if row in now])
    lines = [f"{compared} rows compared with the committed ones: "
             f"{len(rows)} fell by more than 5 %, {rose} rose by more"]
    if rows:
        head = ["what", "corpus", "ours", "the bar", "before", "now", "change"]
        lines.append(report.table(head, [row for _, row in sorted(rows)]).rstrip())
    return lines + missing


def committed(directory, new):
    """The committed set of this model, these kernels and this compiler, or None; and its name."""
    name = f"{processors.name(new.context)}/{new.stem()}"
    file = os.path.join(directory, name + ".json")
    return (report.Results([file]) if os.path.exists(file) else None), name


def main():
    new = report.Results(sys.argv[2:])
    new.context.update(processors.this_machine())
    old, name = committed(sys.argv[1], new)
    print("\n".join(compare(new, old) if old else [f"There is no committed set {name} to compare with"]))


if __name__ == "__main__":
    main()
