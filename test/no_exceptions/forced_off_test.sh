#!/usr/bin/env bash
# forced_off_test.sh QEMU CORE_PROGRAM: on an emulated processor that has no AVX2, or no POPCNT, the core uses the next
# table that the processor can run, and passes its tests. An instruction that the processor lacks would end the program.
set -euo pipefail
qemu=$1 program=$2
cases=0 failed=0

# on PROCESSOR TABLES: the program must find these tables there.
on() {
  local said
  said=$("$qemu" -cpu "$1" "$program" 2>&1 | grep -v "^qemu-x86_64: warning: TCG doesn't support" || true)
  cases=$((cases + 1))
  [[ $said == "core under $2: "*" cases, 0 failed" ]] || {
    echo "On $1, with the tables $2 expected, it printed: $said"
    failed=$((failed + 1))
  }
}
on Haswell,-avx2 "sse41 scalar"
on Haswell,-popcnt scalar

echo "$cases cases, $failed failed"
((failed == 0))
