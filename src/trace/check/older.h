/* SPDX-License-Identifier: Apache-2.0 */
/* May a read of the recorded run take older bytes than it took (docs/semantics.md, 'Older bytes')? May a store come
 * late
 * ('Late stores')? The judge of what is shown as allowed by the standard. The first: one pass over the trace, and one
 * per thread that has touched the bytes since (trace/check/language.h). The second: one pass to leave out what the
 * store can't come after; over what is left the rules are asked anew, and the checker whether it is an execution.
 * Nothing of an engine is used.
 *
 * Ownership: the trace is borrowed. A verdict owns its witness.
 */
#ifndef RECIPE_TRACE_CHECK_OLDER_H
#define RECIPE_TRACE_CHECK_OLDER_H

#include "trace/model/witness.h"

#define RCP_OLDER_BYTES 8

typedef struct rcp_older_verdict {
    bool allowed;
    uint8_t bytes[RCP_OLDER_BYTES]; /* allowed: what the read takes instead, as long as it is */
    char reason[160];               /* refused: why */
} rcp_older_verdict;

/* May `read` take what its bytes held right before `write`, which is earlier? Both are in the trace, which is
 * indexed. */
void rcp_older_check(const rcp_trace *trace, rcp_eid write, rcp_eid read, rcp_older_verdict *verdict);

typedef struct rcp_late_verdict {
    bool allowed;
    rcp_witness witness;            /* allowed: an execution in which the store comes right after the later access. It
                                       ends before that, and its recorded part before the store */
    bool known;                     /* what the store's bytes held before it is, */
    uint8_t bytes[RCP_OLDER_BYTES]; /* and is this */
    char reason[160];               /* refused: why */
} rcp_late_verdict;

/* May the store `write` come right after `other`, a later access of another thread? Both are in the trace, which is
 * indexed. Fails where that is too long for the checker. The caller finishes the verdict, also then. */
rcp_code rcp_late_find(const rcp_trace *trace, rcp_eid write, rcp_eid other, rcp_late_verdict *verdict) RCP_MUST_USE;
void rcp_late_verdict_init(rcp_late_verdict *verdict);
void rcp_late_verdict_finish(rcp_late_verdict *verdict);

#endif
