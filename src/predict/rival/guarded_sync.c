/* SPDX-License-Identifier: Apache-2.0 */
/* Locks, semaphores and conditions of the guarded formula: rules L, S and C of docs/semantics.md, where a guard says
 * whether an event counts. */
#include "predict/rival/guarded_state.h"

static const rcp_guarded_told *at(const rcp_guarded *g, uint32_t number) { return rcp_guarded_at(g, number); }
static rcp_formula executed(rcp_guarded *g, uint32_t x) { return rcp_guarded_executed(g, x); }
static rcp_formula before(rcp_guarded *g, uint32_t x, uint32_t y) { return rcp_guarded_before(g, x, y); }

/* x, which is executed, has the lock or the token. */
static rcp_formula had(rcp_guarded *g, uint32_t x) {
    return rcp_formula_and(&g->pool, executed(g, x), at(g, x)->is_wake ? RCP_TRUE : at(g, x)->has);
}

static bool gives_back(const rcp_guarded_told *acquire, const rcp_guarded_told *e) {
    return e->kind == RCP_G_RELEASE && e->thread == acquire->thread && e->object == acquire->object;
}

/* The lock that `acquire` took is let go before `now`. */
static rcp_formula is_over(rcp_guarded *g, uint32_t acquire, uint32_t now) {
    size_t mark = g->pool.list.len;
    for (uint32_t r = acquire + 1; r < g->events.len; r++)
        if (gives_back(at(g, acquire), at(g, r)))
            rcp_formula_push(&g->pool, rcp_formula_and(&g->pool, executed(g, r), before(g, r, now)));
    return rcp_formula_any(&g->pool, mark);
}

/* It has been taken, and not let go, when `now` comes. */
static rcp_formula is_held(rcp_guarded *g, uint32_t acquire, uint32_t now) {
    size_t mark = g->pool.list.len;
    rcp_formula_push(&g->pool, had(g, acquire));
    rcp_formula_push(&g->pool, before(g, acquire, now));
    for (uint32_t r = acquire + 1; r < g->events.len; r++)
        if (gives_back(at(g, acquire), at(g, r)))
            rcp_formula_push(&g->pool, rcp_formula_implies(&g->pool, executed(g, r), before(g, now, r)));
    return rcp_formula_all(&g->pool, mark);
}

void rcp_guarded_assert_lock(rcp_guarded *g, uint32_t x) {
    const rcp_guarded_told *e = at(g, x);
    size_t mark = g->pool.list.len;
    for (uint32_t y = 0; y < g->events.len; y++) {
        const rcp_guarded_told *other = at(g, y);
        if (y == x || other->kind != RCP_G_ACQUIRE || other->object != e->object || (e->shared && other->shared))
            continue;
        bool earlier = other->thread == e->thread && y < x, later = other->thread == e->thread && y > x;
        if (y < x) { /* two critical sections exclude each other, guards willing */
            rcp_formula apart = rcp_formula_or(&g->pool, is_over(g, y, x), earlier ? RCP_FALSE : is_over(g, x, y));
            rcp_formula both = rcp_formula_and(&g->pool, had(g, x), had(g, y));
            rcp_formula_assert(&g->pool, rcp_formula_implies(&g->pool, both, apart), "");
        }
        if (e->tries && !later)
            rcp_formula_push(&g->pool, is_held(g, y, x));
    }
    rcp_formula held = rcp_formula_any(&g->pool, mark);
    if (e->tries) { /* who has it not finds it held; that who has it finds it free is said above */
        rcp_formula fails = rcp_formula_and(&g->pool, executed(g, x), rcp_formula_not(&g->pool, e->has));
        rcp_formula_assert(&g->pool, rcp_formula_implies(&g->pool, fails, held), "");
    }
}

/* Posts before it, less the tokens that others took: 1 for each where the formula holds. */
void rcp_guarded_assert_token(rcp_guarded *g, uint32_t x) {
    const rcp_guarded_told *e = at(g, x);
    rcp_formulas *pool = &g->pool;
    rcp_formula zero = rcp_formula_literal(pool, RCP_SORT_INT, 0), one = rcp_formula_literal(pool, RCP_SORT_INT, 1);
    RCP_VEC(rcp_formula) taken = {0};
    size_t mark = pool->list.len;
    uint64_t count = 0;
    for (size_t i = 0; i < g->semaphores.len; i++)
        count = g->semaphores.at[i].object == e->object ? g->semaphores.at[i].value : count;
    for (uint32_t y = 0; y < g->events.len; y++) {
        if (at(g, y)->object != e->object || y == x)
            continue;
        if (at(g, y)->kind == RCP_G_POST) {
            rcp_formula posted = rcp_formula_and(pool, executed(g, y), before(g, y, x));
            rcp_formula_push(pool, rcp_formula_ite(pool, posted, one, zero));
        } else if (at(g, y)->kind == RCP_G_WAIT) {
            rcp_formula took = rcp_formula_and(pool, had(g, y), rcp_formula_not(pool, before(g, x, y)));
            rcp_vec_push(&taken, rcp_formula_ite(pool, took, one, zero));
        }
    }
    rcp_formula_push(pool, rcp_formula_literal(pool, RCP_SORT_INT, count));
    rcp_formula there = rcp_formula_sum(pool, mark);
    for (size_t i = 0; i < taken.len; i++)
        rcp_formula_push(pool, taken.at[i]);
    rcp_formula gone = rcp_formula_sum(pool, mark), is_there = rcp_guarded_less(g, gone, there);
    rcp_vec_finish(&taken);
    rcp_formula rule = e->tries ? rcp_formula_equal(pool, e->has, is_there) : is_there;
    rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, x), rule), "");
}

/* w4_7: the wake e4 is given the signal e7. As trace/check/sync.c shows, one of its own will do, or a broadcast. */
static rcp_formula given(rcp_guarded *g, uint32_t wake, uint32_t signal) {
    return rcp_formula_variable(&g->pool, RCP_SORT_BOOL, "w%u_%u", wake, signal);
}

void rcp_guarded_assert_woken(rcp_guarded *g, uint32_t x) {
    const rcp_guarded_told *e = at(g, x);
    rcp_formulas *pool = &g->pool;
    size_t mark = pool->list.len;
    for (uint32_t s = 0; s < g->events.len; s++) {
        if (at(g, s)->kind != RCP_G_SIGNAL || at(g, s)->object != e->condition || at(g, s)->thread == e->thread)
            continue;
        size_t all = pool->list.len;
        rcp_formula_push(pool, executed(g, s));
        rcp_formula_push(pool, before(g, e->with, s));
        rcp_formula_push(pool, before(g, s, x));
        if (!at(g, s)->all)
            rcp_formula_push(pool, given(g, x, s));
        rcp_formula by_it = rcp_formula_all(pool, all);
        rcp_formula_push(pool, by_it);
        for (uint32_t y = 0; !at(g, s)->all && y < x; y++) { /* it wakes one */
            if (!at(g, y)->is_wake || at(g, y)->condition != e->condition)
                continue;
            rcp_formula both = rcp_formula_and(pool, given(g, x, s), given(g, y, s));
            rcp_formula same = rcp_formula_and(pool, executed(g, x), executed(g, y));
            rcp_formula_assert(pool, rcp_formula_not(pool, rcp_formula_and(pool, both, same)), "");
        }
    }
    rcp_formula woken = rcp_formula_any(pool, mark);
    rcp_formula must = rcp_formula_and(pool, executed(g, x), e->has);
    rcp_formula_assert(pool, rcp_formula_implies(pool, must, woken), "");
}
