#!/usr/bin/env bash
# optimised_test.sh BUILD SOURCE CXX: looks at the commands that compile the library as a part of another project: they
# optimise it, unless the user's configuration says otherwise. BUILD is a build directory, from which the other project
# takes what CMake knows of the compiler. That saves a second each time.
set -euo pipefail
build=$1 source=$(realpath "$2") cxx=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CMAKE_BUILD_TYPE CXXFLAGS
known=$(dirname "$(find "$build/CMakeFiles" -maxdepth 2 -name CMakeCXXCompiler.cmake | head -n 1)")
cases=0 failed=0

# configure OPTION...: configures the other project, without Boost.
configure() {
  rm -rf "$work/build"
  mkdir -p "$work/build/CMakeFiles"
  cp -r "$known" "$work/build/CMakeFiles/"
  cmake -S "$source/test/package/consumer" -B "$work/build" -DUTFILTER_SUBDIRECTORY="$source" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
}

# expect OPTION WHAT [CONFIGURATION]: the last -O of each command that compiles the library is OPTION; `none` stands for
# no -O. A generator of several configurations writes the name of one into the name of the object.
expect() {
  local found
  ((++cases))
  found=$(grep '"command".*src/\(codecs\|streams\)/' "$work/build/compile_commands.json" | { grep -F -e "${3-}" || true; } |
    while read -r command; do grep -oE ' -O[0-9a-z]*' <<< "$command" | tail -n 1 | grep . || echo none; done | tr -d ' ' | sort -u)
  [[ $found == "$1" ]] || { ((++failed)); echo "$2: the library is compiled with $found, not $1" >&2; }
}

configure -G "Unix Makefiles"
expect -O3 "no build type"
configure -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Debug
expect none "Debug"
configure -G "Unix Makefiles" -DCMAKE_CXX_FLAGS="-g -O1"
expect -O1 "an -O of the user's in CMAKE_CXX_FLAGS"
echo 'add_compile_options(-Os)' > "$work/options.cmake"
configure -G "Unix Makefiles" -DCMAKE_PROJECT_consumer_INCLUDE="$work/options.cmake"
expect -Os "an -O of the user's in add_compile_options"
if command -v ninja > /dev/null; then
  configure -G "Ninja Multi-Config"
  expect none "Debug of several configurations" /Debug/
  expect -O3 "Release of several configurations" /Release/
else
  echo "skipped: a generator of several configurations, because there is no ninja"
fi
echo "$cases cases, $failed failed"
((failed == 0))
