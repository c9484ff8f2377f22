/* SPDX-License-Identifier: Apache-2.0 */
/* Who has read what the other one wrote last may close both ends of the pipe. The twin's reader reads nothing. */
#include "../clean/trap.h"

#include <unistd.h>

static int ends[2];

__attribute__((constructor)) static void begin(void) {
    if (pipe(ends))
        abort();
}

static void T1(void) {
    char c = 'x';
    if (write(ends[1], &c, 1) != 1)
        abort();
}

static void T2(void) {
    char c;
    ONLY_RACY(close(ends[1]); return;)
    if (read(ends[0], &c, 1) == 1)
        close(ends[1]);
}
