/* SPDX-License-Identifier: Apache-2.0 */
/* A string that other code outside has made shorter, in the middle of a word of which the rest is known: it ends where that says. */
#include "trap.h"

static char name[16] = "abcdefghijk", copy[32];

static void T1(void) {
    pthread_mutex_lock(&m);
    strcpy(name, "a");
    pthread_mutex_unlock(&m);
    name[9] = 'x';
    ONLY_RACY(name[0] = 0;)
}

static void T2(void) {
    pthread_mutex_lock(&m);
    printed = name[2] + name[8];
    strcpy(copy, name);
    pthread_mutex_unlock(&m);
}
