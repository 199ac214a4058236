# setup.sh: what examples/run, test/run and test/cross need before they build. For sourcing, by bash.

# install_packages PACKAGE...: installs those that are missing, with apt-get; with sudo where we are not root. All it
# says goes to standard error; where it fails, the command to run by hand.
install_packages() {
  local package missing=() as_root=()
  if ! command -v dpkg-query > /dev/null; then
    echo "This is no Debian or Ubuntu: nothing is installed; needed is what they call $*" >&2
    return 0
  fi
  for package; do
    [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2> /dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    as_root=(sudo)
    if ! command -v sudo > /dev/null; then
      echo "Packages are missing, and here is neither root nor sudo. As root: apt-get install ${missing[*]}" >&2
      return 1
    fi
  fi
  echo "Installing ${missing[*]}" >&2
  # Standard input is for the files to read. An old or partial list of packages may do.
  "${as_root[@]}" apt-get update >&2 < /dev/null || echo "Warning: apt-get update failed; trying the lists that are there" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" \
    >&2 < /dev/null || {
    echo "These packages could not be installed. By hand: ${as_root:+sudo }apt-get install ${missing[*]}" >&2
    return 1
  }
}

# compiler_package CXX: the package of a compiler that has the name that Debian gives it, as g++-12, clang++ or
# clang++-16; of others g++.
compiler_package() {
  local name=${1##*/}
  case $name in
    clang++*) echo "${name/#clang++/clang}" ;;
    g++-*) echo "$name" ;;
    *) echo g++ ;;
  esac
}

# What UTFILTER_WARNINGS_AS_ERRORS in the environment says (default OFF) is passed to cmake. A compiler that is newer
# than this code may warn of what others take, which must stop nobody; CI, where it is ON, is strict with those that it
# has.
warnings=(-DUTFILTER_WARNINGS_AS_ERRORS="${UTFILTER_WARNINGS_AS_ERRORS:-OFF}")

# forget_moved_build BUILD SOURCE: makes BUILD unconfigured if it was configured for another directory than SOURCE, as
# in a checkout that was moved or copied.
forget_moved_build() {
  local configured_for
  configured_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2> /dev/null) || return 0
  [[ ! $configured_for -ef $2 ]] || return 0
  echo "$1 was configured for $configured_for; configuring it afresh" >&2
  rm -rf -- "$1"/{CMakeCache.txt,CMakeFiles,Makefile,build.ninja}
}
