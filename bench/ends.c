/* SPDX-License-Identifier: Apache-2.0 */
/* Small threaded programs with races, for bench/turns.sh --ends (small.h). The first are over before their threads are:
 * nobody joins them. In the others threads wait in loops. */
#include "small.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int a, b, c, is_ready;
static volatile int flag;
static atomic_int word, other_word;

/* --- nobody joins --- */
static void *writes(void *unused) {
    a = 1;
    return unused;
}
static void returns(void) {
    start(writes, 0);
    a = 2;
}
static void exits(void) {
    start(writes, 0);
    a = 2;
    exit(0);
}
static void exits_at_once(void) {
    start(writes, 0);
    a = 2;
    _exit(0);
}
static void exits_quickly(void) {
    start(writes, 0);
    a = 2;
    quick_exit(0);
}

static void detaches(void) {
    pthread_detach(start(writes, 0));
    printf("%d\n", a);
}

/* The threads race with each other, not with main. */
static void *counts(void *unused) {
    for (int i = 0; i < 10; i++)
        a++;
    return unused;
}
static void pool(void) {
    for (int i = 0; i < 3; i++)
        start(counts, i);
}

static void joins_one(void) {
    pthread_t one = start(counts, 0);
    start(counts, 1);
    pthread_join(one, NULL);
}

/* It is late: what it does first is guarded. */
static void *comes_late(void *unused) {
    pthread_mutex_lock(&lock);
    b++;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 100; i++)
        c += i;
    a = b;
    return unused;
}
static void late(void) {
    start(comes_late, 0);
    pthread_mutex_lock(&lock);
    b++;
    pthread_mutex_unlock(&lock);
    a = 3;
}

static void *makes_another(void *unused) {
    start(writes, 0);
    return unused;
}
static void nested(void) {
    start(makes_another, 0);
    a = 2;
}

static void *ends_all(void *unused) {
    exit(0);
    return unused;
}
static void another_ends(void) {
    start(counts, 0);
    start(counts, 1);
    pthread_join(start(ends_all, 2), NULL);
}

static void *is_woken(void *unused) {
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    a = 1;
    return unused;
}
static void wakes(void) {
    start(is_woken, 0);
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    a = 2;
}

static void makes_one(void) {
    start(writes, 0);
    a = 2;
}
static void at_the_end(void) { atexit(makes_one); }

/* --- waiting in loops --- */
static void works_long(void) {
    for (int i = 0; i < 2000; i++)
        c += i;
}

static void *sets_flag(void *unused) {
    works_long();
    a = 1;
    flag = 1;
    return unused;
}
static void *awaits_flag(void *unused) {
    while (!flag)
        ;
    b = a;
    return unused;
}
static void plain_flag(void) { RUN(awaits_flag, sets_flag); }

/* The flag is set too early. */
static void *sets_early(void *unused) {
    works_long();
    atomic_store(&word, 1);
    a = 1;
    return unused;
}
static void *awaits_word(void *unused) {
    while (!atomic_load(&word))
        ;
    b += a;
    return unused;
}
static void too_early(void) { RUN(awaits_word, sets_early); }
static void two_waiters(void) { RUN(awaits_word, awaits_word, sets_early); }
static void three_waiters(void) { RUN(awaits_word, awaits_word, awaits_word, sets_early); }

static void *awaits_yielding(void *unused) {
    while (!atomic_load(&word))
        sched_yield();
    b = a;
    return unused;
}
static void yields(void) { RUN(awaits_yielding, sets_early); }

static void *awaits_pausing(void *unused) {
    while (!atomic_load(&word))
#if defined __x86_64__
        __builtin_ia32_pause();
#else
        __builtin_arm_yield();
#endif
    b = a;
    return unused;
}
static void pauses(void) { RUN(awaits_pausing, sets_early); }

static void *awaits_with_patience(void *unused) {
    for (int i = 0; i < 100000 && !atomic_load(&word); i++)
        ;
    b = a;
    return unused;
}
static void patience(void) { RUN(awaits_with_patience, sets_early); }

/* Locks of their own; what is counted after them is not guarded. */
static atomic_int wants[2], turn, next_ticket, served, is_taken;

static void *peterson(void *id) {
    int me = (int)(long)id;
    for (int i = 0; i < 10; i++) {
        wants[me] = 1;
        turn = 1 - me;
        while (wants[1 - me] && turn == 1 - me)
            ;
        a++;
        wants[me] = 0;
    }
    b++;
    return NULL;
}
static void petersons(void) { RUN(peterson, peterson); }

static void *dekker(void *id) {
    int me = (int)(long)id;
    for (int i = 0; i < 10; i++) {
        wants[me] = 1;
        while (wants[1 - me])
            if (turn != me) {
                wants[me] = 0;
                while (turn != me)
                    ;
                wants[me] = 1;
            }
        a++;
        turn = 1 - me;
        wants[me] = 0;
    }
    b++;
    return NULL;
}
static void dekkers(void) { RUN(dekker, dekker); }

static void *draws_ticket(void *unused) {
    for (int i = 0; i < 10; i++) {
        int mine = atomic_fetch_add(&next_ticket, 1);
        while (atomic_load(&served) != mine)
            ;
        a++;
        atomic_fetch_add(&served, 1);
    }
    b++;
    return unused;
}
static void tickets(void) { RUN(draws_ticket, draws_ticket, draws_ticket); }

static void *swaps(void *unused) {
    for (int i = 0; i < 10; i++) {
        while (atomic_exchange(&is_taken, 1))
            ;
        a++;
        atomic_store(&is_taken, 0);
    }
    b++;
    return unused;
}
static void swapped(void) { RUN(swaps, swaps, swaps); }

static int ring[4], got;
static atomic_int head, tail;
static void *puts_in(void *unused) {
    for (int i = 1; i <= 30; i++) {
        while (tail - head == 4)
            ;
        ring[tail % 4] = i;
        tail++;
        b = i; /* how far it is, for whoever looks */
    }
    return unused;
}
static void *takes_out(void *unused) {
    for (int i = 0; i < 30; i++) {
        while (head == tail)
            ;
        got += ring[head % 4];
        head++;
        c = b;
    }
    return unused;
}
static void ring_buffer(void) { RUN(takes_out, puts_in); }

/* A barrier of their own; the second phase reads what the other's third writes. */
static int phase_of[2];
static void *phases(void *id) {
    int me = (int)(long)id;
    for (int i = 1; i <= 3; i++) {
        phase_of[me] = i;
        atomic_fetch_add(&other_word, 1);
        while (atomic_load(&other_word) < 2 * i)
            ;
        a = phase_of[1 - me];
    }
    return NULL;
}
static void own_barrier(void) { RUN(phases, phases); }

PROGRAMS(ROW(returns), ROW(exits), ROW(exits_at_once), ROW(exits_quickly), ROW(detaches), ROW(pool), ROW(joins_one),
         ROW(late), ROW(nested), ROW(another_ends), ROW(wakes), ROW(at_the_end), ROW(plain_flag), ROW(too_early),
         ROW(two_waiters), ROW(three_waiters), ROW(yields), ROW(pauses), ROW(patience), ROW(petersons), ROW(dekkers),
         ROW(tickets), ROW(swapped), ROW(ring_buffer), ROW(own_barrier))
