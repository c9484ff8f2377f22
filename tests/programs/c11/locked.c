/* SPDX-License-Identifier: Apache-2.0 */
/* A locked instruction orders all memory, at whatever word it is, and so does one in assembly; one that is not locked does not. */
// clean: -DFULL
// racy: 1
#include "litmus.h"

static int word __attribute__((unused));

#if defined FULL && defined __x86_64__
#define BARRIER() __asm__ volatile("lock; addl %1, %0" : "+m"(word) : "ir"(0) : "memory", "cc")
#elif defined FULL
#define BARRIER() __asm__ volatile("dmb ish" ::: "memory")
#else
#define BARRIER() __asm__ volatile("nop" ::: "memory")
#endif

static int data;
static atomic_int ready;

static void T1(void) {
    data = 42;
    BARRIER();
    STORE(ready, 1, relaxed);
}

static void T2(void) {
    while (!LOAD(ready, relaxed))
        ;
    BARRIER();
    printf("%d\n", data);
}

static void T3(void) {}
