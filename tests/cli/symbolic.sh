#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The papers' figures as C programs, recorded: their symbolic traces are tests/golden/symbolic/*.txt, whatever the optimiser
# does, and hb finds a race in those alone that have one in the order that was recorded.
#   tests/cli/symbolic.sh --update    writes the golden files anew
. "$(dirname "$0")/lib.bash"
golden=$RECIPE_SOURCE_DIR/tests/golden/symbolic
cp "$RECIPE_SOURCE_DIR"/tests/programs/figures/* .

# What is the same on every machine: threads, variables, events and their terms, no addresses.
symbolic() {
    "$RECIPE" trace dump "$1" | grep -v '^\(fact\|string\|loc\|reach\|image\) ' |
        sed 's/0x[0-9a-f]\{6,\}/0x…/g'
}

n=0
for source in [0-9]*.c; do
    name=${source%.c}
    take_part 3 "levels of optimisation" -O0 -O1 -O2
    for level in "${part[@]}"; do
        "$RECIPE" cc $level -g "$source" -o figure -pthread
        rm -rf trace
        "$RECIPE" record -o trace ./figure >out 2>err || fail "$name: recording failed: $(cat err)"
        run 0 trace check trace
        symbolic trace >"$name.txt"
        [ "${1:-}" != --update ] || cp "$name.txt" "$golden/$name.txt"
        diff "$golden/$name.txt" "$name.txt" >difference || fail "$name at $level: $(cat difference)"
        expected=0
        [ "$name" != 000-fig3 ] || expected=1
        run $expected analyze --model hb trace
    done
    n=$((n + 1))
done
[ $n -ge 7 ] || fail "only $n figures"
