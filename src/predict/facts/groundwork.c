/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/groundwork.h"

static rcp_code recorded_holds(const rcp_groundwork *g, rcp_value_rule rule, uint32_t *upto) {
    const rcp_trace *trace = g->facts.trace;
    rcp_check_verdict verdict;
    rcp_witness recorded;
    rcp_witness_init(&recorded);
    recorded.recorded = trace->events.len;
    rcp_code code = rcp_checker_run(g->checker, &recorded, (rcp_check_options){.values = rule}, &verdict);
    *upto = verdict.accepted || verdict.at.v == RCP_NO_EID.v ? UINT32_MAX : (uint32_t)verdict.at.v;
    /* What a term gives for reads without a value is not what was recorded: nothing was. */
    if (rule == RCP_VALUES_RELAXED && !g->facts.all_valued && rcp_terms_count(&trace->terms))
        *upto = 0;
    rcp_witness_finish(&recorded);
    return code;
}

rcp_code rcp_groundwork_create(const rcp_trace *trace, const rcp_checker *checker, bool spurious_wakeups,
                               rcp_groundwork **groundwork) {
    rcp_groundwork *g = rcp_alloc_zero(1, sizeof *g);
    g->spurious_wakeups = spurious_wakeups;
    rcp_code code = checker ? RCP_OK : rcp_checker_create(trace, &g->own);
    g->checker = checker ? checker : g->own;
    if (code == RCP_OK)
        code = rcp_run_facts_init(&g->facts, trace);
    if (code == RCP_OK) {
        rcp_forced_find(&g->forced, &g->facts, spurious_wakeups);
        code = recorded_holds(g, RCP_VALUES_SAME, &g->holds[0]);
    }
    if (code == RCP_OK)
        code = recorded_holds(g, RCP_VALUES_RELAXED, &g->holds[1]);
    if (code != RCP_OK) {
        rcp_groundwork_destroy(g);
        return code;
    }
    *groundwork = g;
    return RCP_OK;
}

void rcp_groundwork_destroy(rcp_groundwork *g) {
    if (!g)
        return;
    rcp_forced_finish(&g->forced);
    rcp_run_facts_finish(&g->facts);
    rcp_checker_destroy(g->own);
    rcp_release(g);
}
