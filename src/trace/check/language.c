/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/language.h"

#include "base/ranges.h"
#include "trace/check/barriers.h"
#include "trace/model/own_place.h"
#include "trace/model/slots.h"

#include <stdio.h>
#include <stdlib.h>

/* What wrote a marked byte last. */
enum { BY_PLAIN, BY_ATOMIC, BY_OPAQUE };
/* What began a marked life. */
enum { BY_ALLOC, BY_FREE };

typedef struct thread {
    bool after;    /* its next event comes after the earlier access */
    bool forked;   /* its FORK did */
    bool released; /* its last fence that releases did */
    bool taken;    /* a relaxed read took something that did: the next fence that acquires will */
    uint32_t len;  /* its events so far */
} thread;

typedef struct object {
    bool init, all;
    bool give[2]; /* lock: releases by mode; condition, semaphore, once: what is given; barrier: ENTERs, and those of
                     complete generations */
    bool take[2]; /* lock: acquisitions by mode; semaphore: waits */
    uint64_t inside;
} object;

/* Threads with a marked head of a release sequence that a byte's last write is in. */
typedef RCP_VEC(uint32_t) heads;

typedef struct walk {
    const rcp_trace *trace;
    rcp_eid earlier;
    bool is_strong; /* happens-before: what an atomic read takes from an atomic write orders, and nothing is taken
                       after the check */
    bool is_narrow; /* release sequences are */
    const rcp_order_change *changes;
    size_t n_changes;
    bool *marked; /* by event: each of them is an earlier access, too, and what comes after is marked; or NULL */
    rcp_language_visitor *each; /* of what comes after the earlier access; or NULL */
    void *context;
    thread *threads;
    object *objects;
    rcp_ranges writers; /* marked: BY_*; the others stand for nobody */
    rcp_ranges lives;   /* marked: BY_ALLOC, BY_FREE */
    rcp_ranges heads;   /* byte → in `sets`; marked ones alone */
    RCP_VEC(heads) sets;
    rcp_barriers line;
    RCP_VEC(bool) tags;
} walk;

static void begin(walk *w, const rcp_trace *trace, rcp_eid earlier) {
    *w = (walk){.trace = trace, .earlier = earlier, .is_narrow = rcp_defs_narrow_sequences(&trace->defs)};
    w->threads = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *w->threads);
    w->objects = rcp_alloc_zero(trace->defs.objects.len + 1, sizeof *w->objects);
    rcp_ranges_init(&w->writers);
    rcp_ranges_init(&w->lives);
    rcp_ranges_init(&w->heads);
    rcp_barriers_init(&w->line, &trace->defs);
}

static void finish(walk *w) {
    for (size_t i = 0; i < w->sets.len; i++)
        rcp_vec_finish(&w->sets.at[i]);
    rcp_vec_finish(&w->sets);
    rcp_vec_finish(&w->tags);
    rcp_barriers_finish(&w->line);
    rcp_ranges_finish(&w->writers);
    rcp_ranges_finish(&w->lives);
    rcp_ranges_finish(&w->heads);
    rcp_release(w->threads);
    rcp_release(w->objects);
}

static rcp_order order_of(const walk *w, const rcp_event *e) {
    for (size_t i = 0; i < w->n_changes; i++)
        if (w->changes[i].place.v == rcp_own_place(&w->trace->defs, e).v && w->changes[i].kind == e->kind &&
            e->mode != RCP_PLAIN)
            return w->changes[i].order;
    return e->mode;
}

/* --- memory --- */

/* Does a range in [lo, hi) have one of these values? */
static bool any(const rcp_ranges *map, uint64_t lo, uint64_t hi, uint32_t values) {
    rcp_range range;
    for (; lo < hi && rcp_ranges_next(map, lo, &range) && range.lo < hi; lo = range.hi)
        if (values >> range.value & 1)
            return true;
    return false;
}

/* Some byte of [lo, hi) was left by an atomic write (`is_atomic`), or not, and that write is marked. */
static bool any_marked(const walk *w, uint64_t lo, uint64_t hi, bool is_atomic) {
    return any(&w->writers, lo, hi, 1u << (is_atomic ? BY_ATOMIC : BY_PLAIN));
}

static bool any_heads(const walk *w, uint64_t lo, uint64_t hi) {
    rcp_range range;
    for (; lo < hi && rcp_ranges_next(&w->heads, lo, &range) && range.lo < hi; lo = range.hi)
        if (w->sets.at[range.value].len)
            return true;
    return false;
}

/* A fence, or what counts as one. */
static void fence(thread *t, rcp_order order) {
    t->after |= rcp_order_acquires(order) && t->taken;
    if (rcp_order_releases(order))
        t->released = t->after;
}

/* Before it is compared: what an access takes. */
static void take(walk *w, thread *t, const rcp_event *e) {
    const uint64_t lo = e->addr, hi = e->addr + e->size;
    t->after |= any(&w->lives, lo, hi, 1u << BY_ALLOC);
    if (!rcp_event_reads(e))
        return;
    t->after |= any(&w->writers, lo, hi, 1u << BY_OPAQUE);
    if (e->mode == RCP_PLAIN)
        return;
    if (w->is_strong) {
        t->after |= any_marked(w, lo, hi, true);
    } else if (any_heads(w, lo, hi)) {
        t->after |= rcp_order_acquires(order_of(w, e));
        t->taken = true;
    }
}

/* And after that: what it took from a write that it is not ordered with by that. */
static void take_more(walk *w, thread *t, const rcp_event *e) {
    const uint64_t lo = e->addr, hi = lo + rcp_event_extent(e);
    if (w->is_strong && !w->marked)
        return;
    t->after |= any(&w->lives, lo, hi, 1u << BY_FREE);
    if (rcp_event_is_access(e) && rcp_event_reads(e))
        t->after |= any_marked(w, lo, hi, false) || (e->mode == RCP_PLAIN && any_marked(w, lo, hi, true));
}

/* One byte's sequences after an atomic write: those that go on, and the one that it begins. A set is one byte's. */
static void go_on(walk *w, uint64_t byte, uint32_t tid, bool is_rmw, bool is_marked) {
    uint32_t set = rcp_ranges_get(&w->heads, byte);
    size_t kept = 0;
    if (set == RCP_RANGES_NONE && !is_marked)
        return;
    if (set == RCP_RANGES_NONE) {
        set = (uint32_t)w->sets.len;
        rcp_vec_push(&w->sets, (heads){0});
        rcp_ranges_set(&w->heads, byte, byte + 1, set);
    }
    heads *of = &w->sets.at[set];
    for (size_t i = 0; i < of->len; i++) {
        const bool is_own = of->at[i] == tid;
        if ((is_rmw || (is_own && !w->is_narrow)) && !(is_own && is_marked))
            of->at[kept++] = of->at[i];
    }
    of->len = kept;
    if (is_marked)
        rcp_vec_push(of, tid);
}

static void leave(walk *w, const thread *t, const rcp_event *e) {
    const uint64_t lo = e->addr, hi = e->addr + e->size;
    const bool is_atomic = e->mode != RCP_PLAIN;
    if (is_atomic && !w->is_strong) {
        const bool releases = rcp_order_releases(order_of(w, e));
        for (uint64_t byte = lo; byte < hi; byte++)
            go_on(w, byte, e->tid.v, e->kind == RCP_RMW, releases ? t->after : t->released);
    } else {
        rcp_ranges_erase(&w->heads, lo, hi);
    }
    if (t->after)
        rcp_ranges_set(&w->writers, lo, hi, is_atomic ? BY_ATOMIC : BY_PLAIN);
    else
        rcp_ranges_erase(&w->writers, lo, hi);
}

/* A life begins: what was there is gone. */
static void renew(walk *w, const thread *t, const rcp_event *e) {
    const uint64_t lo = e->addr, hi = lo + rcp_event_extent(e);
    rcp_ranges_erase(&w->writers, lo, hi);
    rcp_ranges_erase(&w->heads, lo, hi);
    if (t->after)
        rcp_ranges_set(&w->lives, lo, hi, e->kind == RCP_ALLOC ? BY_ALLOC : BY_FREE);
    else
        rcp_ranges_erase(&w->lives, lo, hi);
}

static uint64_t in_memory(uint64_t end) { return end < RCP_REACH_BEYOND ? end : RCP_REACH_BEYOND; }

/* Wherever the threads are: all that was before comes before all that will be. */
static void fence_all(walk *w) {
    bool any_after = false;
    for (size_t u = 0; u < w->trace->defs.threads.len; u++)
        any_after |= w->threads[u].after;
    for (size_t u = 0; u < w->trace->defs.threads.len; u++)
        w->threads[u].after = any_after;
}

/* Of memory alone: what stands for something else (trace/check/barriers.h) has no bytes, and time no order of P1. */
static void opaque(walk *w, thread *t, const rcp_event *e) {
    const rcp_reach_def *reach = &w->trace->defs.reaches.at[e->reach.v];
    size_t n = reach->n;
    if (!w->is_strong)
        fence(t, RCP_ACQ);
    while (n && reach->spans[n - 1].lo >= RCP_REACH_BEYOND)
        n--;
    for (size_t i = 0; i < n; i++) {
        const uint64_t lo = reach->spans[i].lo, hi = in_memory(reach->spans[i].hi);
        t->after |= any(&w->writers, lo, hi, 7) || any(&w->lives, lo, hi, 3);
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t lo = reach->spans[i].lo, hi = in_memory(reach->spans[i].hi);
        rcp_ranges_erase(&w->heads, lo, hi);
        if (t->after)
            rcp_ranges_set(&w->writers, lo, hi, BY_OPAQUE);
    }
    if (!w->is_strong)
        fence(t, RCP_REL);
    if (!w->is_strong && rcp_defs_fences_all(&w->trace->defs, e))
        fence_all(w);
}

/* --- objects, in the order of docs/orders.md --- */

static void lock_event(const walk *w, thread *t, rcp_obj lock, bool acquires, rcp_mode mode) {
    object *o = &w->objects[lock.v];
    t->after |= o->init;
    if (acquires) {
        t->after |= o->give[RCP_EXCLUSIVE] || (mode == RCP_EXCLUSIVE && o->give[RCP_SHARED]);
        o->take[mode] |= t->after;
    } else {
        o->give[mode] |= t->after;
    }
    o->all |= t->after;
}

static void object_event(const walk *w, thread *t, const rcp_event *e) {
    object *o = &w->objects[e->object.v];
    const bool done = e->outcome == RCP_DONE;
    t->after |= o->init;
    switch (e->kind) {
    case RCP_ACQUIRE:
        if (done)
            lock_event(w, t, e->object, true, e->mode);
        else
            t->after |= o->take[RCP_EXCLUSIVE] || (e->mode == RCP_EXCLUSIVE && o->take[RCP_SHARED]);
        break;
    case RCP_RELEASE: lock_event(w, t, e->object, false, e->mode); break;
    case RCP_WAIT: lock_event(w, t, e->lock, false, RCP_EXCLUSIVE); break;
    case RCP_WAKE:
        t->after |= done && o->give[0];
        lock_event(w, t, e->lock, true, RCP_EXCLUSIVE);
        break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_ONCE_END: o->give[0] |= t->after; break;
    case RCP_SEM_WAIT:
        t->after |= done ? o->give[0] : o->take[0];
        o->take[0] |= done && t->after;
        break;
    case RCP_BARRIER_ENTER:
        o->give[0] |= t->after;
        if (++o->inside >= w->trace->defs.objects.at[e->object.v].initial) {
            o->inside = 0;
            o->give[1] = o->give[0];
        }
        break;
    case RCP_BARRIER_LEAVE: t->after |= o->give[1]; break;
    case RCP_ONCE_SKIP: t->after |= o->give[0]; break;
    case RCP_INIT: o->init |= t->after; break;
    case RCP_DESTROY: t->after |= o->all; break;
    default: break;
    }
    o->all |= t->after;
}

/* --- the walk --- */

/* P1. Returns the event's tag. */
static uint32_t stand_in_line(walk *w, thread *t, const rcp_event *e) {
    if (w->trace->defs.reaches.len <= 1)
        return RCP_BARRIERS_NONE;
    uint32_t tag = rcp_barriers_add(&w->line, e);
    for (size_t i = 0; i < w->line.needs.len; i++)
        t->after |= w->tags.at[w->line.needs.at[i]];
    while (tag != RCP_BARRIERS_NONE && w->tags.len <= tag)
        rcp_vec_push(&w->tags, false);
    return tag;
}

/* All that comes before the event, but for what is taken after it was compared. */
static void come(walk *w, thread *t, const rcp_event *e) {
    t->after |= !t->len++ && t->forked;
    switch (e->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: take(w, t, e); break;
    case RCP_ALLOC: t->after |= any(&w->lives, e->addr, e->addr + rcp_event_extent(e), 3); break;
    case RCP_FREE: t->after |= any(&w->lives, e->addr, e->addr + rcp_event_extent(e), 1u << BY_ALLOC); break;
    case RCP_JOIN:
        t->after |= w->threads[e->child.v].forked || (e->outcome == RCP_DONE && w->threads[e->child.v].after);
        break;
    case RCP_FENCE:
        if (!w->is_strong)
            fence(t, order_of(w, e));
        break;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: opaque(w, t, e); break;
    default:
        if (rcp_event_traits(e->kind)->uses & RCP_USES_OBJECT)
            object_event(w, t, e);
        break;
    }
}

/* Does `earlier` come before `later`? */
static bool go(walk *w, rcp_eid later) {
    bool found = false;
    for (uint64_t i = 0; i <= later.v; i++) {
        const rcp_event *e = &w->trace->events.at[i];
        thread *t = &w->threads[e->tid.v];
        uint32_t tag = stand_in_line(w, t, e);
        t->after |= w->marked && w->marked[i]; /* what it gives is marked, too */
        come(w, t, e);
        if (i == later.v)
            found = t->after;
        if (w->each && (t->after || i == w->earlier.v) && (rcp_event_is_atomic(e) || e->kind == RCP_FENCE))
            w->each(w->context, e);
        take_more(w, t, e);
        t->after |= i == w->earlier.v;
        if (w->marked)
            w->marked[i] = t->after;
        if (rcp_event_is_access(e) && rcp_event_writes(e))
            leave(w, t, e);
        else if (e->kind == RCP_ALLOC || e->kind == RCP_FREE)
            renew(w, t, e);
        else if (e->kind == RCP_FORK)
            w->threads[e->child.v].forked |= t->after;
        if (tag != RCP_BARRIERS_NONE)
            w->tags.at[tag] = t->after;
    }
    return found;
}

bool rcp_language_orders(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, const rcp_order_change *changes,
                         size_t n) {
    walk w;
    begin(&w, trace, earlier);
    w.changes = changes;
    w.n_changes = n;
    bool found = go(&w, later);
    finish(&w);
    return found;
}

void rcp_language_between(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, rcp_language_visitor *each,
                          void *context) {
    walk w;
    begin(&w, trace, earlier);
    w.is_strong = true;
    w.each = each;
    w.context = context;
    (void)go(&w, later);
    finish(&w);
}

void rcp_language_mark_after(const rcp_trace *trace, bool *marked, uint64_t n) {
    walk w;
    begin(&w, trace, RCP_NO_EID);
    w.is_strong = true;
    w.marked = marked;
    if (n)
        (void)go(&w, (rcp_eid){n - 1});
    finish(&w);
}

static bool is_before(const rcp_trace *trace, rcp_eid earlier, rcp_eid later) {
    walk w;
    begin(&w, trace, earlier);
    w.is_strong = true;
    bool found = go(&w, later);
    finish(&w);
    return found;
}

/* A byte in common, in one life: no ALLOC or FREE between the two has it. Descriptors are not the language's. */
static bool do_conflict(const rcp_trace *trace, rcp_eid earlier, rcp_eid later) {
    const rcp_event *a = &trace->events.at[earlier.v], *b = &trace->events.at[later.v];
    if (!rcp_event_conflict(a, b) || rcp_slot_is_descriptor(a->addr))
        return false;
    rcp_ranges common;
    rcp_ranges_init(&common);
    uint64_t lo = a->addr > b->addr ? a->addr : b->addr, end_a = a->addr + rcp_event_extent(a),
             end_b = b->addr + rcp_event_extent(b), hi = end_a < end_b ? end_a : end_b;
    rcp_ranges_set(&common, lo, hi, 0);
    for (uint64_t i = earlier.v + 1; i < later.v; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (e->kind == RCP_ALLOC || e->kind == RCP_FREE)
            rcp_ranges_erase(&common, e->addr, e->addr + rcp_event_extent(e));
    }
    bool found = any(&common, lo, hi, 1);
    rcp_ranges_finish(&common);
    return found;
}

void rcp_language_check(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, rcp_language_verdict *verdict) {
    *verdict = (rcp_language_verdict){.conflict = do_conflict(trace, earlier, later)};
    verdict->is_ordered = rcp_language_orders(trace, earlier, later, NULL, 0);
    verdict->is_before = is_before(trace, earlier, later);
    verdict->accepted = verdict->conflict && !verdict->is_ordered && verdict->is_before;
    if (!verdict->conflict)
        snprintf(verdict->reason, sizeof verdict->reason, "the two events do not conflict");
    else if (verdict->is_ordered)
        snprintf(verdict->reason, sizeof verdict->reason, "the rules of the language order the two accesses");
    else if (!verdict->is_before)
        snprintf(verdict->reason, sizeof verdict->reason,
                 "happens-before does not order the two accesses either: that is for the other models to prove");
}
