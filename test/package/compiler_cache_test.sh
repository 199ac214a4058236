#!/usr/bin/env bash
# compiler_cache_test.sh SOURCE CXX: tests use_compiler_cache of cmake/setup.sh. Checkouts in different places share
# objects, a changed header is seen, and a cache that is absent, full or cannot be written makes builds slower, but not
# wrong.
set -euo pipefail
source=$1 cxx=$(command -v "$(basename "$2")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0 failed=0

# check WHAT COMMAND...
check() {
  ((++cases))
  "${@:2}" > "$work/checked" 2>&1 || { ((++failed)) || true; echo "$1 does not hold: ${*:2}" >&2; cat "$work"/{checked,said} >&2; }
}

# Two checkouts.
mkdir -p "$work/bin" "$work"/{first,second}/{include,src,build}
# The real compiler, and not a link to ccache that a caller of this test has put into PATH.
for found in $(type -ap "$(basename "$cxx")"); do
  [[ $(readlink -f "$found") == */ccache ]] || { cxx=$found && break; }
done
ln -s "$cxx" "$work/bin/g++"
for root in "$work"/{first,second}; do
  echo '#define VALUE 1' > "$root/include/value.hpp"
  printf '#include <value.hpp>\n#include <cstdio>\nint main() { std::printf("%%d", VALUE); }\n' > "$root/src/main.cpp"
done

# prints CHECKOUT EXPECTED: compiles the program as test/run does, in a shell of its own, and compares what it prints.
compile() {
  root=$work/$1
  rm -rf "$root/build" && mkdir "$root/build"
  PATH=$work/bin:$PATH
  source "$source/cmake/setup.sh"
  install_packages() { [[ ! ${uninstallable-} ]]; }
  use_compiler_cache g++ 2> "$work/said"
  cd "$root/build"
  g++ -g -I "$root/include" -MD -c "$root/src/main.cpp" -o main.o
  g++ main.o -o main
  [[ $(./main) == "$2" ]]
}
prints() { bash -euo pipefail -c 'compile "$@"' - "$@"; }
export -f compile prints && export source work
hits() { [[ $(ccache --print-stats | awk '/^(direct_cache_hit|preprocessed_cache_hit)\t/ { n += $2 } END { print n + 0 }') == "$1" ]]; }

unset "${!CCACHE_@}" UTFILTER_COMPILER_CACHE
export CCACHE_DIR=$work/cache
: > "$work/said"
check "a first checkout compiles" prints first 1
check "a first checkout compiles: nothing is cached" hits 0
check "the same checkout finds its object" prints first 1
check "the same checkout finds its object" hits 1
check "a checkout in another place finds the object" prints second 1
check "a checkout in another place finds the object" hits 2
echo '#define VALUE 2' > "$work/second/include/value.hpp"
check "a changed header is seen" prints second 2
check "a changed header is seen" hits 2
check "the other checkout still has the old header" prints first 1

export UTFILTER_COMPILER_CACHE=OFF
check "a cache that is turned off" prints first 1
check "a cache that is turned off" hits 3
unset UTFILTER_COMPILER_CACHE

export CCACHE_DIR=$work/file/cache
touch "$work/file"
check "a cache that cannot be written" prints first 1
check "a cache that cannot be written is named" grep -q "without ccache: $work/file/cache cannot be written" "$work/said"
export CCACHE_DIR=$work/small CCACHE_MAXSIZE=1
check "a cache that is full" prints first 1
check "a cache that is full, again" prints first 1
unset CCACHE_MAXSIZE
# A full disk, where this user can mount one.
as_root=(unshare --mount) && ((EUID == 0)) || as_root=(unshare --mount --user --map-root-user)
mkdir "$work/disk"
export CCACHE_DIR=$work/disk/cache
if "${as_root[@]}" mount -t tmpfs tmpfs "$work/disk" 2> /dev/null; then
  on_full_disk() { "${as_root[@]}" bash -c 'mount -t tmpfs -o size=16k tmpfs "$work/disk" && prints first 1'; }
  check "a cache on a full disk" on_full_disk
else
  echo "skipped: a full disk, because no file system can be mounted here"
fi

# Without ccache: only the other programs that are needed are in PATH.
mkdir "$work/without"
for program in bash mkdir ln rm basename cat as ld collect2; do
  ! path=$(command -v "$program") || ln -sf "$path" "$work/without/$program"
done
without() { PATH=$work/without uninstallable=yes prints first 1; }
check "no ccache" without
check "no ccache: this is said" grep -q "Going on without ccache" "$work/said"

echo "$cases cases, $failed failed"
((failed == 0))
