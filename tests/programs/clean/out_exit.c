/* SPDX-License-Identifier: Apache-2.0 */
/* What runs at exit was registered before. */
#include "trap.h"

static void handler(void) { v = 2; }

static void T1(void) {
    v = 1;
    atexit(handler);
    ONLY_RACY(v = 3;)
}

static void T2(void) { exit(0); }
