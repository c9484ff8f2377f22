/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/small.h"

#include <string.h>

static int32_t wrapped(uint32_t value) { return (int32_t)value; }

static int32_t value_of(const rcp_small_thread *t, rcp_small_expression e) {
    switch ((rcp_small_value)e.what) {
    case RCP_SMALL_CONST: return e.c;
    case RCP_SMALL_REGISTER: return t->r[e.r];
    case RCP_SMALL_ADD: return wrapped((uint32_t)t->r[e.r] + (uint32_t)e.c);
    case RCP_SMALL_XOR: return t->r[e.r] ^ e.c;
    case RCP_SMALL_AND: return t->r[e.r] & e.c;
    case RCP_SMALL_TIMES: return wrapped((uint32_t)t->r[e.r] * (uint32_t)e.c);
    case RCP_SMALL_SUM: return wrapped((uint32_t)t->r[e.r] + (uint32_t)t->r[e.s]);
    case RCP_SMALL_EQUAL: return t->r[e.r] == e.c;
    case RCP_SMALL_DIFFERS: return t->r[e.r] != e.c;
    case RCP_SMALL_BELOW: return t->r[e.r] < e.c;
    case RCP_SMALL_ABOVE: return t->r[e.r] > e.c;
    case RCP_SMALL_SAME: return t->r[e.r] == t->r[e.s];
    case RCP_SMALL_LESS: return t->r[e.r] < t->r[e.s];
    case RCP_SMALL_POINTS: return t->q[e.r] != RCP_SMALL_NULL;
    case RCP_SMALL_POINTS_TO: return t->q[e.r] == e.c;
    }
    return 0;
}

static int cell_of(const rcp_small_thread *t, rcp_small_place place) {
    switch ((rcp_small_where)place.where) {
    case RCP_SMALL_NOWHERE: return RCP_SMALL_NULL;
    case RCP_SMALL_AT: return place.cell;
    case RCP_SMALL_INDEXED: return RCP_SMALL_VARIABLES + (value_of(t, place.index) & (RCP_SMALL_ELEMENTS - 1));
    case RCP_SMALL_THROUGH: return t->q[place.cell];
    }
    return RCP_SMALL_NULL;
}

static int lock_of(const rcp_small_thread *t, const rcp_small_op *op) {
    return op->is_chosen ? t->r[op->object] & 1 : op->object;
}

static int32_t result_of(const rcp_small_thread *t) {
    return wrapped((uint32_t)t->r[0] + 10u * (uint32_t)t->r[1] + 100u * (uint32_t)t->r[2] + 1000u * (uint32_t)t->r[3]);
}

/* On to the next visible operation. */
static void settle(const rcp_small_program *program, rcp_small_state *state, unsigned thread, bool ways) {
    rcp_small_thread *t = &state->threads[thread];
    for (;;) {
        const rcp_small_op *op = &program->code[thread].at[t->at];
        switch (op->kind) {
        case RCP_SMALL_SET:
            t->r[op->to] = value_of(t, op->value);
            t->at++;
            break;
        case RCP_SMALL_BRANCH: {
            bool taken = value_of(t, op->value);
            if (ways && !op->is_select)
                t->way = t->way * UINT32_C(2654435761) + 2 * t->at + taken + 1;
            t->at = taken ? t->at + 1 : op->target;
            break;
        }
        case RCP_SMALL_JUMP: t->at = op->target; break;
        case RCP_SMALL_ALLOCATE:
            t->q[op->to] = (int8_t)op->object;
            t->at++;
            break;
        case RCP_SMALL_END:
            if (ways && thread) /* recipe pins what a thread returns (docs/reexecution.md) */
                t->way = t->way * UINT32_C(2654435761) + (uint32_t)result_of(t);
            t->status = RCP_SMALL_ENDED;
            if (!thread)
                state->end = RCP_SMALL_RETURNED;
            return;
        default: return;
        }
    }
}

void rcp_small_begin(const rcp_small_program *program, rcp_small_state *state, bool ways) {
    memset(state, 0, sizeof *state);
    memcpy(state->cells, program->initial, sizeof state->cells);
    memcpy(state->pointers, program->pointers, sizeof state->pointers);
    memset(state->owner, -1, sizeof state->owner);
    state->writer = -1;
    state->posts = program->posts;
    for (unsigned i = 0; i < program->threads; i++)
        memset(state->threads[i].q, RCP_SMALL_NULL, sizeof state->threads[i].q);
    state->threads[0].status = RCP_SMALL_READY;
    settle(program, state, 0, ways);
}

const rcp_small_op *rcp_small_next(const rcp_small_program *program, const rcp_small_state *state, unsigned thread) {
    const rcp_small_thread *t = &state->threads[thread];
    if (state->end || t->status == RCP_SMALL_UNBORN || t->status == RCP_SMALL_ENDED)
        return NULL;
    return &program->code[thread].at[t->at];
}

bool rcp_small_can_step(const rcp_small_program *program, const rcp_small_state *state, unsigned thread) {
    const rcp_small_op *op = rcp_small_next(program, state, thread);
    const rcp_small_thread *t = &state->threads[thread];
    if (!op || t->status == RCP_SMALL_ASLEEP)
        return false;
    switch (op->kind) {
    case RCP_SMALL_LOCK: return state->owner[lock_of(t, op)] < 0;
    case RCP_SMALL_WAIT: return t->status == RCP_SMALL_READY || state->owner[lock_of(t, op)] < 0;
    case RCP_SMALL_SEM_WAIT: return state->posts > 0;
    case RCP_SMALL_READ_LOCK: return state->writer < 0;
    case RCP_SMALL_WRITE_LOCK: return state->writer < 0 && !state->readers;
    case RCP_SMALL_JOIN: return state->threads[op->object].status == RCP_SMALL_ENDED;
    default: return true;
    }
}

static unsigned sleepers(const rcp_small_state *state) {
    unsigned n = 0;
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        n += state->threads[i].status == RCP_SMALL_ASLEEP;
    return n;
}

unsigned rcp_small_choices(const rcp_small_program *program, const rcp_small_state *state, unsigned thread) {
    const rcp_small_op *op = rcp_small_next(program, state, thread);
    unsigned n = op && op->kind == RCP_SMALL_SIGNAL ? sleepers(state) : 1;
    return n ? n : 1;
}

/* The choice-th of those that sleep, if there is one. */
static void wake(rcp_small_state *state, unsigned choice) {
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        if (state->threads[i].status == RCP_SMALL_ASLEEP && !choice--) {
            state->threads[i].status = RCP_SMALL_WOKEN;
            return;
        }
}

static void wake_all(rcp_small_state *state) {
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        if (state->threads[i].status == RCP_SMALL_ASLEEP)
            state->threads[i].status = RCP_SMALL_WOKEN;
}

static int32_t read_cell(const rcp_small_state *state, int cell, unsigned byte) {
    uint32_t whole = (uint32_t)state->cells[cell];
    return (int32_t)(byte ? whole >> 8 * (byte - 1) & 0xff : whole);
}

/* What the bytes hold then. */
static int32_t write_cell(rcp_small_state *state, int cell, unsigned byte, int32_t value) {
    uint32_t whole = (uint32_t)state->cells[cell], mask = byte ? UINT32_C(0xff) << 8 * (byte - 1) : UINT32_MAX;
    uint32_t shifted = byte ? (uint32_t)value << 8 * (byte - 1) : (uint32_t)value;
    state->cells[cell] = (int32_t)((whole & ~mask) | (shifted & mask));
    return read_cell(state, cell, byte);
}

/* A compare-and-swap that would fail now only reads. */
static char does(const rcp_small_state *state, const rcp_small_thread *t, const rcp_small_op *op) {
    switch (op->kind) {
    case RCP_SMALL_LOAD:
    case RCP_SMALL_ATOMIC_LOAD:
    case RCP_SMALL_LOAD_POINTER: return 'r';
    case RCP_SMALL_FETCH_ADD: return 'u';
    case RCP_SMALL_SWAP: return read_cell(state, cell_of(t, op->place), op->place.byte) == op->expected ? 'u' : 'r';
    default: return 'w';
    }
}

static void do_access(rcp_small_state *state, rcp_small_thread *t, const rcp_small_op *op, rcp_small_done *done) {
    if (op->kind == RCP_SMALL_LOAD_POINTER) {
        done->location = RCP_SMALL_CELLS + op->object;
        done->read = t->q[op->to] = state->pointers[op->object];
        return;
    }
    int cell = cell_of(t, op->place);
    if (op->kind == RCP_SMALL_STORE_POINTER) {
        done->location = RCP_SMALL_CELLS + op->object;
        done->wrote = state->pointers[op->object] = (int8_t)cell;
        return;
    }
    done->location = cell;
    if (cell == RCP_SMALL_NULL) {
        state->end = RCP_SMALL_CRASHED;
        return;
    }
    int32_t old = read_cell(state, cell, op->place.byte), value = value_of(t, op->value);
    char what = does(state, t, op);
    if (what != 'w')
        done->read = old;
    if (what != 'r')
        done->wrote = write_cell(state, cell, op->place.byte, op->kind == RCP_SMALL_FETCH_ADD ? old + value : value);
    if (op->kind == RCP_SMALL_SWAP) {
        done->failed = what == 'r';
        t->r[op->to] = !done->failed;
    } else if (what != 'w')
        t->r[op->to] = old;
}

/* False: the thread stays at its operation. */
static bool do_sync(const rcp_small_program *program, rcp_small_state *state, unsigned thread, unsigned choice,
                    bool ways, rcp_small_done *done) {
    rcp_small_thread *t = &state->threads[thread];
    const rcp_small_op *op = &program->code[thread].at[t->at];
    int8_t *owner = NULL;
    if (op->kind >= RCP_SMALL_LOCK && op->kind <= RCP_SMALL_WAIT) {
        done->lock = lock_of(t, op);
        owner = &state->owner[done->lock];
    }
    switch (op->kind) {
    case RCP_SMALL_LOCK: *owner = (int8_t)thread; break;
    case RCP_SMALL_UNLOCK: *owner = -1; break;
    case RCP_SMALL_TRYLOCK:
        done->failed = *owner >= 0;
        t->r[op->to] = !done->failed;
        if (!done->failed)
            *owner = (int8_t)thread;
        break;
    case RCP_SMALL_WAIT:
        if (t->status == RCP_SMALL_READY) {
            *owner = -1;
            t->status = RCP_SMALL_ASLEEP;
            return false;
        }
        *owner = (int8_t)thread;
        t->status = RCP_SMALL_READY;
        break;
    case RCP_SMALL_SIGNAL: wake(state, choice); break;
    case RCP_SMALL_BROADCAST: wake_all(state); break;
    case RCP_SMALL_POST: state->posts++; break;
    case RCP_SMALL_SEM_WAIT: state->posts--; break;
    case RCP_SMALL_SEM_TRY:
        done->failed = !state->posts;
        t->r[op->to] = !done->failed;
        state->posts -= !done->failed;
        break;
    case RCP_SMALL_READ_LOCK: state->readers++; break;
    case RCP_SMALL_READ_UNLOCK: state->readers--; break;
    case RCP_SMALL_WRITE_LOCK: state->writer = (int8_t)thread; break;
    case RCP_SMALL_WRITE_UNLOCK: state->writer = -1; break;
    case RCP_SMALL_FORK:
        state->threads[op->object].status = RCP_SMALL_READY;
        settle(program, state, (unsigned)op->object, ways);
        break;
    case RCP_SMALL_EXIT:
        state->end = RCP_SMALL_EXITED;
        state->code = (uint8_t)op->object;
        break;
    default: break;
    }
    return true;
}

void rcp_small_step(const rcp_small_program *program, rcp_small_state *state, unsigned thread, unsigned choice,
                    bool ways, rcp_small_done *done) {
    rcp_small_thread *t = &state->threads[thread];
    const rcp_small_op *op = &program->code[thread].at[t->at];
    *done = (rcp_small_done){.location = -1, .lock = -1};
    bool goes_on = true;
    if (op->kind >= RCP_SMALL_LOAD && op->kind <= RCP_SMALL_STORE_POINTER)
        do_access(state, t, op, done);
    else
        goes_on = do_sync(program, state, thread, choice, ways, done);
    if (state->end || !goes_on)
        return;
    t->at++;
    settle(program, state, thread, ways);
}

bool rcp_small_is_access(const rcp_small_program *program, const rcp_small_state *state, unsigned thread,
                         rcp_small_access *access) {
    const rcp_small_op *op = rcp_small_next(program, state, thread);
    if (!op || op->kind < RCP_SMALL_LOAD || op->kind > RCP_SMALL_STORE_POINTER)
        return false;
    bool is_pointer = op->kind == RCP_SMALL_LOAD_POINTER || op->kind == RCP_SMALL_STORE_POINTER;
    access->location = is_pointer ? RCP_SMALL_CELLS + op->object : cell_of(&state->threads[thread], op->place);
    access->line = op->line;
    access->is_atomic = op->kind >= RCP_SMALL_ATOMIC_LOAD && op->kind <= RCP_SMALL_FETCH_ADD;
    access->is_swap = op->kind == RCP_SMALL_SWAP;
    access->bytes = (uint8_t)(is_pointer ? 0xff : op->place.byte ? 1u << (op->place.byte - 1) : 0xf);
    if (access->location < 0)
        return false;
    access->does = access->now = does(state, &state->threads[thread], op);
    return true;
}

void rcp_small_outcome(const rcp_small_program *program, const rcp_small_state *state, rcp_text *text) {
    switch ((rcp_small_end)state->end) {
    case RCP_SMALL_EXITED: rcp_text_printf(text, "exit %d", state->code); return;
    case RCP_SMALL_CRASHED: rcp_text_puts(text, "crash"); return;
    case RCP_SMALL_GOES_ON:
    case RCP_SMALL_DEADLOCK: rcp_text_puts(text, "deadlock"); return;
    case RCP_SMALL_RETURNED: break;
    }
    for (unsigned i = 0; i < RCP_SMALL_STATIC; i++)
        rcp_text_printf(text, "%d ", state->cells[i]);
    for (unsigned i = 1; i < program->threads; i++) {
        if (i == program->late)
            continue;
        rcp_text_printf(text, "%d ", result_of(&state->threads[i]));
    }
}
