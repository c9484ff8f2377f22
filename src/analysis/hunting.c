/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunting.h"

#include "analysis/atomicity.h"
#include "analysis/by_language.h"
#include "analysis/closed.h"
#include "analysis/decisions.h"
#include "analysis/leading.h"
#include "analysis/staged.h"
#include "analysis/targets.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/hash.h"
#include "base/process.h"
#include "record/inputs.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

/* How far a turn was asked about: for a side that its thread has come to in no run; then, for each side, in all other
 * runs than those that are known. */
enum { NOT_ASKED, ASKED_ONCE, ASKED };
typedef RCP_VEC(uint64_t) ways;
typedef struct turn {
    rcp_target at;
    uint8_t state;
    ways lost; /* what did not come about is not tried again */
} turn;

typedef struct recorded_run {
    rcp_subject *subject; /* rests but while it is asked about */
    rcp_decisions decisions;
    bool is_listed;
    RCP_VEC(turn) turns;
} recorded_run;

typedef struct work {
    rcp_study study;
    rcp_study_options options;
    const rcp_hunting_how *how;
    const rcp_notices *notices;
    rcp_staged staged;
    rcp_leftovers leftovers;
    rcp_atomicity atomicity;      /* where it is asked for */
    RCP_VEC(recorded_run *) runs; /* one of each class */
    rcp_map classes;              /* their numbers */
    rcp_map gone;                 /* places with the ways that a run has gone there */
    rcp_map ways_of;              /* places -> how many these are */
    RCP_VEC(const char *) reasons;
    rcp_map ends;       /* ends of runs that were reported, by what was said of them */
    uint64_t made;      /* runs of the program */
    uint64_t again;     /* of these, of a class that was seen */
    uint64_t lost;      /* that did not come to what they were led to */
    uint64_t undecided; /* turns of which nobody knows */
    uint64_t left;      /* further instances, ways and outcomes, that were not asked about */
    double began;
} work;

/* --- how it stands --- */

static bool is_over(const work *w) {
    return *w->how->stop || rcp_deadline_is_over() || w->leftovers.why_not.len ||
           w->made >= rcp_limit(RCP_LIMIT_HUNT_RUNS);
}

static uint64_t count_open(const work *w) {
    uint64_t n = w->lost + w->undecided + w->left;
    for (size_t i = 0; i < w->runs.len; i++) {
        n += !w->runs.at[i]->is_listed; /* nobody knows how many; one at least, for it was not looked at */
        for (size_t k = 0; k < w->runs.at[i]->turns.len; k++)
            n += w->runs.at[i]->turns.at[k].state != ASKED;
    }
    return n;
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

static uint64_t side_of(uint64_t place, uint64_t way) { return rcp_hash_join(place, way); }

static void note_side(work *w, const rcp_decision *d) {
    uint32_t *gone = rcp_map_at(&w->gone, side_of(d->place, d->side));
    const bool is_new = *gone == RCP_MAP_NONE;
    *gone = 1;
    uint32_t *n = rcp_map_at(&w->ways_of, d->place);
    *n = (*n == RCP_MAP_NONE ? 0 : *n) + is_new;
}

/* Of a class that nobody has seen; its trace is loaded. It is the work's from then on. */
static rcp_code take_run(work *w, rcp_subject *subject, bool *is_new) {
    recorded_run *run = rcp_alloc_zero(1, sizeof *run);
    run->subject = subject;
    rcp_decisions_take(&run->decisions, &subject->trace);
    uint32_t *seen = rcp_map_at(&w->classes, run->decisions.number);
    *is_new = *seen == RCP_MAP_NONE;
    *seen = 1;
    if (!*is_new) {
        rcp_decisions_finish(&run->decisions);
        rcp_release(run);
        return RCP_OK;
    }
    rcp_vec_push(&w->runs, run);
    for (size_t t = 0; t < run->decisions.threads.len; t++)
        for (size_t i = 0; i < run->decisions.threads.at[t].at.len; i++) {
            const rcp_decision *d = &run->decisions.threads.at[t].at.at[i];
            note_side(w, d);
        }
    RCP_TRY(rcp_subject_lay_groundwork(subject));
    note_reason(w, rcp_closed_why_not(subject->groundwork));
    return RCP_OK;
}

static void finish_run(recorded_run *run, bool is_ours) {
    rcp_decisions_finish(&run->decisions);
    for (size_t i = 0; i < run->turns.len; i++)
        rcp_vec_finish(&run->turns.at[i].lost);
    rcp_vec_finish(&run->turns);
    if (is_ours) {
        rcp_subject_finish(run->subject);
        rcp_release(run->subject);
    }
    rcp_release(run);
}

static rcp_code find_races(work *w, rcp_subject *subject) {
    rcp_variant variant = {.run = subject, .models = RCP_MODEL_BIT(RCP_MODEL_HUNT)};
    uint64_t by_language;
    RCP_TRY(rcp_variant_analyze(&w->study, &variant, &w->options.predict));
    RCP_TRY(rcp_by_language_take(&w->study, subject, &by_language));
    return w->how->atomicity ? rcp_atomicity_look(&w->atomicity, subject) : RCP_OK;
}

/* --- a run along an order --- */

/* What a turn is to come to. */
typedef struct goal {
    const recorded_run *from;
    rcp_decisions_place place;
    uint64_t side;
} goal;

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
    w->made++;
    return rcp_stage_perform(&so, p);
}

static void say_lost(const work *w, const rcp_performance *p, const char *why) {
    const char *what = why                                  ? why
                       : p->outcome.verdict == RCP_RUN_LOST ? p->outcome.what
                       : p->was_late                        ? "it took too long"
                                                            : "it did not come so far";
    if (w->notices->verbose)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": lost: %.*s", w->made, (int)strcspn(what, "\n"), what);
}

static const rcp_decision *own_of(const goal *aim) { return rcp_decisions_borrow(&aim->from->decisions, aim->place); }

/* What was kept is another value then, and compared with itself again: of two sides it is enough that it is another
 * way.
 */
static bool is_reached(const goal *aim, const rcp_decisions *decisions) {
    const rcp_decision *own = own_of(aim),
                       *its = rcp_decisions_borrow_other(&aim->from->decisions, aim->place, decisions);
    const rcp_trace *trace = &aim->from->subject->trace;
    return its && its->way != own->way &&
           (rcp_decisions_is_twofold(trace, &trace->events.at[own->event]) || its->side == aim->side);
}

/* What the program did is told, looked at, and kept where it is new, or is to be. */
static rcp_code take_performance(work *w, const rcp_performance *p, const goal *aim, uint32_t number, bool is_kept,
                                 bool *came, bool *is_new) {
    char *path = rcp_variant_take_path(w->options.directory, number);
    rcp_text why = {0};
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
        code = take_run(w, subject, is_new);
    w->again += is_run && code == RCP_OK && !*is_new;
    if (is_run && code == RCP_OK && *is_new)
        code = find_races(w, subject);
    if (is_run && *is_new) {
        *came = is_reached(aim, &w->runs.at[w->runs.len - 1]->decisions);
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

/* The signal by which the run ended, and should not have; 0: none. */
static int signal_of(const work *w, const rcp_performance *p) {
    const int signal = !p->was_late && WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0;
    return signal == w->how->usual_signal || signal == SIGKILL || signal == w->staged.staging.end_signal ? 0 : signal;
}

/* How a run ended that should not end so; nothing: as it should. */
static rcp_statistic_id describe_end(const work *w, const rcp_performance *p, rcp_text *to) {
    enum { MOST = 400 };
    const int signal = signal_of(w, p);
    if (p->outcome.deadlocked == 1) {
        rcp_text_puts(to, p->outcome.waits);
        return RCP_STATISTIC_HUNT_DEADLOCK;
    }
    if (!signal)
        return RCP_STATISTICS;
    rcp_text_puts(to, rcp_process_signal_name(signal));
    const char *said = p->errors.at ? p->errors.at : "";
    size_t n = strcspn(said, "\n");
    if (n)
        rcp_text_printf(to, ": %.*s", (int)(n < MOST ? n : MOST), said);
    return RCP_STATISTIC_HUNT_CRASH;
}

/* What was said, but for numbers: ids of processes and addresses are others each time. */
static uint64_t shape_of(const rcp_text *end) {
    rcp_text shape = {0};
    for (const char *at = end->len ? end->at : ""; *at;) {
        size_t n = strspn(at, "0123456789");
        if (n == 1 && at[1] == 'x')
            n = 2 + strspn(at + 2, "0123456789abcdefABCDEF");
        rcp_text_add(&shape, n ? "0" : at, 1);
        at += n ? n : 1;
    }
    const uint64_t hash = rcp_hash_bytes(shape.len ? shape.at : "", shape.len);
    rcp_text_finish(&shape);
    return hash;
}

/* Once more along the same order: does it end so again? */
static rcp_code confirm_end(work *w, const rcp_plan *plan, rcp_statistic_id kind, const rcp_text *end,
                            uint32_t number) {
    const rcp_statistic_value row = {kind, (double)number};
    rcp_performance p;
    rcp_text again = {0};
    bool is_clear;
    RCP_TRY(rcp_leftovers_clear(&w->leftovers, &w->staged.staging, rcp_leading_limit(&w->staged.staging, w->how->end),
                                w->notices, &is_clear));
    if (!is_clear)
        return RCP_OK;
    rcp_code code = perform(w, plan, &p);
    const bool is_same = code == RCP_OK && describe_end(w, &p, &again) == kind && shape_of(&again) == shape_of(end);
    if (is_same)
        code = rcp_results_put_statistics(w->study.results, end->at, &row, 1);
    else if (code == RCP_OK)
        say_lost(w, &p, "it ended otherwise when it was made again");
    rcp_text_finish(&again);
    rcp_performance_finish(&p);
    return code;
}

static rcp_code take_run_of(work *w, const rcp_plan *plan, const rcp_performance *p, const goal *aim, bool *came) {
    const uint32_t number = rcp_variants_next(w->options.directory);
    const double began = rcp_seconds_now();
    rcp_text end = {0};
    bool is_new, is_first = false;
    rcp_statistic_id kind = describe_end(w, p, &end);
    if (kind != RCP_STATISTICS) {
        uint32_t *seen = rcp_map_at(&w->ends, shape_of(&end));
        is_first = *seen == RCP_MAP_NONE;
        *seen = 1;
    }
    rcp_code code = take_performance(w, p, aim, number, is_first, came, &is_new);
    if (code == RCP_OK && w->notices->verbose)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": %s; %.2f s, and %.2f s to look at it", w->made,
                        is_new ? *came ? "a new class" : "a new class, and not that it was led to" : "nothing new",
                        p->seconds, rcp_seconds_now() - began);
    if (code == RCP_OK && is_first)
        code = confirm_end(w, plan, kind, &end, number);
    rcp_text_finish(&end);
    return code;
}

/* *came: to what it was to come to, in a class that is new. */
static rcp_code carry_out(work *w, const goal *aim, const rcp_event *e, rcp_race *race, bool *came) {
    rcp_subject *from = aim->from->subject;
    rcp_plan plan;
    rcp_performance p = {0};
    bool is_clear = false;
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
    w->lost += !*came;
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
    for (size_t i = 0; i < w->runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->runs.at[i]->decisions);
        if (its && its->way != own_of(aim)->way && !has(list, its->side))
            rcp_vec_push(list, its->side);
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
    for (size_t i = 0; i < w->runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->runs.at[i]->decisions);
        if (!its || its->way == own_of(aim)->way || its->side != aim->side)
            continue;
        rcp_decisions_part(&aim->from->decisions, aim->place.tid, &w->runs.at[i]->decisions, &p->events);
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
    *came = false;
    rcp_code code =
        rcp_ladder_turn(ladder, (rcp_eid){event}, excluded->at, excluded->len, &became, &race.witness, answer);
    w->undecided += code == RCP_OK && *answer == RCP_ANSWER_LIMIT;
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
    while (code == RCP_OK && goes_on && !is_over(w) && !(is_twofold && excluded.len)) {
        rcp_answer answer;
        bool came;
        if (excluded.len >= rcp_limit(RCP_LIMIT_HUNT_WAYS)) {
            rcp_limit_reached(RCP_LIMIT_HUNT_WAYS);
            w->left++;
            break;
        }
        code = ask(w, ladder, aim, at->at.event, &excluded, &answer, &came);
        goes_on = code == RCP_OK && answer == RCP_ANSWER_WITNESS && !has(&excluded, aim->side);
        if (goes_on) {
            rcp_vec_push(&excluded, aim->side);
            if (came)
                rcp_vec_push(known, aim->side);
            else
                rcp_vec_push(&at->lost, aim->side);
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
            goes_on = answer == RCP_ANSWER_WITNESS && came;
        }
        finish_parts(&p);
    }
    rcp_vec_finish(&excluded);
    return code;
}

static rcp_code ask_about(work *w, recorded_run *from, rcp_ladder *ladder, turn *at, bool is_first) {
    const rcp_trace *trace = &from->subject->trace;
    const bool is_twofold = rcp_decisions_is_twofold(trace, &trace->events.at[at->at.event]);
    goal aim = {.from = from, .place = rcp_decisions_find(&from->decisions, trace, at->at.event)};
    ways known = {0};
    rcp_code code = ask_for_sides(w, ladder, &aim, at, is_twofold, &known);
    list_sides(w, &aim, &known);
    const bool is_kept = is_twofold && has(&known, own_of(&aim)->side); /* there may be any number of values */
    w->left += is_kept && !is_first;
    for (size_t i = 0; code == RCP_OK && !is_first && !is_kept && i < known.len; i++)
        code = ask_for_others(w, ladder, &aim, at->at.event, is_twofold, &known, known.at[i]);
    if (!is_over(w))
        at->state = is_first && known.len ? ASKED_ONCE : ASKED;
    rcp_vec_finish(&known);
    return code;
}

/* --- a run is asked about --- */

static rcp_code list_turns(work *w, recorded_run *run) {
    rcp_targets list;
    rcp_map both;
    rcp_map_init(&both);
    rcp_code code =
        rcp_targets_list(run->subject, RCP_EXPLORING_MODELS, rcp_limit(RCP_LIMIT_HUNT_INSTANCES), &list, &both);
    for (size_t i = 0; i < list.at.len; i++)
        rcp_vec_push(&run->turns, ((turn){.at = list.at.at[i], .state = NOT_ASKED}));
    for (size_t i = 0; i < list.rest.len; i++) {
        w->left += list.rest.at[i].instances;
        rcp_limit_reached_times(RCP_LIMIT_HUNT_INSTANCES, list.rest.at[i].instances);
    }
    w->left += list.outcomes;
    run->is_listed = true;
    rcp_targets_finish(&list);
    rcp_map_finish(&both);
    return code;
}

/* To a side that no run has gone to, as far as that can be said. */
static bool is_fresh(const work *w, const recorded_run *run, const turn *at) {
    const rcp_trace *trace = &run->subject->trace;
    const rcp_decision *d =
        rcp_decisions_borrow(&run->decisions, rcp_decisions_find(&run->decisions, trace, at->at.event));
    return rcp_decisions_is_twofold(trace, &trace->events.at[at->at.event])
               ? rcp_map_get(&w->gone, side_of(d->place, d->side ? 0 : 1)) == RCP_MAP_NONE
               : rcp_map_get(&w->ways_of, d->place) <= 1;
}

static rcp_code visit(work *w, recorded_run *run) {
    const bool is_first = !run->is_listed;
    RCP_TRY(rcp_subject_load(run->subject, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(rcp_subject_lay_groundwork(run->subject));
    rcp_code code = is_first ? list_turns(w, run) : RCP_OK;
    rcp_ladder *ladder = rcp_ladder_create(run->subject->groundwork, w->options.predict.limits);
    for (size_t i = 0; code == RCP_OK && i < run->turns.len && !is_over(w); i++)
        if (run->turns.at[i].state != ASKED && (!is_first || is_fresh(w, run, &run->turns.at[i])))
            code = ask_about(w, run, ladder, &run->turns.at[i], is_first);
    rcp_ladder_destroy(ladder);
    rcp_subject_rest(run->subject, false);
    return code;
}

/* What was not looked at comes first: there may be code that nobody has seen. */
static recorded_run *find_next(const work *w) {
    recorded_run *open = NULL;
    for (size_t i = 0; i < w->runs.len; i++) {
        recorded_run *run = w->runs.at[i];
        if (!run->is_listed)
            return run;
        for (size_t k = 0; !open && k < run->turns.len; k++)
            open = run->turns.at[k].state != ASKED ? run : NULL;
    }
    return open;
}

static rcp_code hunt(work *w) {
    recorded_run *next;
    while (!is_over(w) && (next = find_next(w)))
        RCP_TRY(visit(w, next));
    if (w->made >= rcp_limit(RCP_LIMIT_HUNT_RUNS))
        rcp_limit_reached(RCP_LIMIT_HUNT_RUNS);
    if (w->leftovers.why_not.len)
        note_reason(w, w->leftovers.why_not.at);
    bool is_clear; /* nobody is to find what our runs have left */
    return rcp_leftovers_clear(&w->leftovers, &w->staged.staging, rcp_leading_limit(&w->staged.staging, w->how->end),
                               w->notices, &is_clear);
}

/* --- what comes of it --- */

static rcp_code put_all(const work *w) {
    const uint64_t open = count_open(w);
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_HUNT_RUNS, (double)w->made + 1}, {RCP_STATISTIC_HUNT_CLASSES, (double)w->runs.len},
        {RCP_STATISTIC_HUNT_OPEN, (double)open},        {RCP_STATISTIC_HUNT_AGAIN, (double)w->again},
        {RCP_STATISTIC_HUNT_LOST, (double)w->lost},     {RCP_STATISTIC_HUNT_SECONDS, rcp_seconds_now() - w->began},
    };
    const rcp_statistic_value reason = {RCP_STATISTIC_HUNT_REASON, 1};
    RCP_TRY(rcp_results_put_statistics(w->study.results, NULL, rows, sizeof rows / sizeof *rows));
    for (size_t i = 0; i < w->reasons.len; i++)
        RCP_TRY(rcp_results_put_statistics(w->study.results, w->reasons.at[i], &reason, 1));
    return rcp_study_keep_limits(&w->study);
}

/* The end of the time, in the midst of a run; or somebody has had enough, and it was ended. What was found stands. */
static rcp_code in_time(const work *w, rcp_code code) {
    if (code == RCP_OK || code == RCP_INTERNAL || !((code == RCP_LIMIT && rcp_deadline_is_over()) || *w->how->stop))
        return code;
    rcp_clear_causes();
    return RCP_OK;
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
    rcp_summary_finish(&summary);
    return code;
}

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
}

/* What others' sections part in the recorded run; that of others is asked about as they come. */
static rcp_code part_recorded(work *w) {
    return w->how->atomicity ? rcp_atomicity_look(&w->atomicity, &w->study.run) : RCP_OK;
}

static rcp_code go(work *w) {
    if (w->study.results)
        RCP_TRY(note_known(w));
    RCP_TRY(rcp_study_begin(&w->study));
    RCP_TRY(rcp_staged_init(&w->staged, w->options.directory, w->how->limit, w->how->prints_to_nobody));
    w->leftovers.top = w->staged.top;
    bool is_new;
    rcp_code code = rcp_subject_load(&w->study.run, rcp_limit(RCP_LIMIT_EVENTS));
    if (code == RCP_OK)
        code = take_run(w, &w->study.run, &is_new);
    note_reason(w, w->staged.why_not);
    begin_atomicity(w);
    if (code == RCP_OK && !w->staged.why_not)
        code = part_recorded(w);
    if (code == RCP_OK && !w->staged.why_not)
        code = hunt(w);
    RCP_TRY(in_time(w, code));
    if (w->how->atomicity)
        RCP_TRY(rcp_atomicity_keep(&w->atomicity, w->staged.why_not, NULL));
    RCP_TRY(put_all(w));
    const rcp_analysis done = {.models = w->options.models, .seconds = 0};
    RCP_TRY(rcp_results_end(w->study.results, &done));
    return rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory));
}

rcp_code rcp_hunting_run(const char *directory, const rcp_hunting_how *how, const rcp_notices *notices) {
    work w = {.how = how, .notices = notices, .began = rcp_seconds_now()};
    w.options = (rcp_study_options){.directory = directory,
                                    .models = RCP_MODEL_BIT(RCP_MODEL_HUNT),
                                    .predict = {.limits = rcp_ladder_limits_set()}};
    rcp_map_init(&w.classes);
    rcp_map_init(&w.gone);
    rcp_map_init(&w.ways_of);
    rcp_map_init(&w.ends);
    rcp_deadline_set(how->end);
    rcp_code code = rcp_study_open(&w.study, &w.options, notices);
    if (code == RCP_OK)
        code = go(&w);
    if (notices->verbose)
        rcp_notices_say(notices,
                        "hunt: %" PRIu64 " runs, %zu classes, %" PRIu64 " turns are open; %" PRIu64
                        " runs were of a class that was seen, %" PRIu64 " turns did not come about",
                        w.made + 1, w.runs.len, count_open(&w), w.again, w.lost);
    for (size_t i = 0; i < w.runs.len; i++)
        finish_run(w.runs.at[i], i > 0); /* the first one is the study's */
    rcp_vec_finish(&w.runs);
    rcp_vec_finish(&w.reasons);
    rcp_map_finish(&w.classes);
    rcp_map_finish(&w.gone);
    rcp_map_finish(&w.ways_of);
    rcp_map_finish(&w.ends);
    rcp_atomicity_finish(&w.atomicity);
    rcp_leftovers_finish(&w.leftovers);
    rcp_staged_finish(&w.staged);
    rcp_study_close(&w.study);
    rcp_deadline_set(0);
    return code;
}
