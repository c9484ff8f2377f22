/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of programs whose races lie on ways that the recorded run did not take: T1, T2 and, where there is one, T3,
 * started in this order. With the turns that recording has by default each is at its end before the next begins. A line
 * 'races: S R P' says how many recipe-s, recipe and recipe+ prove. */
#ifndef FRAME_H
#define FRAME_H

#define OWN_MAIN
#include "../clean/trap.h"

static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

#ifdef THREE
static void T3(void);
static void *third(void *unused) {
    T3();
    return unused;
}
#endif

int main(void) {
    pthread_t t[3];
    (void)n;
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
#ifdef THREE
    pthread_create(&t[2], NULL, third, NULL);
    pthread_join(t[2], NULL);
#endif
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    printf("%d\n", printed);
    return 0;
}

#endif
