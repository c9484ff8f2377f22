/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of the program's own: pipes, pairs of sockets, counters of events, timers, and what watches these. Made
 * by recorded code, and by nobody but this process ever used: whoever has to do with one has to do with nobody but
 * those who have to do with it, too (docs/semantics.md, 'Descriptors of the program's own').
 *
 * The first re-execution follows numbers: which of them leads to which object, from the call that made it to the one
 * that closes it. What each call uses is kept by the call's visit. Whether an object was its own all the time is known
 * at the end; the second re-execution asks then.
 *
 * Invariant: a number that leads to an object here led there in the run, or the run is one in which none is its
 * own; and a number that might lead to one, but is not known to, counts as any of them.
 *
 * Ownership: the sharing owns what is kept.
 */
#ifndef RECIPE_PROGRAM_TELLING_DESCRIPTORS_H
#define RECIPE_PROGRAM_TELLING_DESCRIPTORS_H

#include "program/telling/descriptor_uses.h"

struct rcp_strand;
struct rcp_telling;
struct rcp_visit;

/* The first re-execution: the visit, which has its row, begins; its call has returned. */
void rcp_descriptors_begin(struct rcp_telling *telling, const struct rcp_strand *strand, struct rcp_visit *visit);
void rcp_descriptors_return(struct rcp_telling *telling, const struct rcp_strand *strand, const struct rcp_visit *visit,
                            uint64_t result);
/* The runtime says that in this visit (NULL: in none) the number, or RCP_LOG_ANY_DESCRIPTOR, was closed, or led
 * elsewhere, or handed on. Where recorded code did it, that is known already; where code that is not recorded did it
 * with what leads to no object here, because that code has made it, it does not matter. */
void rcp_descriptors_sign(struct rcp_telling *telling, const struct rcp_visit *visit, uint32_t number);

/* The second: what the visit uses (RCP_USED_*), and the objects. False: it is as its row says. */
typedef struct rcp_descriptors_reach {
    uint32_t flags;
    size_t n;
    uint32_t objects[64]; /* there are more: it is any of them */
} rcp_descriptors_reach;
bool rcp_descriptors_of(const struct rcp_telling *telling, uint64_t visit, rcp_descriptors_reach *reach);

#endif
