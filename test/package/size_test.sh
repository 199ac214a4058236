#!/usr/bin/env bash
# size_test.sh CXX SOURCE PROGRAM.cpp LIBRARY...: checks that the library does not become more expensive to compile and
# to link. It compares the header of each filter with Boost.Iostreams' header for chains, and PROGRAM.cpp with the
# same program without our filter. doc/installing.md says how large programs are; here they may be 5 % larger.
set -euo pipefail
cxx=$1 source=$2 program=$3 libraries=("${@:4}")
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
# add a nineteenth to that, which costs some ten milliseconds.
chain=$(lines boost/iostreams/filtering_stream.hpp)
for header in utf8_validator utf16_to_utf8 to_utf8 from_utf8 bom_filter escape_controls; do
  check "lines that $header.hpp adds to filtering_stream.hpp ($chain lines)" \
    $(($(lines boost/iostreams/filtering_stream.hpp "utfilter/$header.hpp") - chain)) $((chain / 19))
done

# build PROGRAM: builds the program three times and prints the lesser processor time, in milliseconds.
build() {
  local TIMEFORMAT='%U %S' least=999999 milliseconds
  for _ in 1 2 3; do
    { time "$cxx" -std=c++17 -O0 -DNDEBUG -I "$source/include" "$work/$1.cpp" "${libraries[@]}" -lboost_iostreams -o "$work/$1"; } 2> "$work/time"
    milliseconds=$(awk '{ printf "%d", ($1 + $2) * 1000 }' "$work/time")
    ((milliseconds >= least)) || least=$milliseconds
  done
  echo "$least"
}
cp "$program" "$work/with.cpp"
grep -v utfilter "$program" > "$work/without.cpp"
without=$(build without)
check "milliseconds to build the program (without the filter: $without)" "$(build with)" $((without * 13 / 8))

# Prints the bytes of the page's table in the row for WHAT; nothing if there is no such row.
told() { awk -F ' [|] ' -v what="| $1" '$1 == what { print $2 * 1000 }' "$source/doc/installing.md"; }

# size_of PROGRAM WHAT LIBRARY...: links the program, which stands in $work, and compares the size of its file with the
# page.
size_of() {
  local bytes page
  "$cxx" -std=c++17 -O2 -DNDEBUG -I "$source/include" "$work/$1.cpp" "${@:3}" -lboost_iostreams -o "$work/$1"
  strip "$work/$1"
  bytes=$(stat -c %s "$work/$1") page=$(told "$2")
  check "bytes of a program with $2" "$bytes" $((${page:-0} / 20 * 21))
  check "bytes that the page tells of $2" "${page:-0}" $((bytes / 20 * 21))
}

# A program must lack what it does not use: the tables of the encodings, the guesser, what writes.
for call in is_utf8 sanitize to_u16string guess_encoding; do
  cat > "$work/call.cpp" << END
#include <utfilter/convert.hpp>
int main(int, char** arguments) { static_cast<void>(utfilter::$call(arguments[1])); }
END
  size_of call "\`$call\`" "${libraries[@]}"
done
for filter in 'utf8_validator()' 'utf16_to_utf8()' 'to_utf8(encoding::utf16)' 'from_utf8(encoding::utf8)' 'bom_filter()' 'to_utf8()'; do
  sed "s/to_utf8\.hpp/${filter%%(*}.hpp/; s/utfilter::to_utf8()/utfilter::${filter/encoding/utfilter::encoding}/" \
    "$work/with.cpp" > "$work/filter.cpp"
  size_of filter "\`$filter\`" "${libraries[@]}"
done
size_of without 'no filter'
"$cxx" -shared -Wl,--whole-archive "${libraries[@]}" -Wl,--no-whole-archive -o "$work/libutfilter.so"
size_of with '`to_utf8()`, the library shared' "$work/libutfilter.so"

echo "$cases cases, $failed failed"
((failed == 0))
