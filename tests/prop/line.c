/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/line.h"

#include "trace/check/barriers.h"

typedef RCP_VEC(rcp_span) spans;

/* The addresses with which an event takes part. */
typedef struct part {
    spans inside, touched, followed, led;
} part;

static const rcp_event *at(const rcp_trace *trace, size_t i) { return &trace->events.at[i]; }

/* Is the pair that event b begins open when event e comes? */
static bool is_open(const rcp_trace *trace, size_t b, size_t e) {
    if (at(trace, b)->kind != RCP_OPAQUE_BEGIN)
        return false;
    int depth = 1;
    for (size_t i = b + 1; i < e && depth; i++)
        if (at(trace, i)->tid.v == at(trace, b)->tid.v)
            depth += (at(trace, i)->kind == RCP_OPAQUE_BEGIN) - (at(trace, i)->kind == RCP_OPAQUE_END);
    return depth > 0;
}

/* The addresses of time, of which P1 does not speak: at it, not before it, not after it. */
enum { AT, NOT_BEFORE, NOT_AFTER, TIMES };
static const uint64_t times_at[TIMES] = {(UINT64_C(1) << 48) + (1 << 8) + 1, (UINT64_C(1) << 48) + (1 << 8) + 30,
                                         (UINT64_C(1) << 48) + (1 << 8) + 31};

static void add(spans *to, uint64_t lo, uint64_t hi) {
    for (int i = 0; i < TIMES; i++) {
        uint64_t time = times_at[i];
        if (time < lo || time >= hi)
            continue;
        if (lo < time)
            rcp_vec_push(to, ((rcp_span){lo, time}));
        lo = time + 1;
    }
    if (lo < hi)
        rcp_vec_push(to, ((rcp_span){lo, hi}));
}

static void add_all(spans *to, const spans *from) {
    for (size_t i = 0; i < from->len; i++)
        rcp_vec_push(to, from->at[i]);
}

static void add_reach(const rcp_trace *trace, spans *to, rcp_reach reach) {
    const rcp_reach_def *def = &trace->defs.reaches.at[reach.v];
    if (rcp_defs_simple_barriers(&trace->defs))
        add(to, 0, RCP_REACH_END);
    for (size_t i = 0; i < def->n; i++)
        add(to, def->spans[i].lo, def->spans[i].hi);
}

/* What a pair with this reach follows, by the addresses that it follows there. */
static void add_followed(const rcp_trace *trace, spans *to, rcp_reach reach) {
    const rcp_reach_def *def = &trace->defs.reaches.at[reach.v];
    for (size_t i = def->n; !rcp_defs_simple_barriers(&trace->defs) && i < def->n + def->followed; i++)
        add(to, def->spans[i].lo - (UINT64_C(1) << 48), def->spans[i].hi - (UINT64_C(1) << 48));
}

static void add_object(const rcp_trace *trace, spans *to, rcp_obj object) {
    uint64_t addr = trace->defs.objects.at[object.v].addr;
    if (addr)
        add(to, addr, addr + 1);
}

static bool meet(const spans *a, const spans *b) {
    for (size_t i = 0; i < a->len; i++)
        for (size_t k = 0; k < b->len; k++)
            if (a->at[i].lo < b->at[k].hi && b->at[k].lo < a->at[i].hi)
                return true;
    return false;
}

/* What each pair that is open when e comes reaches, and that together with what it follows. */
typedef struct pair {
    bool is_open;
    spans shows, knows;
    bool is_known, is_shown; /* by the event, to it; in the end with all that are connected */
} pair;

static pair *take_pairs(const rcp_trace *trace, size_t e) {
    pair *pairs = rcp_alloc_zero(e + 1, sizeof *pairs);
    for (size_t b = 0; b < e; b++) {
        if (!(pairs[b].is_open = is_open(trace, b, e)))
            continue;
        add_reach(trace, &pairs[b].shows, at(trace, b)->reach);
        add_reach(trace, &pairs[b].knows, at(trace, b)->reach);
        add_followed(trace, &pairs[b].knows, at(trace, b)->reach);
    }
    return pairs;
}

static void release_pairs(pair *pairs, size_t e) {
    for (size_t b = 0; b < e; b++) {
        rcp_vec_finish(&pairs[b].shows);
        rcp_vec_finish(&pairs[b].knows);
    }
    rcp_release(pairs);
}

/* Of which pairs could an event know that knows `known`, and which could know of one that shows `shown`? */
static void meet_pairs(const rcp_trace *trace, size_t e, pair *pairs, const spans *known, const spans *shown,
                       bool is_own) {
    for (size_t b = 0; b < e; b++) {
        bool own = pairs[b].is_open && is_own && at(trace, b)->tid.v == at(trace, e)->tid.v;
        pairs[b].is_known = own || meet(&pairs[b].shows, known);
        pairs[b].is_shown = own || meet(&pairs[b].knows, shown);
    }
    for (size_t round = 0; round < e; round++)
        for (size_t p = 0; p < e; p++)
            for (size_t q = 0; pairs[p].is_open && q < e; q++)
                if (pairs[q].is_open && meet(&pairs[p].shows, &pairs[q].knows)) {
                    pairs[p].is_known |= pairs[q].is_known;
                    pairs[q].is_shown |= pairs[p].is_shown;
                }
}

/* Each has an address of its own. */
static void add_pairs(const rcp_trace *trace, size_t e, part *of) {
    pair *pairs = take_pairs(trace, e);
    spans known = {0};
    add_all(&known, &of->inside);
    add_all(&known, &of->followed);
    meet_pairs(trace, e, pairs, &known, &of->inside, true);
    for (size_t b = 0; b < e; b++)
        if (pairs[b].is_known || pairs[b].is_shown)
            add(!pairs[b].is_shown   ? &of->followed
                : !pairs[b].is_known ? &of->led
                                     : &of->inside,
                RCP_REACH_PAIR + b, RCP_REACH_PAIR + b + 1);
    meet_pairs(trace, e, pairs, &of->touched, &of->touched, false);
    for (size_t b = 0; b < e; b++)
        if (pairs[b].is_known || pairs[b].is_shown)
            add(&of->touched, RCP_REACH_PAIR + b, RCP_REACH_PAIR + b + 1);
    rcp_vec_finish(&known);
    release_pairs(pairs, e);
}

static bool is_in(const rcp_trace *trace, const char *fact, const rcp_event *event) {
    rcp_span span;
    bool is = false;
    for (const char *more = NULL; rcp_defs_next_span(&trace->defs, fact, &more, &span);)
        for (uint64_t k = event->addr; k < event->addr + event->size; k++)
            is |= k >= span.lo && k < span.hi;
    return is;
}

/* Does the event write a byte that others than the process can see, or touch one that may not be there? */
static bool is_shown(const rcp_trace *trace, const rcp_event *event) {
    return (rcp_event_writes(event) && is_in(trace, "seen", event)) ||
           (rcp_event_is_access(event) && is_in(trace, "guarded", event));
}

static void find(const rcp_trace *trace, size_t e, part *p) {
    const rcp_event *event = at(trace, e);
    uint32_t uses = rcp_event_traits(event->kind)->uses;
    uint64_t extent = rcp_event_extent(event);
    bool covered = is_shown(trace, event);
    if (event->kind == RCP_BRANCH || event->kind == RCP_FENCE)
        return;
    for (size_t b = 0; b < e; b++) {
        if (!is_open(trace, b, e))
            continue;
        if (at(trace, b)->tid.v == event->tid.v) {
            add_reach(trace, &p->inside, at(trace, b)->reach);
            add_followed(trace, &p->followed, at(trace, b)->reach);
        } else
            for (uint64_t k = 0; k < extent; k++)
                covered |=
                    rcp_defs_reach_holds(&trace->defs, at(trace, b)->reach, event->addr + k, event->addr + k + 1);
    }
    if (rcp_event_is_opaque(event)) {
        add_reach(trace, &p->inside, event->reach);
        add_followed(trace, &p->followed, event->reach);
    }
    if (covered)
        add(&p->touched, event->addr, event->addr + extent);
    if (uses & RCP_USES_OBJECT)
        add_object(trace, &p->touched, event->object);
    if (uses & RCP_USES_LOCK)
        add_object(trace, &p->touched, event->lock);
    if (event->kind == RCP_END)
        add(&p->touched, RCP_REACH_THREAD + event->tid.v, RCP_REACH_THREAD + event->tid.v + 1);
    add_pairs(trace, e, p);
    if (event->kind == RCP_OPAQUE_BEGIN)
        add(&p->inside, RCP_REACH_PAIR + e, RCP_REACH_PAIR + e + 1);
}

/* P1: does the earlier one show what the later one knows, unless both only touch it? */
static bool is_before(const part *i, const part *j) {
    return meet(&i->inside, &j->inside) || meet(&i->inside, &j->followed) || meet(&i->inside, &j->touched) ||
           meet(&i->led, &j->inside) || meet(&i->led, &j->followed) || meet(&i->led, &j->touched) ||
           meet(&i->touched, &j->inside) || meet(&i->touched, &j->followed);
}

void rcp_line_edges(const rcp_trace *trace, bool *edges) {
    size_t n = trace->events.len;
    part *parts = rcp_alloc_zero(n + 1, sizeof *parts);
    for (size_t j = 0; j < n; j++) {
        find(trace, j, &parts[j]);
        for (size_t i = 0; i < n; i++)
            edges[i * n + j] = i < j && is_before(&parts[i], &parts[j]);
    }
    for (size_t i = 0; i < n; i++) {
        rcp_vec_finish(&parts[i].inside);
        rcp_vec_finish(&parts[i].touched);
        rcp_vec_finish(&parts[i].followed);
        rcp_vec_finish(&parts[i].led);
    }
    rcp_release(parts);
}

/* P3 */

static bool has_address(const rcp_trace *trace, size_t e, uint64_t address) {
    const rcp_reach_def *def = &trace->defs.reaches.at[at(trace, e)->reach.v];
    bool has = rcp_defs_simple_barriers(&trace->defs);
    for (size_t i = 0; i < def->n; i++)
        has |= address >= def->spans[i].lo && address < def->spans[i].hi;
    return has;
}

/* Is the event with the address by its own reach, or by that of a pair that is around it? */
static bool is_with(const rcp_trace *trace, size_t e, uint64_t address) {
    const rcp_event *event = at(trace, e);
    if (event->kind == RCP_BRANCH || event->kind == RCP_FENCE)
        return false;
    if (rcp_event_is_opaque(event) && has_address(trace, e, address))
        return true;
    for (size_t b = 0; b < e; b++) {
        bool is_around = at(trace, b)->tid.v == event->tid.v && is_open(trace, b, e) &&
                         (event->kind != RCP_OPAQUE_END || is_open(trace, b, e + 1));
        if (is_around && has_address(trace, b, address))
            return true;
    }
    return false;
}

void rcp_line_times(const rcp_trace *trace, rcp_line_time *times) {
    size_t n = trace->events.len;
    for (size_t e = 0; e < n; e++) {
        const rcp_event *event = at(trace, e);
        bool is_at = is_with(trace, e, times_at[AT]);
        bool is_timeout = event->kind == RCP_WAKE && event->outcome == RCP_TIMEOUT;
        times[e] = (rcp_line_time){.is_late = is_at || is_timeout || is_with(trace, e, times_at[NOT_BEFORE]),
                                   .is_early = is_at || is_with(trace, e, times_at[NOT_AFTER]),
                                   .end = SIZE_MAX};
        times[e].begins = event->kind == RCP_OPAQUE_BEGIN && times[e].is_early && !times[e].is_late;
        times[e].is_early &= !times[e].begins;
        for (size_t i = e + 1; times[e].begins && i < n && times[e].end == SIZE_MAX; i++)
            if (at(trace, i)->tid.v == event->tid.v && !is_open(trace, e, i + 1))
                times[e].end = i;
    }
}
