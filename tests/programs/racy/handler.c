/* SPDX-License-Identifier: Apache-2.0 */
/* The handler runs on the thread that raised the signal, and writes what the other thread reads. */
#include "threads.h"

#include <signal.h>

static volatile int alarms;

static void on_signal(int number) {
    (void)number;
    alarms++;
}

static void *raiser(void *unused) {
    raise(SIGUSR1);
    return unused;
}

static void *watcher(void *unused) {
    printf("%d\n", alarms);
    return unused;
}

int main(void) {
    signal(SIGUSR1, on_signal);
    run_both(raiser, watcher);
    return 0;
}
