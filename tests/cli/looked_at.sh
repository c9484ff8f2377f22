#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 'No race' says what was looked at: one list, in text and in JSON, and --strict by it. Each part has a program that has
# something of it, and complete answers stay complete: a loop alone is no reason.
# What the models leave open is what is asked here: no run is steered, which would show some of it.
. "$(dirname "$0")/lib.bash"

# gaps DIR EXPRESSION…: each holds of the report r; gap(KIND, WORDS) is its only one of that kind, with these in its reason.
gaps() {
    "$RECIPE" report --format json "$1" >j || true
    python3 - "${@:2}" <<'PY' || fail "$(cat j)"
import json, sys
r = json.load(open("j"))
all = r["analysis"]["not_looked_at"]
def gap(kind, words=""):
    some = [g for g in all if g["kind"] == kind and words in g["reason"]]
    return some[0] if len(some) == 1 else None
if r["analysis"]["complete"] != (not all):
    sys.exit("FAILED: complete and the list differ")
for expression in sys.argv[1:]:
    if not eval(expression):
        sys.exit(f"FAILED: {expression}")
PY
}

build() { # NAME, the program on standard input
    cat >"$1.c"
    "$RECIPE" cc -g "$1.c" -o "$1" -pthread "${@:2}"
}

# --- loops, and all of it was looked at ---
build loop <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, odd;
static void *work(void *p) {
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&m);
        if (i & 1)
            odd++;
        sum += i;
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    sum = 0;
    return 0;
}
C
run 0 run --set steer-share=0 --report - --strict=all --quantum 20 -o loop.d ./loop
! grep -q "Not looked at\|everything was looked" out || fail "$(cat out)"
gaps loop.d 'r["analysis"]["complete"]'

# A branch of which no instance turns, and not all were asked, is one.
build never <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int low, taken;
static void *work(void *p) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        low = i;
        pthread_mutex_unlock(&m);
    }
    return p;
}
static void *look(void *p) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        int is = low > 30;
        pthread_mutex_unlock(&m);
        if (is)
            taken++;
    }
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, look, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return taken;
}
C
run 4 run --strict -o never.d ./never
gaps never.d 'gap("limit")["names"] == ["turn-instances"]' 'gap("limit")["count"] > 0'
run 0 analyze --strict --set turn-instances=100 never.d

# --- threads that never ran ---
build unborn <<'C'
#include <pthread.h>
static int x;
static void *work(void *p) { x++; return p; }
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    return 0;
}
C
run 0 run --set steer-share=0 --report - --set last-events=0 -o unborn.d ./unborn
says out "Threads were created and never ran" "(3: unborn.c:7:9)" "There may be some"
run 4 report --strict unborn.d
run 4 analyze --strict unborn.d
gaps unborn.d 'gap("threads")["count"] == 3' 'gap("threads")["names"] == ["unborn.c:7:9"]'

# --- calls outside ---
cat >outside.c <<'C'
void worst(void) {}
void other(void) {}
C
clang-19 -c outside.c -o outside.o
build calls outside.o <<'C'
#include <pthread.h>
void worst(void), other(void);
static int a, b, c;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static void *one(void *p) {
    a = 1;
    b = 1;
    worst();
    c = 1;
    other();
    pthread_mutex_lock(&m);
    turn = 1;
    pthread_mutex_unlock(&m);
    return p;
}
static void *two(void *p) {
    other();
    c = 2;
    worst();
    a = 2;
    b = 2;
    return p;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, one, 0), pthread_create(&y, 0, two, 0);
    pthread_join(x, 0), pthread_join(y, 0);
    return 0;
}
C
run 0 run --set steer-share=0 --report - --strict -o calls.d ./calls
says out "were ruled out only because calls outside are taken to be ordered"
run 4 report --strict=all calls.d
gaps calls.d 'len(gap("outside", "ruled out")["names"]) >= 1' 'set(gap("outside", "ruled out")["names"]) <= {"worst", "other"}' \
    'gap("outside", "ruled out")["count"] == 3' 'r["analysis"]["lost_to_opaque"] == 3' \
    'gap("outside", "read and write themselves")["names"] == ["other", "worst"]'
printf 'worst none\nother none\n' >known
run 1 analyze --opaque known calls.d
gaps calls.d 'not [g for g in all if g["kind"] == "outside"]'

# Their names are as the source has them, and whole.
cat >named.hpp <<'C'
#include <map>
#include <string>
namespace with_a_name_that_is_longer_than_others {
void called(const std::map<std::string, std::string> &first, const std::map<std::string, std::string> &second);
}
C
cat >named.cpp <<'C'
#include "named.hpp"
void with_a_name_that_is_longer_than_others::called(const std::map<std::string, std::string> &, const std::map<std::string, std::string> &) {}
C
clang++-19 -c named.cpp -o named.o
cat >names.cpp <<'C'
#include "named.hpp"
#include <pthread.h>
static int a;
static void call() { with_a_name_that_is_longer_than_others::called({}, {}); }
static void *one(void *p) { a = 1; call(); return p; }
static void *two(void *p) { call(); a = 2; return p; }
int main() {
    pthread_t x, y;
    pthread_create(&x, 0, one, 0), pthread_create(&y, 0, two, 0);
    pthread_join(x, 0), pthread_join(y, 0);
}
C
"$RECIPE" c++ -g names.cpp named.o -o names -pthread
run 0 run --set steer-share=0 --report - -o names.d ./names
map='std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, '
map+='std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, '
map+='std::less<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >, '
map+='std::allocator<std::pair<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const, '
map+='std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > > > const&'
gaps names.d "gap('outside', 'ruled out')['names'] == ['with_a_name_that_is_longer_than_others::called($map, $map)']"

# --- events beyond ---
run 4 analyze --strict --events 40 loop.d
says out "looked at the first 40 of"
gaps loop.d 'gap("limit")["names"] == ["events"]' 'gap("limit")["count"] == r["trace"]["events"] - 40'

# --- a program that can't be recorded to its end ---
build context <<'C'
#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
#ifdef TWIN
    y++;
#endif
    return p;
}
static void nothing(void) {}
int main(void) {
    static char stack[65536];
    static ucontext_t context;
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    getcontext(&context);
    context.uc_stack.ss_sp = stack, context.uc_stack.ss_size = sizeof stack;
    makecontext(&context, nothing, 0);
    return x + y;
}
C
run 125 run --set steer-share=0 --report - -o context.d ./context
says err "context could not be recorded to its end"
says out "The program was not recorded to its end" "There may be some"
for command in report "analyze --jobs 1"; do
    # shellcheck disable=SC2086
    run 4 $command --strict context.d
    gaps context.d 'any("makecontext" in g["reason"] for g in all)'
done
"$RECIPE" cc -g -DTWIN context.c -o context -pthread
run 1 run --set steer-share=0 --report - -o twin.d ./context
says out "confirmed)" "The program was not recorded to its end"

# No room for the log: neither 'record' nor 'run' ends as if all were well, and whoever analyses it later is told.
build full <<'C'
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    for (int i = 0; i < 1000000; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
(
    trap '' XFSZ # a file that may not grow is as good as a full disk
    ulimit -f 2048
    run 125 record -o full.d ./full
    code=0
    "$RECIPE" run --budget 5 --model hb -o short.d ./full >out 2>err || code=$?
    [ $code -ge 3 ] || fail "recipe run: exit code $code: $(cat out err)"
    says err "no room for the trace"
)
run 4 analyze --strict --model hb full.d
says out "The program was not recorded to its end: no room for the trace" "There may be some"

# --- the recorded order by the checker's rules: a branch hangs on memory that nobody wrote ---
refused_order() { # SIDE: of the branch in line 3 of chance.c
    printf '%s\n' 'recipe trace 1' 'fact program chance' 'thread T1' 'thread T2' 'var x 0x1000 4 = 0' 'T1 alloc 0x3000:8 @ chance.c:1:1' \
        'e1: T1 r 0x3000:4 = 5 @ chance.c:2:1' "T1 br 1 if $1 @ chance.c:3:1" 'T1 w x = 1 @ chance.c:4:1' 'T2 w x = 2 @ chance.c:5:1'
}
refused_order '(eq $e1 5:32)' >chance.txt
refused_order '(eq 5:32 5:32)' >known.txt
run 0 trace import chance.txt
run 0 trace import known.txt
"$RECIPE" trace check chance.recipe >out || fail "not well-formed: $(cat out)"
says out "well-formed" "the rules refuse the recorded order itself: event 2 of thread T1 (chance.c:3:1)" "by the rule relaxed)" \
    "event 1 of thread T1 (chance.c:2:1)" "by the rules last-writer and same)"
refused="on purpose" run 0 analyze chance.recipe
gaps chance.recipe 'r["analysis"]["not_looked_at"][0]["kind"] == "refused"' 'gap("refused", "event 2:")["names"] == ["chance.c:3:1"]' \
    'gap("refused", "event 1:")["names"] == ["chance.c:2:1"]'
run 1 analyze --model recipe-s known.recipe
gaps known.recipe 'not [g for g in all if g["kind"] == "refused"]' # nothing hangs on it

# --- a first look at every pair of places that hb leaves unordered, also behind a thread's last access ---
printf '%s\n' 'recipe trace 1' 'fact program places' 'thread T1' 'thread T2' 'var x 0x1000 4 = 0' 'T1 w x = 1 @ places.c:1:1' \
    'T1 w x = 2 @ places.c:2:1' 'T1 r x = 2 @ places.c:3:1' 'T1 w x = 3 @ places.c:2:1' 'T2 w x = 4 @ places.c:4:1' >places.txt
run 0 trace import places.txt
run 1 analyze -v --model hb places.recipe
says err "hb leaves 3 pairs of places unordered; 3 of them were asked about"
gaps places.recipe 'r["analysis"]["hb_pairs"] == 3' 'r["analysis"]["hb_pairs_asked"] == 3' 'r["analysis"]["hb_asked_seconds"] < 20' \
    'sorted(f["accesses"][0]["line"] for f in r["races"]) == [1, 2, 3]'
rm places.recipe/results.db*
run 1 analyze --model hb --set order-places=1 places.recipe # of its writes the last, of its reads the last
gaps places.recipe 'r["analysis"]["hb_pairs"] == 2' 'any("order-places" in g["names"] for g in all)'
rm places.recipe/results.db*
run 1 analyze --model wdp places.recipe # the other places are looked for in the trace
gaps places.recipe 'len(r["races"]) == 3'

# --- where little of the run could be told at first, and most of the time is left, 'run' goes on telling it ---
"$RECIPE" cc -g -O1 -pthread "$RECIPE_SOURCE_DIR/tests/programs/limits/late.c" -o late
run 1 run --budget 100 --model hb --set tell-share=1 --report - -o late.d ./late
says out 'on late, ' 'confirmed'

# --- what it takes to load a large program is no part of the time for telling its short run ---
{
    printf '%s\n' '#include <pthread.h>' 'int x;'
    for ((i = 0; i < 1500; i++)); do
        echo "int f$i(int a, int *b) { for (int i = 0; i < a; i++) b[i & 3] += a * $i ^ b[a & 3]; return a ? b[0] : $i; }"
    done
    echo 'static void *t(void *p) { for (int i = 0; i < 3000; i++) x++; return p; }'
    echo 'int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); }'
} | build large -w
run 0 record -o large.recipe ./large
run 1 analyze --budget 40 --set tell-share=1 --model hb large.recipe
gaps large.recipe 'not any("tell-share" in g["names"] for g in all)'
