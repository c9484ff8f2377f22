/* SPDX-License-Identifier: Apache-2.0 */
/* hb and shb against their definition (naive_order.h) on random traces: the same events are flagged, and each is given
 * the same earlier access per thread, down to its location, kind and the bytes in common; by place, per thread and
 * place.
 *
 * And what docs/orders.md promises of the pairs: the first event that hb flags, and every event that shb flags, has a
 * witness that the checker accepts under 'same last writer', but for accesses that lie across two lives, for
 * compare-and-swaps whose write races with a read, and for
 * witnesses that execute a causal read of uninitialised memory. Whether they may do so is decided here from the trace
 * and the oracle's view of it, not from what the checker says. */
#include "args.h"
#include "gen.h"
#include "naive_order.h"
#include "order/engine/engine.h"
#include "order/proof/proof.h"
#include "random.h"
#include "world.h"

#include <inttypes.h>
#include <stdio.h>

typedef RCP_VEC(rcp_order_race) order_races;

static void keep(void *context, const rcp_order_race *race) {
    order_races *races = context;
    rcp_vec_push(races, *race);
}

static bool run_engine(const rcp_trace *trace, const rcp_rules *rules, bool by_place, order_races *races) {
    rcp_engine *engine = rcp_engine_create(rules, &trace->defs, keep, races);
    if (by_place)
        rcp_engine_name_places(engine);
    bool ok = rcp_engine_add_all(engine, (rcp_eid){0}, trace->events.at, trace->events.len) == RCP_OK;
    rcp_engine_destroy(engine);
    return ok;
}

static bool side_is(const rcp_trace *trace, const rcp_order_access *side, rcp_eid eid) {
    const rcp_event *event = &trace->events.at[eid.v];
    return side->tid.v == event->tid.v && side->position == trace->position[eid.v] && side->loc.v == event->loc.v &&
           side->kind == event->kind && side->atomic == rcp_event_is_atomic(event);
}

static void print_trace(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        printf("%3zu T%u.%u %s mode %u outcome %u addr %" PRIx64 " extent %" PRIu64 " object %u lock %u\n", i, e->tid.v,
               trace->position[i], rcp_event_traits(e->kind)->name, e->mode, e->outcome, e->addr, rcp_event_extent(e),
               e->object.v, e->lock.v);
    }
}

static bool same(const rcp_trace *trace, rcp_model model, const order_races *got, const rcp_naive_races *want) {
    size_t n = got->len > want->len ? got->len : want->len;
    for (size_t i = 0; i < n; i++) {
        const rcp_order_race *g = i < got->len ? &got->at[i] : NULL;
        const rcp_naive_race *w = i < want->len ? &want->at[i] : NULL;
        if (g && w && g->eid.v == w->later.v && side_is(trace, &g->earlier, w->earlier) &&
            side_is(trace, &g->later, w->later) && g->lo == w->lo && g->hi == w->hi)
            continue;
        print_trace(trace);
        printf("%s: race %zu differs\n", rcp_model_name(model), i);
        if (g)
            printf("  engine: %" PRIu64 " with T%u.%u, bytes %" PRIx64 " to %" PRIx64 "\n", g->eid.v, g->earlier.tid.v,
                   g->earlier.position, g->lo, g->hi);
        if (w)
            printf("  by definition: %" PRIu64 " with %" PRIu64 ", bytes %" PRIx64 " to %" PRIx64 "\n", w->later.v,
                   w->earlier.v, w->lo, w->hi);
        return false;
    }
    return true;
}

enum { REFUSED = RCP_VALUES_RELAXED + 1, OUTCOMES };

typedef struct tally {
    uint64_t races[RCP_MODELS], racy[RCP_MODELS];
    uint64_t by_place[RCP_MODELS];         /* races, where each place is named */
    uint64_t proven[RCP_MODELS][OUTCOMES]; /* by rule */
    uint64_t promised[RCP_MODELS], straddling[RCP_MODELS], uninitialised[RCP_MODELS], failing[RCP_MODELS];
} tally;

/* Does the event lie across two lives? */
static bool straddles(const rcp_trace *trace, rcp_eid eid) {
    const rcp_event *e = &trace->events.at[eid.v];
    for (uint64_t i = 0; i < trace->events.len; i++) {
        const rcp_event *o = &trace->events.at[i];
        if (o->kind != RCP_ALLOC && o->kind != RCP_FREE)
            continue;
        uint64_t lo = o->addr > e->addr ? o->addr : e->addr, end = o->addr + rcp_event_extent(o);
        uint64_t hi = end < e->addr + rcp_event_extent(e) ? end : e->addr + rcp_event_extent(e);
        if (lo < hi && hi - lo < rcp_event_extent(e))
            return true;
    }
    return false;
}

/* R4: a compare-and-swap whose write is all that races, and which would fail where it has not read yet what it read. */
static bool may_fail(const rcp_trace *trace, rcp_eid swap, rcp_eid other) {
    const rcp_event *e = &trace->events.at[swap.v];
    return e->kind == RCP_RMW && e->cond.v && !rcp_event_writes(&trace->events.at[other.v]);
}

/* The reads of bytes that nobody wrote in a life that a FREE, or an ALLOC that is not zeroed, began. */
static rcp_event_set uninitialised_reads(const rcp_world *world) {
    rcp_event_set reads = 0;
    for (size_t i = 0; i < world->n; i++)
        for (size_t k = 0; k < world->events[i].n_bytes; k++) {
            const rcp_world_byte *byte = &world->events[i].bytes[k];
            if (rcp_event_reads(&world->trace->events.at[i]) && byte->writer == RCP_WORLD_NOBODY &&
                byte->begin != RCP_WORLD_NOBODY && world->trace->events.at[byte->begin].outcome != RCP_ZEROED)
                reads |= UINT64_C(1) << i;
        }
    return reads;
}

/* Can a witness of the pair execute a causal read of uninitialised memory? It executes nothing but what was observed
 * before the later access, and of the earlier one's thread only what comes before that access. */
static bool may_read_uninitialised(const rcp_trace *trace, rcp_eid earlier, rcp_eid later) {
    rcp_world world;
    rcp_event_set executed = 0;
    rcp_world_init(&world, trace, (rcp_check_options){.values = RCP_VALUES_LAST_WRITER});
    rcp_event_set causal = world.events[earlier.v].causal_addr | world.events[later.v].causal_addr;
    for (uint64_t i = 0; i < later.v; i++)
        if (i < earlier.v || trace->events.at[i].tid.v != trace->events.at[earlier.v].tid.v) {
            executed |= UINT64_C(1) << i;
            causal |= world.events[i].causal;
        }
    bool may = uninitialised_reads(&world) & causal & executed;
    rcp_world_finish(&world);
    return may;
}

static bool accepted(const rcp_trace *trace, const rcp_witness *witness, rcp_value_rule values) {
    rcp_check_verdict verdict;
    return rcp_check_witness(trace, witness, (rcp_check_options){.values = values}, &verdict) == RCP_OK &&
           verdict.accepted;
}

static bool prove(const rcp_trace *trace, rcp_model model, const order_races *races, tally *sum) {
    RCP_VEC(rcp_proof) proofs = {0};
    for (size_t i = 0; i < races->len; i++) {
        const rcp_order_race *race = &races->at[i];
        rcp_proof_init(rcp_vec_extend(&proofs, 1), rcp_trace_event_of(trace, race->earlier.tid, race->earlier.position),
                       race->eid);
    }
    uint64_t limit = UINT64_MAX;
    rcp_checker *checker;
    RCP_CHECK(rcp_checker_create(trace, &checker) == RCP_OK);
    bool ok = rcp_proofs_find(trace, checker, rcp_rules_of(model), proofs.at, proofs.len, NULL, NULL, &limit) == RCP_OK;
    rcp_checker_destroy(checker);
    for (size_t i = 0; i < proofs.len; i++) {
        rcp_proof *proof = &proofs.at[i];
        sum->proven[model][proof->proven ? proof->values : REFUSED]++;
        bool promised = model == RCP_MODEL_SHB || proof->later.v == proofs.at[0].later.v;
        if (ok && promised && (straddles(trace, proof->earlier) || straddles(trace, proof->later))) {
            sum->straddling[model]++;
        } else if (ok && promised) {
            bool kept = proof->proven && accepted(trace, &proof->witness, RCP_VALUES_LAST_WRITER);
            bool fails = !kept && (may_fail(trace, proof->earlier, proof->later) ||
                                   may_fail(trace, proof->later, proof->earlier));
            ok = kept || fails || may_read_uninitialised(trace, proof->earlier, proof->later);
            sum->promised[model] += kept;
            sum->failing[model] += fails;
            sum->uninitialised[model] += ok && !kept && !fails;
            if (!ok) {
                print_trace(trace);
                printf("%s: %" PRIu64 " and %" PRIu64 " are not accepted: %s (at %" PRId64 ")\n", rcp_model_name(model),
                       proof->earlier.v, proof->later.v, proof->verdict.reason, (int64_t)proof->verdict.at.v);
            }
        }
        rcp_proof_finish(proof);
    }
    rcp_vec_finish(&proofs);
    return ok;
}

/* `sum` is NULL where the trace need not be feasible: then there is nothing to prove. */
static bool compare(const rcp_trace *trace, rcp_model model, tally *sum) {
    bool ok = true;
    for (int by_place = 0; by_place < 2 && ok; by_place++) {
        order_races got = {0};
        rcp_naive_races want = {0};
        rcp_naive_order(trace, model == RCP_MODEL_SHB ? RCP_NAIVE_ORDER_SHB : RCP_NAIVE_ORDER_HB, by_place, &want);
        ok = run_engine(trace, rcp_rules_of(model), by_place, &got) && same(trace, model, &got, &want);
        /* what is proven of all is proven of the last */
        if (ok && sum && by_place)
            ok = prove(trace, model, &got, sum);
        if (sum) {
            *(by_place ? &sum->by_place[model] : &sum->races[model]) += got.len;
            sum->racy[model] += !by_place && got.len > 0;
        }
        rcp_vec_finish(&got);
        rcp_vec_finish(&want);
    }
    return ok;
}

/* The same events in another order, as a rule one that no program can have: the definition holds for any sequence. */
static void shuffle(rcp_trace *trace, uint64_t seed) {
    rcp_random random = {seed};
    for (size_t i = trace->events.len; i > 1; i--) {
        size_t j = rcp_random_below(&random, (uint32_t)i);
        rcp_event last = trace->events.at[i - 1];
        trace->events.at[i - 1] = trace->events.at[j];
        trace->events.at[j] = last;
    }
    rcp_trace_index(trace);
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    const rcp_model models[] = {RCP_MODEL_HB, RCP_MODEL_SHB};
    uint64_t traces = 0, events = 0;
    tally sum = {0};
    bool ok = true;
    for (uint64_t i = 0; ok && rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_defaults();
        options.max_events = args.max_events ? args.max_events : seed % 3 ? 20 + seed % 16 : RCP_GEN_MAX_EVENTS;
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        traces++;
        events += trace.events.len;
        for (size_t m = 0; m < 2 && ok; m++)
            ok = compare(&trace, models[m], &sum);
        if (ok)
            shuffle(&trace, seed);
        for (size_t m = 0; m < 2 && ok; m++)
            ok = compare(&trace, models[m], NULL);
        if (!ok)
            printf("failed: --exact --seed %" PRIu64 "\n", seed);
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " traces, %" PRIu64 " events\n", traces, events);
    for (size_t m = 0; m < 2; m++) {
        const uint64_t *proven = sum.proven[models[m]];
        printf("%s: %" PRIu64 " races (by place %" PRIu64 ") in %" PRIu64
               " traces; witness accepted with the same values: %" PRIu64 ", the same last writers: %" PRIu64
               ", relaxed values: %" PRIu64 ", refused: %" PRIu64 "\n",
               rcp_model_name(models[m]), sum.races[models[m]], sum.by_place[models[m]], sum.racy[models[m]],
               proven[RCP_VALUES_SAME], proven[RCP_VALUES_LAST_WRITER], proven[RCP_VALUES_RELAXED], proven[REFUSED]);
        printf("    promised and kept: %" PRIu64 "; across two lives: %" PRIu64
               "; refused with a causal read of uninitialised memory: %" PRIu64
               ", with a compare-and-swap that may fail: %" PRIu64 "\n",
               sum.promised[models[m]], sum.straddling[models[m]], sum.uninitialised[models[m]],
               sum.failing[models[m]]);
    }
    bool is_more = sum.by_place[RCP_MODEL_HB] > sum.races[RCP_MODEL_HB];
    if (ok && traces > 100 && !is_more)
        printf("failed: no trace has two places of one thread that race with one event\n");
    return ok && (is_more || traces <= 100) ? 0 : 1;
}
