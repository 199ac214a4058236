#!/usr/bin/env bash
# install_test.sh BUILD SOURCE CXX [README]: installs the build into a fresh prefix and uses it from there: as a CMake package,
# in a separate project, through pkg-config, and as the README tells its reader.
set -euo pipefail
build=$1 source=$(realpath "$2") cxx=$3
readme=$(realpath "${4:-$source/README.md}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null

for file in include/utfilter/utfilter.hpp include/utfilter/text.hpp share/utfilter/utf8check.py bin/utfcat share/man/man1/utfcat.1 share/doc/utfilter/README.md share/doc/utfilter/doc/errors.md \
  share/bash-completion/completions/utfcat; do
  [ -f "$work/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

# No warning comes from the package's own files.
cmake -Werror=dev -S "$source/test/package/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/core_consumer"
"$work/build/filter_consumer"

# A version that does not fit is refused.
sed 's/find_package(utfilter 0.1/find_package(utfilter 9.0/' "$source/test/package/consumer/CMakeLists.txt" >"$work/CMakeLists.txt"
if cmake -S "$work" -B "$work/refused" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null 2>&1; then
  echo "version 9.0 was found, though it does not exist"
  exit 1
fi

pc=$(dirname "$(find "$work/prefix" -name utfilter.pc)")
export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=${pc%/*}
flags=$(pkg-config --cflags --libs utfilter)
# shellcheck disable=SC2086  # the flags are words
"$cxx" -std=c++17 "$source/test/package/consumer/filter.cpp" $flags -o "$work/by_pkg_config"
"$work/by_pkg_config"

# The README's program, by the README's CMakeLists.txt and by its command line, all as printed.
fail() {
  echo "$readme: $*" >&2
  exit 1
}
first_block() {
  awk -v fence='```'"$1" '$0 == "```" && inside { exit } inside; $0 == fence { inside = 1 }' "$readme" >"$2"
  [ -s "$2" ] || fail "there is no \`\`\`$1 block"
}
g++() { command "$cxx" "$@"; }

mkdir "$work/app"
cd "$work/app"
first_block cpp main.cpp
first_block cmake CMakeLists.txt
command_line=$(grep -m 1 '^g++ ' "$readme") || fail "there is no line that begins with g++"

cmake -Werror=dev -S . -B build -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null || fail "cmake fails"
cmake --build build >/dev/null || fail "what cmake made does not build"
eval "$command_line" || fail "this fails: $command_line"

sample=$source/examples/samples/languages.utf16.gz
gzip -dc "$sample" | iconv -f UTF-16 -t UTF-8 >expected
for program in build/app ./a.out; do
  "$program" "$sample" | cmp - expected || fail "$program writes something else"
done
echo "installed, found by CMake and by pkg-config, and as the README says"
