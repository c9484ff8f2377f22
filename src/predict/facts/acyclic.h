/* SPDX-License-Identifier: Apache-2.0 */
/* A directed graph that stays acyclic, and a total order of its nodes that agrees with it, kept up as edges come and go
 * (Pearce and Kelly: A dynamic topological sort algorithm for directed acyclic graphs, 2006).
 *
 * The naive model is a topological sort after every edge. Here an edge that agrees with the order costs nothing, and
 * one that does not moves only the nodes between its ends. Fixed edges come with the graph; others are added and taken
 * away again, the last one first. Taking one away leaves the order as it is: it still agrees.
 *
 * Invariant: rank[] and at[] are inverse permutations, and rank[from] < rank[to] for every edge. The graph owns its
 * memory.
 */
#ifndef RECIPE_PREDICT_FACTS_ACYCLIC_H
#define RECIPE_PREDICT_FACTS_ACYCLIC_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define RCP_EDGE_FIXED UINT32_MAX /* the tag of a fixed edge */

typedef struct rcp_edge {
    uint32_t from, to;
} rcp_edge;
typedef RCP_VEC(rcp_edge) rcp_edge_list;

typedef struct rcp_acyclic_link {
    uint32_t node, tag, next;
} rcp_acyclic_link;

typedef struct rcp_acyclic_visit {
    uint32_t node, parent, tag;
} rcp_acyclic_visit;

typedef struct rcp_acyclic {
    uint32_t n;
    uint32_t *rank, *at;
    uint32_t *first_out, *first_in; /* fixed edges of node i: out[first_out[i] .. first_out[i + 1]) */
    uint32_t *out, *in;
    uint32_t *head_out, *head_in; /* the others: lists in links; UINT32_MAX ends one */
    RCP_VEC(rcp_acyclic_link) links;
    uint32_t *seen, *parent, *parent_tag;
    uint32_t now;
    RCP_VEC(rcp_acyclic_visit) soon, later;
    RCP_VEC(uint32_t) ahead, behind, pool;
    /* After a refusal: the tags of a path that closes the cycle, fixed edges left out; no path has fewer. */
    RCP_VEC(uint32_t) cycle;
    uint64_t moves; /* how often the order was changed */
    uint64_t work;  /* nodes visited so far: a measure of time that does not depend on the machine */
} rcp_acyclic;

/* `order` lists all n nodes so that it agrees with the fixed edges. */
void rcp_acyclic_init(rcp_acyclic *graph, uint32_t n, const rcp_edge *edges, size_t n_edges, const uint32_t *order);
void rcp_acyclic_finish(rcp_acyclic *graph);
/* false: it would close a cycle, and is not added. */
bool rcp_acyclic_add(rcp_acyclic *graph, uint32_t from, uint32_t to, uint32_t tag);
/* The edge that was added last. */
void rcp_acyclic_remove(rcp_acyclic *graph, uint32_t from, uint32_t to);

#endif
