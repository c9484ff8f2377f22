/* SPDX-License-Identifier: Apache-2.0 */
/* What every read of a trace read, by event number: for terms, which may name any earlier read.
 *
 * Append-only. A byte per event says whether it is a read and how long; the bytes of valued reads stand one after
 * another, and every 64th event notes where it is there. So a trace of 10^8 events with 5 * 10^7 reads of 4 bytes takes
 * about 300 MB.
 *
 * Invariant: events are added in order, without gaps. Owns its memory.
 */
#ifndef RECIPE_TRACE_CHECK_READ_STORE_H
#define RECIPE_TRACE_CHECK_READ_STORE_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/model/term.h"

typedef struct rcp_read_store {
    RCP_VEC(uint8_t) codes;
    RCP_VEC(uint64_t) starts; /* of every 64th event, in `bytes` */
    RCP_VEC(uint8_t) bytes;
    rcp_map long_reads; /* event -> size, where that does not fit into its code */
} rcp_read_store;

void rcp_read_store_init(rcp_read_store *store);
void rcp_read_store_finish(rcp_read_store *store);
/* The next event, whatever its kind. */
void rcp_read_store_add(rcp_read_store *store, const rcp_event *event);
/* How many bytes the event read; 0: it is no read, or not added yet. */
uint32_t rcp_read_store_size(const rcp_read_store *store, rcp_eid eid);
/* Bytes [offset, offset + n), n at most 8, of what it read; RCP_EVAL_UNKNOWN where no value was recorded. */
rcp_eval rcp_read_store_get(const rcp_read_store *store, rcp_eid eid, uint32_t offset, unsigned n, uint64_t *value);

#endif
