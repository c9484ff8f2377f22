// SPDX-License-Identifier: Apache-2.0
// Somebody outside sends more by one connection than all buffers hold, and then a word by another one. One thread writes x and
// reads what comes by the first; the other reads the word, and writes x. Both only read, and the first has let him go on. The
// twin writes before it has read the word.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); head -c 16000000 /dev/zero >&3; echo ok >&4; cat <&3 >/dev/null'
// twin: x
#define THREADS
#include "peer.h"

static void *first(void *argument) {
    enum { ALL = 16000000 };
    static char bytes[1 << 20];
    x = 1;
    ssize_t n = read(fds[0], bytes, 100);
    for (ssize_t all = n; n > 0 && all < ALL; all += n)
        n = read(fds[0], bytes, sizeof bytes);
    if (n <= 0)
        exit(3);
    return argument;
}

static void *second(void *argument) {
    char word[8];
#ifdef TWIN
    x = 2;
#endif
    if (read(fds[1], word, sizeof word) <= 0)
        exit(4);
#ifndef TWIN
    x = 2;
#endif
    return argument;
}
