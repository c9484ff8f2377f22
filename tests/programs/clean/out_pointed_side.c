/* SPDX-License-Identifier: Apache-2.0 */
/* The same of a thread that goes the other way: it asks for a lock that there is not. */
#include "trap.h"

#include <fcntl.h>
#include <unistd.h>

static int flag;

static void T1(void) {
    v = 1;
    set(&flag, 1);
}

static void T2(void) {
    struct flock wanted = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int is_set = get(&flag), file = open("/dev/null", O_RDWR);
    if (!is_set) {
        printed++;
        ONLY_RACY(if (0))
        wanted.l_whence = 77;
    }
    if (!fcntl(file, F_SETLK, &wanted))
        v = 2;
    close(file);
}
