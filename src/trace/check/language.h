/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of races by the rules of the language (docs/semantics.md, 'The order of the language'): does one access of
 * the recorded run come before another?
 *
 * Nothing of an engine is used. From the earlier access on it is marked what comes after it: threads, objects, bytes,
 * release sequences, fences; a mark is passed on along each edge of that page as the recorded order comes to it. At the
 * later access its thread has the mark or not. One pass per question, no clocks.
 *
 * Ownership: the trace is borrowed.
 */
#ifndef RECIPE_TRACE_CHECK_LANGUAGE_H
#define RECIPE_TRACE_CHECK_LANGUAGE_H

#include "trace/model/trace.h"

/* What if atomic accesses and fences at a place had this order? */
typedef struct rcp_order_change {
    rcp_loc place; /* in the program's own code (trace/model/own_place.h) */
    uint8_t kind;  /* RCP_READ, RCP_WRITE, RCP_RMW, RCP_FENCE */
    uint8_t order;
} rcp_order_change;

typedef struct rcp_language_verdict {
    bool accepted;    /* the two conflict, the language leaves them unordered, and happens-before orders them */
    bool conflict;    /* in a byte of one life, not both atomic */
    bool is_ordered;  /* by the language */
    bool is_before;   /* by happens-before, in which every atomic access synchronises */
    char reason[160]; /* refused: why */
} rcp_language_verdict;

/* `earlier` < `later`, both in the trace, which is indexed. Reads on which a plain access depends take what they took,
 * and come after it from then on. */
void rcp_language_check(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, rcp_language_verdict *verdict);

/* Would the language order the two, with these changes? */
bool rcp_language_orders(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, const rcp_order_change *changes,
                         size_t n);

/* Calls `each` with every atomic access and fence from `earlier` to `later`, itself or what happens-before puts
 * after it. */
typedef void rcp_language_visitor(void *context, const rcp_event *event);
void rcp_language_between(const rcp_trace *trace, rcp_eid earlier, rcp_eid later, rcp_language_visitor *each,
                          void *context);

/* Of the first `n` events: marked are some, and then also all that happens-before puts after one of them, or that takes
 * from one that is marked what no order is by, as a plain read does. */
void rcp_language_mark_after(const rcp_trace *trace, bool *marked, uint64_t n);

#endif
