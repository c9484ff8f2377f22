/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/shown.h"

#include "analysis/by_language.h"
#include "analysis/make_race.h"
#include "analysis/points.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "abi/hooks.h"
#include "base/file.h"
#include "base/hash.h"
#include "program/telling/moments.h"
#include "program/telling/recorded_events.h"

#include <inttypes.h>
#include <string.h>

/* --- where threads have met --- */

enum { JUDGED_OFTEN = 2, SHOWN = 1 << 20 }; /* times that two places in the code are judged to no end; no more */

void rcp_shown_init(rcp_shown *s, rcp_study *study, bool prints_to_nobody) {
    *s = (rcp_shown){.study = study, .prints_to_nobody = prints_to_nobody};
    rcp_map_init(&s->met_index);
    rcp_map_init(&s->judged);
}

void rcp_shown_finish(rcp_shown *s) {
    rcp_vec_finish(&s->met);
    rcp_map_finish(&s->met_index);
    rcp_map_finish(&s->judged);
}

static void note_place(rcp_shown *s, uint64_t code) {
    uint32_t *index = rcp_map_at(&s->met_index, code);
    if (!code || *index != RCP_MAP_NONE)
        return;
    *index = 1;
    rcp_vec_push(&s->met, code);
}

/* Of the two places in the code; NULL: they are not known. */
static uint32_t *judged_at(rcp_shown *s, const struct rcp_run_seen *seen) {
    uint64_t a = seen->met[0].code, b = seen->met[1].code;
    if (!a || !b)
        return NULL;
    uint32_t *times = rcp_map_at(&s->judged, rcp_hash_join(a < b ? a : b, a < b ? b : a));
    *times = *times == RCP_MAP_NONE ? 0 : *times;
    return times;
}

/* Of a run's meetings those of which something may come. */
static size_t choose(rcp_shown *s, const rcp_shown_run *shown, struct rcp_run_seen *to) {
    size_t n = 0;
    for (size_t i = 0; i < shown->n; i++) {
        uint32_t *times = judged_at(s, &shown->seen[i]);
        for (int k = 0; k < 2; k++)
            note_place(s, shown->seen[i].met[k].code);
        if (times && *times >= JUDGED_OFTEN)
            continue;
        to[n++] = shown->seen[i];
    }
    return n;
}

/* --- what was met, as events --- */

enum { PARTS = 4 }; /* events at one position: a copy has a few */
typedef struct side {
    uint64_t event[PARTS];
    bool is_state[PARTS]; /* rcp_moment's */
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
        if (f->seen[i / 2].met[i % 2].number != moment->thread || s->n == PARTS)
            continue;
        s->is_state[s->n] = moment->is_state;
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

/* An access of recorded code; or what a call frees before which its thread stood, or does to a state of the library. */
static bool is_met(const rcp_event *e, bool is_state, const struct rcp_run_met *met) {
    return rcp_event_is_access(e) && !is_state ? met->kind != RCP_WHAT_CALL
                                               : (e->kind == RCP_FREE || is_state) && met->kind == RCP_WHAT_CALL;
}

/* The pair of events that a meeting is; false: none that conflicts (padding, say, is no access). */
static bool pair_of(const rcp_trace *trace, const struct rcp_run_seen *seen, const side sides[2], rcp_race *race) {
    for (unsigned i = 0; i < sides[0].n; i++)
        for (unsigned k = 0; k < sides[1].n; k++) {
            uint64_t x = sides[0].event[i], y = sides[1].event[k];
            if (x >= trace->events.len || y >= trace->events.len)
                continue;
            const rcp_event *a = &trace->events.at[x], *b = &trace->events.at[y];
            if (!is_met(a, sides[0].is_state[i], &seen->met[0]) || !is_met(b, sides[1].is_state[k], &seen->met[1]) ||
                !rcp_event_conflict(a, b) || !share_a_byte(a, b))
                continue;
            race->event[0].v = x < y ? x : y;
            race->event[1].v = x < y ? y : x;
            return true;
        }
    return false;
}

/* Both stood; then one goes on, and then the other. So all before the first of the two events is the schedule. */
static rcp_code make(rcp_shown *s, rcp_subject *run, rcp_race *race, bool *kept) {
    const rcp_defs *defs = &run->trace.defs;
    race->status = RCP_RACE_PREDICTED;
    race->models = RCP_MODEL_BIT(RCP_MODEL_BOLD);
    race->model = rcp_model_name(RCP_MODEL_BOLD);
    race->witness.recorded = race->event[0].v;
    memcpy(race->witness.race, race->event, sizeof race->event);
    rcp_race_explain(race, "A run of the program showed it: both threads stood before their accesses at one moment.");
    RCP_TRY(rcp_make_race(s->study, run, race, kept));
    *kept = *kept && rcp_race_is_proven(race);
    if (!*kept)
        return RCP_OK;
    rcp_text told = {0};
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = &run->trace.events.at[race->event[i].v];
        rcp_text_printf(&told, "%s thread %s is about to %s %" PRIu64 " byte%s at 0x%" PRIx64,
                        i ? ", and" : "At one moment", rcp_defs_borrow_string(defs, defs->threads.at[e->tid.v].name),
                        e->kind == RCP_RMW    ? "change"
                        : e->kind == RCP_FREE ? "free"
                        : rcp_event_writes(e) ? "write"
                                              : "read",
                        rcp_event_extent(e), rcp_event_extent(e) == 1 ? "" : "s", e->addr);
    }
    rcp_text_printf(&told, ". That was in a run %s; nothing else was changed.\n", s->how);
    rcp_code code = rcp_results_put_replay(s->study->results, rcp_results_key(s->study->run.reader), race,
                                           RCP_RACE_CONFIRMED, told.at);
    rcp_text_finish(&told);
    return code;
}

static rcp_code take_meetings(rcp_shown *s, rcp_subject *run, const rcp_shown_run *shown, uint64_t *fresh) {
    finding_events f = {.seen = shown->seen, .n = shown->n};
    rcp_code code = find_events(&f, run->directory);
    for (size_t i = 0; code == RCP_OK && i < f.n; i++) {
        rcp_race race;
        rcp_race_init(&race);
        bool kept = false, is_shown = false;
        if (pair_of(&run->trace, &f.seen[i], f.sides[i], &race)) {
            const rcp_event *a = &run->trace.events.at[race.event[0].v], *b = &run->trace.events.at[race.event[1].v];
            const uint64_t points = rcp_point_pair(&run->trace.defs, a, b);
            if (rcp_map_get(&s->study->known, points) == RCP_MAP_NONE) {
                code = make(s, run, &race, &kept);
                s->refused += code == RCP_OK && !kept;
            }
            is_shown = rcp_map_get(&s->study->known, points) != RCP_MAP_NONE;
        }
        *fresh += kept;
        uint32_t *times = judged_at(s, &f.seen[i]);
        if (times)
            *times = is_shown ? SHOWN : *times + 1;
        rcp_race_finish(&race);
    }
    finish_events(&f);
    return code;
}

rcp_code rcp_shown_is_deceived(const rcp_shown *s, const char *directory, bool *is) {
    *is = false;
    return s->prints_to_nobody ? RCP_OK : rcp_recorded_events_may_be_answered(directory, is);
}

/* What was met, as moments of the run: all that comes after the last of them is nobody's proof, and need not be told.
 */
static rcp_stand *take_stops(const rcp_shown_run *shown) {
    rcp_stand *stops = rcp_alloc(2 * shown->n * sizeof *stops + 1);
    for (size_t i = 0; i < 2 * shown->n; i++) {
        const struct rcp_run_met *met = &shown->seen[i / 2].met[i % 2];
        stops[i] = (rcp_stand){met->position, (uint32_t)met->number};
    }
    return stops;
}

static rcp_code judge(rcp_shown *s, const rcp_shown_run *shown, const rcp_notices *notices, uint64_t *fresh) {
    const rcp_study_options *options = s->study->options;
    uint32_t number = rcp_variants_next(options->directory);
    char *path = rcp_variant_take_path(options->directory, number);
    rcp_text why = {0};
    rcp_subject run;
    rcp_code code = rcp_variant_settle(shown->performance, path);
    rcp_subject_init(&run, path, number, options->predict.spurious_wakeups);
    run.is_steered = true;
    rcp_stand *stops = take_stops(shown);
    bool is_run = false, is_deceived = false;
    if (code == RCP_OK)
        code = rcp_variant_is_run_until(&run, stops, 2 * shown->n, &is_run, &why);
    if (code == RCP_OK && !is_run && notices->verbose)
        rcp_notices_say(notices, "a run shows nothing: %s", why.at ? why.at : "it can't be executed again");
    if (is_run)
        code = rcp_subject_load(&run, rcp_limit(RCP_LIMIT_EVENTS));
    if (is_run && code == RCP_OK)
        code = rcp_shown_is_deceived(s, path, &is_deceived);
    is_run = is_run && code == RCP_OK && !is_deceived;
    if (is_run)
        code = take_meetings(s, &run, shown, fresh);
    uint64_t by_language = 0;
    if (is_run && code == RCP_OK)
        code = rcp_by_language_take(s->study, &run, &by_language);
    *fresh += by_language;
    rcp_subject_finish(&run);
    if (!*fresh)
        rcp_file_remove_tree(path);
    s->races += *fresh - by_language;
    rcp_text_finish(&why);
    rcp_release(stops);
    rcp_release(path);
    return code;
}

rcp_code rcp_shown_judge(rcp_shown *s, const rcp_shown_run *shown, const rcp_notices *notices, uint64_t *fresh) {
    rcp_shown_run chosen = *shown;
    struct rcp_run_seen *seen = rcp_alloc(shown->n * sizeof *seen + 1);
    *fresh = 0;
    s->meetings += shown->n;
    chosen.seen = seen;
    chosen.n = choose(s, shown, seen);
    rcp_code code = chosen.n ? judge(s, &chosen, notices, fresh) : RCP_OK;
    rcp_release(seen);
    return code;
}
