// SPDX-License-Identifier: Apache-2.0
// As peer_carries.c, but the other thread does not read the word: that a socket is ready is enough to know that it has come.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); read -r -u 3 word; echo go >&4; cat <&3 >/dev/null'
// twin: x
#include "peer.h"

static int tell(void) {
    return write(fds[0], "go\n", 3) != 3;
}

static int hear(void) {
    struct pollfd one = {.fd = fds[1], .events = POLLIN};
    while (poll(&one, 1, 10) == 0)
        continue;
    return 0;
}
