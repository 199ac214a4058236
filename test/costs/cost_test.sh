#!/usr/bin/env bash
# cost_test.sh [--record BUILD] PROGRAM COSTS DIRECTORY: runs cost_program under callgrind. Fails if a scenario costs
# more than the file COSTS says: one more allocation or call, 5 % more bytes, or 3 % more instructions. Lower costs pass; the
# script names those that are lower by more than a tenth, because they deserve a new record. --record writes COSTS
# instead; BUILD describes the compiler and its options. Afterwards DIRECTORY has a profile of each scenario.
#
# The kernels are always those for AVX2, because valgrind has no AVX-512, and the environment is empty. So all figures
# are the same in each run.
set -euo pipefail
record=
[[ $1 != --record ]] || { record=$2; shift 2; }
program=$1 costs=$2 directory=$3

rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"
env -i UTFILTER_KERNELS=avx2 valgrind --quiet --tool=callgrind --callgrind-out-file=profile "$program" > counts

# Names each profile by its scenario, and removes the calls that had not returned yet: callgrind_annotate takes these
# for work of main. The line "totals" may count such a call twice, so the instructions are those of the line "summary".
for profile in profile.*; do
  scenario=$(sed -n 's/^desc: Trigger: Client Request: //p' "$profile")
  sed '/^calls=0 /,+1d' "$profile" > "$scenario.profile"
  rm "$profile"
done
awk '
  /^summary:/ { instructions[FILENAME] = $2 }
  FILENAME == "counts" { printf "%s %12.3f\n", $0, instructions["./" $1 ".profile"] / $2 }
' ./*.profile counts > measured

if [[ $record ]]; then
  {
    cat << END
# costs.txt: the costs of common uses of the library: allocations and calls of a whole scenario; bytes copied and
# instructions (with the AVX2 kernels) for each byte, line or chain. test/costs/cost_counters.hpp says what is counted.
# Higher costs fail cost_test. A commit that needs higher costs records them again, and gives the reason:
#   cmake --build build/test-g++ --target record_costs
#
# Recorded with $record
#
END
    printf '%-42s %6s %-6s %11s %9s %5s %6s %7s %8s %12s\n' \
      '# scenario' for '' allocations allocated reads writes flushes copied instructions
    cat measured
  } > "$costs"
  echo "recorded: $costs"
  exit
fi

awk '
  function differ(name, what, old, new) {
    if (!differences++) printf "%-42s %-12s %12s %12s %7s\n", "scenario", "figure", "recorded", "measured", "ratio"
    printf "%-42s %-12s %12s %12s %7s\n", name, what, old, new, (old + 0 > 0 ? sprintf("%.3f", new / old) : "")
  }
  BEGIN { figure[2] = "size" }
  /^# scenario/ { for (i = 4; i <= 10; ++i) figure[i] = $i }
  /^#/ { next }
  FILENAME != "measured" { for (i = 2; i <= 10; ++i) recorded[$1, i] = $i; scenarios[$1]; next }
  !($1 in scenarios) { differ($1, "all", "-", "new"); next }
  {
    delete scenarios[$1]
    if ($2 != recorded[$1, 2]) differ($1, figure[2], recorded[$1, 2], $2)
    for (i = 4; i <= 10; ++i) {
      old = recorded[$1, i]
      if ($i > old * (figure[i] == "instructions" ? 1.03 : figure[i] ~ /allocated|copied/ ? 1.05 : 1)) differ($1, figure[i], old, $i)
      if ($i < old * 0.9) print $1 ": " figure[i] " is " $i " now; the record says " old
    }
  }
  END {
    for (name in scenarios) differ(name, "all", "old", "-")
    exit differences > 0
  }
' "$costs" measured || {
  cat << END

These cost more than $costs says. If that is necessary, record them, and give the reason in the commit:
  cmake --build ${directory%/test/costs/profiles} --target record_costs
If not, this command shows where the instructions are spent (compare with a build of the previous commit):
  callgrind_annotate $directory/SCENARIO.profile
END
  exit 1
}
echo "$(wc -l < measured) scenarios cost no more than recorded"
