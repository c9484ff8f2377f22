/* SPDX-License-Identifier: Apache-2.0 */
/* Points of time as constraints on places: rule P3 of docs/semantics.md.
 *
 * Of each thread the first event that can't have come yet is enough: the others come after it. */
#include "predict/rival/smt_state.h"
#include "trace/check/barriers.h"

static bool too_large(const rcp_smt *s) { return s->pool.nodes.len > s->limit; }

static bool is_swap(const rcp_event *e) { return e->kind == RCP_RMW && e->cond.v != RCP_TERM_CONST.v; }

/* Of each other thread the first point after number `i` that is not before its time, as far as the cone has them. */
static void list_later(const rcp_smt *s, size_t i, rcp_eids *later) {
    uint32_t own = rcp_smt_event(s, s->o->points.at[i].event)->tid.v;
    uint8_t *has = rcp_alloc_zero(s->facts->threads + 1, 1);
    later->len = 0;
    for (size_t k = i + 1; k < s->o->points.len; k++) {
        const rcp_point *point = &s->o->points.at[k];
        uint32_t tid = rcp_smt_event(s, point->event)->tid.v;
        if (tid == own || has[tid] || !(point->timing & RCP_TIMING_NOT_BEFORE))
            continue;
        has[tid] = 1;
        if (rcp_smt_in_cone(s, point->event))
            rcp_vec_push(later, ((rcp_eid){point->event}));
    }
    rcp_release(has);
}

/* A stretch of time that began too late is not over before anybody who knows the time. */
static void keep_short(rcp_smt *s, const rcp_point *end, rcp_formula is_late, bool swaps, const rcp_eid *race) {
    for (size_t i = 0; i < s->o->points.len && !too_large(s); i++) {
        const rcp_point *point = &s->o->points.at[i];
        bool races = race && (race[0].v == point->event || race[1].v == point->event);
        if (!(point->timing & RCP_TIMING_NOT_AFTER) || !rcp_smt_in_cone(s, point->event) || races ||
            is_swap(rcp_smt_event(s, point->event)) != swaps || point->event == end->event)
            continue;
        rcp_formula in_time = rcp_formula_not(&s->pool, is_late);
        rcp_smt_require(s, point->event, rcp_formula_or(&s->pool, in_time, rcp_smt_before(s, point->event, end->event)),
                        "a wait that began later is not over (P3)");
    }
}

void rcp_smt_time(rcp_smt *s, bool swaps, const rcp_eid *race) {
    rcp_eids later = {0};
    rcp_formulas *pool = &s->pool;
    for (size_t i = 0; i < s->o->points.len && !too_large(s); i++) {
        const rcp_point *point = &s->o->points.at[i];
        uint64_t eid = point->event;
        bool races = race && (race[0].v == eid || race[1].v == eid);
        if (!rcp_smt_in_cone(s, eid))
            continue;
        if (point->timing & RCP_TIMING_NOT_AFTER && !races && is_swap(rcp_smt_event(s, eid)) == swaps) {
            list_later(s, i, &later);
            for (size_t k = 0; k < later.len; k++)
                rcp_smt_require(s, eid, rcp_smt_before(s, eid, later.at[k].v), "what was later has not come (P3)");
        }
        if (point->begin == RCP_NO_BEGIN)
            continue;
        size_t mark = pool->list.len;
        list_later(s, (size_t)(rcp_observed_point(s->o, (rcp_eid){point->begin}) - s->o->points.at), &later);
        for (size_t k = 0; k < later.len; k++)
            rcp_formula_push(pool, rcp_smt_before(s, later.at[k].v, point->begin));
        rcp_formula is_late = rcp_formula_any(pool, mark);
        if (is_late.v != RCP_FALSE.v)
            keep_short(s, point, is_late, swaps, race);
    }
    rcp_vec_finish(&later);
}
