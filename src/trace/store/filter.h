/* SPDX-License-Identifier: Apache-2.0 */
/* Which events of a trace are wanted: by thread, address, object and number.
 *
 * A scan (reader.h) asks it of every event, and before that of a chunk's index (chunk_index.h), which may let more
 * pass, never less. Plain data; owns nothing.
 */
#ifndef RECIPE_TRACE_STORE_FILTER_H
#define RECIPE_TRACE_STORE_FILTER_H

#include "trace/model/event.h"

/* An unset part lets everything pass. */
typedef struct rcp_filter {
    bool by_thread, by_address, by_object;
    rcp_tid tid;
    uint64_t lo, hi; /* accesses, allocations, frees that touch [lo, hi) */
    rcp_obj object;
    uint64_t from, to; /* event numbers [from, to); to = 0: no end */
} rcp_filter;

/* Does the event pass? */
bool rcp_filter_passes(const rcp_filter *filter, rcp_eid eid, const rcp_event *event);

#endif
