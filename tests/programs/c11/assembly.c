/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly that orders memory counts as a fence, one that does not as none. A barrier for the compiler alone is none. */
// clean: -DFULL
// racy: 1
#include "litmus.h"

#if defined FULL && defined __aarch64__
#define BARRIER() __asm__ volatile("dmb ish" ::: "memory")
#elif defined FULL
#define BARRIER() __asm__ volatile("mfence" ::: "memory")
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
