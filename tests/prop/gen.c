/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/gen.h"

#include "prop/gen_plan.h"
#include "prop/gen_term.h"
#include "trace/check/barriers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static rcp_term an_address(rcp_gen *g, uint32_t tid, uint64_t addr) {
    rcp_gen_reads reads = {&g->machine, tid, 0};
    if (!g->addresses || rcp_gen_percent(g, 60))
        return RCP_TERM_CONST;
    if (rcp_gen_percent(g, 25))
        return RCP_TERM_ALL;
    return rcp_gen_has_reads(&reads) ? rcp_gen_address(&reads, addr) : RCP_TERM_CONST;
}

/* The written bytes and the term they come from. */
static rcp_term a_value(rcp_gen *g, const rcp_gen_reads *reads, uint32_t size, uint8_t *bytes) {
    uint32_t roll = rcp_gen_below(g, 100);
    uint64_t value = rcp_gen_below(g, 4);
    rcp_term term = RCP_TERM_CONST;
    memset(bytes, 0, RCP_MACHINE_WIDEST);
    if (rcp_gen_has(g, RCP_GEN_IMPLICIT)) {
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
        bytes[8] = (uint8_t)rcp_gen_below(g, 3);
    return term;
}

static rcp_step_result run_access(rcp_gen *g, uint32_t tid, const rcp_gen_planned *p) {
    rcp_machine *m = &g->machine;
    rcp_event e = {.addr = p->addr, .size = p->size, .mode = RCP_PLAIN};
    uint8_t bytes[RCP_MACHINE_WIDEST] = {0};
    if (p->atomic || p->what == RCP_DO_RMW || p->what == RCP_DO_CAS)
        e.mode = (uint8_t)(RCP_RELAXED + rcp_gen_below(g, RCP_ORDERS - RCP_RELAXED));
    e.addr_term = an_address(g, tid, p->addr);
    rcp_gen_reads reads = {m, tid, 0};
    if (p->what == RCP_DO_RMW || p->what == RCP_DO_CAS) {
        uint8_t *taken = m->taken[rcp_machine_next(m).v];
        memset(taken, 0, RCP_MACHINE_WIDEST);
        for (uint32_t i = 0; i < p->size; i++)
            taken[i] = *rcp_machine_byte(m, p->addr + i);
        reads.self = p->size;
    }
    switch (p->what) {
    case RCP_DO_READ: e.kind = RCP_READ; break;
    case RCP_DO_WRITE:
        e.kind = RCP_WRITE;
        e.value_term = a_value(g, &reads, p->size, bytes);
        break;
    case RCP_DO_RMW:
        e.kind = RCP_RMW;
        e.value_term = a_value(g, &reads, p->size, bytes);
        break;
    default: { /* RCP_DO_CAS */
        uint64_t expected = rcp_gen_below(g, 3), have = 0;
        memcpy(&have, m->taken[rcp_machine_next(m).v], 8);
        e.kind = have == expected ? RCP_RMW : RCP_READ;
        e.cond = rcp_gen_percent(g, 80) ? rcp_gen_equals_self(&reads, expected) : RCP_TERM_ALL;
        if (have == expected) {
            reads.self = 0;
            e.value_term = a_value(g, &reads, p->size, bytes);
        }
    }
    }
    return rcp_machine_access(m, tid, e, bytes);
}

static rcp_step_result run_branch(rcp_gen *g, uint32_t tid) {
    rcp_gen_reads reads = {&g->machine, tid, 0};
    uint64_t value = rcp_gen_below(g, 2);
    rcp_term cond = RCP_TERM_ALL;
    if (g->terms && rcp_gen_has_reads(&reads) && rcp_gen_percent(g, 80))
        cond = rcp_gen_percent(g, 85) ? rcp_gen_condition(&reads, &value) : rcp_gen_value(&reads, 8, &value);
    else if (rcp_gen_percent(g, 10))
        cond = RCP_TERM_CONST;
    return rcp_machine_branch(&g->machine, tid, cond, value);
}

static rcp_step_result run_heap(rcp_gen *g, uint32_t tid, const rcp_gen_planned *p) {
    rcp_gen_block *b = &g->blocks[p->addr != g->blocks[0].addr];
    rcp_term addr_term = an_address(g, tid, b->addr);
    if (p->what == RCP_DO_FREE) {
        if (!b->live)
            return RCP_STEP_NEVER;
        b->live = false;
        return rcp_machine_free(&g->machine, tid, b->addr, b->bytes, addr_term);
    }
    if (b->live)
        return RCP_STEP_NEVER;
    b->bytes = rcp_gen_percent(g, 70)                                  ? 8
               : rcp_gen_percent(g, 50)                                ? 4
               : rcp_gen_percent(g, 70) && p->addr == RCP_MACHINE_HEAP ? 16
                                                                       : 0;
    b->live = b->was_live = b->bytes > 0;
    return rcp_machine_alloc(&g->machine, tid, b->addr, b->bytes, rcp_gen_percent(g, 50), addr_term);
}

static void drop_section(rcp_gen *g, uint32_t tid, const rcp_gen_planned *p) {
    rcp_gen_script *s = &g->scripts[tid];
    uint32_t kept = s->next + 1;
    bool dropped = false;
    for (uint32_t i = s->next + 1; i < s->len; i++) {
        if (!dropped && s->at[i].what == RCP_DO_RELEASE && s->at[i].object.v == p->object.v)
            dropped = true;
        else
            s->at[kept++] = s->at[i];
    }
    s->len = kept;
}

static rcp_step_result run(rcp_gen *g, uint32_t tid, const rcp_gen_planned *p) {
    rcp_machine *m = &g->machine;
    switch (p->what) {
    case RCP_DO_ACQUIRE: return rcp_machine_acquire(m, tid, p->object, p->mode, false);
    case RCP_DO_TRY_ACQUIRE: {
        rcp_step_result result = rcp_machine_acquire(m, tid, p->object, p->mode, true);
        if (result == RCP_STEP_DONE && m->trace->events.at[m->trace->events.len - 1].outcome == RCP_FAILED)
            drop_section(g, tid, p);
        return result;
    }
    case RCP_DO_RELEASE: return rcp_machine_release(m, tid, p->object, p->mode);
    case RCP_DO_READ:
    case RCP_DO_WRITE:
    case RCP_DO_RMW:
    case RCP_DO_CAS: return run_access(g, tid, p);
    case RCP_DO_FENCE: return rcp_machine_fence(m, tid, rcp_gen_percent(g, 50) ? RCP_SEQ_CST : RCP_ACQ_REL);
    case RCP_DO_BRANCH: return run_branch(g, tid);
    case RCP_DO_WAIT: {
        rcp_outcome fate = rcp_gen_percent(g, 75) ? RCP_DONE : rcp_gen_percent(g, 60) ? RCP_TIMEOUT : RCP_SPURIOUS;
        return rcp_machine_wait(m, tid, p->object, p->lock, fate);
    }
    case RCP_DO_SIGNAL: return rcp_machine_signal(m, tid, p->object, false);
    case RCP_DO_BROADCAST: return rcp_machine_signal(m, tid, p->object, true);
    case RCP_DO_POST: return rcp_machine_post(m, tid, p->object);
    case RCP_DO_DOWN: return rcp_machine_down(m, tid, p->object, false);
    case RCP_DO_TRY_DOWN: return rcp_machine_down(m, tid, p->object, true);
    case RCP_DO_ENTER: return rcp_machine_enter(m, tid, p->object);
    case RCP_DO_ONCE: return rcp_machine_once(m, tid, p->object);
    case RCP_DO_ONCE_END: return rcp_machine_once_end(m, tid, p->object);
    case RCP_DO_FORK: return rcp_machine_fork(m, tid, p->child);
    case RCP_DO_JOIN: return rcp_machine_join(m, tid, p->child, false);
    case RCP_DO_TRY_JOIN: return rcp_machine_join(m, tid, p->child, true);
    case RCP_DO_INIT: return rcp_machine_lifetime(m, tid, p->object, true);
    case RCP_DO_DESTROY: return rcp_machine_lifetime(m, tid, p->object, false);
    case RCP_DO_ALLOC:
    case RCP_DO_FREE: return run_heap(g, tid, p);
    case RCP_DO_OPAQUE_BEGIN: return rcp_machine_opaque(m, tid, RCP_OPAQUE_BEGIN, p->reach);
    case RCP_DO_OPAQUE_END: return rcp_machine_opaque(m, tid, RCP_OPAQUE_END, p->reach);
    case RCP_DO_END: return rcp_machine_end(m, tid);
    case RCP_DO_EXIT: return rcp_machine_exit(m, tid);
    }
    return RCP_STEP_NEVER;
}

/* One thread's turn; false if it could do nothing. */
static bool take_turn(rcp_gen *g, uint32_t tid) {
    rcp_machine *m = &g->machine;
    rcp_machine_thread *thread = &m->threads[tid];
    rcp_gen_script *s = &g->scripts[tid];
    if (!thread->started || thread->finished)
        return false;
    if (m->begins && !thread->began)
        return rcp_machine_begin(m, tid) == RCP_STEP_DONE;
    if (thread->waiting)
        return rcp_machine_wake(m, tid) == RCP_STEP_DONE;
    if (thread->in_barrier)
        return rcp_machine_leave(m, tid) == RCP_STEP_DONE;
    if (s->next == s->len)
        rcp_gen_plan(g, tid);
    /* An object that needs an INIT is mostly initialised by whoever wants it first. */
    rcp_machine_object *wanted = &m->objects[s->at[s->next].object.v];
    if (wanted->needs_init && !wanted->initialised && rcp_gen_percent(g, 60))
        return rcp_machine_lifetime(m, tid, s->at[s->next].object, true) == RCP_STEP_DONE;
    switch (run(g, tid, &s->at[s->next])) {
    case RCP_STEP_DONE:
        s->next++;
        s->blocked = 0;
        return true;
    case RCP_STEP_NEVER: s->next++; return false;
    default:
        if (++s->blocked > 6 && rcp_gen_percent(g, 30)) { /* stuck: gives up this idiom */
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

static void draw_features(rcp_gen *g, const rcp_gen_options *options) {
    for (uint32_t i = 0; i < sizeof odds; i++)
        if (options->features >> i & 1 && (options->focused || rcp_gen_percent(g, odds[i])))
            g->features |= 1u << i;
    if (g->features & RCP_GEN_CONDS)
        g->features |= RCP_GEN_LOCKS;
    if (g->features & RCP_GEN_IMPLICIT)
        g->features &= ~(uint32_t)(RCP_GEN_BRANCHES | RCP_GEN_TERMS | RCP_GEN_ADDRESSES);
    g->eager = options->focused ? 50 : 10;
    g->discipline = rcp_gen_percent(g, 50) ? 0 : 85;
    g->terms = rcp_gen_has(g, RCP_GEN_TERMS);
    g->addresses = rcp_gen_has(g, RCP_GEN_ADDRESSES);
    if (rcp_gen_has(g, RCP_GEN_IMPLICIT))
        g->machine.unvalued_percent = rcp_gen_percent(g, 80) ? 100 : 0;
    else if (rcp_gen_has(g, RCP_GEN_UNVALUED))
        g->machine.unvalued_percent = rcp_gen_percent(g, 50) ? 100 : 30;
}

static void make_objects(rcp_gen *g, const rcp_gen_options *options) {
    rcp_machine *m = &g->machine;
    rcp_object_kind kinds[] = {RCP_MUTEX, RCP_MUTEX, RCP_RECURSIVE, RCP_SPIN};
    g->n_locks = 1 + rcp_gen_below(g, options->locks < 2 ? 1 : 2);
    for (uint32_t i = 0; i < g->n_locks; i++) /* the first may belong to a wait: no spin lock */
        g->locks[i] = rcp_machine_object_new(m, kinds[rcp_gen_below(g, i ? 4 : 3)], i ? "n" : "m", 0);
    if (rcp_gen_has(g, RCP_GEN_RWLOCKS))
        g->rwlock = rcp_machine_object_new(m, RCP_RWLOCK, "l", 0);
    if (rcp_gen_has(g, RCP_GEN_CONDS))
        g->cond = rcp_machine_object_new(m, RCP_COND, "c", 0);
    if (rcp_gen_has(g, RCP_GEN_SEMS))
        g->sem = rcp_machine_object_new(m, RCP_SEM, "s", rcp_gen_below(g, 3) ? 0 : 1);
    if (rcp_gen_has(g, RCP_GEN_BARRIERS))
        g->barrier = rcp_machine_object_new(m, RCP_BARRIER, "b", rcp_gen_percent(g, 80) ? 2 : 3);
    if (rcp_gen_has(g, RCP_GEN_ONCE))
        g->once = rcp_machine_object_new(m, RCP_ONCE, "o", 0);
    if (rcp_gen_has(g, RCP_GEN_LIVES))
        for (uint32_t i = 0; i < m->n_objects; i++)
            m->objects[i].needs_init = rcp_gen_percent(g, 40);
}

/* Some of the variables, of the heap, of the objects, of the threads; of what the system keeps some is reached, or only
 * followed. */
static rcp_reach a_reach(rcp_gen *g) {
    rcp_span spans[6];
    size_t n = 0;
    uint64_t var = RCP_MACHINE_VARS + 8 * rcp_gen_below(g, g->variables);
    if (rcp_gen_percent(g, 65))
        spans[n++] = (rcp_span){var, var + (rcp_gen_percent(g, 70) ? 8 : 12)};
    if ((!n && rcp_gen_percent(g, 50)) || (rcp_gen_has(g, RCP_GEN_HEAP) && rcp_gen_percent(g, 40)))
        spans[n++] = (rcp_span){RCP_MACHINE_HEAP, RCP_MACHINE_HEAP + 8};
    if (rcp_gen_percent(g, 25))
        spans[n++] = (rcp_span){RCP_MACHINE_OBJECT(0), RCP_MACHINE_OBJECT(1 + rcp_gen_below(g, 3))};
    uint64_t system = RCP_REACH_KERNEL + 2 * rcp_gen_below(g, 2); /* what is in between is the clock */
    bool is_out = rcp_gen_percent(g, 25), is_in = rcp_gen_percent(g, is_out ? 10 : 50);
    if (is_out)
        spans[n++] = (rcp_span){system, RCP_REACH_KERNEL + 3};
    if (rcp_gen_percent(g, 30)) {
        uint64_t thread = RCP_REACH_THREAD + rcp_gen_below(g, 3);
        spans[n++] = (rcp_span){thread, thread + 1 + rcp_gen_below(g, 2)};
    }
    if (is_in) {
        uint64_t followed = RCP_REACH_KERNEL + RCP_REACH_UNFOLLOW + 2 * rcp_gen_below(g, 2);
        spans[n++] = (rcp_span){followed, followed + 1};
    }
    rcp_reach reach;
    RCP_CHECK(rcp_defs_reach(&g->machine.trace->defs, spans, n, &reach) == RCP_OK);
    return reach;
}

/* What is not before its time, what is not after it, and what tells the time. */
static void make_times(rcp_gen *g) {
    const rcp_span spans[RCP_GEN_TIMES] = {{RCP_REACH_NOT_BEFORE, RCP_REACH_NOT_BEFORE + 1},
                                           {RCP_REACH_NOT_AFTER, RCP_REACH_NOT_AFTER + 1},
                                           {RCP_REACH_CLOCK, RCP_REACH_CLOCK + 1}};
    for (uint32_t i = 0; i < RCP_GEN_TIMES; i++)
        RCP_CHECK(rcp_defs_reach(&g->machine.trace->defs, &spans[i], 1, &g->times[i]) == RCP_OK);
}

/* Perhaps a variable, or half of one, is of that kind. */
static void some_memory(rcp_gen *g, const char *fact) {
    uint64_t var = RCP_MACHINE_VARS + 8 * rcp_gen_below(g, g->variables), size = rcp_gen_percent(g, 50) ? 8 : 4;
    char text[64];
    snprintf(text, sizeof text, "0x%" PRIx64 "-0x%" PRIx64, var, var + size);
    if (rcp_gen_percent(g, 30))
        rcp_defs_fact(&g->machine.trace->defs, fact, text);
}

static void make_memory(rcp_gen *g, const rcp_gen_options *options) {
    static const char *const names[] = {"x", "y", "z"};
    rcp_trace *trace = g->machine.trace;
    g->variables = 1 + rcp_gen_below(g, options->variables < 3 ? options->variables : 3);
    g->width = 1u << rcp_gen_below(g, 4);
    for (uint32_t i = 0; i < g->variables; i++) {
        uint64_t addr = RCP_MACHINE_VARS + 8 * i;
        rcp_defs_variable(&trace->defs, names[i], addr, 8);
        *rcp_machine_byte(&g->machine, addr) = (uint8_t)(rcp_gen_percent(g, 60) ? 0 : rcp_gen_below(g, 4));
        if (rcp_gen_has(g, RCP_GEN_IMAGES) && rcp_gen_percent(g, 70))
            rcp_defs_image(&trace->defs, addr, rcp_machine_byte(&g->machine, addr), rcp_gen_percent(g, 90) ? 8 : 1);
    }
    for (uint32_t i = 0; i < 2; i++)
        g->blocks[i] = (rcp_gen_block){.addr = RCP_MACHINE_HEAP + 8 * i, .bytes = 8};
    if (rcp_gen_has(g, RCP_GEN_HEAP)) {
        rcp_defs_variable(&trace->defs, "h", RCP_MACHINE_HEAP, RCP_MACHINE_HEAP_BYTES);
        g->blocks[0].was_live = g->blocks[0].live = rcp_gen_percent(g, 30); /* there since before the trace */
    }
    if (rcp_gen_has(g, RCP_GEN_OPAQUE)) {
        for (uint32_t i = 0; i < RCP_GEN_REACHES; i++)
            g->reaches[i] = a_reach(g);
        make_times(g);
        if (rcp_gen_percent(g, 15))
            rcp_defs_fact(&trace->defs, "barriers", "simple");
        some_memory(g, "seen");
        some_memory(g, "guarded");
    }
}

static void make_threads(rcp_gen *g, const rcp_gen_options *options) {
    rcp_machine *m = &g->machine;
    static const char *const names[] = {"T1", "T2", "T3", "T4"};
    uint32_t most = options->max_threads < RCP_GEN_MAX_THREADS ? options->max_threads : RCP_GEN_MAX_THREADS;
    m->n_threads = options->min_threads + rcp_gen_below(g, most - options->min_threads + 1);
    m->begins = rcp_gen_percent(g, 10);
    m->ends = rcp_gen_percent(g, 25);
    for (uint32_t t = 0; t < m->n_threads; t++) {
        rcp_defs_thread(&m->trace->defs, names[t]);
        m->threads[t].started = !rcp_gen_has(g, RCP_GEN_FORKS) || t == 0 || rcp_gen_percent(g, 15);
    }
    for (uint32_t t = 1; t < m->n_threads; t++) /* mostly the first thread forks, sometimes a chain */
        if (!m->threads[t].started) {
            uint32_t parent = rcp_gen_percent(g, 80) ? 0 : t - 1;
            if (rcp_gen_percent(g, 30))
                rcp_gen_plan_access(g, parent);
            rcp_gen_push(g, parent, (rcp_gen_planned){.what = RCP_DO_FORK, .child = t});
        }
}

void rcp_gen_trace(rcp_trace *trace, const rcp_gen_options *options, uint64_t seed) {
    rcp_gen *g = rcp_alloc_zero(1, sizeof *g);
    g->random.state = seed;
    rcp_machine_init(&g->machine, trace, &g->random);
    draw_features(g, options);
    if (rcp_gen_has(g, RCP_GEN_IMPLICIT))
        rcp_defs_fact(&trace->defs, "branches", "implicit");
    make_memory(g, options);
    make_objects(g, options);
    make_threads(g, options);

    uint32_t most = options->max_events < RCP_GEN_MAX_EVENTS ? options->max_events : RCP_GEN_MAX_EVENTS;
    g->limit = most - rcp_gen_below(g, most / 2 + 1);
    uint32_t stay = rcp_gen_below(g, 90), now = 0; /* how likely a thread is to go on */
    for (uint32_t idle = 0; trace->events.len < g->limit && !g->machine.exited && idle < 200;) {
        if (!rcp_gen_percent(g, stay))
            now = rcp_gen_below(g, g->machine.n_threads);
        if (take_turn(g, now)) {
            idle = 0;
        } else {
            idle++;
            now = rcp_gen_below(g, g->machine.n_threads);
        }
    }
    rcp_trace_index(trace);
    rcp_machine_finish(&g->machine);
    rcp_release(g);
}
