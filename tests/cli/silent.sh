#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs with a race that recipe does not find, and why: each cause is said in the report, by name. Beside each stands
# what has nothing of it, and is complete.
# What the models leave open is what is asked here: no run is steered, which would show some of it.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

build() { # NAME, the program on standard input
    cat >"$1.c"
    "$RECIPE" cc -g "$1.c" -o "$1" -pthread "${@:2}"
}

# holds FILE EXPRESSION…: each holds of the report r that is in the file; gap(WORDS) has these in its reason.
holds() {
    python3 - "$@" <<'PY' || fail "$(cat "$1")"
import json, sys
r = json.load(open(sys.argv[1]))
all = r["analysis"]["not_looked_at"]
def gap(words):
    some = [g for g in all if words in g["reason"]]
    return some[0] if len(some) == 1 else None
for expression in sys.argv[2:]:
    if not eval(expression):
        sys.exit(f"FAILED: {expression}")
PY
}

# --- a: a call outside is taken to find what it found; only the search sees that nothing else rules the race out ---
for unread in "" -DUNREAD; do
    # shellcheck disable=SC2086
    build found $unread <<'C'
#include <pthread.h>
#include <stdlib.h>
static int a, n;
static char text[8] = "12";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
    a = 1;
    pthread_mutex_lock(&m);
    text[0] = '3';
    pthread_mutex_unlock(&m);
    return p;
}
static void *two(void *p) {
    pthread_mutex_lock(&m);
#ifndef UNREAD
    n = atoi(text);
#endif
    pthread_mutex_unlock(&m);
    a = 2;
    return p;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0), pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return n > 40;
}
C
    rm -rf found.d
    if [ -z "$unread" ]; then
        run 0 run --set steer-share=0 --report - --format json -o found.d ./found
        holds out 'gap("only because calls outside")["names"] == ["atoi"]' 'r["analysis"]["lost_to_opaque"] == 1'
        run 4 report --strict=all found.d
        run 0 report --strict found.d
        says out "(1: atoi)"
        run 4 analyze --strict=all --jobs 1 found.d # what was kept of it is the same
        says out "(1: atoi)"
    else
        run 1 run --set steer-share=0 --report - --format json -o found.d ./found
        holds out 'not gap("only because calls outside")' 'r["analysis"]["lost_to_opaque"] == 0'
    fi
done

cat >outside.c <<'C'
void shows(void) {}
C
clang-19 -c outside.c -o outside.o

# ... and to be given what it was given, which forces who wrote it.
build given <<'C'
#include <pthread.h>
#include <unistd.h>
static int a, x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
    a = 1;
    pthread_mutex_lock(&m);
    x = 5;
    pthread_mutex_unlock(&m);
    return p;
}
static void *two(void *p) {
    pthread_mutex_lock(&m);
    int v = x;
    pthread_mutex_unlock(&m);
    if (write(2, "12345", (size_t)v) >= 0)
        a = 2;
    return p;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0), pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return 0;
}
C
run 0 run --set steer-share=0 --report - --model recipe-s --format json -o given.d ./given
holds out 'gap("only because calls outside")["names"] == ["write"]' 'r["analysis"]["lost_to_opaque"] == 1'

# Runs that were not recorded name the calls at which they end.
build turns outside.o <<'C'
#include <pthread.h>
#include <unistd.h>
void shows(void);
static int a, x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
    pthread_mutex_lock(&m);
    x = 5;
    pthread_mutex_unlock(&m);
    return p;
}
static void *two(void *p) {
    pthread_mutex_lock(&m);
    int v = x;
    pthread_mutex_unlock(&m);
    if (!v) {
        shows();
        a++;
    }
    return p;
}
static void *three(void *p) {
    pthread_mutex_lock(&m);
    int v = x;
    pthread_mutex_unlock(&m);
    usleep((useconds_t)v);
    a++;
    return p;
}
int main(void) {
    pthread_t s, t, u;
    pthread_create(&s, 0, one, 0), pthread_create(&t, 0, two, 0), pthread_create(&u, 0, three, 0);
    pthread_join(s, 0), pthread_join(t, 0), pthread_join(u, 0);
    return 0;
}
C
run 0 run --set steer-share=0 --report - --format json -o turns.d ./turns
holds out 'gap("not known what these would do there")["names"] == ["shows"]' \
    'gap("something else than in the recorded run")["names"] == ["usleep"]'

# --- b: memory that was freed by one thread was given to another one ---
for kept in "" -DKEPT; do
    # shellcheck disable=SC2086
    build reuse $kept <<'C'
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *one(void *p) {
    x = 1;
    ++*(int *)p;
#ifndef KEPT
    free(p);
#endif
    return 0;
}
static void *two(void *p) {
    int *q = malloc(2000);
    *q = 1;
    x = 2;
    (void)p;
    return q;
}
int main(void) {
    pthread_t s, t;
    void *q;
    mallopt(M_ARENA_MAX, 1);
    int *p = malloc(8000); /* the other one gets a part of it */
    *p = 0;
    pthread_create(&s, 0, one, p), pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, &q);
    int n = *(int *)q;
    free(q);
    return n - 1;
}
C
    rm -rf reuse.d
    if [ -z "$kept" ]; then
        # nobody is given what was freed a moment ago (runtime/retired.h); here somebody is
        run 1 run --set steer-share=0 --report - --model recipe-s --format json -o reuse.d ./reuse
        holds out 'not gap("memory that one thread freed")'
        rm -rf reuse.d
        run 0 run --set retired-bytes=0 --set steer-share=0 --report - --model recipe-s --format json -o reuse.d ./reuse
        holds out 'gap("memory that one thread freed")["names"] == ["reuse.c:14"]' \
            'gap("memory that one thread freed")["count"] == 1' 'gap("memory that one thread freed")["kind"] == "outside"'
        run 4 report --strict=all reuse.d
    else
        run 1 run --set steer-share=0 --report - --model recipe-s --format json -o reuse.d ./reuse
        holds out 'not gap("memory that one thread freed")'
    fi
done

# --- c: what calls outside read and write themselves ---
for locked in "" -DLOCKED; do
    # shellcheck disable=SC2086
    build inside $locked <<'C'
#include <pthread.h>
#include <stdlib.h>
static char text[8] = "12";
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) {
#ifdef LOCKED
    pthread_mutex_lock(&m);
#endif
}
static void unlock(void) {
#ifdef LOCKED
    pthread_mutex_unlock(&m);
#endif
}
static void *one(void *p) {
    lock();
    n = atoi(text);
    unlock();
    return p;
}
static void *two(void *p) {
    lock();
    text[0] = '3';
    unlock();
    return p;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0), pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return n < 12;
}
C
    rm -rf inside.d
    run 0 run --set steer-share=0 --report - --format json -o inside.d ./inside
    if [ -z "$locked" ]; then
        holds out 'gap("read and write themselves")["names"] == ["atoi"]' 'gap("read and write themselves")["count"] == 1'
        run 4 report --strict=all inside.d
    else
        holds out 'not gap("read and write themselves")'
    fi
done

# The other way round: what is read was written by code that is not recorded.
cat >writes.c <<'C'
int shared;
void writes(void) { shared = 7; }
C
gcc -c writes.c -o writes.o
build read writes.o <<'C'
#include <pthread.h>
extern int shared;
void writes(void);
static int got;
static void *one(void *p) { writes(); return p; }
static void *two(void *p) { got = shared; return p; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0), pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return got == 3;
}
C
run 0 run --set steer-share=0 --report - --format json -o read.d ./read
holds out 'gap("read and write themselves")["names"] == ["writes"]'

# --- d: a line of a library's data is logged for whoever reads it first, and is there for all others ---
cat >library.c <<'C'
static int table[8];
__attribute__((constructor)) static void fill(void) {
    for (int i = 0; i < 8; i++)
        table[i] = 3 + i;
}
int *get(void) { return table; }
C
gcc -shared -fPIC library.c -o libtable.so
build lines -L. -ltable -Wl,-rpath,. <<'C'
#include <pthread.h>
int *get(void);
static int x, sum[2], *table;
static void *one(void *p) {
    x = 1;
    sum[0] = table[0];
    return p;
}
static void *two(void *p) {
    if (table[2] > 2)
        x = 2;
    return p;
}
int main(void) {
    pthread_t s, t;
    table = get();
    pthread_create(&s, 0, one, 0), pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return sum[0] - 3;
}
C
run 1 run --set steer-share=0 --report - --format json -o lines.d ./lines
holds out '[(q["status"], q["variable"]) for q in r["races"]] == [("confirmed", "x")]' 'not r["unproven"]'

# --- e: input that is not kept ---
build scans <<'C'
#include <pthread.h>
#include <stdio.h>
static int x;
static void *work(void *p) { x++; return p; }
int main(void) {
    pthread_t s, t;
    int n;
    if (scanf("%d", &n) != 1 || n != 7)
        return 3;
    pthread_create(&s, 0, work, 0), pthread_create(&t, 0, work, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return 0;
}
C
echo 7 | run 0 run --set steer-share=0 --report - --format json -o scans.d ./scans
holds out 'not r["races"]' '{q["status"] for q in r["unconfirmed"]} == {"not-tried"}' \
    'min("scanf or the like" in q["replay"] for q in r["unconfirmed"])' \
    'gap("was not carried out")["count"] == len(r["unconfirmed"])'
run 4 report --strict scans.d
echo 7 >seven
run 1 run -o scans2.d ./scans <seven

# --- f: a child that can't be recorded ---
build child <<'C'
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
static void nothing(void) {}
int main(int n, char **words) {
    static char stack[65536];
    static ucontext_t context;
    pid_t child = fork();
    if (!child) {
        getcontext(&context);
        context.uc_stack.ss_sp = stack, context.uc_stack.ss_size = sizeof stack;
        if (n > 1)
            makecontext(&context, nothing, 0);
        _exit(words[0] == 0);
    }
    waitpid(child, 0, 0);
    return 0;
}
C
run 0 run --strict -o child.d ./child
run 4 run --set steer-share=0 --report - --strict -o child2.d ./child refused
says out "Processes that the program started could not be recorded to their ends. (1: process.1:" makecontext
run 0 report --format json child2.d
holds out 'gap("could not be recorded")["kind"] == "cut"' '"makecontext" in gap("could not be recorded")["names"][0]'

# Nor is there room for the log of another one, when it begins.
build room <<'C'
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    struct rlimit before, little;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 20000; i++)
        pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 65536;
    setrlimit(RLIMIT_FSIZE, &little);
    pid_t child = fork();
    if (!child)
        _exit(0);
    setrlimit(RLIMIT_FSIZE, &before);
    waitpid(child, 0, 0);
    return 0;
}
C
run 4 run --set steer-share=0 --report - --strict --model hb -o room.d ./room
says out "(1: process.1: no room" "for the trace of a forked process"

# --- i: what the program prints and the report on one standard output ---
build prints <<'C'
#include <stdio.h>
#include <string.h>
int main(int n, char **words) {
    for (int i = 1; i < n; i++)
        fputs(strcmp(words[i], "n") ? words[i] : "\n", stdout);
    return 0;
}
C
run 0 run --set steer-share=0 --report - --format json -o prints.d ./prints open
sed -n 1p out | grep -qx open || fail "the report stands behind what the program printed: $(head -n 1 out)"
run 0 run --set steer-share=0 --report - --format json -o prints2.d ./prints line n
sed -n 2p out | grep -q '^{' || fail "a line too many: $(head -n 3 out)"
run 0 run --set steer-share=0 --report - --format json -o prints3.d ./prints
head -c 1 out | grep -q '{' || fail "a line too many: $(head -n 3 out)"
run 0 run --set steer-share=0 --report - -o prints5.d ./prints open
sed -n 1p out | grep -qx open || fail "the report stands behind what the program printed: $(head -n 1 out)"
"$RECIPE" run --set steer-share=0 --report - --format json -o prints4.d ./prints open 2>/dev/null | sed 1d >piped
holds piped 'r["version"] == 1'

# --- j: too little address space, for the program whether it is recorded or not ---
code=0
(ulimit -v 16000000 && exec ./prints) >out 2>err || code=$?
[ $code -eq 125 ] || fail "a program under ulimit -v: exit code $code: $(cat err)"
says err "limit on its address space (\`ulimit -v\`) is: 16000000 kB" "ulimit -v unlimited"
