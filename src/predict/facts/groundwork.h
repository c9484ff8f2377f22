/* SPDX-License-Identifier: Apache-2.0 */
/* What every question about a trace stands on, made once: run facts, the writes that values and order force (with
 * must-happen-before), and how far the recorded order is an execution by the checker's rules. The ladder, the rival and
 * whoever looks for candidates borrow it.
 *
 * Invariant: immutable once made. Owns facts and forced writes; borrows the trace, and the checker unless it made one,
 * which must outlive it and stay as they are.
 */
#ifndef RECIPE_PREDICT_FACTS_GROUNDWORK_H
#define RECIPE_PREDICT_FACTS_GROUNDWORK_H

#include "predict/facts/forced.h"
#include "predict/facts/run_facts.h"
#include "trace/check/checker.h"

typedef struct rcp_groundwork {
    const rcp_checker *checker;
    rcp_checker *own; /* the same where nobody had one; else NULL */
    bool spurious_wakeups;
    rcp_run_facts facts;
    rcp_forced forced;
    uint32_t holds[2]; /* the event at which the recorded order is none any more, with the same values and with relaxed
                          ones; UINT32_MAX: it is one to its end */
} rcp_groundwork;

/* `trace` is indexed, `checker` is of it; NULL: one is made. */
rcp_code rcp_groundwork_create(const rcp_trace *trace, const rcp_checker *checker, bool spurious_wakeups,
                               rcp_groundwork **groundwork) RCP_MUST_USE;
void rcp_groundwork_destroy(rcp_groundwork *groundwork);

#endif
