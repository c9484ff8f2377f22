/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/analyze.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/hash.h"
#include "predict/rival/rival.h"
#include "base/workers.h"
#include "trace/check/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const rcp_groundwork *ground;
    const rcp_trace *trace; /* ground's */
    rcp_ladder *ladder;
    rcp_rival *rival; /* NULL where nobody asks for it */
    rcp_predict_report *report;
    uint32_t *accesses;    /* by source location; for warnings alone */
    unsigned blamed;       /* rules that may be to blame; 0: nobody asks */
    rcp_blame *warned_for; /* beside report->warned */
    double start, end;     /* end 0: none */
} work;

static bool is_late(const work *w) { return w->end > 0 && rcp_seconds_now() > w->end; }

/* What has become of a static pair. */
typedef struct outcome {
    bool unknown;
    unsigned strictest; /* of models[]: the strictest that proves it; MODELS: none does */
    rcp_witness witness;
} outcome;

/* One instance under one model, by the solver that was asked for. */
static rcp_code ask(work *w, unsigned m, rcp_candidate pair, rcp_witness *witness, rcp_answer *answer) {
    rcp_eid a = {pair.a}, b = {pair.b};
    if (w->options->smt2) {
        rcp_code code = rcp_rival_save(w->rival, w->options->smt2, models[m].model, a, b);
        if (code != RCP_OK && code != RCP_LIMIT)
            return code;
        w->report->unsaved += code == RCP_LIMIT;
        rcp_clear_causes();
    }
    if (w->options->z3)
        return rcp_rival_ask(w->rival, models[m].model, a, b, witness, answer);
    return rcp_ladder_climb(w->ladder, models[m].relaxation, a, b, witness, answer);
}

/* The instances, until one is proven under the model. */
static rcp_code try_instances(work *w, const rcp_candidate_pair *pair, unsigned m, outcome *result) {
    for (uint32_t i = 0; i < pair->n; i++) {
        if (is_late(w)) {
            result->unknown = true;
            rcp_limit_reached(RCP_LIMIT_BUDGET);
            return RCP_OK;
        }
        rcp_witness witness;
        rcp_answer answer;
        rcp_witness_init(&witness);
        rcp_code code = ask(w, m, pair->kept[i], &witness, &answer);
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
    rcp_check_verdict verdict;
    rcp_check_options options = {.values = RCP_VALUES_SAME, .spurious_wakeups = w->options->spurious_wakeups};
    RCP_TRY(rcp_checker_run(w->ground->checker, &result->witness, options, &verdict));
    if (verdict.accepted)
        result->strictest = 0;
    return RCP_OK;
}

/* Of the models that were asked for. */
static unsigned weakest_of(const work *w) {
    unsigned weakest = MODELS;
    for (unsigned m = 0; m < MODELS; m++)
        if (w->options->models & RCP_MODEL_BIT(models[m].model))
            weakest = m;
    RCP_CHECK(weakest < MODELS);
    return weakest;
}

static rcp_code find(work *w, const rcp_candidate_pair *pair, outcome *result) {
    const unsigned weakest = weakest_of(w);
    RCP_TRY(try_instances(w, pair, weakest, result));
    /* Where not every value was recorded a stricter model may prove what a weaker one can't evaluate. */
    bool exact = w->ground->facts.all_valued;
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

/* That reads keep their values where a branch follows is not a rule of the checker's: a witness of rv is left as it is.
 */
static rcp_code decide(work *w, const rcp_candidate_pair *pair, outcome *result) {
    RCP_TRY(find(w, pair, result));
    if (result->strictest == MODELS || models[result->strictest].model == RCP_MODEL_RV)
        return RCP_OK;
    rcp_check_options rules = {.values = rcp_relaxation_rule(models[result->strictest].relaxation),
                               .spurious_wakeups = w->options->spurious_wakeups};
    return rcp_reduce_witness(w->ground->checker, w->trace, rules, rcp_limit(RCP_LIMIT_REDUCE_EVENTS),
                              &result->witness);
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
        rcp_race_explain(race, "The same events can come in another order: %s.", in_words(result->strictest));
        rcp_witness_finish(&race->witness);
        race->witness = result->witness;
        rcp_witness_init(&result->witness);
    }
    race->model = rcp_model_name(rcp_model_first(race->models));
}

/* ---- Warnings. */

static bool is_at(const work *w, const rcp_pair_side *side, const rcp_warned_place *place) {
    const rcp_defs *defs = &w->trace->defs;
    return side->place < defs->locations.len && rcp_warned_place_is(defs, (rcp_loc){(uint32_t)side->place}, place);
}

static bool is_warned_of(const work *w, const rcp_candidate_pair *pair, const rcp_warning *warning) {
    for (int turned = 0; turned < 2; turned++)
        if (is_at(w, &pair->side[0], &warning->place[turned]) && is_at(w, &pair->side[1], &warning->place[!turned]))
            return true;
    return false;
}

/* Notes the answer for every warning of the pair; says whether there is one. */
static bool note_warned(work *w, const rcp_candidate_pair *pair, rcp_warned answer, rcp_blame blame) {
    bool any = false;
    for (size_t i = 0; i < w->report->warned.len; i++)
        if (is_warned_of(w, pair, &w->options->warnings->at.at[i])) {
            any = true;
            if (w->report->warned.at[i] < answer) {
                w->report->warned.at[i] = (uint8_t)answer;
                w->warned_for[i] = blame;
            }
        }
    return any;
}

/* Both places are in the trace: no race, unless a pair says otherwise. */
static void find_warned(work *w) {
    const rcp_defs *defs = &w->trace->defs;
    size_t n = w->options->warnings ? w->options->warnings->at.len : 0;
    w->accesses = rcp_alloc_zero(defs->locations.len + 1, sizeof *w->accesses);
    for (size_t i = 0; i < w->trace->events.len; i++) {
        const rcp_event *e = &w->trace->events.at[i];
        w->accesses[e->loc.v] += rcp_event_is_access(e) || e->kind == RCP_FREE;
    }
    for (size_t i = 0; i < n; i++) {
        bool found[2] = {false, false};
        for (uint32_t l = 1; l < defs->locations.len; l++)
            for (int k = 0; w->accesses[l] && k < 2; k++)
                found[k] |= rcp_warned_place_is(defs, (rcp_loc){l}, &w->options->warnings->at.at[i].place[k]);
        rcp_vec_push(&w->report->warned, found[0] && found[1] ? RCP_WARNED_NONE : RCP_WARNED_NOT_THERE);
    }
    w->warned_for = rcp_alloc_zero(n + 1, sizeof *w->warned_for);
}

/* In words, for whoever warned: the trace may be gone then. */
static void name_blamed(work *w) {
    const rcp_defs *defs = &w->trace->defs;
    for (size_t i = 0; i < w->report->warned.len; i++) {
        const rcp_blame *to = &w->warned_for[i];
        rcp_text text = {0};
        if (w->report->warned.at[i] == RCP_WARNED_ASSUMED && to->what == RCP_BLAMED_REUSE) {
            const rcp_location *at = &defs->locations.at[to->who];
            rcp_text_puts(&text, "memory that was given out again");
            if (to->who)
                rcp_text_printf(&text, ", at %s:%u", rcp_defs_borrow_string(defs, at->file), (unsigned)at->line);
        } else if (w->report->warned.at[i] == RCP_WARNED_ASSUMED) {
            rcp_text_puts(&text, "calls outside");
            if (to->who)
                rcp_text_printf(&text, ", of %s", rcp_defs_borrow_string(defs, (rcp_str){to->who}));
        }
        rcp_vec_push(&w->report->warned_for, text.at);
    }
}

/* Was every dynamic pair of the two places tried? Candidates keep a few. */
static bool all_tried(const work *w, const rcp_candidate_pair *pair) {
    uint64_t n[2];
    for (int i = 0; i < 2; i++)
        n[i] = pair->side[i].place < w->trace->defs.locations.len ? w->accesses[pair->side[i].place] : UINT32_MAX;
    return n[0] * n[1] <= pair->n;
}

/* ---- Pairs, as tasks (base/workers.h). */

typedef struct tasks {
    work *w;
    const rcp_candidates *candidates;
    RCP_VEC(uint32_t) pairs; /* those that are to be decided, */
    RCP_VEC(uint32_t) later; /* and of these the ones that the first look did not show */
    size_t decided;
    rcp_predict_sink *sink;
    void *context;
    uint64_t options; /* options_of() */
} tasks;

/* A limit that left something out, and how often. */
typedef struct cut {
    uint32_t limit, times;
} cut;

/* How many of its instances are asked about; of one that somebody warned of, all. */
enum { BLAMED_INSTANCES = 2 };

/* Of a pair that is no race: is that known, or assumed? */
static rcp_code find_blame(work *w, const rcp_candidate_pair *pair, rcp_blame *blame) {
    const rcp_candidate *at = pair->n ? pair->kept : &pair->doubted;
    uint32_t most = w->options->warnings ? UINT32_MAX : BLAMED_INSTANCES, n = !pair->n ? 1 : pair->n;
    n = n < most ? n : most;
    const rcp_relaxation relaxation = models[weakest_of(w)].relaxation;
    for (uint32_t i = 0; i < n && !blame->what && !is_late(w); i++)
        RCP_TRY(rcp_blame_find(w->ladder, w->blamed, relaxation, (rcp_eid){at[i].a}, (rcp_eid){at[i].b}, blame));
    at = &pair->doubted; /* beside those that are left there may be some that were ruled out before */
    if (w->options->warnings && pair->n && pair->is_doubted && !blame->what && !is_late(w))
        RCP_TRY(rcp_blame_find(w->ladder, w->blamed, relaxation, (rcp_eid){at->a}, (rcp_eid){at->b}, blame));
    return RCP_OK;
}

/* What a worker found about a pair: this, then the steps of its witness, then where it was cut off: that is counted
 * when it is taken, by whatever analysis. */
typedef struct finding {
    bool unknown;
    bool unasked; /* nobody had the time to ask whether that it is none is known, or assumed */
    unsigned strictest;
    uint64_t recorded, steps, cuts;
    rcp_eid race[2];
    rcp_blame blame;
} finding;

static rcp_code perform(void *context, size_t task, rcp_text *found) {
    const tasks *all = context;
    const rcp_candidate_pair *pair = &all->candidates->pairs.at[all->pairs.at[task]];
    outcome result = {.strictest = MODELS};
    rcp_limit_counts reached = {0}, *before = rcp_limits_capture(&reached);
    rcp_witness_init(&result.witness);
    rcp_blame blame = {0};
    rcp_code code = pair->n ? decide(all->w, pair, &result) : RCP_OK;
    if (code == RCP_OK && result.strictest == MODELS && !result.unknown && all->w->blamed)
        code = find_blame(all->w, pair, &blame);
    bool unasked = is_late(all->w) && !blame.what;
    if (result.strictest == MODELS && !result.unknown && pair->left > pair->n)
        rcp_limit_reached(RCP_LIMIT_CANDIDATE_INSTANCES);
    if (result.strictest == MODELS && !result.unknown && pair->skipped)
        rcp_limit_reached(RCP_LIMIT_CANDIDATE_SCANS);
    rcp_limits_capture(before);
    RCP_VEC(cut) cuts = {0};
    for (uint32_t i = 0; i < RCP_LIMITS; i++)
        if (reached.at[i] && result.strictest == MODELS) /* a race is one, whatever its other instances are */
            rcp_vec_push(&cuts, ((cut){i, (uint32_t)reached.at[i]}));
    finding f = {.unknown = result.unknown,
                 .unasked = unasked,
                 .strictest = result.strictest,
                 .recorded = result.witness.recorded,
                 .steps = result.witness.steps.len,
                 .cuts = cuts.len,
                 .race = {result.witness.race[0], result.witness.race[1]},
                 .blame = blame};
    rcp_text_add(found, (const char *)&f, sizeof f);
    if (f.steps)
        rcp_text_add(found, (const char *)result.witness.steps.at, f.steps * sizeof *result.witness.steps.at);
    if (f.cuts)
        rcp_text_add(found, (const char *)cuts.at, f.cuts * sizeof *cuts.at);
    rcp_vec_finish(&cuts);
    rcp_witness_finish(&result.witness);
    return code;
}

static void count_lost(rcp_predict_report *report, rcp_blame to) {
    size_t i = 0;
    report->by_opaque += to.what == RCP_BLAMED_CALL;
    report->by_reuse += to.what == RCP_BLAMED_REUSE;
    while (i < report->lost.len && (report->lost.at[i].to.what != to.what || report->lost.at[i].to.who != to.who))
        i++;
    if (i == report->lost.len && to.who)
        rcp_vec_push(&report->lost, ((rcp_lost){to, 0}));
    if (to.who)
        report->lost.at[i].pairs++;
}

static rcp_code take_pair(tasks *all, const rcp_candidate_pair *pair, const char *found, size_t size) {
    work *w = all->w;
    finding f;
    RCP_CHECK(size >= sizeof f);
    memcpy(&f, found, sizeof f);
    RCP_CHECK(size == sizeof f + f.steps * sizeof(rcp_witness_step) + f.cuts * sizeof(cut));
    for (size_t i = 0; i < f.cuts; i++) {
        cut at;
        memcpy(&at, found + sizeof f + f.steps * sizeof(rcp_witness_step) + i * sizeof at, sizeof at);
        RCP_CHECK(at.limit < RCP_LIMITS);
        rcp_limit_reached_times((rcp_limit_name)at.limit, at.times);
    }
    outcome result = {.strictest = f.strictest, .unknown = f.unknown};
    rcp_witness_init(&result.witness);
    result.witness.recorded = f.recorded;
    memcpy(result.witness.race, f.race, sizeof f.race);
    if (f.steps)
        memcpy(rcp_vec_extend(&result.witness.steps, f.steps), found + sizeof f, f.steps * sizeof(rcp_witness_step));
    rcp_analysis *analysis = &w->report->analysis;
    if (f.blame.what)
        count_lost(w->report, f.blame);
    bool open = result.strictest == MODELS && result.unknown;
    note_warned(w, pair,
                result.strictest < MODELS                               ? RCP_WARNED_PROVED
                : open || f.unasked || (pair->n && !all_tried(w, pair)) ? RCP_WARNED_UNKNOWN
                : f.blame.what                                          ? RCP_WARNED_ASSUMED
                                                                        : RCP_WARNED_NONE,
                f.blame);
    if (!pair->n) /* no candidate: it was only asked why */
        return RCP_OK;
    analysis->solved += !open;
    analysis->unknown += open;
    rcp_code code = RCP_OK;
    if (open || result.strictest < MODELS) {
        rcp_race race;
        describe(w, pair, &result, &race);
        code = all->sink(all->context, &race);
    }
    rcp_witness_finish(&result.witness);
    return code;
}

/* What a clock has cut off is not kept. */
static bool is_time(rcp_limit_name name) {
    return name == RCP_LIMIT_BUDGET || name == RCP_LIMIT_RUN_BUDGET || name == RCP_LIMIT_ORDERS_SHARE ||
           name == RCP_LIMIT_ORDERS_PASS_SHARE || name == RCP_LIMIT_EXPLORE_SHARE ||
           name == RCP_LIMIT_EXPLORE_SECONDS || name == RCP_LIMIT_GUARDED_SECONDS;
}

/* Outcomes name limits by their numbers, so these are among it: an outcome that was kept when there were others is not
 * taken. */
uint64_t rcp_predict_limits_hash(void) {
    uint64_t hash = 0;
    for (int i = 0; i < RCP_LIMITS; i++) {
        const rcp_limit_row *row = rcp_limit_borrow((rcp_limit_name)i);
        hash = rcp_hash_join(hash, rcp_hash_bytes(row->name, strlen(row->name)));
        if (row->scope == RCP_LIMIT_OF_ANALYSES && !is_time((rcp_limit_name)i))
            hash = rcp_hash_join(hash, rcp_limit((rcp_limit_name)i));
    }
    return hash;
}

/* The same question gets the same answer: what it is made of. Time is no part of it. */
static uint64_t options_of(const work *w) {
    const rcp_predict_options *o = w->options;
    const uint64_t words[] = {sizeof(finding), o->models,       w->trace->events.len,
                              o->limits.steps, o->limits.nodes, o->spurious_wakeups,
                              o->z3,           w->blamed};
    return rcp_hash_join(rcp_hash_bytes(words, sizeof words), rcp_predict_limits_hash());
}

static void first_of(const rcp_candidate_pair *pair, rcp_eid first[2]) {
    const rcp_candidate *at = pair->n ? pair->kept : &pair->doubted;
    first[0] = (rcp_eid){at->a};
    first[1] = (rcp_eid){at->b};
}

/* What an end by the clock has left open is not kept. */
static rcp_code take(void *context, size_t task, const char *found, size_t size) {
    tasks *all = context;
    const rcp_candidate_pair *pair = &all->candidates->pairs.at[all->pairs.at[task]];
    const rcp_predict_memory *memory = all->w->options->memory;
    RCP_TRY(take_pair(all, pair, found, size));
    all->decided++;
    if (all->w->options->progress)
        all->w->options->progress(all->context, all->decided,
                                  all->decided + all->pairs.len - task - 1 + all->later.len);
    rcp_eid first[2];
    first_of(pair, first);
    return memory && !is_late(all->w) ? memory->keep(memory->context, all->options, first, found, size) : RCP_OK;
}

/* True: an earlier analysis has decided it. */
static bool recall(tasks *all, const rcp_candidate_pair *pair, rcp_code *code) {
    const rcp_predict_memory *memory = all->w->options->memory;
    rcp_text found = {0};
    rcp_eid first[2];
    first_of(pair, first);
    bool is_known = memory && !all->w->options->smt2 && memory->recall(memory->context, all->options, first, &found) &&
                    found.len >= sizeof(finding);
    if (is_known) {
        all->w->report->recalled++;
        *code = take_pair(all, pair, found.at, found.len);
    }
    rcp_text_finish(&found);
    return is_known;
}

/* What a worker has counted since it began. */
typedef struct counted {
    rcp_ladder_stats ladder;
    uint64_t unsaved;
} counted;

static void sum_up(void *context, rcp_text *counts) {
    const tasks *all = context;
    counted c = {.ladder = rcp_ladder_statistics(all->w->ladder), .unsaved = all->w->report->unsaved};
    rcp_text_add(counts, (const char *)&c, sizeof c);
}

static void add(void *context, const char *counts, size_t size) {
    const tasks *all = context;
    rcp_predict_report *report = all->w->report;
    counted c;
    RCP_CHECK(size == sizeof c);
    memcpy(&c, counts, sizeof c);
    rcp_ladder_stats_add(&report->ladder, &c.ladder);
    report->unsaved += c.unsaved;
}

enum { LOOKED = 1 }; /* bytes of an answer: the look showed nothing */

/* One cheap look at every pair comes before a second one at any: few of those that take long are races. */
static rcp_code look(void *context, size_t task, rcp_text *found) {
    const tasks *all = context;
    const rcp_candidate_pair *pair = &all->candidates->pairs.at[all->pairs.at[task]];
    rcp_answer answer = RCP_ANSWER_LIMIT;
    rcp_witness witness;
    if (!pair->n || is_late(all->w))
        return RCP_OK;
    rcp_witness_init(&witness);
    rcp_code code = rcp_ladder_look(all->w->ladder, models[weakest_of(all->w)].relaxation, (rcp_eid){pair->kept[0].a},
                                    (rcp_eid){pair->kept[0].b}, &witness, &answer);
    rcp_witness_finish(&witness);
    if (code == RCP_OK && answer == RCP_ANSWER_WITNESS)
        return perform(context, task, found);
    rcp_text_add(found, "", LOOKED);
    return code;
}

static rcp_code take_look(void *context, size_t task, const char *found, size_t size) {
    tasks *all = context;
    all->w->report->looked += size != 0;
    if (size > LOOKED)
        return take(context, task, found, size);
    rcp_vec_push(&all->later, all->pairs.at[task]);
    return RCP_OK;
}

/* The closest first: what lies between the two is what a witness has to reorder. */
static int by_distance(const void *x, const void *y, void *context) {
    const rcp_candidates *candidates = context;
    const uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
    rcp_eid a[2], b[2];
    first_of(&candidates->pairs.at[i], a);
    first_of(&candidates->pairs.at[k], b);
    const uint64_t far[2] = {a[1].v - a[0].v, b[1].v - b[0].v};
    return far[0] != far[1] ? (far[0] < far[1] ? -1 : 1) : (i > k) - (i < k);
}

static rcp_code decide_all(tasks *all, unsigned jobs) {
    rcp_tasks to_do = {.sum_up = sum_up, .add = add, .context = all};
    bool looks = !all->w->options->z3 && !all->w->options->smt2; /* these are asked each question once */
    rcp_code code = RCP_OK;
    if (all->pairs.len)
        qsort_r(all->pairs.at, all->pairs.len, sizeof *all->pairs.at, by_distance, (void *)(uintptr_t)all->candidates);
    if (looks) {
        to_do.n = all->pairs.len;
        to_do.perform = look;
        to_do.take = take_look;
        code = rcp_workers_run(&to_do, jobs);
        const rcp_ladder_stats own = rcp_ladder_take_statistics(all->w->ladder); /* workers count from there on */
        rcp_ladder_stats_add(&all->w->report->ladder, &own);
        all->w->report->at_first_look = all->decided;
        all->w->report->looked_seconds = round(1000 * (rcp_seconds_now() - all->w->start)) / 1000;
        all->pairs.len = 0;
        for (size_t i = 0; i < all->later.len; i++)
            rcp_vec_push(&all->pairs, all->later.at[i]);
        all->later.len = 0;
    }
    to_do.n = all->pairs.len;
    to_do.perform = perform;
    to_do.take = take;
    return code == RCP_OK ? rcp_workers_run(&to_do, jobs) : code;
}

static rcp_code analyze_pairs(work *w, const rcp_candidates *candidates, rcp_predict_sink *sink, void *context) {
    rcp_predict_report *report = w->report;
    tasks all = {.w = w, .candidates = candidates, .sink = sink, .context = context, .options = options_of(w)};
    rcp_code code = RCP_OK;
    for (uint32_t i = 0; i < candidates->pairs.len && code == RCP_OK; i++) {
        const rcp_candidate_pair *pair = &candidates->pairs.at[i];
        /* What was not compared is not known; what calls outside order is assumed. */
        rcp_warned before = pair->skipped ? RCP_WARNED_UNKNOWN : pair->by_opaque ? RCP_WARNED_ASSUMED : RCP_WARNED_NONE;
        if (w->options->warnings && !note_warned(w, pair, before, (rcp_blame){RCP_BLAMED_CALL, pair->opaque.v})) {
            report->analysis.candidates--;
            continue;
        }
        if (pair->n && w->options->is_known && w->options->is_known(context, w->trace, pair->kept[0]))
            continue;
        report->left += pair->left;
        report->analysis.pruned += !pair->n;
        if (!pair->n && pair->by_opaque)
            count_lost(report, (rcp_blame){RCP_BLAMED_CALL, pair->opaque.v});
        bool is_doubted = !pair->n && !pair->by_opaque && pair->is_doubted && w->blamed;
        if ((pair->n || is_doubted) && !recall(&all, pair, &code))
            rcp_vec_push(&all.pairs, i);
    }
    if (code == RCP_OK)
        code = decide_all(&all, w->options->jobs ? w->options->jobs : rcp_workers_cores());
    const rcp_ladder_stats own = rcp_ladder_statistics(w->ladder);
    rcp_ladder_stats_add(&report->ladder, &own);
    rcp_vec_finish(&all.pairs);
    rcp_vec_finish(&all.later);
    return code;
}

static rcp_code analyze_trace(work *w, rcp_predict_sink *sink, void *context) {
    rcp_predict_report *report = w->report;
    const rcp_predict_options *options = w->options;
    w->ladder = rcp_ladder_create(w->ground, options->limits);
    if (options->z3 || options->smt2)
        w->rival = rcp_rival_create(&w->ground->facts, w->ground->checker, options->spurious_wakeups,
                                    options->limits.steps < UINT32_MAX ? (uint32_t)options->limits.steps : UINT32_MAX);
    find_warned(w);
    if (options->blames && !options->z3)
        w->blamed = rcp_blame_rules(w->ground);
    rcp_candidates candidates;
    rcp_candidates_find(&candidates, &w->ground->facts, &w->ground->forced, w->options->spurious_wakeups);
    report->analysis.candidates = candidates.pairs.len;
    report->conflicts = candidates.conflicts;
    report->by_lock = candidates.by_lock;
    report->by_order = candidates.by_order;
    report->by_history = candidates.by_history;
    report->forgotten = candidates.forgotten;
    report->events = candidates.events;
    bool is_late = candidates.events < w->trace->events.len;
    if (is_late)
        rcp_limit_reached(RCP_LIMIT_BUDGET);
    report->inside = candidates.inside;
    candidates.inside = (rcp_inside_counts){0};
    rcp_code code = analyze_pairs(w, &candidates, sink, context);
    /* where accesses were forgotten, or the time was over, a pair that was not found may be there */
    for (size_t i = 0; i < report->warned.len && (candidates.forgotten || is_late); i++)
        if (report->warned.at[i] == RCP_WARNED_NONE || report->warned.at[i] == RCP_WARNED_ASSUMED)
            report->warned.at[i] = RCP_WARNED_UNKNOWN;
    name_blamed(w);
    rcp_candidates_finish(&candidates);
    rcp_rival_destroy(w->rival);
    rcp_release(w->accesses);
    rcp_release(w->warned_for);
    rcp_ladder_destroy(w->ladder);
    return code;
}

void rcp_predict_report_finish(rcp_predict_report *report) {
    rcp_vec_finish(&report->warned);
    for (size_t i = 0; i < report->warned_for.len; i++)
        rcp_release(report->warned_for.at[i]);
    rcp_vec_finish(&report->warned_for);
    rcp_vec_finish(&report->lost);
    rcp_vec_finish(&report->inside);
}

rcp_code rcp_predict_analyze(const rcp_groundwork *groundwork, const rcp_predict_options *options,
                             rcp_predict_sink *sink, void *context, rcp_predict_report *report) {
    double start = rcp_seconds_now();
    *report = (rcp_predict_report){.analysis.models = options->models};
    if (!options->models || options->models & ~RCP_PREDICT_MODELS)
        return rcp_fail(RCP_INTERNAL, "models %#x are not all models that predict", options->models);
    work w = {.options = options,
              .ground = groundwork,
              .trace = groundwork->facts.trace,
              .report = report,
              .start = start,
              .end = options->seconds > 0 ? start + options->seconds : 0};
    rcp_code code = analyze_trace(&w, sink, context);
    report->analysis.seconds = rcp_seconds_now() - start;
    return code;
}
