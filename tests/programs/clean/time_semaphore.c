/* SPDX-License-Identifier: Apache-2.0 */
/* T2 waits for a semaphore that nobody posts, until a deadline. */
#include "hurry.h"

static sem_t never;

static void take_long(void) {
    struct timespec until = later(CLOCK_REALTIME, LONG);
    sem_init(&never, 0, 0);
    sem_timedwait(&never, &until);
}
