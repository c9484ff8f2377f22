/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dump_stage.h"

#include "cli/options.h"
#include "order/engine/order_dump.h"
#include "trace/store/reader.h"

#include <inttypes.h>
#include <string.h>

/* Of a stage that has a pair in hand. */
typedef struct asking {
    const rcp_dump *dump;
    rcp_text *to;
    rcp_printer *printer;
    rcp_relaxation relaxation;
    rcp_model model;
    bool is_query; /* else the slice */
    unsigned rungs;
} asking;

static rcp_code read_pair(const rcp_dump *dump, const rcp_trace *trace, rcp_eid pair[2]) {
    const char *end;
    bool good = rcp_options_leading_number(dump->pair, &end, &pair[0].v) && *end == ',' &&
                rcp_options_number(end + 1, &pair[1].v) && pair[0].v != pair[1].v;
    for (int i = 0; i < 2 && good; i++)
        good = pair[i].v < trace->events.len;
    if (!good)
        return rcp_fail(RCP_BAD_INPUT, "--pair %s: not the numbers of two of the trace's %zu events: EVENT,EVENT",
                        dump->pair, trace->events.len);
    if (pair[1].v < pair[0].v) {
        rcp_eid later = pair[0];
        pair[0] = pair[1];
        pair[1] = later;
    }
    return RCP_OK;
}

/* The pair that was asked for, or the first that nothing has ruled out. */
static rcp_code choose(const rcp_dump *dump, const rcp_trace *trace, const rcp_candidates *candidates,
                       rcp_eid pair[2]) {
    if (dump->pair) {
        RCP_TRY(read_pair(dump, trace, pair));
        for (int i = 0; i < 2; i++) {
            const rcp_event *e = &trace->events.at[pair[i].v];
            if (!rcp_event_is_access(e) && e->kind != RCP_FREE)
                return rcp_fail(RCP_BAD_INPUT, "--pair %s: event %" PRIu64 " is no access", dump->pair, pair[i].v);
        }
        if (!rcp_event_conflict(&trace->events.at[pair[0].v], &trace->events.at[pair[1].v]))
            return rcp_fail(RCP_BAD_INPUT, "--pair %s: the two do not conflict", dump->pair);
        return RCP_OK;
    }
    for (size_t i = 0; i < candidates->pairs.len; i++)
        if (candidates->pairs.at[i].n) {
            pair[0].v = candidates->pairs.at[i].kept[0].a;
            pair[1].v = candidates->pairs.at[i].kept[0].b;
            return RCP_OK;
        }
    return rcp_fail(RCP_BAD_INPUT, "%s: no candidate is left: --dump=candidates says why; --pair names two events",
                    dump->directory);
}

static const char *in_words(rcp_answer answer) {
    switch (answer) {
    case RCP_ANSWER_WITNESS: return "a witness, which the checker accepted";
    case RCP_ANSWER_NONE: return "no race";
    default: return "no answer";
    }
}

static void show_rung(void *context, unsigned rung, const rcp_slice *slice, rcp_answer answer) {
    asking *a = context;
    rcp_text_puts(a->to, a->rungs++ ? "\n" : "");
    rcp_ladder_rung_name(a->to, rung);
    rcp_text_printf(a->to, ": %s\n", in_words(answer));
    if (!a->is_query) {
        rcp_slice_dump(a->to, slice, a->printer);
        return;
    }
    rcp_query query;
    rcp_query_init(&query, slice, a->relaxation != RCP_RELAX_NOTHING);
    rcp_query_dump(a->to, &query, a->printer);
    rcp_query_finish(&query);
}

static rcp_code climb(asking *a, rcp_ladder *ladder, const rcp_eid pair[2]) {
    rcp_witness witness;
    rcp_answer answer;
    rcp_witness_init(&witness);
    rcp_text_printf(a->to, "%s: events %" PRIu64 " and %" PRIu64 "\n", rcp_model_name(a->model), pair[0].v, pair[1].v);
    rcp_ladder_watch(ladder, show_rung, a);
    rcp_code code = rcp_ladder_climb(ladder, a->relaxation, pair[0], pair[1], &witness, &answer);
    if (code == RCP_OK && !a->rungs)
        rcp_text_puts(a->to, answer == RCP_ANSWER_NONE ? "no race: the one must happen before the other\n"
                                                       : "no answer: every slice is larger than the limit\n");
    rcp_witness_finish(&witness);
    return code;
}

/* All of them, or the static pair of two events. */
static void show_candidates(const asking *a, const rcp_candidates *candidates, const rcp_run_facts *facts,
                            const rcp_eid *pair) {
    if (!pair) {
        rcp_candidates_dump(a->to, candidates, facts, a->printer);
        return;
    }
    const rcp_candidate_pair *found = rcp_candidates_of(candidates, facts, (uint32_t)pair[0].v, (uint32_t)pair[1].v);
    if (found)
        rcp_candidate_pair_dump(a->to, candidates, found, facts, a->printer);
    else
        rcp_text_puts(a->to, "not among the candidates: the two never meet in one life of their memory\n");
}

static rcp_code predict(const rcp_dump *dump, const rcp_trace *trace, asking *a) {
    rcp_ladder *ladder;
    RCP_TRY(rcp_ladder_create(trace, dump->limits, dump->spurious_wakeups, &ladder));
    rcp_candidates candidates;
    rcp_candidates_find(&candidates, rcp_ladder_borrow_facts(ladder), rcp_ladder_borrow_forced(ladder),
                        dump->spurious_wakeups);
    rcp_eid pair[2];
    bool is_list = !strcmp(dump->stage, "candidates");
    rcp_code code = is_list && !dump->pair ? RCP_OK : choose(dump, trace, &candidates, pair);
    if (code == RCP_OK && is_list)
        show_candidates(a, &candidates, rcp_ladder_borrow_facts(ladder), dump->pair ? pair : NULL);
    else if (code == RCP_OK)
        code = climb(a, ladder, pair);
    rcp_candidates_finish(&candidates);
    rcp_ladder_destroy(ladder);
    return code;
}

static rcp_code show_orders(const rcp_dump *dump, const rcp_trace *trace, asking *a) {
    rcp_eid pair[2];
    if (dump->pair)
        RCP_TRY(read_pair(dump, trace, pair));
    for (rcp_model model = 0; model < RCP_MODELS; model++)
        if (dump->orders & RCP_MODEL_BIT(model)) {
            rcp_text_puts(a->to, a->rungs++ ? "\n" : "");
            RCP_TRY(rcp_order_dump(a->to, trace, model, dump->pair ? pair : NULL, a->printer));
        }
    return RCP_OK;
}

rcp_code rcp_dump_stage(const rcp_dump *dump, rcp_text *to) {
    rcp_trace trace;
    uint64_t all;
    rcp_trace_init(&trace);
    rcp_code code = rcp_trace_load_beginning(&trace, dump->directory, dump->events, &all);
    if (code == RCP_OK) {
        asking a = {.dump = dump, .to = to, .is_query = !strcmp(dump->stage, "query")};
        a.printer = rcp_printer_create(&trace.defs, &trace.terms);
        bool mc = dump->models == RCP_MODEL_BIT(RCP_MODEL_MC),
             recipe = dump->models & RCP_MODEL_BIT(RCP_MODEL_RECIPE_S);
        a.relaxation = mc ? RCP_RELAX_NOTHING : recipe ? RCP_RELAX_VALUES : RCP_RELAX_DATA;
        a.model = mc ? RCP_MODEL_MC : recipe ? RCP_MODEL_RECIPE_S : RCP_MODEL_RV;
        code = !strcmp(dump->stage, "order") ? show_orders(dump, &trace, &a) : predict(dump, &trace, &a);
        rcp_printer_destroy(a.printer);
    }
    rcp_trace_finish(&trace);
    return code;
}
