/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded run and its variants as one guarded formula (predict/rival/guarded.h): the tree of ways
 * (predict/rival/ways.h), each node guarded by how those before it turned out. Paths of several runs may combine in an
 * answer that none of them has.
 *
 * Two questions. Can two accesses race, on whatever sides they are? And can a node turn out as in no run yet: then an
 * order that leads there is the plan of another run (program/explore/explore.h), which makes the tree larger.
 *
 * Where the tree was cut, or a value is not known, less is in the formula than in the program: an order that is found
 * is one, and 'none' speaks of what is in it. Whether that is all, `is_narrow` says.
 *
 * Owns its formulas, borrows the ways, which must stay as they are.
 */
#ifndef RECIPE_PREDICT_RIVAL_SIDES_H
#define RECIPE_PREDICT_RIVAL_SIDES_H

#include "predict/rival/guarded.h"
#include "predict/rival/ways.h"

typedef struct rcp_sides rcp_sides;

/* NULL: it has more formulas than `limit`, more nodes than the limit guarded-events (longer trees no solver gets
 * through), or more threads than there may be. `apart`: by two threads of the
 * ways, [one * threads + other]: these are not to be there together, because they have one stack. */
rcp_sides *rcp_sides_create(const rcp_ways *ways, bool spurious_wakeups, const uint8_t *apart, size_t limit);
void rcp_sides_destroy(rcp_sides *sides);
bool rcp_sides_is_narrow(const rcp_sides *sides);
size_t rcp_sides_formulas(const rcp_sides *sides);

/* Two accesses, or a FREE and one, that conflict. A compare-and-swap may be there twice: as the read that it is where
 * it fails, and as the update. */
typedef struct rcp_sides_pair {
    uint32_t node[2];
    const rcp_event *event[2];
    const rcp_defs *defs[2];
} rcp_sides_pair;
typedef RCP_VEC(rcp_sides_pair) rcp_sides_pairs;
void rcp_sides_list_pairs(const rcp_sides *sides, rcp_sides_pairs *pairs);

/* Something that could turn out otherwise. */
typedef struct rcp_sides_turn {
    uint32_t node;
    bool is_address; /* not its outcome: its address */
} rcp_sides_turn;
typedef RCP_VEC(rcp_sides_turn) rcp_sides_turns;
/* `addresses`: these, too; those of memory that is one thread's alone always, as recipe has it. */
void rcp_sides_list_turns(rcp_sides *sides, bool addresses, rcp_sides_turns *turns);

/* May it be more than one other thing: an address, a wide condition? */
bool rcp_sides_has_more(const rcp_sides *sides, rcp_sides_turn turn);

/* Nodes in the order in which they are executed. */
typedef RCP_VEC(uint32_t) rcp_sides_order;

/* Can one of the pairs race? *which: the one that does, after `order`. */
rcp_z3_answer rcp_sides_ask_race(rcp_sides *sides, const rcp_sides_pair *pairs, size_t n, rcp_z3_limits limits,
                                 size_t *which, rcp_sides_order *order);
/* Can it be what it is in no run, and none of the `n` values of `excluded` either? *became: what it is, after `order`.
 */
rcp_z3_answer rcp_sides_ask_turn(rcp_sides *sides, rcp_sides_turn turn, const uint64_t *excluded, size_t n,
                                 rcp_z3_limits limits, uint64_t *became, rcp_sides_order *order);
/* The race's question as an SMT-LIB file. */
void rcp_sides_print(rcp_text *out, rcp_sides *sides, const rcp_sides_pair *pairs, size_t n);

#endif
