/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 001, Figure 4: a value goes through a method call; which method, a pointer to it says, which is shared too. */
#include "two.h"
static int y;
static int doubled(int y1) {
    int i = y1;
    int i2 = 2 * i;
    return i2;
}
static int tripled(int y2) {
    int j = y2;
    return 3 * j;
}
static int (*func)(int) = tripled;
static void T1(void) {
    pthread_mutex_lock(&m);
    func = doubled;
    y = 4;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    int x = func(y);
    pthread_mutex_unlock(&m);
    if (x > 7)
        printed = x;
}
