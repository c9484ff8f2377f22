/* SPDX-License-Identifier: Apache-2.0 */
/* A stream is closed when the other one has written to it; in the twin nobody waits for that. */
#include "../clean/trap.h"

static FILE *stream;
static int is_over;

__attribute__((constructor)) static void begin(void) { stream = fopen("/dev/null", "w"); }

static void T1(void) {
    fputs("a line\n", stream);
#ifndef RACY
    set(&is_over, 1);
#endif
}

static void T2(void) {
#ifndef RACY
    if (!get(&is_over))
        return;
#endif
    fclose(stream);
}
