/* SPDX-License-Identifier: Apache-2.0 */
/* Who may go on. Locks have owners; a join waits for an end; a thread begins when it was created. All other objects
 * (conditions, semaphores, barriers, once) serve in the recorded order alone, so every outcome is the recorded one:
 * less than the program could do, never more. */
#include "program/explore_state.h"

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

bool rcp_explore_is_enabled(const rcp_exploring *x, const rcp_explore_lane *lane, const rcp_log_record *r,
                            uint32_t rank) {
    if (r->tag == RCP_LOG_THREAD)
        return !lane->thread || rcp_map_get(&x->created, lane->thread) != RCP_MAP_NONE;
    if (r->tag != RCP_LOG_SYNC)
        return true;
    if (r->object == RCP_SYNC_THREAD)
        return r->op != RCP_SYNC_JOIN || r->outcome != RCP_SYNC_DONE ||
               rcp_map_get(&x->ended, r->address) != RCP_MAP_NONE;
    if (is_lock(r->object)) {
        const rcp_explore_lock *lock = look_up(x, r->address);
        switch (r->op) {
        case RCP_SYNC_ACQUIRE:
        case RCP_SYNC_ACQUIRE_SHARED:
            return is_free(lock, lane->thread, r->op == RCP_SYNC_ACQUIRE_SHARED) == (r->outcome == RCP_SYNC_DONE);
        case RCP_SYNC_RELEASE: return lock && lock->owner == lane->thread + 1;
        case RCP_SYNC_RELEASE_SHARED: return lock && lock->shared;
        default: return true;
        }
    }
    uint32_t index = rcp_map_get(&x->done_index, rcp_explore_object_key(r));
    if ((index == RCP_MAP_NONE ? 0 : x->done.at[index]) != rank)
        return false;
    return r->op != RCP_SYNC_WAKE || is_free(look_up(x, r->second), lane->thread, false);
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

static void lock_done(rcp_exploring *x, const rcp_log_record *r) {
    rcp_explore_lock *lock = make_lock(x, r->address, r->object);
    switch (r->op) {
    case RCP_SYNC_ACQUIRE:
        if (r->outcome == RCP_SYNC_DONE)
            take(lock, r->thread);
        break;
    case RCP_SYNC_ACQUIRE_SHARED: lock->shared += r->outcome == RCP_SYNC_DONE; break;
    case RCP_SYNC_RELEASE: let_go(lock); break;
    case RCP_SYNC_RELEASE_SHARED: lock->shared -= lock->shared > 0; break;
    case RCP_SYNC_INIT:
    case RCP_SYNC_DESTROY: *lock = (rcp_explore_lock){.kind = r->object}; break;
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
    if (is_lock(r->object)) {
        lock_done(x, r);
        return;
    }
    uint32_t *index = rcp_map_at(&x->done_index, rcp_explore_object_key(r));
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)x->done.len;
        rcp_vec_push(&x->done, 0);
    }
    x->done.at[*index]++;
    if (r->op == RCP_SYNC_WAIT)
        let_go(make_lock(x, r->second, r->second_object));
    else if (r->op == RCP_SYNC_WAKE)
        take(make_lock(x, r->second, r->second_object), r->thread);
}
