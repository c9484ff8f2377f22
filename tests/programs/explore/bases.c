/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 0 2
 * A base object that may be one of three: T2 saw the last; either of the others is raced for, each by its own store. */
#include "frame.h"

static int one, two, three, *base = &three;

static void place(int *at) {
    pthread_mutex_lock(&m);
    base = at;
    pthread_mutex_unlock(&m);
}

static void T1(void) {
    place(&one);
    one = 1;
    place(&two);
    two = 2;
    place(&three);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    int *at = base;
    pthread_mutex_unlock(&m);
    printed = *at;
}
