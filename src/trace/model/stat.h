/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a trace: what it has of everything, in one pass. Seed 003's Table 3 gives its columns their names.
 *
 * A location is the smallest declared variable that holds an access, or else the access's range of bytes; ranges that
 * merely overlap, and one range in two lives, are counted as they stand. It is shared if two threads access it and one
 * of them writes.
 *
 * Invariant: the counts describe the events added so far. Memory: proportional to the locations. The definitions are
 * borrowed and may grow.
 */
#ifndef RECIPE_TRACE_MODEL_STAT_H
#define RECIPE_TRACE_MODEL_STAT_H

#include "base/text.h"
#include "trace/model/defs.h"

typedef struct rcp_counts {
    uint64_t events, kinds[RCP_KINDS];
    uint64_t threads;        /* that have an event */
    uint64_t atomics;        /* accesses that are */
    uint64_t weak;           /* atomic accesses, and fences, whose memory order is less than seq_cst */
    uint64_t lock_events;    /* acquires and releases (lk-evs) */
    uint64_t wait_events;    /* waits, signals and broadcasts (wn-evs); a wake-up is the second half of a wait */
    uint64_t sync_events;    /* these, and wakes, semaphores, barriers, once, fork and join */
    uint64_t locations;      /* accessed (rw) */
    uint64_t shared;         /* of them */
    uint64_t locks;          /* used (lk) */
    uint64_t conditions;     /* used (wn) */
    uint64_t other_objects;  /* used: semaphores, barriers, once */
    uint64_t opaque_calls;   /* pairs */
    uint64_t bytes_accessed; /* in sum */
    uint64_t bytes_allocated;
    uint64_t valued, with_terms; /* events that have values, terms */
} rcp_counts;

typedef struct rcp_stat rcp_stat;

rcp_stat *rcp_stat_create(const rcp_defs *defs);
void rcp_stat_destroy(rcp_stat *stat);
void rcp_stat_add(rcp_stat *stat, const rcp_event *event);
const rcp_counts *rcp_stat_borrow_counts(const rcp_stat *stat);
/* A table for people: seed 003's columns, then the rest, what is 0 left out. */
void rcp_stat_print(rcp_text *out, const rcp_counts *counts);

#endif
