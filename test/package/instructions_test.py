#!/usr/bin/env python3
"""instructions_test.py CXX: instructions.py finds a newer instruction wherever another file could use it."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import instructions

REGION = '__attribute__((target("%s"))) '
# The name of a file, its text, and the number of complaints.
FILES = [
    ("plain.cpp", "int sum(const int* a) { return a[0] + a[1]; }", 0),
    ("plain.cpp", REGION % "popcnt" + "static int f(unsigned a) { return __builtin_popcount(a); }\n"
     "int (*g)(unsigned) = f;", 1),
    ("avx2.cpp", REGION % "avx2" + "static void f(float* a) { for (int i = 0; i < 8; ++i) a[i] += 1; }\n"
     "void (*g)(float*) = f;", 0),
    ("avx2.cpp", REGION % "avx2" + "inline void f(float* a) { for (int i = 0; i < 8; ++i) a[i] += 1; }\n"
     "void (*g)(float*) = f;", 1),
    ("sse41.cpp", REGION % "ssse3" + "void f(int* a) { for (int i = 0; i < 8; ++i) a[i] = a[i] < 0 ? -a[i] : a[i]; }", 1),
]


def main(cxx):
    failed = 0
    for name, text, expected in FILES:
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, name), os.path.join(folder, name + ".o")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            subprocess.run([cxx, "-std=c++17", "-O3", "-c", source, "-o", target], check=True)
            found = instructions.complaints(target)
            if len(found) != expected:
                failed += 1
                print(f"{expected} complaints expected of {name}: {text}\n" + "\n".join(found))
    print(f"{len(FILES)} cases, {failed} failed")
    return failed != 0


sys.exit(main(sys.argv[1]))
