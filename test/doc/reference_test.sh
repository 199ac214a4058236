#!/usr/bin/env bash
# reference_test.sh DOXYGEN PYTHON SOURCE BUILD: checks that Doxygen makes the site of the pages and the reference
# without a warning, that the reference is complete, and that each link of the site leads to something.
set -euo pipefail
doxygen=$1 python=$2 source=$3 build=$4

rm -rf -- "$build"
mkdir -p -- "$build"
cd "$source"
(cat doc/Doxyfile && echo "OUTPUT_DIRECTORY = \"$build\"") > "$build/Doxyfile"
"$doxygen" "$build/Doxyfile" > "$build/log" 2>&1 || { cat "$build/log"; exit 1; }
[[ ! -s $build/log ]] || { cat "$build/log"; exit 1; }
[[ -f $build/reference/index.html ]] || { echo "There is no index.html"; exit 1; }
"$python" test/doc/reference.py check "$build/reference-xml" "$build/reference"
"$python" test/doc/links.py site "$build/reference"
