/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/text_printer.h"

#include <inttypes.h>

/* An expression of more nodes than this is spread over `term` lines. */
enum { INLINE_NODES = 24, EXCERPT_NODES = 64 };
enum { READ_AHEAD = 0, READ_OTHER = 9 }; /* between them: a read of so many bytes, its line printed */

void rcp_text_print_number(rcp_text *out, uint64_t value) {
    rcp_text_printf(out, value < 1000000 ? "%" PRIu64 : "0x%" PRIx64, value);
}

void rcp_printer_scan_terms(rcp_printer *p) {
    for (; p->scanned < p->terms->nodes.len; p->scanned++) {
        const rcp_term_node *node = &p->terms->nodes.at[p->scanned];
        if (node->op == RCP_OP_READ) {
            uint32_t *mark = rcp_map_at(&p->reads, node->word);
            if (*mark == RCP_MAP_NONE)
                *mark = READ_AHEAD;
        }
    }
}

bool rcp_printer_mark_read(rcp_printer *p, rcp_eid eid, const rcp_event *e) {
    if (rcp_map_get(&p->reads, eid.v) == RCP_MAP_NONE)
        return false;
    rcp_map_set(&p->reads, eid.v, rcp_event_reads(e) && e->size <= 8 ? e->size : READ_OTHER);
    return true;
}

static void print_read(const rcp_printer *p, rcp_text *out, const rcp_term_node *node) {
    uint32_t mark = rcp_map_get(&p->reads, node->word);
    bool labelled = p->excerpt || (mark != RCP_MAP_NONE && mark != READ_AHEAD);
    rcp_text_printf(out, labelled ? "$e%" PRIu64 : "$%" PRIu64, node->word);
    if (!labelled || mark >= READ_OTHER || node->a || node->width != 8 * mark)
        rcp_text_printf(out, "+%" PRIu32 ":%u", node->a, node->width);
}

static uint32_t argument(const rcp_term_node *node, unsigned i) {
    return i == 0 ? node->a : i == 1 ? node->b : node->c;
}

static bool is_named(const rcp_printer *p, uint32_t term) {
    return term - RCP_TERM_FIRST < p->named.len && p->named.at[term - RCP_TERM_FIRST];
}

static bool is_leaf(const rcp_printer *p, uint32_t term) {
    return rcp_term_borrow(p->terms, (rcp_term){term})->op <= RCP_OP_READ;
}

/* Would the parser, reading this term as one expression, make exactly the next ids of the pool? `nodes` is what is left
 * of the expression's size, `next` the next id; both go on from one term of an event to the next. */
static bool fits_inline(const rcp_printer *p, uint32_t term, unsigned *nodes, uint32_t *next) {
    if (!*nodes)
        return false;
    --*nodes;
    const rcp_term_node *node = rcp_term_borrow(p->terms, (rcp_term){term});
    const rcp_op_traits *traits = rcp_op_borrow_traits(node->op);
    if (is_named(p, term))
        return true;
    for (unsigned i = 0; i < traits->arity; i++)
        if (!fits_inline(p, argument(node, i), nodes, next))
            return false;
    return term < *next || term == (*next)++;
}

/* In an excerpt `nodes` bounds the expression. Else it is bounded already: whatever has no name was part of one that
 * fitted inline. */
static void print_term(const rcp_printer *p, rcp_text *out, uint32_t term, unsigned *nodes) {
    const rcp_term_node *node = rcp_term_borrow(p->terms, (rcp_term){term});
    const rcp_op_traits *traits = rcp_op_borrow_traits(node->op);
    if (p->excerpt && !*nodes) {
        rcp_text_puts(out, "…");
        return;
    }
    if (*nodes)
        --*nodes;
    if (node->op == RCP_OP_READ) {
        print_read(p, out, node);
        return;
    }
    if (node->op == RCP_OP_CONST) {
        rcp_text_print_number(out, node->word);
        rcp_text_printf(out, ":%u", node->width);
        return;
    }
    if (is_named(p, term)) {
        rcp_text_printf(out, "t%" PRIu32, term);
        return;
    }
    rcp_text_printf(out, "(%s", traits->name);
    if (traits->shape == RCP_SHAPE_CHANGE || traits->shape == RCP_SHAPE_EXTRACT)
        rcp_text_printf(out, ":%u", node->width);
    if (traits->shape == RCP_SHAPE_EXTRACT)
        rcp_text_printf(out, ":%" PRIu32, node->b);
    for (unsigned i = 0; i < traits->arity; i++) {
        rcp_text_puts(out, " ");
        print_term(p, out, argument(node, i), nodes);
    }
    rcp_text_puts(out, ")");
}

static void name_term(rcp_printer *p, rcp_text *out, uint32_t term) {
    unsigned nodes = 0;
    rcp_text_printf(out, "term t%" PRIu32 " = ", term);
    print_term(p, out, term, &nodes);
    rcp_text_puts(out, "\n");
    p->named.at[term - RCP_TERM_FIRST] = !is_leaf(p, term);
}

/* The next term of the pool. */
static void term_line(rcp_printer *p, rcp_text *out) {
    rcp_vec_push(&p->named, 0);
    name_term(p, out, p->next_term++);
}

/* Do the event's terms, in the order in which its line has them, make exactly the next ids? Then *next is the one
 * after. */
static bool event_fits(const rcp_printer *p, const rcp_term slots[3], uint32_t *next) {
    unsigned nodes = INLINE_NODES;
    *next = p->next_term;
    for (int i = 0; i < 3; i++)
        if (rcp_term_is_real(slots[i]) && !fits_inline(p, slots[i].v, &nodes, next))
            return false;
    return true;
}

void rcp_printer_need_terms(rcp_printer *p, rcp_text *out, const rcp_event *e) {
    rcp_term slots[3] = {e->value_term, e->addr_term, e->cond};
    uint32_t next, last = 0;
    for (int i = 0; i < 3; i++)
        last = slots[i].v > last ? slots[i].v : last;
    while (!event_fits(p, slots, &next)) {
        if (p->next_term <= last) {
            term_line(p, out);
            continue;
        }
        /* all are known, but too long together: with names they fit */
        for (int i = 0; i < 3; i++)
            if (rcp_term_is_real(slots[i]) && !is_leaf(p, slots[i].v) && !is_named(p, slots[i].v))
                name_term(p, out, slots[i].v);
    }
    for (; p->next_term < next; p->next_term++)
        rcp_vec_push(&p->named, 0);
}

void rcp_printer_slot(const rcp_printer *p, rcp_text *out, const char *sign, rcp_term term) {
    if (term.v == RCP_TERM_CONST.v)
        return;
    rcp_text_printf(out, " %s ", sign);
    unsigned nodes = p->excerpt ? EXCERPT_NODES : 0;
    if (term.v == RCP_TERM_ALL.v)
        rcp_text_puts(out, "all");
    else
        print_term(p, out, term.v, &nodes);
}

void rcp_printer_all_terms(rcp_printer *p, rcp_text *out) {
    while (p->next_term - RCP_TERM_FIRST < p->terms->nodes.len)
        term_line(p, out);
}
