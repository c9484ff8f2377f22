/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/barriers.h"

#include <string.h>

#define NOBODYS UINT64_MAX /* no group */

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
    for (size_t t = 0; t < line->touches.len; t++) {
        rcp_ranges_finish(&line->touches.at[t]);
        rcp_ranges_finish(&line->leads.at[t]);
    }
    rcp_vec_finish(&line->open);
    rcp_vec_finish(&line->touches);
    rcp_vec_finish(&line->leads);
    rcp_vec_finish(&line->tid_of);
    rcp_vec_finish(&line->latest);
    rcp_vec_finish(&line->needs);
}

static rcp_ranges *touches_of(rcp_barriers *line, uint32_t tid) {
    while (line->touches.len <= tid) {
        rcp_ranges none;
        rcp_ranges_init(&none);
        rcp_vec_push(&line->touches, none);
        rcp_vec_push(&line->leads, none);
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

/* The same of what threads have there, by thread; and that is forgotten, where whoever comes later comes after this
 * one.
 */
static void need_of_each(rcp_barriers *line, rcp_ranges *maps, uint64_t lo, uint64_t hi, uint32_t tid, bool forgets) {
    for (size_t t = 0; t < line->touches.len; t++)
        if (maps[t].live) {
            need(line, &maps[t], lo, hi, tid);
            if (forgets)
                rcp_ranges_erase(&maps[t], lo, hi);
        }
}

static void touch(rcp_barriers *line, uint32_t tag, uint64_t lo, uint64_t hi, uint32_t tid) {
    need(line, &line->inside, lo, hi, tid);
    if (line->has_led)
        need_of_each(line, line->leads.at, lo, hi, tid, false);
    rcp_ranges_set(touches_of(line, tid), lo, hi, tag);
}

static void know(rcp_barriers *line, uint64_t lo, uint64_t hi, uint32_t tid, bool forgets) {
    need(line, &line->inside, lo, hi, tid);
    need_of_each(line, line->touches.at, lo, hi, tid, forgets);
    if (line->has_led)
        need_of_each(line, line->leads.at, lo, hi, tid, forgets);
}

static void follow(rcp_barriers *line, uint64_t lo, uint64_t hi, uint32_t tid) { know(line, lo, hi, tid, false); }

static void lead(rcp_barriers *line, uint32_t tag, uint64_t lo, uint64_t hi, uint32_t tid) {
    rcp_ranges_set(&line->leads.at[tid], lo, hi, tag);
    line->has_led = true;
}

static void be_inside(rcp_barriers *line, uint32_t tag, uint64_t lo, uint64_t hi, uint32_t tid) {
    know(line, lo, hi, tid, true);
    rcp_ranges_set(&line->inside, lo, hi, tag);
}

/* Time is no address of P1. What is left of [*lo, hi) begins at *lo, and goes on to *upto: false where nothing is. */
static bool next_part(uint64_t *lo, uint64_t hi, uint64_t *upto) {
    if (*lo == RCP_REACH_CLOCK)
        ++*lo;
    if (*lo >= RCP_REACH_NOT_BEFORE && *lo <= RCP_REACH_NOT_AFTER)
        *lo = RCP_REACH_NOT_AFTER + 1;
    uint64_t next = *lo < RCP_REACH_CLOCK ? RCP_REACH_CLOCK : *lo < RCP_REACH_NOT_BEFORE ? RCP_REACH_NOT_BEFORE : hi;
    *upto = next < hi ? next : hi;
    return *lo < hi;
}
_Static_assert(RCP_REACH_NOT_AFTER == RCP_REACH_NOT_BEFORE + 1 && RCP_REACH_NOT_AFTER < RCP_REACH_INPUT,
               "they are together, and nobody else's");

static void be_inside_reach(rcp_barriers *line, uint32_t tag, rcp_reach reach, uint32_t tid) {
    const rcp_reach_def *def = &line->defs->reaches.at[reach.v];
    uint64_t upto;
    if (line->is_simple)
        be_inside(line, tag, 0, RCP_REACH_END, tid);
    for (size_t i = 0; !line->is_simple && i < def->n; i++)
        for (uint64_t lo = def->spans[i].lo; next_part(&lo, def->spans[i].hi, &upto); lo = upto)
            be_inside(line, tag, lo, upto, tid);
    for (size_t i = def->n; !line->is_simple && i < def->n + def->followed; i++) {
        uint64_t lo = def->spans[i].lo - RCP_REACH_UNFOLLOW, hi = def->spans[i].hi - RCP_REACH_UNFOLLOW;
        for (; next_part(&lo, hi, &upto); lo = upto)
            follow(line, lo, upto, tid);
    }
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

static bool meet(const rcp_span *x, size_t n, const rcp_span *y, size_t m, uint64_t off) {
    for (size_t i = 0, k = 0; i < n && k < m;) {
        uint64_t lo = x[i].lo > y[k].lo - off ? x[i].lo : y[k].lo - off;
        uint64_t hi = x[i].hi < y[k].hi - off ? x[i].hi : y[k].hi - off, upto;
        if (next_part(&lo, hi, &upto))
            return true;
        if (x[i].hi < y[k].hi - off)
            i++;
        else
            k++;
    }
    return false;
}

static bool overlap(const rcp_barriers *line, rcp_reach a, rcp_reach b) {
    const rcp_reach_def *x = &line->defs->reaches.at[a.v], *y = &line->defs->reaches.at[b.v];
    return line->is_simple || meet(x->spans, x->n, y->spans, y->n, 0);
}

/* Does `a` reach something that `b` follows? */
static bool is_followed(const rcp_barriers *line, rcp_reach a, rcp_reach b) {
    const rcp_reach_def *x = &line->defs->reaches.at[a.v], *y = &line->defs->reaches.at[b.v];
    return !line->is_simple && y->followed && meet(x->spans, x->n, y->spans + y->n, y->followed, RCP_REACH_UNFOLLOW);
}

static void join_groups(rcp_barriers *line, uint64_t into, uint64_t from) {
    for (size_t i = 0; i < line->open.len; i++)
        if (line->open.at[i].group == from)
            line->open.at[i].group = into;
}

/* The pair at `k`, among those before it. */
static void connect(rcp_barriers *line, size_t k) {
    rcp_barriers_pair *pair = &line->open.at[k];
    pair->group = pair->number;
    for (size_t i = 0; i < k; i++)
        if (line->open.at[i].group != pair->group && overlap(line, line->open.at[i].reach, pair->reach))
            join_groups(line, pair->group, line->open.at[i].group);
}

/* Without the one that has gone, those whom it connected may be apart. */
static void connect_anew(rcp_barriers *line, uint64_t group) {
    bool *is_member = rcp_alloc_zero(line->open.len + 1, sizeof *is_member);
    for (size_t i = 0; i < line->open.len; i++) {
        is_member[i] = line->open.at[i].group == group;
        line->open.at[i].group = is_member[i] ? NOBODYS : line->open.at[i].group;
    }
    for (size_t i = 0; i < line->open.len; i++)
        if (is_member[i])
            connect(line, i);
    rcp_release(is_member);
}

static void begin_pair(rcp_barriers *line, const rcp_event *e) {
    rcp_vec_push(&line->open, ((rcp_barriers_pair){.tid = e->tid, .reach = e->reach, .number = line->begun++}));
    line->changes++;
    line->followers += line->defs->reaches.at[e->reach.v].followed > 0;
    connect(line, line->open.len - 1);
}

static void end_pair(rcp_barriers *line, rcp_tid tid) {
    for (size_t i = line->open.len; i-- > 0;)
        if (line->open.at[i].tid.v == tid.v) { /* the innermost of this thread */
            uint64_t own = RCP_REACH_PAIR + line->open.at[i].number;
            uint64_t group = line->open.at[i].group;
            line->followers -= line->defs->reaches.at[line->open.at[i].reach.v].followed > 0;
            rcp_ranges_erase(&line->inside, own, own + 1); /* nobody can take part with it any more */
            for (size_t t = 0; t < line->touches.len; t++) {
                rcp_ranges_erase(&line->touches.at[t], own, own + 1);
                rcp_ranges_erase(&line->leads.at[t], own, own + 1);
            }
            memmove(&line->open.at[i], &line->open.at[i + 1], (line->open.len - i - 1) * sizeof *line->open.at);
            line->open.len--;
            line->changes++;
            connect_anew(line, group);
            return;
        }
}

static void hold(const rcp_barriers *line, rcp_barriers_pair *pair, uint64_t lo, uint64_t hi) {
    if (hi > lo && (line->is_simple || rcp_defs_reach_holds(line->defs, pair->reach, lo, hi)))
        pair->knows_touch = pair->shows_touch = RCP_BARRIERS_FOUND;
}

/* What the pair at `i` knows it can show the one at `k`. */
static bool is_connected(const rcp_barriers *line, size_t i, size_t k) {
    const rcp_barriers_pair *from = &line->open.at[i], *to = &line->open.at[k];
    return from->group == to->group || (line->followers && is_followed(line, from->reach, to->reach));
}

/* Where nobody follows anything, who is connected with one of a group is so with all of it: that is done at once. */
static bool spread_one(const rcp_barriers *line, uint8_t *from, uint8_t *to, bool is_connected) {
    rcp_barriers_spread then = line->followers ? RCP_BARRIERS_FOUND : RCP_BARRIERS_SPREAD;
    bool does = *from == RCP_BARRIERS_FOUND && *to < then && is_connected;
    if (does)
        *to = (uint8_t)then;
    return does && line->followers;
}

/* Who knows of a pair knows of all that shows something to it; who shows something to a pair shows it to all that know
 * of it. */
static void spread(rcp_barriers *line) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < line->open.len; i++) {
            rcp_barriers_pair *a = &line->open.at[i];
            bool knows = a->knows == RCP_BARRIERS_FOUND || a->knows_touch == RCP_BARRIERS_FOUND;
            bool shows = a->shows == RCP_BARRIERS_FOUND || a->shows_touch == RCP_BARRIERS_FOUND;
            for (size_t k = 0; (knows || shows) && k < line->open.len; k++) {
                rcp_barriers_pair *b = &line->open.at[k];
                bool from = shows && is_connected(line, i, k), to = knows && is_connected(line, k, i);
                if (i == k)
                    continue;
                again |= spread_one(line, &a->knows, &b->knows, to);
                again |= spread_one(line, &a->knows_touch, &b->knows_touch, to);
                again |= spread_one(line, &a->shows, &b->shows, from);
                again |= spread_one(line, &a->shows_touch, &b->shows_touch, from);
            }
            a->knows += a->knows == RCP_BARRIERS_FOUND;
            a->shows += a->shows == RCP_BARRIERS_FOUND;
            a->knows_touch += a->knows_touch == RCP_BARRIERS_FOUND;
            a->shows_touch += a->shows_touch == RCP_BARRIERS_FOUND;
        }
    }
}

/* The event takes part with every pair that holds something of it, and with those that are connected. */
static void take_part(rcp_barriers *line, uint32_t tag, uint32_t tid) {
    spread(line);
    for (size_t i = 0; i < line->open.len; i++) {
        const rcp_barriers_pair *pair = &line->open.at[i];
        uint64_t own = RCP_REACH_PAIR + pair->number;
        if (pair->knows_touch || pair->shows_touch)
            touch(line, tag, own, own + 1, tid);
        if (pair->knows && pair->shows)
            be_inside(line, tag, own, own + 1, tid);
        else if (pair->knows)
            follow(line, own, own + 1, tid);
        else if (pair->shows)
            lead(line, tag, own, own + 1, tid);
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

static uint8_t timing_of_reach(const rcp_barriers *line, rcp_reach reach) {
    const uint64_t late = RCP_REACH_NOT_BEFORE, early = RCP_REACH_NOT_AFTER, clock = RCP_REACH_CLOCK;
    if (line->is_simple || rcp_defs_reach_holds(line->defs, reach, clock, clock + 1))
        return RCP_TIMING_NOT_BEFORE | RCP_TIMING_NOT_AFTER;
    return (rcp_defs_reach_holds(line->defs, reach, late, late + 1) ? RCP_TIMING_NOT_BEFORE : 0) |
           (rcp_defs_reach_holds(line->defs, reach, early, early + 1) ? RCP_TIMING_NOT_AFTER : 0);
}

/* An event is with the time by its own reach, and by that of the pairs around it; a wait that ended by its time is not
 * before that. At its END a pair is not around itself: when it began it may have been with more. */
static uint8_t find_timing(const rcp_barriers *line, const rcp_event *e) {
    bool is_over = e->kind != RCP_OPAQUE_END;
    uint8_t own = rcp_event_is_opaque(e) ? timing_of_reach(line, e->reach) : 0, around = 0;
    for (size_t i = line->open.len; i-- > 0;)
        if (line->open.at[i].tid.v == e->tid.v) {
            around |= is_over ? timing_of_reach(line, line->open.at[i].reach) : 0;
            is_over = true;
        }
    if (e->kind == RCP_OPAQUE_BEGIN && (own | around) == RCP_TIMING_NOT_AFTER)
        return RCP_TIMING_BEGINS;
    return own | around | (e->kind == RCP_WAKE && e->outcome == RCP_TIMEOUT ? RCP_TIMING_NOT_BEFORE : 0);
}

uint32_t rcp_barriers_add(rcp_barriers *line, const rcp_event *e) {
    uint32_t tid = e->tid.v, uses = rcp_event_traits(e->kind)->uses;
    line->needs.len = 0;
    line->timing = is_silent(e) ? 0 : find_timing(line, e);
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
        bool is_one = pair->tid.v == tid || (is_opaque && overlap(line, pair->reach, e->reach));
        pair->knows = is_one || (is_opaque && is_followed(line, pair->reach, e->reach));
        pair->shows = is_one || (is_opaque && is_followed(line, e->reach, pair->reach));
        pair->knows_touch = pair->shows_touch = RCP_BARRIERS_NO;
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
        mark(&line->touches.at[t], name), mark(&line->leads.at[t], name);
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
        rename_tags(&line->touches.at[t], name), rename_tags(&line->leads.at[t], name);
    line->needs.len = 0;
    rcp_release(name);
}
