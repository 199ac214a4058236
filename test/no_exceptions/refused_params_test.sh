#!/usr/bin/env bash
# refused_params_test.sh CORE_PROGRAM: what throws an exception elsewhere, without exceptions prints the reason, and aborts.
set -euo pipefail
program=$1
cases=0 failed=0

# aborts ARGUMENT PATTERN: called with the argument, the program must abort and print what fits the pattern.
aborts() {
  local said status=0
  said=$("$program" "$1" 2>&1 > /dev/null) || status=$?
  cases=$((cases + 1))
  # shellcheck disable=SC2053  # the right side is a pattern
  [[ $status -gt 128 && $said == $2 ]] || {
    echo "$1: it ended with status $status, and said: $said"
    failed=$((failed + 1))
  }
}
aborts refused "utfilter: reading detect: *fallback*"
aborts strict "utfilter: line 1, column 2 (byte 1): *: FF"
aborts bytes "utfilter: line 1, column 1 (byte 2): *: 00 DC"

echo "$cases cases, $failed failed"
((failed == 0))
