/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/acyclic.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define END UINT32_MAX

static uint32_t *numbers(size_t n) { return rcp_alloc_zero(n + 1, sizeof(uint32_t)); }

/* Counting sort of the edges by one end: `first` has n + 2 places and ends as the index of `list`. */
static void arrange(uint32_t n, const rcp_edge *edges, size_t n_edges, bool by_from, uint32_t *first, uint32_t *list) {
    for (size_t i = 0; i < n_edges; i++)
        first[(by_from ? edges[i].from : edges[i].to) + 1]++;
    for (uint32_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    for (size_t i = n_edges; i-- > 0;) {
        uint32_t node = by_from ? edges[i].from : edges[i].to;
        list[--first[node + 1]] = by_from ? edges[i].to : edges[i].from;
    }
    /* first[node + 1] is now where node's list begins: move it down by one place */
    for (uint32_t i = 0; i < n; i++)
        first[i] = first[i + 1];
    first[n] = (uint32_t)n_edges;
}

void rcp_acyclic_init(rcp_acyclic *g, uint32_t n, const rcp_edge *edges, size_t n_edges, const uint32_t *order) {
    *g = (rcp_acyclic){.n = n};
    g->rank = numbers(n);
    g->at = numbers(n);
    g->first_out = numbers(n + 1);
    g->first_in = numbers(n + 1);
    g->out = numbers(n_edges);
    g->in = numbers(n_edges);
    g->head_out = numbers(n);
    g->head_in = numbers(n);
    g->seen = numbers(n);
    g->parent = numbers(n);
    g->parent_tag = numbers(n);
    arrange(n, edges, n_edges, true, g->first_out, g->out);
    arrange(n, edges, n_edges, false, g->first_in, g->in);
    memset(g->head_out, 0xff, n * sizeof *g->head_out);
    memset(g->head_in, 0xff, n * sizeof *g->head_in);
    for (uint32_t i = 0; i < n; i++) {
        g->at[i] = order[i];
        g->rank[order[i]] = i;
    }
    for (size_t i = 0; i < n_edges; i++)
        RCP_CHECK(g->rank[edges[i].from] < g->rank[edges[i].to]);
}

void rcp_acyclic_finish(rcp_acyclic *g) {
    uint32_t *blocks[] = {g->rank,     g->at,      g->first_out, g->first_in, g->out,       g->in,
                          g->head_out, g->head_in, g->seen,      g->parent,   g->parent_tag};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        rcp_release(blocks[i]);
    rcp_vec_finish(&g->links);
    rcp_vec_finish(&g->soon);
    rcp_vec_finish(&g->later);
    rcp_vec_finish(&g->ahead);
    rcp_vec_finish(&g->behind);
    rcp_vec_finish(&g->pool);
    rcp_vec_finish(&g->cycle);
    *g = (rcp_acyclic){0};
}

static void visit(rcp_acyclic *g, bool later, uint32_t node, uint32_t from, uint32_t tag) {
    if (g->seen[node] == g->now)
        return;
    rcp_acyclic_visit next = {node, from, tag};
    if (later)
        rcp_vec_push(&g->later, next);
    else
        rcp_vec_push(&g->soon, next);
}

/* The next node of a search that goes along fixed edges first, so that each is reached over as few others as possible:
 * a cycle is a reason for what is learnt, and the shorter the better. */
static bool go_on(rcp_acyclic *g, uint32_t *node) {
    while (g->soon.len || g->later.len) {
        if (!g->soon.len) {
            memcpy(rcp_vec_extend(&g->soon, g->later.len), g->later.at, g->later.len * sizeof *g->later.at);
            g->later.len = 0;
        }
        rcp_acyclic_visit next = g->soon.at[--g->soon.len];
        if (g->seen[next.node] == g->now)
            continue;
        g->seen[next.node] = g->now;
        g->parent[next.node] = next.parent;
        g->parent_tag[next.node] = next.tag;
        g->work++;
        *node = next.node;
        return true;
    }
    return false;
}

static void set_out(rcp_acyclic *g, uint32_t node) {
    g->now++;
    g->soon.len = g->later.len = 0;
    visit(g, false, node, node, RCP_EDGE_FIXED);
}

/* The nodes from `to` on with a rank up to that of `from`; false where `from` is among them. */
static bool look_ahead(rcp_acyclic *g, uint32_t from, uint32_t to) {
    uint32_t highest = g->rank[from], node;
    g->ahead.len = 0;
    set_out(g, to);
    while (go_on(g, &node)) {
        if (node == from)
            return false;
        rcp_vec_push(&g->ahead, node);
        for (uint32_t i = g->first_out[node]; i < g->first_out[node + 1]; i++)
            if (g->rank[g->out[i]] <= highest)
                visit(g, false, g->out[i], node, RCP_EDGE_FIXED);
        for (uint32_t l = g->head_out[node]; l != END; l = g->links.at[l].next)
            if (g->rank[g->links.at[l].node] <= highest)
                visit(g, true, g->links.at[l].node, node, g->links.at[l].tag);
    }
    return true;
}

static void look_behind(rcp_acyclic *g, uint32_t from, uint32_t to) {
    uint32_t lowest = g->rank[to], node;
    g->behind.len = 0;
    set_out(g, from);
    while (go_on(g, &node)) {
        rcp_vec_push(&g->behind, node);
        for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; i++)
            if (g->rank[g->in[i]] >= lowest)
                visit(g, false, g->in[i], node, RCP_EDGE_FIXED);
        for (uint32_t l = g->head_in[node]; l != END; l = g->links.at[l].next)
            if (g->rank[g->links.at[l].node] >= lowest)
                visit(g, false, g->links.at[l].node, node, g->links.at[l].tag);
    }
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* `list` becomes the ranks of its nodes, ascending, which go to the pool; and then its nodes by rank again. */
static void sort_by_rank(rcp_acyclic *g, uint32_t *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        list[i] = g->rank[list[i]];
        rcp_vec_push(&g->pool, list[i]);
    }
    qsort(list, n, sizeof *list, by_number);
    for (size_t i = 0; i < n; i++)
        list[i] = g->at[list[i]];
}

/* Both groups and the pool in order: where they are many, by looking at all that stand between the two ends. */
static void sort_groups(rcp_acyclic *g, uint32_t lowest, uint32_t highest) {
    g->pool.len = 0;
    if (highest - lowest > 16 * (g->behind.len + g->ahead.len)) {
        sort_by_rank(g, g->behind.at, g->behind.len);
        sort_by_rank(g, g->ahead.at, g->ahead.len);
        qsort(g->pool.at, g->pool.len, sizeof *g->pool.at, by_number);
        return;
    }
    g->behind.len = g->ahead.len = 0;
    for (uint32_t i = lowest; i <= highest; i++) {
        uint32_t node = g->at[i], seen = g->seen[node];
        if (seen == g->now)
            rcp_vec_push(&g->behind, node);
        else if (seen == g->now - 1)
            rcp_vec_push(&g->ahead, node);
        else
            continue;
        rcp_vec_push(&g->pool, i);
    }
}

/* What comes before `from` takes the lower of the ranks that both groups had. */
static void reorder(rcp_acyclic *g, uint32_t lowest, uint32_t highest) {
    sort_groups(g, lowest, highest);
    for (size_t i = 0; i < g->pool.len; i++) {
        uint32_t node = i < g->behind.len ? g->behind.at[i] : g->ahead.at[i - g->behind.len];
        g->rank[node] = g->pool.at[i];
        g->at[g->pool.at[i]] = node;
    }
    g->moves++;
}

bool rcp_acyclic_add(rcp_acyclic *g, uint32_t from, uint32_t to, uint32_t tag) {
    if (g->rank[from] > g->rank[to]) {
        if (!look_ahead(g, from, to)) {
            g->cycle.len = 0;
            for (uint32_t node = from; node != to; node = g->parent[node])
                if (g->parent_tag[node] != RCP_EDGE_FIXED)
                    rcp_vec_push(&g->cycle, g->parent_tag[node]);
            return false;
        }
        look_behind(g, from, to);
        reorder(g, g->rank[to], g->rank[from]);
    }
    g->work++;
    rcp_vec_push(&g->links, ((rcp_acyclic_link){to, tag, g->head_out[from]}));
    g->head_out[from] = (uint32_t)g->links.len - 1;
    rcp_vec_push(&g->links, ((rcp_acyclic_link){from, tag, g->head_in[to]}));
    g->head_in[to] = (uint32_t)g->links.len - 1;
    return true;
}

void rcp_acyclic_remove(rcp_acyclic *g, uint32_t from, uint32_t to) {
    RCP_DCHECK(g->head_out[from] == g->links.len - 2 && g->head_in[to] == g->links.len - 1);
    g->head_out[from] = g->links.at[g->head_out[from]].next;
    g->head_in[to] = g->links.at[g->head_in[to]].next;
    g->links.len -= 2;
}
