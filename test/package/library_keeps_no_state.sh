#!/usr/bin/env bash
# library_keeps_no_state.sh LIBRARY...: checks that the libraries have no global variables except the choice of the
# kernels and of their distances, the error category, the lists of encodings, and the numbers of threads, which tell who is
# inside a stream.
set -euo pipefail
kept=('utfilter::utf_category[(][)]::category' 'utfilter::detail::chosen_kernels' 'utfilter::detail::chosen_distances'
  'utfilter::[(]anonymous namespace[)]::newest' 'utfilter::detail::usable_kernels[(][)]::all' 'utfilter::detail::this_thread[(][)]::mine'
  'utfilter::detail::[(]anonymous namespace[)]::'{threads,threads_before,forked_by})
# This one never changes; most compilers leave it out.
constant='utfilter::detail::[(]anonymous namespace[)]::notices_forks'
variables=$(nm -C -f sysv "$@" | awk -F '|' '$7 ~ /^[.]t?(data|bss)/ && $7 !~ /rel[.]ro|DW[.]ref/ { print $1 }')
for name in "${kept[@]}"; do
  grep -qE "^$name *$" <<< "$variables" || { echo "$1 lacks the expected variable: $name" >&2; exit 1; }
done
! grep -vE "^(guard variable for )?($(IFS='|' && echo "${kept[*]}|$constant")) *$" <<< "$variables"
