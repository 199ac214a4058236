# setup.sh: functions that examples/run, test/run, tools/lint and similar scripts use before they build. Source it in
# bash, with the top folder of the checkout in $root.

# install_packages PACKAGE...: installs the missing packages with apt-get, and with sudo unless root runs the script.
# Says on standard error what it does and how much it installs. If it fails, it prints the output of apt-get and the
# command to run by hand. If may_lack is set, it leaves out the packages that the distribution does not have, says so, and
# adds them to the array `lacking`.
lacking=()
install_packages() {
  local package missing=() as_root=() apt_install said size
  if ! command -v dpkg-query > /dev/null; then
    echo "This is neither Debian nor Ubuntu, so nothing is installed. The needed packages, with Debian's names: $*" >&2
    return 0
  fi
  for package; do
    [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2> /dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    as_root=(sudo)
    if ! command -v sudo > /dev/null; then
      echo "Packages are missing, and you have neither root nor sudo. As root run: apt-get install ${missing[*]}" >&2
      return 1
    fi
  fi
  # Standard input is /dev/null, because the caller may read a text from its own standard input later. If the update
  # fails, an old or partial list of packages may be enough.
  echo "Reading Debian's lists of packages (apt-get update)" >&2
  said=$("${as_root[@]}" apt-get update 2>&1 < /dev/null) || {
    echo "$said" >&2
    echo "Warning: apt-get update failed; trying the lists that are there" >&2
  }
  if [[ ${may_lack-} ]]; then
    local known=()
    for package in "${missing[@]}"; do
      if apt-cache show "$package" > /dev/null 2>&1; then known+=("$package"); else lacking+=("$package"); fi
    done
    missing=("${known[@]}")
    ((${#lacking[@]} == 0)) || echo "This distribution lacks ${lacking[*]}: what needs it is left out" >&2
    ((${#missing[@]})) || return 0
  fi
  apt_install=(apt-get install --no-install-recommends "${missing[@]}")
  # How many packages that are and how large, as apt-get says it: in two sentences, or since version 3 in a table.
  size=$("${as_root[@]}" env LC_ALL=C "${apt_install[@]}" --assume-no 2>&1 < /dev/null | awk '
    / newly installed,/ { count = $3 }
    /^ *Upgrading: .* Installing: / { count = $4 + 0 }
    /^After this operation, .* will be used/ { size = $4 " " $5 }
    /^ *Space needed: / { size = $3 " " $4 }
    END { if (count && size) print count " packages, " size " on the disk" }') || true
  echo "Installing ${missing[*]} (apt-get install${size:+: $size}); this can take minutes" >&2
  said=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${apt_install[@]}" --yes 2>&1 < /dev/null) || {
    echo "$said" >&2
    echo "These packages could not be installed. By hand, run: ${as_root:+sudo }apt-get install ${missing[*]}" >&2
    return 1
  }
}

# compiler_package CXX: prints the package of a compiler with one of Debian's names, such as g++-12, clang++ or
# clang++-16; for any other name prints g++.
compiler_package() {
  local name=${1##*/}
  case $name in
    clang++*) echo "${name/#clang++/clang}" ;;
    g++-*) echo "$name" ;;
    *) echo g++ ;;
  esac
}

# What the whole library and nearly all of its tests need, besides a compiler.
mapfile -t test_packages < <(sed -n 's/^[^#|]*| \([^|]*\).*/\1/p' "$root/cmake/libraries.txt" | tr -s ' ' '\n' | sort -u)

# Passes the environment's UTFILTER_WARNINGS_AS_ERRORS (default OFF) to cmake. A compiler that is newer than this code
# may have new warnings, which must stop nobody. CI sets it to ON for the compilers that it uses.
warnings=(-DUTFILTER_WARNINGS_AS_ERRORS="${UTFILTER_WARNINGS_AS_ERRORS:-OFF}")

# How the quick tests are compiled: those that are worth optimising as much as shortens compiling and running together.
# (With -O1 g++ 12 warns of null pointers that never come.)
quick_tests=(-DUTFILTER_LONG_TESTS=OFF -DUTFILTER_BRIEF_TEST_OPTIONS=-O0 "-DUTFILTER_OPTIMISED_TEST_OPTIONS=-O1;-Wno-nonnull")

# choose_tests [TEST]...: sets three arrays of arguments for a build of these tests, or of all: `defining` for cmake,
# `building` for cmake --build, and `running` for ctest. The target utfcat counts as a test: utfcat_portable_test.
choose_tests() {
  defining=(-DUTFILTER_SOME_TESTS="$(IFS=';' && echo "$*")") building=() running=()
  (($# == 0)) || building=(--target some_tests) running=(--tests-regex "^($(IFS='|' && echo "$*"))(_portable_test)?$")
}

# forget_moved_build BUILD SOURCE: if BUILD was configured for another directory than SOURCE, because the checkout was
# moved or copied, removes the configuration from BUILD.
forget_moved_build() {
  local configured_for
  configured_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2> /dev/null) || return 0
  [[ ! $configured_for -ef $2 ]] || return 0
  echo "$1 was configured for $configured_for; configuring it afresh" >&2
  rm -rf -- "$1"/{CMakeCache.txt,CMakeFiles,Makefile,build.ninja}
}

# kept_folder NAME: prints a folder for what is expensive to make and is the same in each checkout. It is in the user's
# cache, or in UTFILTER_CACHE if that is set. If it cannot be written there, it is in the checkout's build folder.
kept_folder() {
  local folder=${UTFILTER_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/utfilter}/$1
  if ! mkdir -p "$folder" 2> /dev/null || [[ ! -w $folder ]]; then
    folder=$root/build/kept/$1
    mkdir -p "$folder"
  fi
  (cd "$folder" && pwd)
}

# use_compiler_cache COMPILER...: from now on these compilers, called by their names, keep their objects in ccache's
# cache and take them from there. Checkouts in different places share the objects: ccache sees only paths relative to
# $root, so temporary build folders should be below $root/build. Without ccache, or if its cache cannot be written, the
# compilers work as always. UTFILTER_COMPILER_CACHE=OFF has the same effect.
use_compiler_cache() {
  local compiler folder=$root/build/ccache cache
  [[ ${UTFILTER_COMPILER_CACHE-} != OFF ]] || return 0
  install_packages ccache || echo "Going on without ccache" >&2
  command -v ccache > /dev/null || return 0
  cache=$(ccache --get-config cache_dir)
  if ! mkdir -p "$cache/tmp" 2> /dev/null || [[ ! -w $cache || ! -w $cache/tmp ]]; then
    echo "Going on without ccache: $cache cannot be written" >&2
    return 0
  fi
  # CMake and b2 find the compilers in PATH. A link to ccache with a compiler's name works as that compiler.
  mkdir -p "$folder"
  for compiler; do ln -sfn "$(command -v ccache)" "$folder/$compiler"; done
  [[ :$PATH: == *:$folder:* ]] || export PATH=$folder:$PATH
  # The sloppiness: new files count as unchanged once their content is hashed, and precompiled headers are used.
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
}
