/* SPDX-License-Identifier: Apache-2.0 */
/* The self-check: the recorded order itself, put to the checker under every rule of values. It happened, so what the
 * rules refuse of it is a mistake of whoever recorded or told it, or memory that nobody had written and something hangs
 * on: no witness can have the event in it, and what comes after it in its thread can't be shown.
 *
 * Where something hangs on such memory is the rule of last writers' to say: that of same values refuses every read of
 * it, also one that is only copied, as padding is. What it alone refuses so is no mistake, and left out here.
 *
 * Invariant: refusals are in the order of their events, each event once.
 */
#ifndef RECIPE_TRACE_CHECK_REFUSALS_H
#define RECIPE_TRACE_CHECK_REFUSALS_H

#include "base/text.h"
#include "trace/check/checker.h"

enum { RCP_REFUSALS_MOST = 3 }; /* one for each rule */

typedef struct rcp_refusal {
    rcp_eid at;
    uint8_t rules; /* 1 << rcp_value_rule: those that refuse it, as the first event that they refuse */
    char reason[sizeof((rcp_check_verdict *)0)->reason]; /* of the first of these rules */
} rcp_refusal;

typedef struct rcp_refusals {
    rcp_refusal at[RCP_REFUSALS_MOST];
    size_t n;
} rcp_refusals;

/* `checker` is of `trace`. Relaxed values are asked only where every access and branch has its value, or there are no
 * terms: what a term gives for a read without one is not what was recorded. */
rcp_code rcp_refusals_find(rcp_refusals *refusals, const rcp_trace *trace, const rcp_checker *checker) RCP_MUST_USE;
/* "a.c:7:3", or "event 12" where it has no place. */
void rcp_refusal_place(rcp_text *to, const rcp_trace *trace, const rcp_refusal *refusal);
/* "T1: … (by the rules last-writer and relaxed)" */
void rcp_refusal_words(rcp_text *to, const rcp_refusal *refusal);

#endif
