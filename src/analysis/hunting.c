/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunting.h"

#include "analysis/atomicity.h"
#include "analysis/atomicity.h"
#include "analysis/by_language.h"
#include "analysis/closed.h"
#include "analysis/decisions.h"
#include "analysis/hunt_end.h"
#include "analysis/hunt_seen.h"
#include "analysis/hunt_state.h"
#include "analysis/leading.h"
#include "analysis/staged.h"
#include "analysis/standing.h"
#include "analysis/targets.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/file.h"
#include "base/hash.h"
#include "record/inputs.h"

#include <inttypes.h>
#include <string.h>

typedef rcp_hunt_ways ways;
typedef rcp_hunt_turn turn;
typedef rcp_hunt_run recorded_run;

/* Seconds between two times that answers are kept, where no run was made. */
static const double KEPT_EVERY = 1;

typedef struct work {
    rcp_study study;
    rcp_study_options options;
    const rcp_hunting_how *how;
    const rcp_notices *notices;
    rcp_staged staged;
    rcp_leftovers leftovers;
    rcp_hunt_state state; /* what is kept for a later call */
    uint64_t asking;      /* under which options it was found out */
    rcp_hunt_seen seen;
    rcp_atomicity atomicity;
    bool is_parting; /* what others' sections part is looked for: it is asked for, or was by an earlier call */
    rcp_limit_counts ended_by; /* limits of the hunt as a whole */
    rcp_limit_counts charged;  /* up to now, to some run or to none */
    RCP_VEC(const char *) reasons;
    uint64_t bytes, most; /* of the directory; of the largest run in it */
    bool is_full;
    double began, kept; /* this call; when the state was kept last */
} work;

/* Turns that were asked about under the same ones need not be asked again. */
static uint64_t options_of(void) {
    const uint64_t words[] = {rcp_predict_limits_hash(), rcp_limit(RCP_LIMIT_HUNT_INSTANCES),
                              rcp_limit(RCP_LIMIT_HUNT_WAYS), rcp_limit(RCP_LIMIT_ATOMICITY_PLACES),
                              rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES)};
    return rcp_hash_bytes(words, sizeof words);
}

/* --- how it stands --- */

/* Nothing goes on; what is under way may have been ended before it could show anything. */
static bool is_cut(const work *w) { return *w->how->stop || rcp_deadline_is_over() || w->leftovers.why_not.len; }

static bool is_over(const work *w) {
    return is_cut(w) || w->is_full || w->state.made >= rcp_limit(RCP_LIMIT_HUNT_RUNS);
}

/* Why no end can be claimed; each once. */
static void note_reason(work *w, const char *why) {
    for (size_t i = 0; why && i < w->reasons.len; i++)
        if (!strcmp(w->reasons.at[i], why))
            return;
    if (why)
        rcp_vec_push(&w->reasons, why);
}

/* --- runs --- */

/* What was left out since the last time is on this run's account; NULL: on nobody's. What an end by the clock has left
 * open is not kept. */
static void charge(work *w, recorded_run *run) {
    rcp_limit_counts before = w->charged;
    rcp_limits_sum(&w->charged);
    for (size_t i = 0; run && i < RCP_LIMITS && !is_cut(w); i++) {
        run->reached.at[i] += w->charged.at[i] - before.at[i];
        run->is_changed |= w->charged.at[i] > before.at[i];
    }
}

/* What a turn is to come to. */
typedef struct goal {
    recorded_run *from;
    turn *of;
    rcp_decisions_place place;
    bool is_kept; /* a value, of which it is told that it is what it was: any number of them */
    uint64_t side;
    bool has_ended; /* the run that was led there ended where it was to decide */
} goal;

/* Of a class that nobody has seen: *run is the work's from then on; else NULL. Its trace is loaded. `aim`: NULL, or
 * what it was led to. */
static rcp_code take_run(work *w, rcp_subject *subject, goal *aim, recorded_run **run) {
    rcp_decisions decisions;
    rcp_decisions_take(&decisions, &subject->trace);
    *run = NULL;
    if (aim)
        aim->has_ended = rcp_decisions_end_at(&aim->from->decisions, aim->place, &decisions);
    if (rcp_hunt_seen_has(&w->seen, &decisions)) {
        rcp_decisions_finish(&decisions);
        return RCP_OK;
    }
    *run = rcp_hunt_state_add(&w->state, subject);
    (*run)->decisions = decisions;
    RCP_TRY(rcp_subject_lay_groundwork(subject));
    const char *why = rcp_closed_why_not(subject->groundwork, &(*run)->may_stand);
    (*run)->why_open = why ? rcp_copy(why, strlen(why) + 1) : NULL;
    rcp_hunt_seen_note(&w->seen, *run);
    return RCP_OK;
}

static double seconds_of(const work *w) { return w->state.seconds + rcp_seconds_now() - w->began; }

/* A recording shows something: which run it is is known from here on. */
static rcp_code put_find(const work *w, uint32_t variant, uint64_t made) {
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_HUNT_FOUND_RUN, (double)made + 1},
        {RCP_STATISTIC_HUNT_FOUND_SECONDS, seconds_of(w)},
    };
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, variant);
    return rcp_results_put_statistics(w->study.results, number, rows, sizeof rows / sizeof *rows);
}

/* What time has cut short is looked for once more. `made`: before it was. */
static rcp_code find_races(work *w, recorded_run *run, uint64_t made) {
    rcp_variant variant = {.run = run->subject, .models = RCP_MODEL_BIT(RCP_MODEL_HUNT)};
    uint64_t by_language = 0;
    rcp_code code = rcp_variant_analyze(&w->study, &variant, &w->options.predict);
    if (code == RCP_OK)
        code = rcp_by_language_take(&w->study, run->subject, &by_language);
    if (variant.races + by_language && run->variant)
        RCP_TRY(put_find(w, run->variant, made));
    if (code != RCP_OK || is_cut(w))
        return code;
    w->state.pairs += variant.pairs;
    run->is_searched = run->is_changed = true;
    charge(w, run);
    return RCP_OK;
}

/* --- how far it is --- */

/* Each pair once, whichever models have it. */
static uint64_t count_races(const work *w) {
    uint64_t n = w->study.known.len;
    RCP_MAP_EACH(&w->study.by_language, slot)
        n += rcp_map_get(&w->study.known, slot->key) == RCP_MAP_NONE;
    return n;
}

static void note_point(work *w) {
    uint64_t sides;
    const rcp_hunt_point at = {.seconds = seconds_of(w),
                               .runs = w->state.made + 1,
                               .classes = w->state.runs.len,
                               .branches = rcp_hunt_seen_sides(&w->seen, &sides),
                               .races = count_races(w)};
    rcp_hunt_curve_add(&w->state.curve, &at);
    rcp_notices_progress(w->notices, &(rcp_progress){.stage = RCP_PROGRESS_HUNT,
                                                     .done = at.branches,
                                                     .all = sides,
                                                     .found = at.races,
                                                     .runs = at.runs,
                                                     .classes = at.classes,
                                                     .pairs = w->state.pairs,
                                                     .seconds = rcp_seconds_now() - w->began});
}

/* Whoever reports has them, should this call be killed. */
static rcp_code put_numbers(const work *w) {
    uint64_t sides;
    const uint64_t gone = rcp_hunt_seen_sides(&w->seen, &sides);
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_HUNT_RUNS, (double)w->state.made + 1},
        {RCP_STATISTIC_HUNT_CLASSES, (double)w->state.runs.len},
        {RCP_STATISTIC_HUNT_OPEN, (double)rcp_hunt_state_open(&w->state)},
        {RCP_STATISTIC_HUNT_AGAIN, (double)w->state.again},
        {RCP_STATISTIC_HUNT_LOST, (double)rcp_hunt_state_lost(&w->state)},
        {RCP_STATISTIC_HUNT_BRANCHES, (double)gone},
        {RCP_STATISTIC_HUNT_BRANCHES_ALL, (double)sides},
        {RCP_STATISTIC_HUNT_PAIRS, (double)w->state.pairs},
        {RCP_STATISTIC_HUNT_SECONDS, seconds_of(w)},
    };
    return rcp_results_put_statistics(w->study.results, NULL, rows, sizeof rows / sizeof *rows);
}

/* Runs in which nobody has looked for what others' sections part; of these, whose recordings are gone: of what an
 * earlier call has settled that did not ask for it. */
static uint64_t count_not_parted(const work *w, uint64_t *gone) {
    uint64_t n = 0;
    *gone = 0;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        n += !w->state.runs.at[i]->is_parted;
        *gone += !w->state.runs.at[i]->is_parted && !w->state.runs.at[i]->subject;
    }
    return n;
}

static rcp_code put_atomicity(const work *w) {
    uint64_t gone;
    rcp_text why = {0};
    const uint64_t n = count_not_parted(w, &gone);
    if (w->staged.why_not || w->leftovers.why_not.len)
        rcp_text_puts(&why, w->staged.why_not ? w->staged.why_not : w->leftovers.why_not.at);
    else if (n)
        rcp_text_printf(&why, "of %zu classes of runs %" PRIu64 " were not looked at", w->state.runs.len, n);
    if (gone)
        rcp_text_printf(&why, "; %" PRIu64 " were hunted without it, and their recordings are gone", gone);
    rcp_code code = rcp_atomicity_keep(&w->atomicity, why.len ? why.at : NULL, NULL);
    rcp_text_finish(&why);
    return code;
}

/* From here on a later call knows it. */
static rcp_code keep(work *w) {
    const double seconds = w->state.seconds;
    w->state.seconds = seconds_of(w);
    rcp_code code = rcp_hunt_state_keep(&w->state, w->study.results, w->asking);
    w->state.seconds = seconds;
    w->kept = rcp_seconds_now();
    if (code == RCP_OK && w->is_parting)
        code = put_atomicity(w);
    return code == RCP_OK ? put_numbers(w) : code;
}

/* A recording has stayed. Where one as large as any has no more room, those go that nobody needs. */
static rcp_code measure(work *w, uint32_t variant) {
    const uint64_t most = rcp_limit(RCP_LIMIT_HUNT_SIZE) << 20;
    char *path = rcp_variant_take_path(w->options.directory, variant);
    const uint64_t bytes = variant ? rcp_file_tree_bytes(path) : 0;
    rcp_release(path);
    w->bytes += bytes;
    w->most = bytes > w->most ? bytes : w->most;
    if (!most || w->bytes + w->most <= most)
        return RCP_OK;
    RCP_TRY(keep(w)); /* which says who is needed */
    RCP_TRY(rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory)));
    w->bytes = rcp_file_tree_bytes(w->options.directory);
    w->is_full = w->bytes + w->most > most;
    return RCP_OK;
}

/* --- a run is searched --- */

/* For what others' sections part; likewise. Recordings that show something stay. */
static rcp_code part(work *w, recorded_run *run) {
    const char *directory = w->options.directory;
    const uint32_t next = rcp_variants_next(directory);
    RCP_TRY(rcp_atomicity_look(&w->atomicity, run->subject));
    if (is_cut(w))
        return RCP_OK;
    rcp_atomicity_remember(&w->atomicity, &w->state.atomicity);
    run->is_parted = run->is_changed = true;
    charge(w, run);
    for (uint32_t i = next; i < rcp_variants_next(directory); i++)
        RCP_TRY(measure(w, i));
    return RCP_OK;
}

static bool is_to_part(const work *w, const recorded_run *run) { return w->is_parting && !run->is_parted; }

static rcp_code search(work *w, recorded_run *run, uint64_t made) {
    if (!run->is_searched)
        RCP_TRY(find_races(w, run, made));
    return is_to_part(w, run) && !is_cut(w) && !w->is_full ? part(w, run) : RCP_OK;
}

/* --- a run along an order --- */

/* The plan ends where the thread stands before its decision. Of a branch and an address all is decided there; what is
 * decided by the event itself is done while nobody else comes between. */
static void end_at(rcp_plan *plan, const rcp_event *e) {
    const bool by_itself = e->kind != RCP_BRANCH && (!rcp_event_is_access(e) || rcp_term_is_real(e->cond));
    plan->schedule.steps.len--; /* of two threads; it is one */
    if (by_itself)
        rcp_vec_push(&plan->schedule.steps, ((struct rcp_run_step){plan->race[0].role, plan->race[0].position + 1}));
    plan->is_through = true;
    plan->signals = 0; /* as in a run that is led along a guess */
    plan->handlers.len = 0;
}

/* Whoever sleeps comes back within about as long as the recorded run was. */
static uint32_t patience_of(const work *w) {
    const double took = rcp_inputs_seconds(w->options.directory) * 1000;
    const double most = (double)rcp_limit(RCP_LIMIT_STEER_PATIENCE);
    return (uint32_t)(took < most ? took : most);
}

static rcp_code perform(work *w, const rcp_plan *plan, rcp_performance *p) {
    rcp_staging so = w->staged.staging;
    so.plan = plan;
    so.is_guess = true;
    so.patience = patience_of(w);
    so.limit = rcp_leading_limit(&so, w->how->end);
    w->state.made++;
    return rcp_stage_perform(&so, p);
}

static void say_lost(const work *w, const rcp_performance *p, const char *why) {
    const char *what = why                                  ? why
                       : p->outcome.verdict == RCP_RUN_LOST ? p->outcome.what
                       : p->was_late                        ? "it took too long"
                                                            : "it did not come so far";
    if (w->notices->verbose)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": lost: %.*s", w->state.made, (int)strcspn(what, "\n"), what);
}

static const rcp_decision *own_of(const goal *aim) { return rcp_decisions_borrow(&aim->from->decisions, aim->place); }
static uint64_t side_in(const goal *aim, const rcp_decision *decision) {
    return aim->is_kept ? decision->value : decision->side;
}

/* What was kept is another value then, and compared with itself again: of two sides it is enough that it is another
 * way. */
static bool is_reached(const goal *aim, const rcp_decisions *decisions) {
    const rcp_decision *own = own_of(aim),
                       *its = rcp_decisions_borrow_other(&aim->from->decisions, aim->place, decisions);
    const rcp_trace *trace = &aim->from->subject->trace;
    return its && its->way != own->way &&
           ((rcp_decisions_is_twofold(trace, &trace->events.at[own->event]) && !aim->is_kept) ||
            side_in(aim, its) == aim->side);
}

static int signal_of(const work *w, const rcp_performance *p) {
    return rcp_hunt_end_signal(p, w->how->usual_signal, w->staged.staging.end_signal);
}

/* What the program did is told, looked at, and kept where it is new, or is to be. */
static rcp_code take_performance(work *w, const rcp_performance *p, goal *aim, uint32_t number, uint64_t made,
                                 bool is_kept, bool *came, bool *is_new) {
    char *path = rcp_variant_take_path(w->options.directory, number);
    rcp_text why = {0};
    recorded_run *run = NULL;
    charge(w, aim->from);
    rcp_code code = rcp_variant_settle(p, path);
    rcp_subject *subject = rcp_alloc(sizeof *subject);
    rcp_subject_init(subject, path, number, false);
    bool is_run = code == RCP_OK && rcp_variant_is_run(subject, &why);
    *came = *is_new = false;
    if (code == RCP_OK && !is_run)
        say_lost(w, p, why.at);
    if (is_run)
        code = rcp_subject_load(subject, rcp_limit(RCP_LIMIT_EVENTS));
    if (is_run && code == RCP_OK)
        code = take_run(w, subject, aim, &run);
    *is_new = run;
    w->state.again += is_run && code == RCP_OK && !run;
    if (run && code == RCP_OK)
        code = search(w, run, made);
    charge(w, NULL);
    aim->has_ended &= is_run && signal_of(w, p);
    *came = aim->has_ended || (run && is_reached(aim, &run->decisions));
    if (run) {
        rcp_subject_rest(subject, false);
    } else {
        rcp_subject_finish(subject);
        rcp_release(subject);
        if (!is_kept)
            rcp_variant_remove(path);
    }
    rcp_text_finish(&why);
    rcp_release(path);
    return code;
}

/* Once more along the same order: does it end so again? */
static rcp_code confirm_end(work *w, const rcp_plan *plan, rcp_statistic_id kind, const char *end, bool *is_same) {
    rcp_performance p;
    rcp_text again = {0};
    bool is_clear;
    *is_same = false;
    RCP_TRY(rcp_leftovers_clear(&w->leftovers, &w->staged.staging, rcp_leading_limit(&w->staged.staging, w->how->end),
                                w->notices, &is_clear));
    if (!is_clear)
        return RCP_OK;
    rcp_code code = perform(w, plan, &p);
    *is_same = code == RCP_OK && rcp_hunt_end_describe(&p, signal_of(w, &p), &again) == kind &&
               rcp_hunt_end_shape(again.at) == rcp_hunt_end_shape(end);
    if (code == RCP_OK && !*is_same)
        say_lost(w, &p, "it ended otherwise when it was made again");
    rcp_text_finish(&again);
    rcp_performance_finish(&p);
    return code;
}

/* How it ended comes first: where there is no time to see whether it does so again, nothing is taken of it. */
static rcp_code take_run_of(work *w, const rcp_plan *plan, const rcp_performance *p, goal *aim, bool *came) {
    const uint32_t number = rcp_variants_next(w->options.directory);
    const uint64_t run = w->state.made;
    rcp_text end = {0};
    bool is_new = false, is_same = false;
    const rcp_statistic_value row = {rcp_hunt_end_describe(p, signal_of(w, p), &end), (double)number};
    const uint64_t shape = rcp_hunt_end_shape(end.at);
    const bool is_first = row.id != RCP_STATISTICS && rcp_map_get(&w->state.ends, shape) == RCP_MAP_NONE;
    rcp_code code = is_first ? confirm_end(w, plan, row.id, end.at, &is_same) : RCP_OK;
    const double began = rcp_seconds_now();
    const bool is_taken = code == RCP_OK && (!is_first || is_same || !is_cut(w));
    if (is_taken)
        code = take_performance(w, p, aim, number, run, is_same, came, &is_new);
    if (is_taken && code == RCP_OK && w->notices->verbose)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": %s; %.2f s, and %.2f s to look at it", run,
                        is_new ? *came ? "a new class" : "a new class, and not that it was led to" : "nothing new",
                        p->seconds, rcp_seconds_now() - began);
    if (code == RCP_OK && is_same)
        code = put_find(w, number, run);
    if (code == RCP_OK && is_same)
        code = rcp_results_put_statistics(w->study.results, end.at, &row, 1);
    if (is_taken && is_first)
        rcp_map_set(&w->state.ends, shape, 1);
    if (code == RCP_OK && (is_new || is_same))
        code = measure(w, number);
    rcp_text_finish(&end);
    return code;
}

/* *came: to what it was to come to, in a class that is new. A run that was ended before its end is none. */
static rcp_code carry_out(work *w, goal *aim, const rcp_event *e, rcp_race *race, bool *came) {
    rcp_subject *from = aim->from->subject;
    rcp_plan plan;
    rcp_performance p = {0};
    bool is_clear = false;
    const uint64_t made = w->state.made, again = w->state.again;
    *came = false;
    rcp_code code = rcp_plan_make(&plan, from->directory, from->reader, race, NULL, NULL);
    if (code == RCP_OK)
        code = rcp_leftovers_clear(&w->leftovers, &w->staged.staging,
                                   rcp_leading_limit(&w->staged.staging, w->how->end), w->notices, &is_clear);
    if (code == RCP_OK && is_clear) {
        end_at(&plan, e);
        code = perform(w, &plan, &p);
        /* What it was led to may be what ended it. */
        const bool has_come = p.outcome.verdict == RCP_RUN_BOTH || p.outcome.deadlocked == 1 || signal_of(w, &p);
        if (code == RCP_OK && has_come && !p.was_late)
            code = take_run_of(w, &plan, &p, aim, came);
        else if (code == RCP_OK)
            say_lost(w, &p, NULL);
    }
    rcp_performance_finish(&p);
    rcp_plan_finish(&plan);
    if (!*came && is_cut(w)) {
        w->state.made = made;
        w->state.again = again;
    }
    note_point(w);
    return code;
}

/* --- standstills --- */

/* Up to the last event of the witness, and then as it goes: nobody can go on. */
static rcp_code plan_standstill(const recorded_run *from, rcp_race *race, rcp_plan *plan) {
    const rcp_witness *witness = &race->witness;
    rcp_eid last = {witness->recorded - 1};
    if (witness->steps.len) {
        const rcp_witness_step *step = &witness->steps.at[witness->steps.len - 1];
        last = rcp_trace_event_of(&from->subject->trace, step->tid, step->to - 1);
    }
    race->event[0] = race->event[1] = last;
    *plan = (rcp_plan){0};
    RCP_TRY(rcp_plan_make_through(plan, from->subject->directory, from->subject->reader, race));
    plan->signals = 0;
    plan->handlers.len = 0;
    return RCP_OK;
}

/* The recording stays, with its events. */
static rcp_code settle_standstill(const work *w, const rcp_performance *p, uint32_t number, bool *is_there) {
    char *path = rcp_variant_take_path(w->options.directory, number);
    rcp_subject subject;
    rcp_text why = {0};
    rcp_code code = rcp_variant_settle(p, path);
    rcp_subject_init(&subject, path, number, false);
    *is_there = code == RCP_OK && rcp_variant_is_run(&subject, &why);
    rcp_subject_finish(&subject);
    if (code == RCP_OK && !*is_there) {
        say_lost(w, p, why.at);
        rcp_variant_remove(path);
    }
    rcp_text_finish(&why);
    rcp_release(path);
    return code;
}

/* The first one that ends so is made again. */
static rcp_code take_standstill(work *w, const rcp_plan *plan, const rcp_performance *p) {
    const uint32_t number = rcp_variants_next(w->options.directory);
    const uint64_t run = w->state.made;
    rcp_text end = {0};
    bool is_same = false;
    const rcp_statistic_value row = {rcp_hunt_end_describe(p, signal_of(w, p), &end), (double)number};
    const uint64_t shape = rcp_hunt_end_shape(end.at);
    const bool is_first = rcp_map_get(&w->state.ends, shape) == RCP_MAP_NONE;
    rcp_code code = is_first ? confirm_end(w, plan, row.id, end.at, &is_same) : RCP_OK;
    if (code == RCP_OK && is_same)
        code = settle_standstill(w, p, number, &is_same);
    if (code == RCP_OK && is_same)
        code = put_find(w, number, run);
    if (code == RCP_OK && is_same)
        code = rcp_results_put_statistics(w->study.results, end.at, &row, 1);
    if (is_first && !is_cut(w))
        rcp_map_set(&w->state.ends, shape, 1);
    if (code == RCP_OK && is_same)
        code = measure(w, number);
    rcp_text_finish(&end);
    return code;
}

/* What it executes, another run has executed, too: it is no class of its own. */
static rcp_code carry_out_standstill(work *w, recorded_run *from, const rcp_standing *standing, rcp_race *race) {
    rcp_plan plan;
    rcp_performance p = {0};
    bool is_clear = false;
    rcp_code code = plan_standstill(from, race, &plan);
    if (code == RCP_OK)
        code = rcp_leftovers_clear(&w->leftovers, &w->staged.staging,
                                   rcp_leading_limit(&w->staged.staging, w->how->end), w->notices, &is_clear);
    if (code == RCP_OK && is_clear)
        code = perform(w, &plan, &p);
    const bool is_done = code == RCP_OK && is_clear, has_come = is_done && p.outcome.deadlocked == 1;
    if (is_done && w->notices->verbose && has_come)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": a deadlock; %.2f s", w->state.made, p.seconds);
    if (has_come)
        code = take_standstill(w, &plan, &p);
    else if (is_done)
        say_lost(w, &p, "not all of its threads came to wait for good");
    if (has_come && !is_cut(w))
        rcp_map_set(&w->state.stood, standing->shape, 1);
    from->not_stood += !has_come && !is_cut(w);
    rcp_performance_finish(&p);
    rcp_plan_finish(&plan);
    note_point(w);
    return code;
}

/* Threads that wait at the same places for the same are one deadlock, however they came there. */
static rcp_code ask_about_standing(work *w, recorded_run *from, rcp_ladder *ladder, const rcp_standing *standing) {
    if (rcp_map_get(&w->state.stands, standing->key) != RCP_MAP_NONE ||
        rcp_map_get(&w->state.stood, standing->shape) != RCP_MAP_NONE)
        return RCP_OK;
    rcp_answer answer;
    rcp_race race;
    rcp_race_init(&race);
    rcp_code code = rcp_ladder_still(ladder, standing->upto, standing->asleep.at, (uint32_t)standing->asleep.len,
                                     &race.witness, &answer);
    from->not_stood += code == RCP_OK && answer == RCP_ANSWER_LIMIT && !is_cut(w);
    if (code == RCP_OK && answer == RCP_ANSWER_WITNESS)
        code = carry_out_standstill(w, from, standing, &race);
    if (!is_cut(w))
        rcp_map_set(&w->state.stands, standing->key, 1);
    rcp_race_finish(&race);
    return code;
}

/* --- turns --- */

static bool has(const ways *list, uint64_t way) {
    for (size_t i = 0; i < list->len; i++)
        if (list->at[i] == way)
            return true;
    return false;
}

/* What its thread decides there, in runs in which it has decided all before as in this one. */
static void list_sides(const work *w, const goal *aim, ways *list) {
    list->len = 0;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->state.runs.at[i]->decisions);
        if (its && its->way != own_of(aim)->way && !has(list, side_in(aim, its)))
            rcp_vec_push(list, side_in(aim, its));
    }
}

typedef struct parts {
    rcp_decisions_events events;
    RCP_VEC(size_t) ends; /* in these, of each run */
    RCP_VEC(rcp_slice_wanted) wanted;
} parts;

/* Of each run that has decided so: what it does not have. False: one has all that this run has, so it is known. */
static bool list_parts(const work *w, const goal *aim, parts *p) {
    size_t from = 0;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->state.runs.at[i]->decisions);
        if (!its || its->way == own_of(aim)->way || side_in(aim, its) != aim->side)
            continue;
        rcp_decisions_part(&aim->from->decisions, aim->place.tid, &w->state.runs.at[i]->decisions, &p->events);
        if (p->events.len == from)
            return false;
        rcp_vec_push(&p->ends, from = p->events.len);
    }
    from = 0;
    for (size_t i = 0; i < p->ends.len; i++) {
        rcp_vec_push(&p->wanted, ((rcp_slice_wanted){p->events.at + from, p->ends.at[i] - from}));
        from = p->ends.at[i];
    }
    return true;
}

static void finish_parts(parts *p) {
    rcp_vec_finish(&p->events);
    rcp_vec_finish(&p->ends);
    rcp_vec_finish(&p->wanted);
}

/* One question, and where there is an order, one run. *came: it is of a new class, and `aim->side` is what it came to.
 */
static rcp_code ask(work *w, rcp_ladder *ladder, goal *aim, uint32_t event, const ways *excluded, rcp_answer *answer,
                    bool *came) {
    const rcp_trace *trace = &aim->from->subject->trace;
    const rcp_event *e = &trace->events.at[event];
    uint64_t became = own_of(aim)->side ? 0 : 1; /* of two */
    rcp_race race;
    rcp_race_init(&race);
    *came = aim->has_ended = false;
    rcp_ladder_turn_compared(ladder, aim->is_kept);
    rcp_code code =
        rcp_ladder_turn(ladder, (rcp_eid){event}, excluded->at, excluded->len, &became, &race.witness, answer);
    aim->of->undecided += code == RCP_OK && *answer == RCP_ANSWER_LIMIT;
    if (code == RCP_OK && *answer == RCP_ANSWER_WITNESS) {
        aim->side = became;
        race.event[0] = race.event[1] = (rcp_eid){event};
        code = carry_out(w, aim, e, &race, came);
    }
    rcp_race_finish(&race);
    return code;
}

/* Sides that its thread has come to in no run. */
static rcp_code ask_for_sides(work *w, rcp_ladder *ladder, goal *aim, turn *at, bool is_twofold, ways *known) {
    ways excluded = {0};
    rcp_code code = RCP_OK;
    bool goes_on = true;
    list_sides(w, aim, known);
    for (size_t i = 0; i < known->len; i++)
        rcp_vec_push(&excluded, known->at[i]);
    for (size_t i = 0; i < at->lost.len; i++)
        rcp_vec_push(&excluded, at->lost.at[i]);
    for (size_t i = 0; i < at->ended.len; i++)
        rcp_vec_push(&excluded, at->ended.at[i]);
    while (code == RCP_OK && goes_on && !is_over(w) && !(is_twofold && excluded.len)) {
        rcp_answer answer;
        bool came;
        if (excluded.len >= rcp_limit(RCP_LIMIT_HUNT_WAYS)) {
            rcp_limit_reached(RCP_LIMIT_HUNT_WAYS);
            at->left++;
            break;
        }
        code = ask(w, ladder, aim, at->at.event, &excluded, &answer, &came);
        goes_on = code == RCP_OK && answer == RCP_ANSWER_WITNESS && !has(&excluded, aim->side);
        if (goes_on) {
            rcp_vec_push(&excluded, aim->side);
            if (came)
                rcp_vec_push(aim->has_ended ? &at->ended : known, aim->side);
            else if (!is_cut(w))
                rcp_vec_push(&at->lost, aim->side);
            aim->from->is_changed = true;
            code = keep(w);
        }
    }
    rcp_vec_finish(&excluded);
    return code;
}

/* A side that was come to: in other runs than those that are known. */
static rcp_code ask_for_others(work *w, rcp_ladder *ladder, goal *aim, uint32_t event, bool is_twofold,
                               const ways *known, uint64_t side) {
    ways excluded = {0};
    rcp_code code = RCP_OK;
    bool goes_on = true;
    for (size_t i = 0; i < known->len && !is_twofold; i++)
        if (known->at[i] != side)
            rcp_vec_push(&excluded, known->at[i]);
    while (code == RCP_OK && goes_on && !is_over(w)) {
        parts p = {.events = {0}};
        rcp_answer answer;
        aim->side = side;
        goes_on = list_parts(w, aim, &p);
        if (goes_on) {
            bool came;
            rcp_ladder_want(ladder, p.wanted.at, p.wanted.len);
            code = ask(w, ladder, aim, event, &excluded, &answer, &came);
            rcp_ladder_want(ladder, NULL, 0);
            came &= !aim->has_ended;
            goes_on = answer == RCP_ANSWER_WITNESS && came;
            if (code == RCP_OK && answer == RCP_ANSWER_WITNESS) {
                if (!came && !is_cut(w))
                    rcp_vec_push(&aim->of->given_up, side);
                aim->from->is_changed = true;
                code = keep(w);
            }
        }
        finish_parts(&p);
    }
    rcp_vec_finish(&excluded);
    return code;
}

/* A run that is equal to something else there. */
static bool is_kept(const work *w, const goal *aim) {
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->state.runs.at[i]->decisions);
        if (its && rcp_decisions_keep(own_of(aim), its))
            return true;
    }
    return false;
}

static rcp_code ask_about(work *w, recorded_run *from, rcp_ladder *ladder, turn *at, bool is_first) {
    const rcp_trace *trace = &from->subject->trace;
    bool is_twofold = rcp_decisions_is_twofold(trace, &trace->events.at[at->at.event]);
    goal aim = {.from = from, .of = at, .place = rcp_decisions_find(&from->decisions, trace, at->at.event)};
    ways known = {0};
    rcp_code code = RCP_OK;
    at->undecided = at->left = 0;
    if (!is_twofold || !is_kept(w, &aim))
        code = ask_for_sides(w, ladder, &aim, at, is_twofold, &known);
    if (code == RCP_OK && is_twofold && is_kept(w, &aim)) { /* found out by the first run that has another value */
        aim.is_kept = true;
        is_twofold = false;
        at->lost.len = 0; /* those were of two sides */
        code = ask_for_sides(w, ladder, &aim, at, is_twofold, &known);
    }
    list_sides(w, &aim, &known);
    for (size_t i = 0; code == RCP_OK && !is_first && i < known.len; i++)
        if (!has(&at->given_up, known.at[i]))
            code = ask_for_others(w, ladder, &aim, at->at.event, is_twofold, &known, known.at[i]);
    if (!is_over(w) && code == RCP_OK) {
        at->state = is_first && known.len ? RCP_HUNT_ASKED_ONCE : RCP_HUNT_ASKED;
        from->is_changed = true;
        charge(w, from);
    }
    rcp_vec_finish(&known);
    return code == RCP_OK && rcp_seconds_now() - w->kept > KEPT_EVERY ? keep(w) : code;
}

/* --- a run is asked about --- */

/* The decision that is turned, among all that are. */
static turn turn_of(const recorded_run *run, const rcp_target *at) {
    const rcp_trace *trace = &run->subject->trace;
    const rcp_decisions_place where = rcp_decisions_find(&run->decisions, trace, at->event);
    return (turn){.at = *at,
                  .place = rcp_decisions_borrow(&run->decisions, where)->place,
                  .is_twofold = rcp_decisions_is_twofold(trace, &trace->events.at[at->event])};
}

static void list_standings(recorded_run *run, const rcp_targets *list, rcp_standings *standings) {
    if (run->may_stand)
        rcp_standings_list(&run->subject->groundwork->facts, &run->decisions, list->waits.at, list->waits.len,
                           standings);
    run->standings = standings->at.len;
}

static rcp_code list_turns(work *w, recorded_run *run, rcp_standings *standings) {
    rcp_targets list;
    rcp_map both;
    rcp_map_init(&both);
    rcp_code code =
        rcp_targets_list(run->subject, RCP_EXPLORING_MODELS, rcp_limit(RCP_LIMIT_HUNT_INSTANCES), &list, &both);
    for (size_t i = 0; i < list.at.len; i++)
        rcp_vec_push(&run->turns, turn_of(run, &list.at.at[i]));
    for (size_t i = 0; i < list.rest.len; i++) {
        run->left += list.rest.at[i].instances;
        rcp_limit_reached_times(RCP_LIMIT_HUNT_INSTANCES, list.rest.at[i].instances);
    }
    run->left += list.outcomes;
    run->is_listed = run->is_changed = true;
    if (code == RCP_OK)
        list_standings(run, &list, standings);
    if (standings->is_cut) {
        run->left++;
        rcp_limit_reached(RCP_LIMIT_HUNT_STANDS);
    }
    charge(w, run);
    rcp_hunt_seen_note_turns(&w->seen, run);
    rcp_targets_finish(&list);
    rcp_map_finish(&both);
    return code;
}

/* An earlier call has not come to their end. */
static rcp_code list_standings_again(recorded_run *run, rcp_standings *standings) {
    rcp_targets list;
    rcp_map both;
    rcp_map_init(&both);
    rcp_code code = rcp_targets_list(run->subject, RCP_EXPLORING_MODELS, 0, &list, &both);
    if (code == RCP_OK)
        list_standings(run, &list, standings);
    rcp_targets_finish(&list);
    rcp_map_finish(&both);
    return code;
}

static rcp_code ask_about_standings(work *w, recorded_run *run, rcp_ladder *ladder, const rcp_standings *standings) {
    rcp_code code = RCP_OK;
    while (code == RCP_OK && run->stood < run->standings && !is_over(w)) {
        code = ask_about_standing(w, run, ladder, &standings->at.at[run->stood]);
        if (code == RCP_OK && !is_cut(w)) {
            run->stood++;
            run->is_changed = true;
            charge(w, run);
        }
    }
    return code;
}

/* To a side that no run has gone to. */
static bool is_fresh(const work *w, const recorded_run *run, const turn *at) {
    const rcp_decisions_place where = rcp_decisions_find(&run->decisions, &run->subject->trace, at->at.event);
    return rcp_hunt_seen_is_fresh(&w->seen, at, rcp_decisions_borrow(&run->decisions, where)->side);
}

static rcp_code visit(work *w, recorded_run *run) {
    const bool is_first = !run->is_listed;
    RCP_TRY(rcp_subject_load(run->subject, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(rcp_subject_lay_groundwork(run->subject));
    rcp_code code = search(w, run, w->state.made);
    rcp_standings standings = {.is_cut = false};
    if (code == RCP_OK && is_first && !is_cut(w))
        code = list_turns(w, run, &standings);
    else if (code == RCP_OK && run->stood < run->standings)
        code = list_standings_again(run, &standings);
    rcp_ladder *ladder = rcp_ladder_create(run->subject->groundwork, w->options.predict.limits);
    if (code == RCP_OK)
        code = ask_about_standings(w, run, ladder, &standings);
    rcp_standings_finish(&standings);
    for (size_t i = 0; code == RCP_OK && i < run->turns.len && !is_over(w); i++)
        if (run->turns.at[i].state != RCP_HUNT_ASKED && (!is_first || is_fresh(w, run, &run->turns.at[i])))
            code = ask_about(w, run, ladder, &run->turns.at[i], is_first);
    rcp_ladder_destroy(ladder);
    rcp_subject_rest(run->subject, false);
    return code == RCP_OK ? keep(w) : code;
}

/* What was not looked at comes first: there may be code that nobody has seen. Nobody can look at what has no recording
 * any more. */
static recorded_run *find_next(const work *w) {
    recorded_run *open = NULL;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        recorded_run *run = w->state.runs.at[i];
        if (run->subject && (!run->is_listed || !run->is_searched || is_to_part(w, run)))
            return run;
        if (!open && run->subject && run->stood < run->standings)
            open = run;
        for (size_t k = 0; !open && run->subject && k < run->turns.len; k++)
            open = run->turns.at[k].state != RCP_HUNT_ASKED ? run : NULL;
    }
    return open;
}

static rcp_code hunt(work *w) {
    recorded_run *next;
    while (!is_over(w) && (next = find_next(w)))
        RCP_TRY(visit(w, next));
    const bool is_open = find_next(w);
    if (is_open && w->is_full)
        w->ended_by.at[RCP_LIMIT_HUNT_SIZE] = 1;
    else if (is_open && w->state.made >= rcp_limit(RCP_LIMIT_HUNT_RUNS))
        w->ended_by.at[RCP_LIMIT_HUNT_RUNS] = 1;
    if (w->leftovers.why_not.len)
        note_reason(w, w->leftovers.why_not.at);
    bool is_clear; /* nobody is to find what our runs have left */
    return rcp_leftovers_clear(&w->leftovers, &w->staged.staging, rcp_leading_limit(&w->staged.staging, w->how->end),
                               w->notices, &is_clear);
}

/* --- what comes of it --- */

/* What was reached through all calls, as far as it is settled: what the end of this one has cut off is open. */
static rcp_code put_limits(const work *w) {
    rcp_limit_counts reached = w->ended_by;
    for (size_t i = 0; i < w->state.runs.len; i++)
        for (int k = 0; k < RCP_LIMITS; k++)
            reached.at[k] += w->state.runs.at[i]->reached.at[k];
    return rcp_study_keep_limits(&w->study, &reached);
}

/* Some runs end where others go on: what another one has all of, and more, is no run of its own. */
static void note_reasons(work *w) {
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const recorded_run *run = w->state.runs.at[i];
        bool is_part = false;
        for (size_t k = 0; k < w->state.runs.len && run->why_open && !is_part; k++)
            is_part = k != i && rcp_decisions_are_part(&run->decisions, &w->state.runs.at[k]->decisions);
        if (!is_part)
            note_reason(w, run->why_open);
    }
}

static rcp_code put_all(work *w) {
    const rcp_statistic_value reason = {RCP_STATISTIC_HUNT_REASON, 1};
    note_reasons(w);
    RCP_TRY(rcp_results_forget_statistics(w->study.results, RCP_STATISTIC_HUNT_REASON));
    RCP_TRY(rcp_results_forget_statistics(w->study.results, RCP_STATISTIC_LIMIT));
    for (size_t i = 0; i < w->reasons.len; i++)
        RCP_TRY(rcp_results_put_statistics(w->study.results, w->reasons.at[i], &reason, 1));
    RCP_TRY(rcp_hunt_curve_put(&w->state.curve, w->study.results));
    return put_limits(w);
}

/* The end of the time, in the midst of a run; or somebody has had enough, and it was ended. What was found stands. */
static rcp_code in_time(const work *w, rcp_code code) {
    if (code == RCP_OK || code == RCP_INTERNAL || !((code == RCP_LIMIT && rcp_deadline_is_over()) || *w->how->stop))
        return code;
    rcp_clear_causes();
    return RCP_OK;
}

/* Ends that were reported are known, whatever else an earlier call has kept. */
static void note_ends(work *w, const rcp_summary *summary) {
    for (size_t i = 0; i < summary->statistics.len; i++) {
        const rcp_statistic *s = &summary->statistics.at[i];
        if (s->id == RCP_STATISTIC_HUNT_CRASH || s->id == RCP_STATISTIC_HUNT_DEADLOCK)
            rcp_map_set(&w->state.ends, rcp_hunt_end_shape(rcp_statistic_label(s->key)), 1);
    }
}

/* What was found in recordings before is not looked for. */
static rcp_code note_known(work *w) {
    rcp_summary summary;
    rcp_code code = rcp_results_load(w->study.results, rcp_results_key(w->study.run.reader), &summary);
    for (size_t i = 0; code == RCP_OK && i < summary.races.len; i++) {
        const rcp_race *race = &summary.races.at[i];
        const bool is_by_language = rcp_model_first(race->models) == RCP_MODEL_C11;
        if (rcp_race_is_proven(race))
            rcp_map_set(is_by_language ? &w->study.by_language : &w->study.known, race->points, 1);
    }
    if (code == RCP_OK) {
        note_ends(w, &summary);
        rcp_atomicity_note_known(&w->atomicity, &summary);
    }
    rcp_summary_finish(&summary);
    return code;
}

/* Where an earlier call ended; or with the recorded run, which the analysis has searched for races. */
static rcp_code find_beginning(work *w) {
    bool is_there;
    RCP_TRY(
        rcp_hunt_state_recall(&w->state, w->study.results, w->asking, w->options.directory, &w->study.run, &is_there));
    rcp_limits_sum(&w->charged);
    for (size_t i = 0; is_there && i < w->state.runs.len; i++) {
        rcp_hunt_seen_note(&w->seen, w->state.runs.at[i]);
        rcp_hunt_seen_note_turns(&w->seen, w->state.runs.at[i]);
    }
    if (is_there)
        return RCP_OK;
    const rcp_statistic_value before = {RCP_STATISTIC_HUNT_BEFORE, w->began - w->how->began};
    RCP_TRY(rcp_results_put_statistics(w->study.results, NULL, &before, 1));
    recorded_run *run;
    RCP_TRY(rcp_subject_load(&w->study.run, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(take_run(w, &w->study.run, NULL, &run));
    run->is_searched = true;
    return RCP_OK;
}

/* What a call that was killed has left in the directory goes; what is in it now counts. */
static rcp_code tidy(work *w) {
    rcp_stage_remove_left(w->options.directory);
    RCP_TRY(keep(w));
    RCP_TRY(rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory)));
    w->bytes = rcp_file_tree_bytes(w->options.directory);
    static const char *const own[] = {"log", "image", "events.rcp"}; /* of each run */
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char *path = rcp_file_take_path(w->options.directory, own[i]);
        w->most += rcp_file_tree_bytes(path);
        rcp_release(path);
    }
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_subject *subject = w->state.runs.at[i]->subject;
        const uint64_t bytes = subject && subject->variant ? rcp_file_tree_bytes(subject->directory) : 0;
        w->most = bytes > w->most ? bytes : w->most;
    }
    return measure(w, 0);
}

/* Once it was asked for it is looked for in all runs, whatever call makes them. */
static void begin_atomicity(work *w) {
    w->atomicity = (rcp_atomicity){.directory = w->options.directory,
                                   .notices = w->notices,
                                   .results = w->study.results,
                                   .trace = rcp_results_key(w->study.run.reader),
                                   .staging = &w->staged.staging,
                                   .leftovers = &w->leftovers,
                                   .patience = patience_of(w),
                                   .end = w->how->end,
                                   .stop = w->how->stop};
    rcp_atomicity_init(&w->atomicity);
    w->is_parting = w->how->atomicity || w->state.atomicity.len;
    rcp_atomicity_recall(&w->atomicity, &w->state.atomicity);
    if (w->is_parting)
        rcp_atomicity_remember(&w->atomicity, &w->state.atomicity);
}

static rcp_code go(work *w) {
    RCP_TRY(rcp_staged_init(&w->staged, w->options.directory, w->how->limit, w->how->prints_to_nobody));
    RCP_TRY(rcp_study_resume(&w->study));
    w->leftovers.top = w->staged.top;
    rcp_code code = find_beginning(w);
    begin_atomicity(w);
    if (code == RCP_OK)
        code = note_known(w);
    if (code == RCP_OK)
        code = tidy(w);
    note_reason(w, w->staged.why_not);
    if (!w->state.curve.at.len)
        note_point(w);
    if (code == RCP_OK && !w->staged.why_not)
        code = hunt(w);
    rcp_notices_progress(w->notices, NULL);
    RCP_TRY(in_time(w, code));
    note_point(w);
    RCP_TRY(keep(w));
    RCP_TRY(put_all(w));
    const rcp_analysis done = {.models = w->options.models, .seconds = 0};
    RCP_TRY(rcp_results_end(w->study.results, &done));
    return rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory));
}

rcp_code rcp_hunting_run(const char *directory, const rcp_hunting_how *how, const rcp_notices *notices) {
    work w = {.how = how, .notices = notices, .began = rcp_seconds_now()};
    rcp_hunt_state_init(&w.state);
    w.options = (rcp_study_options){.directory = directory,
                                    .models = RCP_MODEL_BIT(RCP_MODEL_HUNT),
                                    .predict = {.limits = rcp_ladder_limits_set()}};
    w.asking = options_of();
    rcp_hunt_seen_init(&w.seen);
    rcp_deadline_set(how->end);
    rcp_code code = rcp_study_open(&w.study, &w.options, notices);
    if (code == RCP_OK)
        code = go(&w);
    if (notices->verbose)
        rcp_notices_say(notices,
                        "hunt: %" PRIu64 " runs, %zu classes, %" PRIu64 " turns are open; %" PRIu64
                        " runs were of a class that was seen, %" PRIu64 " turns did not come about",
                        w.state.made + 1, w.state.runs.len, rcp_hunt_state_open(&w.state), w.state.again,
                        rcp_hunt_state_lost(&w.state));
    rcp_vec_finish(&w.reasons);
    rcp_hunt_state_finish(&w.state);
    rcp_hunt_seen_finish(&w.seen);
    rcp_leftovers_finish(&w.leftovers);
    rcp_staged_finish(&w.staged);
    rcp_study_close(&w.study);
    rcp_deadline_set(0);
    return code;
}
