/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s std::shared_mutex. Who wants to write shuts the first gate, for everybody, and waits at the second one until
 * the readers have left; so writers do not starve. */
#include "stdcxx/libcxx.h"

typedef struct shared_mutex {
    pthread_mutex_t mutex;
    pthread_cond_t gate, readers_left;
    unsigned state; /* WRITER, and how many readers there are */
} shared_mutex;

static const unsigned WRITER = 1U << 31, READERS = ~(1U << 31);

void begin(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_baseC1Ev);
void begin_base(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_baseC2Ev);
void lock(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_base4lockEv);
bool try_lock(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_base8try_lockEv);
void unlock(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_base6unlockEv);
void lock_shared(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_base11lock_sharedEv);
bool try_lock_shared(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_base15try_lock_sharedEv);
void unlock_shared(shared_mutex *s) STDCXX(_ZNSt3__119__shared_mutex_base13unlock_sharedEv);

void begin(shared_mutex *s) {
    *s = (shared_mutex){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
}

void begin_base(shared_mutex *s) { begin(s); }

static void enter(shared_mutex *s) { check(pthread_mutex_lock(&s->mutex), "mutex lock failed"); }

void lock(shared_mutex *s) {
    enter(s);
    while (s->state & WRITER)
        pthread_cond_wait(&s->gate, &s->mutex);
    s->state |= WRITER;
    while (s->state & READERS)
        pthread_cond_wait(&s->readers_left, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
}

bool try_lock(shared_mutex *s) {
    enter(s);
    bool is_free = !s->state;
    if (is_free)
        s->state = WRITER;
    pthread_mutex_unlock(&s->mutex);
    return is_free;
}

void unlock(shared_mutex *s) {
    enter(s);
    s->state = 0;
    pthread_cond_broadcast(&s->gate); /* before others can end it */
    pthread_mutex_unlock(&s->mutex);
}

void lock_shared(shared_mutex *s) {
    enter(s);
    while (s->state & WRITER || (s->state & READERS) == READERS)
        pthread_cond_wait(&s->gate, &s->mutex);
    s->state++;
    pthread_mutex_unlock(&s->mutex);
}

bool try_lock_shared(shared_mutex *s) {
    enter(s);
    bool may = !(s->state & WRITER) && (s->state & READERS) != READERS;
    if (may)
        s->state++;
    pthread_mutex_unlock(&s->mutex);
    return may;
}

void unlock_shared(shared_mutex *s) {
    enter(s);
    unsigned left = (s->state & READERS) - 1;
    bool was_full = left == READERS - 1;
    s->state = (s->state & WRITER) | left;
    if (s->state & WRITER && !left)
        pthread_cond_signal(&s->readers_left);
    else if (!(s->state & WRITER) && was_full)
        pthread_cond_signal(&s->gate);
    pthread_mutex_unlock(&s->mutex);
}
