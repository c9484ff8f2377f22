/* SPDX-License-Identifier: Apache-2.0 */
/* As string.c, of another call. */
#include "../clean/trap.h"

static char text[64] = "a text that is much longer than a few words are";

static void T1(void) {
    ONLY_RACY(text[41] = 'x'; return;)
    pthread_mutex_lock(&m);
    text[41] = 'x';
    pthread_mutex_unlock(&m);
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    printed = memcmp(text, "a text that is much longer than a few words are", 48);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
