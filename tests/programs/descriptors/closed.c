/* SPDX-License-Identifier: Apache-2.0 */
/* A file is closed when the other one has written to it; in the twin nobody waits for that. report: close descriptor */
#include "../clean/trap.h"

#include <fcntl.h>
#include <unistd.h>

static int file, is_over;

__attribute__((constructor)) static void begin(void) { file = open("/dev/null", O_WRONLY); }

static void T1(void) {
    if (write(file, "a line", 6) != 6)
        abort();
#ifndef RACY
    set(&is_over, 1);
#endif
}

static void T2(void) {
#ifndef RACY
    if (!get(&is_over))
        return;
#endif
    close(file);
}
