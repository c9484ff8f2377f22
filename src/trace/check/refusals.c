/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/refusals.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    rcp_value_rule rule;
    const char *name; /* as 'recipe trace check --values' has it */
} rules[RCP_REFUSALS_MOST] = {
    {RCP_VALUES_LAST_WRITER, "last-writer"}, {RCP_VALUES_SAME, "same"}, {RCP_VALUES_RELAXED, "relaxed"}};

static bool can_be_asked(const rcp_trace *trace, rcp_value_rule rule) {
    bool is_valued = true;
    for (size_t i = 0; rule == RCP_VALUES_RELAXED && rcp_terms_count(&trace->terms) && i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        is_valued &= e->valued || !(rcp_event_is_access(e) || e->kind == RCP_BRANCH);
    }
    return is_valued;
}

static bool has(const rcp_refusals *r, rcp_eid at) {
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].at.v == at.v)
            return true;
    return false;
}

static void add(rcp_refusals *r, rcp_value_rule rule, const rcp_check_verdict *verdict) {
    size_t i = 0;
    while (i < r->n && r->at[i].at.v < verdict->at.v)
        i++;
    if (i == r->n || r->at[i].at.v != verdict->at.v) {
        memmove(&r->at[i + 1], &r->at[i], (r->n++ - i) * sizeof *r->at);
        r->at[i] = (rcp_refusal){.at = verdict->at};
        memcpy(r->at[i].reason, verdict->reason, sizeof r->at[i].reason);
    }
    r->at[i].rules |= (uint8_t)(1u << rule);
}

rcp_code rcp_refusals_find(rcp_refusals *r, const rcp_trace *trace, const rcp_checker *checker) {
    rcp_witness recorded;
    rcp_code code = RCP_OK;
    *r = (rcp_refusals){0};
    rcp_witness_init(&recorded);
    recorded.recorded = trace->events.len;
    for (int i = 0; i < RCP_REFUSALS_MOST && code == RCP_OK; i++) {
        rcp_check_verdict verdict = {0};
        if (!can_be_asked(trace, rules[i].rule))
            continue;
        code = rcp_checker_run(checker, &recorded, (rcp_check_options){.values = rules[i].rule}, &verdict);
        bool is_idle = rules[i].rule == RCP_VALUES_SAME && verdict.is_unwritten && !has(r, verdict.at);
        if (code == RCP_OK && !verdict.accepted && verdict.at.v != RCP_NO_EID.v && !is_idle)
            add(r, rules[i].rule, &verdict);
    }
    rcp_witness_finish(&recorded);
    return code;
}

void rcp_refusal_place(rcp_text *to, const rcp_trace *trace, const rcp_refusal *refusal) {
    rcp_loc loc = trace->events.at[refusal->at.v].loc;
    const rcp_location *at = &trace->defs.locations.at[loc.v];
    if (!loc.v) {
        rcp_text_printf(to, "event %" PRIu64, refusal->at.v);
        return;
    }
    rcp_text_puts(to, rcp_defs_borrow_string(&trace->defs, at->file));
    if (at->line)
        rcp_text_printf(to, ":%u", at->line);
    if (at->line && at->column)
        rcp_text_printf(to, ":%u", at->column);
}

void rcp_refusal_words(rcp_text *to, const rcp_refusal *refusal) {
    int n = __builtin_popcount(refusal->rules), k = 0;
    rcp_text_printf(to, "%s (by the rule%s ", refusal->reason, n == 1 ? "" : "s");
    for (int i = 0; i < RCP_REFUSALS_MOST; i++)
        if (refusal->rules >> rules[i].rule & 1) {
            rcp_text_printf(to, "%s%s", !k ? "" : k == n - 1 ? " and " : ", ", rules[i].name);
            k++;
        }
    rcp_text_puts(to, ")");
}
