/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/leading.h"

#include "base/clock.h"
#include "base/limits.h"
#include "record/inputs.h"

#include <inttypes.h>
#include <string.h>

static bool is_open(const rcp_leading *l, const rcp_guessed_pair *guess) {
    return guess->state == RCP_GUESSED_SO && rcp_map_get(&l->shown->study->known, guess->points) == RCP_MAP_NONE;
}

static const rcp_event *event_of(const rcp_leading *l, uint64_t event) {
    return &l->guesses->run->trace.events.at[event];
}

static bool is_of_accesses(const rcp_leading *l, const rcp_guessed_pair *guess) {
    const rcp_candidate *pair = &guess->instance[guess->at];
    return rcp_event_is_access(event_of(l, pair->a)) && rcp_event_is_access(event_of(l, pair->b));
}

/* One of them is an access: of two calls nobody could tell whether each can be made while the other one stands. */
static bool can_meet(const rcp_leading *l, const rcp_guessed_pair *guess) {
    const rcp_candidate *pair = &guess->instance[guess->at];
    return rcp_event_is_access(event_of(l, pair->a)) || rcp_event_is_access(event_of(l, pair->b));
}

static bool is_likelier(const rcp_guessed_pair *a, const rcp_guessed_pair *b) {
    if (a->is_wild != b->is_wild)
        return b->is_wild;
    if (a->tries != b->tries)
        return a->tries < b->tries;
    if (a->is_close != b->is_close)
        return a->is_close;
    return a->instance[a->at].b < b->instance[b->at].b;
}

static rcp_guessed_pair *find_next(const rcp_leading *l) {
    rcp_guessed_pair *best = NULL;
    for (size_t i = 0; i < l->guesses->pairs.len; i++) {
        rcp_guessed_pair *guess = &l->guesses->pairs.at[i];
        if (is_open(l, guess) && (!best || is_likelier(guess, best)))
            best = guess;
    }
    return best;
}

/* --- one run --- */

typedef RCP_VEC(rcp_tour_pair) tour_pairs;
typedef RCP_VEC(struct rcp_run_seen) seen_list;

static void list_others(const rcp_leading *l, const rcp_guessed_pair *guess, tour_pairs *others) {
    const size_t most = rcp_limit(RCP_LIMIT_REPLAY_OTHERS);
    for (size_t i = 0; i < l->guesses->pairs.len && others->len < most; i++) {
        const rcp_guessed_pair *other = &l->guesses->pairs.at[i];
        if (other == guess || !is_open(l, other) || !is_of_accesses(l, other))
            continue;
        const rcp_candidate *pair = &other->instance[other->at];
        rcp_vec_push(others, ((rcp_tour_pair){{{pair->a}, {pair->b}}}));
    }
}

/* Does a handler of a signal begin on a thread before that has gone as far as it is led? The plan may know of later
 * ones, too. */
static bool has_handlers(const rcp_plan *plan) {
    for (size_t i = 0; i < plan->handlers.len; i++) {
        const struct rcp_run_handler *h = &plan->handlers.at[i];
        for (size_t k = 0; k < plan->schedule.steps.len; k++)
            if (plan->schedule.steps.at[k].thread == h->role && plan->schedule.steps.at[k].until >= h->position)
                return true;
    }
    return false;
}

/* The access that is made first. An instruction waits for nobody; a call may: so where one of them frees memory, that
 * comes first, while the other one stands. 2: the run can't be led there. What a call does to a state of the library it
 * begins with: who stands before the call stands before that, and makes it for certain. Within other calls nobody can
 * tell whether the access is made. And where handlers of signals are on the way, they begin where they began because
 * signals are held back. */
static unsigned first_of(const rcp_leading *l, const rcp_plan *plan, const rcp_race *race) {
    enum { NEITHER = 2 };
    unsigned call = NEITHER, code = 0;
    for (unsigned i = 0; i < 2; i++) {
        bool frees = event_of(l, race->event[i].v)->kind == RCP_FREE && plan->race[i].by == RCP_RUN_BY_CALL;
        bool is_code = plan->race[i].by == RCP_RUN_BY_CODE;
        if (!is_code && !plan->is_state[i] && (!frees || call != NEITHER))
            return NEITHER;
        call = frees ? i : call;
        code = is_code && plan->race[0].by != RCP_RUN_BY_CODE ? i : code;
    }
    return has_handlers(plan) ? NEITHER : call == NEITHER ? code : call;
}

double rcp_leading_limit(const rcp_staging *staging, double end) {
    double left = end - rcp_seconds_now(), limit = 2 + 10 * rcp_inputs_seconds(staging->recorded);
    if (staging->limit > 0 && staging->limit < limit)
        limit = staging->limit;
    if (end > 0 && left < limit)
        limit = left > 0.1 ? left : 0.1;
    return limit;
}

static void say(const rcp_leading *l, const rcp_plan *plan, const rcp_performance *p, uint64_t fresh,
                const rcp_notices *notices) {
    if (!notices->verbose)
        return;
    const char *what = p->outcome.verdict == RCP_RUN_LOST || p->outcome.verdict == RCP_RUN_MISSED ? p->outcome.what
                       : p->outcome.verdict >= RCP_RUN_REACHED ? "both stood before their accesses"
                                                               : "it did not come so far";
    rcp_notices_say(notices, "guess, run %" PRIu64 ": step %" PRIu64 " of %zu, %" PRIu64 " new: %.*s", l->runs,
                    p->outcome.step, plan->schedule.steps.len, fresh, (int)strcspn(what, "\n"), what);
}

/* Before the guess departs from the recorded order: nothing is learnt of the guess. */
static bool has_strayed(const rcp_plan *plan, const rcp_performance *p) {
    return p->outcome.verdict == RCP_RUN_LOST && p->outcome.step < plan->recorded;
}

static void note_stuck(rcp_leading *l, uint64_t thread, uint64_t at, uint64_t pair) {
    for (size_t i = 0; i < l->stuck.len; i++) {
        rcp_leading_stuck *stuck = &l->stuck.at[i];
        if (stuck->thread == thread && stuck->at == at) {
            stuck->pairs += stuck->pair != pair;
            stuck->pair = pair;
            return;
        }
    }
    rcp_vec_push(&l->stuck, ((rcp_leading_stuck){thread, at, pair, 1}));
}

/* One pair may be guessed anew, along another way, by what was learnt. What stays open is steered. */
static bool is_vain(const rcp_leading *l, const rcp_plan *plan) {
    enum { PAIRS = 3 };
    for (size_t i = 0; i < l->stuck.len; i++)
        for (size_t k = plan->recorded; k < plan->schedule.steps.len && l->stuck.at[i].pairs >= PAIRS; k++)
            if (plan->schedule.steps.at[k].thread == l->stuck.at[i].thread &&
                plan->schedule.steps.at[k].until > l->stuck.at[i].at)
                return true;
    return false;
}

/* How far each thread was led, by number, by the steps before `end`. */
static uint64_t *take_upto(const rcp_plan *plan, uint64_t end) {
    const size_t threads = plan->roles.len;
    uint64_t *upto = rcp_alloc_zero(threads + 1, sizeof *upto);
    for (uint64_t i = plan->recorded; i < end; i++) {
        const struct rcp_run_step *step = &plan->schedule.steps.at[i];
        if (step->thread < threads)
            upto[step->thread] = step->until;
    }
    return upto;
}

/* The step at hand was not made. */
static bool learn_stuck(rcp_leading *l, const rcp_plan *plan, const rcp_witness *along, const rcp_performance *p,
                        uint64_t pair) {
    const struct rcp_run_step *stuck = &plan->schedule.steps.at[p->outcome.step];
    uint64_t *upto = take_upto(plan, p->outcome.step);
    bool is_learnt =
        rcp_guesses_learn(l->guesses, stuck->thread, p->outcome.at, along->recorded, upto, plan->roles.len);
    rcp_release(upto);
    note_stuck(l, stuck->thread, p->outcome.at, pair);
    return is_learnt;
}

/* All steps were made, but a thread is not about to make its access: its last call told it something else than when it
 * was recorded. (So it is taken: an earlier one may have.) */
static bool learn_astray(rcp_leading *l, const rcp_plan *plan, const rcp_witness *along,
                         const struct rcp_run_access *access) {
    const size_t steps = plan->schedule.steps.len;
    uint64_t at = access->position, end = plan->recorded;
    const uint32_t call = rcp_guesses_last_call(l->guesses, access->role, along->recorded, &at);
    if (call == RCP_NO_EVENT)
        return false;
    while (end < steps &&
           (plan->schedule.steps.at[end].thread != access->role || plan->schedule.steps.at[end].until <= at))
        end++;
    uint64_t *upto = take_upto(plan, end);
    bool is_learnt = rcp_guesses_learn_answer(l->guesses, call, along->recorded, upto, plan->roles.len);
    rcp_release(upto);
    return is_learnt;
}

static bool learn(rcp_leading *l, const rcp_plan *plan, const rcp_witness *along, const rcp_performance *p,
                  uint64_t pair) {
    const struct rcp_run_outcome *outcome = &p->outcome;
    const size_t steps = plan->schedule.steps.len;
    bool is_learnt = false;
    if (outcome->verdict == RCP_RUN_LOST && outcome->step >= plan->recorded && outcome->step < steps)
        is_learnt = learn_stuck(l, plan, along, p, pair);
    for (unsigned i = 0; i < 2 && outcome->verdict == RCP_RUN_MISSED && outcome->step >= steps; i++)
        if (outcome->at >> i & 1)
            is_learnt |= learn_astray(l, plan, along, &plan->race[i]);
    return is_learnt;
}

static rcp_code judge(rcp_leading *l, const rcp_performance *p, const rcp_notices *notices, uint64_t *fresh) {
    seen_list seen = {0};
    if (p->outcome.verdict >= RCP_RUN_FIRST)
        rcp_vec_push(&seen, ((struct rcp_run_seen){.is_seen = 1, .met = {p->outcome.met[0], p->outcome.met[1]}}));
    for (size_t i = 0; i < p->seen.len; i++)
        if (p->seen.at[i].is_seen)
            rcp_vec_push(&seen, p->seen.at[i]);
    const rcp_shown_run run = {p, seen.at, seen.len};
    *fresh = 0;
    rcp_code code = seen.len ? rcp_shown_judge(l->shown, &run, notices, fresh) : RCP_OK;
    rcp_vec_finish(&seen);
    return code;
}

/* *is_learnt: why it does not go along. */
static rcp_code run_along(rcp_leading *l, const rcp_guessed_pair *guess, const rcp_plan *plan, const rcp_witness *along,
                          unsigned first, const rcp_notices *notices, bool *is_learnt) {
    rcp_staging so = *l->staging;
    rcp_performance p;
    uint64_t fresh = 0;
    so.plan = plan;
    so.is_guess = true;
    so.first = first;
    so.limit = rcp_leading_limit(&so, l->end);
    so.patience = l->patience;
    l->runs++;
    rcp_code code = rcp_stage_perform(&so, &p);
    if (code == RCP_OK)
        code = judge(l, &p, notices, &fresh);
    if (code == RCP_OK)
        *is_learnt = learn(l, plan, along, &p, guess->points);
    l->is_fruitful = fresh > 0;
    l->strays = code == RCP_OK && has_strayed(plan, &p) ? l->strays + 1 : 0;
    if (code == RCP_OK)
        say(l, plan, &p, fresh, notices);
    rcp_performance_finish(&p);
    return code;
}

static rcp_code lead(rcp_leading *l, rcp_guessed_pair *guess, const rcp_notices *notices) {
    rcp_subject *run = l->guesses->run;
    const rcp_candidate *pair = &guess->instance[guess->at];
    rcp_race race;
    rcp_tour tour = {0};
    rcp_plan plan;
    tour_pairs others = {0};
    bool is_learnt = false;
    rcp_race_init(&race);
    race.event[0].v = pair->a;
    race.event[1].v = pair->b;
    race.witness = guess->witness; /* lent */
    list_others(l, guess, &others);
    guess->tries++;
    guess->here++;
    rcp_code code = rcp_tour_make(&tour, run->reader, &race, others.at, others.len);
    if (code == RCP_OK) {
        code = rcp_plan_make(&plan, run->directory, run->reader, &race, &tour, others.at);
        const rcp_witness *along = tour.stops.len ? &tour.witness : &guess->witness;
        const unsigned first = code == RCP_OK ? first_of(l, &plan, &race) : 2;
        plan.signals = 0; /* no handler is on the way: no signal is held back, and none is waited for */
        plan.handlers.len = 0;
        if (first < 2 && !is_vain(l, &plan))
            code = run_along(l, guess, &plan, along, first, notices, &is_learnt);
        rcp_plan_finish(&plan);
    }
    rcp_tour_finish(&tour);
    rcp_vec_finish(&others);
    rcp_witness_init(&race.witness);
    rcp_race_finish(&race);
    if (code == RCP_OK && is_open(l, guess))
        code = rcp_guesses_again(l->guesses, guess, is_learnt);
    return code;
}

/* One race a run is more than steered runs show: as long as it is so, these wait. */
static bool has_time(const rcp_leading *l) {
    return l->end <= 0 || rcp_seconds_now() < (l->is_fruitful ? l->latest : l->end);
}

rcp_code rcp_leading_all(rcp_leading *l, const rcp_notices *notices) {
    enum { STRAYS = 3 }; /* no limit of base/limits.def: what is not led is steered */
    rcp_code code = RCP_OK;
    rcp_guessed_pair *guess;
    bool is_clear = true;
    while (code == RCP_OK && is_clear && !*l->stop && l->strays < STRAYS && has_time(l) &&
           l->runs < rcp_limit(RCP_LIMIT_GUESS_RUNS) && (guess = find_next(l))) {
        if (!can_meet(l, guess)) {
            guess->state = RCP_GUESSED_ALL;
            continue;
        }
        code = rcp_leftovers_clear(l->leftovers, l->staging, rcp_leading_limit(l->staging, l->end), notices, &is_clear);
        if (code == RCP_OK && is_clear)
            code = lead(l, guess, notices);
    }
    return code;
}

void rcp_leading_finish(rcp_leading *l) { rcp_vec_finish(&l->stuck); }
