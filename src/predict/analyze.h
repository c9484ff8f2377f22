/* SPDX-License-Identifier: Apache-2.0 */
/* The models that predict: candidates, then the ladder, one race per static pair; results are given out as they come.
 *
 * Of a static pair the instances are tried from the closest to the widest, under the weakest model asked for. What that
 * model excludes no stricter one allows; what it proves is then tried under the stricter ones, for a race is named
 * after the strictest model that proves it. A proof under a stricter model is one under the weaker ones.
 *
 * Invariant: every race given out as proven has a witness that the checker accepted. The same trace gives the same
 * races in the same order, unless the budget of seconds ends the analysis early. The caller owns what it is given.
 */
#ifndef RECIPE_PREDICT_ANALYZE_H
#define RECIPE_PREDICT_ANALYZE_H

#include "base/text.h"
#include "predict/blame.h"
#include "predict/facts/candidates.h"
#include "predict/solve/ladder.h"
#include "predict/facts/warnings.h"
#include "results/race.h"

/* The models that are here. */
#define RCP_PREDICT_MODELS                                                                                             \
    (RCP_MODEL_BIT(RCP_MODEL_MC) | RCP_MODEL_BIT(RCP_MODEL_RV) | RCP_MODEL_BIT(RCP_MODEL_RECIPE_S))

/* Where what was found about a pair is kept until the analysis is over, so that one that was killed is gone on with.
 * `pair`: its first instance; `options`: what outcomes depend on. */
typedef struct rcp_predict_memory {
    bool (*recall)(void *context, uint64_t options, const rcp_eid pair[2], rcp_text *found);
    rcp_code (*keep)(void *context, uint64_t options, const rcp_eid pair[2], const void *found, size_t n);
    void *context;
} rcp_predict_memory;

typedef struct rcp_predict_options {
    uint32_t models; /* of RCP_PREDICT_MODELS */
    rcp_ladder_limits limits;
    /* Of the trace, at most; 0: the limit events. It is held in memory, some 150 bytes for each event. Of a longer one
     * the beginning is looked at: it is an execution, so a race in it is a race. */
    uint64_t events;
    double seconds; /* what is left then is undecided; 0: no end */
    unsigned jobs;  /* processes beside each other; 0: as many as there are cores. The outcome is the same */
    bool spurious_wakeups;
    bool z3;          /* the papers' way (predict/rival/rival.h) instead of the ladder; limits.steps are Z3's then */
    const char *smt2; /* NULL, or a directory: every query is left there as SMT-LIB */
    const rcp_predict_memory *memory;                         /* NULL: none */
    void (*progress)(void *context, size_t done, size_t all); /* NULL, or told of pairs; with the sink's context */
    /* NULL, or pairs of which it says so are not looked at; with the sink's context */
    bool (*is_known)(void *context, const rcp_trace *trace, rcp_candidate first);
    const rcp_warnings *warnings; /* NULL, or only pairs at these places are looked at */
    bool blames; /* of pairs that are no race it is asked whether calls outside, or the allocator, are to blame */
} rcp_predict_options;

/* What has become of a warning. A pair that several static ones share gets the gravest answer. */
typedef enum rcp_warned {
    RCP_WARNED_NOT_THERE, /* one of the places has no access in the trace */
    RCP_WARNED_UNSEEN,    /* nor has it, or a race, in the part of the trace that was looked at: there is more of it */
    RCP_WARNED_NONE,      /* no race */
    RCP_WARNED_ASSUMED,   /* the same, but by what is only assumed: report.warned_for says what */
    RCP_WARNED_UNKNOWN,
    RCP_WARNED_PROVED,
} rcp_warned;

/* Static pairs that only calls of a function outside rule out, or only that memory was given out again. */
typedef struct rcp_lost {
    rcp_blame to;
    uint64_t pairs;
} rcp_lost;

typedef struct rcp_predict_report {
    rcp_analysis analysis;                                              /* static pairs; `seconds` included */
    uint64_t conflicts, by_lock, by_order, by_history, left, forgotten; /* dynamic pairs, as in candidates.h */
    uint64_t events; /* in which they were looked for: all, or those before the deadline */
    rcp_ladder_stats ladder;
    uint64_t by_opaque;       /* static pairs that are no race because of opaque code alone */
    uint64_t by_reuse;        /* and because memory was given out again */
    RCP_VEC(rcp_lost) lost;   /* of these by who is to blame, in no order; what is not known of one is not among them */
    rcp_inside_counts inside; /* calls outside whose accesses nobody looks at */
    uint64_t recalled;        /* pairs that an earlier analysis had decided */
    uint64_t at_first_look;   /* races that the first look at each pair showed */
    uint64_t looked;          /* pairs that had it; the time of all others was over */
    double looked_seconds;    /* when that was, from the beginning */
    uint64_t unsaved;         /* queries that were too large for options.smt2 */
    RCP_VEC(uint8_t) warned;  /* rcp_warned, one per warning */
    RCP_VEC(char *)
    warned_for; /* beside it: what it was ruled out by, in words, where that is only assumed; else NULL */
} rcp_predict_report;

void rcp_predict_report_finish(rcp_predict_report *report);

/* A race, or a pair that stayed undecided. It is the caller's: taken over, or finished. */
typedef rcp_code rcp_predict_sink(void *context, rcp_race *race);

/* `groundwork` is of the trace, or of as much of its beginning as is looked at, with options->spurious_wakeups. */
rcp_code rcp_predict_analyze(const rcp_groundwork *groundwork, const rcp_predict_options *options,
                             rcp_predict_sink *sink, void *context, rcp_predict_report *report) RCP_MUST_USE;

/* Of all limits but those of time: what is answered under the same ones is answered again. */
uint64_t rcp_predict_limits_hash(void);

#endif
