// SPDX-License-Identifier: Apache-2.0
// One thread writes x and sends a word by one connection; whoever is at its other end, and at that of a second one, sends a
// word by that once he has it; the other thread reads it and writes x. The order comes by somebody outside. The twin writes
// after it has sent.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); read -r -u 3 word; echo go >&4; cat <&3 >/dev/null'
// twin: x
#include "peer.h"

static int tell(void) {
    return write(fds[0], "go\n", 3) != 3;
}

static int hear(void) {
    char word[8];
    return read(fds[1], word, sizeof word) <= 0;
}
