/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks how long the file is that standard output leads to finds there what was let out, and no more. */
#include "trap.h"

#include <sys/stat.h>

static int flag;

static void T1(void) {
    v = 1;
    set(&flag, 1);
}

static void T2(void) {
    struct stat status = {0};
    fputs("hello\n", stdout);
    if (get(&flag) ONLY_RACY(|| 1))
        fflush(stdout);
    if (!fstat(1, &status) && status.st_size)
        v = 2;
}
