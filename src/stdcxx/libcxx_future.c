/* SPDX-License-Identifier: Apache-2.0 */
/* What libc++'s futures and promises share: a count, an exception or nothing, a state under a lock. */
#include "stdcxx/libcxx.h"

typedef struct exception_ptr {
    void *object;
} exception_ptr;

typedef struct shared_state {
    void *const *virtual_functions;
    long owners; /* but one */
    exception_ptr exception;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned state;
} shared_state;

enum { CONSTRUCTED = 1, ATTACHED = 2, READY = 4, DEFERRED = 8 };

void set_value(shared_state *s) STDCXX(_ZNSt3__117__assoc_sub_state9set_valueEv);
void set_exception(shared_state *s, const exception_ptr *e)
    STDCXX(_ZNSt3__117__assoc_sub_state13set_exceptionESt13exception_ptr);
void wait(shared_state *s) STDCXX(_ZNSt3__117__assoc_sub_state4waitEv);
void sub_wait(shared_state *s, unique_lock *held)
    STDCXX(_ZNSt3__117__assoc_sub_state10__sub_waitERNS_11unique_lockINS_5mutexEEE);
void copy(shared_state *s) STDCXX(_ZNSt3__117__assoc_sub_state4copyEv);
void begin_future(shared_state **future, shared_state *s) STDCXX(_ZNSt3__16futureIvEC1EPNS_17__assoc_sub_stateE);
void begin_future_base(shared_state **future, shared_state *s) STDCXX(_ZNSt3__16futureIvEC2EPNS_17__assoc_sub_stateE);
void get(shared_state **future) STDCXX(_ZNSt3__16futureIvE3getEv);
void end_future(shared_state **future) STDCXX(_ZNSt3__16futureIvED1Ev);
void end_future_base(shared_state **future) STDCXX(_ZNSt3__16futureIvED2Ev);
void promise_value(shared_state **promise) STDCXX(_ZNSt3__17promiseIvE9set_valueEv);

void assign(exception_ptr *to, const exception_ptr *from) LIBRARY(_ZNSt13exception_ptraSERKS_);
void begin(exception_ptr *to, const exception_ptr *from) LIBRARY(_ZNSt13exception_ptrC1ERKS_);
void end(exception_ptr *e) LIBRARY(_ZNSt13exception_ptrD1Ev);
_Noreturn void rethrow(exception_ptr *e) LIBRARY(_ZSt17rethrow_exceptionSt13exception_ptr);
void promise_exception(shared_state **promise, const exception_ptr *e)
    LIBRARY(_ZNSt3__17promiseIvE13set_exceptionESt13exception_ptr);

/* It returns an object through a pointer, as so large a struct is; where this is called it throws. */
typedef struct nothing {
    void *words[3];
} nothing;
nothing library_get_future(shared_state **promise) LIBRARY(_ZNSt3__17promiseIvE10get_futureEv);

static void enter(shared_state *s) { check(pthread_mutex_lock(&s->mutex), "mutex lock failed"); }

static bool has_value(const shared_state *s) { return s->state & CONSTRUCTED || s->exception.object; }

/* The library throws what is to be thrown: by whatever sets a state that is set already. */
static void refuse(shared_state *s) {
    exception_ptr none = {NULL};
    pthread_mutex_unlock(&s->mutex);
    promise_exception(&s, &none);
}

void set_value(shared_state *s) {
    enter(s);
    if (has_value(s)) {
        refuse(s);
        return;
    }
    s->state |= CONSTRUCTED | READY;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void set_exception(shared_state *s, const exception_ptr *e) {
    enter(s);
    if (has_value(s)) {
        refuse(s);
        return;
    }
    assign(&s->exception, e);
    s->state |= READY;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

/* With the lock held, and so afterwards, but where a function that was put off is carried out now. */
void sub_wait(shared_state *s, unique_lock *held) {
    if (s->state & READY)
        return;
    if (s->state & DEFERRED) {
        s->state &= ~(unsigned)DEFERRED;
        pthread_mutex_unlock(held->mutex);
        held->owns = false;
        call_virtual(s, EXECUTE);
        return;
    }
    while (!(s->state & READY))
        pthread_cond_wait(&s->changed, held->mutex);
}

static void leave(unique_lock *held) {
    if (held->owns)
        pthread_mutex_unlock(held->mutex);
}

void wait(shared_state *s) {
    enter(s);
    unique_lock held __attribute__((cleanup(leave))) = {&s->mutex, true};
    sub_wait(s, &held);
}

/* Of a future<void>: nothing, or the exception. */
void copy(shared_state *s) {
    enter(s);
    unique_lock held __attribute__((cleanup(leave))) = {&s->mutex, true};
    sub_wait(s, &held);
    if (!s->exception.object)
        return;
    exception_ptr e __attribute__((cleanup(end)));
    begin(&e, &s->exception);
    rethrow(&e);
}

/* A future of its own; of a state that has one, the library throws: nothing is changed by whoever sets it once more. */
void begin_future(shared_state **future, shared_state *s) {
    enter(s);
    bool is_attached = s->state & ATTACHED;
    if (!is_attached) {
        __atomic_fetch_add(&s->owners, 1, __ATOMIC_RELAXED);
        s->state |= ATTACHED;
    }
    pthread_mutex_unlock(&s->mutex);
    *future = s;
    if (is_attached)
        library_get_future(&s);
}

void begin_future_base(shared_state **future, shared_state *s) { begin_future(future, s); }

static void release(shared_state **s) {
    if (*s && __atomic_fetch_sub(&(*s)->owners, 1, __ATOMIC_ACQ_REL) == 0)
        call_virtual(*s, ON_ZERO_SHARED);
}

void get(shared_state **future) {
    shared_state *mine __attribute__((cleanup(release))) = *future;
    *future = NULL;
    copy(mine);
}

void end_future(shared_state **future) { release(future); }
void end_future_base(shared_state **future) { release(future); }

void promise_value(shared_state **promise) {
    if (!*promise) {
        exception_ptr none = {NULL};
        promise_exception(promise, &none); /* throws that there is no state */
        return;
    }
    set_value(*promise);
}
