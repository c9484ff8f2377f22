/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/steering.h"

#include "analysis/guesses.h"
#include "analysis/leading.h"
#include "analysis/shown.h"
#include "analysis/staged.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/workers.h"
#include "record/inputs.h"
#include "replay/ahead.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef RCP_VEC(struct rcp_run_place) places;

/* A watched place, and how many pairs are open there. */
typedef struct rank {
    size_t place;
    uint32_t pairs, close; /* of these that are likely (analysis/guesses.h) */
    uint32_t last;         /* that was counted, and 1 */
    bool is_named;         /* a variable: it is there in every run */
} rank;
typedef RCP_VEC(rank) ranks;

/* A pair that may be met at a watched place. */
typedef struct meeting {
    uint32_t place, pair;
} meeting;
typedef RCP_VEC(meeting) meetings;

typedef struct work {
    rcp_study study;
    rcp_study_options options;
    const rcp_steering_how *how;
    rcp_shown shown;
    rcp_guesses guesses;
    rcp_leftovers leftovers;
    places watched;    /* ascending, none of which overlap */
    places likely;     /* those of pairs along whose guesses the program did not refuse to go; part of `watched` */
    ranks ranks;       /* of `watched`, those of most pairs first */
    meetings meetings; /* which pairs each of `watched` is there for */
    bool *is_open;     /* by watched place: one of them is open */
    uint64_t runs;     /* that were steered */
    uint64_t alone;    /* places that were watched alone, or with few others */
    double began;      /* when the first one was */
    uint64_t led;      /* and led along a guess */
    double longest;    /* seconds of a run, the recorded one or one of these that came to its end */
    double seconds;    /* that all of it took */
} work;

static bool is_known(const work *w, uint64_t points) { return rcp_map_get(&w->study.known, points) != RCP_MAP_NONE; }

/* Pairs that only an assumption rules out, and nobody has shown. */
static bool is_open(const work *w, const rcp_guessed_pair *guess) {
    return guess->state != RCP_GUESSED_NONE && !is_known(w, guess->points);
}

static size_t count_open(const work *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->guesses.pairs.len; i++)
        n += is_open(w, &w->guesses.pairs.at[i]);
    return n;
}

static size_t count_none(const work *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->guesses.pairs.len; i++)
        n += w->guesses.pairs.at[i].state == RCP_GUESSED_NONE;
    return n;
}

static size_t count_close(const work *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->guesses.pairs.len; i++)
        n += w->guesses.pairs.at[i].is_close;
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
static void watch(places *to, const rcp_trace *trace, rcp_candidate pair) {
    const rcp_event *a = &trace->events.at[pair.a], *b = &trace->events.at[pair.b];
    uint64_t lo = a->addr > b->addr ? a->addr : b->addr;
    uint64_t hi_a = a->addr + a->size, hi_b = b->addr + b->size, hi = hi_a < hi_b ? hi_a : hi_b;
    if (rcp_event_is_access(a) && rcp_event_is_access(b) && lo < hi && to->len < rcp_limit(RCP_LIMIT_STEER_PLACES))
        rcp_vec_push(to, ((struct rcp_run_place){lo, hi - lo}));
}

/* The watched place that has the address. */
static size_t place_of(const places *all, uint64_t address) {
    size_t low = 0, high = all->len;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        *(all->at[middle].address <= address ? &low : &high) = middle;
    }
    return low;
}

static int by_pairs(const void *x, const void *y) {
    const rank *a = x, *b = y;
    if (a->is_named != b->is_named)
        return a->is_named ? -1 : 1;
    if (a->close != b->close)
        return a->close > b->close ? -1 : 1;
    return a->pairs != b->pairs ? (a->pairs > b->pairs ? -1 : 1) : (a->place > b->place) - (a->place < b->place);
}

static void rank_places(work *w) {
    const rcp_trace *trace = &w->study.run.trace;
    for (size_t i = 0; i < w->watched.len; i++)
        rcp_vec_push(
            &w->ranks,
            ((rank){.place = i, .is_named = rcp_defs_find_variable(&trace->defs, w->watched.at[i].address) != NULL}));
    for (uint32_t i = 0; i < w->guesses.pairs.len && w->watched.len; i++) {
        const rcp_guessed_pair *guess = &w->guesses.pairs.at[i];
        for (uint32_t k = 0; k < guess->n && is_open(w, guess); k++) {
            places at = {0};
            watch(&at, trace, guess->instance[k]);
            rank *r = at.len ? &w->ranks.at[place_of(&w->watched, at.at[0].address)] : NULL;
            if (r && r->last != i + 1) {
                r->close += guess->is_close;
                r->pairs++;
                r->last = i + 1;
                rcp_vec_push(&w->meetings, ((meeting){(uint32_t)r->place, i}));
            }
            rcp_vec_finish(&at);
        }
    }
    if (w->ranks.len)
        qsort(w->ranks.at, w->ranks.len, sizeof *w->ranks.at, by_pairs);
}

/* Of the pairs that are open. The trace is not needed after this, and a steered run needs the memory. */
static rcp_code find_places(work *w) {
    rcp_subject *run = &w->study.run;
    for (size_t i = 0; i < w->guesses.pairs.len; i++) {
        const rcp_guessed_pair *guess = &w->guesses.pairs.at[i];
        for (uint32_t k = 0; k < guess->n && is_open(w, guess); k++) {
            watch(&w->watched, &run->trace, guess->instance[k]);
            if (guess->state != RCP_GUESSED_ALL)
                watch(&w->likely, &run->trace, guess->instance[k]);
        }
    }
    join_places(&w->watched);
    join_places(&w->likely);
    rank_places(w);
    rcp_guesses_rest(&w->guesses);
    rcp_subject_rest(run, false);
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

/* Where all pairs have been shown, who is held is kept from other places, and what is met again is told and judged
 * again, mostly to no end. Returns how many places are left. */
static size_t note_open(work *w) {
    size_t n = 0;
    memset(w->is_open, 0, w->watched.len * sizeof *w->is_open);
    for (size_t i = 0; i < w->meetings.len; i++) {
        const meeting *m = &w->meetings.at[i];
        bool is = !w->is_open[m->place] && is_open(w, &w->guesses.pairs.at[m->pair]);
        w->is_open[m->place] |= is;
        n += is;
    }
    return n;
}

/* --- runs --- */

/* A run that can't end in time is not begun: what it would leave behind, half written, the next one may read. */
static bool is_over(const work *w) {
    return *w->how->stop || (w->how->end > 0 && rcp_seconds_now() + w->longest >= w->how->end);
}

/* As many of the open places share a run as it takes for each to have had one once: every second run is one of theirs,
 * and takes as long as those so far. Where there is time, each is alone. */
static size_t count_sharing(const work *w) {
    enum { MOST = 8 };
    const double now = rcp_seconds_now(), each = w->runs ? (now - w->began) / (double)w->runs : 0;
    size_t open = 0;
    for (size_t i = 0; i < w->watched.len; i++)
        open += w->is_open[i];
    open -= w->alone < open ? w->alone : open;
    const size_t most = open < MOST ? open : MOST;
    if (w->how->end <= 0 || each <= 0 || !open)
        return 1;
    const double runs = (w->how->end - now) / each / 2, share = runs >= 1 ? (double)open / runs : (double)most;
    return share <= 1 ? 1 : share < (double)most ? (size_t)(share + 0.99) : most;
}

/* The next open places whose turn it is; there is one. */
static void push_next(work *w, places *chosen) {
    for (size_t n = count_sharing(w); n; n--) {
        size_t place;
        do
            place = w->ranks.at[w->alone++ % w->ranks.len].place;
        while (!w->is_open[place]);
        rcp_vec_push(chosen, w->watched.at[place]);
    }
    join_places(chosen);
}

/* What one run watches: in the first two all places that are likely; then, by turns, one place alone (or a few, where
 * time is short), variables and those with most pairs first, and a part of all: half, a quarter, an eighth, all. Where
 * no pair is open, only with all others: another pair than was thought of may be met there. Who is held at one place
 * does not come to another. False: it is one of the former, in which whoever sleeps or waits for a timer is waited for.
 */
static bool choose_places(work *w, places *chosen) {
    const bool is_first = w->runs < 2;
    const places *from = is_first && w->likely.len ? &w->likely : &w->watched;
    const uint64_t part = is_first ? 1 : UINT64_C(1) << (w->runs / 2) % 4;
    if (!is_first && w->runs % 2 == 0) {
        push_next(w, chosen);
        return false;
    }
    for (size_t i = 0; i < from->len; i++)
        if (part == 1 ||
            (rcp_hash_join(w->runs, i) % part == 0 && w->is_open[place_of(&w->watched, from->at[i].address)]))
            rcp_vec_push(chosen, from->at[i]);
    if (!chosen->len)
        push_next(w, chosen);
    return true;
}

/* As long as much of the recorded run was: whoever slept in it, or waited for its clock, comes within that. */
static uint32_t patience_of(const work *w) {
    const double took = rcp_inputs_seconds(w->options.directory) * 1000;
    const double most = (double)rcp_limit(RCP_LIMIT_STEER_PATIENCE), least = most / 5;
    return (uint32_t)(took < least ? least : took < most ? took : most);
}

/* A run that was chosen, and may be under way. */
typedef struct trip {
    places chosen;
    rcp_stage_steering steering;
    rcp_staging staging;
    rcp_ahead ahead;
    uint64_t number;
} trip;

/* Longer runs mostly wait, for clients and timers: the next one is made while this one is told and judged. It is chosen
 * without knowing what this one has shown. */
static bool goes_ahead(const work *w) {
    return w->longest * 1000 >= (double)rcp_limit(RCP_LIMIT_STEER_AHEAD) && rcp_workers_cores() > 1;
}

static rcp_code set_out(work *w, const rcp_staging *staging, trip *t) {
    *t = (trip){.staging = *staging, .number = w->runs + 1};
    const uint32_t patience = choose_places(w, &t->chosen) ? 0 : patience_of(w);
    t->steering =
        (rcp_stage_steering){t->chosen.at, t->chosen.len, w->runs, patience, w->shown.met.at, w->shown.met.len};
    t->staging.steering = &t->steering;
    t->staging.limit = rcp_leading_limit(staging, w->how->end);
    w->runs++;
    return goes_ahead(w) ? rcp_ahead_begin(&t->ahead, &t->staging) : RCP_OK;
}

static rcp_code come_back(work *w, trip *t, const rcp_notices *notices, rcp_performance *p) {
    rcp_code code = t->ahead.is_begun ? rcp_ahead_take(&t->ahead, p) : rcp_stage_perform(&t->staging, p);
    if (code == RCP_OK && !p->was_late && p->seconds > w->longest)
        w->longest = p->seconds;
    if (code == RCP_OK && notices->verbose) {
        rcp_text end = {0};
        rcp_process_print_end(&end, p->status);
        rcp_notices_say(notices,
                        "steered run %" PRIu64 ", %zu places: threads were held %" PRIu64 " times and met %" PRIu64
                        " times; the program %s; %.1f s",
                        t->number, t->chosen.len, p->outcome.held_times, p->outcome.met_times,
                        p->was_late ? "was ended" : end.at, p->seconds);
        rcp_text_finish(&end);
    }
    return code;
}

static rcp_code judge(work *w, const rcp_performance *p, const rcp_notices *notices, uint64_t *fresh) {
    const rcp_shown_run shown = {p, p->seen.at, p->seen.len};
    *fresh = 0;
    w->shown.how = "in which threads were held until they met";
    return p->seen.len ? rcp_shown_judge(&w->shown, &shown, notices, fresh) : RCP_OK;
}

static void finish_trip(trip *t) {
    rcp_ahead_end(&t->ahead);
    rcp_vec_finish(&t->chosen);
}

/* Before the first run is steered: what can be told of schedules. Those that are close are made and led first: of
 * thousands of others making takes longer than what they show is worth, so that has less time. */
static rcp_code guess(work *w, rcp_staging *staging, const rcp_notices *notices) {
    const double share = (double)rcp_limit(RCP_LIMIT_GUESS_SHARE) / 100,
                 more = (double)rcp_limit(RCP_LIMIT_GUESS_FRUITFUL) / 100;
    const double left = w->how->end > 0 ? (w->how->end - rcp_seconds_now()) * share : 0;
    if (share <= 0 || w->study.run.trace.events.len > rcp_limit(RCP_LIMIT_GUESS_EVENTS))
        return RCP_OK;
    rcp_leading leading = {.guesses = &w->guesses,
                           .leftovers = &w->leftovers,
                           .shown = &w->shown,
                           .staging = staging,
                           .patience = patience_of(w),
                           .end = left > 0 ? rcp_seconds_now() + left : 0,
                           .latest = rcp_seconds_now() + left + (w->how->end - rcp_seconds_now() - left) * more,
                           .stop = w->how->stop};
    w->shown.how = "that was led along a schedule";
    rcp_code code = RCP_OK;
    for (int is_close = 1; code == RCP_OK && is_close >= 0; is_close--) {
        const double now = rcp_seconds_now(), part = is_close ? 0.5 : 0.2;
        code = rcp_guesses_make(&w->guesses, is_close, left > 0 ? now + (leading.end - now) * part : 0);
        if (code == RCP_OK)
            code = rcp_leading_all(&leading, notices);
    }
    w->led = leading.runs;
    rcp_leading_finish(&leading);
    return code;
}

/* Whoever has waited long for what could be proven waits as long for what may be shown; and the first places have had
 * a run of their own. */
static bool is_vain(const work *w, uint64_t idle, double began) {
    const uint64_t most = rcp_limit(RCP_LIMIT_STEER_IDLE), n = w->watched.len;
    return idle >= most && w->alone >= (n < most ? n : most) && rcp_seconds_now() - began >= w->how->spent;
}

static bool goes_on(work *w, uint64_t idle) {
    return !is_over(w) && note_open(w) && !is_vain(w, idle, w->began) && w->runs < rcp_limit(RCP_LIMIT_STEER_RUNS);
}

/* *is_out: it is under way, or will be made. */
static rcp_code go_on(work *w, const rcp_staging *staging, const rcp_notices *notices, uint64_t idle, trip *t,
                      bool *is_out) {
    *is_out = goes_on(w, idle);
    if (*is_out)
        RCP_TRY(rcp_leftovers_clear(&w->leftovers, staging, rcp_leading_limit(staging, w->how->end), notices, is_out));
    return *is_out ? set_out(w, staging, t) : RCP_OK;
}

/* The next run is begun before what the one at hand has shown is judged, or after. */
static rcp_code run_all(work *w, rcp_staging *staging, const rcp_notices *notices) {
    trip trips[2] = {{.number = 0}};
    rcp_code code = RCP_OK;
    uint64_t idle = 0;
    unsigned now = 0;
    w->longest = rcp_inputs_seconds(w->options.directory);
    w->began = rcp_seconds_now();
    w->is_open = rcp_alloc_zero(w->watched.len + 1, sizeof *w->is_open);
    bool is_out;
    code = go_on(w, staging, notices, idle, &trips[now], &is_out);
    while (code == RCP_OK && is_out) {
        trip *at_hand = &trips[now], *next = &trips[now ^= 1];
        rcp_performance p = {0};
        uint64_t fresh = 0;
        code = come_back(w, at_hand, notices, &p);
        const bool is_ahead = goes_ahead(w);
        for (int step = 0; code == RCP_OK && step < 3; step++) {
            if (step == 2 && (is_out || !fresh)) /* what it has shown is a reason to go on */
                break;
            if (step == is_ahead) {
                code = judge(w, &p, notices, &fresh);
                idle = fresh ? 0 : idle + 1;
            } else
                code = go_on(w, staging, notices, idle, next, &is_out);
        }
        rcp_performance_finish(&p);
        finish_trip(at_hand);
    }
    finish_trip(&trips[0]);
    finish_trip(&trips[1]);
    return code;
}

/* Why no run was steered, or no further one. */
static rcp_code put_why_not(const work *w, const char *why_not, const rcp_notices *notices) {
    if (notices->verbose)
        rcp_notices_say(notices, "no run is steered: %s", why_not);
    return rcp_results_put_statistics(w->study.results, why_not, &(rcp_statistic_value){RCP_STATISTIC_NOT_STEERED, 1},
                                      1);
}

static rcp_code steer_staged(work *w, rcp_staged *staged, const rcp_notices *notices) {
    rcp_staging *staging = &staged->staging;
    w->leftovers.top = staged->top;
    RCP_TRY(guess(w, staging, notices));
    RCP_TRY(find_places(w));
    if (w->watched.len)
        RCP_TRY(run_all(w, staging, notices));
    if (w->leftovers.why_not.len)
        RCP_TRY(put_why_not(w, w->leftovers.why_not.at, notices));
    bool is_clear; /* nobody is to find what our runs have left */
    return rcp_leftovers_clear(&w->leftovers, staging, rcp_leading_limit(staging, w->how->end), notices, &is_clear);
}

static rcp_code steer(work *w, const rcp_notices *notices) {
    rcp_staged staged;
    rcp_code code = rcp_staged_init(&staged, w->options.directory, w->how->limit, w->how->prints_to_nobody);
    if (code == RCP_OK)
        code = staged.why_not ? put_why_not(w, staged.why_not, notices) : steer_staged(w, &staged, notices);
    rcp_staged_finish(&staged);
    return code;
}

/* What only an assumption rules out, and no run has shown; and what asking has cost. */
static rcp_code put_guesses(const work *w) {
    const rcp_statistic_value values[] = {{RCP_STATISTIC_STEERING_GUESSES, (double)count_open(w)},
                                          {RCP_STATISTIC_STEERING_RUNS, (double)w->runs},
                                          {RCP_STATISTIC_GUESS_RUNS, (double)w->led},
                                          {RCP_STATISTIC_GUESS_NONE, (double)count_none(w)},
                                          {RCP_STATISTIC_GUESS_LEARNT, (double)w->guesses.learnt.len},
                                          {RCP_STATISTIC_BOLD_RACES, (double)w->shown.races},
                                          {RCP_STATISTIC_BOLD_SECONDS, w->seconds},
                                          {RCP_STATISTIC_REPLAY_RUNS, (double)w->how->replays},
                                          {RCP_STATISTIC_REPLAY_SECONDS, w->how->replay_seconds}};
    return rcp_results_put_statistics(w->study.results, NULL, values, sizeof values / sizeof *values);
}

static rcp_code be_bold(work *w, const rcp_notices *notices) {
    const double began = rcp_seconds_now();
    RCP_TRY(rcp_study_begin(&w->study));
    RCP_TRY(steer(w, notices));
    w->seconds = rcp_seconds_now() - began;
    RCP_TRY(put_guesses(w));
    const rcp_analysis done = {.models = w->options.models};
    return rcp_results_end(w->study.results, &done);
}

rcp_code rcp_steering_run(const char *directory, const rcp_steering_how *how, const rcp_notices *notices) {
    work w = {.how = how};
    w.options = (rcp_study_options){.directory = directory, .models = RCP_MODEL_BIT(RCP_MODEL_BOLD)};
    rcp_shown_init(&w.shown, &w.study, how->prints_to_nobody);
    rcp_deadline_set(how->end);
    rcp_code code = rcp_study_open(&w.study, &w.options, notices);
    if (code == RCP_OK && w.study.results)
        code = note_shown(&w);
    if (code == RCP_OK)
        code = rcp_subject_load(&w.study.run, rcp_limit(RCP_LIMIT_EVENTS));
    if (code == RCP_OK)
        code = rcp_guesses_init(&w.guesses, &w.study.run, &w.study.known);
    if (code == RCP_OK && w.guesses.pairs.len)
        code = be_bold(&w, notices);
    if (notices->verbose)
        rcp_notices_say(
            notices,
            "steering: %zu pairs were open, %zu of them close, %zu are none even without assumptions; %" PRIu64
            " runs were led along guesses (%zu things learnt); %zu places are watched; %" PRIu64 " runs, %" PRIu64
            " meetings, %" PRIu64 " races, %" PRIu64 " that the checker refuses%s%s",
            w.guesses.pairs.len, count_close(&w), count_none(&w), w.led, w.guesses.learnt.len, w.watched.len, w.runs,
            w.shown.meetings, w.shown.races, w.shown.refused, w.study.unaccepted ? ": " : "",
            w.study.unaccepted ? w.study.refusal : "");
    rcp_guesses_finish(&w.guesses);
    rcp_leftovers_finish(&w.leftovers);
    rcp_shown_finish(&w.shown);
    rcp_study_close(&w.study);
    rcp_vec_finish(&w.watched);
    rcp_vec_finish(&w.likely);
    rcp_vec_finish(&w.ranks);
    rcp_vec_finish(&w.meetings);
    rcp_release(w.is_open);
    rcp_deadline_set(0);
    return code;
}
