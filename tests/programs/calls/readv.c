/* SPDX-License-Identifier: Apache-2.0 */
/* What a list of pieces leads to is written by the system. The clean twin locks. */
#include "../clean/trap.h"
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

static char piece[16];

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    printed = piece[3];
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    int zero = open("/dev/zero", O_RDONLY);
    struct iovec list[] = {{piece, sizeof piece}};
    if (readv(zero, list, 1) != sizeof piece)
        abort();
    close(zero);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
