#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is shared is called as the source calls it: members by the name of their class or their variable, locals with their
# function; and nothing is called by a name that is another's.
. "$(dirname "$0")/lib.bash"
cat >shared.c <<'E_C'
#include <pthread.h>
#include <stdlib.h>
typedef struct { int started; struct { int done, failed; } stats; int slots[4]; } pool;
struct node { struct node *next; union { int as_int; char as_text[4]; }; unsigned low : 3, high : 5; };
static struct { int hits, misses; } table[4];
static struct node first;
static pool *made;
static int plain[4];
static void *work(void *arg) {
    static struct { int calls; } own;
    pool *p = arg;
    struct node *n = &first;
    p->stats.failed++;
    p->slots[2] = 1;
    table[p->started & 1].misses++;
    n->next = &first;
    n->as_int = 3;
    n->high = 4;
    own.calls++;
    plain[1]++;
    return made = p;
}
static void *count(void *arg) { return ++*(int *)arg, arg; }
int main(void) {
    pthread_t a, b, c;
    struct node local = {0};
    int number = 0;
    pool *p = calloc(1, sizeof *p);
    pthread_create(&a, 0, work, p);
    pthread_create(&b, 0, work, p);
    pthread_create(&c, 0, count, &number);
    number++;
    pthread_join(c, 0);
    pthread_create(&c, 0, count, &local.as_int);
    local.as_int++;
    pthread_join(a, 0), pthread_join(b, 0), pthread_join(c, 0);
    return number + local.as_int == 99;
}
E_C
cat >shared.cpp <<'E_C'
#include <thread>
namespace shop {
struct base { long sold = 0; };
template <class T> struct store : base {
    T price{};
    void sell() { sold++; price = 2; }
};
static store<int> one;
}
int main() {
    auto *other = new shop::store<double>;
    auto work = [&] { shop::one.sell(), other->sell(); };
    std::thread a(work), b(work);
    a.join(), b.join();
}
E_C
members() { # the members of each race's accesses, and what heads them
    run 1 run --budget 60 --format json --report report "./$1"
    jq -r '.races[].accesses[] | .member // "none"' report | sort -u | paste -sd '|'
}
run 0 cc -g shared.c -o shared -pthread
got=$(members shared)
want='first.next|local of main|none|number of main|pool.slots[]|pool.stats.failed|table[].misses|work.own.calls'
[ "$got" = "$want" ] || fail "members are '$got', not '$want'"
# a union's member and some bits of a word may be another's; an array is what its variable is
for line in "$(grep -n 'n->high' shared.c)" "$(grep -n 'plain\[1\]' shared.c)"; do
    line=${line%%:*}
    [ "$(jq "[.races[].accesses[] | select(.line == $line)] | length > 0 and all(.member == null)" report)" = true ] ||
        fail "line $line: $(jq -c ".races[].accesses[] | select(.line == $line)" report)"
done
jq -r '.entries[].headline' report >headlines
says headlines '`number` of main' 'A `pool`, allocated in main (shared.c:' '`table[].misses` is' '`work.own.calls` is'

run 0 c++ -g -std=c++17 shared.cpp -o shared -pthread
got=$(members shared)
[ "$got" = 'shop::one.price|shop::one.sold|store<double>.price|store<double>.sold' ] ||
    [ "$got" = 'store<double>.price|store<double>.sold|store<int>.price|store<int>.sold' ] || fail "members are '$got'"
