/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * Which object is looked at hangs on a read: the other one's race is there where that read takes the other value. The
 * object that was looked at is not shared; so what is kept of its address is a branch (docs/prediction.md), which
 * recipe turns, too. */
#include "frame.h"

static int objects[2], *chosen = &objects[0];

static void T1(void) {
    objects[0] = 1;
    pthread_mutex_lock(&m);
    chosen = &objects[1];
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    int *object = chosen;
    pthread_mutex_unlock(&m);
    printed = *object;
}
