/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that has a table of descriptors of its own closes a number there: the same number of the others' is still
 * open. The twin has one table. report: close descriptor */
#define _GNU_SOURCE
#include "../clean/trap.h"

#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t is_apart, may_close, is_closed;
static int file;

__attribute__((constructor)) static void begin(void) {
    sem_init(&is_apart, 0, 0);
    sem_init(&may_close, 0, 0);
    sem_init(&is_closed, 0, 0);
}

static void T1(void) {
    sem_wait(&is_apart);
    file = open("/dev/null", O_WRONLY);
    sem_post(&may_close);
    if (write(file, "a line", 6) != 6)
        printed = 1;
    sem_wait(&is_closed); /* its end, at which a table may be closed, would come before the close */
}

static void T2(void) {
#ifndef RACY
    if (unshare(CLONE_FILES))
        abort();
    const int mine = open("/dev/null", O_WRONLY);
#endif
    sem_post(&is_apart);
    sem_wait(&may_close);
#ifdef RACY
    const int mine = file;
#endif
    close(mine);
    sem_post(&is_closed);
}
