/* SPDX-License-Identifier: Apache-2.0 */
/* The last seat is looked for in one section and taken in the next; a third thread only looks. CLEAN: in one. */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int seats = 1, sold;

static void *reserve(void *unused) {
#ifdef CLEAN
    pthread_rwlock_wrlock(&lock);
    if (seats > 0) {
        seats--;
        sold++;
    }
    pthread_rwlock_unlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
    int free_seats = seats;
    pthread_rwlock_unlock(&lock);
    if (free_seats > 0) {
        pthread_rwlock_wrlock(&lock);
        seats--;
        sold++;
        pthread_rwlock_unlock(&lock);
    }
#endif
    return unused;
}

static void *look(void *unused) {
    pthread_rwlock_rdlock(&lock);
    printf("%s\n", seats > 0 ? "there are seats" : "sold out");
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reserve, NULL);
    pthread_create(&threads[1], NULL, reserve, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    pthread_join(threads[2], NULL);
    return sold > 1;
}
