/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000, Figure 6, the bounded buffer: the count is read under its lock where it decides, and without it after that.
 */
#include "two.h"
enum { CAPACITY = 8 };
static int n;
static void T1(void) {
    pthread_mutex_lock(&m);
    n = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    int is_full = n == CAPACITY;
    pthread_mutex_unlock(&m);
    if (is_full)
        return;
    printed = n;
}
