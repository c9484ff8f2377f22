#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traps: programs without a race that a careless engine would report one in. No model may.
. "$(dirname "$0")/lib.bash"
n=0
for source in "$RECIPE_SOURCE_DIR"/tests/programs/clean/*.c; do
    name=$(basename "$source" .c)
    "$RECIPE" cc -O1 -g "$source" -o program -pthread
    for schedule in rr "random --seed 1 --quantum 5" "random --seed 2 --quantum 5" "pct --seed 3"; do
        rm -rf trace
        # shellcheck disable=SC2086
        "$RECIPE" record -o trace --schedule=$schedule ./program >out 2>err || fail "$name: recording failed: $(cat err)"
        run 0 trace check trace
        run 0 analyze trace
        says out "0 races"
    done
    n=$((n + 1))
done
[ $n -ge 2 ] || fail "only $n programs"
