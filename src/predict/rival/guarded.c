/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/guarded_state.h"

#include "predict/rival/smt2.h"

#include <stdio.h>
#include <stdlib.h>

rcp_guarded *rcp_guarded_create(void) {
    rcp_guarded *g = rcp_alloc_zero(1, sizeof *g);
    rcp_formulas_init(&g->pool);
    g->race = rcp_formula_variable(&g->pool, RCP_SORT_INT, RCP_SMT_RACE);
    return g;
}

void rcp_guarded_destroy(rcp_guarded *g) {
    if (!g)
        return;
    rcp_z3_destroy(g->z3);
    for (unsigned t = 0; t < RCP_GUARDED_THREADS; t++)
        rcp_vec_finish(&g->threads[t]);
    for (size_t i = 0; i < g->cells.len; i++)
        rcp_vec_finish(&g->cells.at[i].writers);
    rcp_vec_finish(&g->events);
    rcp_vec_finish(&g->values);
    rcp_vec_finish(&g->cells);
    rcp_vec_finish(&g->semaphores);
    rcp_vec_finish(&g->needs);
    rcp_vec_finish(&g->ends);
    rcp_vec_finish(&g->apart);
    rcp_formulas_finish(&g->pool);
    rcp_release(g);
}

rcp_formulas *rcp_guarded_pool(rcp_guarded *g) { return &g->pool; }

/* --- telling --- */

uint32_t rcp_guarded_cell(rcp_guarded *g, unsigned bytes, const uint64_t *value) {
    RCP_CHECK(bytes && bytes <= 8);
    const rcp_guarded_cell_state cell = {.bytes = (uint8_t)bytes, .is_known = value, .value = value ? *value : 0};
    rcp_vec_push(&g->cells, cell);
    return (uint32_t)g->cells.len - 1;
}

void rcp_guarded_semaphore(rcp_guarded *g, uint32_t semaphore, uint64_t count) {
    rcp_vec_push(&g->semaphores, ((struct rcp_guarded_count){semaphore, count}));
}

static rcp_guarded_event add(rcp_guarded *g, rcp_guarded_kind what, unsigned thread, rcp_formula guard,
                             uint32_t object) {
    uint32_t number = (uint32_t)g->events.len;
    RCP_CHECK(thread < RCP_GUARDED_THREADS);
    rcp_guarded_told e = {.kind = (uint8_t)what, .thread = (uint8_t)thread, .object = object, .guard = guard};
    e.writes = RCP_FALSE;
    e.has = RCP_TRUE;
    e.place = rcp_formula_variable(&g->pool, RCP_SORT_INT, "e%u", number);
    rcp_vec_push(&g->events, e);
    rcp_vec_push(&g->threads[thread], number);
    return (rcp_guarded_event){number};
}

rcp_guarded_event rcp_guarded_read(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t cell, unsigned n,
                                   rcp_formula *values) {
    rcp_guarded_event event = add(g, RCP_G_ACCESS, thread, guard, cell);
    rcp_guarded_told *e = &g->events.at[event.v];
    e->n = n;
    e->reads = true;
    e->takes = g->values.len;
    for (unsigned i = 0; i < n; i++) {
        values[i] = rcp_formula_variable(&g->pool, 8u * g->cells.at[cell + i].bytes, "v%u_%u", event.v, i);
        rcp_vec_push(&g->values, values[i]);
    }
    return event;
}

void rcp_guarded_update(rcp_guarded *g, rcp_guarded_event at, rcp_formula writes, const rcp_formula *values) {
    rcp_guarded_told *e = &g->events.at[at.v];
    e->writes = writes;
    e->leaves = g->values.len;
    for (uint32_t i = 0; i < e->n; i++) {
        rcp_vec_push(&g->values, values[i]);
        rcp_vec_push(&g->cells.at[e->object + i].writers, at.v);
    }
}

rcp_guarded_event rcp_guarded_write(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t cell, unsigned n,
                                    const rcp_formula *values) {
    rcp_guarded_event event = add(g, RCP_G_ACCESS, thread, guard, cell);
    g->events.at[event.v].n = n;
    rcp_guarded_update(g, event, RCP_TRUE, values);
    return event;
}

static rcp_guarded_event may_fail(rcp_guarded *g, rcp_guarded_event event, rcp_formula *has) {
    if (has) {
        g->events.at[event.v].tries = true;
        *has = g->events.at[event.v].has = rcp_formula_variable(&g->pool, RCP_SORT_BOOL, "h%u", event.v);
    }
    return event;
}

rcp_guarded_event rcp_guarded_acquire(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t lock, bool shared,
                                      rcp_formula *has) {
    rcp_guarded_event event = add(g, RCP_G_ACQUIRE, thread, guard, lock);
    g->events.at[event.v].shared = shared;
    return may_fail(g, event, has);
}

rcp_guarded_event rcp_guarded_release(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t lock) {
    return add(g, RCP_G_RELEASE, thread, guard, lock);
}

rcp_guarded_event rcp_guarded_post(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t semaphore) {
    return add(g, RCP_G_POST, thread, guard, semaphore);
}

rcp_guarded_event rcp_guarded_wait(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t semaphore,
                                   rcp_formula *has) {
    return may_fail(g, add(g, RCP_G_WAIT, thread, guard, semaphore), has);
}

rcp_guarded_event rcp_guarded_sleep(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t condition,
                                    uint32_t lock) {
    rcp_guarded_event event = add(g, RCP_G_RELEASE, thread, guard, lock);
    g->events.at[event.v].condition = condition;
    return event;
}

rcp_guarded_event rcp_guarded_wake(rcp_guarded *g, rcp_guarded_event sleep, rcp_formula guard, rcp_formula *woken) {
    const rcp_guarded_told slept = g->events.at[sleep.v];
    rcp_guarded_event event = add(g, RCP_G_ACQUIRE, slept.thread, guard, slept.object);
    rcp_guarded_told *e = &g->events.at[event.v];
    e->is_wake = true;
    e->with = sleep.v;
    e->condition = slept.condition;
    if (woken) /* it has the lock in either case */
        *woken = e->has = rcp_formula_variable(&g->pool, RCP_SORT_BOOL, "h%u", event.v);
    return event;
}

rcp_guarded_event rcp_guarded_signal(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t condition, bool all) {
    rcp_guarded_event event = add(g, RCP_G_SIGNAL, thread, guard, condition);
    g->events.at[event.v].all = all;
    return event;
}

rcp_guarded_event rcp_guarded_fork(rcp_guarded *g, unsigned thread, rcp_formula guard, unsigned child) {
    return add(g, RCP_G_FORK, thread, guard, child);
}

rcp_guarded_event rcp_guarded_join(rcp_guarded *g, unsigned thread, rcp_formula guard, unsigned child) {
    return add(g, RCP_G_JOIN, thread, guard, child);
}

rcp_guarded_event rcp_guarded_end(rcp_guarded *g, unsigned thread, rcp_formula guard) {
    return add(g, RCP_G_END, thread, guard, 0);
}

rcp_guarded_event rcp_guarded_exit(rcp_guarded *g, unsigned thread, rcp_formula guard) {
    return add(g, RCP_G_EXIT, thread, guard, 0);
}

rcp_guarded_event rcp_guarded_mark(rcp_guarded *g, unsigned thread, rcp_formula guard) {
    return add(g, RCP_G_MARK, thread, guard, 0);
}

void rcp_guarded_need(rcp_guarded *g, rcp_guarded_event event, rcp_guarded_event earlier) {
    rcp_vec_push(&g->needs, ((rcp_guarded_pair){event.v, earlier.v}));
}

void rcp_guarded_expire(rcp_guarded *g, rcp_guarded_event end, rcp_guarded_event event) {
    rcp_vec_push(&g->ends, ((rcp_guarded_pair){end.v, event.v}));
}

void rcp_guarded_apart(rcp_guarded *g, unsigned one, unsigned other) {
    rcp_vec_push(&g->apart, ((rcp_guarded_pair){one, other}));
}

/* --- rules --- */

static const rcp_guarded_told *at(const rcp_guarded *g, uint32_t number) { return rcp_guarded_at(g, number); }

rcp_formula rcp_guarded_less(rcp_guarded *g, rcp_formula x, rcp_formula y) {
    return rcp_formula_apply2(&g->pool, RCP_SORT_BOOL, "<", x, y);
}

rcp_formula rcp_guarded_executed(rcp_guarded *g, uint32_t x) {
    return rcp_formula_and(&g->pool, rcp_guarded_less(g, at(g, x)->place, g->race), at(g, x)->guard);
}

/* Within a thread events are told in their order. */
rcp_formula rcp_guarded_before(rcp_guarded *g, uint32_t x, uint32_t y) {
    if (at(g, x)->thread == at(g, y)->thread)
        return x < y ? RCP_TRUE : RCP_FALSE;
    return rcp_guarded_less(g, at(g, x)->place, at(g, y)->place);
}

static rcp_formula executed(rcp_guarded *g, uint32_t x) { return rcp_guarded_executed(g, x); }
static rcp_formula before(rcp_guarded *g, uint32_t x, uint32_t y) { return rcp_guarded_before(g, x, y); }

static rcp_formula written(rcp_guarded *g, uint32_t x) {
    return rcp_formula_and(&g->pool, executed(g, x), at(g, x)->writes);
}

static rcp_formula left(const rcp_guarded *g, uint32_t writer, uint32_t cell) {
    return g->values.at[at(g, writer)->leaves + cell - at(g, writer)->object];
}

/* The read takes the cell from whoever wrote it last; `now`: at the race, where it has not been executed. */
static rcp_formula takes(rcp_guarded *g, uint32_t read, unsigned i, bool now) {
    const rcp_guarded_told *r = at(g, read);
    const rcp_guarded_cell_state *cell = &g->cells.at[r->object + i];
    rcp_formula value = g->values.at[r->takes + i];
    size_t outer = g->pool.list.len;
    for (size_t k = 0; k <= cell->writers.len; k++) { /* the last one stands for the beginning */
        bool is_initial = k == cell->writers.len;
        uint32_t w = is_initial ? 0 : cell->writers.at[k];
        bool is_known = is_initial ? cell->is_known : left(g, w, r->object + i).v != RCP_FALSE.v;
        if (!is_known || (!is_initial && (w == read || (!now && before(g, w, read).v == RCP_FALSE.v))))
            continue;
        size_t mark = g->pool.list.len;
        if (!is_initial) {
            rcp_formula_push(&g->pool, written(g, w));
            rcp_formula_push(&g->pool, now ? RCP_TRUE : before(g, w, read));
        }
        rcp_formula there =
            is_initial ? rcp_formula_literal(&g->pool, 8u * cell->bytes, cell->value) : left(g, w, r->object + i);
        rcp_formula_push(&g->pool, rcp_formula_equal(&g->pool, value, there));
        for (size_t j = 0; j < cell->writers.len; j++) {
            uint32_t other = cell->writers.at[j];
            if (other == read || (!is_initial && other == w))
                continue;
            rcp_formula apart = rcp_formula_or(&g->pool, is_initial ? RCP_FALSE : before(g, other, w),
                                               now ? RCP_FALSE : before(g, read, other));
            rcp_formula_push(&g->pool, rcp_formula_implies(&g->pool, written(g, other), apart));
        }
        rcp_formula choice = rcp_formula_all(&g->pool, mark);
        rcp_formula_push(&g->pool, choice);
    }
    return rcp_formula_any(&g->pool, outer);
}

/* The child has come to one of its ends before x. */
static rcp_formula is_joined(rcp_guarded *g, uint32_t x, unsigned child) {
    size_t mark = g->pool.list.len, n = g->threads[child].len;
    bool has_end = false;
    for (size_t i = 0; i < n; i++) {
        uint32_t end = g->threads[child].at[i];
        if (at(g, end)->kind != RCP_G_END)
            continue;
        has_end = true;
        rcp_formula_push(&g->pool, rcp_formula_and(&g->pool, executed(g, end), before(g, end, x)));
    }
    if (!has_end) /* nobody says where it ends: after its last event, whatever the guards */
        rcp_formula_push(&g->pool, n ? before(g, g->threads[child].at[n - 1], x) : RCP_TRUE);
    return rcp_formula_any(&g->pool, mark);
}

static void assert_event(rcp_guarded *g, uint32_t x) {
    const rcp_guarded_told *e = at(g, x);
    rcp_formulas *pool = &g->pool;
    for (unsigned i = 0; e->reads && i < e->n; i++)
        rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, x), takes(g, x, i, false)), "");
    switch ((rcp_guarded_kind)e->kind) {
    case RCP_G_ACQUIRE:
        rcp_guarded_assert_lock(g, x);
        if (e->is_wake)
            rcp_guarded_assert_woken(g, x);
        break;
    case RCP_G_WAIT: rcp_guarded_assert_token(g, x); break;
    case RCP_G_EXIT: rcp_formula_assert(pool, rcp_formula_not(pool, executed(g, x)), ""); break;
    case RCP_G_FORK: /* of those that create it on some way, the one on this way */
        if (g->threads[e->object].len)
            rcp_formula_assert(pool, rcp_formula_implies(pool, e->guard, before(g, x, g->threads[e->object].at[0])),
                               "");
        break;
    case RCP_G_JOIN:
        rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, x), is_joined(g, x, e->object)), "");
        break;
    default: break;
    }
}

/* One has ended before the other begins, or does not begin. */
static void assert_apart(rcp_guarded *g, unsigned one, unsigned other) {
    rcp_formulas *pool = &g->pool;
    size_t mark = pool->list.len;
    if (!g->threads[one].len || !g->threads[other].len)
        return;
    uint32_t first = g->threads[one].at[0], second = g->threads[other].at[0];
    rcp_formula_push(pool, rcp_formula_not(pool, rcp_guarded_less(g, at(g, first)->place, g->race)));
    rcp_formula_push(pool, rcp_formula_not(pool, rcp_guarded_less(g, at(g, second)->place, g->race)));
    rcp_formula_push(pool, is_joined(g, second, one));
    rcp_formula_push(pool, is_joined(g, first, other));
    rcp_formula_assert(pool, rcp_formula_any(pool, mark), "");
}

bool rcp_guarded_close(rcp_guarded *g, size_t limit) {
    rcp_formulas *pool = &g->pool;
    for (unsigned t = 0; t < RCP_GUARDED_THREADS; t++)
        for (size_t i = 1; i < g->threads[t].len; i++) /* whatever the guards */
            rcp_formula_assert(
                pool, rcp_guarded_less(g, at(g, g->threads[t].at[i - 1])->place, at(g, g->threads[t].at[i])->place),
                "");
    for (size_t i = 0; i < g->needs.len; i++) {
        rcp_guarded_pair need = g->needs.at[i];
        rcp_formula was = rcp_formula_and(pool, executed(g, need.second), before(g, need.second, need.first));
        rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, need.first), was), "");
    }
    for (size_t i = 0; i < g->ends.len; i++) {
        rcp_guarded_pair end = g->ends.at[i];
        rcp_formula both = rcp_formula_and(pool, executed(g, end.first), executed(g, end.second));
        rcp_formula_assert(pool, rcp_formula_implies(pool, both, before(g, end.second, end.first)), "");
    }
    for (size_t i = 0; i < g->apart.len; i++)
        assert_apart(g, g->apart.at[i].first, g->apart.at[i].second);
    for (uint32_t x = 0; x < g->events.len && pool->nodes.len <= limit; x++)
        assert_event(g, x);
    return pool->nodes.len <= limit;
}

/* --- questions --- */

rcp_formula rcp_guarded_now(rcp_guarded *g, rcp_guarded_event which) {
    size_t mark = g->pool.list.len;
    for (unsigned i = 0; at(g, which.v)->reads && i < at(g, which.v)->n; i++)
        rcp_formula_push(&g->pool, takes(g, which.v, i, true));
    return rcp_formula_all(&g->pool, mark);
}

rcp_formula rcp_guarded_past(rcp_guarded *g, rcp_guarded_event event) {
    return rcp_guarded_less(g, at(g, event.v)->place, g->race);
}

bool rcp_guarded_last_of(const rcp_guarded *g, unsigned thread, rcp_guarded_event *event) {
    size_t n = g->threads[thread].len;
    if (n)
        event->v = g->threads[thread].at[n - 1];
    return n;
}

/* The thread is there, by one of those that create it on some way. */
static void push_born(rcp_guarded *g, unsigned thread) {
    size_t forks = g->pool.list.len;
    for (uint32_t x = 0; x < g->events.len; x++)
        if (at(g, x)->kind == RCP_G_FORK && at(g, x)->object == thread)
            rcp_formula_push(&g->pool, executed(g, x));
    if (g->pool.list.len > forks)
        rcp_formula_push(&g->pool, rcp_formula_any(&g->pool, forks));
}

rcp_formula rcp_guarded_next(rcp_guarded *g, rcp_guarded_event which, bool succeeds) {
    const rcp_guarded_told *e = at(g, which.v);
    rcp_formulas *pool = &g->pool;
    size_t mark = pool->list.len;
    rcp_formula_push(pool, e->guard);
    rcp_formula_push(pool, rcp_formula_not(pool, rcp_guarded_less(g, e->place, g->race)));
    for (size_t i = 1; i < g->threads[e->thread].len; i++)
        if (g->threads[e->thread].at[i] == which.v)
            rcp_formula_push(pool, rcp_guarded_less(g, at(g, g->threads[e->thread].at[i - 1])->place, g->race));
    push_born(g, e->thread);
    for (size_t i = 0; i < g->needs.len; i++)
        if (g->needs.at[i].first == which.v)
            rcp_formula_push(pool, executed(g, g->needs.at[i].second));
    for (size_t i = 0; i < g->ends.len; i++)
        if (g->ends.at[i].second == which.v)
            rcp_formula_push(pool, rcp_formula_not(pool, executed(g, g->ends.at[i].first)));
    if (succeeds) {
        rcp_formula_push(pool, rcp_guarded_now(g, which));
        rcp_formula_push(pool, e->writes);
    }
    return rcp_formula_all(pool, mark);
}

rcp_formula rcp_guarded_last(rcp_guarded *g, rcp_guarded_event which) {
    size_t mark = g->pool.list.len;
    rcp_formula_push(&g->pool, executed(g, which.v));
    for (uint32_t x = 0; x < g->events.len; x++)
        if (x != which.v)
            rcp_formula_push(&g->pool, rcp_formula_implies(&g->pool, executed(g, x), before(g, x, which.v)));
    return rcp_formula_all(&g->pool, mark);
}

typedef struct reading {
    rcp_guarded *g;
    rcp_guarded_order *order;
    uint64_t *value;
    RCP_VEC(struct placed {
        int64_t place;
        uint32_t event;
    })
    placed;
} reading;

static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* What is executed has a place before the race, and its guard holds. */
static bool read_model(void *context, const rcp_z3_model *model) {
    reading *r = context;
    int64_t race = 0, place = 0;
    bool good = rcp_z3_model_int(model, RCP_SMT_RACE, &race);
    for (uint32_t x = 0; x < r->g->events.len && good && r->order; x++) {
        char name[32];
        bool holds = false;
        snprintf(name, sizeof name, "e%u", x);
        good = rcp_z3_model_int(model, name, &place);
        if (good && place < race) {
            snprintf(name, sizeof name, "x%u", x);
            good = rcp_z3_model_bool(model, name, &holds);
            if (good && holds)
                rcp_vec_push(&r->placed, ((struct placed){place, x}));
        }
    }
    if (good && r->value)
        good = rcp_z3_model_bits(model, RCP_GUARDED_VALUE, r->value);
    return good;
}

/* x12: event 12 is executed. Names for a model to be read by. */
static void name_executed(rcp_guarded *g) {
    for (uint32_t x = 0; x < g->events.len; x++)
        rcp_formula_assert(
            &g->pool,
            rcp_formula_equal(&g->pool, rcp_formula_variable(&g->pool, RCP_SORT_BOOL, "x%u", x), executed(g, x)), "");
}

rcp_z3_answer rcp_guarded_ask(rcp_guarded *g, rcp_formula end, rcp_z3_limits limits, rcp_guarded_order *order,
                              uint64_t *value) {
    if (!g->z3) {
        name_executed(g);
        g->z3 = rcp_z3_create_plain(&g->pool, limits);
    }
    if (!g->z3)
        return RCP_Z3_UNKNOWN;
    reading r = {.g = g, .order = order, .value = value};
    size_t first = g->pool.assertions.len;
    rcp_formula_assert(&g->pool, end, "");
    rcp_z3_answer answer = rcp_z3_check(g->z3, first, order || value ? read_model : NULL, &r);
    g->pool.assertions.len = first;
    if (r.placed.len)
        qsort(r.placed.at, r.placed.len, sizeof *r.placed.at, by_place);
    for (size_t i = 0; i < r.placed.len; i++)
        rcp_vec_push(order, ((rcp_guarded_event){r.placed.at[i].event}));
    rcp_vec_finish(&r.placed);
    return answer;
}

void rcp_guarded_print(rcp_text *out, rcp_guarded *g, rcp_formula end) {
    size_t first = g->pool.assertions.len;
    rcp_formula_assert(&g->pool, end, "the question");
    rcp_text_printf(out, "(set-logic %s)\n", rcp_smt2_logic(&g->pool));
    rcp_smt2_print(out, &g->pool, 0);
    rcp_text_puts(out, "(check-sat)\n");
    g->pool.assertions.len = first;
}
