/* SPDX-License-Identifier: Apache-2.0 */
/* What a list of pieces leads to is read by the system. The clean twin locks. */
#include "../clean/trap.h"
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

static char piece[16];

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    piece[3] = 1;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    int null = open("/dev/null", O_WRONLY);
    struct iovec list[] = {{piece, sizeof piece}};
    printed = (int)writev(null, list, 1);
    close(null);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
