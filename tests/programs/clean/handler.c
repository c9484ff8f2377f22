/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 17: a signal's handler runs where it ran, within its thread: T1's has written v before T1 says so. */
#include "trap.h"

#include <signal.h>

static int ready;

static void handler(int signal) {
    (void)signal;
    v = 1;
}

static void T1(void) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    set(&ready, 1);
    ONLY_RACY(v = 2;)
}

static void T2(void) {
    if (get(&ready))
        printed = v;
}
