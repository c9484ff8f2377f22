#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that once had wrong terms: at the values that were recorded, and where reads are changed, runs go as the terms
# say (tests/prop/terms).
. "$(dirname "$0")/lib.bash"
check_terms=${RECIPE%/*}/tests/check_terms
ulimit -v unlimited
for source in "$RECIPE_SOURCE_DIR"/tests/programs/terms/*.c; do
    for level in -O0 -O2; do
        "$RECIPE" cc $level -g -w "$source" -o program -pthread
        for quantum in 7 100000; do
            rm -rf dir
            "$RECIPE" record -o dir --quantum "$quantum" ./program >out 2>err || fail "$source: $(cat err)"
            "$check_terms" --changes 60 dir >said || fail "$source $level, quantum $quantum: $(cat said)"
            says said "wrong 0"
        done
        # where values are unknown they are not wrong either
        for limit in symbolic-reads=1 symbolic-depth=1 symbolic-terms=20; do
            rm -rf dir/events.rcp
            "$check_terms" --changes 6 --set symbolic-plenty=0 --set $limit dir >said || fail "$source $level, $limit: $(cat said)"
            says said "wrong 0"
        done
    done
done
