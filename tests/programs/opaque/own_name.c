/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code that has the name of a harmless function of the C library's, and waits.
 * options: --exclude=toascii
 * expect: none */
#include "threads.h"

int X, seen;
static _Atomic int flag;

__attribute__((noinline)) static int toascii(int character) {
    while (!flag)
        ;
    return character;
}

static void *first(void *unused) {
    X = 1;
    flag = 1;
    return unused;
}

static void *second(void *unused) {
    toascii('a');
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
