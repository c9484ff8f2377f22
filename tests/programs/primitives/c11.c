/* SPDX-License-Identifier: Apache-2.0 */
/* C11 threads: creation, join, detach, results; mutexes plain, timed and recursive; conditions; call_once; tss. */
#include "check.h"

#include <threads.h>
#include <time.h>

static mtx_t plain, timed, recursive;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int runs, counter, destroyed, finished;

static void initialise(void) { runs++; }

static void destroy(void *value) {
    mtx_lock(&plain);
    destroyed += *(int *)value;
    mtx_unlock(&plain);
}

static int work(void *me) {
    static thread_local int mine;
    mine = (int)(long)me;
    call_once(&once, initialise);
    tss_set(key, &mine);
    for (int i = 0; i < 100; i++) {
        struct timespec far = {.tv_sec = 1L << 33};
        CHECK(mtx_timedlock(&timed, &far) == thrd_success);
        counter++;
        CHECK(mtx_unlock(&timed) == thrd_success);
        while (mtx_trylock(&recursive) == thrd_busy)
            thrd_yield();
        CHECK(mtx_lock(&recursive) == thrd_success);
        CHECK(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
    }
    CHECK(*(int *)tss_get(key) == mine);
    if (mine % 2)
        thrd_exit(mine);
    return mine;
}

static int detached(void *unused) {
    (void)unused;
    mtx_lock(&plain);
    finished = 1;
    cnd_broadcast(&changed);
    mtx_unlock(&plain);
    return 0;
}

int main(void) {
    CHECK(mtx_init(&plain, mtx_plain) == thrd_success && mtx_init(&timed, mtx_timed) == thrd_success);
    CHECK(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    CHECK(cnd_init(&changed) == thrd_success && tss_create(&key, destroy) == thrd_success);
    thrd_t t[4];
    int sum = 0;
    for (long i = 0; i < 4; i++)
        CHECK(thrd_create(&t[i], work, (void *)(i + 1)) == thrd_success);
    for (int i = 0; i < 4; i++) {
        int result = 0;
        CHECK(thrd_join(t[i], &result) == thrd_success && result == i + 1);
        sum += result;
    }
    CHECK(runs == 1 && counter == 400 && destroyed == 10);

    CHECK(thrd_create(&t[0], detached, NULL) == thrd_success && thrd_detach(t[0]) == thrd_success);
    mtx_lock(&plain);
    while (!finished)
        CHECK(cnd_wait(&changed, &plain) == thrd_success);
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    CHECK(cnd_timedwait(&changed, &plain, &now) == thrd_timedout);
    CHECK(cnd_signal(&changed) == thrd_success);
    mtx_unlock(&plain);
    CHECK(thrd_equal(thrd_current(), thrd_current()));
    struct timespec nap = {.tv_nsec = 1};
    CHECK(!thrd_sleep(&nap, NULL));
    tss_delete(key);
    mtx_destroy(&plain);
    mtx_destroy(&timed);
    mtx_destroy(&recursive);
    cnd_destroy(&changed);
    printf("c11 %d %d\n", sum, counter);
}
