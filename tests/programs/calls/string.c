/* SPDX-License-Identifier: Apache-2.0 */
/* A string of which one letter is shared: written by one, read by a call of the other. The clean twin locks. */
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
    char *copy = strdup(text);
    printed = copy[0];
    free(copy);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
