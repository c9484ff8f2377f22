/* SPDX-License-Identifier: Apache-2.0 */
/* The policies, in a page:
 *
 * rr      the READY in the order in which they became so; each runs for a turn: `first_turn` events, and one more for
 *         every `growth` that the run has had, but `quantum` at most. A short run so has many turns, and a long one
 *         pays for few: some `growth` * ln(n) in n events.
 * random  after a random number of events, a turn on average, any of the READY, the last one included.
 *         With both, a thread whose time was up when nobody else could run goes on only until somebody can: else one
 *         that takes a lock again as soon as it has released it might keep it for ever.
 * pct     Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of
 *         Finding Bugs, ASPLOS 2010. Every thread has a random priority, all of them above `depth` - 1; the highest
 *         of the READY runs. `depth` - 1 places are drawn among the first `length` events of the run; at the i-th of
 *         those drawn the running thread's priority becomes i. Where nobody knows how long the run is, it has parts:
 *         the first `length` events, and from there on each as long as all before it. Each part draws priorities and
 *         places of its own, and so is one run of the paper's, whatever came before it: what the paper proves holds of
 *         bugs that lie in one part. The paper's programs do not spin; real ones do, so a thread goes below all others
 *         when it yields, has had `quantum` events without leaving instrumented code, or four times as many without
 *         ever blocking, a call that leaves counting as ten (a loop around a trylock).
 * file    runtime/follow.h; what a schedule leaves open is left to rr.
 *
 * With all but a schedule that is followed, who waits by going round (rounds.h) is passed over until a word that it
 * looked at is another, others have had `spin_turns` turns, or nobody else could run; and so is who is held before an
 * access (steer.h).
 */
#include "runtime/policy.h"

#include "runtime/follow.h"
#include "runtime/rounds.h"
#include "runtime/stack.h"
#include "runtime/steer.h"

static struct {
    struct rcp_run_config config;
    uint64_t random;
    uint64_t turns;      /* given out so far */
    uint64_t events;     /* of all threads, up to the last time that somebody gave up the baton */
    uint64_t yields;     /* turns that ended because somebody gave way */
    uint64_t *places;    /* of pct, `depth` - 1 of them: place i makes the priority i + 1; UINT64_MAX: passed */
    uint64_t part_end;   /* of pct: so many events of the run are in this part and those before it */
    int64_t lowest;      /* of pct: below all that were given */
    rcp_thread *lingers; /* linger.h */
    bool overtime;       /* of rr and random: the holder runs because nobody else could when its time was up */
} policy;

/* splitmix64: one word of state, so that the whole of it is the seed. */
static uint64_t draw(void) {
    uint64_t z = policy.random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
static uint64_t draw_below(uint64_t n) { return (uint64_t)((unsigned __int128)draw() * n >> 64); }

/* Of the part that begins there. */
static void draw_places(uint64_t from, uint64_t length) {
    for (uint32_t i = 0; i + 1 < policy.config.depth; i++)
        policy.places[i] = from + 1 + draw_below(length);
    policy.part_end = policy.config.flags & RCP_RUN_ANY_LENGTH ? from + length : UINT64_MAX;
}

void rcp_policy_start(const struct rcp_run_config *config, const struct rcp_run_step *steps) {
    policy.config = *config;
    if (config->policy == RCP_POLICY_FILE)
        rcp_follow_start(&policy.config, steps);
    policy.random = config->seed;
    if (config->policy != RCP_POLICY_PCT)
        return;
    policy.places = rcp_stack_allocate(policy.config.depth * sizeof *policy.places);
    draw_places(0, config->length);
}

static void draw_priority(rcp_thread *t) { t->priority = (int64_t)(policy.config.depth + (draw() >> 2)); }

static void begin_part(void) {
    uint64_t from = policy.part_end;
    while (2 * from <= policy.events)
        from *= 2;
    draw_places(from, from);
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        draw_priority(t);
}

void rcp_policy_created(rcp_thread *t) {
    rcp_follow_created(t);
    if (policy.config.policy == RCP_POLICY_PCT)
        draw_priority(t);
}

/* How many events the next turn has. */
static uint64_t turn(void) {
    const struct rcp_run_config *c = &policy.config;
    const uint64_t grown = policy.events / c->growth;
    return c->first_turn < c->quantum && grown < c->quantum - c->first_turn ? c->first_turn + grown : c->quantum;
}

bool rcp_policy_sees_waits(void) { return policy.config.spin_turns; }

/* How long threads are held is counted in events. One that gives way lets others run for a reason that is not known
 * here: code that is not recorded may go round so, without one event, until who is held releases what it has. */
enum { YIELD_EVENTS = 1000 };
static uint64_t held_clock(void) { return policy.events + YIELD_EVENTS * policy.yields; }

/* Is it passed over, as long as there is another? What code that is not recorded has written is looked for only after
 * so many turns: that takes a call of the system. */
static bool is_passed_over(rcp_thread *t) {
    if (t->parked && rcp_steer_passes_over(t, policy.events, held_clock()))
        return true;
    if (!t->waits_round || t->pending || rcp_rounds_may_go_on(t))
        return false;
    if (policy.turns - t->waits_since < policy.config.spin_turns)
        return true;
    if (!rcp_rounds_waits(t) || rcp_rounds_has_changed(t))
        return false;
    t->waits_since = policy.turns;
    return true;
}

/* The first of those that are not passed over, from `t` on; NULL: there is none. */
static rcp_thread *next_willing(rcp_thread *t) {
    while (t && is_passed_over(t))
        t = t->next;
    return t;
}

/* From whom to choose: who is not passed over, or everybody. */
static rcp_thread *first_of(bool everybody) {
    return everybody ? rcp_baton.ready.first : next_willing(rcp_baton.ready.first);
}
static rcp_thread *next_of(const rcp_thread *t, bool everybody) { return everybody ? t->next : next_willing(t->next); }

/* How many events the next turn has. Who goes on because nobody else could run stops as soon as somebody can, however
 * long its turn is; so it has a long one, in which loops are one step (instrument/regions.h). */
static uint64_t next_turn(void) { return policy.overtime && rcp_baton.ready.n == 1 ? policy.config.quantum : turn(); }

static rcp_choice choose_rr(bool everybody) {
    rcp_thread *t = first_of(everybody);
    return (rcp_choice){.thread = t, .until = t->at + next_turn()};
}

/* Who gives way of itself is not drawn, unless it is alone. */
static rcp_choice choose_random(const rcp_thread *giving, bool everybody) {
    uint64_t n = 0;
    for (rcp_thread *t = first_of(everybody); t; t = next_of(t, everybody))
        n += t != giving;
    uint64_t drawn = draw_below(n ? n : 1);
    rcp_thread *t = first_of(everybody);
    while (n && (t == giving || drawn)) {
        drawn -= t != giving;
        t = next_of(t, everybody);
    }
    return (rcp_choice){.thread = t, .until = t->at + 1 + draw_below(2 * turn() - 1)};
}

/* Since it last gave way. */
static bool spins(const rcp_thread *t) {
    uint64_t events = t->at - t->gave_way, calls = t->entries - t->entries_seen;
    return calls ? events + 10 * calls >= 4 * policy.config.quantum : events >= policy.config.quantum;
}

static void gives_way(rcp_thread *t) {
    t->gave_way = t->at;
    t->entries_seen = t->entries;
}

static rcp_choice choose_pct(rcp_thread *last, rcp_policy_why why, bool everybody) {
    if (policy.events >= policy.part_end)
        begin_part();
    uint64_t next = policy.part_end;
    for (uint32_t i = 0; i + 1 < policy.config.depth; i++) {
        if (policy.places[i] <= policy.events && last) {
            last->priority = (int64_t)i + 1;
            policy.places[i] = UINT64_MAX;
        } else if (policy.places[i] < next) {
            next = policy.places[i];
        }
    }
    if (last &&
        (why == RCP_POLICY_YIELDED || why == RCP_POLICY_WAITING || (why == RCP_POLICY_REACHED && spins(last)))) {
        last->priority = --policy.lowest;
        gives_way(last);
    } else if (last && why == RCP_POLICY_BLOCKED) {
        gives_way(last);
    }
    rcp_thread *best = first_of(everybody);
    for (rcp_thread *t = next_of(best, everybody); t; t = next_of(t, everybody))
        if (t->priority > best->priority)
            best = t;
    uint64_t run = next == UINT64_MAX || next <= policy.events ? UINT64_MAX : next - policy.events;
    if (run > policy.config.quantum)
        run = policy.config.quantum;
    return (rcp_choice){.thread = best, .until = best->at + run};
}

/* Who waits for a word waits, though by going round. */
static bool may_run_last(const rcp_thread *t) {
    return t != policy.lingers && !t->has_had_last && t->at - t->last_from < policy.config.last_events &&
           !(t->waits_round && rcp_rounds_waits(t));
}

/* In turn, whatever the policy; when all have had their events or wait, the one that is about to end the process. */
static rcp_choice choose_last(void) {
    for (rcp_thread *t = rcp_baton.ready.first; t; t = t->next)
        if (may_run_last(t)) {
            uint64_t left = policy.config.last_events - (t->at - t->last_from);
            return (rcp_choice){.thread = t, .until = t->at + (left < turn() ? left : turn())};
        }
    return (rcp_choice){.thread = policy.lingers, .until = UINT64_MAX};
}

bool rcp_policy_linger(rcp_thread *t, bool anyway) {
    if (policy.lingers)
        return false;
    bool any = anyway;
    policy.lingers = t;
    for (rcp_thread *other = rcp_baton.all; other; other = other->all_next) {
        other->last_from = other->at;
        any |= other->state == RCP_THREAD_READY && may_run_last(other);
    }
    if (!any)
        policy.lingers = NULL;
    return any;
}

void rcp_policy_linger_end(const rcp_thread *but) {
    policy.lingers = NULL;
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        t->has_had_last = t != but;
}

static rcp_choice choose(rcp_thread *last, rcp_policy_why why, bool everybody) {
    rcp_choice choice;
    bool gives = why == RCP_POLICY_YIELDED || why == RCP_POLICY_WAITING || why == RCP_POLICY_PARKED;
    if (policy.lingers && !rcp_follow_is_on())
        return choose_last();
    switch (policy.config.policy) {
    case RCP_POLICY_RANDOM: return choose_random(gives ? last : NULL, everybody);
    case RCP_POLICY_PCT: return choose_pct(last, why, everybody);
    case RCP_POLICY_FILE: return rcp_follow_choose(last, why, &choice) ? choice : choose_rr(everybody);
    default: return choose_rr(everybody);
    }
}

/* Both are held, and one is to go on: in runs of few places who was held most often, and of these who has done most, so
 * that whoever comes there once in a run stands for long; in others the last one that came, so that others do. */
static bool goes_before(const rcp_thread *a, const rcp_thread *b) {
    if (!policy.config.patience)
        return a->parked_since >= b->parked_since;
    return a->holds != b->holds ? a->holds > b->holds : a->at >= b->at;
}

/* Of those that are held, where nobody else could run; in every second run any. NULL: nobody is. */
static rcp_thread *find_held(void) {
    rcp_thread *found = NULL;
    uint64_t n = 0;
    for (rcp_thread *t = rcp_baton.ready.first; t; t = t->next)
        if (t->parked && (policy.config.seed % 2 ? !draw_below(++n) : !found || goes_before(t, found)))
            found = t;
    return found;
}

/* Two that have met go on one after the other. */
static void steer(rcp_choice *choice, bool everybody) {
    bool for_one;
    rcp_thread *met = rcp_steer_next(&for_one), *held = everybody ? find_held() : NULL;
    if (met)
        *choice = (rcp_choice){.thread = met, .until = met->at + (for_one ? 1 : turn())};
    else if (held)
        *choice = (rcp_choice){.thread = held, .until = held->at + turn()};
}

rcp_choice rcp_policy_choose(rcp_thread *last, rcp_policy_why why) {
    if (last) {
        policy.events += last->at - last->began;
        policy.yields += why == RCP_POLICY_YIELDED;
        last->waits_round = why == RCP_POLICY_WAITING;
        last->waits_since = policy.turns;
        if (why == RCP_POLICY_PARKED) {
            last->parked_since = held_clock();
            last->holds++;
        }
    }
    bool everybody = !next_willing(rcp_baton.ready.first);
    policy.overtime = (why == RCP_POLICY_REACHED || why == RCP_POLICY_YIELDED || why == RCP_POLICY_WAITING ||
                       (why == RCP_POLICY_POKED && policy.overtime)) &&
                      (rcp_baton.ready.n == 1 || everybody);
    rcp_choice choice = choose(last, why, everybody);
    if (rcp_steer_is_on)
        steer(&choice, everybody);
    if (choice.thread) {
        choice.naps = everybody && !policy.lingers && choice.thread->waits_round && rcp_rounds_waits(choice.thread);
        policy.turns++;
        choice.thread->waits_round = false;
        if (choice.thread->parked) { /* nobody else could run */
            choice.naps = !policy.lingers && rcp_steer_is_worth_a_nap();
            choice.thread->parked = choice.naps;
        }
    }
    return choice;
}

bool rcp_policy_is_urgent(const rcp_thread *t, const rcp_thread *holder) {
    switch (policy.config.policy) {
    case RCP_POLICY_PCT: return t->priority > holder->priority;
    case RCP_POLICY_FILE: return !rcp_follow_is_on() && policy.overtime;
    default: return policy.overtime;
    }
}
