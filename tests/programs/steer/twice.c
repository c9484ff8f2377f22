/* SPDX-License-Identifier: Apache-2.0 */
/* As ticks.c, and the worker reads the time at two places: one tick meets one of them, the first one in every run, unless nobody waits
 * where threads have met before. */
#include "apart.h"

#include <stdio.h>

static int now;

static void *tick(void *arg) {
    apart_wait(150);
    enter();
    now = 1;
    leave();
    apart(&now);
    return arg;
}

static void *work(void *arg) {
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        apart(&now);
        enter();
        seen += now;
        leave();
        apart(&now);
        enter();
        seen -= now;
        leave();
        apart(&now);
        apart_wait(30);
    }
    return seen > 2 ? NULL : arg;
}

int main(void) {
    pthread_t clock, worker;
    pthread_create(&clock, NULL, tick, NULL);
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(clock, NULL);
    pthread_join(worker, NULL);
    puts("over");
    return 0;
}
