/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/causal.h"

typedef struct closure {
    const rcp_observed *o;
    rcp_bits *reads, *writes, *terms;
    rcp_bits *looked_at;    /* terms, by partial() */
    rcp_position *upto;     /* per thread: reads before this position are all causal */
    RCP_VEC(uint64_t) todo; /* events whose consequences are not drawn yet: 2 * event + (1: as a write) */
    RCP_VEC(uint32_t) stack, below;
} closure;

static bool mark(rcp_bits *bits, uint64_t i) {
    if (rcp_bit(bits, i))
        return false;
    bits[i / 64] |= UINT64_C(1) << (i % 64);
    return true;
}

static void add_read(closure *c, uint64_t eid) {
    if (eid < c->o->trace->events.len && rcp_event_reads(&c->o->trace->events.at[eid]) && mark(c->reads, eid))
        rcp_vec_push(&c->todo, 2 * eid);
}

static void add_write(closure *c, uint32_t writer) {
    if (writer && rcp_event_writes(&c->o->trace->events.at[writer - 1]) && mark(c->writes, writer - 1))
        rcp_vec_push(&c->todo, 2 * (uint64_t)(writer - 1) + 1);
}

static void add_term(closure *c, uint32_t term) {
    if (mark(c->terms, term - RCP_TERM_FIRST))
        rcp_vec_push(&c->stack, term);
}

/* The reads on which the term of an event depends; ALL: those of `tid` before position `limit`. */
static void depend(closure *c, rcp_term term, rcp_tid tid, rcp_position limit) {
    const rcp_trace *trace = c->o->trace;
    if (term.v == RCP_TERM_CONST.v)
        return;
    if (term.v == RCP_TERM_ALL.v) {
        for (; c->upto[tid.v] < limit; c->upto[tid.v]++)
            add_read(c, rcp_trace_event_of(trace, tid, c->upto[tid.v]).v);
        return;
    }
    add_term(c, term.v);
    while (c->stack.len) {
        const rcp_term_node *node = rcp_term_borrow(&trace->terms, (rcp_term){c->stack.at[--c->stack.len]});
        if (node->op == RCP_OP_READ) {
            add_read(c, node->word);
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
            add_term(c, arguments[i]);
    }
}

/* The reads below divisions, remainders and shifts: whether the value exists depends on them. */
static void partial(closure *c, rcp_term value, rcp_tid tid) {
    if (!rcp_term_is_real(value))
        return;
    size_t bottom = c->below.len;
    rcp_vec_push(&c->below, value.v);
    while (c->below.len > bottom) {
        uint32_t term = c->below.at[--c->below.len];
        const rcp_term_node *node = rcp_term_borrow(&c->o->trace->terms, (rcp_term){term});
        if (!mark(c->looked_at, term - RCP_TERM_FIRST))
            continue;
        if (rcp_op_is_partial(node->op)) {
            depend(c, (rcp_term){term}, tid, 0);
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
            rcp_vec_push(&c->below, arguments[i]);
    }
}

static void draw(closure *c, uint64_t what) {
    const rcp_trace *trace = c->o->trace;
    uint64_t eid = what / 2;
    const rcp_event *e = &trace->events.at[eid];
    if (what % 2) {
        depend(c, e->value_term, e->tid, trace->position[eid] + (e->kind == RCP_RMW ? 1 : 0));
        return;
    }
    uint64_t end = e->addr + e->size, upto;
    for (uint64_t at = e->addr; at < end; at = upto)
        add_write(c, rcp_observed_writer(c->o, (rcp_eid){eid}, at, &upto));
}

rcp_bits *rcp_causal_reads(const rcp_observed *o, const rcp_position *done, const rcp_eid race[2]) {
    const rcp_trace *trace = o->trace;
    size_t words = trace->events.len / 64 + 1, threads = trace->defs.threads.len;
    closure c = {.o = o};
    c.reads = rcp_alloc_zero(words, sizeof *c.reads);
    c.writes = rcp_alloc_zero(words, sizeof *c.writes);
    c.terms = rcp_alloc_zero(rcp_terms_count(&trace->terms) / 64 + 1, sizeof *c.terms);
    c.looked_at = rcp_alloc_zero(rcp_terms_count(&trace->terms) / 64 + 1, sizeof *c.looked_at);
    c.upto = rcp_alloc_zero(threads + 1, sizeof *c.upto);

    for (uint32_t t = 0; t < threads; t++) {
        for (rcp_position i = 0; i < done[t]; i++) {
            const rcp_event *e = &trace->events.at[rcp_trace_event_of(trace, (rcp_tid){t}, i).v];
            depend(&c, e->addr_term, e->tid, i);
            depend(&c, e->cond, e->tid, i + (rcp_event_reads(e) ? 1 : 0));
            partial(&c, e->value_term, e->tid);
        }
        if (o->implicit_branches)
            depend(&c, RCP_TERM_ALL, (rcp_tid){t}, done[t]);
    }
    for (int i = 0; i < 2; i++)
        if (race[i].v != RCP_NO_EID.v) {
            const rcp_event *e = &trace->events.at[race[i].v];
            depend(&c, e->addr_term, e->tid, trace->position[race[i].v]);
        }
    for (size_t k = 0; k < o->opaques.len; k++) {
        uint64_t eid = o->opaques.at[k];
        if (trace->position[eid] < done[trace->events.at[eid].tid.v])
            for (size_t i = 0; i < o->reached.at[k].n; i++)
                add_write(&c, o->pieces.at[o->reached.at[k].first + i].value);
    }
    while (c.todo.len)
        draw(&c, c.todo.at[--c.todo.len]);

    rcp_release(c.writes);
    rcp_release(c.terms);
    rcp_release(c.looked_at);
    rcp_release(c.upto);
    rcp_vec_finish(&c.todo);
    rcp_vec_finish(&c.stack);
    rcp_vec_finish(&c.below);
    return c.reads;
}
