/* SPDX-License-Identifier: Apache-2.0 */
/* Writing hooks: calls of inline/hooks.c (linked into the module, inlined later) and of abi/hooks.h, and values as they
 * take them.
 *
 * An emitter serves one module, one function at a time. It owns its builder; everything else is borrowed from the unit.
 */
#ifndef RECIPE_INSTRUMENT_EMIT_H
#define RECIPE_INSTRUMENT_EMIT_H

#include "base/map.h"
#include "base/vec.h"
#include "instrument/unit.h"

/* The functions of inline/hooks.c. */
/* clang-format off */
#define RCP_INLINE_HOOKS(X) \
    X(reserve) X(stop_if) X(stop_detail_if) X(load_8) X(load_16) X(load_32) X(load_64) X(load_ptr) X(load_f32) X(load_f64) X(store_8) \
    X(store_16) X(store_32) X(store_64) X(store_ptr) X(store_f32) X(store_f64) X(exchanged_8) X(exchanged_16) \
    X(exchanged_32) X(exchanged_64) X(load_wide) X(store_wide) X(leave) X(back) X(back_wide) X(resume) X(enter) \
    X(exit_if) X(stack) X(set_stack) X(depth) X(late) X(divide) X(ahead) X(may_pass) X(enter_region) X(begin_region) \
    X(pass) X(differ) X(differ_rows) X(round_if) X(busy)
/* clang-format on */

/* Those of abi/hooks.h that are called as they are. Parameters: q 64 bits, w 32 bits, p a pointer. */
#define RCP_OUTLINE_HOOKS(X)                                                                                           \
    X(copy, "qqq")                                                                                                     \
    X(fill, "qqq")                                                                                                     \
    X(setjmp_returned, "qqqq")                                                                                         \
    X(callback, "qw")                                                                                                  \
    X(argument, "q")                                                                                                   \
    X(argument_wide, "pq")                                                                                             \
    X(entered, "") X(landed, "qwqqqq") X(value, "q") X(branch, "q") X(clock, "pq") X(pause, "")

typedef enum rcp_hook {
#define X(name) RCP_HOOK_##name,
    RCP_INLINE_HOOKS(X)
#undef X
#define X(name, parameters) RCP_HOOK_##name,
        RCP_OUTLINE_HOOKS(X)
#undef X
            RCP_HOOKS
} rcp_hook;

typedef struct rcp_temporary {
    uint64_t size;
    LLVMValueRef alloca;
} rcp_temporary;

typedef struct rcp_emitter {
    rcp_pass_unit *unit;
    LLVMBuilderRef builder;
    LLVMValueRef hooks[RCP_HOOKS];
    LLVMValueRef function;
    RCP_VEC(rcp_temporary) temporaries; /* of the function */
    rcp_map privates;                   /* its loads of what nobody else can reach (privates.h) */
} rcp_emitter;

/* Links the inline hooks into the module. Finish it in any case. */
rcp_code rcp_emitter_init(rcp_emitter *emitter, rcp_pass_unit *unit, const char *inline_hooks) RCP_MUST_USE;
/* Inline hooks that nobody called are gone afterwards. */
void rcp_emitter_finish(rcp_emitter *emitter);
void rcp_emitter_begin(rcp_emitter *emitter, LLVMValueRef function);

/* Is the load of the function's one whose memory need not be compared with its shadow? */
bool rcp_emit_is_private(const rcp_emitter *emitter, LLVMValueRef load);

/* Where the next code goes, with the location of `instruction` for all of it. */
void rcp_emit_before(rcp_emitter *emitter, LLVMValueRef instruction);
void rcp_emit_after(rcp_emitter *emitter, LLVMValueRef instruction);
/* After a block's phis and landing pad. */
void rcp_emit_at_head(rcp_emitter *emitter, LLVMBasicBlockRef block);

LLVMValueRef rcp_emit_hook(rcp_emitter *emitter, rcp_hook hook, LLVMValueRef *arguments, unsigned n);
#define RCP_EMIT(emitter, hook, ...)                                                                                   \
    rcp_emit_hook(emitter, RCP_HOOK_##hook, (LLVMValueRef[]){__VA_ARGS__},                                             \
                  sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))

LLVMValueRef rcp_emit_u32(rcp_emitter *emitter, uint32_t value);
LLVMValueRef rcp_emit_u64(rcp_emitter *emitter, uint64_t value);
/* A pointer as a number. */
LLVMValueRef rcp_emit_address(rcp_emitter *emitter, LLVMValueRef pointer);
/* Where the shadow is of what a pointer points to, as a pointer. A constant offset is added after the key's bit was
 * flipped, not before, so that one flipped base serves all fields of a structure: no object lies across a multiple of
 * the key, so it comes to the same. */
LLVMValueRef rcp_emit_shadow(rcp_emitter *emitter, LLVMValueRef pointer);
/* Any value of up to 64 bits as its bits, extended with zeros; NULL: it is wider, or an aggregate. */
LLVMValueRef rcp_emit_bits(rcp_emitter *emitter, LLVMValueRef value);
/* Puts the value into a temporary (on the real stack, good until the next one of its size) and gives its address. */
LLVMValueRef rcp_emit_spill(rcp_emitter *emitter, LLVMValueRef value);
/* A stack object of the hooks' own, 16-aligned. */
LLVMValueRef rcp_emit_temporary(rcp_emitter *emitter, uint64_t size);
uint64_t rcp_emit_size(rcp_emitter *emitter, LLVMTypeRef type); /* bytes that a store of it writes */

/* How hooks see an access of this type. */
typedef enum rcp_access { RCP_ACCESS_WIDE, RCP_ACCESS_INT, RCP_ACCESS_PTR, RCP_ACCESS_F32, RCP_ACCESS_F64 } rcp_access;
rcp_access rcp_emit_access(rcp_emitter *emitter, LLVMTypeRef type, unsigned *log2_size);
/* A value of INT access as the integer of its size, and back. */
LLVMValueRef rcp_emit_to_int(rcp_emitter *emitter, LLVMValueRef value, unsigned log2_size);
LLVMValueRef rcp_emit_from_int(rcp_emitter *emitter, LLVMValueRef bits, LLVMTypeRef type);

#endif
