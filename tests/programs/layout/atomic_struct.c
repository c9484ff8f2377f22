/* SPDX-License-Identifier: Apache-2.0 */
/* A struct that is atomic as a whole; the twin reads a member of it by a plain pointer. */
#include "../clean/trap.h"

#include <stdatomic.h>

typedef struct pair {
    int a, b;
} pair;

static _Atomic pair both;

static void T1(void) { atomic_store(&both, ((pair){1, 2})); }

static void T2(void) {
    ONLY_RACY(printed = ((volatile pair *)&both)->b; return;)
    pair now = atomic_load(&both);
    printed = now.b;
}
