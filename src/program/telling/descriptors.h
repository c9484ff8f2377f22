/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of the program's own: pipes, pairs of sockets, counters of events, and what watches these. Made by
 * recorded code, and by nobody but this process ever used: whoever has to do with one has to do with nobody but those
 * who have to do with it, too (docs/semantics.md, 'Descriptors of the program's own').
 *
 * The first re-execution follows numbers: which of them leads to which object, from the call that made it to the one
 * that closes it. What each call uses is kept by the call's visit. Whether an object was its own all the time is known
 * at the end; the second re-execution asks then.
 *
 * Invariant: a number that leads to an object here led there in the run, or the run is one in which none is its own
 * (rcp_descriptors_are_own()); and a number that might lead to one, but is not known to, counts as any of them.
 *
 * Ownership: the sharing owns what is kept.
 */
#ifndef RECIPE_PROGRAM_TELLING_DESCRIPTORS_H
#define RECIPE_PROGRAM_TELLING_DESCRIPTORS_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rcp_sharing;
struct rcp_strand;
struct rcp_telling;
struct rcp_visit;

/* What is used beside objects. */
enum {
    RCP_USED_ELSEWHERE = 1, /* what leads out of the process */
    RCP_USED_ANY = 2,       /* it is not known what */
    RCP_USED_CLOCK = 4,     /* the answer hangs on the time */
    RCP_USED_BESIDE = 8,    /* what else the row says of the call */
    RCP_USED_FLAGS = 15
};

typedef struct rcp_used_set {
    uint32_t first, n; /* of `members`: objects, ascending */
    uint32_t flags;
} rcp_used_set;

typedef struct rcp_used {
    uint64_t visit; /* ascending */
    uint32_t set;
} rcp_used;

/* `watcher` watches `watched`: an object, or RCP_WATCHED_… */
typedef struct rcp_watched {
    uint32_t watcher, watched;
} rcp_watched;
#define RCP_WATCHED_ELSEWHERE UINT32_MAX
#define RCP_WATCHED_ANY       (UINT32_MAX - 1)

typedef struct rcp_descriptors {
    RCP_VEC(uint8_t) objects; /* 1: somebody else may have it */
    RCP_VEC(rcp_used) used;
    RCP_VEC(rcp_used_set) sets;
    RCP_VEC(uint32_t) members;
    RCP_VEC(rcp_watched) watched;
    rcp_map set_index; /* hash → sets; of the first re-execution */
} rcp_descriptors;

void rcp_descriptors_init(rcp_descriptors *descriptors);
void rcp_descriptors_finish(rcp_descriptors *descriptors);

/* The first re-execution: the visit, which has its row, begins; its call has returned. */
void rcp_descriptors_begin(struct rcp_telling *telling, const struct rcp_strand *strand, struct rcp_visit *visit);
void rcp_descriptors_return(struct rcp_telling *telling, const struct rcp_strand *strand, const struct rcp_visit *visit,
                            uint64_t result);
/* The runtime says that in this visit (NULL: in none) a number that may be its own was closed, or led elsewhere, or
 * handed on. Where recorded code did it, that is known already. */
void rcp_descriptors_sign(struct rcp_telling *telling, const struct rcp_visit *visit);

/* The second: has the visit to do with no more of the system than objects, and what the flags say? Else `flags` are 0:
 * it is as its row says. `objects`: how many of them there are, borrowed until the next call. */
typedef struct rcp_descriptors_reach {
    uint32_t flags;
    size_t n;
    uint32_t objects[64]; /* there are more: it is any of them */
} rcp_descriptors_reach;
bool rcp_descriptors_of(const struct rcp_telling *telling, uint64_t visit, rcp_descriptors_reach *reach);

#endif
