/* SPDX-License-Identifier: Apache-2.0 */
/* A daemon: server FILE writes its number there once it works, and works until it is killed. With `gently` it ends by
 * itself on SIGTERM. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static void end(int signal) { done = signal; }

static int work[2];
static long handled;
static void *worker(void *arg) {
    int n;
    while (read(work[0], &n, sizeof n) == sizeof n)
        __atomic_fetch_add(&handled, n, __ATOMIC_RELAXED);
    return arg;
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    FILE *f = fopen(argv[1], "w"); /* before daemon() changes the directory */
    CHECK(f && !daemon(0, 1) && !pipe(work));
    if (argc > 2 && !strcmp(argv[2], "gently"))
        signal(SIGTERM, end);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; !done; i++) {
        int n = 1;
        CHECK(write(work[1], &n, sizeof n) == sizeof n);
        if (i == 100) {
            fprintf(f, "%d\n", (int)getpid());
            CHECK(!fclose(f));
        }
    }
    close(work[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return done == SIGTERM && handled > 100 ? 0 : 1;
}
