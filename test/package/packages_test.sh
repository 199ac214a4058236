#!/usr/bin/env bash
# packages_test.sh CXX: tests the installed Debian packages, with every part: what Debian wants in each of them, the
# dependencies of a program that is linked with the libraries, and the static libraries of the parts.
set -euo pipefail
cxx=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'echo "packages_test.sh, line $LINENO: this does not hold: $BASH_COMMAND" >&2' ERR

for package in utfilter libutfilter-dev; do
  [ -s "/usr/share/doc/$package/copyright" ]
  gzip -dc "/usr/share/doc/$package/changelog.gz" | grep -q "^utfilter ($(dpkg-query -W -f '${Version}' "$package"))"
done
gzip -dc /usr/share/man/man1/utfcat.1.gz | grep -q '^[.]TH UTFCAT'

cat > "$work/icu.cpp" << 'END'
#include <utfilter/charset.hpp>
int main() { return utfilter::charset("Shift_JIS").name().empty(); }
END
cat > "$work/nfc.cpp" << 'END'
#include <utfilter/nfc.hpp>
int main() {
  const utfilter::normalize_nfc filter;
  return static_cast<int>(filter.report().errors);
}
END

# A program that is linked with a shared library depends on the name that the runtime package provides.
name=libutfilter$(dpkg-query -W -f '${Version}' utfilter | cut -d . -f 1,2)
mkdir "$work/debian"
echo 'Source: program' > "$work/debian/control"
for part in icu nfc; do
  # shellcheck disable=SC2046  # the flags are words
  "$cxx" -std=c++17 -Wl,--no-as-needed "$work/$part.cpp" $(pkg-config --cflags --libs "utfilter-$part") -o "$work/$part"
  "$work/$part"
  (cd "$work" && dpkg-shlibdeps -O "$part") | grep -qw "$name"

  # With the static libraries of utfilter the program needs none of its shared ones.
  flags=$(pkg-config --static --cflags --libs "utfilter-$part" | sed -E 's/-l(utfilter[a-z_]*)/-l:lib\1.a/g')
  # shellcheck disable=SC2086
  "$cxx" -std=c++17 "$work/$part.cpp" $flags -o "$work/static"
  "$work/static"
  [ -z "$(ldd "$work/static" | grep libutfilter)" ]
done
echo "the packages have all files, the dependencies and the static libraries"
