/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a call that was recorded finds its memory freed there, whatever that still holds. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    char *name = malloc(64);
    strcpy(name, "name");
    int was = get(&mode);
    if (!was ONLY_RACY(&&!name))
        free(name);
    if (strlen(name) == 4 && !get(&mode))
        printed = v;
    if (was)
        free(name);
}
