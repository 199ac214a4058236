#!/usr/bin/env bash
# options_test.sh CXX SOURCE: tests the configuration by cmake: the default, with options, and with missing libraries.
set -euo pipefail
cxx=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CMAKE_BUILD_TYPE CXXFLAGS
cases=0 failed=0

# configure OPTION...: configures a new build directory. Writes cmake's output to $work/said, the targets to
# $work/targets.
configure() {
  rm -rf "$work/build"
  cmake -S "$source" -B "$work/build" -G "Unix Makefiles" -DCMAKE_CXX_COMPILER="$cxx" "$@" > "$work/said" 2>&1 || return 1
  cmake --build "$work/build" --target help > "$work/targets"
}

# check WHAT COMMAND...
check() {
  ((++cases))
  "${@:2}" > "$work/checked" 2>&1 || { ((++failed)) || true; printf '%s\n' "$1 does not hold: ${*:2}" >&2; cat "$work/said" >&2; }
}
builds() { grep -qx "[.]\{3\} $1" "$work/targets"; }
no() { ! "$@"; }
says() { tr -s '\n ' '  ' < "$work/said" | grep -qF "$1"; }  # cmake wraps errors
tests() { ctest --test-dir "$work/build" -N | grep -qx "Total Tests: $1"; }

# FindBoost finds only the headers, as if nothing else of Boost were installed. Boost's own CMake files are not used.
mkdir "$work/headers"
ln -s "$(cd "$(dirname "$(echo '#include <boost/version.hpp>' | "$cxx" -E -x c++ - | sed -n 's/^# 1 "\(.*version[.]hpp\)".*/\1/p' |
  head -n 1)")" && pwd)" "$work/headers/boost"
headers=(-DBoost_NO_BOOST_CMAKE=ON -DBoost_NO_SYSTEM_PATHS=ON -DBOOST_INCLUDEDIR="$work/headers")
missing=(-DCMAKE_DISABLE_FIND_PACKAGE_{ICU,Iconv,PkgConfig,Poco,Python3,fmt,glog,log4cplus,spdlog}=ON -DGDB=OFF -DDOXYGEN=OFF)

check "a plain build" configure
check "a plain build" builds utfcat
check "a plain build" no builds relay
check "a plain build" no builds text_test
check "a plain build" tests 0
check "a plain build says no more than it must" no says "was not found"

check "a plain build: warnings are no errors" no grep -rq --include=flags.make -e -Werror "$work/build"
check "Boost's headers alone" configure "${headers[@]}"
check "Boost's headers alone" builds utfilter_core
check "Boost's headers alone" builds utfilter_streams
check "Boost's headers alone" no builds utfcat
check "Boost's headers alone" says "utfilter: utfcat is not built: Boost::iostreams was not found (Debian: libboost-iostreams-dev)"
check "Boost's headers alone: the filters are there" no says "no filters"
check "Boost's headers alone, with tests" configure "${headers[@]}" -DUTFILTER_BUILD_TESTS=ON
check "Boost's headers alone, with tests" builds decoder_test
check "Boost's headers alone, with tests" no builds chain_test

# glog's CMake files fail like this where LLVM's libunwind is installed.
mkdir "$work/glog"
echo 'include(CMakeFindDependencyMacro)
find_dependency(Unwind 1.6.2)' > "$work/glog/glogConfig.cmake"
check "glog without its libunwind" configure -DUTFILTER_BUILD_EXAMPLES=ON -Dglog_DIR="$work/glog"
check "glog without its libunwind" no builds logging_glog
check "glog without its libunwind" says "logging_glog is not built: glog::glog was not found (Debian: libunwind-dev; libgoogle-glog-dev is there"

check "tests under BUILD_TESTING=OFF" configure -DUTFILTER_BUILD_TESTS=ON -DBUILD_TESTING=OFF
check "tests under BUILD_TESTING=OFF" no builds text_test
check "tests under BUILD_TESTING=OFF" tests 0
check "BUILD_TESTING alone" configure -DBUILD_TESTING=ON
check "BUILD_TESTING alone" no builds text_test
check "warnings as errors" configure -DUTFILTER_WARNINGS_AS_ERRORS=ON
check "warnings as errors" grep -rq --include=flags.make -e -Werror "$work/build"

check "tests without libraries" configure "${missing[@]}" -DUTFILTER_BUILD_TESTS=ON
check "tests without libraries" builds chain_test
check "tests without libraries" builds logging_boost_test
while read -r name library; do
  package=$(sed -n "s/^$library *| \\([^|]*[^| ]\\).*/\\1/p" "$source/cmake/libraries.txt")
  check "tests without libraries" no builds "$name"
  check "tests without libraries" grep -qxF -- "-- utfilter: $name is not built: $library was not found (Debian: ${package:-gdb})" "$work/said"
done << END
shift_jis Iconv::Iconv
logging_spdlog spdlog::spdlog
logging_glog glog::glog
boundary_corpus Python3::Interpreter
gdb_test gdb
compressors_test PkgConfig::COMPRESSION
parsers_test PkgConfig::PARSERS
doc_test Python3::Interpreter
logging_spdlog_test spdlog::spdlog
printable_fmt_test fmt::fmt
$(sed -n 's,^// build: needs:\([^ ]*\).*,\1,p' "$source"/test/logging/recipe_*_test.cpp |
  paste -d ' ' <(basename -as .cpp "$source"/test/logging/recipe_*_test.cpp) - | grep -v Boost)
END
check "tests without libraries" grep -qxF -- "-- utfilter: text_test is not built: utfilter_oracles was not found" "$work/said"

check "all tests, without libraries" no configure "${missing[@]}" -DUTFILTER_BUILD_TESTS=ON -DUTFILTER_REQUIRE_ALL=ON
check "all tests, without libraries" says "utfilter: gdb_test is not built: gdb was not found (Debian: gdb)"
check "all tests, without libraries" says "utfilter: logging_glog_test is not built: glog::glog was not found (Debian: libgoogle-glog-dev)"

# Debian's tools learn from this file on which package a program depends: each shared library must be in it.
check "shared libraries" configure -DBUILD_SHARED_LIBS=ON -DUTFILTER_INSTALL_STATIC=ON
libraries=$(sed -n 's/^[.]\{3\} utfilter_\(.*\)_static$/\1/p' "$work/targets" | sort)
listed=$(sed 's/^libutfilter_\{0,1\}//; s/ .*//; s/^$/core/' "$work/build/packages/shlibs" | sort)
check "shared libraries: there are some" grep -qx streams <<< "$libraries"
check "shared libraries: packages/shlibs lists each" [ "$listed" = "$libraries" ]

echo "$cases cases, $failed failed"
((failed == 0))
