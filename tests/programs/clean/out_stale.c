/* SPDX-License-Identifier: Apache-2.0 */
/* A string that other code outside wrote ends where that says, not where memory was seen to end before. */
#include "trap.h"

static struct {
    char name[12];
    int k;
} s = {"abcdefghijk", 0x41414141};
static char copy[32];

static void T1(void) {
    pthread_mutex_lock(&m);
    s.name[11] = 'z';
    strcpy(s.name, "a");
    pthread_mutex_unlock(&m);
    s.k = 0x42424242;
    ONLY_RACY(s.name[0] = 0;)
}

static void T2(void) {
    pthread_mutex_lock(&m);
    printed = (int)strlen(s.name) + strcmp(s.name, "ab");
    strcpy(copy, s.name);
    pthread_mutex_unlock(&m);
}
