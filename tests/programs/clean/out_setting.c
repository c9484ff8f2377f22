/* SPDX-License-Identifier: Apache-2.0 */
/* The environment is everybody's: T2 finds what T1 put there after it wrote `v`. (The library does not
 * protect it: the program does.) */
#include "trap.h"

#include <time.h>

static int w;

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&m);
    setenv("RECIPE_TRAP", "1", 1);
    pthread_mutex_unlock(&m);
    w = 1;
    pthread_mutex_lock(&m);
    setenv("TZ", "XYZ-5", 1);
    pthread_mutex_unlock(&m);
    ONLY_RACY(v = 3;)
}

static void T2(void) {
    struct tm day = {.tm_mday = 1, .tm_year = 70};
    pthread_mutex_lock(&m);
    int is_set = getenv("RECIPE_TRAP") != NULL;
    pthread_mutex_unlock(&m);
    if (is_set)
        v = 2;
    pthread_mutex_lock(&m);
    int is_far = mktime(&day) < -1000;
    pthread_mutex_unlock(&m);
    if (is_far)
        w = 2;
}
