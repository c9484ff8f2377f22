/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings: fresh pages are zero, also where others were; growing, files, a mutex that goes with its memory. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE (1 << 16)

static char *fresh(void *at, int flags) {
    char *p = mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    CHECK(p != MAP_FAILED);
    for (int i = 0; i < SIZE; i++)
        CHECK(!p[i]);
    return p;
}

static void *use(void *arg) {
    for (int round = 0; round < 20; round++) {
        char *p = fresh(NULL, 0);
        memset(p, 'x', SIZE);
        CHECK(fresh(p, MAP_FIXED) == p);
        pthread_mutex_t *m = (pthread_mutex_t *)p;
        pthread_mutex_init(m, NULL);
        pthread_mutex_lock(m);
        pthread_mutex_unlock(m);
        CHECK(!munmap(p, SIZE)); /* the mutex was not destroyed */
    }
    return arg;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);

    char *p = fresh(NULL, 0);
    memset(p, 'y', SIZE);
    p = mremap(p, SIZE, 4 * SIZE, MREMAP_MAYMOVE);
    CHECK(p != MAP_FAILED && p[SIZE - 1] == 'y' && p[SIZE] == 0 && p[4 * SIZE - 1] == 0);
    CHECK(!munmap(p + SIZE, SIZE)); /* a hole */
    CHECK(p[0] == 'y' && p[3 * SIZE] == 0);
    CHECK(!munmap(p, SIZE) && !munmap(p + 2 * SIZE, 2 * SIZE));

    FILE *f = tmpfile();
    CHECK(f && fputs("from a file", f) >= 0 && !fflush(f));
    char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
    CHECK(shared != MAP_FAILED && !memcmp(shared, "from a file", 11) && !shared[11]);
    memcpy(shared, "FROM", 4);
    char back[5] = "";
    CHECK(pread(fileno(f), back, 4, 0) == 4 && !strcmp(back, "FROM"));
    CHECK(pwrite(fileno(f), "kernel", 6, 100) == 6 && !memcmp(shared + 100, "kernel", 6));
    CHECK(!munmap(shared, 4096));
    CHECK(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    puts("mmap: fine");
}
