/* SPDX-License-Identifier: Apache-2.0 */
/* What became of a module that was instrumented, for whoever asked for it: counts, and what can't be recorded.
 *
 * Every stage adds to it (unit.h has it at hand); it owns its notes.
 */
#ifndef RECIPE_INSTRUMENT_REPORT_H
#define RECIPE_INSTRUMENT_REPORT_H

#include "base/text.h"

#include <stdint.h>

typedef struct rcp_instrument_report {
    uint32_t functions; /* instrumented */
    uint32_t opaque;    /* left as they are: the notes say why */
    uint32_t events;    /* places in the code that are events */
    uint32_t regions;   /* loops that have a plain copy, too */
    uint64_t bitcode;   /* bytes embedded, compressed */
    rcp_text notes;     /* what can't be recorded, a line each: "file:line: what, why" */
} rcp_instrument_report;

static inline void rcp_instrument_report_finish(rcp_instrument_report *report) { rcp_text_finish(&report->notes); }

#endif
