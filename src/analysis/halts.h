/* SPDX-License-Identifier: Apache-2.0 */
/* Where all threads of a run could come to wait for good: standstills. A standstill is a state in which each thread has
 * ended, is not created yet, or stands before a call that waits, and that nobody is left to let go on: a lock that
 * another one has, a semaphore at 0, a condition without a signal, a generation of a barrier that is not complete, the
 * end of a thread that stands, a once that one of them has begun. So whatever was executed before, nothing comes after
 * it, and it is a deadlock of the whole program.
 *
 * A *halt* says of each thread how many of its events have come. Who has which lock, how often a semaphore was posted
 * and a barrier entered is the same whatever their order is; so this list has every set of such prefixes that could be
 * a standstill, and whether there is an order that leads there is the ladder's to say (rcp_ladder_still()).
 *
 * Invariant: a standstill whose events are all of this run is one of the list, unless the list is cut. The list owns
 * its halts, and borrows the trace.
 */
#ifndef RECIPE_ANALYSIS_HALTS_H
#define RECIPE_ANALYSIS_HALTS_H

#include "analysis/decisions.h"
#include "predict/facts/run_facts.h"

typedef struct rcp_halt {
    rcp_position *upto;       /* by thread */
    RCP_VEC(uint32_t) asleep; /* WAITs that nothing has woken */
    uint64_t key;             /* the same for the same decisions, whatever run it was found in */
    uint64_t shape;           /* the same where threads wait for the same at the same places */
} rcp_halt;

typedef struct rcp_halts {
    RCP_VEC(rcp_halt) at;
    bool is_cut; /* there are more of them than the limit hunt-stands lets be looked at */
} rcp_halts;

/* `waits`: the events that are calls which wait as long as it takes, ascending. */
void rcp_halts_list(const rcp_run_facts *facts, const rcp_decisions *decisions, const uint32_t *waits, size_t n,
                    rcp_halts *list);
void rcp_halts_finish(rcp_halts *list);

#endif
