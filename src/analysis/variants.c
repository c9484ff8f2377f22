/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/variants.h"

#include "analysis/numbering.h"
#include "analysis/points.h"
#include "analysis/targets.h"
#include "analysis/turned.h"
#include "analysis/variant.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/deadline.h"
#include "base/limits.h"
#include "base/stage.h"
#include "base/tally.h"
#include "trace/model/limit_facts.h"
#include "replay/plan.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is to be otherwise in a run that is thought out. */
typedef struct turning {
    const rcp_trace *from;
    rcp_eid event;
} turning;

/* A run whose branches are to be asked about. */
typedef struct origin {
    rcp_subject *run; /* the study's, or a variant of ours */
    unsigned depth;
    uint32_t models; /* that allow it */
    bool has_races;
    rcp_tid tid; /* what turned was this thread's event with that number; it is not turned back */
    rcp_position turned;
} origin;

#define NO_POSITION UINT32_MAX

typedef struct work {
    rcp_study *study;
    const rcp_variants_options *options;
    rcp_variants_report *report;
    RCP_VEC(origin) origins;
    rcp_numbering numbering;
    double end, budget_end;
    double cost;     /* of a variant as long as the recorded run, made and looked at, as far as is known */
    double part;     /* of the recorded run that comes before what turns */
    rcp_map ways;    /* that were looked at */
    rcp_map turning; /* places of which an instance can turn, or a run has gone both ways */
    RCP_VEC(rcp_target_rest) rest;
    uint64_t held;   /* events of variants whose traces are in memory until they are asked about themselves */
    uint64_t length; /* events of the recorded run */
    /* of the variant at hand */
    uint32_t models; /* that allow it */
    rcp_tid tid;
    rcp_position turned;
} work;

/* --- directories --- */

static char *home_of(const char *directory) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/variants", directory);
    return path.at;
}

uint32_t rcp_variants_next(const char *directory) {
    char *home = home_of(directory);
    DIR *dir = opendir(home);
    unsigned long last = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        unsigned long number = strtoul(entry->d_name, NULL, 10);
        last = number > last ? number : last;
    }
    if (dir)
        closedir(dir);
    rcp_release(home);
    return (uint32_t)last + 1;
}

void rcp_variants_tidy(const char *directory) {
    char *home = home_of(directory);
    rmdir(home);
    rcp_release(home);
}

rcp_code rcp_variants_remove(rcp_study *study, uint32_t below) {
    const char *directory = study->options->directory;
    rcp_map used;
    rcp_code code = rcp_numbering_list_used(study, &used);
    for (uint32_t i = 1; code == RCP_OK && i < below; i++) {
        char *path = rcp_variant_take_path(directory, i);
        if (rcp_map_get(&used, i) == RCP_MAP_NONE && rcp_file_is_there(path))
            rcp_file_remove_tree(path);
        rcp_release(path);
    }
    rcp_variants_tidy(directory);
    rcp_map_finish(&used);
    return code;
}

/* --- a variant --- */

/* How much is looked at should not hang on what else the machine does. */
static bool is_late(const work *w) {
    return (w->end > 0 && rcp_seconds_used() > w->end) || (w->budget_end > 0 && rcp_seconds_now() > w->budget_end);
}

/* What is left out at the end of the time, or at a limit on the way there. */
static void leave(work *w, rcp_limit_name limit, uint64_t n) {
    w->report->left += n;
    rcp_limit_reached_times(limit, n);
}

static rcp_limit_name late_by(const work *w) {
    return w->end > 0 && rcp_seconds_used() > w->end ? w->options->time : RCP_LIMIT_BUDGET;
}

/* Is there no time left for one more variant of a long run? */
static bool is_too_dear(const work *w) { return w->end > 0 && rcp_seconds_used() + w->part * w->cost > w->end; }

/* Have its threads' ways been looked at before? */
static rcp_code is_new_run(work *w, const rcp_subject *run, bool *is_new) {
    uint64_t ways = 0;
    rcp_code code = rcp_point_ways(run->reader, &ways);
    uint32_t *seen = rcp_map_at(&w->ways, rcp_hash_join(ways, w->models));
    *is_new = *seen == RCP_MAP_NONE;
    *seen = 1;
    rcp_limit_counts reached = {0};
    if (*is_new)
        rcp_limit_facts_add(rcp_reader_borrow_defs(run->reader), &reached);
    rcp_limits_add(&reached);
    return code;
}

/* What its races say of it. */
static rcp_code describe(const work *w, rcp_subject *run, const turning *turns) {
    rcp_text words = {0};
    RCP_TRY(rcp_subject_load(run, rcp_study_events(w->study->options))); /* which is what it is analysed by */
    rcp_turned_print(turns->from, turns->event, &words);
    rcp_turned_print_reads(turns->from, turns->event, &run->trace, &words, run->turning);
    run->turned = words.at;
    return RCP_OK;
}

/* The events are made, and looked at. What can't be executed again, or is no execution, is none. */
static rcp_code look_at(work *w, rcp_subject *run, const turning *turns, bool *is_new, bool *has_races) {
    rcp_text why = {0};
    bool is;
    rcp_code code = rcp_variant_is_run(run, &is, &why);
    *is_new = *has_races = false;
    if (code == RCP_OK && !is && w->study->notices->verbose)
        rcp_notices_say(w->study->notices, "variant %u is no execution: %s", run->variant, why.at);
    w->report->refused += code == RCP_OK && !is;
    rcp_text_finish(&why);
    if (!is)
        return code;
    RCP_TRY(is_new_run(w, run, is_new));
    w->report->again += !*is_new;
    if (!*is_new)
        return RCP_OK;
    RCP_TRY(describe(w, run, turns));
    rcp_variant variant = {.run = run, .models = w->models};
    code = rcp_variant_analyze(w->study, &variant, &w->study->options->predict);
    *has_races = variant.races;
    w->report->not_judged += variant.not_judged;
    return code;
}

/* A variant that waits to be asked about keeps its trace, so that it is loaded once, as long as all that wait are not
 * longer than the recorded run. */
static void set_aside(work *w, rcp_subject *run) {
    uint64_t events = run->trace.events.len;
    bool is_held = run->is_loaded && w->held + events <= w->length;
    w->held += is_held ? events : 0;
    rcp_subject_rest(run, is_held);
}

/* One that earlier results refer to stays until they give way (rcp_variants_remove()). */
static void give_up(const work *w, rcp_subject *run, bool has_races) {
    if (!has_races && rcp_map_get(&w->numbering.used, run->variant) == RCP_MAP_NONE)
        rcp_file_remove_tree(run->directory);
    rcp_subject_finish(run);
    rcp_release(run);
}

static rcp_subject *new_variant(const work *w, uint32_t number) {
    rcp_subject *run = rcp_alloc(sizeof *run);
    char *path = rcp_variant_take_path(w->study->options->directory, number);
    rcp_subject_init(run, path, number, w->study->options->predict.spurious_wakeups);
    rcp_release(path);
    return run;
}

/* The log of a run, and the number that it has then. Not `is_made`: the code does not go along its order. */
static rcp_code explore(work *w, rcp_explorer *explorer, const rcp_explore_plan *how, rcp_explored *explored,
                        uint32_t *number, bool *is_made) {
    char *place = rcp_numbering_take_place(&w->numbering);
    rcp_code code = rcp_explore(explorer, how, place, explored);
    rcp_release(place);
    *is_made = code == RCP_OK;
    if (*is_made)
        return rcp_numbering_settle(&w->numbering, number);
    if (code == RCP_LIMIT || code == RCP_SYSTEM)
        return code;
    const char *why = rcp_borrow_cause(0);
    if (w->study->notices->verbose)
        rcp_notices_say(w->study->notices, "a variant: the code does not go along its order: %s", why ? why : "?");
    rcp_clear_causes();
    w->report->strayed++;
    return RCP_OK;
}

static rcp_code make_one(work *w, rcp_explorer *explorer, const rcp_explore_plan *how, unsigned depth,
                         const turning *turns, bool *is_new) {
    const rcp_notices *notices = w->study->notices;
    rcp_explored explored;
    double began = rcp_seconds_used();
    uint32_t number;
    bool is_made;
    *is_new = true;
    RCP_TRY(explore(w, explorer, how, &explored, &number, &is_made));
    if (!is_made)
        return RCP_OK;
    rcp_subject *run = new_variant(w, number);
    if (notices->verbose) {
        rcp_text about = {0};
        rcp_turned_print(turns->from, turns->event, &about);
        rcp_notices_say(notices, "variant %u: %s, %s%s%llu events after it", number, about.at, explored.why,
                        *explored.why ? ", " : "", (unsigned long long)explored.free_events);
        rcp_text_finish(&about);
    }
    run->is_recorded = true;
    w->report->made++;
    bool has_races;
    rcp_code code = look_at(w, run, turns, is_new, &has_races);
    double took = rcp_seconds_used() - began;
    w->cost = took > w->part * w->cost ? took / w->part : w->cost;
    for (int e = 0; *is_new && e < RCP_EXPLORE_ENDS; e++)
        w->report->rejected[e] += explored.ends[e];
    for (size_t i = 0; *is_new && i < explored.calls.n; i++)
        rcp_explore_calls_add(&w->report->calls, explored.calls.at[i].end, explored.calls.at[i].name,
                              explored.calls.at[i].times);
    if (code == RCP_OK && *is_new) {
        set_aside(w, run);
        rcp_vec_push(&w->origins, ((origin){run, depth + 1, w->models, has_races, w->tid, w->turned}));
    } else
        give_up(w, run, has_races);
    return code;
}

static rcp_code make(work *w, rcp_explorer *explorer, const rcp_explore_plan *how, unsigned depth, const turning *turns,
                     bool *is_new) {
    bool before = rcp_tally_for_variant(true);
    rcp_code code = make_one(w, explorer, how, depth, turns, is_new);
    rcp_tally_for_variant(before);
    return code;
}

/* --- an origin --- */

/* The thread that turns goes on as far as it can. Where that leads to ways that were seen (who came too late for the
 * work has all of it now), everybody goes on in turns. */
static rcp_code go_on(work *w, const origin *from, const rcp_plan *plan, const turning *turns) {
    const rcp_event *e = &turns->from->events.at[turns->event.v];
    enum { STANDING = 2 }; /* that a plan ends with is for races */
    rcp_explore_plan how = {.turn = plan->turn,
                            .last = plan->last,
                            .steps = plan->schedule.steps.at + plan->recorded,
                            .n = plan->schedule.steps.len - plan->recorded - STANDING,
                            .first = (uint32_t)plan->race[0].role,
                            .is_late = (e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT) && e->outcome == RCP_DONE};
    bool is_new;
    rcp_code code = make(w, from->run->explorer, &how, from->depth, turns, &is_new);
    how.in_turns = true;
    if (code == RCP_OK && !is_new && !is_too_dear(w))
        code = make(w, from->run->explorer, &how, from->depth, turns, &is_new);
    return code;
}

/* One answer: an order in which the event turns to what it was not yet, and what comes of it. */
static rcp_code turn_once(work *w, const origin *from, rcp_ladder *ladder, rcp_target at, const uint64_t *excluded,
                          size_t n, uint64_t *became, rcp_answer *answer) {
    const rcp_trace *trace = &from->run->trace;
    rcp_race race;
    rcp_race_init(&race);
    w->part = (double)(at.event + 1) / (double)trace->events.len;
    rcp_code code = rcp_ladder_turn(ladder, (rcp_eid){at.event}, excluded, n, became, &race.witness, answer);
    if (code == RCP_OK && *answer == RCP_ANSWER_WITNESS && is_too_dear(w))
        leave(w, w->options->time, 1);
    else if (code == RCP_OK && *answer == RCP_ANSWER_WITNESS) {
        rcp_plan plan;
        race.event[0] = race.event[1] = (rcp_eid){at.event};
        code = rcp_subject_make_explorer(from->run);
        if (code == RCP_OK) {
            code = rcp_plan_make(&plan, from->run->directory, from->run->reader, &race, NULL, NULL);
            w->models = at.models;
            w->tid = trace->events.at[at.event].tid;
            w->turned = trace->position[at.event];
            if (code == RCP_OK)
                code = go_on(w, from, &plan, &(turning){trace, {at.event}});
            rcp_plan_finish(&plan);
        }
    }
    rcp_race_finish(&race);
    return code;
}

/* A switch, and an address, may have more than two ways. */
static rcp_code turn(work *w, const origin *from, rcp_ladder *ladder, rcp_target at) {
    const size_t most = (size_t)rcp_limit(RCP_LIMIT_TURN_WAYS);
    const rcp_trace *trace = &from->run->trace;
    const rcp_event *e = &trace->events.at[at.event];
    bool has_more = e->kind == RCP_BRANCH
                        ? e->cond.v >= RCP_TERM_FIRST && rcp_term_borrow(&trace->terms, e->cond)->width > 1
                        : rcp_event_is_access(e) && !rcp_term_is_real(e->cond);
    uint64_t ways[RCP_MOST_WAYS];
    rcp_answer answer = RCP_ANSWER_WITNESS;
    rcp_code code = RCP_OK;
    size_t n = 0;
    for (; code == RCP_OK && answer == RCP_ANSWER_WITNESS && n < (has_more ? most : 1); n++) {
        ways[n] = 0;
        code = turn_once(w, from, ladder, at, ways, n, &ways[n], &answer);
        if (!n) {
            w->report->asked++;
            w->report->settled += code == RCP_OK && answer == RCP_ANSWER_NONE;
            if (code == RCP_OK && answer == RCP_ANSWER_WITNESS)
                rcp_map_set(&w->turning, at.place, 1);
        }
        w->report->undecided += code == RCP_OK && answer == RCP_ANSWER_LIMIT;
    }
    if (code == RCP_OK && answer == RCP_ANSWER_LIMIT && w->study->notices->verbose) {
        rcp_text about = {0};
        rcp_turned_print(trace, (rcp_eid){at.event}, &about);
        rcp_notices_say(w->study->notices, "%s: it stays undecided whether it can", about.at);
        rcp_text_finish(&about);
    }
    if (has_more && n == most && answer == RCP_ANSWER_WITNESS)
        leave(w, RCP_LIMIT_TURN_WAYS, 1);
    return code;
}

/* Threads that began, and whose end the recorded run does not have. */
static uint64_t count_cut_off(const rcp_trace *trace) {
    uint64_t n = 0;
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        size_t len = rcp_trace_thread_len(trace, (rcp_tid){t});
        rcp_eid last = len ? rcp_trace_event_of(trace, (rcp_tid){t}, (rcp_position)len - 1) : RCP_NO_EID;
        n += len && (trace->events.at[last.v].kind != RCP_END && trace->events.at[last.v].kind != RCP_EXIT);
    }
    return n;
}

/* What can be asked about, and whom to ask. */
static rcp_code prepare(work *w, const origin *from, rcp_targets *list) {
    rcp_subject *run = from->run;
    double known = run->seconds, began = rcp_seconds_used();
    RCP_TRY(rcp_subject_load(run, from->depth ? rcp_study_events(w->study->options) : rcp_study_most(w->study)));
    RCP_TRY(rcp_subject_lay_groundwork(run));
    RCP_TRY(rcp_targets_list(run, from->models, rcp_limit(RCP_LIMIT_TURN_INSTANCES), list, &w->turning));
    w->report->branches += list->branches;
    for (size_t i = 0; i < list->rest.len; i++)
        rcp_vec_push(&w->rest, list->rest.at[i]);
    w->report->outcomes += list->outcomes;
    if (from->depth)
        return RCP_OK;
    w->length = run->trace.events.len;
    w->report->cut_off = count_cut_off(&run->trace);
    if (w->options->seconds > 0) /* what it takes to ask at all is not counted */
        w->end = rcp_seconds_used() + w->options->seconds;
    /* a variant's events are told, it is looked at, and then asked itself */
    w->cost = (double)rcp_limit(RCP_LIMIT_EXPLORE_COST) * (known + rcp_seconds_used() - began);
    return RCP_OK;
}

static rcp_code ask_all(work *w, const origin *from, rcp_ladder *ladder, const rcp_targets *list) {
    const rcp_trace *trace = &from->run->trace;
    for (size_t i = 0; i < list->at.len; i++) {
        rcp_stage_at(i, list->at.len);
        bool is_enough = w->report->made >= w->options->most, is_deep = from->depth >= w->options->depth;
        if (is_enough || is_deep || is_late(w)) {
            leave(w,
                  is_enough ? RCP_LIMIT_EXPLORE_RUNS
                  : is_deep ? RCP_LIMIT_EXPLORE_DEPTH
                            : late_by(w),
                  list->at.len - i);
            break;
        }
        rcp_target at = list->at.at[i];
        if (from->turned == NO_POSITION || trace->events.at[at.event].tid.v != from->tid.v ||
            trace->position[at.event] != from->turned)
            RCP_TRY(turn(w, from, ladder, at));
    }
    return RCP_OK;
}

static rcp_code explore_from(work *w, const origin *from) {
    rcp_targets list = {0};
    rcp_code code = RCP_OK;
    uint64_t held = from->depth && from->run->is_loaded ? from->run->trace.events.len : 0;
    rcp_tally_for_variant(from->depth);
    if (from->depth && is_late(w))
        leave(w, late_by(w), 1);
    else if ((code = prepare(w, from, &list)) == RCP_OK) {
        rcp_ladder *ladder = rcp_ladder_create(from->run->groundwork, w->study->options->predict.limits);
        code = ask_all(w, from, ladder, &list);
        rcp_ladder_destroy(ladder);
    }
    rcp_targets_finish(&list);
    rcp_subject_rest(from->run, false); /* nobody asks about it again, nor about the recorded run */
    w->held -= held;
    rcp_tally_for_variant(false);
    return code;
}

/* Further instances of a place were not asked. Where one turned, what comes after it was looked at, and another one
 * would bring the same code again; where none did, one of the others might. */
static void count_rest(work *w) {
    for (size_t i = 0; i < w->rest.len; i++)
        if (rcp_map_get(&w->turning, w->rest.at[i].place) == RCP_MAP_NONE)
            w->report->instances += w->rest.at[i].instances;
    rcp_limit_reached_times(RCP_LIMIT_TURN_INSTANCES, w->report->instances);
}

/* The recorded run's ways are known, to whatever models. */
static rcp_code note_recorded(work *w) {
    uint64_t ways;
    RCP_TRY(rcp_point_ways(w->study->run.reader, &ways));
    rcp_map_set(&w->ways, rcp_hash_join(ways, w->options->models), 1);
    rcp_map_set(&w->ways, rcp_hash_join(ways, RCP_MODEL_BIT(RCP_MODEL_RECIPE_PLUS)), 1);
    return RCP_OK;
}

rcp_code rcp_variants_explore(rcp_study *study, const rcp_variants_options *options, rcp_variants_report *report) {
    *report = (rcp_variants_report){0};
    work w = {.study = study, .options = options, .report = report};
    rcp_map_init(&w.ways);
    rcp_map_init(&w.turning);
    w.budget_end = options->budget > 0 ? rcp_seconds_now() + options->budget : 0;
    char *home = home_of(study->options->directory);
    rcp_code code = rcp_numbering_begin(&w.numbering, study, rcp_variants_next(study->options->directory));
    if (code == RCP_OK && mkdir(home, 0777) && errno != EEXIST)
        code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", home, strerror(errno));
    rcp_vec_push(&w.origins, ((origin){&study->run, 0, options->models, true, {0}, NO_POSITION}));
    if (code == RCP_OK)
        code = note_recorded(&w);
    for (size_t i = 0; code == RCP_OK && i < w.origins.len; i++) {
        const origin from = w.origins.at[i];
        rcp_stage_begin(i ? "other runs, from those that were found" : "other runs, from the recorded one");
        code = explore_from(&w, &from);
        rcp_stage_end();
    }
    if (code == RCP_LIMIT && rcp_deadline_is_over()) { /* in the midst of a run */
        rcp_clear_causes();
        leave(&w, RCP_LIMIT_BUDGET, 1);
        code = RCP_OK;
    }
    count_rest(&w);
    for (size_t i = 1; i < w.origins.len; i++) /* the first one is the study's */
        give_up(&w, w.origins.at[i].run, w.origins.at[i].has_races);
    rcp_vec_finish(&w.origins);
    rcp_map_finish(&w.ways);
    rcp_map_finish(&w.turning);
    rcp_numbering_finish(&w.numbering);
    rcp_vec_finish(&w.rest);
    rmdir(home); /* where nothing is left in it */
    rcp_release(home);
    return code;
}
