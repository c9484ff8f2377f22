/* SPDX-License-Identifier: Apache-2.0 */
/* What would cure a race of c11: memory orders, by their places in the source, that order the two accesses if they are
 * stronger, as often as the run has them. The fewest changes first; of as many, those that ask for least.
 *
 * Every set of changes that is named was put to the judge (trace/check/language.h), instance by instance, and none that
 * is part of it orders all of them. Where even all of them together do not, no memory order cures it.
 *
 * The caller owns the text; trace and instances are borrowed.
 */
#ifndef RECIPE_ORDER_PROOF_CURE_H
#define RECIPE_ORDER_PROOF_CURE_H

#include "base/text.h"
#include "trace/check/language.h"

#define RCP_CURE_CHANGES 4 /* of one cure, at most */
#define RCP_CURES        10
#define RCP_CURE_PLACES  24 /* that are looked at */

typedef struct rcp_cure {
    rcp_order_change change[RCP_CURE_CHANGES]; /* each at another place */
    size_t n;
} rcp_cure;

/* What is at such a place. */
typedef struct rcp_cure_place {
    rcp_loc place, loc; /* in the program's own code; the operation's own */
    uint8_t kind, order;
    uint64_t addr;  /* 0: a fence's, or not always the same */
    bool is_always; /* of that order */
} rcp_cure_place;

typedef struct rcp_cures {
    rcp_cure at[RCP_CURES];
    size_t n;
    rcp_cure_place places[RCP_CURE_PLACES];
    size_t n_places;
    bool is_none; /* no memory orders order the two */
} rcp_cures;

/* Accesses of the two places that the language leaves unordered. */
typedef struct rcp_cure_instance {
    rcp_eid earlier, later;
} rcp_cure_instance;

/* *left: events that may be walked over; what were are taken from it. Neither a cure nor `is_none`: that has ended the
 * search, or it takes more changes. */
void rcp_cures_find(const rcp_trace *trace, const rcp_cure_instance *instances, size_t n, uint64_t *left,
                    rcp_cures *cures);
/* Adds two sentences: "Cure, in this run: the store at a.c:31:5 release and the load at b.c:52:9 acquire; or …. In
 * full: make the store to `ready` (a.c:31:5, now relaxed) release and …." */
void rcp_cures_tell(const rcp_cures *cures, const rcp_defs *defs, rcp_text *to);

#endif
