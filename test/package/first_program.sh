#!/usr/bin/env bash
# first_program.sh PAGE FILE: writes the page's first block of C++ to the file.
set -euo pipefail
awk '$0 == "```" && inside { exit } inside { print; found = 1 } $0 == "```cpp" { inside = 1 } END { exit !found }' "$1" > "$2"
