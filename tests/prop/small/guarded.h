/* SPDX-License-Identifier: Apache-2.0 */
/* A small program as the papers' guarded formula (predict/rival/guarded.h), and the races that Z3 finds in it: a second
 * opinion on recipe and recipe+, made of the program's operations alone.
 *
 * Programs that wait for conditions are not told, nor those whose loops run longer than they are unrolled.
 */
#ifndef RECIPE_PROP_SMALL_GUARDED_H
#define RECIPE_PROP_SMALL_GUARDED_H

#include "prop/small/explore.h"

typedef struct rcp_small_guarded {
    bool is_told;
    unsigned asked, unknown; /* pairs of static locations */
    rcp_small_races races;
    rcp_small_races undecided;
} rcp_small_guarded;

void rcp_small_guard(const rcp_small_program *program, rcp_small_guarded *guarded);
void rcp_small_guarded_finish(rcp_small_guarded *guarded);

#endif
