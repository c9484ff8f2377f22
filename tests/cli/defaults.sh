#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe.opts and RECIPE_OPTIONS: each command takes the options that are its own, the later one wins, lists are of all; what is wrong
# there is said with its place, before anything is done.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
small_trace
run 0 trace import small.txt
run 1 analyze --model hb small.recipe

# opts LINES: of the project.
opts() { printf '%b\n' "$1" >recipe.opts; }
# with OPTIONS CODE ARGS…: as run, for a user with these.
with() {
    export RECIPE_OPTIONS=$1
    shift
    run "$@"
    unset RECIPE_OPTIONS
}
form() { head -c 1 out; } # '{': JSON, '<': JUnit

# --- who wins ---
opts '# a comment\n\n  --format=json  \n'
run 1 report small.recipe
[ "$(form)" = '{' ] || fail "recipe.opts is not read: $(cat out)"
with '--format=junit' 1 report small.recipe
[ "$(form)" = '<' ] || fail "RECIPE_OPTIONS does not win over recipe.opts: $(cat out)"
with '--format junit' 1 report --format text small.recipe
says out "1 race (1 predicted)"
opts '--format json' # as on the command line, with a blank
run 1 report small.recipe
[ "$(form)" = '{' ] || fail "a value behind a blank is not read: $(cat out)"
# the nearest file counts, from the directory in hand up; it is the project's, whatever is recorded elsewhere
mkdir -p deep/er
(cd deep/er && run 1 report ../../small.recipe && [ "$(form)" = '{' ]) || fail "no recipe.opts in a directory above"
printf '# ours\n' >deep/recipe.opts
(cd deep/er && run 1 report ../../small.recipe && [ "$(form)" != '{' ]) || fail "the nearest recipe.opts does not count"
rm -r deep

# --- lists are of all; paths of a file are from its directory on, those of the user from where he is ---
mkdir -p ci sub
printf 'race:locked\n' >ci/a.supp
printf 'race:nobody\n' >sub/b.supp
opts '--suppressions=ci/a.supp'
(cd sub && run 0 report ../small.recipe && says out "0 races, 1 suppressed" "race:locked ($work/ci/a.supp:1)") || fail "a path of recipe.opts"
(cd sub && with '--suppressions b.supp' 0 report --format json ../small.recipe && [ "$(jq -c '[.suppressions[].matched]' out)" = '[1,0]' ]) ||
    fail "lists are not of both"
(cd sub && with "--suppressions='b.supp'" 1 report --format json --suppressions "$work/none" ../small.recipe) 2>/dev/null &&
    fail "a file that is not there was read"
opts "--suppressions=$work/ci/a.supp"
(cd sub && run 0 report ../small.recipe) || fail "a path that is whole"
opts '--set steer-share=0\n--set solver-steps=7\n--set=explore-depth=3'
run 1 analyze --verbose --model hb small.recipe
says err "recipe: $work/recipe.opts:1: --set=steer-share=0" "recipe.opts:2: --set=solver-steps=7" "recipe.opts:3: --set=explore-depth=3"

# --- each takes its own, and leaves the others theirs ---
opts '--budget=60\n--exclude=third_party/*\n--log-values=*hash*\n-Wrecipe\n--jobs 1\n--witness=1'
run 0 trace stat small.recipe
silent err
run 1 analyze -v --model hb small.recipe
says err "recipe.opts:1: --budget=60" "recipe.opts:5: --jobs=1"
! grep -q 'exclude\|log-values\|Wrecipe\|witness' err || fail "analyze takes what is not its own: $(cat err)"
run 1 report -v small.recipe
says out "recipe witness 1"
says err "recipe.opts:6: --witness=1"
opts '--log-values\n--log-values=*sum*' # of 'record', which wants no value; of compilers, which want one
build one <<'C'
int main(void) { return 0; }
C
run 0 record -o one.d ./one
run 0 run -v -o two.d ./one
says err "recipe.opts:1: --log-values"
# and so for a compiler
opts '--exclude=helper'
cat >part.c <<'C'
#include <pthread.h>
static int x;
static void *helper(void *p) { x++; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, helper, 0);
    x++;
    return pthread_join(t, 0);
}
C
"$RECIPE" cc -g -O1 -pthread part.c -o part
run 0 run --report - -o part.d ./part
: >recipe.opts
RECIPE_OPTIONS='--exclude=helper --budget 60' "$RECIPE" cc -g -O1 -pthread part.c -o part
run 0 run --report - -o quiet.d ./part
"$RECIPE" cc -g -O1 -pthread part.c -o part
run 1 run --report - -o loud.d ./part
with '--suppressions=ci/none' 125 run -o never ./part
absent never
printf 'race:helper\n' >ci/none
with '--suppressions=ci/none' 0 run -o calm.d ./part
with '--strict --budget=60' 1 hunt -o hunted.d ./part

# --- what is wrong there: said with its place and what to do, before anything is done ---
cp small.recipe/results.db before
wrong() { # WORDS COMMAND…
    local words=$1
    shift
    run 2 "$@" small.recipe
    silent out
    says err "$words" "see 'recipe help $1'"
}
opts '--model=hb\n--bugdet=60' && wrong "$work/recipe.opts:2: '--bugdet=60' is no option of any command" analyze
says err "did you mean --budget?"
opts 'budget=60' && wrong "recipe.opts:1: 'budget=60' is no option" report
opts '-v' && wrong "recipe.opts:1: '-v' is no option of any command, with its long name" report
opts '--jobs' && wrong "recipe.opts:1: '--jobs' is no option of any command, with its long name and its value" report
opts '\n--jobs=0' && wrong "recipe.opts:2: --jobs 0: not a number of processes from 1 to 256" analyze
run 1 report small.recipe # whose option it is not
opts '--format=xml' && wrong "recipe.opts:1: --format takes one of" report
opts '--strict\n--strict' && wrong "recipe.opts:2: --strict is given twice" report
opts '--set nothing=1' && wrong "recipe.opts:1: --set " analyze
opts '--suppressions=' && wrong "recipe.opts:1: --suppressions needs a value" report
opts '# none'
export RECIPE_OPTIONS='--bugdet 60' && wrong "RECIPE_OPTIONS: '--bugdet=60' is no option of any command" analyze
export RECIPE_OPTIONS='sixty' && wrong "RECIPE_OPTIONS: 'sixty' is no option" report
export RECIPE_OPTIONS='--format=xml' && wrong "RECIPE_OPTIONS: --format takes one of" report
unset RECIPE_OPTIONS
cmp small.recipe/results.db before || fail "a mistake changed results"

# --- a file that lies in a directory does not say what is written or executed ---
for option in output=/tmp/x report=x save-smt2=x 'client=touch x' through=./x; do
    opts "--$option"
    case $option in output*) command="report small.recipe" ;; save*) command="analyze small.recipe" ;; *) command="run ./one" ;; esac
    run $([ "${command%% *}" = run ] && echo 125 || echo 2) $command
    says err "recipe.opts:1: --${option%%=*} says what is written or executed: give it on the command line"
    absent x
done
opts ''
with '--output=printed' 1 report small.recipe # the user's own
says printed "1 race (1 predicted)"
# help is there whatever the file says
opts '--nonsense'
run 0 help report
