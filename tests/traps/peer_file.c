// SPDX-License-Identifier: Apache-2.0
// One thread writes x and then a file; somebody outside who waits for that file sends a word, which the other thread reads
// before it writes x. The twin writes x after the file.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); until [ -s flag ]; do :; done; rm flag; echo go >&4; cat <&3 >/dev/null'
// twin: x
#include "peer.h"

static int tell(void) {
    FILE *file = fopen("flag", "w");
    return !file || fputs("go", file) < 0 || fclose(file);
}

static int hear(void) {
    char word[8];
    return read(fds[1], word, sizeof word) <= 0;
}
