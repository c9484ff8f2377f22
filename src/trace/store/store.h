/* SPDX-License-Identifier: Apache-2.0 */
/* A trace file that is open: its tables, and where its chunks of events are. What the reader and the writer share.
 *
 * Invariant: every chunk up to `end` is whole and has a valid header, event numbers run on from chunk to chunk, and the
 * tables hold the definitions of all of them. Event bodies and indexes have not been looked at. What stands after `end`
 * is what a crash left of a chunk; `loss` says so. The store owns its tables and its file; memory that it was opened on
 * is borrowed.
 */
#ifndef RECIPE_TRACE_STORE_STORE_H
#define RECIPE_TRACE_STORE_STORE_H

#include "trace/store/chunk.h"
#include "trace/model/trace.h"

typedef struct rcp_placed_chunk {
    rcp_chunk chunk;
    uint64_t offset; /* of its header */
} rcp_placed_chunk;

typedef struct rcp_store {
    char *path;
    int fd; /* -1: in memory */
    const uint8_t *memory;
    uint64_t size;
    rcp_defs defs;
    rcp_terms terms;
    RCP_VEC(rcp_placed_chunk) chunks; /* of events */
    uint64_t events;
    uint64_t identity; /* rcp_chunk_identity() of the last chunk */
    uint64_t end;
    char *loss; /* NULL: the file ends where a chunk does */
} rcp_store;

/* The trace file of a directory. The store is to be finished also where this fails. */
rcp_code rcp_store_open(rcp_store *store, const char *directory) RCP_MUST_USE;
rcp_code rcp_store_open_memory(rcp_store *store, const char *name, const void *bytes, size_t n) RCP_MUST_USE;
void rcp_store_finish(rcp_store *store);
/* One writer at a time: refuses where another has the file; ends when the file is closed. */
rcp_code rcp_store_lock(int fd, const char *path) RCP_MUST_USE;
/* DIRECTORY/events.rcp; the caller releases it. */
char *rcp_store_take_path(const char *directory);

/* Borrows `n` bytes at `offset`, which lie before `end`; they are in `buffer` unless the store is in memory. */
rcp_code rcp_store_borrow(const rcp_store *store, uint64_t offset, size_t n, rcp_bytes *buffer,
                          const uint8_t **bytes) RCP_MUST_USE;
/* Adds file and offset to a cause. */
rcp_code rcp_store_blame(const rcp_store *store, uint64_t offset, rcp_code code);

#endif
