// SPDX-License-Identifier: Apache-2.0
// Waits until a signal's handler has run, in code that is not recorded.
#include <sched.h>
#include <signal.h>

static volatile sig_atomic_t *awaited;

void await_this(volatile sig_atomic_t *word) { awaited = word; }

void wait_outside(void) {
    while (!*awaited)
        sched_yield();
}

void wait_outside_with(void *unused) {
    (void)unused;
    wait_outside();
}
