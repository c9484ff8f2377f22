/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of every partial order: events go in, in the recorded order, and the races that the order sees come out.
 *
 * The order is a table of rules (order/engine/rules.h); what all orders have in common is here: threads (program order,
 * fork, join), synchronisation (order/engine/edges.h) and the access history (order/engine/history.h). One pass, no
 * window; memory grows with threads, objects and live locations, not with events.
 *
 * An event is flagged iff it races with an earlier one: they conflict (rcp_event_conflict(), in the same life) and the
 * earlier one does not come before it. Of each other thread the *last* such access is named; others that conflict are
 * before that one in its thread. By place (rcp_engine_name_places()) the last one at each place in the program is.
 *
 * Invariant: events passed rcp_event_validate() and come in order of their numbers. The engine owns all its state and
 * borrows the definitions, which may grow meanwhile; but whether there are reaches at all must be settled.
 */
#ifndef RECIPE_ORDER_ENGINE_ENGINE_H
#define RECIPE_ORDER_ENGINE_ENGINE_H

#include "order/engine/history.h"
#include "trace/model/trace.h"

typedef struct rcp_engine rcp_engine;

/* One side of a pair. */
typedef struct rcp_order_access {
    rcp_tid tid;
    rcp_position position;
    rcp_loc loc;
    uint8_t kind; /* RCP_READ, RCP_WRITE, RCP_RMW, RCP_FREE */
    bool atomic;
} rcp_order_access;

typedef struct rcp_order_race {
    rcp_eid eid; /* of the later one */
    rcp_order_access earlier, later;
    uint64_t lo, hi; /* the bytes in common: from the lowest to past the highest */
} rcp_order_race;

/* Called while rcp_engine_add() runs: for one event by rising thread number, and of one thread by rising position. */
typedef void rcp_order_visitor(void *context, const rcp_order_race *race);

typedef struct rcp_engine_stats {
    uint64_t events, flagged, races; /* flagged events; races are (event, thread) pairs */
    uint64_t clock_copies, clock_joins;
    size_t clock_bytes, history_bytes;
    uint64_t redundant_accesses, redundant_branches;
    uint64_t sections, sections_peak; /* critical sections; how many were kept at once */
    uint64_t sections_spilled;        /* and of those on disk */
    uint64_t forgotten;               /* reads that waited too long for a branch (order/engine/pending.h) */
} rcp_engine_stats;

rcp_engine *rcp_engine_create(const rcp_rules *rules, const rcp_defs *defs, rcp_order_visitor *each, void *context);
/* What wdp makes use of: what branches depend on, and what the whole trace says of its objects. Both are borrowed, may
 * be NULL, and are told before the first event; without them it flags more. */
void rcp_engine_inform(rcp_engine *engine, const rcp_terms *terms, const rcp_order_facts *facts);
/* How many critical sections, and entries of order/engine/past.h, are kept before it is looked which are needed; for
 * tests. */
void rcp_engine_sweep_at(rcp_engine *engine, uint64_t kept);
/* How many of these sections are kept in memory before all but the newest go to disk; for tests. */
void rcp_engine_spill_at(rcp_engine *engine, uint64_t sections);
/* The order as the papers define it, without the handling of races: for comparisons. */
void rcp_engine_publish(rcp_engine *engine);
/* Of each other thread the last access at each place, of each kind, is named (order/engine/touches.h), so that every
 * pair of places of which an instance is unordered is flagged. For orders without critical sections, before the first
 * event. */
void rcp_engine_name_places(rcp_engine *engine);
/* Events that can't change what the order says are not analysed (order/engine/redundant.h): before the first event. */
void rcp_engine_filter(rcp_engine *engine);
/* The order's edges are kept from now on; borrowed until the engine is destroyed. The trace must have fewer than 2^32
 * events. */
const rcp_order_graph *rcp_engine_keep_graph(rcp_engine *engine);
void rcp_engine_destroy(rcp_engine *engine);
/* Fails only where a thread has more events than positions can count, or a temporary file can't be read back. */
rcp_code rcp_engine_add(rcp_engine *engine, rcp_eid eid, const rcp_event *event) RCP_MUST_USE;
/* The same for `n` events, the first of which is number `first`; quicker than one by one. */
rcp_code rcp_engine_add_all(rcp_engine *engine, rcp_eid first, const rcp_event *events, size_t n) RCP_MUST_USE;
rcp_engine_stats rcp_engine_statistics(const rcp_engine *engine);

/* The probe is filled by the next access or FREE that is added; NULL ends that. The caller gives back what it holds
 * with rcp_probe_clear(). */
void rcp_engine_probe(rcp_engine *engine, rcp_probe *probe);
const rcp_clocks *rcp_engine_borrow_clocks(const rcp_engine *engine);
void rcp_probe_clear(rcp_engine *engine, rcp_probe *probe);

#endif
