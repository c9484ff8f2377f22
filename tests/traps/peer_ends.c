// SPDX-License-Identifier: Apache-2.0
// One thread writes x and closes its connection; whoever is at its other end then closes another one, whose end the other
// thread sees before it writes x. The twin writes after it has closed.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); cat <&3 >/dev/null; exec 4>&-; exec 3>&-'
// twin: x
#include "peer.h"

static int tell(void) {
    return shutdown(fds[0], SHUT_RDWR);
}

static int hear(void) {
    char word[8];
    while (read(fds[1], word, sizeof word) > 0)
        continue;
    return 0;
}
