/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace directory: streaming, by number, or by thread, address and object through the index.
 *
 * Invariant: nothing unverified leaves the reader: every chunk's checksum is checked before it is decoded, and every
 * event passes rcp_event_validate() (or a check as strict). A file that was cut off is read up to the last whole chunk,
 * and the reader says so; a byte that was changed is an error with its place. The reader owns the tables; a batch is
 * borrowed until the next call.
 */
#ifndef RECIPE_TRACE_STORE_READER_H
#define RECIPE_TRACE_STORE_READER_H

#include "trace/model/trace.h"
#include "trace/store/filter.h"

typedef struct rcp_reader rcp_reader;

typedef struct rcp_batch {
    const rcp_event *at;
    size_t n;      /* 0: the end */
    rcp_eid first; /* the number of at[0] */
} rcp_batch;

rcp_code rcp_reader_open(const char *directory, rcp_reader **reader) RCP_MUST_USE;
/* The same on the bytes of a trace file, which are borrowed; `name` stands for the file in messages. */
rcp_code rcp_reader_open_memory(const char *name, const void *bytes, size_t n, rcp_reader **reader) RCP_MUST_USE;
void rcp_reader_close(rcp_reader *reader);
const rcp_defs *rcp_reader_borrow_defs(const rcp_reader *reader);
const rcp_terms *rcp_reader_borrow_terms(const rcp_reader *reader);
uint64_t rcp_reader_count(const rcp_reader *reader);
/* A number that two traces share only where every chunk of theirs is the same. */
uint64_t rcp_reader_identity(const rcp_reader *reader);
/* NULL, or a sentence that says where the file was cut off and what that means. */
const char *rcp_reader_borrow_loss(const rcp_reader *reader);

/* The stream begins at event `from` (clamped to the end). */
rcp_code rcp_reader_seek(rcp_reader *reader, rcp_eid from) RCP_MUST_USE;
rcp_code rcp_reader_next(rcp_reader *reader, rcp_batch *batch) RCP_MUST_USE;

/* One event, which the trace must have. Bytes that it points to are borrowed until the next call. */
rcp_code rcp_reader_fetch(rcp_reader *reader, rcp_eid eid, rcp_event *event) RCP_MUST_USE;

/* Calls `each` for the events that pass the filter, in order; chunks that can't hold one are not decoded. `each`
 * returns other than RCP_OK to stop; that is then returned. */
typedef rcp_code rcp_reader_visitor(void *context, rcp_eid eid, const rcp_event *event);
rcp_code rcp_reader_scan(rcp_reader *reader, const rcp_filter *filter, rcp_reader_visitor *each,
                         void *context) RCP_MUST_USE;

/* Chunks of events that were decoded so far, by streams and scans: what an index is worth. */
uint64_t rcp_reader_decoded(const rcp_reader *reader);

/* The whole trace into memory, indexed. `trace` is initialised and empty, and the caller's to finish, also where this
 * fails. What a cut-off file lost stands in trace->loss. */
rcp_code rcp_trace_load(rcp_trace *trace, const char *directory) RCP_MUST_USE;
/* The first `most` events of it, which are an execution, too. *all: how many there are. */
rcp_code rcp_trace_load_beginning(rcp_trace *trace, const char *directory, uint64_t most, uint64_t *all) RCP_MUST_USE;
/* A trace that holds the first events of the reader's comes to hold the first `most`: read on, or cut. It is indexed
 * anew; what was made of it before is stale. */
rcp_code rcp_trace_resize(rcp_trace *trace, rcp_reader *reader, uint64_t most) RCP_MUST_USE;

#endif
