/* SPDX-License-Identifier: Apache-2.0 */
/* A register that is written as an address (`%a1`) is memory, whatever the constraint says: what is read there orders
 * threads, by all that is known.
 * expect: none */
#include "threads.h"

int X, seen;
static int flag;

static int look(void) {
    int got;
#if defined __x86_64__
    __asm__ volatile("movl %a1, %0" : "=r"(got) : "r"(&flag) : "memory");
#else
    __asm__ volatile("ldar %w0, %a1" : "=r"(got) : "r"(&flag) : "memory");
#endif
    return got;
}

static void *first(void *unused) {
    X = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

static void *second(void *unused) {
    if (look())
        X = 2;
    seen = 1;
    return unused;
}

int main(void) { run((void *(*const[])(void *)){first, second}, 2); }
