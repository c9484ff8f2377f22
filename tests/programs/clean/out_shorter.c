/* SPDX-License-Identifier: Apache-2.0 */
/* Where a string has become shorter, what was behind is not read: byte 3 is T1's strlen's only before byte 1 is NUL. */
#include "trap.h"

static char s[32] = "abcdefghijklmnopqrstuvwxyz", t[32] = "abcdefghijklmnopqrstuvwxyz";

static void T1(void) {
    pthread_mutex_lock(&m);
    printed += (int)strlen(s) + strcmp(s, t);
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    s[1] = ONLY_RACY(1 ? 'b' :) 0;
    pthread_mutex_unlock(&m);
    s[3] = 'Y';
    s[20] = 'Y';
    t[5] = 'Z';
}
