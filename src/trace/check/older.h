/* SPDX-License-Identifier: Apache-2.0 */
/* May a read of the recorded run take older bytes than it took (docs/semantics.md, 'Older bytes')? The judge of what is
 * shown as allowed by the standard: one pass over the trace, and one per thread that has touched the bytes since
 * (trace/check/language.h). Nothing of an engine is used.
 *
 * Ownership: the trace is borrowed.
 */
#ifndef RECIPE_TRACE_CHECK_OLDER_H
#define RECIPE_TRACE_CHECK_OLDER_H

#include "trace/model/trace.h"

#define RCP_OLDER_BYTES 8

typedef struct rcp_older_verdict {
    bool allowed;
    uint8_t bytes[RCP_OLDER_BYTES]; /* allowed: what the read takes instead, as long as it is */
    char reason[160];               /* refused: why */
} rcp_older_verdict;

/* May `read` take what its bytes held right before `write`, which is earlier? Both are in the trace, which is
 * indexed. */
void rcp_older_check(const rcp_trace *trace, rcp_eid write, rcp_eid read, rcp_older_verdict *verdict);

#endif
