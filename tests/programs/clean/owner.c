/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 19: the flag that T2 finds was written long before; T1 takes it back, writes v without the lock, and gives
 * it again. T2 looks at v within its section, so that the flag holds. Sprung: T2 looks at v afterwards. */
#include "trap.h"

static int flag = 1, filler;

static void T1(void) {
    for (int i = 0; i < 300; i++)
        set(&filler, i);
    set(&flag, 0);
    v = 1;
    set(&flag, 1);
}

static void T2(void) {
    int seen = 0;
    for (int i = 0; i < 300; i++)
        set(&filler, i);
    pthread_mutex_lock(&m);
    if (flag) {
        seen = 1;
        printed = v;
    }
    pthread_mutex_unlock(&m);
    ONLY_RACY(if (seen) printed = v;)
    (void)seen;
}
