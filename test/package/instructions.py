#!/usr/bin/env python3
"""instructions.py OBJECT...: checks the objects of the core, compiled for x86-64: an instruction that not every x86-64
processor has stands only in the file of an instruction set, and there only in functions that no other file can use.

Otherwise the linker may take a function that was compiled for AVX2, such as an inline function of a header, for the
whole program, which then ends on an older processor.
"""
import re
import subprocess
import sys

FILES = ("sse41.cpp", "avx2.cpp", "avx512.cpp")  # the files of instruction sets

# The instructions of AVX and later begin with v. Those before AVX and after SSE2, as far as compilers emit them (pextrw
# to a register is one of SSE2):
NEWER = re.compile(r"""
    v(?!err|erw|mcall)
  | pshufb | palignr | pabs | psign | phadd | phsub | pmulhrsw | pmaddubsw | addsub | haddp | hsubp | lddqu | movddup
  | movs[hl]dup | pext(?!rw) | pinsr[bdq] | ptest | p?blend | pm(in|ax)(s[bd]|u[wd]) | pmov[sz]x | pmul(ld|dq) | packusdw
  | pcmp(eqq|gtq|[ei]str) | round[ps] | dpp[sd] | insertps | extractps | mpsadbw | phminpos | movntdqa | crc32 | popcnt
  | lzcnt | andn\b | bextr | bls | bzhi | mulx | pdep | rorx | sarx | sh[lr]x | movbe""", re.VERBOSE)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def local_functions(file):
    """The functions that only this file can use."""
    return set(re.findall(r"^[0-9a-f]+ l +F \S+\s+[0-9a-f]+ (?:\.hidden )?(\S+)$", run("objdump", "-t", file), re.M))


def complaints(file):
    of_instruction_set = re.sub(r"\.(o|obj)$", "", file.replace("\\", "/").rsplit("/", 1)[-1]) in FILES
    exempt = local_functions(file) if of_instruction_set else ()
    function, newer = None, {}
    for line in run("objdump", "-d", "--no-show-raw-insn", file).splitlines():
        if start := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = start[1]
        elif instruction := re.match(r" *[0-9a-f]+:\t(?:(?:rep|repz|repnz|lock|data16|cs|notrack) )*(\S+)", line):
            if function not in exempt and NEWER.match(instruction[1]):
                newer.setdefault(function, instruction[1])
    return [f"{file}: {name} has the instruction {instruction}, and other files can use this function"
            for name, instruction in newer.items()]


def main(files):
    found = [line for file in files for line in complaints(file)]
    print("\n".join(found))
    with_set = sum(file.rsplit("/", 1)[-1].startswith(FILES) for file in files)
    if with_set != len(FILES):
        found.append("")
        print(f"{with_set} objects are of instruction sets, not {len(FILES)}: {' '.join(files)}")
    print(f"{len(files)} objects, {len(found)} complaints")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
