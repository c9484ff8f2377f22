/* SPDX-License-Identifier: Apache-2.0 */
/* The environment is everybody's: T2 finds what T1 put there after it wrote `v`. */
#include "trap.h"

#include <time.h>

static int w;

static void T1(void) {
    v = 1;
    setenv("RECIPE_TRAP", "1", 1);
    w = 1;
    setenv("TZ", "XYZ-5", 1);
    ONLY_RACY(v = 3;)
}

static void T2(void) {
    struct tm day = {.tm_mday = 1, .tm_year = 70};
    if (getenv("RECIPE_TRAP"))
        v = 2;
    if (mktime(&day) < -1000)
        w = 2;
}
