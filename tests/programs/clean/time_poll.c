/* SPDX-License-Identifier: Apache-2.0 */
/* T2 polls a pipe of the program's own into which nobody writes, for a while. */
#include "hurry.h"

#include <poll.h>
#include <unistd.h>

static void take_long(void) {
    int ends[2];
    if (pipe(ends))
        return;
    struct pollfd ask = {.fd = ends[0], .events = POLLIN};
    poll(&ask, 1, LONG / 1000000);
    close(ends[0]);
    close(ends[1]);
}
