#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --solver=z3 with recipe and recipe+: the papers' guarded formula, asked about recorded runs. On the figures and programs
# of tests/programs/explore, on the traps tests/programs/clean/side_*.c and on small random programs it must find the
# races that the project's own solver finds, unless it says that it does not know; what it finds besides must be carried out
# by replay; and nothing that it finds may be refused by the checker.
#   OPINION_ONLY=NAME                    that program alone, and no small ones
#   OPINION_FIRST=1 OPINION_COUNT=4      which small programs
#   OPINION_KEEP=1                       goes on where one fails, and lists them
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
ulimit -c 0
small=${RECIPE%/*}/tests/small_programs

races() { # SOLVER MODEL: their places are in ./places.SOLVER
    local code=0
    rm -rf trace/results.db* trace/variants
    timeout 300 "$RECIPE" analyze --verbose --solver="$1" --model "$2" trace >"out.$1" 2>"err.$1" || code=$?
    [ $code -le 1 ] || fail "$name, $1, $2: exit code $code: $(cat "err.$1")"
    sed -n 's/^  \(read\|write\|rmw\|free\)   *\([^ ]*\) .*/\2/p' "out.$1" | paste - - |
        awk '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort -u >"places.$1"
}

complain() {
    [ -n "${OPINION_KEEP:-}" ] || fail "$1"
    echo "$1" >&2
    failed=$((failed + 1))
}

compare() { # MODEL: of ./trace; recipe+ before recipe
    races own "$1"
    races z3 "$1"
    ! grep -q 'bug of recipe' err.z3 || complain "$name, $1: refused: $(cat err.z3)"
    local missing more i knows=yes
    missing=$(comm -23 places.own places.z3 | grep -c . || true)
    more=$(comm -13 places.own places.z3 | grep -c . || true)
    ! grep -q 'does not know' err.z3 || knows=no
    # The runs of recipe go on wherever addresses lead once a branch has turned; for the formula that is recipe+.
    [ "$1" = recipe ] || { cp places.z3 places.all && knows_all=$knows; }
    if [ -n "$(comm -23 places.own places.z3 | comm -23 - places.all)" ] && [ $knows = yes ] && [ $knows_all = yes ]; then
        complain "$name, $1: the guarded formula lacks $(comm -23 places.own places.z3): $(cat err.z3)"
    fi
    for ((i = 1; more > 0 && i <= $(pairs out.z3 | wc -l); i++)); do # they must be races all the same
        timeout 120 "$RECIPE" replay trace $i >out 2>err && grep -q confirmed out ||
            complain "$name, $1: race $i, which only the guarded formula has, is not confirmed: $(cat out err)"
    done
    asked=$((asked + 1)) found=$((found + $(grep -c . places.z3 || true)))
    lacks=$((lacks + missing)) besides=$((besides + more))
    [ $knows = yes ] || unknown=$((unknown + 1))
}

record() { # NAME COMMAND…
    name=$1
    shift
    rm -rf trace
    timeout 60 "$RECIPE" record -o trace "$@" >out 2>err </dev/null || [ $? -ne 124 ]
}

summary() { echo "$1: $asked analyses, $found races, $lacks where it says that it does not know; $unknown with pairs unknown; $besides that the other has not"; }
reset() { asked=0 found=0 lacks=0 unknown=0 besides=0; }

failed=0
reset
programs=("$RECIPE_SOURCE_DIR"/tests/programs/{explore/*,figures/000-fig{1-locked,2,3,3-trap,6-locked},clean/side_*}.c)
part=("${programs[@]}")
[ "${OPINION_ONLY:-}" ] || take_part 4 programs "${programs[@]}"
for source in "${part[@]}"; do
    name=$(basename "$source" .c)
    [ "${OPINION_ONLY:-$name}" = "$name" ] || continue
    "$RECIPE" cc -O1 -g -w "$source" -o program -pthread
    record "$name" ./program || fail "$name: recording failed: $(cat err)"
    compare recipe+
    case $source in */clean/*) ;; *) compare recipe ;; esac
done
summary "programs"
[ $asked -ge "$(least 60 4)" ] || [ "${OPINION_ONLY:-}" ] || fail "only $asked analyses"

first=${OPINION_FIRST:-1} count=${OPINION_COUNT:-$(few 4 2 "small random programs")}
[ -z "${OPINION_ONLY:-}" ] || count=0
reset
for ((seed = first; seed < first + count; seed++)); do
    ! "$small" outcomes $seed | grep -qx deadlock || continue
    "$small" source $seed 1 >programs.c
    "$RECIPE" cc -O1 -g -w programs.c -o programs -pthread
    record "program $seed" --schedule random --seed $seed --quantum $((2 + seed % 7)) ./programs $seed || continue
    compare recipe+
done
summary "small programs"

# The question as a file.
if [ -z "${OPINION_ONLY:-}" ]; then
    "$RECIPE" cc -O1 -g "$RECIPE_SOURCE_DIR/tests/programs/figures/000-fig1-locked.c" -o program -pthread
    record "questions" ./program
    run 1 analyze --solver=z3 --save-smt2=queries --model recipe trace
    grep -q '(check-sat)' queries/pair1-recipe.smt2 || fail "the guarded question was not saved"
fi
[ $failed -eq 0 ] || fail "$failed analyses"
