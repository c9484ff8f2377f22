/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter: one label per operation, dispatched through a table.
 *
 * Quick stretches and careful ones. SEGMENT reserves its events; while their positions are below the one at which the
 * log has something to say, they run without a look at it, through a table in which events are just operations. Else
 * the other table is taken, in which every event goes through rcp_machine_event() first, until the next SEGMENT. So
 * what is rare costs nothing where it does not happen. A run that is compared with logged values, or counted, is
 * careful all along.
 */
#include "program/machine.h"

#include "program/decode.h"
#include "program/frame.h"
#include "program/scalars.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static double as_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint64_t of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float as_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}
static uint64_t of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int64_t sign_extend(uint64_t value, unsigned by) { return (int64_t)(value << by) >> by; }

static uint64_t divide(int64_t a, int64_t b) { return !b ? 0 : b == -1 ? -(uint64_t)a : (uint64_t)(a / b); }
static uint64_t remainder_of(int64_t a, int64_t b) { return !b ? (uint64_t)a : b == -1 ? 0 : (uint64_t)(a % b); }

/* Off the quick path: a page that is not there yet, or two of them. False: no memory has that address. */
__attribute__((noinline)) static bool load_slow(rcp_machine *m, uint64_t address, void *to, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return false;
    rcp_space_read(m->space, address, to, size);
    return true;
}
__attribute__((noinline)) static bool store_slow(rcp_machine *m, uint64_t address, const void *from, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return false;
    rcp_space_write(m->space, address, from, size);
    return true;
}

static bool load_wide(rcp_machine *m, const rcp_layout *layout, uint64_t address, uint64_t *row) {
    uint8_t small[256] = {0}, *bytes = layout->size <= sizeof small ? small : rcp_alloc(layout->size);
    bool held = load_slow(m, address, bytes, layout->size);
    if (held)
        rcp_row_read(layout, bytes, row);
    if (bytes != small)
        rcp_release(bytes);
    return held;
}

/* Gaps between the leaves keep what memory has there. */
static bool store_wide(rcp_machine *m, const rcp_layout *layout, uint64_t address, const uint64_t *row) {
    uint8_t small[256], *bytes = layout->size <= sizeof small ? small : rcp_alloc(layout->size);
    bool held = load_slow(m, address, bytes, layout->size);
    if (held) {
        rcp_row_write(layout, bytes, row);
        store_slow(m, address, bytes, layout->size);
    }
    if (bytes != small)
        rcp_release(bytes);
    return held;
}

static void recast(const rcp_layout *from, const rcp_layout *to, const uint64_t *source, uint64_t *target) {
    size_t size = from->size > to->size ? from->size : to->size;
    uint8_t *bytes = rcp_alloc_zero(size + 1, 1);
    rcp_row_write(from, bytes, source);
    rcp_row_read(to, bytes, target);
    rcp_release(bytes);
}

static int32_t switch_way(const rcp_switch *table, uint64_t value) {
    if (!table->keys.len) {
        uint64_t at = value - table->low;
        int32_t way = at < table->targets.len ? table->targets.at[at] : 0;
        return way ? way : table->otherwise;
    }
    size_t low = 0, high = table->keys.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->keys.at[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->keys.len && table->keys.at[low] == value ? table->targets.at[low] : table->otherwise;
}

/* Which routine does a call that may leave enter? NULL: it leaves. */
static rcp_routine *resolve(rcp_machine *m, const rcp_activation *frame, rcp_call *call, const rcp_ins *ins,
                            const uint64_t *registers) {
    if (ins->k)
        return rcp_program_at(m->program, registers[ins->a]);
    if (!call->callee)
        return NULL;
    if (call->looked != m->program->parts) {
        call->looked = m->program->parts;
        call->routine = call->address ? rcp_program_at(m->program, call->address) : NULL;
        if (!call->routine)
            call->routine = rcp_program_named(m->program, frame->routine->unit, call->name);
    }
    return call->routine;
}

static void push_objects(rcp_machine *m, rcp_strand *t, const rcp_routine *routine, uint64_t *registers) {
    for (size_t i = 0; i < routine->objects.len; i++) {
        const rcp_stack_object *object = &routine->objects.at[i];
        t->stack = rcp_frame_push(t->stack, object->size, object->align);
        if (object->is_byval)
            rcp_space_copy(m->space, t->stack, registers[object->slot], object->size);
        registers[object->slot] = t->stack;
    }
}

static void note_jump(rcp_strand *t, uint64_t buffer, const rcp_ins *call) {
    uint32_t *index = rcp_map_at(&t->jump_index, buffer);
    rcp_jump jump = {t->frames.at[t->frames.len - 1].id, call};
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)t->jumps.len;
        rcp_vec_push(&t->jumps, jump);
    } else
        t->jumps.at[*index] = jump;
}

/* Of the call's arguments those that the routine has; what the call does not give is 0. */
static void pass_arguments(const rcp_call *call, const rcp_routine *routine, const uint64_t *from, uint64_t *to) {
    size_t given = call->arguments.len, wanted = routine->n_arguments, n = given < wanted ? given : wanted, i;
    for (i = 0; i < n; i++)
        to[i] = from[call->arguments.at[i]];
    for (; i < wanted; i++)
        to[i] = 0;
}

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define NEXT                                                                                                           \
    do {                                                                                                               \
        pc++;                                                                                                          \
        goto *table[pc->op];                                                                                           \
    } while (0)
#define GO(way)                                                                                                        \
    do {                                                                                                               \
        pc += (way);                                                                                                   \
        goto *table[pc->op];                                                                                           \
    } while (0)
#define BINARY(name, expression)                                                                                       \
    L_##name : {                                                                                                       \
        uint64_t a = R[pc->a], b = R[pc->b];                                                                           \
        R[pc->d] = (expression);                                                                                       \
        NEXT;                                                                                                          \
    }
#define UNARY_X(name, expression)                                                                                      \
    L_##name : {                                                                                                       \
        uint64_t a = R[pc->a];                                                                                         \
        R[pc->d] = (expression);                                                                                       \
        NEXT;                                                                                                          \
    }
#define COMPARE(name, expression)                                                                                      \
    L_##name : {                                                                                                       \
        uint64_t a = R[pc->a], b = R[pc->b];                                                                           \
        R[pc->d] = (expression);                                                                                       \
        NEXT;                                                                                                          \
    }                                                                                                                  \
    L_J_##name : {                                                                                                     \
        uint64_t a = R[pc->a], b = R[pc->b];                                                                           \
        GO((expression) ? pc->c : pc->e);                                                                              \
    }
#define SA sign_extend(a, pc->k)
#define SB sign_extend(b, pc->k)
#define LOAD(name, type)                                                                                               \
    L_##name : {                                                                                                       \
        uint64_t address = R[pc->a];                                                                                   \
        type value;                                                                                                    \
        const uint8_t *at = rcp_space_at(space, address, sizeof value);                                                \
        if (LIKELY(at))                                                                                                \
            memcpy(&value, at, sizeof value);                                                                          \
        else if (!load_slow(m, address, &value, sizeof value))                                                         \
            goto no_memory;                                                                                            \
        R[pc->d] = value;                                                                                              \
        NEXT;                                                                                                          \
    }
#define STORE(name, type)                                                                                              \
    L_##name : {                                                                                                       \
        uint64_t address = R[pc->a];                                                                                   \
        type value = (type)R[pc->d];                                                                                   \
        uint8_t *at = rcp_space_at(space, address, sizeof value);                                                      \
        if (LIKELY(at))                                                                                                \
            memcpy(at, &value, sizeof value);                                                                          \
        else if (!store_slow(m, address, &value, sizeof value))                                                        \
            goto no_memory;                                                                                            \
        NEXT;                                                                                                          \
    }

/* What the locals cache goes back to the strand, and anew from it. */
#define SAVE_STATE() (t->pc = pc, t->position = position)
#define LOAD_STATE() (pc = t->pc, position = t->position, next = m->next, R = t->frames.at[t->frames.len - 1].registers)

rcp_pause rcp_interpret(rcp_machine *m) {
    static const void *const quick[RCP_INS_OP_COUNT] = {
#define X(name, where) [RCP_INS_##name] = &&L_##name,
        RCP_INS_OPS(X)
#undef X
    };
    static const void *const careful[RCP_INS_OP_COUNT] = {
#define X(name, where) [RCP_INS_##name] = RCP_LEFT_##where == RCP_LEFT_PLAIN ? &&L_##name : &&event,
        RCP_INS_OPS(X)
#undef X
    };
    static const void *counted[RCP_INS_OP_COUNT];
    if (!counted[0])
        for (int i = 0; i < RCP_INS_OP_COUNT; i++)
            counted[i] = &&count;

    rcp_strand *const t = m->current;
    rcp_space *const space = m->space;
    const void *const *const slow = m->counts ? counted : careful;
    const void *const *const fast = m->counts ? counted : m->values ? careful : quick;
    const void *const *table = slow;
    const rcp_ins *pc;
    uint64_t *R, position, next;
    LOAD_STATE();
    goto *table[pc->op];

count:
    m->counts[pc->op]++;
    if (rcp_left_of[pc->op] == RCP_LEFT_PLAIN)
        goto *quick[pc->op];
event:
    SAVE_STATE();
    switch (rcp_machine_event(m, t, pc, R)) {
    case RCP_GO: next = m->next; goto *quick[pc->op];
    case RCP_STOP: return RCP_PAUSE_STOPPED;
    case RCP_CALLBACK: return RCP_PAUSE_CALLBACK;
    case RCP_FAULT: return RCP_PAUSE_FAULTED;
    default: return RCP_PAUSE_FAILED;
    }

    /* control */
L_SEGMENT:
    position += (uint64_t)pc->x;
    table = position > next ? slow : fast;
    NEXT;
L_MOVE:
    R[pc->d] = R[pc->a];
    NEXT;
L_MOVES:
    memmove(&R[pc->d], &R[pc->a], (size_t)pc->x * sizeof *R);
    NEXT;
L_JUMP:
L_TICK:
    GO(pc->c);
L_BRANCH:
    GO(R[pc->a] ? pc->c : pc->e);
L_SWITCH:
    GO(switch_way(&t->frames.at[t->frames.len - 1].routine->switches.at[pc->c], R[pc->a]));
L_INDIRECT: {
    int32_t way = switch_way(&t->frames.at[t->frames.len - 1].routine->switches.at[pc->c], R[pc->a]);
    if (!way) {
        SAVE_STATE();
        rcp_machine_fail(m, t, pc, "an indirect branch to 0x%" PRIx64 ", where no block is", R[pc->a]);
        return RCP_PAUSE_FAILED;
    }
    GO(way);
}
L_CALL: {
    rcp_call *call = &t->frames.at[t->frames.len - 1].routine->calls.at[pc->c];
    rcp_routine *callee = call->routine;
    if (UNLIKELY(!callee)) {
        SAVE_STATE();
        rcp_machine_fail(m, t, pc, "a call of '%s', which is not there", call->name);
        return RCP_PAUSE_FAILED;
    }
    SAVE_STATE();
    rcp_activation *frame = rcp_strand_push(m, t, callee, pc);
    if (UNLIKELY(!frame))
        return RCP_PAUSE_FAILED;
    pass_arguments(call, callee, R, frame->registers);
    R = frame->registers;
    pc = callee->code.at;
    goto *table[pc->op];
}
L_LEAVE: {
    rcp_activation *own = &t->frames.at[t->frames.len - 1];
    rcp_call *call = &own->routine->calls.at[pc->b];
    rcp_routine *callee = resolve(m, own, call, pc, R);
    SAVE_STATE();
    if (!callee) {
        if (call->returns_twice && call->arguments.len)
            note_jump(t, R[call->arguments.at[0]], pc);
        return RCP_PAUSE_OUTSIDE;
    }
    rcp_activation *frame = rcp_strand_push(m, t, callee, pc);
    if (UNLIKELY(!frame))
        return RCP_PAUSE_FAILED;
    pass_arguments(call, callee, R, frame->registers);
    R = frame->registers;
    pc = callee->code.at;
    goto *table[pc->op];
}
L_RETURN: {
    rcp_activation frame = t->frames.at[--t->frames.len];
    t->stack = frame.stack;
    if (frame.is_callback) {
        t->pc = frame.back;
        t->position = position + frame.undone;
        t->state = (rcp_strand_state)frame.state;
        return RCP_PAUSE_RETURNED;
    }
    const uint64_t *result = &R[pc->a];
    int32_t n = pc->d;
    pc = frame.back;
    R = t->frames.at[t->frames.len - 1].registers;
    for (int32_t i = 0; i < n; i++)
        R[pc->d + i] = result[i];
    NEXT;
}
L_RESUME:
    SAVE_STATE();
    return RCP_PAUSE_OUTSIDE;
L_LANDING:
    R[pc->d] = t->exception;
    R[pc->d + 1] = (uint32_t)t->selector;
    NEXT;
L_UNREACHABLE:
    SAVE_STATE();
    rcp_machine_fail(m, t, pc, "code was reached that can't be");
    return RCP_PAUSE_FAILED;
L_TRAP:
    SAVE_STATE();
    return RCP_PAUSE_FAULTED;
L_UNSUPPORTED:
    SAVE_STATE();
    rcp_machine_fail(m, t, pc, "not modelled: %s", t->frames.at[t->frames.len - 1].routine->texts.at[pc->c]);
    return RCP_PAUSE_FAILED;

    /* stack objects, values from the log */
L_FRAME:
    push_objects(m, t, t->frames.at[t->frames.len - 1].routine, R);
    NEXT;
L_DYNAMIC:
    t->stack = rcp_frame_push(t->stack, R[pc->a] * (uint64_t)pc->x, UINT64_C(1) << pc->k);
    R[pc->d] = t->stack;
    NEXT;
L_SAVE:
    R[pc->d] = t->stack;
    NEXT;
L_RESTORE:
    t->stack = R[pc->a];
    NEXT;
L_THREAD_LOCAL: {
    const rcp_unit *unit = t->frames.at[t->frames.len - 1].routine->unit;
    if (!unit->is_late) {
        uint64_t index = unit->tls_base + (uint64_t)pc->c;
        if (UNLIKELY(index >= t->thread_locals.len)) {
            SAVE_STATE();
            rcp_machine_fail(m, t, pc, "a thread-local variable whose address the log does not have");
            return RCP_PAUSE_FAILED;
        }
        R[pc->d] = t->thread_locals.at[index];
        NEXT;
    }
    goto L_VALUE; /* its address was logged */
}
L_VALUE: {
    SAVE_STATE();
    uint64_t words[256 / 8];
    unsigned n = pc->op == RCP_INS_THREAD_LOCAL ? 1 : pc->k;
    for (unsigned i = 0; i < n; i++)
        switch (rcp_machine_value(m, t, &words[i])) {
        case RCP_GO: break;
        case RCP_STOP: return RCP_PAUSE_STOPPED;
        default: return RCP_PAUSE_FAILED;
        }
    next = m->next;
    if (pc->op == RCP_INS_THREAD_LOCAL)
        R[pc->d] = words[0];
    else
        rcp_row_read(&t->frames.at[t->frames.len - 1].routine->layouts.at[pc->b], (const uint8_t *)words, &R[pc->d]);
    NEXT;
}

    /* memory */
    LOAD(LOAD_8, uint8_t)
    LOAD(LOAD_16, uint16_t)
    LOAD(LOAD_32, uint32_t)
    LOAD(LOAD_64, uint64_t)
    LOAD(PLAIN_LOAD_8, uint8_t)
    LOAD(PLAIN_LOAD_16, uint16_t)
    LOAD(PLAIN_LOAD_32, uint32_t)
    LOAD(PLAIN_LOAD_64, uint64_t)
    STORE(STORE_8, uint8_t)
    STORE(STORE_16, uint16_t)
    STORE(STORE_32, uint32_t)
    STORE(STORE_64, uint64_t)
L_LOAD_WIDE:
L_PLAIN_LOAD_WIDE:
    if (!load_wide(m, &t->frames.at[t->frames.len - 1].routine->layouts.at[pc->b], R[pc->a], &R[pc->d]))
        goto no_memory;
    NEXT;
L_STORE_WIDE:
    if (!store_wide(m, &t->frames.at[t->frames.len - 1].routine->layouts.at[pc->b], R[pc->a], &R[pc->d]))
        goto no_memory;
    NEXT;
L_RMW:
L_EXCHANGE: {
    uint64_t old[2] = {0}, result[2] = {0};
    uint32_t size = rcp_atomic_size(pc);
    if (!load_slow(m, R[pc->a], old, size))
        goto no_memory;
    rcp_atomic_result(pc, R, old, result);
    store_slow(m, R[pc->a], result, size);
    int32_t words = size > 8 ? 2 : 1;
    bool same = pc->op == RCP_INS_EXCHANGE && !memcmp(old, &R[pc->b], (size_t)words * sizeof *old);
    memcpy(&R[pc->d], old, (size_t)words * sizeof *old);
    if (pc->op == RCP_INS_EXCHANGE)
        R[pc->d + words] = same;
    NEXT;
}
L_FENCE:
    NEXT;
L_COPY:
    if (!rcp_space_holds(R[pc->a], R[pc->d]) || !rcp_space_holds(R[pc->b], R[pc->d]))
        goto no_memory;
    rcp_space_copy(space, R[pc->a], R[pc->b], R[pc->d]);
    NEXT;
L_FILL:
    if (!rcp_space_holds(R[pc->a], R[pc->d]))
        goto no_memory;
    rcp_space_fill(space, R[pc->a], (uint8_t)R[pc->b], R[pc->d]);
    NEXT;

    /* integers */
    BINARY(ADD_64, a + b)
    BINARY(ADD_32, (uint32_t)(a + b))
    BINARY(ADD, (a + b) & (uint64_t)pc->x)
    BINARY(SUB_64, a - b)
    BINARY(SUB_32, (uint32_t)(a - b))
    BINARY(SUB, (a - b) & (uint64_t)pc->x)
    BINARY(MUL_64, a * b)
    BINARY(MUL_32, (uint32_t)(a * b))
    BINARY(MUL, (a * b) & (uint64_t)pc->x)
    BINARY(SHL, b >= 64 ? 0 : a << b & (uint64_t)pc->x)
    BINARY(LSHR, b >= 64 ? 0 : a >> b)
    BINARY(ASHR, (uint64_t)(SA >> (b >= 64 ? 63 : b)) & (uint64_t)pc->x)
    BINARY(AND, a & b)
    BINARY(OR, a | b)
    BINARY(XOR, a ^ b)
    BINARY(UDIV, b ? a / b : 0)
    BINARY(UREM, b ? a % b : a)
    BINARY(SDIV, divide(SA, SB) & (uint64_t)pc->x)
    BINARY(SREM, remainder_of(SA, SB) & (uint64_t)pc->x)
    UNARY_X(ADD_X, a + (uint64_t)pc->x)
    UNARY_X(AND_X, a & (uint64_t)pc->x)
    UNARY_X(XOR_X, a ^ (uint64_t)pc->x)
    UNARY_X(SHL_X, a << pc->b & (uint64_t)pc->x)
    UNARY_X(LSHR_X, a >> pc->b)
    UNARY_X(ADDM_X, (a + (uint64_t)(int64_t)pc->b) & (uint64_t)pc->x)
    BINARY(SCALE, a + (uint64_t)SB * (uint64_t)pc->x)
    UNARY_X(SEXT, (uint64_t)SA & (uint64_t)pc->x)
    COMPARE(EQ, a == b)
    COMPARE(NE, a != b)
    COMPARE(UGT, a > b)
    COMPARE(UGE, a >= b)
    COMPARE(ULT, a < b)
    COMPARE(ULE, a <= b)
    COMPARE(SGT, SA > SB)
    COMPARE(SGE, SA >= SB)
    COMPARE(SLT, SA < SB)
    COMPARE(SLE, SA <= SB)
L_SELECT:
    R[pc->d] = R[R[pc->c] ? pc->a : pc->b];
    NEXT;

    /* floats */
    BINARY(FADD_64, of_double(as_double(a) + as_double(b)))
    BINARY(FSUB_64, of_double(as_double(a) - as_double(b)))
    BINARY(FMUL_64, of_double(as_double(a) * as_double(b)))
    BINARY(FDIV_64, of_double(as_double(a) / as_double(b)))
    BINARY(FADD_32, of_float(as_float(a) + as_float(b)))
    BINARY(FSUB_32, of_float(as_float(a) - as_float(b)))
    BINARY(FMUL_32, of_float(as_float(a) * as_float(b)))
    BINARY(FDIV_32, of_float(as_float(a) / as_float(b)))
    BINARY(FCMP_64, RCP_FLOAT_COMPARE(pc->k, as_double(a), as_double(b)))
    BINARY(FCMP_32, RCP_FLOAT_COMPARE(pc->k, as_float(a), as_float(b)))
    UNARY_X(SI_TO_64, of_double((double)SA))
    UNARY_X(UI_TO_64, of_double((double)a))
    UNARY_X(F32_TO_64, of_double((double)as_float(a)))
    UNARY_X(F64_TO_32, of_float((float)as_double(a)))

    /* everything else, out of line */
L_BINARY:
    rcp_scalar_binary((rcp_binary)pc->k, (rcp_scalar)pc->c, RCP_SCALAR_BITS((rcp_scalar)pc->e), &R[pc->d], &R[pc->a],
                      &R[pc->b]);
    NEXT;
L_COMPARE:
    R[pc->d] = rcp_scalar_compare(pc->k, (rcp_scalar)pc->c, &R[pc->a], &R[pc->b]);
    NEXT;
L_CONVERT:
    rcp_scalar_convert((rcp_conversion)pc->k, (rcp_scalar)pc->c, (rcp_scalar)pc->e, &R[pc->d], &R[pc->a]);
    NEXT;
L_UNARY:
    rcp_scalar_unary((rcp_unary)pc->k, (rcp_scalar)pc->c, &R[pc->d], &R[pc->a]);
    NEXT;
L_FMA:
    rcp_scalar_fma((rcp_scalar)pc->c, &R[pc->d], &R[pc->a], &R[pc->b], &R[pc->e]);
    NEXT;
L_OVERFLOW:
    R[pc->d + (int32_t)RCP_SCALAR_SLOTS((rcp_scalar)pc->c)] =
        rcp_scalar_overflow((rcp_overflow)pc->k, (rcp_scalar)pc->c, &R[pc->d], &R[pc->a], &R[pc->b]);
    NEXT;
L_FUNNEL:
    rcp_scalar_funnel(pc->k, (rcp_scalar)pc->c, &R[pc->d], &R[pc->a], &R[pc->b], &R[pc->e]);
    NEXT;
L_RECAST: {
    const rcp_layout *layouts = t->frames.at[t->frames.len - 1].routine->layouts.at;
    recast(&layouts[pc->b], &layouts[pc->c], &R[pc->a], &R[pc->d]);
    NEXT;
}
L_INSERT:
    if (R[pc->b] < (uint64_t)pc->x)
        memcpy(&R[pc->d + (int32_t)R[pc->b] * pc->k], &R[pc->a], pc->k * sizeof *R);
    NEXT;
L_EXTRACT:
    for (int32_t i = 0; i < pc->k; i++)
        R[pc->d + i] = R[pc->b] < (uint64_t)pc->x ? R[pc->a + (int32_t)R[pc->b] * pc->k + i] : 0;
    NEXT;

no_memory:
    SAVE_STATE();
    rcp_machine_fail(m, t, pc, "an access at 0x%" PRIx64 ", where no memory can be", R[pc->a]);
    return RCP_PAUSE_FAILED;
}
