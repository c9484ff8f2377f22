/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that looks now and then how far the other one is, under a lock; the twin's last word is set without it. Whoever is held
 * meanwhile must not keep the other from coming back from its sleep. */
#include "apart.h"

#include <stdio.h>
#include <time.h>

static int done;

static void *look(void *arg) {
    const struct timespec moment = {0, 2000000};
    for (int i = 0, over = 0; i < 20 && !over; i++) {
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&lock);
        over = done;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    apart(&done);
#ifndef TWIN
    pthread_mutex_lock(&lock);
#endif
    done = 1;
#ifndef TWIN
    pthread_mutex_unlock(&lock);
#endif
    apart(&done);
    pthread_join(thread, NULL);
    puts("over");
    return 0;
}
