#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traps: programs without a race that a careless engine would report one in. No model may. Where a trap has a twin (it
# knows RACY), that one races, and is found in at least one run: the trap does not hold because nothing is seen there.
#   CLEAN_ONLY=NAME   that one alone
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
whole="rr --quantum 1000000" # one thread after the other
every=(rr "$whole" "random --seed 1 --quantum 5" "random --seed 5 --quantum 9" "pct --seed 3")

record() { # SCHEDULE
    rm -rf trace
    # shellcheck disable=SC2086
    timeout 60 "$RECIPE" record -o trace --schedule=$1 ./program >out 2>err || fail "$name: recording failed: $(cat err)"
}

# The witness of every race went through the code, too.
judged() {
    ! grep -q "does not go along\|could not be run along" out err || fail "$name: $(cat out err)"
}

springs() { # is a race found in one of the runs?
    local found=0 code
    for schedule in "${schedules[@]}"; do
        record "$schedule"
        code=0
        "$RECIPE" analyze trace >out 2>err || code=$?
        [ $code -le 1 ] || fail "$name, sprung: exit code $code: $(cat err)"
        judged
        found=$((found + code))
    done
    [ $found -ge 1 ] || fail "$name: sprung, and nothing is found"
}

n=0
take_part 4 traps "$RECIPE_SOURCE_DIR"/tests/programs/clean/*.c
[ -z "${CLEAN_ONLY:-}" ] || part=("$RECIPE_SOURCE_DIR/tests/programs/clean/$CLEAN_ONLY.c")
for source in "${part[@]}"; do
    name=$(basename "$source" .c)
    schedules=("${every[@]}")
    ! grep -q "record: rr" "$source" || schedules=("$whole") # other orders are not defined
    "$RECIPE" cc -O1 -g "$source" -o program -pthread -lm
    for schedule in "${schedules[@]}"; do
        record "$schedule"
        run 0 trace check trace
        run 0 analyze trace
        says out "0 races"
        judged
    done
    n=$((n + 1))
    if grep -q ONLY_RACY "$source"; then
        # shellcheck disable=SC2086
        "$RECIPE" cc -O1 -g -DRACY "$source" -o program -pthread -lm
        springs
    fi
done
[ $n -ge "$(least 20 4)" ] || [ "${CLEAN_ONLY:-}" ] || fail "only $n programs"
