/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/judge.h"

#include "base/limits.h"

/* What has been decided about a pair's instances. */
typedef struct decided {
    rcp_eid earlier, later;
    rcp_vindication outcome;
} decided;

typedef struct vindication {
    const rcp_trace *trace;
    rcp_vindicator *vindicator;
    const rcp_pairs *pairs;
    rcp_proof_budget *budget;
    rcp_vindications *made;
    rcp_pairs found; /* those of made->more */
} vindication;

/* Decides an instance; `race` is the pair's, and settled where it is one. */
static rcp_code vindicate(vindication *v, rcp_race *race, rcp_model model, uint64_t instances, rcp_eid earlier,
                          rcp_eid later, rcp_vindication *outcome) {
    rcp_vindicate_result result;
    RCP_TRY(rcp_vindicate(v->vindicator, earlier, later, &v->budget->left, &result));
    v->made->counts[result.outcome][result.by]++;
    *outcome = result.outcome;
    rcp_proof proof;
    rcp_proof_init(&proof, earlier, later);
    proof.proven = result.outcome == RCP_IS_RACE;
    proof.values = RCP_VALUES_LAST_WRITER;
    snprintf(proof.verdict.reason, sizeof proof.verdict.reason, "%s", result.why);
    if (proof.proven) {
        proof.witness = result.witness;
        rcp_witness_init(&result.witness);
    }
    if (proof.proven || !race->models)
        rcp_settle(race, model, instances, &proof);
    rcp_proof_finish(&proof);
    rcp_vindicate_result_finish(&result);
    return RCP_OK;
}

static rcp_code vindicate_pair(vindication *v, uint32_t p, uint32_t models) {
    decided known[RCP_MOST_INSTANCES * 4];
    size_t n = 0;
    bool unknown = false, flagged = false;
    rcp_race *race = &v->made->races[p];
    for (rcp_model model = RCP_MODEL_WCP; model <= RCP_MODEL_WDP; model++) {
        const rcp_pair_flags *flags = v->pairs->at.at[p].by[model];
        if (!(models & RCP_MODEL_BIT(model)) || !flags)
            continue;
        flagged = true;
        if (rcp_settled_already(v->trace, flags, race)) {
            race->models |= RCP_MODEL_BIT(model);
            continue;
        }
        bool proven = false;
        for (size_t i = 0; i < rcp_pair_kept(flags) && !proven; i++) {
            decided d = {rcp_pair_earlier(v->trace, &flags->kept[i]), flags->kept[i].later, RCP_UNKNOWN};
            size_t k = 0;
            while (k < n && (known[k].earlier.v != d.earlier.v || known[k].later.v != d.later.v))
                k++;
            if (k == n) {
                RCP_TRY(vindicate(v, race, model, flags->count, d.earlier, d.later, &d.outcome));
                known[n++] = d;
            }
            proven = known[k].outcome == RCP_IS_RACE;
            unknown |= known[k].outcome == RCP_UNKNOWN;
        }
        if (proven == rcp_race_is_proven(race))
            race->models |= RCP_MODEL_BIT(model);
    }
    if (flagged && !rcp_race_is_proven(race)) {
        v->budget->undecided[p] |= unknown;
        /* hb's own say on it stays: it is flagged, and unproven */
        v->made->refuted[p] = !unknown && !(race->models & ~RCP_VINDICATED);
    }
    return RCP_OK;
}

size_t rcp_judge_earlier(const rcp_trace *trace, rcp_eid named, rcp_eid later, uint64_t *limit,
                         rcp_eid found[RCP_MOST_INSTANCES]) {
    const rcp_event *e = &trace->events.at[later.v];
    rcp_tid tid = trace->events.at[named.v].tid;
    size_t n = 0;
    rcp_position at = trace->position[named.v];
    uint64_t behind = rcp_limit(RCP_LIMIT_EARLIER_EVENTS), most = rcp_limit(RCP_LIMIT_EARLIER_ACCESSES);
    rcp_position end = at > behind ? at - (rcp_position)behind : 0;
    for (; at > end && n < most && *limit; --*limit) {
        rcp_eid eid = rcp_trace_event_of(trace, tid, --at);
        if (rcp_event_conflict(&trace->events.at[eid.v], e))
            found[n++] = eid;
    }
    if (at && (n == most || at == end))
        rcp_limit_reached(n == most ? RCP_LIMIT_EARLIER_ACCESSES : RCP_LIMIT_EARLIER_EVENTS);
    return n;
}

static rcp_order_access access_of(const rcp_trace *trace, rcp_eid eid) {
    const rcp_event *e = &trace->events.at[eid.v];
    return (rcp_order_access){e->tid, trace->position[eid.v], e->loc, e->kind, rcp_event_is_atomic(e)};
}

/* Tries an access before the one that was named, unless its static pair is known to race. */
static rcp_code try_earlier(vindication *v, rcp_eid earlier, rcp_eid later) {
    uint64_t a = v->trace->events.at[earlier.v].addr, b = v->trace->events.at[later.v].addr;
    rcp_order_race pair = {.eid = later,
                           .earlier = access_of(v->trace, earlier),
                           .later = access_of(v->trace, later),
                           .lo = a > b ? a : b};
    uint32_t p = rcp_pairs_look_up(v->pairs, &pair);
    rcp_race *race = p < v->pairs->at.len ? &v->made->races[p] : NULL, other;
    rcp_vindication outcome;
    if (race ? rcp_race_is_proven(race) : rcp_pairs_look_up(&v->found, &pair) != UINT32_MAX)
        return RCP_OK;
    rcp_race_init(&other);
    RCP_TRY(vindicate(v, &other, RCP_MODEL_WDP, 1, earlier, later, &outcome));
    if (outcome != RCP_IS_RACE) {
        rcp_race_finish(&other);
    } else if (race) {
        rcp_race_finish(race);
        *race = other;
        v->made->refuted[p] = v->budget->undecided[p] = false;
    } else {
        rcp_pairs_add(&v->found, RCP_MODEL_WDP, &pair);
        rcp_vec_push(&v->made->more, other);
    }
    return RCP_OK;
}

/* What stands behind the accesses that wdp named, and that are not proven; or, `proven`, that are: then other places of
 * that thread may race as well, and no order that names a thread's last access alone has asked about them. */
static rcp_code look_behind(vindication *v, const bool *was_proven, bool proven) {
    enum { WALKS = 16 }; /* what is looked for behind races is a bonus: so much of earlier-events, in all */
    uint64_t bonus = WALKS * rcp_limit(RCP_LIMIT_EARLIER_EVENTS);
    for (uint32_t p = 0; p < v->pairs->at.len; p++) {
        const rcp_pair_flags *flags = v->pairs->at.at[p].by[RCP_MODEL_WDP];
        if (was_proven[p] != proven)
            continue;
        for (size_t i = 0; i < rcp_pair_kept(flags) && (proven || !rcp_race_is_proven(&v->made->races[p])); i++) {
            rcp_eid found[RCP_MOST_INSTANCES];
            rcp_limit_counts unsaid = {0}, *counts = proven ? rcp_limits_capture(&unsaid) : NULL;
            size_t n = rcp_judge_earlier(v->trace, rcp_pair_earlier(v->trace, &flags->kept[i]), flags->kept[i].later,
                                         proven ? &bonus : &v->budget->left, found);
            if (proven)
                rcp_limits_capture(counts);
            for (size_t k = 0; k < n && !rcp_proof_budget_is_over(v->budget); k++)
                RCP_TRY(try_earlier(v, found[k], flags->kept[i].later));
        }
    }
    return RCP_OK;
}

static void note_proven(const vindication *v, bool *is_proven) {
    for (size_t p = 0; p < v->pairs->at.len; p++)
        is_proven[p] = rcp_race_is_proven(&v->made->races[p]);
}

/* There is no time to decide anything. */
static void leave_open(vindication *v, uint32_t models) {
    for (uint32_t p = 0; p < v->pairs->at.len; p++) {
        rcp_race *race = &v->made->races[p];
        for (rcp_model model = RCP_MODEL_WCP; model <= RCP_MODEL_WDP; model++) {
            const rcp_pair_flags *flags = v->pairs->at.at[p].by[model];
            if (!(models & RCP_MODEL_BIT(model)) || !flags || rcp_race_is_proven(race))
                continue;
            rcp_proof proof;
            rcp_proof_init(&proof, rcp_pair_earlier(v->trace, &flags->kept[0]), flags->kept[0].later);
            if (!race->models)
                rcp_settle(race, model, flags->count, &proof);
            race->models |= RCP_MODEL_BIT(model);
            v->budget->undecided[p] = true;
            rcp_proof_finish(&proof);
        }
    }
}

/* Pairs that no order has proven so far come first, and of these the ones that wdp alone flags: what sdp flags is
 * nearly always a race, and the limit may be reached. Of a pair that is proven it is only seen which orders flag it,
 * too. */
rcp_code rcp_judge_all(const rcp_trace *trace, const rcp_checker *checker, uint32_t models, const rcp_pairs *pairs,
                       rcp_proof_budget *budget, rcp_vindications *made) {
    vindication v = {.trace = trace, .pairs = pairs, .budget = budget, .made = made};
    uint64_t upto = 0;
    for (size_t p = 0; p < pairs->at.len; p++)
        for (rcp_model model = RCP_MODEL_WCP; model <= RCP_MODEL_WDP; model++)
            for (size_t i = 0; i < rcp_pair_kept(pairs->at.at[p].by[model]); i++)
                upto = pairs->at.at[p].by[model]->kept[i].later.v >= upto
                           ? pairs->at.at[p].by[model]->kept[i].later.v + 1
                           : upto;
    if (!upto)
        return RCP_OK;
    if (rcp_proof_budget_is_over(budget)) {
        leave_open(&v, models);
        return RCP_OK;
    }
    RCP_TRY(rcp_vindicator_create(trace, checker, upto, &v.vindicator));
    rcp_code code = RCP_OK;
    bool *is_proven = rcp_alloc_zero(pairs->at.len + 1, sizeof *is_proven);
    rcp_pairs_init(&v.found);
    note_proven(&v, is_proven); /* by hb and shb */
    for (int round = 0; round < 4; round++)
        for (uint32_t p = 0; p < pairs->at.len && code == RCP_OK; p++) {
            const bool is_likely = pairs->at.at[p].by[RCP_MODEL_SDP];
            rcp_proof_budget_is_over(budget);
            if (2 * is_proven[p] + is_likely == round)
                code = vindicate_pair(&v, p, models & RCP_VINDICATED);
        }
    note_proven(&v, is_proven);
    for (int proven = 0; proven < 2 && code == RCP_OK; proven++)
        code = look_behind(&v, is_proven, proven);
    rcp_pairs_finish(&v.found);
    rcp_release(is_proven);
    rcp_vindicator_destroy(v.vindicator);
    return code;
}
