/* SPDX-License-Identifier: Apache-2.0 */
/* What another tool warned of: pairs of source lines, to be proved or left unknown (seed 003's use of a lockset tool's
 * warnings).
 *
 * Three forms are read, and may be mixed with whatever else a program prints: ThreadSanitizer's reports, Helgrind's
 * reports (of each access the innermost frame that is not the tool's own), and, where a file has no report, lines of
 * two places `file:line file:line` with `#` comments. A pair that comes again is one.
 *
 * A place is found in a trace by its line and the end of its path: `a.c`, `src/a.c` and `/home/me/src/a.c` are the same
 * file, as far as both say.
 *
 * Ownership: warnings own their paths.
 */
#ifndef RECIPE_PREDICT_FACTS_WARNINGS_H
#define RECIPE_PREDICT_FACTS_WARNINGS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/vec.h"
#include "trace/model/defs.h"

typedef struct rcp_warned_place {
    const char *file;
    uint32_t line;
} rcp_warned_place;

typedef struct rcp_warning {
    rcp_warned_place place[2];
    uint32_t line; /* of the text: where it begins */
} rcp_warning;

typedef struct rcp_warnings {
    RCP_VEC(rcp_warning) at;
    size_t reports;    /* of a tool */
    size_t incomplete; /* of these: one of the accesses has no source line */
    rcp_arena memory;
} rcp_warnings;

void rcp_warnings_init(rcp_warnings *warnings);
void rcp_warnings_finish(rcp_warnings *warnings);
/* `name` is for messages. Adds to `warnings`; fails for a text that has neither reports nor pairs, or a line of pairs
 * that is none. */
rcp_code rcp_warnings_parse(const char *name, const char *text, size_t len, rcp_warnings *warnings) RCP_MUST_USE;

/* Is the location at that place? */
bool rcp_warned_place_is(const rcp_defs *defs, rcp_loc loc, const rcp_warned_place *place);

#endif
