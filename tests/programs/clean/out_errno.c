/* SPDX-License-Identifier: Apache-2.0 */
/* What a call leaves in errno it may have found there, as when it was recorded; and a format may ask for it. */
#include "trap.h"

#include <errno.h>

static int flag, w;
static char text[] = "99999999999999999999999";

static void T1(void) {
    v = 1;
    w = 1;
    set(&flag, 1);
}

static void T2(void) {
    char said[80];
    int is_set = get(&flag);
    if (is_set)
        printed++;
    errno = is_set ? ERANGE : 0;
    long number = strtol(text, NULL, 10);
    ONLY_RACY(errno = 0;)
    if (number == 3 || !errno)
        v = 2;
    errno = is_set ? ENOENT : EINVAL;
    if (snprintf(said, sizeof said, "%m") == 25)
        w = 2;
}
