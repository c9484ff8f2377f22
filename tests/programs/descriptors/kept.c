/* SPDX-License-Identifier: Apache-2.0 */
/* A dup2() that fails closes nothing: the number leads where it led. The twin's does not fail. report: close descriptor */
#include "../clean/trap.h"

#include <fcntl.h>
#include <unistd.h>

static int file, other;

__attribute__((constructor)) static void begin(void) {
    file = open("/dev/null", O_WRONLY);
    other = open("/dev/null", O_WRONLY);
}

static void T1(void) {
    if (write(file, "a line", 6) != 6)
        abort();
}

static void T2(void) {
#ifdef RACY
    const int from = other;
#else
    const int from = -1;
#endif
    if ((dup2(from, file) < 0) != (from < 0))
        abort();
}
