/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/sync.h"

#include <string.h>

/* Signals. The rule (C2) says that a SIGNAL wakes any one sleeper, and a schedule is feasible if some choice serves
 * every WAKE. Nothing is chosen at the SIGNAL here; it is kept, and a WAKE takes the earliest kept one after its WAIT.
 *
 * That this is exact: call a WAKE needy if no BROADCAST came since its WAIT. A feasible choice gives each needy WAKE a
 * SIGNAL of its own between its WAIT and itself. Conversely, such a matching makes a feasible choice: go through the
 * SIGNALs in order; a matched one wakes its partner; an unmatched one that finds a sleeper must wake one: if that one
 * was matched to a later SIGNAL, it is served earlier and the later one is free, which repeats the argument there; if
 * it was to be woken by a BROADCAST or never, nobody misses it. A matching of points to intervals is found by going
 * through the intervals by their right ends (the WAKEs, in the order in which they come) and taking the earliest free
 * point that fits: every interval still to come ends later, so of two points that fit now the later one fits whatever
 * the earlier one does.
 *
 * How many SIGNALs to keep: a thread that goes to sleep later can't use an earlier SIGNAL, so with n asleep no more
 * than n are ever needed, and by the same exchange the last n are the best. A thread whose WAKE turns out to be a
 * timeout counts as not having slept: it only made us keep one more than needed.
 *
 * DESTROY wants nobody asleep (J3): whoever is still between WAIT and WAKE is a needy one whose interval ends there.
 * Where wake-ups may be spurious, a WAKE takes no SIGNAL, which leaves the most for a DESTROY. */

enum { NAMED = 1, INITIALISED = 2, DESTROYED = 4, EXPECTS_INIT = 8, SET_UP = 16 };
enum { NOT_BEGUN, BEGUN, ENDED };
enum { TAKEN_NONE = 1 << 30 };

typedef struct state {
    uint8_t flags;
    uint8_t once;
    uint32_t owner; /* a lock's exclusive holder; who began a once */
    uint64_t depth; /* of the exclusive holder; 0: nobody */
    uint64_t
        count; /* rwlock: shared holds; cond: sleepers; sem: its count; barrier: members of the current generation */
    uint32_t index; /* cond: into conds; barrier: the current generation; mutex: how many wait with it */
} state;

typedef struct cond {
    uint64_t broadcast;        /* when the last one was */
    RCP_VEC(uint64_t) signals; /* when the kept ones were: at[head .. len), ascending */
    size_t head;
} cond;

typedef struct generation {
    uint64_t left; /* members that have left */
    bool complete, serial;
} generation;

typedef struct sleeper {
    bool asleep, alone;
    rcp_obj cond, lock;
    uint64_t since;
} sleeper;

struct rcp_sync {
    const rcp_defs *defs;
    bool spurious;
    uint64_t now; /* counts WAITs, SIGNALs and BROADCASTs */
    RCP_VEC(state) states;
    RCP_VEC(sleeper) sleeps;
    RCP_VEC(cond) conds;
    RCP_VEC(generation) generations;
    RCP_VEC(uint32_t) spare; /* generations that all members have left */
    rcp_map shared;          /* (rwlock, thread) -> its shared holds */
    rcp_map taken;           /* (semaphore, thread) -> TAKEN_NONE + its SEM_WAITs (done) - its SEM_POSTs */
    rcp_map inside;          /* (barrier, thread) -> the generation it entered and has not left */
};

rcp_sync *rcp_sync_create(const rcp_defs *defs, bool spurious) {
    rcp_sync *sync = rcp_alloc_zero(1, sizeof *sync);
    sync->defs = defs;
    sync->spurious = spurious;
    rcp_map_init(&sync->shared);
    rcp_map_init(&sync->taken);
    rcp_map_init(&sync->inside);
    return sync;
}

void rcp_sync_destroy(rcp_sync *sync) {
    if (!sync)
        return;
    for (size_t i = 0; i < sync->conds.len; i++)
        rcp_vec_finish(&sync->conds.at[i].signals);
    rcp_vec_finish(&sync->states);
    rcp_vec_finish(&sync->sleeps);
    rcp_vec_finish(&sync->conds);
    rcp_vec_finish(&sync->generations);
    rcp_vec_finish(&sync->spare);
    rcp_map_finish(&sync->shared);
    rcp_map_finish(&sync->taken);
    rcp_map_finish(&sync->inside);
    rcp_release(sync);
}

rcp_sync *rcp_sync_copy(const rcp_sync *from) {
    rcp_sync *sync = rcp_alloc(sizeof *sync);
    *sync = *from;
    rcp_vec_copy(&sync->states, &from->states);
    rcp_vec_copy(&sync->sleeps, &from->sleeps);
    rcp_vec_copy(&sync->conds, &from->conds);
    for (size_t i = 0; i < from->conds.len; i++)
        rcp_vec_copy(&sync->conds.at[i].signals, &from->conds.at[i].signals);
    rcp_vec_copy(&sync->generations, &from->generations);
    rcp_vec_copy(&sync->spare, &from->spare);
    rcp_map_copy(&sync->shared, &from->shared);
    rcp_map_copy(&sync->taken, &from->taken);
    rcp_map_copy(&sync->inside, &from->inside);
    return sync;
}

static uint32_t begin_generation(rcp_sync *sync) {
    uint32_t index;
    if (sync->spare.len) {
        index = sync->spare.at[--sync->spare.len];
    } else {
        index = (uint32_t)sync->generations.len;
        (void)rcp_vec_extend(&sync->generations, 1);
    }
    sync->generations.at[index] = (generation){0};
    return index;
}

/* Definitions may have been added since the last call. */
static state *state_of(rcp_sync *sync, rcp_obj object) {
    if (object.v >= sync->states.len) {
        size_t more = sync->defs->objects.len - sync->states.len;
        memset(rcp_vec_extend(&sync->states, more), 0, more * sizeof(state));
    }
    state *s = &sync->states.at[object.v];
    if (!(s->flags & SET_UP)) {
        const rcp_object *definition = &sync->defs->objects.at[object.v];
        s->flags |= SET_UP;
        if (definition->kind == RCP_SEM)
            s->count = definition->initial;
        if (definition->kind == RCP_COND) {
            s->index = (uint32_t)sync->conds.len;
            rcp_vec_push(&sync->conds, (cond){0});
        }
        if (definition->kind == RCP_BARRIER)
            s->index = begin_generation(sync);
    }
    return s;
}

static sleeper *sleep_of(rcp_sync *sync, rcp_tid tid) {
    if (tid.v >= sync->sleeps.len) {
        size_t more = sync->defs->threads.len - sync->sleeps.len;
        memset(rcp_vec_extend(&sync->sleeps, more), 0, more * sizeof(sleeper));
    }
    return &sync->sleeps.at[tid.v];
}

void rcp_sync_expect_init(rcp_sync *sync, rcp_obj object) { state_of(sync, object)->flags |= EXPECTS_INIT; }

bool rcp_sync_sleeps(const rcp_sync *sync, rcp_tid tid) {
    return tid.v < sync->sleeps.len && sync->sleeps.at[tid.v].asleep;
}

static uint64_t pair(rcp_obj object, rcp_tid tid) { return (uint64_t)object.v << 32 | tid.v; }

#define THREAD(tid)    rcp_label_thread(sync->defs, tid).at
#define OBJECT(object) rcp_label_object(sync->defs, object).at

/* J1 and J2, for an event that names the object. */
static bool may_name(rcp_sync *sync, rcp_obj object, bool is_init, char *why) {
    state *s = state_of(sync, object);
    if (s->flags & DESTROYED)
        return rcp_refuse(why, "%s was destroyed before", OBJECT(object));
    if (!is_init)
        return s->flags & EXPECTS_INIT && !(s->flags & INITIALISED)
                   ? rcp_refuse(why, "%s is not initialised yet", OBJECT(object))
                   : true;
    if (s->flags & INITIALISED)
        return rcp_refuse(why, "%s is initialised already", OBJECT(object));
    if (s->flags & NAMED)
        return rcp_refuse(why, "%s was used before this init of it", OBJECT(object));
    return true;
}

/* L1 */
static bool may_hold(rcp_sync *sync, rcp_obj object, rcp_tid tid, char *why) {
    state *s = state_of(sync, object);
    if (s->depth && (s->owner != tid.v || sync->defs->objects.at[object.v].kind != RCP_RECURSIVE))
        return rcp_refuse(why, "%s wants %s, which %s holds", THREAD(tid), OBJECT(object), THREAD((rcp_tid){s->owner}));
    if (s->count)
        return rcp_refuse(why, "%s wants %s, which is held in shared mode (%llu times)", THREAD(tid), OBJECT(object),
                          (unsigned long long)s->count);
    return true;
}

static void hold(rcp_sync *sync, rcp_obj object, rcp_tid tid) {
    state *s = state_of(sync, object);
    s->owner = tid.v;
    s->depth++;
}

static bool acquire(rcp_sync *sync, const rcp_event *e, char *why) {
    state *s = state_of(sync, e->object);
    if (e->outcome == RCP_FAILED) {
        bool recursive = sync->defs->objects.at[e->object.v].kind == RCP_RECURSIVE;
        bool busy =
            e->mode == RCP_SHARED ? s->depth > 0 : (s->depth && !(recursive && s->owner == e->tid.v)) || s->count;
        return busy ? true
                    : rcp_refuse(why, "%s fails to take %s%s, but nobody %sholds it%s", THREAD(e->tid),
                                 OBJECT(e->object), e->mode == RCP_SHARED ? " in shared mode" : "",
                                 recursive ? "else " : "", e->mode == RCP_SHARED ? " exclusively" : "");
    }
    if (e->mode == RCP_EXCLUSIVE) {
        if (!may_hold(sync, e->object, e->tid, why))
            return false;
        hold(sync, e->object, e->tid);
        return true;
    }
    if (s->depth)
        return rcp_refuse(why, "%s wants %s in shared mode, and %s holds it exclusively", THREAD(e->tid),
                          OBJECT(e->object), THREAD((rcp_tid){s->owner}));
    s->count++;
    uint32_t *mine = rcp_map_at(&sync->shared, pair(e->object, e->tid));
    *mine = *mine == RCP_MAP_NONE ? 1 : *mine + 1;
    return true;
}

bool rcp_sync_excludes(rcp_sync *sync, const rcp_event *e, rcp_tid tid) {
    const state *s = state_of(sync, e->object);
    if (e->kind == RCP_SEM_WAIT) {
        uint32_t taken = rcp_map_get(&sync->taken, pair(e->object, tid));
        return !s->count && taken != RCP_MAP_NONE && taken > TAKEN_NONE;
    }
    if (s->depth && s->owner == tid.v)
        return true;
    return e->mode == RCP_EXCLUSIVE && rcp_map_get(&sync->shared, pair(e->object, tid)) != RCP_MAP_NONE;
}

static bool holds(rcp_sync *sync, rcp_obj object, rcp_tid tid, const char *what, char *why) {
    state *s = state_of(sync, object);
    if (!s->depth)
        return rcp_refuse(why, "%s %s %s, which nobody holds exclusively", THREAD(tid), what, OBJECT(object));
    if (s->owner != tid.v)
        return rcp_refuse(why, "%s %s %s, which %s holds", THREAD(tid), what, OBJECT(object),
                          THREAD((rcp_tid){s->owner}));
    return true;
}

static bool release(rcp_sync *sync, const rcp_event *e, char *why) {
    state *s = state_of(sync, e->object);
    if (e->mode == RCP_EXCLUSIVE) {
        if (!holds(sync, e->object, e->tid, "releases", why))
            return false;
        s->depth--;
        return true;
    }
    uint64_t key = pair(e->object, e->tid);
    uint32_t mine = rcp_map_get(&sync->shared, key);
    if (mine == RCP_MAP_NONE)
        return rcp_refuse(why, "%s releases %s in shared mode without holding it so", THREAD(e->tid),
                          OBJECT(e->object));
    if (mine == 1)
        rcp_map_remove(&sync->shared, key);
    else
        rcp_map_set(&sync->shared, key, mine - 1);
    s->count--;
    return true;
}

static cond *cond_of(rcp_sync *sync, rcp_obj object) { return &sync->conds.at[state_of(sync, object)->index]; }

/* Keeps no more SIGNALs than there are sleepers, the last ones. */
static void trim(cond *c, uint64_t sleepers) {
    if (c->signals.len - c->head > sleepers)
        c->head = c->signals.len - (size_t)sleepers;
    if (c->head > 16 && c->head * 2 > c->signals.len) {
        c->signals.len -= c->head;
        memmove(c->signals.at, c->signals.at + c->head, c->signals.len * sizeof *c->signals.at);
        c->head = 0;
    }
}

/* The earliest kept SIGNAL after `since`; len where there is none. */
static size_t find_signal(const cond *c, uint64_t since) {
    size_t lo = c->head, hi = c->signals.len;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (c->signals.at[middle] > since)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static void take_signal(cond *c, size_t i) {
    memmove(c->signals.at + c->head + 1, c->signals.at + c->head, (i - c->head) * sizeof *c->signals.at);
    c->head++;
}

static bool wait(rcp_sync *sync, const rcp_event *e, bool alone, char *why) {
    if (!holds(sync, e->lock, e->tid, "waits with", why))
        return false;
    state_of(sync, e->lock)->depth--;
    state_of(sync, e->lock)->index++;
    if (!alone)
        state_of(sync, e->object)->count++;
    *sleep_of(sync, e->tid) = (sleeper){true, alone, e->object, e->lock, ++sync->now};
    return true;
}

static bool wake(rcp_sync *sync, const rcp_event *e, char *why) {
    sleeper *sl = sleep_of(sync, e->tid);
    if (!sl->asleep)
        return rcp_refuse(why, "%s wakes without a wait before", THREAD(e->tid));
    if (sl->cond.v != e->object.v || sl->lock.v != e->lock.v)
        return rcp_refuse(why, "%s wakes on %s with %s, but it waits on %s with %s", THREAD(e->tid), OBJECT(e->object),
                          OBJECT(e->lock), OBJECT(sl->cond), OBJECT(sl->lock));
    cond *c = cond_of(sync, e->object);
    size_t signal = c->signals.len;
    bool needs = e->outcome == RCP_DONE && !sync->spurious && c->broadcast < sl->since;
    if (needs) {
        signal = find_signal(c, sl->since);
        if (signal == c->signals.len)
            return rcp_refuse(why,
                              "%s was not woken: %s has had no broadcast since its wait, and no signal that is not "
                              "needed by another",
                              THREAD(e->tid), OBJECT(e->object));
    }
    if (!may_hold(sync, e->lock, e->tid, why))
        return false;
    if (needs)
        take_signal(c, signal);
    if (!sl->alone)
        trim(c, --state_of(sync, e->object)->count);
    hold(sync, e->lock, e->tid);
    state_of(sync, e->lock)->index--;
    *sl = (sleeper){0};
    return true;
}

static bool wake_others(rcp_sync *sync, const rcp_event *e) {
    state *s = state_of(sync, e->object);
    cond *c = cond_of(sync, e->object);
    sync->now++;
    if (e->kind == RCP_BROADCAST) {
        c->broadcast = sync->now;
        c->signals.len = c->head = 0;
    } else if (s->count) { /* otherwise it is lost */
        rcp_vec_push(&c->signals, sync->now);
        trim(c, s->count);
    }
    return true;
}

/* J3 for a condition: can everybody who sleeps on it have been woken? All these intervals end now, so a matching exists
 * if the last k to fall asleep have k SIGNALs after the first of them, for each k. */
static bool all_woken(rcp_sync *sync, rcp_obj object, char *why) {
    const cond *c = cond_of(sync, object);
    if (!state_of(sync, object)->count)
        return true;
    RCP_VEC(uint32_t) needy = {0};
    for (uint32_t t = 0; t < sync->sleeps.len; t++) {
        const sleeper *sl = &sync->sleeps.at[t];
        if (sl->asleep && !sl->alone && sl->cond.v == object.v && c->broadcast < sl->since)
            rcp_vec_push(&needy, t);
    }
    bool woken = true;
    for (size_t i = 0; i < needy.len && woken; i++) {
        uint64_t since = sync->sleeps.at[needy.at[i]].since;
        size_t later = 0;
        for (size_t k = 0; k < needy.len; k++)
            later += sync->sleeps.at[needy.at[k]].since >= since;
        if (c->signals.len - find_signal(c, since) < later)
            woken = rcp_refuse(why, "%s is destroyed while %s sleeps on it", OBJECT(object),
                               THREAD((rcp_tid){needy.at[i]}));
    }
    rcp_vec_finish(&needy);
    return woken;
}

static bool destroy(rcp_sync *sync, const rcp_event *e, char *why) {
    state *s = state_of(sync, e->object);
    switch (sync->defs->objects.at[e->object.v].kind) {
    case RCP_MUTEX:
    case RCP_RECURSIVE:
    case RCP_SPIN:
    case RCP_RWLOCK:
        if (s->depth)
            return rcp_refuse(why, "%s is destroyed while %s holds it", OBJECT(e->object), THREAD((rcp_tid){s->owner}));
        if (s->count)
            return rcp_refuse(why, "%s is destroyed while it is held in shared mode", OBJECT(e->object));
        if (s->index)
            return rcp_refuse(why, "%s is destroyed while a wait with it has not ended", OBJECT(e->object));
        break;
    case RCP_BARRIER:
        if (s->count)
            return rcp_refuse(why, "%s is destroyed while a thread waits in it for others", OBJECT(e->object));
        break;
    case RCP_COND:
        if (!all_woken(sync, e->object, why))
            return false;
        break;
    default: break;
    }
    s->flags |= DESTROYED;
    return true;
}

/* `more`: by a SEM_WAIT (done), else by a SEM_POST. */
static void count_taken(rcp_sync *sync, const rcp_event *e, bool more) {
    uint32_t *taken = rcp_map_at(&sync->taken, pair(e->object, e->tid));
    *taken = (*taken == RCP_MAP_NONE ? (uint32_t)TAKEN_NONE : *taken) + (more ? 1u : UINT32_MAX);
}

static bool sem_wait(rcp_sync *sync, const rcp_event *e, char *why) {
    state *s = state_of(sync, e->object);
    if (e->outcome == RCP_FAILED)
        return !s->count ? true
                         : rcp_refuse(why, "%s fails to take %s, but its count is %llu", THREAD(e->tid),
                                      OBJECT(e->object), (unsigned long long)s->count);
    if (!s->count)
        return rcp_refuse(why, "%s takes %s, whose count is 0", THREAD(e->tid), OBJECT(e->object));
    s->count--;
    count_taken(sync, e, true);
    return true;
}

static bool enter(rcp_sync *sync, const rcp_event *e, char *why) {
    state *s = state_of(sync, e->object);
    uint32_t *mine = rcp_map_at(&sync->inside, pair(e->object, e->tid));
    if (*mine != RCP_MAP_NONE)
        return rcp_refuse(why, "%s enters %s, which it has not left", THREAD(e->tid), OBJECT(e->object));
    *mine = s->index;
    if (++s->count != sync->defs->objects.at[e->object.v].initial)
        return true;
    sync->generations.at[s->index].complete = true;
    s->count = 0;
    s->index = begin_generation(sync);
    return true;
}

static bool leave(rcp_sync *sync, const rcp_event *e, char *why) {
    uint64_t members = sync->defs->objects.at[e->object.v].initial, key = pair(e->object, e->tid);
    uint32_t mine = rcp_map_get(&sync->inside, key);
    if (mine == RCP_MAP_NONE)
        return rcp_refuse(why, "%s leaves %s without having entered it", THREAD(e->tid), OBJECT(e->object));
    generation *g = &sync->generations.at[mine];
    if (!g->complete)
        return rcp_refuse(why, "%s leaves %s, which only %llu of %llu threads have entered", THREAD(e->tid),
                          OBJECT(e->object), (unsigned long long)state_of(sync, e->object)->count,
                          (unsigned long long)members);
    bool serial = e->outcome == RCP_SERIAL;
    if (serial && g->serial)
        return rcp_refuse(why, "%s leaves %s as the serial thread, but another one of its generation has",
                          THREAD(e->tid), OBJECT(e->object));
    if (!serial && !g->serial && g->left + 1 == members)
        return rcp_refuse(why, "%s is the last to leave %s, and none of its generation was the serial thread",
                          THREAD(e->tid), OBJECT(e->object));
    g->serial |= serial;
    rcp_map_remove(&sync->inside, key);
    if (++g->left == members)
        rcp_vec_push(&sync->spare, mine);
    return true;
}

static bool once(rcp_sync *sync, const rcp_event *e, char *why) {
    state *s = state_of(sync, e->object);
    if (e->kind == RCP_ONCE_BEGIN) {
        if (s->once != NOT_BEGUN)
            return rcp_refuse(why, "%s begins %s, which %s has begun before", THREAD(e->tid), OBJECT(e->object),
                              THREAD((rcp_tid){s->owner}));
        s->once = BEGUN;
        s->owner = e->tid.v;
        return true;
    }
    if (e->kind == RCP_ONCE_SKIP)
        return s->once == ENDED
                   ? true
                   : rcp_refuse(why, "%s skips %s, whose routine has not ended", THREAD(e->tid), OBJECT(e->object));
    if (s->once != BEGUN || s->owner != e->tid.v)
        return rcp_refuse(why, "%s ends %s, which it is not running", THREAD(e->tid), OBJECT(e->object));
    s->once = ENDED;
    return true;
}

static bool apply(rcp_sync *sync, const rcp_event *e, bool alone, char *why) {
    switch ((rcp_kind)e->kind) {
    case RCP_ACQUIRE: return acquire(sync, e, why);
    case RCP_RELEASE: return release(sync, e, why);
    case RCP_WAIT: return wait(sync, e, alone, why);
    case RCP_WAKE: return wake(sync, e, why);
    case RCP_SIGNAL:
    case RCP_BROADCAST: return wake_others(sync, e);
    case RCP_SEM_POST:
        state_of(sync, e->object)->count++;
        count_taken(sync, e, false);
        return true;
    case RCP_SEM_WAIT: return sem_wait(sync, e, why);
    case RCP_BARRIER_ENTER: return enter(sync, e, why);
    case RCP_BARRIER_LEAVE: return leave(sync, e, why);
    case RCP_ONCE_BEGIN:
    case RCP_ONCE_END:
    case RCP_ONCE_SKIP: return once(sync, e, why);
    case RCP_INIT: state_of(sync, e->object)->flags |= INITIALISED; return true;
    case RCP_DESTROY: return destroy(sync, e, why);
    default: return true;
    }
}

bool rcp_sync_may_name(rcp_sync *sync, const rcp_event *e, char why[RCP_REASON_ROOM]) {
    return may_name(sync, e->object, false, why);
}

bool rcp_sync_step(rcp_sync *sync, const rcp_event *e, bool alone, char why[RCP_REASON_ROOM]) {
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (e->kind != RCP_WAKE && rcp_sync_sleeps(sync, e->tid))
        return rcp_refuse(why, "%s sleeps on %s: only its wake can come next", THREAD(e->tid),
                          OBJECT(sync->sleeps.at[e->tid.v].cond));
    if (!(uses & RCP_USES_OBJECT))
        return true;
    if (!may_name(sync, e->object, e->kind == RCP_INIT, why) ||
        (uses & RCP_USES_LOCK && !may_name(sync, e->lock, false, why)))
        return false;
    if (!apply(sync, e, alone, why))
        return false;
    state_of(sync, e->object)->flags |= NAMED;
    if (uses & RCP_USES_LOCK)
        state_of(sync, e->lock)->flags |= NAMED;
    return true;
}
