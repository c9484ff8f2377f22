/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is not recorded: a lock of its own, which nobody sees, and a function that may reach everything. */
#include <poll.h>
#include <sched.h>

static char taken;
int calls;

void apart_lock(void) {
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE))
#ifdef ASKS /* it does not give way, and is seen to call the system again and again */
        poll(0, 0, 0);
#else
        sched_yield();
#endif
}

void apart_unlock(void) { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }

int apart(void *given) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
    return given != 0;
}

void apart_wait(int milliseconds) { poll(0, 0, milliseconds); }

/* Calls back, in the middle of which nobody knows what it will do. */
int apart_call(int (*back)(void *), void *given) {
    apart(given);
    int n = back(given);
    apart(given);
    return n;
}
