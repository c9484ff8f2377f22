/* SPDX-License-Identifier: Apache-2.0 */
/* What the recorded order shows, for the checker: per read its observed writers, per byte its life, what each opaque
 * event found, the initial contents. Made once per trace, in one pass; every witness of the trace is then checked
 * against it.
 *
 * Numbers: a writer or a life is 1 + the event that wrote or began it; 0 is the life's beginning (writers) or the
 * trace's (lives). Nearly every access has one writer and one life for all its bytes; only the others cost a list of
 * pieces.
 *
 * Invariant: immutable once made. Owns its tables and borrows the trace, which must stay as it is.
 */
#ifndef RECIPE_TRACE_CHECK_OBSERVED_H
#define RECIPE_TRACE_CHECK_OBSERVED_H

#include "base/map.h"
#include "base/ranges.h"
#include "trace/model/trace.h"

typedef struct rcp_piece {
    uint64_t lo, hi;
    uint32_t value;
} rcp_piece;

typedef struct rcp_pieces {
    size_t first, n; /* in rcp_observed.pieces, ascending, without gaps */
} rcp_pieces;

/* The initial contents of a word of the first life, as the first reads of its bytes showed them. */
typedef struct rcp_first {
    uint8_t shown; /* bit mask */
    uint8_t bytes[8];
} rcp_first;

/* A point of time, as rule P3 has it. */
typedef struct rcp_point {
    uint32_t event, begin; /* begin: of the END of a stretch of time, where that begins; else RCP_NO_BEGIN */
    uint8_t timing;        /* rcp_timing (trace/check/barriers.h) */
} rcp_point;
#define RCP_NO_BEGIN UINT32_MAX

typedef struct rcp_observed {
    const rcp_trace *trace;
    bool implicit_branches;
    uint64_t *fork;                     /* per thread: its FORK; UINT64_MAX: none */
    uint64_t *end;                      /* per thread: its END; UINT64_MAX: none */
    uint8_t *has_init;                  /* per object */
    uint32_t *writer;                   /* per event, of reads: the one writer of all its bytes, or RCP_MIXED */
    rcp_map mixed_writers, mixed_lives; /* event -> lists */
    RCP_VEC(uint32_t) line;             /* P1: the events that need others, in order */
    RCP_VEC(uint32_t) needs;            /* and what each needs, but for its own thread's: from needs_from[i] on */
    RCP_VEC(size_t) needs_from;
    RCP_VEC(rcp_point) points; /* P3: in order; none where nobody could tell them apart */
    RCP_VEC(uint64_t) opaques; /* the opaque events, in order */
    RCP_VEC(rcp_pieces)
    reached; /* and what each found in its reach: 1 + the last event that wrote, allocated or
                freed there, opaque ones included; 0: none */
    RCP_VEC(rcp_pieces) lists;
    RCP_VEC(rcp_piece) pieces;
    rcp_map first_at; /* word number -> firsts */
    RCP_VEC(rcp_first) firsts;
    rcp_ranges images; /* address -> index in the definitions */
} rcp_observed;

#define RCP_MIXED UINT32_MAX

/* `trace` must be indexed. Fails where it has more events than can be numbered here (RCP_LIMIT). */
rcp_code rcp_observed_init(rcp_observed *observed, const rcp_trace *trace) RCP_MUST_USE;
void rcp_observed_finish(rcp_observed *observed);

/* The observed writer of the byte at `addr` of read `eid`; the same up to *upto. */
uint32_t rcp_observed_writer(const rcp_observed *observed, rcp_eid eid, uint64_t addr, uint64_t *upto);
/* The life in which event `eid` (access, ALLOC, FREE) has the byte at `addr`; the same up to *upto. */
uint32_t rcp_observed_life(const rcp_observed *observed, rcp_eid eid, uint64_t addr, uint64_t *upto);
/* P1: what must have been executed before `eid`: of each other thread the last such event. Borrowed. */
const uint32_t *rcp_observed_needs(const rcp_observed *observed, rcp_eid eid, size_t *n);
/* P3: the point of time that `eid` is. Borrowed; NULL: it is none. */
const rcp_point *rcp_observed_point(const rcp_observed *observed, rcp_eid eid);
/* Which of the opaque events this one is. */
size_t rcp_observed_opaque(const rcp_observed *observed, rcp_eid eid);
/* I1 for a byte of the first life: false where its initial contents are unrecorded. */
bool rcp_observed_initial(const rcp_observed *observed, uint64_t addr, uint8_t *value);

#endif
