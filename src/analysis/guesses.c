/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/guesses.h"

#include "analysis/points.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/limits.h"
#include "order/engine/engine.h"
#include "order/engine/hb.h"
#include "program/telling/moments.h"

#include <stdlib.h>
#include <string.h>

/* --- pairs --- */

static void add(rcp_guesses *g, const rcp_candidate_pair *pair, uint64_t points) {
    rcp_guessed_pair guess = {.points = points, .n = pair->n, .is_partial = pair->left > pair->n || pair->skipped};
    guess.instance = rcp_alloc(pair->n * sizeof *guess.instance);
    memcpy(guess.instance, pair->kept, pair->n * sizeof *guess.instance);
    rcp_witness_init(&guess.witness);
    rcp_vec_push(&g->pairs, guess);
}

/* --- which of them are likely --- */

/* An instance of a pair, by its later event. */
typedef struct occurrence {
    uint32_t later, earlier;
    rcp_guessed_pair *pair;
} occurrence;
typedef RCP_VEC(occurrence) occurrences;

static int by_later(const void *x, const void *y) {
    const occurrence *a = x, *b = y;
    return (a->later > b->later) - (a->later < b->later);
}

static void list_occurrences(const rcp_guesses *g, occurrences *all) {
    for (size_t i = 0; i < g->pairs.len; i++)
        for (uint32_t k = 0; k < g->pairs.at[i].n; k++) {
            const rcp_candidate *at = &g->pairs.at[i].instance[k];
            rcp_vec_push(all, ((occurrence){at->b, at->a, &g->pairs.at[i]}));
        }
    if (all->len)
        qsort(all->at, all->len, sizeof *all->at, by_later);
}

static void ignore(void *context, const rcp_order_race *race) { (void)context, (void)race; }

/* What no lock, fork or join has put in order in the recorded run, calls outside left out: of these it is likely that
 * they meet in another run much like it. The engine counts the events that it is given: `nth` has those numbers. */
static rcp_code find_close(rcp_guesses *g) {
    const rcp_trace *trace = &g->run->trace;
    occurrences all = {0};
    list_occurrences(g, &all);
    rcp_engine *engine = rcp_engine_create(&rcp_rules_hb, &trace->defs, ignore, NULL);
    const rcp_clocks *clocks = rcp_engine_borrow_clocks(engine);
    uint32_t *nth = rcp_alloc(trace->events.len * sizeof *nth + 1);
    uint32_t *given = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *given);
    rcp_code code = RCP_OK;
    size_t next = 0;
    for (uint32_t e = 0; code == RCP_OK && next < all.len && e < trace->events.len; e++) {
        const rcp_event *event = &trace->events.at[e];
        const bool is_given = !rcp_event_is_opaque(event), is_asked = is_given && all.at[next].later == e;
        rcp_probe probe = {0};
        nth[e] = given[event->tid.v];
        given[event->tid.v] += is_given;
        rcp_engine_probe(engine, is_asked ? &probe : NULL);
        if (is_given)
            code = rcp_engine_add(engine, (rcp_eid){e}, event);
        for (; next < all.len && all.at[next].later == e; next++) {
            const uint32_t a = all.at[next].earlier;
            all.at[next].pair->is_close |=
                is_given && nth[a] >= rcp_clock_entry(clocks, probe.before.clock, trace->events.at[a].tid.v);
        }
        if (is_asked)
            rcp_probe_clear(engine, &probe);
    }
    rcp_engine_destroy(engine);
    rcp_release(nth);
    rcp_release(given);
    rcp_vec_finish(&all);
    return code;
}

/* --- when events happened --- */

static bool take_moment(void *context, uint64_t event, const rcp_moment *moment) {
    rcp_guesses *g = context;
    const rcp_guess_moment at = {moment->before, moment->after, moment->thread, moment->is_given};
    rcp_vec_push(&g->moments, at);
    return event + 1 < g->run->trace.events.len;
}

static bool has_moments(rcp_guesses *g) {
    if (!g->moments.len && rcp_moments_read(g->run->directory, take_moment, g) != RCP_OK)
        rcp_clear_causes();
    return g->moments.len >= g->run->trace.events.len;
}

static void list_given(rcp_guesses *g) {
    const rcp_trace *trace = &g->run->trace;
    g->given = rcp_alloc_zero(trace->events.len / 64 + 1, sizeof *g->given);
    for (uint32_t e = 0; e < trace->events.len; e++)
        if (g->moments.at[e].is_given)
            g->given[e / 64] |= UINT64_C(1) << e % 64;
    rcp_ladder_loosen(g->ladder, g->given);
}

rcp_code rcp_guesses_init(rcp_guesses *g, rcp_subject *run, const rcp_map *known) {
    const rcp_trace *trace = &run->trace;
    rcp_candidates found;
    *g = (rcp_guesses){.run = run};
    g->ground.spurious_wakeups = run->spurious_wakeups;
    g->ground.holds[0] = g->ground.holds[1] = UINT32_MAX;
    RCP_TRY(rcp_run_facts_init(&g->ground.facts, trace));
    rcp_candidates_find(&found, &g->ground.facts, NULL, run->spurious_wakeups);
    for (size_t i = 0; i < found.pairs.len; i++) {
        const rcp_candidate_pair *pair = &found.pairs.at[i];
        if (!pair->n)
            continue;
        uint64_t points =
            rcp_point_pair(&trace->defs, &trace->events.at[pair->kept[0].a], &trace->events.at[pair->kept[0].b]);
        if (rcp_map_get(known, points) == RCP_MAP_NONE)
            add(g, pair, points);
    }
    rcp_candidates_finish(&found);
    g->ladder = rcp_ladder_create(&g->ground, rcp_ladder_limits_set());
    if (g->pairs.len && has_moments(g))
        list_given(g);
    return g->pairs.len ? find_close(g) : RCP_OK;
}

void rcp_guesses_rest(rcp_guesses *g) {
    rcp_ladder_destroy(g->ladder);
    g->ladder = NULL;
    rcp_run_facts_finish(&g->ground.facts);
    g->ground.facts = (rcp_run_facts){0};
    rcp_vec_finish(&g->moments);
    rcp_release(g->given);
    g->given = NULL;
}

void rcp_guesses_finish(rcp_guesses *g) {
    if (g->ladder)
        rcp_guesses_rest(g);
    for (size_t i = 0; i < g->pairs.len; i++) {
        rcp_release(g->pairs.at[i].instance);
        rcp_witness_finish(&g->pairs.at[i].witness);
    }
    rcp_vec_finish(&g->pairs);
    rcp_vec_finish(&g->learnt);
}

/* --- schedules --- */

static rcp_code ask(rcp_guesses *g, rcp_guessed_pair *guess, uint32_t instance, unsigned loose, rcp_answer *answer) {
    rcp_candidate pair = guess->instance[instance];
    rcp_witness_finish(&guess->witness);
    rcp_witness_init(&guess->witness);
    rcp_ladder_learn(g->ladder, g->learnt.at, g->learnt.len);
    g->asked++;
    return rcp_ladder_would(g->ladder, RCP_RELAX_VALUES, (rcp_eid){pair.a}, (rcp_eid){pair.b}, loose, &guess->witness,
                            answer);
}

/* The first of the instances from `first` on that has one. *is_none: all were asked, and none has. */
static rcp_code try_instances(rcp_guesses *g, rcp_guessed_pair *guess, uint32_t first, unsigned loose, bool *is_none) {
    *is_none = true;
    for (uint32_t i = first; i < guess->n; i++) {
        rcp_answer answer = RCP_ANSWER_LIMIT;
        if (!rcp_deadline_is_over())
            RCP_TRY(ask(g, guess, i, loose, &answer));
        *is_none &= answer == RCP_ANSWER_NONE;
        if (answer == RCP_ANSWER_WITNESS) {
            guess->here = i == guess->at ? guess->here : 0;
            guess->at = i;
            guess->state = RCP_GUESSED_SO;
            return RCP_OK;
        }
    }
    return RCP_OK;
}

enum { TAME = RCP_LOOSE_OPAQUE | RCP_LOOSE_REUSE, WILD = TAME | RCP_LOOSE_UNKNOWN };

static rcp_code make(rcp_guesses *g, rcp_guessed_pair *guess) {
    bool is_none, is_none_wildly = false;
    RCP_TRY(try_instances(g, guess, 0, TAME, &is_none));
    if (guess->state == RCP_GUESSED_SO || !is_none)
        return RCP_OK;
    RCP_TRY(try_instances(g, guess, 0, WILD, &is_none_wildly));
    guess->is_wild = guess->state == RCP_GUESSED_SO;
    if (is_none_wildly && !guess->is_wild) /* what was learnt rules nothing out: it is taken, not known */
        guess->state = guess->is_partial || g->learnt.len ? RCP_GUESSED_ALL : RCP_GUESSED_NONE;
    return RCP_OK;
}

rcp_code rcp_guesses_make(rcp_guesses *g, bool is_close, double end) {
    const double before = rcp_deadline();
    rcp_code code = RCP_OK;
    if (end > 0)
        rcp_deadline_set(end);
    for (size_t i = 0; code == RCP_OK && i < g->pairs.len; i++)
        if (g->pairs.at[i].is_close == is_close)
            code = make(g, &g->pairs.at[i]);
    rcp_deadline_set(before);
    return code;
}

/* Of what is like it many instances may be lost for the same reason: after HERE runs it is another one's turn. */
rcp_code rcp_guesses_again(rcp_guesses *g, rcp_guessed_pair *guess, bool is_learnt) {
    enum { HERE = 2 };
    const uint32_t first = guess->at + (!is_learnt || guess->here >= HERE);
    bool is_none;
    guess->state = RCP_GUESSED_ALL;
    if (guess->tries >= rcp_limit(RCP_LIMIT_GUESS_TRIES))
        return RCP_OK;
    RCP_TRY(try_instances(g, guess, first, guess->is_wild ? WILD : TAME, &is_none));
    if (guess->state == RCP_GUESSED_SO || guess->is_wild)
        return RCP_OK;
    RCP_TRY(try_instances(g, guess, 0, WILD, &is_none));
    guess->is_wild = guess->state == RCP_GUESSED_SO;
    return RCP_OK;
}

/* --- what a run has shown --- */

/* The first event of the thread that did not come. */
static uint32_t find_stuck(const rcp_guesses *g, uint64_t number, uint64_t at) {
    for (uint32_t e = 0; e < g->run->trace.events.len; e++)
        if (g->moments.at[e].thread == number && g->moments.at[e].before >= at)
            return e;
    return RCP_NO_EVENT;
}

typedef struct state {
    uint64_t recorded;
    const uint64_t *upto;
    size_t threads;
    bool is_of_ends; /* a call counts once it is over */
} state;

static bool had_come(const rcp_guesses *g, const state *s, uint32_t event) {
    const rcp_guess_moment *m = &g->moments.at[event];
    return event < s->recorded || (m->thread < s->threads && m->after <= s->upto[m->thread]);
}

/* Of every other thread the last call that it had made or come out of, and the next one. */
static void find_calls(const rcp_guesses *g, const state *s, uint32_t *last, uint32_t *next) {
    const rcp_trace *trace = &g->run->trace;
    for (uint32_t e = 0; e < trace->events.len; e++) {
        const rcp_event *event = &trace->events.at[e];
        if (!rcp_event_is_opaque(event) || (s->is_of_ends && event->kind != RCP_OPAQUE_END))
            continue;
        if (had_come(g, s, e))
            last[event->tid.v] = e;
        else if (next[event->tid.v] == RCP_NO_EVENT)
            next[event->tid.v] = e;
    }
}

/* A thread has to do with it where its calls had not come as far as when recorded, or further. */
static bool list_sides(const rcp_trace *trace, const uint32_t *last, const uint32_t *next, rcp_learnt *learnt) {
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        bool is_behind = next[t] != RCP_NO_EVENT && next[t] < learnt->stuck;
        bool is_ahead = last[t] != RCP_NO_EVENT && last[t] > learnt->stuck;
        if (t == trace->events.at[learnt->stuck].tid.v || (!is_behind && !is_ahead))
            continue;
        if (learnt->n == RCP_LEARNT_SIDES)
            return false; /* fewer would say more than is known */
        learnt->side[learnt->n].next = next[t];
        learnt->side[learnt->n++].last = last[t];
    }
    return learnt->n;
}

static bool learn(rcp_guesses *g, const state *s, uint32_t stuck) {
    const rcp_trace *trace = &g->run->trace;
    rcp_learnt learnt = {.stuck = stuck};
    uint32_t *last = rcp_alloc(2 * trace->defs.threads.len * sizeof *last + 1), *next = last + trace->defs.threads.len;
    memset(last, 0xff, 2 * trace->defs.threads.len * sizeof *last);
    _Static_assert(RCP_NO_EVENT == UINT32_MAX, "no event is all ones");
    find_calls(g, s, last, next);
    bool is_learnt = list_sides(trace, last, next, &learnt);
    if (is_learnt)
        rcp_vec_push(&g->learnt, learnt);
    rcp_release(last);
    return is_learnt;
}

bool rcp_guesses_learn(rcp_guesses *g, uint64_t number, uint64_t at, uint64_t recorded, const uint64_t *upto,
                       size_t threads) {
    const state s = {recorded, upto, threads, false};
    const uint32_t stuck = has_moments(g) ? find_stuck(g, number, at) : RCP_NO_EVENT;
    return stuck != RCP_NO_EVENT && stuck >= recorded && learn(g, &s, stuck);
}

uint32_t rcp_guesses_last_call(rcp_guesses *g, uint64_t number, uint64_t recorded, uint64_t *at) {
    const rcp_trace *trace = &g->run->trace;
    uint32_t last = RCP_NO_EVENT;
    for (uint32_t e = (uint32_t)recorded; has_moments(g) && e < trace->events.len; e++)
        if (trace->events.at[e].kind == RCP_OPAQUE_BEGIN && g->moments.at[e].thread == number &&
            g->moments.at[e].after <= *at)
            last = e;
    *at = last == RCP_NO_EVENT ? *at : g->moments.at[last].before;
    return last;
}

bool rcp_guesses_learn_answer(rcp_guesses *g, uint32_t call, uint64_t recorded, const uint64_t *upto, size_t threads) {
    const state s = {recorded, upto, threads, true};
    return learn(g, &s, call);
}
