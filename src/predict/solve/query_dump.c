/* SPDX-License-Identifier: Apache-2.0 */
/* A query for people: `recipe analyze --dump=query`. What the solver may choose is listed here though it is never
 * listed for the solver, which is told of a rule when an order breaks it. */
#include "predict/solve/query.h"

#include "trace/model/label.h"

#include <inttypes.h>

static void put_nodes(rcp_text *to, const rcp_query *q, rcp_printer *printer) {
    rcp_text_printf(to, "nodes: %u\n", q->n);
    for (uint32_t node = 0; node < q->n; node++) {
        rcp_text_printf(to, "  n%u: ", node);
        if (node == q->race)
            rcp_text_printf(to, "the race of %u,%u\n", q->slice->race[0], q->slice->race[1]);
        else
            rcp_text_print_excerpt(printer, to, (rcp_eid){q->event[node]}, rcp_query_event(q, node));
    }
}

static void put_edges(rcp_text *to, const rcp_query *q) {
    rcp_text_printf(to, "edges: %zu, which every witness has%s\n", q->edges.len,
                    q->infeasible ? "; they contradict each other: there is no witness" : "");
    for (size_t i = 0; i < q->edges.len; i++)
        rcp_text_printf(to, "  n%u before n%u\n", q->edges.at[i].from, q->edges.at[i].to);
}

static void put_base(rcp_text *to, const rcp_query_place *place) {
    if (place->base)
        rcp_text_printf(to, "event %u", place->base - 1);
    else
        rcp_text_puts(to, "nobody");
}

static void put_places(rcp_text *to, const rcp_query *q, rcp_printer *printer) {
    rcp_text_printf(to, "places: %zu\n", q->places.len);
    for (size_t i = 0; i < q->places.len; i++) {
        const rcp_query_place *place = &q->places.at[i];
        rcp_text_printf(to, "  p%zu: ", i);
        rcp_text_print_place(printer, to, place->lo, place->hi - place->lo);
        rcp_text_puts(to, ", written before the slice by ");
        put_base(to, place);
        for (uint32_t k = 0; k < place->n_writers; k++)
            rcp_text_printf(to, "%s n%u", k ? "," : "; in it by", q->writers.at[place->first_writer + k]);
        rcp_text_puts(to, "\n");
    }
}

/* May node `w` be the last to write before `r`, as far as the edges say? Not where another is sure to come between. */
static bool may_supply(const rcp_query *q, const rcp_query_place *place, uint32_t w, uint32_t r) {
    if (w == r || rcp_query_ordered(q, r, w))
        return false;
    for (uint32_t k = 0; k < place->n_writers; k++) {
        uint32_t between = q->writers.at[place->first_writer + k];
        if (between != w && between != r && rcp_query_ordered(q, w, between) && rcp_query_ordered(q, between, r))
            return false;
    }
    return true;
}

static bool base_is_over(const rcp_query *q, const rcp_query_place *place, uint32_t r) {
    for (uint32_t k = 0; k < place->n_writers; k++) {
        uint32_t writer = q->writers.at[place->first_writer + k];
        if (writer != r && rcp_query_ordered(q, writer, r))
            return true;
    }
    return false;
}

static void put_reads(rcp_text *to, const rcp_query *q) {
    rcp_text_puts(to, "choices of reads: who may have written last, as far as the edges say\n");
    for (uint32_t node = 0; node < q->race; node++) {
        uint8_t kind = rcp_query_event(q, node)->kind;
        for (uint32_t i = 0; (kind == RCP_READ || kind == RCP_RMW) && i < q->touches[node].n; i++) {
            uint32_t p = q->touched.at[q->touches[node].first + i];
            const rcp_query_place *place = &q->places.at[p];
            const char *between = "";
            rcp_text_printf(to, "  n%u of p%u: ", node, p);
            if (!base_is_over(q, place, node)) {
                put_base(to, place);
                between = ", ";
            }
            for (uint32_t k = 0; k < place->n_writers; k++) {
                uint32_t writer = q->writers.at[place->first_writer + k];
                if (!may_supply(q, place, writer, node))
                    continue;
                rcp_text_printf(to, "%sn%u", between, writer);
                between = ", ";
            }
            rcp_text_puts(to, "\n");
        }
    }
}

static bool is_node(const rcp_query *q, uint32_t event, uint32_t *node) {
    *node = event == RCP_NO_EVENT ? RCP_NODE_FUTURE : rcp_query_node(q, event);
    return *node < q->race;
}

/* Two critical sections of one lock of which the edges do not say which one is first. */
static void put_locks(rcp_text *to, const rcp_query *q) {
    const rcp_run_facts *f = q->facts;
    rcp_text_puts(to, "choices of locks: critical sections that may come either way round\n");
    for (size_t i = 0; i < f->sections.len; i++) {
        const rcp_critical *one = &f->sections.at[i];
        uint32_t a, b;
        if (!is_node(q, one->acquire, &a))
            continue;
        for (size_t k = i + 1; k < f->sections.len && f->sections.at[k].lock == one->lock; k++) {
            const rcp_critical *other = &f->sections.at[k];
            bool is_free = other->tid != one->tid && is_node(q, other->acquire, &b) && !rcp_query_ordered(q, a, b) &&
                           !rcp_query_ordered(q, b, a);
            if (is_free && (one->mode == RCP_EXCLUSIVE || other->mode == RCP_EXCLUSIVE))
                rcp_text_printf(to, "  %s: that of n%u and that of n%u\n",
                                rcp_label_object(&f->trace->defs, (rcp_obj){one->lock}).at, a, b);
        }
    }
}

void rcp_query_dump(rcp_text *to, const rcp_query *query, rcp_printer *printer) {
    put_nodes(to, query, printer);
    put_edges(to, query);
    put_places(to, query, printer);
    if (query->infeasible) /* then there are no clocks to ask */
        return;
    put_reads(to, query);
    put_locks(to, query);
}
