/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/solve/ladder.h"

#include "base/deadline.h"
#include "base/limits.h"
#include "predict/facts/must.h"

struct rcp_ladder {
    const rcp_groundwork *ground;
    rcp_evaluator evaluator;
    rcp_ladder_limits limits;
    const uint64_t *excluded; /* of rcp_ladder_turn() */
    size_t n_excluded;
    bool of_compared;
    uint64_t *became;
    bool turns;               /* likewise */
    uint8_t loose;            /* of rcp_ladder_would() */
    const rcp_learnt *learnt; /* likewise */
    size_t n_learnt;
    const rcp_bits *given;    /* likewise */
    const uint32_t *standing; /* of rcp_ladder_stand() */
    uint32_t n_standing;
    const rcp_arrangement *arranged; /* of rcp_ladder_arrange() */
    bool passes;                     /* of rcp_ladder_pass() */
    const rcp_slice_wanted *wanted;  /* of rcp_ladder_turn(), and rcp_ladder_pass() */
    size_t n_wanted;
    rcp_ladder_watcher *watcher; /* NULL: nobody wants to know */
    void *watching;
    rcp_ladder_stats stats;
};

rcp_ladder_limits rcp_ladder_limits_set(void) {
    return (rcp_ladder_limits){rcp_limit(RCP_LIMIT_SOLVER_STEPS), (size_t)rcp_limit(RCP_LIMIT_QUERY_EVENTS)};
}

static size_t long_query(void) { return (size_t)rcp_limit(RCP_LIMIT_LONG_QUERY_EVENTS); }

void rcp_ladder_watch(rcp_ladder *l, rcp_ladder_watcher *watcher, void *context) {
    l->watcher = watcher;
    l->watching = context;
}

void rcp_ladder_rung_name(rcp_text *to, unsigned rung) {
    if (rung < RCP_RUNG_SMALL)
        rcp_text_printf(to, "a window of %llu", (unsigned long long)rcp_limit(RCP_LIMIT_WINDOW_SMALL + rung));
    else
        rcp_text_puts(to, rung == RCP_RUNG_SMALL ? "the small cone" : "the whole trace");
}

rcp_value_rule rcp_relaxation_rule(rcp_relaxation relaxation) {
    return relaxation == RCP_RELAX_NOTHING ? RCP_VALUES_SAME : RCP_VALUES_RELAXED;
}

rcp_ladder *rcp_ladder_create(const rcp_groundwork *groundwork, rcp_ladder_limits limits) {
    rcp_ladder *l = rcp_alloc_zero(1, sizeof *l);
    l->ground = groundwork;
    l->limits = limits;
    rcp_evaluator_init(&l->evaluator, &groundwork->facts.trace->terms, NULL, NULL);
    return l;
}

void rcp_ladder_destroy(rcp_ladder *l) {
    if (!l)
        return;
    rcp_evaluator_finish(&l->evaluator);
    rcp_release(l);
}

static void cut(const rcp_ladder *l, unsigned rung, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, rcp_slice *slice) {
    _Static_assert(RCP_LIMIT_WINDOW_LARGE == RCP_LIMIT_WINDOW_SMALL + RCP_RUNG_SMALL - 1, "a window for each rung");
    if (rung < RCP_RUNG_SMALL)
        rcp_slice_window(slice, &l->ground->facts, a, b, (uint32_t)rcp_limit(RCP_LIMIT_WINDOW_SMALL + rung),
                         l->ground->holds[relaxation != RCP_RELAX_NOTHING]);
    else if (rung == RCP_RUNG_SMALL)
        rcp_slice_small(slice, &l->ground->facts, a, b);
    else
        rcp_slice_whole(slice, &l->ground->facts, a, b);
    if (l->n_standing)
        rcp_slice_stand(slice, l->standing + 1, l->n_standing - 2, rung == RCP_RUNG_SMALL);
    if (l->arranged)
        rcp_slice_arrange(slice, l->arranged,
                          rung < RCP_RUNG_SMALL    ? RCP_CUT_WINDOW
                          : rung == RCP_RUNG_SMALL ? RCP_CUT_SMALL
                                                   : RCP_CUT_WHOLE);
    if (l->passes)
        rcp_slice_pass(slice);
    if (relaxation != RCP_RELAX_DATA)
        rcp_slice_leave_out(slice, l->ground->forced.idle);
}

/* What decides a long trace does so in a few looks (real programs: up to six), or not at all. */
static uint64_t steps_of(const rcp_ladder *l, unsigned rung, size_t size, bool *is_few) {
    uint64_t part = rung < RCP_RUNG_SMALL    ? rcp_limit(RCP_LIMIT_WINDOW_PART)
                    : rung == RCP_RUNG_SMALL ? rcp_limit(RCP_LIMIT_CONE_PART)
                                             : 1;
    uint64_t steps = l->limits.steps / part, few = rcp_limit(RCP_LIMIT_LONG_QUERY_LOOKS) * size;
    *is_few = size > long_query() && steps > few;
    return *is_few ? few : steps;
}

static rcp_code check(const rcp_ladder *l, const rcp_witness *witness, rcp_check_options rules,
                      rcp_check_verdict *verdict) {
    if (l->arranged)
        return rcp_checker_arrange(l->ground->checker, witness, l->arranged, rules, verdict);
    if (!l->n_standing)
        return rcp_checker_run(l->ground->checker, witness, rules, verdict);
    rcp_eid events[RCP_MOST_STANDING];
    for (uint32_t i = 0; i < l->n_standing; i++)
        events[i] = (rcp_eid){l->standing[i]};
    return rcp_checker_stand(l->ground->checker, witness, events, l->n_standing, rules, verdict);
}

/* One rung. *cut: the limit that it came to; RCP_LIMITS: none. */
static rcp_code step(rcp_ladder *l, unsigned rung, rcp_relaxation relaxation, const rcp_slice *slice,
                     rcp_witness *witness, rcp_answer *answer, rcp_limit_name *cut) {
    rcp_search_options options = {relaxation, l->ground->spurious_wakeups};
    bool is_few;
    uint64_t steps = steps_of(l, rung, slice->size, &is_few);
    *answer = rcp_search(slice, options, &l->evaluator, &steps, witness, &l->stats.search);
    *cut = *answer != RCP_ANSWER_LIMIT ? RCP_LIMITS
           : rcp_deadline_is_over()    ? RCP_LIMIT_BUDGET
           : is_few                    ? RCP_LIMIT_LONG_QUERY_LOOKS
                                       : RCP_LIMIT_SOLVER_STEPS;
    if (*answer == RCP_ANSWER_NONE && rung != RCP_RUNG_WHOLE && !rcp_slice_is_whole(slice))
        *answer = RCP_ANSWER_LIMIT;
    if (*answer != RCP_ANSWER_WITNESS || l->loose)
        return RCP_OK;
    rcp_check_verdict verdict;
    rcp_check_options rules = {.values = rcp_relaxation_rule(relaxation),
                               .spurious_wakeups = l->ground->spurious_wakeups};
    RCP_TRY(check(l, witness, rules, &verdict));
    if (verdict.accepted) {
        l->stats.races[rung]++;
        return RCP_OK;
    }
    l->stats.refused++;
    rcp_witness_finish(witness);
    rcp_witness_init(witness);
    *answer = RCP_ANSWER_LIMIT;
    return RCP_OK;
}

rcp_code rcp_ladder_climb(rcp_ladder *l, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, rcp_witness *witness,
                          rcp_answer *answer) {
    size_t last = 0;
    uint32_t first = (uint32_t)(a.v < b.v ? a.v : b.v), second = (uint32_t)(a.v < b.v ? b.v : a.v);
    bool tried_all = false;
    rcp_limit_name stopped = l->turns || l->passes ? RCP_LIMIT_LONG_QUERY_EVENTS : RCP_LIMIT_QUERY_EVENTS;
    l->stats.queries++;
    bool is_ordered = !l->loose && !l->arranged && !l->passes && rcp_must_order(l->ground->forced.must, first, second);
    *answer = is_ordered ? RCP_ANSWER_NONE : RCP_ANSWER_LIMIT;
    for (unsigned rung = 0; rung < RCP_RUNGS && *answer == RCP_ANSWER_LIMIT; rung++) {
        /* The small cone is what its two accesses need, but finding it may take a walk over all that came before. */
        if (rung == RCP_RUNG_SMALL && second > rcp_limit(RCP_LIMIT_CONE_EVENTS))
            continue;
        if (rcp_deadline_is_over()) {
            stopped = RCP_LIMIT_BUDGET;
            break;
        }
        rcp_slice slice;
        cut(l, rung, relaxation, a, b, &slice);
        slice.excluded = l->excluded;
        slice.n_excluded = l->n_excluded;
        slice.of_compared = l->of_compared;
        slice.became = l->became;
        slice.loose = l->loose;
        slice.learnt = l->learnt;
        slice.n_learnt = l->loose ? l->n_learnt : 0;
        slice.given = l->given;
        slice.wanted = l->wanted;
        slice.n_wanted = l->turns || l->passes ? l->n_wanted : 0;
        bool whole = rcp_slice_is_whole(&slice);
        rcp_code code = RCP_OK;
        /* a window that is the one before again, because the trace begins there, shows nothing new */
        bool again = rung && rung < RCP_RUNG_SMALL && slice.size == last;
        size_t most = whole || l->limits.nodes < long_query() ? l->limits.nodes : long_query();
        if (slice.size <= most && !again) {
            rcp_limit_name stop;
            tried_all |= whole;
            code = step(l, whole ? RCP_RUNG_WHOLE : rung, relaxation, &slice, witness, answer, &stop);
            stopped = whole ? stop : stopped;
            if (l->watcher)
                l->watcher(l->watching, rung, &slice, *answer);
        }
        last = slice.size;
        rcp_slice_finish(&slice);
        RCP_TRY(code);
        if (whole)
            break;
    }
    l->stats.none += *answer == RCP_ANSWER_NONE;
    l->stats.unknown += *answer == RCP_ANSWER_LIMIT;
    l->stats.too_large += *answer == RCP_ANSWER_LIMIT && !tried_all;
    if (*answer == RCP_ANSWER_LIMIT && stopped != RCP_LIMITS && !l->loose)
        rcp_limit_reached(stopped);
    return RCP_OK;
}

rcp_code rcp_ladder_stand(rcp_ladder *l, rcp_relaxation relaxation, const uint32_t *events, uint32_t n,
                          rcp_witness *witness, rcp_answer *answer) {
    RCP_CHECK(n >= 2 && n <= RCP_MOST_STANDING);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) {
            RCP_CHECK(events[k] < events[i]);
            if (rcp_must_order(l->ground->forced.must, events[k], events[i])) {
                *answer = RCP_ANSWER_NONE;
                return RCP_OK;
            }
        }
    l->standing = events;
    l->n_standing = n;
    rcp_code code = rcp_ladder_climb(l, relaxation, (rcp_eid){events[0]}, (rcp_eid){events[n - 1]}, witness, answer);
    l->standing = NULL;
    l->n_standing = 0;
    return code;
}

rcp_code rcp_ladder_still(rcp_ladder *l, const rcp_position *upto, const uint32_t *asleep, uint32_t n,
                          rcp_witness *witness, rcp_answer *answer) {
    const rcp_ladder_limits limits = l->limits;
    l->limits.steps /= rcp_limit(RCP_LIMIT_TURN_PART); /* as of turns */
    rcp_slice slice;
    rcp_limit_name stopped = RCP_LIMIT_QUERY_EVENTS;
    rcp_slice_still(&slice, &l->ground->facts, upto, asleep, n);
    l->stats.queries++;
    *answer = RCP_ANSWER_LIMIT;
    rcp_code code = RCP_OK;
    if (slice.size <= l->limits.nodes)
        code = step(l, RCP_RUNG_WHOLE, RCP_RELAX_VALUES, &slice, witness, answer, &stopped);
    l->stats.none += *answer == RCP_ANSWER_NONE;
    l->stats.unknown += *answer == RCP_ANSWER_LIMIT;
    if (code == RCP_OK && *answer == RCP_ANSWER_LIMIT && stopped != RCP_LIMITS)
        rcp_limit_reached(stopped);
    rcp_slice_finish(&slice);
    l->limits = limits;
    return code;
}

rcp_code rcp_ladder_look(rcp_ladder *l, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, rcp_witness *witness,
                         rcp_answer *answer) {
    const rcp_ladder_stats stats = l->stats;
    rcp_limit_name stop;
    rcp_slice slice;
    rcp_code code = RCP_OK;
    *answer = RCP_ANSWER_LIMIT;
    cut(l, 0, relaxation, a, b, &slice);
    if (slice.size <= l->limits.nodes && slice.size <= long_query())
        code = step(l, 0, relaxation, &slice, witness, answer, &stop);
    rcp_slice_finish(&slice);
    if (*answer == RCP_ANSWER_NONE)
        *answer = RCP_ANSWER_LIMIT;
    l->stats = stats;
    return code;
}

rcp_code rcp_ladder_would(rcp_ladder *l, rcp_relaxation relaxation, rcp_eid a, rcp_eid b, unsigned loose,
                          rcp_witness *witness, rcp_answer *answer) {
    const rcp_ladder_limits limits = l->limits;
    const rcp_ladder_stats stats = l->stats;
    l->limits.steps /= rcp_limit(RCP_LIMIT_TURN_PART);
    if (l->limits.nodes > long_query())
        l->limits.nodes = long_query();
    l->loose = (uint8_t)loose;
    rcp_code code = rcp_ladder_climb(l, relaxation, a, b, witness, answer);
    l->loose = 0;
    l->limits = limits;
    l->stats = stats; /* those of the questions that count */
    return code;
}

void rcp_ladder_loosen(rcp_ladder *l, const rcp_bits *given) { l->given = given; }

void rcp_ladder_learn(rcp_ladder *l, const rcp_learnt *learnt, size_t n) {
    l->learnt = learnt;
    l->n_learnt = n;
}

void rcp_ladder_turn_compared(rcp_ladder *l, bool is_so) { l->of_compared = is_so; }

void rcp_ladder_want(rcp_ladder *l, const rcp_slice_wanted *wanted, size_t n) {
    l->wanted = wanted;
    l->n_wanted = n;
}

rcp_code rcp_ladder_turn(rcp_ladder *l, rcp_eid event, const uint64_t *excluded, size_t n, uint64_t *became,
                         rcp_witness *witness, rcp_answer *answer) {
    const rcp_ladder_limits limits = l->limits;
    if (rcp_bit(l->ground->forced.steady, event.v)) {
        l->stats.queries++;
        l->stats.none++;
        *answer = RCP_ANSWER_NONE;
        return RCP_OK;
    }
    l->limits.steps /= rcp_limit(RCP_LIMIT_TURN_PART); /* it is asked of many */
    if (l->limits.nodes > long_query())                /* of a long trace only 'no' would come of it, and late */
        l->limits.nodes = long_query();
    l->turns = true;
    l->excluded = excluded;
    l->n_excluded = n;
    l->became = became;
    rcp_code code = rcp_ladder_climb(l, RCP_RELAX_VALUES, event, event, witness, answer);
    l->limits = limits;
    l->turns = false;
    l->excluded = NULL;
    l->n_excluded = 0;
    l->became = NULL;
    return code;
}

/* Another event that is to be executed, or not to be: it stands where the order is most unlike the recorded one. */
static uint64_t far_from_last(const rcp_arrangement *as) {
    uint64_t least = as->never.v != RCP_NO_EID.v && as->never.v < as->last.v ? as->never.v : as->last.v, most = least;
    for (unsigned i = 0; i < as->n; i++) {
        least = as->before[i].v < least ? as->before[i].v : least;
        most = as->after[i].v > most ? as->after[i].v : most;
    }
    return most > as->last.v ? most : least;
}

/* Is it known that there is none? */
static bool is_impossible(const rcp_must *must, const rcp_arrangement *as) {
    bool is = as->never.v != RCP_NO_EID.v && rcp_must_order(must, (uint32_t)as->never.v, (uint32_t)as->last.v);
    for (unsigned i = 0; i < as->n; i++)
        is |= rcp_must_order(must, (uint32_t)as->after[i].v, (uint32_t)as->before[i].v);
    return is;
}

rcp_code rcp_ladder_arrange(rcp_ladder *l, const rcp_arrangement *arranged, rcp_witness *witness, rcp_answer *answer) {
    const rcp_ladder_limits limits = l->limits;
    if (is_impossible(l->ground->forced.must, arranged)) {
        l->stats.queries++;
        l->stats.none++;
        *answer = RCP_ANSWER_NONE;
        return RCP_OK;
    }
    l->limits.steps /= rcp_limit(RCP_LIMIT_TURN_PART);
    if (l->limits.nodes > long_query())
        l->limits.nodes = long_query();
    l->arranged = arranged;
    rcp_code code =
        rcp_ladder_climb(l, RCP_RELAX_VALUES, arranged->last, (rcp_eid){far_from_last(arranged)}, witness, answer);
    l->arranged = NULL;
    l->limits = limits;
    return code;
}

rcp_code rcp_ladder_pass(rcp_ladder *l, rcp_eid earlier, rcp_eid later, rcp_witness *witness, rcp_answer *answer) {
    const rcp_ladder_limits limits = l->limits;
    const uint32_t previous = rcp_run_facts_previous(&l->ground->facts, (uint32_t)later.v);
    RCP_CHECK(earlier.v < later.v);
    if (previous != RCP_NO_EVENT && previous > earlier.v &&
        rcp_must_order(l->ground->forced.must, (uint32_t)earlier.v, previous)) {
        l->stats.queries++;
        l->stats.none++;
        *answer = RCP_ANSWER_NONE;
        return RCP_OK;
    }
    l->limits.steps /= rcp_limit(RCP_LIMIT_TURN_PART); /* as of turns */
    if (l->limits.nodes > long_query())
        l->limits.nodes = long_query();
    l->passes = true;
    rcp_code code = rcp_ladder_climb(l, RCP_RELAX_VALUES, earlier, later, witness, answer);
    l->passes = false;
    l->limits = limits;
    return code;
}

const rcp_groundwork *rcp_ladder_borrow_groundwork(const rcp_ladder *l) { return l->ground; }
rcp_ladder_stats rcp_ladder_statistics(const rcp_ladder *l) { return l->stats; }
rcp_ladder_stats rcp_ladder_take_statistics(rcp_ladder *l) {
    const rcp_ladder_stats stats = l->stats;
    l->stats = (rcp_ladder_stats){0};
    return stats;
}

void rcp_ladder_stats_add(rcp_ladder_stats *to, const rcp_ladder_stats *more) {
    to->queries += more->queries;
    for (int i = 0; i < RCP_RUNGS; i++)
        to->races[i] += more->races[i];
    to->none += more->none;
    to->unknown += more->unknown;
    to->refused += more->refused;
    to->too_large += more->too_large;
    to->search.rounds += more->search.rounds;
    to->search.clauses += more->search.clauses;
    to->search.conflicts += more->search.conflicts;
    to->search.variables += more->search.variables;
}
