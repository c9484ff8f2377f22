/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/machine_atomics.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_OPERANDS = 12, MOST_INSTRUCTIONS = 2, MOST_WORDS = 2, NONE = -1 };

/* A piece of a text that somebody else owns. */
typedef struct piece {
    const char *at;
    size_t n;
} piece;

static bool is_word(piece p, const char *word) { return p.n == strlen(word) && !memcmp(p.at, word, p.n); }

static piece trim(piece p) {
    while (p.n && isspace((unsigned char)*p.at))
        p.at++, p.n--;
    while (p.n && isspace((unsigned char)p.at[p.n - 1]))
        p.n--;
    return p;
}

/* Takes from `rest` what comes before one of these characters, and that. */
static piece take_until(piece *rest, const char *ends) {
    piece first = {rest->at, 0};
    while (first.n < rest->n && !strchr(ends, rest->at[first.n]))
        first.n++;
    const size_t gone = first.n + (first.n < rest->n);
    rest->at += gone;
    rest->n -= gone;
    return trim(first);
}

/* --- operands --- */

typedef struct operand {
    piece how; /* its constraint, without what says that it is an output, or memory */
    bool is_output, is_memory;
    int tied;           /* an input: to which output; NONE */
    int result;         /* an output that is no memory: which part of the call's result */
    LLVMValueRef value; /* of an input; of memory its address */
    LLVMTypeRef type;   /* of the value, or of what is at the address */
    LLVMValueRef left;  /* of an output that is no memory: what the instruction leaves in it; NULL: not known */
} operand;

typedef struct assembly {
    LLVMValueRef call;
    operand at[MOST_OPERANDS];
    int n, results;
} assembly;

static LLVMTypeRef pointed_type(LLVMValueRef call, unsigned argument) {
    static const char name[] = "elementtype";
    LLVMAttributeRef is =
        LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
    return is ? LLVMGetTypeAttributeValue(is) : NULL;
}

static LLVMTypeRef result_type(const assembly *a, int which) {
    LLVMTypeRef all = LLVMTypeOf(a->call);
    return a->results == 1 ? all : LLVMStructGetTypeAtIndex(all, (unsigned)which);
}

/* Outputs come first, then inputs; arguments of the call are the outputs in memory and the inputs, in this order. */
static bool read_operands(assembly *a, LLVMValueRef callee) {
    piece rest = {0};
    unsigned argument = 0;
    rest.at = LLVMGetInlineAsmConstraintString(callee, &rest.n);
    while (rest.n) {
        piece how = take_until(&rest, ",");
        if (how.n && *how.at == '~') /* what it leaves undefined */
            continue;
        if (a->n == MOST_OPERANDS)
            return false;
        operand *o = &a->at[a->n++];
        *o = (operand){.tied = NONE, .result = NONE};
        for (; how.n && strchr("=&*%", *how.at); how.at++, how.n--) {
            o->is_output |= *how.at == '=';
            o->is_memory |= *how.at == '*';
        }
        o->how = how;
        if (!o->is_output && how.n == 1 && isdigit((unsigned char)*how.at))
            o->tied = *how.at - '0';
        if (o->is_output && !o->is_memory) {
            o->result = a->results++;
            continue;
        }
        o->value = LLVMGetArgOperand(a->call, argument);
        o->type = o->is_memory ? pointed_type(a->call, argument) : LLVMTypeOf(o->value);
        argument++;
        if (!o->type)
            return false;
    }
    for (int i = 0; i < a->n; i++)
        if (a->at[i].result != NONE)
            a->at[i].type = result_type(a, a->at[i].result);
    return argument == LLVMGetNumArgOperands(a->call);
}

/* "$2"; NULL: something else. */
static operand *operand_of(assembly *a, piece text) {
    int number = 0;
    if (text.n < 2 || *text.at != '$')
        return NULL;
    for (size_t i = 1; i < text.n; i++) {
        if (!isdigit((unsigned char)text.at[i]) || number >= MOST_OPERANDS)
            return NULL;
        number = 10 * number + (text.at[i] - '0');
    }
    return number < a->n ? &a->at[number] : NULL;
}

/* What is in a register when the instruction begins: given to it, or to the output that is the same register. */
static LLVMValueRef value_in(const assembly *a, const operand *o) {
    if (!o->is_output)
        return o->value;
    for (int i = 0; i < a->n; i++)
        if (a->at[i].tied == (int)(o - a->at))
            return a->at[i].value;
    return NULL;
}

/* The operand whose register is rax; of inputs, or of outputs. */
static operand *accumulator(assembly *a, bool is_output) {
    for (int i = 0; i < a->n; i++)
        if (a->at[i].is_output == is_output && !a->at[i].is_memory && is_word(a->at[i].how, "{ax}"))
            return &a->at[i];
    return NULL;
}

/* --- instructions --- */

typedef enum operation { COMPARE, EXCHANGE, EXCHANGE_ADD, INCREMENT, DECREMENT, ADD, SUBTRACT, AND, OR, XOR } operation;
static const char *const names[] = {"cmpxchg", "xchg", "xadd", "inc", "dec", "add", "sub", "and", "or", "xor"};

typedef struct instruction {
    piece name, words[MOST_WORDS];
    size_t n;
} instruction;

static bool read_instruction(piece text, instruction *to) {
    piece rest = text;
    *to = (instruction){.name = take_until(&rest, " \t")};
    for (rest = trim(rest); rest.n;) {
        if (to->n == MOST_WORDS)
            return false;
        to->words[to->n++] = take_until(&rest, ",");
    }
    return true;
}

/* One that is locked, and one that looks at a flag which it has left. */
static bool read_text(LLVMValueRef callee, instruction all[MOST_INSTRUCTIONS], size_t *n, bool *is_locked) {
    piece rest = {0};
    rest.at = LLVMGetInlineAsmAsmString(callee, &rest.n);
    *n = 0;
    *is_locked = false;
    while (rest.n) {
        piece text = take_until(&rest, ";\n");
        if (text.n >= 4 && !memcmp(text.at, "lock", 4) && (text.n == 4 || isspace((unsigned char)text.at[4]))) {
            if (*n || *is_locked)
                return false;
            *is_locked = true;
            text = trim((piece){text.at + 4, text.n - 4});
        }
        if (!text.n)
            continue;
        if (*n == MOST_INSTRUCTIONS || !read_instruction(text, &all[*n]))
            return false;
        ++*n;
    }
    return *n > 0;
}

/* `bits`: what its name says of them; 0: nothing. */
static bool read_name(piece name, operation *is, unsigned *bits) {
    static const char suffixes[] = "bwlq";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (name.n < n || name.n > n + 1 || memcmp(name.at, names[i], n) != 0)
            continue;
        const char *suffix = name.n > n ? memchr(suffixes, name.at[n], sizeof suffixes - 1) : NULL;
        if (name.n > n && !suffix)
            continue;
        *is = (operation)i;
        *bits = suffix ? 8u << (suffix - suffixes) : 0;
        return true;
    }
    return false;
}

/* --- what stands in for it --- */

typedef struct building {
    rcp_pass_unit *unit;
    LLVMBuilderRef b;
    assembly a;
    operand *memory;
    LLVMTypeRef type;        /* of what is there, as a number */
    LLVMValueRef old, after; /* what was there, and is then; of a comparison that fails the same */
    LLVMValueRef is_done;    /* of a comparison */
} building;

static unsigned bits_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind   ? 64
           : LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type)
                                                          : 0;
}

/* A number as wide as what is there; NULL: it is none. */
static LLVMValueRef number_of(const building *to, LLVMValueRef value) {
    if (!value || bits_of(LLVMTypeOf(value)) != LLVMGetIntTypeWidth(to->type))
        return NULL;
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(to->b, value, to->type, "")
                                                                     : value;
}

/* Is it in a register, or, where that is allowed, a number? */
static bool is_no_memory(const operand *o, bool may_be_number) {
    static const char registers[] = "rqQRabcdSDl", numbers[] = "ienIJKLMNOZ";
    bool is = o->tied != NONE || (o->how.n && *o->how.at == '{');
    for (size_t i = 0; !is && i < o->how.n; i++)
        if (!strchr(registers, o->how.at[i]) && !(may_be_number && strchr(numbers, o->how.at[i])))
            return false;
    return is || o->how.n;
}

/* "$$5", or an operand. A number has no width but what the instruction's name says, and one that begins with 0 is no
 * decimal. */
static LLVMValueRef source_of(building *to, piece text, bool is_width_known) {
    const operand *o = operand_of(&to->a, text);
    if (o)
        return o->is_memory || !is_no_memory(o, is_width_known) ? NULL : number_of(to, value_in(&to->a, o));
    if (!is_width_known || text.n < 3 || text.n > 10 || memcmp(text.at, "$$", 2) != 0 ||
        (text.n > 3 && text.at[2] == '0'))
        return NULL;
    unsigned long long number = 0;
    for (size_t i = 2; i < text.n; i++) {
        if (!isdigit((unsigned char)text.at[i]))
            return NULL;
        number = 10 * number + (unsigned long long)(text.at[i] - '0');
    }
    return LLVMConstInt(to->type, number, false);
}

static bool build_comparison(building *to, piece source) {
    operand *leaves = accumulator(&to->a, true), *given = leaves ? NULL : accumulator(&to->a, false);
    LLVMValueRef expected = number_of(to, leaves ? value_in(&to->a, leaves) : given ? given->value : NULL);
    if (leaves && !expected && accumulator(&to->a, false))
        expected = number_of(to, accumulator(&to->a, false)->value);
    LLVMValueRef desired = source_of(to, source, false);
    if (!expected || !desired)
        return false;
    LLVMValueRef both =
        LLVMBuildAtomicCmpXchg(to->b, to->memory->value, expected, desired, LLVMAtomicOrderingSequentiallyConsistent,
                               LLVMAtomicOrderingSequentiallyConsistent, false);
    to->old = LLVMBuildExtractValue(to->b, both, 0, "");
    to->is_done = LLVMBuildExtractValue(to->b, both, 1, "");
    if (leaves)
        leaves->left = to->old; /* also where it is what was expected */
    return true;
}

static LLVMValueRef build_update(const building *to, LLVMAtomicRMWBinOp op, LLVMValueRef value) {
    return LLVMBuildAtomicRMW(to->b, op, to->memory->value, value, LLVMAtomicOrderingSequentiallyConsistent, false);
}

/* xchg and xadd leave in their register what was there. */
static bool build_exchange(building *to, piece source, bool is_sum) {
    operand *o = operand_of(&to->a, source);
    LLVMValueRef value = o && o->is_output && !o->is_memory ? number_of(to, value_in(&to->a, o)) : NULL;
    if (!value)
        return false;
    o->left = to->old = build_update(to, is_sum ? LLVMAtomicRMWBinOpAdd : LLVMAtomicRMWBinOpXchg, value);
    to->after = is_sum ? LLVMBuildAdd(to->b, to->old, value, "") : NULL;
    return true;
}

static bool build_arithmetic(building *to, operation is, LLVMValueRef value) {
    if (!value)
        return false;
    switch (is) {
    case INCREMENT:
    case ADD:
        to->old = build_update(to, LLVMAtomicRMWBinOpAdd, value);
        to->after = LLVMBuildAdd(to->b, to->old, value, "");
        return true;
    case DECREMENT:
    case SUBTRACT:
        to->old = build_update(to, LLVMAtomicRMWBinOpSub, value);
        to->after = LLVMBuildSub(to->b, to->old, value, "");
        return true;
    case AND:
        to->old = build_update(to, LLVMAtomicRMWBinOpAnd, value);
        to->after = LLVMBuildAnd(to->b, to->old, value, "");
        return true;
    case OR:
        to->old = build_update(to, LLVMAtomicRMWBinOpOr, value);
        to->after = LLVMBuildOr(to->b, to->old, value, "");
        return true;
    case XOR:
        to->old = build_update(to, LLVMAtomicRMWBinOpXor, value);
        to->after = LLVMBuildXor(to->b, to->old, value, "");
        return true;
    default: return false;
    }
}

/* The only operand in memory that the instruction names, and its place among the words. */
static bool find_memory(building *to, const instruction *i, size_t *place) {
    for (size_t k = 0; k < i->n; k++) {
        operand *o = operand_of(&to->a, i->words[k]);
        if (!o || !o->is_memory)
            continue;
        if (to->memory)
            return false;
        to->memory = o;
        *place = k;
    }
    const bool is_surely =
        to->memory && to->memory->is_output && (is_word(to->memory->how, "m") || is_word(to->memory->how, "o"));
    for (int k = 0; is_surely && k < to->a.n; k++)
        if (to->a.at[k].tied == (int)(to->memory - to->a.at))
            return false;
    if (!is_surely)
        return false;
    const unsigned bits = bits_of(to->memory->type);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return false;
    to->type = LLVMIntTypeInContext(to->unit->context, bits);
    return true;
}

static bool build_instruction(building *to, const instruction *i, bool is_locked) {
    operation is;
    unsigned bits;
    size_t place = 0;
    if (!read_name(i->name, &is, &bits) || (!is_locked && is != EXCHANGE) || !find_memory(to, i, &place) ||
        (bits && bits != LLVMGetIntTypeWidth(to->type)))
        return false;
    if (is == INCREMENT || is == DECREMENT)
        return i->n == 1 && bits && build_arithmetic(to, is, LLVMConstInt(to->type, 1, false));
    if (i->n != 2 || (place != 1 && is != EXCHANGE)) /* the target comes last */
        return false;
    const piece source = i->words[!place];
    return is == COMPARE                          ? build_comparison(to, source)
           : is == EXCHANGE || is == EXCHANGE_ADD ? build_exchange(to, source, is == EXCHANGE_ADD)
                                                  : build_arithmetic(to, is, source_of(to, source, bits != 0));
}

/* --- flags --- */

/* "z", "ne", "s": NULL where the instruction leaves no such flag, or that is not known here. */
static LLVMValueRef build_flag(const building *to, piece name) {
    const bool is_zero = is_word(name, "e") || is_word(name, "z"),
               is_other = is_word(name, "ne") || is_word(name, "nz");
    if (to->is_done)
        return is_zero ? to->is_done : is_other ? LLVMBuildNot(to->b, to->is_done, "") : NULL;
    LLVMValueRef zero = LLVMConstNull(to->type);
    if (!to->after || !(is_zero || is_other || is_word(name, "s")))
        return NULL;
    return LLVMBuildICmp(to->b, is_zero ? LLVMIntEQ : is_other ? LLVMIntNE : LLVMIntSLT, to->after, zero, "");
}

/* "sete $1" */
static bool build_set(building *to, const instruction *i) {
    operand *o = i->n == 1 ? operand_of(&to->a, i->words[0]) : NULL;
    if (i->name.n < 4 || memcmp(i->name.at, "set", 3) != 0 || !o || !o->is_output || bits_of(o->type) != 8 || o->left)
        return false;
    LLVMValueRef flag = build_flag(to, (piece){i->name.at + 3, i->name.n - 3});
    if (!flag)
        return false;
    flag = LLVMBuildZExt(to->b, flag, o->type, "");
    if (o->is_memory)
        LLVMBuildStore(to->b, flag, o->value);
    o->left = flag;
    return true;
}

/* "=@ccz" */
static bool build_flag_output(const building *to, operand *o) {
    static const char begin[] = "{@cc";
    const size_t n = sizeof begin - 1;
    if (o->how.n <= n || memcmp(o->how.at, begin, n) != 0 || LLVMGetTypeKind(o->type) != LLVMIntegerTypeKind)
        return false;
    LLVMValueRef flag = build_flag(to, (piece){o->how.at + n, o->how.n - n - 1});
    if (flag)
        o->left = LLVMBuildZExtOrBitCast(to->b, flag, o->type, "");
    return flag != NULL;
}

/* --- the call --- */

/* The same address, computed once more: "=m"(p->x) : "m"(p->x). */
static bool is_same_address(LLVMValueRef a, LLVMValueRef b) {
    if (a == b || !LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b))
        return a == b;
    bool is = LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b) &&
              LLVMGetNumOperands(a) == LLVMGetNumOperands(b);
    for (int i = 0; is && i < LLVMGetNumOperands(a); i++)
        is = is_same_address(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i));
    return is;
}

/* Is what is left there what the program takes from there? A register may be used with another width. */
static bool fits(const operand *o) {
    return LLVMTypeOf(o->left) == o->type ||
           (LLVMGetTypeKind(o->type) == LLVMPointerTypeKind && bits_of(LLVMTypeOf(o->left)) == bits_of(o->type));
}

/* Memory is that one word, and that of a flag; every output is known. */
static bool is_whole(building *to) {
    for (int i = 0; i < to->a.n; i++) {
        operand *o = &to->a.at[i];
        if (o->is_memory && !is_same_address(o->value, to->memory->value) && !(o->is_output && o->left))
            return false;
        if (o->result != NONE && ((!o->left && !build_flag_output(to, o)) || !fits(o)))
            return false;
    }
    return true;
}

static LLVMValueRef as_type(const building *to, LLVMValueRef value, LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(to->b, value, type, "") : value;
}

static void replace(building *to) {
    LLVMTypeRef type = LLVMTypeOf(to->a.call);
    LLVMValueRef all = to->a.results > 1 ? LLVMGetUndef(type) : NULL;
    for (int i = 0; i < to->a.n; i++) {
        const operand *o = &to->a.at[i];
        if (o->result == NONE)
            continue;
        LLVMValueRef value = as_type(to, o->left, o->type);
        all = to->a.results > 1 ? LLVMBuildInsertValue(to->b, all, value, (unsigned)o->result, "") : value;
    }
    if (all)
        LLVMReplaceAllUsesWith(to->a.call, all);
    LLVMInstructionEraseFromParent(to->a.call);
}

/* What was built for a call that turns out to be another one is taken away again. */
static void take_back(LLVMValueRef before, LLVMValueRef call) {
    for (LLVMValueRef i; (i = LLVMGetPreviousInstruction(call)) != before;)
        LLVMInstructionEraseFromParent(i);
}

static void look_at(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef call) {
    building to = {.unit = unit, .b = b, .a.call = call};
    instruction all[MOST_INSTRUCTIONS];
    size_t n;
    bool is_locked;
    LLVMValueRef callee = LLVMGetCalledValue(call), before = LLVMGetPreviousInstruction(call);
    if (!LLVMIsAInlineAsm(callee) || LLVMGetInlineAsmDialect(callee) != LLVMInlineAsmDialectATT ||
        !read_text(callee, all, &n, &is_locked) || !read_operands(&to.a, callee))
        return;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    /* for all models: an atomic access orders by its own word alone, a locked instruction whatever it is at */
    LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    if (build_instruction(&to, &all[0], is_locked) && (n == 1 || build_set(&to, &all[1])) && is_whole(&to))
        replace(&to);
    else
        take_back(before, call);
}

void rcp_machine_atomics_replace(rcp_pass_unit *unit) {
    if (unit->arch != RCP_ARCH_X86_64)
        return;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsACallInst(i))
                    look_at(unit, builder, i);
            }
    LLVMDisposeBuilder(builder);
}
