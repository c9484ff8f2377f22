/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/lifecycle.h"

#include "runtime/baton.h"
#include "runtime/image.h"
#include "runtime/logging.h"
#include "runtime/mutex.h"
#include "runtime/policy.h"
#include "runtime/say.h"
#include "runtime/shadow.h"
#include "runtime/signal.h"
#include "runtime/stack.h"
#include "runtime/values.h"
#include "runtime/watchdog.h"

#include <limits.h>
#include <sys/resource.h>

static pthread_key_t end_key;
static bool has_end_key;
static uint32_t n_adopted;

/* A key's destructor that sets its value again is called again, PTHREAD_DESTRUCTOR_ITERATIONS times in all. In the last
 * round C++'s thread-local objects and the program's own keys (but those that do the same) are gone. */
static void on_thread_exit(void *round) {
    uintptr_t n = (uintptr_t)round;
    if (n < PTHREAD_DESTRUCTOR_ITERATIONS && !pthread_setspecific(end_key, (void *)(n + 1)))
        return;
    rcp_thread *self = rcp_self;
    if (self)
        rcp_thread_end(self);
}

/* Threads that are not recorded have a stack of ours all the same. */
static __thread rcp_recipe_stack *own_stack __attribute__((tls_model("initial-exec")));
static pthread_key_t stack_key;
static void on_unrecorded_exit(void *round) {
    uintptr_t n = (uintptr_t)round;
    if (n < PTHREAD_DESTRUCTOR_ITERATIONS && !pthread_setspecific(stack_key, (void *)(n + 1)))
        return;
    rcp_recipe_stack *s = own_stack;
    own_stack = NULL;
    __recipe_thread.stack = 0;
    __recipe_thread.outside = 1;
    if (s)
        rcp_stack_give(s);
}

/* By number: an allocator of the program's own is called, too, while the real functions are still looked up. */
static uint64_t own_stack_size(void) {
    struct rlimit64 limit;
    if (RCP_SYS4(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) || limit.rlim_cur == RLIM64_INFINITY)
        return UINT64_C(64) << 20;
    return limit.rlim_cur;
}

static rcp_thread *new_thread(uint64_t stack_size) {
    rcp_thread *t = rcp_stack_allocate(sizeof *t);
    t->number = rcp_baton.threads++;
    t->lost = true;
    t->inside = true;
    t->state = RCP_THREAD_AWAY;
    t->stack = rcp_stack_take(stack_size);
    t->callbacks = rcp_stack_callbacks(t->stack);
    t->all_previous = rcp_baton.all_last;
    if (rcp_baton.all_last)
        rcp_baton.all_last->all_next = t;
    else
        rcp_baton.all = t;
    rcp_baton.all_last = t;
    return t;
}

/* Lock held. */
static void unlist(rcp_thread *t) {
    *(t->all_previous ? &t->all_previous->all_next : &rcp_baton.all) = t->all_next;
    *(t->all_next ? &t->all_next->all_previous : &rcp_baton.all_last) = t->all_previous;
}

/* Lock held. Nobody asks for it again: programs that make threads without end are not slowed by those of the past. Its
 * stack goes when libc's does, not before: who is made until then could have run beside it, and has a stack of its own
 * in the recording, too. Else no run can be thought out in which both are there (program/explore/explore.c). */
static void forget_if_gone(rcp_thread *t) {
    if (t->state != RCP_THREAD_ENDED || !(t->joined || t->detached || t->adopted) || t->forgotten)
        return;
    t->forgotten = true;
    if (t->stack)
        rcp_stack_give(t->stack);
    t->stack = NULL;
    rcp_baton.events_gone += t->at;
    unlist(t);
}

void rcp_thread_forget(rcp_thread *t) {
    rcp_sys_acquire(&rcp_baton.lock);
    forget_if_gone(t);
    rcp_sys_release(&rcp_baton.lock);
}

void rcp_thread_watch(void) { rcp_watchdog_start(rcp_thread_bury); }

rcp_thread *rcp_thread_create(rcp_thread *parent, uint64_t stack_size) {
    rcp_thread_watch();
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_thread *t = new_thread(stack_size);
    t->native_size = stack_size / 2; /* thread-local variables and a guard take some, too: so much it has for certain */
    t->creator = parent;
    t->nth = ++parent->children;
    rcp_policy_created(t);
    rcp_sys_release(&rcp_baton.lock);
    return t;
}

void rcp_thread_cancel_create(rcp_thread *child) {
    rcp_sys_acquire(&rcp_baton.lock);
    child->creator->children--;
    unlist(child);
    if (child->number + 1 == rcp_baton.threads)
        rcp_baton.threads--;
    rcp_stack_give(child->stack);
    rcp_sys_release(&rcp_baton.lock);
}

/* The C library's word for 'there is one thread alone', which headers of the C++ library look at: it changes when the
 * first thread is made. Whoever looks later must not find what was there before, on ways that nobody recorded neither.
 * Where the program looks at it, it is told in the beginning, too: a change that is seen first by who looks came at a
 * time that nobody knows. */
extern char __libc_single_threaded __attribute__((weak));
static void tell_single_threaded(void) {
    const char *word = &__libc_single_threaded;
    if (word && *word != *(const char *)rcp_shadow_of(word))
        rcp_effect(word, sizeof *word);
}

void rcp_thread_created(rcp_thread *child, pthread_t id, bool detached) {
    child->pthread = id;
    child->detached = detached;
    tell_single_threaded();
    rcp_log_sync(RCP_SYNC_CREATE, child->number, RCP_SYNC_THREAD, RCP_SYNC_DONE);
    if (detached)
        rcp_log_sync(RCP_SYNC_DETACH, child->number, RCP_SYNC_THREAD, RCP_SYNC_DONE);
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_baton_ready(child);
    rcp_sys_release(&rcp_baton.lock);
}

/* By the thread itself, before it waits for its first turn. */
static void settle_in(rcp_thread *self) {
    struct rcp_hot *hot = &__recipe_thread;
    self->hot = hot;
    self->tid = (int)rcp_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    hot->position = hot->region = 0;
    hot->limit = 0;
    hot->outside = 1;
    hot->depth = 0;
    self->callbacks[0].word = RCP_CALLBACK_OF_SIGNAL(rcp_signal_unowned());
    hot->stack = rcp_stack_top(self->stack);
    rcp_self = self;
    pthread_setspecific(end_key, (void *)1);
}

/* Its first turn: from here on what it asks of the system is in the order of the schedule. */
static void say_hello(rcp_thread *self) {
    rcp_signal_thread_begin();
    void *const *addresses;
    uint64_t n = rcp_image_thread_locals(&addresses);
    rcp_log_thread(self, self->hot->stack, addresses, n);
}

void rcp_thread_begin(rcp_thread *self) {
    settle_in(self);
    rcp_baton_await(self);
    say_hello(self);
    rcp_thread_leave(self);
}

int __pthread_key_create(pthread_key_t *key, void (*function)(void *)); /* past runtime/ends.c */

/* Where the system began the process's own stack: above it are its arguments. */
extern void *__libc_stack_end __attribute__((weak));

/* main() is called by libc: its frame may lie far above this one, which a constructor has called. In the child of a
 * fork the stack may be another one. */
static uint64_t top_of_main(void) {
    enum { ABOVE_MAIN = 4096 };
    uint64_t here = (uint64_t)__builtin_frame_address(0), end = &__libc_stack_end ? (uint64_t)__libc_stack_end : 0;
    return end > here && end - here < own_stack_size() ? end : here + ABOVE_MAIN;
}

void rcp_thread_start_main(void) {
    if (!has_end_key) {
        __pthread_key_create(&end_key, on_thread_exit);
        has_end_key = true;
    }
    rcp_thread *t = new_thread(own_stack_size());
    rcp_policy_created(t);
    t->pthread = pthread_self();
    t->native_size = own_stack_size() / 2;
    t->native_top = top_of_main();
    settle_in(t);
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_baton_ready(t);
    rcp_baton_pick();
    rcp_sys_release(&rcp_baton.lock);
    rcp_baton_await(t);
    say_hello(t);
    if (rcp_image_names(&__libc_single_threaded))
        tell_single_threaded();
    rcp_thread_leave(t);
}

static void adopt_unrecorded(void) {
    static rcp_sys_lock once;
    static bool has_key;
    rcp_sys_acquire(&once);
    if (!has_key)
        has_key = !__pthread_key_create(&stack_key, on_unrecorded_exit);
    rcp_sys_release(&once);
    own_stack = rcp_stack_take(own_stack_size());
    __recipe_thread.stack = rcp_stack_top(own_stack);
    if (has_key)
        pthread_setspecific(stack_key, (void *)1);
}

static __thread bool has_ended __attribute__((tls_model("initial-exec")));

void rcp_thread_adopt(void) {
    if (!rcp_baton.on) {
        adopt_unrecorded();
        return;
    }
    uint64_t mask;
    rcp_sys_block_signals(&mask);
    rcp_thread_watch();
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_thread *t = new_thread(own_stack_size());
    t->nth = (has_ended ? RCP_LOG_AFTERLIFE : RCP_LOG_ADOPTED) + ++n_adopted;
    t->adopted = true;
    t->afterlife = has_ended;
    t->pthread = pthread_self();
    rcp_policy_created(t);
    settle_in(t);
    rcp_baton_ready(t);
    rcp_baton_pick();
    if (rcp_baton.leaving_tid == t->tid)
        __atomic_store_n(&rcp_baton.leaving_tid, 0, __ATOMIC_RELEASE);
    rcp_sys_release(&rcp_baton.lock);
    rcp_baton_await(t);
    say_hello(t);
    RCP_SAY(note, 160);
    rcp_say_text(&note, "thread ");
    rcp_say_number(&note, t->number);
    rcp_say_text(&note, " was not created by pthread_create: it is recorded from its first instrumented function on, "
                        "and nothing orders it after its creator");
    rcp_log_note(note.text);
    rcp_thread_leave(t);
    rcp_sys_restore_signals(&mask);
}

/* Lock held. */
static void mark_ended(rcp_thread *t) {
    t->hot = NULL;
    t->state = RCP_THREAD_ENDED;
    forget_if_gone(t);
}

void rcp_thread_end(rcp_thread *self) {
    rcp_sys_block_signals(NULL); /* for good: nothing of the program's runs on it any more */
    rcp_thread_enter(self);
    rcp_thread_stop_at_end(self);
    rcp_signal_thread_end();
    rcp_values_flush(self);
    rcp_mutex_owner_dies();
    struct rcp_hot *hot = self->hot;
    rcp_log_thread_end(self, hot->position);
    self->at = hot->position;
    rcp_wake(rcp_thread_key(self), RCP_WAKE_ALL);
    rcp_self = NULL;
    has_ended = true;
    hot->stack = 0; /* what runs nevertheless is adopted */
    hot->outside = 1;
    hot->limit = UINT64_MAX;
    rcp_sys_acquire(&rcp_baton.lock);
    mark_ended(self);
    if (self->number) /* the main thread's stays as long as the process */
        rcp_baton.leaving_tid = self->tid;
    rcp_baton_pass(self, RCP_THREAD_ENDED);
    rcp_sys_release(&rcp_baton.lock);
}

void rcp_thread_bury(rcp_thread *t) {
    t->at = t->hot->position; /* libc knows nothing of its end, so its storage is still there */
    rcp_log_note("a thread is gone that did not end as threads do (an exit by a system call of its own?)");
    rcp_log_thread_end(t, t->at);
    rcp_baton_wake_all(rcp_thread_key(t));
    mark_ended(t);
    rcp_baton_pass(t, RCP_THREAD_ENDED);
}
