/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate.h"

#include <string.h>

enum { THREADS = 16, SCRIPT = 24, RECENT = 4 };
enum { BASE = 0x10000, STRIDE = 16 };

/* What a thread does next. Values are made from what it has read lately. */
typedef enum op { LOCK, UNLOCK, READ, WRITE, WRITE_CONST, BRANCH, PUT, TAKE, SIGNAL } op;

typedef struct step {
    op what;
    uint32_t object; /* a lock or variable */
    uint32_t line;
} step;

typedef struct recent {
    rcp_term term; /* what was read */
    uint32_t value;
} recent;

typedef struct thread {
    step script[SCRIPT];
    uint32_t next, len;
    recent reads[RECENT];
    uint32_t n_reads;
    bool asleep, woken;
} thread;

typedef struct machine {
    rcp_trace *trace;
    const rcp_simulation *s;
    uint64_t state;
    uint32_t *values, variables;
    uint32_t *owner; /* of a lock: 1 + thread */
    rcp_obj *locks, queue;
    rcp_str file;
    thread threads[THREADS];
} machine;

static uint32_t draw(machine *m, uint32_t below) {
    uint64_t z = m->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint32_t)((z >> 16) % below);
}

static rcp_eid emit(machine *m, uint32_t tid, rcp_kind kind, uint32_t line, rcp_event e) {
    e.kind = (uint8_t)kind;
    e.tid = (rcp_tid){tid};
    e.loc = rcp_defs_location(&m->trace->defs, (rcp_location){.file = m->file, .line = line});
    RCP_CHECK(rcp_trace_add(m->trace, &e) == RCP_OK);
    return (rcp_eid){m->trace->events.len - 1};
}

static rcp_event access_of(uint32_t variable, uint32_t value) {
    return (rcp_event){.addr = BASE + (uint64_t)variable * STRIDE, .size = 4, .value = value, .valued = 1};
}

static void read_variable(machine *m, uint32_t tid, uint32_t variable, uint32_t line) {
    thread *t = &m->threads[tid];
    uint32_t value = m->values[variable];
    rcp_eid eid = emit(m, tid, RCP_READ, line, access_of(variable, value));
    t->reads[t->n_reads++ % RECENT] = (recent){rcp_term_read(&m->trace->terms, eid, 0, 32), value};
}

static const recent *last_read(const thread *t, uint32_t back) {
    return t->n_reads > back ? &t->reads[(t->n_reads - 1 - back) % RECENT] : NULL;
}

static rcp_term literal(machine *m, uint32_t value) { return rcp_term_const(&m->trace->terms, 32, value); }
static rcp_term apply(machine *m, rcp_op what, rcp_term a, rcp_term b) {
    return rcp_term_make(&m->trace->terms, what, 32, a, b, (rcp_term){0});
}

static void write_variable(machine *m, uint32_t tid, uint32_t variable, uint32_t line, bool constant) {
    const recent *one = last_read(&m->threads[tid], 0), *two = last_read(&m->threads[tid], 1);
    rcp_event e = access_of(variable, draw(m, 8));
    if (!constant && one) {
        uint32_t more = draw(m, 4);
        bool both = two && draw(m, 3) == 0;
        rcp_term sum = apply(m, RCP_OP_ADD, one->term, both ? two->term : literal(m, more));
        e.value_term = apply(m, RCP_OP_AND, sum, literal(m, 15));
        e.value = (one->value + (both ? two->value : more)) & 15;
    }
    emit(m, tid, RCP_WRITE, line, e);
    m->values[variable] = (uint32_t)e.value;
}

static void branch(machine *m, uint32_t tid, uint32_t line) {
    const recent *one = last_read(&m->threads[tid], 0), *two = last_read(&m->threads[tid], 1);
    if (!one)
        return;
    uint32_t limit = draw(m, 12);
    rcp_event e = {.valued = 1};
    switch (draw(m, two ? 4 : 3)) {
    case 0:
        e.cond = apply(m, RCP_OP_ULT, one->term, literal(m, limit));
        e.value = one->value < limit;
        break;
    case 1:
        e.cond = apply(m, RCP_OP_EQ, apply(m, RCP_OP_AND, one->term, literal(m, 1)), literal(m, 0));
        e.value = (one->value & 1) == 0;
        break;
    case 2:
        e.cond = apply(m, RCP_OP_NE, one->term, literal(m, limit));
        e.value = one->value != limit;
        break;
    default: e.cond = apply(m, RCP_OP_ULE, one->term, two->term); e.value = one->value <= two->value;
    }
    if (rcp_term_is_real(e.cond))
        emit(m, tid, RCP_BRANCH, line, e);
}

/* The queue: variable 0 under lock 0, whoever finds it empty waits. */
static bool take_from_queue(machine *m, uint32_t tid, uint32_t line) {
    read_variable(m, tid, 0, line);
    const recent *count = last_read(&m->threads[tid], 0);
    bool empty = !count->value;
    rcp_event decided = {.valued = 1, .value = empty, .cond = apply(m, RCP_OP_EQ, count->term, literal(m, 0))};
    emit(m, tid, RCP_BRANCH, line, decided);
    if (empty) {
        emit(m, tid, RCP_WAIT, line + 1, (rcp_event){.object = m->queue, .lock = m->locks[0]});
        m->owner[0] = 0;
        m->threads[tid].asleep = true;
        m->threads[tid].woken = false;
        return false;
    }
    rcp_event less = access_of(0, count->value - 1);
    less.value_term = apply(m, RCP_OP_SUB, count->term, literal(m, 1));
    emit(m, tid, RCP_WRITE, line + 2, less);
    m->values[0]--;
    return true;
}

static void put_in_queue(machine *m, uint32_t tid, uint32_t line) {
    read_variable(m, tid, 0, line);
    const recent *count = last_read(&m->threads[tid], 0);
    rcp_event more = access_of(0, count->value + 1);
    more.value_term = apply(m, RCP_OP_ADD, count->term, literal(m, 1));
    emit(m, tid, RCP_WRITE, line, more);
    m->values[0]++;
}

static void signal_queue(machine *m, uint32_t tid, uint32_t line) {
    emit(m, tid, RCP_SIGNAL, line, (rcp_event){.object = m->queue});
    uint32_t first = draw(m, m->s->threads);
    for (uint32_t i = 0; i < m->s->threads; i++) {
        thread *t = &m->threads[(first + i) % m->s->threads];
        if (t->asleep && !t->woken) {
            t->woken = true;
            return;
        }
    }
}

static void plan(thread *t, op what, uint32_t object, uint32_t line) {
    if (t->len < SCRIPT)
        t->script[t->len++] = (step){what, object, line};
}

/* Variables: 0 the queue, then guarded ones (by lock 1 + i % locks), flags, data behind them, loose ones. */
static uint32_t guard_of(const machine *m, uint32_t guarded) { return 1 + guarded % m->s->locks; }

static void plan_guarded(machine *m, thread *t) {
    uint32_t g = draw(m, m->s->guarded), other = draw(m, m->s->guarded), line = 1000 + g * 20;
    uint32_t outer = guard_of(m, g), inner = guard_of(m, other);
    bool nested = inner > outer && draw(m, 3) == 0; /* always upwards: nobody deadlocks */
    plan(t, LOCK, outer, line);
    plan(t, READ, 1 + g, line + 1);
    if (draw(m, 2))
        plan(t, BRANCH, 0, line + 2);
    if (nested) {
        plan(t, LOCK, inner, line + 3);
        plan(t, READ, 1 + other, line + 4);
        plan(t, WRITE, 1 + other, line + 5);
        plan(t, UNLOCK, inner, line + 6);
    }
    plan(t, draw(m, 3) ? WRITE : WRITE_CONST, 1 + g, line + 7);
    plan(t, UNLOCK, outer, line + 8);
}

/* Data behind a flag: written, then the flag is set under its lock; or the flag is read, decided on, and the data. */
static void plan_flag(machine *m, thread *t) {
    uint32_t f = draw(m, m->s->flags), flag = 1 + m->s->guarded + f, data = flag + m->s->flags;
    uint32_t lock = guard_of(m, f), line = 20000 + f * 20;
    bool writes = draw(m, 2);
    if (writes)
        plan(t, WRITE_CONST, data, line);
    plan(t, LOCK, lock, line + 1);
    plan(t, writes ? WRITE_CONST : READ, flag, line + (writes ? 2 : 3));
    plan(t, UNLOCK, lock, line + 4);
    if (!writes) {
        plan(t, BRANCH, 0, line + 5);
        plan(t, READ, data, line + 6);
    }
}

/* The first two threads only put: somebody is always awake. */
static void plan_queue(machine *m, thread *t) {
    bool puts = t < m->threads + 2 || draw(m, 100) < 40;
    uint32_t line = puts ? 30000 : 30010;
    plan(t, LOCK, 0, line);
    plan(t, puts ? PUT : TAKE, 0, line + 1);
    if (puts)
        plan(t, SIGNAL, 0, line + 5);
    plan(t, UNLOCK, 0, line + 6);
}

static void plan_loose(machine *m, thread *t) {
    uint32_t x = draw(m, m->s->loose), variable = 1 + m->s->guarded + 2 * m->s->flags + x;
    uint32_t line = 40000 + x * 20 + draw(m, 3) * 4;
    if (draw(m, 3))
        plan(t, READ, variable, line);
    else
        plan(t, WRITE, variable, line + 1);
}

static void plan_work(machine *m, thread *t) {
    t->next = t->len = 0;
    uint32_t what = draw(m, 1000);
    if (what < m->s->loosely)
        plan_loose(m, t);
    else if (what < m->s->loosely + 120)
        plan_flag(m, t);
    else if (what < m->s->loosely + 220)
        plan_queue(m, t);
    else
        plan_guarded(m, t);
}

/* One step; false: it can't go on now. */
static bool run(machine *m, uint32_t tid) {
    thread *t = &m->threads[tid];
    if (t->asleep) {
        if (!t->woken || m->owner[0])
            return false;
        t->asleep = false;
        m->owner[0] = tid + 1;
        emit(m, tid, RCP_WAKE, 30012, (rcp_event){.object = m->queue, .lock = m->locks[0]});
        return true;
    }
    if (t->next == t->len)
        plan_work(m, t);
    const step *s = &t->script[t->next];
    switch (s->what) {
    case LOCK:
        if (m->owner[s->object])
            return false;
        m->owner[s->object] = tid + 1;
        emit(m, tid, RCP_ACQUIRE, s->line, (rcp_event){.object = m->locks[s->object]});
        break;
    case UNLOCK:
        m->owner[s->object] = 0;
        emit(m, tid, RCP_RELEASE, s->line, (rcp_event){.object = m->locks[s->object]});
        break;
    case READ: read_variable(m, tid, s->object, s->line); break;
    case WRITE:
    case WRITE_CONST: write_variable(m, tid, s->object, s->line, s->what == WRITE_CONST); break;
    case BRANCH: branch(m, tid, s->line); break;
    case PUT: put_in_queue(m, tid, s->line); break;
    case SIGNAL: signal_queue(m, tid, s->line); break;
    case TAKE:
        if (!take_from_queue(m, tid, s->line))
            return true; /* sleeps, and looks again when it is woken */
        break;
    }
    t->next++;
    return true;
}

rcp_simulation rcp_simulation_default(size_t events, uint32_t threads, uint64_t seed) {
    return (rcp_simulation){.seed = seed,
                            .events = events,
                            .threads = threads,
                            .locks = 8,
                            .guarded = 40,
                            .flags = 5,
                            .loose = 6,
                            .loosely = 60,
                            .burst = 12};
}

void rcp_simulate(rcp_trace *trace, const rcp_simulation *s) {
    machine m = {.trace = trace, .s = s, .state = s->seed};
    RCP_CHECK(s->threads >= 2 && s->threads <= THREADS && s->locks && s->guarded && s->flags && s->loose);
    m.variables = 1 + s->guarded + 2 * s->flags + s->loose;
    m.values = rcp_alloc_zero(m.variables, sizeof *m.values);
    m.owner = rcp_alloc_zero(s->locks + 1, sizeof *m.owner);
    m.locks = rcp_alloc_zero(s->locks + 1, sizeof *m.locks);
    m.file = rcp_defs_string(&trace->defs, "simulated.c", 11);
    const uint8_t zeros[4] = {0};
    for (uint32_t i = 0; i < s->threads; i++)
        rcp_defs_thread(&trace->defs, NULL);
    for (uint32_t i = 0; i <= s->locks; i++)
        m.locks[i] = rcp_defs_object(&trace->defs, RCP_MUTEX, NULL, 0, 0);
    m.queue = rcp_defs_object(&trace->defs, RCP_COND, NULL, 0, 0);
    for (uint32_t i = 0; i < m.variables; i++)
        rcp_defs_image(&trace->defs, BASE + (uint64_t)i * STRIDE, zeros, 4);
    for (uint32_t stuck = 0; trace->events.len < s->events;) {
        uint32_t tid = draw(&m, s->threads), steps = 1 + draw(&m, s->burst);
        bool moved = false;
        for (uint32_t i = 0; i < steps && run(&m, tid) && trace->events.len < s->events; i++)
            moved = true;
        stuck = moved ? 0 : stuck + 1;
        RCP_CHECK(stuck < 100000);
    }
    rcp_release(m.values);
    rcp_release(m.owner);
    rcp_release(m.locks);
    rcp_trace_index(trace);
}
