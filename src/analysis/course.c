/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/course.h"

#include "analysis/points.h"
#include "base/hash.h"

#include <string.h>

/* A compare-and-swap is a READ where it failed. */
static bool is_swap(const rcp_event *e) { return rcp_event_is_access(e) && rcp_term_is_real(e->cond); }

static bool is_decision(const rcp_event *e) {
    switch ((rcp_kind)e->kind) {
    case RCP_BRANCH: return e->cond.v != RCP_TERM_CONST.v;
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return is_swap(e) || e->addr_term.v != RCP_TERM_CONST.v;
    case RCP_FENCE: /* told of what is shared, and that is found out by the run */
    case RCP_ALLOC:
    case RCP_FREE:
    case RCP_INIT:
    case RCP_DESTROY: return false;
    default: return true;
    }
}

static rcp_decision decide(const rcp_trace *trace, const uint64_t *points, uint32_t event) {
    const rcp_event *e = &trace->events.at[event];
    const bool swaps = is_swap(e), is_by_address = rcp_event_is_access(e) && e->addr_term.v != RCP_TERM_CONST.v;
    uint64_t way = e->kind == RCP_BRANCH ? e->value : swaps ? e->kind == RCP_RMW : is_by_address ? e->addr : e->outcome;
    if (swaps && is_by_address)
        way = rcp_hash_join(way, e->addr);
    return (rcp_decision){rcp_hash_join(points[e->loc.v], swaps ? RCP_KINDS : e->kind), way, event};
}

void rcp_course_take(rcp_course *course, const rcp_trace *trace) {
    RCP_VEC(uint64_t) points = {0};
    *course = (rcp_course){.number = 0};
    for (uint32_t i = 0; i < trace->defs.locations.len; i++)
        rcp_vec_push(&points, rcp_point_of_location(&trace->defs, (rcp_loc){i}));
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        const char *name = rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[t].name);
        rcp_vec_push(&course->threads, ((rcp_course_thread){.name = rcp_hash_bytes(name, strlen(name))}));
    }
    for (uint32_t i = 0; i < trace->events.len; i++)
        if (is_decision(&trace->events.at[i]))
            rcp_vec_push(&course->threads.at[trace->events.at[i].tid.v].at, decide(trace, points.at, i));
    for (size_t t = 0; t < course->threads.len; t++) {
        const rcp_course_thread *thread = &course->threads.at[t];
        uint64_t h = thread->name;
        for (size_t i = 0; i < thread->at.len; i++)
            h = rcp_hash_join(rcp_hash_join(h, thread->at.at[i].place), thread->at.at[i].way);
        course->number += rcp_hash_u64(h); /* their order may differ */
    }
    rcp_vec_finish(&points);
}

void rcp_course_finish(rcp_course *course) {
    for (size_t t = 0; t < course->threads.len; t++)
        rcp_vec_finish(&course->threads.at[t].at);
    rcp_vec_finish(&course->threads);
}

bool rcp_course_is_twofold(const rcp_trace *trace, const rcp_event *e) {
    return e->kind == RCP_BRANCH ? !rcp_term_is_real(e->cond) || rcp_term_borrow(&trace->terms, e->cond)->width == 1
                                 : is_swap(e) || !rcp_event_is_access(e);
}

rcp_course_place rcp_course_find(const rcp_course *course, const rcp_trace *trace, uint32_t event) {
    const uint32_t tid = trace->events.at[event].tid.v;
    const rcp_course_thread *thread = &course->threads.at[tid];
    size_t low = 0, high = thread->at.len;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        *(thread->at.at[middle].event <= event ? &low : &high) = middle;
    }
    RCP_CHECK(low < thread->at.len && thread->at.at[low].event == event);
    return (rcp_course_place){tid, low};
}

static const rcp_course_thread *find_thread(const rcp_course *course, uint64_t name) {
    for (size_t t = 0; t < course->threads.len; t++)
        if (course->threads.at[t].name == name)
            return &course->threads.at[t];
    return NULL;
}

/* So many of their first decisions are the same, of `most`. */
static size_t count_common(const rcp_course_thread *a, const rcp_course_thread *b, size_t most) {
    size_t n = 0;
    while (n < most && n < a->at.len && b && n < b->at.len && a->at.at[n].place == b->at.at[n].place &&
           a->at.at[n].way == b->at.at[n].way)
        n++;
    return n;
}

bool rcp_course_comes_to(const rcp_course *course, rcp_course_place place, const rcp_course *other, uint64_t *way) {
    const rcp_course_thread *mine = &course->threads.at[place.tid], *its = find_thread(other, mine->name);
    if (!its || its->at.len <= place.at || its->at.at[place.at].place != mine->at.at[place.at].place ||
        count_common(mine, its, place.at) < place.at)
        return false;
    *way = its->at.at[place.at].way;
    return true;
}

void rcp_course_part(const rcp_course *course, uint32_t but, const rcp_course *other, rcp_course_events *events) {
    for (uint32_t t = 0; t < course->threads.len; t++) {
        const rcp_course_thread *mine = &course->threads.at[t];
        size_t n = t == but ? mine->at.len : count_common(mine, find_thread(other, mine->name), mine->at.len);
        if (n < mine->at.len)
            rcp_vec_push(events, mine->at.at[n].event);
    }
}
