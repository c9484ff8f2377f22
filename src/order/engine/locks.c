/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/locks.h"

#include "base/hash.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

void rcp_locks_init(rcp_locks *locks, rcp_clocks *clocks) {
    *locks = (rcp_locks){.clocks = clocks};
    rcp_map_init(&locks->by_hash);
    rcp_spill_init(&locks->spill);
    rcp_vec_push(&locks->sets, (rcp_lockset){0});
}

void rcp_locks_finish(rcp_locks *locks) {
    for (size_t l = 0; l < locks->at.len; l++) {
        for (size_t o = 0; o < locks->at.at[l].owners.len; o++)
            for (int mode = 0; mode < RCP_MODES; mode++) {
                rcp_vec_finish(&locks->at.at[l].owners.at[o].by[mode]);
                rcp_vec_finish(&locks->at.at[l].owners.at[o].old[mode]);
            }
        rcp_vec_finish(&locks->at.at[l].owners);
        rcp_map_finish(&locks->at.at[l].index);
    }
    rcp_vec_finish(&locks->at);
    for (size_t t = 0; t < locks->threads.len; t++)
        rcp_vec_finish(&locks->threads.at[t].at);
    rcp_vec_finish(&locks->threads);
    rcp_vec_finish(&locks->sets);
    rcp_vec_finish(&locks->members);
    rcp_vec_finish(&locks->scratch);
    rcp_vec_finish(&locks->fetched);
    rcp_spill_finish(&locks->spill);
    rcp_map_finish(&locks->by_hash);
}

size_t rcp_locks_bytes(const rcp_locks *locks) {
    return rcp_locks_in_memory(locks) * sizeof(rcp_section) + locks->sets.cap * sizeof *locks->sets.at;
}

static rcp_lock_state *state_of(rcp_locks *locks, uint32_t lock) {
    while (locks->at.len <= lock)
        rcp_vec_push(&locks->at, (rcp_lock_state){0});
    return &locks->at.at[lock];
}

#define FEW_OWNERS 8 /* of so many no index is made: most locks have few */

static rcp_sections *find_owner(const rcp_locks *locks, uint32_t lock, uint32_t tid) {
    if (lock >= locks->at.len)
        return NULL;
    const rcp_lock_state *state = &locks->at.at[lock];
    if (state->owners.len <= FEW_OWNERS) {
        for (size_t o = 0; o < state->owners.len; o++)
            if (state->owners.at[o].tid == tid)
                return &state->owners.at[o];
        return NULL;
    }
    uint32_t at = rcp_map_get(&state->index, tid);
    return at == RCP_MAP_NONE ? NULL : &state->owners.at[at];
}

static rcp_sections *add_owner(rcp_lock_state *state, uint32_t tid) {
    rcp_vec_push(&state->owners, (rcp_sections){.tid = tid});
    size_t n = state->owners.len;
    for (size_t o = n == FEW_OWNERS + 1 ? 0 : n - 1; n > FEW_OWNERS && o < n; o++)
        rcp_map_set(&state->index, state->owners.at[o].tid, (uint32_t)o);
    return &state->owners.at[n - 1];
}

static rcp_lock_holder *holder_of(rcp_locks *locks, uint32_t tid) {
    while (locks->threads.len <= tid)
        rcp_vec_push(&locks->threads, (rcp_lock_holder){0});
    return &locks->threads.at[tid];
}

static int by_number(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* The number of the set that stands in `scratch`, sorted. */
static uint32_t intern(rcp_locks *locks) {
    size_t n = locks->scratch.len;
    if (!n)
        return 0;
    uint64_t hash = n;
    bool excludes = false;
    for (size_t i = 0; i < n; i++) {
        hash = rcp_hash_join(hash, locks->scratch.at[i]);
        excludes |= locks->scratch.at[i] % 2 == RCP_EXCLUSIVE;
    }
    for (;; hash++) { /* two sets of one hash: the second takes the next free key */
        uint32_t *place = rcp_map_at(&locks->by_hash, hash);
        if (*place == RCP_MAP_NONE) {
            RCP_CHECK(locks->sets.len < 1u << 26); /* more sets of locks than a touch can name */
            *place = (uint32_t)locks->sets.len;
            rcp_vec_push(&locks->sets, ((rcp_lockset){(uint32_t)locks->members.len, (uint32_t)n, excludes}));
            memcpy(rcp_vec_extend(&locks->members, n), locks->scratch.at, n * sizeof(uint32_t));
            return *place;
        }
        const rcp_lockset *set = &locks->sets.at[*place];
        if (set->n == n && !memcmp(&locks->members.at[set->first], locks->scratch.at, n * sizeof(uint32_t)))
            return *place;
    }
}

static void name_set(rcp_locks *locks, rcp_lock_holder *holder) {
    locks->scratch.len = 0;
    for (size_t i = 0; i < holder->at.len; i++)
        rcp_vec_push(&locks->scratch, holder->at.at[i].lock * 2 + holder->at.at[i].mode);
    if (locks->scratch.len > 1)
        qsort(locks->scratch.at, locks->scratch.len, sizeof(uint32_t), by_number);
    holder->set = intern(locks);
}

static rcp_lock_hold *find_hold(const rcp_lock_holder *holder, uint32_t lock, rcp_mode mode) {
    for (size_t i = 0; i < holder->at.len; i++)
        if (holder->at.at[i].lock == lock && holder->at.at[i].mode == mode)
            return &holder->at.at[i];
    return NULL;
}

void rcp_locks_acquire(rcp_locks *locks, const rcp_runner *runner, uint32_t lock, rcp_mode mode) {
    rcp_lock_holder *holder = holder_of(locks, runner->tid);
    rcp_lock_hold *hold = find_hold(holder, lock, mode);
    if (hold) {
        hold->depth++;
        return;
    }
    rcp_vec_push(&holder->at, ((rcp_lock_hold){lock, 1, mode}));
    name_set(locks, holder);
    rcp_lock_state *state = state_of(locks, lock);
    rcp_sections *owner = find_owner(locks, lock, runner->tid);
    if (!owner) {
        owner = add_owner(state, runner->tid);
    }
    rcp_vec_push(&owner->by[mode], (rcp_section){.acquired = runner->count});
    owner->last[mode] = 0;
    locks->sections++;
    if (++locks->live > locks->peak)
        locks->peak = locks->live;
}

bool rcp_locks_ends(const rcp_locks *locks, uint32_t tid, uint32_t lock, rcp_mode mode) {
    const rcp_lock_hold *hold = tid < locks->threads.len ? find_hold(&locks->threads.at[tid], lock, mode) : NULL;
    return hold && hold->depth == 1;
}

void rcp_locks_release(rcp_locks *locks, const rcp_runner *runner, uint32_t lock, rcp_mode mode) {
    rcp_lock_holder *holder = holder_of(locks, runner->tid);
    rcp_lock_hold *hold = find_hold(holder, lock, mode);
    if (!hold || --hold->depth)
        return;
    *hold = holder->at.at[--holder->at.len];
    name_set(locks, holder);
    rcp_sections *owner = find_owner(locks, lock, runner->tid);
    rcp_section *section = &owner->by[mode].at[owner->by[mode].len - 1];
    section->released = owner->last[mode] = holder->released = runner->count;
    rcp_clock_put(locks->clocks, &section->clock, runner->clock);
}

/* The latest closed section whose acquire is among the first `known` events: looked for from the end, in growing
 * steps, because it is mostly near it. */
static const rcp_section *latest(const rcp_sections *owner, rcp_mode mode, uint32_t known) {
    const rcp_section *at = owner->by[mode].at;
    size_t high = owner->by[mode].len, low = 0, step = 1;
    if (high > low && !at[high - 1].released)
        high--;
    if (low >= high || at[low].acquired > known)
        return NULL;
    /* at[low] is known; find the first in (low, high) that is not */
    while (high - low > step && at[high - step].acquired > known) {
        high -= step;
        step *= 2;
    }
    if (high - low > step)
        low = high - step;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (at[middle].acquired <= known)
            low = middle;
        else
            high = middle;
    }
    return &at[low];
}

void rcp_locks_next(rcp_locks *locks) {
    for (size_t i = 0; i < locks->fetched.len; i++)
        rcp_clock_drop(locks->clocks, locks->fetched.at[i]);
    locks->fetched.len = 0;
}

/* As latest(), from disk. */
static rcp_stamp latest_old(rcp_locks *locks, const rcp_sections *owner, rcp_mode mode, uint32_t known) {
    rcp_spilled section;
    if (!rcp_spill_find(&locks->spill, &owner->old[mode], known, &section))
        return (rcp_stamp){0};
    rcp_clock clock = rcp_clock_make(locks->clocks, section.clock, section.width);
    rcp_vec_push(&locks->fetched, clock);
    return (rcp_stamp){clock, owner->tid, section.released};
}

static rcp_stamp latest_of(rcp_locks *locks, const rcp_sections *owner, rcp_mode mode, uint32_t known) {
    const rcp_section *section = latest(owner, mode, known);
    if (section)
        return (rcp_stamp){section->clock, owner->tid, section->released};
    return owner->old[mode].len ? latest_old(locks, owner, mode, known) : (rcp_stamp){0};
}

rcp_stamp rcp_locks_latest(rcp_locks *locks, uint32_t lock, uint32_t tid, rcp_mode mode, uint32_t known) {
    const rcp_sections *owner = find_owner(locks, lock, tid);
    return owner ? latest_of(locks, owner, mode, known) : (rcp_stamp){0};
}

rcp_stamp rcp_locks_news(rcp_locks *locks, uint32_t lock, uint32_t tid, rcp_mode mode, uint32_t known, uint32_t knows) {
    const rcp_sections *owner = find_owner(locks, lock, tid);
    if (!owner || !owner->by[mode].len || (owner->last[mode] && owner->last[mode] <= knows))
        return (rcp_stamp){0};
    return latest_of(locks, owner, mode, known);
}

void rcp_locks_pass(rcp_locks *locks, rcp_runner *runner, uint32_t lock, rcp_mode mode) {
    if (lock >= locks->at.len)
        return;
    rcp_runner *seen = rcp_runner_seen(runner);
    const rcp_lock_state *state = &locks->at.at[lock];
    bool news = state->owners.len > 1;
    while (news) {
        news = false;
        for (size_t o = 0; o < state->owners.len; o++) {
            const rcp_sections *owner = &state->owners.at[o];
            uint32_t known = owner->tid < seen->len ? seen->at[owner->tid] : 0;
            if (owner->tid == runner->tid || !known || rcp_locks_knows_all(locks, owner->tid, known))
                continue;
            for (rcp_mode other = RCP_EXCLUSIVE; other < RCP_MODES; other++) {
                if (other == RCP_SHARED && mode == RCP_SHARED)
                    continue;
                rcp_stamp release = latest_of(locks, owner, other, known);
                if (release.count > known) {
                    rcp_clock_take(locks->clocks, seen, release);
                    known = seen->at[owner->tid];
                    news = true;
                }
            }
        }
    }
}

bool rcp_locks_next_common(const rcp_locks *locks, uint32_t mine, uint32_t theirs, size_t *i, size_t *j, size_t *lock,
                           size_t *their_mode) {
    const rcp_lockset *a = &locks->sets.at[mine], *b = &locks->sets.at[theirs];
    const uint32_t *x = locks->members.at ? locks->members.at + a->first : NULL;
    const uint32_t *y = locks->members.at ? locks->members.at + b->first : NULL;
    while (*i < a->n && *j < b->n) {
        uint32_t one = x[*i], other = y[*j];
        if (one / 2 < other / 2) {
            ++*i;
        } else if (one / 2 > other / 2) {
            ++*j;
        } else {
            ++*i;
            ++*j;
            *lock = one / 2;
            *their_mode = other % 2;
            if (one % 2 == RCP_EXCLUSIVE || other % 2 == RCP_EXCLUSIVE)
                return true;
        }
    }
    return false;
}

bool rcp_locks_exclude(const rcp_locks *locks, uint32_t a, uint32_t b) {
    if (!a || !b)
        return false;
    if (a == b)
        return locks->sets.at[a].excludes;
    size_t i = 0, j = 0, lock, mode;
    return rcp_locks_next_common(locks, a, b, &i, &j, &lock, &mode);
}
