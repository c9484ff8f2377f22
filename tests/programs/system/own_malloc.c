/* SPDX-License-Identifier: Apache-2.0 */
/* A program with an allocator, and a function of libc's name, of its own: they are used, from the very beginning. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char pool[1 << 22];
static size_t used;

static int is_ours(const void *p) { return (const char *)p > pool && (const char *)p < pool + sizeof pool; }

void *malloc(size_t n) {
    n = (n + 31) & ~(size_t)15;
    size_t at = __atomic_fetch_add(&used, n, __ATOMIC_RELAXED);
    if (at + n > sizeof pool)
        return NULL;
    *(size_t *)(pool + at) = n - 16;
    return pool + at + 16;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t size) { return malloc(n * size); /* never used before: zero */ }
void *realloc(void *old, size_t n) {
    void *p = malloc(n);
    if (p && old) {
        size_t had = ((size_t *)old)[-2];
        memcpy(p, old, had < n ? had : n);
    }
    return p;
}
int pause(void) { return 42; }

static void *work(void *arg) {
    for (int i = 1; i < 100; i++) {
        char *p = malloc(20);
        memset(p, i, 20);
        p = realloc(p, 200);
        CHECK(is_ours(p) && p[19] == i);
        free(p);
    }
    return arg;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    char *copy = strdup("libc uses it too");
    CHECK(is_ours(copy) && pause() == 42);
    puts(copy);
}
