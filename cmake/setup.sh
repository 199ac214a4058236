# setup.sh: what a fresh Debian or Ubuntu lacks. For sourcing, by bash.

# install_packages PACKAGE...: installs those that are missing, with apt-get; with sudo where we are not root. All it says goes
# to standard error.
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
  ((EUID == 0)) || as_root=(sudo)
  echo "Installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" >&2
}
