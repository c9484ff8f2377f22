/* SPDX-License-Identifier: Apache-2.0 */
/* A witness in terms of the program: which thread runs up to which of its own events (abi/run.h), until both racing
 * accesses are next.
 *
 * A witness (trace/model/witness.h) orders the events of a trace. Its recorded beginning becomes the recorded schedule,
 * turn by turn, so that what no event tells (the order of output, who allocates first) is as it was, too. Each of its
 * steps becomes 'this thread, until it stands after that event'. In the end both threads are led right before their
 * accesses; and on the way, where there is a tour, before those of other races.
 *
 * Handlers of signals begin where they began.
 *
 * The plan owns its schedule, roles, handlers, sides and names.
 */
#ifndef RECIPE_REPLAY_PLAN_H
#define RECIPE_REPLAY_PLAN_H

#include "abi/run.h"
#include "program/recording/schedule.h"
#include "replay/tour.h"
#include "results/standstill.h"

/* Another race on the way: which of those that the tour was asked for; its accesses, where they were found. */
typedef struct rcp_plan_side {
    size_t pair;
    rcp_eid event[2];
} rcp_plan_side;

typedef struct rcp_plan {
    rcp_schedule schedule;
    RCP_VEC(struct rcp_run_role) roles; /* by the number that a thread had in the recorded run */
    RCP_VEC(struct rcp_run_handler) handlers;
    uint64_t signals;              /* as of struct rcp_run_config */
    struct rcp_run_access race[2]; /* in the order of the trace */
    RCP_VEC(struct rcp_run_side) sides;
    RCP_VEC(rcp_plan_side) beside; /* the same ones */
    bool is_state[2];              /* BY_CALL: it is surely made, and before all else that the call does */
    char *callee[2];               /* BY_CALL: the name of what makes it; NULL: not known */
    uint64_t recorded;             /* the first so many steps are the recorded ones */
    uint64_t turn;                 /* where they end: in the turn that this many SLICEs begin; 0: there are none */
    RCP_VEC(struct rcp_run_stand) stands; /* of a deadlock, instead of `race` */
    bool is_through;                      /* the steps end after both accesses */
    uint64_t older_step;                  /* as of struct rcp_run_config; 0: both accesses are where the steps end */
    bool is_late;                         /* and the write comes late: the next step leads past it */
    struct rcp_run_step last;             /* and in it, where that thread stands before that position */
} rcp_plan;

/* Along the race's witness; or, where there is a tour and it has stops, along that, which was made for these pairs.
 * `plan` is the caller's to finish, also where this fails. */
rcp_code rcp_plan_make(rcp_plan *plan, const char *directory, rcp_reader *reader, const rcp_race *race,
                       const rcp_tour *tour, const rcp_tour_pair *pairs) RCP_MUST_USE;
/* The recorded schedule up to the later access of the race, a read; and on the way its thread is stopped before the
 * earlier one, a write (runtime/older.h). The race's witness is the recorded beginning up to the later one. */
rcp_code rcp_plan_make_older(rcp_plan *plan, const char *directory, rcp_reader *reader,
                             const rcp_race *race) RCP_MUST_USE;
/* Along the race's witness, which ends before the later access, whatever it is; and on the way the thread of the
 * earlier one, a write that comes late, is stopped before it and after it. The recorded beginning ends before that
 * write. */
rcp_code rcp_plan_make_late(rcp_plan *plan, const char *directory, rcp_reader *reader,
                            const rcp_race *race) RCP_MUST_USE;
/* Along the witness of a deadlock, until each of its threads stands before its call. */
rcp_code rcp_plan_make_stand(rcp_plan *plan, const char *directory, rcp_reader *reader,
                             const rcp_standstill *standstill) RCP_MUST_USE;
/* Along the race's witness, which has both accesses on its way; where that has no steps, the recorded schedule through
 * both. */
rcp_code rcp_plan_make_through(rcp_plan *plan, const char *directory, rcp_reader *reader,
                               const rcp_race *race) RCP_MUST_USE;
void rcp_plan_finish(rcp_plan *plan);

#endif
