#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Turns that fit the run: where --quantum says nothing they begin short and grow with it, by counts alone; pct has places in
# short runs, too; and 'run' takes every option of 'record'.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
build loops <<'C'
#include <pthread.h>
#include <stdlib.h>
static volatile int sums[2];
static int rounds;
static void *work(void *sum) {
    for (int i = 0; i < rounds; i++)
        ++*(volatile int *)sum;
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t t[2];
    rounds = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)&sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C

# turns ARGS…: the lengths of the turns of a recording, one a line.
turns() {
    rm -rf turns.d
    run 0 record -o turns.d "$@"
    run 0 trace schedule turns.d
    awk '!/^#/ && $1 != "thread" && $2 ~ /^[0-9]+$/ { print $2 - at[$1]; at[$1] = $2 }' out
}

turns ./loops >short
[ "$(wc -l <short)" -ge 10 ] || fail "a short run has few turns: $(tr '\n' ' ' <short)"
awk '$1 > 25 { exit 1 }' short || fail "a short run has long turns: $(tr '\n' ' ' <short)"
mv turns.d first.d
turns ./loops >again
cmp -s short again || fail "two runs take turns otherwise: $(cat short again)"
same_log first.d turns.d || fail "two runs of one schedule have other logs"

# A hundred times as long, and no hundred times as many turns; the last ones are longer than the first.
turns ./loops 10000 >long
[ "$(wc -l <long)" -lt $((40 * $(wc -l <short))) ] || fail "$(wc -l <short) turns, then $(wc -l <long)"
awk 'NR == 1 { first = $1 } $1 > last { last = $1 } END { exit !(last >= 2 * first) }' long || fail "turns do not grow: $(tr '\n' ' ' <long)"

# As --quantum says, from beginning to end; and as the limits say.
turns --quantum 1000000 ./loops >whole
[ "$(wc -l <whole)" -le 4 ] || fail "--quantum is not kept: $(cat whole)"
turns --quantum 7 ./loops 1000 >sevens
awk '$1 > 7 { exit 1 }' sevens || fail "--quantum 7: $(sort -n sevens | tail -n 1)"
rm -rf set.d
run 0 run --set first-turn=500 --model hb -o set.d ./loops
run 0 trace schedule set.d
[ "$(grep -vc '^thread\|^#' out)" -lt "$(wc -l <short)" ] || fail "first-turn=500 has as many turns as usual: $(cat out)"

# pct: a short run has places, and one at least in some thread's loop, whose turn it ends.
ends_within() { # SEED ARGS…: is a thread's turn over before the thread is?
    turns --schedule pct --depth 2 --seed "$1" "${@:2}" ./loops >lengths
    [ "$(wc -l <lengths)" -gt "$(wc -l <none)" ]
}
turns --schedule pct --depth 1 --length 600 --seed 1 ./loops >none
some=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    ! ends_within $seed || some=$((some + 1))
done
[ $some -ge 6 ] || fail "pct: in $some of 12 short runs a priority changes within them"
all=0
for seed in 1 2 3 4 5 6; do
    ! ends_within $seed --length 600 || all=$((all + 1))
done
[ $all -ge 1 ] || fail "pct --length: in $all of 6 runs a priority changes"

# Every option of 'record' is one of 'run', and reaches it.
"$RECIPE" record --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE '\-\-[a-z-]+' | sort -u >of_record
"$RECIPE" run --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE '\-\-[a-z-]+' | sort -u >of_run
[ -s of_record ] && [ -z "$(comm -23 of_record of_run)" ] || fail "'run' does not have: $(comm -23 of_record of_run)"
run 0 run --schedule pct --depth 5 --length 900 --seed 3 --log-values --model hb -o all.d ./loops
says all.d/run.json '"depth": 5' '"length": 900' '"log_values": true'
run 125 run --depth 5 -o none.d ./loops
says err '--depth goes with --schedule=pct'
