/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/smt_facts.h"

#include <string.h>

static void need(rcp_smt_facts *f, uint64_t eid, uint64_t on) {
    if (on < eid) /* a trace that is an execution has it no other way */
        rcp_vec_push(&f->need, on);
}

/* J1 */
static void needs_object(rcp_smt_facts *f, uint64_t eid, rcp_obj object) {
    if (f->init[object.v] != UINT64_MAX)
        need(f, eid, f->init[object.v]);
}

/* P1 */
static void needs_line(rcp_smt_facts *f, uint64_t eid) {
    size_t n;
    const uint32_t *needs = rcp_observed_needs(f->observed, (rcp_eid){eid}, &n);
    for (size_t i = 0; i < n; i++)
        need(f, eid, needs[i]);
}

/* M1: lives that an ALLOC began. */
static void needs_alloc(rcp_smt_facts *f, uint64_t eid, const rcp_event *e) {
    uint64_t end = e->addr + rcp_event_extent(e), upto;
    for (uint64_t at = e->addr; at < end; at = upto) {
        uint32_t life = rcp_observed_life(f->observed, (rcp_eid){eid}, at, &upto);
        if (life && f->trace->events.at[life - 1].kind == RCP_ALLOC)
            need(f, eid, life - 1);
    }
}

static void list_needs(rcp_smt_facts *f, uint64_t eid, const rcp_event *e) {
    const rcp_observed *o = f->observed;
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (!f->trace->position[eid] && o->fork[e->tid.v] != UINT64_MAX)
        need(f, eid, o->fork[e->tid.v]);
    if (e->kind == RCP_JOIN) {
        size_t len = rcp_trace_thread_len(f->trace, e->child);
        if (o->fork[e->child.v] != UINT64_MAX)
            need(f, eid, o->fork[e->child.v]);
        if (e->outcome == RCP_DONE && len)
            need(f, eid, rcp_trace_event_of(f->trace, e->child, (rcp_position)len - 1).v);
    }
    if (uses & RCP_USES_OBJECT && e->kind != RCP_INIT)
        needs_object(f, eid, e->object);
    if (uses & RCP_USES_LOCK)
        needs_object(f, eid, e->lock);
    if (e->kind == RCP_ONCE_SKIP && f->once_end[e->object.v] != UINT64_MAX)
        need(f, eid, f->once_end[e->object.v]);
    if (rcp_event_extent(e))
        needs_alloc(f, eid, e);
    needs_line(f, eid);
}

static void set_clock(rcp_smt_facts *f, uint64_t eid, const rcp_event *e) {
    rcp_position *clock = f->clock + eid * f->threads, position = f->trace->position[eid];
    if (position) {
        uint64_t previous = rcp_trace_event_of(f->trace, e->tid, position - 1).v;
        memcpy(clock, f->clock + previous * f->threads, f->threads * sizeof *clock);
    }
    clock[e->tid.v] = position;
    for (size_t i = f->needs[eid]; i < f->need.len; i++) {
        uint64_t on = f->need.at[i];
        const rcp_position *other = f->clock + on * f->threads;
        for (size_t t = 0; t < f->threads; t++)
            clock[t] = other[t] > clock[t] ? other[t] : clock[t];
        uint32_t tid = f->trace->events.at[on].tid.v;
        if (clock[tid] <= f->trace->position[on])
            clock[tid] = f->trace->position[on] + 1;
    }
}

static void index_access(rcp_smt_facts *f, uint64_t eid, const rcp_event *e) {
    for (uint64_t word = e->addr / 8; word <= (e->addr + e->size - 1) / 8; word++) {
        uint32_t *head = rcp_map_at(&f->words, word);
        rcp_vec_push(&f->writers, ((struct rcp_smt_writer){eid, *head}));
        *head = (uint32_t)f->writers.len - 1;
    }
}

static void join_terms(rcp_smt_term_facts *to, const rcp_smt_term_facts *from) {
    to->partial |= from->partial;
    if (from->tid == RCP_SMT_NOBODY)
        return;
    if (to->tid == RCP_SMT_NOBODY) {
        to->tid = from->tid;
        to->last = from->last;
    } else if (to->tid != from->tid) {
        to->tid = RCP_SMT_MIXED;
    } else if (from->last > to->last) {
        to->last = from->last;
    }
}

static void survey_terms(rcp_smt_facts *f) {
    const rcp_terms *terms = &f->trace->terms;
    size_t n = rcp_terms_count(terms);
    f->terms = rcp_alloc_zero(n + 1, sizeof *f->terms);
    for (size_t i = 0; i < n; i++) {
        const rcp_term_node *node = &terms->nodes.at[i];
        rcp_smt_term_facts *facts = &f->terms[i];
        *facts = (rcp_smt_term_facts){.tid = RCP_SMT_NOBODY, .partial = rcp_op_is_partial(node->op)};
        if (node->op == RCP_OP_READ) {
            bool there = node->word < f->trace->events.len;
            facts->tid = there ? f->trace->events.at[node->word].tid.v : RCP_SMT_MIXED;
            facts->last = there ? f->trace->position[node->word] : 0;
        }
        const uint32_t args[3] = {node->a, node->b, node->c};
        for (unsigned k = 0; node->op > RCP_OP_READ && k < rcp_op_borrow_traits(node->op)->arity; k++)
            join_terms(facts, &f->terms[args[k] - RCP_TERM_FIRST]);
    }
}

rcp_smt_facts *rcp_smt_facts_create(const rcp_observed *observed) {
    const rcp_trace *trace = observed->trace;
    size_t n = trace->events.len, objects = trace->defs.objects.len;
    rcp_smt_facts *f = rcp_alloc_zero(1, sizeof *f);
    f->observed = observed;
    f->trace = trace;
    f->threads = trace->defs.threads.len;
    rcp_map_init(&f->words);
    uint64_t **tables[] = {&f->init, &f->destroy, &f->once_end};
    for (size_t i = 0; i < 3; i++) {
        *tables[i] = rcp_alloc((objects + 1) * sizeof(uint64_t));
        memset(*tables[i], 0xff, (objects + 1) * sizeof(uint64_t));
    }
    f->clock = rcp_alloc_zero(n * f->threads + 1, sizeof *f->clock);
    f->needs = rcp_alloc_zero(n + 1, sizeof *f->needs);
    for (uint64_t i = 0; i < n; i++) {
        const rcp_event *e = &trace->events.at[i];
        f->needs[i] = f->need.len;
        list_needs(f, i, e);
        set_clock(f, i, e);
        if (e->kind == RCP_INIT)
            f->init[e->object.v] = i;
        else if (e->kind == RCP_DESTROY)
            f->destroy[e->object.v] = i;
        else if (e->kind == RCP_ONCE_END)
            f->once_end[e->object.v] = i;
        else if (rcp_event_writes(e))
            index_access(f, i, e);
        else if (e->kind == RCP_ALLOC || e->kind == RCP_FREE)
            rcp_vec_push(&f->changes, ((rcp_smt_change){i, e->addr, e->addr + e->value}));
    }
    f->needs[n] = f->need.len;
    survey_terms(f);
    return f;
}

void rcp_smt_facts_destroy(rcp_smt_facts *f) {
    if (!f)
        return;
    rcp_release(f->clock);
    rcp_release(f->init);
    rcp_release(f->destroy);
    rcp_release(f->once_end);
    rcp_release(f->needs);
    rcp_vec_finish(&f->need);
    rcp_map_finish(&f->words);
    rcp_vec_finish(&f->writers);
    rcp_vec_finish(&f->changes);
    rcp_release(f->terms);
    rcp_release(f);
}

uint32_t rcp_smt_facts_life_at(const rcp_smt_facts *f, uint64_t eid, uint64_t addr) {
    for (size_t i = f->changes.len; i-- > 0;) {
        const rcp_smt_change *change = &f->changes.at[i];
        if (change->eid < eid && addr >= change->lo && addr < change->hi)
            return (uint32_t)change->eid + 1;
    }
    return 0;
}
