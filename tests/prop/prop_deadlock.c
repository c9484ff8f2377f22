/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted deadlocks against the oracle: of every two and three ACQUIREs and SEM_WAITs of different threads of a small
 * random trace, of which each has what the next one asks for by its program order, the ladder must say 'yes' where the
 * oracle comes to a state in which they wait for each other, and 'no' where it does not; what it says 'yes' to the
 * checker accepts, and nothing else. And of the smallest cycles that the oracle reaches, the places must be among those
 * that are found by one pass over the events (predict/facts/lock_orders.h): how many are not is printed, and must be
 * few, for of the same places only some instances are asked about.
 *
 * A quarter of the traces are the generator's, the others are made here: threads that nest three locks in random
 * orders, with branches on what others wrote in between. */
#include "predict/facts/lock_orders.h"
#include "predict/solve/ladder.h"
#include "prop/args.h"
#include "prop/contest.h"
#include "prop/gen.h"
#include "prop/machine.h"
#include "prop/oracle.h"
#include "prop/random.h"
#include "prop/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct tally {
    uint64_t traces, given_up, asked[2], deadlocks[2], undecided, checked, refused, smallest, listed;
} tally;

typedef struct comparison {
    const rcp_trace *trace;
    const rcp_groundwork *ground;
    rcp_ladder *ladder;
    rcp_oracle *oracle;
    rcp_relaxation relaxation;
    rcp_lock_orders orders;
    bool explain;
    tally *tally;
} comparison;

/* --- traces with nested locks --- */

enum { LOCKS = 3, THREADS = 4, DEEP = 3 };
typedef struct nesting {
    rcp_obj lock[DEEP];
    rcp_mode mode[DEEP];
    uint32_t n;
    bool wants; /* what it wants next stands above the others */
} nesting;

static rcp_step_result touch(rcp_machine *m, rcp_random *random, uint32_t tid) {
    uint8_t bytes[RCP_MACHINE_WIDEST] = {(uint8_t)rcp_random_below(random, 3)};
    rcp_event e = {.kind = rcp_random_percent(random, 50) ? RCP_READ : RCP_WRITE,
                   .addr = RCP_MACHINE_VARS + 8 * rcp_random_below(random, 2),
                   .size = 8};
    const rcp_obj any = {rcp_random_below(random, m->n_objects)};
    if (m->objects[any.v].kind == RCP_SEM && rcp_random_percent(random, 25)) /* by whoever: it is no lock then */
        return rcp_machine_post(m, tid, any);
    if (rcp_random_percent(random, 20))
        return rcp_machine_branch(m, tid, RCP_TERM_ALL, rcp_random_below(random, 2));
    return rcp_machine_access(m, tid, e, bytes);
}

static void go_on(rcp_machine *m, rcp_random *random, const rcp_obj *locks, nesting *threads, uint32_t tid) {
    nesting *t = &threads[tid];
    if (!t->wants && t->n && rcp_random_percent(random, 30)) {
        t->n--;
        if (m->objects[t->lock[t->n].v].kind == RCP_SEM)
            (void)rcp_machine_post(m, tid, t->lock[t->n]);
        else
            (void)rcp_machine_release(m, tid, t->lock[t->n], t->mode[t->n]);
        return;
    }
    if (!t->wants && (t->n == DEEP || rcp_random_percent(random, 12))) {
        (void)touch(m, random, tid);
        return;
    }
    if (!t->wants) {
        t->lock[t->n] = locks[rcp_random_below(random, LOCKS)];
        t->mode[t->n] = m->objects[t->lock[t->n].v].kind == RCP_RWLOCK && rcp_random_percent(random, 60)
                            ? RCP_SHARED
                            : RCP_EXCLUSIVE;
    }
    rcp_step_result result = m->objects[t->lock[t->n].v].kind == RCP_SEM
                                 ? rcp_machine_down(m, tid, t->lock[t->n], false)
                                 : rcp_machine_acquire(m, tid, t->lock[t->n], t->mode[t->n], false);
    t->wants = result == RCP_STEP_BLOCKED;
    t->n += result == RCP_STEP_DONE;
}

static void nest(rcp_trace *trace, uint64_t seed) {
    static const rcp_object_kind kinds[] = {RCP_MUTEX, RCP_RECURSIVE, RCP_RWLOCK, RCP_SEM};
    rcp_random random = {seed};
    rcp_machine m;
    rcp_obj locks[LOCKS];
    nesting threads[THREADS] = {0};
    rcp_machine_init(&m, trace, &random);
    m.n_threads = 2 + rcp_random_below(&random, THREADS - 1);
    for (uint32_t t = 0; t < m.n_threads; t++) {
        (void)rcp_defs_thread(&trace->defs, NULL);
        m.threads[t].started = true;
    }
    for (int i = 0; i < LOCKS; i++) {
        const rcp_object_kind kind = kinds[rcp_random_below(&random, 4)];
        locks[i] = rcp_machine_object_new(&m, kind, NULL, kind == RCP_SEM);
    }
    const uint32_t most = 14 + rcp_random_below(&random, 14);
    /* now and then one after the other: what another order leads to is not in the recorded one then */
    const uint32_t stays = rcp_random_percent(&random, 50) ? 85 : 40;
    for (uint32_t i = 0, tid = 0; i < 20 * most && trace->events.len < most; i++) {
        if (!rcp_random_percent(&random, stays))
            tid = rcp_random_below(&random, m.n_threads);
        go_on(&m, &random, locks, threads, tid);
    }
    rcp_machine_finish(&m);
    rcp_trace_index(trace);
}

/* --- what may wait for what, by program order alone --- */

static bool clash(rcp_mode a, rcp_mode b) { return a == RCP_EXCLUSIVE || b == RCP_EXCLUSIVE; }

/* Has the thread of `event` that lock right before it, so that nobody could take it in this mode? */
static bool has(const rcp_trace *trace, unsigned event, uint32_t lock, rcp_mode wanted) {
    int exclusive = 0, shared = 0;
    for (unsigned i = 0; i < event; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (e->tid.v != trace->events.at[event].tid.v)
            continue;
        int *depth = e->mode == RCP_SHARED && e->kind != RCP_WAKE && e->kind != RCP_WAIT ? &shared : &exclusive;
        *depth += (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE && e->object.v == lock) ||
                  (e->kind == RCP_WAKE && e->lock.v == lock);
        *depth -= (e->kind == RCP_RELEASE && e->object.v == lock) || (e->kind == RCP_WAIT && e->lock.v == lock);
    }
    return exclusive > 0 || (shared > 0 && clash(wanted, RCP_SHARED));
}

/* The same of a semaphore; and is it one that only who has taken it gives back? */
static bool has_taken(const rcp_trace *trace, unsigned event, uint32_t semaphore) {
    int taken[RCP_GEN_MAX_THREADS] = {0}, before = 0;
    bool is_lock = trace->defs.objects.at[semaphore].initial == 1;
    for (unsigned i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        if ((e->kind != RCP_SEM_POST && (e->kind != RCP_SEM_WAIT || e->outcome != RCP_DONE)) ||
            e->object.v != semaphore)
            continue;
        taken[e->tid.v] += e->kind == RCP_SEM_WAIT ? 1 : -1;
        is_lock &= taken[e->tid.v] >= 0;
        if (i < event && e->tid.v == trace->events.at[event].tid.v)
            before = taken[e->tid.v];
    }
    return is_lock && before > 0;
}

static bool waits_for(const rcp_trace *trace, unsigned one, unsigned other) {
    const rcp_event *e = &trace->events.at[one];
    if (e->kind == RCP_SEM_WAIT)
        return e->outcome == RCP_DONE && e->tid.v != trace->events.at[other].tid.v &&
               has_taken(trace, other, e->object.v);
    return e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE && e->tid.v != trace->events.at[other].tid.v &&
           has(trace, other, e->object.v, (rcp_mode)e->mode);
}

static bool could_wait(const rcp_trace *trace, const unsigned *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bool waits = false;
        for (size_t k = 0; k < n; k++) {
            if (k != i && trace->events.at[events[i]].tid.v == trace->events.at[events[k]].tid.v)
                return false;
            waits |= k != i && waits_for(trace, events[i], events[k]);
        }
        if (!waits)
            return false;
    }
    return true;
}

/* --- the comparison --- */

static void complain(const comparison *c, const unsigned *events, size_t n, const char *what,
                     const rcp_witness *witness) {
    if (!c->explain)
        return;
    printf("%s, events", c->relaxation == RCP_RELAX_NOTHING ? "mc" : "recipe-s");
    for (size_t i = 0; i < n; i++)
        printf(" %u", events[i]);
    printf(": %s\n", what);
    if (witness)
        rcp_show_witness(stdout, c->trace, witness);
}

static bool accepts(const comparison *c, const rcp_witness *witness, const unsigned *events, size_t n) {
    const rcp_check_options rules = {.values = rcp_relaxation_rule(c->relaxation),
                                     .spurious_wakeups = c->ground->spurious_wakeups};
    rcp_check_verdict verdict;
    rcp_eid eids[RCP_MOST_STANDING];
    for (size_t i = 0; i < n; i++)
        eids[i] = (rcp_eid){events[i]};
    RCP_CHECK(rcp_checker_stand(c->ground->checker, witness, eids, n, rules, &verdict) == RCP_OK);
    return verdict.accepted;
}

/* The checker says of the end of a schedule what the oracle says of the state. */
static bool checker_agrees(comparison *c, const unsigned *events, size_t n, bool truth, size_t state) {
    rcp_witness witness;
    rcp_witness_init(&witness);
    bool fine = true;
    if (truth) {
        rcp_oracle_schedule(c->oracle, state, &witness);
        fine = accepts(c, &witness, events, n);
        c->tally->checked++;
    } else if (rcp_oracle_states(c->oracle) > 1) {
        rcp_oracle_schedule(c->oracle, rcp_oracle_states(c->oracle) / 2, &witness);
        fine = !accepts(c, &witness, events, n);
        c->tally->refused++;
    }
    if (!fine)
        complain(c, events, n, truth ? "a deadlock that the checker refuses" : "none, and the checker accepts one",
                 &witness);
    rcp_witness_finish(&witness);
    return fine;
}

static bool ladder_agrees(comparison *c, const unsigned *events, size_t n, bool truth) {
    rcp_witness witness;
    rcp_answer answer;
    uint32_t sorted[RCP_MOST_STANDING];
    for (size_t i = 0; i < n; i++)
        sorted[i] = events[i];
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_ladder_stand(c->ladder, c->relaxation, sorted, (uint32_t)n, &witness, &answer) == RCP_OK);
    bool fine = true;
    if (answer == RCP_ANSWER_WITNESS && !(truth && accepts(c, &witness, events, n))) {
        complain(c, events, n, "the ladder has a witness where the oracle has none", &witness);
        fine = false;
    } else if (answer == RCP_ANSWER_NONE && truth) {
        complain(c, events, n, "the ladder says 'no deadlock', but there is one", NULL);
        fine = false;
    } else if (rcp_ladder_statistics(c->ladder).refused) {
        complain(c, events, n, "a witness of the ladder was refused", NULL);
        fine = false;
    }
    c->tally->undecided += answer == RCP_ANSWER_LIMIT;
    rcp_witness_finish(&witness);
    return fine;
}

/* Is a cycle of these events kept, or one of other events that stands for them? */
static bool is_listed(const comparison *c, const unsigned *events, size_t n) {
    for (size_t i = 0; i < c->orders.cycles.len; i++)
        for (size_t k = 0; k < c->orders.cycles.at[i].kept.len; k++) {
            const rcp_standing *s = &c->orders.cycles.at[i].kept.at[k];
            bool same = s->n == n;
            for (size_t j = 0; same && j < n; j++) {
                const rcp_event *a = &c->trace->events.at[s->event[j]], *b = &c->trace->events.at[events[j]];
                same = s->event[j] == events[j] || (a->tid.v == b->tid.v && a->object.v == b->object.v);
            }
            if (same)
                return true;
        }
    return false;
}

static bool agrees(comparison *c, const unsigned *events, size_t n) {
    if (!could_wait(c->trace, events, n))
        return true;
    size_t state = 0;
    bool truth = rcp_oracle_deadlocks(c->oracle, events, n, &state);
    c->tally->asked[n - 2]++;
    c->tally->deadlocks[n - 2] += truth;
    bool spins = false, is_smallest = truth;
    for (size_t i = 0; i < n; i++)
        spins |= c->trace->defs.objects.at[c->trace->events.at[events[i]].object.v].kind == RCP_SPIN;
    for (size_t i = 0; i < n && n == 3; i++) {
        const unsigned pair[] = {events[i], events[(i + 1) % 3]};
        is_smallest &= !could_wait(c->trace, pair, 2);
    }
    if (is_smallest && !spins) {
        c->tally->smallest++;
        c->tally->listed += is_listed(c, events, n);
    }
    return checker_agrees(c, events, n, truth, state) && ladder_agrees(c, events, n, truth);
}

/* In states drawn at random: of some threads the next events, whatever they are, are a deadlock for both or for none.
 */
static bool judge_alike(comparison *c, rcp_random *random) {
    enum { DRAWN = 40 };
    const size_t threads = c->trace->defs.threads.len;
    bool fine = true;
    for (int i = 0; i < DRAWN && fine && threads > 1; i++) {
        const size_t state = rcp_random_below(random, (uint32_t)rcp_oracle_states(c->oracle));
        rcp_position done[RCP_GEN_MAX_THREADS] = {0};
        unsigned events[RCP_GEN_MAX_THREADS];
        size_t n = 0;
        rcp_witness witness;
        rcp_witness_init(&witness);
        rcp_oracle_schedule(c->oracle, state, &witness);
        for (size_t k = 0; k < witness.steps.len; k++)
            done[witness.steps.at[k].tid.v] = witness.steps.at[k].to;
        for (uint32_t t = 0; t < threads; t++)
            if (done[t] < rcp_trace_thread_len(c->trace, (rcp_tid){t}) && rcp_random_percent(random, 80))
                events[n++] = (unsigned)rcp_trace_event_of(c->trace, (rcp_tid){t}, done[t]).v;
        if (n > 1) {
            bool truth = rcp_oracle_deadlocks_at(c->oracle, state, events, n);
            fine = accepts(c, &witness, events, n) == truth;
            *(truth ? &c->tally->checked : &c->tally->refused) += 1;
            if (!fine)
                complain(c, events, n, truth ? "a deadlock that the checker refuses" : "none, and it accepts one",
                         &witness);
        }
        rcp_witness_finish(&witness);
    }
    return fine;
}

static bool takes(const rcp_event *e) { return e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT; }

static bool compare_all(comparison *c) {
    const unsigned n = (unsigned)c->trace->events.len;
    rcp_random random = {n};
    bool fine = judge_alike(c, &random);
    for (unsigned i = 0; i < n && fine; i++)
        for (unsigned j = i + 1; j < n && fine && takes(&c->trace->events.at[i]); j++) {
            if (!takes(&c->trace->events.at[j]))
                continue;
            fine = agrees(c, (const unsigned[]){i, j}, 2);
            for (unsigned k = j + 1; k < n && fine; k++)
                if (takes(&c->trace->events.at[k]))
                    fine = agrees(c, (const unsigned[]){i, j, k}, 3);
        }
    return fine;
}

static bool has_nested(const rcp_trace *trace) {
    for (unsigned i = 0; i < trace->events.len; i++)
        for (unsigned j = i + 1; j < trace->events.len; j++)
            if (could_wait(trace, (const unsigned[]){i, j}, 2))
                return true;
    for (unsigned i = 0; i < trace->events.len; i++)
        for (unsigned j = i + 1; j < trace->events.len; j++)
            for (unsigned k = j + 1; k < trace->events.len; k++)
                if (could_wait(trace, (const unsigned[]){i, j, k}, 3))
                    return true;
    return false;
}

static bool compare(const rcp_trace *trace, uint64_t seed, bool explain, void *context) {
    (void)seed;
    tally *t = context;
    static const rcp_relaxation models[] = {RCP_RELAX_NOTHING, RCP_RELAX_VALUES};
    if (!has_nested(trace))
        return true;
    t->traces++;
    bool fine = true;
    for (int m = 0; m < 2 && fine; m++) {
        comparison c = {.trace = trace, .relaxation = models[m], .explain = explain, .tally = t};
        rcp_groundwork *ground;
        RCP_CHECK(rcp_groundwork_create(trace, NULL, false, &ground) == RCP_OK);
        c.ground = ground;
        c.ladder = rcp_ladder_create(ground, (rcp_ladder_limits){5000000, 1000});
        c.oracle = rcp_oracle_create(trace, rcp_relaxation_rule(c.relaxation), false);
        rcp_lock_orders_init(&c.orders, &trace->defs);
        for (size_t i = 0; i < trace->events.len; i++)
            rcp_lock_orders_add(&c.orders, (uint32_t)i, &trace->events.at[i]);
        rcp_lock_orders_find(&c.orders, ground->forced.must);
        if (rcp_oracle_explore(c.oracle, 60000))
            fine = compare_all(&c);
        else
            t->given_up++;
        rcp_lock_orders_finish(&c.orders);
        rcp_oracle_destroy(c.oracle);
        rcp_ladder_destroy(c.ladder);
        rcp_groundwork_destroy(ground);
    }
    return fine;
}

/* Of most, locks that are taken in turn. */
static void make_trace(const rcp_args *args, uint64_t seed, rcp_trace *trace) {
    const rcp_gen_options options = rcp_gen_profile(seed, args->max_events);
    if (seed % 4)
        nest(trace, seed);
    else
        rcp_gen_trace(trace, &options, seed);
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    tally t = {0};
    bool same;
    const rcp_contest contest = {
        .who = "prediction and oracle", .agree = compare, .make = make_trace, .tally = sizeof t};
    const uint64_t n = rcp_contest_run(&contest, &args, &t, &same);
    printf("%" PRIu64 " traces, %" PRIu64 " with locks in turn, %" PRIu64 " explorations given up\n", n, t.traces,
           t.given_up);
    for (int k = 0; k < 2; k++)
        printf("%d threads: %" PRIu64 " could wait for each other, %" PRIu64 " can\n", k + 2, t.asked[k],
               t.deadlocks[k]);
    printf("%" PRIu64 " undecided; the checker accepts %" PRIu64 " and refuses %" PRIu64 "; of %" PRIu64
           " smallest ones %" PRIu64 " are listed\n",
           t.undecided, t.checked, t.refused, t.smallest, t.listed);
    same = same && t.undecided * 1000 <= t.asked[0] + t.asked[1] && t.listed * 100 >= t.smallest * 99;
    printf(same ? "ok\n" : "failed\n");
    return !same;
}
