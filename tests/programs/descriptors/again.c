/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread opens a file, uses it and closes it. The second one is given the number that the first one had: another
 * descriptor. The twin's threads have one for both, which the second one closes. */
#include "../clean/trap.h"

#include <fcntl.h>
#include <unistd.h>

static int file = -1;

ONLY_RACY(__attribute__((constructor)) static void begin(void) { file = open("/dev/null", O_WRONLY); })

static void work(int is_last) {
    int own = file;
#ifndef RACY
    own = open("/dev/null", O_WRONLY);
    is_last = 1;
#endif
    ONLY_RACY(if (!is_last))
    if (write(own, "a line", 6) != 6)
        abort();
    if (is_last)
        close(own);
}

static void T1(void) { work(0); }

static void T2(void) { work(1); }
