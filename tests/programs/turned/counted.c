/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs without a race, whose classes of runs can be counted by hand: CASE says which. */
#ifndef CASE
#define CASE 1
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void *set_x(void *arg) {
    atomic_store(&x, 1);
    return arg;
}

static void *set_y(void *arg) {
    atomic_store(&y, 1);
    return arg;
}

static void *look_at_x(void *arg) {
    if (atomic_load(&x))
        atomic_fetch_add(&seen, 1);
    return arg;
}

static void *look_at_y(void *arg) {
    if (atomic_load(&y))
        atomic_fetch_add(&seen, 16);
    return arg;
}

static void *look_twice(void *arg) {
    if (atomic_load(&x))
        atomic_fetch_add(&seen, 1);
    if (atomic_load(&x))
        atomic_fetch_add(&seen, 16);
    return arg;
}

/* The nth to come under the lock does the nth thing. */
static void *take_turn(void *arg) {
    pthread_mutex_lock(&lock);
    int mine = turn++;
    pthread_mutex_unlock(&lock);
    if (mine == 0)
        atomic_fetch_add(&seen, 1);
    else if (mine == 1)
        atomic_fetch_add(&seen, 16);
    return arg;
}

static void *swap(void *arg) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&x, &nobody, 1))
        atomic_fetch_add(&seen, 1);
    return arg;
}

static void *try(void *arg) {
    if (pthread_mutex_trylock(&lock))
        return arg;
    turn++;
    pthread_mutex_unlock(&lock);
    return arg;
}

#if CASE == 1 /* nothing is looked at: 1 */
static void *(*const code[])(void *) = {set_x, set_y};
#elif CASE == 2 /* before or after: 2 */
static void *(*const code[])(void *) = {set_x, look_at_x};
#elif CASE == 3 /* twice, once, never: 3 */
static void *(*const code[])(void *) = {set_x, look_twice};
#elif CASE == 4 /* each of two looks by itself: 2 * 2 */
static void *(*const code[])(void *) = {set_x, set_y, look_at_x, look_at_y};
#elif CASE == 5 /* two orders */
static void *(*const code[])(void *) = {take_turn, take_turn};
#elif CASE == 6 /* 3! orders */
static void *(*const code[])(void *) = {take_turn, take_turn, take_turn};
#elif CASE == 7 /* one of three wins */
static void *(*const code[])(void *) = {swap, swap, swap};
#elif CASE == 8 /* both have it, or one of the two fails: 3 */
static void *(*const code[])(void *) = {try, try};
#endif

int main(void) {
    enum { N = sizeof code / sizeof *code };
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, code[i], 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    puts("done");
    return 0;
}
