/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/proof.h"

#include "order/engine/engine.h"

#include <stdlib.h>

void rcp_proof_init(rcp_proof *proof, rcp_eid earlier, rcp_eid later) {
    *proof = (rcp_proof){.earlier = earlier, .later = later};
    rcp_witness_init(&proof->witness);
}

void rcp_proof_finish(rcp_proof *proof) { rcp_witness_finish(&proof->witness); }

/* An access of some pair, with what the order knew about it. */
typedef struct seen {
    uint64_t eid;
    rcp_probe probe;
} seen;

typedef RCP_VEC(seen) seen_list;

static int by_eid(const void *a, const void *b) {
    uint64_t one = ((const seen *)a)->eid, other = ((const seen *)b)->eid;
    return (one > other) - (one < other);
}

static const rcp_probe *probe_of(const seen_list *list, rcp_eid eid) {
    seen key = {.eid = eid.v};
    return &((const seen *)bsearch(&key, list->at, list->len, sizeof key, by_eid))->probe;
}

static bool can_race(const rcp_event *e) { return rcp_event_is_access(e) || e->kind == RCP_FREE; }

static rcp_code check_pairs(const rcp_trace *trace, const rcp_proof *proofs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t a = proofs[i].earlier.v, b = proofs[i].later.v;
        if (a >= b || b >= trace->events.len)
            return rcp_fail(RCP_INTERNAL, "pair %zu is not two events of the trace, the earlier one first", i);
        const rcp_event *one = &trace->events.at[a], *other = &trace->events.at[b];
        if (!can_race(one) || !can_race(other) || one->tid.v == other->tid.v)
            return rcp_fail(RCP_INTERNAL, "pair %zu: events %llu and %llu are not accesses of two threads", i,
                            (unsigned long long)a, (unsigned long long)b);
    }
    return RCP_OK;
}

/* The events of all pairs, sorted, each once. */
static void collect(const rcp_proof *proofs, size_t n, seen_list *list) {
    for (size_t i = 0; i < n; i++)
        if (!proofs[i].skip) {
            rcp_vec_push(list, (seen){.eid = proofs[i].earlier.v});
            rcp_vec_push(list, (seen){.eid = proofs[i].later.v});
        }
    if (!list->len)
        return;
    qsort(list->at, list->len, sizeof *list->at, by_eid);
    size_t kept = 1;
    for (size_t i = 1; i < list->len; i++)
        if (list->at[i].eid != list->at[kept - 1].eid)
            list->at[kept++] = list->at[i];
    list->len = kept;
}

/* One pass over the trace, as far as it is needed. */
static rcp_code probe_all(const rcp_trace *trace, rcp_engine *engine, seen_list *list) {
    size_t next = 0;
    for (uint64_t i = 0; next < list->len; i++) {
        bool asked = list->at[next].eid == i;
        rcp_engine_probe(engine, asked ? &list->at[next].probe : NULL);
        RCP_TRY(rcp_engine_add(engine, (rcp_eid){i}, &trace->events.at[i]));
        next += asked;
    }
    return RCP_OK;
}

static void raise_to(uint32_t *prefix, size_t threads, const rcp_clocks *clocks, rcp_stamp stamp) {
    const rcp_clock_slot *slot = &clocks->slots.at[stamp.clock.v];
    for (uint32_t t = 0; t < slot->len && t < threads; t++)
        if (t != stamp.tid && slot->at[t] > prefix[t])
            prefix[t] = slot->at[t];
    if (stamp.count > prefix[stamp.tid])
        prefix[stamp.tid] = stamp.count;
}

/* All that must have been executed before `eid` can be next: prefix[t] events of each thread t. A FREE that is the
 * other of the pair is not among it. */
static void raise_before(const rcp_trace *trace, const rcp_clocks *clocks, const rcp_probe *probe, rcp_eid other,
                         uint32_t *prefix) {
    size_t threads = trace->defs.threads.len;
    rcp_stamp before = probe->before;
    before.count--; /* the event itself is not executed */
    raise_to(prefix, threads, clocks, before);
    for (size_t i = 0; i < probe->freed.len; i++) {
        rcp_stamp freed = probe->freed.at[i];
        if (rcp_trace_event_of(trace, (rcp_tid){freed.tid}, freed.count - 1).v != other.v)
            raise_to(prefix, threads, clocks, freed);
    }
}

static void build(const rcp_trace *trace, const uint32_t *prefix, rcp_proof *proof) {
    proof->witness.recorded = proof->earlier.v;
    for (uint64_t i = proof->earlier.v + 1; i < proof->later.v; i++) {
        rcp_tid tid = trace->events.at[i].tid;
        if (trace->position[i] < prefix[tid.v])
            rcp_witness_run(&proof->witness, tid, trace->position[i] + 1);
    }
    proof->witness.race[0] = proof->earlier;
    proof->witness.race[1] = proof->later;
}

/* What proving a batch works with. */
typedef struct batch {
    const rcp_trace *trace;
    const rcp_clocks *clocks;
    const seen_list *seen;
    const rcp_checker *checker;
    uint64_t *limit;
} batch;

static rcp_code check(const batch *b, rcp_proof *proof) {
    static const rcp_value_rule rules[] = {RCP_VALUES_SAME, RCP_VALUES_LAST_WRITER, RCP_VALUES_RELAXED};
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !proof->proven; i++) {
        if (*b->limit < proof->later.v) {
            proof->undecided = true;
            return RCP_OK;
        }
        *b->limit -= proof->later.v;
        rcp_check_options options = {.values = rules[i]};
        RCP_TRY(rcp_checker_run(b->checker, &proof->witness, options, &proof->verdict));
        proof->proven = proof->verdict.accepted;
        proof->values = rules[i];
    }
    return RCP_OK;
}

static rcp_code prove(const batch *b, rcp_proof *proof) {
    const rcp_trace *trace = b->trace;
    uint32_t *prefix = rcp_alloc_zero(trace->defs.threads.len, sizeof *prefix);
    raise_before(trace, b->clocks, probe_of(b->seen, proof->earlier), proof->later, prefix);
    raise_before(trace, b->clocks, probe_of(b->seen, proof->later), proof->earlier, prefix);
    rcp_code code = RCP_OK;
    if (prefix[trace->events.at[proof->earlier.v].tid.v] > trace->position[proof->earlier.v]) {
        proof->verdict.at = proof->earlier;
        snprintf(proof->verdict.reason, sizeof proof->verdict.reason,
                 "what comes before the later access needs the earlier one executed");
    } else {
        build(trace, prefix, proof);
        code = check(b, proof);
    }
    if (!proof->proven) {
        rcp_witness_finish(&proof->witness);
        rcp_witness_init(&proof->witness);
    }
    rcp_release(prefix);
    return code;
}

static rcp_code prove_all(const batch *b, rcp_proof *proofs, size_t n, rcp_proof_filter *filter, void *context) {
    for (size_t i = 0; i < n; i++)
        if (!proofs[i].skip && (!filter || filter(context, i)))
            RCP_TRY(prove(b, &proofs[i]));
    return RCP_OK;
}

rcp_code rcp_proofs_find(const rcp_trace *trace, const rcp_checker *checker, const rcp_rules *rules, rcp_proof *proofs,
                         size_t n, rcp_proof_filter *filter, void *context, uint64_t *limit) {
    RCP_TRY(check_pairs(trace, proofs, n));
    seen_list list = {0};
    collect(proofs, n, &list);
    rcp_engine *engine = rcp_engine_create(rules, &trace->defs, NULL, NULL);
    rcp_code code = probe_all(trace, engine, &list);
    batch b = {
        .trace = trace, .clocks = rcp_engine_borrow_clocks(engine), .seen = &list, .checker = checker, .limit = limit};
    if (code == RCP_OK)
        code = prove_all(&b, proofs, n, filter, context);
    for (size_t i = 0; i < list.len; i++)
        rcp_probe_clear(engine, &list.at[i].probe);
    rcp_vec_finish(&list);
    rcp_engine_destroy(engine);
    return code;
}
