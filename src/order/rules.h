/* SPDX-License-Identifier: Apache-2.0 */
/* How a partial order differs from the frame that all of them share (order/engine.h).
 *
 * The frame has what is common: program order, fork and join, synchronisation, lives of memory, and the comparison of
 * an access with those before it. An order says what more it takes from an event *after* its race check: so an edge of
 * the event's own does not hide the race that it takes part in. One file per order (order/hb.c, order/shb.c), one table
 * each.
 */
#ifndef RECIPE_ORDER_RULES_H
#define RECIPE_ORDER_RULES_H

#include "order/clock.h"
#include "results/race.h"

typedef struct rcp_rules {
    rcp_model model;
    /* The runner's current event reads a byte that `writer` wrote last. NULL: nothing to do. */
    void (*reads_from)(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp writer);
    /* The runner's current event accesses or frees a byte that `freed`, a FREE, made free. NULL: nothing to do. */
    void (*uses_freed)(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp freed);
} rcp_rules;

/* NULL: there is no such order, or not yet. */
const rcp_rules *rcp_rules_of(rcp_model model);

#endif
