#!/usr/bin/env bash
# wine.sh PROGRAM [ARGUMENT...]: runs a Windows program under Wine. Seldom Wine's server closes the connection before the
# program has started: then this script starts the program again, at most twice. It passes standard error on at the end.
set -u
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
for _ in 1 2 3; do
  status=0
  wine "$@" 2> "$errors" || status=$?
  # The 0 stands for a thread that has no number yet, so no instruction of the program has run.
  grep -q '^wine client error:0:' "$errors" || break
done
cat "$errors" >&2
exit "$status"
