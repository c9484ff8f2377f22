/* SPDX-License-Identifier: Apache-2.0 */
/* Seconds, for budgets and for saying how long something took. (The clocks of partial orders are order/engine/clock.h.)
 *
 * Nothing that is decided may hang on them but where a budget of seconds ends something, and that is said then.
 */
#ifndef RECIPE_BASE_CLOCK_H
#define RECIPE_BASE_CLOCK_H

/* Since some moment in the past; never goes back, and nobody sets it. */
double rcp_seconds_now(void);
/* Of the processor, by this process: what does not hang on what else the machine does. */
double rcp_seconds_used(void);

#endif
