/* SPDX-License-Identifier: Apache-2.0 */
/* A reader who finds a page missing lets go of the read lock and takes the write lock, as no lock can be upgraded; he
 * does not look again whether the page is missing still. Two readers make it. The documentation of Java's
 * ReentrantReadWriteLock has this as its example ('must recheck state because another thread might have acquired write
 * lock and changed state before we did').
 * Reachable: two readers have the read lock, and find nothing; both let go of it; one after the other has the write
 * lock, and each takes the page for his own to fill, which needs no lock then.
 */
/* expect: race page fill/fill */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { READERS = 3, LINES = 4 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int is_there;          /* under the lock: somebody fills the page, or has */
static atomic_int is_filled;  /* nobody writes to it any more */
static int page[LINES];
static atomic_int total, without;

static void fill(int from) {
    for (int i = 0; i < LINES; i++)
        page[i] = from + i;
}

/* Whether the page was missing: then it is the caller's, until he has filled it. */
static int find(void) {
    int is_mine = 0;
    pthread_rwlock_rdlock(&lock);
    if (!is_there) {
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_wrlock(&lock);
#ifdef CLEAN
        if (!is_there)
#endif
            is_mine = is_there = 1;
    }
    pthread_rwlock_unlock(&lock);
    return is_mine;
}

static void *reader(void *from) {
    if (find()) {
        fill(*(int *)from);
        atomic_store(&is_filled, 1);
    }
    if (!atomic_load(&is_filled)) {
        atomic_fetch_add(&without, 1);
        return NULL;
    }
    int sum = 0;
    for (int i = 0; i < LINES; i++)
        sum += page[i];
    atomic_fetch_add(&total, sum);
    return NULL;
}

int main(void) {
    int from[READERS] = {1, 1, 1};
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, reader, &from[i]);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    printf("%d\n", atomic_load(&total) + 10 * atomic_load(&without));
}
