/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/sides_state.h"

#include "base/limits.h"
#include "trace/check/barriers.h"

/* Cells of one access: bytes at most. */
static const rcp_event *event_of(const rcp_sides *s, uint32_t node) {
    return rcp_ways_event(s->ways, &s->ways->nodes.at[node]);
}

static rcp_formula both(rcp_sides *s, rcp_formula a, rcp_formula b) { return rcp_formula_and(s->pool, a, b); }

/* --- guards --- */

rcp_formula rcp_sides_outcome(rcp_sides *s, uint32_t node, uint64_t outcome) {
    const rcp_way_side *side = rcp_ways_side(s->ways, node, outcome);
    const rcp_event *e = &s->ways->runs.at[side->run].trace->events.at[side->event];
    if (e->kind == RCP_BRANCH)
        return rcp_sides_holds(s, side->run, e->cond, e->value, side->event, false);
    if (rcp_event_is_access(e)) /* a compare-and-swap's own read decides */
        return rcp_sides_holds(s, side->run, e->cond, e->kind == RCP_RMW, side->event, true);
    if (e->kind == RCP_JOIN && outcome)
        return outcome - 1 == RCP_NO_NODE ? RCP_FALSE : s->nodes[outcome - 1].guard;
    if (e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT || e->kind == RCP_WAKE)
        return outcome ? rcp_formula_not(s->pool, s->nodes[node].has) : s->nodes[node].has;
    return RCP_TRUE;
}

static void guard(rcp_sides *s, uint32_t number) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    rcp_sides_node *node = &s->nodes[number];
    const rcp_event *e = event_of(s, number);
    rcp_guarded_event last;
    node->told = node->stand = RCP_NO_TOLD;
    node->has = RCP_TRUE;
    if (way->parent != RCP_NO_NODE)
        node->enter = both(s, s->nodes[way->parent].guard, rcp_sides_outcome(s, way->parent, way->side));
    else if (way->child != RCP_NO_NODE) {
        node->enter = s->nodes[way->child].guard;
        node->stand = s->nodes[way->child].told;
    } else
        node->enter = RCP_TRUE;
    if (rcp_guarded_last_of(s->g, way->thread, &last))
        node->stand = last.v;
    else if (way->parent != RCP_NO_NODE)
        node->stand = s->nodes[way->parent].stand;
    bool has_address = rcp_event_traits(e->kind)->uses & RCP_USES_ADDR_TERM;
    node->guard = has_address
                      ? both(s, node->enter, rcp_sides_holds(s, way->run, e->addr_term, e->addr, way->event, false))
                      : node->enter;
}

/* --- events --- */

static rcp_guarded_event tell_access(rcp_sides *s, uint32_t number) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    rcp_sides_node *node = &s->nodes[number];
    const rcp_event *e = event_of(s, number);
    rcp_formula values[RCP_MOST_CELLS], known = RCP_TRUE;
    rcp_guarded_event told;
    rcp_sides_cells_of(s, way, &node->cell, &node->n_cells);
    node->values = s->values.len;
    if (e->kind == RCP_WRITE) {
        rcp_sides_written(s, way->run, way->event, node, values, &known);
        node->guard = both(s, node->guard, known);
        return rcp_guarded_write(s->g, way->thread, node->guard, node->cell, node->n_cells, values);
    }
    told = rcp_guarded_read(s->g, way->thread, node->guard, node->cell, node->n_cells, values);
    node->told = told.v; /* its own terms speak of it */
    for (uint32_t i = 0; i < node->n_cells; i++)
        rcp_vec_push(&s->values, values[i]);
    if (way->swap_run != RCP_NO_NODE) {
        const rcp_event *update = &s->ways->runs.at[way->swap_run].trace->events.at[way->swap_event];
        rcp_sides_written(s, way->swap_run, way->swap_event, node, values, &known);
        rcp_formula writes = rcp_sides_holds(s, way->swap_run, update->cond, 1, way->swap_event, true);
        rcp_guarded_update(s->g, told, both(s, writes, known), values);
    }
    return told;
}

/* Does it try, or was it seen to fail? */
static bool may_fail(const rcp_sides *s, uint32_t number) {
    return s->ways->nodes.at[number].is_try || rcp_ways_side(s->ways, number, 1);
}

static bool tell(rcp_sides *s, uint32_t number, rcp_guarded_event *told) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    rcp_sides_node *node = &s->nodes[number];
    const rcp_event *e = event_of(s, number);
    rcp_guarded *g = s->g;
    rcp_formula *has = may_fail(s, number) ? &node->has : NULL;
    switch ((rcp_kind)e->kind) {
    case RCP_BEGIN:
    case RCP_BRANCH:
    case RCP_FENCE: return false;
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: *told = tell_access(s, number); return true;
    case RCP_ACQUIRE:
        *told = rcp_guarded_acquire(g, way->thread, node->guard, way->object, e->mode == RCP_SHARED, has);
        return true;
    case RCP_RELEASE: *told = rcp_guarded_release(g, way->thread, node->guard, way->object); return true;
    case RCP_SEM_POST: *told = rcp_guarded_post(g, way->thread, node->guard, way->object); return true;
    case RCP_SEM_WAIT: *told = rcp_guarded_wait(g, way->thread, node->guard, way->object, has); return true;
    case RCP_WAIT: *told = rcp_guarded_sleep(g, way->thread, node->guard, way->object, way->lock); return true;
    case RCP_WAKE: {
        rcp_formula woken;
        const rcp_guarded_event sleep = {s->nodes[way->parent].told};
        *told = rcp_guarded_wake(g, sleep, node->guard, has ? has : s->spurious ? &woken : NULL);
        return true;
    }
    case RCP_SIGNAL:
    case RCP_BROADCAST:
        *told = rcp_guarded_signal(g, way->thread, node->guard, way->object, e->kind == RCP_BROADCAST);
        return true;
    case RCP_FORK: *told = rcp_guarded_fork(g, way->thread, node->guard, way->child); return true;
    case RCP_JOIN: *told = rcp_guarded_join(g, way->thread, node->guard, way->child); return true;
    case RCP_END: *told = rcp_guarded_end(g, way->thread, node->guard); return true;
    case RCP_EXIT: *told = rcp_guarded_exit(g, way->thread, node->guard); return true;
    default: *told = rcp_guarded_mark(g, way->thread, node->guard); return true;
    }
}

/* --- what needs what, and what ends what --- */

static void need(rcp_sides *s, uint32_t number, uint32_t earlier) {
    if (earlier != RCP_NO_NODE && s->nodes[earlier].told != RCP_NO_TOLD)
        rcp_guarded_need(s->g, (rcp_guarded_event){s->nodes[number].told}, (rcp_guarded_event){s->nodes[earlier].told});
}

/* P1: code outside keeps its order. */
static void need_line(rcp_sides *s, uint32_t number) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    const rcp_way_run *run = &s->ways->runs.at[way->run];
    size_t n;
    const uint32_t *needs = rcp_observed_needs(&run->observed, (rcp_eid){way->event}, &n);
    s->is_narrow |= n > 0;
    for (size_t i = 0; i < n; i++)
        need(s, number, run->node[needs[i]]);
}

static void need_all(rcp_sides *s, uint32_t number) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    const rcp_event *e = event_of(s, number);
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (uses & RCP_USES_OBJECT && e->kind != RCP_INIT)
        need(s, number, s->ways->objects.at[way->object].init);
    if (uses & RCP_USES_LOCK)
        need(s, number, s->ways->objects.at[way->lock].init);
    if (way->life)
        need(s, number, way->life - 1);
    need_line(s, number);
}

static bool overlap(const rcp_event *a, const rcp_event *b) {
    return a->addr < b->addr + rcp_event_extent(b) && b->addr < a->addr + rcp_event_extent(a);
}

/* Does the ALLOC or FREE end the life that the other one has its bytes in? An ALLOC may end several. */
static bool ends_life(const rcp_sides *s, uint32_t number, uint32_t other) {
    const rcp_way_node *way = &s->ways->nodes.at[number], *used = &s->ways->nodes.at[other];
    const rcp_event *e = event_of(s, number);
    if (!overlap(e, event_of(s, other)))
        return false;
    if (e->kind == RCP_FREE)
        return used->life == way->life;
    const rcp_way_run *run = &s->ways->runs.at[way->run];
    uint64_t upto;
    for (uint64_t at = e->addr; at < e->addr + e->value; at = upto) {
        uint32_t began = rcp_observed_life(&run->observed, (rcp_eid){way->event}, at, &upto);
        uint32_t life = began ? run->node[began - 1] + 1 : 0;
        if (life == used->life)
            return true;
    }
    return false;
}

static bool names(const rcp_sides *s, uint32_t number, uint32_t object) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    uint32_t uses = rcp_event_traits(event_of(s, number)->kind)->uses;
    return event_of(s, number)->kind != RCP_INIT &&
           ((uses & RCP_USES_OBJECT && way->object == object) || (uses & RCP_USES_LOCK && way->lock == object));
}

static void end_all(rcp_sides *s, uint32_t number) {
    const rcp_event *e = event_of(s, number);
    bool changes = e->kind == RCP_ALLOC || e->kind == RCP_FREE;
    if (!changes && e->kind != RCP_DESTROY)
        return;
    for (uint32_t other = 0; other < s->ways->nodes.len; other++) {
        const rcp_event *o = event_of(s, other);
        bool is_used = rcp_event_is_access(o) || (o->kind == RCP_FREE && e->kind == RCP_FREE);
        if (other == number || s->nodes[other].told == RCP_NO_TOLD ||
            !(changes ? is_used && ends_life(s, number, other) : names(s, other, s->ways->nodes.at[number].object)))
            continue;
        rcp_guarded_expire(s->g, (rcp_guarded_event){s->nodes[number].told}, (rcp_guarded_event){s->nodes[other].told});
    }
}

/* P3, and more than it asks: nobody who knows the time, and no wait that has a length, comes after what was recorded
 * later and is not before its time. */
static void keep_time(rcp_sides *s, uint32_t number) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    const rcp_way_run *run = &s->ways->runs.at[way->run];
    const rcp_point *points = run->observed.points.at;
    const rcp_point *point = rcp_observed_point(&run->observed, (rcp_eid){way->event});
    if (!point || s->nodes[number].told == RCP_NO_TOLD || !(point->timing & ~(unsigned)RCP_TIMING_NOT_BEFORE))
        return;
    for (size_t i = (size_t)(point - points) + 1; i < run->observed.points.len; i++) {
        uint32_t later = run->node[points[i].event];
        if (!(points[i].timing & RCP_TIMING_NOT_BEFORE) || later == RCP_NO_NODE ||
            s->nodes[later].told == RCP_NO_TOLD || s->ways->nodes.at[later].thread == way->thread)
            continue;
        s->is_narrow = true;
        rcp_guarded_expire(s->g, (rcp_guarded_event){s->nodes[later].told}, (rcp_guarded_event){s->nodes[number].told});
    }
}

/* --- all of it --- */

static bool build(rcp_sides *s, size_t limit) {
    for (size_t i = 0; i < s->ways->objects.len; i++)
        if (s->ways->objects.at[i].kind == RCP_SEM)
            rcp_guarded_semaphore(s->g, (uint32_t)i, s->ways->objects.at[i].initial);
    rcp_sides_find_cells(s);
    for (uint32_t i = 0; i < s->ways->nodes.len && s->pool->nodes.len <= limit; i++) {
        rcp_guarded_event told;
        guard(s, i);
        if (tell(s, i, &told)) {
            s->nodes[i].told = told.v;
            rcp_vec_push(&s->node_of, i);
            need_all(s, i);
        }
    }
    if (s->pool->nodes.len > limit)
        return false;
    for (uint32_t i = 0; i < s->ways->nodes.len; i++)
        end_all(s, i), keep_time(s, i);
    return rcp_guarded_close(s->g, limit);
}

rcp_sides *rcp_sides_create(const rcp_ways *ways, bool spurious, const uint8_t *apart, size_t limit) {
    if (ways->threads.len > rcp_limit(RCP_LIMIT_GUARDED_THREADS) ||
        ways->nodes.len > rcp_limit(RCP_LIMIT_GUARDED_EVENTS))
        return NULL;
    rcp_sides *s = rcp_alloc_zero(1, sizeof *s);
    s->ways = ways;
    s->spurious = spurious;
    s->g = rcp_guarded_create();
    s->pool = rcp_guarded_pool(s->g);
    s->ops.pool = s->pool;
    s->nodes = rcp_alloc_zero(ways->nodes.len + 1, sizeof *s->nodes);
    s->n_runs = ways->runs.len;
    s->memos = rcp_alloc_zero(ways->runs.len + 1, sizeof *s->memos);
    rcp_map_init(&s->cell_at);
    for (int c = 0; c < RCP_CUTS; c++)
        s->is_narrow |= ways->cuts[c] > 0;
    for (unsigned a = 0; a < ways->threads.len; a++)
        for (unsigned b = 0; b < a; b++)
            if (apart[a * ways->threads.len + b]) {
                rcp_guarded_apart(s->g, a, b);
                s->is_narrow = true;
            }
    if (build(s, limit))
        return s;
    rcp_sides_destroy(s);
    return NULL;
}

void rcp_sides_destroy(rcp_sides *s) {
    if (!s)
        return;
    for (size_t i = 0; i < s->n_runs; i++) {
        rcp_release(s->memos[i].value);
        rcp_release(s->memos[i].is_there);
    }
    rcp_release(s->memos);
    rcp_release(s->nodes);
    rcp_vec_finish(&s->node_of);
    rcp_vec_finish(&s->values);
    rcp_vec_finish(&s->cells);
    rcp_vec_finish(&s->todo);
    rcp_map_finish(&s->cell_at);
    rcp_guarded_destroy(s->g);
    rcp_release(s);
}

bool rcp_sides_is_narrow(const rcp_sides *s) { return s->is_narrow || s->ops.approximate; }
size_t rcp_sides_formulas(const rcp_sides *s) { return s->pool->nodes.len; }
