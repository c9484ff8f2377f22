/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly that computes in registers touches nothing: it orders no threads. Where an operand is memory it may be
 * anything.
 * expect: X */
#include "threads.h"

int X;

static unsigned long mix(unsigned long word) {
    unsigned long got;
#if defined __x86_64__
    __asm__("bswap %0\n\trolq $3, %0" : "=r"(got) : "0"(word));
    __asm__("bsfq %1, %0\n\t.byte 0xf2, 0x48, 0xf, 0x38, 0xf1, 0xf1" : "=S"(got) : "c"(~got));
#else
    __asm__("rbit %0, %1\n\tror %0, %0, #3" : "=r"(got) : "r"(word));
#endif
    return got;
}

static void *first(void *unused) {
    X = 1;
    return mix((unsigned long)unused) ? unused : NULL;
}

static void *second(void *unused) {
    unsigned long got = mix((unsigned long)&unused);
    X = 2;
    return got ? unused : NULL;
}

int main(void) { run((void *(*const[])(void *)){first, second}, 2); }
