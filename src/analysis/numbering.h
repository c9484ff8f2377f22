/* SPDX-License-Identifier: Apache-2.0 */
/* Which number a variant gets, DIR/variants/N, when runs are thought out one after the other.
 *
 * An analysis that is done again thinks out the same runs, and its report should say the same: so the first one is
 * number 1 again. What lies there and nothing refers to was left by somebody who was killed, and gives way. What
 * results refer to stays: the same run takes its place, and is told anew, since what lies there may be damaged; where
 * it is another one the next number is tried.
 *
 * Invariant: no two variants of one numbering have the same number. Borrows the directory; owns what it remembers.
 */
#ifndef RECIPE_ANALYSIS_NUMBERING_H
#define RECIPE_ANALYSIS_NUMBERING_H

#include "analysis/study.h"
#include "base/map.h"
#include "base/status.h"

#include <stdint.h>

typedef struct rcp_numbering {
    const char *directory;
    rcp_map used;    /* numbers that results refer to */
    uint32_t next;   /* the number to be tried */
    uint32_t beyond; /* where the next one is made */
} rcp_numbering;

/* What results of this trace refer to; the map is the caller's to finish, also where that fails. */
rcp_code rcp_numbering_list_used(rcp_study *study, rcp_map *used) RCP_MUST_USE;

/* `beyond`: greater than all numbers that are there. */
rcp_code rcp_numbering_begin(rcp_numbering *numbering, rcp_study *study, uint32_t beyond) RCP_MUST_USE;
void rcp_numbering_finish(rcp_numbering *numbering);

/* Where the next one is to be made: nothing is there. The caller's. */
char *rcp_numbering_take_place(const rcp_numbering *numbering);
/* What was made there gets its number, and its log is found in DIR/variants/`number` from now on. */
rcp_code rcp_numbering_settle(rcp_numbering *numbering, uint32_t *number) RCP_MUST_USE;

#endif
