/* SPDX-License-Identifier: Apache-2.0 */
/* A struct that is atomic as a whole, and too large for the machine's atomics; the twin reads a member of it by a plain pointer. flags: -latomic */
#include "../clean/trap.h"

#include <stdatomic.h>

#pragma clang diagnostic ignored "-Watomic-alignment"

typedef struct three {
    long a, b, c;
} three;

static _Atomic three all;

static void T1(void) { atomic_store(&all, ((three){1, 2, 3})); }

static void T2(void) {
    ONLY_RACY(printed = (int)((volatile three *)&all)->b; return;)
    three now = atomic_load(&all);
    printed = (int)now.b;
}
