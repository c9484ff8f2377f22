/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dump_stage.h"

#include "order/engine/order_dump.h"
#include "predict/solve/ladder.h"

#include <inttypes.h>
#include <string.h>

/* Of a stage that has a pair in hand. */
typedef struct asking {
    rcp_text *to;
    rcp_printer *printer;
    rcp_relaxation relaxation;
    rcp_model model;
    bool is_query; /* else the slice */
    unsigned rungs;
} asking;

/* The two events that were asked for, the earlier one first. */
static rcp_code take_pair(const rcp_dump *dump, const rcp_trace *trace, rcp_eid pair[2]) {
    bool is_turned = dump->pair[1].v < dump->pair[0].v;
    pair[0] = dump->pair[is_turned];
    pair[1] = dump->pair[!is_turned];
    return pair[1].v < trace->events.len
               ? RCP_OK
               : rcp_fail(RCP_BAD_INPUT, "--pair %" PRIu64 ",%" PRIu64 ": the trace has %zu events", dump->pair[0].v,
                          dump->pair[1].v, trace->events.len);
}

/* The pair that was asked for, or the first that nothing has ruled out. */
static rcp_code choose(const rcp_dump *dump, const rcp_trace *trace, const rcp_candidates *candidates,
                       rcp_eid pair[2]) {
    if (dump->has_pair) {
        RCP_TRY(take_pair(dump, trace, pair));
        for (int i = 0; i < 2; i++) {
            const rcp_event *e = &trace->events.at[pair[i].v];
            if (!rcp_event_is_access(e) && e->kind != RCP_FREE)
                return rcp_fail(RCP_BAD_INPUT, "--pair: event %" PRIu64 " is no access", pair[i].v);
        }
        if (!rcp_event_conflict(&trace->events.at[pair[0].v], &trace->events.at[pair[1].v]))
            return rcp_fail(RCP_BAD_INPUT, "--pair %" PRIu64 ",%" PRIu64 ": the two do not conflict", pair[0].v,
                            pair[1].v);
        return RCP_OK;
    }
    for (size_t i = 0; i < candidates->pairs.len; i++)
        if (candidates->pairs.at[i].n) {
            pair[0].v = candidates->pairs.at[i].kept[0].a;
            pair[1].v = candidates->pairs.at[i].kept[0].b;
            return RCP_OK;
        }
    return rcp_fail(RCP_BAD_INPUT, "no candidate is left: --dump=candidates says why; --pair names two events");
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

static rcp_code predict(const rcp_study_options *options, const rcp_dump *dump, rcp_subject *run, asking *a) {
    RCP_TRY(rcp_subject_lay_groundwork(run));
    const rcp_groundwork *ground = run->groundwork;
    rcp_ladder *ladder = rcp_ladder_create(ground, options->predict.limits);
    rcp_candidates candidates;
    rcp_candidates_find(&candidates, &ground->facts, &ground->forced, run->spurious_wakeups);
    rcp_eid pair[2] = {RCP_NO_EID, RCP_NO_EID};
    bool is_list = !strcmp(dump->stage, "candidates");
    rcp_code code = is_list && !dump->has_pair ? RCP_OK : choose(dump, &run->trace, &candidates, pair);
    if (code == RCP_OK && is_list)
        show_candidates(a, &candidates, &ground->facts, dump->has_pair ? pair : NULL);
    else if (code == RCP_OK)
        code = climb(a, ladder, pair);
    rcp_candidates_finish(&candidates);
    rcp_ladder_destroy(ladder);
    return code;
}

static rcp_code show_orders(uint32_t orders, const rcp_dump *dump, const rcp_trace *trace, asking *a) {
    rcp_eid pair[2] = {RCP_NO_EID, RCP_NO_EID};
    if (dump->has_pair)
        RCP_TRY(take_pair(dump, trace, pair));
    for (rcp_model model = 0; model < RCP_MODELS; model++)
        if (orders & RCP_MODEL_BIT(model)) {
            rcp_text_puts(a->to, a->rungs++ ? "\n" : "");
            RCP_TRY(rcp_order_dump(a->to, trace, model, dump->has_pair ? pair : NULL, a->printer));
        }
    return RCP_OK;
}

/* The weakest of the models is asked: it has the largest slices and the most choices. */
static rcp_code show(const rcp_study_options *options, const rcp_dump *dump, rcp_subject *run, rcp_text *to) {
    uint32_t models = options->predict.models;
    bool mc = models == RCP_MODEL_BIT(RCP_MODEL_MC), recipe = models & RCP_MODEL_BIT(RCP_MODEL_RECIPE_S);
    asking a = {.to = to, .is_query = !strcmp(dump->stage, "query")};
    a.relaxation = mc ? RCP_RELAX_NOTHING : recipe ? RCP_RELAX_VALUES : RCP_RELAX_DATA;
    a.model = mc ? RCP_MODEL_MC : recipe ? RCP_MODEL_RECIPE_S : RCP_MODEL_RV;
    a.printer = rcp_printer_create(&run->trace.defs, &run->trace.terms);
    rcp_code code = !strcmp(dump->stage, "order") ? show_orders(rcp_study_orders(options), dump, &run->trace, &a)
                                                  : predict(options, dump, run, &a);
    rcp_printer_destroy(a.printer);
    return code;
}

rcp_code rcp_dump_stage(const rcp_study_options *options, const rcp_dump *dump, const rcp_notices *notices,
                        rcp_text *to) {
    rcp_subject run;
    RCP_TRY(rcp_study_make_events(options, notices));
    rcp_subject_init(&run, options->directory, 0, options->predict.spurious_wakeups);
    rcp_code code = rcp_subject_open(&run);
    if (code == RCP_OK)
        code = rcp_subject_load(&run, rcp_study_events(options));
    if (code == RCP_OK)
        code = show(options, dump, &run, to);
    rcp_subject_finish(&run);
    return code;
}
