/* SPDX-License-Identifier: Apache-2.0 */
/* The order that every schedule of a cone (order/proof/cone.h) has to keep: program order, the graph, and what follows
 * from locks and last writers, until nothing more does.
 *
 * - Two sections that exclude each other, where the acquire of one comes before the other's end: it ends before the
 * other begins (if the cone does not have its end, it must). One that holds a racing access comes after all others.
 * - A causal read comes after its last writer, and no other write of the byte in between: one that comes before the
 * read comes before the writer, one that comes after the writer comes after the read.
 * - What uses a life of memory comes before its end.
 * - Who knows the time comes before what was recorded later and is not before its time (P3).
 * An event that would have to come before itself refutes the pair: no choice was made anywhere.
 *
 * Kept as one clock per event of the cone. Meant for cones of some thousand events: it looks at pairs of sections, and
 * of writes and reads of one byte.
 *
 * Invariant: after rcp_saturation_run() returned true, `before` is closed. Owns its tables and borrows the cone, whose
 * need[] it may raise.
 */
#ifndef RECIPE_ORDER_PROOF_SATURATE_H
#define RECIPE_ORDER_PROOF_SATURATE_H

#include "order/proof/cone.h"

typedef struct rcp_saturation_edge {
    uint32_t from, to;
} rcp_saturation_edge;

/* A write, or a causal read with its writer, of one byte. */
typedef struct rcp_saturation_use {
    uint64_t byte;
    uint32_t node, writer; /* writer: 1 + the node that the read reads from, 0: nobody */
    uint32_t life;
    bool writes;
} rcp_saturation_use;

typedef struct rcp_saturation {
    rcp_cone *cone;
    size_t threads, n;
    uint32_t *first;  /* per thread: number of its first event; n at the end */
    uint32_t *tid;    /* per event */
    uint32_t *before; /* n rows of `threads`: how many events of each thread come before, or are, the event */
    RCP_VEC(rcp_saturation_edge) edges;
    RCP_VEC(rcp_saturation_use) uses; /* by byte */
} rcp_saturation;

void rcp_saturation_init(rcp_saturation *saturation, rcp_cone *cone);
void rcp_saturation_finish(rcp_saturation *saturation);
/* False: refuted. */
bool rcp_saturation_run(rcp_saturation *saturation);

#endif
