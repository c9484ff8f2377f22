/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded run once more, one of its reads having read something else: does what follows follow the terms?
 *
 * The changed run is compared with the recorded one event by event. What an event of the recorded run depends on, its
 * terms say; evaluated at what the changed run has read, they predict its address, its written value, its branch. What
 * has no term must be the same. The first event at which a branch, or an address, is predicted to be another one ends
 * the comparison: from there on it is another run.
 *
 * Everything is borrowed for the call.
 */
#ifndef RECIPE_TERMS_CHANGED_RUN_H
#define RECIPE_TERMS_CHANGED_RUN_H

#include "trace/model/trace.h"

typedef enum rcp_change {
    RCP_CHANGE_NOTHING, /* the run is the same to its end: the value mattered to no branch and no address */
    RCP_CHANGE_BRANCH,  /* a branch went the other way, as predicted */
    RCP_CHANGE_PIN,     /* a value that is pinned is another one, as predicted */
    RCP_CHANGE_ADDRESS, /* another address, as predicted */
    RCP_CHANGE_UNKNOWN, /* a term that says nothing, or has no value */
    RCP_CHANGE_WRONG,   /* the prediction was wrong: `why` says how */
    RCP_CHANGES
} rcp_change;

typedef struct rcp_changed_run {
    const rcp_trace *recorded, *changed;
    rcp_eid read;   /* whose value was changed */
    uint64_t value; /* into this */
    bool ended;     /* the changed run came to its end without a mismatch */
    /* out */
    rcp_eid at; /* where the comparison ended */
    char why[512];
} rcp_changed_run;

rcp_change rcp_changed_run_compare(rcp_changed_run *run);

#endif
