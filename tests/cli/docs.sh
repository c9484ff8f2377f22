#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages for whoever works on this say what is there: files that CONTRIBUTING and the glossary name exist, and so does every
# test that docs/testing.md sets against a rule; no mutant and no trap is missing there. Pages that were written to be read
# have no line of 120 columns. (tests/cli/install.sh looks after links.)
. "$(dirname "$0")/lib.bash"
cd "$RECIPE_SOURCE_DIR"

# What a page names in backquotes that has a slash: a file, a folder or a pattern of files. What stands for a name that the
# reader chooses has a word in capitals.
files() { # PAGE
    grep -o '`[^` ]*`' "$1" | tr -d '`' | grep / | grep -v '^[-/$]\|^build/\|^http\|[=<>|:…(]\|DIR\|NAME' | sort -u
}
exists() { # NAME
    local at
    for at in . src src/program src/predict; do
        ! compgen -G "$at/${1%/}" >/dev/null || return 0
    done
    return 1
}
for page in CONTRIBUTING.md docs/glossary.md; do
    n=0
    for name in $(files $page); do
        exists "$name" || fail "$page: there is no $name"
        n=$((n + 1))
    done
    [ $n -ge 40 ] || fail "$page names only $n files"
done

table=$(sed -n '/^## Which test guards which rule/,$p' docs/testing.md)
for mutant in $(grep -o 'M([A-Z_]*)' src/predict/facts/mutant.h | sed 's/M(\(.*\))/\1/'); do
    grep -q "\`$mutant\`" <<<"$table" || fail "docs/testing.md: which rule is the mutant $mutant of?"
done
for trap in tests/programs/clean/*.c; do
    name=$(basename "$trap" .c)
    case $name in side_* | out_* | call_* | time_*) name=${name%%_*}_\\* ;; esac
    grep -q "\`$name\`" <<<"$table" || fail "docs/testing.md: which rule is the trap $name of?"
done
sed -n 's/^START_TEST(\(.*\)) {/\1/p' tests/unit/test_*.c >"$work/tests"
n=0
for name in $(grep '^| [A-Z][0-9 ]' <<<"$table" | cut -d'|' -f3 | sed 's/golden `[^`]*`//g' | grep -o '`[a-z0-9_]*\**`' | tr -d '`'); do
    grep -q "^${name/\*/.*}\$" "$work/tests" || fail "docs/testing.md: there is no test $name"
    n=$((n + 1))
done
[ $n -ge 40 ] || fail "docs/testing.md names only $n tests beside rules"

for page in CONTRIBUTING.md CHANGELOG.md docs/{glossary,debugging,decisions,reexecution,prediction,tutorial,from-tsan,from-helgrind,models,benchmarks,faq,limits-of-sight}.md; do
    ! grep -nE '^.{120,}$' $page >"$work/long" || fail "$page has long lines: $(cut -c1-60 "$work/long")"
done
