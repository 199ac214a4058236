#!/usr/bin/env bash
# library_keeps_no_state.sh LIBRARY: between calls the library keeps which kernels are chosen and a category of errors, and nothing else.
set -euo pipefail
kept='utfilter::(utf_category[(][)]::category|detail::(chosen_kernels|usable_kernels[(][)]::all))'
variables=$(nm -C -f sysv "$1" | awk -F '|' '$7 ~ /^[.]t?(data|bss)/ && $7 !~ /rel[.]ro|DW[.]ref/ { print $1 }')
grep -qE "^$kept *$" <<< "$variables" || { echo "$1 has not even these: $kept" >&2; exit 1; }
! grep -vE "^(guard variable for )?$kept *$" <<< "$variables"
