/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/gen.h"

#include "prop/gen_term.h"
#include "prop/machine.h"

#include <string.h>

/* What a thread means to do next. A thread's script is a few of these, made up idiom by idiom. */
typedef enum op {
    OP_ACQUIRE,
    OP_TRY_ACQUIRE, /* the critical section that follows is dropped if it fails */
    OP_RELEASE,
    OP_READ,
    OP_WRITE,
    OP_RMW,
    OP_CAS,
    OP_FENCE,
    OP_BRANCH,
    OP_WAIT, /* the machine knows the rest until the WAKE */
    OP_SIGNAL,
    OP_BROADCAST,
    OP_POST,
    OP_DOWN,
    OP_TRY_DOWN,
    OP_ENTER,
    OP_ONCE,
    OP_ONCE_END,
    OP_FORK,
    OP_JOIN,
    OP_TRY_JOIN,
    OP_INIT,
    OP_DESTROY,
    OP_ALLOC,
    OP_FREE,
    OP_OPAQUE_BEGIN,
    OP_OPAQUE_END,
    OP_END,
    OP_EXIT,
} op;

typedef struct planned {
    op what;
    rcp_obj object, lock;
    rcp_mode mode;
    uint64_t addr;
    uint32_t size;
    uint32_t child;
    bool atomic;
} planned;

#define SCRIPT 16

typedef struct script {
    planned at[SCRIPT];
    uint32_t next, len;
    uint32_t blocked; /* in a row; a thread that is stuck for long makes up something else */
} script;

typedef struct heap_block {
    uint64_t addr, bytes;
    bool live, was_live;
} heap_block;

typedef struct gen {
    rcp_machine machine;
    rcp_random random;
    uint32_t features;
    uint32_t limit;
    uint32_t variables, width; /* the width that most accesses have */
    uint32_t n_locks;
    rcp_obj locks[2], rwlock, cond, sem, barrier, once;
    rcp_reach reach;
    heap_block blocks[2];
    bool terms, addresses;
    uint32_t eager;      /* percent of idioms that are a wait or a signal, where there are conditions */
    uint32_t discipline; /* percent of accesses on their own that go under a lock instead */
    script scripts[RCP_GEN_MAX_THREADS];
} gen;

static bool has(const gen *g, uint32_t feature) { return g->features & feature; }
static bool percent(gen *g, uint32_t p) { return rcp_random_percent(&g->random, p); }
static uint32_t below(gen *g, uint32_t n) { return rcp_random_below(&g->random, n); }

static void push(gen *g, uint32_t tid, planned p) {
    script *s = &g->scripts[tid];
    if (s->len < SCRIPT)
        s->at[s->len++] = p;
}

/* Where an access goes: a variable, or a heap block; of the trace's usual width, or any. */
static planned somewhere(gen *g, op what) {
    planned p = {.what = what, .size = g->width};
    uint64_t low = RCP_MACHINE_VARS, bytes = 8 * g->variables;
    uint32_t block = below(g, 2);
    if (has(g, RCP_GEN_HEAP) && g->blocks[block].was_live &&
        (g->blocks[block].live ? percent(g, 70) : percent(g, 20))) {
        low = g->blocks[block].addr;
        bytes = g->blocks[block].bytes < 8 ? g->blocks[block].bytes : 8;
    }
    p.addr = low + 8 * below(g, (uint32_t)(bytes + 7) / 8);
    if (has(g, RCP_GEN_WIDTHS) && percent(g, 50)) {
        p.size = 1u << below(g, 4);
        p.addr += percent(g, 50) ? p.size * below(g, 8 / p.size) : below(g, 8 - p.size + 1);
        if (what != OP_RMW && what != OP_CAS && percent(g, 8)) {
            p.size = 16;
            p.addr = low;
        } else if (percent(g, 8)) {
            p.addr += 4; /* across two variables, if there is a second one */
        }
    }
    while (p.size > 1 && !rcp_machine_has(p.addr, p.size))
        p.size /= 2;
    if (!rcp_machine_has(p.addr, p.size))
        p.addr = low;
    p.atomic = has(g, RCP_GEN_ATOMICS) && percent(g, 30);
    return p;
}

static void plan_access(gen *g, uint32_t tid) {
    uint32_t roll = below(g, 100);
    if (has(g, RCP_GEN_ATOMICS) && roll < 15)
        push(g, tid, somewhere(g, percent(g, 50) ? OP_CAS : OP_RMW));
    else if (has(g, RCP_GEN_ATOMICS) && roll < 17)
        push(g, tid, (planned){.what = OP_FENCE});
    else
        push(g, tid, somewhere(g, roll < 55 ? OP_WRITE : OP_READ));
    if (has(g, RCP_GEN_BRANCHES) && percent(g, 30))
        push(g, tid, (planned){.what = OP_BRANCH});
}

static rcp_obj a_lock(gen *g) { return g->locks[below(g, g->n_locks)]; }

static void plan_section(gen *g, uint32_t tid) {
    bool rw = has(g, RCP_GEN_RWLOCKS) && (!has(g, RCP_GEN_LOCKS) || percent(g, 50));
    rcp_obj lock = rw ? g->rwlock : a_lock(g);
    rcp_mode mode = rw && percent(g, 60) ? RCP_SHARED : RCP_EXCLUSIVE;
    op how = has(g, RCP_GEN_TRY) && percent(g, 30) ? OP_TRY_ACQUIRE : OP_ACQUIRE;
    push(g, tid, (planned){.what = how, .object = lock, .mode = mode});
    for (uint32_t n = percent(g, 10) ? 0 : 1 + below(g, 2); n > 0; n--)
        plan_access(g, tid);
    if (percent(g, 10)) /* again inside: recursive, shared twice, or a trylock that fails on oneself */
        push(g, tid, (planned){.what = how, .object = lock, .mode = mode});
    push(g, tid, (planned){.what = OP_RELEASE, .object = lock, .mode = mode});
}

/* Without the flag a signal can be lost; with it the thread reads before and after. */
static void plan_wait(gen *g, uint32_t tid) {
    rcp_obj lock = g->locks[0];
    planned flag = somewhere(g, OP_READ);
    bool with_flag = percent(g, g->eager > 10 ? 30 : 60);
    push(g, tid, (planned){.what = OP_ACQUIRE, .object = lock});
    for (int again = 0; again < 2; again++) {
        if (with_flag) {
            push(g, tid, flag);
            if (has(g, RCP_GEN_BRANCHES) && percent(g, 70))
                push(g, tid, (planned){.what = OP_BRANCH});
        }
        if (!again)
            push(g, tid, (planned){.what = OP_WAIT, .object = g->cond, .lock = lock});
    }
    push(g, tid, (planned){.what = OP_RELEASE, .object = lock});
}

static void plan_signal(gen *g, uint32_t tid) {
    planned wake = {.what = percent(g, 30) ? OP_BROADCAST : OP_SIGNAL, .object = g->cond};
    bool locked = percent(g, g->eager > 10 ? 25 : 70), after = percent(g, 30);
    if (locked)
        push(g, tid, (planned){.what = OP_ACQUIRE, .object = g->locks[0]});
    if (percent(g, g->eager > 10 ? 30 : 70))
        push(g, tid, somewhere(g, OP_WRITE));
    if (!after)
        push(g, tid, wake);
    if (locked)
        push(g, tid, (planned){.what = OP_RELEASE, .object = g->locks[0]});
    if (after)
        push(g, tid, wake);
}

static void plan_heap(gen *g, uint32_t tid) {
    heap_block *b = &g->blocks[below(g, 2)];
    if (!b->live) {
        push(g, tid, (planned){.what = OP_ALLOC, .addr = b->addr});
        if (percent(g, 60))
            push(g, tid, (planned){.what = OP_WRITE, .addr = b->addr, .size = g->width});
    } else if (percent(g, 60)) {
        plan_access(g, tid);
    } else {
        push(g, tid, (planned){.what = OP_FREE, .addr = b->addr});
    }
}

static bool somebody_waited(const gen *g) {
    const rcp_trace *trace = g->machine.trace;
    for (size_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].kind == RCP_WAIT)
            return true;
    return false;
}

static void plan_either(gen *g, uint32_t tid) {
    if (has(g, RCP_GEN_LOCKS | RCP_GEN_RWLOCKS) && percent(g, g->discipline))
        plan_section(g, tid);
    else
        plan_access(g, tid);
}

/* Every idiom with its feature; drawn again where the feature is off. */
static void plan(gen *g, uint32_t tid) {
    rcp_machine *m = &g->machine;
    rcp_obj any = {below(g, m->n_objects)};
    if (has(g, RCP_GEN_CONDS) && percent(g, g->eager)) {
        if (has(g, RCP_GEN_LIVES) && somebody_waited(g) && percent(g, 25))
            push(g, tid, (planned){.what = OP_DESTROY, .object = g->cond});
        else if (percent(g, 50))
            plan_wait(g, tid);
        else
            plan_signal(g, tid);
        return;
    }
    /* Somebody sleeps: do often what they wait for, or hardly anybody ever wakes within so few events. */
    for (uint32_t t = 0; t < m->n_threads; t++) {
        const rcp_machine_thread *other = &m->threads[t];
        if (other->waiting && other->fate == RCP_DONE && !other->woken && percent(g, 35)) {
            plan_signal(g, tid);
            return;
        }
        if (other->in_barrier && other->generation == m->objects[other->barrier.v].generation && percent(g, 35)) {
            push(g, tid, (planned){.what = OP_ENTER, .object = other->barrier});
            return;
        }
    }
    for (unsigned tries = 0; tries < 8; tries++) {
        switch (below(g, 14)) {
        case 0:
        case 1:
            if (!has(g, RCP_GEN_LOCKS | RCP_GEN_RWLOCKS))
                continue;
            plan_section(g, tid);
            return;
        case 2:
            if (!has(g, RCP_GEN_CONDS))
                continue;
            plan_wait(g, tid);
            return;
        case 3:
            if (!has(g, RCP_GEN_CONDS))
                continue;
            plan_signal(g, tid);
            return;
        case 4:
            if (!has(g, RCP_GEN_SEMS))
                continue;
            if (percent(g, 50))
                plan_access(g, tid);
            push(g, tid, (planned){.what = OP_POST, .object = g->sem});
            return;
        case 5:
            if (!has(g, RCP_GEN_SEMS))
                continue;
            push(g, tid,
                 (planned){.what = has(g, RCP_GEN_TRY) && percent(g, 50) ? OP_TRY_DOWN : OP_DOWN, .object = g->sem});
            plan_access(g, tid);
            return;
        case 6:
            if (!has(g, RCP_GEN_BARRIERS))
                continue;
            push(g, tid, (planned){.what = OP_ENTER, .object = g->barrier});
            plan_access(g, tid);
            return;
        case 7:
            if (!has(g, RCP_GEN_ONCE))
                continue;
            push(g, tid, (planned){.what = OP_ONCE, .object = g->once});
            if (percent(g, 60))
                plan_access(g, tid);
            push(g, tid, (planned){.what = OP_ONCE_END, .object = g->once});
            return;
        case 8:
            if (!has(g, RCP_GEN_FORKS))
                continue;
            push(g, tid,
                 (planned){.what = has(g, RCP_GEN_TRY) && percent(g, 40) ? OP_TRY_JOIN : OP_JOIN,
                           .child = below(g, m->n_threads)});
            return;
        case 9:
            if (!has(g, RCP_GEN_HEAP))
                continue;
            plan_heap(g, tid);
            return;
        case 10:
            if (!has(g, RCP_GEN_LIVES) || percent(g, 50))
                continue;
            if (m->objects[any.v].initialised || !m->objects[any.v].needs_init)
                push(g, tid, (planned){.what = OP_DESTROY, .object = any});
            else
                push(g, tid, (planned){.what = OP_INIT, .object = any});
            return;
        case 11:
            if (!has(g, RCP_GEN_OPAQUE))
                continue;
            push(g, tid, (planned){.what = OP_OPAQUE_BEGIN});
            for (uint32_t callbacks = below(g, 3); callbacks > 0; callbacks--)
                plan_access(g, tid);
            push(g, tid, (planned){.what = OP_OPAQUE_END});
            return;
        case 12:
            if (percent(g, 30))
                push(g, tid, (planned){.what = OP_END});
            else if (has(g, RCP_GEN_EXIT) && percent(g, 20))
                push(g, tid, (planned){.what = OP_EXIT});
            else
                continue;
            return;
        default: plan_either(g, tid); return;
        }
    }
    plan_either(g, tid);
}

static rcp_term an_address(gen *g, uint32_t tid, uint64_t addr) {
    rcp_gen_reads reads = {&g->machine, tid, 0};
    if (!g->addresses || percent(g, 60))
        return RCP_TERM_CONST;
    if (percent(g, 25))
        return RCP_TERM_ALL;
    return rcp_gen_has_reads(&reads) ? rcp_gen_address(&reads, addr) : RCP_TERM_CONST;
}

/* The written bytes and the term they come from. */
static rcp_term a_value(gen *g, const rcp_gen_reads *reads, uint32_t size, uint8_t *bytes) {
    uint32_t roll = below(g, 100);
    uint64_t value = below(g, 4);
    rcp_term term = RCP_TERM_CONST;
    memset(bytes, 0, RCP_MACHINE_WIDEST);
    if (has(g, RCP_GEN_IMPLICIT)) {
        term = RCP_TERM_ALL;
    } else if (g->terms && size <= 8 && roll < 55 && rcp_gen_has_reads(reads)) {
        term = rcp_gen_value(reads, size * 8, &value);
    } else if (g->terms ? roll < 75 : roll < 45) {
        term = RCP_TERM_ALL;
    } else if (roll > 94 && size > 1) {
        value = 0x0101; /* a byte above the lowest that is not 0 */
    }
    memcpy(bytes, &value, size < 8 ? size : 8);
    if (size > 8)
        bytes[8] = (uint8_t)below(g, 3);
    return term;
}

static rcp_step_result run_access(gen *g, uint32_t tid, const planned *p) {
    rcp_machine *m = &g->machine;
    rcp_event e = {.addr = p->addr, .size = p->size, .mode = RCP_PLAIN};
    uint8_t bytes[RCP_MACHINE_WIDEST] = {0};
    if (p->atomic || p->what == OP_RMW || p->what == OP_CAS)
        e.mode = (uint8_t)(RCP_RELAXED + below(g, RCP_ORDERS - RCP_RELAXED));
    e.addr_term = an_address(g, tid, p->addr);
    rcp_gen_reads reads = {m, tid, 0};
    if (p->what == OP_RMW || p->what == OP_CAS) {
        uint8_t *taken = m->taken[rcp_machine_next(m).v];
        memset(taken, 0, RCP_MACHINE_WIDEST);
        for (uint32_t i = 0; i < p->size; i++)
            taken[i] = *rcp_machine_byte(m, p->addr + i);
        reads.self = p->size;
    }
    switch (p->what) {
    case OP_READ: e.kind = RCP_READ; break;
    case OP_WRITE:
        e.kind = RCP_WRITE;
        e.value_term = a_value(g, &reads, p->size, bytes);
        break;
    case OP_RMW:
        e.kind = RCP_RMW;
        e.value_term = a_value(g, &reads, p->size, bytes);
        break;
    default: { /* OP_CAS */
        uint64_t expected = below(g, 3), have = 0;
        memcpy(&have, m->taken[rcp_machine_next(m).v], 8);
        e.kind = have == expected ? RCP_RMW : RCP_READ;
        e.cond = percent(g, 80) ? rcp_gen_equals_self(&reads, expected) : RCP_TERM_ALL;
        if (have == expected) {
            reads.self = 0;
            e.value_term = a_value(g, &reads, p->size, bytes);
        }
    }
    }
    return rcp_machine_access(m, tid, e, bytes);
}

static rcp_step_result run_branch(gen *g, uint32_t tid) {
    rcp_gen_reads reads = {&g->machine, tid, 0};
    uint64_t value = below(g, 2);
    rcp_term cond = RCP_TERM_ALL;
    if (g->terms && rcp_gen_has_reads(&reads) && percent(g, 80))
        cond = percent(g, 85) ? rcp_gen_condition(&reads, &value) : rcp_gen_value(&reads, 8, &value);
    else if (percent(g, 10))
        cond = RCP_TERM_CONST;
    return rcp_machine_branch(&g->machine, tid, cond, value);
}

static rcp_step_result run_heap(gen *g, uint32_t tid, const planned *p) {
    heap_block *b = &g->blocks[p->addr != g->blocks[0].addr];
    rcp_term addr_term = an_address(g, tid, b->addr);
    if (p->what == OP_FREE) {
        if (!b->live)
            return RCP_STEP_NEVER;
        b->live = false;
        return rcp_machine_free(&g->machine, tid, b->addr, b->bytes, addr_term);
    }
    if (b->live)
        return RCP_STEP_NEVER;
    b->bytes = percent(g, 70) ? 8 : percent(g, 50) ? 4 : percent(g, 70) && p->addr == RCP_MACHINE_HEAP ? 16 : 0;
    b->live = b->was_live = b->bytes > 0;
    return rcp_machine_alloc(&g->machine, tid, b->addr, b->bytes, percent(g, 50), addr_term);
}

static void drop_section(gen *g, uint32_t tid, const planned *p) {
    script *s = &g->scripts[tid];
    uint32_t kept = s->next + 1;
    bool dropped = false;
    for (uint32_t i = s->next + 1; i < s->len; i++) {
        if (!dropped && s->at[i].what == OP_RELEASE && s->at[i].object.v == p->object.v)
            dropped = true;
        else
            s->at[kept++] = s->at[i];
    }
    s->len = kept;
}

static rcp_step_result run(gen *g, uint32_t tid, const planned *p) {
    rcp_machine *m = &g->machine;
    switch (p->what) {
    case OP_ACQUIRE: return rcp_machine_acquire(m, tid, p->object, p->mode, false);
    case OP_TRY_ACQUIRE: {
        rcp_step_result result = rcp_machine_acquire(m, tid, p->object, p->mode, true);
        if (result == RCP_STEP_DONE && m->trace->events.at[m->trace->events.len - 1].outcome == RCP_FAILED)
            drop_section(g, tid, p);
        return result;
    }
    case OP_RELEASE: return rcp_machine_release(m, tid, p->object, p->mode);
    case OP_READ:
    case OP_WRITE:
    case OP_RMW:
    case OP_CAS: return run_access(g, tid, p);
    case OP_FENCE: return rcp_machine_fence(m, tid, percent(g, 50) ? RCP_SEQ_CST : RCP_ACQ_REL);
    case OP_BRANCH: return run_branch(g, tid);
    case OP_WAIT: {
        rcp_outcome fate = percent(g, 75) ? RCP_DONE : percent(g, 60) ? RCP_TIMEOUT : RCP_SPURIOUS;
        return rcp_machine_wait(m, tid, p->object, p->lock, fate);
    }
    case OP_SIGNAL: return rcp_machine_signal(m, tid, p->object, false);
    case OP_BROADCAST: return rcp_machine_signal(m, tid, p->object, true);
    case OP_POST: return rcp_machine_post(m, tid, p->object);
    case OP_DOWN: return rcp_machine_down(m, tid, p->object, false);
    case OP_TRY_DOWN: return rcp_machine_down(m, tid, p->object, true);
    case OP_ENTER: return rcp_machine_enter(m, tid, p->object);
    case OP_ONCE: return rcp_machine_once(m, tid, p->object);
    case OP_ONCE_END: return rcp_machine_once_end(m, tid, p->object);
    case OP_FORK: return rcp_machine_fork(m, tid, p->child);
    case OP_JOIN: return rcp_machine_join(m, tid, p->child, false);
    case OP_TRY_JOIN: return rcp_machine_join(m, tid, p->child, true);
    case OP_INIT: return rcp_machine_lifetime(m, tid, p->object, true);
    case OP_DESTROY: return rcp_machine_lifetime(m, tid, p->object, false);
    case OP_ALLOC:
    case OP_FREE: return run_heap(g, tid, p);
    case OP_OPAQUE_BEGIN: return rcp_machine_opaque(m, tid, RCP_OPAQUE_BEGIN, g->reach);
    case OP_OPAQUE_END: return rcp_machine_opaque(m, tid, RCP_OPAQUE_END, g->reach);
    case OP_END: return rcp_machine_end(m, tid);
    case OP_EXIT: return rcp_machine_exit(m, tid);
    }
    return RCP_STEP_NEVER;
}

/* One thread's turn; false if it could do nothing. */
static bool take_turn(gen *g, uint32_t tid) {
    rcp_machine *m = &g->machine;
    rcp_machine_thread *thread = &m->threads[tid];
    script *s = &g->scripts[tid];
    if (!thread->started || thread->finished)
        return false;
    if (m->begins && !thread->began)
        return rcp_machine_begin(m, tid) == RCP_STEP_DONE;
    if (thread->waiting)
        return rcp_machine_wake(m, tid) == RCP_STEP_DONE;
    if (thread->in_barrier)
        return rcp_machine_leave(m, tid) == RCP_STEP_DONE;
    if (s->next == s->len) {
        s->next = s->len = 0;
        plan(g, tid);
    }
    /* An object that needs an INIT is mostly initialised by whoever wants it first. */
    rcp_machine_object *wanted = &m->objects[s->at[s->next].object.v];
    if (wanted->needs_init && !wanted->initialised && percent(g, 60))
        return rcp_machine_lifetime(m, tid, s->at[s->next].object, true) == RCP_STEP_DONE;
    switch (run(g, tid, &s->at[s->next])) {
    case RCP_STEP_DONE:
        s->next++;
        s->blocked = 0;
        return true;
    case RCP_STEP_NEVER: s->next++; return false;
    default:
        if (++s->blocked > 6 && percent(g, 30)) { /* stuck: gives up this idiom */
            s->next = s->len;
            s->blocked = 0;
        }
        return false;
    }
}

rcp_gen_options rcp_gen_defaults(void) {
    return (rcp_gen_options){.max_events = 20,
                             .min_threads = 2,
                             .max_threads = 4,
                             .variables = 3,
                             .locks = 2,
                             .features = RCP_GEN_EVERYTHING};
}

rcp_gen_options rcp_gen_profile(uint64_t seed, uint32_t max_events) {
    static const uint32_t mixes[] = {
        RCP_GEN_LOCKS | RCP_GEN_CONDS,
        RCP_GEN_LOCKS | RCP_GEN_CONDS | RCP_GEN_LIVES,
        RCP_GEN_LOCKS | RCP_GEN_CONDS | RCP_GEN_LIVES | RCP_GEN_BRANCHES,
        RCP_GEN_LOCKS | RCP_GEN_RWLOCKS | RCP_GEN_TRY | RCP_GEN_LIVES,
        RCP_GEN_BARRIERS | RCP_GEN_SEMS | RCP_GEN_ONCE | RCP_GEN_TRY,
        RCP_GEN_BARRIERS | RCP_GEN_LIVES,
        RCP_GEN_FORKS | RCP_GEN_TRY | RCP_GEN_TERMS | RCP_GEN_BRANCHES | RCP_GEN_EXIT,
        RCP_GEN_HEAP | RCP_GEN_OPAQUE | RCP_GEN_WIDTHS,
        RCP_GEN_HEAP | RCP_GEN_WIDTHS | RCP_GEN_BRANCHES | RCP_GEN_ADDRESSES,
        RCP_GEN_LOCKS | RCP_GEN_OPAQUE | RCP_GEN_TERMS | RCP_GEN_BRANCHES,
        RCP_GEN_LOCKS | RCP_GEN_TERMS | RCP_GEN_BRANCHES | RCP_GEN_IMAGES,
        RCP_GEN_LOCKS | RCP_GEN_TERMS | RCP_GEN_BRANCHES | RCP_GEN_ADDRESSES | RCP_GEN_UNVALUED,
        RCP_GEN_ATOMICS | RCP_GEN_TERMS | RCP_GEN_BRANCHES | RCP_GEN_IMAGES,
        RCP_GEN_ATOMICS | RCP_GEN_WIDTHS | RCP_GEN_TERMS | RCP_GEN_ADDRESSES | RCP_GEN_BRANCHES,
        RCP_GEN_LOCKS | RCP_GEN_IMPLICIT | RCP_GEN_OPAQUE,
    };
    rcp_gen_options options = rcp_gen_defaults();
    if (max_events)
        options.max_events = max_events;
    rcp_random random = {seed ^ UINT64_C(0x5eed)};
    if (rcp_random_percent(&random, 50)) {
        options.features = mixes[rcp_random_below(&random, sizeof mixes / sizeof *mixes)];
        options.focused = true;
        options.variables = 1 + rcp_random_below(&random, 2);
        if (options.features & RCP_GEN_CONDS) /* two sleepers and one who wakes them */
            options.min_threads = 3;
    }
    return options;
}

/* Percent of traces that get each feature, in the order of the RCP_GEN_ bits. Where everything is on, nothing happens
 * twice. */
static const uint8_t odds[] = {65, 20, 30, 25, 18, 15, 10, 30, 15, 22, 30, 25, 65, 60, 30, 6, 50, 10, 10, 8};

static void draw_features(gen *g, const rcp_gen_options *options) {
    for (uint32_t i = 0; i < sizeof odds; i++)
        if (options->features >> i & 1 && (options->focused || percent(g, odds[i])))
            g->features |= 1u << i;
    if (g->features & RCP_GEN_CONDS)
        g->features |= RCP_GEN_LOCKS;
    if (g->features & RCP_GEN_IMPLICIT)
        g->features &= ~(uint32_t)(RCP_GEN_BRANCHES | RCP_GEN_TERMS | RCP_GEN_ADDRESSES);
    g->eager = options->focused ? 50 : 10;
    g->discipline = percent(g, 50) ? 0 : 85;
    g->terms = has(g, RCP_GEN_TERMS);
    g->addresses = has(g, RCP_GEN_ADDRESSES);
    if (has(g, RCP_GEN_IMPLICIT))
        g->machine.unvalued_percent = percent(g, 80) ? 100 : 0;
    else if (has(g, RCP_GEN_UNVALUED))
        g->machine.unvalued_percent = percent(g, 50) ? 100 : 30;
}

static void make_objects(gen *g, const rcp_gen_options *options) {
    rcp_machine *m = &g->machine;
    rcp_object_kind kinds[] = {RCP_MUTEX, RCP_MUTEX, RCP_RECURSIVE, RCP_SPIN};
    g->n_locks = 1 + below(g, options->locks < 2 ? 1 : 2);
    for (uint32_t i = 0; i < g->n_locks; i++) /* the first may belong to a wait: no spin lock */
        g->locks[i] = rcp_machine_object_new(m, kinds[below(g, i ? 4 : 3)], i ? "n" : "m", 0);
    if (has(g, RCP_GEN_RWLOCKS))
        g->rwlock = rcp_machine_object_new(m, RCP_RWLOCK, "l", 0);
    if (has(g, RCP_GEN_CONDS))
        g->cond = rcp_machine_object_new(m, RCP_COND, "c", 0);
    if (has(g, RCP_GEN_SEMS))
        g->sem = rcp_machine_object_new(m, RCP_SEM, "s", below(g, 3) ? 0 : 1);
    if (has(g, RCP_GEN_BARRIERS))
        g->barrier = rcp_machine_object_new(m, RCP_BARRIER, "b", percent(g, 80) ? 2 : 3);
    if (has(g, RCP_GEN_ONCE))
        g->once = rcp_machine_object_new(m, RCP_ONCE, "o", 0);
    if (has(g, RCP_GEN_LIVES))
        for (uint32_t i = 0; i < m->n_objects; i++)
            m->objects[i].needs_init = percent(g, 40);
}

static void make_memory(gen *g, const rcp_gen_options *options) {
    static const char *const names[] = {"x", "y", "z"};
    rcp_trace *trace = g->machine.trace;
    g->variables = 1 + below(g, options->variables < 3 ? options->variables : 3);
    g->width = 1u << below(g, 4);
    for (uint32_t i = 0; i < g->variables; i++) {
        uint64_t addr = RCP_MACHINE_VARS + 8 * i;
        rcp_defs_variable(&trace->defs, names[i], addr, 8);
        *rcp_machine_byte(&g->machine, addr) = (uint8_t)(percent(g, 60) ? 0 : below(g, 4));
        if (has(g, RCP_GEN_IMAGES) && percent(g, 70))
            rcp_defs_image(&trace->defs, addr, rcp_machine_byte(&g->machine, addr), percent(g, 90) ? 8 : 1);
    }
    for (uint32_t i = 0; i < 2; i++)
        g->blocks[i] = (heap_block){.addr = RCP_MACHINE_HEAP + 8 * i, .bytes = 8};
    if (has(g, RCP_GEN_HEAP)) {
        rcp_defs_variable(&trace->defs, "h", RCP_MACHINE_HEAP, RCP_MACHINE_HEAP_BYTES);
        g->blocks[0].was_live = g->blocks[0].live = percent(g, 30); /* there since before the trace */
    }
    if (has(g, RCP_GEN_OPAQUE)) {
        rcp_span spans[2] = {{RCP_MACHINE_VARS, RCP_MACHINE_VARS + (percent(g, 60) ? 8 : 12)},
                             {RCP_MACHINE_HEAP, RCP_MACHINE_HEAP + 8}};
        RCP_CHECK(rcp_defs_reach(&trace->defs, spans, has(g, RCP_GEN_HEAP) && percent(g, 40) ? 2 : 1, &g->reach) ==
                  RCP_OK);
    }
}

static void make_threads(gen *g, const rcp_gen_options *options) {
    rcp_machine *m = &g->machine;
    static const char *const names[] = {"T1", "T2", "T3", "T4"};
    uint32_t most = options->max_threads < RCP_GEN_MAX_THREADS ? options->max_threads : RCP_GEN_MAX_THREADS;
    m->n_threads = options->min_threads + below(g, most - options->min_threads + 1);
    m->begins = percent(g, 10);
    m->ends = percent(g, 25);
    for (uint32_t t = 0; t < m->n_threads; t++) {
        rcp_defs_thread(&m->trace->defs, names[t]);
        m->threads[t].started = !has(g, RCP_GEN_FORKS) || t == 0 || percent(g, 15);
    }
    for (uint32_t t = 1; t < m->n_threads; t++) /* mostly the first thread forks, sometimes a chain */
        if (!m->threads[t].started) {
            uint32_t parent = percent(g, 80) ? 0 : t - 1;
            if (percent(g, 30))
                plan_access(g, parent);
            push(g, parent, (planned){.what = OP_FORK, .child = t});
        }
}

void rcp_gen_trace(rcp_trace *trace, const rcp_gen_options *options, uint64_t seed) {
    gen *g = rcp_alloc_zero(1, sizeof *g);
    g->random.state = seed;
    rcp_machine_init(&g->machine, trace, &g->random);
    draw_features(g, options);
    if (has(g, RCP_GEN_IMPLICIT))
        rcp_defs_fact(&trace->defs, "branches", "implicit");
    make_memory(g, options);
    make_objects(g, options);
    make_threads(g, options);

    uint32_t most = options->max_events < RCP_GEN_MAX_EVENTS ? options->max_events : RCP_GEN_MAX_EVENTS;
    g->limit = most - below(g, most / 2 + 1);
    uint32_t stay = below(g, 90), now = 0; /* how likely a thread is to go on */
    for (uint32_t idle = 0; trace->events.len < g->limit && !g->machine.exited && idle < 200;) {
        if (!percent(g, stay))
            now = below(g, g->machine.n_threads);
        if (take_turn(g, now)) {
            idle = 0;
        } else {
            idle++;
            now = below(g, g->machine.n_threads);
        }
    }
    rcp_trace_index(trace);
    rcp_machine_finish(&g->machine);
    rcp_release(g);
}
