/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * What T2's own thread is given is up to who came first: with the other one it goes where it did not. */
#include "frame.h"

static int flag, racy;

static void T1(void) {
    set(&flag, 1);
    racy = 1;
}

static void *other(void *given) {
    if (given == &racy)
        racy = 2;
    return NULL;
}

static void T2(void) {
    pthread_t own;
    pthread_create(&own, NULL, other, get(&flag) ? (void *)&flag : (void *)&racy);
    pthread_join(own, NULL);
}
