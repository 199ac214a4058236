#!/usr/bin/env bash
# install_test.sh BUILD SOURCE CXX [README]: installs the build into a new prefix and uses it from there: as a CMake
# package in a separate project, with pkg-config, and with the commands of the README. BUILD may also be a prefix with
# an installed library.
set -euo pipefail
build=$1 source=$(realpath "$2") cxx=$3
readme=$(realpath "${4:-$source/README.md}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -f "$build/CMakeCache.txt" ]; then
  prefix=$work/prefix
  cmake --install "$build" --prefix "$prefix" >/dev/null
else
  prefix=$build
fi

for file in include/utfilter/utfilter.hpp include/utfilter/text.hpp share/utfilter/utf8check.py bin/utfcat share/doc/utfilter/README.md share/doc/utfilter/doc/errors.md \
  share/bash-completion/completions/utfcat; do
  [ -f "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

# The Debian packages have the manual page compressed.
[ -f "$prefix/share/man/man1/utfcat.1" ] || [ -f "$prefix/share/man/man1/utfcat.1.gz" ] || { echo "not installed: utfcat.1"; exit 1; }

# config.hpp defines the version. CMake, pkg-config and utfcat must give the same.
number=$(sed -n 's/^#define UTFILTER_VERSION //p' "$prefix/include/utfilter/config.hpp")
minor=$((number / 10000)).$((number / 100 % 100))
version=$minor.$((number % 100))

# The package's own files give no warning. find_package finds the library by its version and by its minor version, and
# by no other version.
consumer() {
  cmake -Werror=dev -S "$source/test/package/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
    -DUTFILTER_WANTED="$1"
}
for wanted in "$version;EXACT" "$minor"; do
  consumer "$wanted" >/dev/null || { echo "version ${wanted%;*} was not found"; exit 1; }
done
cmake --build "$work/build" >/dev/null
"$work/build/core_consumer"
(cd "$work" && build/streams_consumer)
"$work/build/filter_consumer"
for wanted in 0.1 9.0; do
  ! consumer "$wanted" >/dev/null 2>&1 || { echo "version $wanted was found, but this is $version"; exit 1; }
done

grep -m 1 '^## ' "$source/CHANGELOG.md" | grep -qF "## $version (" || { echo "CHANGELOG.md does not begin with $version"; exit 1; }
said=$("$prefix/bin/utfcat" --version | sed -n 1p)
[ "$said" = "utfcat (utfilter) $version" ] || { echo "utfcat --version: $said; but this is $version"; exit 1; }

pc=$(dirname "$(find "$prefix" -name utfilter.pc)")
if [ "$prefix" != /usr ]; then  # /usr needs neither
  export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=${pc%/*}
fi
said=$(pkg-config --modversion utfilter)
[ "$said" = "$version" ] || { echo "pkg-config --modversion: $said; but this is $version"; exit 1; }
flags=$(pkg-config --cflags --libs utfilter)
for consumer in filter streams; do
  # shellcheck disable=SC2086  # the flags are words
  "$cxx" -std=c++17 "$source/test/package/consumer/$consumer.cpp" $flags -o "$work/by_pkg_config"
  (cd "$work" && ./by_pkg_config)
done

# Builds the README's program with the README's CMakeLists.txt and with its command line, all exactly as printed.
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

cmake -Werror=dev -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null || fail "cmake fails"
cmake --build build >/dev/null || fail "the configured project does not build"
eval "$command_line" || fail "this fails: $command_line"

gzip -dc "$source/examples/samples/languages.utf16.gz" >notes.txt
iconv -f UTF-16 -t UTF-8 notes.txt >expected
for program in build/app ./a.out; do
  "$program" | cmp - expected || fail "$program writes another text"
done
echo "installed, found by CMake and by pkg-config, and as the README says"
