/* SPDX-License-Identifier: Apache-2.0 */
/* docs/semantics.md as clauses: condition variables and barriers.
 *
 * Signals. As in trace/check/sync.c, a schedule is feasible iff every sleeper that must have been woken can be given a
 * SIGNAL of its own between its WAIT and the moment when it must be awake, but for those that a BROADCAST woke.
 * Sleepers are served in the order of these moments, each by the earliest signal that fits. Where one goes away
 * empty-handed, there is a set of sleepers that have too few signals between them all (Hall's theorem): those whose
 * signals it could have had, those whose signals these could have had, and so on. The clause: one of the set is not
 * executed, or another signal or broadcast comes into the time of one of them. */
#include "predict/solve/encode.h"
#include "predict/facts/mutant.h"

#include <stdlib.h>

static const rcp_event *event_at(const rcp_encoding *x, uint32_t event) { return rcp_run_facts_event(x->facts, event); }
static int64_t rank(const rcp_encoding *x, uint32_t event) { return rcp_encoding_rank(x, event); }

typedef struct sleeper {
    uint32_t wait, until; /* the WAKE, or the DESTROY that wants everybody awake */
    bool by_destroy;
    bool in_set;
} sleeper;

typedef struct caller {
    uint32_t event;
    uint32_t taken_by; /* sleeper; UINT32_MAX: free */
    bool is_past;
} caller;

typedef struct calls {
    RCP_VEC(sleeper) sleepers;
    RCP_VEC(caller) signals;
    RCP_VEC(uint32_t) broadcasts;
} calls;

static int by_until(const void *a, const void *b, void *context) {
    const sleeper *x = a, *y = b;
    int64_t i = rank(context, x->until), k = rank(context, y->until);
    if (i == k) { /* both by the DESTROY */
        i = rank(context, x->wait);
        k = rank(context, y->wait);
    }
    return (i > k) - (i < k);
}

static bool within(const rcp_encoding *x, const sleeper *s, uint32_t event) {
    return rank(x, s->wait) < rank(x, event) && rank(x, event) < rank(x, s->until);
}

/* The first of the condition's events that matters to those who sleep when the slice begins. */
static size_t first_call(const rcp_encoding *x, uint32_t cond) {
    size_t place = rcp_lists_before(&x->facts->named, cond, x->q->slice->start);
    while (place && rcp_run_facts_balance(x->facts, cond, place))
        place--;
    return place;
}

static void add_sleeper(rcp_encoding *x, calls *c, uint32_t cond, uint32_t wait) {
    uint32_t wake = rcp_run_facts_next(x->facts, wait), destroy = x->facts->destroy[cond];
    if (rcp_run_facts_waits_alone(x->facts, wait) || !rcp_encoding_executed(x, wait))
        return;
    bool woken = wake != RCP_NO_EVENT && rcp_encoding_executed(x, wake) && !x->spurious;
    bool destroyed = destroy != RCP_NO_EVENT && rcp_encoding_executed(x, destroy) &&
                     (wake == RCP_NO_EVENT || rank(x, wake) > rank(x, destroy));
    if (woken || destroyed)
        rcp_vec_push(&c->sleepers, ((sleeper){wait, destroyed ? destroy : wake, destroyed, false}));
}

static void collect(rcp_encoding *x, calls *c, uint32_t cond) {
    const rcp_lists *named = &x->facts->named;
    for (size_t i = named->first[cond] + first_call(x, cond);
         i < named->first[cond + 1] && named->at[i] < x->q->slice->end; i++) {
        uint32_t event = named->at[i], node = rcp_query_node(x->q, event);
        const rcp_event *e = event_at(x, event);
        if (node == RCP_NODE_FUTURE)
            continue;
        if (e->kind == RCP_WAIT && e->object.v == cond)
            add_sleeper(x, c, cond, event);
        if (e->kind == RCP_SIGNAL)
            rcp_vec_push(&c->signals, ((caller){event, UINT32_MAX, node == RCP_NODE_PAST}));
        if (e->kind == RCP_BROADCAST)
            rcp_vec_push(&c->broadcasts, event);
    }
}

static bool is_called(const rcp_encoding *x, const calls *c, const sleeper *s) {
    for (size_t i = 0; i < c->broadcasts.len; i++)
        if (within(x, s, c->broadcasts.at[i]))
            return true;
    return false;
}

/* The earliest free signal that fits. */
static bool serve(const rcp_encoding *x, calls *c, uint32_t sleeper_index) {
    const sleeper *s = &c->sleepers.at[sleeper_index];
    caller *best = NULL;
    for (size_t i = 0; i < c->signals.len; i++) {
        caller *signal = &c->signals.at[i];
        if (signal->taken_by == UINT32_MAX && within(x, s, signal->event) &&
            (!best || rank(x, signal->event) < rank(x, best->event)))
            best = signal;
    }
    if (best && !RCP_MUTANT(ONE_SIGNAL_WAKES_ALL))
        best->taken_by = sleeper_index;
    return best;
}

/* Those who want more signals than they have between them; sleeper `last` went away empty-handed. */
static void find_set(const rcp_encoding *x, calls *c, size_t last) {
    bool grows = true;
    c->sleepers.at[last].in_set = true;
    while (grows) {
        grows = false;
        for (size_t i = 0; i <= last; i++)
            for (size_t k = 0; c->sleepers.at[i].in_set && k < c->signals.len; k++) {
                uint32_t by = c->signals.at[k].taken_by;
                if (by != UINT32_MAX && within(x, &c->sleepers.at[i], c->signals.at[k].event) &&
                    !c->sleepers.at[by].in_set)
                    grows = c->sleepers.at[by].in_set = true;
            }
    }
}

/* A call comes into the sleeper's time. */
static void want_within(rcp_encoding *x, const sleeper *s, uint32_t call) {
    if (rank(x, call) < rank(x, s->wait))
        rcp_encoding_want(x, s->wait, call);
    else
        rcp_encoding_want(x, call, s->until);
}

static void add_set(rcp_encoding *x, const calls *c) {
    for (size_t i = 0; i < c->sleepers.len; i++) {
        const sleeper *s = &c->sleepers.at[i];
        if (!s->in_set)
            continue;
        rcp_encoding_drop(x, s->until);
        if (s->by_destroy) {
            rcp_encoding_want(x, s->until, s->wait);
            uint32_t wake = rcp_run_facts_next(x->facts, s->wait);
            if (wake != RCP_NO_EVENT)
                rcp_encoding_want(x, wake, s->until);
        }
        for (size_t k = 0; k < c->broadcasts.len; k++)
            want_within(x, s, c->broadcasts.at[k]);
        for (size_t k = 0; k < c->signals.len; k++) {
            bool theirs = false; /* in the time of some of the set: counted already */
            for (size_t m = 0; m < c->sleepers.len && !theirs; m++)
                theirs = c->sleepers.at[m].in_set && within(x, &c->sleepers.at[m], c->signals.at[k].event);
            if (!theirs && !RCP_MUTANT(EVERY_SIGNAL_MUST_SERVE))
                want_within(x, s, c->signals.at[k].event);
        }
    }
    rcp_encoding_add(x);
}

/* Who is to sleep for good (rcp_slice_still()): no BROADCAST comes after its WAIT, and no SIGNAL that finds nobody else
 * asleep. How many others sleep at a moment is the same whomever the SIGNALs choose, as long as they choose none of
 * these: a WAIT is one more, a SIGNAL one less, down to none, a BROADCAST none. */
typedef struct dozing {
    RCP_VEC(uint32_t) waits, calls; /* of the others; SIGNALs and BROADCASTs */
    RCP_VEC(uint32_t) asleep;
} dozing;

static void collect_dozing(const rcp_encoding *x, uint32_t cond, dozing *d) {
    const rcp_slice *slice = x->q->slice;
    const rcp_lists *named = &x->facts->named;
    for (size_t i = named->first[cond]; i < named->first[cond + 1]; i++) {
        uint32_t event = named->at[i];
        const rcp_event *e = event_at(x, event);
        bool is_asleep = false;
        for (uint32_t k = 0; k < slice->n_asleep && !is_asleep; k++)
            is_asleep = slice->asleep[k] == event;
        if (rcp_query_node(x->q, event) == RCP_NODE_FUTURE)
            continue;
        if (is_asleep)
            rcp_vec_push(&d->asleep, event);
        else if (e->kind == RCP_WAIT && e->object.v == cond && !rcp_run_facts_waits_alone(x->facts, event))
            rcp_vec_push(&d->waits, event);
        else if (e->kind == RCP_SIGNAL || e->kind == RCP_BROADCAST)
            rcp_vec_push(&d->calls, event);
    }
}

static bool is_before(const rcp_encoding *x, uint32_t a, uint32_t b) { return rank(x, a) < rank(x, b); }

static int by_call(const void *a, const void *b, void *context) {
    int64_t i = rank(context, *(const uint32_t *)a), k = rank(context, *(const uint32_t *)b);
    return (i > k) - (i < k);
}

/* Does somebody else sleep when that call comes? The calls are in the order at hand. */
static bool finds_another(const rcp_encoding *x, const dozing *d, size_t call) {
    size_t n = 0;
    for (size_t i = 0; i <= call; i++) {
        for (size_t k = 0; k < d->waits.len; k++)
            n += is_before(x, d->waits.at[k], d->calls.at[i]) &&
                 (!i || !is_before(x, d->waits.at[k], d->calls.at[i - 1]));
        if (i < call)
            n = event_at(x, d->calls.at[i])->kind == RCP_BROADCAST ? 0 : n - (n > 0);
    }
    return n > 0;
}

/* The call would wake one of those. It comes before them, or another one sleeps then: one more comes before it, or one
 * call less has taken somebody away. */
static void add_dozing(rcp_encoding *x, const dozing *d, uint32_t call) {
    for (size_t i = 0; i < d->asleep.len; i++)
        if (is_before(x, d->asleep.at[i], call))
            rcp_encoding_want(x, call, d->asleep.at[i]);
    if (event_at(x, call)->kind == RCP_SIGNAL) {
        for (size_t i = 0; i < d->waits.len; i++)
            if (is_before(x, call, d->waits.at[i]))
                rcp_encoding_want(x, d->waits.at[i], call);
        for (size_t k = 0; k < d->calls.len; k++) {
            const uint32_t other = d->calls.at[k];
            if (!is_before(x, other, call))
                continue;
            rcp_encoding_want(x, call, other);
            for (size_t i = 0; i < d->waits.len; i++)
                if (is_before(x, d->waits.at[i], other))
                    rcp_encoding_want(x, other, d->waits.at[i]);
        }
    }
    rcp_encoding_add(x);
}

static bool look_at_dozing(rcp_encoding *x, uint32_t cond) {
    dozing d = {.waits = {0}};
    bool fine = true;
    if (x->q->slice->n_asleep)
        collect_dozing(x, cond, &d);
    if (d.asleep.len && d.calls.len > 1)
        qsort_r(d.calls.at, d.calls.len, sizeof *d.calls.at, by_call, x);
    for (size_t i = 0; i < d.calls.len && fine; i++) {
        const uint32_t call = d.calls.at[i];
        bool finds = false;
        for (size_t k = 0; k < d.asleep.len && !finds; k++)
            finds = is_before(x, d.asleep.at[k], call);
        if (!finds || (event_at(x, call)->kind == RCP_SIGNAL && finds_another(x, &d, i)))
            continue;
        add_dozing(x, &d, call);
        fine = false;
    }
    rcp_vec_finish(&d.waits);
    rcp_vec_finish(&d.calls);
    rcp_vec_finish(&d.asleep);
    return fine;
}

bool rcp_encoding_look_at_condition(rcp_encoding *x, uint32_t cond) {
    calls c = {0};
    bool fine = look_at_dozing(x, cond);
    if (!fine)
        return false;
    collect(x, &c, cond);
    if (c.sleepers.len > 1)
        qsort_r(c.sleepers.at, c.sleepers.len, sizeof *c.sleepers.at, by_until, x);
    for (size_t i = 0; i < c.sleepers.len && fine; i++) {
        if (RCP_MUTANT(NO_SIGNAL_ORDER) || is_called(x, &c, &c.sleepers.at[i]) || serve(x, &c, (uint32_t)i))
            continue;
        find_set(x, &c, i);
        add_set(x, &c);
        fine = false;
    }
    rcp_vec_finish(&c.sleepers);
    rcp_vec_finish(&c.signals);
    rcp_vec_finish(&c.broadcasts);
    return fine;
}

/* Barriers. A generation is the count of ENTERs before, divided by the number of members. */
typedef struct visits {
    uint64_t members;
    RCP_VEC(uint32_t) enters;    /* all that are executed, those before the slice that matter included, in order */
    uint64_t first;              /* the number of enters.at[0] */
    RCP_VEC(uint32_t) may_enter; /* nodes, executed or not */
} visits;

static void collect_visits(rcp_encoding *x, visits *v, uint32_t barrier) {
    const rcp_lists *named = &x->facts->named;
    size_t place = rcp_lists_before(named, barrier, x->q->slice->start);
    uint64_t past = rcp_run_facts_balance(x->facts, barrier, place);
    bool initialised = x->facts->init[barrier] < x->q->slice->start;
    uint64_t inside = 2 * past + initialised - place; /* entered and not left when the slice begins */
    v->members = x->facts->trace->defs.objects.at[barrier].initial;
    v->first = past;
    while (v->first && v->members && (inside || v->first % v->members)) {
        uint32_t event = named->at[named->first[barrier] + --place];
        if (event_at(x, event)->kind != RCP_BARRIER_ENTER)
            continue;
        uint32_t leave = rcp_map_get(&x->facts->partner, event);
        rcp_vec_push(&v->enters, event);
        v->first--;
        inside -= leave == RCP_MAP_NONE || leave >= x->q->slice->start;
    }
    for (size_t i = 0; i < v->enters.len / 2; i++) {
        uint32_t other = v->enters.at[v->enters.len - 1 - i];
        v->enters.at[v->enters.len - 1 - i] = v->enters.at[i];
        v->enters.at[i] = other;
    }
    for (size_t i = 0; i < x->events.len; i++)
        if (event_at(x, x->events.at[i])->kind == RCP_BARRIER_ENTER) {
            rcp_vec_push(&v->may_enter, x->events.at[i]);
            if (rcp_encoding_executed(x, x->events.at[i]))
                rcp_vec_push(&v->enters, x->events.at[i]);
        }
}

/* B2: too few have entered when it leaves. Fewer before its own ENTER, or more before its LEAVE. */
static bool look_at_leave(rcp_encoding *x, const visits *v, size_t mine, uint32_t leave) {
    uint64_t entered = v->first;
    for (size_t i = 0; i < v->enters.len; i++)
        entered += rank(x, v->enters.at[i]) < rank(x, leave);
    if (RCP_MUTANT(NO_BARRIER_GENERATIONS))
        return true;
    if (v->members && entered >= ((v->first + mine) / v->members + 1) * v->members)
        return true;
    rcp_encoding_drop(x, leave);
    for (size_t i = 0; v->members && i < v->may_enter.len; i++) {
        uint32_t other = v->may_enter.at[i];
        if (other == v->enters.at[mine])
            continue;
        if (rank(x, other) < rank(x, v->enters.at[mine]))
            rcp_encoding_want(x, v->enters.at[mine], other);
        if (rank(x, other) > rank(x, leave))
            rcp_encoding_want(x, other, leave);
    }
    rcp_encoding_add(x);
    return false;
}

/* B3, for the complete generation that begins at enters.at[begin]. Its members change only where another ENTER changes
 * places with one of them. */
static bool look_at_generation(rcp_encoding *x, const visits *v, size_t begin) {
    uint64_t left = 0, serial = 0;
    for (size_t i = begin; i < begin + v->members; i++) {
        uint32_t leave = rcp_map_get(&x->facts->partner, v->enters.at[i]);
        if (leave == RCP_MAP_NONE || !rcp_encoding_executed(x, leave))
            continue;
        left++;
        serial += event_at(x, leave)->outcome == RCP_SERIAL;
    }
    if ((serial <= 1 && (left < v->members || serial == 1)) || RCP_MUTANT(NO_SERIAL_THREAD))
        return true;
    for (size_t i = begin; i < begin + v->members; i++) {
        uint32_t leave = rcp_map_get(&x->facts->partner, v->enters.at[i]);
        bool executed = leave != RCP_MAP_NONE && rcp_encoding_executed(x, leave);
        if (executed && (serial < 1 || event_at(x, leave)->outcome == RCP_SERIAL))
            rcp_encoding_drop(x, leave);
        for (size_t k = 0; k < v->may_enter.len; k++) {
            bool member = false;
            for (size_t m = begin; m < begin + v->members && !member; m++)
                member = v->enters.at[m] == v->may_enter.at[k];
            if (!member)
                rcp_encoding_swap(x, v->may_enter.at[k], v->enters.at[i]);
        }
    }
    rcp_encoding_add(x);
    return false;
}

/* J3 */
static bool look_at_destroy(rcp_encoding *x, const visits *v, uint32_t destroy) {
    if (destroy == RCP_NO_EVENT || !rcp_encoding_executed(x, destroy))
        return true;
    uint64_t entered = v->first;
    for (size_t i = 0; i < v->enters.len; i++)
        entered += rank(x, v->enters.at[i]) < rank(x, destroy);
    if (v->members ? entered % v->members == 0 : !entered)
        return true;
    rcp_encoding_drop(x, destroy);
    for (size_t i = 0; i < v->may_enter.len; i++)
        rcp_encoding_swap(x, v->may_enter.at[i], destroy);
    rcp_encoding_add(x);
    return false;
}

bool rcp_encoding_look_at_barrier(rcp_encoding *x, uint32_t barrier) {
    visits v = {0};
    bool fine = true;
    collect_visits(x, &v, barrier);
    for (size_t i = 0; i < v.enters.len && fine; i++) {
        uint32_t leave = rcp_map_get(&x->facts->partner, v.enters.at[i]);
        uint32_t node = leave == RCP_MAP_NONE ? RCP_NODE_FUTURE : rcp_query_node(x->q, leave);
        if (node < x->q->race && rcp_encoding_executed(x, leave))
            fine = look_at_leave(x, &v, i, leave);
    }
    size_t begin = v.members ? (size_t)((v.members - v.first % v.members) % v.members) : v.enters.len;
    for (; fine && v.members && begin + v.members <= v.enters.len; begin += v.members)
        fine = look_at_generation(x, &v, begin);
    fine = fine && look_at_destroy(x, &v, x->facts->destroy[barrier]);
    rcp_vec_finish(&v.enters);
    rcp_vec_finish(&v.may_enter);
    return fine;
}
