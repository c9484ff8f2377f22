/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/steering.h"

#include "analysis/make_race.h"
#include "analysis/points.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "predict/facts/candidates.h"
#include "program/recording/recording.h"
#include "program/telling/moments.h"
#include "program/telling/recorded_events.h"
#include "record/inputs.h"
#include "replay/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef RCP_VEC(struct rcp_run_place) places;

typedef struct work {
    rcp_study study;
    rcp_study_options options;
    const rcp_steering_how *how;
    places watched;
    RCP_VEC(uint64_t) open; /* pairs (rcp_point_pair()) that nobody has shown */
    uint64_t runs, met, refused, races;
} work;

static bool is_known(const work *w, uint64_t points) { return rcp_map_get(&w->study.known, points) != RCP_MAP_NONE; }

static size_t count_open(const work *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->open.len; i++)
        n += !is_known(w, w->open.at[i]);
    return n;
}

/* --- where threads may meet --- */

static int by_address(const void *x, const void *y) {
    const struct rcp_run_place *a = x, *b = y;
    return a->address != b->address ? (a->address < b->address ? -1 : 1) : 0;
}

/* Ascending, and those that touch each other as one. */
static void join_places(places *all) {
    size_t n = 0;
    if (all->len)
        qsort(all->at, all->len, sizeof *all->at, by_address);
    for (size_t i = 0; i < all->len; i++) {
        struct rcp_run_place *last = n ? &all->at[n - 1] : NULL, now = all->at[i];
        if (last && now.address <= last->address + last->size) {
            uint64_t end = now.address + now.size;
            last->size = end > last->address + last->size ? end - last->address : last->size;
        } else {
            all->at[n++] = now;
        }
    }
    all->len = n;
}

/* The bytes that the two have in common. Only accesses of recorded code can be held: none of a FREE. */
static void watch(work *w, const rcp_trace *trace, rcp_candidate pair) {
    const rcp_event *a = &trace->events.at[pair.a], *b = &trace->events.at[pair.b];
    uint64_t lo = a->addr > b->addr ? a->addr : b->addr;
    uint64_t hi_a = a->addr + a->size, hi_b = b->addr + b->size, hi = hi_a < hi_b ? hi_a : hi_b;
    if (rcp_event_is_access(a) && rcp_event_is_access(b) && lo < hi &&
        w->watched.len < rcp_limit(RCP_LIMIT_STEER_PLACES))
        rcp_vec_push(&w->watched, ((struct rcp_run_place){lo, hi - lo}));
}

static rcp_code find_places(work *w) {
    rcp_subject *run = &w->study.run;
    rcp_run_facts facts;
    rcp_candidates found;
    RCP_TRY(rcp_subject_load(run, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(rcp_run_facts_init(&facts, &run->trace));
    rcp_candidates_find(&found, &facts, NULL, w->options.predict.spurious_wakeups);
    for (size_t i = 0; i < found.pairs.len; i++) {
        const rcp_candidate_pair *pair = &found.pairs.at[i];
        if (!pair->n)
            continue;
        const rcp_event *a = &run->trace.events.at[pair->kept[0].a], *b = &run->trace.events.at[pair->kept[0].b];
        uint64_t points = rcp_point_pair(&run->trace.defs, a, b);
        if (is_known(w, points))
            continue;
        rcp_vec_push(&w->open, points);
        for (uint32_t k = 0; k < pair->n; k++)
            watch(w, &run->trace, pair->kept[k]);
    }
    rcp_candidates_finish(&found);
    rcp_run_facts_finish(&facts);
    rcp_subject_rest(run, false); /* a steered run needs the memory */
    join_places(&w->watched);
    return rcp_subject_open(run);
}

/* What was shown is not looked for. */
static rcp_code note_shown(work *w) {
    rcp_summary summary;
    rcp_code code = rcp_results_load(w->study.results, rcp_results_key(w->study.run.reader), &summary);
    for (size_t i = 0; code == RCP_OK && i < summary.races.len; i++)
        if (summary.races.at[i].status == RCP_RACE_CONFIRMED)
            rcp_map_set(&w->study.known, summary.races.at[i].points, 1);
    rcp_summary_finish(&summary);
    return code;
}

/* --- a run as a variant --- */

/* Log and image are its own; the rest is the recorded run's. */
static rcp_code settle(const rcp_performance *p, const char *to) {
    static const char *const own[] = {"log", "image"};
    char *slash = strrchr(to, '/');
    char home[4200];
    snprintf(home, sizeof home, "%.*s", (int)(slash - to), to);
    if ((mkdir(home, 0777) && errno != EEXIST) || mkdir(to, 0777))
        return rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", to, strerror(errno));
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < sizeof own / sizeof *own; i++) {
        char *from = rcp_file_take_path(p->log, own[i]), *there = rcp_file_take_path(to, own[i]);
        if (rename(from, there))
            code = rcp_fail(RCP_SYSTEM, "%s: can't be moved: %s", from, strerror(errno));
        rcp_release(from);
        rcp_release(there);
    }
    return code == RCP_OK ? rcp_recording_link_shared(to) : code;
}

/* --- what was met, as events --- */

enum { PARTS = 4 }; /* events at one position: a copy has a few */
typedef struct side {
    uint64_t event[PARTS];
    unsigned n;
} side;

typedef struct finding_events {
    const struct rcp_run_seen *seen;
    size_t n;
    side (*sides)[2];
    rcp_map by_moment; /* thread and position -> the first side of it; the next by `next` */
    uint32_t *next;
} finding_events;

static uint64_t key_of(uint64_t thread, uint64_t position) { return position << 20 | (thread & 0xfffff); }

static bool take_moment(void *context, uint64_t event, const rcp_moment *moment) {
    finding_events *f = context;
    for (uint32_t i = rcp_map_get(&f->by_moment, key_of(moment->thread, moment->before)); i != RCP_MAP_NONE;
         i = f->next[i]) {
        side *s = &f->sides[i / 2][i % 2];
        if (f->seen[i / 2].met[i % 2].number == moment->thread && s->n < PARTS)
            s->event[s->n++] = event;
    }
    return true;
}

static rcp_code find_events(finding_events *f, const char *directory) {
    rcp_map_init(&f->by_moment);
    f->sides = rcp_alloc_zero(f->n + 1, sizeof *f->sides);
    f->next = rcp_alloc_zero(2 * f->n + 1, sizeof *f->next);
    for (uint32_t i = 0; i < 2 * f->n; i++) {
        const struct rcp_run_met *met = &f->seen[i / 2].met[i % 2];
        uint32_t *first = rcp_map_at(&f->by_moment, key_of(met->number, met->position));
        f->next[i] = *first;
        *first = i;
    }
    return rcp_moments_read(directory, take_moment, f);
}

static void finish_events(finding_events *f) {
    rcp_map_finish(&f->by_moment);
    rcp_release(f->sides);
    rcp_release(f->next);
}

static bool share_a_byte(const rcp_event *a, const rcp_event *b) {
    return a->addr < b->addr + rcp_event_extent(b) && b->addr < a->addr + rcp_event_extent(a);
}

/* The pair of events that a meeting is; false: none that conflicts (padding, say, is no access). */
static bool pair_of(const rcp_trace *trace, const side sides[2], rcp_race *race) {
    for (unsigned i = 0; i < sides[0].n; i++)
        for (unsigned k = 0; k < sides[1].n; k++) {
            uint64_t x = sides[0].event[i], y = sides[1].event[k];
            if (x >= trace->events.len || y >= trace->events.len)
                continue;
            const rcp_event *a = &trace->events.at[x], *b = &trace->events.at[y];
            if (!rcp_event_is_access(a) || !rcp_event_is_access(b) || !rcp_event_conflict(a, b) || !share_a_byte(a, b))
                continue;
            race->event[0].v = x < y ? x : y;
            race->event[1].v = x < y ? y : x;
            return true;
        }
    return false;
}

/* Both stood; then one goes on, and then the other. So all before the first of the two events is the schedule. */
static rcp_code make(work *w, rcp_subject *run, rcp_race *race, bool *kept) {
    const rcp_defs *defs = &run->trace.defs;
    race->status = RCP_RACE_PREDICTED;
    race->models = RCP_MODEL_BIT(RCP_MODEL_BOLD);
    race->model = rcp_model_name(RCP_MODEL_BOLD);
    race->witness.recorded = race->event[0].v;
    memcpy(race->witness.race, race->event, sizeof race->event);
    rcp_race_explain(race, "A run of the program showed it: both threads stood before their accesses at one moment.");
    RCP_TRY(rcp_make_race(&w->study, run, race, kept));
    *kept = *kept && rcp_race_is_proven(race);
    if (!*kept)
        return RCP_OK;
    rcp_text told = {0};
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = &run->trace.events.at[race->event[i].v];
        rcp_text_printf(&told, "%s thread %s is about to %s %u byte%s at 0x%" PRIx64, i ? ", and" : "At one moment",
                        rcp_defs_borrow_string(defs, defs->threads.at[e->tid.v].name),
                        e->kind == RCP_RMW    ? "change"
                        : rcp_event_writes(e) ? "write"
                                              : "read",
                        (unsigned)e->size, e->size == 1 ? "" : "s", e->addr);
    }
    rcp_text_puts(&told, ". That was in a run in which threads were held until they met; nothing else was changed.\n");
    rcp_code code = rcp_results_put_replay(w->study.results, rcp_results_key(w->study.run.reader), race,
                                           RCP_RACE_CONFIRMED, told.at);
    rcp_text_finish(&told);
    return code;
}

static rcp_code take_meetings(work *w, rcp_subject *run, const rcp_performance *p, uint64_t *fresh) {
    finding_events f = {.seen = p->seen.at, .n = p->seen.len};
    rcp_code code = find_events(&f, run->directory);
    for (size_t i = 0; code == RCP_OK && i < f.n; i++) {
        rcp_race race;
        rcp_race_init(&race);
        bool kept = false;
        if (pair_of(&run->trace, f.sides[i], &race)) {
            const rcp_event *a = &run->trace.events.at[race.event[0].v], *b = &run->trace.events.at[race.event[1].v];
            if (!is_known(w, rcp_point_pair(&run->trace.defs, a, b))) {
                code = make(w, run, &race, &kept);
                w->refused += code == RCP_OK && !kept;
            }
        }
        *fresh += kept;
        rcp_race_finish(&race);
    }
    finish_events(&f);
    return code;
}

/* Whoever saw what the program printed, and answered, is not there any more, or finds what another run has printed: a
 * run that heard of it is none of the program's. */
static bool is_deceived(const work *w, const char *directory) {
    return !w->how->prints_to_nobody && rcp_recorded_events_may_be_answered(directory);
}

/* Its events are told, and it is judged. What can't be executed again shows nothing. */
static rcp_code judge(work *w, const rcp_performance *p, const rcp_notices *notices, uint64_t *fresh) {
    uint32_t number = rcp_variants_next(w->options.directory);
    char *path = rcp_variant_take_path(w->options.directory, number);
    rcp_text why = {0};
    rcp_subject run;
    rcp_code code = settle(p, path);
    rcp_subject_init(&run, path, number, w->options.predict.spurious_wakeups);
    run.is_steered = true;
    bool is_run = code == RCP_OK && rcp_variant_is_run(&run, &why);
    if (code == RCP_OK && !is_run && notices->verbose)
        rcp_notices_say(notices, "a steered run shows nothing: %s", why.at ? why.at : "it can't be executed again");
    if (is_run)
        code = rcp_subject_load(&run, rcp_limit(RCP_LIMIT_EVENTS));
    is_run = is_run && code == RCP_OK && !is_deceived(w, path);
    if (is_run)
        code = take_meetings(w, &run, p, fresh);
    rcp_subject_finish(&run);
    if (!*fresh)
        rcp_variant_remove(path);
    rcp_text_finish(&why);
    rcp_release(path);
    return code;
}

/* --- runs --- */

static bool is_over(const work *w) { return *w->how->stop || (w->how->end > 0 && rcp_seconds_now() >= w->how->end); }

/* What one run watches: in the first two all places, then of every four runs one all of them, one half, one a quarter,
 * one an eighth. Who is held at one place does not come to another. */
static void choose_places(const work *w, places *chosen) {
    const uint64_t part = w->runs < 2 ? 1 : UINT64_C(1) << w->runs % 4;
    for (size_t i = 0; i < w->watched.len; i++)
        if (rcp_hash_join(w->runs, i) % part == 0)
            rcp_vec_push(chosen, w->watched.at[i]);
    if (!chosen->len)
        rcp_vec_push(chosen, w->watched.at[w->runs % w->watched.len]);
}

static rcp_code run_once(work *w, rcp_staging *staging, const rcp_notices *notices, uint64_t *fresh) {
    places chosen = {0};
    choose_places(w, &chosen);
    const rcp_stage_steering steering = {chosen.at, chosen.len, w->runs};
    rcp_performance p;
    double left = w->how->end - rcp_seconds_now();
    rcp_staging so = *staging;
    so.steering = &steering;
    if (w->how->end > 0 && (so.limit <= 0 || left < so.limit))
        so.limit = left > 0.1 ? left : 0.1;
    rcp_code code = rcp_stage_perform(&so, &p);
    w->runs++;
    w->met += p.seen.len;
    if (code == RCP_OK && notices->verbose) {
        rcp_text end = {0};
        rcp_process_print_end(&end, p.status);
        rcp_notices_say(notices,
                        "steered run %" PRIu64 ": threads were held %" PRIu64 " times and met %" PRIu64
                        " times; the program %s",
                        w->runs, p.outcome.held_times, p.outcome.met_times, p.was_late ? "was ended" : end.at);
        rcp_text_finish(&end);
    }
    if (code == RCP_OK && p.seen.len)
        code = judge(w, &p, notices, fresh);
    rcp_performance_finish(&p);
    rcp_vec_finish(&chosen);
    return code;
}

static rcp_code run_all(work *w, rcp_staging *staging, const rcp_notices *notices) {
    uint64_t idle = 0;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && !is_over(w) && count_open(w) && idle < rcp_limit(RCP_LIMIT_STEER_IDLE) &&
           w->runs < rcp_limit(RCP_LIMIT_STEER_RUNS)) {
        uint64_t fresh = 0;
        code = run_once(w, staging, notices, &fresh);
        w->races += fresh;
        idle = fresh ? 0 : idle + 1;
    }
    return code;
}

/* Why no run is steered; NULL: nothing is in the way. */
static const char *obstacle(const work *w, const rcp_feeding *feeding) {
    if (feeding->why_not)
        return feeding->why_not;
    if (feeding->was_kept)
        return "what it read from standard input is over: record it with the input in a file (< FILE)";
    if (is_deceived(w, w->options.directory))
        return "what it printed may have been answered: record it where nobody sees that (> /dev/null 2>&1)";
    return NULL;
}

/* A process that a command started has those that it talked to only where the whole command is run. */
static rcp_code steer_command(work *w, const char *top, const rcp_meant *meant, const rcp_notices *notices) {
    rcp_recorded_command command;
    rcp_feeding feeding = {0};
    rcp_code code = rcp_command_read(&command, top);
    if (code == RCP_OK && !meant)
        code = rcp_command_check_program(&command);
    if (code == RCP_OK)
        code = rcp_feeding_decide(&feeding, w->options.directory, &command);
    feeding.is_fed = false;
    const char *why_not = code == RCP_OK ? obstacle(w, &feeding) : NULL;
    if (why_not && notices->verbose)
        rcp_notices_say(notices, "no run is steered: %s", why_not);
    if (why_not)
        code = rcp_results_put_statistics(w->study.results, why_not,
                                          &(rcp_statistic_value){RCP_STATISTIC_NOT_STEERED, 1}, 1);
    if (code == RCP_OK && !why_not) {
        rcp_staging staging = {.recorded = w->options.directory,
                               .command = &command,
                               .meant = meant,
                               .is_whole = meant != NULL,
                               .feeding = &feeding,
                               .prints_to_nobody = w->how->prints_to_nobody,
                               .end_signal = rcp_inputs_end_signal(top),
                               .limit = rcp_stage_limit(w->how->limit, top)};
        code = run_all(w, &staging, notices);
    }
    rcp_command_finish(&command);
    return code;
}

static rcp_code steer(work *w, const rcp_notices *notices) {
    rcp_meant meant;
    bool is_further;
    char top[4200];
    rcp_code code = rcp_meant_read(&meant, w->options.directory, &is_further);
    snprintf(top, sizeof top, "%s", w->options.directory);
    if (is_further && strrchr(top, '/'))
        *strrchr(top, '/') = 0; /* DIR/process.N */
    if (code == RCP_OK)
        code = steer_command(w, top, is_further ? &meant : NULL, notices);
    rcp_meant_finish(&meant);
    return code;
}

/* What only an assumption rules out, and no run has shown. */
static rcp_code put_guesses(const work *w) {
    const rcp_statistic_value values[] = {{RCP_STATISTIC_STEERING_GUESSES, (double)count_open(w)},
                                          {RCP_STATISTIC_STEERING_RUNS, (double)w->runs}};
    return rcp_results_put_statistics(w->study.results, NULL, values, sizeof values / sizeof *values);
}

rcp_code rcp_steering_run(const char *directory, const rcp_steering_how *how, const rcp_notices *notices) {
    work w = {.how = how};
    w.options = (rcp_study_options){.directory = directory, .models = RCP_MODEL_BIT(RCP_MODEL_BOLD)};
    rcp_deadline_set(how->end);
    rcp_code code = rcp_study_open(&w.study, &w.options, notices);
    if (code == RCP_OK && w.study.results)
        code = note_shown(&w);
    if (code == RCP_OK)
        code = find_places(&w);
    if (code == RCP_OK && w.watched.len) {
        code = rcp_study_begin(&w.study);
        if (code == RCP_OK)
            code = steer(&w, notices);
        if (code == RCP_OK)
            code = put_guesses(&w);
        const rcp_analysis done = {.models = w.options.models};
        if (code == RCP_OK)
            code = rcp_results_end(w.study.results, &done);
    }
    if (notices->verbose)
        rcp_notices_say(notices,
                        "steering: %zu pairs were open, %zu places are watched; %" PRIu64 " runs, %" PRIu64
                        " meetings, %" PRIu64 " races, %" PRIu64 " that the checker refuses%s%s",
                        w.open.len, w.watched.len, w.runs, w.met, w.races, w.refused, w.study.unaccepted ? ": " : "",
                        w.study.unaccepted ? w.study.refusal : "");
    rcp_study_close(&w.study);
    rcp_vec_finish(&w.watched);
    rcp_vec_finish(&w.open);
    rcp_deadline_set(0);
    return code;
}
