#!/usr/bin/env bash
# recipes_test.sh SOURCE CXX PYTHON: tests the recipes for Conan and vcpkg without these programs, as far as possible.
# Stand-ins for the functions that the recipes call do the same as Conan and vcpkg. Then another project is built with
# each package, for several options.
set -euo pipefail
source=$(realpath "$1") cxx=$2 python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'echo "line $LINENO: this does not hold: $BASH_COMMAND" >&2' ERR
export CXXFLAGS=-O0
cases=0

# use NAME COMPONENTS CONSUMER...: builds the consumers with the package in $work/NAME, and runs them.
use() {
  cmake -Werror=dev -S "$source/test/package/consumer" -B "$work/$1/consumer" -DCMAKE_PREFIX_PATH="$work/$1/package" \
    -DUTFILTER_COMPONENTS="$2" -DCMAKE_CXX_COMPILER="$cxx" > "$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }
  grep -q "^utfilter_DIR:PATH=$work/$1/package/" "$work/$1/consumer/CMakeCache.txt"
  cmake --build "$work/$1/consumer" > "$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }
  for consumer in "${@:3}"; do "$work/$1/consumer/$consumer"; done
  ((++cases))
}

number=$(sed -n 's/^#define UTFILTER_VERSION //p' "$source/include/utfilter/config.hpp")
version=$((number / 10000)).$((number / 100 % 100)).$((number % 100))

# The parts whose libraries are installed here.
parts=()
for part in icu:icu-uc nfc:libutf8proc; do
  if pkg-config --exists "${part#*:}"; then
    parts+=("${part%:*}")
  else
    echo "skipped: the part ${part%:*} of the recipes, because pkg-config does not find ${part#*:}"
  fi
done

# Conan.
conan() { "$python" "$source/test/package/recipes/conan_steps.py" "$source/packaging/conan/conanfile.py" "$work/$1" "$cxx" "${@:2}"; }
[ "$(conan conan "${parts[@]/%/=True}" | paste -sd ' ')" = "$version core_consumer streams_consumer filter_consumer" ]
[ "$(conan conan-core filters=False shared=True | paste -sd ' ')" = "$version core_consumer streams_consumer" ]
[ -e "$work/conan-core/package/lib/libutfilter.so" ]
[ ! -e "$work/conan-core/consumer/filter_consumer" ]
for name in conan conan-core; do grep -q "^utfilter_DIR:PATH=$work/$name/package/" "$work/$name/consumer/CMakeCache.txt"; done
((cases += 2))

# vcpkg.
port=$source/packaging/vcpkg/ports/utfilter
"$python" -m json.tool "$port/vcpkg.json" > "$work/said"
vcpkg() {
  cmake -D PORT="$port" -D WORK="$work/$1" -D FEATURES="$2" -D LINKAGE="$3" -D CXX="$cxx" -P "$source/test/package/recipes/vcpkg_steps.cmake"
}
listed=$(IFS=';' && echo "${parts[*]}")
vcpkg vcpkg "filters;tool;$listed" dynamic
[ -s "$work/vcpkg/package/share/utfilter/copyright" ]
use vcpkg "core;streams;utfilter;$listed" core_consumer streams_consumer filter_consumer
[ "$(LD_LIBRARY_PATH=$work/vcpkg/package/lib "$work/vcpkg/package/tools/utfilter/utfcat" --version | sed -n 1p)" = "utfcat (utfilter) $version" ]
vcpkg vcpkg-core "" static
use vcpkg-core core core_consumer
[ ! -e "$work/vcpkg-core/package/tools" ]
echo "$cases cases, 0 failed"
