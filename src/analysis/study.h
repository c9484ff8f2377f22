/* SPDX-License-Identifier: Apache-2.0 */
/* One analysis of one trace directory, as an object: what was asked for, the run it is of, the results that are kept,
 * the time that is left, the pairs that are proven. Every stage takes it (analysis/analyze.h has their order); what one
 * stage has loaded or made, the next one finds there.
 *
 * Invariant: whatever is put into the results went through rcp_make_race() (analysis/make_race.h), or is a statistic.
 * Owns the subject, the results and the map; borrows options and notices.
 */
#ifndef RECIPE_ANALYSIS_STUDY_H
#define RECIPE_ANALYSIS_STUDY_H

#include "analysis/budget.h"
#include "analysis/notices.h"
#include "analysis/subject.h"
#include "base/map.h"
#include "predict/analyze.h"
#include "results/results.h"

/* The models that explore: on the recorded run they prove what recipe-s proves. */
#define RCP_EXPLORING_MODELS (RCP_MODEL_BIT(RCP_MODEL_RECIPE) | RCP_MODEL_BIT(RCP_MODEL_RECIPE_PLUS))

typedef struct rcp_study_options {
    const char *directory;
    const char *opaque, *barriers; /* what is said of functions that are not recorded (analysis/recorded.h); or NULL */
    const char *volatiles;         /* as what volatile accesses count; or NULL */
    uint32_t models;               /* of all stages */
    uint64_t proof_limit;          /* events that the checker may execute for the partial orders */
    rcp_predict_options predict;   /* `seconds`: the budget of the whole; 0: no end */
} rcp_study_options;

typedef struct rcp_study {
    const rcp_study_options *options;
    const rcp_notices *notices;
    rcp_subject run;
    rcp_results *results; /* NULL: there were none when it was opened, and it has not begun */
    rcp_budget budget;
    uint64_t checked;     /* events, from the first on, that are known to be an execution: no others are looked at */
    double check_seconds; /* that it took to know it */
    double told_at;       /* when its events were there, of rcp_seconds_now() */
    uint64_t most;        /* rcp_study_most(); 0: nobody has asked */
    rcp_map known;        /* pairs that are proven: rcp_point_pair() */
    rcp_map by_language;  /* pairs that c11 has: of them a schedule may still be found */
    bool is_by_language;  /* the trace has what c11 needs, and it is asked for */
    RCP_VEC(rcp_witness)
    ways;                /* of races of other models, through the recorded events in another order; c11 takes them */
    uint64_t ways_need;  /* events of the trace that they go through, at most */
    rcp_map spared;      /* pairs that the program asks not to report, likewise: analysis/spared.h */
    uint64_t n_spared;   /* of these */
    uint64_t unaccepted; /* findings that claimed a witness, and the checker refuses it */
    char refusal[256];   /* why, of the first */
} rcp_study;

/* Of a recorded run: its events are there afterwards, as the options and the limits of now would have them. */
rcp_code rcp_study_make_events(const rcp_study_options *options, const rcp_notices *notices) RCP_MUST_USE;

/* Results that are there are opened first: where they can't be added to, that is said before any work is done. Where
 * there are none, they are made by rcp_study_begin(): a trace that turns out to be damaged is left as it was. `study`
 * is the caller's to close, also where this fails. */
rcp_code rcp_study_open(rcp_study *study, const rcp_study_options *options, const rcp_notices *notices) RCP_MUST_USE;
void rcp_study_close(rcp_study *study);
/* From now on races can be put. */
rcp_code rcp_study_begin(rcp_study *study) RCP_MUST_USE;
/* The same, beside what the last study of the same models has put: rcp_results_resume(). */
rcp_code rcp_study_resume(rcp_study *study) RCP_MUST_USE;

/* How often something was left out at each limit, by its name. */
rcp_code rcp_study_keep_limits(const rcp_study *study, const rcp_limit_counts *reached) RCP_MUST_USE;

/* How much of a trace the models that predict look at, at most; and how much of the study's own, which also hangs on
 * the time that was left when that was asked first. */
uint64_t rcp_study_events(const rcp_study_options *options);
uint64_t rcp_study_most(rcp_study *study);
/* The partial orders among the models. */
uint32_t rcp_study_orders(const rcp_study_options *options);

#endif
