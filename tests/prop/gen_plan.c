/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/gen_plan.h"

void rcp_gen_push(rcp_gen *g, uint32_t tid, rcp_gen_planned step) {
    rcp_gen_script *s = &g->scripts[tid];
    if (s->len < RCP_GEN_SCRIPT)
        s->at[s->len++] = step;
}

/* Where an access goes: a variable, or a heap block; of the trace's usual width, or any. */
static rcp_gen_planned somewhere(rcp_gen *g, rcp_gen_op what) {
    rcp_gen_planned p = {.what = what, .size = g->width};
    uint64_t low = RCP_MACHINE_VARS, bytes = 8 * g->variables;
    uint32_t block = rcp_gen_below(g, 2);
    if (rcp_gen_has(g, RCP_GEN_HEAP) && g->blocks[block].was_live &&
        (g->blocks[block].live ? rcp_gen_percent(g, 70) : rcp_gen_percent(g, 20))) {
        low = g->blocks[block].addr;
        bytes = g->blocks[block].bytes < 8 ? g->blocks[block].bytes : 8;
    }
    p.addr = low + 8 * rcp_gen_below(g, (uint32_t)(bytes + 7) / 8);
    if (rcp_gen_has(g, RCP_GEN_WIDTHS) && rcp_gen_percent(g, 50)) {
        p.size = 1u << rcp_gen_below(g, 4);
        p.addr += rcp_gen_percent(g, 50) ? p.size * rcp_gen_below(g, 8 / p.size) : rcp_gen_below(g, 8 - p.size + 1);
        if (what != RCP_DO_RMW && what != RCP_DO_CAS && rcp_gen_percent(g, 8)) {
            p.size = 16;
            p.addr = low;
        } else if (rcp_gen_percent(g, 8)) {
            p.addr += 4; /* across two variables, if there is a second one */
        }
    }
    while (p.size > 1 && !rcp_machine_has(p.addr, p.size))
        p.size /= 2;
    if (!rcp_machine_has(p.addr, p.size))
        p.addr = low;
    p.atomic = rcp_gen_has(g, RCP_GEN_ATOMICS) && rcp_gen_percent(g, 30);
    return p;
}

void rcp_gen_plan_access(rcp_gen *g, uint32_t tid) {
    uint32_t roll = rcp_gen_below(g, 100);
    if (rcp_gen_has(g, RCP_GEN_ATOMICS) && roll < 15)
        rcp_gen_push(g, tid, somewhere(g, rcp_gen_percent(g, 50) ? RCP_DO_CAS : RCP_DO_RMW));
    else if (rcp_gen_has(g, RCP_GEN_ATOMICS) && roll < 17)
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_FENCE});
    else
        rcp_gen_push(g, tid, somewhere(g, roll < 55 ? RCP_DO_WRITE : RCP_DO_READ));
    if (rcp_gen_has(g, RCP_GEN_BRANCHES) && rcp_gen_percent(g, 30))
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_BRANCH});
}

static rcp_obj a_lock(rcp_gen *g) { return g->locks[rcp_gen_below(g, g->n_locks)]; }

static void plan_section(rcp_gen *g, uint32_t tid) {
    bool rw = rcp_gen_has(g, RCP_GEN_RWLOCKS) && (!rcp_gen_has(g, RCP_GEN_LOCKS) || rcp_gen_percent(g, 50));
    rcp_obj lock = rw ? g->rwlock : a_lock(g);
    rcp_mode mode = rw && rcp_gen_percent(g, 60) ? RCP_SHARED : RCP_EXCLUSIVE;
    rcp_gen_op how = rcp_gen_has(g, RCP_GEN_TRY) && rcp_gen_percent(g, 30) ? RCP_DO_TRY_ACQUIRE : RCP_DO_ACQUIRE;
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = how, .object = lock, .mode = mode});
    for (uint32_t n = rcp_gen_percent(g, 10) ? 0 : 1 + rcp_gen_below(g, 2); n > 0; n--)
        rcp_gen_plan_access(g, tid);
    if (rcp_gen_percent(g, 10)) /* again inside: recursive, shared twice, or a trylock that fails on oneself */
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = how, .object = lock, .mode = mode});
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_RELEASE, .object = lock, .mode = mode});
}

/* Without the flag a signal can be lost; with it the thread reads before and after. */
static void plan_wait(rcp_gen *g, uint32_t tid) {
    rcp_obj lock = g->locks[0];
    rcp_gen_planned flag = somewhere(g, RCP_DO_READ);
    bool with_flag = rcp_gen_percent(g, g->eager > 10 ? 30 : 60);
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ACQUIRE, .object = lock});
    for (int again = 0; again < 2; again++) {
        if (with_flag) {
            rcp_gen_push(g, tid, flag);
            if (rcp_gen_has(g, RCP_GEN_BRANCHES) && rcp_gen_percent(g, 70))
                rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_BRANCH});
        }
        if (!again)
            rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_WAIT, .object = g->cond, .lock = lock});
    }
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_RELEASE, .object = lock});
}

static void plan_signal(rcp_gen *g, uint32_t tid) {
    rcp_gen_planned wake = {.what = rcp_gen_percent(g, 30) ? RCP_DO_BROADCAST : RCP_DO_SIGNAL, .object = g->cond};
    bool locked = rcp_gen_percent(g, g->eager > 10 ? 25 : 70), after = rcp_gen_percent(g, 30);
    if (locked)
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ACQUIRE, .object = g->locks[0]});
    if (rcp_gen_percent(g, g->eager > 10 ? 30 : 70))
        rcp_gen_push(g, tid, somewhere(g, RCP_DO_WRITE));
    if (!after)
        rcp_gen_push(g, tid, wake);
    if (locked)
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_RELEASE, .object = g->locks[0]});
    if (after)
        rcp_gen_push(g, tid, wake);
}

static void plan_heap(rcp_gen *g, uint32_t tid) {
    rcp_gen_block *b = &g->blocks[rcp_gen_below(g, 2)];
    if (!b->live) {
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ALLOC, .addr = b->addr});
        if (rcp_gen_percent(g, 60))
            rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_WRITE, .addr = b->addr, .size = g->width});
    } else if (rcp_gen_percent(g, 60)) {
        rcp_gen_plan_access(g, tid);
    } else {
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_FREE, .addr = b->addr});
    }
}

static void plan_post(rcp_gen *g, uint32_t tid) {
    if (rcp_gen_percent(g, 50))
        rcp_gen_plan_access(g, tid);
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_POST, .object = g->sem});
}

static void plan_down(rcp_gen *g, uint32_t tid) {
    rcp_gen_op how = rcp_gen_has(g, RCP_GEN_TRY) && rcp_gen_percent(g, 50) ? RCP_DO_TRY_DOWN : RCP_DO_DOWN;
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = how, .object = g->sem});
    rcp_gen_plan_access(g, tid);
}

static void plan_barrier(rcp_gen *g, uint32_t tid) {
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ENTER, .object = g->barrier});
    rcp_gen_plan_access(g, tid);
}

static void plan_once(rcp_gen *g, uint32_t tid) {
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ONCE, .object = g->once});
    if (rcp_gen_percent(g, 60))
        rcp_gen_plan_access(g, tid);
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ONCE_END, .object = g->once});
}

static void plan_join(rcp_gen *g, uint32_t tid) {
    rcp_gen_op how = rcp_gen_has(g, RCP_GEN_TRY) && rcp_gen_percent(g, 40) ? RCP_DO_TRY_JOIN : RCP_DO_JOIN;
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = how, .child = rcp_gen_below(g, g->machine.n_threads)});
}

/* Seldom: nobody can use what is destroyed. */
static void plan_life(rcp_gen *g, uint32_t tid) {
    if (rcp_gen_percent(g, 50))
        return;
    const rcp_machine_object *object = &g->machine.objects[g->some.v];
    rcp_gen_op how = object->initialised || !object->needs_init ? RCP_DO_DESTROY : RCP_DO_INIT;
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = how, .object = g->some});
}

static void plan_pair(rcp_gen *g, uint32_t tid, rcp_reach begin, rcp_reach end, uint32_t callbacks) {
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_OPAQUE_BEGIN, .reach = begin});
    for (; callbacks > 0; callbacks--)
        rcp_gen_plan_access(g, tid);
    rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_OPAQUE_END, .reach = end});
}

/* A reading, a sleep, or somebody who knows the time when it ends alone. */
static void plan_time(rcp_gen *g, uint32_t tid) {
    static const uint8_t at_end[RCP_GEN_TIMES] = {RCP_GEN_LATE, RCP_GEN_LATE, RCP_GEN_READING};
    uint32_t begin = rcp_gen_below(g, RCP_GEN_TIMES);
    uint32_t end = rcp_gen_percent(g, 80) ? at_end[begin] : rcp_gen_below(g, RCP_GEN_TIMES);
    plan_pair(g, tid, g->times[begin], g->times[end], rcp_gen_percent(g, 10));
}

static void plan_opaque(rcp_gen *g, uint32_t tid) {
    rcp_reach reach = g->reaches[rcp_gen_below(g, RCP_GEN_REACHES)];
    if (rcp_gen_percent(g, 40))
        plan_time(g, tid);
    else
        plan_pair(g, tid, reach, reach, rcp_gen_below(g, 3));
}

static void plan_end(rcp_gen *g, uint32_t tid) {
    if (rcp_gen_percent(g, 30))
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_END});
    else if (rcp_gen_has(g, RCP_GEN_EXIT) && rcp_gen_percent(g, 20))
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_EXIT});
}

static void plan_either(rcp_gen *g, uint32_t tid) {
    if (rcp_gen_has(g, RCP_GEN_LOCKS | RCP_GEN_RWLOCKS) && rcp_gen_percent(g, g->discipline))
        plan_section(g, tid);
    else
        rcp_gen_plan_access(g, tid);
}

static bool somebody_waited(const rcp_gen *g) {
    const rcp_trace *trace = g->machine.trace;
    for (size_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].kind == RCP_WAIT)
            return true;
    return false;
}

static void plan_condition(rcp_gen *g, uint32_t tid) {
    if (rcp_gen_has(g, RCP_GEN_LIVES) && somebody_waited(g) && rcp_gen_percent(g, 25))
        rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_DESTROY, .object = g->cond});
    else if (rcp_gen_percent(g, 50))
        plan_wait(g, tid);
    else
        plan_signal(g, tid);
}

/* Somebody sleeps: do often what they wait for, or hardly anybody ever wakes within so few events. */
static void plan_help(rcp_gen *g, uint32_t tid) {
    const rcp_machine *m = &g->machine;
    for (uint32_t t = 0; t < m->n_threads; t++) {
        const rcp_machine_thread *other = &m->threads[t];
        if (other->waiting && other->fate == RCP_DONE && !other->woken && rcp_gen_percent(g, 35)) {
            plan_signal(g, tid);
            return;
        }
        if (other->in_barrier && other->generation == m->objects[other->barrier.v].generation &&
            rcp_gen_percent(g, 35)) {
            rcp_gen_push(g, tid, (rcp_gen_planned){.what = RCP_DO_ENTER, .object = other->barrier});
            return;
        }
    }
}

/* Every idiom with the feature that it needs (0: none), equally often; sections twice. One that plans nothing is drawn
 * again. */
static const struct {
    uint32_t feature;
    void (*plan)(rcp_gen *g, uint32_t tid);
} idioms[] = {
    {RCP_GEN_LOCKS | RCP_GEN_RWLOCKS, plan_section},
    {RCP_GEN_LOCKS | RCP_GEN_RWLOCKS, plan_section},
    {RCP_GEN_CONDS, plan_wait},
    {RCP_GEN_CONDS, plan_signal},
    {RCP_GEN_SEMS, plan_post},
    {RCP_GEN_SEMS, plan_down},
    {RCP_GEN_BARRIERS, plan_barrier},
    {RCP_GEN_ONCE, plan_once},
    {RCP_GEN_FORKS, plan_join},
    {RCP_GEN_HEAP, plan_heap},
    {RCP_GEN_LIVES, plan_life},
    {RCP_GEN_OPAQUE, plan_opaque},
    {0, plan_end},
    {0, plan_either},
};

void rcp_gen_plan(rcp_gen *g, uint32_t tid) {
    rcp_gen_script *s = &g->scripts[tid];
    s->next = s->len = 0;
    g->some.v = rcp_gen_below(g, g->machine.n_objects);
    if (rcp_gen_has(g, RCP_GEN_CONDS) && rcp_gen_percent(g, g->eager))
        plan_condition(g, tid);
    else
        plan_help(g, tid);
    for (unsigned tries = 0; tries < 8 && !s->len; tries++) {
        uint32_t i = rcp_gen_below(g, sizeof idioms / sizeof *idioms);
        if (!idioms[i].feature || rcp_gen_has(g, idioms[i].feature))
            idioms[i].plan(g, tid);
    }
    if (!s->len)
        plan_either(g, tid);
}
