#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Code that is not recorded (tests/programs/opaque): every model proves races on exactly the variables that a program's 'expect:'
# names, with simple barriers on those of 'simple:', with seed 004's optimisation on those of 'trees:', where it has one.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

models="hb shb wcp dc sdp wdp mc rv recipe-s recipe recipe+"

# compare NAME BARRIERS EXPECTED
compare() {
    local got expected=$3 model
    [ "$expected" != none ] || expected=
    local each=$models
    [ "$expected" ] || each=${models// /,} # nothing is found by any of them: one look
    for model in $each; do
        rm -f "$1.recipe"/results.db*
        "$RECIPE" analyze --barriers "$2" --model "$model" "$1.recipe" >out 2>err || [ $? -eq 1 ] || fail "$1: $model: $(cat err)"
        got=$(pairs out | sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u | xargs)
        [ "$got" = "$expected" ] || fail "$1: $model with $2 finds '$got', not '$expected': $(cat out)"
    done
}

n=0
programs=()
for file in "$RECIPE_SOURCE_DIR"/tests/programs/opaque/${OPAQUE_ONLY:-*}.c{,pp}; do
    [ ! -f "$file" ] || programs+=("$file")
done
part=("${programs[@]}")
[ "${OPAQUE_ONLY:-}" ] || take_part 4 programs "${programs[@]}"
for file in "${part[@]}"; do
    name=$(basename "$file")
    name=${name%.*}
    [[ $file == *.c ]] && compiler=cc || compiler=c++
    options=$(sed -n 's/.*options: \([^*]*\).*/\1/p' "$file")
    "$RECIPE" $compiler -g -O1 -pthread --exclude='m_*,_Z*[0-9]m_*' -I"$RECIPE_SOURCE_DIR/include" $options "$file" -o "$name" || fail "$name does not compile"
    timeout 60 "$RECIPE" record -o "$name.recipe" "./$name" >out 2>err || fail "$name: recording failed: $(cat err)"
    expects() { sed -n "s/^ \* $1: *\([^*]*\).*/\1/p" "$file" | xargs; }
    compare "$name" pairs "$(expects expect)"
    for barriers in simple trees; do
        [ -z "$(expects $barriers)" ] || compare "$name" $barriers "$(expects $barriers)"
    done
    said=$(sed -n 's/^ \* says: *\([^*]*\).*/\1/p' "$file" | sed 's/ *$//')
    [ -z "$said" ] || { "$RECIPE" report "$name.recipe" >out 2>err || true; tr "\n" " " <out | grep -qF "$said" || fail "$name: the report does not say '$said': $(cat out)"; }
    n=$((n + 1))
done
[ "$n" -ge "$(least 28 4)" ] || [ "${OPAQUE_ONLY:-}" ] || fail "only $n programs were found"

# Whole files, by --exclude and by recipe.opts; an object that did not go through recipe cc reaches everything, until --opaque says
# more; a library reaches what it was given.
mkdir -p project/lib project/src
cat >project/lib/box.h <<'END'
void put(volatile int *box);
int look(volatile int *box);
END
cat >project/lib/box.c <<'END'
#include "box.h"
void put(volatile int *box) { *box = 1; }
int look(volatile int *box) { return *box; }
END
cat >project/src/main.c <<'END'
#include "../lib/box.h"
#include <pthread.h>
int X, seen;
volatile int Y, Z;
static void *first(void *unused) {
    X = 1;
    put(&Y);
    return unused;
}
static void *second(void *unused) {
    look(&Z);
    seen = X;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
cd project
# finds EXPECTED PROGRAM [OPTION…]
finds() {
    local expected=$1 program=$2 got
    shift 2
    [ -d "$program.recipe" ] || timeout 60 "$RECIPE" record -o "$program.recipe" "./$program" >out 2>err || fail "$program: $(cat err)"
    "$RECIPE" analyze "$@" "$program.recipe" >out 2>err || [ $? -eq 1 ] || fail "$program: $(cat err)"
    got=$(pairs out | sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u | xargs)
    [ "$got" = "$expected" ] || fail "$program $*: '$got' instead of '$expected': $(cat out)"
}
"$RECIPE" cc -g -pthread --exclude='lib/*' src/main.c lib/box.c -o files
finds X files
"$RECIPE" trace dump files.recipe >dump
[ "$(grep -c 'opaque-begin' dump)" -eq 2 ] || fail "--exclude of a file: $(grep opaque dump)"
printf '# of the project\n--exclude=box.c\n--opaque=rules\n' >recipe.opts
printf 'put on 0\nlook on 0\n' >rules
(cd src && "$RECIPE" cc -g -pthread main.c ../lib/box.c -o ../opts)
finds X opts
rm recipe.opts
clang-19 -O1 -c lib/box.c -o box.o
"$RECIPE" cc -g -pthread src/main.c box.o -o object
finds "" object
finds X object --opaque rules
finds "" object --opaque rules --barriers simple
clang-19 -O1 -fPIC -shared lib/box.c -o libbox.so
"$RECIPE" cc -g -pthread src/main.c -L. -lbox -Wl,-rpath,"$PWD" -o library
finds "" library
finds X library --opaque rules
# What is said of a function is all that it works on: memory of the library's own, which recorded code has looked at, is not in its reach
# (X). What it leaves on the stack of the thread that calls it, however near to that stack's beginning, is that thread's alone (Y).
cat >lib/loop.h <<'END'
void loop(int *box, void (*work)(void));
const char *name(void);
END
cat >lib/loop.c <<'END'
#include "loop.h"
#include <time.h>
static char own[8] = "unnamed";
const char *name(void) {
    own[0]++;
    return own;
}
void loop(int *box, void (*work)(void)) {
    struct timespec now;
    work();
    clock_gettime(CLOCK_MONOTONIC, &now);
    *box += now.tv_nsec > 0;
}
END
cat >src/loops.c <<'END'
#include "../lib/loop.h"
#include <pthread.h>
#include <unistd.h>
int X, Y, mine, others;
static void first(void) { X = 1; }
static void second(void) { X = 2; }
static void third(void) { Y = 1; }
static void *other(void *unused) {
    loop(&others, second);
    lseek(-1, 0, SEEK_SET);
    Y = 2;
    return unused;
}
int main(void) {
    pthread_t a;
    volatile char seen = name()[1];
    pthread_create(&a, 0, other, 0);
    loop(&mine, first);
    loop(&mine, third);
    pthread_join(a, 0);
    return seen == 'x';
}
END
clang-19 -O1 -fPIC -shared lib/loop.c -o libloop.so
"$RECIPE" cc -g -pthread src/loops.c -L. -lloop -Wl,-rpath,"$PWD" -o loops
timeout 60 "$RECIPE" record --quantum 1000000 -o loops.recipe ./loops >out 2>err || fail "loops: $(cat err)"
finds "" loops
echo 'loop on 0' >rules.loop
finds "X Y" loops --opaque rules.loop
echo 'put sometimes' >wrong
code=0
"$RECIPE" analyze --opaque wrong library.recipe >out 2>err || code=$?
[ $code -eq 3 ] && grep -q "'sometimes' says nothing" err || fail "a wrong file of --opaque: $code: $(cat err)"

frame=$RECIPE_SOURCE_DIR/tests/programs/opaque
# The name of a harmless function of the C library's, and another one: of an object, of a library; symbols or none.
cat >toascii.c <<'END'
extern volatile int flag;
int toascii(int character) {
    while (!flag)
        ;
    return character;
}
END
cat >named.c <<'END'
#include "threads.h"
int X, seen;
_Atomic int flag;
int toascii(int);
static void *first(void *unused) {
    X = 1;
    flag = 1;
    return unused;
}
static void *second(void *unused) {
    toascii('a');
    seen = X;
    return unused;
}
int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
END
clang-19 -O1 -fPIC -c toascii.c
"$RECIPE" cc -g -fno-builtin -pthread -I"$frame" named.c toascii.o -o named
finds "" named
cp named bare
strip bare
finds "" bare
clang-19 -shared toascii.o -o libascii.so
"$RECIPE" cc -g -fno-builtin -pthread -I"$frame" -rdynamic named.c -L. -lascii -Wl,-rpath,"$PWD" -o named_by
finds "" named_by
"$RECIPE" cc -g -fno-builtin -pthread -I"$frame" named.c -o librarys
finds X librarys
# The same by a library that nobody was linked with. (It is loaded into recipe as well, where there is no flag.)
sed 's/extern volatile int flag/&  __attribute__((weak))/; s/while (!flag)/while (\&flag \&\& !flag)/' toascii.c >preloaded.c
clang-19 -O1 -fPIC -shared preloaded.c -o libpreloaded.so
"$RECIPE" cc -g -fno-builtin -pthread -I"$frame" named.c -Wl,--export-dynamic-symbol=flag -o preloaded
finds X preloaded
rm -r preloaded.recipe
LD_PRELOAD=$PWD/libpreloaded.so timeout 60 "$RECIPE" record -o preloaded.recipe ./preloaded >out 2>err || fail "preloaded: $(cat err)"
finds "" preloaded
rm -r preloaded.recipe
LD_PRELOAD=./libpreloaded.so timeout 60 "$RECIPE" record -o preloaded.recipe ./preloaded >out 2>err || fail "preloaded: $(cat err)"
finds "" preloaded
# A library that allocates zeroed blocks and fills them.
cat >list.c <<'END'
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
struct node *list_of(int n) {
    struct node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->value = i + 1;
        node->next = list;
        list = node;
    }
    return list;
}
END
cat >listed.c <<'END'
#include "threads.h"
#include <semaphore.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
struct node *list_of(int n);
int X, sums[2];
static struct node *list;
static sem_t full;
static int sum_of(const struct node *node) { return node ? node->value + sum_of(node->next) : 0; }
static void *first(void *unused) {
    list = list_of(3);
    sums[0] = sum_of(list);
    sem_post(&full);
    X = 1;
    return unused;
}
static void *second(void *unused) {
    sem_wait(&full);
    sums[1] = sum_of(list);
    for (struct node *node = list, *next; node; node = next) {
        next = node->next;
        free(node);
    }
    X = 2;
    return unused;
}
int main(void) {
    sem_init(&full, 0, 0);
    run((void *(*const[])(void *)){first, second}, 2);
    return sums[0] != sums[1];
}
END
gcc -O1 -fPIC -shared list.c -o liblist.so
"$RECIPE" cc -g -pthread -I"$frame" listed.c -L. -llist -Wl,-rpath,"$PWD" -o listed
finds X listed
gcc -O1 -c list.c
"$RECIPE" cc -g -pthread -I"$frame" listed.c list.o -o listed_object
finds X listed_object
# One that allocates before main, and nobody has called: a constructor.
sed 's/^struct node \*list_of/struct node *made;\nstatic &/; $a __attribute__((constructor)) static void begin(void) { made = list_of(3); }' list.c >early.c
sed 's/^struct node \*list_of.*/extern struct node *made;/; s/list_of(3)/made/' listed.c >later.c
gcc -O1 -c early.c
"$RECIPE" cc -g -pthread -I"$frame" later.c early.o -o early
finds X early
# A function of the C library's that nobody knows, and that the runtime stands in front of: it is no code of the program's.
cat >vectors.c <<'END'
#include "threads.h"
#include <sys/uio.h>
int X;
static void *first(void *unused) {
    struct iovec one = {"", 0};
    X = 1;
    writev(1, &one, 1);
    return unused;
}
static void *second(void *unused) {
    X = 2;
    return unused;
}
int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
END
"$RECIPE" cc -g -pthread -I"$frame" vectors.c -o vectors
finds X vectors
"$RECIPE" trace dump vectors.recipe >dump
reach=$(sed -n 's/.*opaque-begin writev reaches \(D[0-9]*\).*/\1/p' dump)
grep -q "^reach $reach 0x[1-9a-f]" dump || fail "writev reaches everything: $(grep reach dump)"
# A library that names a variable of the program's.
sed -i 's/toascii/wait_for_flag/' named.c toascii.c
clang-19 -O1 -fPIC -shared toascii.c -o libwaits.so
"$RECIPE" cc -g -pthread -I"$frame" named.c -L. -lwaits -Wl,-rpath,"$PWD" -o named_from
finds "" named_from

# A left out function whose address another file takes, and that alone.
cat >waiter.c <<'END'
static int flag;
void set(void) { __atomic_store_n(&flag, 1, __ATOMIC_RELEASE); }
void m_wait(void) {
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        ;
}
END
cat >taker.c <<'END'
#include "threads.h"
int X, seen;
void set(void), m_wait(void);
OUTSIDE void m_call(void (*function)(void)) { function(); }
static void *first(void *unused) {
    X = 1;
    set();
    return unused;
}
static void *second(void *unused) {
    m_call(m_wait);
    seen = X;
    return unused;
}
int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
END
"$RECIPE" cc -g -O1 -pthread -I"$frame" --exclude='m_*' taker.c waiter.c -o taken
finds "" taken

# Code that may reach everything reaches what one thread alone was seen to touch: `told` is T1's, and what T2 waits for.
cat >waits.c <<'END'
extern volatile int told;
void wait_for_it(void) {
    while (!told)
        ;
}
END
cat >alone.c <<'END'
#include <pthread.h>
#include <semaphore.h>
int X, told;
static sem_t over;
void wait_for_it(void);
__attribute__((noinline)) static void tell(void) { told = 1; }
static void *first(void *unused) {
    int seen = X;
    tell();
    sem_wait(&over);
    return (char *)unused + seen * 0;
}
static void *second(void *unused) {
    wait_for_it();
    X = 2;
    sem_post(&over);
    return unused;
}
int main(void) {
    pthread_t a, b;
    sem_init(&over, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
clang-19 -O1 -c waits.c -o waits.o
"$RECIPE" cc -g -O1 -pthread alone.c waits.o -o alone
finds "" alone
