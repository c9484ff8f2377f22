/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly reads a flag; on x86_64 by an instruction that its prefix alone does not tell.
 * expect: none */
#include "threads.h"

int X, seen;
static char flag;

static char look(void) {
    char got = 0, *to = &got;
    const char *from = &flag;
#if defined __x86_64__
    long n = 1;
    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(n) : : "memory");
#else
    int byte;
    __asm__ volatile("ldarb %w0, [%1]\n\tstrb %w0, [%2]" : "=&r"(byte) : "r"(from), "r"(to) : "memory");
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
