# setup.sh: functions that examples/run, test/run, tools/lint and similar scripts use before they build. Source it in
# bash.

# install_packages PACKAGE...: installs the missing packages with apt-get, and with sudo unless root runs the script.
# All messages go to standard error. If the function fails, it prints the command to run by hand.
install_packages() {
  local package missing=() as_root=()
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
  echo "Installing ${missing[*]}" >&2
  # Standard input is /dev/null, because the caller may read a text from its own standard input later. If the update
  # fails, an old or partial list of packages may be enough.
  "${as_root[@]}" apt-get update >&2 < /dev/null || echo "Warning: apt-get update failed; trying the lists that are there" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" \
    >&2 < /dev/null || {
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

# Passes the environment's UTFILTER_WARNINGS_AS_ERRORS (default OFF) to cmake. A compiler that is newer than this code
# may have new warnings, which must stop nobody. CI sets it to ON for the compilers that it uses.
warnings=(-DUTFILTER_WARNINGS_AS_ERRORS="${UTFILTER_WARNINGS_AS_ERRORS:-OFF}")

# forget_moved_build BUILD SOURCE: if BUILD was configured for another directory than SOURCE, because the checkout was
# moved or copied, removes the configuration from BUILD.
forget_moved_build() {
  local configured_for
  configured_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2> /dev/null) || return 0
  [[ ! $configured_for -ef $2 ]] || return 0
  echo "$1 was configured for $configured_for; configuring it afresh" >&2
  rm -rf -- "$1"/{CMakeCache.txt,CMakeFiles,Makefile,build.ninja}
}
