/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/barriers.h"

#include <string.h>

static void take_spans(rcp_ranges *to, const rcp_defs *defs, const char *fact) {
    rcp_span span;
    rcp_ranges_init(to);
    for (const char *at = NULL; rcp_defs_next_span(defs, fact, &at, &span);)
        rcp_ranges_set(to, span.lo, span.hi, 0);
}

void rcp_barriers_init(rcp_barriers *line, const rcp_defs *defs) {
    *line = (rcp_barriers){.defs = defs, .is_simple = rcp_defs_simple_barriers(defs), .run = UINT64_MAX};
    rcp_ranges_init(&line->inside);
    take_spans(&line->seen, defs, "seen");
    take_spans(&line->guarded, defs, "guarded");
}

void rcp_barriers_finish(rcp_barriers *line) {
    rcp_ranges_finish(&line->inside);
    rcp_ranges_finish(&line->seen);
    rcp_ranges_finish(&line->guarded);
    for (size_t t = 0; t < line->touches.len; t++)
        rcp_ranges_finish(&line->touches.at[t]);
    rcp_vec_finish(&line->open);
    rcp_vec_finish(&line->touches);
    rcp_vec_finish(&line->tid_of);
    rcp_vec_finish(&line->latest);
    rcp_vec_finish(&line->needs);
}

static rcp_ranges *touches_of(rcp_barriers *line, uint32_t tid) {
    while (line->touches.len <= tid) {
        rcp_ranges none;
        rcp_ranges_init(&none);
        rcp_vec_push(&line->touches, none);
        rcp_vec_push(&line->latest, RCP_BARRIERS_NONE);
    }
    return &line->touches.at[tid];
}

/* The event in hand needs what the map has in [lo, hi). */
static void need(rcp_barriers *line, const rcp_ranges *map, uint64_t lo, uint64_t hi, uint32_t tid) {
    rcp_range found;
    for (uint64_t at = lo; at < hi && rcp_ranges_next(map, at, &found) && found.lo < hi; at = found.hi) {
        uint32_t other = line->tid_of.at[found.value], *latest = &line->latest.at[other];
        if (other != tid && (*latest == RCP_BARRIERS_NONE || *latest < found.value))
            *latest = found.value;
    }
}

static void touch(rcp_barriers *line, uint32_t tag, uint64_t lo, uint64_t hi, uint32_t tid) {
    need(line, &line->inside, lo, hi, tid);
    rcp_ranges_set(touches_of(line, tid), lo, hi, tag);
}

static void be_inside(rcp_barriers *line, uint32_t tag, uint64_t lo, uint64_t hi, uint32_t tid) {
    need(line, &line->inside, lo, hi, tid);
    for (size_t t = 0; t < line->touches.len; t++)
        if (line->touches.at[t].live) {
            need(line, &line->touches.at[t], lo, hi, tid);
            rcp_ranges_erase(&line->touches.at[t], lo, hi);
        }
    rcp_ranges_set(&line->inside, lo, hi, tag);
}

static void be_inside_reach(rcp_barriers *line, uint32_t tag, rcp_reach reach, uint32_t tid) {
    const rcp_reach_def *def = &line->defs->reaches.at[reach.v];
    if (line->is_simple)
        be_inside(line, tag, 0, RCP_REACH_END, tid);
    for (size_t i = 0; !line->is_simple && i < def->n; i++)
        be_inside(line, tag, def->spans[i].lo, def->spans[i].hi, tid);
}

static bool is_in(const rcp_ranges *spans, const rcp_event *e) {
    rcp_range span;
    return spans->live && rcp_ranges_next(spans, e->addr, &span) && span.lo < e->addr + e->size;
}

/* Does it write what others than the process can see, or touch what may not be there? */
static bool is_seen(const rcp_barriers *line, const rcp_event *e) {
    return rcp_event_is_access(e) && ((rcp_event_writes(e) && is_in(&line->seen, e)) || is_in(&line->guarded, e));
}

/* Is what it covers in reach of a pair that another thread has open? */
static bool is_reached(const rcp_barriers *line, const rcp_event *e) {
    uint64_t extent = rcp_event_extent(e);
    for (size_t i = 0; extent && i < line->open.len; i++)
        if (line->open.at[i].tid.v != e->tid.v &&
            rcp_defs_reach_holds(line->defs, line->open.at[i].reach, e->addr, e->addr + extent))
            return true;
    return false;
}

static uint64_t address_of(const rcp_barriers *line, rcp_obj object) { return line->defs->objects.at[object.v].addr; }

/* --- connected pairs --- */

static bool overlap(const rcp_barriers *line, rcp_reach a, rcp_reach b) {
    const rcp_reach_def *x = &line->defs->reaches.at[a.v], *y = &line->defs->reaches.at[b.v];
    if (line->is_simple || a.v == b.v)
        return true;
    for (size_t i = 0, k = 0; i < x->n && k < y->n;) {
        if (x->spans[i].lo < y->spans[k].hi && y->spans[k].lo < x->spans[i].hi)
            return true;
        if (x->spans[i].hi < y->spans[k].hi)
            i++;
        else
            k++;
    }
    return false;
}

static void join_groups(rcp_barriers *line, uint32_t into, uint32_t from) {
    for (size_t i = 0; i < line->open.len; i++)
        if (line->open.at[i].group == from)
            line->open.at[i].group = into;
}

/* The pair at `k`, among those before it. */
static void connect(rcp_barriers *line, size_t k) {
    rcp_barriers_pair *pair = &line->open.at[k];
    pair->group = (uint32_t)k;
    for (size_t i = 0; i < k; i++)
        if (line->open.at[i].group != pair->group && overlap(line, line->open.at[i].reach, pair->reach))
            join_groups(line, pair->group, line->open.at[i].group);
}

/* Without the one that has gone, those whom it connected may be apart. */
static void connect_anew(rcp_barriers *line) {
    for (size_t i = 0; i < line->open.len; i++)
        line->open.at[i].group = UINT32_MAX;
    for (size_t i = 0; i < line->open.len; i++)
        connect(line, i);
}

static void begin_pair(rcp_barriers *line, const rcp_event *e) {
    rcp_vec_push(&line->open, ((rcp_barriers_pair){.tid = e->tid, .reach = e->reach, .number = line->begun++}));
    line->changes++;
    connect(line, line->open.len - 1);
}

static void end_pair(rcp_barriers *line, rcp_tid tid) {
    for (size_t i = line->open.len; i-- > 0;)
        if (line->open.at[i].tid.v == tid.v) { /* the innermost of this thread */
            uint64_t own = RCP_REACH_PAIR + line->open.at[i].number;
            rcp_ranges_erase(&line->inside, own, own + 1); /* nobody can take part with it any more */
            for (size_t t = 0; t < line->touches.len; t++)
                rcp_ranges_erase(&line->touches.at[t], own, own + 1);
            memmove(&line->open.at[i], &line->open.at[i + 1], (line->open.len - i - 1) * sizeof *line->open.at);
            line->open.len--;
            line->changes++;
            connect_anew(line);
            return;
        }
}

static void hold(const rcp_barriers *line, rcp_barriers_pair *pair, uint64_t lo, uint64_t hi) {
    pair->holds_touched |= hi > lo && (line->is_simple || rcp_defs_reach_holds(line->defs, pair->reach, lo, hi));
}

/* The event takes part with every pair that holds something of it, and with those that are connected. */
static void take_part(rcp_barriers *line, uint32_t tag, uint32_t tid) {
    for (size_t i = 0; i < line->open.len; i++) {
        bool holds = false, touched = false;
        for (size_t k = 0; k < line->open.len; k++)
            if (line->open.at[k].group == line->open.at[i].group) {
                holds |= line->open.at[k].holds;
                touched |= line->open.at[k].holds_touched;
            }
        uint64_t own = RCP_REACH_PAIR + line->open.at[i].number;
        if (touched)
            touch(line, tag, own, own + 1, tid);
        if (holds)
            be_inside(line, tag, own, own + 1, tid);
    }
}

/* The tags that were found become `needs`. */
static void list_needs(rcp_barriers *line) {
    line->needs.len = 0;
    for (size_t t = 0; t < line->latest.len; t++)
        if (line->latest.at[t] != RCP_BARRIERS_NONE) {
            rcp_vec_push(&line->needs, line->latest.at[t]);
            line->latest.at[t] = RCP_BARRIERS_NONE;
        }
}

/* Nobody else can see that it was executed. */
static bool is_silent(const rcp_event *e) { return e->kind == RCP_BRANCH || e->kind == RCP_FENCE; }

uint32_t rcp_barriers_add(rcp_barriers *line, const rcp_event *e) {
    uint32_t tid = e->tid.v, uses = rcp_event_traits(e->kind)->uses;
    line->needs.len = 0;
    if (is_silent(e))
        return RCP_BARRIERS_NONE;
    bool is_opaque = rcp_event_is_opaque(e), is_inside = is_opaque,
         is_covered = is_seen(line, e) || is_reached(line, e);
    uint64_t object = uses & RCP_USES_OBJECT ? address_of(line, e->object) : 0;
    uint64_t lock = uses & RCP_USES_LOCK ? address_of(line, e->lock) : 0;
    for (size_t i = 0; i < line->open.len && !is_inside; i++)
        is_inside = line->open.at[i].tid.v == tid;
    bool only_inside = is_inside && !is_opaque && !is_covered && !object && !lock && e->kind != RCP_END;
    if (only_inside && line->run == line->changes && line->tid_of.at[line->tid_of.len - 1] == tid)
        return (uint32_t)line->tid_of.len - 1;
    if (!is_inside && !is_covered && !object && !lock && e->kind != RCP_END)
        return RCP_BARRIERS_NONE;
    uint32_t tag = (uint32_t)line->tid_of.len;
    uint64_t extent = is_covered ? rcp_event_extent(e) : 0;
    touches_of(line, tid);
    rcp_vec_push(&line->tid_of, tid);
    for (size_t i = 0; i < line->open.len; i++) {
        rcp_barriers_pair *pair = &line->open.at[i];
        pair->holds = pair->tid.v == tid || (is_opaque && overlap(line, pair->reach, e->reach));
        pair->holds_touched = false;
        hold(line, pair, e->addr, e->addr + extent);
        hold(line, pair, object, object + (object != 0));
        hold(line, pair, lock, lock + (lock != 0));
        if (e->kind == RCP_END)
            hold(line, pair, RCP_REACH_THREAD + tid, RCP_REACH_THREAD + tid + 1);
    }
    if (is_covered)
        touch(line, tag, e->addr, e->addr + extent, tid);
    if (object)
        touch(line, tag, object, object + 1, tid);
    if (lock)
        touch(line, tag, lock, lock + 1, tid);
    if (e->kind == RCP_END)
        touch(line, tag, RCP_REACH_THREAD + tid, RCP_REACH_THREAD + tid + 1, tid);
    for (size_t i = 0; i < line->open.len; i++)
        if (line->open.at[i].tid.v == tid)
            be_inside_reach(line, tag, line->open.at[i].reach, tid);
    if (is_opaque)
        be_inside_reach(line, tag, e->reach, tid);
    take_part(line, tag, tid);
    if (e->kind == RCP_OPAQUE_BEGIN) {
        uint64_t own = RCP_REACH_PAIR + line->begun;
        be_inside(line, tag, own, own + 1, tid);
        begin_pair(line, e);
    } else if (e->kind == RCP_OPAQUE_END) {
        end_pair(line, e->tid);
    }
    line->run = only_inside || e->kind == RCP_OPAQUE_BEGIN ? line->changes : UINT64_MAX; /* others reach more */
    list_needs(line);
    return tag;
}

static void mark(const rcp_ranges *map, uint32_t *is_live) {
    rcp_range found;
    for (uint64_t at = 0; rcp_ranges_next(map, at, &found); at = found.hi)
        is_live[found.value] = 1;
}

static void rename_tags(rcp_ranges *map, const uint32_t *name) {
    rcp_ranges renamed;
    rcp_range found;
    rcp_ranges_init(&renamed);
    for (uint64_t at = 0; rcp_ranges_next(map, at, &found); at = found.hi)
        rcp_ranges_set(&renamed, found.lo, found.hi, name[found.value]);
    rcp_ranges_finish(map);
    *map = renamed;
}

void rcp_barriers_forget(rcp_barriers *line, rcp_barriers_tags *kept) {
    uint32_t *name = rcp_alloc_zero(line->tid_of.len + 1, sizeof *name);
    mark(&line->inside, name);
    for (size_t t = 0; t < line->touches.len; t++)
        mark(&line->touches.at[t], name);
    if (line->tid_of.len)
        name[line->tid_of.len - 1] = 1; /* the run may go on */
    kept->len = 0;
    for (size_t i = 0; i < line->tid_of.len; i++)
        if (name[i]) {
            name[i] = (uint32_t)kept->len;
            line->tid_of.at[kept->len] = line->tid_of.at[i];
            rcp_vec_push(kept, (uint32_t)i);
        }
    line->tid_of.len = kept->len;
    rename_tags(&line->inside, name);
    for (size_t t = 0; t < line->touches.len; t++)
        rename_tags(&line->touches.at[t], name);
    line->needs.len = 0;
    rcp_release(name);
}
