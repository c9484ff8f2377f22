#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two judges of one witness, the trace's checker and the code itself: of every trap the schedule in which T2 runs first,
# up to its read of v, and then T1 up to its write. The traps close by what is read: both refuse it. The twins race: what
# the checker accepts, the code goes along.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# The schedule of the trace on standard input: main until both threads are there, T2, T1. Nothing: there is no such pair.
schedule() {
    awk '
        { sub(/^e[0-9]+: /, "") }
        $1 !~ /^T[0-9]+$/ { next }
        { at = n[$1]++ }
        $2 == "fork" && ++forks == 2 { main = at + 1 }
        $1 == "T1" && $2 == "w" && $3 == "v" && one == "" { one = at }
        $1 == "T2" && $2 == "r" && $3 == "v" && two == "" { two = at }
        END {
            if (one == "" || two == "" || main == "") exit
            print "recipe witness 1"
            print "T0 to " main; print "T2 to " two; print "T1 to " one
            print "race T1 " one " T2 " two
        }'
}

# verdict RULE: accepted or refused
verdict() {
    local code=0
    "$RECIPE" trace check --witness witness --values="$1" trace >out 2>err || code=$?
    [ $code -le 1 ] || fail "$name: --values=$1: exit code $code: $(cat out err)"
    [ $code -eq 0 ] && echo accepted || echo refused
}

refused=0 accepted=0
take_part 3 traps "$RECIPE_SOURCE_DIR"/tests/programs/clean/*.c
for source in "${part[@]}"; do
    for twin in "" -DRACY; do
        name="$(basename "$source" .c) $twin"
        [ ! "$twin" ] || grep -q ONLY_RACY "$source" || continue
        "$RECIPE" cc -O1 -g $twin "$source" -o program -pthread -lm
        rm -rf trace
        timeout 60 "$RECIPE" record -o trace ./program >out 2>err || fail "$name: recording failed: $(cat err)"
        run 0 trace check trace
        "$RECIPE" trace dump trace | schedule >witness
        [ -s witness ] || continue
        first=$(verdict relaxed) reason=$(cat out) second=$(verdict code)
        case "$first $second" in
        "accepted accepted") accepted=$((accepted + 1)) ;;
        "refused refused") refused=$((refused + 1)) ;;
        "refused accepted") # for what the code does not know: locks, waits, the order of calls outside
            [ "$twin" ] || ! echo "$reason" | grep -q "branch\|address\|comparison" ||
                fail "$name: the code accepts what the checker refuses: $reason" ;;
        *) fail "$name: the checker accepts what the code refuses: $(cat out)" ;;
        esac
        [ ! "${CONCRETE_SHOW:-}" ] || echo "$name: $first $second: $(cat out)"
    done
done
[ $refused -ge "$(least 8 3)" ] && [ $accepted -ge "$(least 3 3)" ] || fail "only $refused refused and $accepted accepted by both"
