#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 'recipe run' is killed at random moments; what comes next goes on from there (tests/kills.bash, which has more of them).
. "$(dirname "$0")/lib.bash"

cat >long.c <<'P'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long n, last;
static void *add(void *id) {
    for (int i = 0; i < 20000; i++) {
        pthread_mutex_lock(&m);
        n += i;
        pthread_mutex_unlock(&m);
    }
    last = (long)id;
    return NULL;
}
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%ld %ld\n", n, last);
    return 0;
}
P
"$RECIPE" cc -g -DROUNDS=8 -pthread "$RECIPE_SOURCE_DIR/tests/faults/stages.c" -o p
"$RECIPE" cc -g -pthread long.c -o long
"$RECIPE_SOURCE_DIR/tests/kills.bash" --seed "${KILLS_SEED:-$((1 + ${RECIPE_CHECK_PART:-0}))}" "$(few 30 6 kills)" p long ||
    fail "a report that hangs on when somebody was killed"
