#!/usr/bin/env bash
# utfcat_manual_test.sh UTFCAT MANUAL COMPLETION: checks utfcat's manual page and its completion. The page is well-formed.
# The page, the completion and --help have the same options. utfcat accepts every value that the completion proposes.
set -euo pipefail
utfcat=$1 manual=$2 completion=$3
cases=0 failed=0

# expect WHAT GOT EXPECTED
expect() {
  ((++cases))
  [[ $2 != "$3" ]] || return 0
  ((++failed))
  echo "$1: got '$2', expected '$3'" >&2
}

page=$(groff -man -ww -Tutf8 "$manual" 2>&1 >/dev/null) || true
expect "groff's warnings" "$page" ""

options() { grep -oE -- '(^|[^A-Za-z-])--[a-z][a-z-]+' | grep -oE -- '--.*' | sort -u | tr '\n' ' '; }
known=$("$utfcat" --help all | options)
expect "the options of the brief help" "$("$utfcat" --help | options)" "$known"
page=$(groff -man -Tascii -P-cbou "$manual" 2> /dev/null)  # ASCII lacks two characters of an example
expect "the options of the manual page" "$(options <<< "$page")" "$known"
# These are indented least; how far depends on groff's version.
indentation=$(grep -oE '^ +-' <<< "$page" | awk '!least || length < least { least = length } END { print least - 1 }')
expect "the options with a paragraph of their own" "$(grep -E "^ {$indentation}-" <<< "$page" | options)" "$known"

source "$completion"
# proposed WORD...: prints what the completion proposes for the last word.
proposed() {
  COMP_WORDS=("$utfcat" "$@") COMP_CWORD=$# COMPREPLY=()
  _utfcat
  echo "${COMPREPLY[*]}"
}
expect "proposed for --" "$(proposed -- | tr ' ' '\n' | sort -u | tr '\n' ' ')" "$known"
expect "proposed for --s" "$(proposed --s)" "--summary --state --stats"
expect "proposed for -f utf-16" "$(proposed -f utf-16)" "utf-16 utf-16le utf-16be"
expect "proposed for --to=utf-32" "$(proposed --to = utf-32)" "utf-32 utf-32le utf-32be"
expect "proposed for --bom=" "$(proposed --bom =)" "automatic keep strip add require reject"
expect "proposed after a comma" "$(proposed --filter nfc,cr)" "nfc,crlf nfc,cr"
expect "proposed after an encoding and a comma" "$(proposed --from utf-8,koi8-r,koi8-)" "utf-8,koi8-r,koi8-r utf-8,koi8-r,koi8-u utf-8,koi8-r,koi8-t"
expect "proposed after an option" "$(proposed -f utf-8 --c)" "--check"
for word in "" a; do expect "proposed for a file $word" "$(proposed "$word")" ""; done
expect "proposed for -o" "$(proposed -o "")" ""
expect "proposed for --range" "$(proposed --range "")" ""
expect "proposed for --jobs" "$(proposed --jobs "")" ""
expect "proposed for --state" "$(proposed --state "")" ""

# The completion and the manual page name the encodings of --list, and --help those of several bytes per character.
named() { grep -qwe "$1" && echo yes || echo no; }
encodings=$("$utfcat" --list | awk '!NF { exit } { print tolower($1) }' | sort | tr '\n' ' ')  # ICU's charsets follow
all=$("$utfcat" --list | awk 'NF { print tolower($1) }' | sort | tr '\n' ' ')
expect "proposed for --to" "$(proposed --to "" | tr ' ' '\n' | grep -vx same | sort | tr '\n' ' ')" "$all"
sorted() { tr ' ' '\n' | sort | tr '\n' ' '; }
expect "proposed for --fallback" "$(proposed --fallback "" | sorted)" "$(echo "guess $encodings" | sorted | sed 's/^ //')"
expect "proposed for --guess-bytes" "$(proposed --guess-bytes "")" ""
expect "proposed for --legacy" "$(proposed --legacy "")" \
  "$(proposed --fallback "" | tr ' ' '\n' | grep -v -e 'utf-[13]' -e guess | paste -sd ' ')"
for encoding in $encodings; do
  case $encoding in utf* | cesu* | mutf*) expect "$encoding in --help all" "$(named "$encoding" < <("$utfcat" --help all))" yes ;; esac
  expect "$encoding in --help encodings" "$(named "$encoding" < <("$utfcat" --help encodings))" yes
  expect "$encoding in the manual page" "$(named "$encoding" <<< "$page")" yes
done

# utfcat accepts each value: it would report a value that it does not know, or that other options exclude.
try() { expect "utfcat $*" "$("$utfcat" "$@" < /dev/null 2>&1)" ""; }
for value in $(proposed -f ""); do try -c -f "$value"; done
for value in $(proposed --fallback ""); do try -c --fallback "$value"; done
for value in $(proposed --legacy ""); do try -c -f guess --legacy "$value"; done
for value in $(proposed -t ""); do [[ $value == same ]] || try -c -t "$value"; done
try -t same
for value in $(proposed --filter ""); do
  [[ $value == nfc ]] || try --filter "$value"  # this utfcat may lack it
  expect "$value in the manual page" "$(grep -qe "\b${value%%:*}\b" <<< "$page" && grep -qe "\b${value#*:}\b" <<< "$page" && echo yes)" yes
done
expect "the filters of --help all" "$(proposed --filter "" | tr ' ' '\n' | sed 's/:.*//' | sort -u | wc -l)" \
  "$("$utfcat" --help all | sed -n '/--filter NAME/,/--nfc  /p' | grep -cE '^ {25}[a-z]')"
for value in $(proposed -e ""); do try -f utf-8 -e "$value" -b strip; done
for value in $(proposed -b ""); do
  [[ $value == require ]] || try -c -b "$value"
done
expect "utfcat -c -b require" "$("$utfcat" -c -b require < /dev/null)" "-:1:1: byte 0: missing byte order mark"

for value in $(proposed --help ""); do
  expect "the errors of --help $value" "$("$utfcat" --help "$value" 2>&1 > /dev/null)" ""
  expect "--help=$value is --help $value" "$("$utfcat" --help="$value")" "$("$utfcat" --help "$value")"
done

# There are no other values: if a value is wrong, utfcat lists all values that it knows.
list() { tr -d ' ' | tr ',' '\n' | sort | tr '\n' ' '; }
for option in --on-error --bom --format --rejects-format; do
  expect "the values of $option" "$(proposed "$option" "" | tr ' ' ',' | list)" "$("$utfcat" "$option" x 2>&1 | sed 's/.* is none of //' | list)"
done
echo "$cases cases, $failed failed"
((failed == 0))
