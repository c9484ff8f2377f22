/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/replaying.h"

#include "analysis/by_language.h"
#include "analysis/points.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/map.h"
#include "record/inputs.h"
#include "trace/check/older.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

rcp_code rcp_replaying_open(rcp_replaying *replaying, const char *directory) {
    *replaying = (rcp_replaying){.directory = directory};
    RCP_TRY(rcp_reader_open(directory, &replaying->reader));
    if (!rcp_results_exist(directory))
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    RCP_TRY(rcp_results_open(directory, &replaying->results));
    return rcp_results_load(replaying->results, rcp_results_key(replaying->reader), &replaying->summary);
}

void rcp_replaying_close(rcp_replaying *replaying) {
    rcp_summary_finish(&replaying->summary);
    rcp_results_close(replaying->results);
    if (replaying->reader)
        rcp_reader_close(replaying->reader);
}

static rcp_code keep(rcp_replaying *replaying, const rcp_race *race, rcp_race_status status, const char *told) {
    return rcp_results_put_replay(replaying->results, rcp_results_key(replaying->reader), race, status, told);
}

/* The trace that the race is of, to be closed by leave(). */
typedef struct stay {
    char *directory;
    rcp_reader *reader;
    bool is_own;
} stay;

static rcp_code enter(const rcp_replaying *replaying, const rcp_race *race, stay *at) {
    *at = (stay){rcp_race_take_directory(race, replaying->directory), replaying->reader, race->variant != 0};
    if (at->is_own)
        at->reader = NULL;
    return at->is_own ? rcp_reader_open(at->directory, &at->reader) : RCP_OK;
}

static void leave(stay *at) {
    if (at->is_own && at->reader)
        rcp_reader_close(at->reader);
    rcp_release(at->directory);
}

/* --- runs that were not recorded, by the rules of the language --- */

static void tell_happened(const rcp_subject *run, const rcp_race *race, rcp_text *to) {
    const rcp_defs *defs = &run->trace.defs;
    rcp_text_puts(to, "The program was led along that run: ");
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = &run->trace.events.at[race->event[i].v];
        rcp_text_printf(to, "%sthread %s %s %" PRIu64 " byte%s at 0x%" PRIx64, i ? ", then " : "",
                        rcp_defs_borrow_string(defs, defs->threads.at[e->tid.v].name),
                        e->kind == RCP_RMW    ? "changed"
                        : e->kind == RCP_FREE ? "freed"
                        : rcp_event_writes(e) ? "wrote"
                                              : "read",
                        rcp_event_extent(e), rcp_event_extent(e) == 1 ? "" : "s", e->addr);
    }
    rcp_text_puts(to, ". Both happened, and by the rules of the language nothing orders them.\n");
}

/* The run that was made, told and judged as any run of the program is. */
static rcp_code judge_run(rcp_subject *run, const rcp_race *race, rcp_replay *replay) {
    rcp_order_report report;
    rcp_text why = {0};
    rcp_order_report_init(&report);
    replay->status = RCP_RACE_NOT_REPLAYED;
    bool is_run;
    rcp_code code = rcp_variant_is_run(run, &is_run, &why);
    if (code == RCP_OK && is_run)
        code = rcp_by_language_find(NULL, run, &report);
    else if (code == RCP_OK)
        rcp_text_printf(&replay->told, "The program was led along that run, but can't be executed again: %s.\n",
                        why.at);
    for (size_t i = 0; i < report.races.len && replay->status != RCP_RACE_CONFIRMED; i++) {
        const rcp_race *is = &report.races.at[i];
        const rcp_event *a = &run->trace.events.at[is->event[0].v], *b = &run->trace.events.at[is->event[1].v];
        if (!rcp_race_is_proven(is) || rcp_point_pair(&run->trace.defs, a, b) != race->points)
            continue;
        replay->status = RCP_RACE_CONFIRMED;
        tell_happened(run, is, &replay->told);
    }
    if (replay->status != RCP_RACE_CONFIRMED && !replay->told.len)
        rcp_text_puts(&replay->told, "The program was led along that run, and by the rules of the language the two are "
                                     "ordered in what it did, or did not happen.\n");
    rcp_order_report_finish(&report);
    rcp_text_finish(&why);
    return code;
}

static rcp_code make_happen(const rcp_replaying *replaying, const stay *at, const rcp_race *race,
                            const rcp_replay_options *options, rcp_replay *replay) {
    rcp_replay_options through = *options;
    through.is_through = true;
    through.pause = false; /* nobody stands there */
    through.first = -1;
    RCP_TRY(rcp_replay_race(at->directory, at->reader, race, &through, replay));
    if (replay->status != RCP_RACE_CONFIRMED)
        return RCP_OK;
    const uint32_t number = rcp_variants_next(replaying->directory);
    char *path = rcp_variant_take_path(replaying->directory, number);
    rcp_subject run;
    rcp_code code = rcp_variant_settle(&replay->run, path);
    rcp_subject_init(&run, path, number, false);
    if (code == RCP_OK)
        code = judge_run(&run, race, replay);
    rcp_subject_finish(&run);
    rcp_file_remove_tree(path);
    rcp_release(path);
    return code;
}

static rcp_code replay(const rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                       rcp_replay *replay) {
    stay at;
    *replay = (rcp_replay){0};
    rcp_code code = enter(replaying, race, &at);
    if (code == RCP_OK)
        code = rcp_race_is_to_happen(race) ? make_happen(replaying, &at, race, options, replay)
                                           : rcp_replay_race(at.directory, at.reader, race, options, replay);
    leave(&at);
    return code;
}

rcp_code rcp_replaying_race(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                            rcp_replay *to) {
    RCP_TRY(replay(replaying, race, options, to));
    return options->first >= 0 && to->status == RCP_RACE_CONFIRMED
               ? RCP_OK
               : keep(replaying, race, to->status, to->told.at ? to->told.at : "");
}

/* --- older bytes, and late stores --- */

/* The trace up to the later access is enough. */
static rcp_code load(rcp_trace *trace, const char *directory, const rcp_race *race) {
    const rcp_eid one = race->event[0], other = race->event[1];
    uint64_t all;
    RCP_TRY(rcp_trace_load_beginning(trace, directory, other.v + 1, &all));
    return one.v < other.v && other.v < trace->events.len
               ? RCP_OK
               : rcp_fail(RCP_BAD_INPUT, "%s: a race names events that the trace does not have", directory);
}

/* What the checker says of it. */
static void judge_older(const rcp_trace *trace, const rcp_race *race, rcp_older_verdict *verdict) {
    const rcp_event *e = &trace->events.at[race->event[1].v];
    rcp_older_check(trace, race->event[0], race->event[1], verdict);
    if (verdict->allowed && (!e->valued || !memcmp(verdict->bytes, rcp_event_bytes(e), e->size)))
        *verdict = (rcp_older_verdict){.reason = "it took the same value that was there before the write"};
}

/* Would nobody notice that the store comes late, because the other one takes, or leaves, what is there anyhow? */
static bool makes_no_difference(const rcp_event *store, const rcp_event *other, const rcp_late_verdict *verdict) {
    const uint8_t *is = other->kind == RCP_WRITE ? rcp_event_bytes(store) : verdict->bytes;
    if (other->kind != RCP_WRITE && !verdict->known)
        return false;
    for (uint64_t at = store->addr; at < store->addr + store->size; at++)
        if (at >= other->addr && at < other->addr + other->size &&
            is[at - store->addr] != rcp_event_bytes(other)[at - other->addr])
            return false;
    return true;
}

static rcp_code judge_late(const rcp_trace *trace, const rcp_race *race, rcp_late_verdict *verdict) {
    const rcp_event *store = &trace->events.at[race->event[0].v], *other = &trace->events.at[race->event[1].v];
    RCP_TRY(rcp_late_find(trace, race->event[0], race->event[1], verdict));
    if (verdict->allowed && (!store->valued || !other->valued || makes_no_difference(store, other, verdict))) {
        verdict->allowed = false;
        snprintf(verdict->reason, sizeof verdict->reason, "late or not, the bytes hold the same");
    }
    return RCP_OK;
}

/* With the store late. Where that is not allowed `why` says why. */
static rcp_code show_late(const stay *at, const rcp_trace *trace, const rcp_race *race,
                          const rcp_replay_options *options, rcp_replay *to, rcp_text *why) {
    rcp_late_verdict verdict;
    rcp_late_verdict_init(&verdict);
    rcp_code code = judge_late(trace, race, &verdict);
    if (code == RCP_OK && verdict.allowed) {
        rcp_replay_options late = *options;
        rcp_race as = *race;
        late.late = &verdict;
        as.witness = verdict.witness;
        rcp_replay_finish(to);
        code = rcp_replay_race(at->directory, at->reader, &as, &late, to);
    } else if (code == RCP_OK) {
        rcp_text_puts(why, verdict.reason);
    }
    rcp_late_verdict_finish(&verdict);
    return code;
}

static rcp_code show_older(const stay *at, const rcp_race *race, const rcp_older_verdict *verdict,
                           const rcp_replay_options *options, rcp_replay *to) {
    rcp_replay_options older = *options;
    rcp_race as = *race;
    older.older = verdict->bytes;
    as.witness = (rcp_witness){.recorded = race->event[1].v, .race = {race->event[0], race->event[1]}};
    return rcp_replay_race(at->directory, at->reader, &as, &older, to);
}

/* First older bytes, which nobody else sees; where they are not allowed, or can't be given to a read, which may be that
 * of a call, its store late. */
static rcp_code show_allowed(const stay *at, const rcp_race *race, const rcp_replay_options *options, rcp_replay *to) {
    rcp_older_verdict older = {0};
    rcp_text why = {0};
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_code code = load(&trace, at->directory, race);
    if (code == RCP_OK)
        judge_older(&trace, race, &older);
    if (code == RCP_OK && older.allowed)
        code = show_older(at, race, &older, options, to);
    if (code == RCP_OK && to->status != RCP_RACE_CONFIRMED)
        code = show_late(at, &trace, race, options, to, &why);
    if (code == RCP_OK && why.len && !older.allowed)
        rcp_text_printf(&to->told, "No older value is carried out for it: %s. Nor does a store come late: %s.\n",
                        older.reason, why.at);
    rcp_trace_finish(&trace);
    rcp_text_finish(&why);
    return code;
}

rcp_code rcp_replaying_allowed(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                               rcp_replay *to) {
    stay at;
    *to = (rcp_replay){.status = RCP_RACE_NOT_TRIED};
    rcp_code code = enter(replaying, race, &at);
    if (code == RCP_OK)
        code = show_allowed(&at, race, options, to);
    leave(&at);
    if (code == RCP_OK && to->status == RCP_RACE_CONFIRMED && rcp_replay_is_allowed(to->told.at)) {
        rcp_race pair = *race;
        pair.points = 0; /* nothing is said of other events at the same places */
        code = keep(replaying, &pair, RCP_RACE_CONFIRMED, to->told.at);
    }
    return code;
}

/* --- all of them --- */

typedef struct doing {
    rcp_replaying *replaying;
    const rcp_notices *notices;
    const rcp_replaying_task *tasks;
    size_t n;
    bool looks;                    /* for others on the way: that has saved more than it took */
    bool *is_done;                 /* by task */
    rcp_map shown;                 /* pairs */
    RCP_VEC(rcp_tour_pair) others; /* of the race in hand */
    RCP_VEC(size_t) other_tasks;   /* and whose they are */
} doing;

static bool is_open(const doing *d, size_t task) {
    return !d->is_done[task] && rcp_map_get(&d->shown, d->tasks[task].pair) == RCP_MAP_NONE;
}

/* All that could be shown on the way of this one: events of the same trace. */
static void list_others(doing *d, size_t task) {
    const size_t most = 4 * rcp_limit(RCP_LIMIT_REPLAY_OTHERS);
    d->others.len = d->other_tasks.len = 0;
    for (size_t i = 0; i < d->n && d->others.len < most; i++) {
        const rcp_race *race = d->tasks[i].race;
        if (rcp_race_is_to_happen(race) || rcp_race_is_to_happen(d->tasks[task].race) ||
            d->tasks[i].pair == d->tasks[task].pair || race->variant != d->tasks[task].race->variant || !is_open(d, i))
            continue;
        rcp_vec_push(&d->others, ((rcp_tour_pair){{race->event[0], race->event[1]}}));
        rcp_vec_push(&d->other_tasks, i);
    }
}

/* How many others are on its way; what can't be read has none, and is said when it is carried out. */
static size_t count_others(doing *d, size_t task) {
    rcp_tour tour = {0};
    stay at;
    list_others(d, task);
    if (!d->others.len)
        return 0;
    rcp_code code = enter(d->replaying, d->tasks[task].race, &at);
    if (code == RCP_OK)
        code = rcp_tour_make(&tour, at.reader, d->tasks[task].race, d->others.at, d->others.len);
    if (code != RCP_OK)
        rcp_clear_causes();
    size_t n = code == RCP_OK ? tour.stops.len : 0;
    rcp_tour_finish(&tour);
    leave(&at);
    return n;
}

static uint64_t end_of(const rcp_race *race) {
    return race->event[0].v > race->event[1].v ? race->event[0].v : race->event[1].v;
}

/* Of the first group that has some left, the one that ends latest, below that end; n: there is none. */
static size_t find_next(const doing *d, uint64_t below) {
    size_t best = d->n;
    for (size_t i = 0; i < d->n; i++) {
        if (!is_open(d, i) || end_of(d->tasks[i].race) >= below)
            continue;
        const rcp_replaying_task *a = &d->tasks[i], *b = best < d->n ? &d->tasks[best] : NULL;
        if (!b || a->group < b->group || (a->group == b->group && end_of(a->race) > end_of(b->race)))
            best = i;
    }
    return best;
}

/* The one that must be carried out: of a few that end late, the one with most others. Looking takes no longer than a
 * run of the program. */
static size_t find_best(doing *d) {
    enum { TRIED = 4 };
    const double began = rcp_seconds_now(), run = rcp_inputs_seconds(d->replaying->directory);
    size_t best = find_next(d, UINT64_MAX), most = 0;
    if (best == d->n)
        return best;
    const unsigned group = d->tasks[best].group;
    uint64_t below = UINT64_MAX;
    for (int k = 0; k < TRIED && most + 1 < d->n && (!k || rcp_seconds_now() - began < run); k++) {
        size_t i = find_next(d, below);
        if (i == d->n || d->tasks[i].group != group)
            break;
        below = end_of(d->tasks[i].race);
        size_t n = count_others(d, i);
        if (n > most) {
            most = n;
            best = i;
        }
    }
    return best;
}

/* What came of it, and what else was seen. */
static rcp_code take(doing *d, size_t task, const rcp_replay *is) {
    rcp_code code = keep(d->replaying, d->tasks[task].race, is->status, is->told.at ? is->told.at : "");
    if (is->status == RCP_RACE_CONFIRMED)
        rcp_map_set(&d->shown, d->tasks[task].pair, 1);
    return code;
}

static rcp_code take_seen(doing *d, const rcp_replay *is) {
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < is->seen.len; i++) {
        const rcp_replaying_task *other = &d->tasks[d->other_tasks.at[is->seen.at[i].other]];
        code = keep(d->replaying, other->race, RCP_RACE_CONFIRMED, is->seen.at[i].told.at);
        rcp_map_set(&d->shown, other->pair, 1);
    }
    return code;
}

/* What keeps one from being carried out at all is no reason to have no report. */
static rcp_code try_one(doing *d, size_t task, rcp_replay_options how) {
    const rcp_race *race = d->tasks[task].race;
    rcp_replay is;
    list_others(d, task);
    how.others = d->others.at;
    how.n_others = d->looks ? d->others.len : 0;
    rcp_code code = replay(d->replaying, race, &how, &is);
    if (code == RCP_OK)
        code = take_seen(d, &is);
    d->looks = d->looks && is.looking < is.seconds * (double)(is.seen.len + 1);
    if (code == RCP_OK && is.on_the_way && is.status == RCP_RACE_NOT_REPLAYED) { /* by its own schedule, then */
        rcp_replay_finish(&is);
        how.n_others = 0;
        how.must = false;
        code = replay(d->replaying, race, &how, &is);
    }
    if (code != RCP_OK && code != RCP_INTERNAL) {
        rcp_text why = {0};
        rcp_text_printf(&why, "It was not carried out: %s.", rcp_borrow_cause(0) ? rcp_borrow_cause(0) : "no means");
        if (code == RCP_SYSTEM) /* what the system has refused it may grant later */
            rcp_notices_say(d->notices, "%s: a race was not carried out: %s", d->replaying->directory,
                            rcp_borrow_cause(0));
        rcp_clear_causes();
        code = keep(d->replaying, race, RCP_RACE_NOT_TRIED, why.at);
        rcp_text_finish(&why);
    } else if (code == RCP_OK) {
        code = take(d, task, &is);
    }
    rcp_replay_finish(&is);
    return code;
}

/* Would what is left take longer than there is time, as long as each took so far? Each is shown once then, before what
 * hangs on its order is. */
static bool is_in_a_hurry(const doing *d, double end, double began, size_t done) {
    const double now = rcp_seconds_now(), run = rcp_inputs_seconds(d->replaying->directory);
    const double each = done ? (now - began) / (double)done : 2 * (run > 0.1 ? run : 0.1);
    size_t open = 0;
    for (size_t i = 0; i < d->n; i++)
        open += is_open(d, i);
    return end > 0 && now + each * (double)open > end;
}

static rcp_code do_all(doing *d, const rcp_replaying_how *how, const rcp_notices *notices) {
    rcp_replay_options one = {.first = -1, .limit = how->limit, .end = how->end, .whole = how->whole};
    double began = rcp_seconds_now();
    rcp_code code = RCP_OK;
    for (size_t done = 0; code == RCP_OK && !*how->stop; done++) {
        if ((done || how->has_begun) && how->end && rcp_seconds_now() >= how->end)
            break;
        size_t i = done ? find_next(d, UINT64_MAX) : find_best(d);
        if (i == d->n)
            break;
        const rcp_progress at = {RCP_PROGRESS_REPLAY, done, d->n, d->shown.len, rcp_seconds_now() - began};
        rcp_notices_progress(notices, &at);
        one.must = !done && !how->has_begun;
        one.hurry = is_in_a_hurry(d, how->end, began, done);
        d->is_done[i] = true;
        code = try_one(d, i, one);
    }
    for (size_t i = 0; code == RCP_OK && i < d->n && !*how->stop; i++)
        if (is_open(d, i))
            code = keep(d->replaying, d->tasks[i].race, RCP_RACE_NOT_TRIED,
                        "It was not carried out: no time was left for it.");
    return code;
}

rcp_code rcp_replaying_all(rcp_replaying *replaying, const rcp_replaying_task *tasks, size_t n,
                           const rcp_replaying_how *how, const rcp_notices *notices) {
    doing d = {.replaying = replaying,
               .notices = notices,
               .tasks = tasks,
               .n = n,
               .looks = true,
               .is_done = rcp_alloc_zero(n + 1, sizeof *d.is_done)};
    rcp_map_init(&d.shown);
    rcp_code code = RCP_OK;
    /* whoever kills us between two of them leaves what is not come to as what it is */
    for (size_t i = 0; code == RCP_OK && i < n; i++)
        code = keep(replaying, tasks[i].race, RCP_RACE_NOT_TRIED, "It was not carried out: the replays were ended.");
    if (code == RCP_OK)
        code = do_all(&d, how, notices);
    rcp_notices_progress(notices, NULL);
    rcp_map_finish(&d.shown);
    rcp_vec_finish(&d.others);
    rcp_vec_finish(&d.other_tasks);
    rcp_release(d.is_done);
    return code;
}

/* --- deadlocks --- */

static rcp_code keep_standing(const rcp_replaying *replaying, const rcp_standstill *standstill, rcp_race_status status,
                              const char *told) {
    return rcp_results_put_standing(replaying->results, rcp_results_key(replaying->reader), standstill, status, told);
}

static rcp_code try_standstill(const rcp_replaying *replaying, const rcp_standstill *standstill,
                               const rcp_replay_options *one) {
    rcp_replay is;
    rcp_code code = rcp_replay_standstill(replaying->directory, replaying->reader, standstill, one, &is);
    if (code != RCP_OK && code != RCP_INTERNAL) {
        rcp_text why = {0};
        rcp_text_printf(&why, "It was not carried out: %s.", rcp_borrow_cause(0) ? rcp_borrow_cause(0) : "no means");
        rcp_clear_causes();
        code = keep_standing(replaying, standstill, RCP_RACE_NOT_TRIED, why.at);
        rcp_text_finish(&why);
    } else if (code == RCP_OK) {
        code = keep_standing(replaying, standstill, is.status, is.told.at ? is.told.at : "");
    }
    rcp_replay_finish(&is);
    return code;
}

rcp_code rcp_replaying_standstills(rcp_replaying *replaying, const rcp_replaying_how *how) {
    const rcp_standstills *all = &replaying->summary.standstills;
    const rcp_replay_options one = {.first = -1, .limit = how->limit, .end = how->end, .whole = how->whole};
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < all->len; i++)
        if (all->at[i].status != RCP_RACE_CONFIRMED)
            code = keep_standing(replaying, &all->at[i], RCP_RACE_NOT_TRIED,
                                 "It was not carried out: no time was left for it.");
    for (size_t i = 0; code == RCP_OK && i < all->len && !*how->stop; i++) {
        if (all->at[i].status == RCP_RACE_CONFIRMED)
            continue;
        if (how->end > 0 && rcp_seconds_now() >= how->end)
            break;
        code = try_standstill(replaying, &all->at[i], &one);
    }
    return code;
}
