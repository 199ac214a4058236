#!/usr/bin/env bash
# readme_test.sh README.md LINES READER WRITER FILES: runs the program of the README, and those of compressed.md,
# policies.md and files.md, on well-formed and on ill-formed input. Checks that the README is short,
# and that it says the same about the licence as the packages do.
set -euo pipefail
readme=$(realpath "$1")
lines=$2
reader=$3
writer=$4
files=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'echo "line $LINENO: this does not hold: $BASH_COMMAND" >&2' ERR
cd "$work"

[ "$(wc -l <"$readme")" -le 130 ]
[ -z "$(awk 'length > 100' "$readme")" ]
for page in $(grep -oE '\]\([^)#]+' "$readme" | cut -c 3- | grep -v '^http'); do
  [ -f "${readme%/*}/$page" ]
done
grep -qx '## Licence' "$readme"
terms=$(sed -n '/^No licence/,$p' "${readme%/*}/packaging/debian/copyright" | tr '\n' ' ' | sed 's/: .*//')
[ -n "$terms" ]
tail -n 1 "$readme" | grep -qF "$terms"

printf '\xFF\xFEd\x00\xE9\x00j\x00\xE0\x00\n\x00=\xD8\x00\xDE\n\x00' >notes.txt
[ "$("$lines")" = "$(printf 'd\xC3\xA9j\xC3\xA0\n\xF0\x9F\x98\x80')" ]
printf '\xFF\xFEa\x00\n\x00b\x00=\xD8' >notes.txt
place="line 2, column 2 (byte 8): incomplete at the end of the input, after U+D83D: 3D D8"
status=0
said=$("$lines" 2>&1 >out) || status=$?
[ "$status" != 0 ]
[ "$(cat out)" = a ]
[ "$said" = "notes.txt: $place" ]
grep -qF "\`$place\`" "$readme"
rm notes.txt
status=0
said=$("$lines" 2>&1) || status=$?
[ "$status" != 0 ]
[[ $said == "notes.txt: "*"No such file or directory"* ]]

printf '\xFF\xFEd\x00\xE9\x00j\x00\xE0\x00\n\x00=\xD8\x00\xDE\n\x00' >good
gzip -k good
[ "$("$reader" good.gz)" = "$(printf 'd\xC3\xA9j\xC3\xA0\n\xF0\x9F\x98\x80')" ]

printf '\xFF\xFEa\x00\n\x00b\x00=\xD8' >cut
gzip -k cut
status=0
said=$("$reader" cut.gz 2>&1 >out) || status=$?
[ "$status" = 1 ]
[ "$(cat out)" = a ]
[ "$said" = "$place" ]

status=0
said=$("$reader" nosuch.gz 2>&1) || status=$?
[ "$status" = 2 ]
[ "$said" = "nosuch.gz: cannot be opened" ]
status=0
said=$("$reader" 2>&1) || status=$?
[ "$status" = 2 ]
[ "$said" = "usage: $reader GZIPPED_FILE" ]

said=$("$writer" $'caf\xE9\n' 2>&1)
[ "$(cat app.log)" = "$(printf 'caf\xEF\xBF\xBD')" ]
[ "$said" = "3: truncated sequence: E9"$'\n'"1 errors" ]
status=0
(rm app.log && mkdir app.log && "$writer" x) 2>/dev/null || status=$?
[ "$status" != 0 ]
printf '\xFE\xFF\x20\xAC\0\n' >notes.txt
[ "$(printf '\xFF\xFEx\0' | "$files")" = "$(printf '\xE2\x82\xAC\nx')" ]
[ "$(od -An -tx1 copy.txt)" = " fe ff 20 ac 00 0a" ]
mv copy.txt notes.txt  # the program must read its own output
[ "$("$files" </dev/null)" = "$(printf '\xE2\x82\xAC')" ]
[ "$(od -An -tx1 copy.txt)" = " fe ff 20 ac 00 0a" ]
(
  mkdir empty && cd empty
  status=0
  said=$("$files" </dev/null 2>&1) || status=$?
  [ "$status" != 0 ]
  [[ $said == *"notes.txt"*"No such file or directory"* ]]
)
printf '\xFE\xFF\xD8\0' >notes.txt
status=0
said=$("$files" </dev/null 2>&1 >out) || status=$?
[ "$status" != 0 ]
[[ $said == *"line 1, column 1 (byte 2)"* ]]
echo "the programs work, and report errors with their places"
