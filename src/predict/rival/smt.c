/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/smt.h"

#include "base/limits.h"
#include "predict/rival/smt2.h"
#include "predict/rival/smt_state.h"
#include "trace/model/label.h"

#include <inttypes.h>
#include <string.h>

const char *rcp_smt_describe(rcp_smt *s, uint64_t eid) {
    const rcp_event *e = rcp_smt_event(s, eid);
    const rcp_defs *defs = &s->trace->defs;
    const rcp_location *at = &defs->locations.at[e->loc.v];
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    rcp_text_clear(&s->comment);
    rcp_text_printf(&s->comment, "e%" PRIu64 " %s %s", eid, rcp_label_thread(defs, e->tid).at,
                    rcp_event_traits(e->kind)->name);
    if (uses & RCP_USES_OBJECT)
        rcp_text_printf(&s->comment, " %s", rcp_label_object(defs, e->object).at);
    if (uses & RCP_USES_CHILD)
        rcp_text_printf(&s->comment, " %s", rcp_label_thread(defs, e->child).at);
    if (uses & RCP_USES_ADDR) {
        const rcp_variable *variable = rcp_defs_find_variable(defs, e->addr);
        if (variable && variable->name.v)
            rcp_text_printf(&s->comment, " %s", rcp_defs_borrow_string(defs, variable->name));
        else
            rcp_text_printf(&s->comment, " %#" PRIx64, e->addr);
    }
    if (e->loc.v) {
        rcp_text_printf(&s->comment, " @ %s", rcp_defs_borrow_string(defs, at->file));
        if (at->line)
            rcp_text_printf(&s->comment, ":%u", at->line);
    }
    for (size_t i = 0; i < s->comment.len; i++) /* a comment is one line */
        if (s->comment.at[i] == '\n' || s->comment.at[i] == '\r')
            s->comment.at[i] = ' ';
    return s->comment.at;
}

/* Branches and fences have no place of their own where something of their thread comes next. */
static bool goes_along(const rcp_event *e) { return e->kind == RCP_BRANCH || e->kind == RCP_FENCE; }

/* A branch at the end of a racing thread's prefix goes with the race; at another thread's end it keeps a place: a JOIN
 * may need it. */
static void set_places(rcp_smt *s, const rcp_eid *race) {
    const rcp_trace *trace = s->trace;
    for (uint32_t t = 0; t < s->facts->threads; t++) {
        uint64_t next = RCP_AT_RACE;
        bool races = race && (rcp_smt_event(s, race[0].v)->tid.v == t || rcp_smt_event(s, race[1].v)->tid.v == t);
        bool placed = races;
        for (rcp_position i = s->upto[t]; i-- > 0;) {
            uint64_t eid = rcp_trace_event_of(trace, (rcp_tid){t}, i).v;
            bool needed = s->facts->needs[eid + 1] > s->facts->needs[eid]; /* in line, or the thread's first */
            if (!goes_along(&trace->events.at[eid]) || s->own_branches || needed || !placed) {
                next = eid;
                placed = true;
            }
            s->place[eid] = next;
        }
    }
}

static rcp_formula place(rcp_smt *s, uint64_t eid) {
    return eid == RCP_AT_RACE ? s->race : rcp_formula_variable(&s->pool, RCP_SORT_INT, "e%" PRIu64, eid);
}

rcp_formula rcp_smt_executed(rcp_smt *s, uint64_t x) {
    if (!rcp_smt_in_cone(s, x))
        return RCP_FALSE;
    if (s->trace->position[x] < s->sure[rcp_smt_event(s, x)->tid.v])
        return RCP_TRUE;
    return rcp_formula_apply2(&s->pool, RCP_SORT_BOOL, "<", place(s, s->place[x]), s->race);
}

rcp_formula rcp_smt_before(rcp_smt *s, uint64_t x, uint64_t y) {
    if (y == RCP_AT_RACE)
        return rcp_smt_executed(s, x);
    if (!rcp_smt_in_cone(s, x))
        return RCP_FALSE;
    if (!rcp_smt_in_cone(s, y))
        return RCP_TRUE;
    uint64_t to = s->place[y];
    x = s->place[x];
    if (to == RCP_AT_RACE)
        return rcp_smt_executed(s, x);
    if (x == to || rcp_smt_facts_before(s->facts, to, x))
        return RCP_FALSE;
    if (rcp_smt_facts_before(s->facts, x, to))
        return RCP_TRUE;
    return rcp_formula_apply2(&s->pool, RCP_SORT_BOOL, "<", place(s, x), place(s, to));
}

void rcp_smt_require(rcp_smt *s, uint64_t eid, rcp_formula consequence, const char *rule) {
    if (consequence.v == RCP_TRUE.v)
        return;
    rcp_formula all = rcp_formula_implies(&s->pool, rcp_smt_executed(s, eid), consequence);
    if (all.v == RCP_TRUE.v)
        return;
    rcp_smt_describe(s, eid);
    rcp_text_printf(&s->comment, ": %s", rule);
    rcp_formula_assert(&s->pool, all, s->comment.at);
}

/* Seed 003's equation 1: order within threads, and what each event needs before it. */
static void assert_order(rcp_smt *s) {
    const rcp_trace *trace = s->trace;
    for (uint32_t t = 0; t < s->facts->threads; t++) {
        size_t mark = s->pool.list.len, before_race = mark;
        for (rcp_position i = 0; i < s->upto[t]; i++) {
            uint64_t eid = rcp_trace_event_of(trace, (rcp_tid){t}, i).v;
            if (s->place[eid] != eid)
                continue;
            rcp_formula_push(&s->pool, place(s, eid));
            if (i < s->sure[t])
                before_race = s->pool.list.len;
        }
        size_t n = s->pool.list.len - mark;
        rcp_text_clear(&s->comment);
        rcp_text_printf(&s->comment, "order of %s", rcp_label_thread(&trace->defs, (rcp_tid){t}).at);
        if (n > 1)
            for (size_t from = 0; from + 1 < n; from += UINT16_MAX - 1) {
                size_t count = n - from < UINT16_MAX ? n - from : UINT16_MAX;
                rcp_formula chain =
                    rcp_formula_apply(&s->pool, RCP_SORT_BOOL, "<", s->pool.list.at + mark + from, count);
                rcp_formula_assert(&s->pool, chain, from ? "" : s->comment.at);
            }
        if (before_race > mark) {
            rcp_formula last =
                rcp_formula_apply2(&s->pool, RCP_SORT_BOOL, "<", s->pool.list.at[before_race - 1], s->race);
            rcp_formula_assert(&s->pool, last, n > 1 ? "" : s->comment.at);
        }
        s->pool.list.len = mark;
    }
    for (uint64_t eid = 0; eid < trace->events.len; eid++) {
        if (!rcp_smt_in_cone(s, eid))
            continue;
        for (size_t i = s->facts->needs[eid]; i < s->facts->needs[eid + 1]; i++) {
            uint64_t on = s->facts->need.at[i];
            if (!rcp_smt_in_cone(s, on)) {
                rcp_smt_require(s, eid, RCP_FALSE, "needs what is beyond the cone");
                continue;
            }
            if (rcp_smt_event(s, on)->tid.v == rcp_smt_event(s, eid)->tid.v)
                continue;
            rcp_smt_describe(s, eid);
            rcp_text_printf(&s->comment, " needs e%" PRIu64, on);
            rcp_formula edge =
                rcp_formula_apply2(&s->pool, RCP_SORT_BOOL, "<", place(s, s->place[on]), place(s, s->place[eid]));
            rcp_formula_assert(&s->pool, edge, s->comment.at);
        }
        const rcp_event *e = rcp_smt_event(s, eid);
        if (e->kind == RCP_EXIT)
            rcp_smt_require(s, eid, RCP_FALSE, "nothing is executed after it (T4), the race neither");
        if (e->kind == RCP_JOIN && e->outcome == RCP_FAILED && s->o->end[e->child.v] != UINT64_MAX)
            rcp_smt_require(s, eid, rcp_smt_before(s, eid, s->o->end[e->child.v]), "the child has not ended (T3)");
        if (e->kind == RCP_JOIN && e->outcome == RCP_DONE) {
            size_t len = rcp_trace_thread_len(trace, e->child);
            if (len && rcp_trace_event_of(trace, e->child, (rcp_position)len - 1).v > eid)
                rcp_smt_require(s, eid, RCP_FALSE, "the child goes on after it was joined (T2)");
        }
    }
}

/* R4, in other words: a compare-and-swap that must succeed is executed, and nothing comes between it and the race. */
static void push_last(rcp_smt *s, uint64_t eid) {
    rcp_formulas *pool = &s->pool;
    rcp_formula_push(pool, rcp_smt_executed(s, eid));
    for (uint64_t e = 0; e < s->trace->events.len; e++)
        if (e != eid && rcp_smt_in_cone(s, e) && s->place[e] == e)
            rcp_formula_push(pool, rcp_formula_implies(pool, rcp_smt_executed(s, e), rcp_smt_before(s, e, eid)));
}

/* R1 for one of the two: next in its thread, and may run. */
static void assert_ready(rcp_smt *s, uint64_t eid, uint64_t other) {
    const rcp_event *e = rcp_smt_event(s, eid);
    rcp_position position = s->trace->position[eid];
    rcp_formulas *pool = &s->pool;
    size_t mark = pool->list.len;
    if (rcp_event_must_succeed(e, rcp_smt_event(s, other)))
        push_last(s, eid);
    else
        rcp_formula_push(pool, rcp_formula_not(pool, rcp_smt_executed(s, eid)));
    if (position) {
        uint64_t previous = rcp_trace_event_of(s->trace, e->tid, position - 1).v;
        bool sleeps = rcp_smt_event(s, previous)->kind == RCP_WAIT;
        rcp_formula_push(pool, sleeps ? RCP_FALSE : rcp_smt_executed(s, previous));
    }
    for (size_t i = s->facts->needs[eid]; i < s->facts->needs[eid + 1]; i++)
        rcp_formula_push(pool, rcp_smt_executed(s, s->facts->need.at[i]));
    rcp_formula_push(pool, rcp_smt_alive(s, eid, other));
    rcp_formula_push(pool, rcp_smt_address(s, eid, RCP_AT_RACE));
    rcp_formula ready = rcp_formula_all(pool, mark);
    rcp_smt_describe(s, eid);
    rcp_text_puts(&s->comment, " is next at the race");
    rcp_formula_assert(pool, ready, s->comment.at);
}

/* R2: accesses or FREEs, a byte in common in one life (or in the one that a FREE of them begins). */
static bool conflict(const rcp_smt *s, const rcp_eid race[2]) {
    const rcp_event *a = rcp_smt_event(s, race[0].v), *b = rcp_smt_event(s, race[1].v);
    if (a->tid.v == b->tid.v || !rcp_event_conflict(a, b))
        return false;
    uint64_t end_a = a->addr + rcp_event_extent(a), end_b = b->addr + rcp_event_extent(b), upto_a, upto_b;
    uint64_t at = a->addr > b->addr ? a->addr : b->addr, end = end_a < end_b ? end_a : end_b;
    for (; at < end; at = upto_a < upto_b ? upto_a : upto_b) {
        uint32_t life_a = rcp_observed_life(s->o, race[0], at, &upto_a);
        uint32_t life_b = rcp_observed_life(s->o, race[1], at, &upto_b);
        if (life_a == life_b || (a->kind == RCP_FREE && life_b == race[0].v + 1) ||
            (b->kind == RCP_FREE && life_a == race[1].v + 1))
            return true;
    }
    return false;
}

size_t rcp_smt_assert_race(rcp_smt *s, const rcp_eid race[2]) {
    size_t first = s->pool.assertions.len;
    if (!conflict(s, race))
        rcp_formula_assert(&s->pool, RCP_FALSE, "the two do not conflict (R2)");
    assert_ready(s, race[0].v, race[1].v);
    assert_ready(s, race[1].v, race[0].v);
    rcp_smt_time(s, true, race); /* a swap may be executed in a race, and P3 is not asked of the two */
    return first;
}

void rcp_smt_forget(rcp_smt *s, size_t first) { s->pool.assertions.len = first; }

static rcp_smt *begin(const rcp_smt_facts *facts, rcp_model model, bool spurious, size_t limit) {
    rcp_smt *s = rcp_alloc_zero(1, sizeof *s);
    size_t threads = facts->threads;
    s->facts = facts;
    s->o = facts->observed;
    s->trace = facts->trace;
    s->model = model;
    s->spurious = spurious;
    s->limit = limit;
    s->upto = rcp_alloc_zero(threads + 1, sizeof *s->upto);
    s->sure = rcp_alloc_zero(threads + 1, sizeof *s->sure);
    s->all_before = rcp_alloc_zero(threads + 1, sizeof *s->all_before);
    s->chains = rcp_alloc_zero(threads + 1, sizeof *s->chains);
    s->place = rcp_alloc_zero(s->trace->events.len + 1, sizeof *s->place);
    s->memo = rcp_alloc_zero(rcp_terms_count(&s->trace->terms) + 1, sizeof *s->memo);
    rcp_formulas_init(&s->pool);
    s->ops.pool = &s->pool;
    rcp_map_init(&s->read_at);
    s->race = rcp_formula_variable(&s->pool, RCP_SORT_INT, RCP_SMT_RACE);
    return s;
}

void rcp_smt_destroy(rcp_smt *s) {
    if (!s)
        return;
    for (size_t t = 0; t < s->facts->threads; t++) {
        rcp_vec_finish(&s->chains[t].deviated);
        rcp_vec_finish(&s->chains[t].position);
    }
    rcp_release(s->chains);
    rcp_release(s->upto);
    rcp_release(s->sure);
    rcp_release(s->all_before);
    rcp_release(s->place);
    rcp_release(s->memo);
    rcp_formulas_finish(&s->pool);
    rcp_map_finish(&s->read_at);
    rcp_vec_finish(&s->reads);
    rcp_vec_finish(&s->pieces);
    rcp_vec_finish(&s->writers);
    rcp_vec_finish(&s->todo);
    rcp_vec_finish(&s->scratch);
    rcp_text_finish(&s->comment);
    rcp_release(s);
}

/* All but the race. False: too large. */
static bool encode(rcp_smt *s, const rcp_eid *race) {
    size_t events = 0;
    for (size_t t = 0; t < s->facts->threads; t++)
        events += s->upto[t];
    if (events > rcp_limit(RCP_LIMIT_Z3_EVENTS))
        return false;
    set_places(s, race);
    assert_order(s);
    rcp_smt_sync(s);
    rcp_smt_time(s, false, NULL);
    return s->pool.nodes.len <= s->limit && rcp_smt_find_reads(s, race) && rcp_smt_memory(s);
}

rcp_smt *rcp_smt_create(const rcp_smt_facts *facts, const rcp_smt_query *query, size_t limit) {
    rcp_smt *s = begin(facts, query->model, query->spurious_wakeups, limit);
    memcpy(s->upto, query->upto, facts->threads * sizeof *s->upto);
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = rcp_smt_event(s, query->race[i].v), *other = rcp_smt_event(s, query->race[!i].v);
        if (rcp_event_must_succeed(e, other) && s->upto[e->tid.v] == s->trace->position[query->race[i].v])
            s->upto[e->tid.v]++;
    }
    for (int i = 0; i < 2; i++) {
        uint64_t eid = query->race[i].v;
        const rcp_position *clock = facts->clock + eid * facts->threads;
        for (size_t t = 0; t < facts->threads; t++)
            s->sure[t] = clock[t] > s->sure[t] ? clock[t] : s->sure[t];
    }
    for (size_t t = 0; t < facts->threads; t++)
        if (s->sure[t] > s->upto[t]) { /* one must happen before the other, or the cone leaves out what they need */
            rcp_formula_assert(&s->pool, RCP_FALSE, "what must happen before one of the two is not in the cone");
            s->sure[t] = s->upto[t];
        }
    if (!encode(s, query->race)) {
        rcp_smt_destroy(s);
        return NULL;
    }
    rcp_smt_assert_race(s, query->race);
    return s;
}

rcp_smt *rcp_smt_create_all(const rcp_smt_facts *facts, rcp_model model, bool spurious_wakeups, size_t limit) {
    rcp_smt *s = begin(facts, model, spurious_wakeups, limit);
    s->own_branches = true;
    for (uint32_t t = 0; t < facts->threads; t++)
        s->upto[t] = (rcp_position)rcp_trace_thread_len(s->trace, (rcp_tid){t});
    if (encode(s, NULL))
        return s;
    rcp_smt_destroy(s);
    return NULL;
}

const rcp_formulas *rcp_smt_borrow(const rcp_smt *s) { return &s->pool; }
bool rcp_smt_is_approximate(const rcp_smt *s) { return s->ops.approximate; }

bool rcp_smt_place(const rcp_smt *s, rcp_eid eid, char name[32]) {
    if (!rcp_smt_in_cone(s, eid.v) || s->place[eid.v] != eid.v)
        return false;
    snprintf(name, 32, "e%" PRIu64, eid.v);
    return true;
}

void rcp_smt_print(rcp_text *out, rcp_smt *s, const rcp_smt_query *query) {
    rcp_text_puts(out, "; Is there a schedule that ends with these two, both next in their threads?\n");
    for (int i = 0; i < 2; i++)
        rcp_text_printf(out, ";   %s\n", rcp_smt_describe(s, query->race[i].v));
    rcp_text_printf(out,
                    "; Model %s. eN: the place of event N in the schedule; what is executed comes before 'race'.\n",
                    rcp_model_name(query->model));
    if (s->ops.approximate)
        rcp_text_puts(out, "; An operator stands for itself that SMT-LIB has not: 'sat' is only a maybe.\n");
    rcp_text_printf(out, "(set-logic %s)\n", rcp_smt2_logic(&s->pool));
    rcp_smt2_print(out, &s->pool, 0);
    rcp_text_puts(out, "(check-sat)\n");
}
