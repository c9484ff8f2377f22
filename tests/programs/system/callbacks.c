/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries call back: sorting, searching, trees, keys, and at the end of the process; from several threads at once. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <search.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int compare_down(const void *a, const void *b, void *calls) {
    ++*(int *)calls;
    return *(const int *)b - *(const int *)a;
}

static pthread_key_t key;
static int ended;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void end_of_thread(void *value) {
    pthread_mutex_lock(&m);
    ended += *(int *)value;
    pthread_mutex_unlock(&m);
    free(value);
}

static _Thread_local long sum;
static void add(const void *node, VISIT order, int depth) {
    (void)depth;
    if (order == postorder || order == leaf)
        sum += **(int *const *)node;
}

static void *work(void *arg) {
    unsigned seed = (unsigned)(size_t)arg;
    int n[500], calls = 0;
    for (int i = 0; i < 500; i++)
        n[i] = (int)((seed = seed * 1103515245 + 12345) >> 8) % 10000;
    qsort(n, 500, sizeof *n, compare);
    for (int i = 1; i < 500; i++)
        CHECK(n[i - 1] <= n[i]);
    int wanted = n[123], *found = bsearch(&wanted, n, 500, sizeof *n, compare);
    CHECK(found && *found == wanted);
    qsort_r(n, 500, sizeof *n, compare_down, &calls);
    CHECK(calls > 500 && n[0] >= n[499]);
    void *root = NULL;
    long expected = 0;
    for (int i = 0; i < 50; i++)
        if (tfind(&n[i], &root, compare) == NULL) {
            CHECK(tsearch(&n[i], &root, compare));
            expected += n[i];
        }
    sum = 0;
    twalk(root, add);
    CHECK(sum == expected);
    for (int i = 0; i < 50; i++)
        tdelete(&n[i], &root, compare);
    CHECK(!root);
    int *value = malloc(sizeof *value);
    *value = 1;
    pthread_setspecific(key, value);
    return NULL;
}

static void last(void) { puts("last"); }
static void first(void) { puts("first"); }
static void with_status(int status, void *arg) { printf("status %d, %s\n", status, (char *)arg); }
__attribute__((destructor)) static void after(void) { puts("after"); }
__attribute__((constructor)) static void before(void) { puts("before"); }

int main(void) {
    atexit(last);
    on_exit(with_status, "said so");
    atexit(first);
    pthread_key_create(&key, end_of_thread);
    pthread_t t[3];
    for (size_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("ended %d\n", ended);
    return 5;
}
