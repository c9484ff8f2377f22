/* SPDX-License-Identifier: Apache-2.0 */
/* Code that may reach everything has seen a block, which realloc moves then. What the block held is copied while it lives, so the
 * recorded order is an execution to its end, and the race after it is shown.
 * expect: X */
#include "threads.h"
#include <stdlib.h>
#include <string.h>

int X;
static char *block;

static void look(const char *at) {
    char got;
#if defined __x86_64__
    __asm__ volatile("movb (%1), %0" : "=r"(got) : "r"(at) : "memory");
#else
    __asm__ volatile("ldrb %w0, [%1]" : "=r"(got) : "r"(at) : "memory");
#endif
    (void)got;
}

static void *one(void *unused) {
    X = 1;
    look(block);
    return unused;
}

static void *two(void *unused) {
    X = 2;
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    block = malloc(64);
    memset(block, argc, 64);
    void *behind = malloc(100); /* so that it can't grow in its place */
    look(block);
    block = realloc(block, 2000);
    look(block);
    run((void *(*const[])(void *)){one, two}, 2);
    free(block);
    free(behind);
    return 0;
}
