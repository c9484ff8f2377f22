/* SPDX-License-Identifier: Apache-2.0 */
/* The events of an ordinary program on eight threads, made up: mostly data of the thread's own (its stack and heap
 * blocks, neighbouring fields of 4 and 8 bytes), shared data that is read and seldom written, critical sections over
 * shared records, branches on what was read, some atomics, blocks that are allocated and freed, and now and then a
 * race.
 *
 * The same state gives the same events. The caller finishes the mix. */
#ifndef RECIPE_BENCH_MIX_H
#define RECIPE_BENCH_MIX_H

#include "base/hash.h"
#include "base/vec.h"
#include "trace/model/trace.h"

enum { THREADS = 8, LOCKS = 64, OWN = 1 << 16, SHARED = 1 << 14, RECORD = 256 };

typedef struct mix {
    bool races;
    bool loner; /* thread 0 keeps to itself: nobody depends on it */
    rcp_defs defs;
    RCP_VEC(rcp_event) events;
    uint64_t state;
    rcp_loc locations[256];
    rcp_obj locks[LOCKS];
    rcp_obj rwlock;
} mix;

static uint64_t draw(mix *m, uint64_t below) {
    m->state = rcp_hash_u64(m->state + UINT64_C(0x9e3779b97f4a7c15));
    return (uint32_t)m->state * below >> 32;
}

static void put(mix *m, rcp_event e) {
    if (rcp_event_is_access(&e)) {
        e.valued = 1;
        e.loc = m->locations[draw(m, 256)];
    }
    rcp_vec_push(&m->events, e);
}

static void touch(mix *m, uint32_t tid, uint64_t addr, uint32_t size, bool write, rcp_order order) {
    put(m, (rcp_event){.kind = write ? RCP_WRITE : RCP_READ, .mode = order, .tid = {tid}, .addr = addr, .size = size});
    if (!write && !draw(m, 3)) /* every third read decides something */
        put(m, (rcp_event){.kind = RCP_BRANCH, .tid = {tid}, .cond = RCP_TERM_ALL});
}

/* A stretch of one thread's work on its own data: runs of neighbouring fields, as loops make them. */
static void own_work(mix *m, uint32_t tid) {
    uint64_t heap = UINT64_C(0x100000000) * (tid + 1);
    uint64_t at = heap + draw(m, draw(m, 4) ? OWN / 16 : OWN) * 64;
    uint32_t size = draw(m, 2) ? 8 : 4;
    for (uint64_t n = 8 + draw(m, 24), i = 0; i < n; i++)
        touch(m, tid, at + i * size, size, draw(m, 3) == 0, RCP_PLAIN);
}

static void critical_section(mix *m, uint32_t tid) {
    uint32_t lock = (uint32_t)draw(m, LOCKS);
    put(m, (rcp_event){.kind = RCP_ACQUIRE, .tid = {tid}, .object = m->locks[lock]});
    uint64_t record = UINT64_C(0x40000000) + lock * RECORD;
    for (uint64_t n = 4 + draw(m, 8), i = 0; i < n; i++)
        touch(m, tid, record + draw(m, RECORD / 8) * 8, 8, draw(m, 3) == 0, RCP_PLAIN);
    put(m, (rcp_event){.kind = RCP_RELEASE, .tid = {tid}, .object = m->locks[lock]});
}

static void read_shared(mix *m, uint32_t tid) {
    bool write = draw(m, 200) == 0;
    put(m, (rcp_event){
               .kind = RCP_ACQUIRE, .mode = write ? RCP_EXCLUSIVE : RCP_SHARED, .tid = {tid}, .object = m->rwlock});
    for (uint64_t n = 4 + draw(m, 12), i = 0; i < n; i++)
        touch(m, tid, UINT64_C(0x50000000) + draw(m, SHARED) * 8, 8, write, RCP_PLAIN);
    put(m, (rcp_event){
               .kind = RCP_RELEASE, .mode = write ? RCP_EXCLUSIVE : RCP_SHARED, .tid = {tid}, .object = m->rwlock});
}

static void atomics(mix *m, uint32_t tid) {
    uint64_t counter = UINT64_C(0x60000000) + draw(m, 16) * 64;
    if (draw(m, 2))
        put(m, (rcp_event){.kind = RCP_RMW, .mode = RCP_SEQ_CST, .tid = {tid}, .addr = counter, .size = 8});
    else
        touch(m, tid, counter, 8, false, RCP_ACQ);
}

static void heap_block(mix *m, uint32_t tid) {
    uint64_t block = UINT64_C(0x200000000) * (tid + 8) + draw(m, 1024) * 256;
    put(m, (rcp_event){.kind = RCP_ALLOC, .outcome = RCP_ZEROED, .tid = {tid}, .addr = block, .value = 256});
    for (uint64_t n = 4 + draw(m, 28), i = 0; i < n; i++)
        touch(m, tid, block + i * 8, 8, i < n / 2, RCP_PLAIN);
    put(m, (rcp_event){.kind = RCP_FREE, .tid = {tid}, .addr = block, .value = 256});
}

static void begin_mix(mix *m) {
    *m = (mix){.state = 1, .races = true};
    rcp_defs_init(&m->defs);
    for (uint32_t t = 0; t < THREADS; t++)
        rcp_defs_thread(&m->defs, NULL);
    for (size_t i = 0; i < LOCKS; i++)
        m->locks[i] = rcp_defs_object(&m->defs, RCP_MUTEX, NULL, 0, 0);
    m->rwlock = rcp_defs_object(&m->defs, RCP_RWLOCK, NULL, 0, 0);
    for (uint32_t i = 0; i < 256; i++)
        m->locations[i] = rcp_defs_location(&m->defs, (rcp_location){.line = i + 1});
}

/* Adds about `events` more. */
static void go_on(mix *m, size_t events) {
    for (size_t end = m->events.len + events; m->events.len < end;) {
        uint32_t tid = (uint32_t)draw(m, THREADS);
        uint64_t what = draw(m, 1000);
        if (what < 500 || (m->loner && !tid))
            own_work(m, tid);
        else if (what < 700)
            critical_section(m, tid);
        else if (what < 850)
            read_shared(m, tid);
        else if (what < 930)
            heap_block(m, tid);
        else if (what < 999)
            atomics(m, tid);
        else if (m->races)
            touch(m, tid, UINT64_C(0x70000000) + draw(m, 4) * 8, 8, true, RCP_PLAIN);
    }
}

static void finish_mix(mix *m) {
    rcp_vec_finish(&m->events);
    rcp_defs_finish(&m->defs);
}

#endif
