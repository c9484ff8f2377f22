/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a recorded run, made from its log by two re-executions: the first finds out which memory is shared
 * (program/telling/sharing.h), the second tells what was done with it (program/telling/sink.h). What the first has
 * found out is kept (program/telling/sharing_file.h): whoever tells the run again executes it once.
 *
 * They are made in DIR/events.part and get their name, DIR/events.rcp, when they are whole: whoever finds that has a
 * complete trace.
 */
#ifndef RECIPE_PROGRAM_TELLING_RECORDED_EVENTS_H
#define RECIPE_PROGRAM_TELLING_RECORDED_EVENTS_H

#include "base/status.h"
#include "program/machine/run.h"
#include "program/symbolic/symbolic.h"
#include "program/telling/checkpoints.h"

#include <stdbool.h>
#include <stdint.h>

/* Of events that were told up to a place alone, because the time was over (base/deadline.h): they are the beginning of
 * the run. The trace keeps it, as a fact. */
typedef struct rcp_told_part {
    rcp_cut told;      /* where they end; byte 0: they are whole */
    rcp_cut sharing;   /* where what is shared was looked for up to; byte 0: to the end */
    double part;       /* of the run that is told: rcp_machine_share() */
    double seconds;    /* that there were for it; 0: no end of time was near */
    uint64_t executed; /* events of the program: abi/position.h */
} rcp_told_part;

typedef struct rcp_recorded_events {
    double seconds[2]; /* of each re-execution */
    uint64_t executed; /* events of the program: abi/position.h */
    uint64_t told;     /* events of the trace */
    rcp_told_part cut;
} rcp_recorded_events;

/* Is it a recorded run whose events have not been made? */
bool rcp_recorded_events_are_missing(const char *directory);
/* Of events that are there. */
rcp_told_part rcp_recorded_events_part(const char *directory);
/* Makes them, as many as there is time for; of the first `most` events of the program, about (0: of all). Whatever was
 * left of an earlier attempt is removed. `checkpoints` are made on the way; NULL: none. */
rcp_code rcp_recorded_events_make(const char *directory, uint64_t most, rcp_checkpoints *checkpoints,
                                  rcp_recorded_events *made) RCP_MUST_USE;

/* Makes them until all of these are behind, and a little more: what came then nobody asks about. */
rcp_code rcp_recorded_events_make_until(const char *directory, const rcp_stand *stops, size_t n,
                                        rcp_recorded_events *made) RCP_MUST_USE;

/* The same of events that are there already, farther: they are put beside them, until rcp_recorded_events_turn_over()
 * puts them in their place. */
rcp_code rcp_recorded_events_make_next(const char *directory, uint64_t most, rcp_recorded_events *made) RCP_MUST_USE;
bool rcp_recorded_events_have_next(const char *directory);
rcp_code rcp_recorded_events_turn_over(const char *directory) RCP_MUST_USE;

/* Executes the run again for checkpoints alone: the events are there already, and are not made anew. Once; twice where
 * what the first re-execution found out is not kept, and is kept then. */
rcp_code rcp_recorded_events_again(const char *directory, rcp_checkpoints *checkpoints) RCP_MUST_USE;

/* Of events that are there: may what the run printed have come back to it, or been answered? Also where that is not
 * known, but for what the system refuses. */
rcp_code rcp_recorded_events_may_be_answered(const char *directory, bool *may) RCP_MUST_USE;

/* The events of another run, in a trace that is made at `to`, where none is: one read reads something else
 * (program/symbolic/symbolic.h). They go as far as that run fits the log; *fits says whether to the end. */
rcp_code rcp_recorded_events_change(const char *directory, const char *to, rcp_override *change,
                                    bool *fits) RCP_MUST_USE;

/* The events of the run, with accesses of every variable and block, shared or not (rcp_sharing_tell_all()): a trace and
 * its moments, in the directory `to`, which is made. What was made in `directory` itself stays as it is. */
rcp_code rcp_recorded_events_tell_all(const char *directory, const char *to) RCP_MUST_USE;

#endif
