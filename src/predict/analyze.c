/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/analyze.h"

#include "trace/reader.h"

#include <time.h>

/* From the strictest to the weakest. */
static const struct {
    rcp_model model;
    rcp_relaxation relaxation;
} models[] = {
    {RCP_MODEL_MC, RCP_RELAX_NOTHING},
    {RCP_MODEL_RV, RCP_RELAX_DATA},
    {RCP_MODEL_RECIPE_S, RCP_RELAX_VALUES},
};
enum { MODELS = sizeof models / sizeof *models };

typedef struct work {
    const rcp_predict_options *options;
    const rcp_trace *trace;
    rcp_ladder *ladder;
    rcp_predict_report *report;
    double end; /* 0: none */
} work;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool is_late(const work *w) { return w->end > 0 && now() > w->end; }

/* What has become of a static pair. */
typedef struct outcome {
    bool unknown;
    unsigned strictest; /* of models[]: the strictest that proves it; MODELS: none does */
    rcp_witness witness;
} outcome;

/* The instances, until one is proven under the model. */
static rcp_code try_instances(work *w, const rcp_candidate_pair *pair, unsigned m, outcome *result) {
    for (uint32_t i = 0; i < pair->n; i++) {
        if (is_late(w)) {
            result->unknown = true;
            return RCP_OK;
        }
        rcp_witness witness;
        rcp_answer answer;
        rcp_witness_init(&witness);
        rcp_code code = rcp_ladder_climb(w->ladder, models[m].relaxation, (rcp_eid){pair->kept[i].a},
                                         (rcp_eid){pair->kept[i].b}, &witness, &answer);
        if (code == RCP_OK && answer == RCP_ANSWER_WITNESS) {
            rcp_witness_finish(&result->witness);
            result->witness = witness;
            result->strictest = m;
            return RCP_OK;
        }
        rcp_witness_finish(&witness);
        RCP_TRY(code);
        result->unknown |= answer == RCP_ANSWER_LIMIT;
    }
    return RCP_OK;
}

/* The witness at hand may do for the strictest model, too. */
static rcp_code check_strictest(work *w, outcome *result) {
    rcp_verdict verdict;
    rcp_check_options options = {.values = RCP_VALUES_SAME, .spurious_wakeups = w->options->spurious_wakeups};
    RCP_TRY(rcp_checker_run(rcp_ladder_borrow_checker(w->ladder), &result->witness, options, &verdict));
    if (verdict.accepted)
        result->strictest = 0;
    return RCP_OK;
}

static rcp_code decide(work *w, const rcp_candidate_pair *pair, outcome *result) {
    unsigned weakest = MODELS;
    for (unsigned m = 0; m < MODELS; m++)
        if (w->options->models & RCP_MODEL_BIT(models[m].model))
            weakest = m;
    RCP_CHECK(weakest < MODELS);
    RCP_TRY(try_instances(w, pair, weakest, result));
    /* Where not every value was recorded a stricter model may prove what a weaker one can't evaluate. */
    bool exact = rcp_ladder_borrow_facts(w->ladder)->all_valued;
    if (result->strictest == MODELS && exact)
        return RCP_OK;
    if (result->strictest < MODELS && weakest > 0)
        RCP_TRY(check_strictest(w, result));
    for (unsigned m = 0; m < weakest && m < result->strictest; m++)
        if (w->options->models & RCP_MODEL_BIT(models[m].model)) {
            outcome stricter = {.strictest = MODELS};
            rcp_witness_init(&stricter.witness);
            rcp_code code = try_instances(w, pair, m, &stricter);
            if (code == RCP_OK && stricter.strictest < MODELS) {
                rcp_witness_finish(&result->witness);
                *result = stricter;
                return RCP_OK;
            }
            rcp_witness_finish(&stricter.witness);
            RCP_TRY(code);
        }
    return RCP_OK;
}

static const char *in_words(unsigned strictest) {
    static const char *const words[MODELS] = {
        "every read takes the value that it took",
        "reads may take other values, but none before a branch of its thread or an address that is computed",
        "reads may take other values, but every branch and address keeps its value",
    };
    return words[strictest];
}

static void describe(const work *w, const rcp_candidate_pair *pair, outcome *result, rcp_race *race) {
    rcp_race_init(race);
    race->instances = pair->left;
    if (result->strictest == MODELS) {
        race->event[0] = (rcp_eid){pair->kept[0].a};
        race->event[1] = (rcp_eid){pair->kept[0].b};
        race->status = RCP_RACE_UNDECIDED;
        race->models = w->options->models;
        rcp_race_explain(race, "Undecided: %s was reached before a witness, or a proof that there is none, was found.",
                         is_late(w) ? "the budget of seconds" : "the limit of solver steps or of events");
    } else {
        for (int side = 0; side < 2; side++)
            race->event[side] = result->witness.race[side];
        race->status = RCP_RACE_PREDICTED;
        for (unsigned m = result->strictest; m < MODELS; m++)
            race->models |= RCP_MODEL_BIT(models[m].model) & w->options->models;
        rcp_race_explain(race, "The checker accepted the schedule: %s.", in_words(result->strictest));
        rcp_witness_finish(&race->witness);
        race->witness = result->witness;
        rcp_witness_init(&result->witness);
    }
    race->model = rcp_model_name(rcp_model_first(race->models));
}

static rcp_code analyze_pair(work *w, const rcp_candidate_pair *pair, rcp_predict_sink *sink, void *context) {
    rcp_analysis *analysis = &w->report->analysis;
    outcome result = {.strictest = MODELS};
    rcp_witness_init(&result.witness);
    rcp_code code = decide(w, pair, &result);
    bool open = result.strictest == MODELS && result.unknown;
    analysis->solved += !open;
    analysis->unknown += open;
    if (code == RCP_OK && (open || result.strictest < MODELS)) {
        rcp_race race;
        describe(w, pair, &result, &race);
        code = sink(context, &race);
    }
    rcp_witness_finish(&result.witness);
    return code;
}

static rcp_code analyze_trace(work *w, rcp_predict_sink *sink, void *context) {
    rcp_predict_report *report = w->report;
    RCP_TRY(rcp_ladder_create(w->trace, w->options->limits, w->options->spurious_wakeups, &w->ladder));
    rcp_candidates candidates;
    rcp_candidates_find(&candidates, rcp_ladder_borrow_facts(w->ladder), w->options->spurious_wakeups);
    report->analysis.candidates = candidates.pairs.len;
    report->conflicts = candidates.conflicts;
    report->by_lock = candidates.by_lock;
    report->by_order = candidates.by_order;
    report->by_history = candidates.by_history;
    report->forgotten = candidates.forgotten;
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < candidates.pairs.len && code == RCP_OK; i++) {
        const rcp_candidate_pair *pair = &candidates.pairs.at[i];
        report->left += pair->left;
        report->analysis.pruned += !pair->n;
        if (pair->n)
            code = analyze_pair(w, pair, sink, context);
    }
    rcp_candidates_finish(&candidates);
    report->ladder = rcp_ladder_statistics(w->ladder);
    rcp_ladder_destroy(w->ladder);
    return code;
}

rcp_code rcp_predict_analyze(const char *directory, const rcp_predict_options *options, rcp_predict_sink *sink,
                             void *context, rcp_predict_report *report) {
    double start = now();
    *report = (rcp_predict_report){.analysis.models = options->models};
    if (!options->models || options->models & ~RCP_PREDICT_MODELS)
        return rcp_fail(RCP_INTERNAL, "models %#x are not all models that predict", options->models);
    rcp_trace trace;
    rcp_trace_init(&trace);
    work w = {.options = options,
              .trace = &trace,
              .report = report,
              .end = options->seconds > 0 ? start + options->seconds : 0};
    rcp_code code = rcp_trace_load(&trace, directory);
    if (code == RCP_OK)
        code = analyze_trace(&w, sink, context);
    rcp_trace_finish(&trace);
    report->analysis.seconds = now() - start;
    return code;
}
