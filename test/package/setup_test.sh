#!/usr/bin/env bash
# setup_test.sh SOURCE: tests install_packages of cmake/setup.sh with an apt-get that only writes down what it is asked.
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0 failed=0
check() {
  ((++cases))
  "${@:2}" || { ((++failed)) || true; echo "$1 does not hold: ${*:2}; it said:" >&2; cat "$work/said" >&2; }
}

# Of these, `there` is installed, `other` and `more` are not, and the distribution has no `gone`.
mkdir "$work/bin"
cat > "$work/bin/dpkg-query" << 'END'
#!/bin/sh
for package; do :; done
[ "$package" != there ] || echo installed
END
cat > "$work/bin/apt-cache" << 'END'
#!/bin/sh
[ "$2" != gone ]
END
cat > "$work/bin/apt-get" << 'END'
#!/bin/sh
echo "apt-get $*" >> "$ASKED"
case "$*" in *--assume-no*) ;; *gone*) echo "E: Unable to locate package gone" && exit 100 ;; esac
END
cat > "$work/bin/sudo" << 'END'
#!/bin/sh
exec "$@"
END
chmod +x "$work"/bin/*
export ASKED=$work/asked PATH=$work/bin:$PATH root
printf 'x | y |\n' > "$work/libraries.txt"

# installs MAY_LACK PACKAGE...: the status, the packages that are lacking, and those that apt-get was to install.
installs() {
  : > "$ASKED"
  bash -c 'set -euo pipefail; source "$root/cmake/setup.sh"; may_lack=$1
    status=0; install_packages "${@:2}" || status=$?
    echo "$status ${lacking[*]}"' - "$@" 2> "$work/said"
  sed -n 's/^apt-get install --no-install-recommends \(.*\) --yes$/\1/p' "$ASKED"
}
is() { [ "$(installs "${@:2}")" = "$1" ]; }
said() { grep -qF -- "$1" "$work/said"; }

check "nothing is missing" is "0 " "" there
check "nothing is missing: apt-get is not asked" [ ! -s "$ASKED" ]
check "a missing package" is "0 
other" "" there other
check "a package that there is not" is "1 
other gone" "" other gone
check "a package that there is not: what to do" said "By hand, run: "
check "a package that may be lacking" is "0 gone
other more" yes other gone there more
check "a package that may be lacking" said "This distribution lacks gone: what needs it is left out"
check "only that" is "0 gone" yes there gone
check "none lacks" is "0 
other" yes other

echo "$cases cases, $failed failed"
((failed == 0))
