/* SPDX-License-Identifier: Apache-2.0 */
/* Conflicting accesses that an order puts one behind the other: rule (a), of which the order's own rules (`meets` in
 * order/engine/rules.h) make what they will; and the handling of races, which is rule (a) once more.
 *
 * Handling of races (seed 002, sections 5 and 7.1): what is flagged after a race shall not hang on it. So two racing
 * accesses are taken, once they are flagged, as if each were a critical section of one lock by itself: happens-before
 * orders them, wcp and dc do, too, and sdp does where one of them reads; of two writes the earlier one comes before the
 * later one's thread's next read of the place. (wdp's own handling is in order/engine/wdp.c.)
 *
 * Nothing is owned here.
 */
#ifndef RECIPE_ORDER_ENGINE_MEETINGS_H
#define RECIPE_ORDER_ENGINE_MEETINGS_H

#include "order/engine/frame.h"

/* Rule (a): the runner's current event reads or writes the place. */
void rcp_meet(rcp_order_frame *frame, rcp_runner *runner, rcp_shared *shared, bool reads, bool writes, bool atomic);
/* The same for a FREE of what was freed before and not accessed since. */
void rcp_meet_freed(rcp_order_frame *frame, rcp_runner *runner, const rcp_origin *freed);
/* The runner's current event has been found to race with `touch`. `shared` NULL: the place is gone. */
void rcp_meet_racing(rcp_order_frame *frame, rcp_runner *runner, rcp_shared *shared, const rcp_touch *touch,
                     bool reads);

#endif
