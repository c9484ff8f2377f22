// SPDX-License-Identifier: Apache-2.0
// Somebody outside sends a word by one connection. One thread writes x, sends him a word and reads his; the other one sends him
// one by a second connection, reads what he answers once he has both, and writes x: so he carries the order over. In the
// twin one thread only takes in what was there, the other only sends: he might as well have had that word before.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); echo hi >&3; read -r -u 3 word; read -r -u 4 word; echo ok >&4; cat <&3 >/dev/null'
// twin: x
// exact: what was taken in before something went out could have been taken in after it
#define THREADS
#include "peer.h"

static void *first(void *argument) {
    char word[8];
    x = 1;
#ifndef TWIN
    if (write(fds[0], "go\n", 3) != 3)
        exit(3);
#endif
    if (recv(fds[0], word, sizeof word, 0) <= 0)
        exit(4);
    return argument;
}

static void *second(void *argument) {
    if (send(fds[1], "go\n", 3, 0) != 3)
        exit(5);
#ifndef TWIN
    char word[3];
    if (read(fds[1], word, sizeof word) <= 0)
        exit(6);
#endif
    x = 2;
    return argument;
}
