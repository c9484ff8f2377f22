/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions and terms to bytes and back: the body of a DEFS chunk.
 *
 * A body is a sequence of sections: which table, how many entries, the entries. Each holds what is new in its table, in
 * order, and sections are in such an order that an entry refers only to entries before it. So the tables of a file are
 * the bodies of its DEFS chunks, one after the other, wherever the file ends.
 *
 * Invariant: rcp_defs_get() leaves tables in which every reference exists and every interned entry stands once, or
 * fails. Nothing is owned here.
 */
#ifndef RECIPE_TRACE_STORE_DEFS_CODEC_H
#define RECIPE_TRACE_STORE_DEFS_CODEC_H

#include "trace/store/chunk.h"
#include "trace/model/defs.h"
#include "trace/model/term.h"

typedef enum rcp_table {
    RCP_TABLE_STRINGS,
    RCP_TABLE_LOCATIONS,
    RCP_TABLE_STACKS,
    RCP_TABLE_THREADS,
    RCP_TABLE_OBJECTS,
    RCP_TABLE_VARIABLES,
    RCP_TABLE_REACHES,
    RCP_TABLE_IMAGES,
    RCP_TABLE_FACTS,
    RCP_TABLE_TERMS,
    RCP_TABLES
} rcp_table;

/* How many entries of each table have been written. */
typedef struct rcp_defs_mark {
    size_t done[RCP_TABLES];
} rcp_defs_mark;

/* The mark of empty tables: their entries 'none' go without saying. */
rcp_defs_mark rcp_defs_mark_none(void);
rcp_defs_mark rcp_defs_mark_all(const rcp_defs *defs, const rcp_terms *terms);

/* Appends what is new since `mark` to `to` and moves `mark` on, until all is there or `to` has RCP_CHUNK_SOFT_RAW
 * bytes. Nothing is appended where nothing is new. Fails for an entry that is too large for a chunk. */
rcp_code rcp_defs_put(const rcp_defs *defs, const rcp_terms *terms, rcp_defs_mark *mark, rcp_bytes *to) RCP_MUST_USE;
rcp_code rcp_defs_get(rcp_defs *defs, rcp_terms *terms, const uint8_t *at, size_t n) RCP_MUST_USE;

#endif
