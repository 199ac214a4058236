#!/usr/bin/env bash
# oracles_know_no_library.sh CXX: checks that the oracles know only the specifications: they include no file of include/
# or src/, by whatever name.
set -euo pipefail
cd "$(dirname "$0")/.."
for oracle in support/{oracles.cpp,cjk_reference.hpp,conformance_reference.hpp,escape_controls_reference.hpp,hostile_strings.hpp,inspection_reference.hpp,lines_apart_reference.hpp,printable_reference.hpp,texts.hpp} fuzz/foreign_converters.hpp; do
  included=$("$1" -std=c++17 -x c++ -I . -I ../src -I ../include -MM "$oracle")
  ! grep -E '[.][.]/(include|src)/' <<< "$included" || { echo "$oracle includes the library" >&2; exit 1; }
done
