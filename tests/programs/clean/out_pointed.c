/* SPDX-License-Identifier: Apache-2.0 */
/* What a call reads by a pointer it is given, and nobody need have noticed: what lock of a file is asked for, how much
 * room there is for an address. T1 makes it right, after it wrote what T2 writes then. */
#include "trap.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct flock wanted = {.l_type = F_RDLCK, .l_whence = 77};
static socklen_t room = (socklen_t)-1;
static int file, end, w;

__attribute__((constructor)) static void make(void) {
    file = open("/dev/null", O_RDWR);
    end = socket(AF_UNIX, SOCK_STREAM, 0);
}

static void T1(void) {
    v = 1;
    w = 1;
    pthread_mutex_lock(&m);
    wanted.l_whence = SEEK_SET;
    room = sizeof(struct sockaddr_un);
    pthread_mutex_unlock(&m);
    ONLY_RACY(v = 3;)
}

static void T2(void) {
    struct sockaddr_un address;
    pthread_mutex_lock(&m);
    int is_locked = !fcntl(file, F_SETLK, &wanted);
    int is_named = !getsockname(end, (struct sockaddr *)&address, &room);
    pthread_mutex_unlock(&m);
    if (is_locked)
        v = 2;
    if (is_named)
        w = 2;
}
