/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/solve/slice.h"

#include <string.h>

static void begin(rcp_slice *s, const rcp_run_facts *facts, rcp_eid a, rcp_eid b) {
    *s = (rcp_slice){.facts = facts};
    s->race[0] = (uint32_t)(a.v < b.v ? a.v : b.v);
    s->race[1] = (uint32_t)(a.v < b.v ? b.v : a.v);
    s->turns = a.v == b.v;
    const rcp_event *e = &facts->trace->events.at[a.v];
    bool is_tried = e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT;
    bool is_swap = rcp_event_is_access(e) && rcp_term_is_real(e->cond);
    s->turned = s->turns && (is_tried || is_swap) ? (uint32_t)a.v : RCP_NO_EVENT;
    s->upto = rcp_alloc_zero(facts->trace->defs.threads.len + 1, sizeof *s->upto);
}

static void end_at_race(rcp_slice *s) {
    const rcp_trace *trace = s->facts->trace;
    for (int side = 0; side < 2; side++)
        s->upto[trace->events.at[s->race[side]].tid.v] = trace->position[s->race[side]] + (s->turned != RCP_NO_EVENT);
    for (uint32_t i = 0; i < s->n_also; i++)
        s->upto[trace->events.at[s->also[i]].tid.v] = trace->position[s->also[i]];
}

static void measure(rcp_slice *s) {
    const rcp_trace *trace = s->facts->trace;
    s->end = s->start;
    s->size = 0;
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        rcp_position from = rcp_trace_events_before(trace, t, s->start);
        if (s->upto[t] <= from)
            continue;
        uint32_t last = (uint32_t)rcp_trace_event_of(trace, (rcp_tid){t}, s->upto[t] - 1).v;
        s->size += s->upto[t] - from;
        s->end = last >= s->end ? last + 1 : s->end;
    }
}

void rcp_slice_window(rcp_slice *s, const rcp_run_facts *facts, rcp_eid a, rcp_eid b, uint32_t before,
                      uint32_t latest) {
    begin(s, facts, a, b);
    s->start = s->race[0] > before ? s->race[0] - before : 0;
    s->start = s->start < latest ? s->start : latest;
    /* what turns an event is as likely what came soon after it */
    uint64_t after = (uint64_t)s->race[1] + before, all = facts->trace->events.len;
    uint32_t end = !s->turns ? s->race[1] : (uint32_t)(after < all ? after : all);
    for (uint32_t t = 0; t < facts->trace->defs.threads.len; t++)
        s->upto[t] = rcp_trace_events_before(facts->trace, t, end);
    end_at_race(s);
    measure(s);
}

void rcp_slice_whole(rcp_slice *s, const rcp_run_facts *facts, rcp_eid a, rcp_eid b) {
    begin(s, facts, a, b);
    for (uint32_t t = 0; t < facts->trace->defs.threads.len; t++)
        s->upto[t] = (rcp_position)rcp_trace_thread_len(facts->trace, (rcp_tid){t});
    end_at_race(s);
    measure(s);
}

void rcp_slice_leave_out(rcp_slice *s, const rcp_bits *idle) {
    s->idle = idle;
    for (uint32_t e = s->start; idle && e < s->end; e++)
        s->size -= rcp_slice_is_idle(s, e);
}

void rcp_slice_finish(rcp_slice *s) {
    rcp_release(s->upto);
    *s = (rcp_slice){0};
}

void rcp_slice_still(rcp_slice *s, const rcp_run_facts *facts, const rcp_position *upto, const uint32_t *asleep,
                     uint32_t n) {
    const size_t threads = facts->trace->defs.threads.len;
    *s = (rcp_slice){.facts = facts,
                     .race = {RCP_NO_EVENT, RCP_NO_EVENT},
                     .turned = RCP_NO_EVENT,
                     .is_still = true,
                     .asleep = asleep,
                     .n_asleep = n};
    s->upto = rcp_alloc_zero(threads + 1, sizeof *s->upto);
    memcpy(s->upto, upto, threads * sizeof *upto);
    measure(s);
}

bool rcp_slice_is_whole(const rcp_slice *s) {
    const rcp_trace *trace = s->facts->trace;
    bool whole = !s->start;
    if (s->is_still) /* there is no more of it */
        return true;
    for (uint32_t t = 0; t < trace->defs.threads.len && whole; t++) {
        bool races = trace->events.at[s->race[0]].tid.v == t || trace->events.at[s->race[1]].tid.v == t;
        for (uint32_t i = 0; i < s->n_also && !races; i++)
            races = trace->events.at[s->also[i]].tid.v == t;
        whole = races || s->upto[t] == rcp_trace_thread_len(trace, (rcp_tid){t});
    }
    return whole;
}

/* The small cone: a set of prefixes that grows until nothing more is needed. */
typedef struct cone {
    rcp_slice *s;
    RCP_VEC(uint32_t) todo; /* events whose needs have not been looked at */
} cone;

static void include(cone *c, uint32_t event) {
    const rcp_trace *trace = c->s->facts->trace;
    uint32_t tid = trace->events.at[event].tid.v;
    while (c->s->upto[tid] <= trace->position[event]) {
        uint32_t next = (uint32_t)rcp_trace_event_of(trace, (rcp_tid){tid}, c->s->upto[tid]++).v;
        rcp_vec_push(&c->todo, next);
    }
}

static void include_named(cone *c, const rcp_event *e, uint32_t event) {
    const rcp_run_facts *f = c->s->facts;
    uint32_t object = e->object.v;
    if (f->init[object] != RCP_NO_EVENT && f->init[object] < event)
        include(c, f->init[object]);
    switch ((rcp_kind)e->kind) {
    case RCP_WAKE:
    case RCP_SEM_WAIT:
    case RCP_BARRIER_LEAVE:
    case RCP_ONCE_SKIP:
    case RCP_DESTROY:
        /* all that happened to the object before: who served it is the search's to find */
        for (size_t i = f->named.first[object]; i < f->named.first[object + 1] && f->named.at[i] < event; i++)
            include(c, f->named.at[i]);
        break;
    default: break;
    }
}

static void include_lock(cone *c, uint32_t acquire) {
    const rcp_run_facts *f = c->s->facts;
    const rcp_event *e = rcp_run_facts_event(f, acquire);
    uint32_t section = rcp_map_get(&f->section_at, acquire);
    if (e->outcome == RCP_FAILED) { /* whoever held it */
        uint32_t lock = e->object.v;
        for (uint32_t i = f->first_section[lock]; i < f->first_section[lock + 1]; i++)
            if (f->sections.at[i].acquire < acquire && f->sections.at[i].release > acquire)
                include(c, f->sections.at[i].acquire);
    }
    if (section == RCP_MAP_NONE)
        return;
    /* sections of the lock that are in the cone and came before must be over */
    uint32_t lock = f->sections.at[section].lock;
    for (uint32_t i = section; i-- > f->first_section[lock];) {
        const rcp_critical *s = &f->sections.at[i];
        const rcp_trace *trace = f->trace;
        if (trace->position[s->acquire] >= c->s->upto[s->tid] || s->release > acquire)
            continue;
        include(c, s->release);
        if (s->mode == RCP_EXCLUSIVE)
            break;
    }
}

static void include_needs(cone *c, uint32_t event) {
    const rcp_run_facts *f = c->s->facts;
    const rcp_event *e = rcp_run_facts_event(f, event);
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    uint64_t fork = f->observed.fork[uses & RCP_USES_CHILD ? e->child.v : e->tid.v], upto;
    if (fork != UINT64_MAX && fork < event)
        include(c, (uint32_t)fork);
    if (e->kind == RCP_JOIN && e->outcome == RCP_DONE && rcp_trace_thread_len(f->trace, e->child))
        include(c, (uint32_t)rcp_trace_event_of(f->trace, e->child,
                                                (rcp_position)rcp_trace_thread_len(f->trace, e->child) - 1)
                       .v);
    if (uses & RCP_USES_OBJECT)
        include_named(c, e, event);
    if (e->kind == RCP_ACQUIRE || e->kind == RCP_WAKE)
        include_lock(c, event);
    for (uint64_t at = e->addr; rcp_event_reads(e) && at < e->addr + e->size; at = upto) {
        uint32_t writer = rcp_observed_writer(&f->observed, (rcp_eid){event}, at, &upto);
        if (writer)
            include(c, writer - 1);
    }
    for (uint64_t at = e->addr; at < e->addr + rcp_event_extent(e); at = upto) {
        uint32_t life = rcp_observed_life(&f->observed, (rcp_eid){event}, at, &upto);
        if (life)
            include(c, life - 1);
    }
    size_t n;
    const uint32_t *needs = rcp_observed_needs(&f->observed, (rcp_eid){event}, &n);
    for (size_t i = 0; i < n; i++)
        include(c, needs[i]);
}

void rcp_slice_small(rcp_slice *s, const rcp_run_facts *facts, rcp_eid a, rcp_eid b) {
    begin(s, facts, a, b);
    cone c = {.s = s};
    for (int side = 0; side < 2; side++) {
        uint32_t previous = rcp_run_facts_previous(facts, s->race[side]);
        if (previous != RCP_NO_EVENT)
            include(&c, previous);
    }
    while (c.todo.len)
        include_needs(&c, c.todo.at[--c.todo.len]);
    rcp_vec_finish(&c.todo);
    end_at_race(s);
    measure(s);
}

void rcp_slice_stand(rcp_slice *s, const uint32_t *also, uint32_t n, bool needs) {
    cone c = {.s = s};
    s->also = also;
    s->n_also = n;
    s->stands = true;
    for (uint32_t i = 0; i < n && needs; i++) {
        uint32_t previous = rcp_run_facts_previous(s->facts, also[i]);
        if (previous != RCP_NO_EVENT)
            include(&c, previous);
    }
    while (c.todo.len)
        include_needs(&c, c.todo.at[--c.todo.len]);
    rcp_vec_finish(&c.todo);
    end_at_race(s);
    measure(s);
}

void rcp_slice_pass(rcp_slice *s) { s->stands = s->passes = true; }

/* All that is to be executed takes part, with what it needs where that was cut. Its last event is the last one of its
 * thread, and what follows that stands for the race. */
void rcp_slice_arrange(rcp_slice *s, const rcp_arrangement *arranged, rcp_slice_cut cut) {
    const rcp_trace *trace = s->facts->trace;
    cone c = {.s = s};
    s->arranged = arranged;
    include(&c, (uint32_t)arranged->last.v);
    for (unsigned i = 0; i < arranged->n; i++)
        include(&c, (uint32_t)arranged->after[i].v);
    while (c.todo.len && cut == RCP_CUT_SMALL)
        include_needs(&c, c.todo.at[--c.todo.len]);
    rcp_vec_finish(&c.todo);
    for (uint32_t t = 0; cut == RCP_CUT_WHOLE && t < trace->defs.threads.len; t++)
        s->upto[t] = (rcp_position)rcp_trace_thread_len(trace, (rcp_tid){t});
    s->turns = false;
    s->turned = RCP_NO_EVENT;
    s->race[0] = s->race[1] = rcp_run_facts_next(s->facts, (uint32_t)arranged->last.v);
    end_at_race(s);
    measure(s);
}
