/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of a hunt: what it works with, and what it comes to know of each run.
 *
 *   hunting.c       which run comes next, and what comes of it all
 *   hunt_orders.c   which messages could come in another order
 *   hunt_asking.c   what the threads of a run could decide otherwise, and whether there is an order for it
 *   hunt_leading.c  the program is led along an order, and what it did is taken
 *   hunt_work.c     the runs that are known; what is kept of them
 *
 * Invariant: whatever is kept was kept whole (analysis/hunt_state.h). The work owns all that is in it but the notices.
 */
#ifndef RECIPE_ANALYSIS_HUNT_WORK_H
#define RECIPE_ANALYSIS_HUNT_WORK_H

#include "analysis/atomicity.h"
#include "analysis/hunt_seen.h"
#include "analysis/hunt_state.h"
#include "analysis/leftovers.h"
#include "analysis/staged.h"
#include "analysis/study.h"

#include <signal.h>

typedef struct rcp_hunting_how {
    double limit;                      /* of one run of the program, seconds; 0: as usual */
    double began;                      /* whatever the hunt is a part of, by rcp_seconds_now() */
    double end;                        /* of all, by rcp_seconds_now(); 0: none */
    const volatile sig_atomic_t *stop; /* no further run is begun once it is set */
    bool prints_to_nobody;             /* the recorded run did, on both standard streams */
    int usual_signal;                  /* by which the recorded run ended; 0: none */
    bool atomicity;                    /* what other threads' sections part is looked for in each recording, too */
} rcp_hunting_how;

typedef struct rcp_hunt_work {
    rcp_study study;
    rcp_study_options options;
    const rcp_hunting_how *how;
    const rcp_notices *notices;
    rcp_staged staged;
    rcp_leftovers leftovers;
    rcp_hunt_state state; /* what is kept for a later call */
    uint64_t asking;      /* under which options it was found out */
    rcp_hunt_seen seen;
    rcp_atomicity atomicity;
    bool is_parting; /* what others' sections part is looked for: it is asked for, or was by an earlier call */
    rcp_limit_counts ended_by; /* limits of the hunt as a whole */
    rcp_limit_counts charged;  /* up to now, to some run or to none */
    RCP_VEC(const char *) reasons;
    uint64_t bytes, most; /* of the directory; of the largest run in it */
    bool is_full;
    double began, kept; /* this call; when the state was kept last */
} rcp_hunt_work;

/* What a turn is to come to; or two messages, of which `later` is to come before the one at `place`. */
typedef struct rcp_hunt_goal {
    rcp_hunt_run *from;
    rcp_hunt_turn *of; /* NULL: it is two messages */
    rcp_decisions_place place, later;
    bool is_kept; /* a value, of which it is told that it is what it was: any number of them */
    uint64_t side;
    bool has_ended; /* the run that was led there ended where it was to decide */
} rcp_hunt_goal;

static inline const rcp_decision *rcp_hunt_own_of(const rcp_hunt_goal *aim) {
    return rcp_decisions_borrow(&aim->from->decisions, aim->place);
}
static inline uint64_t rcp_hunt_side_in(const rcp_hunt_goal *aim, const rcp_decision *decision) {
    return aim->is_kept ? decision->value : decision->side;
}

/* Nothing goes on; what is under way may have been ended before it could show anything. */
bool rcp_hunt_is_cut(const rcp_hunt_work *work);
bool rcp_hunt_is_over(const rcp_hunt_work *work);
/* What was left out since the last time is on this run's account; NULL: on nobody's. What an end by the clock has left
 * open is not kept. */
void rcp_hunt_charge(rcp_hunt_work *work, rcp_hunt_run *run);
/* Of a class that nobody has seen: *run is the work's from then on; else NULL. Its trace is loaded. `aim`: NULL, or
 * what it was led to. */
rcp_code rcp_hunt_take_run(rcp_hunt_work *work, rcp_subject *subject, rcp_hunt_goal *aim,
                           rcp_hunt_run **run) RCP_MUST_USE;
/* Races, and what is parted where that is asked for. `made`: runs before it was. */
rcp_code rcp_hunt_search(rcp_hunt_work *work, rcp_hunt_run *run, uint64_t made) RCP_MUST_USE;
bool rcp_hunt_is_to_part(const rcp_hunt_work *work, const rcp_hunt_run *run);
/* A recording shows something: which run it is is known from here on. */
rcp_code rcp_hunt_put_find(const rcp_hunt_work *work, uint32_t variant, uint64_t made) RCP_MUST_USE;
/* Of all calls. */
double rcp_hunt_seconds(const rcp_hunt_work *work);
/* How far it is, on the curve and to whoever looks on. */
void rcp_hunt_note_point(rcp_hunt_work *work);
/* From here on a later call knows it. */
rcp_code rcp_hunt_keep(rcp_hunt_work *work) RCP_MUST_USE;
rcp_code rcp_hunt_put_atomicity(const rcp_hunt_work *work) RCP_MUST_USE;
/* A recording has stayed. Where one as large as any has no more room, those go that nobody needs. */
rcp_code rcp_hunt_measure(rcp_hunt_work *work, uint32_t variant) RCP_MUST_USE;

#endif
