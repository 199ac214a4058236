#!/usr/bin/env bash
# size_test.sh CXX SOURCE READER.cpp LIBRARY...: checks that the library does not become more expensive to compile and
# to link. It compares the header of each filter with Boost.Iostreams' header for chains, and the program READER.cpp with
# the same program without our filter.
set -euo pipefail
cxx=$1 source=$2 reader=$3 libraries=("${@:4}")
work=$(mktemp -d)
export CCACHE_DISABLE=1  # a compiler from a cache takes no time
trap 'rm -rf "$work"' EXIT
cases=0 failed=0

# check WHAT VALUE MOST
check() {
  ((++cases))
  echo "$1: $2, at most $3"
  (($2 <= $3)) || ((++failed))
}

lines() { printf '#include <%s>\n' "$@" | "$cxx" -std=c++17 -I "$source/include" -x c++ -E -P - | wc -l; }

# Counts lines after preprocessing. Whoever uses a filter includes filtering_stream.hpp, too. The header of the filter may
# add five percent to that, which costs some ten milliseconds.
chain=$(lines boost/iostreams/filtering_stream.hpp)
for header in utf8_validator utf16_to_utf8 to_utf8 from_utf8 bom_filter escape_controls; do
  check "lines that $header.hpp adds to filtering_stream.hpp ($chain lines)" \
    $(($(lines boost/iostreams/filtering_stream.hpp "utfilter/$header.hpp") - chain)) $((chain / 20))
done

# build PROGRAM: builds the program twice and prints the lesser processor time, in milliseconds.
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
check "milliseconds to build the program (without the filter: $without)" "$(build with)" $((without * 2))
# The kernels for x86-64 are 235 KiB of it: the program has all four tables of them, because it learns only at run time
# which the processor can use. The tables of the encodings of one byte per character are 57 KiB, those of the Chinese,
# Japanese and Korean ones 350 KiB. Without UTFILTER_CJK it is 499 KiB.
without=$(size_of "$work/without")
check "KiB that the filter adds to the program ($without KiB)" $(($(size_of "$work/with") - without)) 890

echo "$cases cases, $failed failed"
((failed == 0))
