/* SPDX-License-Identifier: Apache-2.0 */
/* A function gives away the address of its variable and returns: what it calls next has the same memory. The twin's waits
 * until the variable was read. report: in reuse */
#include "../clean/trap.h"

static int *_Atomic given;
static _Atomic int is_read;

static __attribute__((noinline)) void give(void) {
    int own[16] = {1};
    given = own;
#ifndef RACY
    while (!is_read)
        ;
#endif
}

static __attribute__((noinline)) void reuse(void) {
    volatile int own[16];
    for (int i = 0; i < 16; i++)
        own[i] = 2;
}

static void T1(void) {
    give();
    reuse();
}

static void T2(void) {
    int *there;
    while (!(there = given))
        ;
    printed = *there;
    is_read = 1;
}
