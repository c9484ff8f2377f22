/* SPDX-License-Identifier: Apache-2.0 */
/* strerror_r() writes a text. The clean twin locks. */
#define _POSIX_C_SOURCE 200809L
#include "../clean/trap.h"


static char text[64];

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    printed = text[2];
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    (void)strerror_r(2, text, sizeof text);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
