#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs whose races lie on ways that the recorded run did not take (tests/programs/explore, and the figures of seed 000):
# recipe-s, recipe and recipe+ prove as many as each says, each model all that the one before it proves, and every race
# is carried out on the program.
#   EXPLORE_ONLY=NAME   that one alone
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

races() { # MODEL: how many it proves; their places are in ./places.MODEL
    rm -rf trace/results.db* trace/variants
    "$RECIPE" analyze --model "$1" trace >out 2>err || [ $? -eq 1 ] || fail "$name, $1: $(cat err)"
    ! grep -q "does not go along\|could not be run along" out err || fail "$name, $1: $(cat out err)"
    sed -n 's/^  \(read\|write\|rmw\) *\([^ ]*\) .*/\2/p' out | paste - - | sort -u >"places.$1"
    pairs out | wc -l
}

check() { # SOURCE S R P
    name=$(basename "$1" .c)
    [ "${EXPLORE_ONLY:-$name}" = "$name" ] || return 0
    "$RECIPE" cc -O1 -g "$1" -o program -pthread
    rm -rf trace
    # one thread after the other: more is seen otherwise, and less is left to be explored
    timeout 60 "$RECIPE" record --quantum 1000000 -o trace ./program >out 2>err || fail "$name: recording failed: $(cat err)"
    local before= model wanted=("$2" "$3" "$4") i=0 got
    for model in recipe-s recipe recipe+; do
        got=$(races $model)
        [ "$got" = "${wanted[i]}" ] || fail "$name: $model proves $got races, not ${wanted[i]}: $(cat out)"
        [ -z "$before" ] || ! comm -23 "places.$before" "places.$model" | grep . || fail "$name: $before proves what $model does not"
        before=$model
        i=$((i + 1))
    done
    for ((i = 1; i <= got; i++)); do
        timeout 120 "$RECIPE" replay trace $i >out 2>err || fail "$name: race $i is not confirmed: $(cat out err)"
        says out "confirmed"
    done
    n=$((n + 1))
    all=$((all + got))
}

n=0 all=0
take_part 3 programs "$RECIPE_SOURCE_DIR"/tests/programs/explore/*.c
[ -z "${EXPLORE_ONLY:-}" ] || part=("$RECIPE_SOURCE_DIR"/tests/programs/explore/*.c)
for source in "${part[@]}"; do
    # shellcheck disable=SC2046
    check "$source" $(sed -n 's/.*races: \([0-9 ]*\).*/\1/p' "$source")
done
figures=$RECIPE_SOURCE_DIR/tests/programs/figures
check "$figures/000-fig1-locked.c" 1 2 2
check "$figures/000-fig2.c" 1 1 1
check "$figures/000-fig3.c" 3 3 3
check "$figures/000-fig3-trap.c" 0 0 0
check "$figures/000-fig6-locked.c" 1 1 1
check "$figures/001-fig2.c" 1 2 2
[ $n -ge "$(least 14 2)" ] || [ "${EXPLORE_ONLY:-}" ] || fail "only $n programs"

# Seed 000, Figure 4: both sides of Figure 1's branch as terms, the one that was taken and the other.
#   tests/cli/explore.sh --update    writes the golden file anew
[ "${EXPLORE_ONLY:-}" ] || {
    EXPLORE_ONLY=000-fig1-locked check "$figures/000-fig1-locked.c" 1 2 2
    for side in trace trace/variants/*; do
        "$RECIPE" trace dump --thread T2 "$side" | sed 's/ @ .*//'
        echo
    done >fig4.txt
    [ "${1:-}" != --update ] || cp fig4.txt "$RECIPE_SOURCE_DIR/tests/golden/explore/000-fig4.txt"
    diff "$RECIPE_SOURCE_DIR/tests/golden/explore/000-fig4.txt" fig4.txt || fail "Figure 4 is another"
}

# What was not looked at is said, by the reason.
[ "${EXPLORE_ONLY:-}" ] || {
    "$RECIPE" cc -O1 -g "$RECIPE_SOURCE_DIR/tests/programs/clean/side_opaque.c" -o program -pthread
    rm -rf trace
    "$RECIPE" record -o trace ./program >out 2>err
    run 0 analyze --verbose --model recipe trace
    says err "goes another way"
    run 0 report --format json trace
    says out '"opaque call": 1' '"rejected": {'
    [ ! -e trace/variants ] || fail "variants without a race are left"
}
echo "$n programs, $all races, all confirmed"
