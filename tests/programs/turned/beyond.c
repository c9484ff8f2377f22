/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs in which more than the order of their threads' accesses decides what happens: however many classes of runs were seen, there
 * may be others. CASE says by what. In the last one the threads only print numbers, and text of the code's: that decides nothing. */
#ifndef CASE
#define CASE 1
#endif
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;
static const char *_Atomic text = "text";
static pthread_rwlock_t lock;

static void *gives(void *arg) {
    atomic_store(&x, 1);
    atomic_store(&text, "another");
    return arg;
}

static void *looks(void *arg) {
    int seen = atomic_load(&x);
#if CASE == 1 /* what is printed is behind a pointer */
    puts(atomic_load(&text));
#elif CASE == 2 /* chance */
    unsigned char byte = 0;
    if (!getentropy(&byte, 1) && byte > 250)
        atomic_fetch_add(&x, seen);
#elif CASE == 4
    if (!pthread_rwlock_tryrdlock(&lock))
        pthread_rwlock_unlock(&lock);
#elif CASE == 6
    printf("%d, and %s\n", seen, "text");
#endif
    (void)seen;
    return arg;
}

#if CASE == 3
static void handle(int number) { atomic_store(&x, number); }
#elif CASE == 5
static void *makes(void *arg) {
    pthread_t thread;
    pthread_create(&thread, NULL, looks, arg);
    pthread_join(thread, NULL);
    return arg;
}
#endif

int main(void) {
    pthread_t one, other;
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
#if CASE == 3 /* a handler, which may come at any time */
    signal(SIGUSR1, handle);
#elif CASE == 4 /* who waits decides who comes in */
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    pthread_rwlock_init(&lock, &kind);
    pthread_create(&one, NULL, gives, NULL);
#if CASE == 5 /* whose stack is where */
    pthread_create(&other, NULL, makes, NULL);
#else
    pthread_create(&other, NULL, looks, NULL);
#endif
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#if CASE == 0 /* the time */
    if (time(NULL) % 7 == 3)
        puts("now");
#endif
    return 0;
}
