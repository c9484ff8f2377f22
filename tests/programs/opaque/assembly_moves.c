/* SPDX-License-Identifier: Apache-2.0 */
/* The same instructions, with an operand in memory: what they read there orders threads, by all that is known.
 * expect: none */
#include "threads.h"

int X, seen;
static long flag;

static long look(void) {
    long got;
#if defined __x86_64__
    __asm__ volatile("movq %1, %0" : "=r"(got) : "m"(flag) : "memory");
#else
    __asm__ volatile("ldar %0, [%1]" : "=r"(got) : "r"(&flag) : "memory");
#endif
    return got;
}

static void *first(void *unused) {
    X = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

static void *second(void *unused) {
    while (!look())
        ;
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
