#!/usr/bin/env python3
"""mca.py CXX LLVM_MCA [--check FILE | --record FILE BUILD]: prints the bytes a cycle of each inner loop of the kernels
on several processors, as llvm-mca computes them. It needs none of these processors. llvm-mca assumes that everything
is in the cache and that each branch is predicted; so the figures compare versions of a loop, not machines.

--check compares with the figures in FILE, and fails if a loop has become slower by more than 3 %. --record writes FILE;
BUILD names the compiler and llvm-mca. The figures are the same in each run, if these are the same.

How a loop is found: the compiler's assembly says for each instruction which line of the source it comes from (-g1,
which changes no instruction). The loop is the shortest way around, in one function, through all of some places.
"""
import heapq
import os
import re
import subprocess
import sys
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KERNELS = os.path.join(ROOT, "src", "kernels")
COMPILE = ["-std=c++17", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-g1", "-S",
           f"-I{ROOT}/src", f"-I{ROOT}/include"]
TOLERANCE = 0.03

# A loop has a name, the bytes of input that one way around takes, a function (a pattern of its name), and the places
# that the way passes. A place is the beginning of a line of the source, or "%" and an instruction. The way passes no
# place in `avoid`. It passes a call only if `into` is the function called; then the instructions of that function take
# the place of the call. `steps` is false if no instruction adds these bytes to a register, because they may differ.
Loop = namedtuple("Loop", "name bytes function through avoid into steps", defaults=((), None, True))
VALIDATE, COPY, FROM16 = "::check_blocks<false>", "::check_blocks<true>", "to_utf8(_from)?<.*utf16_source<false>"
TO16 = "::to_utf16::convert\\("
TABLE = "to_utf8_from<.*table_source|::bytes_to_utf8"
LAST_LINE = "::utf8_last_line>::call"
EACH, TWO_BYTES = "texts += ", "%vpminub"  # only the short check has a minimum
MARKED, MARKED_CHECK = "texts_at = texts_at >> 1 | ", "for (; texts_at != 0; "
EDGE = ["const std::size_t known = std::min((end - at) / unit, units);",
        "const bool full = part.bytes > room - produced;"]

AVX2 = [
    *[Loop(name + what, size, function, through, avoid, steps=what in ("text", "two bytes", "marked: look"))
      for name, function in (("validate ", VALIDATE), ("copy ", COPY))
      for what, size, through, avoid in (("ASCII", 128, ["for (; end - at >= static_cast", "if ((x.any() | y.any())"], ()),
                                         ("two bytes", 64, [TWO_BYTES], ()), ("text", 64, [EACH], [TWO_BYTES]),
                                         ("marked: look", 64, [MARKED], ()), ("marked: check", 64, [MARKED_CHECK], ()))],
    Loop("UTF-16 to 8, ASCII", 128, FROM16, ["if (((a | b | c | d) & all_units<0xFF80>()).any()) break;"]),
    Loop("UTF-16 to 8, twos", 64, FROM16, ["produced += first_bytes + put_twos("]),
    Loop("UTF-16 to 8, general", 64, FROM16, ["produced += first_bytes + put_up_to_three("]),
    Loop("UTF-16 to 8, pairs", 32, FROM16, ["if (part.units == 0) break;"], into="::put_any\\(", steps=False),
    Loop("bytes to 8, twos", 32, TABLE, ["%vpblendvb", "produced += first_bytes + put_twos("]),
    Loop("UTF-8 to 16, ASCII", 64, TO16, ["for (; from != end; from += block, to += "]),
    Loop("UTF-8 to 16, general", 32, TO16, ["made.bytes += put_units_of<false>("]),
    Loop("UTF-8 to 16, fours", 32, TO16, ["made.pairs += "]),
    Loop("last line", 32, LAST_LINE, ["last.bytes += n;"], steps=False),
]
AVX512 = [
    *[Loop(name + what, size, function, through, steps=through != [MARKED_CHECK])
      for name, function in (("validate ", VALIDATE), ("copy ", COPY))
      for what, size, through in (("ASCII", 256, ["if (_mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512("]),
                                  ("text", 64, [EACH]),
                                  ("marked: look", 64, [MARKED]), ("marked: check", 64, [MARKED_CHECK]))],
    Loop("UTF-16 to 8, ASCII", 128, FROM16, ["at += step * unit;"], steps=False),
    Loop("UTF-16 to 8, twos", 128, "::put_twos<.*utf16_source<false>", ["if (part.bytes == block) break;"]),
    Loop("UTF-16 to 8, general", 64, FROM16, ["if (three != 0xFFFFFFFF)", "%vpcompressb"], EDGE),
    Loop("UTF-16 to 8, threes", 64, FROM16, ["if (three != 0xFFFFFFFF)", "%vpermb"], EDGE),
    Loop("UTF-16 to 8, pairs", 64, FROM16, ["return {std::size_t{32} - (left >> 31)"], EDGE),
    Loop("bytes to 8, twos", 32, TABLE, ["%vpermi2b"], EDGE),
    Loop("UTF-8 to 16, ASCII", 64, TO16, ["lines_ += count(line_feeds(x) & below(step));"], steps=False),
    Loop("UTF-8 to 16, general", 64, TO16, ["sparse_ = "]),
    Loop("UTF-8 to 16, fours", 64, TO16, ["sparse_ = ", "%vpermb", "%vpaddb"]),
    Loop("last line", 128, LAST_LINE, ["bytes += last_bytes + bytes_before;"], steps=False),
]
SOURCES = {"avx2": (AVX2, ["haswell", "icelake-server", "sapphirerapids", "znver3", "znver4"]),
           "avx512": (AVX512, ["icelake-server", "sapphirerapids", "znver4"])}

Instruction = namedtuple("Instruction", "text file line")


class Block:
    """Instructions that follow each other without a jump, and the blocks that may follow."""

    def __init__(self):
        self.labels, self.instructions, self.next = [], [], []

    def call(self):
        """The function that the block calls, or None."""
        return next((i.text.split()[1] for i in self.instructions if i.text.startswith("call")), None)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:2])} failed:\n{done.stderr[:2000]}")
    return done.stdout


def functions(assembly):
    """{name: blocks} of each function."""
    files, found, place = {}, {}, (None, None)
    blocks = None
    for line in assembly.splitlines():
        words = line.split(None, 3)
        if not words:
            continue
        if words[0] == ".file" and len(words) > 2:
            files[words[1]] = os.path.basename(line.split('"')[-2])
        elif words[0].startswith("_Z") and words[0].endswith(":"):
            blocks = found[words[0][:-1]] = [Block()]
        elif blocks is None:
            continue
        elif words[0] == ".size":
            blocks = None
        elif words[0] == ".loc":
            place = files[words[1]], int(words[2])
        elif re.match(r"\.L\d+:", words[0]):
            if blocks[-1].instructions:
                blocks.append(Block())
            blocks[-1].labels.append(words[0][:-1])
        elif words[0][0].isalpha() and line[0] == "\t":
            blocks[-1].instructions.append(Instruction(" ".join(line.split("#")[0].split()), *place))
            if re.match("j|ret|call", words[0]):
                blocks.append(Block())
    for each in found.values():
        link(each)
    return found


def link(blocks):
    where = {label: number for number, block in enumerate(blocks) for label in block.labels}
    for number, block in enumerate(blocks):
        last = block.instructions[-1].text.split() if block.instructions else ["nop"]
        if last[0].startswith("j") and last[1] in where:
            block.next.append(where[last[1]])
        if last[0] not in ("jmp", "ret") and number + 1 < len(blocks):
            block.next.append(number + 1)


def shortest_round(blocks, banned, through):
    """The fewest instructions that lead around through a block of each of these sets; None if there is no such way."""
    best = None
    for start in sorted(through[0] - banned):
        # Dijkstra's algorithm; a state is a block and which of the sets the way has passed.
        done, waiting = set(), [(0, start, frozenset(), ())]
        while waiting:
            length, at, passed, way = heapq.heappop(waiting)
            if best and length >= best[0]:
                break
            if way and at == start and len(passed) == len(through):
                best = length, way
                break
            if (at, passed) in done:
                continue
            done.add((at, passed))
            passed |= {number for number, places in enumerate(through) if at in places}
            for after in blocks[at].next:
                if after not in banned:
                    heapq.heappush(waiting, (length + len(blocks[at].instructions), after, passed, way + (at,)))
    return best and [instruction for number in best[1] for instruction in blocks[number].instructions]


def body(function, calls_allowed=""):
    """The shortest way through a function from its start to its end, without the return."""
    for block in function:
        if block.instructions and block.instructions[-1].text == "ret":
            block.next = [0]
    banned = {number for number, block in enumerate(function) if block.call()}
    return shortest_round(function, banned, [{0}])[:-1]


def steps(instructions):
    """What the instructions add to registers: a pointer or a counter steps by the bytes of the loop."""
    sums = {}
    for instruction in instructions:
        if match := re.match(r"(add|sub)q \$(-?\d+), (%\w+)$|lea()q (-?\d+)\((%\w+)\), \6$", instruction.text):
            register, number = match[3] or match[6], int(match[2] or match[5])
            sums[register] = sums.get(register, 0) + (-number if match[1] == "sub" else number)
    return sorted({abs(number) for number in sums.values()})


class Kernels:
    """The compiled kernels of one source file."""

    def __init__(self, cxx, name):
        self.source = {}  # {file: its lines}
        for file in os.listdir(KERNELS):
            with open(os.path.join(KERNELS, file), encoding="utf-8") as text:
                self.source[file] = [line.strip() for line in text]
        self.functions = functions(run(cxx, *COMPILE, os.path.join(KERNELS, name + ".cpp"), "-o", "-"))
        names = list(self.functions)
        self.plain = dict(zip(names, run("c++filt", input="\n".join(names)).splitlines()))

    def named(self, pattern):
        found = [name for name in self.functions if re.search(pattern, self.plain[name])]
        with_body = [name for name in found if len(self.functions[name]) > 3]  # not one that only calls the other
        if len(with_body) != 1:
            sys.exit(f"mca.py: one function must match {pattern}: {[self.plain[name] for name in found]}")
        return with_body[0]

    def at(self, blocks, place):
        """The blocks at a place."""
        if place.startswith("%"):
            return {n for n, block in enumerate(blocks)
                    if any(i.text.split()[0] == place[1:] for i in block.instructions)}
        lines = {(file, n + 1) for file, text in self.source.items()
                 for n, line in enumerate(text) if line.startswith(place)}
        return {n for n, block in enumerate(blocks) if any((i.file, i.line) in lines for i in block.instructions)}

    def find(self, loop):
        """The instructions of the loop."""
        blocks = self.functions[self.named(loop.function)]
        into = loop.into and self.named(loop.into)
        banned = {n for n, block in enumerate(blocks) if block.call() not in (None, into)}
        banned = banned.union(*(self.at(blocks, place) for place in loop.avoid))
        way = shortest_round(blocks, banned, [self.at(blocks, place) for place in loop.through])
        if way is None:
            sys.exit(f"mca.py: the loop {loop.name} was not found: no way around passes all of {loop.through}. "
                     "The tables must follow the code")
        found = []
        for instruction in way:
            found += body(self.functions[into]) if instruction.text.startswith("call") else [instruction]
        if loop.steps and loop.bytes not in steps(found):
            sys.exit(f"mca.py: the loop {loop.name} takes no step of {loop.bytes} bytes, but of {steps(found)}. "
                     "The tables must follow the code")
        return found


def measure(cxx, llvm_mca):
    """{(kernels, loop): {processor: bytes a cycle}}"""
    figures = {}
    for kernels, (loops, processors) in SOURCES.items():
        compiled = Kernels(cxx, kernels)
        text = ""
        for loop in loops:
            instructions = "\n".join(instruction.text for instruction in compiled.find(loop))
            text += f"# LLVM-MCA-BEGIN {loop.name}\n{instructions}\n# LLVM-MCA-END\n"
        for processor in processors:
            said = run(llvm_mca, f"-mcpu={processor}", "-iterations=200", "-", input=text)
            regions = re.findall(r"Code Region - (.*)\n+Iterations: +(\d+)\n.*\nTotal Cycles: +(\d+)", said)
            assert len(regions) == len(loops), said
            for loop, (name, iterations, cycles) in zip(loops, regions):
                assert name == loop.name
                figures.setdefault((kernels, name), {})[processor] = loop.bytes * int(iterations) / int(cycles)
    return figures


def table(figures):
    """The figures as lines: a head, then one for each loop."""
    processors = SOURCES["avx2"][1]
    lines = [f"{'# loop':<30}" + "".join(f"  {processor:>14}" for processor in processors)]
    for (kernels, name), found in figures.items():
        row = [f"{found[processor]:.2f}" if processor in found else "-" for processor in processors]
        lines.append(f"{kernels + ': ' + name:<30}" + "".join(f"  {figure:>14}" for figure in row))
    return lines


def read(lines):
    """{(loop, processor): figure} of a table."""
    processors, found = [], {}
    for line in lines:
        cells = re.split("  +", line.strip())
        if line.startswith("# loop"):
            processors = cells[1:]
        elif not line.startswith("#"):
            assert len(cells) == 1 + len(processors), line
            found.update({(cells[0], processor): float(figure)
                          for processor, figure in zip(processors, cells[1:]) if figure != "-"})
    return found


def compare(recorded, measured):
    """(what is wrong, what deserves a new record)"""
    wrong, better = [], []
    for key in [*recorded, *(key for key in measured if key not in recorded)]:
        old, new = recorded.get(key), measured.get(key)
        line = f"{key[0]:<30} {key[1]:<14} recorded {old or '-':>7}, now {new or '-':>7}"
        if old is None or new is None or new < old * (1 - TOLERANCE):
            wrong.append(line)
        elif new > old * 1.1:
            better.append(line)
    return wrong, better


HEAD = """\
# loops.txt: the bytes of input a cycle of the kernels' inner loops, as llvm-mca computes them for five processors from
# the compiler's assembly (mca.py). The figures are comparable with each other, not with a clock: everything is in the
# cache, and every branch is predicted. A loop that becomes slower by more than 3 % fails mca_test. A commit that needs
# slower loops records them again, and gives the reason:
#   test/mca/run --record
#
# Recorded with {}
#
"""


def main(cxx, llvm_mca, action="", file="", build=""):
    lines = table(measure(cxx, llvm_mca))
    if action == "--record":
        with open(file, "w", encoding="utf-8") as record:
            record.write(HEAD.format(build) + "\n".join(lines) + "\n")
        print(f"recorded: {file}")
    elif action == "--check":
        with open(file, encoding="utf-8") as record:
            wrong, better = compare(read(record), read(lines))
        if better:
            print("These are faster than recorded by more than a tenth:", *better, sep="\n")
        if wrong:
            print(f"These are slower than {file} says, or are in only one of the two:", *wrong,
                  "If that is necessary, run test/mca/run --record, and give the reason in the commit.", sep="\n")
            sys.exit(1)
        print(f"{len(lines) - 1} loops are no slower than recorded")
    else:
        print(*lines, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
