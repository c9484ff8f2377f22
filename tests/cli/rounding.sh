#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Floating point that is not computed as the language has it when a program starts: what it would be in another order nobody computes
# here, so such a run is refused, and said to be. Code that computes none is analysed as ever, and so is what rounds and
# puts it back outside.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

cat >third.c <<'EOF'
#include <fenv.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef FLOATS
static double x = 1;
#define THIRD(y) ((y) / 3.0 * 3.0)
#else
static int x = 1;
#define THIRD(y) ((y) / 3 * 3)
#endif
static int v;
static void *change(void *p) {
    v = 1;
    pthread_mutex_lock(&m);
    x = 6;
    pthread_mutex_unlock(&m);
    return p;
}
static void *look(void *p) {
    pthread_mutex_lock(&m);
    volatile __typeof__(x) y = x;
    pthread_mutex_unlock(&m);
    if (y < 5 && THIRD(y) == y) /* never: a third of 1, rounded down, is too little */
        v = 2;
    return p;
}
int main(void) {
    pthread_t one, two;
#ifdef DOWN
    fesetround(FE_DOWNWARD);
#else
    fesetround(FE_TONEAREST);
#endif
    pthread_create(&one, 0, change, 0);
    pthread_create(&two, 0, look, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
EOF

analysed() { # CODE WORDS…: of the program, compiled with these
    local want=$1
    shift
    "$RECIPE" cc -O1 -g "$@" third.c -o third -pthread -lm
    rm -rf trace
    "$RECIPE" record --schedule=rr --quantum 1000000 -o trace ./third >/dev/null 2>&1
    run "$want" analyze trace
}

analysed 3 -DDOWN -DFLOATS
says err "fesetround()"
analysed 0 -DDOWN
says out "0 races"
analysed 1 -DFLOATS # to the nearest: it is 1 again
says out "Race 1 on v"
