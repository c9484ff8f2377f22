#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program that leaves a file behind: its races in runs that were thought out are carried out like any other's.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
cat >leaves.c <<'E_C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned ready, v;
static void set(unsigned value) { pthread_mutex_lock(&m); ready = value; pthread_mutex_unlock(&m); }
static void *publish(void *p) { set(0x11); v = 42; set(0x30); return p; }
static void *look(void *p) {
    pthread_mutex_lock(&m);
    unsigned seen = ready;
    pthread_mutex_unlock(&m);
    if ((seen & 0x1f) == 0x11)
        v++;
    return p;
}
int main(void) {
    pthread_t a, b;
    FILE *f = fopen("left.txt", "w");
    fputs("new\n", f);
    fclose(f);
    pthread_create(&a, NULL, publish, NULL);
    pthread_join(a, NULL);
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
E_C
run 0 cc -g -O1 leaves.c -o leaves -pthread
echo old >left.txt
run 1 run --budget 60 --format json --report json ./leaves
[ -f leaves.recipe/left ] || fail "nothing is said to be left: the test tests nothing"
ls leaves.recipe/variants/*/left >out || fail "the variant has no note of it"
[ "$(jq '[.races[] | select(.status == "confirmed" and .variable == "v")] | length > 0' json)" = true ] || fail "$(cat json)"
