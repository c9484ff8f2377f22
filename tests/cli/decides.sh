#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs in which a value decides (tests/programs/predict): recipe-s proves the race that hb, shb and mc do not see, and none
# in the twin, where the other value decides otherwise.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/predict

n=0
take_part 3 programs "$programs"/*.c
for source in "${part[@]}"; do
    name=$(basename "$source" .c)
    for level in -O0 -O2; do
        for twin in "" -DTWIN; do
            # shellcheck disable=SC2086
            "$RECIPE" cc $level -g $twin "$source" -o program -pthread
            rm -rf trace
            "$RECIPE" record -o trace ./program >out 2>err || fail "$name $twin: recording failed: $(cat err)"
            [ "$(cat out)" = 1 ] || fail "$name $twin prints $(cat out)"
            run 0 trace check trace
            run 0 analyze --model hb,shb,mc trace
            if [ -z "$twin" ]; then
                run 1 analyze --model recipe-s trace
                says out "Race 1 on v" "1 race (1 predicted), 0 unproven, 0 undecided"
            else
                run 0 analyze --model recipe-s trace
                says out "0 races, 0 unproven, 0 undecided"
            fi
        done
    done
    n=$((n + 1))
done
[ $n -ge "$(least 8 3)" ] || fail "only $n programs"
