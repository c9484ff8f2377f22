/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier that is used again for each round, and whose last one counts from zero when he has let the others go on,
 * not before. Who is at the next barrier by then counts as its last one, and goes on alone. Why barriers that are used
 * again need care: Mellor-Crummey and Scott, ACM TOCS 9(1), 1991 (sense reversal); Downey, The Little Book of
 * Semaphores, 'Reusable barrier'.
 * Reachable: the second one to arrive begins the next generation and is held up before it counts from zero; the first
 * one goes on, works its round, arrives as number three, goes on again, and reads the cell that the other one writes in
 * the round before.
 */
/* expect: race cells step/step */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 2, ROUNDS = 3 };

static struct {
    atomic_int arrived, generation;
    pthread_mutex_t lock;
    pthread_cond_t all_there;
} barrier = {0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static int cells[ROUNDS + 1][THREADS] = {{1, 1}};

static void next_generation(void) {
    pthread_mutex_lock(&barrier.lock);
    atomic_fetch_add(&barrier.generation, 1);
    pthread_cond_broadcast(&barrier.all_there);
    pthread_mutex_unlock(&barrier.lock);
}

static void meet(void) {
    int mine = atomic_load(&barrier.generation);
    if (atomic_fetch_add(&barrier.arrived, 1) + 1 >= THREADS) {
#ifdef CLEAN
        atomic_store(&barrier.arrived, 0);
        next_generation();
#else
        next_generation();
        atomic_store(&barrier.arrived, 0);
#endif
        return;
    }
    pthread_mutex_lock(&barrier.lock);
    while (atomic_load(&barrier.generation) == mine)
        pthread_cond_wait(&barrier.all_there, &barrier.lock);
    pthread_mutex_unlock(&barrier.lock);
}

static void step(int round, int i) { cells[round + 1][i] = cells[round][i] + cells[round][(i + 1) % THREADS]; }

static void *worker(void *number) {
    for (int round = 0; round < ROUNDS; round++) {
        step(round, *(int *)number);
        if (round + 1 < ROUNDS)
            meet();
    }
    return NULL;
}

int main(void) {
    int numbers[THREADS];
    pthread_t workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&workers[i], NULL, worker, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i], NULL);
    printf("%d\n", cells[ROUNDS][0] + cells[ROUNDS][1]);
}
