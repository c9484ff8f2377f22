/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files of the text form's parser share: text_parse.c reads lines, text_term.c the terms in them.
 *
 * Invariant: whatever a table maps to exists in the trace. Owned by rcp_text_parse(); the trace is borrowed.
 */
#ifndef RECIPE_TRACE_TEXT_PARSER_H
#define RECIPE_TRACE_TEXT_PARSER_H

#include "trace/names.h"
#include "trace/text_scan.h"
#include "trace/trace.h"

typedef struct rcp_text_parser {
    rcp_scan scan;
    rcp_trace *trace;
    rcp_names threads, objects, variables, reaches, stacks, terms;
    rcp_names labels; /* to places in label_events */
    RCP_VEC(rcp_eid) label_events;
    const rcp_event *current; /* the event whose line is being read, its number the trace's next; or NULL */
    rcp_text string, file;    /* for strings of the line being read */
    rcp_text bytes, written;  /* for its wide values */
    RCP_VEC(rcp_span) spans;
} rcp_text_parser;

/* A line that begins with one of these is no event: no thread can be called so. */
bool rcp_text_is_keyword(const char *at, size_t len);
/* `all`, or a real term. */
rcp_code rcp_text_parse_slot(rcp_text_parser *parser, rcp_term *term) RCP_MUST_USE;
/* A real term: an s-expression, a literal, a read or the name of a term. */
rcp_code rcp_text_parse_term(rcp_text_parser *parser, rcp_term *term) RCP_MUST_USE;

#endif
