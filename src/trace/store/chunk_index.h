/* SPDX-License-Identifier: Apache-2.0 */
/* What a chunk of events touches: its threads, its synchronisation objects, its memory. It stands in front of the
 * events, so that a search passes over a chunk without decoding it.
 *
 * Invariant: the index names everything that the chunk touches; it may name more memory than that. Memory is kept in
 * 64-byte lines, written as sorted runs of them; where the runs are too many for their use, in larger units.
 *
 * The naive model of the builder is three sets. Threads and objects carry a stamp of the chunk they were last seen in;
 * lines are bits of 4 KiB pages in a hash table, so that the thousands of accesses to a page cost one small entry. Long
 * ranges (ALLOC, FREE) are kept as such. The builder owns its tables.
 */
#ifndef RECIPE_TRACE_STORE_CHUNK_INDEX_H
#define RECIPE_TRACE_STORE_CHUNK_INDEX_H

#include "trace/model/defs.h"
#include "trace/store/chunk.h"
#include "trace/store/filter.h"

enum { RCP_LINE_BITS = 6 };

typedef struct rcp_index_page {
    uint64_t page; /* number + 1; 0: an empty slot */
    uint64_t lines;
} rcp_index_page;

/* Lines [lo, hi). */
typedef RCP_VEC(rcp_span) rcp_line_runs;

typedef struct rcp_stamps {
    RCP_VEC(uint32_t) seen; /* by id: the chunk that it was last seen in */
    RCP_VEC(uint32_t) ids;  /* of this chunk */
} rcp_stamps;

typedef struct rcp_index_builder {
    rcp_stamps threads, objects;
    uint32_t now; /* the chunk's stamp; never 0 */
    rcp_index_page *pages;
    size_t used, mask;
    rcp_line_runs runs, spare;
} rcp_index_builder;

void rcp_index_builder_init(rcp_index_builder *builder);
void rcp_index_builder_finish(rcp_index_builder *builder);
/* The next chunk begins. */
void rcp_index_builder_reset(rcp_index_builder *builder);
void rcp_index_builder_thread(rcp_index_builder *builder, rcp_tid tid);
void rcp_index_builder_object(rcp_index_builder *builder, rcp_obj object);
/* [addr, addr + extent), extent > 0. */
void rcp_index_builder_memory(rcp_index_builder *builder, uint64_t addr, uint64_t extent);
/* Appends the index of the chunk. */
void rcp_index_builder_put(rcp_index_builder *builder, rcp_bytes *to);

/* May the chunk with this index hold an event that passes by thread, address and object? */
rcp_code rcp_index_matches(const rcp_bytes *index, const rcp_filter *filter, bool *matches) RCP_MUST_USE;

#endif
