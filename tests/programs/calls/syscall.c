/* SPDX-License-Identifier: Apache-2.0 */
/* A system call by its number reads memory. The clean twin locks. */
#include "../clean/trap.h"
#include <fcntl.h>
#include <sys/syscall.h>
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
    printed = (int)syscall(SYS_write, null, piece, sizeof piece);
    close(null);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
