/* SPDX-License-Identifier: Apache-2.0 */
/* The witness checker, order level: is this schedule a feasible execution, and do the two accesses race at its end?
 *
 * docs/semantics.md is its specification, rule by rule. It is small and independent of every engine: no engine's code
 * is called from here, and every report of every engine passes through here. Linear in the witness, but for the
 * recorded events that it begins with: those are executed once, and later checks begin at a state that was kept.
 *
 * Invariant: a check changes no verdict, so that the order of checks does not matter; a kept state is what executing
 * the same events again would give. A checker borrows its trace; the
 * caller owns witnesses and verdicts.
 */
#ifndef RECIPE_TRACE_CHECK_CHECKER_H
#define RECIPE_TRACE_CHECK_CHECKER_H

#include "trace/check/value_rule.h"
#include "trace/model/trace.h"
#include "trace/model/witness.h"

/* Goes up whenever a change of docs/semantics.md refuses what was accepted before: what was proven under older rules is
 * not taken for proven. */
#define RCP_RULES_VERSION 9

typedef struct rcp_check_options {
    rcp_value_rule values;
    bool spurious_wakeups; /* a wait may wake without a signal */
    bool stood; /* in the run both threads stood before the two events at the end of the recorded order that the witness
                   is (it has no steps): P1 is not asked of the two */
} rcp_check_options;

typedef struct rcp_check_verdict {
    bool accepted;
    rcp_eid at;        /* refused: the event that can't be executed; RCP_NO_EID where it is the witness as a whole */
    char reason[256];  /* refused: why, in words */
    bool is_unwritten; /* refused under V1 or V2: a byte that it reads nobody has written in its life */
} rcp_check_verdict;

/* What many witnesses of one trace share: one pass over the trace, then each check is linear in its witness. */
typedef struct rcp_checker rcp_checker;

/* `trace` must be indexed and stay as it is. Fails where it is too long for the checker (RCP_LIMIT). */
rcp_code rcp_checker_create(const rcp_trace *trace, rcp_checker **checker) RCP_MUST_USE;
void rcp_checker_destroy(rcp_checker *checker);
/* What it knows of the recorded order (trace/check/observed.h), for whoever needs that, too. */
const struct rcp_observed *rcp_checker_borrow_observed(const rcp_checker *checker);
/* States are kept every `spacing` events of the recorded order from now on; 0: none, each check begins at the
 * beginning. For tests; otherwise the length of the trace decides. */
void rcp_checker_keep_states(rcp_checker *checker, uint64_t spacing);
/* Lets go of the states that were kept, for whoever needs the room now; later checks keep them anew. */
void rcp_checker_forget_states(const rcp_checker *checker);
/* Fails only for a witness that names what does not exist; an infeasible schedule is a verdict, not a failure. */
rcp_code rcp_checker_run(const rcp_checker *checker, const rcp_witness *witness, rcp_check_options options,
                         rcp_check_verdict *verdict) RCP_MUST_USE;

/* The same for a deadlock: the witness claims no race, and at its end each of these `n` ACQUIREs or SEM_WAITs is next
 * in its thread, and waits for another one's (docs/semantics.md, 'A deadlock'). */
rcp_code rcp_checker_stand(const rcp_checker *checker, const rcp_witness *witness, const rcp_eid *events, size_t n,
                           rcp_check_options options, rcp_check_verdict *verdict) RCP_MUST_USE;

/* An order that is asked for: `last` is executed, and it is the last event of its thread that is; `never`, where there
 * is one, is not; and of each of `n` pairs both are executed, the one before the other. */
enum { RCP_ARRANGED = 2 };
typedef struct rcp_arrangement {
    rcp_eid last, never; /* `never`: or RCP_NO_EID */
    rcp_eid before[RCP_ARRANGED], after[RCP_ARRANGED];
    unsigned n;
} rcp_arrangement;

/* The witness claims no race, is feasible, and so arranged (docs/semantics.md, 'An atomicity violation'). */
rcp_code rcp_checker_arrange(const rcp_checker *checker, const rcp_witness *witness, const rcp_arrangement *arranged,
                             rcp_check_options options, rcp_check_verdict *verdict) RCP_MUST_USE;

/* One witness alone. */
rcp_code rcp_check_witness(const rcp_trace *trace, const rcp_witness *witness, rcp_check_options options,
                           rcp_check_verdict *verdict) RCP_MUST_USE;

#endif
