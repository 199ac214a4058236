#!/usr/bin/env python3
"""mutate.py: changes the library in one place at a time, and reports which changes (mutants) the quick tests notice.

A separate build for each of several thousand changes would take days. So one build contains all of them, each as a
choice at run time (sites.py, mutants.hpp): `(utfilter_mutant(17) ? a <= b : a < b)`. A test runs with a change only if
it reaches its place.

A change that no test notices is a survivor. It shows that a test is missing or that code is not needed; or no test can
notice it, and then equivalent.txt gives the reason. Values that must be constants (tables, sizes of arrays) are changed
one by one, each in a build of its own. Left out are template arguments outside of calls, changes that do not compile,
and src/kernels/neon.cpp and generic.cpp, which are for other processors.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import json
import math
import os
import pathlib
import queue
import random
import re
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import sites

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MOST = 16384  # as in mutants.hpp
# The parts, each with its own build. Kernels are separate, because with choices in many places they are slow.
PARTS = ["codecs", "kernels", "constants"]
# The tests of a part that does not need all tests. Most other tests reach the files of the part, too, but take long.
TESTS = {"kernels": r"(kernel|kernel_windows|kernel_choice|conformance|text|byte_strings|code_unit_pairs|compositions)_test|fuzz_replay_kernels"}
# The tests for constants, by file: those that take least time come first.
TESTS_OF_CONSTANTS = {
    "src/kernels/*": ["kernel_windows_test", "conformance_test", "text_test", "kernel_test"],
    "src/streams/*": ["fstream_test", "seek_test", "foreign_codec_test", "stream_test"],
    "src/*": ["conformance_test", "encoding_test", "policy_test", "bom_codec_test", "transcoder_test", "to_utf8_test",
              "from_utf8_test", "escape_controls_test", "control_escaper_test", "printable_test"],
    "include/*": ["error_test", "conversion_test", "policy_test", "fstream_test", "foreign_codec_test", "codec_filter_test",
                  "utf8_validator_test", "sink_test", "stream_test", "escape_controls_test"]}
EXCLUDED = ["src/kernels/neon.cpp", "src/kernels/generic.cpp"]
# Not run: they test other builds, or count instructions.
TESTS_LEFT_OUT = {"install_test", "cost_test", "mutation_test", "explained_mutants", "ci_run_test", "compiler_cache_test"}
# Other parts get -O2. With it, kernels with all their changes would take three times as long to compile.
OPTIMIZATION = {"kernels": "-O1"}
FLAGS = "-DNDEBUG -w -Wno-narrowing -fno-diagnostics-show-caret -fdiagnostics-column-unit=byte " \
        "-fsanitize=return -fsanitize-undefined-trap-on-error"  # a function that ends without its return crashes
MEMORY = 4 << 20  # KiB of address space for a test


# -------------------------------------------------------------------------------------------------------------- mutants

def without_comments(text):
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


class Mutant:
    """One change at one place. Its key is its file, the text of its statement, the change, and its number among equal
    ones."""

    def __init__(self, file, source, site, change, nth):
        self.file, self.site, self.change = file, site, change[0]
        self.line = source.line_of(site.start)
        self.scope = source.scope_of(site.start)
        begin, end = source.whole_lines(self.line)
        self.text = without_comments(source.text[begin:end])
        self.place = max(0, len(" ".join(source.text[begin:site.start].split())))
        self.nth = nth
        self.number = None
        self.replacement = change[1]

    @property
    def key(self):
        return f"{self.file} | {self.text} | {self.name}"

    @property
    def name(self):
        return self.change + (f" #{self.nth}" if self.nth > 1 else "")


def files_of(part, root=ROOT):
    """The source files of a part: those below src/kernels, all others, or (for constants) both."""
    return [f for f in sites.files_of_library(root)
            if f not in EXCLUDED and part in ("constants", "kernels" if f.startswith("src/kernels/") else "codecs")]


def mutants_of(file, source):
    """All mutants of a file, in order."""
    seen, result = collections.Counter(), []
    for site in source.sites:
        for change in site.changes:
            mutant = Mutant(file, source, site, change, 1)
            seen[mutant.key] += 1
            mutant.nth = seen[mutant.key]
            result.append(mutant)
    return result


def read_equivalents(path):
    """(function, a part of the line's text, change) -> (kind, reason). Blocks of `function: part of the line`, below it
    indented `change: same|slower|undefined: reason`; a reason may go on in lines indented further. A change may be
    `any`."""
    entries, head, last = {}, None, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            head = tuple(without_comments(line).split(": ", 1))
            if len(head) != 2:
                raise SystemExit(f"{path}:{number}: no `function: part of the line`")
        elif line.startswith("    ") and last:
            entries[last] = (entries[last][0], entries[last][1] + " " + line.strip())
        else:
            match = re.fullmatch(r"  (.+?): (same|slower|undefined): (.+)", line)
            if not match:
                raise SystemExit(f"{path}:{number}: no `change: same|slower|undefined: reason`")
            for change in match.group(1).split("; "):
                last = (*head, change)
                entries[last] = match.groups()[1:]
    return entries


def prune(path, unused):
    """Removes these entries from the file, and the first line of a block that has no entries left."""
    kept, head, waiting, dropped = [], None, None, False
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            waiting, dropped = None, False
        elif not line.startswith(" "):
            head, waiting, dropped = tuple(without_comments(line).split(": ", 1)), line, False
            continue
        elif not (line.startswith("    ") and head):
            changes, rest = re.fullmatch(r"  (.+?)(: (?:same|slower|undefined): .+)", line).groups()
            left = [c for c in changes.split("; ") if (*head, c) not in unused]
            dropped, line = not left, "  " + "; ".join(left) + rest
        if dropped:
            continue
        if waiting:
            kept.append(waiting)
        waiting = None
        kept.append(line)
    path.write_text("\n".join(kept) + "\n")


def shape_of(text):
    """The text with every name replaced by _: it stays the same when something is renamed."""
    return " ".join("_" if t.kind == "name" and t.text not in sites.KEYWORDS | sites.NOT_STATEMENTS | {"true", "false"} else t.text
                    for t in sites.tokens_of(text) if t.kind not in ("comment", "directive"))


def explain(mutants, entries):
    """A dictionary: key of a mutant -> its entry, which is the first with its function, a part of its line and its
    change. If an entry fits no mutant, its code may have been renamed: then the entry explains the changes in the one
    line that has the text of the entry in another function, or the shape of that text in the same function."""
    functions, found = collections.defaultdict(list), {}
    for m in mutants:
        functions[m.scope].append(m)
    everywhere = list(mutants)

    def is_part(part, text, least=10):
        return part in text if len(part) > least else part == text

    for entry in entries:
        function, part, change = entry
        fits = lambda m: change in (m.name, "any")
        there = [m for m in (everywhere if function == "*" else functions[function]) if fits(m) and is_part(part, m.text)]
        if not there:
            moved = [m for m in everywhere if fits(m) and is_part(part, m.text)]
            shape, changed = shape_of(part), shape_of(change)
            renamed = [m for m in functions[function] if (change == "any" or shape_of(m.name) == changed) and is_part(shape, shape_of(m.text))]
            there = next((some for some in (moved, renamed) if len({(m.file, m.line) for m in some}) == 1), [])
        for m in there:
            found.setdefault(m.key, entry)
    return found


# -------------------------------------------------------------------------------------------------------------- running

class Outcome:
    def __init__(self, status, how, seconds, output):
        self.status, self.how, self.seconds, self.output = status, how, seconds, output


def run(command, cwd, environment, cpu_seconds, stop_at_error=True):
    """Runs a command that may never end, use all memory, or write without end. Outcome.how is passed, failed, killed or
    hangs."""
    limits = f"ulimit -c 0 -v {MEMORY} -f 2097152; ulimit -S -t {math.ceil(cpu_seconds)}; exec \"$@\""
    process = subprocess.Popen(["bash", "-c", limits, "limited", *command], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    deadline, tail, how = time.monotonic() + 20 + 6 * cpu_seconds, b"", None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while how is None:
            if not selector.select(max(0, deadline - time.monotonic())):
                how = "hangs"
                break
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                break
            tail = (tail + data)[-65536:]
            if stop_at_error and (b": error: in \"" in tail or b": fatal error: in \"" in tail):
                how = "failed"
    if how:
        end(process)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    end(process)  # its children, too
    process.stdout.close()
    if not how:
        how = "passed" if process.returncode == 0 else "hangs" if process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU) else \
            "killed" if process.returncode < 0 else "failed"
    return Outcome(process.returncode, how, usage.ru_utime + usage.ru_stime, tail)


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Check:
    """A test, or one test case of a Boost.Test program."""

    def __init__(self, name, command, cwd, environment):
        self.name, self.command, self.cwd, self.environment = name, command, cwd, environment
        self.seconds = 0.0
        self.reached = set()

    def run(self, scratch, cpu_seconds, **more):
        environment = dict(os.environ, TMPDIR=str(scratch), **self.environment, **more)
        return run(self.command, self.cwd, environment, cpu_seconds)


# ------------------------------------------------------------------------------------------------------------ the build

def sources_of_the_build():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "CMakeLists.txt", "README.md", "cmake", "doc", "examples", "include",
                             "src", "test"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [file for file in listed if (ROOT / file).exists()]


class Part:
    """Some files, built with all their mutants, and the tests of that build."""

    def __init__(self, name, work, compiler, jobs):
        self.name, self.dir, self.compiler, self.jobs = name, work / name, compiler, jobs
        self.tree, self.build = self.dir / "tree", self.dir / "build"
        self.flags = f"-include {HERE / 'mutants.hpp'} {OPTIMIZATION.get(name, '-O2')} {FLAGS}"
        self.sources = {file: sites.Source((ROOT / file).read_text()) for file in files_of(name)}
        self.mutants = [m for file, source in self.sources.items() for m in mutants_of(file, source)
                        if (m.site.flavour in ("constant", "table")) == (name == "constants")]
        self.dropped = {}  # keys of the changes that do not compile
        self.checks = []

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    def make(self):
        """Builds the part, unless it was built with exactly these sources."""
        stamp = hashlib.sha256(self.flags.encode())
        for file in sources_of_the_build():
            source = ROOT / file
            stamp.update(file.encode())
            if not (file.startswith("test/mutation/") and file.endswith((".txt", "mutate.py", "_test.py"))):
                stamp.update(source.read_bytes())
            copy = self.tree / file
            if file in self.sources:
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists() or copy.read_bytes() != source.read_bytes():
                shutil.copy2(source, copy)
        self.stamp = stamp = stamp.hexdigest()[:12]
        state = self.dir / "state.json"
        if state.exists() and (known := json.loads(state.read_text()))["stamp"] == stamp:
            self._load(known)
            return
        if state.exists():  # changes that did not compile will not compile now
            self.dropped = json.loads(state.read_text())["dropped"]
        self._configure()
        if not self.dropped:
            self._drop_what_is_no_code()
            state.write_text(json.dumps({"stamp": "", "dropped": self.dropped}))
        self._compile()
        self._find_checks()
        self._record()
        state.write_text(json.dumps({
            "stamp": stamp, "dropped": self.dropped, "numbers": {m.key: m.number for m in self.mutants if m.number is not None},
            "checks": [dict(name=c.name, command=c.command, cwd=c.cwd, environment=c.environment, seconds=c.seconds, reached=sorted(c.reached))
                       for c in self.checks]}))

    def _load(self, known):
        self.dropped = known["dropped"]
        for m in self.mutants:
            m.number = known["numbers"].get(m.key)
        for c in known["checks"]:
            check = Check(c["name"], c["command"], c["cwd"], c["environment"])
            check.seconds, check.reached = c["seconds"], set(c["reached"])
            self.checks.append(check)

    def _configure(self):
        self._write_sources()
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={self.flags}",
                        f"-DCMAKE_CXX_COMPILER={self.compiler}", "-DUTFILTER_BUILD_TESTS=ON", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], check=True, stdout=subprocess.DEVNULL)

    def _write_sources(self):
        """Writes each file with its choices, and records their places."""
        number, self.places = 0, {}
        for m in self.mutants:
            m.number = None
            m.site.numbers = []
        for file, source in self.sources.items():
            chosen = []
            for m in self.mutants:
                if m.file == file and m.key not in self.dropped:
                    m.number, number = number, number + 1
            by_site = collections.defaultdict(list)
            for m in self.mutants:
                if m.file == file and m.number is not None:
                    by_site[id(m.site)].append(m)
            for site in source.sites:
                if id(site) in by_site:
                    present = by_site[id(site)]
                    chosen.append(sites.Site(site.start, site.end, [(m.change, m.replacement) for m in present], site.flavour, site.frame,
                                             site.order, [m.number for m in present]))
            text, places = source.with_choices(chosen)
            keys = {m.number: m.key for m in self.mutants if m.file == file and m.number is not None}
            self.places[file] = [(begin, end, {keys[n] for n in site.numbers}) for begin, end, site in places]
            copy = self.tree / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists() or copy.read_text() != text:
                copy.write_text(text)
        if number > MOST:
            raise SystemExit(f"{number} mutants are more than mutants.hpp has room for")

    def _drop(self, output):
        """Leaves out the changes that the compiler's errors name. Returns their number."""
        dropped = 0
        # An error names its place. If an intrinsic function needs a constant, the place is the nearest one that the
        # function is inlined from.
        place = r"([^\s:]+):(\d+):(\d+)"
        for message in re.finditer(rf"^{place}: (?:fatal )?error[^\n]*|^In function [^\n]*,\n(?:\s+inlined from [^\n]*\n)+", output, re.MULTILINE):
            for path, line, column in re.findall(rf"(?:^|inlined from .* at ){place}", message.group(0), re.MULTILINE):
                if keys := self._mutants_at(path, int(line), int(column) - 1):
                    dropped += len(keys - self.dropped.keys())
                    self.dropped.update((key, message.group(0)[-200:]) for key in keys)
                    break
        return dropped

    def _mutants_at(self, path, line, column):
        """The keys of the innermost choice at a place; if there is none, of all choices in that line."""
        path = os.path.relpath(os.path.join(self.build, path), self.tree)
        around = [p for p in self.places.get(path, []) if p[0] <= (line, column) < p[1]][:1] or \
                 [p for p in self.places.get(path, []) if p[0][0] <= line <= p[1][0]]
        return set().union(*(keys for _, _, keys in around))

    def _drop_what_is_no_code(self):
        """Checks the syntax of every source, and leaves out changes with errors, until none is left."""
        commands = json.loads((self.build / "compile_commands.json").read_text())
        order = lambda c: (str(self.tree / "src") not in c["file"], c["file"])
        wanted = [c for c in sorted(commands, key=order) if not re.search(r"/(headers|bench)/|core_without_exceptions|cost_program|test/fuzz/mutate", c["command"])]
        wanted = [c for c in wanted if os.path.exists(c["file"])]  # the build writes some sources itself
        if self.name == "kernels":
            library = {str(self.tree / file) for file in sites.files_of_library(ROOT)}
            wanted = [c for c in wanted if c["file"] in library]
        lock = threading.Lock()

        def check(command):
            words = re.sub(r"^\S*ccache ", "", command["command"])
            words = re.sub(r" -o \S+ -c ", " -fsyntax-only -fmax-errors=0 ", words)
            while True:
                version = self.version
                result = subprocess.run(["bash", "-c", words], cwd=command["directory"], capture_output=True, text=True)
                if result.returncode == 0:
                    return
                with lock:
                    dropped = self._drop(result.stderr)
                    if dropped:
                        self.version += 1
                        self._write_sources()
                        self.say(f"{dropped} changes do not compile in {pathlib.Path(command['file']).name}")
                    elif version == self.version:
                        raise SystemExit(f"{command['file']} does not compile:\n{result.stderr[-8000:]}")

        self.version = 0
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for _ in pool.map(check, wanted):
                pass

    def _targets(self):
        """All programs. (ctest does not list those that are not built yet.)"""
        rules = subprocess.run(["ninja", "-t", "targets", "all"], cwd=self.build, check=True, capture_output=True, text=True).stdout
        wanted = re.compile(TESTS.get(self.name, "(?!cost_program).*"))
        return [name for name, rule in re.findall(r"^(\S+): (\S+)$", rules, re.MULTILINE)
                if "EXECUTABLE_LINKER" in rule and wanted.fullmatch(name.rpartition("/")[2])]

    def _tests(self):
        shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.build, check=True, capture_output=True, text=True).stdout
        result = []
        for test in json.loads(shown)["tests"]:
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            if test["name"] not in TESTS_LEFT_OUT and re.fullmatch(TESTS.get(self.name, ".*"), test["name"]) and "exhaustive" not in properties.get("LABELS", []) and "command" in test:
                environment = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
                result.append(dict(name=test["name"], command=test["command"], cwd=properties.get("WORKING_DIRECTORY", str(self.build)), environment=environment))
        return result

    def _compile(self):
        while True:
            self.say(f"builds {sum(m.number is not None for m in self.mutants)} mutants")
            result = subprocess.run(["cmake", "--build", self.build, "--parallel", str(self.jobs), "--target", *self._targets(), "--", "-k", "0"],
                                    capture_output=True, text=True)
            if result.returncode == 0:
                return
            if not self._drop(result.stdout):
                raise SystemExit(f"{self.name}: does not build:\n{result.stdout[-8000:]}{result.stderr[-2000:]}")
            self._write_sources()

    def _find_checks(self):
        self.checks = []
        for test in self._tests():
            program, cases = test["command"], []
            if len(program) == 1:
                listing = run([*program, "--list_content"], test["cwd"], os.environ, 20)
                cases = cases_of(listing.output.decode(errors="replace")) if listing.how == "passed" else []
            names = [(f"{test['name']}/{case}", [*program, f"--run_test={case}"]) for case in cases] or [(test["name"], program)]
            self.checks += [Check(name, command, test["cwd"], test["environment"]) for name, command in names]

    def run_with(self, check, number):
        """Runs one check with the mutant of that number."""
        scratch = self.dir / "scratch" / str(threading.get_ident())
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        return check.run(scratch, 1 + 6 * check.seconds, UTFILTER_MUTANT=str(number))

    def _record(self):
        """Records how long each check takes, and which mutants it reaches. A check that fails without any change is
        left out."""
        scratch = self.dir / "scratch"
        kept = []

        def record(check):
            file = self.dir / f"reached-{threading.get_ident()}"
            file.write_bytes(bytes(MOST))
            place = scratch / str(threading.get_ident())
            place.mkdir(parents=True, exist_ok=True)
            outcome = check.run(place, 600, UTFILTER_REACHED=str(file))
            reached = file.read_bytes()
            file.unlink()
            check.reached = {n for n in range(MOST) if reached[n]}
            check.seconds = outcome.seconds
            return check, outcome

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for check, outcome in pool.map(record, self.checks):
                if outcome.how != "passed":
                    self.say(f"{check.name} is left out, it fails without a change: {outcome.how} ({outcome.status})")
                elif check.reached:
                    kept.append(check)
        self.checks = kept
        self.say(f"{len(kept)} tests and cases reach {len(set().union(*(c.reached for c in kept)))} mutants in {sum(c.seconds for c in kept):.0f} s")


class Constants(Part):
    """Values that must be constants. Each change has its own build, in one of several trees (one for each job) that are
    built before."""

    def make(self):
        state = self.dir / "state.json"
        self.dropped = json.loads(state.read_text())["dropped"] if state.exists() else {}
        self.trees = queue.SimpleQueue()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for tree in pool.map(self._make_tree, range(self.jobs)):
                self.trees.put(tree)
        self.stamp = ""

    def _make_tree(self, number):
        tree = self.dir / str(number)
        for file in sources_of_the_build():
            copy, source = tree / file, ROOT / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists() or copy.read_bytes() != source.read_bytes():
                shutil.copyfile(source, copy)  # with the present time, as for a changed file
        subprocess.run(["cmake", "-G", "Ninja", "-S", tree, "-B", tree / "build", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1 -w -Wno-narrowing",
                        f"-DCMAKE_CXX_COMPILER={self.compiler}", "-DUTFILTER_BUILD_TESTS=ON", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DUTFILTER_BRIEF_TEST_OPTIONS=-O0"], check=True, stdout=subprocess.DEVNULL)
        for tests in TESTS_OF_CONSTANTS.values():
            if (result := self._try(tree, tests)) != ("survived", ""):
                raise SystemExit(f"{tree}: {result} without a change")
        return tree

    def _try(self, tree, tests):
        """Returns (outcome, test that noticed the change)."""
        scratch = tree / "scratch"
        scratch.mkdir(exist_ok=True)
        for test in tests:
            build = subprocess.run(["cmake", "--build", tree / "build", "--parallel", "1", "--target", test], capture_output=True)
            if build.returncode != 0:
                return "dropped", ""
            outcome = run([str(tree / "build" / "test" / test)], tree, dict(os.environ, TMPDIR=str(scratch)), 120)
            if outcome.how != "passed":
                return "killed", f"{test} {outcome.how}"
        return "survived", ""

    def judge(self, mutant):
        """Tries one change. Returns the same as _try."""
        tests = next(t for pattern, t in TESTS_OF_CONSTANTS.items() if fnmatch.fnmatch(mutant.file, pattern))
        tree, source = self.trees.get(), self.sources[mutant.file]
        try:
            text, site = source.text, mutant.site
            (tree / mutant.file).write_text(source.with_change(site, mutant.replacement))
            return self._try(tree, tests)
        finally:
            (tree / mutant.file).write_text(text)
            self.trees.put(tree)

    def run(self, due, results):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for done, (mutant, (outcome, by)) in enumerate(zip(due, pool.map(self.judge, due)), 1):
                if outcome == "dropped":
                    self.dropped[mutant.key] = "does not compile"
                    (self.dir / "state.json").write_text(json.dumps({"dropped": self.dropped}))
                else:
                    results.add(mutant.key, dict(outcome=outcome, by=by, seconds=0, passed=[], build=self.stamp))
                if outcome == "survived":
                    print(f"{outcome}: {mutant.file}:{mutant.line}: {mutant.name}: {mutant.text}", flush=True)
                if done % 20 == 0:
                    self.say(f"{done} of {len(due)}")


def cases_of(listing):
    """The test cases that run by default, from the output of --list_content."""
    path, cases = [], []
    lines = [line for line in listing.splitlines() if line.strip()]
    for line, following in zip(lines, lines[1:] + [""]):
        match = re.match(r"( *)([^*:]+(?:::[^*:]+)*)(\*?)", line)
        if not match:
            return []
        depth = len(match.group(1)) // 4
        path[depth:] = [match.group(2).strip()]
        is_suite = len(following) - len(following.lstrip()) > len(match.group(1))
        if not is_suite and match.group(3):
            cases.append("/".join(path))
    return cases


# -------------------------------------------------------------------------------------------------------------- the run

class Runner:
    """Runs tests on mutants; the tests most likely to notice a mutant run first."""

    def __init__(self, part, results, jobs):
        self.part, self.results, self.jobs = part, results, jobs
        self.kills = collections.defaultdict(lambda: collections.Counter())
        self.tries = collections.defaultdict(lambda: collections.Counter())
        self.last = {}
        self.lock = threading.Lock()

    def order(self, mutant, checks):
        kills, tries = self.kills[mutant.file], self.tries[mutant.file]

        def worth(check):  # the chance to notice the mutant, per second; a check that reaches little is specific
            chance = (kills[check.name] + 0.3 + 20 / (20 + len(check.reached))) / (tries[check.name] + 1)
            return chance / (check.seconds + 0.03)
        ordered = sorted(checks, key=worth, reverse=True)
        last = self.last.get(mutant.file)
        return [c for c in ordered if c.name == last] + [c for c in ordered if c.name != last]

    def judge(self, mutant, patience, passed_before=frozenset()):
        """Returns (outcome, check that noticed the mutant, checks that passed)."""
        reaching = [c for c in self.part.checks if mutant.number in c.reached]
        if not reaching:
            return "unreached", "", []
        passed, spent = list(passed_before), 0.0
        with self.lock:
            ordered = [c for c in self.order(mutant, reaching) if c.name not in passed_before]
        for check in ordered:
            if spent + check.seconds > patience:
                continue
            outcome = self.part.run_with(check, mutant.number)
            spent += outcome.seconds
            with self.lock:
                self.tries[mutant.file][check.name] += 1
                if outcome.how != "passed":
                    self.kills[mutant.file][check.name] += 1
                    self.last[mutant.file] = check.name
                    return "killed", f"{check.name} {outcome.how}", passed
            passed.append(check.name)
        return ("survived" if len(passed) == len(reaching) else "lives"), "", passed

    def run(self, mutants, patience):
        started, done = time.monotonic(), 0
        counts = collections.Counter()

        def work(mutant):
            before = time.monotonic()
            known = self.results.get(mutant.key)
            passed = known["passed"] if known and known["outcome"] == "lives" and known.get("build") == self.part.stamp else []
            return mutant, *self.judge(mutant, patience, frozenset(passed)), time.monotonic() - before

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for mutant, outcome, by, passed, seconds in pool.map(work, mutants):
                done += 1
                counts[outcome] += 1
                self.results.add(mutant.key, dict(outcome=outcome, by=by, seconds=round(seconds, 2), passed=passed if outcome == "lives" else [], build=self.part.stamp))
                if outcome != "killed":
                    print(f"{outcome}: {mutant.file}:{mutant.line}: {mutant.name}: {mutant.text}", flush=True)
                if done % 100 == 0:
                    print(f"-- {done} of {len(mutants)} in {time.monotonic() - started:.0f} s: {dict(counts)}", flush=True)


def look_at_tests(part, results, jobs):
    """For each check, looks for a change that the check notices: a check that notices none cannot fail. Returns the
    number of checks, and the number of checks that notice none."""
    by = collections.defaultdict(list)
    for m in part.mutants:
        if m.number is not None and results.killed(m.key):
            by[results.get(m.key)["by"].rpartition(" ")[0]].append(m.number)
    killed = set().union(*by.values())

    def notices(check):
        known = by[check.name][:3]
        others = sorted(check.reached & killed - set(known))
        for number in known + random.Random(check.name).sample(others, min(60, len(others))):
            if part.run_with(check, number).how != "passed":
                return True
        print(f"notices no change: {check.name}, which reaches {len(check.reached & killed)} changes that other tests notice", flush=True)
        return False

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        noticing = list(pool.map(notices, part.checks))
    return len(noticing), noticing.count(False)


class Results:
    """The outcome of each mutant, in a file with one line of JSON for each run. The last line of a mutant counts."""

    def __init__(self, path):
        self.path, self.of = path, {}
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:  # an incomplete line
                    continue
                self.of[entry.pop("mutant")] = entry
        path.parent.mkdir(parents=True, exist_ok=True)

    def get(self, key):
        return self.of.get(key)

    def killed(self, key):
        return self.of.get(key, {}).get("outcome") == "killed"

    def add(self, key, entry):
        self.of[key] = entry
        with self.path.open("a") as out:
            out.write(json.dumps({"mutant": key, **entry}) + "\n")


# ---------------------------------------------------------------------------------------------------------- the summary

def summarize(parts, results, reasons, wanted):
    rows, survivors = {}, []
    for part in parts:
        for m in part.mutants:
            if not wanted(m):
                continue
            row = rows.setdefault(m.file, collections.Counter())
            if m.key in part.dropped:
                row["left out"] += 1
                continue
            row["mutants"] += 1
            known = results.get(m.key)
            reason = reasons.get(m.key)
            outcome = "killed" if results.killed(m.key) else reason[0] if reason else known["outcome"] if known else "not run"
            row[outcome] += 1
            if outcome in ("survived", "unreached", "lives"):
                survivors.append((m, outcome))
    columns = ["mutants", "killed", "same", "slower", "undefined", "survived", "unreached", "lives", "not run", "left out"]
    total = sum(rows.values(), collections.Counter())
    print(f"{'file':42}" + "".join(f"{c:>10}" for c in columns) + "   killed")
    for file, row in [*rows.items(), ("all", total)]:
        run_so_far = row["mutants"] - row["not run"]
        score = f"{100 * row['killed'] / run_so_far:6.1f} %" if run_so_far else ""
        print(f"{file:42}" + "".join(f"{row[c] or '':>10}" for c in columns) + f" {score:>8}")
    return total, survivors


def main():
    parser = argparse.ArgumentParser(prog="test/mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, help="a file to append the results to; an interrupted run continues from it")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "mutation", help="directory for copies of the sources and for builds")
    parser.add_argument("--files", nargs="+", default=["*"], metavar="PATTERN", help="only matching files, for example src/*.cpp")
    parser.add_argument("--parts", nargs="+", default=PARTS, choices=PARTS, help="only these parts")
    parser.add_argument("--sample", type=int, help="only this many mutants, the same in each run")
    parser.add_argument("--patience", type=float, help="seconds of tests for a mutant; a later call with more seconds continues with the mutants that lived (default: 4, then no limit)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true", help="run survivors again, after tests were added")
    parser.add_argument("--equivalent", action="store_true", help="also run the mutants of equivalent.txt: tests may notice only those with the word undefined")
    parser.add_argument("--tests", action="store_true", help="for each test, look for a change that it notices, among the changes that some test has noticed")
    parser.add_argument("--list", action="store_true", help="print the mutants, and run nothing")
    parser.add_argument("--summary", action="store_true", help="print a summary of the results, and run nothing")
    parser.add_argument("--check", action="store_true", help="only list the entries of equivalent.txt that fit no mutant")
    parser.add_argument("--prune", action="store_true", help="remove the entries that fit no mutant from equivalent.txt, and run nothing")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    arguments = parser.parse_args()

    entries = read_equivalents(HERE / "equivalent.txt")
    work = arguments.work.resolve()
    parts = [(Constants if name == "constants" else Part)(name, work, arguments.compiler, arguments.jobs) for name in arguments.parts]
    explained = explain([m for p in parts for m in p.mutants], entries)
    reasons = {key: entries[entry] for key, entry in explained.items()}
    used = set(explained.values())
    unused = [e for e in entries if arguments.parts == PARTS and e not in used]
    for function, part, change in unused:
        print(f"equivalent.txt: fits no mutant, or only mutants explained before: {function}: {part}: {change}")
    if arguments.prune:
        prune(HERE / "equivalent.txt", set(unused))
        return 0
    if arguments.check:
        print(f"{len(entries)} cases, {len(unused)} failed")
        return 1 if unused else 0

    chosen = {m.key for p in parts for m in p.mutants if any(fnmatch.fnmatch(m.file, pattern) for pattern in arguments.files)}
    if arguments.list:
        for m in (m for p in parts for m in p.mutants if m.key in chosen):
            print(f"{m.file}:{m.line}: {m.site.flavour}: {m.name}: {m.text}")
        return 0
    if arguments.sample:
        chosen = set(random.Random(1).sample(sorted(k for k in chosen), min(arguments.sample, len(chosen))))
    parts = [p for p in parts if any(m.key in chosen for m in p.mutants)]

    results, all_blind = Results(arguments.results or work / "results.jsonl"), 0
    for part in parts:
        if arguments.summary:
            state = part.dir / "state.json"
            if state.exists():
                part.dropped = json.loads(state.read_text())["dropped"]
            continue
        part.make()

        if arguments.tests:
            if not isinstance(part, Constants):
                tests, blind = look_at_tests(part, results, arguments.jobs)
                part.say(f"{tests} cases, {blind} failed: tests that notice a change")
                all_blind += blind
            continue

        def is_due(m):
            known = results.get(m.key)
            reason = reasons.get(m.key)
            is_explained = reason and reason[0] != "undefined"  # a test may notice undefined changes
            if m.key in part.dropped or m.key not in chosen or is_explained and not arguments.equivalent:
                return False
            return known is None or known["outcome"] == "lives" or arguments.again and known["outcome"] != "killed"
        if isinstance(part, Constants):
            due = [m for m in part.mutants if is_due(m)]
            part.say(f"{len(due)} mutants to run")
            part.run(due, results)
            continue
        runner = Runner(part, results, arguments.jobs)
        for patience in [arguments.patience] if arguments.patience else [4, math.inf]:
            due = sorted((m for m in part.mutants if is_due(m)), key=lambda m: bool(results.get(m.key)))  # those that lived before come last
            part.say(f"{len(due)} mutants to run, {patience} s each")
            runner.run(due, patience)

    if arguments.tests:
        return 1 if all_blind else 0
    total, survivors = summarize(parts, results, reasons, lambda m: m.key in chosen)
    wrong = [m for p in parts for m in p.mutants if reasons.get(m.key, ["undefined"])[0] != "undefined"
             and results.killed(m.key)]
    for m in wrong:
        print(f"equivalent.txt: a test notices this: {m.file}: {m.text}: {m.name}: {results.get(m.key)['by']}")
    for m, outcome in survivors:
        print(f"{outcome}: {m.file}:{m.line}: {m.name}: {m.text}")
    done = total["mutants"] - total["not run"]
    print(f"{done} cases, {len(survivors)} failed: {total['killed']} of {done} changes were noticed "
          f"({100 * total['killed'] / max(done, 1):.1f} %), {total['same'] + total['slower'] + total['undefined']} could not be")
    return 1 if survivors or wrong or unused else 0


if __name__ == "__main__":
    sys.exit(main())
