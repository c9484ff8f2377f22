/* SPDX-License-Identifier: Apache-2.0 */
/* A number is made to lead elsewhere under a lock, and used under it; in the twin without. */
#include "../clean/trap.h"

#include <fcntl.h>
#include <unistd.h>

static int file, other;

__attribute__((constructor)) static void begin(void) {
    file = open("/dev/null", O_WRONLY);
    other = open("/dev/null", O_WRONLY);
}

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    if (write(file, "a line", 6) != 6)
        abort();
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    dup2(other, file);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
