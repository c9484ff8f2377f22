/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/affine.h"

#define DEPTH_MAX  24
#define WORK_MAX   4000
#define NUMBER_MAX (INT64_C(1) << 40) /* products of a factor and a narrow value must fit 64 bits, with room */

static bool fits(int64_t number) { return number > -NUMBER_MAX && number < NUMBER_MAX; }

/* 0: neither an integer of at most 64 bits nor an ordinary pointer. */
static unsigned width_of(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) ? 0 : 64;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return 0;
    unsigned width = LLVMGetIntTypeWidth(type);
    return width <= 64 ? width : 0;
}

bool rcp_affine_same_term(const rcp_affine_term *a, const rcp_affine_term *b) {
    return a->value == b->value && a->is_signed == b->is_signed;
}

/* `into` += `factor` of the term. */
static bool add_term(rcp_affine *into, rcp_affine_term term, int64_t factor) {
    if (!fits(factor) || !fits(term.factor) || __builtin_mul_overflow(term.factor, factor, &term.factor) ||
        !fits(term.factor))
        return false;
    for (unsigned i = 0; i < into->n; i++)
        if (rcp_affine_same_term(&into->terms[i], &term)) {
            into->terms[i].factor += term.factor;
            if (!into->terms[i].factor)
                into->terms[i] = into->terms[--into->n];
            return true;
        }
    if (!term.factor)
        return true;
    if (into->n == RCP_AFFINE_TERMS)
        return false;
    into->terms[into->n++] = term;
    return true;
}

static bool add_step(rcp_affine *into, rcp_affine_term step, int64_t factor) {
    if (!fits(factor) || __builtin_mul_overflow(step.factor, factor, &step.factor) || !fits(step.factor))
        return false;
    if (!step.factor)
        return true;
    if (!into->step.factor) {
        into->step = step;
        return true;
    }
    if (!rcp_affine_same_term(&into->step, &step))
        return false;
    into->step.factor += step.factor;
    return true;
}

/* `into` += factor * other, both of the same width. */
static bool add(rcp_affine *into, const rcp_affine *other, int64_t factor) {
    int64_t constant;
    if (!fits(factor) || __builtin_mul_overflow(other->constant, factor, &constant) || !fits(constant) ||
        !fits(into->constant + constant))
        return false;
    into->constant += constant;
    for (unsigned i = 0; i < other->n; i++)
        if (!add_term(into, other->terms[i], factor))
            return false;
    return add_step(into, other->step, factor);
}

/* Can the instruction, which the loop does, be done in front of it? It depends on nothing that the loop changes, and
 * can't fault. */
static bool is_movable(rcp_affine_scope *s, LLVMValueRef value, unsigned depth) {
    if (!rcp_loop_has(s->loop, value))
        return true;
    if (depth > DEPTH_MAX || s->work++ > WORK_MAX)
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMPtrToInt:
    case LLVMGetElementPtr: break;
    default: return false;
    }
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(value); i < n; i++)
        if (!is_movable(s, LLVMGetOperand(value, i), depth + 1))
            return false;
    return true;
}

static bool affine_of(rcp_affine_scope *s, LLVMValueRef value, rcp_affine *result, unsigned depth);

static bool is_constant(const rcp_affine *a) { return !a->n && !a->step.factor; }

/* A sum that is one term, or a constant, as what another grows by. */
static bool as_step(const rcp_affine *a, rcp_affine_term *step) {
    if (a->step.factor || a->n > 1 || (a->n && a->constant))
        return false;
    *step = a->n ? a->terms[0] : (rcp_affine_term){.factor = a->constant};
    return true;
}

static bool of_binary(rcp_affine_scope *s, LLVMValueRef i, rcp_affine *result, unsigned depth) {
    rcp_affine left, right;
    if (!affine_of(s, LLVMGetOperand(i, 0), &left, depth) || !affine_of(s, LLVMGetOperand(i, 1), &right, depth))
        return false;
    *result = (rcp_affine){.width = left.width};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd: return add(result, &left, 1) && add(result, &right, 1);
    case LLVMSub: return add(result, &left, 1) && add(result, &right, -1);
    case LLVMShl:
        return is_constant(&right) && right.constant >= 0 && right.constant < 32 &&
               add(result, &left, INT64_C(1) << right.constant);
    case LLVMMul: break;
    default: return false;
    }
    if (is_constant(&right))
        return add(result, &left, right.constant);
    if (is_constant(&left))
        return add(result, &right, left.constant);
    /* A counter that begins with a constant, times something that does not change. */
    const rcp_affine *counter = left.step.factor ? &left : &right, *by = left.step.factor ? &right : &left;
    rcp_affine_term unit;
    if (counter->n || counter->step.value || left.width != 64 || !as_step(by, &unit) || !unit.value)
        return false;
    return add_term(result, unit, counter->constant) && add_step(result, unit, counter->step.factor);
}

static bool same(const rcp_affine *a, const rcp_affine *b) {
    return rcp_affine_is_parallel(a, b) && a->constant == b->constant;
}

/* An extension: what is narrower is taken for the sum in 64 bits, and that is to be asked. */
static bool extend(rcp_affine_scope *s, rcp_affine *a, bool is_signed) {
    unsigned width = a->width;
    if (a->step.value)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (width_of(LLVMTypeOf(a->terms[i].value)) == width)
            a->terms[i].is_signed = is_signed;
    a->width = 64;
    rcp_affine_check check = {*a, width, is_signed};
    for (size_t i = 0; i < s->checks.len; i++)
        if (s->checks.at[i].width == width && s->checks.at[i].is_signed == is_signed && same(&s->checks.at[i].sum, a))
            return true;
    rcp_vec_push(&s->checks, check);
    return true;
}

/* Both extended sums are of 64 bits; those of a width between are so too, and what is kept of them is asked above. */
static bool of_extension(rcp_affine_scope *s, LLVMValueRef i, rcp_affine *result, unsigned depth) {
    if (!affine_of(s, LLVMGetOperand(i, 0), result, depth) ||
        !extend(s, result, LLVMGetInstructionOpcode(i) == LLVMSExt))
        return false;
    result->width = width_of(LLVMTypeOf(i));
    return true;
}

/* What an index adds, in bytes. */
static bool add_index(rcp_affine_scope *s, rcp_affine *result, LLVMValueRef index, uint64_t size, unsigned depth) {
    rcp_affine a;
    if (size >> 31 || !affine_of(s, index, &a, depth))
        return false;
    if (a.width < 64 && !extend(s, &a, true))
        return false;
    return add(result, &a, (int64_t)size);
}

static bool add_indices(rcp_affine_scope *s, LLVMValueRef gep, rcp_affine *result, unsigned depth) {
    LLVMTargetDataRef layout = s->unit->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(gep); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (i == 1) {
            if (!add_index(s, result, index, LLVMABISizeOfType(layout, type), depth))
                return false;
            continue;
        }
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            uint64_t offset = LLVMOffsetOfElement(layout, type, field);
            if (offset >> 31 || !fits(result->constant + (int64_t)offset))
                return false;
            result->constant += (int64_t)offset;
            type = LLVMStructGetTypeAtIndex(type, field);
        } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            if (!add_index(s, result, index, LLVMABISizeOfType(layout, type), depth))
                return false;
        } else {
            return false;
        }
    }
    return true;
}

/* A phi of the loop's head that the loop adds the same to each time. */
static bool of_counter(rcp_affine_scope *s, LLVMValueRef phi, rcp_affine *result, unsigned depth) {
    const rcp_loop *loop = s->loop;
    if (LLVMGetInstructionParent(phi) != loop->blocks[0] || LLVMCountIncoming(phi) != 2)
        return false;
    unsigned back = LLVMGetIncomingBlock(phi, 1) == loop->latch;
    LLVMValueRef first = LLVMGetIncomingValue(phi, !back), next = LLVMGetIncomingValue(phi, back);
    if (!rcp_loop_has(loop, next) || !affine_of(s, first, result, depth))
        return false;
    rcp_affine grows = {.width = result->width}, other;
    switch (LLVMGetInstructionOpcode(next)) {
    case LLVMAdd:
    case LLVMSub: {
        bool minus = LLVMGetInstructionOpcode(next) == LLVMSub, second = LLVMGetOperand(next, 0) == phi;
        if ((!second && (minus || LLVMGetOperand(next, 1) != phi)) || LLVMGetOperand(next, second) == phi ||
            !affine_of(s, LLVMGetOperand(next, second), &other, depth) || !add(&grows, &other, minus ? -1 : 1))
            return false;
        break;
    }
    case LLVMGetElementPtr:
        if (LLVMGetOperand(next, 0) != phi || !add_indices(s, next, &grows, depth))
            return false;
        break;
    default: return false;
    }
    rcp_affine_term step;
    if (!as_step(&grows, &step) || (step.value && result->width != 64))
        return false;
    return add_step(result, step, 1);
}

static bool structure_of(rcp_affine_scope *s, LLVMValueRef value, rcp_affine *result, unsigned depth) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI: return of_counter(s, value, result, depth);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: return of_binary(s, value, result, depth);
    case LLVMSExt:
    case LLVMZExt: return of_extension(s, value, result, depth);
    case LLVMGetElementPtr:
        return affine_of(s, LLVMGetOperand(value, 0), result, depth) && add_indices(s, value, result, depth);
    default: return false;
    }
}

static bool affine_of(rcp_affine_scope *s, LLVMValueRef value, rcp_affine *result, unsigned depth) {
    unsigned width = width_of(LLVMTypeOf(value));
    if (!width || depth > DEPTH_MAX || s->work++ > WORK_MAX)
        return false;
    *result = (rcp_affine){.width = width};
    if (LLVMIsAConstantInt(value)) {
        result->constant = LLVMConstIntGetSExtValue(value);
        return fits(result->constant);
    }
    size_t checks = s->checks.len;
    if (rcp_loop_has(s->loop, value) && structure_of(s, value, result, depth + 1))
        return true;
    s->checks.len = checks;
    if (LLVMIsAUndefValue(value) || !is_movable(s, value, 0))
        return false;
    *result = (rcp_affine){.width = width, .n = 1, .terms = {{.value = value, .is_signed = true, .factor = 1}}};
    return true;
}

bool rcp_affine_of(rcp_affine_scope *scope, LLVMValueRef value, rcp_affine *result) {
    return affine_of(scope, value, result, 0);
}

bool rcp_affine_is_parallel(const rcp_affine *a, const rcp_affine *b) {
    if (a->width != b->width || a->n != b->n || a->step.factor != b->step.factor ||
        (a->step.factor && !rcp_affine_same_term(&a->step, &b->step)))
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        bool found = false;
        for (unsigned j = 0; j < b->n; j++)
            found |= rcp_affine_same_term(&a->terms[i], &b->terms[j]) && a->terms[i].factor == b->terms[j].factor;
        if (!found)
            return false;
    }
    return true;
}

/* The value in front of the loop. */
static LLVMValueRef moved(const rcp_loop *loop, LLVMBuilderRef builder, LLVMValueRef value) {
    if (!rcp_loop_has(loop, value))
        return value;
    unsigned n = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < n; i++)
        LLVMSetOperand(copy, i, moved(loop, builder, LLVMGetOperand(value, i)));
    LLVMInsertIntoBuilder(builder, copy);
    return copy;
}

LLVMValueRef rcp_affine_build_term(rcp_affine_scope *s, LLVMBuilderRef b, const rcp_affine_term *term, unsigned width) {
    LLVMTypeRef type = LLVMIntTypeInContext(s->unit->context, width);
    LLVMValueRef factor = LLVMConstInt(type, (uint64_t)term->factor, true);
    if (!term->value)
        return factor;
    LLVMValueRef value = moved(s->loop, b, term->value);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(b, value, s->unit->i64, "");
    value = LLVMBuildIntCast2(b, value, type, term->is_signed, "");
    return term->factor == 1 ? value : LLVMBuildMul(b, value, factor, "");
}

LLVMValueRef rcp_affine_build(rcp_affine_scope *s, LLVMBuilderRef b, const rcp_affine *a) {
    LLVMTypeRef type = LLVMIntTypeInContext(s->unit->context, a->width);
    LLVMValueRef sum = LLVMConstInt(type, (uint64_t)a->constant, true);
    for (unsigned i = 0; i < a->n; i++) {
        LLVMValueRef term = rcp_affine_build_term(s, b, &a->terms[i], a->width);
        sum = LLVMIsNull(sum) ? term : LLVMBuildAdd(b, term, sum, "");
    }
    return sum;
}

bool rcp_affine_is_address(const rcp_affine *a) {
    unsigned pointers = 0;
    for (unsigned i = 0; i < a->n; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(a->terms[i].value)) == LLVMPointerTypeKind)
            pointers += a->terms[i].factor == 1 ? 1 : 2;
    return pointers == 1;
}
