/* SPDX-License-Identifier: Apache-2.0 */
/* How many a futex has woken says that somebody slept there. Sprung: T2 does not wait for that. */
#define _GNU_SOURCE
#include "trap.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static long futex(int operation, int value) { return syscall(SYS_futex, &word, operation, value, NULL, NULL, 0); }

static void T1(void) {
    v = 1;
    futex(FUTEX_WAIT, 0);
}

static void T2(void) {
    ONLY_RACY(v = 3;)
    while (!futex(FUTEX_WAKE, 1))
        ;
    v = 2;
}
