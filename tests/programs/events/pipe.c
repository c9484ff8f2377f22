/* SPDX-License-Identifier: Apache-2.0 */
/* clean */
/* Ordered by a pipe alone. */
#include <pthread.h>
#include <unistd.h>

static int ends[2], shared;

static void *work(void *unused) {
    char c;
    if (read(ends[0], &c, 1) == 1)
        shared++;
    return unused;
}

int main(void) {
    pthread_t a;
    if (pipe(ends))
        return 1;
    pthread_create(&a, NULL, work, NULL);
    shared = 1;
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_join(a, NULL);
    return shared != 2;
}
