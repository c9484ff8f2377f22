/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/opinion.h"

#include "analysis/points.h"
#include "analysis/recorded.h"
#include "analysis/variant.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/tally.h"
#include "predict/rival/rival.h"
#include "predict/rival/sides.h"
#include "program/telling/moments.h"
#include "trace/model/limit_facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A run of the tree: its events with all of its memory, and when each happened. */
typedef struct told {
    rcp_trace trace;
    RCP_VEC(rcp_moment) moments;
} told;

/* What came of the orders in which something turned. */
typedef struct tried {
    uint64_t values[RCP_MOST_WAYS]; /* that it was asked for, besides those that it has */
    size_t n;
    bool is_barren; /* its one other way leads nowhere */
} tried;

typedef struct work {
    rcp_study *study;
    const rcp_variants_options *options;
    rcp_opinion_report *report;
    rcp_explorer *explorer; /* of the recorded run; borrowed */
    rcp_ways ways;
    RCP_VEC(told *) runs;
    rcp_sides *sides;
    rcp_z3_limits limits;
    rcp_map tried_at; /* turn → tried */
    RCP_VEC(tried) tried;
    rcp_map asked;   /* pairs that had an answer that stays */
    uint32_t models; /* that allow what is done now */
    uint32_t next;   /* variant's number */
    size_t saved;    /* questions */
    double end, budget_end;
    rcp_limit_counts left; /* of the last round of turns: by which limits they were not asked */
} work;

/* Of the processor, so that how much is asked does not hang on what else the machine does. */
static bool is_late(const work *w) {
    return (w->end > 0 && rcp_seconds_used() > w->end) || (w->budget_end > 0 && rcp_seconds_now() > w->budget_end);
}

static rcp_limit_name late_by(const work *w) {
    return w->end > 0 && rcp_seconds_used() > w->end ? RCP_LIMIT_GUARDED_SECONDS : RCP_LIMIT_BUDGET;
}

/* --- runs --- */

static bool keep_moment(void *context, uint64_t event, const rcp_moment *moment) {
    told *t = context;
    (void)event;
    rcp_vec_push(&t->moments, *moment);
    return true;
}

static rcp_code load(told *t, const char *directory, const char *all) {
    RCP_TRY(rcp_recorded_tell_all(directory, all));
    RCP_TRY(rcp_trace_load(&t->trace, all));
    rcp_limit_counts reached = {0};
    rcp_limit_facts_add(&t->trace.defs, &reached);
    rcp_limits_add(&reached);
    RCP_TRY(rcp_moments_read(all, keep_moment, t));
    return t->moments.len == t->trace.events.len
               ? RCP_OK
               : rcp_fail(RCP_BAD_INPUT, "%s: its moments and its events are not of one run", directory);
}

/* Which locks and semaphores are tried, so that they may be had or not? */
static rcp_code mark_tries(work *w, const char *directory, const told *t) {
    bool may_fail;
    RCP_TRY(rcp_explore_may_fail(directory, &may_fail));
    if (!may_fail)
        return RCP_OK;
    bool is_recorded = w->runs.len == 1;
    rcp_explorer *explorer = w->explorer;
    const rcp_way_run *run = &w->ways.runs.at[w->ways.runs.len - 1];
    if (!is_recorded)
        RCP_TRY(rcp_explorer_create(directory, &explorer));
    for (size_t i = 0; i < t->trace.events.len; i++) {
        const rcp_event *e = &t->trace.events.at[i];
        const rcp_moment *m = &t->moments.at[i];
        if ((e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT) && m->is_call && run->node[i] != RCP_NO_NODE &&
            rcp_explorer_outcome(explorer, m->thread, m->before) == RCP_OUTCOME_TRIES)
            w->ways.nodes.at[run->node[i]].is_try = true;
    }
    if (!is_recorded)
        rcp_explorer_destroy(explorer);
    return RCP_OK;
}

static rcp_code add_run(work *w, const char *directory, size_t *fresh) {
    told *t = rcp_alloc_zero(1, sizeof *t);
    rcp_text all = {0};
    rcp_trace_init(&t->trace);
    rcp_vec_push(&w->runs, t);
    rcp_text_printf(&all, "%s/all", directory);
    rcp_code code = load(t, directory, all.at);
    rcp_file_remove_tree(all.at);
    rcp_text_finish(&all);
    if (code == RCP_OK)
        code = rcp_ways_add(&w->ways, &t->trace, fresh);
    return code == RCP_OK ? mark_tries(w, directory, t) : code;
}

/* --- along an order --- */

static const rcp_moment *moment_of(const work *w, uint32_t node) {
    const rcp_way_node *n = &w->ways.nodes.at[node];
    return &w->runs.at[n->run]->moments.at[n->event];
}

typedef RCP_VEC(struct rcp_run_step) steps;

/* Each thread goes on past its node, but not past what the order leads to; in the end they stand before that. */
static void plan(const work *w, const rcp_sides_order *order, const uint32_t *to, size_t n, steps *plan) {
    for (size_t i = 0; i < order->len; i++) {
        const rcp_moment *m = moment_of(w, order->at[i]);
        bool ends = rcp_ways_event(&w->ways, &w->ways.nodes.at[order->at[i]])->kind == RCP_END;
        struct rcp_run_step step = {m->thread, ends ? RCP_RUN_END : m->after};
        for (size_t k = 0; k < n; k++)
            if (moment_of(w, to[k])->thread == step.thread && moment_of(w, to[k])->before < step.until)
                step.until = moment_of(w, to[k])->before;
        if (plan->len && plan->at[plan->len - 1].thread == step.thread)
            plan->at[plan->len - 1] = step;
        else
            rcp_vec_push(plan, step);
    }
    for (size_t k = 0; k < n; k++)
        rcp_vec_push(plan, ((struct rcp_run_step){moment_of(w, to[k])->thread, moment_of(w, to[k])->before}));
}

static void begin_variant(const work *w, rcp_subject *run) {
    char *path = rcp_variant_take_path(w->study->options->directory, w->next);
    rcp_subject_init(run, path, w->next, w->study->options->predict.spurious_wakeups);
    rcp_release(path);
}

/* Runs the code along the order and on: that is the variant. *why: what kept it from that. */
static rcp_code follow(work *w, const rcp_sides_order *order, const uint32_t *to, size_t n, bool is_late_then,
                       rcp_subject *run, rcp_explored *explored, rcp_text *why, bool *is_run) {
    steps along = {0};
    plan(w, order, to, n, &along);
    const rcp_explore_plan how = {.steps = along.at,
                                  .n = along.len,
                                  .first = moment_of(w, to[0])->thread,
                                  .is_late = is_late_then,
                                  .is_free = true};
    rcp_code code = rcp_explore(w->explorer, &how, run->directory, explored);
    *is_run = code == RCP_OK;
    if (code != RCP_OK && code != RCP_SYSTEM) {
        const char *cause = rcp_borrow_cause(0);
        rcp_text_puts(why, cause ? cause : "the code does not go along it");
        rcp_clear_causes();
        code = RCP_OK;
    } else if (*is_run) {
        w->report->variants.made++;
        run->is_recorded = true;
        code = rcp_variant_is_run(run, is_run, why);
        w->report->variants.refused += code == RCP_OK && !*is_run;
    }
    rcp_vec_finish(&along);
    return code;
}

/* --- turns --- */

static tried *tried_of(work *w, rcp_sides_turn turn) {
    uint32_t *at = rcp_map_at(&w->tried_at, (uint64_t)turn.node * 2 + turn.is_address);
    if (*at == RCP_MAP_NONE) {
        *at = (uint32_t)w->tried.len;
        rcp_vec_push(&w->tried, (tried){0});
    }
    return &w->tried.at[*at];
}

static void describe(const work *w, uint32_t node, rcp_text *to) {
    const rcp_way_node *n = &w->ways.nodes.at[node];
    const rcp_defs *defs = &w->runs.at[n->run]->trace.defs;
    const rcp_location *at = &defs->locations.at[rcp_ways_event(&w->ways, n)->loc.v];
    const char *file = rcp_defs_borrow_string(defs, at->file), *slash = strrchr(file, '/');
    rcp_text_printf(to, "%s:%u", slash ? slash + 1 : file, at->line);
}

/* An order in which it turns: the run that comes of it. */
static rcp_code turn(work *w, rcp_sides_turn turn, const rcp_sides_order *order, size_t *fresh) {
    const rcp_event *e = rcp_ways_event(&w->ways, &w->ways.nodes.at[turn.node]);
    bool is_late_then = (e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT) && e->outcome == RCP_DONE;
    rcp_subject run;
    rcp_explored explored;
    rcp_text why = {0}, about = {0};
    bool is_run;
    *fresh = 0;
    begin_variant(w, &run);
    rcp_tally_for_variant(true);
    rcp_code code = follow(w, order, &turn.node, 1, is_late_then, &run, &explored, &why, &is_run);
    if (code == RCP_OK && is_run)
        code = add_run(w, run.directory, fresh);
    else
        w->report->variants.strayed++;
    for (int end = 0; is_run && *fresh && end < RCP_EXPLORE_ENDS; end++)
        w->report->variants.rejected[end] += explored.ends[end];
    if (code == RCP_OK && w->study->notices->verbose) {
        describe(w, turn.node, &about);
        const char *said = is_run ? explored.why : why.len ? why.at : "";
        rcp_notices_say(w->study->notices, "run %zu: %s turns, %s%s%zu new events", w->ways.runs.len, about.at, said,
                        *said ? ", " : "", *fresh);
    }
    rcp_file_remove_tree(run.directory);
    rcp_subject_finish(&run);
    rcp_tally_for_variant(false);
    rcp_text_finish(&why);
    rcp_text_finish(&about);
    return code;
}

static bool is_new_side(const work *w, rcp_sides_turn turn, size_t sides, size_t nodes) {
    const rcp_way_node *n = &w->ways.nodes.at[turn.node];
    for (size_t i = sides; i < w->ways.sides.len && !turn.is_address; i++)
        if (w->ways.sides.at[i].node == turn.node)
            return true;
    for (size_t i = nodes; i < w->ways.nodes.len && turn.is_address; i++)
        if (w->ways.nodes.at[i].parent == n->parent && w->ways.nodes.at[i].side == n->side)
            return true;
    return false;
}

/* Threads that had one stack can't be there together when the code is run. */
static uint8_t *find_apart(const work *w) {
    size_t n = w->ways.threads.len;
    uint8_t *apart = rcp_alloc_zero(n * n + 1, 1);
    uint32_t *number = rcp_alloc_zero(n + 1, sizeof *number); /* in the log */
    for (uint32_t i = 0; i < w->ways.nodes.len; i++)
        number[w->ways.nodes.at[i].thread] = moment_of(w, i)->thread;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            apart[a * n + b] = rcp_explorer_shares_stack(w->explorer, number[a], number[b]);
    rcp_release(number);
    return apart;
}

static rcp_code encode(work *w) {
    uint8_t *apart = find_apart(w);
    rcp_sides_destroy(w->sides);
    w->sides = rcp_sides_create(&w->ways, w->study->options->predict.spurious_wakeups, apart, w->limits.formulas);
    rcp_release(apart);
    if (!w->sides && !w->report->is_too_large)
        rcp_limit_reached(w->ways.threads.len > rcp_limit(RCP_LIMIT_GUARDED_THREADS) ? RCP_LIMIT_GUARDED_THREADS
                                                                                     : RCP_LIMIT_GUARDED_EVENTS);
    w->report->is_too_large |= !w->sides;
    if (w->sides && rcp_sides_formulas(w->sides) > w->report->formulas)
        w->report->formulas = rcp_sides_formulas(w->sides);
    return RCP_OK;
}

/* Asks about everything that could turn, once. *grown: there are new sides. */
static rcp_code turn_all(work *w, bool addresses, bool *grown) {
    rcp_sides_turns turns = {0};
    rcp_sides_order order = {0};
    rcp_code code = RCP_OK;
    size_t sides = w->ways.sides.len, nodes = w->ways.nodes.len;
    *grown = false;
    w->report->variants.undecided = 0;
    rcp_sides_list_turns(w->sides, addresses, &turns);
    w->report->variants.branches = turns.len;
    for (size_t i = 0; code == RCP_OK && i < turns.len; i++) {
        const tried before = *tried_of(w, turns.at[i]);
        bool is_over = is_late(w), is_enough = w->report->variants.made >= w->options->most;
        if (is_over || is_enough || before.n == rcp_limit(RCP_LIMIT_TURN_WAYS)) {
            w->report->variants.left++;
            w->left.at[is_over ? late_by(w) : is_enough ? RCP_LIMIT_EXPLORE_RUNS : RCP_LIMIT_TURN_WAYS]++;
            continue;
        }
        if (before.is_barren)
            continue;
        if (is_new_side(w, turns.at[i], sides, nodes)) {
            *grown = true;
            continue;
        }
        uint64_t became = 0;
        size_t fresh = 0;
        rcp_z3_answer answer =
            rcp_sides_ask_turn(w->sides, turns.at[i], before.values, before.n, w->limits, &became, &order);
        w->report->variants.asked++;
        w->report->variants.settled += answer == RCP_Z3_NONE;
        w->report->variants.undecided += answer == RCP_Z3_UNKNOWN;
        w->left.at[RCP_LIMIT_SOLVER_STEPS] += answer == RCP_Z3_UNKNOWN;
        if (answer != RCP_Z3_RACE)
            continue;
        code = turn(w, turns.at[i], &order, &fresh);
        tried *now = tried_of(w, turns.at[i]);
        if (!is_new_side(w, turns.at[i], sides, nodes)) { /* that leads nowhere */
            now->values[now->n++] = became;
            now->is_barren = !rcp_sides_has_more(w->sides, turns.at[i]);
        }
        *grown |= fresh > 0;
    }
    rcp_vec_finish(&turns);
    rcp_vec_finish(&order);
    return code;
}

/* --- races --- */

static uint64_t key_of(const rcp_sides_pair *pair) {
    return rcp_point_pair_of(pair->defs[0], pair->event[0], pair->defs[1], pair->event[1]);
}

/* The variant that the order leads to must show the race. */
static rcp_code prove(work *w, const rcp_sides_pair *pair, const rcp_sides_order *order) {
    rcp_subject run;
    rcp_variant variant = {.run = &run, .models = w->models};
    /* a compare-and-swap comes first: it is to find what is there now */
    bool swaps = rcp_ways_swaps(pair->event[1]);
    const uint32_t to[2] = {pair->node[swaps], pair->node[!swaps]};
    rcp_explored explored;
    rcp_text why = {0}, about = {0};
    rcp_map only;
    bool is_run;
    rcp_map_init(&only);
    rcp_map_set(&only, key_of(pair), 1);
    variant.only = &only;
    begin_variant(w, &run);
    rcp_tally_for_variant(true);
    rcp_code code = follow(w, order, to, 2, false, &run, &explored, &why, &is_run);
    rcp_predict_options how = w->study->options->predict;
    how.z3 = false; /* it is the order at hand; whoever finds it, the checker decides */
    how.smt2 = NULL;
    how.limits = rcp_ladder_limits_set();
    if (code == RCP_OK && is_run)
        code = rcp_variant_analyze(w->study, &variant, &how);
    w->report->races += variant.races > 0;
    w->report->variants.not_judged += variant.not_judged;
    w->next += variant.races > 0;
    if (code == RCP_OK && !variant.races) {
        w->report->refused++;
        describe(w, pair->node[0], &about);
        rcp_text_puts(&about, " and ");
        describe(w, pair->node[1], &about);
        rcp_notices_say(w->study->notices,
                        "the guarded formula has a race of %s that the code does not show (not reported; please report "
                        "this as a bug of recipe): %s",
                        about.at, why.len ? why.at : "the checker finds none along its order");
    }
    if (!variant.races)
        rcp_file_remove_tree(run.directory);
    rcp_subject_finish(&run);
    rcp_tally_for_variant(false);
    rcp_text_finish(&why);
    rcp_text_finish(&about);
    rcp_map_finish(&only);
    return code;
}

static rcp_code save(work *w, const rcp_sides_pair *pairs, size_t n) {
    rcp_text text = {0};
    char name[64];
    rcp_text_puts(
        &text, "; Is there a schedule that ends with two accesses, both next in their threads, on whatever sides?\n");
    for (int k = 0; k < 2; k++) {
        rcp_text_puts(&text, ";   ");
        describe(w, pairs->node[k], &text);
        rcp_text_puts(&text, "\n");
    }
    rcp_sides_print(&text, w->sides, pairs, n);
    snprintf(name, sizeof name, "pair%zu-%s.smt2", ++w->saved, rcp_model_name(rcp_model_first(w->models)));
    rcp_code code = rcp_rival_write(w->study->options->predict.smt2, name, &text);
    rcp_text_finish(&text);
    return code;
}

/* Is there more in the program than in the formula? */
static bool is_narrow(const work *w) {
    const rcp_variants_report *v = &w->report->variants;
    bool is = rcp_sides_is_narrow(w->sides) || v->left || v->undecided || v->strayed;
    for (int end = RCP_EXPLORE_GOES_ON + 1; end < RCP_EXPLORE_ENDS; end++)
        is |= v->rejected[end] > 0;
    return is;
}

static rcp_code ask_pair(work *w, uint64_t key, const rcp_sides_pairs *pairs) {
    rcp_sides_order order = {0};
    size_t which;
    rcp_code code = w->study->options->predict.smt2 ? save(w, pairs->at, pairs->len) : RCP_OK;
    if (code != RCP_OK)
        return code;
    bool is_over = is_late(w);
    rcp_z3_answer answer =
        is_over ? RCP_Z3_UNKNOWN : rcp_sides_ask_race(w->sides, pairs->at, pairs->len, w->limits, &which, &order);
    if (answer == RCP_Z3_UNKNOWN)
        rcp_limit_reached(is_over ? late_by(w) : RCP_LIMIT_SOLVER_STEPS);
    bool narrow = is_narrow(w);
    w->report->pairs++;
    w->report->none += answer == RCP_Z3_NONE && !narrow;
    w->report->unknown += answer == RCP_Z3_UNKNOWN || (answer == RCP_Z3_NONE && narrow);
    if (answer == RCP_Z3_RACE) {
        rcp_map_set(&w->asked, key, 1);
        code = prove(w, &pairs->at[which], &order);
    }
    rcp_vec_finish(&order);
    return code;
}

static rcp_code ask_all(work *w) {
    rcp_sides_pairs all = {0}, same = {0};
    rcp_map done;
    rcp_code code = RCP_OK;
    rcp_map_init(&done);
    rcp_sides_list_pairs(w->sides, &all);
    for (size_t i = 0; code == RCP_OK && i < all.len; i++) {
        uint64_t key = key_of(&all.at[i]);
        uint32_t *seen = rcp_map_at(&done, key);
        if (*seen != RCP_MAP_NONE)
            continue;
        *seen = 1;
        if (rcp_map_get(&w->study->known, key) != RCP_MAP_NONE || rcp_map_get(&w->asked, key) != RCP_MAP_NONE)
            continue;
        same.len = 0;
        for (size_t k = i; k < all.len; k++)
            if (key_of(&all.at[k]) == key)
                rcp_vec_push(&same, all.at[k]);
        code = ask_pair(w, key, &same);
    }
    rcp_map_finish(&done);
    rcp_vec_finish(&all);
    rcp_vec_finish(&same);
    return code;
}

/* --- all of it --- */

static rcp_code explore(work *w, bool addresses) {
    rcp_code code = encode(w);
    for (bool grown = true; code == RCP_OK && grown && w->sides;) {
        w->report->variants.left = 0;
        w->left = (rcp_limit_counts){0};
        code = turn_all(w, addresses, &grown);
        if (code == RCP_OK && grown)
            code = encode(w);
    }
    rcp_limits_add(&w->left);
    w->left = (rcp_limit_counts){0};
    w->report->pairs = w->report->none = w->report->unknown = 0;
    return code == RCP_OK && w->sides ? ask_all(w) : code;
}

static void finish(work *w) {
    rcp_sides_destroy(w->sides);
    rcp_ways_finish(&w->ways);
    for (size_t i = 0; i < w->runs.len; i++) {
        rcp_trace_finish(&w->runs.at[i]->trace);
        rcp_vec_finish(&w->runs.at[i]->moments);
        rcp_release(w->runs.at[i]);
    }
    rcp_vec_finish(&w->runs);
    rcp_vec_finish(&w->tried);
    rcp_map_finish(&w->tried_at);
    rcp_map_finish(&w->asked);
}

rcp_code rcp_opinion_explore(rcp_study *study, const rcp_variants_options *options, rcp_opinion_report *report) {
    const uint32_t plus = RCP_MODEL_BIT(RCP_MODEL_RECIPE_PLUS);
    const char *directory = study->options->directory;
    *report = (rcp_opinion_report){0};
    work w = {.study = study, .options = options, .report = report};
    const uint64_t most = study->options->predict.limits.steps, seconds = rcp_limit(RCP_LIMIT_GUARDED_SECONDS);
    w.next = rcp_variants_next(directory);
    w.limits = (rcp_z3_limits){.steps = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX,
                               .formulas = (size_t)rcp_limit(RCP_LIMIT_Z3_FORMULAS)};
    w.end = seconds ? rcp_seconds_used() + (double)seconds : 0;
    w.budget_end = options->budget > 0 ? rcp_seconds_now() + options->budget : 0;
    rcp_ways_init(&w.ways);
    rcp_map_init(&w.tried_at);
    rcp_map_init(&w.asked);
    rcp_text home = {0};
    rcp_text_printf(&home, "%s/variants", directory);
    rcp_code code = mkdir(home.at, 0777) && errno != EEXIST
                        ? rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", home.at, strerror(errno))
                        : RCP_OK;
    size_t fresh;
    if (code == RCP_OK)
        code = rcp_subject_make_explorer(&study->run);
    w.explorer = study->run.explorer;
    if (code == RCP_OK)
        code = add_run(&w, directory, &fresh);
    w.models = options->models;
    if (code == RCP_OK)
        code = explore(&w, false);
    w.models = options->models & plus;
    if (code == RCP_OK && w.models)
        code = explore(&w, true);
    memcpy(report->cuts, w.ways.cuts, sizeof report->cuts);
    finish(&w);
    rmdir(home.at); /* where nothing is left in it */
    rcp_text_finish(&home);
    return code;
}
