/* SPDX-License-Identifier: Apache-2.0 */
/* Events that can't change what an order says (seed 002, section 7.1): they are counted, and not analysed.
 *
 * An access is redundant where its thread has made the same one before (same bytes, same kind, same location) and since
 * then nobody else has touched the granule, and the thread has done nothing that others could have learned its position
 * from or that changes its locks: no synchronisation, no atomic access, no ALLOC or FREE; in an order that takes an
 * edge from a last writer, no write either, and there only reads are redundant. What such an access would be compared
 * with has been compared. Who comes later is to be compared with the last of them, not with the one that was analysed:
 * as soon as somebody else comes, or the table has to forget it, the access history catches up (`late`).
 * A read is kept where a term may ask for it by number (wdp).
 *
 * A branch without a term is redundant where no read of its thread was analysed since the last one.
 *
 * Invariant: what the table has forgotten is analysed. Owns nothing but itself.
 */
#ifndef RECIPE_ORDER_ENGINE_REDUNDANT_H
#define RECIPE_ORDER_ENGINE_REDUNDANT_H

#include "base/vec.h"
#include "trace/model/event.h"

#define RCP_REDUNDANT_PLACES (1u << 11) /* few enough to stay in the nearest cache */

typedef struct rcp_redundant_place {
    uint64_t granule;
    uint32_t tid, epoch, era;
    uint8_t mask[2]; /* read, written; 0: not in this epoch */
    uint32_t loc[2];
    uint32_t analysed[2], last[2]; /* counts as in rcp_stamp; last 0: none was redundant */
} rcp_redundant_place;

/* An access that was analysed, and the last one like it. */
typedef struct rcp_redundant_late {
    uint64_t granule;
    uint32_t tid, analysed, last, loc;
    uint8_t mask;
    bool writes;
} rcp_redundant_late;

typedef struct rcp_redundant_thread {
    uint32_t epoch;
    bool has_read; /* since its last branch */
} rcp_redundant_thread;

typedef struct rcp_redundant {
    bool writes_count; /* a write ends the epoch, and is never redundant */
    uint32_t era;      /* everything of an earlier one is forgotten */
    rcp_redundant_place *places;
    rcp_redundant_place *last; /* where the event in hand was noted; NULL: nowhere */
    RCP_VEC(rcp_redundant_thread) threads;
    uint64_t accesses, branches; /* found so far */
    RCP_VEC(rcp_redundant_late)
    late; /* what the history has to catch up with before the event in hand; the caller
             empties it */
} rcp_redundant;

void rcp_redundant_init(rcp_redundant *redundant, bool writes_count);
void rcp_redundant_finish(rcp_redundant *redundant);
/* Events in order, but for what rcp_redundant_own() is told; `count` as in rcp_stamp. True: it need not be analysed. */
bool rcp_redundant_is(rcp_redundant *redundant, const rcp_event *event, uint32_t count);
/* A plain access to what only its thread has touched; it is as cheap to analyse as to leave out, so that it is not
 * asked about. */
static inline void rcp_redundant_own(rcp_redundant *redundant, const rcp_event *event) {
    if (redundant->writes_count && event->kind == RCP_WRITE && event->tid.v < redundant->threads.len)
        redundant->threads.at[event->tid.v].epoch++;
}
/* The read that was asked about last left something behind: the next one like it is to be analysed. */
static inline void rcp_redundant_keep(rcp_redundant *redundant) {
    if (redundant->last)
        redundant->last->mask[0] = 0;
}

#endif
