/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads play ping-pong over pipes; vectors, a FIFO that waits for its other end, a pipe that runs full. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int there[2], back[2];

static void *answer(void *arg) {
    int n;
    while (read(there[0], &n, sizeof n) == sizeof n) {
        n *= 2;
        CHECK(write(back[1], &n, sizeof n) == sizeof n);
    }
    close(back[1]);
    return arg;
}

static char name[] = "fifo-XXXXXX"; /* in the current directory */
static void *open_fifo(void *arg) {
    int fd = open(name, O_WRONLY);
    CHECK(fd >= 0 && write(fd, "fifo", 4) == 4 && !close(fd));
    return arg;
}

static int full[2];
static void *fill(void *arg) {
    static char bytes[1 << 20];
    memset(bytes, 'z', sizeof bytes);
    CHECK(write(full[1], bytes, sizeof bytes) == sizeof bytes);
    close(full[1]);
    return arg;
}

int main(void) {
    pthread_t t;
    CHECK(!pipe(there) && !pipe2(back, O_CLOEXEC) && !pipe(full));
    pthread_create(&t, NULL, answer, NULL);
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        int n = i;
        CHECK(write(there[1], &n, sizeof n) == sizeof n && read(back[0], &n, sizeof n) == sizeof n);
        CHECK(n == 2 * i);
        sum += n;
    }
    close(there[1]);
    int n;
    CHECK(read(back[0], &n, sizeof n) == 0);
    pthread_join(t, NULL);

    CHECK(mkdtemp(name));
    CHECK(!rmdir(name) && !mkfifo(name, 0600));
    pthread_create(&t, NULL, open_fifo, NULL);
    int fd = open(name, O_RDONLY);
    char text[8] = "";
    CHECK(fd >= 0 && read(fd, text, 4) == 4 && !strcmp(text, "fifo"));
    pthread_join(t, NULL);
    CHECK(!unlink(name) && !close(fd));

    pthread_create(&t, NULL, fill, NULL);
    long total = 0;
    char a[1000], b[3000];
    struct iovec vector[] = {{a, sizeof a}, {b, sizeof b}};
    for (ssize_t got; (got = readv(full[0], vector, 2)) > 0; total += got)
        CHECK(a[0] == 'z' && (got <= 1000 || b[0] == 'z'));
    CHECK(total == 1 << 20);
    pthread_join(t, NULL);

    CHECK(read(-1, text, 1) == -1 && errno == EBADF);
    CHECK(!pipe2(full, O_NONBLOCK) && read(full[0], text, 1) == -1 && errno == EAGAIN);
    printf("pipes: %ld\n", sum);
}
