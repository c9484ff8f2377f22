/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/redundant.h"

enum { FEW = 64 }; /* granules that are forgotten one by one */

void rcp_redundant_init(rcp_redundant *r, bool writes_count) {
    *r = (rcp_redundant){.writes_count = writes_count, .era = 1};
    r->places = rcp_alloc_zero(RCP_REDUNDANT_PLACES, sizeof *r->places);
}

void rcp_redundant_finish(rcp_redundant *r) {
    rcp_release(r->places);
    rcp_vec_finish(&r->threads);
    rcp_vec_finish(&r->late);
    *r = (rcp_redundant){0};
}

static rcp_redundant_place *place_of(const rcp_redundant *r, uint64_t granule) {
    return &r->places[(granule ^ granule >> 11) % RCP_REDUNDANT_PLACES];
}

static rcp_redundant_thread *thread_of(rcp_redundant *r, uint32_t tid) {
    while (r->threads.len <= tid)
        rcp_vec_push(&r->threads, (rcp_redundant_thread){0});
    return &r->threads.at[tid];
}

/* What was redundant of one kind of access is told. */
static void tell(rcp_redundant *r, rcp_redundant_place *place, int kind) {
    if (!place->last[kind])
        return;
    rcp_vec_push(&r->late, ((rcp_redundant_late){.granule = place->granule,
                                                 .tid = place->tid,
                                                 .analysed = place->analysed[kind],
                                                 .last = place->last[kind],
                                                 .loc = place->loc[kind],
                                                 .mask = place->mask[kind],
                                                 .writes = kind}));
    place->last[kind] = 0;
}

/* Somebody touched [addr, addr + extent) in another way. */
static void forget(rcp_redundant *r, uint64_t addr, uint64_t extent) {
    if (!extent)
        return;
    uint64_t first = addr / 8, last = (addr + extent - 1) / 8;
    if (last - first >= FEW) {
        r->era++;
        for (size_t i = 0; i < RCP_REDUNDANT_PLACES; i++) {
            tell(r, &r->places[i], 0);
            tell(r, &r->places[i], 1);
        }
        return;
    }
    for (uint64_t g = first; g <= last; g++)
        if (place_of(r, g)->granule == g) {
            place_of(r, g)->era = 0;
            tell(r, place_of(r, g), 0);
            tell(r, place_of(r, g), 1);
        }
}

static bool access_is(rcp_redundant *r, rcp_redundant_thread *thread, const rcp_event *e, uint32_t count) {
    unsigned offset = e->addr % 8;
    int kind = e->kind == RCP_WRITE;
    if (e->mode != RCP_PLAIN || e->size > 8 - offset) {
        forget(r, e->addr, e->size);
        thread->epoch += e->mode != RCP_PLAIN || (kind && r->writes_count);
        return false;
    }
    rcp_redundant_place *place = place_of(r, e->addr / 8);
    uint8_t mask = (uint8_t)(((1u << e->size) - 1) << offset);
    if (place->granule != e->addr / 8 || place->tid != e->tid.v || place->era != r->era ||
        place->epoch != thread->epoch) {
        tell(r, place, 0);
        tell(r, place, 1);
        *place = (rcp_redundant_place){.granule = e->addr / 8, .tid = e->tid.v, .epoch = thread->epoch, .era = r->era};
    }
    if (kind && r->writes_count) {
        thread->epoch++; /* also forgets this place */
        return false;
    }
    if (place->mask[kind] == mask && place->loc[kind] == e->loc.v) {
        place->last[kind] = count;
        return true;
    }
    tell(r, place, kind);
    place->analysed[kind] = count;
    place->mask[kind] = mask;
    place->loc[kind] = e->loc.v;
    r->last = place;
    return false;
}

bool rcp_redundant_is(rcp_redundant *r, const rcp_event *e, uint32_t count) {
    rcp_redundant_thread *thread = thread_of(r, e->tid.v);
    r->last = NULL;
    if (rcp_event_is_access(e)) {
        if (access_is(r, thread, e, count)) {
            r->accesses++;
            return true;
        }
        thread->has_read |= rcp_event_reads(e);
        return false;
    }
    if (e->kind == RCP_BRANCH) {
        bool redundant = e->cond.v == RCP_TERM_CONST.v || (e->cond.v == RCP_TERM_ALL.v && !thread->has_read);
        if (e->cond.v == RCP_TERM_ALL.v)
            thread->has_read = false;
        r->branches += redundant;
        return redundant;
    }
    thread->epoch++;
    if (e->kind == RCP_ALLOC || e->kind == RCP_FREE)
        forget(r, e->addr, e->value);
    else if (rcp_event_is_opaque(e))
        r->era++;
    return false;
}
