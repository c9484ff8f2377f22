/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 11: U has the stack that T1 had, as T1 was over. Where U reads 0 it runs beside T1, on another stack. */
#include "trap.h"

__attribute__((noinline)) static void fetch(int *to) { *to = get(&v); }

static void *U(void *unused) {
    int mine;
    fetch(&mine);
    if (mine == 0)
        fetch(&mine);
    set(&printed, mine);
    return unused;
}

static void T1(void) {
    int mine;
    fetch(&mine);
    set(&v, mine + 1);
}

static void T2(void) {
    pthread_t u;
    pthread_create(&u, NULL, U, NULL);
    pthread_join(u, NULL);
    ONLY_RACY(printed = v;)
}
