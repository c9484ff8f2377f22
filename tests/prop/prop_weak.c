/* SPDX-License-Identifier: Apache-2.0 */
/* wcp, dc, sdp and wdp on random traces, against their definitions (naive_weak.h) and against the oracle:
 * - each engine flags what its definition flags, down to the earlier access per thread and the bytes in common;
 * - without the redundant events it flags the same pairs;
 * - as sets of pairs, without the handling of races: hb in wcp in sdp as published, dc in wdp, sdp in wdp;
 * - no predictable race (same last writer, seed 002) is ordered by wdp, races handled or not;
 * - in traces of the paper's own events, where the mended sdp flags something there is a predictable race or deadlock.
 */
#include "args.h"
#include "gen.h"
#include "naive_weak.h"
#include "oracle.h"
#include "order/engine/engine.h"
#include "order/engine/sdp.h"
#include "order/engine/wdp.h"
#include "schedule.h"
#include "show.h"

#include <inttypes.h>
#include <stdio.h>

typedef RCP_VEC(rcp_order_race) order_races;

static void keep(void *context, const rcp_order_race *race) {
    order_races *races = context;
    rcp_vec_push(races, *race);
}

typedef struct tally {
    uint64_t races[RCP_MODELS], handled[RCP_MODELS], explored, left_out, predictable, sound, flagged, deadlocks,
        filtered;
} tally;

static bool run_engine(const rcp_trace *trace, const rcp_rules *rules, bool published, bool filter, order_races *races,
                       tally *sum) {
    rcp_order_facts facts;
    rcp_order_facts_init(&facts);
    rcp_order_facts_add(&facts, trace->events.at, trace->events.len);
    rcp_engine *engine = rcp_engine_create(rules, &trace->defs, keep, races);
    rcp_engine_inform(engine, &trace->terms, &facts);
    if (published)
        rcp_engine_publish(engine);
    if (filter)
        rcp_engine_filter(engine);
    rcp_engine_sweep_at(engine, trace->events.len % 2 ? 1 : 100); /* every time, or never */
    rcp_engine_spill_at(engine, trace->events.len % 4 < 2 ? 1 : 100);
    bool ok = rcp_engine_add_all(engine, (rcp_eid){0}, trace->events.at, trace->events.len) == RCP_OK;
    rcp_engine_stats stats = rcp_engine_statistics(engine);
    sum->filtered += stats.redundant_accesses + stats.redundant_branches;
    rcp_engine_destroy(engine);
    rcp_order_facts_finish(&facts);
    return ok;
}

static bool same(const rcp_trace *trace, const char *name, const order_races *got, const rcp_naive_races *want) {
    size_t n = got->len > want->len ? got->len : want->len;
    for (size_t i = 0; i < n; i++) {
        const rcp_order_race *g = i < got->len ? &got->at[i] : NULL;
        const rcp_naive_race *w = i < want->len ? &want->at[i] : NULL;
        if (g && w && g->eid.v == w->later.v && g->earlier.tid.v == trace->events.at[w->earlier.v].tid.v &&
            g->earlier.position == trace->position[w->earlier.v] && g->lo == w->lo && g->hi == w->hi)
            continue;
        printf("%s: race %zu differs\n", name, i);
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

static bool compare(const rcp_trace *trace, rcp_model model, bool published, tally *sum) {
    order_races got = {0};
    rcp_naive_races want = {0};
    const rcp_rules *rules = model == RCP_MODEL_SDP ? &rcp_rules_sdp_published : rcp_rules_of(model);
    rcp_naive_weak(trace, model, published, &want);
    bool ok = run_engine(trace, rules, published, false, &got, sum) && same(trace, rcp_model_name(model), &got, &want);
    *(published ? &sum->races[model] : &sum->handled[model]) += got.len;
    rcp_vec_finish(&got);
    rcp_vec_finish(&want);
    return ok;
}

static bool within(const rcp_trace *trace, const uint64_t *few, const uint64_t *many, const char *what) {
    for (size_t j = 0; j < trace->events.len; j++)
        if (few[j] & ~many[j]) {
            printf("%s: pair %d, %zu\n", what, __builtin_ctzll(few[j] & ~many[j]), j);
            return false;
        }
    return true;
}

static bool flags_event(const order_races *races, const rcp_order_race *race) {
    for (size_t i = 0; i < races->len; i++)
        if (races->at[i].eid.v == race->eid.v && races->at[i].earlier.tid.v == race->earlier.tid.v &&
            races->at[i].earlier.position == race->earlier.position)
            return true;
    return false;
}

/* Is an access of this kind and place in the program flagged, for the same thread? */
static bool flags_like(const rcp_trace *trace, const order_races *races, const rcp_order_race *race) {
    const rcp_event *e = &trace->events.at[race->eid.v];
    for (size_t i = 0; i < races->len; i++) {
        const rcp_order_race *r = &races->at[i];
        const rcp_event *o = &trace->events.at[r->eid.v];
        if (r->earlier.tid.v == race->earlier.tid.v && e->tid.v == o->tid.v && e->kind == o->kind &&
            e->loc.v == o->loc.v && e->addr == o->addr && rcp_event_extent(e) == rcp_event_extent(o))
            return true;
    }
    return false;
}

/* What is filtered changes no verdict: each event that is left is flagged as before, with the same accesses, and for
 * one that is not there is another like it that is. */
static bool filters_well(const rcp_trace *trace, rcp_model model, tally *sum) {
    order_races all = {0}, few = {0};
    bool ok = run_engine(trace, rcp_rules_of(model), false, false, &all, sum) &&
              run_engine(trace, rcp_rules_of(model), false, true, &few, sum);
    for (size_t i = 0; i < all.len && ok; i++)
        if (!(ok = flags_like(trace, &few, &all.at[i])))
            printf("%s: with the filter %" PRIu64 " with T%u.%u is not flagged\n", rcp_model_name(model),
                   all.at[i].eid.v, all.at[i].earlier.tid.v, all.at[i].earlier.position);
    for (size_t i = 0; i < few.len && ok; i++)
        if (!(ok = flags_event(&all, &few.at[i])))
            printf("%s: only with the filter %" PRIu64 " with T%u.%u is flagged\n", rcp_model_name(model),
                   few.at[i].eid.v, few.at[i].earlier.tid.v, few.at[i].earlier.position);
    rcp_vec_finish(&all);
    rcp_vec_finish(&few);
    return ok;
}

/* hb leaves two conflicting atomic accesses unordered unless the later one reads from the earlier; the papers' volatile
 * accesses are ordered, and so are they in wcp. */
static bool has_atomic_conflict(const rcp_trace *trace) {
    for (size_t j = 0; j < trace->events.len; j++)
        for (size_t i = 0; i < j; i++) {
            const rcp_event *a = &trace->events.at[i], *b = &trace->events.at[j];
            if (a->tid.v != b->tid.v && rcp_event_is_atomic(a) && rcp_event_is_atomic(b) &&
                (rcp_event_writes(a) || rcp_event_writes(b)) && rcp_naive_overlap(trace, i, j))
                return true;
        }
    return false;
}

static bool inclusions(const rcp_trace *trace) {
    uint64_t hb[64], wcp[64], dc[64], sdp[64], wdp[64];
    rcp_naive_pairs(trace, RCP_MODEL_HB, true, hb);
    rcp_naive_pairs(trace, RCP_MODEL_WCP, true, wcp);
    rcp_naive_pairs(trace, RCP_MODEL_DC, true, dc);
    rcp_naive_pairs(trace, RCP_MODEL_SDP, true, sdp);
    rcp_naive_pairs(trace, RCP_MODEL_WDP, true, wdp);
    return (has_atomic_conflict(trace) || within(trace, hb, wcp, "hb in wcp")) &&
           within(trace, wcp, sdp, "wcp in sdp") && within(trace, dc, wdp, "dc in wdp") &&
           within(trace, sdp, wdp, "sdp in wdp");
}

enum { STATES = 60000 };

static bool misses_nothing(const rcp_trace *trace, tally *sum) {
    rcp_oracle *oracle = rcp_oracle_create(trace, RCP_VALUES_LAST_WRITER, false);
    bool ok = true;
    if (!rcp_oracle_explore(oracle, STATES)) {
        sum->left_out++;
    } else {
        uint64_t wdp[64];
        rcp_naive_pairs(trace, RCP_MODEL_WDP, false, wdp);
        sum->explored++;
        for (size_t j = 0; j < trace->events.len && ok; j++)
            for (size_t i = 0; i < j && ok; i++)
                if (rcp_oracle_races(oracle, (rcp_eid){i}, (rcp_eid){j})) {
                    sum->predictable++;
                    ok = wdp[j] >> i & 1;
                    if (!ok)
                        printf("wdp orders the predictable race %zu, %zu\n", i, j);
                }
    }
    rcp_oracle_destroy(oracle);
    return ok;
}

/* Do threads wait for each other's locks after the schedule? */
static bool deadlocked(const rcp_trace *trace, const rcp_schedule *schedule) {
    size_t next[RCP_GEN_MAX_THREADS + 1] = {0}, waits_for[RCP_GEN_MAX_THREADS + 1];
    int64_t held[64][RCP_GEN_MAX_THREADS + 1] = {{0}};
    for (uint32_t i = 0; i < schedule->len; i++) {
        const rcp_event *e = &trace->events.at[schedule->at[i]];
        next[e->tid.v]++;
        if (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE)
            held[e->object.v][e->tid.v]++;
        if (e->kind == RCP_RELEASE)
            held[e->object.v][e->tid.v]--;
    }
    size_t threads = trace->defs.threads.len;
    for (size_t t = 0; t < threads; t++) {
        waits_for[t] = SIZE_MAX;
        if (next[t] >= rcp_trace_thread_len(trace, (rcp_tid){(uint32_t)t}))
            continue;
        const rcp_event *e =
            &trace->events.at[rcp_trace_event_of(trace, (rcp_tid){(uint32_t)t}, (rcp_position)next[t]).v];
        for (size_t u = 0; u < threads && e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE; u++)
            if (u != t && held[e->object.v][u] > 0)
                waits_for[t] = u;
    }
    for (size_t t = 0; t < threads; t++) {
        size_t at = t, steps = 0;
        while (at != SIZE_MAX && steps++ <= threads)
            at = waits_for[at];
        if (at != SIZE_MAX)
            return true;
    }
    return false;
}

static bool has_race_or_deadlock(const rcp_trace *trace, rcp_oracle *oracle, tally *sum) {
    for (size_t j = 0; j < trace->events.len; j++)
        for (size_t i = 0; i < j; i++)
            if (rcp_oracle_races(oracle, (rcp_eid){i}, (rcp_eid){j}))
                return true;
    for (size_t i = 0; i < rcp_oracle_states(oracle); i++) {
        rcp_witness witness;
        rcp_schedule schedule;
        rcp_witness_init(&witness);
        rcp_oracle_schedule(oracle, i, &witness);
        rcp_schedule_of_witness(trace, &witness, &schedule);
        rcp_witness_finish(&witness);
        if (deadlocked(trace, &schedule)) {
            sum->deadlocks++;
            return true;
        }
    }
    return false;
}

/* The mended sdp, on a trace of mutexes, forks, accesses and branches. */
static bool is_sound(uint64_t seed, tally *sum) {
    rcp_gen_options options = rcp_gen_defaults();
    options.features = RCP_GEN_LOCKS | RCP_GEN_FORKS | RCP_GEN_BRANCHES | RCP_GEN_TERMS | RCP_GEN_IMPLICIT;
    options.max_events = 16 + seed % 9;
    rcp_trace trace;
    order_races races = {0};
    rcp_trace_init(&trace);
    rcp_gen_trace(&trace, &options, seed);
    bool ok = run_engine(&trace, &rcp_rules_sdp, false, false, &races, sum);
    sum->sound++;
    if (ok && races.len) {
        rcp_oracle *oracle = rcp_oracle_create(&trace, RCP_VALUES_LAST_WRITER, false);
        sum->flagged++;
        if (rcp_oracle_explore(oracle, STATES))
            ok = has_race_or_deadlock(&trace, oracle, sum);
        if (!ok) {
            printf("sdp flags %" PRIu64 ", and there is neither a race nor a deadlock\n", races.at[0].eid.v);
            rcp_show_trace(stdout, &trace);
        }
        rcp_oracle_destroy(oracle);
    }
    rcp_vec_finish(&races);
    rcp_trace_finish(&trace);
    return ok;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    const rcp_model models[] = {RCP_MODEL_WCP, RCP_MODEL_DC, RCP_MODEL_SDP, RCP_MODEL_WDP};
    uint64_t traces = 0, events = 0;
    tally sum = {0};
    bool ok = true;
    for (uint64_t i = 0; ok && rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events ? args.max_events : 12 + seed % 20);
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        traces++;
        events += trace.events.len;
        for (size_t m = 0; m < 4 && ok; m++)
            ok = compare(&trace, models[m], true, &sum);
        for (size_t m = 0; m < 4 && ok; m++)
            ok = filters_well(&trace, models[m], &sum);
        for (size_t m = 0; m < 4 && ok; m++)
            ok = compare(&trace, models[m], false, &sum);
        ok = ok && inclusions(&trace) && misses_nothing(&trace, &sum);
        if (!ok)
            rcp_show_trace(stdout, &trace);
        ok = ok && is_sound(seed, &sum);
        if (!ok)
            printf("failed: --exact --seed %" PRIu64 "\n", seed);
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " traces, %" PRIu64 " events; races:", traces, events);
    for (size_t m = 0; m < 4; m++)
        printf(" %s %" PRIu64 " (handled %" PRIu64 ")", rcp_model_name(models[m]), sum.races[models[m]],
               sum.handled[models[m]]);
    printf("\npredictable races, none of which wdp orders: %" PRIu64 " in %" PRIu64 " traces (%" PRIu64
           " with too many states)\nsdp flags %" PRIu64 " of %" PRIu64
           " traces; each has a predictable race, or a deadlock (%" PRIu64 ")\n",
           sum.predictable, sum.explored, sum.left_out, sum.flagged, sum.sound, sum.deadlocks);
    printf("redundant events that were filtered, without another verdict: %" PRIu64 "\n", sum.filtered);
    return ok ? 0 : 1;
}
