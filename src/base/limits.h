/* SPDX-License-Identifier: Apache-2.0 */
/* Limits: every number that can change an answer, by name. base/limits.def has a row for each.
 *
 * Values are the process's: the command line sets them (--set NAME=N) before anything runs, and nobody later; a child
 * has those of whoever forked it. A limit with a sentence leaves something out when it is reached: whoever leaves it
 * out counts that here, and the report says it. A limit without one is a matter of effort: what it cuts off is looked
 * at otherwise, or the race says it itself.
 *
 * Counts go to memory that forked workers share, or, between rcp_limits_capture() and its end, to whoever captures
 * them: what an outcome was cut by is kept with it, and counted when it is taken, today or after a resume. So counts
 * are the same, however many workers there are.
 *
 * Invariant: least <= value <= most, for every row. Nothing is owned.
 */
#ifndef RECIPE_BASE_LIMITS_H
#define RECIPE_BASE_LIMITS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rcp_limit_name {
#define RCP_LIMIT_ROW(id, name, scope, value, least, most, unit, sentence) RCP_LIMIT_##id,
#include "base/limits.def"
#undef RCP_LIMIT_ROW
    RCP_LIMITS
} rcp_limit_name;

/* What a limit bounds. */
typedef enum rcp_limit_scope {
    RCP_LIMIT_OF_RUNS,   /* a run of the program: recording, replays */
    RCP_LIMIT_OF_EVENTS, /* the events that are made of a recorded run, which are kept: another value makes them anew */
    RCP_LIMIT_OF_ANALYSES, /* what is done with them */
} rcp_limit_scope;

typedef struct rcp_limit_row {
    const char *name; /* "solver-steps" */
    rcp_limit_scope scope;
    uint64_t value, least, most; /* `value`: unless the command line says otherwise */
    const char *unit;
    const char *sentence; /* what was not looked at where it was reached; NULL: nothing is left out */
} rcp_limit_row;

/* For arrays that hold as many as a limit may be. */
enum {
    RCP_MOST_INSTANCES = 100,
    RCP_MOST_SOURCES = 256,
    RCP_MOST_HISTORY = 32,
    RCP_MOST_WAYS = 64,
    RCP_MOST_RETRIES = 64,
    RCP_MOST_STRING = 1 << 16,
    RCP_MOST_CELLS = 64,
    RCP_MOST_GUARDED = 64,
    RCP_MOST_SLOTS = 3840,
    RCP_MOST_STANDING = 8,
};

extern uint64_t rcp_limit_values[RCP_LIMITS];
static inline uint64_t rcp_limit(rcp_limit_name name) { return rcp_limit_values[name]; }

const rcp_limit_row *rcp_limit_borrow(rcp_limit_name name);
/* By its name, of `n` letters; false: there is none. */
bool rcp_limit_find(const char *word, size_t n, rcp_limit_name *name);
/* Fails where the value is out of range; the cause says which there is. */
rcp_code rcp_limit_set(rcp_limit_name name, uint64_t value) RCP_MUST_USE;
/* The same of "NAME=N". */
rcp_code rcp_limits_assign(const char *assignment) RCP_MUST_USE;

/* --- what was left out --- */

typedef struct rcp_limit_counts {
    uint64_t at[RCP_LIMITS];
} rcp_limit_counts;

/* Before the first worker is forked: from here on their counts are ours. */
rcp_code rcp_limits_share(void) RCP_MUST_USE;
/* Something is left out at this limit, here and now; or so many things are. */
void rcp_limit_reached(rcp_limit_name name);
void rcp_limit_reached_times(rcp_limit_name name, uint64_t times);
/* From here on this process's counts go to `counts`, which is not cleared; NULL: to where all of them go. Returns where
 * they went before. Does not nest across threads: there is one place for the process. */
rcp_limit_counts *rcp_limits_capture(rcp_limit_counts *counts);
/* What was captured, as if it were reached now. */
void rcp_limits_add(const rcp_limit_counts *counts);
/* All that was counted and captured by nobody. */
void rcp_limits_sum(rcp_limit_counts *counts);
/* The events of a run are made once more, by the same rules: what is left out then was counted the first time. Holds
 * for this process, and for those that it forks meanwhile. Returns what it was before. */
bool rcp_limits_repeat_events(bool is_repetition);

#endif
