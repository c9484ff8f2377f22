/* SPDX-License-Identifier: Apache-2.0 */
/* Forced writes: where a branch keeps its outcome, or an address its value, only if a read took what certain writes
 * left, one of these comes before in every feasible execution, and whatever comes before all of them. Handing over a
 * pointer, a flag or a job in a queue forces such an order, and with it most of what real programs do not race on.
 *
 * A read is *settled* once it has its recorded value in whatever execution goes on past this point of its thread: all
 * sources that it could still have left that value, or all others would turn a branch or an address that came since. A
 * write is settled if it leaves what it left when recorded, wherever it is executed.
 *
 * Why statements may support each other: each is of the form 'if this event is executed, then …', and its reason names
 * only what a feasible execution has *before* that event: the source that a read took, what that source read, the
 * branches on the way. Take any execution and the first event of it of which a statement is wrong: the statements that
 * its reason uses are of earlier events, so they are right, and so is this one. Hence any set of statements each of
 * which follows from others of the set is true, cycles through the trace included; the largest one is looked for. For
 * that every write is taken to be settled, and given up where a pass over the trace finds no reason; only what a pass
 * without any such change has said is kept.
 *
 * What opaque code leaves is known to whom the recording shows it, and to nobody else: with it no term has a value, so
 * a read's users rule it out; without a user, the order must (P1 keeps it only while a pair is open).
 *
 * The rule of values is the weakest of those that are searched (recipe-s), so all of it holds of rv and mc, too. A read
 * with many possible sources is passed over: what is said holds, there may be more. Terms over other threads' reads
 * (run_facts.foreign) are not thought of: where there are any, nothing is said.
 *
 * Invariant: edges are by `to`, ascending; both ends are events of different threads. Owns them.
 */
#ifndef RECIPE_PREDICT_FACTS_FORCED_H
#define RECIPE_PREDICT_FACTS_FORCED_H

#include "predict/facts/must.h"

typedef struct rcp_forced {
    rcp_must *must;      /* must-happen-before with all of it, for every event of the trace */
    rcp_edge_list edges; /* events */
    /* A bit per event. By recipe-s's rule, and mc's; rv has more to say of a branch. */
    rcp_bits *steady; /* in whatever execution gets to it a branch goes its way, an access has its address, and a
                         compare-and-swap swaps or does not, as recorded: nothing turns it */
    rcp_bits *idle;   /* steady branches that nobody need look at */
} rcp_forced;

void rcp_forced_find(rcp_forced *forced, const rcp_run_facts *facts, bool spurious_wakeups);
void rcp_forced_finish(rcp_forced *forced);

#endif
