#!/usr/bin/env bash
# utfcat_portable_test.sh UTFCAT [EMULATOR...]: checks that utfcat does the same on every system: bytes, names, messages
# and exit statuses are equal. If EMULATOR is given, this command runs the program, for example Wine.
set -eu
utfcat=("${@:2}" "$1")
samples=$(cd "$(dirname "$0")/../../examples/samples" && pwd)
export LC_ALL=C.UTF-8  # tells Wine that the names below are UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files"
cd "$work/files"
cases=0 failed=0

# expect WHAT COMMAND...: checks that the command succeeds.
expect() {
  ((++cases))
  "${@:2}" >&2 || { ((++failed)) && echo "failed: $1" >&2; }
}

# run STATUS OUTPUT ERRORS ARGUMENT...: runs utfcat with its output to a pipe, and checks its exit status, output and
# messages. OUTPUT and ERRORS are formats of printf, which can contain any byte.
run() {
  local status=$1 got
  "${utfcat[@]}" "${@:4}" 2> "$work/errors" | cat > "$work/output"
  got=${PIPESTATUS[0]}
  expect "status $got of utfcat ${*:4}, not $status" test "$got" = "$status"
  expect "output of utfcat ${*:4}" cmp "$work/output" <(printf "$2")
  expect "errors of utfcat ${*:4}" diff "$work/errors" <(printf "$3")
}

# Bytes that a text mode would change, which are line ends and Ctrl-Z, and bytes that it would not change
raw='a\r\nb\n\rc\x1Ad\0e\r\r\n\x1A'
printf "$raw" > raw
printf "$raw$raw" > twice
for size in 0 1 4096 70000; do  # shorter and longer than a buffer
  head -c "$size" /dev/zero | tr '\0' x | cat - twice > padded
  "${utfcat[@]}" padded > "$work/output"
  expect "$size bytes to a file" cmp padded "$work/output"
  "${utfcat[@]}" < padded | cat > "$work/output"
  expect "$size bytes from a file to a pipe" cmp padded "$work/output"
  cat padded | "${utfcat[@]}" -o written -
  expect "$size bytes from a pipe to -o" cmp padded written
done
run 0 "$raw$raw" '' raw raw
run 0 "$raw$raw" '' raw - < raw
: > empty
run 0 '' '' empty
run 0 '' '' < empty
run 0 '' '' < <(:)

# Encodings
printf '\xFF\xFEa\0\r\0\n\0\x1A\0\x16\x04\x3D\xD8\x00\xDE' > utf16
run 0 'a\r\n\x1A\xD0\x96\xF0\x9F\x98\x80' '' utf16
run 0 'a\r\n\x1A\xD0\x96\xF0\x9F\x98\x80' '' < <(cat utf16)
run 0 '\0\0\xFE\xFF\0\0\0\r\0\0\0\n\0\0\0\x1A' '' -t utf-32 - < <(printf '\r\n\x1A')
run 0 '\xA4\r\n' '' -f iso-8859-1 -t windows-1252 - < <(printf '\xA4\r\n')

# Ranges: Ctrl-Z and CR LF do not disturb them
run 0 'a\r\n' '' --range 0-1 utf16
run 0 '\x1A\xD0\x96\xF0\x9F\x98\x80' '' --range 3-9 utf16
run 0 '' '' --range 9- utf16

# Compressed
gzip -d < "$samples/languages.utf16.gz" | "${utfcat[@]}" > languages
for compress in gzip bzip2 zstd; do
  "$compress" -c languages > packed
  "${utfcat[@]}" -d packed > "$work/output"
  expect "$compress" cmp languages "$work/output"
  head -c -9 packed > cut
  "${utfcat[@]}" -d cut > "$work/output" 2> "$work/errors" && status=0 || status=$?
  expect "status $status of truncated $compress data" test "$status" = 2
  expect "errors of truncated $compress data" grep -Fx "utfcat: cut: truncated $compress data" "$work/errors"
done
"${utfcat[@]}" -d "$samples/languages.utf16.gz" > "$work/output"
expect "gzipped UTF-16" cmp languages "$work/output"

# Ill-formed
printf 'one\r\ntwo\xC0\x80 three\n' > broken
run 1 'one\r\ntwo' 'utfcat: broken:2:4: byte 8: overlong encoding: C0\n' broken
run 1 'one\r\ntwo' 'utfcat: -:2:4: byte 8: overlong encoding: C0\n' < broken
run 0 'one\r\ntwo?? three\n' '' -e replace -t iso-8859-1 broken
run 1 'broken:2:4: byte 8: overlong encoding: C0\nbroken:2:5: byte 9: unexpected continuation byte: 80\n' '' -c broken raw
run 1 'broken: UTF-8, no byte order mark, 2 lines, 2 errors (no character beyond ASCII is UTF-8: try --from windows-1252)
  unexpected continuation byte  1  ########################################
  overlong encoding             1  ########################################
  2:4  overlong encoding: C0             two[C0]? three
  2:5  unexpected continuation byte: 80  two?[80] three\n' '' --check --summary broken

# Data that is no text, for an output that lacks characters
printf 'a\0\1\2\3\4\5\6' > data
no_text='utfcat: data: is no text: zero bytes or control characters, but neither UTF-16 nor UTF-32 (if it is text all the same, --from names its encoding)\n'
for options in '--from guess' '--fallback guess' '--from guess --legacy gbk'; do run 1 '' "$no_text" $options --to iso-8859-1 data; done

# The places of characters that the output lacks, in text that does not show their sizes
printf '\x8F\xB0\xA1\n\x8F\xB0\xA1\xB0\xA1' > euc-jp
run 1 '' 'utfcat: euc-jp:1:1: byte 0: the target encoding lacks U+4E02: E4 B8 82\n' --from euc-jp --to iso-8859-1 euc-jp
run 1 'euc-jp:1:1: byte 0: the target encoding lacks U+4E02: E4 B8 82\neuc-jp:2:1: byte 4: the target encoding lacks U+4E02: E4 B8 82\neuc-jp:2:2: byte 7: the target encoding lacks U+4E9C: E4 BA 9C\n' \
  '' --check --from euc-jp --to iso-8859-1 euc-jp
printf 'a\x1B$B0!\x1B(Bx' > mail
run 1 'mail:1:2: byte 4: the target encoding lacks U+4E9C: E4 BA 9C\n' '' --check --from iso-2022-jp --to iso-8859-1 mail

# Names in any script, and words that are not names
cyrillic='Привет, мир.txt' japanese='日本語 テキスト.txt' emoji=😀
printf "$raw" > "$cyrillic"
run 0 "$raw" '' "$cyrillic"
run 0 '' '' -o "$japanese" "$cyrillic"
expect "-o, a file that was not there" cmp raw "$japanese"
run 1 '' "utfcat: $japanese: is no text, so it replaces no file (--force writes it all the same)\nutfcat: $japanese: not written, because the text is not complete\n" -t utf-16le "$japanese" -o "$japanese"
touch -d 2020-01-01 "$japanese"
run 0 '' '' --force --backup --keep-times -t utf-16le "$japanese" -o "$japanese"
expect "--backup" cmp raw "$japanese.bak"
expect "--keep-times" test ! "$japanese" -nt "$japanese.bak"
run 0 "$raw" '' -f utf-16le "$japanese"
expect "-o, the file that is read" test "$(wc -c < "$japanese")" = $((2 * $(wc -c < raw)))
mkdir "$emoji"
run 0 '' "raw: UTF-8, no byte order mark, $(wc -c < raw) bytes in, $(wc -c < raw) bytes out, 3 lines, 0 errors\n" -s -p raw -o "$emoji/$cyrillic"
run 0 "$raw" '' "$emoji/$cyrillic"
printf '\xFF' > "$emoji/\$"
run 1 '' "utfcat: $emoji/\$:1:1: byte 0: byte that no text contains: FF (looks like UTF-16LE)\n" "$emoji/\$"
run 2 '' 'utfcat: --fallback: there is no encoding 文字 "quoted" \\ (utfcat --list shows all)\n' --fallback '文字 "quoted" \'

if (($# > 1)); then  # on Windows no shell expands patterns
  printf 1 > one.part
  printf 2 > two.part
  run 0 '122\r\n' '' '*.part' 'tw?.p*' - < <(printf '\r\n')
  run 0 2 "" ".\\two*"
  run 2 '' 'utfcat: *.none: Invalid argument\n' '*.none'
fi

# Files that cannot be read or written
run 2 '' "utfcat: нет: No such file or directory\n" нет
run 2 "$raw" "utfcat: нет: No such file or directory\n" нет raw
run 2 '' "utfcat: $emoji: Is a directory\n" "$emoji"
run 2 '' "utfcat: $emoji: Is a directory\n" raw -o "$emoji"
run 2 '' "utfcat: нет/raw: cannot create a file in нет: No such file or directory\n" raw -o нет/raw
run 1 '' 'utfcat: broken:2:4: byte 8: overlong encoding: C0\nutfcat: raw: not written, because the text is not complete\n' broken -o raw
expect "-o, a text that is not complete" cmp raw <(printf "$raw")
cp raw grows
status=0
if (($# == 1)); then
  (ulimit -f 1000; exec "$1" grows >> grows 2> "$work/errors") || status=$?
else  # under Wine a program cannot find out which file a Unix descriptor refers to; cmd opens the file
  cp "$1" "$work/utfcat.exe"
  (ulimit -f 20000; exec "${@:2}" cmd /c '..\utfcat.exe grows >> grows' 2> "$work/errors") || status=$?
fi
expect "status $status if an input is also the output" test "$status" = 2
expect "the file that is also the output stays unchanged" cmp grows raw
expect "utfcat names that file" grep -Fx 'utfcat: grows: is the output as well (--output can replace it)' "$work/errors"
head -c 1000000 /dev/zero > long
for jobs in 1 3; do
  "${utfcat[@]}" --jobs "$jobs" -f utf-16le raw long raw > "$work/jobs$jobs" 2> "$work/errors$jobs" || true
done
expect "the output of threads" cmp "$work/jobs1" "$work/jobs3"
expect "the messages of threads" cmp "$work/errors1" "$work/errors3"
"${utfcat[@]}" long 2> "$work/errors" | head -c 1 > "$work/output"
status=${PIPESTATUS[0]}
if (($# == 1)); then  # SIGPIPE ends it
  expect "status $status if the reader went away" test "$status" = 141
  expect "utfcat reports nothing if the reader went away" test ! -s "$work/errors"
else  # Windows has no such signal
  expect "status $status if the reader went away" test "$status" = 2
  expect "utfcat reports that the reader went away" grep -Fx 'utfcat: standard output: Broken pipe' "$work/errors"
fi
expect "no temporary file is left" test -z "$(find . -name '.utfcat*')"

echo "$cases cases, $failed failed"
((failed == 0))
