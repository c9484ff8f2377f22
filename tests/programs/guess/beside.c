/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is not recorded, with locks and waits of its own: a lock, a pool of threads, a host's plugin. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_at(int *at, int value) { syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, 0, 0, 0); }
static void wake(int *at, int n) { syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, n, 0, 0, 0); }

static int taken;

void beside_lock(void) {
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE))
        wait_at(&taken, 1);
}

void beside_unlock(void) {
    __atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
    wake(&taken, 1);
}

/* Whoever is the last to release it frees it. */
void beside_release(int *references, void *block) {
    if (!__atomic_sub_fetch(references, 1, __ATOMIC_ACQ_REL))
        free(block);
}

enum { TASKS = 16, WORKERS = 3 };
static struct {
    void (*run)(void *);
    void *given[TASKS];
    int next, pushed, open, calls; /* `calls` changes whenever there is something to look at */
    int is_over;
    pthread_t workers[WORKERS];
} pool;

static void call(void) {
    __atomic_add_fetch(&pool.calls, 1, __ATOMIC_ACQ_REL);
    wake(&pool.calls, WORKERS);
}

static void *work(void *unused) {
    for (;;) {
        int calls = __atomic_load_n(&pool.calls, __ATOMIC_ACQUIRE);
        int pushed = __atomic_load_n(&pool.pushed, __ATOMIC_ACQUIRE), mine = __atomic_load_n(&pool.next, __ATOMIC_RELAXED);
        if (mine < pushed) {
            if (!__atomic_compare_exchange_n(&pool.next, &mine, mine + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
                continue;
            pool.run(pool.given[mine]);
            if (!__atomic_sub_fetch(&pool.open, 1, __ATOMIC_ACQ_REL))
                wake(&pool.open, 1);
        } else if (__atomic_load_n(&pool.is_over, __ATOMIC_ACQUIRE)) {
            return unused;
        } else {
            wait_at(&pool.calls, calls);
        }
    }
}

void pool_start(void (*run)(void *)) {
    pool.run = run;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool.workers[i], NULL, work, NULL);
}

void pool_push(void *given) {
    pool.given[pool.pushed] = given;
    __atomic_add_fetch(&pool.open, 1, __ATOMIC_ACQ_REL);
    __atomic_add_fetch(&pool.pushed, 1, __ATOMIC_RELEASE);
    call();
}

void pool_wait(void) {
    for (int open; (open = __atomic_load_n(&pool.open, __ATOMIC_ACQUIRE));)
        wait_at(&pool.open, open);
}

void pool_end(void) {
    __atomic_store_n(&pool.is_over, 1, __ATOMIC_RELEASE);
    call();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool.workers[i], NULL);
}

static void (*host)(const char *);
static pthread_t plugin;

static void *plug_in(void *unused) {
    for (int i = 0; i < 3; i++)
        host("plugin");
    return unused;
}

void plugin_start(void (*say)(const char *)) {
    host = say;
    pthread_create(&plugin, NULL, plug_in, NULL);
}

void plugin_end(void) { pthread_join(plugin, NULL); }

/* Who takes finds something, or goes away. */
static int there;

void beside_put(void) { __atomic_add_fetch(&there, 1, __ATOMIC_RELEASE); }

int beside_look(void) { return __atomic_load_n(&there, __ATOMIC_RELAXED); }

int beside_take(void) {
    int n = __atomic_load_n(&there, __ATOMIC_ACQUIRE);
    return n && __atomic_compare_exchange_n(&there, &n, n - 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
