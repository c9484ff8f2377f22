/* SPDX-License-Identifier: Apache-2.0 */
#include "order/analyze.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/stage.h"
#include "order/proof/judge.h"
#include "order/proof/language.h"
#include "order/proof/settle.h"

#include <stdlib.h>
#include <string.h>

/* 0: there is no end. */
static bool is_over(double end) { return end > 0 && rcp_seconds_now() >= end; }

void rcp_order_report_init(rcp_order_report *report) {
    *report = (rcp_order_report){0};
    rcp_pairs_init(&report->pairs);
}

void rcp_order_report_finish(rcp_order_report *report) {
    rcp_pairs_finish(&report->pairs);
    rcp_races_finish(&report->races);
}

/* Where an engine puts what it finds. */
typedef struct sink {
    rcp_pairs *pairs;
    rcp_model model;
    rcp_engine *engine;
    rcp_map *unordered; /* of hb and c11: what hb left unordered of the events in hand; NULL: c11 is not run */
    bool is_silent;     /* hb, where only c11 asks for it */
} sink;

/* What hb leaves unordered is hb's, and no pair of c11's (docs/semantics.md). Of a place in the program both name the
 * last access. */
static void take(void *context, const rcp_order_race *race) {
    const sink *to = context;
    const uint64_t key =
        rcp_hash_join(race->eid.v, (uint64_t)race->earlier.tid.v << 32 | (uint32_t)race->earlier.position);
    if (to->unordered && to->model == RCP_MODEL_HB)
        rcp_map_set(to->unordered, key, 1);
    if (to->unordered && to->model == RCP_MODEL_C11 && rcp_map_get(to->unordered, key) != RCP_MAP_NONE)
        return;
    if (!to->is_silent)
        rcp_pairs_add(to->pairs, to->model, race);
}

/* What wdp wants to know of the whole trace, where it has objects that it asks about. */
static rcp_code learn_facts(rcp_reader *reader, rcp_order_facts *facts) {
    rcp_batch batch;
    bool asked = false;
    const rcp_defs *defs = rcp_reader_borrow_defs(reader);
    for (size_t i = 0; i < defs->objects.len; i++)
        asked |= defs->objects.at[i].kind >= RCP_COND && defs->objects.at[i].kind <= RCP_BARRIER;
    if (!asked)
        return RCP_OK;
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){0}));
    rcp_code code;
    while ((code = rcp_reader_next(reader, &batch)) == RCP_OK && batch.n)
        rcp_order_facts_add(facts, batch.at, batch.n);
    return code;
}

/* The time of a pass over the trace. */
typedef struct pass {
    double begin, end; /* `end` 0: there is none */
    uint64_t events;
} pass;

/* Most of the time is over, and at this pace there will not be enough of it: what is left is better spent on the first
 * alone, which is many times as fast and may come to the end, than on a little more by all. */
static bool is_too_slow(const pass *p, uint64_t seen) {
    const double now = rcp_seconds_now(), whole = p->end - p->begin, gone = now - p->begin;
    return p->end > 0 && gone > whole * 3 / 4 && gone * (double)p->events > whole * (double)seen;
}

/* A few events at a time: with many threads one may take long. */
enum { FEW = 512 };

static rcp_code feed_few(const sink *sinks, size_t n, rcp_eid first, const rcp_event *events, size_t few) {
    if (sinks->unordered && sinks->unordered->len) {
        rcp_map_finish(sinks->unordered);
        rcp_map_init(sinks->unordered);
    }
    for (size_t k = 0; k < n; k++)
        RCP_TRY(rcp_engine_add_all(sinks[k].engine, first, events, few));
    return RCP_OK;
}

static rcp_code feed(rcp_reader *reader, const sink *sinks, size_t n, const pass *p, rcp_order_report *report) {
    rcp_batch batch = {0};
    const uint64_t most = p->events;
    uint64_t *seen = &report->first_seen;
    bool all = true;
    for (size_t at = 0; *seen < most && !is_over(p->end);) {
        if (at == batch.n) {
            RCP_TRY(rcp_reader_next(reader, &batch));
            if (!batch.n)
                break;
            at = 0;
        }
        size_t few = batch.n - at < FEW ? batch.n - at : FEW;
        few = few < most - *seen ? few : (size_t)(most - *seen);
        all = all && !(n > 1 && is_too_slow(p, *seen));
        RCP_TRY(feed_few(sinks, all ? n : 1, (rcp_eid){batch.first.v + at}, batch.at + at, few));
        at += few;
        *seen += few;
        if (all)
            report->seen = *seen;
        rcp_stage_at(*seen, most);
    }
    return RCP_OK;
}

/* All models side by side. Returns how many engines there are. */
static size_t begin_sinks(sink sinks[RCP_MODELS], uint32_t models, const rcp_defs *defs, const rcp_terms *terms,
                          const rcp_order_facts *facts, rcp_map *unordered, rcp_pairs *pairs) {
    const uint32_t hb = RCP_MODEL_BIT(RCP_MODEL_HB), c11 = RCP_MODEL_BIT(RCP_MODEL_C11);
    const uint32_t run = models & c11 ? models | hb : models;
    size_t n = 0;
    for (rcp_model model = 0; model < RCP_MODELS; model++)
        if (run & RCP_MODEL_BIT(model)) {
            sink *s = &sinks[n++];
            *s = (sink){.pairs = pairs, .model = model, .is_silent = !(models & RCP_MODEL_BIT(model))};
            if (models & c11 && (hb | c11) & RCP_MODEL_BIT(model))
                s->unordered = unordered;
            s->engine = rcp_engine_create(rcp_rules_of(model), defs, take, s);
            rcp_engine_inform(s->engine, terms, facts);
            if (rcp_rules_of(model)->sections)
                rcp_engine_filter(s->engine);
            else
                rcp_engine_name_places(s->engine);
        }
    return n;
}

static void end_sinks(const sink *sinks, size_t n, rcp_order_report *report) {
    for (size_t k = 0; k < n; k++) {
        report->stats[sinks[k].model] = rcp_engine_statistics(sinks[k].engine);
        rcp_engine_destroy(sinks[k].engine);
    }
}

static rcp_code flag(rcp_reader *reader, uint32_t models, const rcp_order_facts *facts, uint64_t most, double end,
                     rcp_order_report *report) {
    sink sinks[RCP_MODELS];
    rcp_map unordered;
    rcp_map_init(&unordered);
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){0}));
    const size_t n = begin_sinks(sinks, models, rcp_reader_borrow_defs(reader), rcp_reader_borrow_terms(reader), facts,
                                 &unordered, &report->pairs);
    rcp_stage_begin("the partial orders");
    const uint64_t events = rcp_reader_count(reader);
    const pass whole = {.begin = rcp_seconds_now(), .end = end, .events = most < events ? most : events};
    rcp_code code = feed(reader, sinks, n, &whole, report);
    rcp_stage_end();
    end_sinks(sinks, n, report);
    rcp_map_finish(&unordered);
    report->events = events;
    return code;
}

rcp_code rcp_order_flag_by_language(const rcp_trace *execution, double end, rcp_order_report *report) {
    sink sinks[RCP_MODELS];
    rcp_map unordered;
    rcp_map_init(&unordered);
    const uint32_t c11 = RCP_MODEL_BIT(RCP_MODEL_C11);
    const size_t n = begin_sinks(sinks, c11, &execution->defs, NULL, NULL, &unordered, &report->pairs);
    rcp_code code = RCP_OK;
    for (size_t at = 0, few; code == RCP_OK && at < execution->events.len && !is_over(end); at += few) {
        few = execution->events.len - at < FEW ? execution->events.len - at : FEW;
        code = feed_few(sinks, n, (rcp_eid){at}, execution->events.at + at, few);
        report->seen = at + few;
    }
    end_sinks(sinks, n, report);
    rcp_map_finish(&unordered);
    report->events = execution->events.len;
    report->analysis.models = c11;
    report->analysis.candidates = report->pairs.at.len;
    return code;
}

rcp_code rcp_order_flag(rcp_reader *reader, uint32_t models, uint64_t most, double seconds, rcp_order_report *report) {
    double start = rcp_seconds_now();
    for (rcp_model model = 0; model < 32; model++)
        if (models & RCP_MODEL_BIT(model) && (model >= RCP_MODELS || !rcp_rules_of(model)))
            return rcp_fail(RCP_INTERNAL, "model %u is not a partial order of this version", (unsigned)model);
    rcp_order_facts facts;
    rcp_order_facts_init(&facts);
    rcp_code code = models & RCP_MODEL_BIT(RCP_MODEL_WDP) ? learn_facts(reader, &facts) : RCP_OK;
    if (code == RCP_OK)
        code = flag(reader, models, &facts, most, seconds > 0 ? rcp_seconds_now() + seconds : 0, report);
    rcp_order_facts_finish(&facts);
    if (code == RCP_OK && report->seen < report->events)
        rcp_limit_reached(RCP_LIMIT_BUDGET);
    report->analysis.models = models;
    report->analysis.candidates = report->pairs.at.len;
    for (size_t p = 0; p < report->pairs.at.len; p++)
        report->unordered += report->pairs.at.at[p].by[RCP_MODEL_HB] != NULL;
    report->analysis.seconds = rcp_seconds_now() - start;
    return code;
}

/* A kept instance on its way to a proof. */
typedef struct attempt {
    uint32_t pair;
    bool *proven;  /* its pair's, under this model */
    bool is_first; /* of its pair */
} attempt;

typedef struct attempts {
    RCP_VEC(attempt) at;
    RCP_VEC(rcp_proof) proofs;
    rcp_proof_budget *budget;
    size_t first;    /* so many are the first of their pairs, */
    double first_at; /* and at this moment all of these had been tried; 0: not yet */
} attempts;

static bool still_open(void *context, size_t i) {
    attempts *all = context;
    rcp_proof_budget_is_over(all->budget);
    if (i >= all->first && !all->first_at)
        all->first_at = rcp_seconds_now();
    /* What came before i is decided: proofs are found in order. */
    if (i && all->proofs.at[i - 1].proven)
        *all->at.at[i - 1].proven = true;
    return !*all->at.at[i].proven;
}

/* One instance of every pair comes before the second one of any: some take long, and the time may be over. */
static void list_attempts(attempts *all, const rcp_trace *trace, rcp_model model, const rcp_pairs *pairs,
                          rcp_races *races, bool *proven) {
    for (size_t i = 0, added = 1; added; i++) {
        added = 0;
        for (uint32_t p = 0; p < pairs->at.len; p++) {
            const rcp_pair_flags *flags = pairs->at.at[p].by[model];
            if (!i && rcp_settled_already(trace, flags, &races->at[p])) {
                races->at[p].models |= RCP_MODEL_BIT(model);
                proven[p] = true;
            }
            if (proven[p] || i >= rcp_pair_kept(flags))
                continue;
            rcp_vec_push(&all->at, ((attempt){.pair = p, .proven = &proven[p], .is_first = !i}));
            rcp_proof_init(rcp_vec_extend(&all->proofs, 1), rcp_pair_earlier(trace, &flags->kept[i]),
                           flags->kept[i].later);
            added++;
        }
        all->first += i ? 0 : added;
    }
}

/* hb's first look at every pair of places that it leaves unordered. */
static void note_asked(const attempts *all, rcp_order_report *report) {
    report->asked_at = all->first_at ? all->first_at : rcp_seconds_now();
    for (size_t i = 0; i < all->first; i++)
        report->asked += !all->proofs.at[i].undecided;
}

static rcp_code prove_model(const rcp_trace *trace, const rcp_checker *checker, rcp_model model,
                            rcp_proof_budget *budget, rcp_order_report *report) {
    const rcp_pairs *pairs = &report->pairs;
    rcp_races *races = &report->races;
    attempts all = {.budget = budget};
    bool *proven = rcp_alloc_zero(pairs->at.len + 1, sizeof *proven);
    list_attempts(&all, trace, model, pairs, races, proven);
    rcp_code code = rcp_proofs_find(trace, checker, rcp_rules_of(model), all.proofs.at, all.proofs.len, still_open,
                                    &all, &budget->left);
    if (model == RCP_MODEL_HB)
        note_asked(&all, report);
    /* accepted ones first: a refused instance says nothing about a pair that has a witness */
    for (int accepted = 1; accepted >= 0 && code == RCP_OK; accepted--)
        for (size_t i = 0; i < all.at.len; i++) {
            uint32_t p = all.at.at[i].pair;
            proven[p] |= all.proofs.at[i].proven;
            budget->undecided[p] |= all.proofs.at[i].undecided;
            if (accepted ? all.proofs.at[i].proven : all.at.at[i].is_first && !proven[p])
                rcp_settle(&races->at[p], model, pairs->at.at[p].by[model]->count, &all.proofs.at[i]);
        }
    for (size_t i = 0; i < all.proofs.len; i++)
        rcp_proof_finish(&all.proofs.at[i]);
    rcp_vec_finish(&all.proofs);
    rcp_vec_finish(&all.at);
    rcp_release(proven);
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

/* Of pairs without a race there may be instances that nobody has tried. */
static void count_untried(const rcp_pairs *pairs, const rcp_races *races) {
    for (size_t p = 0; p < pairs->at.len; p++) {
        bool is_left_out = false;
        for (rcp_model model = 0; model < RCP_MODELS; model++) {
            const rcp_pair_flags *flags = pairs->at.at[p].by[model];
            is_left_out |= flags && flags->count > rcp_pair_kept(flags);
        }
        if (is_left_out && !rcp_race_is_proven(&races->at[p]))
            rcp_limit_reached(RCP_LIMIT_ORDER_INSTANCES);
    }
}

/* Nobody needs what comes after the last event that was flagged. */
uint64_t rcp_order_needs(const rcp_order_report *report) {
    const rcp_pairs *pairs = &report->pairs;
    uint64_t upto = 0;
    for (size_t p = 0; p < pairs->at.len; p++)
        for (rcp_model model = 0; model < RCP_MODELS; model++)
            for (size_t i = 0; i < rcp_pair_kept(pairs->at.at[p].by[model]); i++)
                upto = pairs->at.at[p].by[model]->kept[i].later.v >= upto
                           ? pairs->at.at[p].by[model]->kept[i].later.v + 1
                           : upto;
    return upto;
}

/* What a limit has left open says so. */
static void mark_undecided(const rcp_trace *trace, const rcp_proof_budget *budget, uint64_t limit,
                           rcp_order_report *report) {
    for (size_t p = 0; p < report->races.len; p++) {
        rcp_race *race = &report->races.at[p];
        if (!budget->undecided[p] || rcp_race_is_proven(race))
            continue;
        race->status = RCP_RACE_UNDECIDED;
        if (is_over(budget->end)) {
            rcp_limit_reached(RCP_LIMIT_BUDGET);
            rcp_race_explain(race, "Undecided: the budget of seconds was over; --budget raises it.");
        } else if (budget->left < trace->events.len) {
            rcp_limit_reached(RCP_LIMIT_PROOF_EVENTS);
            rcp_race_explain(
                race, "Undecided: the limit of %llu events for the checker was reached; --proof-limit raises it.",
                (unsigned long long)limit);
        }
        report->analysis.unknown++;
    }
}

static rcp_code prove_all(const rcp_trace *trace, const rcp_checker *checker, uint64_t limit, double end,
                          rcp_order_report *report) {
    const rcp_pairs *pairs = &report->pairs;
    uint32_t models = report->analysis.models;
    rcp_races *races = &report->races;
    rcp_proof_budget budget = {.left = limit, .end = end, .undecided = rcp_alloc_zero(pairs->at.len + 1, sizeof(bool))};
    for (size_t p = 0; p < pairs->at.len; p++)
        rcp_race_init(rcp_vec_extend(races, 1));
    rcp_code code = RCP_OK;
    for (rcp_model model = 0; model < RCP_MODELS && code == RCP_OK; model++)
        if (models & RCP_MODEL_BIT(model) & ~RCP_VINDICATED & ~RCP_MODEL_BIT(RCP_MODEL_C11))
            code = prove_model(trace, checker, model, &budget, report);
    rcp_vindications made = {.races = races->at, .refuted = rcp_alloc_zero(pairs->at.len + 1, sizeof(bool))};
    rcp_checker_forget_states(checker); /* vindication checks by a rule that has no use for them, and needs the room */
    if (code == RCP_OK && models & RCP_VINDICATED)
        code = rcp_judge_all(trace, checker, models, pairs, &budget, &made);
    memcpy(report->vindicated, made.counts, sizeof made.counts);
    if (code == RCP_OK && models & RCP_MODEL_BIT(RCP_MODEL_C11))
        rcp_language_judge(trace, pairs, &budget, races->at, made.refuted);
    if (code == RCP_OK)
        mark_undecided(trace, &budget, limit, report);
    if (code == RCP_OK)
        count_untried(pairs, races);
    drop_refuted(races, made.refuted, report);
    report->analysis.candidates += made.more.len;
    for (size_t i = 0; i < made.more.len; i++)
        rcp_vec_push(races, made.more.at[i]);
    rcp_vec_finish(&made.more);
    rcp_release(made.refuted);
    rcp_release(budget.undecided);
    return code;
}

static int by_event(const void *a, const void *b) {
    const rcp_race *one = a, *other = b;
    for (int side = 1; side >= 0; side--)
        if (one->event[side].v != other->event[side].v)
            return one->event[side].v < other->event[side].v ? -1 : 1;
    return 0;
}

rcp_code rcp_order_prove(const rcp_trace *trace, const rcp_checker *checker, uint64_t limit, double end,
                         rcp_order_report *report) {
    double start = rcp_seconds_now();
    rcp_code code = prove_all(trace, checker, limit, end, report);
    if (report->races.len)
        qsort(report->races.at, report->races.len, sizeof *report->races.at, by_event);
    for (size_t i = 0; i < report->races.len; i++) {
        bool proven = rcp_race_is_proven(&report->races.at[i]);
        report->analysis.solved += proven;
        report->analysis.unproven += !proven;
    }
    report->analysis.unproven -= report->analysis.unknown;
    report->analysis.seconds += rcp_seconds_now() - start;
    return code;
}
