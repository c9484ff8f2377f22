/* SPDX-License-Identifier: Apache-2.0 */
/* Where another thread could part what a thread read from what it does by that: a read in one section of a lock, an
 * access of the same bytes in a later section of the same lock to which the read matters (its terms say so), and a
 * write of another thread in a section of its own (docs/semantics.md, 'An atomicity violation', U1 and U2).
 *
 * Of a read at one place, an access at another one and a write at a third there are as many instances as the limit
 * atomicity-instances says; a write is the closest one of its thread and place. Bytes are at most 8, the same ones in
 * all three.
 *
 * Invariant: whether the write can come between is not known yet. Sections are those of the facts, borrowed.
 */
#ifndef RECIPE_ANALYSIS_PARTINGS_H
#define RECIPE_ANALYSIS_PARTINGS_H

#include "predict/facts/run_facts.h"

typedef struct rcp_parting {
    uint32_t read, access, write;
    const rcp_critical *of_read, *of_access, *of_write;
    const rcp_critical *begins; /* where the writer's operation does: of_write, or an earlier section of its thread in
                                   which it read what matters to the write */
    uint64_t places;            /* a number for the three: the same in every run of the program */
    uint64_t own;               /* the same for the read and the access */
} rcp_parting;

typedef struct rcp_partings {
    RCP_VEC(rcp_parting) at; /* by the access */
    rcp_map instances;       /* of places, and of those of a read and an access: how many there are */
} rcp_partings;

/* `facts` of a trace that is indexed. */
void rcp_partings_find(rcp_partings *partings, const rcp_run_facts *facts);
/* Are there more of the same places than are listed? */
bool rcp_partings_is_cut(const rcp_partings *partings, const rcp_parting *parting);
void rcp_partings_finish(rcp_partings *partings);

#endif
