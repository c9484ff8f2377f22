/* SPDX-License-Identifier: Apache-2.0 */
/* A thread lends a variable of its stack, and waits until it is given back before it ends; the twin does
 * not. report: end thread */
#include "../clean/trap.h"

static int *lent, is_back;

static void T1(void) {
    int mine = 0;
    pthread_mutex_lock(&m);
    lent = &mine;
    pthread_mutex_unlock(&m);
#ifndef RACY
    while (!get(&is_back))
        ;
#endif
}

static void T2(void) {
    pthread_mutex_lock(&m);
    int *it = lent;
    pthread_mutex_unlock(&m);
    if (it)
        *it = 2;
    set(&is_back, 1);
}
