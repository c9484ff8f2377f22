/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the text form's printer share: text_print.c has words, tables and lines, text_print_term.c terms.
 *
 * Invariant: the counts in the printer are what the parser would have after the lines printed so far. The printer owns
 * its tables and borrows the definitions and terms.
 */
#ifndef RECIPE_TRACE_TEXT_TEXT_PRINTER_H
#define RECIPE_TRACE_TEXT_TEXT_PRINTER_H

#include "trace/text/names.h"
#include "trace/model/places.h"
#include "trace/text/text.h"

/* The printer foresees what the parser will make of its lines. The parser hands out the ids of strings, locations and
 * terms in the order in which lines bring them up; `strings`, `locations` … count what it has at each point, and
 * whatever a line would bring up out of order is listed before it. */
struct rcp_printer {
    const rcp_defs *defs;
    const rcp_terms *terms;
    size_t strings, locations, stacks, threads, objects, variables, reaches, images, facts;
    uint32_t next_term;     /* terms below it exist for the parser */
    RCP_VEC(uint8_t) named; /* of each of them: 1 if a `term` line named it */
    rcp_map reads;  /* events that terms refer to: how their line can be referred to, see rcp_printer_mark_read() */
    size_t scanned; /* terms that `reads` has taken in */
    rcp_places places;
    rcp_names thread_names, object_names, variable_names; /* the words taken so far */
    RCP_VEC(const char *) thread_words;                   /* by id */
    RCP_VEC(const char *) object_words;
    RCP_VEC(const char *) variable_words;
    bool excerpt;
};

/* Decimal while it is easy to read, then hexadecimal. */
void rcp_text_print_number(rcp_text *out, uint64_t value);
/* Takes in terms that were added since. */
void rcp_printer_scan_terms(rcp_printer *printer);
/* The event is about to be printed; true where it needs a label, because a term refers to it. */
bool rcp_printer_mark_read(rcp_printer *printer, rcp_eid eid, const rcp_event *event);
/* Prints the `term` lines that the event's line needs before it. */
void rcp_printer_need_terms(rcp_printer *printer, rcp_text *out, const rcp_event *event);
/* The `term` lines of all that is left. */
void rcp_printer_all_terms(rcp_printer *printer, rcp_text *out);
/* " sign term"; nothing where the term is RCP_TERM_CONST. */
void rcp_printer_slot(const rcp_printer *printer, rcp_text *out, const char *sign, rcp_term term);

#endif
