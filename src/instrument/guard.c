/* SPDX-License-Identifier: Apache-2.0 */
/* In front of a region: may its copy run? First what costs nothing and touches no memory of the program's (how many
 * iterations, does anything wrap around, are they all allowed now), then the bytes that it will load. */
#include "abi/shadow.h"
#include "instrument/region.h"

#include <llvm-c/DebugInfo.h>

#define MORE_MAX   (INT64_C(1) << 24) /* iterations: times a step they fit 64 bits */
#define STEP_RANGE (INT64_C(1) << 24) /* of a step that is known at run time alone */
#define WORTH_IT   8                  /* accesses at least */
#define FEW        3                  /* iterations after the first, where their number is known at run time alone */
#define INLINE_MAX 24                 /* comparisons of up to 8 bytes, of a group */
#define SPAN_SMALL 65536              /* no object lies across a multiple of the key */

typedef struct guard {
    rcp_region *r;
    rcp_pass_unit *unit;
    LLVMBuilderRef b;
    LLVMValueRef all; /* of what was asked so far, an i1 */
} guard;

static bool is_number(LLVMValueRef v) { return LLVMIsAConstantInt(v); }
static int64_t number(LLVMValueRef v) { return LLVMConstIntGetSExtValue(v); }
static LLVMValueRef i64(const guard *g, int64_t value) { return LLVMConstInt(g->unit->i64, (uint64_t)value, true); }

static void ask(guard *g, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef now = LLVMBuildICmp(g->b, p, a, b, "");
    g->all = g->all ? LLVMBuildAnd(g->b, g->all, now, "") : now;
}

static int64_t size_of(int64_t step) { return step < 0 ? -step : step; }

/* Divided by the size of the step, upwards where `up`. */
static LLVMValueRef divided(guard *g, LLVMValueRef distance, int64_t by, bool up) {
    LLVMBuilderRef b = g->b;
    LLVMValueRef wide = LLVMBuildZExt(b, distance, g->unit->i64, "");
    if (by == 1)
        return wide;
    if (up) {
        ask(g, LLVMIntULT, wide, i64(g, MORE_MAX << 21)); /* the sum does not wrap around */
        wide = LLVMBuildAdd(b, wide, i64(g, by - 1), "");
    }
    return LLVMBuildUDiv(b, wide, i64(g, by), "");
}

/* How many iterations come after the first: left = first + k * step, and the loop goes on while left ? right. NULL: no
 * loop that we know. What is asked makes sure that `left` gets there without wrapping around. */
static LLVMValueRef count(guard *g) {
    rcp_region *r = g->r;
    LLVMBuilderRef b = g->b;
    int64_t step = r->left.step.factor, by = size_of(step);
    bool up = step > 0;
    unsigned width = r->left.width;
    LLVMValueRef first = rcp_affine_build(&r->scope, b, &r->left), end = rcp_affine_build(&r->scope, b, &r->right);
    LLVMValueRef distance = up ? LLVMBuildSub(b, end, first, "") : LLVMBuildSub(b, first, end, "");
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMIntPredicate p = r->predicate;
    if (p == LLVMIntNE) {
        if (by & (by - 1))
            return NULL;
        if (by > 1)
            ask(g, LLVMIntEQ, LLVMBuildAnd(b, distance, LLVMConstInt(type, (uint64_t)by - 1, false), ""),
                LLVMConstNull(type));
        return divided(g, distance, by, false);
    }
    bool is_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
    bool equal = p == LLVMIntSLE || p == LLVMIntULE || p == LLVMIntSGE || p == LLVMIntUGE;
    bool less = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
    if (p == LLVMIntEQ || less != up || width < 8 || by >> (width - 2))
        return NULL;
    ask(g, p, first, end);
    /* The value that ends the loop is at most this far beyond `end`. */
    uint64_t beyond = (uint64_t)by - (equal ? 0 : 1);
    uint64_t ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    uint64_t highest = is_signed ? ones >> 1 : ones, lowest = is_signed ? highest + 1 : 0;
    if (beyond && up)
        ask(g, is_signed ? LLVMIntSLE : LLVMIntULE, end, LLVMConstInt(type, highest - beyond, false));
    else if (beyond)
        ask(g, is_signed ? LLVMIntSGE : LLVMIntUGE, end, LLVMConstInt(type, (lowest + beyond) & ones, false));
    LLVMValueRef steps = divided(g, distance, by, !equal);
    return equal ? LLVMBuildAdd(b, steps, i64(g, 1), "") : steps;
}

/* A sum of 64 bits is within a narrower type, now and in the last iteration. */
static void ask_range(guard *g, const rcp_affine_check *check) {
    LLVMBuilderRef b = g->b;
    LLVMValueRef value = rcp_affine_build(&g->r->scope, b, &check->sum);
    LLVMValueRef room = i64(g, (int64_t)(UINT64_C(1) << check->width));
    for (int last = 0; last < 2; last++) {
        if (last) {
            if (!check->sum.step.factor)
                break;
            value = LLVMBuildAdd(b, value, LLVMBuildMul(b, g->r->more, i64(g, check->sum.step.factor), ""), "");
        }
        LLVMValueRef moved = value;
        if (check->is_signed)
            moved = LLVMBuildAdd(b, value, i64(g, (int64_t)(UINT64_C(1) << (check->width - 1))), "");
        ask(g, LLVMIntULT, moved, room);
    }
}

/* Where a group's bytes and their shadow are in the first iteration; neither crosses a multiple of the key, so that the
 * shadow's address grows as the address does. Both pointers come from numbers: LLVM knows no object that they would
 * have to stay in. */
static void place_group(guard *g, rcp_region_group *group) {
    LLVMBuilderRef b = g->b;
    LLVMValueRef more = g->r->more, address = rcp_affine_build(&g->r->scope, b, &group->address);
    rcp_affine_term *step = &group->address.step;
    group->step = step->factor ? rcp_affine_build_term(&g->r->scope, b, step, 64) : i64(g, 0);
    if (step->value) {
        rcp_affine_term one = {step->value, step->is_signed, 1};
        LLVMValueRef value = rcp_affine_build_term(&g->r->scope, b, &one, 64);
        ask(g, LLVMIntULT, LLVMBuildAdd(b, value, i64(g, STEP_RANGE), ""), i64(g, 2 * STEP_RANGE));
    }
    bool known = is_number(more) && is_number(group->step);
    if (!known || size_of(number(more) * number(group->step)) >= SPAN_SMALL) {
        LLVMValueRef last = LLVMBuildAdd(b, address, LLVMBuildMul(b, more, group->step, ""), "");
        ask(g, LLVMIntULT, LLVMBuildXor(b, address, last, ""), i64(g, (int64_t)RCP_SHADOW_KEY));
    }
    group->base = LLVMBuildIntToPtr(b, address, g->unit->ptr, "");
    LLVMValueRef flipped = LLVMBuildXor(b, address, i64(g, (int64_t)RCP_SHADOW_KEY), "");
    group->shadow = LLVMBuildIntToPtr(b, flipped, g->unit->ptr, "");
}

/* comparing
 * ------------------------------------------------------------------------------------------------------------ */

typedef struct chunk { /* bytes of a group that an iteration loads, without a gap */
    int64_t offset, size;
} chunk;

/* Those of a group, merged; how many. */
static unsigned chunks_of(const rcp_region *r, unsigned group, chunk *chunks) {
    unsigned n = 0;
    for (unsigned i = 0; i < r->n_accesses; i++) {
        const rcp_region_access *a = &r->accesses[i];
        if (a->group != group || !a->is_load || rcp_emit_is_private(r->emitter, a->instruction))
            continue;
        chunk now = {a->offset, a->size};
        for (unsigned c = 0; c < n;) { /* what it touches becomes part of it */
            int64_t end = chunks[c].offset + chunks[c].size, own = now.offset + now.size;
            if (end < now.offset || own < chunks[c].offset) {
                c++;
                continue;
            }
            int64_t from = chunks[c].offset < now.offset ? chunks[c].offset : now.offset;
            now = (chunk){from, (end > own ? end : own) - from};
            chunks[c] = chunks[--n];
        }
        chunks[n++] = now;
    }
    return n;
}

static LLVMValueRef at(guard *g, LLVMValueRef pointer, LLVMValueRef offset) {
    return is_number(offset) && !number(offset) ? pointer : LLVMBuildGEP2(g->b, g->unit->i8, pointer, &offset, 1, "");
}

static int64_t pieces_of(int64_t bytes) { return bytes / 8 + __builtin_popcountll((uint64_t)bytes & 7); }

/* What differs of a few bytes, as 64 bits. */
static LLVMValueRef differ_here(guard *g, LLVMValueRef pointer, LLVMValueRef shadow, int64_t bytes,
                                LLVMValueRef so_far) {
    LLVMBuilderRef b = g->b;
    for (int64_t done = 0; done < bytes;) {
        int64_t size = 8;
        while (size > bytes - done)
            size /= 2;
        LLVMTypeRef type = LLVMIntTypeInContext(g->unit->context, (unsigned)size * 8);
        LLVMValueRef one = LLVMBuildLoad2(b, type, at(g, pointer, i64(g, done)), "");
        LLVMValueRef other = LLVMBuildLoad2(b, type, at(g, shadow, i64(g, done)), "");
        LLVMSetAlignment(one, 1);
        LLVMSetAlignment(other, 1);
        LLVMValueRef bits = LLVMBuildZExt(b, LLVMBuildXor(b, one, other, ""), g->unit->i64, "");
        so_far = so_far ? LLVMBuildOr(b, so_far, bits, "") : bits;
        done += size;
    }
    return so_far;
}

static LLVMValueRef differ(guard *g, const rcp_region_group *group, chunk c, LLVMValueRef so_far) {
    LLVMBuilderRef b = g->b;
    LLVMValueRef more = g->r->more, offset = i64(g, c.offset);
    bool dense = is_number(group->step) && size_of(number(group->step)) <= c.size;
    LLVMValueRef called;
    if (dense) { /* all iterations together have no gap either */
        int64_t step = number(group->step);
        LLVMValueRef span = LLVMBuildMul(b, more, i64(g, size_of(step)), "");
        LLVMValueRef bytes = LLVMBuildAdd(b, span, i64(g, c.size), "");
        if (step < 0)
            offset = LLVMBuildSub(b, offset, span, "");
        if (is_number(bytes) && pieces_of(number(bytes)) <= INLINE_MAX)
            return differ_here(g, at(g, group->base, offset), at(g, group->shadow, offset), number(bytes), so_far);
        called = RCP_EMIT(g->r->emitter, differ, at(g, group->base, offset), at(g, group->shadow, offset), bytes);
    } else {
        LLVMValueRef rows = LLVMBuildAdd(b, more, i64(g, 1), "");
        if (is_number(rows) && number(rows) * pieces_of(c.size) <= INLINE_MAX) {
            for (int64_t row = 0; row < number(rows); row++) {
                LLVMValueRef here = LLVMBuildAdd(b, LLVMBuildMul(b, group->step, i64(g, row), ""), offset, "");
                so_far = differ_here(g, at(g, group->base, here), at(g, group->shadow, here), c.size, so_far);
            }
            return so_far;
        }
        called = RCP_EMIT(g->r->emitter, differ_rows, at(g, group->base, offset), at(g, group->shadow, offset),
                          i64(g, c.size), group->step, rows);
    }
    return so_far ? LLVMBuildOr(b, so_far, called, "") : called;
}

static LLVMValueRef differ_all(guard *g) {
    LLVMValueRef so_far = NULL;
    for (unsigned i = 0; i < g->r->n_groups; i++) {
        chunk chunks[RCP_REGION_ACCESSES];
        unsigned n = chunks_of(g->r, i, chunks);
        for (unsigned c = 0; c < n; c++)
            so_far = differ(g, &g->r->groups[i], chunks[c], so_far);
    }
    return so_far;
}

/* The loop's own phis, on a way in more. */
static void add_way_in(const rcp_loop *loop, LLVMBasicBlockRef from) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[0]); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++)
            if (LLVMGetIncomingBlock(i, n) == loop->before) {
                LLVMValueRef value = LLVMGetIncomingValue(i, n);
                LLVMAddIncoming(i, &value, &from, 1);
                break;
            }
}

static void mark_likely(guard *g, LLVMValueRef branch) {
    LLVMContextRef context = g->unit->context;
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, "branch_weights", 14),
                               LLVMValueAsMetadata(LLVMConstInt(g->unit->i32, 2000, false)),
                               LLVMValueAsMetadata(LLVMConstInt(g->unit->i32, 1, false))};
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "prof", 4),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, parts, 3)));
}

/* All that can be asked without touching memory. False: the answer is no, whatever comes. */
static bool ask_first(guard *g) {
    rcp_region *r = g->r;
    r->more = count(g);
    if (!r->more)
        return false;
    if (is_number(r->more)) {
        int64_t more = number(r->more);
        if (more < 1 || more >= MORE_MAX || (more + 1) * r->n_accesses < WORTH_IT)
            return false;
    } else {
        ask(g, LLVMIntULT, LLVMBuildSub(g->b, r->more, i64(g, FEW), ""), i64(g, MORE_MAX - FEW));
    }
    for (size_t i = 0; i < r->scope.checks.len; i++)
        ask_range(g, &r->scope.checks.at[i]);
    for (unsigned i = 0; i < r->n_groups; i++)
        place_group(g, &r->groups[i]);
    return !(g->all && LLVMIsAConstantInt(g->all) && LLVMIsNull(g->all));
}

LLVMBasicBlockRef rcp_region_guard(rcp_region *r, LLVMValueRef *whole) {
    rcp_emitter *e = r->emitter;
    LLVMValueRef into = LLVMGetBasicBlockTerminator(r->loop->before);
    guard g = {.r = r, .unit = e->unit, .b = e->builder};
    rcp_emit_before(e, into);
    if (!ask_first(&g))
        return NULL;
    LLVMBasicBlockRef head = r->loop->blocks[0];
    LLVMValueRef iterations = LLVMBuildAdd(g.b, r->more, i64(&g, 1), "");
    *whole = RCP_EMIT(e, ahead, LLVMBuildMul(g.b, iterations, i64(&g, r->events), ""));
    LLVMValueRef may = RCP_EMIT(e, may_pass, *whole);
    if (g.all)
        may = LLVMBuildAnd(g.b, may, g.all, "");
    LLVMBasicBlockRef compare = LLVMInsertBasicBlockInContext(e->unit->context, head, "");
    LLVMBasicBlockRef differs = LLVMInsertBasicBlockInContext(e->unit->context, head, "");
    LLVMBasicBlockRef from = LLVMInsertBasicBlockInContext(e->unit->context, head, "");
    mark_likely(&g, LLVMBuildCondBr(g.b, may, compare, head));
    LLVMInstructionEraseFromParent(into);
    LLVMPositionBuilderAtEnd(g.b, compare);
    RCP_EMIT(e, enter_region, *whole);
    LLVMValueRef different = differ_all(&g);
    if (different) {
        LLVMValueRef same = LLVMBuildICmp(g.b, LLVMIntEQ, different, i64(&g, 0), "");
        mark_likely(&g, LLVMBuildCondBr(g.b, same, from, differs));
        LLVMPositionBuilderAtEnd(g.b, differs);
        RCP_EMIT(e, enter_region, i64(&g, 0));
        LLVMBuildBr(g.b, head);
        add_way_in(r->loop, differs);
    } else {
        LLVMDeleteBasicBlock(differs);
        LLVMBuildBr(g.b, from);
    }
    return from;
}
