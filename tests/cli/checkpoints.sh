#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A run is told again from checkpoints: without further memory the trace is the same as the first; with it, accesses of what
# one thread alone touched are in it from the anchor on.
. "$(dirname "$0")/lib.bash"
tool=$(dirname "$RECIPE")/tests/tell_again

cat >p.c <<'P'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;
long own;
static void *add(void *unused) {
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&m);
        shared += i;
        int seen = shared;
        pthread_mutex_unlock(&m);
        if (seen > 30)
            sched_yield();
    }
    return unused;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++) {
        own += i + 7;
        pthread_join(t[i], NULL);
    }
    printf("%d %ld\n", shared, own);
}
P
sed -i '1i #include <sched.h>' p.c
"$RECIPE" cc -O1 -g -no-pie p.c -o p -pthread
"$RECIPE" record -o trace --schedule=random --seed 3 --quantum 50 ./p >out 2>err || fail "recording: $(cat err)"
address=$(nm p | sed -n 's/^0*\([0-9a-f]*\) [A-Z] own$/\1/p')
further=$address-$(printf %x $((16#$address + 8)))

# events FILE: what happened, without the order in which names came up
events() { grep -v '^\(string\|fact\|thread\|loc\) ' "$1"; }

again() { # EVERY FROM UPTO FURTHER…: into the directory `again`; sets `anchor`
    rm -rf trace/events.rcp again
    anchor=$("$tool" trace "$1" "$2" "$3" again "${@:4}") || fail "telling again from $2 on"
    run 0 trace check again
    "$RECIPE" trace dump again >again.txt
}

again 300 99999999 99999999
"$RECIPE" trace dump trace >first.txt
[ "$anchor" -gt 1000 ] || fail "the last checkpoint is at event $anchor: not near the end"
cmp -s <(events again.txt) <(events first.txt) || fail "told again from event $anchor the trace differs"
! grep -q '^[^ ]* *[rw] own' first.txt || fail "own is told though it is not shared"

all=$(grep -c '^\([a-z0-9]*: \)\?T[0-9]* [a-z]' first.txt)
for from in 0 100 500 1000; do
    again 300 $from 99999999
    [ "$anchor" -le $from ] || fail "the checkpoint for event $from is at $anchor"
    cmp -s <(events again.txt) <(events first.txt) || fail "told again from event $anchor the trace differs"
done

again 300 0 99999999 "$further"
[ "$anchor" -eq 0 ] || fail "the first checkpoint is at event $anchor"
[ "$(grep -c ' w own = ' again.txt)" -eq 2 ] || fail "two writes of own are expected: $(grep own again.txt)"
grep -q '^var own .* = 0$' again.txt || fail "own was 0 in the beginning: $(grep own again.txt)"

again 300 0 200
got=$(grep -c '^\([a-z0-9]*: \)\?T[0-9]* [a-z]' again.txt)
[ "$got" -ge 200 ] && [ "$got" -lt 260 ] && [ "$got" -lt "$all" ] || fail "up to event 200 there are $got of $all"
