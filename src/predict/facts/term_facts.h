/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a trace's terms for good: of each, the last read below it, and what it was in the recorded order.
 * Whoever evaluates a term stops where all that is below has its recorded value. So a chain of a million operations, of
 * which one read is in question, costs that read.
 *
 * Invariant: immutable once made. Made only where a term is deep: where none is, looking at all of it costs little, and
 * the tables would be memory for nothing; `last` is NULL then. Owns its tables.
 */
#ifndef RECIPE_PREDICT_FACTS_TERM_FACTS_H
#define RECIPE_PREDICT_FACTS_TERM_FACTS_H

#include "trace/check/causal.h"
#include "trace/model/term.h"
#include "trace/model/trace.h"

typedef struct rcp_term_facts {
    uint32_t
        *last; /* by node: 1 + the last read event below it; 0: none. A read past the loaded trace is one after it */
    uint64_t *value; /* by node: in the recorded order */
    rcp_bits *known; /* a bit per node: it has one */
} rcp_term_facts;

/* Operations below one another from which on a term is deep. It costs time on one side and memory on the other, and
 * changes no answer: tests compare. */
extern uint16_t rcp_term_facts_deep;

/* `look_up` gives what a read had in the recorded order. */
void rcp_term_facts_init(rcp_term_facts *facts, const rcp_trace *trace, rcp_lookup *look_up, void *context);
void rcp_term_facts_finish(rcp_term_facts *facts);

/* Is the term's recorded value known, where it is looked for? */
static inline bool rcp_term_facts_value(const rcp_term_facts *facts, uint32_t node, uint64_t *value) {
    if (!facts->last || !rcp_bit(facts->known, node))
        return false;
    *value = facts->value[node];
    return true;
}
/* Are all reads below it earlier than `event`? false where that is not known. */
static inline bool rcp_term_facts_is_before(const rcp_term_facts *facts, uint32_t node, uint32_t event) {
    return facts->last && facts->last[node] <= event;
}

#endif
