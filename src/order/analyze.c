/* SPDX-License-Identifier: Apache-2.0 */
#include "order/analyze.h"

#include "order/pairs.h"
#include "order/proof.h"
#include "order/vindicate.h"
#include "trace/reader.h"

#include <stdlib.h>
#include <time.h>

void rcp_order_report_init(rcp_order_report *report) { *report = (rcp_order_report){0}; }

void rcp_order_report_finish(rcp_order_report *report) { rcp_races_finish(&report->races); }

/* Where an engine puts what it finds. */
typedef struct sink {
    rcp_pairs *pairs;
    rcp_model model;
    rcp_engine *engine;
} sink;

static void take(void *context, const rcp_order_race *race) {
    const sink *to = context;
    rcp_pairs_add(to->pairs, to->model, race);
}

/* What wdp wants to know of the whole trace, where it has objects that it asks about. */
static rcp_code learn_facts(const char *directory, rcp_order_facts *facts) {
    rcp_reader *reader;
    rcp_batch batch;
    bool asked = false;
    RCP_TRY(rcp_reader_open(directory, &reader));
    const rcp_defs *defs = rcp_reader_borrow_defs(reader);
    for (size_t i = 0; i < defs->objects.len; i++)
        asked |= defs->objects.at[i].kind >= RCP_COND && defs->objects.at[i].kind <= RCP_BARRIER;
    rcp_code code = RCP_OK;
    while (asked && (code = rcp_reader_next(reader, &batch)) == RCP_OK && batch.n)
        rcp_order_facts_add(facts, batch.at, batch.n);
    rcp_reader_close(reader);
    return code;
}

static rcp_code feed(rcp_reader *reader, const sink *sinks, size_t n) {
    rcp_batch batch;
    do {
        RCP_TRY(rcp_reader_next(reader, &batch));
        for (size_t k = 0; k < n; k++)
            RCP_TRY(rcp_engine_add_all(sinks[k].engine, batch.first, batch.at, batch.n));
    } while (batch.n);
    return RCP_OK;
}

/* One pass over the trace, all models side by side. */
static rcp_code flag(const char *directory, uint32_t models, rcp_pairs *pairs, rcp_order_report *report) {
    rcp_reader *reader;
    rcp_order_facts facts;
    rcp_order_facts_init(&facts);
    rcp_code code = models & RCP_MODEL_BIT(RCP_MODEL_WDP) ? learn_facts(directory, &facts) : RCP_OK;
    if (code != RCP_OK || (code = rcp_reader_open(directory, &reader)) != RCP_OK) {
        rcp_order_facts_finish(&facts);
        return code;
    }
    sink sinks[RCP_MODELS];
    size_t n = 0;
    for (rcp_model model = 0; model < RCP_MODELS; model++)
        if (models & RCP_MODEL_BIT(model)) {
            sink *s = &sinks[n++];
            *s = (sink){.pairs = pairs, .model = model};
            s->engine = rcp_engine_create(rcp_rules_of(model), rcp_reader_borrow_defs(reader), take, s);
            rcp_engine_inform(s->engine, rcp_reader_borrow_terms(reader), &facts);
            if (rcp_rules_of(model)->sections)
                rcp_engine_filter(s->engine);
        }
    code = feed(reader, sinks, n);
    for (size_t k = 0; k < n; k++) {
        report->stats[sinks[k].model] = rcp_engine_statistics(sinks[k].engine);
        rcp_engine_destroy(sinks[k].engine);
    }
    report->events = rcp_reader_count(reader);
    rcp_reader_close(reader);
    rcp_order_facts_finish(&facts);
    return code;
}

/* A kept instance on its way to a proof. */
typedef struct attempt {
    uint32_t pair;
    bool *proven; /* its pair's, under this model */
} attempt;

typedef struct attempts {
    RCP_VEC(attempt) at;
    RCP_VEC(rcp_proof) proofs;
} attempts;

static bool still_open(void *context, size_t i) {
    const attempts *all = context;
    /* What came before i is decided: proofs are found in order. */
    if (i && all->proofs.at[i - 1].proven)
        *all->at.at[i - 1].proven = true;
    return !*all->at.at[i].proven;
}

static rcp_eid earlier_of(const rcp_trace *trace, const rcp_pair_instance *instance) {
    return rcp_trace_event_of(trace, instance->tid, instance->position);
}

/* Did a model before this one prove an instance that this one flags, too? */
static bool proven_already(const rcp_trace *trace, const rcp_pair_flags *flags, const rcp_race *race) {
    if (!rcp_race_is_proven(race))
        return false;
    for (size_t i = 0; i < rcp_pair_kept(flags); i++)
        if (flags->kept[i].later.v == race->event[1].v && earlier_of(trace, &flags->kept[i]).v == race->event[0].v)
            return true;
    return false;
}

static const char *in_words(rcp_values values) {
    switch (values) {
    case RCP_VALUES_SAME: return "every read takes the value that it took";
    case RCP_VALUES_LAST_WRITER: return "every read that matters keeps its last writer";
    default: return "every branch and address keeps its value";
    }
}

/* A proof has been accepted, or was the first to be refused: what it says goes into the pair's race. */
static void settle(rcp_race *race, rcp_model model, const rcp_pair *pair, rcp_proof *proof) {
    uint32_t bit = RCP_MODEL_BIT(model);
    bool was_proven = rcp_race_is_proven(race);
    if (was_proven || (!proof->proven && race->models)) {
        race->models |= was_proven == proof->proven ? bit : 0;
        return;
    }
    race->event[0] = proof->earlier;
    race->event[1] = proof->later;
    race->instances = pair->by[model]->count;
    race->model = rcp_model_name(model);
    race->models = bit;
    if (!proof->proven) {
        rcp_race_explain(race, "%s", proof->verdict.reason);
        return;
    }
    race->status = RCP_RACE_PREDICTED;
    rcp_race_explain(race, "The checker accepted the schedule: %s.", in_words(proof->values));
    rcp_witness_finish(&race->witness);
    race->witness = proof->witness;
    rcp_witness_init(&proof->witness);
}

/* The proofs of all models draw on one limit; what it leaves out is marked, by pair. */
typedef struct proof_budget {
    uint64_t left;
    bool *undecided;
} proof_budget;

static rcp_code prove_model(const rcp_trace *trace, rcp_model model, const rcp_pairs *pairs, rcp_races *races,
                            proof_budget *budget) {
    attempts all = {0};
    bool *proven = rcp_alloc_zero(pairs->at.len + 1, sizeof *proven);
    for (uint32_t p = 0; p < pairs->at.len; p++) {
        const rcp_pair_flags *flags = pairs->at.at[p].by[model];
        if (proven_already(trace, flags, &races->at[p])) {
            races->at[p].models |= RCP_MODEL_BIT(model);
            continue;
        }
        for (size_t i = 0; i < rcp_pair_kept(flags); i++) {
            rcp_vec_push(&all.at, ((attempt){.pair = p, .proven = &proven[p]}));
            rcp_proof_init(rcp_vec_extend(&all.proofs, 1), earlier_of(trace, &flags->kept[i]), flags->kept[i].later);
        }
    }
    rcp_code code =
        rcp_proofs_find(trace, rcp_rules_of(model), all.proofs.at, all.proofs.len, still_open, &all, &budget->left);
    /* accepted ones first: a refused instance says nothing about a pair that has a witness */
    for (int accepted = 1; accepted >= 0 && code == RCP_OK; accepted--)
        for (size_t i = 0; i < all.at.len; i++) {
            uint32_t p = all.at.at[i].pair;
            bool first = !i || all.at.at[i - 1].pair != p;
            proven[p] |= all.proofs.at[i].proven;
            budget->undecided[p] |= all.proofs.at[i].undecided;
            if (accepted ? all.proofs.at[i].proven : first && !proven[p])
                settle(&races->at[p], model, &pairs->at.at[p], &all.proofs.at[i]);
        }
    for (size_t i = 0; i < all.proofs.len; i++)
        rcp_proof_finish(&all.proofs.at[i]);
    rcp_vec_finish(&all.proofs);
    rcp_vec_finish(&all.at);
    rcp_release(proven);
    return code;
}

#define VINDICATED                                                                                                     \
    (RCP_MODEL_BIT(RCP_MODEL_WCP) | RCP_MODEL_BIT(RCP_MODEL_DC) | RCP_MODEL_BIT(RCP_MODEL_SDP) |                       \
     RCP_MODEL_BIT(RCP_MODEL_WDP))

/* What has been decided about a pair's instances. */
typedef struct decided {
    rcp_eid earlier, later;
    rcp_vindication outcome;
} decided;

typedef struct vindication {
    const rcp_trace *trace;
    rcp_vindicator *vindicator;
    const rcp_pairs *pairs;
    rcp_order_report *report;
    proof_budget *budget;
    bool *refuted; /* by pair */
} vindication;

/* Decides an instance, and settles the pair where it is a race. */
static rcp_code vindicate(vindication *v, uint32_t p, rcp_model model, rcp_eid earlier, rcp_eid later,
                          rcp_vindication *outcome) {
    rcp_vindicate_result result;
    rcp_race *race = &v->report->races.at[p];
    RCP_TRY(rcp_vindicate(v->vindicator, earlier, later, &v->budget->left, &result));
    v->report->vindicated[result.outcome][result.by]++;
    *outcome = result.outcome;
    rcp_proof proof;
    rcp_proof_init(&proof, earlier, later);
    proof.proven = result.outcome == RCP_IS_RACE;
    proof.values = RCP_VALUES_LAST_WRITER;
    snprintf(proof.verdict.reason, sizeof proof.verdict.reason, "%s", result.why);
    if (proof.proven) {
        proof.witness = result.witness;
        rcp_witness_init(&result.witness);
    }
    if (proof.proven || !race->models)
        settle(race, model, &v->pairs->at.at[p], &proof);
    rcp_proof_finish(&proof);
    rcp_vindicate_result_finish(&result);
    return RCP_OK;
}

static rcp_code vindicate_pair(vindication *v, uint32_t p, uint32_t models) {
    decided known[RCP_PAIR_KEPT * 4];
    size_t n = 0;
    bool unknown = false, flagged = false;
    rcp_race *race = &v->report->races.at[p];
    for (rcp_model model = RCP_MODEL_WCP; model <= RCP_MODEL_WDP; model++) {
        const rcp_pair_flags *flags = v->pairs->at.at[p].by[model];
        if (!(models & RCP_MODEL_BIT(model)) || !flags)
            continue;
        flagged = true;
        if (proven_already(v->trace, flags, race)) {
            race->models |= RCP_MODEL_BIT(model);
            continue;
        }
        bool proven = false;
        for (size_t i = 0; i < rcp_pair_kept(flags) && !proven; i++) {
            decided d = {earlier_of(v->trace, &flags->kept[i]), flags->kept[i].later, RCP_UNKNOWN};
            size_t k = 0;
            while (k < n && (known[k].earlier.v != d.earlier.v || known[k].later.v != d.later.v))
                k++;
            if (k == n) {
                RCP_TRY(vindicate(v, p, model, d.earlier, d.later, &d.outcome));
                known[n++] = d;
            }
            proven = known[k].outcome == RCP_IS_RACE;
            unknown |= known[k].outcome == RCP_UNKNOWN;
        }
        if (proven == rcp_race_is_proven(race))
            race->models |= RCP_MODEL_BIT(model);
    }
    if (flagged && !rcp_race_is_proven(race)) {
        v->budget->undecided[p] |= unknown;
        /* hb's own say on it stays: it is flagged, and unproven */
        v->refuted[p] = !unknown && !(race->models & ~VINDICATED);
    }
    return RCP_OK;
}

/* Pairs that wdp alone flags first: what sdp flags is nearly always a race, and the limit may be reached. */
static rcp_code vindicate_all(const rcp_trace *trace, uint32_t models, const rcp_pairs *pairs, rcp_order_report *report,
                              proof_budget *budget, bool *refuted) {
    vindication v = {.trace = trace, .pairs = pairs, .report = report, .budget = budget, .refuted = refuted};
    uint64_t upto = 0;
    for (size_t p = 0; p < pairs->at.len; p++)
        for (rcp_model model = RCP_MODEL_WCP; model <= RCP_MODEL_WDP; model++)
            for (size_t i = 0; i < rcp_pair_kept(pairs->at.at[p].by[model]); i++)
                upto = pairs->at.at[p].by[model]->kept[i].later.v >= upto
                           ? pairs->at.at[p].by[model]->kept[i].later.v + 1
                           : upto;
    if (!upto)
        return RCP_OK;
    RCP_TRY(rcp_vindicator_create(trace, upto, &v.vindicator));
    rcp_code code = RCP_OK;
    for (int others = 0; others < 2; others++)
        for (uint32_t p = 0; p < pairs->at.len && code == RCP_OK; p++)
            if ((pairs->at.at[p].by[RCP_MODEL_SDP] != NULL) == others)
                code = vindicate_pair(&v, p, models & VINDICATED);
    rcp_vindicator_destroy(v.vindicator);
    return code;
}

/* What is decided to be no race is not listed. */
static void drop_refuted(rcp_races *races, const bool *refuted, rcp_order_report *report) {
    size_t kept = 0;
    for (size_t p = 0; p < races->len; p++) {
        if (refuted[p]) {
            rcp_race_finish(&races->at[p]);
            report->analysis.solved++;
        } else {
            races->at[kept++] = races->at[p];
        }
    }
    races->len = kept;
}

static rcp_code prove_all(const char *directory, uint32_t models, const rcp_pairs *pairs, uint64_t limit,
                          rcp_order_report *report) {
    rcp_races *races = &report->races;
    proof_budget budget = {.left = limit, .undecided = rcp_alloc_zero(pairs->at.len, sizeof(bool))};
    for (size_t p = 0; p < pairs->at.len; p++)
        rcp_race_init(rcp_vec_extend(races, 1));
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_code code = rcp_trace_load(&trace, directory);
    for (rcp_model model = 0; model < RCP_MODELS && code == RCP_OK; model++)
        if (models & RCP_MODEL_BIT(model) & ~VINDICATED)
            code = prove_model(&trace, model, pairs, races, &budget);
    bool *refuted = rcp_alloc_zero(pairs->at.len + 1, sizeof *refuted);
    if (code == RCP_OK && models & VINDICATED)
        code = vindicate_all(&trace, models, pairs, report, &budget, refuted);
    for (size_t p = 0; p < pairs->at.len && code == RCP_OK; p++)
        if (budget.undecided[p] && !rcp_race_is_proven(&races->at[p])) {
            races->at[p].status = RCP_RACE_UNDECIDED;
            if (budget.left < trace.events.len)
                rcp_race_explain(
                    &races->at[p],
                    "Undecided: the limit of %llu events for the checker was reached; --proof-limit raises it.",
                    (unsigned long long)limit);
            report->analysis.unknown++;
        }
    drop_refuted(races, refuted, report);
    rcp_release(refuted);
    rcp_release(budget.undecided);
    rcp_trace_finish(&trace);
    return code;
}

static int by_event(const void *a, const void *b) {
    const rcp_race *one = a, *other = b;
    for (int side = 1; side >= 0; side--)
        if (one->event[side].v != other->event[side].v)
            return one->event[side].v < other->event[side].v ? -1 : 1;
    return 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

rcp_code rcp_order_analyze(const char *directory, uint32_t models, uint64_t limit, rcp_order_report *report) {
    double start = now();
    for (rcp_model model = 0; model < 32; model++)
        if (models & RCP_MODEL_BIT(model) && (model >= RCP_MODELS || !rcp_rules_of(model)))
            return rcp_fail(RCP_INTERNAL, "model %u is not a partial order of this version", (unsigned)model);
    rcp_pairs pairs;
    rcp_pairs_init(&pairs);
    rcp_code code = flag(directory, models, &pairs, report);
    if (code == RCP_OK && pairs.at.len)
        code = prove_all(directory, models, &pairs, limit, report);
    if (report->races.len)
        qsort(report->races.at, report->races.len, sizeof *report->races.at, by_event);
    report->analysis.models = models;
    report->analysis.candidates = pairs.at.len;
    for (size_t i = 0; i < report->races.len; i++) {
        bool proven = rcp_race_is_proven(&report->races.at[i]);
        report->analysis.solved += proven;
        report->analysis.unproven += !proven;
    }
    report->analysis.unproven -= report->analysis.unknown;
    report->analysis.seconds = now() - start;
    rcp_pairs_finish(&pairs);
    return code;
}
