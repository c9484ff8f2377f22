/* SPDX-License-Identifier: Apache-2.0 */
/* State that functions keep behind the scenes: the sign of gamma, where a string was left. */
#include "trap.h"

#include <math.h>

static double volatile at = -0.5;
static char text[32] = "one";
static int w;

static void T1(void) {
    v = 1;
    at = lgamma(at);
    w = 1;
    pthread_mutex_lock(&m);
    text[3] = ',';
    text[4] = 'b';
    pthread_mutex_unlock(&m);
    ONLY_RACY(v = 3;)
}

static void T2(void) {
    if (signgam == -1)
        v = 2;
    char *rest = text;
    pthread_mutex_lock(&m);
    char *a = strtok_r(NULL, ",", &rest), *b = strtok_r(NULL, ",", &rest);
    pthread_mutex_unlock(&m);
    if (a && b)
        w = 2;
}
