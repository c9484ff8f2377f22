/* SPDX-License-Identifier: Apache-2.0 */
/* What a call has left in memory is there for whoever looks, though nobody looked when it was recorded. */
#include "trap.h"

#include <signal.h>

static int flag, w, u;
static sigset_t signals;
static char word[32], greeting[] = "hello";

static void T1(void) {
    v = 1;
    w = 1;
    u = 1;
    set(&flag, 1);
    ONLY_RACY(v = 3;)
}

static void T2(void) {
    strcat(word, greeting);
    sigaddset(&signals, 3);
    if (get(&flag)) {
        ONLY_RACY(v = 2;)
        return;
    }
    printed++;
    if (!word[0])
        v = 2;
    if (!strlen(word))
        w = 2;
    if (!*(const unsigned char *)&signals)
        u = 2;
}
