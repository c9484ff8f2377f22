/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/cone.h"

#include <stdio.h>
#include <string.h>

static bool is_racer(const rcp_cone *c, uint32_t tid, uint32_t *position) {
    for (int k = 0; k < 2; k++)
        if (c->trace->events.at[c->race[k].v].tid.v == tid) {
            *position = c->trace->position[c->race[k].v];
            return true;
        }
    return false;
}

void rcp_cone_init(rcp_cone *c, const rcp_trace *trace, const rcp_observed *observed, const rcp_order_graph *graph,
                   rcp_eid earlier, rcp_eid later) {
    size_t threads = trace->defs.threads.len;
    *c = (rcp_cone){.trace = trace, .observed = observed, .graph = graph, .race = {earlier, later}};
    c->need = rcp_alloc_zero(threads + 1, sizeof *c->need);
    c->done = rcp_alloc_zero(threads + 1, sizeof *c->done);
    c->base = rcp_alloc_zero(threads + 1, sizeof *c->base);
    c->all = rcp_alloc_zero(threads + 1, sizeof *c->all);
    c->holds = rcp_alloc_zero(threads + 1, sizeof *c->holds);
    rcp_map_init(&c->causal_reads);
    rcp_map_init(&c->causal_writes);
    rcp_map_init(&c->terms);
}

void rcp_cone_finish(rcp_cone *c) {
    for (size_t t = 0; t < c->trace->defs.threads.len; t++)
        rcp_vec_finish(&c->holds[t]);
    rcp_release(c->need);
    rcp_release(c->done);
    rcp_release(c->base);
    rcp_release(c->all);
    rcp_release(c->holds);
    rcp_vec_finish(&c->sections);
    rcp_vec_finish(&c->todo);
    rcp_vec_finish(&c->stack);
    rcp_map_finish(&c->causal_reads);
    rcp_map_finish(&c->causal_writes);
    rcp_map_finish(&c->terms);
}

void rcp_cone_need(rcp_cone *c, uint32_t tid, uint32_t count) {
    uint32_t limit;
    if (count <= c->need[tid])
        return;
    c->need[tid] = count;
    if (is_racer(c, tid, &limit) && count > limit && !c->refuted) {
        c->refuted = true;
        snprintf(c->why, sizeof c->why,
                 "every schedule that reaches one of the two accesses executes the other before it");
    }
}

static void need_event(rcp_cone *c, uint64_t eid) {
    rcp_cone_need(c, c->trace->events.at[eid].tid.v, c->trace->position[eid] + 1);
}

static bool first_time(rcp_map *map, uint64_t key) {
    uint32_t *place = rcp_map_at(map, key);
    bool first = *place == RCP_MAP_NONE;
    *place = 0;
    return first;
}

static void add_read(rcp_cone *c, uint64_t eid) {
    if (eid >= c->trace->events.len || !rcp_event_reads(&c->trace->events.at[eid]) ||
        !first_time(&c->causal_reads, eid))
        return;
    need_event(c, eid);
    rcp_vec_push(&c->todo, 2 * eid);
}

static void add_writer(rcp_cone *c, uint32_t writer) {
    if (!writer)
        return;
    need_event(c, writer - 1);
    if (rcp_event_writes(&c->trace->events.at[writer - 1]) && first_time(&c->causal_writes, writer - 1))
        rcp_vec_push(&c->todo, 2 * (uint64_t)(writer - 1) + 1);
}

/* The reads below a term; `partial`: only below what may have no value. */
static void add_term(rcp_cone *c, uint32_t term, bool partial) {
    size_t bottom = c->stack.len;
    rcp_vec_push(&c->stack, term);
    while (c->stack.len > bottom) {
        uint32_t top = c->stack.at[--c->stack.len];
        const rcp_term_node *node = rcp_term_borrow(&c->trace->terms, (rcp_term){top});
        if (!first_time(&c->terms, 2 * (uint64_t)top + partial))
            continue;
        if (partial && rcp_op_is_partial(node->op)) {
            add_term(c, top, false);
            continue;
        }
        if (node->op == RCP_OP_READ) {
            if (!partial)
                add_read(c, node->word);
            else
                need_event(c, node->word); /* what a term needs is executed, whatever it is */
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
            rcp_vec_push(&c->stack, arguments[i]);
    }
}

static void depend(rcp_cone *c, rcp_term term, uint32_t tid, uint32_t limit) {
    if (term.v == RCP_TERM_CONST.v)
        return;
    if (term.v != RCP_TERM_ALL.v) {
        add_term(c, term.v, false);
        return;
    }
    for (; c->all[tid] < limit; c->all[tid]++)
        add_read(c, rcp_cone_event(c, tid, c->all[tid]).v);
}

/* V1: has the read a byte of [at, end), which nobody wrote, in a life whose contents are chance? */
static bool finds_chance(const rcp_cone *c, uint64_t eid, uint64_t at, uint64_t end) {
    for (uint64_t upto; at < end; at = upto) {
        uint32_t life = rcp_observed_life(c->observed, (rcp_eid){eid}, at, &upto);
        if (life && c->trace->events.at[life - 1].outcome != RCP_ZEROED)
            return true;
    }
    return false;
}

static void draw(rcp_cone *c, uint64_t what) {
    uint64_t eid = what / 2, upto;
    const rcp_event *e = &c->trace->events.at[eid];
    c->work++;
    if (what % 2) {
        depend(c, e->value_term, e->tid.v, c->trace->position[eid] + (e->kind == RCP_RMW ? 1 : 0));
        return;
    }
    for (uint64_t at = e->addr; at < e->addr + e->size; at = upto) {
        uint32_t writer = rcp_observed_writer(c->observed, (rcp_eid){eid}, at, &upto);
        add_writer(c, writer);
        if (!writer && finds_chance(c, eid, at, upto)) {
            c->refuted = true;
            snprintf(c->why, sizeof c->why, "event %llu matters, and reads memory that nobody has written",
                     (unsigned long long)eid);
        }
    }
}

/* The graph's edges into an event. */
static void add_edges(rcp_cone *c, uint64_t eid, bool executed) {
    const rcp_order_graph *graphs[] = {c->graph, c->supplies};
    for (int k = 0; k < 2 && graphs[k]; k++) {
        const rcp_order_graph *g = graphs[k];
        for (size_t i = rcp_order_graph_find(g, eid); i < g->edges.len && g->edges.at[i].to == eid; i++)
            if (executed || !g->edges.at[i].executed)
                rcp_cone_need(c, g->edges.at[i].tid, g->edges.at[i].count);
    }
}

static void hold(rcp_cone *c, uint32_t tid, uint32_t position, uint32_t lock, rcp_mode mode) {
    rcp_cone_holds *holds = &c->holds[tid];
    for (size_t i = 0; i < holds->len; i++)
        if (holds->at[i].lock == lock && holds->at[i].mode == mode) {
            holds->at[i].depth++;
            return;
        }
    rcp_vec_push(holds, ((rcp_cone_hold){lock, 1, (uint32_t)c->sections.len, mode}));
    rcp_vec_push(&c->sections, ((rcp_cone_section){lock, tid, position, RCP_OPEN, mode}));
}

static void let_go(rcp_cone *c, uint32_t tid, uint32_t position, uint32_t lock, rcp_mode mode) {
    rcp_cone_holds *holds = &c->holds[tid];
    for (size_t i = 0; i < holds->len; i++)
        if (holds->at[i].lock == lock && holds->at[i].mode == mode && !--holds->at[i].depth) {
            c->sections.at[holds->at[i].section].released = position;
            holds->at[i] = holds->at[--holds->len];
            return;
        }
}

static void add_lock(rcp_cone *c, const rcp_event *e, uint32_t position) {
    if (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE)
        hold(c, e->tid.v, position, e->object.v, e->mode);
    else if (e->kind == RCP_RELEASE)
        let_go(c, e->tid.v, position, e->object.v, e->mode);
    else if (e->kind == RCP_WAIT)
        let_go(c, e->tid.v, position, e->lock.v, RCP_EXCLUSIVE);
    else if (e->kind == RCP_WAKE)
        hold(c, e->tid.v, position, e->lock.v, RCP_EXCLUSIVE);
}

/* An event that is executed. */
static void execute(rcp_cone *c, uint32_t tid, uint32_t position) {
    uint64_t eid = rcp_cone_event(c, tid, position).v;
    const rcp_event *e = &c->trace->events.at[eid];
    c->work++;
    add_lock(c, e, position);
    if (position < c->base[tid])
        return; /* the recorded beginning has whatever it needs */
    if (!position && c->observed->fork[tid] != UINT64_MAX)
        need_event(c, c->observed->fork[tid]);
    add_edges(c, eid, true);
    depend(c, e->addr_term, tid, position);
    depend(c, e->cond, tid, position + (rcp_event_reads(e) ? 1 : 0));
    if (c->observed->implicit_branches && rcp_event_reads(e))
        add_read(c, eid);
    if (rcp_term_is_real(e->value_term))
        add_term(c, e->value_term.v, true);
    if (!rcp_event_is_opaque(e))
        return;
    size_t low = 0, high = c->observed->opaques.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->observed->opaques.at[middle] < eid)
            low = middle + 1;
        else
            high = middle;
    }
    const rcp_pieces *found = &c->observed->reached.at[low];
    for (size_t i = 0; i < found->n; i++)
        add_writer(c, c->observed->pieces.at[found->first + i].value);
}

bool rcp_cone_encloses_race(const rcp_cone *c, const rcp_cone_section *section) {
    uint32_t position;
    return section->released == RCP_OPEN && is_racer(c, section->tid, &position) && c->need[section->tid] == position;
}

static bool exclude(const rcp_cone_section *a, const rcp_cone_section *b) {
    return a->lock == b->lock && a->tid != b->tid && !(a->mode == RCP_SHARED && b->mode == RCP_SHARED);
}

/* The event that ends an open section; false: it has none. */
static bool end_section(rcp_cone *c, const rcp_cone_section *section) {
    size_t len = rcp_trace_thread_len(c->trace, (rcp_tid){section->tid});
    uint32_t depth = 0, lock = section->lock, tid = section->tid;
    rcp_mode mode = section->mode;
    for (size_t i = 0; i < c->holds[tid].len; i++)
        if (c->holds[tid].at[i].lock == lock && c->holds[tid].at[i].mode == mode)
            depth = c->holds[tid].at[i].depth;
    for (uint32_t position = c->done[tid]; position < len && depth; position++) {
        const rcp_event *e = &c->trace->events.at[rcp_cone_event(c, tid, position).v];
        c->work++;
        bool wait = e->kind == RCP_WAIT && e->lock.v == lock && mode == RCP_EXCLUSIVE;
        bool wake = e->kind == RCP_WAKE && e->lock.v == lock && mode == RCP_EXCLUSIVE;
        bool on = (e->kind == RCP_ACQUIRE || e->kind == RCP_RELEASE) && e->object.v == lock && e->mode == mode;
        depth += wake || (on && e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE);
        depth -= wait || (on && e->kind == RCP_RELEASE);
        if (!depth)
            rcp_cone_need(c, tid, position + 1);
    }
    return !depth;
}

static bool refute(rcp_cone *c, const char *why) {
    c->refuted = true;
    snprintf(c->why, sizeof c->why, "%s", why);
    return false;
}

/* Sections that exclude one that holds a racing access have to end first. */
static bool make_room(rcp_cone *c) {
    for (size_t t = 0; t < c->trace->defs.threads.len;
         t++) /* by thread: there are few open sections, and many others */
        for (size_t h = 0; h < c->holds[t].len; h++) {
            rcp_cone_section open = c->sections.at[c->holds[t].at[h].section];
            for (int k = 0; k < 2; k++) {
                uint32_t racer = c->trace->events.at[c->race[k].v].tid.v;
                for (size_t i = 0; racer != t && i < c->holds[racer].len; i++) {
                    rcp_cone_section mine = c->sections.at[c->holds[racer].at[i].section];
                    if (!exclude(&open, &mine) || !rcp_cone_encloses_race(c, &mine))
                        continue;
                    if (rcp_cone_encloses_race(c, &open) || !end_section(c, &open))
                        return refute(c,
                                      "a lock that one of the two accesses holds is never given back by another thread "
                                      "whose part is needed");
                    return true;
                }
            }
        }
    return true;
}

void rcp_cone_begin(rcp_cone *c, uint64_t recorded) {
    c->recorded = recorded;
    for (uint64_t i = 0; i < recorded; i++)
        c->base[c->trace->events.at[i].tid.v]++;
    for (size_t t = 0; t < c->trace->defs.threads.len; t++)
        rcp_cone_need(c, (uint32_t)t, c->base[t]);
}

void rcp_cone_supply(rcp_cone *c, const rcp_order_graph *supplies) {
    c->supplies = supplies;
    for (uint32_t t = 0; t < c->trace->defs.threads.len; t++)
        for (uint32_t p = 0; p < c->done[t]; p++)
            add_edges(c, rcp_cone_event(c, t, p).v, true);
}

static bool drain(rcp_cone *c) {
    bool news = true;
    while (news && !c->refuted) {
        news = false;
        while (c->todo.len && !c->refuted)
            draw(c, c->todo.at[--c->todo.len]);
        for (uint32_t t = 0; t < c->trace->defs.threads.len && !c->refuted; t++)
            while (c->done[t] < c->need[t] && !c->refuted) {
                execute(c, t, c->done[t]++);
                news = true;
            }
        news |= c->todo.len > 0;
    }
    return !c->refuted;
}

bool rcp_cone_close(rcp_cone *c) {
    for (int k = 0; k < 2; k++) {
        const rcp_event *e = &c->trace->events.at[c->race[k].v];
        uint32_t position = c->trace->position[c->race[k].v];
        rcp_cone_need(c, e->tid.v, position);
        add_edges(c, c->race[k].v, false);
        depend(c, e->addr_term, e->tid.v, position);
        if (!position && c->observed->fork[e->tid.v] != UINT64_MAX)
            need_event(c, c->observed->fork[e->tid.v]);
    }
    uint64_t before;
    do {
        before = c->work;
        if (!drain(c) || !make_room(c))
            return false;
        drain(c);
    } while (c->work != before && !c->refuted);
    return !c->refuted;
}

bool rcp_cone_close_sections(rcp_cone *c) {
    for (bool news = true; news;) {
        news = false;
        for (size_t t = 0; t < c->trace->defs.threads.len && !news; t++)
            for (size_t h = 0; h < c->holds[t].len && !news; h++) {
                rcp_cone_section open = c->sections.at[c->holds[t].at[h].section];
                if (rcp_cone_encloses_race(c, &open))
                    continue;
                uint64_t began = rcp_cone_event(c, open.tid, open.acquired).v;
                for (size_t i = 0; i < c->sections.len && !news; i++) {
                    rcp_cone_section other = c->sections.at[i];
                    if (!exclude(&open, &other) || rcp_cone_event(c, other.tid, other.acquired).v < began)
                        continue;
                    if (!end_section(c, &open))
                        return false;
                    news = true;
                }
            }
        if (news && !rcp_cone_close(c))
            return false;
    }
    return true;
}
