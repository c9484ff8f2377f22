/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 14: a switch, a function that is called by pointer, how often a loop runs, a choice without a branch, a
 * jump back: each decides whether T2 reads what T1 wrote before. */
#include "trap.h"

#include <setjmp.h>

static int kind, rounds, chosen, jumps, a[4], nothing;

static void read_a(void) { printed += a[1]; }
static void read_none(void) { printed += 0; }
static void (*action)(void) = read_none;

static void T1(void) {
    a[0] = 1;
    set(&kind, 3);
    a[1] = 1;
    pthread_mutex_lock(&m);
    action = read_a;
    pthread_mutex_unlock(&m);
    a[2] = 1;
    set(&rounds, 2);
    a[3] = 1;
    set(&chosen, 1);
    v = 1;
    set(&jumps, 1);
}

static void T2(void) {
    jmp_buf back;
    switch (get(&kind)) {
    case 1: printed = 7; break;
    case 3: printed = a[0]; break;
    default: ONLY_RACY(printed = a[0];) break;
    }
    pthread_mutex_lock(&m);
    void (*call)(void) = action;
    pthread_mutex_unlock(&m);
    call();
    for (int i = 0, n = get(&rounds); i < n; i++)
        printed += a[2];
    const int *where = get(&chosen) ? &a[3] : &nothing;
    printed += *where;
    if (setjmp(back))
        printed += v;
    else if (get(&jumps))
        longjmp(back, 1);
}
