/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of jobs with one owner, who takes at the tail without a lock, and a thief, who takes at the head under one.
 * The owner looks whether a job is left before he has said that he takes it, not after: the last job is taken by both.
 * The protocol (say, then look) is that of Cilk-5 (Frigo, Leiserson, Randall, PLDI 1998); queues with this bug are the
 * work stealing queues of CHESS (Musuvathi, Qadeer).
 * Reachable: one job is left; the owner sees head 0 and tail 1, and is held up before he writes tail; the thief sees
 * the same, takes the job and begins; the owner writes tail 0, takes the same job and begins, too.
 */
/* expect: race jobs.result work/work */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { JOBS = 3 };

static struct job {
    int input, result;
} jobs[JOBS];

static struct {
    pthread_mutex_t lock;
    atomic_int head, tail;
    struct job *items[JOBS];
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void push(struct job *job) {
    int tail = atomic_load(&queue.tail);
    queue.items[tail] = job;
    atomic_store(&queue.tail, tail + 1);
}

/* Under the lock nobody steals. */
static struct job *pop_last(int tail) {
    struct job *job = NULL;
    pthread_mutex_lock(&queue.lock);
    atomic_store(&queue.tail, tail);
    if (atomic_load(&queue.head) <= tail)
        job = queue.items[tail];
    else
        atomic_store(&queue.tail, tail + 1);
    pthread_mutex_unlock(&queue.lock);
    return job;
}

static struct job *pop(void) {
    int tail = atomic_load(&queue.tail) - 1;
#ifdef CLEAN
    atomic_store(&queue.tail, tail);
    if (atomic_load(&queue.head) <= tail)
        return queue.items[tail];
    atomic_store(&queue.tail, tail + 1);
#else
    if (atomic_load(&queue.head) <= tail) {
        atomic_store(&queue.tail, tail);
        return queue.items[tail];
    }
#endif
    return pop_last(tail);
}

static struct job *steal(void) {
    struct job *job = NULL;
    pthread_mutex_lock(&queue.lock);
    int head = atomic_load(&queue.head);
    atomic_store(&queue.head, head + 1);
    if (head < atomic_load(&queue.tail))
        job = queue.items[head];
    else
        atomic_store(&queue.head, head);
    pthread_mutex_unlock(&queue.lock);
    return job;
}

static void work(struct job *job) { job->result += job->input * job->input; }

static void *thief(void *unused) {
    for (struct job *job; (job = steal());)
        work(job);
    return unused;
}

int main(void) {
    pthread_t other;
    for (int i = 0; i < JOBS; i++)
        jobs[i].input = i + 1;
    pthread_create(&other, NULL, thief, NULL);
    for (int i = 0; i < JOBS; i++)
        push(&jobs[i]);
    for (struct job *job; (job = pop());)
        work(job);
    pthread_join(other, NULL);
    int sum = 0;
    for (int i = 0; i < JOBS; i++)
        sum += jobs[i].result;
    printf("%d\n", sum);
}
