/* SPDX-License-Identifier: Apache-2.0 */
/* Both threads count in what code that is not recorded calls back, under its lock; the twin without. */
#include "apart.h"

#include <stdio.h>

static int counter;

static int back(void *given) {
#ifndef TWIN
    apart_lock();
#endif
    ++*(int *)given;
#ifndef TWIN
    apart_unlock();
#endif
    return 0;
}

static void *call(void *arg) {
    for (int i = 0; i < 3; i++)
        apart_call(back, &counter);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, call, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", counter > 0);
    return 0;
}
