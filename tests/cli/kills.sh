#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 'recipe run' is killed at random moments; what comes next goes on from there (tests/kills.bash, which has more of them).
. "$(dirname "$0")/lib.bash"

cat >p.c <<'P'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x[8], y;
static void *one(void *unused) {
    for (int i = 0; i < 8; i++) {
        x[i] = i;
        pthread_mutex_lock(&m);
        y += i;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
static void *two(void *unused) {
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&m);
        int seen = y;
        pthread_mutex_unlock(&m);
        x[i] = seen > i ? x[i] + 1 : 7;
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", x[3]);
    return 0;
}
P
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
for name in p long; do "$RECIPE" cc -g -pthread $name.c -o $name; done
"$RECIPE_SOURCE_DIR/tests/kills.bash" --seed "${KILLS_SEED:-$((1 + ${RECIPE_CHECK_PART:-0}))}" "$(few 30 6 kills)" p long ||
    fail "a report that hangs on when somebody was killed"
