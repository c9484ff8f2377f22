/* SPDX-License-Identifier: Apache-2.0 */
/* T2 sleeps: whoever looks at the clock after it did so later than whoever looked before. */
#include "hurry.h"

static void take_long(void) {
    struct timespec t = {0, LONG};
    nanosleep(&t, NULL);
}
