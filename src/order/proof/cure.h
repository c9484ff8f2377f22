/* SPDX-License-Identifier: Apache-2.0 */
/* What would cure a race of c11: memory orders, by their places in the source, that order the two accesses in the
 * recorded run if they are stronger. The fewest changes first; of as many, those that ask for least.
 *
 * Every set of changes that is named was put to the judge (trace/check/language.h), and none that is part of it orders
 * the two. Where even all of them together do not, no memory order cures it. What another run of the cured program
 * does, nobody has looked at.
 *
 * The caller owns the text; the trace is borrowed.
 */
#ifndef RECIPE_ORDER_PROOF_CURE_H
#define RECIPE_ORDER_PROOF_CURE_H

#include "base/text.h"
#include "trace/check/language.h"

#define RCP_CURE_CHANGES 4 /* of one cure, at most */
#define RCP_CURES        10

typedef struct rcp_cure {
    rcp_order_change change[RCP_CURE_CHANGES]; /* each at another place */
    size_t n;
} rcp_cure;

typedef struct rcp_cures {
    rcp_cure at[RCP_CURES];
    size_t n;
    bool is_none; /* no memory orders order the two */
} rcp_cures;

/* *left: events that may be walked over; what were are taken from it. Neither a cure nor `is_none`: that has ended the
 * search, or it takes more changes. */
void rcp_cures_find(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, uint64_t *left, rcp_cures *cures);
/* Adds a sentence: "Cure, in this run: the store at a.c:31:5 release and the load at b.c:52:9 acquire; or …." */
void rcp_cures_tell(const rcp_cures *cures, const rcp_defs *defs, rcp_text *to);

#endif
