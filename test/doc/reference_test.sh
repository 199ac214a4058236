#!/usr/bin/env bash
# reference_test.sh DOXYGEN PYTHON SOURCE BUILD: checks that Doxygen makes the reference in a fresh checkout without a
# warning, and that the reference is complete.
set -euo pipefail
doxygen=$1 python=$2 source=$3 build=$4

rm -rf -- "$build"
mkdir -p -- "$build"
cp -r -- "$source/include" "$source/doc" "$build"
cd "$build"
"$doxygen" doc/Doxyfile > log 2>&1 || { cat log; exit 1; }
[[ ! -s log ]] || { cat log; exit 1; }
[[ -f build/reference/index.html ]] || { echo "There is no index.html"; exit 1; }
"$python" "$source/test/doc/reference.py" check build/reference-xml build/reference
