#!/usr/bin/env bash
# size_test.sh CXX SOURCE READER.cpp LIBRARY...: what the library costs a compiler and a program stays what it is: the
# include of one filter beside that of Boost.Iostreams' own for gzip; and the README's program beside the same without a
# filter of ours.
set -euo pipefail
cxx=$1 source=$2 reader=$3 libraries=("${@:4}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0 failed=0

# check WHAT VALUE MOST
check() {
  ((++cases))
  echo "$1: $2, at most $3"
  (($2 <= $3)) || ((++failed))
}

lines() { echo "#include <$1>" | "$cxx" -std=c++17 -I "$source/include" -x c++ -E -P - | wc -l; }

# Lines that are left of all that is included. Two in a hundred more are some milliseconds.
gzip=$(lines boost/iostreams/filter/gzip.hpp)
for header in utf8_validator utf16_to_utf8 to_utf8 from_utf8 bom_filter escape_controls; do
  check "lines of $header.hpp, those of gzip.hpp being $gzip" "$(lines "utfilter/$header.hpp")" $((gzip * 102 / 100))
done

# build PROGRAM: milliseconds of processor time, the lesser of two.
build() {
  local TIMEFORMAT='%U %S' least=999999 milliseconds
  for _ in 1 2; do
    { time "$cxx" -std=c++17 -O0 -DNDEBUG -I "$source/include" "$work/$1.cpp" "${libraries[@]}" -lboost_iostreams -o "$work/$1"; } 2> "$work/time"
    milliseconds=$(awk '{ printf "%d", ($1 + $2) * 1000 }' "$work/time")
    ((milliseconds >= least)) || least=$milliseconds
  done
  echo "$least"
}
size_of() { size "$1" | awk 'NR == 2 { print int(($1 + $2) / 1024) }'; }

cp "$reader" "$work/with.cpp"
grep -v 'utfilter\|in.push(decode)' "$reader" > "$work/without.cpp"
without=$(build without)
check "milliseconds for the README's program, without the filter $without" "$(build with)" $((without * 2))
# How large both are depends on the compiler and on Boost, and so do both alike.
without=$(size_of "$work/without")
check "KiB of the README's program, without the filter $without" "$(size_of "$work/with")" $((without * 10 / 3))

echo "$cases cases, $failed failed"
((failed == 0))
