/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a figure: two threads, T1 and T2, started in this order. One at a time and with turns as long as
 * recording has them, T1 is at its end before T2 begins. */
#ifndef TWO_H
#define TWO_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void T1(void);
static void T2(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int printed; /* what a figure prints, it leaves here: main prints it */

static void *first(void *unused) {
    T1();
    return unused;
}
static void *second(void *unused) {
    T2();
    return unused;
}

int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", printed);
    return 0;
}

#endif
