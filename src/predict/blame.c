/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/blame.h"

unsigned rcp_blame_rules(const rcp_groundwork *g) {
    const rcp_trace *trace = g->facts.trace;
    unsigned rules = g->facts.observed.opaques.len ? RCP_LOOSE_OPAQUE : 0;
    for (uint32_t i = 0; i < trace->events.len && !(rules & RCP_LOOSE_REUSE); i++) {
        const rcp_event *e = rcp_run_facts_event(&g->facts, i);
        uint64_t upto;
        if (e->kind == RCP_ALLOC && e->value && rcp_observed_life(&g->facts.observed, (rcp_eid){i}, e->addr, &upto))
            rules |= RCP_LOOSE_REUSE;
    }
    return rules;
}

/* The call that keeps the event from where it was put. */
static rcp_str call_at(const rcp_run_facts *f, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(f, event);
    size_t n;
    const uint32_t *needs = rcp_observed_needs(&f->observed, (rcp_eid){event}, &n);
    uint32_t call = e->kind == RCP_BRANCH ? rcp_run_facts_call_of(f, event) : event;
    if (call != RCP_NO_EVENT && rcp_event_is_opaque(rcp_run_facts_event(f, call)))
        return rcp_run_facts_event(f, call)->callee;
    for (size_t i = n; i-- > 0;)
        if (rcp_event_is_opaque(rcp_run_facts_event(f, needs[i])))
            return rcp_run_facts_event(f, needs[i])->callee;
    for (uint32_t i = event; i-- > 0;)
        if (rcp_event_is_opaque(rcp_run_facts_event(f, i)))
            return rcp_run_facts_event(f, i)->callee;
    return (rcp_str){0};
}

/* Where memory was given out that somebody had before. */
static rcp_loc reuse_at(const rcp_run_facts *f, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(f, event);
    uint64_t upto;
    if (e->kind == RCP_ALLOC || !rcp_event_extent(e))
        return e->loc;
    uint32_t life = rcp_observed_life(&f->observed, (rcp_eid){event}, e->addr, &upto);
    return life ? rcp_run_facts_event(f, life - 1)->loc : e->loc;
}

static rcp_code would(rcp_ladder *l, unsigned loose, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, bool *is,
                      rcp_eid *at) {
    const rcp_groundwork *g = rcp_ladder_borrow_groundwork(l);
    rcp_answer answer = RCP_ANSWER_NONE;
    rcp_witness witness;
    rcp_witness_init(&witness);
    rcp_code code = rcp_ladder_would(l, relaxation, a, b, loose, &witness, &answer);
    *is = code == RCP_OK && answer == RCP_ANSWER_WITNESS;
    *at = a.v < b.v ? b : a;
    if (*is) {
        const rcp_check_options rules = {.values = rcp_relaxation_rule(relaxation),
                                         .spurious_wakeups = g->spurious_wakeups};
        rcp_check_verdict verdict = {0};
        code = rcp_checker_run(g->checker, &witness, rules, &verdict);
        if (code == RCP_OK && !verdict.accepted && verdict.at.v < g->facts.trace->events.len)
            *at = verdict.at;
    }
    rcp_witness_finish(&witness);
    return code;
}

/* One rule after the other, then both: what only both rule out is told as the call's. */
rcp_code rcp_blame_find(rcp_ladder *l, unsigned rules, rcp_relaxation relaxation, rcp_eid a, rcp_eid b,
                        rcp_blame *blame) {
    const rcp_run_facts *f = &rcp_ladder_borrow_groundwork(l)->facts;
    const unsigned tries[] = {rules, RCP_LOOSE_OPAQUE, RCP_LOOSE_REUSE};
    bool is = false;
    rcp_eid at = b, first = b;
    unsigned by = rules;
    *blame = (rcp_blame){0};
    for (size_t i = 0; i < 3; i++) {
        if (i && rules != (RCP_LOOSE_OPAQUE | RCP_LOOSE_REUSE))
            break; /* it was one rule alone */
        RCP_TRY(would(l, tries[i], relaxation, a, b, &is, &at));
        if (!i && !is)
            return RCP_OK;
        if (!i)
            first = at;
        if (i && is) {
            by = tries[i];
            first = at;
            break;
        }
    }
    blame->what = by & RCP_LOOSE_OPAQUE ? RCP_BLAMED_CALL : RCP_BLAMED_REUSE;
    blame->who = blame->what == RCP_BLAMED_CALL ? call_at(f, (uint32_t)first.v).v : reuse_at(f, (uint32_t)first.v).v;
    return RCP_OK;
}
