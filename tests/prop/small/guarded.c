/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/guarded.h"

#include "predict/rival/guarded.h"

enum { ROUNDS = 9, BITS = 32, SEMAPHORE = 100, RWLOCK = 101, PIECES = 4 };

static const rcp_z3_limits limits = {.milliseconds = 20000};

/* Where a thread may be, on all ways that lead there. */
typedef struct standing {
    bool is_there;
    rcp_formula guard;
    rcp_formula r[RCP_SMALL_REGISTERS], q[RCP_SMALL_ADDRESSES];
} standing;

/* An access, for the pairs. */
typedef struct access {
    rcp_guarded_event event;
    unsigned thread;
    uint32_t location;
    unsigned first, n;
    uint16_t line;
    char does; /* u: a compare-and-swap, too */
    bool is_atomic, is_swap;
} access;

typedef struct telling {
    const rcp_small_program *program;
    rcp_guarded *g;
    rcp_formulas *pool;
    unsigned thread;
    unsigned pieces;                     /* of a cell */
    bool pointed_at[RCP_SMALL_CELLS];    /* cells whose address the program takes */
    rcp_formula born[RCP_SMALL_THREADS]; /* the guards of forks */
    standing *at[ROUNDS];                /* by operation */
    RCP_VEC(access) accesses;
    RCP_VEC(rcp_guarded_event) overflows; /* where a loop goes on after the last round */
    bool is_told;
} telling;

/* --- values --- */

static rcp_formula word(telling *t, int32_t value) { return rcp_formula_literal(t->pool, BITS, (uint32_t)value); }

static rcp_formula binary(telling *t, const char *name, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply2(t->pool, BITS, name, a, b);
}

static rcp_formula flag(telling *t, rcp_formula truth) {
    return rcp_formula_ite(t->pool, truth, word(t, 1), word(t, 0));
}

static rcp_formula below(telling *t, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply2(t->pool, RCP_SORT_BOOL, "bvslt", a, b);
}

static rcp_formula value_of(telling *t, const standing *s, rcp_small_expression e) {
    rcp_formula r = s->r[e.r], c = word(t, e.c);
    switch ((rcp_small_value)e.what) {
    case RCP_SMALL_CONST: return c;
    case RCP_SMALL_REGISTER: return r;
    case RCP_SMALL_ADD: return binary(t, "bvadd", r, c);
    case RCP_SMALL_XOR: return binary(t, "bvxor", r, c);
    case RCP_SMALL_AND: return binary(t, "bvand", r, c);
    case RCP_SMALL_TIMES: return binary(t, "bvmul", r, c);
    case RCP_SMALL_SUM: return binary(t, "bvadd", r, s->r[e.s]);
    case RCP_SMALL_EQUAL: return flag(t, rcp_formula_equal(t->pool, r, c));
    case RCP_SMALL_DIFFERS: return flag(t, rcp_formula_not(t->pool, rcp_formula_equal(t->pool, r, c)));
    case RCP_SMALL_BELOW: return flag(t, below(t, r, c));
    case RCP_SMALL_ABOVE: return flag(t, below(t, c, r));
    case RCP_SMALL_SAME: return flag(t, rcp_formula_equal(t->pool, r, s->r[e.s]));
    case RCP_SMALL_LESS: return flag(t, below(t, r, s->r[e.s]));
    case RCP_SMALL_POINTS:
        return flag(t, rcp_formula_not(t->pool, rcp_formula_equal(t->pool, s->q[e.r], word(t, RCP_SMALL_NULL))));
    case RCP_SMALL_POINTS_TO: return flag(t, rcp_formula_equal(t->pool, s->q[e.r], c));
    }
    return c;
}

static rcp_formula is_true(telling *t, rcp_formula value) {
    return rcp_formula_not(t->pool, rcp_formula_equal(t->pool, value, word(t, 0)));
}

/* The cell as a number. */
static rcp_formula cell_of(telling *t, const standing *s, rcp_small_place place) {
    switch ((rcp_small_where)place.where) {
    case RCP_SMALL_AT: return word(t, place.cell);
    case RCP_SMALL_INDEXED:
        return binary(t, "bvadd", word(t, RCP_SMALL_VARIABLES),
                      binary(t, "bvand", value_of(t, s, place.index), word(t, RCP_SMALL_ELEMENTS - 1)));
    case RCP_SMALL_THROUGH: return s->q[place.cell];
    default: return word(t, RCP_SMALL_NULL);
    }
}

static bool may_be(const telling *t, rcp_small_place place, unsigned cell) {
    switch ((rcp_small_where)place.where) {
    case RCP_SMALL_AT: return cell == place.cell;
    case RCP_SMALL_INDEXED: return cell >= RCP_SMALL_VARIABLES && cell < RCP_SMALL_STATIC;
    case RCP_SMALL_THROUGH: return t->pointed_at[cell];
    default: return false;
    }
}

/* --- ways --- */

static rcp_formula both(telling *t, rcp_formula a, rcp_formula b) { return rcp_formula_and(t->pool, a, b); }

/* The thread may come to operation `to` of the round so; what it holds there is a choice by the guards (phi). */
static void come_to(telling *t, unsigned round, size_t from, size_t to, const standing *s, rcp_formula guard) {
    if (guard.v == RCP_FALSE.v)
        return;
    if (to <= from && ++round == ROUNDS) {
        rcp_vec_push(&t->overflows, rcp_guarded_exit(t->g, t->thread, guard));
        return;
    }
    standing *there = &t->at[round][to];
    if (!there->is_there) {
        *there = *s;
        there->is_there = true;
        there->guard = guard;
        return;
    }
    for (unsigned i = 0; i < RCP_SMALL_REGISTERS; i++)
        there->r[i] = rcp_formula_ite(t->pool, guard, s->r[i], there->r[i]);
    for (unsigned i = 0; i < RCP_SMALL_ADDRESSES; i++)
        there->q[i] = rcp_formula_ite(t->pool, guard, s->q[i], there->q[i]);
    there->guard = rcp_formula_or(t->pool, there->guard, guard);
}

/* --- accesses --- */

static void note(telling *t, rcp_guarded_event event, const rcp_small_op *op, uint32_t location, unsigned first,
                 unsigned n) {
    char does = op->kind == RCP_SMALL_SWAP || op->kind == RCP_SMALL_FETCH_ADD ? 'u'
                : op->kind == RCP_SMALL_LOAD || op->kind == RCP_SMALL_ATOMIC_LOAD || op->kind == RCP_SMALL_LOAD_POINTER
                    ? 'r'
                    : 'w';
    const access a = {event,
                      t->thread,
                      location,
                      first,
                      n,
                      op->line,
                      does,
                      op->kind >= RCP_SMALL_ATOMIC_LOAD && op->kind <= RCP_SMALL_FETCH_ADD,
                      op->kind == RCP_SMALL_SWAP};
    rcp_vec_push(&t->accesses, a);
}

/* What a read of a byte gives is not negative. */
static rcp_formula widened(telling *t, rcp_formula value, bool is_byte) {
    return is_byte ? rcp_formula_apply1(t->pool, BITS, "(_ zero_extend 24)", value) : value;
}

static rcp_formula narrowed(telling *t, rcp_formula value, bool is_byte) {
    return is_byte ? rcp_formula_apply1(t->pool, 8, "(_ extract 7 0)", value) : value;
}

/* --- memory: a location is `pieces` cells --- */

static uint32_t cell_at(const telling *t, uint32_t location, unsigned first) { return location * t->pieces + first; }

static rcp_guarded_event read_cells(telling *t, rcp_formula guard, uint32_t location, unsigned first, unsigned n,
                                    rcp_formula *value) {
    rcp_formula values[PIECES];
    rcp_guarded_event event = rcp_guarded_read(t->g, t->thread, guard, cell_at(t, location, first), n, values);
    *value = values[0];
    for (unsigned i = 1; i < n; i++)
        *value = rcp_formula_apply2(t->pool, 8 * (i + 1), "concat", values[i], *value);
    return event;
}

/* What each cell is given of the value. */
static void divide(telling *t, rcp_formula value, unsigned n, rcp_formula values[PIECES]) {
    values[0] = value;
    for (unsigned i = 0; n > 1 && i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "(_ extract %u %u)", 8 * i + 7, 8 * i);
        values[i] = rcp_formula_apply1(t->pool, 8, name, value);
    }
}

static rcp_guarded_event write_cells(telling *t, rcp_formula guard, uint32_t location, unsigned first, unsigned n,
                                     rcp_formula value) {
    rcp_formula values[PIECES];
    divide(t, value, n, values);
    return rcp_guarded_write(t->g, t->thread, guard, cell_at(t, location, first), n, values);
}

static void update_cells(telling *t, rcp_guarded_event event, unsigned n, rcp_formula writes, rcp_formula value) {
    rcp_formula values[PIECES];
    divide(t, value, n, values);
    rcp_guarded_update(t->g, event, writes, values);
}

/* One alternative. */
static rcp_formula touch(telling *t, standing *s, const rcp_small_op *op, rcp_formula guard, unsigned cell) {
    bool is_byte = op->place.byte;
    unsigned first = is_byte ? op->place.byte - 1u : 0, n = is_byte ? 1 : t->pieces;
    rcp_formula value = narrowed(t, value_of(t, s, op->value), is_byte), old = RCP_FALSE;
    rcp_guarded_event event;
    if (op->kind == RCP_SMALL_STORE || op->kind == RCP_SMALL_ATOMIC_STORE)
        event = write_cells(t, guard, cell, first, n, value);
    else
        event = read_cells(t, guard, cell, first, n, &old);
    note(t, event, op, cell, first, n);
    if (old.v == RCP_FALSE.v)
        return old;
    old = widened(t, old, is_byte);
    if (op->kind == RCP_SMALL_SWAP) {
        rcp_formula swaps = rcp_formula_equal(t->pool, old, word(t, op->expected));
        update_cells(t, event, n, swaps, value);
        return flag(t, swaps);
    }
    if (op->kind == RCP_SMALL_FETCH_ADD)
        update_cells(t, event, n, RCP_TRUE, narrowed(t, binary(t, "bvadd", old, value_of(t, s, op->value)), is_byte));
    return old;
}

static void do_access(telling *t, standing *s, const rcp_small_op *op) {
    uint32_t pointer = (uint32_t)(RCP_SMALL_CELLS + op->object);
    rcp_formula cell = cell_of(t, s, op->place);
    unsigned n = t->pieces == 1 ? 1 : PIECES;
    if (op->kind == RCP_SMALL_LOAD_POINTER) {
        rcp_guarded_event event = read_cells(t, s->guard, pointer, 0, n, &s->q[op->to]);
        note(t, event, op, pointer, 0, n);
        return;
    }
    if (op->kind == RCP_SMALL_STORE_POINTER) {
        note(t, write_cells(t, s->guard, pointer, 0, n, cell), op, pointer, 0, n);
        return;
    }
    if (op->place.where == RCP_SMALL_THROUGH) { /* through NULL: it crashes */
        rcp_formula null = rcp_formula_equal(t->pool, cell, word(t, RCP_SMALL_NULL));
        if (both(t, s->guard, null).v != RCP_FALSE.v)
            rcp_guarded_exit(t->g, t->thread, both(t, s->guard, null));
        s->guard = both(t, s->guard, rcp_formula_not(t->pool, null));
    }
    rcp_formula result = s->r[op->to];
    bool reads = op->kind != RCP_SMALL_STORE && op->kind != RCP_SMALL_ATOMIC_STORE;
    for (unsigned i = 0; i < RCP_SMALL_CELLS; i++) {
        if (!may_be(t, op->place, i))
            continue;
        rcp_formula is = rcp_formula_equal(t->pool, cell, word(t, (int32_t)i)), guard = both(t, s->guard, is);
        if (guard.v == RCP_FALSE.v)
            continue;
        rcp_formula value = touch(t, s, op, guard, i);
        if (reads)
            result = rcp_formula_ite(t->pool, is, value, result);
    }
    if (reads)
        s->r[op->to] = result;
}

/* --- synchronisation --- */

/* Which lock it is may depend on a register: one alternative for each. */
static void do_lock(telling *t, standing *s, const rcp_small_op *op) {
    for (int16_t i = 0; i < (op->is_chosen ? 2 : 1); i++) {
        uint32_t lock = (uint32_t)(op->is_chosen ? i : op->object);
        rcp_formula guard = s->guard, is = RCP_TRUE, has;
        if (op->is_chosen) {
            is = rcp_formula_equal(t->pool, binary(t, "bvand", s->r[op->object], word(t, 1)), word(t, i));
            guard = both(t, guard, is);
        }
        if (guard.v == RCP_FALSE.v)
            continue;
        if (op->kind == RCP_SMALL_UNLOCK)
            rcp_guarded_release(t->g, t->thread, guard, lock);
        else
            rcp_guarded_acquire(t->g, t->thread, guard, lock, false, op->kind == RCP_SMALL_TRYLOCK ? &has : NULL);
        if (op->kind == RCP_SMALL_TRYLOCK)
            s->r[op->to] = rcp_formula_ite(t->pool, is, flag(t, has), s->r[op->to]);
    }
}

static void do_sync(telling *t, standing *s, const rcp_small_op *op) {
    rcp_formula has;
    switch ((rcp_small_kind)op->kind) {
    case RCP_SMALL_LOCK:
    case RCP_SMALL_TRYLOCK:
    case RCP_SMALL_UNLOCK: do_lock(t, s, op); break;
    case RCP_SMALL_POST: rcp_guarded_post(t->g, t->thread, s->guard, SEMAPHORE); break;
    case RCP_SMALL_SEM_WAIT: rcp_guarded_wait(t->g, t->thread, s->guard, SEMAPHORE, NULL); break;
    case RCP_SMALL_SEM_TRY:
        rcp_guarded_wait(t->g, t->thread, s->guard, SEMAPHORE, &has);
        s->r[op->to] = flag(t, has);
        break;
    case RCP_SMALL_READ_LOCK:
    case RCP_SMALL_WRITE_LOCK:
        rcp_guarded_acquire(t->g, t->thread, s->guard, RWLOCK, op->kind == RCP_SMALL_READ_LOCK, NULL);
        break;
    case RCP_SMALL_READ_UNLOCK:
    case RCP_SMALL_WRITE_UNLOCK: rcp_guarded_release(t->g, t->thread, s->guard, RWLOCK); break;
    case RCP_SMALL_FORK:
        t->born[op->object] = rcp_formula_or(t->pool, t->born[op->object], s->guard);
        rcp_guarded_fork(t->g, t->thread, s->guard, (unsigned)op->object);
        break;
    case RCP_SMALL_JOIN: rcp_guarded_join(t->g, t->thread, s->guard, (unsigned)op->object); break;
    case RCP_SMALL_EXIT: rcp_guarded_exit(t->g, t->thread, s->guard); break;
    case RCP_SMALL_WAIT: t->is_told = false; break;
    default: break; /* nobody waits: nobody is woken */
    }
}

static void do_op(telling *t, unsigned round, size_t at) {
    const rcp_small_op *op = &t->program->code[t->thread].at[at];
    standing s = t->at[round][at];
    switch ((rcp_small_kind)op->kind) {
    case RCP_SMALL_SET: s.r[op->to] = value_of(t, &s, op->value); break;
    case RCP_SMALL_ALLOCATE: s.q[op->to] = word(t, op->object); break;
    case RCP_SMALL_BRANCH: {
        rcp_formula taken = is_true(t, value_of(t, &s, op->value));
        come_to(t, round, at, at + 1, &s, both(t, s.guard, taken));
        come_to(t, round, at, op->target, &s, both(t, s.guard, rcp_formula_not(t->pool, taken)));
        return;
    }
    case RCP_SMALL_JUMP: come_to(t, round, at, op->target, &s, s.guard); return;
    case RCP_SMALL_END:
        if (!t->thread) /* and with main the process */
            rcp_guarded_exit(t->g, 0, s.guard);
        return;
    default:
        if (op->kind >= RCP_SMALL_LOAD && op->kind <= RCP_SMALL_STORE_POINTER)
            do_access(t, &s, op);
        else
            do_sync(t, &s, op);
        if (op->kind == RCP_SMALL_EXIT)
            return;
    }
    come_to(t, round, at, at + 1, &s, s.guard);
}

static void tell_thread(telling *t, unsigned thread) {
    size_t n = t->program->code[thread].len;
    standing first = {.is_there = true, .guard = thread ? t->born[thread] : RCP_TRUE};
    t->thread = thread;
    for (unsigned i = 0; i < RCP_SMALL_REGISTERS; i++)
        first.r[i] = word(t, 0);
    for (unsigned i = 0; i < RCP_SMALL_ADDRESSES; i++)
        first.q[i] = word(t, RCP_SMALL_NULL);
    for (unsigned round = 0; round < ROUNDS; round++)
        t->at[round] = rcp_alloc_zero(n + 1, sizeof **t->at);
    t->at[0][0] = first;
    for (unsigned round = 0; round < ROUNDS && t->is_told; round++)
        for (size_t at = 0; at < n; at++)
            if (t->at[round][at].is_there)
                do_op(t, round, at);
    for (unsigned round = 0; round < ROUNDS; round++)
        rcp_release(t->at[round]);
}

/* --- memory --- */

static void survey(telling *t) {
    const rcp_small_program *p = t->program;
    t->pieces = 1;
    for (unsigned i = 0; i < RCP_SMALL_POINTERS; i++)
        if (p->pointers[i] >= 0)
            t->pointed_at[p->pointers[i]] = true;
    for (unsigned thread = 0; thread < p->threads; thread++)
        for (size_t i = 0; i < p->code[thread].len; i++) {
            const rcp_small_op *op = &p->code[thread].at[i];
            bool is_access = op->kind >= RCP_SMALL_LOAD && op->kind <= RCP_SMALL_STORE_POINTER;
            if (is_access && op->place.byte)
                t->pieces = 4;
            if (op->kind == RCP_SMALL_ALLOCATE)
                t->pointed_at[op->object] = true;
            for (unsigned cell = 0; op->kind == RCP_SMALL_STORE_POINTER && cell < RCP_SMALL_CELLS; cell++)
                if (op->place.where != RCP_SMALL_THROUGH && may_be(t, op->place, cell))
                    t->pointed_at[cell] = true;
        }
}

static void begin_location(telling *t, uint32_t value) {
    for (unsigned i = 0; i < t->pieces; i++) {
        uint64_t part = t->pieces == 1 ? value : value >> 8 * i & UINT8_MAX;
        rcp_guarded_cell(t->g, t->pieces == 1 ? 4 : 1, &part);
    }
}

static void begin(telling *t) {
    const rcp_small_program *p = t->program;
    for (unsigned i = 0; i < RCP_SMALL_CELLS; i++)
        begin_location(t, (uint32_t)p->initial[i]);
    for (unsigned i = 0; i < RCP_SMALL_POINTERS; i++)
        begin_location(t, (uint32_t)(int32_t)p->pointers[i]);
    rcp_guarded_semaphore(t->g, SEMAPHORE, p->posts);
}

/* --- pairs --- */

static bool conflicts(const access *a, const access *b) {
    return a->thread != b->thread && a->location == b->location && a->first < b->first + b->n &&
           b->first < a->first + a->n && (a->does != 'r' || b->does != 'r') && !(a->is_atomic && b->is_atomic);
}

/* Both are next; against what only reads, a compare-and-swap must be about to succeed. */
static rcp_formula meet(telling *t, const access *a, const access *b) {
    bool a_writes = a->is_swap && b->does == 'r', b_writes = b->is_swap && a->does == 'r';
    return both(t, rcp_guarded_next(t->g, a->event, a_writes), rcp_guarded_next(t->g, b->event, b_writes));
}

static void ask_pair(telling *t, rcp_small_guarded *to, rcp_small_race race, rcp_small_races *done) {
    if (rcp_small_races_have(done, race))
        return;
    rcp_small_races_add(done, race);
    size_t mark = t->pool->list.len;
    for (size_t i = 0; i < t->accesses.len; i++)
        for (size_t k = 0; k < i; k++) {
            const access *a = &t->accesses.at[i], *b = &t->accesses.at[k];
            bool same = a->line == race.line[0] && a->does == race.does[0] && b->line == race.line[1] &&
                        b->does == race.does[1];
            bool turned = b->line == race.line[0] && b->does == race.does[0] && a->line == race.line[1] &&
                          a->does == race.does[1];
            if ((same || turned) && conflicts(a, b))
                rcp_formula_push(t->pool, meet(t, a, b));
        }
    rcp_z3_answer answer = rcp_guarded_ask(t->g, rcp_formula_any(t->pool, mark), limits, NULL, NULL);
    to->asked++;
    to->unknown += answer == RCP_Z3_UNKNOWN;
    if (answer == RCP_Z3_RACE)
        rcp_small_races_add(&to->races, race);
    if (answer == RCP_Z3_UNKNOWN)
        rcp_small_races_add(&to->undecided, race);
}

static void ask_all(telling *t, rcp_small_guarded *to) {
    rcp_small_races done = {0};
    for (size_t i = 0; i < t->overflows.len && to->is_told; i++)
        to->is_told =
            rcp_guarded_ask(t->g, rcp_guarded_next(t->g, t->overflows.at[i], false), limits, NULL, NULL) == RCP_Z3_NONE;
    for (size_t i = 0; i < t->accesses.len && to->is_told; i++)
        for (size_t k = 0; k < i; k++) {
            const access *a = &t->accesses.at[i], *b = &t->accesses.at[k];
            if (conflicts(a, b))
                ask_pair(t, to, (rcp_small_race){{a->line, b->line}, {a->does, b->does}}, &done);
        }
    rcp_vec_finish(&done);
}

void rcp_small_guard(const rcp_small_program *program, rcp_small_guarded *to) {
    telling t = {.program = program, .is_told = true};
    *to = (rcp_small_guarded){0};
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        t.born[i] = RCP_FALSE;
    survey(&t);
    t.g = rcp_guarded_create();
    t.pool = rcp_guarded_pool(t.g);
    begin(&t);
    /* who creates a thread is told before it: main, and those that main creates before the late one */
    for (unsigned i = 0; i < program->threads && t.is_told; i++)
        if (i != program->late || !i)
            tell_thread(&t, i);
    if (program->late && t.is_told)
        tell_thread(&t, program->late);
    if (t.is_told) {
        to->is_told = rcp_guarded_close(t.g, SIZE_MAX);
        ask_all(&t, to);
    }
    rcp_vec_finish(&t.accesses);
    rcp_vec_finish(&t.overflows);
    rcp_guarded_destroy(t.g);
}

void rcp_small_guarded_finish(rcp_small_guarded *guarded) {
    rcp_vec_finish(&guarded->races);
    rcp_vec_finish(&guarded->undecided);
}
