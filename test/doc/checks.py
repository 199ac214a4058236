"""checks.py: counts the checks of a test in this folder."""
import sys

cases, wrong = 0, []


def check(passed, what):
    global cases
    cases += 1
    if not passed:
        wrong.append(what)


def same(there, told, lacks, has_more):
    """Checks that two sets of names are equal; the two texts, before a name, say what is wrong otherwise."""
    for name in sorted(there | told):
        check(name in told, f"{lacks} {name}")
        check(name in there, f"{has_more} {name}, which does not exist")


def finish(fewest):
    """Prints what is wrong and the number of cases, of which there must be so many, and ends the test."""
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{cases} cases, {len(wrong)} failed")
    sys.exit(bool(wrong) or cases < fewest)
