/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that are taken in turn: what could deadlock, and does not when it is recorded, because each thread is over before
 * the next one begins to take locks; and twins that look alike and can't.
 *   cycles KIND; kinds and what they are stand in the table at the end
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4 };
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER,
                       d = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t p = PTHREAD_RWLOCK_INITIALIZER, q = PTHREAD_RWLOCK_INITIALIZER;
static sem_t turn, s, t, u, v;
static int ends[2];
static int shared, is_ready; /* atomic; under a lock */

static void use(void) { __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED); }

static struct timespec later(void) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += 1000;
    return at;
}

static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner) {
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    use();
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

static void within(pthread_mutex_t *outermost, pthread_mutex_t *outer, pthread_mutex_t *inner) {
    pthread_mutex_lock(outermost);
    nest(outer, inner);
    pthread_mutex_unlock(outermost);
}

static void one_after_the_other(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    use();
    pthread_mutex_unlock(first);
    pthread_mutex_lock(second);
    use();
    pthread_mutex_unlock(second);
}

/* Whichever it is, it is had at once when this is recorded. */
static void nest_with_an_end(pthread_mutex_t *outer, pthread_mutex_t *inner, int tries) {
    const struct timespec until = later();
    pthread_mutex_lock(outer);
    if (!(tries ? pthread_mutex_trylock(inner) : pthread_mutex_timedlock(inner, &until))) {
        use();
        pthread_mutex_unlock(inner);
    }
    pthread_mutex_unlock(outer);
}

static void nest_rw(pthread_rwlock_t *outer, int writes_outer, pthread_rwlock_t *inner, int writes_inner) {
    writes_outer ? pthread_rwlock_wrlock(outer) : pthread_rwlock_rdlock(outer);
    writes_inner ? pthread_rwlock_wrlock(inner) : pthread_rwlock_rdlock(inner);
    pthread_rwlock_unlock(inner);
    pthread_rwlock_unlock(outer);
}

static void two(int i) { i ? nest(&b, &a) : nest(&a, &b); }

static void three(int i) {
    pthread_mutex_t *locks[] = {&a, &b, &c};
    nest(locks[i], locks[(i + 1) % 3]);
}

static void four(int i) {
    pthread_mutex_t *locks[] = {&a, &b, &c, &d};
    nest(locks[i], locks[(i + 1) % 4]);
}

/* The philosophers, round after round: it may deadlock when it is recorded, or after that. */
static void rounds(int i) {
    for (int k = 0; k < 30; k++)
        three(i);
}

/* In one of the two threads a lock is held besides that nobody else takes: no gate. */
static void beside(int i) {
    if (i)
        nest(&b, &a);
    else
        within(&c, &a, &b);
}

static void recursive(int i) {
    if (i) {
        pthread_mutex_lock(&again);
        nest(&again, &a); /* once more */
        pthread_mutex_unlock(&again);
    } else {
        nest(&a, &again);
    }
}

static void rw_writers(int i) { i ? nest_rw(&q, 1, &p, 1) : nest_rw(&p, 1, &q, 1); }
static void rw_mixed(int i) { i ? nest_rw(&q, 0, &p, 1) : nest_rw(&p, 0, &q, 1); }

static void rw_and_mutex(int i) {
    if (i) {
        pthread_mutex_lock(&a);
        pthread_rwlock_wrlock(&p);
        pthread_rwlock_unlock(&p);
        pthread_mutex_unlock(&a);
    } else {
        pthread_rwlock_rdlock(&p);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_rwlock_unlock(&p);
    }
}

/* The second one's way hangs on what the first one has written: only where it comes first are the locks taken in turn. */
static void by_value(int i) {
    if (!i) {
        nest(&a, &b);
        pthread_mutex_lock(&c);
        is_ready = 1;
        pthread_mutex_unlock(&c);
        return;
    }
    pthread_mutex_lock(&c);
    int ready = is_ready;
    pthread_mutex_unlock(&c);
    if (ready)
        nest(&b, &a);
}

static void down_up(sem_t *outer, sem_t *inner) {
    sem_wait(outer);
    sem_wait(inner);
    sem_post(inner);
    sem_post(outer);
}

static void semaphores(int i) { i ? down_up(&t, &s) : down_up(&s, &t); }

static void sem_and_mutex(int i) {
    if (i) {
        pthread_mutex_lock(&a);
        sem_wait(&s);
        sem_post(&s);
        pthread_mutex_unlock(&a);
    } else {
        sem_wait(&s);
        nest(&a, &b);
        sem_post(&s);
    }
}

/* Another thread is outside all the time, in a call that nobody ends before both are done. */
static void outside(int i) {
    char byte;
    if (i < 2)
        two(i);
    else if (read(ends[0], &byte, 1) < 0)
        perror("read");
}

/* --- clean --- */

static void gated(int i) { i ? within(&gate, &b, &a) : within(&gate, &a, &b); }
static void same_order(int i) { nest(&a, &b), (void)i; }
static void released(int i) { i ? one_after_the_other(&b, &a) : one_after_the_other(&a, &b); }
static void rw_readers(int i) { i ? nest_rw(&q, 0, &p, 0) : nest_rw(&p, 0, &q, 0); }
static void rw_half(int i) { i ? nest_rw(&q, 1, &p, 0) : nest_rw(&p, 0, &q, 1); } /* p is only read */
static void deadline(int i) { i ? nest_with_an_end(&b, &a, 0) : nest(&a, &b); }
static void tried(int i) { i ? nest_with_an_end(&b, &a, 1) : nest(&a, &b); }

static void alone(int i) {
    if (i)
        return;
    nest(&a, &b);
    nest(&b, &a);
}

/* The second one begins when the first one is done, in every run. */
static void handed_over(int i) {
    if (i)
        sem_wait(&turn);
    two(i);
    if (!i)
        sem_post(&turn);
}

static void sem_order(int i) { (void)i, down_up(&s, &t); }

/* There are two of each. */
static void sem_plenty(int i) { i ? down_up(&v, &u) : down_up(&u, &v); }

/* The third one gives what the other two take: whoever waits gets it in the end. */
static void sem_given(int i) {
    if (i < 2)
        semaphores(i);
    else
        for (int k = 0; k < 2; k++)
            sem_post(k ? &s : &t);
}

/* What POSIX does not define, and the C library does: the third thread gives back what the second one has. */
static void freed_by_another(int i) {
    if (i == 1) {
        pthread_mutex_lock(&a);
        sem_post(&turn);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
    } else if (!i) {
        nest(&b, &a);
    } else {
        sem_wait(&turn);
        pthread_mutex_unlock(&a);
    }
}

static const struct kind {
    const char *name;
    void (*run)(int i);
    int threads, one_by_one;
} kinds[] = {
    /* those that can */
    {"two", two, 2, 0},
    {"three", three, 3, 0},
    {"four", four, 4, 0},
    {"rounds", rounds, 3, 0},
    {"beside", beside, 2, 0},
    {"recursive", recursive, 2, 0},
    {"rw-writers", rw_writers, 2, 0},
    {"rw-mixed", rw_mixed, 2, 0},
    {"rw-and-mutex", rw_and_mutex, 2, 0},
    {"semaphores", semaphores, 2, 0},
    {"sem-and-mutex", sem_and_mutex, 2, 0},
    {"outside", outside, 3, 0},
    /* and those that can't */
    {"by-value", by_value, 2, 0},
    {"gated", gated, 2, 0},
    {"same-order", same_order, 2, 0},
    {"released", released, 2, 0},
    {"rw-readers", rw_readers, 2, 0},
    {"rw-half", rw_half, 2, 0},
    {"deadline", deadline, 2, 0},
    {"tried", tried, 2, 0},
    {"alone", alone, 2, 0},
    {"handed-over", handed_over, 2, 0},
    {"sem-order", sem_order, 2, 0},
    {"sem-plenty", sem_plenty, 2, 0},
    {"sem-given", sem_given, 3, 0},
    {"freed-by-another", freed_by_another, 3, 0},
    {"one-by-one", two, 2, 1},
};

static const struct kind *kind;

static void *begin(void *number) {
    kind->run((int)(long)number);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[MOST];
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, argv[1]))
            kind = &kinds[i];
    if (!kind)
        return 2;
    sem_init(&turn, 0, 0);
    sem_init(&s, 0, 1);
    sem_init(&t, 0, 1);
    sem_init(&u, 0, 2);
    sem_init(&v, 0, 2);
    if (pipe(ends))
        return 3;
    for (int i = 0; i < kind->threads; i++) {
        pthread_create(&threads[i], NULL, begin, (void *)(long)i);
        if (kind->one_by_one)
            pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < kind->threads && !kind->one_by_one; i++) {
        if (i == 2 && write(ends[1], "", 1) != 1)
            return 4;
        pthread_join(threads[i], NULL);
    }
    puts("went on");
    return 0;
}
