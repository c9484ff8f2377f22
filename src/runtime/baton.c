/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/baton.h"

#include "runtime/cancel.h"
#include "runtime/deadline.h"
#include "runtime/follow.h"
#include "runtime/logging.h"
#include "runtime/peer.h"
#include "runtime/policy.h"
#include "runtime/rounds.h"
#include "runtime/steer.h"
#include "runtime/streams.h"
#include "runtime/task.h"
#include "runtime/tracer.h"
#include "runtime/values.h"
#include "runtime/waits.h"

/* Waiting threads, by their key: in each bucket in the order in which they came. */
#define BUCKETS 256
static rcp_thread_list waiting[BUCKETS];
static uint32_t recallable[BUCKETS]; /* how many were woken from each and have not run since */

static unsigned index_of(uint64_t key) { return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 56); }
static rcp_thread_list *bucket_of(uint64_t key) { return &waiting[index_of(key)]; }

static void append(rcp_thread_list *list, rcp_thread *t) {
    t->next = NULL;
    t->previous = list->last;
    if (list->last)
        list->last->next = t;
    else
        list->first = t;
    list->last = t;
    list->n++;
}

static void prepend(rcp_thread_list *list, rcp_thread *t) {
    t->previous = NULL;
    t->next = list->first;
    if (list->first)
        list->first->previous = t;
    else
        list->last = t;
    list->first = t;
    list->n++;
}

static void detach(rcp_thread_list *list, rcp_thread *t) {
    *(t->previous ? &t->previous->next : &list->first) = t->next;
    *(t->next ? &t->next->previous : &list->last) = t->previous;
    t->next = t->previous = NULL;
    list->n--;
}

/* Lock held. */
static void set_recallable(rcp_thread *t, bool yes) {
    if (t->recallable == yes)
        return;
    t->recallable = yes;
    recallable[index_of(t->key)] += yes ? 1 : -1;
}

void rcp_baton_ready(rcp_thread *t) {
    t->state = RCP_THREAD_READY;
    append(&rcp_baton.ready, t);
    rcp_thread *holder = rcp_baton.holder;
    if (holder && rcp_policy_is_urgent(t, holder)) {
        holder->poked = true;
        if (holder->hot)
            __atomic_store_n(&holder->hot->limit, 0, __ATOMIC_RELAXED);
    }
    if (holder && holder->naps) {
        holder->naps = false;
        holder->poked = true;
        __atomic_fetch_or(&holder->go, RCP_GO_LOOK, __ATOMIC_RELEASE);
        rcp_sys_wake(&holder->go, 1);
    }
}

/* Lock held: it waits no more. */
static void end_wait(rcp_thread *t, rcp_woken how) {
    detach(bucket_of(t->key), t);
    t->woken = how;
    rcp_baton_ready(t);
}

/* The baton is free: the policy chooses among the READY. Whoever is chosen does not know yet: what the log must say of
 * the last holder can still be written. */
static rcp_thread *decide(rcp_thread *last, rcp_policy_why why) {
    rcp_baton.holder = NULL;
    rcp_choice c = {0};
    if (rcp_baton.ready.first)
        c = rcp_policy_choose(last, why);
    else
        rcp_follow_choose_waiting(last, why, &c);
    if (!c.thread)
        return NULL;
    if (c.thread->state == RCP_THREAD_WAITS) {
        rcp_clock_reach(c.thread->deadline);
        end_wait(c.thread, RCP_WOKEN_LATE);
    }
    detach(&rcp_baton.ready, c.thread);
    set_recallable(c.thread, false);
    c.thread->state = RCP_THREAD_HOLDS;
    c.thread->until = c.until;
    c.thread->began = c.thread->at;
    c.thread->poked = false;
    c.thread->lost = false;
    c.thread->naps = c.naps;
    c.thread->turns++;
    rcp_baton.holder = c.thread;
    return c.thread;
}

static void grant(rcp_thread *t) {
    if (t) {
        __atomic_fetch_or(&t->go, RCP_GO_BATON, __ATOMIC_RELEASE);
        rcp_sys_wake(&t->go, 1);
    } else if (!rcp_baton.ready.first && rcp_waits_for_ever()) {
        rcp_baton.look_closer();
    }
}

void rcp_baton_pass(rcp_thread *from, rcp_thread_state state) {
    from->lost = true;
    from->state = state;
    grant(decide(from, RCP_POLICY_BLOCKED));
}

void rcp_baton_pick(void) {
    if (!rcp_baton.holder && rcp_baton.ready.first)
        grant(decide(NULL, RCP_POLICY_IDLE));
}

/* A thread that has ended still runs libc's code for that (it frees its caches and its stack). Nobody else runs before
 * it is gone, so that what libc hands out next does not depend on who was faster. Bounded: it might need something that
 * a thread without the baton has. */
static void see_it_off(void) {
    int tid = rcp_baton.leaving_tid;
    if (!tid)
        return;
    int pid = (int)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    struct timespec pause = {0, 20000};
    for (int i = 0; i < 2000; i++) {
        if (__atomic_load_n(&rcp_baton.leaving_tid, __ATOMIC_ACQUIRE) != tid) /* it has an afterlife: thread.h */
            return;
        if (RCP_SYS3(SYS_tgkill, pid, tid, 0) < 0)
            break;
        if (i < 20)
            rcp_sys(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        else
            RCP_SYS2(SYS_nanosleep, &pause, 0);
    }
    rcp_baton.leaving_tid = 0;
}

/* Whoever is in a call that a signal is to end may be on its way there: it has given up the baton, and does not sleep
 * yet. Bounded, because it may not have to sleep. */
static void see_it_in(const rcp_thread *self) {
    int tid = rcp_baton.entering_tid;
    struct timespec pause = {0, 20000};
    for (int i = 0; i < 1000 && tid && tid != self->tid && rcp_task_state(tid) != 'S'; i++)
        RCP_SYS2(SYS_nanosleep, &pause, 0);
    rcp_baton.entering_tid = 0;
}

static bool has_been_told(const rcp_thread *self) {
    return __atomic_load_n(&self->go, __ATOMIC_ACQUIRE) & RCP_GO_BATON;
}

static void arrived(rcp_thread *self) {
    __atomic_fetch_and(&self->go, ~(uint32_t)RCP_GO_BATON, __ATOMIC_ACQUIRE);
    see_it_off();
    if (rcp_baton.entering_tid)
        see_it_in(self);
    rcp_log_slice(self);
    rcp_streams_turn();
    rcp_tracer_look();
    rcp_thread_set_limit(self);
}

void rcp_baton_await(rcp_thread *self) {
    while (!has_been_told(self)) {
        __atomic_fetch_and(&self->go, ~(uint32_t)RCP_GO_LOOK, __ATOMIC_ACQUIRE);
        if (!has_been_told(self))
            rcp_sys_wait(&self->go, 0, UINT64_MAX);
    }
    arrived(self);
}

void rcp_thread_set_limit(rcp_thread *self) {
    if (!self->hot)
        return;
    uint64_t handler = rcp_follow_next_handler(self), until = handler < self->until ? handler : self->until;
    bool is_asked = rcp_baton.values || self->rounds.loop || rcp_steer_is_on;
    __atomic_store_n(&self->hot->limit, is_asked ? 0 : until, __ATOMIC_RELAXED);
    rcp_sys_order();
    if (self->pending || self->poked || self->lost || self->gives)
        __atomic_store_n(&self->hot->limit, 0, __ATOMIC_RELAXED);
}

/* The holder lets the policy choose again; it is READY itself and may well be chosen. Outside,
 * nothing need be said of where it stopped: the log's next record is not what its call waits for. */
static void reconsider(rcp_thread *self, rcp_policy_why why, bool outside) {
    rcp_sys_acquire(&rcp_baton.lock);
    self->lost = true;
    self->state = RCP_THREAD_READY;
    append(&rcp_baton.ready, self);
    rcp_thread *next = decide(self, why);
    if (next != self) {
        if (!outside)
            rcp_log_stop(self, self->at);
        grant(next);
    }
    rcp_sys_release(&rcp_baton.lock);
    if (next != self)
        rcp_baton_await(self);
    else
        rcp_thread_set_limit(self);
}

/* Lock not held. Has code that is not recorded written what somebody waits for? */
static bool has_word_changed(rcp_thread *self) {
    bool changed = rcp_rounds_has_changed(self);
    rcp_sys_acquire(&rcp_baton.lock);
    for (rcp_thread *t = rcp_baton.ready.first; t && !changed; t = t->next)
        if (t->waits_round && rcp_rounds_has_changed(t)) {
            t->waits_round = false;
            changed = self->poked = true;
        }
    rcp_sys_release(&rcp_baton.lock);
    return changed;
}

/* Everybody waits for a word that nobody who could run will write: for whoever is away, for code that is not recorded,
 * for time. It has the baton meanwhile, so that nothing hangs on who wakes first. */
enum { LONG_NAP = 500 }; /* looks, of 0.2 ms */
/* How many looks it had. */
static uint32_t nap(rcp_thread *self, uint32_t looks) {
    struct timespec now;
    RCP_SYS2(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    uint64_t until = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    uint32_t i = 0;
    while (i < looks && self->naps && !self->pending && !has_word_changed(self)) {
        __atomic_fetch_and(&self->go, ~(uint32_t)RCP_GO_LOOK, __ATOMIC_ACQUIRE);
        until += 200000; /* ns */
        while (self->naps && !self->pending && rcp_sys_wait(&self->go, 0, until) != -ETIMEDOUT)
            __atomic_fetch_and(&self->go, ~(uint32_t)RCP_GO_LOOK, __ATOMIC_ACQUIRE);
        i++;
    }
    self->naps = false;
    return i;
}

/* `position`: where it goes on. */
static void take_at(rcp_thread *self, uint64_t position) {
    self->inside = true;
    rcp_sys_order();
    rcp_sys_acquire(&rcp_baton.lock);
    self->given = false;
    if (!self->lost) { /* the watchdog changed its mind */
        rcp_sys_release(&rcp_baton.lock);
        return;
    }
    self->at = position;
    rcp_baton_ready(self);
    rcp_baton_pick();
    rcp_sys_release(&rcp_baton.lock);
    rcp_baton_await(self);
}

/* A signal that was held back until the schedule has its handler here, or there is no schedule any more. */
static void let_come(rcp_thread *self, uint64_t position) {
    if (!self->held || (rcp_follow_is_witness() && !rcp_follow_is_due(self, self->held, position)))
        return;
    self->held = 0;
    self->pending = true;
}

/* The schedule has a handler begin here, and its signal has not come: everybody waits for that. */
static void await_signal(rcp_thread *self) {
    rcp_sys_acquire(&rcp_baton.lock);
    if (self->held) /* one thread keeps one signal, and lets no other come meanwhile */
        rcp_follow_abandon("another signal has come to a thread than the one whose handler comes first there");
    rcp_log_stop(self, self->at);
    rcp_baton_pass(self, RCP_THREAD_AWAY);
    rcp_sys_release(&rcp_baton.lock);
    while (!self->pending && !self->held && rcp_follow_is_witness()) {
        __atomic_fetch_and(&self->go, ~(uint32_t)RCP_GO_LOOK, __ATOMIC_ACQUIRE);
        if (!self->pending && !self->held)
            rcp_sys_wait(&self->go, 0, UINT64_MAX);
    }
}

/* Outside, and not inside the runtime: handlers that are due. */
static void run_handler(rcp_thread *self) {
    self->pending = false;
    rcp_sys_order();
    rcp_cancel_run(self);
    rcp_signal_run(self);
}
static void run_handlers(rcp_thread *self) {
    while (self->pending)
        run_handler(self);
}

/* In front of the event that is `left` before the end of its segment. The handler's events come before it. */
static void run_handler_here(rcp_thread *self, uint32_t left) {
    struct rcp_hot *hot = self->hot;
    rcp_log_stop(self, self->at);
    hot->position -= left;
    hot->outside = RCP_OUTSIDE_STOPPED;
    run_handler(self);
    rcp_thread_enter(self);
    hot->outside = 0;
    rcp_thread_leave(self);
    hot->position += left;
}

/* Before its event: it has met somebody; or it is held, until that is so or nobody could come any more. */
static void stand(rcp_thread *self, uint64_t stop) {
    rcp_policy_why why = self->parked ? RCP_POLICY_PARKED : RCP_POLICY_MET;
    self->stands = true;
    self->stop = stop;
    do {
        reconsider(self, why, false);
        why = RCP_POLICY_POKED;
        if (self->naps) { /* somebody who is away may come */
            rcp_steer_has_napped(self, nap(self, rcp_steer_looks(self)));
            self->parked = self->parked && self->poked;
        }
    } while (self->parked && !self->pending);
    self->parked = self->stands = false;
}

bool rcp_thread_stop(rcp_thread *self, uint32_t left) {
    bool stopped = false, has_stood = false;
    const uint64_t stop = ++self->stops; /* handlers stop, too */
    for (;; stopped = true) {
        self->at = self->hot->position - left;
        let_come(self, self->at);
        if (self->lost) {
            take_at(self, self->at);
            rcp_thread_leave(self);
        } else if (self->pending) {
            run_handler_here(self, left);
        } else if (rcp_follow_awaits(self)) {
            await_signal(self);
        } else if (self->gives) {
            bool waits = self->gives == RCP_GIVES_WAITING;
            self->gives = RCP_GIVES_NOT;
            self->stands = true;
            self->stop = stop;
            reconsider(self, waits ? RCP_POLICY_WAITING : RCP_POLICY_YIELDED, false);
            self->stands = false;
            if (self->naps)
                nap(self, LONG_NAP);
        } else if (self->at >= self->until || self->poked) {
            self->stands = true;
            self->stop = stop;
            reconsider(self, self->at >= self->until ? RCP_POLICY_REACHED : RCP_POLICY_POKED, false);
            self->stands = false;
        } else if (rcp_steer_is_on && !has_stood && rcp_steer_stops(self)) {
            has_stood = true;
            stand(self, stop);
        } else {
            break;
        }
    }
    rcp_thread_set_limit(self);
    return stopped;
}

void rcp_thread_stop_at_end(rcp_thread *self) {
    for (self->at = self->hot->position; rcp_follow_is_witness() && self->at >= self->until;) {
        self->event = (rcp_next_event){.kind = RCP_WHAT_END};
        self->stop = ++self->stops;
        self->stands = true;
        reconsider(self, RCP_POLICY_REACHED, true);
        self->stands = false;
    }
}

rcp_thread *rcp_inside(void) {
    rcp_thread *self = rcp_self;
    if (!self || self->inside || !self->hot->outside || !rcp_baton.on)
        return NULL;
    rcp_thread_enter(self);
    rcp_values_flush(self);
    return self;
}

void rcp_outside(rcp_thread *self) {
    rcp_thread_leave(self);
    if (__builtin_expect(self->held, 0))
        let_come(self, self->hot->position);
    if (__builtin_expect(self->pending, 0))
        run_handlers(self);
}

void rcp_give(rcp_thread *self) {
    self->at = self->hot->position;
    rcp_sys_acquire(&rcp_baton.lock);
    if (rcp_follow_is_due(self, 0, self->at))
        rcp_baton.entering_tid = self->tid;
    self->given = true;
    rcp_baton_pass(self, RCP_THREAD_AWAY);
    rcp_sys_release(&rcp_baton.lock);
    rcp_outside(self);
}

void rcp_take(rcp_thread *self) { take_at(self, self->hot->position); }

void rcp_yield(rcp_thread *self) {
    self->at = self->hot->position;
    reconsider(self, RCP_POLICY_YIELDED, true);
}

/* While a schedule is followed it says who goes on. */
static uint64_t real_deadline(uint64_t deadline) {
    return deadline == RCP_NO_DEADLINE || rcp_follow_is_on() ? RCP_NO_DEADLINE
                                                             : (uint64_t)rcp_clock_real(deadline, CLOCK_MONOTONIC);
}

rcp_woken rcp_wait_for(rcp_thread *self, rcp_wanted what, uint64_t key, uint64_t deadline) {
    /* A deadline that has passed already is a question, not a wait: so its answer does not hang on who is faster. */
    if (deadline != RCP_NO_DEADLINE && !rcp_follow_is_on() && (int64_t)deadline <= rcp_clock_now(CLOCK_MONOTONIC)) {
        rcp_yield(self);
        return RCP_WOKEN_LATE;
    }
    self->at = self->hot->position;
    let_come(self, self->at);
    rcp_sys_acquire(&rcp_baton.lock);
    self->key = key;
    self->deadline = deadline;
    self->wanted = what;
    self->woken = RCP_WOKEN;
    append(bucket_of(key), self);
    rcp_baton_pass(self, RCP_THREAD_WAITS);
    rcp_sys_release(&rcp_baton.lock);
    while (!has_been_told(self)) {
        __atomic_fetch_and(&self->go, ~(uint32_t)RCP_GO_LOOK, __ATOMIC_ACQUIRE);
        long e = 0;
        if (!self->pending && !has_been_told(self))
            e = rcp_sys_wait(&self->go, 0, real_deadline(deadline));
        if (e != -ETIMEDOUT && !self->pending)
            continue;
        rcp_sys_acquire(&rcp_baton.lock);
        if (self->state == RCP_THREAD_WAITS) {
            if (!self->pending)
                rcp_clock_reach(deadline);
            end_wait(self, self->pending ? RCP_WOKEN_BY_SIGNAL : RCP_WOKEN_LATE);
            rcp_baton_pick();
        } else {
            set_recallable(self, false); /* from here on it does not look at the clock */
        }
        rcp_sys_release(&rcp_baton.lock);
        rcp_baton_await(self);
        goto told;
    }
    arrived(self);
told:;
    rcp_woken how = self->woken; /* a handler may wait, too */
    if (how == RCP_WOKEN_LATE)
        rcp_clock_await(deadline);
    if (self->pending) {
        rcp_thread_leave(self);
        run_handlers(self);
        rcp_thread_enter(self);
    }
    return how;
}

rcp_woken rcp_wait_on(rcp_thread *self, uint64_t key, uint64_t deadline) {
    return rcp_wait_for(self, (rcp_wanted){RCP_LOG_WAIT_WORD, key}, key, deadline);
}

void rcp_wakes_unseen(void) { rcp_baton.wakes_unseen |= rcp_baton.on; }

static unsigned wake(uint64_t key, unsigned n) {
    unsigned woken = 0;
    rcp_thread *preferred = n == 1 ? rcp_follow_prefers(bucket_of(key)->first, key) : NULL;
    if (preferred) {
        end_wait(preferred, RCP_WOKEN);
        set_recallable(preferred, true);
        return 1;
    }
    for (rcp_thread *t = bucket_of(key)->first, *next; t && woken < n; t = next) {
        next = t->next;
        if (t->key != key)
            continue;
        end_wait(t, RCP_WOKEN);
        set_recallable(t, true);
        woken++;
    }
    return woken;
}

void rcp_baton_wake_all(uint64_t key) { wake(key, RCP_WAKE_ALL); }

unsigned rcp_wake(uint64_t key, unsigned n) {
    if (!__atomic_load_n(&bucket_of(key)->first, __ATOMIC_RELAXED)) /* only holders of the baton come in */
        return 0;
    rcp_sys_acquire(&rcp_baton.lock);
    unsigned woken = wake(key, n);
    rcp_sys_release(&rcp_baton.lock);
    return woken;
}

void rcp_recall(uint64_t key) {
    if (!__atomic_load_n(&recallable[index_of(key)], __ATOMIC_RELAXED))
        return;
    rcp_sys_acquire(&rcp_baton.lock);
    for (rcp_thread *t = rcp_baton.ready.last, *previous; t; t = previous) {
        previous = t->previous;
        if (!t->recallable || t->key != key)
            continue;
        set_recallable(t, false);
        detach(&rcp_baton.ready, t);
        t->state = RCP_THREAD_WAITS;
        prepend(bucket_of(key), t); /* they came before all who wait there now */
    }
    rcp_sys_release(&rcp_baton.lock);
}

bool rcp_interrupt(rcp_thread *t) {
    rcp_sys_acquire(&rcp_baton.lock);
    bool waited = t->state == RCP_THREAD_WAITS;
    if (waited)
        end_wait(t, RCP_WOKEN_BY_SIGNAL);
    rcp_sys_release(&rcp_baton.lock);
    return waited;
}

void rcp_wake_within(uint64_t lo, uint64_t hi) {
    rcp_sys_acquire(&rcp_baton.lock);
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_WAITS && t->wanted.kind <= RCP_SYNC_BARRIER && t->wanted.object >= lo &&
            t->wanted.object < hi) /* of all these only a condition can't be asked again */
            end_wait(t, t->wanted.kind == RCP_SYNC_COND ? RCP_WOKEN_BY_SIGNAL : RCP_WOKEN);
    rcp_sys_release(&rcp_baton.lock);
}

/* Is it held back for the schedule's sake? What a thread sends itself is handled before that call returns: no schedule
 * has its handler elsewhere, so one that has it elsewhere can't be followed. */
static bool is_held(rcp_thread *self, int signal) {
    if (!rcp_follow_holds(self, signal, self->hot->outside ? self->hot->position : UINT64_MAX))
        return false;
    if (self->sending != signal)
        return true;
    rcp_sys_acquire(&rcp_baton.lock);
    rcp_follow_abandon("a thread sends itself a signal where it did not when it was recorded");
    rcp_sys_release(&rcp_baton.lock);
    return false;
}

bool rcp_signal_defer(int signal) {
    rcp_thread *self = rcp_self;
    if (!self || !self->hot)
        return false;
    bool outside = !self->inside && self->hot->outside;
    bool held = !(outside && self->lost) && is_held(self, signal);
    if (self->sending == signal)
        self->sending = 0;
    if (held) {
        self->held = signal;
        __atomic_fetch_or(&self->go, RCP_GO_LOOK, __ATOMIC_RELEASE);
        return true;
    }
    if (outside)
        return false;
    self->pending = true;
    rcp_sys_order();
    __atomic_store_n(&self->hot->limit, 0, __ATOMIC_RELAXED);
    __atomic_fetch_or(&self->go, RCP_GO_LOOK, __ATOMIC_RELEASE);
    return true;
}

void rcp_baton_steal(rcp_thread *holder) {
    holder->at = holder->hot->position;
    rcp_streams_stolen();
    rcp_log_steal(holder);
    rcp_baton_pass(holder, RCP_THREAD_AWAY);
}

void rcp_baton_keep_only(rcp_thread *self) {
    rcp_baton.lock.word = 0;
    for (int i = 0; i < BUCKETS; i++)
        waiting[i] = (rcp_thread_list){0};
    rcp_baton.ready = (rcp_thread_list){0};
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t != self) { /* libc will give their ids to others */
            t->state = RCP_THREAD_ENDED;
            t->hot = NULL;
            rcp_baton.events_gone += t->at;
        }
    rcp_baton.all = rcp_baton.all_last = self;
    self->all_next = self->all_previous = NULL;
    rcp_baton.holder = self;
    rcp_baton.leaving_tid = 0;
    self->state = RCP_THREAD_HOLDS;
    self->lost = false;
    self->go = 0;
}
