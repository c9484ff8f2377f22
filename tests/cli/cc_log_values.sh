#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Functions that re-execution can't execute, and those that --log-values names, run as code outside: the compiler says
# so, and what they return and leave in memory comes from the log.
. "$(dirname "$0")/lib.bash"

cat >program.c <<'C'
#include <pthread.h>
#include <stdio.h>
static int shared, table[4];
static int plain(int x) { return shared * 2 + x; }
/* a switch over 128 bits is nothing that re-execution knows */
static int choose(__int128 x) {
    switch (x) {
    case 1: return plain(5);
    case (__int128)1 << 100: shared = 3; return 7;
    default: return shared;
    }
}
static int square(int x) {
    table[x & 3] += x;
    return x * plain(x);
}
int cube(int x) { return x * x * x; }
static void *work(void *argument) {
    for (int i = 0; i < 20; i++)
        shared += choose((__int128)i << (i & 1 ? 0 : 99)) + square(i);
    return argument;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    printf("%d %d %d\n", shared, table[1], cube(3));
    return 0;
}
C
clang-19 -O1 -w -fwrapv program.c -o native -pthread
./native >native.out

compile() { # compile FLAGS…: what was said is in ./err
    "$RECIPE" cc -O2 -g -pthread program.c -o program "$@" 2>err || fail "program.c is not compiled: $(cat err)"
}
reexecutes() { # and has at least $1 calls outside
    rm -rf dir
    "$RECIPE" record --log-values -o dir ./program >out 2>err || fail "$(cat err)"
    cmp out native.out || fail "it prints $(cat out)"
    run 0 trace reexecute dir
    says out "mismatches    0"
    [ "$(sed -n 's/^calls outside //p' out)" -ge "$1" ] || fail "too few calls outside: $(cat out)"
    [ "$1" -gt 0 ] || return 0 # nobody looked at memory: it is not known
    run 0 trace reexecute --memory=shared dir
    [ "$(od -An -td4 out | tr -d ' ')" = "$(cut -d' ' -f1 native.out)" ] || fail "shared is $(od -An -td4 out)"
}

# found by itself, and said
compile -Wrecipe
says err "program.c:7: warning: function 'choose' is not recorded" "a switch over more than 64 bits" "[-Wrecipe]"
[ "$(wc -l <err)" -eq 1 ] || fail "more than that was said: $(cat err)"
reexecutes 20
compile
silent err

# named: one, several, a pattern, in two words
compile -Wrecipe --log-values=square,cube
says err "'choose'" "function 'square' is not recorded: --log-values names it" "'cube'"
reexecutes 41
compile -Wrecipe --log-values=sq* --log-values=cub?
says err "'choose'" "'square'" "'cube'"
reexecutes 41
compile -Wrecipe '--log-values=*'
says err "'main'" "'work'" "'plain'"
reexecutes 0

# what is not there is no error: an option serves every file of a build
compile -Wrecipe --log-values=nobody
[ "$(wc -l <err)" -eq 1 ] || fail "$(cat err)"
compile
"$RECIPE" record -v -o noted ./program >out 2>err || fail "$(cat err)"
says err "function 'choose' is not recorded"
