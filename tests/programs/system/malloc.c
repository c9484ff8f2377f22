/* SPDX-License-Identifier: Apache-2.0 */
/* The malloc family, from two threads that hand blocks to each other. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *shared[64];

static void *work(void *arg) {
    unsigned char mark = (unsigned char)(uintptr_t)arg;
    for (int round = 0; round < 200; round++) {
        size_t size = 1 + (size_t)round * 7 % 3000;
        unsigned char *p = malloc(size), *q;
        CHECK(p);
        memset(p, mark, size);
        p = realloc(p, size * 3);
        CHECK(p);
        for (size_t i = 0; i < size; i++)
            CHECK(p[i] == mark);
        q = calloc(size, 2);
        CHECK(q);
        for (size_t i = 0; i < 2 * size; i++)
            CHECK(!q[i]);
        pthread_mutex_lock(&m);
        unsigned char *old = shared[round % 64];
        q[0] = mark;
        shared[round % 64] = q;
        pthread_mutex_unlock(&m);
        CHECK(!old || old[0] == 1 || old[0] == 2);
        free(old); /* of whichever thread */
        free(p);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 64; i++)
        free(shared[i]);

    void *p = NULL;
    CHECK(!posix_memalign(&p, 256, 1000) && (uintptr_t)p % 256 == 0);
    CHECK(malloc_usable_size(p) >= 1000);
    free(p);
    CHECK(posix_memalign(&p, 3, 10) == EINVAL);
    p = aligned_alloc(64, 640);
    CHECK((uintptr_t)p % 64 == 0);
    free(p);
    p = memalign(4096, 10);
    CHECK((uintptr_t)p % 4096 == 0);
    free(p);
    free(valloc(100));
    free(pvalloc(100));
    errno = 0;
    volatile size_t huge = SIZE_MAX / 2;
    CHECK(!reallocarray(NULL, huge, 4) && errno == ENOMEM);
    void *(*volatile real_malloc)(size_t) = malloc; /* or the compiler assumes that it succeeds */
    CHECK(!real_malloc(huge) && errno == ENOMEM);
    p = reallocarray(NULL, 10, 10);
    errno = 7;
    free(p);
    CHECK(errno == 7);
    char *large = calloc(1, 10 << 20); /* by mmap */
    for (size_t i = 0; i < 10 << 20; i += 4096)
        CHECK(!large[i]);
    large[5 << 20] = 1;
    large = realloc(large, 20 << 20);
    CHECK(large[5 << 20] == 1);
    free(large);
    puts("malloc: fine");
}
