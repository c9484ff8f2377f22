/* SPDX-License-Identifier: Apache-2.0 */
/* What relaxed values make of the recorded order itself: which reads deviate even there, because they found memory that
 * nobody had written, and which writes' values are therefore unknown. Nothing, in most traces. */
#include "predict/facts/run_facts.h"

#include <string.h>

bool rcp_run_facts_byte_unknown(const rcp_run_facts *f, uint32_t read, uint64_t addr) {
    uint64_t upto;
    uint32_t writer = rcp_observed_writer(&f->observed, (rcp_eid){read}, addr, &upto);
    if (writer)
        return f->unknown && rcp_bit(f->unknown, writer - 1);
    uint32_t life = rcp_observed_life(&f->observed, (rcp_eid){read}, addr, &upto);
    return life && rcp_run_facts_event(f, life - 1)->outcome != RCP_ZEROED;
}

static bool deviates(const rcp_run_facts *f, uint32_t read) {
    const rcp_event *e = rcp_run_facts_event(f, read);
    uint64_t upto, life_upto;
    for (uint64_t at = e->addr; at < e->addr + e->size; at = upto) {
        rcp_observed_writer(&f->observed, (rcp_eid){read}, at, &upto);
        rcp_observed_life(&f->observed, (rcp_eid){read}, at, &life_upto);
        upto = life_upto < upto ? life_upto : upto;
        if (rcp_run_facts_byte_unknown(f, read, at))
            return true;
    }
    return false;
}

static rcp_eval look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    const rcp_run_facts *f = context;
    *value = 0;
    if (read.v >= f->trace->events.len)
        return RCP_EVAL_UNKNOWN;
    const rcp_event *e = &f->trace->events.at[read.v];
    if (!rcp_event_reads(e) || !e->valued || offset > e->size || bytes > e->size - offset)
        return RCP_EVAL_UNKNOWN;
    for (unsigned i = 0; i < bytes; i++)
        if (rcp_run_facts_byte_unknown(f, (uint32_t)read.v, e->addr + offset + i))
            return RCP_EVAL_UNKNOWN;
    memcpy(value, rcp_event_bytes(e) + offset, bytes);
    return RCP_EVAL_OK;
}

static bool is_unknown(const rcp_run_facts *f, rcp_evaluator *evaluator, const rcp_event *e) {
    uint64_t value;
    if (e->value_term.v == RCP_TERM_ALL.v)
        return f->first_deviation[e->tid.v] != RCP_NO_EVENT;
    return rcp_term_is_real(e->value_term) && rcp_evaluator_run(evaluator, e->value_term, &value) != RCP_EVAL_OK;
}

void rcp_run_facts_find_unknown(rcp_run_facts *f) {
    const rcp_trace *trace = f->trace;
    size_t threads = trace->defs.threads.len;
    bool any = false;
    f->first_deviation = rcp_alloc((threads + 1) * sizeof *f->first_deviation);
    memset(f->first_deviation, 0xff, (threads + 1) * sizeof *f->first_deviation);
    rcp_evaluator evaluator;
    rcp_evaluator_init(&evaluator, &trace->terms, look_up, f);
    for (uint32_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        if (rcp_event_reads(e) && deviates(f, i)) {
            any = true;
            if (f->first_deviation[e->tid.v] == RCP_NO_EVENT)
                f->first_deviation[e->tid.v] = i;
        }
        /* until the first deviation everything is as recorded; reads that are not executed yet are in no term here */
        if (!any || !rcp_event_writes(e) || !is_unknown(f, &evaluator, e))
            continue;
        if (!f->unknown)
            f->unknown = rcp_alloc_zero(trace->events.len / 64 + 1, sizeof *f->unknown);
        f->unknown[i / 64] |= UINT64_C(1) << (i % 64);
    }
    rcp_evaluator_finish(&evaluator);
    rcp_term_facts_init(&f->terms, trace, look_up, f);
}
