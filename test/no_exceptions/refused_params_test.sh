#!/usr/bin/env bash
# refused_params_test.sh CORE_PROGRAM: without exceptions a decoder that makes no sense prints the reason, and aborts.
set -euo pipefail
said=$("$1" refused 2>&1 >/dev/null) && status=0 || status=$?
[[ $status -gt 128 && $said == "utfilter: reading detect: "*"fallback"* ]] || {
  echo "It ended with status $status, and said: $said"
  exit 1
}
echo "1 case, 0 failed"
