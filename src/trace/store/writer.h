/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a trace directory. docs/trace-format.md describes the bytes; trace/store/chunk.c is the one place that knows
 * them.
 *
 * Invariant: whatever was flushed can be read back even if the process dies the next moment: definitions reach the file
 * before the events that use them. The writer owns its tables; the caller adds definitions and terms to them.
 */
#ifndef RECIPE_TRACE_STORE_WRITER_H
#define RECIPE_TRACE_STORE_WRITER_H

#include "trace/model/trace.h"

typedef struct rcp_writer rcp_writer;

/* Makes the directory; refuses one that exists and holds a trace. */
rcp_code rcp_writer_create(const char *directory, rcp_writer **writer) RCP_MUST_USE;
rcp_defs *rcp_writer_borrow_defs(rcp_writer *writer);
rcp_terms *rcp_writer_borrow_terms(rcp_writer *writer);
/* Copies the event and its wide values. */
rcp_code rcp_writer_add(rcp_writer *writer, const rcp_event *event) RCP_MUST_USE;
/* Everything added so far reaches the file. */
rcp_code rcp_writer_flush(rcp_writer *writer) RCP_MUST_USE;
/* Goes on in another directory, with a copy of what is in the file so far; the file itself is left as it is. For a
 * process that has forked: whoever it was forked from goes on in the old one. */
rcp_code rcp_writer_move(rcp_writer *writer, const char *directory) RCP_MUST_USE;
/* Flushes, closes and destroys, also where it fails. */
rcp_code rcp_writer_close(rcp_writer *writer) RCP_MUST_USE;

/* Closes and destroys without writing what is left: the file is nobody's. */
void rcp_writer_abandon(rcp_writer *writer);

/* A whole trace at once, into a directory that is made. */
rcp_code rcp_trace_save(const rcp_trace *trace, const char *directory) RCP_MUST_USE;

#endif
