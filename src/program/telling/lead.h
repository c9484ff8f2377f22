/* SPDX-License-Identifier: Apache-2.0 */
/* The two re-executions that make events of a recorded run: the first finds out which memory is shared
 * (program/telling/sharing.h), the second tells what was done with it (program/telling/sink.h). Both are clients of the
 * machine (program/machine/client.h), which see the same run: telling.h is told of all that happens in either.
 *
 * The first one's result is the sharing; the second one must be given the same, and the same names of threads.
 * Everything is borrowed.
 */
#ifndef RECIPE_PROGRAM_TELLING_LEAD_H
#define RECIPE_PROGRAM_TELLING_LEAD_H

#include "program/machine/reexecute.h"
#include "program/telling/checkpoints.h"
#include "program/telling/sink.h"
#include "program/telling/state.h"

/* Where a pass ends. All zero: at the log's end, or it fails. */
typedef struct rcp_lead_end {
    rcp_cut until;
    bool may_be_cut;        /* by the clock, and then the result says where: what comes before is all that is told */
    uint64_t most;          /* the same by events of the program, about; 0: by none */
    const rcp_stand *stops; /* the same once all of these are behind */
    size_t n_stops;
} rcp_lead_end;

/* Fills `sharing` and `names`; the result as far as it got, on failure too. */
rcp_code rcp_lead_sharing(const char *directory, rcp_lead_end end, rcp_sharing *sharing, rcp_thread_names *names,
                          rcp_reexecution *result) RCP_MUST_USE;

typedef struct rcp_lead_purpose {
    rcp_sharing *sharing;
    rcp_sink *sink;
    rcp_thread_names *names;
    rcp_checkpoints *checkpoints; /* makes them on its way; NULL: none are wanted */
    rcp_override *change;         /* of one read; NULL: none */
    rcp_watches *watches;         /* of the first: it ends when they are over; NULL: none */
    rcp_lead_end end;
} rcp_lead_purpose;
rcp_code rcp_lead_terms(const char *directory, const rcp_lead_purpose *purpose, rcp_reexecution *result) RCP_MUST_USE;

/* Of a run that such a pass leads: how many events it has told. */
uint64_t rcp_lead_told(const rcp_run *run);
/* What is told from here on is noted, too. */
void rcp_lead_note(rcp_run *run, rcp_notes *notes);

#endif
