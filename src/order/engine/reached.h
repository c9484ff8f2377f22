/* SPDX-License-Identifier: Apache-2.0 */
/* Which opaque event reached an address last.
 *
 * The naive model is one event per address, overwritten by every opaque event throughout its reach. A reach may be all
 * memory, or hundreds of spans, and a program that calls a library makes a hundred thousand such events; so what the
 * newest few reaches cover is not written down but looked up, newest first, and only a reach that others have pushed
 * out of those few goes into ranges (order/engine/origins.h). An event with the reach of an earlier one takes its
 * place.
 *
 * A byte that has begun a new life since was not reached: events and lives are numbered in one sequence, and who asks
 * says when the life began.
 *
 * Invariant: what is in `map` is older than what is in `recent`. Spans are borrowed, and equal pointers are equal
 * reaches. Each event kept holds its clock; the clocks stay the pool's.
 */
#ifndef RECIPE_ORDER_ENGINE_REACHED_H
#define RECIPE_ORDER_ENGINE_REACHED_H

#include "order/engine/origins.h"
#include "trace/model/defs.h"

typedef struct rcp_reaching {
    const rcp_span *spans;
    size_t n;
    rcp_stamp stamp;
    uint64_t when;
} rcp_reaching;

typedef struct rcp_reached {
    RCP_VEC(rcp_reaching) recent; /* the newest last */
    rcp_origins map;
} rcp_reached;

void rcp_reached_init(rcp_reached *reached);
void rcp_reached_finish(rcp_reached *reached);
/* The runner's current event, number `when`, reaches these spans: sorted, apart from each other. */
void rcp_reached_set(rcp_reached *reached, rcp_clocks *clocks, const rcp_span *spans, size_t n,
                     const rcp_runner *runner, uint64_t when);
/* [lo, hi) begins a new life: what is only memory to keep is let go. */
void rcp_reached_forget(rcp_reached *reached, rcp_clocks *clocks, uint64_t lo, uint64_t hi);
/* Of the bytes `mask` of the granule at `base` the first stretch that one event reached last, after `since`; NULL where
 * none did. *part: the bytes of that stretch. Borrowed until the next event. */
const rcp_stamp *rcp_reached_find(rcp_reached *reached, uint64_t base, uint8_t mask, uint64_t since, uint8_t *part);

/* The bytes of the granule at `base` that the spans cover. */
uint8_t rcp_spans_cover(const rcp_span *spans, size_t n, uint64_t base);

#endif
