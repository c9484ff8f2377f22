/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 3(b): x is read in a callback from m_a, before that sets y, and written in one from m_d, which waits for y: events
 * between a call's begin and end. Nothing orders v, which a thread without calls writes, too.
 * expect: v
 * simple: none */
#include "threads.h"

int x, v, seen;
volatile int y;

static void look(void) { seen = x; }
static void put(void) {
    x = 1;
    v = 1;
}

OUTSIDE void m_a(volatile int *p, void (*call)(void)) {
    call();
    *p = 1;
}
OUTSIDE void m_d(volatile int *p, void (*call)(void)) {
    while (*p != 1)
        ;
    call();
}

static void *one(void *unused) {
    m_a(&y, look);
    return unused;
}

static void *two(void *unused) {
    v = 2;
    return unused;
}

static void *three(void *unused) {
    m_d(&y, put);
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){one, two, three}, 3);
    return 0;
}
