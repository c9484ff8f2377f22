/* SPDX-License-Identifier: Apache-2.0 */
/* Random valid events of every kind, for what must carry them unchanged: the store and its codec. They are no feasible
 * execution; only each by itself is well-formed. Unused fields are zero. The caller owns the tables that events are
 * drawn from. */
#ifndef RECIPE_TESTS_RANDOM_EVENTS_H
#define RECIPE_TESTS_RANDOM_EVENTS_H

#include "base/hash.h"
#include "trace/model/trace.h"

#include <stdio.h>
#include <string.h>

typedef struct random_events {
    uint64_t seed;
    rcp_defs *defs;
    rcp_terms *terms;
    uint64_t addr;        /* of the last access: many are near it */
    uint8_t bytes[2][64]; /* of the last wide access */
} random_events;

static inline uint64_t random_next(random_events *r) {
    r->seed += UINT64_C(0x9e3779b97f4a7c15);
    return rcp_hash_u64(r->seed);
}
static inline uint64_t random_below(random_events *r, uint64_t n) { return random_next(r) % n; }
static inline bool random_once_in(random_events *r, uint64_t n) { return random_below(r, n) == 0; }
/* Small numbers, large ones, and those at the edges. */
static inline uint64_t random_word(random_events *r) {
    uint64_t x = random_next(r);
    switch (random_below(r, 4)) {
    case 0: return x & 3;
    case 1: return x >> random_below(r, 64);
    case 2: return UINT64_C(0) - (x & 1);
    default: return x;
    }
}

/* Adds to every table, so that events can begin to use what is new. */
static inline void random_define(random_events *r) {
    rcp_defs *d = r->defs;
    char name[32] = "";
    snprintf(name, sizeof name, "name-%zu", d->strings.len);
    rcp_str string = rcp_defs_string(d, name, strlen(name));
    for (int i = 0; i < 4; i++) {
        rcp_location location = {.file = string, .line = (uint32_t)random_next(r), .column = (uint32_t)i + 1};
        rcp_loc loc = rcp_defs_location(d, location);
        rcp_defs_stack(d, (rcp_frame){.loc = loc, .caller = {(uint32_t)random_below(r, d->stacks.len)}});
    }
    rcp_defs_thread(d, random_once_in(r, 2) ? name : NULL);
    for (int kind = 0; kind < RCP_OBJECT_KINDS; kind++)
        rcp_defs_object(d, (rcp_object_kind)kind, name, random_word(r), random_word(r));
    rcp_defs_variable(d, name, random_word(r), random_word(r));
    uint64_t lo = random_below(r, 1 << 20);
    uint64_t followed = RCP_REACH_FOLLOWED + 256 + random_below(r, 100);
    rcp_span spans[3] = {{lo, lo + 1 + random_below(r, 100)}, {lo + 200, RCP_REACH_FOLLOWED}, {followed, followed + 1}};
    rcp_reach reach;
    RCP_CHECK(rcp_defs_reach(d, spans, random_below(r, 4), &reach) == RCP_OK);
    rcp_defs_image(d, random_word(r), (const uint8_t *)name, random_below(r, sizeof name));
    rcp_defs_fact(d, name, "value");

    rcp_terms *t = r->terms;
    for (unsigned width = 8; width <= 64; width += 8) {
        rcp_term read = rcp_term_read(t, (rcp_eid){random_below(r, 1000)}, (uint32_t)random_below(r, 3), width);
        rcp_term sum = rcp_term_make(t, RCP_OP_ADD, width, read, rcp_term_const(t, width, random_next(r)), read);
        rcp_term less = rcp_term_make(t, RCP_OP_ULT, 1, read, sum, sum);
        rcp_term_make(t, RCP_OP_ITE, width, less, read, sum);
        if (width > 8)
            rcp_term_extract(t, sum, 3, 8);
    }
}

static inline rcp_term random_term(random_events *r, unsigned width) {
    uint64_t choice = random_below(r, 4);
    if (choice < 2)
        return (rcp_term){(uint32_t)choice};
    for (int tries = 0; tries < 20; tries++) {
        rcp_term term = {RCP_TERM_FIRST + (uint32_t)random_below(r, rcp_terms_count(r->terms))};
        if (!width || rcp_term_borrow(r->terms, term)->width == width)
            return term;
    }
    return RCP_TERM_ALL;
}

static inline rcp_obj random_object(random_events *r, uint32_t kinds) {
    for (;;) {
        uint32_t object = (uint32_t)random_below(r, r->defs->objects.len);
        if (kinds >> r->defs->objects.at[object].kind & 1)
            return (rcp_obj){object};
    }
}

static inline void random_access(random_events *r, rcp_event *e) {
    bool wide = random_once_in(r, 6);
    e->size = (uint32_t)(wide ? 9 + random_below(r, 50) : 1 + random_below(r, 8));
    e->valued = !random_once_in(r, 5);
    if (e->valued && wide) {
        for (int i = 0; i < 2; i++)
            for (uint32_t j = 0; j < e->size; j++)
                r->bytes[i][j] = (uint8_t)random_next(r);
        e->bytes = r->bytes[0];
        if (e->kind == RCP_RMW)
            e->written_bytes = r->bytes[1];
    } else if (e->valued) {
        uint64_t mask = e->size == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * e->size)) - 1;
        e->value = random_word(r) & mask;
        if (e->kind == RCP_RMW)
            e->written = random_word(r) & mask;
    }
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (uses & RCP_USES_VALUE_TERM)
        e->value_term = wide ? (rcp_term){(uint32_t)random_below(r, 2)} : random_term(r, 8 * e->size);
    if (uses & RCP_USES_COND)
        e->cond = random_term(r, 1);
}

/* Wide values are borrowed until the next event. */
static inline rcp_event random_event(random_events *r) {
    rcp_event e = {.kind =
                       (uint8_t)(random_once_in(r, 2) ? RCP_READ + random_below(r, 3) : random_below(r, RCP_KINDS))};
    const rcp_traits *traits = rcp_event_traits(e.kind);
    e.tid.v = (uint32_t)random_below(r, r->defs->threads.len);
    e.loc.v = (uint32_t)random_below(r, random_once_in(r, 2) ? 4 : r->defs->locations.len);
    e.stack.v = random_once_in(r, 2) ? 0 : (uint32_t)random_below(r, r->defs->stacks.len);
    do
        e.outcome = (uint8_t)random_below(r, RCP_OUTCOMES);
    while (!(traits->outcomes >> e.outcome & 1));
    if (traits->uses & RCP_USES_ORDER)
        e.mode = (uint8_t)(e.kind == RCP_RMW ? 1 + random_below(r, RCP_ORDERS - 1) : random_below(r, RCP_ORDERS));
    if (traits->uses & RCP_USES_ADDR) {
        r->addr = random_once_in(r, 3) ? random_word(r) : r->addr + random_below(r, 200) - 100;
        e.addr = r->addr;
        e.addr_term = random_term(r, 64);
    }
    if (traits->uses & RCP_USES_SIZE)
        random_access(r, &e);
    if (traits->uses & RCP_USES_EXTENT)
        e.value = random_once_in(r, 5) ? 0 : random_word(r);
    if (rcp_event_extent(&e) && e.addr > UINT64_MAX - rcp_event_extent(&e)) {
        if (traits->uses & RCP_USES_EXTENT)
            e.value = UINT64_MAX - e.addr;
        else
            e.addr = UINT64_MAX - e.size;
    }
    if (e.kind == RCP_BRANCH) {
        e.valued = random_once_in(r, 2);
        e.value = e.valued ? random_word(r) : 0;
        e.cond = random_term(r, 0);
    }
    if (traits->uses & RCP_USES_CHILD)
        e.child.v = (uint32_t)random_below(r, r->defs->threads.len);
    if (traits->uses & RCP_USES_OBJECT)
        e.object = random_object(r, traits->objects);
    if (traits->uses & RCP_USES_MODE && r->defs->objects.at[e.object.v].kind == RCP_RWLOCK)
        e.mode = (uint8_t)random_below(r, RCP_MODES);
    if (traits->uses & RCP_USES_LOCK)
        e.lock = random_object(r, 1u << RCP_MUTEX | 1u << RCP_RECURSIVE);
    if (traits->uses & RCP_USES_REACH) {
        e.callee.v = (uint32_t)random_below(r, r->defs->strings.len);
        e.reach.v = (uint32_t)random_below(r, r->defs->reaches.len);
    }
    RCP_CHECK(rcp_event_validate(r->defs, r->terms, &e) == RCP_OK);
    return e;
}

#endif
