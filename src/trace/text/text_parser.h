/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the text form's parser share: text_parse.c reads events, text_parse_defs.c definitions, text_term.c
 * the terms in both.
 *
 * Invariant: whatever a table maps to exists in the trace. Owned by rcp_text_parse(); the trace is borrowed.
 */
#ifndef RECIPE_TRACE_TEXT_TEXT_PARSER_H
#define RECIPE_TRACE_TEXT_TEXT_PARSER_H

#include "trace/text/names.h"
#include "trace/text/text_scan.h"
#include "trace/model/trace.h"

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
/* The line is a definition if it begins with such a `word`, which has been read: then the rest of it. */
rcp_code rcp_text_parse_definition(rcp_text_parser *parser, rcp_text_piece word, bool *is_one) RCP_MUST_USE;
/* A word that must stand in `names`; the message says that a `what` is meant and that `how` would declare one. */
rcp_code rcp_text_parse_known(rcp_text_parser *parser, const char *what, const char *how, const rcp_names *names,
                              uint32_t *id) RCP_MUST_USE;
/* What `size` bytes hold: a number, or for more than 8 of them hexadecimal digits in memory order. */
rcp_code rcp_text_parse_value(rcp_text_parser *parser, uint64_t size, uint64_t *word, rcp_text *bytes) RCP_MUST_USE;
/* file:line:column in function; all but the file may be missing. */
rcp_code rcp_text_parse_location(rcp_text_parser *parser, rcp_loc *loc) RCP_MUST_USE;
/* `all`, or a real term. */
rcp_code rcp_text_parse_slot(rcp_text_parser *parser, rcp_term *term) RCP_MUST_USE;
/* A real term: an s-expression, a literal, a read or the name of a term. */
rcp_code rcp_text_parse_term(rcp_text_parser *parser, rcp_term *term) RCP_MUST_USE;

#endif
