/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000, Figure 2, with y under a lock: a = 3 takes the same branch as a = 2 did. */
#include "two.h"
static int y, v;
struct object {
    int f;
};
static void T1(void) {
    pthread_mutex_lock(&m);
    y = 3;
    pthread_mutex_unlock(&m);
    v = 1;
    pthread_mutex_lock(&m);
    y = 2;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    int x = 0;
    struct object *o = malloc(sizeof *o);
    o->f = 10;
    int z = o->f;
    pthread_mutex_lock(&m);
    int a = y;
    pthread_mutex_unlock(&m);
    x = a + z;
    if (x > 11)
        printed = v;
    free(o);
}
