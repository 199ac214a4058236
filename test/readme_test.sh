#!/usr/bin/env bash
# readme_test.sh PROGRAM: the README's program on a gzipped UTF-16 file with a byte order mark, and on one that is cut off.
set -euo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '\xFF\xFEd\x00\xE9\x00j\x00\xE0\x00\n\x00=\xD8\x00\xDE\n\x00' >"$work/good"
gzip -k "$work/good"
[ "$("$program" "$work/good.gz")" = "$(printf 'd\xC3\xA9j\xC3\xA0\n\xF0\x9F\x98\x80')" ]

printf '\xFF\xFEa\x00\n\x00b\x00=\xD8' >"$work/cut"
gzip -k "$work/cut"
status=0
said=$("$program" "$work/cut.gz" 2>&1 >"$work/out") || status=$?
[ "$status" = 1 ]
[ "$(cat "$work/out")" = a ]
[ "$said" = "line 2, column 2 (byte 8): incomplete at the end of the input, after U+D83D: 3D D8" ]
echo "the README's program works, and says what is wrong where"
