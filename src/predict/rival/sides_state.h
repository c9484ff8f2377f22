/* SPDX-License-Identifier: Apache-2.0 */
/* What sides.c (nodes), sides_values.c (cells, terms) and sides_ask.c (questions) share. */
#ifndef RECIPE_PREDICT_RIVAL_SIDES_STATE_H
#define RECIPE_PREDICT_RIVAL_SIDES_STATE_H

#include "predict/rival/sides.h"
#include "predict/rival/smt_op.h"

#define RCP_NO_TOLD UINT32_MAX

/* A node in the formula. */
typedef struct rcp_sides_node {
    uint32_t told;     /* its event; RCP_NO_TOLD: it has none (branches) */
    uint32_t stand;    /* the event that its thread has come past when it stands before it; RCP_NO_TOLD: none */
    rcp_formula enter; /* the thread comes there */
    rcp_formula guard; /* and its address is this one */
    rcp_formula has;   /* of what is tried, or may wake by itself */
    uint32_t cell, n_cells;
    size_t values; /* what it reads, by cell, in rcp_sides.values */
} rcp_sides_node;

typedef struct rcp_sides_cell {
    uint32_t life;
    uint64_t lo, hi;
} rcp_sides_cell;

typedef struct rcp_sides_memo {
    rcp_smt_value *value; /* by term id - RCP_TERM_FIRST */
    uint8_t *is_there;
} rcp_sides_memo;

struct rcp_sides {
    const rcp_ways *ways;
    rcp_guarded *g;
    rcp_formulas *pool;
    rcp_smt_ops ops;
    bool spurious, is_narrow;
    rcp_sides_node *nodes;
    RCP_VEC(uint32_t) node_of; /* by event of the formula */
    RCP_VEC(rcp_formula) values;
    RCP_VEC(rcp_sides_cell) cells;
    rcp_map cell_at;       /* life and address → the cell that begins there */
    rcp_sides_memo *memos; /* by run */
    size_t n_runs;         /* the ways may have more by now */
    RCP_VEC(uint32_t) todo;
};

/* sides_values.c */
void rcp_sides_find_cells(rcp_sides *s);
void rcp_sides_cells_of(const rcp_sides *s, const rcp_way_node *node, uint32_t *cell, uint32_t *n);
/* The term of that run. */
rcp_smt_value rcp_sides_term(rcp_sides *s, uint32_t run, rcp_term term);
/* Has the thread read what it had read in that run, before the event, or with it? */
rcp_formula rcp_sides_kept(rcp_sides *s, uint32_t run, uint32_t event, bool with);
/* What the event writes, cell by cell; *known: where it has a value. */
void rcp_sides_written(rcp_sides *s, uint32_t run, uint32_t event, const rcp_sides_node *node, rcp_formula *values,
                       rcp_formula *known);
/* The term keeps its value; `all`: what is true where it depends on all that was read. */
rcp_formula rcp_sides_holds(rcp_sides *s, uint32_t run, rcp_term term, uint64_t value, uint32_t event, bool with);

/* sides.c: the node turned out so */
rcp_formula rcp_sides_outcome(rcp_sides *s, uint32_t node, uint64_t outcome);

#endif
