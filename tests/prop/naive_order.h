/* SPDX-License-Identifier: Apache-2.0 */
/* hb, shb and c11 by their definition: all edges of docs/orders.md (c11: and of docs/semantics.md) between all pairs of
 * events, a transitive closure over a matrix, and every pair looked at. Slow and plain; shares nothing with src/order.
 *
 * The caller owns the list.
 */
#ifndef RECIPE_PROP_NAIVE_ORDER_H
#define RECIPE_PROP_NAIVE_ORDER_H

#include "trace/model/trace.h"

#include <stdbool.h>

typedef struct rcp_naive_race {
    rcp_eid earlier, later;
    uint64_t lo, hi; /* from the lowest to past the highest byte in common */
} rcp_naive_race;

typedef RCP_VEC(rcp_naive_race) rcp_naive_races;

/* `trace` is indexed. Races by later event, then by the earlier one's thread; of each thread the last access, or, by
 * place, the last one of each place and kind, in their order. */
typedef enum rcp_naive_kind { RCP_NAIVE_ORDER_HB, RCP_NAIVE_ORDER_SHB, RCP_NAIVE_ORDER_C11 } rcp_naive_kind;
void rcp_naive_order(const rcp_trace *trace, rcp_naive_kind kind, bool by_place, rcp_naive_races *races);
/* Whether event i comes before event j, at i * n + j, when j is compared with it. From rcp_alloc(). */
bool *rcp_naive_take_before(const rcp_trace *trace, rcp_naive_kind kind);

/* Edges alone, for prop/naive_weak.c; at most 64 events. pre[j]: the set of events before j, bit by bit; post[j]: those
 * that are taken after its race check. */
typedef enum rcp_naive_sort {
    RCP_NAIVE_HB,
    RCP_NAIVE_LOOSE,           /* without the hand-over of locks */
    RCP_NAIVE_NECESSARY,       /* only what every schedule must keep */
    RCP_NAIVE_NECESSARY_FREED, /* and a FREE before what uses the freed memory */
} rcp_naive_sort;

void rcp_naive_edges(const rcp_trace *trace, rcp_naive_sort sort, uint64_t *pre, uint64_t *post);
/* Have they a byte in common, in one life? */
bool rcp_naive_overlap(const rcp_trace *trace, size_t i, size_t j);
/* The same of one byte. */
bool rcp_naive_share(const rcp_trace *trace, size_t i, size_t j, uint64_t byte);
/* 1 + who wrote the byte last before event i, in its life; 0: nobody. */
size_t rcp_naive_writer(const rcp_trace *trace, size_t i, uint64_t byte);
/* Do events i < j conflict? Then [*lo, *hi) are the bytes in which they do. */
bool rcp_naive_conflict(const rcp_trace *trace, size_t i, size_t j, uint64_t *lo, uint64_t *hi);

#endif
