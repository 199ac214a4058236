#!/usr/bin/env python3
"""report_test.py: report.py accepts lines that have a reason, and finds each kind of error in lines and reasons."""
import sys

sys.dont_write_bytecode = True
import report

TEXT = ["int f() {", "  return 1;", "}", "constexpr t() noexcept {", "  a();", "}", "case  x: return [];", "  // A comment.",
        "} else {  // another", "#else", "", "  };", "  x;  // code"]
REASONS = {"constexpr *() noexcept {": "A table.", "case x: return [];": "Nobody asks.", "all of neon.cpp": "Elsewhere."}
COUNTS = {1: 5, 2: 5, 4: 0, 5: 0, 7: 0}
cases, failed = 0, 0


def expect(counts, uncounted, reasons, *parts):
    """Expects one complaint for each of the parts, which contains it."""
    global cases, failed
    cases += 1
    wrong, _ = report.judge({"src/a.cpp": (counts, TEXT)}, uncounted, reasons)
    if len(wrong) != len(parts) or not all(part in sentence for part, sentence in zip(parts, wrong)):
        failed += 1
        print(f"{counts}, {uncounted}, {reasons}: {wrong}")


expect(COUNTS, ["src/neon.cpp"], REASONS)
expect({**COUNTS, 2: 0}, ["src/neon.cpp"], REASONS, "not reached: src/a.cpp:2: return 1;")
expect({**COUNTS, 7: 1}, ["src/neon.cpp"], REASONS, "or its lines are reached, or it has no reason: case x")
expect({**COUNTS, 4: 1}, ["src/neon.cpp"], REASONS)  # the closing bracket of its block still counts
expect({**COUNTS, 8: 0, 9: 0, 10: 0, 11: 0, 12: 0}, ["src/neon.cpp"], REASONS)  # nothing runs in these lines
expect({**COUNTS, 13: 0}, ["src/neon.cpp"], REASONS, "not reached: src/a.cpp:13: x; // code")
expect(COUNTS, ["src/neon.cpp"], {**REASONS, "case y:": "It moved."}, "matches no line, or its lines are reached, or it has no reason: case y:")
expect(COUNTS, ["src/neon.cpp"], {**REASONS, "case x: return [];": ""}, "not reached: src/a.cpp:7", "it has no reason: case x")
expect(COUNTS, ["src/neon.cpp", "src/new.cpp"], REASONS, "no program contains its code: src/new.cpp")
expect(COUNTS, [], REASONS, "matches no line, or its lines are reached, or it has no reason: all of neon.cpp")
cases += 2
failed += report.runs("include/utfilter/utfilter.hpp") + (not report.runs("src/kernels/neon.cpp"))
print(f"{cases} cases, {failed} failed")
sys.exit(failed != 0)
