/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/holding.h"

#include "base/limits.h"
#include "base/hash.h"
#include "predict/facts/mutant.h"

#include <stdlib.h>
#include <string.h>

/* A lock in a mode: 2 * lock + (1: shared). */
typedef struct held {
    uint32_t key, depth, n;
    uint32_t since[RCP_MOST_HISTORY]; /* ascending */
} held;

typedef RCP_VEC(held) helds;

typedef struct thread {
    helds locks; /* by key */
    uint32_t situation;
} thread;

typedef RCP_VEC(uint32_t) words;

struct rcp_holding {
    const rcp_trace *trace;
    thread *threads;
    /* A situation is a stretch of `store`: how many words follow; then per lock its key, how many since, those. */
    words store;
    RCP_VEC(uint32_t) situations;
    rcp_map by_hash, met;
    words scratch;
};

static uint32_t intern(rcp_holding *h, const helds *locks) {
    h->scratch.len = 0;
    for (size_t i = 0; i < locks->len; i++) {
        rcp_vec_push(&h->scratch, locks->at[i].key);
        rcp_vec_push(&h->scratch, locks->at[i].n);
        for (uint32_t k = 0; k < locks->at[i].n; k++)
            rcp_vec_push(&h->scratch, locks->at[i].since[k]);
    }
    size_t n = h->scratch.len;
    for (uint64_t hash = rcp_hash_bytes(h->scratch.at, n * sizeof(uint32_t));; hash++) {
        uint32_t *place = rcp_map_at(&h->by_hash, hash);
        if (*place == RCP_MAP_NONE) {
            *place = (uint32_t)h->situations.len;
            rcp_vec_push(&h->situations, (uint32_t)h->store.len);
            rcp_vec_push(&h->store, (uint32_t)n);
            if (n)
                memcpy(rcp_vec_extend(&h->store, n), h->scratch.at, n * sizeof(uint32_t));
            return *place;
        }
        const uint32_t *there = &h->store.at[h->situations.at[*place]];
        if (*there == n && (!n || !memcmp(there + 1, h->scratch.at, n * sizeof(uint32_t))))
            return *place;
    }
}

rcp_holding *rcp_holding_create(const rcp_trace *trace) {
    rcp_holding *h = rcp_alloc_zero(1, sizeof *h);
    h->trace = trace;
    h->threads = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *h->threads);
    rcp_map_init(&h->by_hash);
    rcp_map_init(&h->met);
    intern(h, &(helds){0});
    return h;
}

void rcp_holding_destroy(rcp_holding *h) {
    for (size_t i = 0; i < h->trace->defs.threads.len; i++)
        rcp_vec_finish(&h->threads[i].locks);
    rcp_release(h->threads);
    rcp_vec_finish(&h->store);
    rcp_vec_finish(&h->situations);
    rcp_vec_finish(&h->scratch);
    rcp_map_finish(&h->by_hash);
    rcp_map_finish(&h->met);
    rcp_release(h);
}

static void remember(held *lock, uint32_t key) {
    uint32_t i = 0;
    while (i < lock->n && lock->since[i] < key)
        i++;
    if (lock->n >= rcp_limit(RCP_LIMIT_LOCK_HISTORY) || (i < lock->n && lock->since[i] == key))
        return;
    memmove(&lock->since[i + 1], &lock->since[i], (lock->n - i) * sizeof *lock->since);
    lock->since[i] = key;
    lock->n++;
}

static void take(thread *t, uint32_t key) {
    for (size_t i = 0; i < t->locks.len; i++)
        if (t->locks.at[i].key == key) {
            t->locks.at[i].depth++;
            return;
        }
    for (size_t i = 0; i < t->locks.len; i++)
        remember(&t->locks.at[i], key);
    size_t i = t->locks.len;
    (void)rcp_vec_extend(&t->locks, 1);
    for (; i && t->locks.at[i - 1].key > key; i--)
        t->locks.at[i] = t->locks.at[i - 1];
    t->locks.at[i] = (held){.key = key, .depth = 1};
}

static void give(thread *t, uint32_t key) {
    for (size_t i = 0; i < t->locks.len; i++)
        if (t->locks.at[i].key == key && !--t->locks.at[i].depth) {
            memmove(&t->locks.at[i], &t->locks.at[i + 1], (t->locks.len - i - 1) * sizeof *t->locks.at);
            t->locks.len--;
            return;
        }
}

uint32_t rcp_holding_add(rcp_holding *h, const rcp_event *e) {
    thread *t = &h->threads[e->tid.v];
    uint32_t before = t->situation;
    switch ((rcp_kind)e->kind) {
    case RCP_ACQUIRE:
        if (e->outcome != RCP_DONE)
            return before;
        take(t, 2 * e->object.v + (e->mode == RCP_SHARED));
        break;
    case RCP_RELEASE: give(t, 2 * e->object.v + (e->mode == RCP_SHARED)); break;
    case RCP_WAKE: take(t, 2 * e->lock.v); break;
    case RCP_WAIT: give(t, 2 * e->lock.v); break;
    default: return before;
    }
    t->situation = intern(h, &t->locks);
    return before;
}

/* Can both not have it at once? */
static bool clash(uint32_t a, uint32_t b) {
    return a / 2 == b / 2 && (!(a % 2 && b % 2) || RCP_MUTANT(NO_MODES_IN_LOCKSETS));
}

/* Is there, among what was acquired since, something that clashes with `key`? */
static bool acquired(const uint32_t *since, uint32_t n, uint32_t key) {
    for (uint32_t i = 0; i < n; i++)
        if (clash(since[i], key))
            return true;
    return false;
}

bool rcp_holding_same_locks(const rcp_holding *h, uint32_t one, uint32_t other) {
    const uint32_t *a = &h->store.at[h->situations.at[one]], *b = &h->store.at[h->situations.at[other]];
    uint32_t i = 1, k = 1;
    for (; i < 1 + *a && k < 1 + *b && a[i] == b[k]; i += 2 + a[i + 1], k += 2 + b[k + 1])
        continue;
    return i == 1 + *a && k == 1 + *b;
}

static rcp_encounter compare(const rcp_holding *h, uint32_t one, uint32_t other) {
    const uint32_t *a = &h->store.at[h->situations.at[one]], *b = &h->store.at[h->situations.at[other]];
    bool crossed = false;
    for (uint32_t i = 1; i < 1 + *a; i += 2 + a[i + 1])
        for (uint32_t k = 1; k < 1 + *b; k += 2 + b[k + 1]) {
            if (clash(a[i], b[k]))
                return RCP_COMMON_LOCK;
            crossed |= acquired(&a[i + 2], a[i + 1], b[k]) && acquired(&b[k + 2], b[k + 1], a[i]);
        }
    return crossed ? RCP_CROSSED_HISTORY : RCP_CAN_MEET;
}

rcp_encounter rcp_holding_meet(rcp_holding *h, uint32_t one, uint32_t other) {
    if (!one || !other)
        return RCP_CAN_MEET;
    uint32_t *known = rcp_map_at(&h->met, (uint64_t)one << 32 | other);
    if (*known == RCP_MAP_NONE)
        *known = compare(h, one, other);
    return (rcp_encounter)*known;
}
