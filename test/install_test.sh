#!/usr/bin/env bash
# install_test.sh BUILD SOURCE CXX: installs the build into a fresh prefix and uses it from there: as a CMake package, in a
# separate project, and through pkg-config.
set -euo pipefail
build=$1 source=$2 cxx=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null

for file in include/utfilter/utfilter.hpp include/utfilter/text.hpp; do
  [ -f "$work/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

cmake -S "$source/test/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/core_consumer"
"$work/build/filter_consumer"

# A version that does not fit is refused.
sed 's/find_package(utfilter 0.1/find_package(utfilter 9.0/' "$source/test/consumer/CMakeLists.txt" >"$work/CMakeLists.txt"
if cmake -S "$work" -B "$work/refused" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" >/dev/null 2>&1; then
  echo "version 9.0 was found, though it does not exist"
  exit 1
fi

pc=$(dirname "$(find "$work/prefix" -name utfilter.pc)")
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs utfilter)
# shellcheck disable=SC2086  # the flags are words
"$cxx" -std=c++17 "$source/test/consumer/filter.cpp" $flags -o "$work/by_pkg_config"
LD_LIBRARY_PATH=$(dirname "$pc") "$work/by_pkg_config"
echo "installed, found by CMake and by pkg-config"
