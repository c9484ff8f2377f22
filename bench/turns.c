/* SPDX-License-Identifier: Apache-2.0 */
/* Small threaded programs with races, for bench/turns.sh (small.h). Each is short, as the programs of public suites
 * are: some hundred to some ten thousand events. What one recorded run shows of them hangs on where threads take turns.
 */
#include "small.h"

#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int a, b, c, d;
static int array[64];
static atomic_int ready, turns;

/* --- counters --- */
static void *count_plain(void *unused) {
    for (int i = 0; i < 100; i++)
        a++;
    return unused;
}
static void counter(void) { RUN(count_plain, count_plain, count_plain); }

/* Guarded but for one place that few iterations come to. */
static void *count_mostly(void *unused) {
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&lock);
        int before = a++;
        pthread_mutex_unlock(&lock);
        if (before % 50 == 49)
            b = before;
    }
    return unused;
}
static void mostly(void) { RUN(count_mostly, count_mostly); }

/* Two counters, each with the other's lock in one thread. */
static void *swap_one(void *unused) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        a++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&other_lock);
        b++;
        pthread_mutex_unlock(&other_lock);
    }
    return unused;
}
static void *swap_two(void *unused) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&other_lock);
        a++;
        pthread_mutex_unlock(&other_lock);
        pthread_mutex_lock(&lock);
        b++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void swapped(void) { RUN(swap_one, swap_two); }

/* --- one after another, only by chance --- */
static void *first_writes(void *unused) {
    a = 1;
    pthread_mutex_lock(&lock);
    b = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *second_reads(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = b;
    pthread_mutex_unlock(&lock);
    if (!seen)
        c = a;
    else
        d = a;
    return unused;
}
static void chance(void) { RUN(first_writes, second_reads); }

static void *says_stop(void *unused) {
    for (int i = 0; i < 60; i++)
        array[i % 8]++;
    a = 1;
    return unused;
}
static void *until_stop(void *unused) {
    for (int i = 0; i < 200 && !a; i++)
        b++;
    c = b;
    return unused;
}
static void stop_flag(void) { RUN(until_stop, says_stop); }

/* Found only where the reader comes between two critical sections. */
static void *two_parts(void *unused) {
    pthread_mutex_lock(&lock);
    a = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 30; i++)
        array[i]++;
    pthread_mutex_lock(&lock);
    a = 2;
    pthread_mutex_unlock(&lock);
    b = 1;
    return unused;
}
static void *between(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = a;
    pthread_mutex_unlock(&lock);
    if (seen == 1)
        b = 2;
    return unused;
}
static void half_done(void) { RUN(two_parts, between); }

/* --- initialisation --- */
static int *object;
static int *get_object(void) {
    if (!object) {
        pthread_mutex_lock(&lock);
        if (!object) {
            int *made = malloc(sizeof *made);
            *made = 42;
            object = made;
        }
        pthread_mutex_unlock(&lock);
    }
    return object;
}
static void *use_object(void *unused) {
    for (int i = 0; i < 5; i++)
        (*get_object())++;
    return unused;
}
static void double_checked(void) { RUN(use_object, use_object, use_object); }

static void *lazy(void *unused) {
    if (!a) {
        for (int i = 0; i < 20; i++)
            array[i] = i;
        a = 1;
    }
    b += array[7];
    return unused;
}
static void lazy_init(void) { RUN(lazy, lazy); }

static void *publishes(void *unused) {
    for (int i = 0; i < 40; i++)
        array[i] = i;
    object = array;
    return unused;
}
static void *subscribes(void *unused) {
    for (int i = 0; i < 100; i++)
        if (object) {
            a = object[3];
            break;
        }
    return unused;
}
static void published(void) { RUN(subscribes, publishes); }

/* --- accounts --- */
static int balance[8];
static void *transfer(void *id) {
    for (int i = 0; i < 16; i++) {
        int from = (int)(((long)id + i) % 8), to = (from * 3 + 1) % 8;
        if (balance[from] > 0) {
            pthread_mutex_lock(&lock);
            balance[from]--;
            balance[to]++;
            pthread_mutex_unlock(&lock);
        }
    }
    return NULL;
}
static void bank(void) {
    for (int i = 0; i < 8; i++)
        balance[i] = 3;
    RUN(transfer, transfer, transfer);
}

static void *withdraw(void *unused) {
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        int enough = a >= 10;
        pthread_mutex_unlock(&lock);
        if (enough) {
            pthread_mutex_lock(&lock);
            a -= 10;
            pthread_mutex_unlock(&lock);
        } else {
            b++; /* a refusal is counted without the lock */
        }
    }
    return unused;
}
static void refusals(void) {
    a = 100;
    RUN(withdraw, withdraw);
}

/* --- queues --- */
static int queue[16], head, tail;
static void *produce(void *unused) {
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        if (tail - head < 16)
            queue[tail++ % 16] = i;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void *consume_peeking(void *unused) {
    for (int i = 0; i < 30; i++) {
        if (head == tail)
            continue;
        pthread_mutex_lock(&lock);
        if (head != tail)
            a += queue[head++ % 16];
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void peeked_queue(void) { RUN(consume_peeking, produce); }

static void *ring_writer(void *unused) {
    for (int i = 0; i < 40; i++) {
        if (tail - head >= 16)
            continue;
        queue[tail % 16] = i;
        tail++;
    }
    return unused;
}
static void *ring_reader(void *unused) {
    for (int i = 0; i < 60; i++) {
        if (head == tail)
            continue;
        a += queue[head % 16];
        head++;
    }
    return unused;
}
static void ring(void) { RUN(ring_reader, ring_writer); }

static void *fills(void *unused) {
    for (int i = 0; i < 10; i++) {
        queue[i] = i;
        sem_post(&semaphore);
        b = i; /* too late: the reader may be there already */
    }
    return unused;
}
static void *drains(void *unused) {
    for (int i = 0; i < 10; i++) {
        sem_wait(&semaphore);
        a += queue[i] + b;
    }
    return unused;
}
static void semaphores(void) {
    sem_init(&semaphore, 0, 0);
    RUN(fills, drains);
}

/* --- conditions --- */
static void *waits(void *unused) {
    pthread_mutex_lock(&lock);
    while (!a)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    b++;
    return unused;
}
static void *tells(void *unused) {
    for (int i = 0; i < 20; i++)
        array[i]++;
    pthread_mutex_lock(&lock);
    a = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&lock);
    b = 7;
    return unused;
}
static void told(void) { RUN(waits, tells, waits); }

static void *waits_if_needed(void *unused) {
    if (!a) { /* without the lock */
        pthread_mutex_lock(&lock);
        while (!a)
            pthread_cond_wait(&condition, &lock);
        pthread_mutex_unlock(&lock);
    }
    c++;
    return unused;
}
static void fast_path(void) { RUN(waits_if_needed, tells, waits_if_needed); }

/* --- atomics --- */
static void *sets_ready(void *unused) {
    a = 5;
    atomic_store(&ready, 1);
    b = 6;
    return unused;
}
static void *looks_ready(void *unused) {
    for (int i = 0; i < 50; i++)
        if (atomic_load(&ready)) {
            c = a + b;
            break;
        }
    return unused;
}
static void flag_too_early(void) { RUN(looks_ready, sets_ready); }

static void *ticket(void *unused) {
    int mine = atomic_fetch_add(&turns, 1);
    array[mine % 2]++;
    if (mine == 2)
        d++;
    else
        c += d;
    return unused;
}
static void tickets(void) { RUN(ticket, ticket, ticket, ticket); }

static void *gives_up(void *unused) {
    for (int i = 0; i < 20; i++)
        if (!pthread_mutex_trylock(&lock)) {
            a++;
            pthread_mutex_unlock(&lock);
        } else {
            b++; /* only who finds it held */
        }
    return unused;
}
static void tries(void) { RUN(gives_up, gives_up, gives_up); }

/* --- structures --- */
struct node {
    struct node *next;
    int value;
};
static struct node *list, nodes[32];
static void *push(void *id) {
    for (int i = 0; i < 8; i++) {
        struct node *n = &nodes[(long)id * 8 + i];
        n->value = i;
        n->next = list;
        list = n;
    }
    return NULL;
}
static void *walk(void *unused) {
    for (int i = 0; i < 4; i++)
        for (const struct node *n = list; n; n = n->next)
            a += n->value;
    return unused;
}
static void lists(void) { RUN(push, walk, push); }

static struct {
    int kind;
    int value[4];
} shared;
static void *changes_kind(void *unused) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        shared.kind = i % 3;
        pthread_mutex_unlock(&lock);
        array[i]++;
    }
    return unused;
}
static void *acts_on_kind(void *id) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        int kind = shared.kind;
        pthread_mutex_unlock(&lock);
        switch (kind) {
        case 0: array[40 + (long)id]++; break;
        case 1: shared.value[1]++; break;
        default: shared.value[2]--; break;
        }
    }
    return NULL;
}
static void kinds(void) { RUN(changes_kind, acts_on_kind, acts_on_kind); }

/* --- phases --- */
static pthread_barrier_t barrier;
static void *phases(void *id) {
    for (int i = 0; i < 3; i++) {
        array[(long)id] = i;
        pthread_barrier_wait(&barrier);
        a += array[((long)id + 1) % THREADS]; /* the next phase may write it meanwhile */
    }
    return NULL;
}
static void barriers(void) {
    pthread_barrier_init(&barrier, NULL, THREADS);
    RUN(phases, phases, phases, phases);
}

/* --- ends --- */
static void *logs(void *unused) {
    for (int i = 0; i < 30; i++)
        b++;
    return unused;
}
static void no_join(void) {
    pthread_t t;
    pthread_create(&t, NULL, logs, NULL);
    for (int i = 0; i < 10; i++)
        b--;
}

static void *frees(void *unused) {
    pthread_mutex_lock(&lock);
    c++;
    pthread_mutex_unlock(&lock);
    if (c == 2) /* the last one, or so it thinks */
        a = 3;
    return unused;
}
static void last_one(void) { RUN(frees, frees); }

/* Work that is shared out by an index, results that are not. */
static int next_item;
static void *works_off(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int item = next_item < 40 ? next_item++ : -1;
        pthread_mutex_unlock(&lock);
        if (item < 0)
            return unused;
        for (int i = 0; i < 10; i++)
            array[item] += i;
        if (array[item] > a)
            a = array[item];
    }
}
static void pool(void) { RUN(works_off, works_off, works_off); }

PROGRAMS(ROW(counter), ROW(mostly), ROW(swapped), ROW(chance), ROW(stop_flag), ROW(half_done), ROW(double_checked),
         ROW(lazy_init), ROW(published), ROW(bank), ROW(refusals), ROW(peeked_queue), ROW(ring), ROW(semaphores),
         ROW(told), ROW(fast_path), ROW(flag_too_early), ROW(tickets), ROW(tries), ROW(lists), ROW(kinds),
         ROW(barriers), ROW(no_join), ROW(last_one), ROW(pool))
