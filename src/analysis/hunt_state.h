/* SPDX-License-Identifier: Apache-2.0 */
/* What a hunt has come to know, and how it is kept: so that a later call goes on where an earlier one ended, was ended
 * or was killed (docs/hunt.md, 'Going on').
 *
 * Of each class one run: what its threads decided, which is all that others are compared with, whether it was analysed,
 * its turns, and how far each was asked about. Kept in results.db: a run's decisions once, when it was made; its turns
 * whenever they have changed; beside them what concerns the hunt as a whole. What is kept at one time is kept whole or
 * not at all.
 *
 * A run whose turns were all asked, and nothing was left out on the way, is settled: nobody needs its recording any
 * more. What was asked under other limits counts where it is settled, and is asked again where it is not.
 *
 * Invariant: a run's turns are of its recording; so one that is not settled has its recording, or nobody can ask.
 * The state owns its runs, and their subjects but the first one's, which is the study's.
 */
#ifndef RECIPE_ANALYSIS_HUNT_STATE_H
#define RECIPE_ANALYSIS_HUNT_STATE_H

#include "analysis/atomicity.h"
#include "analysis/decisions.h"
#include "analysis/hunt_curve.h"
#include "analysis/messages.h"
#include "analysis/subject.h"
#include "analysis/targets.h"
#include "base/limits.h"
#include "base/map.h"

/* How far a turn was asked about: for a side that its thread has come to in no run; then, for each side, in all other
 * runs than those that are known. */
enum { RCP_HUNT_NOT_ASKED, RCP_HUNT_ASKED_ONCE, RCP_HUNT_ASKED };

typedef RCP_VEC(uint64_t) rcp_hunt_ways;

typedef struct rcp_hunt_turn {
    rcp_target at;
    uint64_t place; /* of the decision */
    bool is_twofold;
    uint8_t state;
    uint64_t undecided, left; /* of it, of which nobody knows; that were not asked about */
    rcp_hunt_ways lost;       /* what did not come about is not tried again: ways, */
    rcp_hunt_ways given_up;   /* and those that some run has gone, in further runs */
    /* Ways by which the program ends there, by a signal. Nobody goes on from there, and up to there others do what they
     * also do in runs that do not go that way: so no further run is asked for with such a way (docs/hunt.md). */
    rcp_hunt_ways ended;
} rcp_hunt_turn;

/* Two messages that could come the other way round (analysis/messages.h). What did not come about is not tried again:
 * `lost`. */
typedef struct rcp_hunt_overtaking {
    rcp_overtaking of;
    uint64_t as, else_as; /* who made which call before whom did which: as in this run, and the other way round */
    uint8_t state;        /* as of a turn */
    bool is_undecided, is_lost;
} rcp_hunt_overtaking;

typedef struct rcp_hunt_run {
    rcp_subject *subject; /* rests but while it is asked about; NULL: nobody has its recording any more */
    uint32_t variant;     /* of its recording; 0: the recorded run */
    rcp_decisions decisions;
    char *why_open; /* why it is not closed; NULL: it is */
    bool may_stand; /* its threads could come to wait for good (analysis/halts.h): in so many ways; so many of them */
    uint64_t standings, stood; /* were asked about, */
    uint64_t not_stood;        /* of which the program did not come to these, or nobody knows */
    bool is_searched;          /* for races */
    bool is_parted;            /* for what others' sections part in it, where that is asked for */
    bool is_listed;            /* its turns are */
    uint64_t left;             /* instances and outcomes that are not among them */
    RCP_VEC(rcp_hunt_turn) turns;
    RCP_VEC(rcp_hunt_overtaking) overtakings; /* listed with the turns, and after them in all that is asked */
    rcp_limit_counts reached;                 /* on its account */
    bool is_kept, is_changed;                 /* in results.db; since it was */
} rcp_hunt_run;

typedef struct rcp_hunt_state {
    RCP_VEC(rcp_hunt_run *) runs; /* one of each class, the recorded one first */
    uint64_t made;                /* further runs of the program */
    uint64_t again;               /* of these, of a class that was seen */
    uint64_t pairs;               /* of accesses that were looked at, in all runs */
    double seconds;               /* that earlier calls took */
    rcp_map ends;                 /* ends of runs that were tried once more, by what was said of them */
    rcp_map stands, stood;        /* keys of standstills that were asked about; shapes of those the program came to */
    rcp_hunt_curve curve;
    rcp_atomicity_memory atomicity; /* empty: no call has asked for it; else all later ones do */
} rcp_hunt_state;

void rcp_hunt_state_init(rcp_hunt_state *state);
void rcp_hunt_state_finish(rcp_hunt_state *state);

/* A run that was not there; its decisions are empty. */
rcp_hunt_run *rcp_hunt_state_add(rcp_hunt_state *state, rcp_subject *subject);
bool rcp_hunt_run_is_settled(const rcp_hunt_run *run);
/* Runs that did not come to what they were led to. */
uint64_t rcp_hunt_state_lost(const rcp_hunt_state *state);
/* What threads might decide otherwise, and nobody has carried out, or knows. */
uint64_t rcp_hunt_state_open(const rcp_hunt_state *state);

/* `options`: under which turns were asked, and runs analysed. The analysis was begun. */
rcp_code rcp_hunt_state_keep(rcp_hunt_state *state, rcp_results *results, uint64_t options) RCP_MUST_USE;
/* *is_there: the state was kept; else it is as it was. `first`: the study's, of the recorded run in `directory`. */
rcp_code rcp_hunt_state_recall(rcp_hunt_state *state, rcp_results *results, uint64_t options, const char *directory,
                               rcp_subject *first, bool *is_there) RCP_MUST_USE;

#endif
