/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/order_dump.h"

#include <inttypes.h>

typedef struct sink {
    rcp_text *to;
    const rcp_trace *trace;
} sink;

static void put_flagged(void *context, const rcp_order_race *race) {
    const sink *s = context;
    rcp_eid earlier = rcp_trace_event_of(s->trace, race->earlier.tid, race->earlier.position);
    rcp_text_printf(s->to, "  flagged: %" PRIu64 ",%" PRIu64 "\n", earlier.v, race->eid.v);
}

static uint64_t origin(const rcp_trace *trace, const rcp_order_graph_edge *edge) {
    return rcp_trace_event_of(trace, (rcp_tid){edge->tid}, edge->count - 1).v;
}

static void put_edges(rcp_text *to, const rcp_trace *trace, const rcp_order_graph *graph) {
    for (size_t i = 0; i < graph->edges.len; i++) {
        const rcp_order_graph_edge *edge = &graph->edges.at[i];
        rcp_text_printf(to, "  %" PRIu64 " before %u%s%s\n", origin(trace, edge), edge->to,
                        edge->executed ? " is executed" : "", edge->composed ? ", of happens-before alone" : "");
    }
}

/* --- why one event comes before another ---
 *
 * An order that is composed with happens-before has an event after `from` where some step of a path is the order's own:
 * steps of happens-before before it count, and program order after it. So it is kept apart how an event was reached. */

enum { SOMEHOW, BY_ORDER, WAYS };

typedef struct search {
    const rcp_trace *trace;
    const rcp_order_graph *graph;
    bool composes;
    uint64_t from, to;
    uint64_t *by[WAYS]; /* of event from + i: 1 + the event, times WAYS, and how that was reached; 0: it was not */
} search;

static bool is_after(const search *s, int way, uint64_t event) {
    return event > s->from ? s->by[way][event - s->from] != 0 : event == s->from && way == SOMEHOW;
}

/* `own`: a step of the order, or one that is program order's. */
static void learn(search *s, uint64_t event, uint64_t earlier, bool own) {
    for (int way = 0; way < WAYS; way++)
        for (int before = 0; before < WAYS; before++) {
            bool leads = is_after(s, before, earlier) && (way == SOMEHOW || before == BY_ORDER || own);
            if (leads && !s->by[way][event - s->from])
                s->by[way][event - s->from] = (earlier + 1) * WAYS + (uint64_t)before;
        }
}

/* Program order alone makes nothing the order's own where that is composed. */
static void learn_from_thread(search *s, uint64_t event, uint64_t earlier) {
    for (int way = 0; way < WAYS; way++)
        if (is_after(s, way, earlier) && !s->by[way][event - s->from])
            s->by[way][event - s->from] = (earlier + 1) * WAYS + (uint64_t)way;
}

static void learn_from_fork(search *s, uint64_t event) {
    for (uint64_t fork = s->from; fork < event; fork++) {
        const rcp_event *e = &s->trace->events.at[fork];
        if (e->kind == RCP_FORK && e->child.v == s->trace->events.at[event].tid.v)
            learn(s, event, fork, true);
    }
}

static void follow(search *s) {
    size_t edge = rcp_order_graph_find(s->graph, s->from + 1);
    for (uint64_t event = s->from + 1; event <= s->to; event++) {
        rcp_position position = s->trace->position[event];
        if (position)
            learn_from_thread(s, event, rcp_trace_event_of(s->trace, s->trace->events.at[event].tid, position - 1).v);
        else
            learn_from_fork(s, event);
        for (; edge < s->graph->edges.len && s->graph->edges.at[edge].to == event; edge++) {
            const rcp_order_graph_edge *e = &s->graph->edges.at[edge];
            bool counts = event < s->to || !e->executed; /* a race needs its turn alone */
            if (counts)
                learn(s, event, origin(s->trace, e), !e->composed);
        }
    }
}

/* From the later event back to the earlier one; steps within a thread are not worth a line. */
static void put_steps(rcp_text *to, const search *s, int way, rcp_printer *printer) {
    for (uint64_t event = s->to; event != s->from;) {
        uint64_t step = s->by[way][event - s->from], earlier = step / WAYS - 1;
        const rcp_event *one = &s->trace->events.at[earlier];
        if (one->tid.v != s->trace->events.at[event].tid.v) {
            bool composed = s->composes && way == (int)(step % WAYS) && way == SOMEHOW;
            rcp_text_printf(to, "    %" PRIu64 " is after%s: ", event, composed ? ", by happens-before," : "");
            rcp_text_print_excerpt(printer, to, (rcp_eid){earlier}, one);
        }
        way = (int)(step % WAYS);
        event = earlier;
    }
}

static void put_answer(rcp_text *to, search *s, rcp_printer *printer) {
    int way = s->composes ? BY_ORDER : SOMEHOW;
    for (int i = 0; i < WAYS; i++)
        s->by[i] = rcp_alloc_zero(s->to - s->from + 1, sizeof *s->by[i]);
    follow(s);
    bool ordered = is_after(s, way, s->to);
    rcp_text_printf(to, "  %" PRIu64 " and %" PRIu64 ": %s\n", s->from, s->to, ordered ? "ordered" : "not ordered");
    if (ordered)
        put_steps(to, s, way, printer);
    for (int i = 0; i < WAYS; i++)
        rcp_release(s->by[i]);
}

rcp_code rcp_order_dump(rcp_text *to, const rcp_trace *trace, rcp_model model, const rcp_eid *pair,
                        rcp_printer *printer) {
    rcp_order_facts facts;
    rcp_order_facts_init(&facts);
    rcp_order_facts_add(&facts, trace->events.at, trace->events.len);
    sink s = {to, trace};
    rcp_text_printf(to, "%s\n", rcp_model_name(model));
    const rcp_rules *rules = rcp_rules_of(model);
    rcp_engine *engine = rcp_engine_create(rules, &trace->defs, put_flagged, &s);
    rcp_engine_inform(engine, &trace->terms, &facts);
    const rcp_order_graph *graph = rcp_engine_keep_graph(engine);
    rcp_code code = rcp_engine_add_all(engine, (rcp_eid){0}, trace->events.at, trace->events.len);
    search why = {.trace = trace, .graph = graph, .composes = rules->composes};
    if (code == RCP_OK && pair) {
        why.from = pair[0].v;
        why.to = pair[1].v;
        put_answer(to, &why, printer);
    } else if (code == RCP_OK) {
        put_edges(to, trace, graph);
    }
    rcp_engine_destroy(engine);
    rcp_order_facts_finish(&facts);
    return code;
}
