#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same seed gives the same log; other seeds give other schedules; a schedule can be followed again.
. "$(dirname "$0")/lib.bash"
build_counter

for policy in rr "random --seed 5 --quantum 30" "pct --seed 5 --length 4000"; do
    run 0 record -o first --schedule=$policy ./counter
    run 0 record -o second --schedule=$policy ./counter
    same_log first second || fail "two recordings with $policy differ"
    "$RECIPE" trace schedule first >schedule
    "$RECIPE" trace schedule second | cmp -s - schedule || fail "two schedules with $policy differ"
    rm -rf first second
done

for policy in random pct; do
    for seed in 1 2 3 4 5 6 7 8; do
        run 0 record -o "$policy.$seed" --schedule=$policy --seed $seed --quantum 50 ./counter
        "$RECIPE" trace schedule "$policy.$seed" | md5sum
    done | sort -u >schedules
    [ "$(wc -l <schedules)" -gt 1 ] || fail "eight seeds of $policy have one schedule"
done

# a recorded schedule, as a directory and as a text
run 0 record -o again --schedule=file:random.3 ./counter
same_log random.3 again || fail "the schedule of a directory is not followed"
run 0 trace schedule random.3 -o text
run 0 trace schedule random.3
cmp -s out text || fail "-o and standard output differ"
says text "thread 0.1" "thread 0.2" "0 " "0.1 " "0.2 "
run 0 record -o once-more --schedule=file:text ./counter
same_log random.3 once-more || fail "the schedule of a text is not followed"

# a long one: however much there is of it, nothing moves in the program's memory
run 0 record -o long --schedule=random --seed 1 --quantum 3 ./counter 2000
run 0 record -o long-again --schedule=file:long ./counter 2000
[ "$(stat -c %s long-again/config)" -gt 65536 ] || fail "the long schedule is short"
same_log long long-again || fail "a long schedule is not followed"

# one written by hand: all of the second thread before the first
printf '0 block\n0.2 block # first\n0.1 block\n' >by-hand
run 0 record -o by-hand.recipe --schedule=file:by-hand ./counter
"$RECIPE" trace schedule by-hand.recipe | grep -v '^thread' >steps
sed -n 2p steps | grep -q '^0.2 ' || fail "thread 0.2 was not first"
# schedules that are none
printf '0 1\nnonsense\n' >wrong
run 125 record --schedule=file:wrong ./counter
says err "wrong:2"
run 125 record --schedule=file:missing ./counter
says err "missing: can't be opened"
mkdir nothing
run 125 record --schedule=file:nothing ./counter
run 3 trace schedule nothing
run 3 trace schedule missing
