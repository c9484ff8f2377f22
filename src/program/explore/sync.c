/* SPDX-License-Identifier: Apache-2.0 */
/* Who may go on. Locks have owners, semaphores counts, conditions sleepers; a join waits for an end; a thread begins
 * when it was created. All other objects (barriers, once, semaphores that were counted elsewhere) serve in the recorded
 * order alone, so every outcome is the recorded one: less than the program could do, never more. */
#include "program/explore/state.h"

static bool is_lock(uint8_t kind) {
    return kind == RCP_SYNC_MUTEX || kind == RCP_SYNC_RECURSIVE || kind == RCP_SYNC_SPIN || kind == RCP_SYNC_RWLOCK;
}

uint64_t rcp_explore_object_key(const rcp_log_record *r) { return r->address << 4 | r->object; }

rcp_explore_lock *rcp_explore_lock_of(rcp_exploring *x, uint64_t address) {
    uint32_t index = rcp_map_get(&x->lock_index, address);
    return index == RCP_MAP_NONE ? NULL : &x->locks.at[index];
}

static const rcp_explore_lock *look_up(const rcp_exploring *x, uint64_t address) {
    uint32_t index = rcp_map_get(&x->lock_index, address);
    return index == RCP_MAP_NONE ? NULL : &x->locks.at[index];
}

static bool is_free(const rcp_explore_lock *lock, uint32_t thread, bool shared) {
    if (!lock || (!lock->owner && (!lock->shared || shared)))
        return true;
    return lock->kind == RCP_SYNC_RECURSIVE && lock->owner == thread + 1;
}

/* The earliest signal since `since` that is left; signals.len: none. */
static size_t find_signal(const rcp_explore_lock *cond, uint64_t since) {
    size_t i = 0;
    while (i < cond->signals.len && cond->signals.at[i] <= since)
        i++;
    return i;
}

static bool may_wake(const rcp_exploring *x, const rcp_explore_lane *lane, const rcp_log_record *r) {
    const rcp_explore_lock *cond = look_up(x, r->address);
    bool is_called =
        cond && (cond->broadcast > lane->asleep_since || find_signal(cond, lane->asleep_since) < cond->signals.len);
    return (is_called || r->outcome != RCP_SYNC_DONE) && is_free(look_up(x, r->second), lane->thread, false);
}

bool rcp_explore_is_divided(const rcp_exploring *x, uint64_t object) {
    const rcp_ranges *divided = &x->explorer->divided;
    return divided->live && rcp_ranges_get(divided, object) != RCP_RANGES_NONE;
}

/* Has the object no other rule than that it serves in the recorded order? */
static bool is_in_line(const rcp_exploring *x, const rcp_log_record *r) {
    if (r->object != RCP_SYNC_THREAD && rcp_explore_is_divided(x, r->address))
        return true;
    if (r->object == RCP_SYNC_THREAD || r->object == RCP_SYNC_COND || is_lock(r->object))
        return false;
    const rcp_explore_lock *semaphore = r->object == RCP_SYNC_SEM ? look_up(x, r->address) : NULL;
    return !semaphore || !semaphore->is_counted;
}

bool rcp_explore_waits_in_line(const rcp_exploring *x, const rcp_log_record *r, uint32_t rank) {
    bool begins = r->op == RCP_SYNC_INIT && r->object == RCP_SYNC_SEM; /* it is counted from here on */
    if (r->tag != RCP_LOG_SYNC || !is_in_line(x, r) || begins)
        return false;
    uint32_t index = rcp_map_get(&x->done_index, rcp_explore_object_key(r));
    return (index == RCP_MAP_NONE ? 0 : x->done.at[index]) != rank;
}

bool rcp_explore_is_dead(const rcp_exploring *x, const rcp_log_record *r) {
    const rcp_explore_lock *object =
        r->tag == RCP_LOG_SYNC && r->object != RCP_SYNC_THREAD ? look_up(x, r->address) : NULL;
    return object && object->is_dead && r->op != RCP_SYNC_INIT;
}

bool rcp_explore_is_enabled(const rcp_exploring *x, const rcp_explore_lane *lane, const rcp_log_record *r,
                            uint32_t rank) {
    if (r->tag == RCP_LOG_THREAD)
        return !lane->thread || rcp_map_get(&x->created, lane->thread) != RCP_MAP_NONE;
    if (r->tag != RCP_LOG_SYNC)
        return true;
    if (rcp_explore_waits_in_line(x, r, rank))
        return false;
    if (r->object != RCP_SYNC_THREAD && rcp_explore_is_divided(x, r->address))
        return true;
    const rcp_explore_lock *lock = look_up(x, r->address);
    switch (r->op) {
    case RCP_SYNC_JOIN: return r->outcome != RCP_SYNC_DONE || rcp_map_get(&x->ended, r->address) != RCP_MAP_NONE;
    case RCP_SYNC_ACQUIRE:
    case RCP_SYNC_ACQUIRE_SHARED:
        return is_free(lock, lane->thread, r->op == RCP_SYNC_ACQUIRE_SHARED) == (r->outcome == RCP_SYNC_DONE);
    case RCP_SYNC_SPARED: return lock && (lock->owner || lock->shared);
    case RCP_SYNC_RELEASE: return lock && lock->owner == lane->thread + 1;
    case RCP_SYNC_RELEASE_SHARED: return lock && lock->shared;
    case RCP_SYNC_SEM_WAIT: return is_in_line(x, r) || (lock && lock->shared != 0) == (r->outcome == RCP_SYNC_DONE);
    case RCP_SYNC_SEM_GET: return is_in_line(x, r) || (lock && lock->shared == r->value);
    case RCP_SYNC_WAKE: return may_wake(x, lane, r);
    default: return true;
    }
}

static rcp_explore_lock *make_lock(rcp_exploring *x, uint64_t address, uint8_t kind) {
    uint32_t *index = rcp_map_at(&x->lock_index, address);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)x->locks.len;
        rcp_vec_push(&x->locks, (rcp_explore_lock){0});
    }
    x->locks.at[*index].kind = kind;
    return &x->locks.at[*index];
}

static void take(rcp_explore_lock *lock, uint32_t thread) {
    lock->owner = thread + 1;
    lock->depth++;
}

static void let_go(rcp_explore_lock *lock) {
    if (lock->depth && !--lock->depth)
        lock->owner = 0;
}

static void begin_life(rcp_explore_lock *lock, const rcp_log_record *r) {
    rcp_vec_finish(&lock->signals);
    *lock = (rcp_explore_lock){.kind = r->object,
                               .is_dead = r->op == RCP_SYNC_DESTROY,
                               .is_counted =
                                   r->op == RCP_SYNC_INIT && r->object == RCP_SYNC_SEM && r->value < RCP_SYNC_SEM_HIGH,
                               .shared = r->op == RCP_SYNC_INIT && r->object == RCP_SYNC_SEM ? r->value : 0};
}

static void wake_up(rcp_exploring *x, const rcp_log_record *r) {
    rcp_explore_lock *cond = make_lock(x, r->address, r->object);
    uint64_t since = rcp_explore_lane_of(x, r->thread)->asleep_since;
    size_t i = find_signal(cond, since);
    if (r->outcome == RCP_SYNC_DONE && cond->broadcast <= since && i < cond->signals.len) {
        for (; i + 1 < cond->signals.len; i++)
            cond->signals.at[i] = cond->signals.at[i + 1];
        cond->signals.len--;
    }
    take(make_lock(x, r->second, r->second_object), r->thread);
}

static void object_done(rcp_exploring *x, const rcp_log_record *r) {
    rcp_explore_lock *object = make_lock(x, r->address, r->object);
    bool is_done = r->outcome == RCP_SYNC_DONE;
    switch (r->op) {
    case RCP_SYNC_ACQUIRE:
        if (is_done)
            take(object, r->thread);
        break;
    case RCP_SYNC_ACQUIRE_SHARED: object->shared += is_done; break;
    case RCP_SYNC_RELEASE: let_go(object); break;
    case RCP_SYNC_RELEASE_SHARED: object->shared -= object->shared > 0; break;
    case RCP_SYNC_SEM_POST: object->shared++; break;
    case RCP_SYNC_SEM_WAIT: object->shared -= is_done && object->shared; break;
    case RCP_SYNC_SIGNAL: rcp_vec_push(&object->signals, ++x->clock); break;
    case RCP_SYNC_BROADCAST: object->broadcast = ++x->clock; break;
    case RCP_SYNC_WAIT:
        rcp_explore_lane_of(x, r->thread)->asleep_since = ++x->clock;
        let_go(make_lock(x, r->second, r->second_object));
        break;
    case RCP_SYNC_WAKE: wake_up(x, r); break;
    case RCP_SYNC_INIT:
    case RCP_SYNC_DESTROY: begin_life(object, r); break;
    default: break;
    }
}

void rcp_explore_sync_done(rcp_exploring *x, const rcp_log_record *r) {
    if (r->tag == RCP_LOG_THREAD_END)
        rcp_map_set(&x->ended, r->thread, 1);
    if (r->tag != RCP_LOG_SYNC)
        return;
    if (r->object == RCP_SYNC_THREAD) {
        if (r->op == RCP_SYNC_CREATE)
            rcp_map_set(&x->created, r->address, 1);
        return;
    }
    uint32_t *index = rcp_map_at(&x->done_index, rcp_explore_object_key(r));
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)x->done.len;
        rcp_vec_push(&x->done, 0);
    }
    x->done.at[*index]++;
    object_done(x, r);
}
