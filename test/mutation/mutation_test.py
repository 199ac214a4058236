#!/usr/bin/env python3
"""mutation_test.py COMPILER: sites.py finds every place that can be changed, and no other. A small program with all its
mutants behaves like the original if no mutant is selected; its test notices the mutants that it looks for, and no
others.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import mutate
import sites

CASES = [0, 0]


def expect(found, wanted, what):
    CASES[0] += 1
    if found != wanted:
        CASES[1] += 1
        print(f"{what}: {found!r} instead of {wanted!r}")


def changes(text):
    source = sites.Source(text)
    return [(source.text[s.start:s.end], s.flavour, c[0]) for s in source.sites for c in s.changes]


def body(statements):
    """The changes in a function, without the removals of whole statements."""
    return [(text, change) for text, _, change in changes(f"void f() {{\n  {statements}\n}}\n") if change != "removed"]


def removed(statements):
    return [text for text, _, change in changes(f"int f() {{\n  {statements}\n}}\n") if change == "removed"]


# --------------------------------------------------------------------------------------------------- finding the places

expect(changes("// a < b, 1\n/* a + 1\n   && */\n#define TWO (1 + 1) \\\n  + 1\n#if 1 < 2\n#endif\n"), [], "no code")
expect(body('g("1 < 2", R"x(a + ")" 1)x");'), [], "strings")
expect(body("const bool b = x < y;"), [("x < y", "< -> <="), ("x < y", "< -> >=")], "a comparison")
expect(body("const auto v = f(g<h>(x), std::vector<k>(), static_cast<l>(y));"), [], "templates")
expect(body("const auto a = b && c || !d;"),
       [("b && c || !d", "|| -> &&"), ("b && c", "&& -> ||"), ("!d", "! -> nothing")], "precedence")
expect(body("const auto x = a + b * c - d;"),
       [("a + b * c - d", "- -> +"), ("a + b * c", "+ -> -"), ("b * c", "* -> /")], "operators from left to right")
expect(body("char* p = &q; const auto& r = *p; T&& t = f(-x);"), [("-x", "- -> nothing")], "operators of one operand")
expect(body("const auto x = y(0x1F, 'a', true);"),
       [("0x1F", "0x1F -> 0x1F + 1"), ("0x1F", "0x1F -> 0x1F - 1"), ("0x1F", "0x1F -> 0"), ("'a'", "'a' -> 'a' + 1"),
        ("'a'", "'a' -> 'a' - 1"), ("true", "true -> false")], "constants")
expect(body("x += y << z;"), [("x += y << z", "+= -> -="), ("y << z", "<< -> >>")], "assignments")
expect(body("x += a ? b : c; y = d ? f(e) : g ? h : i;"), [("x += a ? b : c", "+= -> -="), ("a", "a -> !"), ("d", "d -> !"), ("g", "g -> !")],
       "assignments of one of two values")
expect(body("a[i++] = --j;"), [("i++", "++ -> --"), ("--j", "-- -> ++")], "increments and decrements")
expect(body("if (ready()) return; while (!done) {} return f(b ? c : d);"),
       [("ready()", "ready() -> !"), ("!done", "! -> nothing"), ("b", "b -> !")], "conditions")
expect(body("if (a) b(c >> d); else e = f | g;"), [("a", "a -> !"), ("c >> d", ">> -> <<"), ("f | g", "| -> &")], "after a header")
expect(body("const auto v = _mm_add_epi8(x, all<7>());"),
       [("_mm_add_epi8(x, all<7>())", "_mm_add_epi8 -> _mm_sub_epi8"), ("all<7>()", "7 -> 7 + 1"), ("all<7>()", "7 -> 7 - 1"), ("all<7>()", "7 -> 0")],
       "instructions, and arguments of templates that are called")
expect(body("const auto v = _mm_slli_epi16(x, 8);"),
       [("_mm_slli_epi16(x, 8)", change) for change in ("8 -> 8 + 1", "8 -> 8 - 1", "8 -> 0", "_mm_slli_epi16 -> _mm_srli_epi16")],
       "operands that must be constants")

expect(removed("f(x); const int n = g(); std::vector<int> v(n); T y{}; v.clear(); n = 1; return n;"), ["f(x);", "v.clear();", "n = 1;"], "statements")
expect(removed("if (a) return 1; for (;;) { if (b) break; } switch (c) { case 1: d(); continue; default: e(); } return 0;"),
       ["return 1;", "break;", "d();", "continue;", "e();"], "statements after others")
expect(removed("return 1;"), [], "the end of a function")
expect(removed("switch (a) { case 1: f(); break; default: g(); break; } if (b) { break; }"), ["f();", "break;", "g();", "break;"],
       "the end of a switch")

expect([f for _, f, _ in changes("constexpr int f(int x) { return x + y; }")], ["constexpr"], "a constexpr function")
expect([f for _, f, _ in changes("struct alignas(8) s {\n  int n = 1;\n  constexpr s() noexcept {\n    if (a) n = b;\n  }\n};")], ["table"] * 4, "a maker of a table")
expect([f for _, f, _ in changes("struct s {\n  int n = 1;\n};\nconstexpr s made() noexcept;\nstruct t {\n  int n = 1;\n};")],
       ["constexpr"] * 4, "members that a constexpr function may initialize")
expect([f for _, f, _ in changes("constexpr int n[] = {7};")], ["constant"] * 3, "a table")
expect([c[1:] for c in changes("void f() { char a[2]; const v<int> b[g + h] = {}; return c[i - j]; }")],
       [("constant", change) for change in ("2 -> 2 + 1", "2 -> 2 - 1", "2 -> 0", "+ -> -")] + [("run", "- -> +")], "sizes of arrays")
expect([f for _, f, _ in changes("enum { a = 1 };")], ["constant"] * 2, "an enumeration")
expect([f for _, f, _ in changes("struct s {\n s() : n_(x - y) {}\n virtual void f() = 0;\n bool b = false;\n};")], ["run", "constexpr"], "members")
expect(changes("static_assert(a < b);\nvoid f() { static_assert(1 + 1 == 2); switch (x) { case 'a': g(); } if constexpr (c == d) return; [[maybe_unused]] int i; }"),
       [("g();", "run", "removed"), ("return;", "run", "removed")], "code that does not run")

example = sites.Source("int f(int a) {\n  // a < 1\n  return a <\n    2;\n}\n")
for number, site in enumerate(example.sites):
    site.numbers = list(range(10 * number, 10 * number + len(site.changes)))
chosen, places = example.with_choices(example.sites)
expect(chosen.splitlines()[2], "  return (utfilter_mutant(0) ? a <= 2 : utfilter_mutant(1) ? a >= 2 : a <", "a line stays a line")
expect((len(chosen.splitlines()), "// a < 1" in chosen, [p[0][0] for p in places]), (5, True, [4, 3]), "all else stays")

# ------------------------------------------------------------------------------------------------------ running mutants

PROGRAM = """
#include <cstdlib>
constexpr int twice(int x) { return x + x; }
static_assert(twice(2) == 4);
int limited(int x) {
  if (x > 10) return 10;
  return x;
}
int counted(int x) {
  volatile int n = 0;
  while (n != x) n += 1;
  return n;
}
bool unseen(bool x) { return !x; }
int main() {
  return twice(std::atoi("4")) == 8 && limited(3) == 3 && limited(20) == 10 && counted(2) == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
"""
# The changes that the program's test does not notice, by the text of their place.
UNNOTICED = {
    "x > 10": {"> -> >="},                     # 10 is 10
    "10": {"10 -> 10 + 1", "10 -> 10 - 1"},     # of the limit; the test notices them in `return 10`
    "0": {"0 -> 0 + 1", "0 -> 0 - 1"}, "1": {"1 -> 1 + 1"},  # the loop still ends with 2
    "!x": {"! -> nothing"},
}

with tempfile.TemporaryDirectory() as directory:
    directory = pathlib.Path(directory)
    source = sites.Source(PROGRAM)
    number, mutants = 1, {}
    for site in source.sites:
        site.numbers = list(range(number, number + len(site.changes)))
        for n, change in zip(site.numbers, site.changes):
            mutants[n] = (source.text[site.start:site.end], change[0])
        number += len(site.changes)
    (directory / "program.cpp").write_text(source.with_choices(source.sites)[0])
    subprocess.run([sys.argv[1], "-std=c++17", "-O1", "-include", str(mutate.HERE / "mutants.hpp"), "program.cpp", "-o", "program"], cwd=directory, check=True)

    program = mutate.Check("program", [str(directory / "program")], str(directory), {})
    expect(program.run(directory, 5).how, "passed", "no mutant")
    reached_file = directory / "reached"
    reached_file.write_bytes(bytes(mutate.MOST))
    program.run(directory, 5, UTFILTER_REACHED=str(reached_file))
    reached = {n for n, byte in enumerate(reached_file.read_bytes()) if byte}
    expect({mutants[n][0] for n in mutants.keys() - reached}, {"!x"}, "the mutants that are not reached")

    in_main = PROGRAM.count("\n", 0, PROGRAM.index("int main")) + 1
    for site in source.sites:
        if source.line_of(site.start) > in_main:
            continue
        for n in site.numbers:
            text, change = mutants[n]
            outcome = program.run(directory, 1, UTFILTER_MUTANT=str(n)).how
            unnoticed = change in UNNOTICED.get(text, set()) and (text == "!x" or not PROGRAM[:site.start].endswith("return "))
            expect(outcome == "passed", unnoticed, f"{text}: {change}: {outcome}")
    endless = [n for n, mutant in mutants.items() if mutant == ("n += 1;", "removed")]
    expect([program.run(directory, 1, UTFILTER_MUTANT=str(n)).how for n in endless], ["hangs"], "a loop without end")

# An endless recursion of templates is a fatal error. (`part` has what finding its place needs.)
part = mutate.Part.__new__(mutate.Part)
part.tree, part.build, part.dropped = pathlib.Path("/tree"), pathlib.Path("/build"), {}
part.places = {"a.cpp": [((3, 4), (3, 9), {"first"}), ((5, 0), (5, 30), {"second"})]}
part._drop("/tree/a.cpp:3:5: error: no match\n/tree/a.cpp:4:1: warning: unused\n/tree/a.cpp:5:2: fatal error: too deep\n")
expect(sorted(part.dropped), ["first", "second"], "changes that do not compile")

# -------------------------------------------------------------------------------------------- entries of equivalent.txt

NAMES = """
namespace n {
constexpr int limit = 7;
struct counter {
  bool operator==(int x) const { return x == n_; }
  int n_ = 3;
};
int first(int size) {
  const auto f = [&] { return size < 4; };
  return size + 1;
}
}
"""


def mutants(text):
    return mutate.mutants_of("file.cpp", sites.Source(text))


def explained(text, *entry):
    """The functions of the mutants that the entry explains."""
    ours = mutants(text)
    keys = mutate.explain(ours, {entry: ("same", "")})
    return sorted({m.scope for m in ours if m.key in keys})


expect([m.scope for m in mutants(NAMES)], ["limit"] * 3 + ["operator=="] + ["counter"] * 3 + ["first"] * 8, "functions, classes and constants")
for entry, functions, what in (
        (("first", "return size + 1;", "+ -> -"), ["first"], "an entry"),
        (("first", "return size + 1;", "1 -> 1 + 1"), ["first"], "another change of the line"),
        (("first", "return length + 1;", "+ -> -"), ["first"], "a local that was renamed"),
        (("second", "return size + 1;", "+ -> -"), ["first"], "a function that was renamed"),
        (("second", "return length + 1;", "+ -> -"), [], "both renamed"),
        (("first", "return size + 2;", "+ -> -"), [], "another line"),
        (("first", "return size + 1;", "- -> +"), [], "another change"),
        (("*", "x == n_", "== -> !="), [], "a short part of a line"),
        (("*", "{ return x == n_; }", "any"), ["operator=="], "any function, any change")):
    expect(explained(NAMES, *entry), functions, what)
cut = NAMES.replace("return size + 1;", "return size\n      + 1;")
expect(explained(cut, "first", "return size + 1;", "+ -> -"), ["first"], "a statement over two lines")
twice = NAMES.replace("}\n}\n", "}\nint second(int length) { return length + 1; }\nint third(int size) { return size + 1; }\n}\n")
expect(explained(twice, "gone", "return size + 1;", "+ -> -"), [], "an entry that may stand for two lines stands for none")

RECORD = """# Head.

one: a line
  + -> -; < -> <=: same: a reason
    of two lines.
two: a line
  + -> -: slower: a reason.
  any: undefined: another
    of two lines.

# A part.
three: a line
  any: same: a reason.
"""
with tempfile.TemporaryDirectory() as directory:
    record = pathlib.Path(directory, "equivalent.txt")
    for unused, lines in (
            (set(), RECORD),
            ({("one", "a line", "+ -> -")}, RECORD.replace("+ -> -; <", "<")),
            ({("two", "a line", "any")}, RECORD.replace("  any: undefined: another\n    of two lines.\n", "")),
            ({("three", "a line", "any")}, RECORD.replace("three: a line\n  any: same: a reason.\n", ""))):
        record.write_text(RECORD)
        mutate.prune(record, unused)
        expect(record.read_text(), lines, f"a record without {unused}")

expect(mutate.cases_of("one*\ntwo\nthree*\n    four*\n    five<int>*\nsix*\n"), ["one", "three/four", "three/five<int>", "six"], "the cases of a program")
print(f"{CASES[0]} cases, {CASES[1]} failed")
sys.exit(CASES[1] != 0)
