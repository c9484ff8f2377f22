/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a string without an end is read out of its block. */
#include "trap.h"

static int mode;
static char *name;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    if (strlen(name) >= 4 ONLY_RACY(-1))
        printed = v;
}

__attribute__((constructor)) static void make(void) {
    name = malloc(4);
    memcpy(name, "four", 4);
    ONLY_RACY(name[3] = 0;)
}
