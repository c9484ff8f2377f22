/* SPDX-License-Identifier: Apache-2.0 */
/* c11 against the standard's definition (naive_order.h) on random traces with all memory orders and fences: the engine
 * flags the same events, with the same earlier accesses; and of every pair that conflicts the judge
 * (trace/check/language.h) says the same as the definition, of the language's order and of happens-before. And a read
 * may take older bytes, and a store come late (trace/check/older.h), exactly where that definition of the order leaves
 * it open; what is left of the recorded order for a late store is an execution, always. */
#include "args.h"
#include "gen.h"
#include "naive_order.h"
#include "order/engine/engine.h"
#include "order/proof/cure.h"
#include "random.h"
#include "trace/check/checker.h"
#include "trace/check/language.h"
#include "trace/check/older.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef RCP_VEC(rcp_order_race) order_races;

typedef struct tally {
    uint64_t traces, narrow, events, fences, races, pairs, ours, cured, incurable, together, older, newer, late,
        in_time;
} tally;

static void keep(void *context, const rcp_order_race *race) {
    order_races *races = context;
    rcp_vec_push(races, *race);
}

static void print_trace(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        printf("%3zu T%u.%u %s mode %u outcome %u addr %" PRIx64 " extent %" PRIu64 " object %u lock %u\n", i, e->tid.v,
               trace->position[i], rcp_event_traits(e->kind)->name, e->mode, e->outcome, e->addr, rcp_event_extent(e),
               e->object.v, e->lock.v);
    }
}

static bool same_races(const rcp_trace *trace, bool by_place, tally *sum) {
    order_races got = {0};
    rcp_naive_races want = {0};
    rcp_engine *engine = rcp_engine_create(rcp_rules_of(RCP_MODEL_C11), &trace->defs, keep, &got);
    if (by_place)
        rcp_engine_name_places(engine);
    bool ok = rcp_engine_add_all(engine, (rcp_eid){0}, trace->events.at, trace->events.len) == RCP_OK;
    rcp_engine_destroy(engine);
    rcp_naive_order(trace, RCP_NAIVE_ORDER_C11, by_place, &want);
    ok = ok && got.len == want.len;
    for (size_t i = 0; ok && i < got.len; i++) {
        const rcp_order_race *g = &got.at[i];
        const rcp_naive_race *w = &want.at[i];
        ok = g->eid.v == w->later.v && g->earlier.tid.v == trace->events.at[w->earlier.v].tid.v &&
             g->earlier.position == trace->position[w->earlier.v] && g->lo == w->lo && g->hi == w->hi;
    }
    if (!ok) {
        print_trace(trace);
        for (size_t i = 0; i < got.len; i++)
            printf("  engine: %" PRIu64 " with T%u.%u\n", got.at[i].eid.v, got.at[i].earlier.tid.v,
                   got.at[i].earlier.position);
        for (size_t i = 0; i < want.len; i++)
            printf("  by definition: %" PRIu64 " with %" PRIu64 "\n", want.at[i].later.v, want.at[i].earlier.v);
    }
    sum->races += by_place ? 0 : got.len;
    rcp_vec_finish(&got);
    rcp_vec_finish(&want);
    return ok;
}

/* By which cures name it (put_somewhere()). */
static rcp_loc place_of(const rcp_trace *trace, const rcp_event *e) {
    return e->stack.v ? trace->defs.stacks.at[e->stack.v].loc : e->loc;
}

static bool are_all_before(const bool *is_before, size_t n, const rcp_cure_instance *pairs, size_t n_pairs) {
    size_t ordered = 0;
    for (size_t p = 0; p < n_pairs; p++)
        ordered += is_before[pairs[p].earlier.v * n + pairs[p].later.v];
    return ordered == n_pairs;
}

/* Each cure orders all pairs by the definition, and none of its changes can be left out. */
static bool are_cures(rcp_trace *trace, const rcp_cure_instance *pairs, size_t n_pairs, tally *sum) {
    rcp_cures cures;
    uint64_t left = UINT64_MAX;
    size_t n = trace->events.len;
    rcp_cures_find(trace, pairs, n_pairs, &left, &cures);
    uint8_t *modes = rcp_alloc(n + 1);
    bool ok = true;
    for (size_t k = 0; k < n; k++)
        modes[k] = trace->events.at[k].mode;
    for (size_t c = 0; c < cures.n && ok; c++)
        for (size_t without = 0; without <= cures.at[c].n && ok; without++) {
            for (size_t m = 0; m < cures.at[c].n; m++)
                for (size_t k = 0; k < n; k++) {
                    const rcp_order_change *change = &cures.at[c].change[m];
                    rcp_event *e = &trace->events.at[k];
                    if (m != without && place_of(trace, e).v == change->place.v && e->kind == change->kind && modes[k])
                        e->mode = change->order;
                }
            bool *is_before = rcp_naive_take_before(trace, RCP_NAIVE_ORDER_C11);
            ok = are_all_before(is_before, n, pairs, n_pairs) == (without == cures.at[c].n);
            rcp_release(is_before);
            for (size_t k = 0; k < n; k++)
                trace->events.at[k].mode = modes[k];
        }
    sum->cured += n_pairs == 1 && cures.n > 0;
    sum->incurable += n_pairs == 1 && cures.is_none;
    sum->together += n_pairs > 1 && cures.n > 0;
    if (!ok) {
        print_trace(trace);
        for (size_t p = 0; p < n_pairs; p++)
            printf("%" PRIu64 " and %" PRIu64 ": a cure is none, or has a change too many\n", pairs[p].earlier.v,
                   pairs[p].later.v);
    }
    rcp_release(modes);
    return ok;
}

static bool same_pairs(rcp_trace *trace, tally *sum) {
    size_t n = trace->events.len;
    bool *language = rcp_naive_take_before(trace, RCP_NAIVE_ORDER_C11);
    bool *hb = rcp_naive_take_before(trace, RCP_NAIVE_ORDER_HB);
    bool ok = true;
    rcp_cure_instance ours[2] = {0}; /* the one before, and this one: both at once as well */
    size_t n_ours = 0;
    for (size_t j = 0; j < n && ok; j++)
        for (size_t i = 0; i < j && ok; i++) {
            uint64_t lo, hi;
            if (!rcp_naive_conflict(trace, i, j, &lo, &hi))
                continue;
            rcp_language_verdict verdict;
            rcp_language_check(trace, (rcp_eid){i}, (rcp_eid){j}, &verdict);
            ok = verdict.conflict && verdict.is_ordered == language[i * n + j] && verdict.is_before == hb[i * n + j];
            sum->pairs++;
            sum->ours += verdict.accepted;
            if (ok && verdict.accepted) {
                ours[0] = ours[1];
                ours[1] = (rcp_cure_instance){{i}, {j}};
                ok = are_cures(trace, &ours[1], 1, sum) && (!n_ours++ || are_cures(trace, ours, 2, sum));
            }
            if (ok)
                continue;
            print_trace(trace);
            printf("%zu and %zu: judge: conflict %d, language %d, hb %d; by definition: language %d, hb %d\n", i, j,
                   verdict.conflict, verdict.is_ordered, verdict.is_before, language[i * n + j], hb[i * n + j]);
        }
    rcp_release(language);
    rcp_release(hb);
    return ok;
}

static bool has_bytes_of(const rcp_trace *trace, const rcp_event *e, const rcp_event *r) {
    if (rcp_event_is_opaque(e))
        return rcp_defs_reach_holds(&trace->defs, e->reach, r->addr, r->addr + r->size);
    uint64_t extent = rcp_event_extent(e);
    return extent && e->addr < r->addr + r->size && r->addr < e->addr + extent;
}

/* Is event k, an opaque pair's beginning, still open at i? */
static bool is_open_at(const rcp_trace *trace, size_t k, size_t i) {
    int depth = 1;
    for (size_t m = k + 1; m < i && depth; m++)
        if (trace->events.at[m].tid.v == trace->events.at[k].tid.v)
            depth += trace->events.at[m].kind == RCP_OPAQUE_BEGIN ? 1 : -(trace->events.at[m].kind == RCP_OPAQUE_END);
    return depth;
}

/* By its definition, but for what the bytes are. */
static bool may_be_older(const rcp_trace *trace, const bool *language, size_t i, size_t j) {
    const size_t n = trace->events.len;
    const rcp_event *w = &trace->events.at[i], *r = &trace->events.at[j];
    bool may = rcp_event_is_access(w) && rcp_event_writes(w) && r->kind == RCP_READ && w->tid.v != r->tid.v &&
               r->size <= 8 && r->mode != RCP_SEQ_CST && r->addr >= w->addr && r->addr + r->size <= w->addr + w->size;
    for (size_t k = 0; k < i && may; k++)
        if (trace->events.at[k].kind == RCP_OPAQUE_BEGIN && has_bytes_of(trace, &trace->events.at[k], r))
            may = !is_open_at(trace, k, i);
    for (size_t k = i; k < j && may; k++) {
        const rcp_event *e = &trace->events.at[k];
        if (has_bytes_of(trace, e, r))
            may = rcp_event_is_access(e) && e->tid.v != r->tid.v && !language[k * n + j];
        if (r->mode != RCP_PLAIN && e->tid.v == r->tid.v)
            may &= !rcp_event_is_opaque(e) && (e->kind != RCP_FENCE || e->mode != RCP_SEQ_CST);
    }
    return may;
}

/* What the bytes held before w is what their last writer, or reader, of that life has. */
static bool is_what_was_there(const rcp_trace *trace, size_t i, const rcp_event *r, const uint8_t *bytes) {
    for (uint64_t b = 0; b < r->size; b++) {
        size_t writer = rcp_naive_writer(trace, i, r->addr + b);
        const rcp_event *x = writer ? &trace->events.at[writer - 1] : NULL;
        if (x && rcp_event_is_access(x) && x->valued && bytes[b] != rcp_event_written(x)[r->addr + b - x->addr])
            return false;
    }
    return true;
}

static bool same_older(const rcp_trace *trace, tally *sum) {
    static const char unknown[] = "what the bytes held";
    const size_t n = trace->events.len;
    bool *language = rcp_naive_take_before(trace, RCP_NAIVE_ORDER_C11), ok = true;
    for (size_t j = 0; j < n && ok; j++)
        for (size_t i = 0; i < j && ok; i++) {
            rcp_older_verdict verdict;
            rcp_older_check(trace, (rcp_eid){i}, (rcp_eid){j}, &verdict);
            bool may = may_be_older(trace, language, i, j);
            ok = !strncmp(verdict.reason, unknown, strlen(unknown)) || verdict.allowed == may;
            if (ok && verdict.allowed)
                ok = is_what_was_there(trace, i, &trace->events.at[j], verdict.bytes);
            sum->older += verdict.allowed;
            sum->newer += !may && trace->events.at[j].kind == RCP_READ && rcp_event_is_access(&trace->events.at[i]);
            if (!ok) {
                print_trace(trace);
                printf("%zu and %zu: judge: may be older %d (%s), by definition %d\n", i, j, verdict.allowed,
                       verdict.reason, may);
            }
        }
    rcp_release(language);
    return ok;
}

/* --- late stores --- */

static bool goes_past(const rcp_event *e) {
    return e->kind == RCP_READ || e->kind == RCP_BRANCH || (e->kind == RCP_WRITE && e->mode < RCP_REL);
}

/* Has event k taken from event m, or does it use what m freed? */
static bool takes_from(const rcp_trace *trace, size_t m, size_t k) {
    const rcp_event *from = &trace->events.at[m], *e = &trace->events.at[k];
    for (uint64_t byte = e->addr; byte < e->addr + rcp_event_extent(e); byte++) {
        if (from->kind == RCP_FREE && rcp_naive_share(trace, m, k, byte))
            return true;
        if (rcp_event_is_access(e) && rcp_event_reads(e) && rcp_naive_writer(trace, k, byte) == m + 1)
            return true;
    }
    return false;
}

/* What is left out so that store i can come after event j, by the definition. */
static bool *take_out(const rcp_trace *trace, const bool *shb, size_t i, size_t j) {
    const size_t n = trace->events.len;
    const rcp_event *w = &trace->events.at[i];
    bool *out = rcp_alloc_zero(n + 1, sizeof *out);
    for (size_t k = i + 1; k <= j; k++) {
        const rcp_event *e = &trace->events.at[k];
        out[k] = k < j && (has_bytes_of(trace, e, w) || (e->tid.v == w->tid.v && !goes_past(e)));
        for (size_t m = i + 1; m < k && !out[k]; m++)
            out[k] = out[m] && (shb[m * n + k] || takes_from(trace, m, k));
    }
    return out;
}

/* By its definition. `run`: the execution, without events. */
static bool may_be_late(const rcp_trace *trace, const bool *shb, size_t i, size_t j, rcp_trace *run) {
    const rcp_event *w = &trace->events.at[i], *b = &trace->events.at[j];
    const bool is_atomic = w->mode != RCP_PLAIN || b->mode != RCP_PLAIN;
    bool may = w->kind == RCP_WRITE && w->mode < RCP_REL && w->size <= 8 && rcp_event_is_access(b) &&
               w->tid.v != b->tid.v && has_bytes_of(trace, b, w) &&
               (!is_atomic || (w->addr == b->addr && w->size == b->size));
    for (size_t k = 0; k < i && may; k++)
        if (trace->events.at[k].kind == RCP_OPAQUE_BEGIN && has_bytes_of(trace, &trace->events.at[k], w))
            may = !is_open_at(trace, k, i);
    if (!may)
        return false;
    bool *out = take_out(trace, shb, i, j);
    for (size_t k = 0; k <= j; k++)
        if (!out[k])
            rcp_vec_push(&run->events, trace->events.at[k]);
    may = !out[j];
    rcp_release(out);
    rcp_trace_index(run);
    const size_t left = run->events.len;
    bool *language = may ? rcp_naive_take_before(run, RCP_NAIVE_ORDER_C11) : NULL;
    may = may && !language[i * left + left - 1];
    rcp_release(language);
    return may;
}

/* May the recorded order be refused up to there, because something hangs on bytes that nobody had written? Then nothing
 * else is an execution either. */
static bool is_execution(const rcp_checker *checker, size_t n) {
    const rcp_witness way = {.recorded = n, .race = {RCP_NO_EID, RCP_NO_EID}};
    bool is = false;
    for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED && !is; rule++) {
        rcp_check_verdict verdict;
        is = rcp_checker_run(checker, &way, (rcp_check_options){.values = (rcp_value_rule)rule}, &verdict) == RCP_OK &&
             verdict.accepted;
    }
    return is;
}

static bool same_late(const rcp_trace *trace, tally *sum) {
    const size_t n = trace->events.len;
    bool *shb = rcp_naive_take_before(trace, RCP_NAIVE_ORDER_SHB);
    rcp_checker *checker = NULL;
    bool ok = rcp_checker_create(trace, &checker) == RCP_OK;
    for (size_t j = 0; j < n && ok; j++)
        for (size_t i = 0; i < j && ok; i++) {
            uint64_t lo, hi;
            if (!rcp_naive_conflict(trace, i, j, &lo, &hi) || trace->events.at[i].kind == RCP_READ)
                continue;
            rcp_trace run = {.defs = trace->defs};
            rcp_late_verdict verdict;
            ok = rcp_late_find(trace, (rcp_eid){i}, (rcp_eid){j}, &verdict) == RCP_OK;
            bool may = may_be_late(trace, shb, i, j, &run);
            ok = ok && (verdict.allowed == may || (may && !is_execution(checker, j))) &&
                 (!verdict.allowed || !verdict.known ||
                  is_what_was_there(trace, i, &trace->events.at[i], verdict.bytes));
            sum->late += verdict.allowed;
            sum->in_time += !may;
            if (!ok) {
                print_trace(trace);
                printf("%zu and %zu: judge: may be late %d (%s), by definition %d\n", i, j, verdict.allowed,
                       verdict.reason, may);
            }
            rcp_late_verdict_finish(&verdict);
            run.defs = (rcp_defs){0};
            rcp_trace_finish(&run);
        }
    rcp_release(shb);
    rcp_checker_destroy(checker);
    return ok;
}

/* One of a few places in the program; half of them call a header of the library there. */
static void put_somewhere(rcp_trace *trace, rcp_event *e, rcp_random *random) {
    static const char own[] = "own.cc", header[] = "/usr/include/c++/12/atomic";
    rcp_location at = {.file = rcp_defs_string(&trace->defs, own, strlen(own)),
                       .line = 1 + (uint32_t)rcp_random_below(random, 8)};
    e->loc = rcp_defs_location(&trace->defs, at);
    e->stack = (rcp_stack){0};
    if (at.line % 2) {
        e->stack = rcp_defs_stack(&trace->defs, (rcp_frame){.loc = e->loc});
        at = (rcp_location){.file = rcp_defs_string(&trace->defs, header, strlen(header)), .line = 7};
        e->loc = rcp_defs_location(&trace->defs, at);
    }
}

/* Every order as likely as any, also where the language knows no such: the definition holds. And more fences, some of
 * them in every thread. */
static void weaken(rcp_trace *trace, uint64_t seed, tally *sum) {
    rcp_random random = {seed};
    if (rcp_random_below(&random, 2)) {
        rcp_defs_fact(&trace->defs, "release sequences", "C++20");
        sum->narrow++;
    }
    for (size_t i = 0; i < trace->events.len; i++) {
        rcp_event *e = &trace->events.at[i];
        if (e->kind == RCP_BRANCH && rcp_random_below(&random, 2))
            *e = (rcp_event){.kind = RCP_FENCE, .tid = e->tid};
        if (rcp_event_is_opaque(e) && !rcp_random_below(&random, 4))
            e->callee = rcp_defs_string(&trace->defs, RCP_FENCES_ALL, strlen(RCP_FENCES_ALL));
        if (e->kind == RCP_FENCE || (rcp_event_is_access(e) && e->mode != RCP_PLAIN)) {
            /* half of them do nothing by themselves: then fences matter */
            e->mode = (uint8_t)(e->kind != RCP_FENCE && rcp_random_below(&random, 2)
                                    ? RCP_RELAXED
                                    : RCP_RELAXED + rcp_random_below(&random, RCP_ORDERS - RCP_RELAXED));
            sum->fences += e->kind == RCP_FENCE;
            put_somewhere(trace, e, &random);
        }
    }
    rcp_trace_index(trace);
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    tally sum = {0};
    bool ok = true;
    for (uint64_t i = 0; ok && rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_defaults();
        options.max_events = args.max_events ? args.max_events : seed % 3 ? 20 + seed % 16 : RCP_GEN_MAX_EVENTS;
        if (seed % 4) { /* mostly little else */
            options.features = RCP_GEN_ATOMICS | RCP_GEN_BRANCHES | RCP_GEN_FORKS |
                               (seed % 4 > 1 ? RCP_GEN_WIDTHS : 0) | (seed % 4 > 2 ? RCP_GEN_HEAP | RCP_GEN_OPAQUE : 0);
            options.focused = true;
        }
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        weaken(&trace, seed, &sum);
        sum.traces++;
        sum.events += trace.events.len;
        ok = same_races(&trace, false, &sum) && same_races(&trace, true, &sum) && same_pairs(&trace, &sum) &&
             same_older(&trace, &sum) && same_late(&trace, &sum);
        if (!ok)
            printf("failed: --exact --seed %" PRIu64 "\n", seed);
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " traces, %" PRIu64 " of them with C++20's release sequences, %" PRIu64 " events, %" PRIu64
           " fences: %" PRIu64 " races by the language's order; %" PRIu64 " pairs judged, %" PRIu64
           " of them ordered by happens-before and not by the language, %" PRIu64 " with cures, %" PRIu64
           " without any, %" PRIu64 " times two that are cured at once; %" PRIu64
           " reads that may take older bytes, %" PRIu64 " that may not; %" PRIu64 " stores that may come late, %" PRIu64
           " that may not\n",
           sum.traces, sum.narrow, sum.events, sum.fences, sum.races, sum.pairs, sum.ours, sum.cured, sum.incurable,
           sum.together, sum.older, sum.newer, sum.late, sum.in_time);
    bool is_enough = sum.traces < 1000 || (sum.ours > 100 && sum.older > 100 && sum.newer > 100 && sum.late > 100);
    return ok && is_enough ? 0 : 1;
}
