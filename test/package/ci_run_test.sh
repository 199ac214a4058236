#!/usr/bin/env bash
# ci_run_test.sh SOURCE: tests .ci/run in a small repository, in which each command that it calls only says its name.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0 failed=0

# check WHAT COMMAND...
check() {
  ((++cases))
  "${@:2}" > "$work/checked" 2>&1 || { ((++failed)) || true; echo "$1 does not hold: ${*:2}" >&2; cat "$work"/{out,err} >&2; }
}
no() { ! "$@"; }

# The repository. A command fails if the file `fails` names it, and changes a tracked file if `changes` names it.
repository=$work/repository
mkdir -p "$repository"/{.ci,cmake,tools,test/{cluster,bench,fuzz,guessing}} "$work/bin"
cp "$source/.ci/run" "$repository/.ci/run"
cp "$source"/cmake/{setup.sh,libraries.txt} "$repository/cmake"
cat > "$work/command" << 'END'
#!/usr/bin/env bash
name=${0##*/repository/}
name=${name##*/bin/}
echo "$name $*" >> "$LOG"
[[ ! -e $LOG.changes || $(cat "$LOG.changes") != "$name" ]] || echo more >> tools/lint
[[ ! -e $LOG.fails || $(cat "$LOG.fails") != "$name" ]]
END
chmod +x "$work/command"
for command in tools/lint test/{run,sanitize,cross,windows,consumers,distributions,wasm,coverage,mutate,{cluster,bench,fuzz,guessing}/run}; do
  cp "$work/command" "$repository/$command"
done
for command in cmake ctest b2 apt-get; do cp "$work/command" "$work/bin/$command"; done
printf '#!/bin/sh\necho installed\n' > "$work/bin/dpkg-query"
chmod +x "$work/bin/dpkg-query"
echo /build/ > "$repository/.gitignore"
cd "$repository"
commit() { git -c user.name=test -c user.email=test@invalid commit --quiet --all --allow-empty --message "$1"; }
git init --quiet .
git add --all
commit first

# ci ARGUMENT...: runs .ci/run. Its output is in $work/out and $work/err, its status in $status, what it called in $LOG.
export LOG=$work/log
status=0
ci() {
  : > "$LOG"
  status=0
  PATH=$work/bin:$PATH UTFILTER_COMPILER_CACHE=OFF bash .ci/run "$@" > "$work/out" 2> "$work/err" < /dev/null || status=$?
}
exits() { ((status == $1)); }
called() { [[ $(cut -d ' ' -f 1 "$LOG" | sort -u | paste -sd ' ') == "$1" ]]; }
prints() { cat "$work/out" "$work/err" | grep -qF -- "$1"; }
lists() { grep -q "^  $1 " "$work/out"; }  # as missing
passed() { grep -q "^$1 $(git rev-parse 'HEAD^{tree}') " build/passed; }

ci --missing
check "at first all stages are missing" lists tests
check "at first all stages are missing" lists exhaustive
check "at first all stages are missing" prints "(first)"
check "--missing runs nothing" called ""

ci nonesuch
check "a name of no stage" exits 2
check "a name of no stage" prints "there is no stage nonesuch"
check "a name of no stage: the list of names" prints "  sanitizers "
ci lint nonesuch
check "a name of no stage, after a good one" called ""

ci lint
check "one stage" exits 0
check "one stage" called tools/lint
check "one stage" passed lint
check "one stage: the last line counts" prints "1 passed, 0 failed"
ci --missing
check "a stage that has passed is not missing" no lists lint
check "a stage that has not passed is missing" lists tests
check "the notes are no file of the repository" [ ! "$(git status --short)" ]

echo test/run > "$LOG.fails"
ci tests lint
check "a stage that fails" exits 1
check "a stage that fails ends the run" called test/run
check "a stage that fails is named" prints ".ci/run: tests failed"
check "a stage that fails" no passed tests
rm "$LOG.fails"

commit again
ci --missing
check "a commit with the same files: the stage has passed on these files" no lists lint
echo "# changed" >> test/wasm
ci --missing
check "uncommitted changes are said" prints "uncommitted changes"
check "uncommitted changes are said" prints test/wasm
ci lint tests debian
check "with uncommitted changes" exits 0
check "a stage of the last commit is not noted" prints "debian tests the last commit, not your changes"
commit changed
ci --missing
check "the change is committed: its stages have passed" no lists lint
check "the change is committed: its stages have passed" no lists tests
check "the change is committed: the stage of the last commit is missing" lists debian
echo more >> test/coverage
commit more
ci --missing
check "another change: its stages are missing" lists lint
echo new > new-file
ci lint
rm new-file
ci --missing
check "a stage that ran with another file has not passed" lists lint

echo tools/lint > "$LOG.changes"
ci lint
check "files that change during a stage" exits 0
check "files that change during a stage: it is not noted" prints "files changed while lint ran"
rm "$LOG.changes"
git checkout --quiet tools/lint

ci
check "all stages" exits 0
check "all stages" called "b2 cmake ctest test/bench/run test/consumers test/cross test/distributions test/run test/sanitize test/windows tools/lint"
check "all stages run, also those that have passed" grep -q tools/lint "$LOG"
check "all stages" prints "10 passed, 0 failed"
ci --missing
check "all stages have passed" prints "CI: all passed on"
check "all stages have passed, but not those before a release" lists mutation
ci wasm fuzz
check "stages before a release" called "test/fuzz/run test/wasm"
check "stages before a release" passed fuzz

cp -r "$repository" "$work/plain"
rm -rf "$work/plain/.git" "$work/plain/build"
cd "$work/plain"
ci lint
check "without git a stage runs" exits 0
check "without git nothing is noted, and this is said" prints "no git checkout"
ci --missing
check "without git nothing is known" exits 2

echo "$cases cases, $failed failed"
((failed == 0))
