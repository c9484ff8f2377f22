/* SPDX-License-Identifier: Apache-2.0 */
/* Constants: known once the addresses of the image are. */
#include "program/ir/state.h"

#include <string.h>

/* LLVM-C hands out 64 bits of an integer; wider ones are read from how LLVM prints them: "i128 -12". */
static void wide_integer(LLVMValueRef constant, uint64_t *words) {
    char *text = LLVMPrintValueToString(constant), *at = strchr(text, ' ');
    unsigned __int128 value = 0;
    bool negative = at && at[1] == '-';
    for (at = at ? at + 1 + negative : text + strlen(text); *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (unsigned)(*at - '0');
    if (at[0] == 't') /* i1 true can't be wide; kept for LLVM's printing of it */
        value = 1;
    if (negative)
        value = -value;
    LLVMDisposeMessage(text);
    words[0] = (uint64_t)value;
    words[1] = (uint64_t)(value >> 64);
}

static bool integer(LLVMValueRef constant, uint64_t *words) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(constant));
    if (bits <= 64)
        words[0] = LLVMConstIntGetZExtValue(constant);
    else {
        wide_integer(constant, words);
        if (bits < 128)
            words[1] &= rcp_mask(bits - 64);
    }
    return true;
}

/* The bits of a float, by LLVM's own folding. */
static bool real(rcp_decoding *d, LLVMValueRef constant, uint64_t *words) {
    uint32_t bits = RCP_SCALAR_BITS(rcp_scalar_of(d, LLVMTypeOf(constant)));
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(constant));
    LLVMValueRef as_integer = LLVMConstBitCast(constant, LLVMIntTypeInContext(context, bits));
    return LLVMIsAConstantInt(as_integer) && integer(as_integer, words);
}

static bool address(rcp_decoding *d, LLVMValueRef global, uint64_t *words) {
    for (LLVMValueRef alias; (alias = LLVMIsAGlobalAlias(global));)
        global = LLVMAliasGetAliasee(alias);
    if (!LLVMIsAGlobalValue(global))
        return rcp_decode_constant(d, global, words, 1);
    words[0] = rcp_unit_address(d->unit, global);
    uint32_t index = rcp_map_get(&d->unit->symbol_index, (uint64_t)(uintptr_t)global);
    if (index == RCP_MAP_NONE) {
        size_t len;
        rcp_refuse_decode(d, "the address of '%s', which the image does not have", LLVMGetValueName2(global, &len));
        return false;
    }
    return true;
}

static bool block_address(rcp_decoding *d, LLVMValueRef constant, uint64_t *words) {
    uint32_t index = rcp_map_get(&d->unit->block_index, (uint64_t)(uintptr_t)LLVMGetBlockAddressBasicBlock(constant));
    if (index == RCP_MAP_NONE) {
        rcp_refuse_decode(d, "the address of a block that no indirect branch goes to");
        return false;
    }
    words[0] = d->unit->block_addresses[index];
    return true;
}

static bool element_pointer(rcp_decoding *d, LLVMValueRef expression, uint64_t *words) {
    if (!rcp_decode_constant(d, LLVMGetOperand(expression, 0), words, 1))
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(expression);
    for (int i = 1, n = LLVMGetNumOperands(expression); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(expression, (unsigned)i);
        if (!LLVMIsAConstantInt(index)) {
            rcp_refuse_decode(d, "a constant address with an index that is none");
            return false;
        }
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            words[0] += LLVMOffsetOfElement(d->data, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        words[0] += (uint64_t)LLVMConstIntGetSExtValue(index) * LLVMABISizeOfType(d->data, type);
    }
    return true;
}

static bool expression(rcp_decoding *d, LLVMValueRef constant, uint64_t *words, uint32_t n) {
    uint64_t a[2] = {0}, b[2] = {0};
    LLVMOpcode op = LLVMGetConstOpcode(constant);
    if (n != 1) {
        rcp_refuse_decode(d, "a constant expression of several parts");
        return false;
    }
    uint64_t mask = rcp_mask(RCP_SCALAR_BITS(rcp_scalar_of(d, LLVMTypeOf(constant))));
    if (op == LLVMGetElementPtr)
        return element_pointer(d, constant, words);
    if (rcp_slots_of(d, LLVMTypeOf(LLVMGetOperand(constant, 0))) > 2 ||
        !rcp_decode_constant(d, LLVMGetOperand(constant, 0), a,
                             rcp_slots_of(d, LLVMTypeOf(LLVMGetOperand(constant, 0)))))
        return false;
    switch (op) {
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMTrunc: words[0] = a[0] & mask; return true;
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        if (!rcp_decode_constant(d, LLVMGetOperand(constant, 1), b, 1))
            return false;
        words[0] = (op == LLVMAdd ? a[0] + b[0] : op == LLVMSub ? a[0] - b[0] : a[0] ^ b[0]) & mask;
        return true;
    default: rcp_refuse_decode(d, "a constant expression (LLVM's instruction %d)", (int)op); return false;
    }
}

bool rcp_decode_constant(rcp_decoding *d, LLVMValueRef constant, uint64_t *words, uint32_t n) {
    memset(words, 0, n * sizeof *words);
    if (LLVMIsAConstantPointerNull(constant) || LLVMIsAConstantAggregateZero(constant) || LLVMIsUndef(constant) ||
        LLVMIsPoison(constant))
        return true;
    if (LLVMIsAConstantInt(constant))
        return integer(constant, words);
    if (LLVMIsAConstantFP(constant))
        return real(d, constant, words);
    if (LLVMIsAGlobalValue(constant))
        return address(d, constant, words);
    if (LLVMIsABlockAddress(constant))
        return block_address(d, constant, words);
    if (LLVMIsAConstantExpr(constant))
        return expression(d, constant, words, n);
    uint32_t done = 0;
    for (unsigned i = 0; done < n; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(constant, i);
        if (!element) {
            rcp_refuse_decode(d, "a constant of a kind that is not modelled");
            return false;
        }
        uint32_t slots = rcp_slots_of(d, LLVMTypeOf(element));
        if (slots > n - done || (slots && !rcp_decode_constant(d, element, words + done, slots)))
            return false;
        done += slots;
    }
    return true;
}
