/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of the program has shown by itself: two threads stood before conflicting accesses at one moment. Who made
 * them meet does not matter, as long as nothing but who runs was decided for them (analysis/steering.h,
 * analysis/leading.h).
 *
 * The run is kept as a variant, DIR/variants/N: its events are told, it must be an execution, and the checker judges
 * its recorded order up to the moment at which both stood (docs/semantics.md, 'The recorded order'). What passes is a
 * race of the model bold, confirmed. What happened in it is judged by the rules of the language besides
 * (analysis/by_language.h). Runs that show nothing new are removed.
 *
 * Invariant: what is put into the results went through rcp_make_race(). Borrows the study, which has begun.
 */
#ifndef RECIPE_ANALYSIS_SHOWN_H
#define RECIPE_ANALYSIS_SHOWN_H

#include "analysis/study.h"
#include "replay/stage.h"

typedef struct rcp_shown {
    rcp_study *study;
    bool prints_to_nobody;             /* the recorded run did, on both standard streams */
    const char *how;                   /* for people, after 'in a run' */
    uint64_t meetings, refused, races; /* so far */
    RCP_VEC(uint64_t) met;             /* places in the code at which threads have met, each once */
    rcp_map met_index;                 /* of these */
    rcp_map judged; /* two of these -> how often they were judged to no end; or that they are shown */
} rcp_shown;

void rcp_shown_init(rcp_shown *shown, rcp_study *study, bool prints_to_nobody);
void rcp_shown_finish(rcp_shown *shown);

typedef struct rcp_shown_run {
    const rcp_performance *performance; /* its log and image are moved away */
    const struct rcp_run_seen *seen;    /* both stood there */
    size_t n;
} rcp_shown_run;

/* *fresh: pairs of program points that nobody had shown. What can't be executed again shows nothing. A run in which
 * threads have met only where others have been judged before is not told. */
rcp_code rcp_shown_judge(rcp_shown *shown, const rcp_shown_run *run, const rcp_notices *notices,
                         uint64_t *fresh) RCP_MUST_USE;

/* Whoever saw what the program printed, and answered, is not there any more, or finds what another run has printed: a
 * run that heard of it is none of the program's. */
rcp_code rcp_shown_is_deceived(const rcp_shown *shown, const char *directory, bool *is) RCP_MUST_USE;

#endif
