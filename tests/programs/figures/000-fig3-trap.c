/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000, Figure 3 as a trap: o2->f is written before y points to o2, and y is under a lock: no race. */
#include "two.h"
static struct object {
    int f;
} o1, o2, *y = &o1;
static void T1(void) {
    o2.f = 5;
    pthread_mutex_lock(&m);
    y = &o1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    y = &o2;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    struct object *z = y;
    pthread_mutex_unlock(&m);
    printed = z->f;
}
