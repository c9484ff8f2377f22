/* SPDX-License-Identifier: Apache-2.0 */
/* What the parsers of formats with implicit declarations share: threads, locks and variables by first mention.
 *
 * Invariant: whatever a table maps to exists in the trace. The trace and the text are borrowed.
 */
#ifndef RECIPE_TRACE_TEXT_IMPORTER_H
#define RECIPE_TRACE_TEXT_IMPORTER_H

#include "trace/text/names.h"
#include "trace/text/text_scan.h"
#include "trace/model/trace.h"

typedef struct rcp_importer {
    rcp_scan scan;
    rcp_trace *trace;
    rcp_names threads, locks, variables;
    RCP_VEC(uint32_t) holders; /* of each lock: 1 + the thread that holds it */
    RCP_VEC(uint32_t) depths;
    rcp_text string; /* a name with its NUL */
    rcp_str file;
    const char *next; /* where the next line begins */
} rcp_importer;

/* States the format and that branches are implicit. */
void rcp_importer_init(rcp_importer *importer, const char *name, const char *format, const char *text, size_t len,
                       rcp_trace *trace);
void rcp_importer_finish(rcp_importer *importer);

/* The next line without its end; false at the end of the text. */
bool rcp_importer_line(rcp_importer *importer, rcp_text_piece *line);

/* Can it be a name? Fails with the reason where it is empty or holds control characters (or, unless `blanks`, blanks).
 */
rcp_code rcp_importer_check_name(const rcp_importer *importer, const char *what, rcp_text_piece name,
                                 bool blanks) RCP_MUST_USE;
rcp_tid rcp_importer_thread(rcp_importer *importer, rcp_text_piece name);
/* Sets the address and size of the variable. */
void rcp_importer_variable(rcp_importer *importer, rcp_text_piece name, rcp_event *event);
/* Sets the object; an acquire by the holder makes the lock a recursive one. */
void rcp_importer_lock(rcp_importer *importer, rcp_text_piece name, rcp_event *event);
/* `name:|number|`, a negative one marked by its function. */
rcp_loc rcp_importer_location(rcp_importer *importer, int64_t number);
/* Places a refusal at `at`. */
rcp_code rcp_importer_add(rcp_importer *importer, const char *at, const rcp_event *event) RCP_MUST_USE;

/* Did such a parser make the trace? Then the second gives back what rcp_importer_location() was given. */
bool rcp_defs_are_imported(const rcp_defs *defs);
int64_t rcp_imported_location(const rcp_defs *defs, rcp_loc loc);

#endif
