/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed on a stream may be what another thread waits for: T2 reads from the pipe that T1 prints on, and asks
 * for a state of a file that T1 changes by reading. */
#include "trap.h"

#include <unistd.h>

static int fds[2], w;
static FILE *nothing;

__attribute__((constructor)) static void make(void) {
    if (pipe(fds) || !(nothing = fopen("/dev/null", "r")))
        abort();
}

static void T1(void) {
    FILE *f = fdopen(fds[1], "w");
    v = 1;
    fputs("x\n", f);
    fflush(f);
    w = 1;
    fgetc(nothing);
    ONLY_RACY(v = 3;)
}

static void T2(void) {
    char c;
    if (read(fds[0], &c, 1) == 1)
        v = 2;
    if (feof(nothing))
        w = 2;
}
