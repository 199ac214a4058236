#!/usr/bin/env bash
# reference_test.sh DOXYGEN PYTHON SOURCE BUILD: Doxygen makes the reference without a warning, and it has what it must have.
set -euo pipefail
doxygen=$1 python=$2 source=$3 build=$4

rm -rf -- "$build"
mkdir -p -- "$build"
cd "$source"
{ cat doc/Doxyfile && echo "OUTPUT_DIRECTORY = $build"; } | "$doxygen" - > "$build/log" 2>&1 || { cat "$build/log"; exit 1; }
[[ ! -s $build/log ]] || { cat "$build/log"; exit 1; }
[[ -f $build/html/index.html ]] || { echo "There is no index.html"; exit 1; }
"$python" test/doc/reference.py check "$build/xml"
