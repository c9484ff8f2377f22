/* SPDX-License-Identifier: Apache-2.0 */
/* Models recipe and recipe+: runs that the recorded one is a neighbour of, each analysed as a recording of its own.
 *
 * For a branch whose condition depends on shared reads the ladder is asked for an order that leads up to it so that it
 * goes the other way (predict/solve/ladder.h); of recipe+ also for one in which an address, or what else is kept as it
 * was, is another. The threads' code is run along that order, and on (program/explore/explore.h). What comes of it is a
 * variant, DIR/variants/N: its events are told, it must be an execution, and the models that predict look at it; a race
 * counts where the code goes along its witness (program/concrete/judge.h). Variants of variants are looked at likewise,
 * so several branches may turn; one in which every thread goes a way that it went already is not.
 *
 * Invariant: what is kept was accepted by the checker and by running the code. Only variants with races stay.
 */
#ifndef RECIPE_ANALYSIS_VARIANTS_H
#define RECIPE_ANALYSIS_VARIANTS_H

#include "analysis/study.h"
#include "base/limits.h"

typedef struct rcp_variants_options {
    uint32_t models;     /* recipe, recipe+ or both. recipe+: addresses may turn out otherwise, too */
    unsigned depth;      /* branches that turn, one after the other */
    size_t most;         /* variants that are made */
    double seconds;      /* of the processor: what is not looked at by then is counted; 0: no end */
    rcp_limit_name time; /* the limit that `seconds` are of */
    double budget;       /* the same, of the clock */
} rcp_variants_options;

typedef struct rcp_variants_report {
    uint64_t branches; /* static ones whose conditions, or addresses, depend on reads that others write */
    uint64_t asked;    /* of these and their kind in variants: how many were asked about */
    uint64_t settled;  /* that can't turn, whatever the order */
    uint64_t made;     /* variants */
    uint64_t again;    /* of these, the same ways as others */
    uint64_t rejected[RCP_EXPLORE_ENDS]; /* threads of variants that went no further, by why */
    rcp_explore_calls calls;             /* at which calls outside */
    uint64_t undecided;                  /* at a limit: whether it can turn is not known */
    uint64_t left;                       /* not asked about, at the limit of variants or of time */
    uint64_t instances;  /* of static branches of which enough were asked about, and none can turn: not asked */
    uint64_t outcomes;   /* of calls, that could be others, and are not looked at */
    uint64_t strayed;    /* the code did not go along the order */
    uint64_t refused;    /* what came out was no execution: a mistake of ours, and counted as such */
    uint64_t not_judged; /* witnesses along which the code could not be run, or did not go: not reported */
    uint64_t cut_off;    /* threads that the recorded run has no end of */
} rcp_variants_report;

/* Of the study's run. Races of pairs that the study does not know are made, and stored. */
rcp_code rcp_variants_explore(rcp_study *study, const rcp_variants_options *options,
                              rcp_variants_report *report) RCP_MUST_USE;

/* The lowest number N that no DIR/variants/N has, nor a higher one. */
uint32_t rcp_variants_next(const char *directory);
/* DIR/variants goes where there is none left. */
void rcp_variants_tidy(const char *directory);
/* Removes all below that number that no race in the results is of, nor an atomicity violation, nor the end of a run
 * that was hunted for, and that no hunt needs to go on. */
rcp_code rcp_variants_remove(rcp_study *study, uint32_t below) RCP_MUST_USE;

#endif
