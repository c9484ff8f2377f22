/* SPDX-License-Identifier: Apache-2.0 */
/* The body of the interpreter; interpret.c includes it once for each purpose, with INTERPRET (its name), SHARING and
 * TERMS (0 or 1) defined.
 *
 * R: the registers of the innermost activation; T: the terms beside them, where TERMS is 1. */
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
        if (TERMS)                                                                                                     \
            T[pc->d] = UNLIKELY(T[pc->a] | T[pc->b]) ? rcp_symbolic_apply(m->symbolic, t, pc, R, T) : 0;               \
        R[pc->d] = (expression);                                                                                       \
        NEXT;                                                                                                          \
    }
#define UNARY_X(name, expression)                                                                                      \
    L_##name : {                                                                                                       \
        uint64_t a = R[pc->a];                                                                                         \
        if (TERMS)                                                                                                     \
            T[pc->d] = UNLIKELY(T[pc->a]) ? rcp_symbolic_apply(m->symbolic, t, pc, R, T) : 0;                          \
        R[pc->d] = (expression);                                                                                       \
        NEXT;                                                                                                          \
    }
#define COMPARE(name, expression)                                                                                      \
    L_##name : {                                                                                                       \
        uint64_t a = R[pc->a], b = R[pc->b];                                                                           \
        if (TERMS)                                                                                                     \
            T[pc->d] = UNLIKELY(T[pc->a] | T[pc->b]) ? rcp_symbolic_apply(m->symbolic, t, pc, R, T) : 0;               \
        R[pc->d] = (expression);                                                                                       \
        NEXT;                                                                                                          \
    }                                                                                                                  \
    L_J_##name : {                                                                                                     \
        uint64_t a = R[pc->a], b = R[pc->b];                                                                           \
        bool is_so = (expression);                                                                                     \
        if (TERMS && UNLIKELY(T[pc->a] | T[pc->b]))                                                                    \
            rcp_symbolic_branch(m->symbolic, t, pc, R, T, is_so);                                                      \
        GO(is_so ? pc->c : pc->e);                                                                                     \
    }
#define SA sign_extend(a, pc->k)
#define SB sign_extend(b, pc->k)
/* While nothing is known of an access's granule but its bytes, terms need no look at it. */
#define IS_PLAIN(at, address, size)                                                                                    \
    (address % RCP_SPACE_GRANULE + (size) <= RCP_SPACE_GRANULE && !*rcp_space_mark(at, address))
#define LOAD(name, type, is_event)                                                                                     \
    L_##name : {                                                                                                       \
        uint64_t address = R[pc->a];                                                                                   \
        type value;                                                                                                    \
        uint8_t *at = rcp_space_at(space, address, sizeof value);                                                      \
        if (LIKELY(at))                                                                                                \
            memcpy(&value, at, sizeof value);                                                                          \
        else if (!load_slow(m, address, &value, sizeof value))                                                         \
            goto no_memory;                                                                                            \
        if (SHARING && is_event)                                                                                       \
            rcp_sharing_touch(space, at, t->number, address, sizeof value, false);                                     \
        if (TERMS) {                                                                                                   \
            uint32_t term = 0;                                                                                         \
            if (UNLIKELY(!at || T[pc->a] || !IS_PLAIN(at, address, sizeof value)))                                     \
                term = rcp_symbolic_load(m->symbolic, t, pc, R, T, sizeof value, is_event, &value);                    \
            T[pc->d] = term;                                                                                           \
        }                                                                                                              \
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
        if (SHARING)                                                                                                   \
            rcp_sharing_touch(space, at, t->number, address, sizeof value, true);                                      \
        if (TERMS && UNLIKELY(!at || (T[pc->a] | T[pc->d]) || !IS_PLAIN(at, address, sizeof value)))                   \
            rcp_symbolic_store(m->symbolic, t, pc, R, T, sizeof value);                                                \
        NEXT;                                                                                                          \
    }

/* What the locals cache goes back to the strand, and anew from it. */
#define SAVE_STATE() (t->pc = pc, t->position = position)
#define LOAD_STATE()                                                                                                   \
    (pc = t->pc, position = t->position, next = m->next, ENTER(t->frames.at[t->frames.len - 1].registers))
#define ENTER(its_registers) (R = (its_registers), T = TERMS ? rcp_strand_terms(t, R) : NULL)
#define CLEAR_TERMS(slots)                                                                                             \
    if (TERMS)                                                                                                         \
    memset(&T[pc->d], 0, (size_t)(slots) * sizeof *T)

static rcp_pause INTERPRET(rcp_machine *m) {
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
    uint32_t *T;
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
    if (TERMS)
        T[pc->d] = T[pc->a];
    NEXT;
L_MOVES:
    memmove(&R[pc->d], &R[pc->a], (size_t)pc->x * sizeof *R);
    if (TERMS)
        memmove(&T[pc->d], &T[pc->a], (size_t)pc->x * sizeof *T);
    NEXT;
L_JUMP:
L_TICK:
    GO(pc->c);
L_BRANCH:
    if (TERMS && UNLIKELY(T[pc->a]))
        rcp_symbolic_branch(m->symbolic, t, pc, R, T, R[pc->a]);
    GO(R[pc->a] ? pc->c : pc->e);
L_SWITCH: {
    const rcp_switch *ways = &t->frames.at[t->frames.len - 1].routine->switches.at[pc->c];
    int32_t way = switch_way(ways, R[pc->a]);
    if (TERMS && UNLIKELY(T[pc->a]))
        rcp_symbolic_switch(m->symbolic, t, pc, R, T, ways, way);
    GO(way);
}
L_INDIRECT: {
    if (TERMS && UNLIKELY(T[pc->a]))
        rcp_symbolic_pin_slot(m->symbolic, t, pc, pc->a);
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
    pass_arguments(m, t, call, callee, pc, R, frame->registers);
    ENTER(frame->registers);
    pc = callee->code.at;
    goto *table[pc->op];
}
L_LEAVE: {
    rcp_activation *own = &t->frames.at[t->frames.len - 1];
    rcp_call *call = &own->routine->calls.at[pc->b];
    rcp_routine *callee = resolve(m, own, call, pc, R);
    SAVE_STATE();
    if (TERMS && UNLIKELY(pc->k && T[pc->a]))
        rcp_symbolic_pin_slot(m->symbolic, t, pc, pc->a);
    if (!callee) {
        if (TERMS)
            rcp_sink_leave(m->sink, m, t, call);
        if (call->returns_twice && call->arguments.len)
            note_jump(t, R[call->arguments.at[0]], pc);
        return RCP_PAUSE_OUTSIDE;
    }
    rcp_activation *frame = rcp_strand_push(m, t, callee, pc);
    if (UNLIKELY(!frame))
        return RCP_PAUSE_FAILED;
    pass_arguments(m, t, call, callee, pc, R, frame->registers);
    ENTER(frame->registers);
    pc = callee->code.at;
    goto *table[pc->op];
}
L_RETURN: {
    rcp_activation frame = t->frames.at[--t->frames.len];
    t->stack = frame.stack;
    if (frame.is_callback) {
        for (int32_t i = 0; TERMS && i < pc->d; i++)
            if (T[pc->a + i]) /* code outside takes it */
                rcp_symbolic_pin(m->symbolic, t, pc, T[pc->a + i], R[pc->a + i]);
        t->pc = frame.back;
        t->position = position + frame.undone;
        t->state = (rcp_strand_state)frame.state;
        return RCP_PAUSE_RETURNED;
    }
    const uint64_t *result = &R[pc->a];
    const uint32_t *terms = TERMS ? &T[pc->a] : NULL;
    int32_t n = pc->d;
    pc = frame.back;
    ENTER(t->frames.at[t->frames.len - 1].registers);
    for (int32_t i = 0; i < n; i++) {
        R[pc->d + i] = result[i];
        if (TERMS)
            T[pc->d + i] = terms[i];
    }
    NEXT;
}
L_RESUME:
    SAVE_STATE();
    return RCP_PAUSE_OUTSIDE;
L_LANDING:
    R[pc->d] = t->exception;
    R[pc->d + 1] = (uint32_t)t->selector;
    CLEAR_TERMS(2);
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
    push_objects(m, t, t->frames.at[t->frames.len - 1].routine, pc, R);
    NEXT;
L_DYNAMIC:
    if (TERMS && UNLIKELY(T[pc->a]))
        rcp_symbolic_pin_slot(m->symbolic, t, pc, pc->a);
    t->stack = rcp_frame_push(t->stack, R[pc->a] * (uint64_t)pc->x, UINT64_C(1) << pc->k);
    R[pc->d] = t->stack;
    CLEAR_TERMS(1);
    NEXT;
L_SAVE:
    R[pc->d] = t->stack;
    CLEAR_TERMS(1);
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
        CLEAR_TERMS(1);
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
    if (pc->op == RCP_INS_THREAD_LOCAL) {
        R[pc->d] = words[0];
        CLEAR_TERMS(1);
    } else {
        const rcp_layout *layout = &t->frames.at[t->frames.len - 1].routine->layouts.at[pc->b];
        rcp_row_read(layout, (const uint8_t *)words, &R[pc->d]);
        CLEAR_TERMS(layout->slots);
    }
    NEXT;
}

    /* memory */
    LOAD(LOAD_8, uint8_t, true)
    LOAD(LOAD_16, uint16_t, true)
    LOAD(LOAD_32, uint32_t, true)
    LOAD(LOAD_64, uint64_t, true)
    LOAD(PLAIN_LOAD_8, uint8_t, false)
    LOAD(PLAIN_LOAD_16, uint16_t, false)
    LOAD(PLAIN_LOAD_32, uint32_t, false)
    LOAD(PLAIN_LOAD_64, uint64_t, false)
    STORE(STORE_8, uint8_t)
    STORE(STORE_16, uint16_t)
    STORE(STORE_32, uint32_t)
    STORE(STORE_64, uint64_t)
L_LOAD_WIDE:
L_PLAIN_LOAD_WIDE: {
    const rcp_layout *layout = &t->frames.at[t->frames.len - 1].routine->layouts.at[pc->b];
    if (!load_wide(m, layout, R[pc->a], &R[pc->d]))
        goto no_memory;
    if (SHARING && pc->op == RCP_INS_LOAD_WIDE)
        rcp_sharing_touch(space, NULL, t->number, R[pc->a], layout->size, false);
    if (TERMS)
        rcp_symbolic_load_wide(m->symbolic, t, pc, R, T, layout);
    NEXT;
}
L_STORE_WIDE: {
    const rcp_layout *layout = &t->frames.at[t->frames.len - 1].routine->layouts.at[pc->b];
    if (!store_wide(m, layout, R[pc->a], &R[pc->d]))
        goto no_memory;
    if (SHARING)
        rcp_sharing_touch(space, NULL, t->number, R[pc->a], layout->size, true);
    if (TERMS)
        rcp_symbolic_store_wide(m->symbolic, t, pc, R, T, layout);
    NEXT;
}
L_RMW:
L_EXCHANGE: {
    uint64_t old[2] = {0}, result[2] = {0};
    uint32_t size = rcp_atomic_size(pc);
    if (!load_slow(m, R[pc->a], old, size))
        goto no_memory;
    rcp_atomic_result(pc, R, old, result);
    int32_t words = size > 8 ? 2 : 1;
    bool same = pc->op == RCP_INS_EXCHANGE && !memcmp(old, &R[pc->b], (size_t)words * sizeof *old);
    if (SHARING)
        rcp_sharing_touch(space, NULL, t->number, R[pc->a], size, pc->op == RCP_INS_RMW || same);
    uint32_t terms[2] = {0};
    if (TERMS)
        rcp_symbolic_atomic(m->symbolic, t, pc, R, T, old, result, terms);
    store_slow(m, R[pc->a], result, size);
    memcpy(&R[pc->d], old, (size_t)words * sizeof *old);
    if (TERMS)
        memcpy(&T[pc->d], terms, (size_t)words * sizeof *terms);
    if (pc->op == RCP_INS_EXCHANGE) {
        R[pc->d + words] = same;
        if (TERMS) /* an event, or a branch, keeps it */
            T[pc->d + words] = 0;
    }
    NEXT;
}
L_FENCE:
    if (TERMS)
        rcp_symbolic_fence(m->symbolic, t, pc);
    NEXT;
L_COPY:
    if (!rcp_space_holds(R[pc->a], R[pc->d]) || !rcp_space_holds(R[pc->b], R[pc->d]))
        goto no_memory;
    if (SHARING) {
        rcp_sharing_touch(space, NULL, t->number, R[pc->b], R[pc->d], false);
        rcp_sharing_touch(space, NULL, t->number, R[pc->a], R[pc->d], true);
    }
    if (TERMS) {
        rcp_symbolic_pin_operands(m->symbolic, t, pc, T);
        rcp_symbolic_copy(m->symbolic, t, pc, R[pc->a], R[pc->b], R[pc->d]);
    } else
        rcp_space_copy(space, R[pc->a], R[pc->b], R[pc->d]);
    NEXT;
L_FILL:
    if (!rcp_space_holds(R[pc->a], R[pc->d]))
        goto no_memory;
    if (SHARING)
        rcp_sharing_touch(space, NULL, t->number, R[pc->a], R[pc->d], true);
    rcp_space_fill(space, R[pc->a], (uint8_t)R[pc->b], R[pc->d]);
    if (TERMS) {
        rcp_symbolic_pin_operands(m->symbolic, t, pc, T);
        rcp_symbolic_filled(m->symbolic, t, pc, R[pc->a], R[pc->d]);
    }
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
L_SELECT: {
    int32_t chosen = R[pc->c] ? pc->a : pc->b;
    if (TERMS)
        T[pc->d] = UNLIKELY(T[pc->c]) ? rcp_symbolic_apply(m->symbolic, t, pc, R, T) : T[chosen];
    R[pc->d] = R[chosen];
    NEXT;
}

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
#define ROWS()                                                                                                         \
    if (TERMS)                                                                                                         \
    rcp_symbolic_rows(m->symbolic, t, pc, R, T)
L_BINARY:
    ROWS();
    rcp_scalar_binary((rcp_binary)pc->k, (rcp_scalar)pc->c, RCP_SCALAR_BITS((rcp_scalar)pc->e), &R[pc->d], &R[pc->a],
                      &R[pc->b]);
    NEXT;
L_COMPARE:
    ROWS();
    R[pc->d] = rcp_scalar_compare(pc->k, (rcp_scalar)pc->c, &R[pc->a], &R[pc->b]);
    NEXT;
L_CONVERT:
    ROWS();
    rcp_scalar_convert((rcp_conversion)pc->k, (rcp_scalar)pc->c, (rcp_scalar)pc->e, &R[pc->d], &R[pc->a]);
    NEXT;
L_UNARY:
    ROWS();
    rcp_scalar_unary((rcp_unary)pc->k, (rcp_scalar)pc->c, &R[pc->d], &R[pc->a]);
    NEXT;
L_FMA:
    ROWS();
    rcp_scalar_fma((rcp_scalar)pc->c, &R[pc->d], &R[pc->a], &R[pc->b], &R[pc->e]);
    NEXT;
L_OVERFLOW:
    ROWS();
    R[pc->d + (int32_t)RCP_SCALAR_SLOTS((rcp_scalar)pc->c)] =
        rcp_scalar_overflow((rcp_overflow)pc->k, (rcp_scalar)pc->c, &R[pc->d], &R[pc->a], &R[pc->b]);
    NEXT;
L_FUNNEL:
    ROWS();
    rcp_scalar_funnel(pc->k, (rcp_scalar)pc->c, &R[pc->d], &R[pc->a], &R[pc->b], &R[pc->e]);
    NEXT;
L_RECAST: {
    ROWS();
    const rcp_layout *layouts = t->frames.at[t->frames.len - 1].routine->layouts.at;
    recast(&layouts[pc->b], &layouts[pc->c], &R[pc->a], &R[pc->d]);
    NEXT;
}
L_INSERT:
    ROWS();
    if (R[pc->b] < (uint64_t)pc->x)
        memcpy(&R[pc->d + (int32_t)R[pc->b] * pc->k], &R[pc->a], pc->k * sizeof *R);
    NEXT;
L_EXTRACT:
    ROWS();
    for (int32_t i = 0; i < pc->k; i++)
        R[pc->d + i] = R[pc->b] < (uint64_t)pc->x ? R[pc->a + (int32_t)R[pc->b] * pc->k + i] : 0;
    NEXT;

no_memory:
    SAVE_STATE();
    rcp_machine_fail(m, t, pc, "an access at 0x%" PRIx64 ", where no memory can be", R[pc->a]);
    return RCP_PAUSE_FAILED;
}

#undef NEXT
#undef GO
#undef BINARY
#undef UNARY_X
#undef COMPARE
#undef SA
#undef SB
#undef IS_PLAIN
#undef LOAD
#undef STORE
#undef SAVE_STATE
#undef LOAD_STATE
#undef ENTER
#undef CLEAR_TERMS
#undef ROWS
#undef INTERPRET
#undef SHARING
#undef TERMS
