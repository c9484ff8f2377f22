/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of a trace: lossless, one line an event, for people to read and to write (docs/text-form.md).
 *
 * Invariant: parsing what was printed gives the trace again, field by field, ids included: strings, locations, stacks
 * and terms that the lines would not bring up in the order of their ids are listed by lines of their own first.
 *
 * A printer borrows the definitions and terms, which may grow while it prints; so a dump can stream the events of a
 * huge trace. Nothing here keeps a text that it was given.
 */
#ifndef RECIPE_TRACE_TEXT_TEXT_H
#define RECIPE_TRACE_TEXT_TEXT_H

#include "base/status.h"
#include "base/text.h"
#include "trace/model/trace.h"

/* Is this a text of ours? Goes by the first line that is no comment. */
bool rcp_text_is_ours(const char *text, size_t len);

/* Adds what the text says to `trace`, which the caller initialised and which is empty. Fails with
 * `name:line:column: reason`; the trace then holds what came before and is of no use. The trace is not indexed. */
rcp_code rcp_text_parse(const char *name, const char *text, size_t len, rcp_trace *trace) RCP_MUST_USE;

void rcp_text_print_trace(rcp_text *out, const rcp_trace *trace);

typedef struct rcp_printer rcp_printer;

rcp_printer *rcp_printer_create(const rcp_defs *defs, const rcp_terms *terms);
void rcp_printer_destroy(rcp_printer *printer);
/* The first line and all definitions so far. */
void rcp_text_print_head(rcp_printer *printer, rcp_text *out);
/* The event, and before it what it needs and has not been printed. Events come in order, none left out. */
void rcp_text_print_event(rcp_printer *printer, rcp_text *out, rcp_eid eid, const rcp_event *event);
/* Definitions and terms that no event needed. */
void rcp_text_print_tail(rcp_printer *printer, rcp_text *out);

/* For an excerpt (`dump --thread`, reports): the event alone, its number as its label, long terms cut short with '…'.
 * Any event, in any order; what comes out can't be parsed again as a trace. Not to be mixed with the three above. */
void rcp_text_print_excerpt(rcp_printer *printer, rcp_text *out, rcp_eid eid, const rcp_event *event);
/* How the text form calls it: the variable and the part of it, or the bare address. */
void rcp_text_print_place(rcp_printer *printer, rcp_text *out, uint64_t addr, uint64_t size);
/* A thread's word in the text form. Borrowed until the next addition of a name. */
const char *rcp_printer_borrow_thread(rcp_printer *printer, rcp_tid tid);
/* The other way round, for options of the command line; false where nothing is called so. */
bool rcp_printer_find_thread(rcp_printer *printer, const char *word, rcp_tid *tid);
bool rcp_printer_find_object(rcp_printer *printer, const char *word, rcp_obj *object);
bool rcp_printer_find_variable(rcp_printer *printer, const char *word, rcp_span *span);

#endif
