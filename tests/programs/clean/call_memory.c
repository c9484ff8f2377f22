/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 1: what a call outside gives depends on the memory that it reads. T2 reads v only if the text says 1, and
 * it does so only after T1 has written v. Sprung: it says so from the beginning. */
#include "trap.h"

static char text[8] = "0" ONLY_RACY("1");

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&m);
    memcpy(text, "1", 2);
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    int number = atoi(text);
    pthread_mutex_unlock(&m);
    if (number == 1)
        printed = v;
}
