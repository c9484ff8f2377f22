/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks that the recorded run did not have: threads that take locks in turn, and could come to wait for each other.
 *
 * One pass over the events finds who asks for a lock while it has others, and the cycles that this makes
 * (predict/facts/lock_orders.h); where there are none, that is all. Else the trace is loaded, if it is not yet, and
 * each cycle is a query: is there an order at whose end all of its threads stand? What the checker accepts is put into
 * the results; whether the program goes there is seen when it is carried out (analysis/replaying.h).
 *
 * A call that does not wait, or only until a time, is in no cycle: of a recorded run its name says so.
 */
#ifndef RECIPE_ANALYSIS_DEADLOCKS_H
#define RECIPE_ANALYSIS_DEADLOCKS_H

#include "analysis/study.h"

rcp_code rcp_deadlocks_find(rcp_study *study) RCP_MUST_USE;

#endif
