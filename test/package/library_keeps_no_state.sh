#!/usr/bin/env bash
# library_keeps_no_state.sh LIBRARY...: checks that the libraries have no global variables except the choice of the
# kernels and of their distances, and the error category.
set -euo pipefail
kept='utfilter::(utf_category[(][)]::category|detail::(chosen_(kernels|distances)|usable_kernels[(][)]::all))'
variables=$(nm -C -f sysv "$@" | awk -F '|' '$7 ~ /^[.]t?(data|bss)/ && $7 !~ /rel[.]ro|DW[.]ref/ { print $1 }')
grep -qE "^$kept *$" <<< "$variables" || { echo "$1 lacks the expected variables: $kept" >&2; exit 1; }
! grep -vE "^(guard variable for )?$kept *$" <<< "$variables"
