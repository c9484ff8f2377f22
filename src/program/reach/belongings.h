/* SPDX-License-Identifier: Apache-2.0 */
/* What objects of the C++ library have behind them: a string's buffer, a list's or a tree's nodes. The table
 * (program/reach/rows/) says which bytes a function is given; what these lead to, and what the library has
 * allocated for them, belongs to them, and the function may touch that, too.
 *
 * Objects that were worked on together, and all that belongs to them, are a group. Its members are touched by every
 * thread that works on one of the group, once: while a group has one worker, a call costs nothing but what is new.
 *
 * Both re-executions make the same groups: the first one touches the members, the second one asks whether any of them
 * is shared. Ownership: borrows the objects' table.
 */
#ifndef RECIPE_PROGRAM_REACH_BELONGINGS_H
#define RECIPE_PROGRAM_REACH_BELONGINGS_H

#include "program/reach/reachable.h"

#define RCP_BELONGINGS_NONE UINT32_MAX
#define RCP_BELONGINGS_MANY UINT32_MAX /* of workers: more than one */

typedef struct rcp_belongings_group {
    uint32_t parent;  /* itself: it is the root */
    uint32_t writers; /* who works on it: 0 nobody, a thread's number + 1, RCP_BELONGINGS_MANY */
    uint32_t readers; /* the same of who looks at it */
    bool is_shared;   /* the second re-execution: some member is */
    RCP_VEC(rcp_reached_object) members;
    size_t pruned; /* how many there were when those that are gone were last taken out */
} rcp_belongings_group;

typedef struct rcp_belongings rcp_belongings;

/* What is done with a member: the first re-execution touches it (by thread number `who` - 1, or RCP_BELONGINGS_MANY),
 * the second one says whether it is shared. */
typedef bool rcp_belongings_visitor(void *context, rcp_span member, uint32_t who, bool writes);

struct rcp_belongings {
    const rcp_reachable *reachable;
    rcp_map index; /* what an object is known by → groups */
    RCP_VEC(rcp_belongings_group) groups;
    rcp_belongings_visitor *visitor;
    void *context;
};

void rcp_belongings_init(rcp_belongings *belongings, const rcp_reachable *reachable, rcp_belongings_visitor *visitor,
                         void *context);
void rcp_belongings_finish(rcp_belongings *belongings);

/* The thread works on the object at [lo, hi), or looks at it: its group, which joins `with` (another one, or NONE).
 * `steps`: how far pointers lead on from it; `leading`: its first bytes, which have them. What a string has in it
 * beyond its pointer may be what was left on the stack, and lead to anything. */
uint32_t rcp_belongings_use(rcp_belongings *belongings, uint32_t thread, rcp_span object, bool writes, uint32_t with,
                            int steps, uint64_t leading);
/* The block at `address` was allocated while the group was worked on. */
void rcp_belongings_made(rcp_belongings *belongings, uint32_t group, uint64_t address);
/* All that belongs to the group, for the next call to be looked for (rcp_reachable_given()): what such functions leave
 * in objects is not in memory before somebody has looked. False: that is too much. */
bool rcp_belongings_hand(rcp_belongings *belongings, uint32_t group, rcp_reachable *to);
bool rcp_belongings_is_shared(rcp_belongings *belongings, uint32_t group);

#endif
