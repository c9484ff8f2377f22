/* SPDX-License-Identifier: Apache-2.0 */
/* Timers that are descriptors of the program's own (descriptors.h): may somebody have been told by one that time went
 * by?
 *
 * Where nobody was, all that a timer has said is that its time had not come yet. That stays so if the timer is set
 * later, and if it is asked earlier (docs/semantics.md, 'Descriptors of the program's own').
 *
 * Invariant: a timer of which this is not known counts as one that told.
 *
 * Ownership: nothing is owned here. Of the first re-execution alone.
 */
#ifndef RECIPE_PROGRAM_TELLING_DESCRIPTOR_TIMERS_H
#define RECIPE_PROGRAM_TELLING_DESCRIPTOR_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

struct rcp_telling;
struct rcp_visit;

/* The object is a timer, and was made just now. */
void rcp_timer_made(struct rcp_telling *telling, uint32_t object);
/* The object told it, if it is a timer; every one did that a number leads to now. */
void rcp_timer_told(struct rcp_telling *telling, uint32_t object);
void rcp_timers_told(struct rcp_telling *telling);
/* May the call ask any timer, because nobody knows what it does? */
bool rcp_timers_may_be_asked(const struct rcp_visit *visit);
/* The visit, whose function is known, has returned without an error: which timers told it? */
void rcp_timers_returned(struct rcp_telling *telling, const struct rcp_visit *visit, const uint64_t *words,
                         uint32_t result);

#endif
