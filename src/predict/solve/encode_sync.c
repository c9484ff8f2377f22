/* SPDX-License-Identifier: Apache-2.0 */
/* docs/semantics.md as clauses: threads, locks, semaphores, objects' lives. One clause per object and look: what one
 * object needs seldom has to do with another, but of one object the second violation often follows from the first. */
#include "predict/solve/encode.h"
#include "predict/facts/mutant.h"

#include <stdlib.h>

static const rcp_event *event_at(const rcp_encoding *x, uint32_t event) { return rcp_run_facts_event(x->facts, event); }
static int64_t rank(const rcp_encoding *x, uint32_t event) { return rcp_encoding_rank(x, event); }

static int by_rank(const void *a, const void *b, void *context) {
    int64_t x = rank(context, *(const uint32_t *)a), y = rank(context, *(const uint32_t *)b);
    return (x > y) - (x < y);
}

static void sort_events(rcp_encoding *x, uint32_t *at, size_t n) {
    if (n > 1)
        qsort_r(at, n, sizeof *at, by_rank, x);
}

/* The events that name an object and take part, in the order at hand: x->events. */
static void list_events(rcp_encoding *x, uint32_t object) {
    const rcp_lists *named = &x->facts->named;
    x->events.len = 0;
    for (size_t i = named->first[object] + rcp_lists_before(named, object, x->q->slice->start);
         i < named->first[object + 1] && named->at[i] < x->q->slice->end; i++)
        if (rcp_query_node(x->q, named->at[i]) < x->q->race)
            rcp_vec_push(&x->events, named->at[i]);
    sort_events(x, x->events.at, x->events.len);
}

/* L1, L2: two critical sections that overlap and must not. */
static bool exclude(rcp_encoding *x, const rcp_critical *one, const rcp_critical *other) {
    bool shared = RCP_MUTANT(SHARED_LOCKS_EXCLUDE_NOTHING) ? one->mode == RCP_SHARED || other->mode == RCP_SHARED
                                                           : one->mode == RCP_SHARED && other->mode == RCP_SHARED;
    if (one->tid == other->tid || shared || RCP_MUTANT(NO_LOCK_EXCLUSION))
        return true;
    int64_t race = rank(x, RCP_THE_RACE);
    if (rank(x, one->acquire) > race || rank(x, other->acquire) > race ||
        rank(x, one->release) < rank(x, other->acquire) || rank(x, other->release) < rank(x, one->acquire))
        return true;
    rcp_encoding_want(x, one->release, other->acquire);
    rcp_encoding_want(x, other->release, one->acquire);
    rcp_encoding_drop(x, one->acquire);
    rcp_encoding_drop(x, other->acquire);
    rcp_encoding_add(x);
    return false;
}

/* Executed sections by their acquires; each is compared with those that are open then. */
static bool look_at_overlaps(rcp_encoding *x, const uint32_t *at, size_t n) {
    RCP_VEC(uint32_t) open = {0}, executed = {0};
    bool fine = true;
    for (size_t i = 0; i < n; i++)
        if (rcp_encoding_executed(x, x->facts->sections.at[at[i]].acquire))
            rcp_vec_push(&executed, x->facts->sections.at[at[i]].acquire);
    sort_events(x, executed.at, executed.len);
    for (size_t i = 0; i < executed.len && fine; i++) {
        uint32_t section = rcp_map_get(&x->facts->section_at, executed.at[i]);
        const rcp_critical *s = &x->facts->sections.at[section];
        size_t kept = 0;
        for (size_t k = 0; k < open.len; k++) {
            const rcp_critical *other = &x->facts->sections.at[open.at[k]];
            if (rank(x, other->release) < rank(x, s->acquire))
                continue;
            open.at[kept++] = open.at[k];
            if (fine)
                fine = exclude(x, other, s);
        }
        open.len = kept;
        rcp_vec_push(&open, section);
    }
    rcp_vec_finish(&open);
    rcp_vec_finish(&executed);
    return fine;
}

/* L3, L4: does this section make the acquire `e` fail, if it is open then? */
static bool hinders(const rcp_encoding *x, const rcp_critical *s, const rcp_event *e) {
    if (e->mode == RCP_SHARED)
        return s->mode == RCP_EXCLUSIVE;
    bool recursive = x->facts->trace->defs.objects.at[s->lock].kind == RCP_RECURSIVE;
    return !recursive || s->tid != e->tid.v;
}

/* One that failed when it was recorded, and is to be had: nobody is in its way. */
static bool look_at_had(rcp_encoding *x, uint32_t had, const uint32_t *at, size_t n) {
    int64_t now = rank(x, had);
    for (size_t i = 0; i < n; i++) {
        const rcp_critical *s = &x->facts->sections.at[at[i]];
        if (!hinders(x, s, event_at(x, had)) || rank(x, s->acquire) > now || now > rank(x, s->release))
            continue;
        rcp_encoding_want(x, s->release, had);
        rcp_encoding_want(x, had, s->acquire);
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

static bool look_at_failed(rcp_encoding *x, uint32_t failed, const uint32_t *at, size_t n) {
    const rcp_event *e = event_at(x, failed);
    int64_t now = rank(x, failed);
    if (now > rank(x, RCP_THE_RACE) || RCP_MUTANT(NO_HOLDER_FOR_FAILED_ACQUIRE))
        return true;
    for (size_t i = 0; i < n; i++) {
        const rcp_critical *s = &x->facts->sections.at[at[i]];
        if (hinders(x, s, e) && rank(x, s->acquire) < now && now < rank(x, s->release))
            return true;
    }
    rcp_encoding_drop(x, failed);
    for (size_t i = 0; i < n; i++) {
        const rcp_critical *s = &x->facts->sections.at[at[i]];
        if (!hinders(x, s, e))
            continue;
        if (rank(x, s->acquire) > now)
            rcp_encoding_want(x, s->acquire, failed);
        else
            rcp_encoding_want(x, failed, s->release);
    }
    rcp_encoding_add(x);
    return false;
}

/* J3 for locks: nobody is between `from` and `to` when it is destroyed. */
static bool not_between(rcp_encoding *x, uint32_t from, uint32_t to, uint32_t destroy) {
    if (rank(x, from) > rank(x, destroy) || rank(x, to) < rank(x, destroy))
        return true;
    rcp_encoding_drop(x, destroy);
    rcp_encoding_want(x, destroy, from);
    rcp_encoding_want(x, to, destroy);
    rcp_encoding_add(x);
    return false;
}

/* WAITs with this lock whose WAKE has not come: also those that were begun before the slice. */
static bool look_at_waits_with(rcp_encoding *x, uint32_t lock, uint32_t destroy) {
    const rcp_lists *named = &x->facts->named;
    for (size_t i = named->first[lock]; i < named->first[lock + 1] && named->at[i] < destroy; i++) {
        uint32_t wait = named->at[i], wake;
        if (event_at(x, wait)->kind != RCP_WAIT || event_at(x, wait)->lock.v != lock)
            continue;
        wake = rcp_run_facts_next(x->facts, wait);
        if (!not_between(x, wait, wake, destroy))
            return false;
    }
    return true;
}

static bool look_at_lock(rcp_encoding *x, size_t index) {
    uint32_t lock = x->objects.at[index], destroy = x->facts->destroy[lock];
    const uint32_t *at = x->sections.len ? x->sections.at + x->first_section[index] : NULL;
    size_t n = x->first_section[index + 1] - x->first_section[index];
    if (!look_at_overlaps(x, at, n))
        return false;
    for (size_t i = 0; i < x->events.len; i++) {
        uint32_t event = x->events.at[i];
        if (event_at(x, event)->kind != RCP_ACQUIRE)
            continue;
        if (rcp_slice_fails(x->q->slice, event) ? !look_at_failed(x, event, at, n)
                                                : event == x->q->slice->turned && !look_at_had(x, event, at, n))
            return false;
    }
    if (destroy == RCP_NO_EVENT || !rcp_encoding_executed(x, destroy))
        return true;
    for (size_t i = 0; i < n; i++)
        if (!not_between(x, x->facts->sections.at[at[i]].acquire, x->facts->sections.at[at[i]].release, destroy))
            return false;
    return look_at_waits_with(x, lock, destroy);
}

/* S2, S3: the count at each wait. A wait that finds 0 needs one of the waits before it to come later, or a post sooner;
 * a failed one that finds more needs the contrary. */
static bool look_at_semaphore(rcp_encoding *x, uint32_t object) {
    const rcp_lists *named = &x->facts->named;
    uint64_t count = rcp_run_facts_balance(x->facts, object, rcp_lists_before(named, object, x->q->slice->start));
    for (size_t i = 0; i < x->events.len && rcp_encoding_executed(x, x->events.at[i]); i++) {
        uint32_t now = x->events.at[i];
        const rcp_event *e = event_at(x, now);
        bool failed = e->kind == RCP_SEM_WAIT && rcp_slice_fails(x->q->slice, now);
        if (e->kind == RCP_SEM_POST)
            count++;
        if (e->kind != RCP_SEM_WAIT || (failed ? !count : count) ||
            (failed ? RCP_MUTANT(NO_EMPTY_SEMAPHORE) : RCP_MUTANT(NO_SEMAPHORE_COUNT))) {
            count -= e->kind == RCP_SEM_WAIT && !failed;
            continue;
        }
        rcp_encoding_drop(x, now);
        for (size_t k = 0; k < x->events.len; k++) {
            const rcp_event *other = event_at(x, x->events.at[k]);
            bool waits = other->kind == RCP_SEM_WAIT && !rcp_slice_fails(x->q->slice, x->events.at[k]);
            bool posts = other->kind == RCP_SEM_POST;
            if (k != i && (k < i ? (failed ? posts : waits) : (failed ? waits : posts)))
                rcp_encoding_swap(x, x->events.at[k], now);
        }
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

/* J2: what names an object comes before its DESTROY, or not at all. */
static bool look_at_life(rcp_encoding *x, uint32_t object) {
    uint32_t destroy = x->facts->destroy[object];
    if (destroy == RCP_NO_EVENT || !rcp_encoding_executed(x, destroy) || RCP_MUTANT(NO_DESTROY))
        return true;
    for (size_t i = x->events.len; i-- > 0;) {
        uint32_t event = x->events.at[i];
        if (!rcp_encoding_executed(x, event))
            continue;
        if (event == destroy || rank(x, event) < rank(x, destroy))
            return true;
        rcp_encoding_want(x, event, destroy);
        rcp_encoding_drop(x, event);
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

/* T3 */
static bool look_at_failed_joins(rcp_encoding *x) {
    bool fine = true;
    for (uint32_t node = 0; node < x->q->race; node++) {
        const rcp_event *e = rcp_query_event(x->q, node);
        if (e->kind != RCP_JOIN || e->outcome != RCP_FAILED || RCP_MUTANT(NO_FAILED_JOIN))
            continue;
        uint64_t end = x->facts->observed.end[e->child.v];
        uint32_t join = x->q->event[node];
        if (end == UINT64_MAX || !rcp_encoding_executed(x, join) || rank(x, join) < rank(x, (uint32_t)end))
            continue;
        rcp_encoding_drop(x, join);
        rcp_encoding_want(x, join, (uint32_t)end);
        rcp_encoding_add(x);
        fine = false;
    }
    return fine;
}

bool rcp_encoding_look_at_objects(rcp_encoding *x) {
    bool fine = look_at_failed_joins(x);
    for (size_t i = 0; i < x->objects.len; i++) {
        uint32_t object = x->objects.at[i];
        list_events(x, object);
        bool good = look_at_life(x, object);
        switch (good ? x->facts->trace->defs.objects.at[object].kind : RCP_ONCE) {
        case RCP_MUTEX:
        case RCP_RECURSIVE:
        case RCP_SPIN:
        case RCP_RWLOCK: good = look_at_lock(x, i); break;
        case RCP_SEM: good = look_at_semaphore(x, object); break;
        case RCP_COND: good = rcp_encoding_look_at_condition(x, object); break;
        case RCP_BARRIER: good = rcp_encoding_look_at_barrier(x, object); break;
        default: break; /* a once's order is among the edges */
        }
        fine &= good;
    }
    return fine;
}
