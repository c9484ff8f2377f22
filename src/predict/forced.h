/* SPDX-License-Identifier: Apache-2.0 */
/* Forced writes: where a branch keeps its outcome, or an address its value, only if a read took what certain writes
 * left, one of these comes before in every feasible execution, and whatever comes before all of them. Handing over a
 * pointer, a flag or a job in a queue forces such an order, and with it most of what real programs do not race on.
 *
 * A read is *settled* once it has its recorded value in whatever execution goes on past this point of its thread: all
 * sources that it could still have left that value, or all others would turn a branch or an address that came since. A
 * write is settled if it leaves what it left when recorded, wherever it is executed. What is said of an event rests on
 * events that are executed before it alone, in any execution; so it may be used for other events in whatever order they
 * stand in the trace, and is found in a few passes.
 *
 * The rule of values is the weakest of those that are searched (recipe-s), so all of it holds of rv and mc, too. A read
 * with many possible sources, or one that opaque code may write, is passed over: what is said holds, there may be more.
 *
 * Invariant: edges are by `to`, ascending; both ends are events of different threads. Owns them.
 */
#ifndef RECIPE_PREDICT_FORCED_H
#define RECIPE_PREDICT_FORCED_H

#include "predict/acyclic.h"
#include "predict/run_facts.h"

typedef struct rcp_must rcp_must;

typedef struct rcp_forced {
    rcp_must *must;          /* must-happen-before with all of it, for every event of the trace */
    RCP_VEC(rcp_edge) edges; /* events */
    rcp_bits *idle; /* a bit per event: a BRANCH that keeps its outcome in whatever execution gets to it, so that nobody
                       need look at it (by recipe-s's rule, and mc's; rv has more to say of a branch). NULL: none is */
} rcp_forced;

void rcp_forced_find(rcp_forced *forced, const rcp_run_facts *facts, bool spurious_wakeups);
void rcp_forced_finish(rcp_forced *forced);

#endif
