/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/vindicate.h"

#include "base/limits.h"
#include "order/proof/construct.h"
#include "order/engine/engine.h"
#include "order/proof/saturate.h"
#include "order/proof/search.h"
#include "order/proof/supplies.h"
#include "order/engine/wdp.h"

#include <stdio.h>

struct rcp_vindicator {
    const rcp_trace *trace;
    const rcp_observed *observed;
    const rcp_checker *checker;
    rcp_order_facts facts;
    rcp_engine *engine; /* owns the graph */
    const rcp_order_graph *graph;
    rcp_order_graph supplies;
};

rcp_code rcp_vindicator_create(const rcp_trace *trace, const rcp_checker *checker, uint64_t upto,
                               rcp_vindicator **vindicator) {
    rcp_vindicator *v = rcp_alloc_zero(1, sizeof *v);
    v->trace = trace;
    v->checker = checker;
    v->observed = rcp_checker_borrow_observed(checker);
    rcp_order_facts_init(&v->facts);
    rcp_order_facts_add(&v->facts, trace->events.at, trace->events.len);
    v->engine = rcp_engine_create(&rcp_rules_wdp, &trace->defs, NULL, NULL);
    rcp_engine_inform(v->engine, &trace->terms, &v->facts);
    v->graph = rcp_engine_keep_graph(v->engine);
    rcp_code code = rcp_engine_add_all(v->engine, (rcp_eid){0}, trace->events.at,
                                       upto < trace->events.len ? upto : trace->events.len);
    if (code != RCP_OK) {
        rcp_vindicator_destroy(v);
        return code;
    }
    rcp_supplies_find(trace, &v->supplies);
    *vindicator = v;
    return RCP_OK;
}

void rcp_vindicator_destroy(rcp_vindicator *v) {
    if (!v)
        return;
    rcp_engine_destroy(v->engine);
    rcp_order_facts_finish(&v->facts);
    rcp_order_graph_finish(&v->supplies);
    rcp_release(v);
}

void rcp_vindicate_result_finish(rcp_vindicate_result *result) { rcp_witness_finish(&result->witness); }

/* One question. */
typedef struct question {
    rcp_vindicator *v;
    rcp_eid race[2];
    uint64_t *limit;
    rcp_vindicate_result *result;
    bool decided;
} question;

static void spend(question *q, uint64_t work) { *q->limit -= work < *q->limit ? work : *q->limit; }

static void decide(question *q, rcp_vindication outcome, rcp_vindicated_by by, const char *why) {
    q->decided = true;
    q->result->outcome = outcome;
    q->result->by = by;
    snprintf(q->result->why, sizeof q->result->why, "%s", why);
}

/* Takes the witness over where the checker accepts it, else throws it away. */
static rcp_code offer(question *q, rcp_witness *witness, rcp_vindicated_by by) {
    rcp_check_verdict verdict;
    witness->race[0] = q->race[0];
    witness->race[1] = q->race[1];
    spend(q, q->race[1].v);
    rcp_code code =
        rcp_checker_run(q->v->checker, witness, (rcp_check_options){.values = RCP_VALUES_LAST_WRITER}, &verdict);
    if (code == RCP_OK && verdict.accepted) {
        decide(q, RCP_IS_RACE, by, "");
        rcp_witness_finish(&q->result->witness);
        q->result->witness = *witness;
        return code;
    }
    rcp_witness_finish(witness);
    return code;
}

/* The first acquire of the sections that hold an access, or the access itself where there is none. */
static uint64_t outermost(const rcp_trace *trace, rcp_eid eid) {
    uint32_t tid = trace->events.at[eid.v].tid.v, depth = 0;
    uint64_t first = eid.v;
    for (rcp_position p = 0; p < trace->position[eid.v]; p++) {
        uint64_t at = rcp_trace_event_of(trace, (rcp_tid){tid}, p).v;
        const rcp_event *e = &trace->events.at[at];
        bool takes = e->kind == RCP_WAKE || (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE);
        if (takes && !depth++)
            first = at;
        if ((e->kind == RCP_RELEASE || e->kind == RCP_WAIT) && depth && !--depth)
            first = eid.v;
    }
    return first;
}

/* Does a section that holds an access, and can't end, stand in the way of one that comes later in such a schedule? With
 * `last` it comes after all others, unless it is part of the recorded beginning. */
static bool is_blocked(const rcp_cone *cone, bool last) {
    for (int k = 0; k < 2; k++) {
        uint32_t tid = cone->trace->events.at[cone->race[k].v].tid.v;
        for (size_t h = 0; h < cone->holds[tid].len; h++) {
            const rcp_cone_section *mine = &cone->sections.at[cone->holds[tid].at[h].section];
            uint64_t began = rcp_cone_event(cone, tid, mine->acquired).v;
            for (size_t i = 0; i < cone->sections.len && (!last || mine->acquired < cone->base[tid]); i++) {
                const rcp_cone_section *other = &cone->sections.at[i];
                if (other->lock == mine->lock && other->tid != tid &&
                    rcp_cone_event(cone, other->tid, other->acquired).v > began &&
                    !(other->mode == RCP_SHARED && mine->mode == RCP_SHARED))
                    return true;
            }
        }
    }
    return false;
}

/* The recorded order up to `recorded`, then what is needed: as recorded, or the sections that hold an access last. */
static rcp_code as_recorded(question *q, uint64_t recorded) {
    rcp_cone cone;
    rcp_code code = RCP_OK;
    rcp_cone_init(&cone, q->v->trace, q->v->observed, q->v->graph, q->race[0], q->race[1]);
    cone.supplies = &q->v->supplies;
    rcp_cone_begin(&cone, recorded);
    bool ok = rcp_cone_close(&cone) && rcp_cone_close_sections(&cone);
    spend(q, cone.work);
    bool holds = cone.holds[q->v->trace->events.at[q->race[0].v].tid.v].len ||
                 cone.holds[q->v->trace->events.at[q->race[1].v].tid.v].len;
    for (int last = 0; last < (holds ? 2 : 1) && ok && !q->decided && code == RCP_OK; last++) {
        rcp_witness witness;
        if (is_blocked(&cone, last))
            continue;
        rcp_witness_init(&witness);
        rcp_construct_recorded(&cone, last, &witness);
        code = offer(q, &witness, RCP_BY_RECORDED);
    }
    rcp_cone_finish(&cone);
    return code;
}

static rcp_code reason(question *q) {
    rcp_cone cone;
    rcp_saturation saturation;
    rcp_code code = RCP_OK;
    rcp_cone_init(&cone, q->v->trace, q->v->observed, q->v->graph, q->race[0], q->race[1]);
    rcp_saturation_init(&saturation, &cone);
    if (!rcp_saturation_run(&saturation))
        decide(q, RCP_NO_RACE, RCP_BY_CONE, cone.why);
    /* from here on there are choices: a contradiction says nothing */
    if (!q->decided)
        rcp_cone_supply(&cone, &q->v->supplies);
    bool ok = !q->decided && rcp_cone_close(&cone) && rcp_cone_close_sections(&cone) && rcp_saturation_run(&saturation);
    if (ok && !q->decided) {
        rcp_witness witness;
        rcp_witness_init(&witness);
        rcp_construct_recorded(&cone, true, &witness);
        code = offer(q, &witness, RCP_BY_GREEDY);
    }
    for (uint64_t seed = 0; ok && seed < rcp_limit(RCP_LIMIT_RANDOM_ORDERS) + 2 && !q->decided && code == RCP_OK;
         seed++) {
        rcp_witness witness;
        rcp_witness_init(&witness);
        if (rcp_construct_greedily(&saturation, seed, &witness))
            code = offer(q, &witness, RCP_BY_GREEDY);
        else
            rcp_witness_finish(&witness);
    }
    spend(q, cone.work);
    rcp_saturation_finish(&saturation);
    rcp_cone_finish(&cone);
    return code;
}

static rcp_code search_all(question *q) {
    rcp_found found;
    uint64_t work = 0;
    rcp_code code = rcp_search_schedules(q->v->trace, q->v->checker, q->race[0], q->race[1],
                                         rcp_limit(RCP_LIMIT_SEARCH_STEPS), &work, &q->result->witness, &found);
    spend(q, work);
    if (code == RCP_OK && found == RCP_FOUND)
        decide(q, RCP_IS_RACE, RCP_BY_SEARCH, "");
    else if (code == RCP_OK && found == RCP_NOT_THERE)
        decide(q, RCP_NO_RACE, RCP_BY_SEARCH, "none of the schedules of these events leads to both accesses");
    return code;
}

rcp_code rcp_vindicate(rcp_vindicator *v, rcp_eid earlier, rcp_eid later, uint64_t *limit,
                       rcp_vindicate_result *result) {
    question q = {.v = v, .race = {earlier, later}, .limit = limit, .result = result};
    *result = (rcp_vindicate_result){.outcome = RCP_UNKNOWN, .by = RCP_BY_NOTHING};
    rcp_witness_init(&result->witness);
    snprintf(result->why, sizeof result->why,
             "neither a schedule that leads to both accesses nor a reason against one "
             "was found");
    uint64_t section = outermost(v->trace, earlier);
    if (*limit < 4 * later.v) { /* what the cheapest attempts below take: two schedules, executed and checked */
        snprintf(result->why, sizeof result->why, "the limit of events was reached");
        return RCP_OK;
    }
    RCP_TRY(as_recorded(&q, earlier.v));
    if (!q.decided && section != earlier.v)
        RCP_TRY(as_recorded(&q, section));
    if (!q.decided)
        RCP_TRY(reason(&q));
    if (!q.decided && v->trace->events.len <= rcp_limit(RCP_LIMIT_SEARCH_EVENTS))
        RCP_TRY(search_all(&q));
    return RCP_OK;
}
