/* SPDX-License-Identifier: Apache-2.0 */
/* docs/semantics.md: threads, locks, condition variables, semaphores, barriers, once, objects' lives. */
#include "prop/world_rules.h"

/* The last executed event of the thread. */
static unsigned last_of(const rcp_world *world, const rcp_world_state *state, size_t tid) {
    rcp_event_set done = world->of_thread[tid] & state->executed;
    return done ? 63 - (unsigned)__builtin_clzll(done) : RCP_WORLD_NOBODY;
}

/* T1 */
static bool is_forked(const rcp_world *world, const rcp_world_state *state, size_t tid) {
    bool forked = false, fork_executed = false;
    for (size_t i = 0; i < world->n; i++)
        if (rcp_world_event_at(world, i)->kind == RCP_FORK && rcp_world_event_at(world, i)->child.v == tid) {
            forked = true;
            fork_executed |= rcp_world_executed(state, i);
        }
    return !forked || fork_executed;
}

static bool start_and_exit(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    if (!world->events[e].before && !is_forked(world, state, rcp_world_event_at(world, e)->tid.v)) /* T1 */
        return false;
    RCP_WORLD_EACH_EXECUTED(world, state, i) /* T4 */
        if (rcp_world_event_at(world, i)->kind == RCP_EXIT)
            return false;
    return true;
}

/* T5 */
static bool asleep_or_awake(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    unsigned last = last_of(world, state, event->tid.v);
    bool sleeps = last != RCP_WORLD_NOBODY && rcp_world_event_at(world, last)->kind == RCP_WAIT;
    if (sleeps != (event->kind == RCP_WAKE))
        return false;
    return !sleeps || (rcp_world_event_at(world, last)->object.v == event->object.v &&
                       rcp_world_event_at(world, last)->lock.v == event->lock.v);
}

bool rcp_world_comes_next(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    return start_and_exit(world, state, e) && asleep_or_awake(world, state, e);
}

bool rcp_world_threads(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if (!rcp_world_comes_next(world, state, e))
        return false;
    if (event->kind == RCP_JOIN && !is_forked(world, state, event->child.v)) /* T1 */
        return false;
    if (event->kind == RCP_JOIN && event->outcome == RCP_DONE) /* T2 */
        return !(world->of_thread[event->child.v] & ~state->executed);
    if (event->kind == RCP_JOIN) { /* T3 */
        RCP_WORLD_EACH_EXECUTED(world, state, i)
            if (rcp_world_event_at(world, i)->kind == RCP_END && rcp_world_event_at(world, i)->tid.v == event->child.v)
                return false;
    }
    return true;
}

/* How often `tid` holds the lock in this mode. */
static int holds(const rcp_world *world, const rcp_world_state *state, size_t tid, uint32_t lock, rcp_mode mode) {
    int times = 0;
    RCP_WORLD_EACH_EXECUTED(world, state, i) {
        const rcp_event *e = rcp_world_event_at(world, i);
        if (e->tid.v != tid)
            continue;
        if (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE && e->object.v == lock && e->mode == mode)
            times++;
        if (e->kind == RCP_RELEASE && e->object.v == lock && e->mode == mode)
            times--;
        if (e->kind == RCP_WAKE && e->lock.v == lock && mode == RCP_EXCLUSIVE)
            times++;
        if (e->kind == RCP_WAIT && e->lock.v == lock && mode == RCP_EXCLUSIVE)
            times--;
    }
    return times;
}

typedef struct holders {
    bool own_exclusive, own_shared, other_exclusive, other_shared;
} holders;

static holders who_holds(const rcp_world *world, const rcp_world_state *state, size_t tid, uint32_t lock) {
    holders h = {0};
    for (size_t t = 0; t < world->n_threads; t++) {
        bool exclusive = holds(world, state, t, lock, RCP_EXCLUSIVE) > 0;
        bool shared = holds(world, state, t, lock, RCP_SHARED) > 0;
        *(t == tid ? &h.own_exclusive : &h.other_exclusive) |= exclusive;
        *(t == tid ? &h.own_shared : &h.other_shared) |= shared;
    }
    return h;
}

static bool locks(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    bool wakes = event->kind == RCP_WAKE; /* C4, C5: takes the lock as in L1 */
    uint32_t lock = event->kind == RCP_WAIT || wakes ? event->lock.v : event->object.v;
    holders h = who_holds(world, state, event->tid.v, lock);
    bool anybody = h.own_exclusive || h.own_shared || h.other_exclusive || h.other_shared;
    bool recursive = world->trace->defs.objects.at[lock].kind == RCP_RECURSIVE;
    switch (event->kind) {
    case RCP_WAKE:
    case RCP_ACQUIRE:
        if (!wakes && event->mode == RCP_SHARED) {
            bool exclusive = h.own_exclusive || h.other_exclusive;
            return event->outcome == RCP_FAILED ? exclusive : !exclusive; /* L4, L2 */
        }
        if (!wakes && event->outcome == RCP_FAILED) /* L3 */
            return recursive ? h.other_exclusive || h.other_shared : anybody;
        return !anybody || (recursive && h.own_exclusive);                               /* L1 */
    case RCP_RELEASE: return event->mode == RCP_SHARED ? h.own_shared : h.own_exclusive; /* L5 */
    case RCP_WAIT: return h.own_exclusive;                                               /* C1 */
    case RCP_DESTROY:                                                                    /* J3 */
        for (size_t t = 0; t < world->n_threads; t++) {
            unsigned last = last_of(world, state, t);
            if (last != RCP_WORLD_NOBODY && rcp_world_event_at(world, last)->kind == RCP_WAIT &&
                rcp_world_event_at(world, last)->lock.v == lock)
                return false;
        }
        return !anybody;
    default: return true;
    }
}

rcp_event_set rcp_world_sleepers(const rcp_world *world, const rcp_world_state *state, uint32_t cond) {
    rcp_event_set set = 0;
    for (size_t t = 0; t < world->n_threads; t++) {
        unsigned last = last_of(world, state, t), next = rcp_world_next(world, state, t);
        if (last == RCP_WORLD_NOBODY || rcp_world_event_at(world, last)->kind != RCP_WAIT ||
            rcp_world_event_at(world, last)->object.v != cond)
            continue;
        if (state->woken >> last & 1)
            continue;
        if (next != RCP_WORLD_NOBODY && rcp_world_event_at(world, next)->kind == RCP_WAKE &&
            rcp_world_event_at(world, next)->outcome != RCP_DONE) /* C5 */
            continue;
        set |= UINT64_C(1) << last;
    }
    return set;
}

static bool conditions(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if (event->kind == RCP_WAKE && event->outcome == RCP_DONE && !world->options.spurious_wakeups) /* C4, C6 */
        return state->woken >> last_of(world, state, event->tid.v) & 1;
    if (event->kind == RCP_DESTROY) /* J3 */
        return !rcp_world_sleepers(world, state, event->object.v);
    return true;
}

static bool semaphores(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if (event->kind != RCP_SEM_WAIT)
        return true;
    uint64_t count = world->trace->defs.objects.at[event->object.v].initial;
    RCP_WORLD_EACH_EXECUTED(world, state, i) {
        if (rcp_world_event_at(world, i)->kind == RCP_SEM_POST &&
            rcp_world_event_at(world, i)->object.v == event->object.v)
            count++;
        if (rcp_world_event_at(world, i)->kind == RCP_SEM_WAIT &&
            rcp_world_event_at(world, i)->object.v == event->object.v &&
            rcp_world_event_at(world, i)->outcome == RCP_DONE)
            count--;
    }
    return event->outcome == RCP_FAILED ? count == 0 : count > 0; /* S3, S2 */
}

/* The LEAVE of the thread that goes with this ENTER: RCP_WORLD_NOBODY while it is inside. */
static unsigned leave_of(const rcp_world *world, const rcp_world_state *state, unsigned enter) {
    for (unsigned i = enter + 1; i < world->n; i++)
        if (rcp_world_executed(state, i) && rcp_world_event_at(world, i)->kind == RCP_BARRIER_LEAVE &&
            rcp_world_event_at(world, i)->tid.v == rcp_world_event_at(world, enter)->tid.v &&
            rcp_world_event_at(world, i)->object.v == rcp_world_event_at(world, enter)->object.v)
            return i;
    return RCP_WORLD_NOBODY;
}

static bool is_enter(const rcp_world *world, const rcp_world_state *state, size_t i, uint32_t barrier) {
    return rcp_world_executed(state, i) && rcp_world_event_at(world, i)->kind == RCP_BARRIER_ENTER &&
           rcp_world_event_at(world, i)->object.v == barrier;
}

void rcp_world_join_generation(const rcp_world *world, rcp_world_state *state, unsigned e) {
    uint64_t members = world->trace->defs.objects.at[rcp_world_event_at(world, e)->object.v].initial;
    uint8_t *generations = rcp_world_generations(world, state);
    size_t earlier = 0;
    for (size_t i = 0; i < world->n; i++)
        earlier += i != e && is_enter(world, state, i, rcp_world_event_at(world, e)->object.v);
    generations[world->events[e].entry] = (uint8_t)(members ? earlier / members : 0);
}

static bool barriers(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    uint64_t needed = world->trace->defs.objects.at[event->object.v].initial, entered = 0;
    for (unsigned i = 0; i < world->n; i++)
        entered += is_enter(world, state, i, event->object.v);
    if (event->kind == RCP_DESTROY) /* J3 */
        return needed ? entered % needed == 0 : !entered;
    if (event->kind != RCP_BARRIER_ENTER && event->kind != RCP_BARRIER_LEAVE)
        return true;
    const uint8_t *generations = rcp_world_generations(world, (rcp_world_state *)state);
    unsigned own = RCP_WORLD_NOBODY; /* the ENTER by which the thread is inside */
    for (unsigned i = 0; i < world->n; i++)
        if (is_enter(world, state, i, event->object.v) && rcp_world_event_at(world, i)->tid.v == event->tid.v &&
            leave_of(world, state, i) == RCP_WORLD_NOBODY)
            own = i;
    if (event->kind == RCP_BARRIER_ENTER)
        return own == RCP_WORLD_NOBODY; /* B1 */
    if (own == RCP_WORLD_NOBODY)
        return false;
    uint64_t members = 0, left = 1, serial = event->outcome == RCP_SERIAL;
    for (unsigned i = 0; i < world->n; i++) {
        if (!is_enter(world, state, i, event->object.v) ||
            generations[world->events[i].entry] != generations[world->events[own].entry])
            continue;
        members++;
        unsigned leave = leave_of(world, state, i);
        if (leave != RCP_WORLD_NOBODY) {
            left++;
            serial += rcp_world_event_at(world, leave)->outcome == RCP_SERIAL;
        }
    }
    return members == needed /* B2 */ && serial <= 1 && (left < members || serial == 1) /* B3 */;
}

static bool once(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    bool begun = false, by_us = false, ended = false;
    RCP_WORLD_EACH_EXECUTED(world, state, i) {
        if (!(rcp_event_traits(rcp_world_event_at(world, i)->kind)->uses & RCP_USES_OBJECT) ||
            rcp_world_event_at(world, i)->object.v != event->object.v)
            continue;
        if (rcp_world_event_at(world, i)->kind == RCP_ONCE_BEGIN) {
            begun = true;
            by_us = rcp_world_event_at(world, i)->tid.v == event->tid.v;
        }
        ended |= rcp_world_event_at(world, i)->kind == RCP_ONCE_END;
    }
    switch (event->kind) {
    case RCP_ONCE_BEGIN: return !begun;                 /* O1 */
    case RCP_ONCE_END: return begun && by_us && !ended; /* O2 */
    case RCP_ONCE_SKIP: return ended;                   /* O3 */
    default: return true;
    }
}

static bool names(const rcp_event *e, uint32_t object) {
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    return (uses & RCP_USES_OBJECT && e->object.v == object) || (uses & RCP_USES_LOCK && e->lock.v == object);
}

static bool lives(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    for (uint32_t object = 0; object < world->trace->defs.objects.len; object++) {
        if (!names(rcp_world_event_at(world, e), object))
            continue;
        bool has_init = false, initialised = false, destroyed = false;
        for (size_t i = 0; i < world->n; i++) {
            const rcp_event *other = rcp_world_event_at(world, i);
            if (other->kind == RCP_INIT && other->object.v == object) {
                has_init = true;
                initialised |= rcp_world_executed(state, i);
            }
            if (other->kind == RCP_DESTROY && other->object.v == object)
                destroyed |= rcp_world_executed(state, i);
        }
        if (rcp_world_event_at(world, e)->kind == RCP_INIT ? initialised : has_init && !initialised) /* J1 */
            return false;
        if (destroyed) /* J2 */
            return false;
    }
    return true;
}

bool rcp_world_synchronisation(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if (!(rcp_event_traits(event->kind)->uses & RCP_USES_OBJECT))
        return true;
    switch (world->trace->defs.objects.at[event->object.v].kind) {
    case RCP_COND:
        if (!conditions(world, state, e))
            return false;
        if ((event->kind == RCP_WAIT || event->kind == RCP_WAKE) && !locks(world, state, e))
            return false;
        break;
    case RCP_SEM:
        if (!semaphores(world, state, e))
            return false;
        break;
    case RCP_BARRIER:
        if (!barriers(world, state, e))
            return false;
        break;
    case RCP_ONCE:
        if (!once(world, state, e))
            return false;
        break;
    default:
        if (!locks(world, state, e))
            return false;
    }
    return lives(world, state, e);
}

bool rcp_world_waits_for(const rcp_world *world, const rcp_world_state *state, unsigned e, size_t tid) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if ((event->kind != RCP_ACQUIRE && event->kind != RCP_SEM_WAIT) || event->outcome != RCP_DONE ||
        !lives(world, state, e))
        return false;
    if (event->kind == RCP_SEM_WAIT) {
        int taken = 0;
        RCP_WORLD_EACH_EXECUTED(world, state, i) {
            const rcp_event *other = rcp_world_event_at(world, i);
            if (other->tid.v != tid || other->object.v != event->object.v)
                continue;
            taken += other->kind == RCP_SEM_WAIT && other->outcome == RCP_DONE;
            taken -= other->kind == RCP_SEM_POST;
        }
        return taken > 0 && !semaphores(world, state, e);
    }
    return holds(world, state, tid, event->object.v, RCP_EXCLUSIVE) > 0 ||
           (event->mode == RCP_EXCLUSIVE && holds(world, state, tid, event->object.v, RCP_SHARED) > 0);
}
