#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# analyze -v: how often what is dear was done. One analysis loads the trace once and makes facts and forced writes once,
# whatever models are run; where nothing is flagged and nobody predicts, it loads nothing. --events bounds what is
# loaded, and changes nothing about races that the orders find behind it. What is shared is found out once for a
# recording, and once more only where the file that has it is gone, damaged, or of other limits.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# count WHAT: of the run itself
count() { sed -n "s/.*done for the run.*[ ,]$1: \([0-9]*\).*/\1/p" err; }
expect() { # expect WHAT N
    [ "$(count "$1")" = "$2" ] || fail "$args: $1: $(count "$1") instead of $2: $(grep 'done for' err)"
}

cat >racy.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;
static void *one(void *a) {
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&m);
        z += i;
        pthread_mutex_unlock(&m);
    }
    x = 1;
    if (y)
        x = 2;
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&m);
        z -= i;
        pthread_mutex_unlock(&m);
    }
#ifndef CLEAN
    y = x;
#endif
    pthread_join(t, 0);
    return 0;
}
END
"$RECIPE" cc -O0 -g -pthread racy.c -o racy
"$RECIPE" cc -O0 -g -pthread -DCLEAN racy.c -o clean
"$RECIPE" record -o racy.trace ./racy >out 2>err || fail "$(cat err)"
"$RECIPE" record -o clean.trace ./clean >out 2>err || fail "$(cat err)"

for args in "racy.trace" "--jobs 2 racy.trace" "--model hb,mc racy.trace"; do
    rm -f racy.trace/results.db
    # shellcheck disable=SC2086
    run 1 analyze -v $args
    expect "loads of the trace" 1
    expect "run facts" 1
    expect "forced writes" 1
done
args="--model hb,wdp clean.trace"
# shellcheck disable=SC2086
run 0 analyze -v $args
for what in "loads of the trace" "run facts" "forced writes" "checkers"; do
    expect "$what" 0
done

# What the orders find lies behind the first 20 events; it is judged all the same.
for events in 20 1000000; do
    rm -f racy.trace/results.db
    args="--model hb,mc --events $events racy.trace"
    # shellcheck disable=SC2086
    run 1 analyze -v $args
    expect "loads of the trace" 1
    "$RECIPE" report --format json racy.trace >json || true
    grep -o '"why": "[^"]*"' json | grep -q "The code was executed along it" || fail "--events $events: not judged: $(cat json)"
done

# executed MODELS N: the run, N times: for what is shared, for the events, for the judge, for the explorer.
executed() {
    rm -f racy.trace/results.db
    args="--model $1 racy.trace"
    # shellcheck disable=SC2086
    run 1 analyze -v $args ${3-}
    expect "executions" "$2"
    "$RECIPE" report --format json racy.trace | sed 's/"seconds": [0-9.]*//' >json || true
}
rm -rf racy.trace
"$RECIPE" record -o racy.trace ./racy >out 2>err || fail "$(cat err)"
executed hb,recipe-s 3
cp json whole
expect "tellings" 2
executed hb,recipe-s 1
expect "tellings" 1
rm racy.trace/events.rcp
executed hb,recipe 4
executed hb,recipe 2

# Whatever happened to the file: what is shared is found out again, and kept; the answer is the same.
spoil() {
    case $1 in
    gone) rm racy.trace/sharing ;;
    cut) truncate -s -1 racy.trace/sharing ;;
    changed) printf x | dd of=racy.trace/sharing bs=1 seek=90 conv=notrunc status=none ;;
    foreign) cp clean.trace/sharing racy.trace/sharing ;;
    esac
}
for how in gone cut changed foreign; do
    spoil "$how"
    executed hb,recipe-s 2
    cmp whole json || fail "$how: another report"
    executed hb,recipe-s 1
done
executed hb,recipe-s 3 "--set restless-spans=7"
