// SPDX-License-Identifier: Apache-2.0
// One thread writes x, sends a word by one connection and reads one there; the other reads one by a second connection, which is
// sent once the first word has come, and writes x. So somebody outside orders them. The twin writes after it has sent: then
// both have only taken something in between, by two connections, and nobody knows who did so first.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); echo hi >&3; read -r -u 3 word; echo ok >&4; cat <&3 >/dev/null'
// twin: x
// exact: what was taken in by one connection could have been taken in after what came by the other
#define THREADS
#include "peer.h"

static void *first(void *argument) {
    char word[8];
#ifndef TWIN
    x = 1;
#endif
    if (write(fds[0], "go\n", 3) != 3)
        exit(3);
#ifdef TWIN
    x = 1;
#endif
    if (read(fds[0], word, sizeof word) <= 0)
        exit(4);
    return argument;
}

static void *second(void *argument) {
    char word[8];
    if (read(fds[1], word, sizeof word) <= 0)
        exit(5);
    x = 2;
    return argument;
}
