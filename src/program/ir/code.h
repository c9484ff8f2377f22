/* SPDX-License-Identifier: Apache-2.0 */
/* The form in which code is re-executed: compact instructions over slots, decoded from LLVM once per function.
 *
 * A slot is 64 bits. A value of the IR is a row of slots: integers up to 64 bits, pointers, floats and doubles have one
 * (unused high bits are zero); 128-bit integers and long doubles two, low word first; a vector has its lanes one after
 * the other, an aggregate its leaves. A frame's slots count from its arguments on; its constants are the negative ones.
 *
 * An event (program/ir/steps.h) carries `left`, the events of its segment from here on, where RCP_INS_OPS says: in `c`
 * or in `d`. SEGMENT stands before the first event of a segment and reserves its events, as the recorded program does.
 * So the position of an event is the thread's position minus `left` (abi/hooks.h). A copy, a fill and a call that
 * leaves are segments of their own here.
 *
 * Jumps are relative to their own instruction. Ownership: a routine owns all that it points to; LLVM's values are
 * borrowed from the module, which lives as long as the program (program/ir/program.h).
 */
#ifndef RECIPE_PROGRAM_IR_CODE_H
#define RECIPE_PROGRAM_IR_CODE_H

#include "base/map.h"
#include "base/vec.h"
#include "outside/outside.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* X(name, where `left` is: PLAIN is no event). Operands are slots unless it says otherwise.
 *
 * SEGMENT reserve x; MOVE d = a; JUMP to c; TICK to c; BRANCH a to c, else e; J… a ? b to c, else e, k = 64 - width;
 * SWITCH a by switches[c]; INDIRECT a by switches[c]; CALL calls[c], d = result; LEAVE calls[b], a = callee's address,
 * d; RETURN d slots from a; LANDING d = exception, selector; UNSUPPORTED texts[c]; FRAME pushes the routine's objects;
 * DYNAMIC d = pushed: x bytes * a (zero-extended), k = log2 of its alignment; LOAD… d = [a]; STORE… [a] = d; …_WIDE by
 * layouts[b]; PLAIN_… are loads that are no events; RMW d = [a], [a] = k(b) of rcp_scalar e; EXCHANGE d = [a] (and
 * whether) if it is b then [a] = e, k bytes; COPY a from b, slot d says how many; LOAD…, COPY: k: it reads padding;
 * LOAD…, STORE…: e: it is atomic; FILL a with b, d bytes; x: a mask, or 64 - width in k, or both; …_32 wrap at 32 bits.
 */
#define RCP_INS_OPS(X)                                                                                                 \
    X(SEGMENT, PLAIN)                                                                                                  \
    X(MOVE, PLAIN)                                                                                                     \
    X(MOVES, PLAIN) /* x slots */                                                                                      \
    X(BELOW, PLAIN) /* nothing but that a is below x, where the language says so */                                    \
    X(FITS, PLAIN)  /* likewise: that k (an rcp_overflow) of a and b, of rcp_scalar c, does not overflow */            \
    X(JUMP, PLAIN)                                                                                                     \
    X(TICK, IN_D)                                                                                                      \
    X(BRANCH, IN_D)                                                                                                    \
    X(J_EQ, IN_D)                                                                                                      \
    X(J_NE, IN_D)                                                                                                      \
    X(J_UGT, IN_D)                                                                                                     \
    X(J_UGE, IN_D)                                                                                                     \
    X(J_ULT, IN_D)                                                                                                     \
    X(J_ULE, IN_D)                                                                                                     \
    X(J_SGT, IN_D)                                                                                                     \
    X(J_SGE, IN_D)                                                                                                     \
    X(J_SLT, IN_D)                                                                                                     \
    X(J_SLE, IN_D)                                                                                                     \
    X(SWITCH, IN_D)                                                                                                    \
    X(INDIRECT, IN_D)                                                                                                  \
    X(CALL, PLAIN)                                                                                                     \
    X(LEAVE, IN_C)                                                                                                     \
    X(RETURN, PLAIN)                                                                                                   \
    X(RESUME, PLAIN)                                                                                                   \
    X(LANDING, PLAIN)                                                                                                  \
    X(UNREACHABLE, PLAIN)                                                                                              \
    X(TRAP, PLAIN)                                                                                                     \
    X(UNSUPPORTED, PLAIN)                                                                                              \
    X(FRAME, PLAIN)                                                                                                    \
    X(DYNAMIC, PLAIN)                                                                                                  \
    X(SAVE, PLAIN)                                                                                                     \
    X(RESTORE, PLAIN)                                                                                                  \
    X(VALUE, PLAIN)                                                                                                    \
    X(THREAD_LOCAL, PLAIN) /* d = variable c of the module */                                                          \
    X(ARRIVES, PLAIN)      /* the machine has put x bytes at a that are not known yet: va_start */                     \
    X(LOAD_8, IN_C)                                                                                                    \
    X(LOAD_16, IN_C)                                                                                                   \
    X(LOAD_32, IN_C)                                                                                                   \
    X(LOAD_64, IN_C)                                                                                                   \
    X(LOAD_WIDE, IN_C)                                                                                                 \
    X(PLAIN_LOAD_8, PLAIN)                                                                                             \
    X(PLAIN_LOAD_16, PLAIN)                                                                                            \
    X(PLAIN_LOAD_32, PLAIN)                                                                                            \
    X(PLAIN_LOAD_64, PLAIN)                                                                                            \
    X(PLAIN_LOAD_WIDE, PLAIN)                                                                                          \
    X(STORE_8, IN_C)                                                                                                   \
    X(STORE_16, IN_C)                                                                                                  \
    X(STORE_32, IN_C)                                                                                                  \
    X(STORE_64, IN_C)                                                                                                  \
    X(STORE_WIDE, IN_C)                                                                                                \
    X(RMW, IN_C)                                                                                                       \
    X(EXCHANGE, IN_C)                                                                                                  \
    X(FENCE, IN_C)                                                                                                     \
    X(COPY, IN_C)                                                                                                      \
    X(FILL, IN_C)                                                                                                      \
    X(ADD_64, PLAIN)                                                                                                   \
    X(ADD_32, PLAIN)                                                                                                   \
    X(ADD, PLAIN)                                                                                                      \
    X(SUB_64, PLAIN)                                                                                                   \
    X(SUB_32, PLAIN)                                                                                                   \
    X(SUB, PLAIN)                                                                                                      \
    X(MUL_64, PLAIN)                                                                                                   \
    X(MUL_32, PLAIN)                                                                                                   \
    X(MUL, PLAIN)                                                                                                      \
    X(SHL, PLAIN)                                                                                                      \
    X(LSHR, PLAIN)                                                                                                     \
    X(ASHR, PLAIN)                                                                                                     \
    X(AND, PLAIN)                                                                                                      \
    X(OR, PLAIN)                                                                                                       \
    X(XOR, PLAIN)                                                                                                      \
    X(UDIV, PLAIN)                                                                                                     \
    X(UREM, PLAIN)                                                                                                     \
    X(SDIV, PLAIN)                                                                                                     \
    X(SREM, PLAIN)                                                                                                     \
    X(ADD_X, PLAIN)  /* d = a + x */                                                                                   \
    X(AND_X, PLAIN)  /* d = a & x */                                                                                   \
    X(SHL_X, PLAIN)  /* d = a << b, the number b, & x */                                                               \
    X(LSHR_X, PLAIN) /* d = a >> b, the number b */                                                                    \
    X(ADDM_X, PLAIN) /* d = a + (sign-extended b), & x */                                                              \
    X(SCALE, PLAIN)  /* d = a + sign-extended b * x */                                                                 \
    X(EQ, PLAIN)                                                                                                       \
    X(NE, PLAIN)                                                                                                       \
    X(UGT, PLAIN)                                                                                                      \
    X(UGE, PLAIN)                                                                                                      \
    X(ULT, PLAIN)                                                                                                      \
    X(ULE, PLAIN)                                                                                                      \
    X(SGT, PLAIN)                                                                                                      \
    X(SGE, PLAIN)                                                                                                      \
    X(SLT, PLAIN)                                                                                                      \
    X(SLE, PLAIN)                                                                                                      \
    X(SEXT, PLAIN)                                                                                                     \
    X(SELECT, PLAIN) /* d = c ? a : b */                                                                               \
    X(FADD_64, PLAIN)                                                                                                  \
    X(FSUB_64, PLAIN)                                                                                                  \
    X(FMUL_64, PLAIN)                                                                                                  \
    X(FDIV_64, PLAIN)                                                                                                  \
    X(FADD_32, PLAIN)                                                                                                  \
    X(FSUB_32, PLAIN)                                                                                                  \
    X(FMUL_32, PLAIN)                                                                                                  \
    X(FDIV_32, PLAIN)                                                                                                  \
    X(FCMP_64, PLAIN) /* k: LLVM's predicate */                                                                        \
    X(FCMP_32, PLAIN)                                                                                                  \
    X(XOR_X, PLAIN)                                                                                                    \
    X(SI_TO_64, PLAIN)                                                                                                 \
    X(UI_TO_64, PLAIN)                                                                                                 \
    X(F32_TO_64, PLAIN)                                                                                                \
    X(F64_TO_32, PLAIN)                                                                                                \
    X(BINARY, PLAIN)   /* d = k(a, b): rcp_binary, on a rcp_scalar c */                                                \
    X(COMPARE, PLAIN)  /* k: predicate, of the rcp_scalar c */                                                         \
    X(CONVERT, PLAIN)  /* k: rcp_conversion, from scalar c to scalar e */                                              \
    X(UNARY, PLAIN)    /* d = k(a): rcp_unary, on a scalar c */                                                        \
    X(FMA, PLAIN)      /* d = a * b + e, scalars c */                                                                  \
    X(OWN_NAN, PLAIN)  /* d, made of the scalars c in a, b and e: is it a NaN that none of them is, k is its sign */   \
    X(OVERFLOW, PLAIN) /* d = k(a, b), then whether it overflowed; scalar c */                                         \
    X(FUNNEL, PLAIN)   /* d = a:b shifted by e, k: left, else right; scalar c */                                       \
    X(RECAST, PLAIN)   /* the bits of a's row, layouts[b], as layouts[c] */                                            \
    X(INSERT, PLAIN)   /* the row d has x lanes of k slots: lane [b] becomes a */                                      \
    X(EXTRACT, PLAIN)  /* d = lane [b] of the row a: x lanes of k slots */

typedef enum rcp_ins_op {
#define X(name, where) RCP_INS_##name,
    RCP_INS_OPS(X)
#undef X
        RCP_INS_OP_COUNT
} rcp_ins_op;

/* Where an operation has `left`. */
enum rcp_left { RCP_LEFT_PLAIN, RCP_LEFT_IN_C, RCP_LEFT_IN_D };
extern const uint8_t rcp_left_of[RCP_INS_OP_COUNT];

typedef struct rcp_ins {
    uint16_t op, k;
    int32_t d, a, b;
    union {
        int64_t x;
        struct {
            int32_t c, e;
        };
    };
} rcp_ins;

/* Does it read padding alone, which is no access of what it reads? */
static inline bool rcp_ins_reads_padding(const rcp_ins *ins) {
    return ins->k && (ins->op == RCP_INS_COPY || (ins->op >= RCP_INS_LOAD_8 && ins->op <= RCP_INS_LOAD_WIDE));
}

static inline uint32_t rcp_ins_left(const rcp_ins *ins) {
    return (uint32_t)(rcp_left_of[ins->op] == RCP_LEFT_IN_C ? ins->c : ins->d);
}

/* The type of what a slow operation works on. */
typedef enum rcp_scalar_kind {
    RCP_SCALAR_INT,
    RCP_SCALAR_HALF,
    RCP_SCALAR_BFLOAT,
    RCP_SCALAR_FLOAT,
    RCP_SCALAR_DOUBLE,
    RCP_SCALAR_QUAD /* fp128 */,
    RCP_SCALAR_X87
} rcp_scalar_kind;
/* kind << 16 | bits. */
typedef uint32_t rcp_scalar;
#define RCP_SCALAR(kind, bits)   ((uint32_t)(kind) << 16 | (uint32_t)(bits))
#define RCP_SCALAR_KIND(scalar)  ((rcp_scalar_kind)((scalar) >> 16))
#define RCP_SCALAR_BITS(scalar)  ((scalar) & 0xffff)
#define RCP_SCALAR_SLOTS(scalar) (RCP_SCALAR_BITS(scalar) > 64 ? 2u : 1u)
/* Can this host compute with them? Long doubles of another architecture have no value here. */
bool rcp_scalar_has(rcp_scalar scalar);

typedef enum rcp_binary {
    RCP_BIN_ADD,
    RCP_BIN_SUB,
    RCP_BIN_MUL,
    RCP_BIN_UDIV,
    RCP_BIN_SDIV,
    RCP_BIN_UREM,
    RCP_BIN_SREM,
    RCP_BIN_SHL,
    RCP_BIN_LSHR,
    RCP_BIN_ASHR,
    RCP_BIN_AND,
    RCP_BIN_OR,
    RCP_BIN_XOR,
    RCP_BIN_UMIN,
    RCP_BIN_UMAX,
    RCP_BIN_SMIN,
    RCP_BIN_SMAX,
    RCP_BIN_UADD_SAT,
    RCP_BIN_USUB_SAT,
    RCP_BIN_SADD_SAT,
    RCP_BIN_SSUB_SAT,
    RCP_BIN_USHL_SAT,
    RCP_BIN_SSHL_SAT,
    RCP_BIN_NAND,
    RCP_BIN_XCHG,
    RCP_BIN_UINC_WRAP,
    RCP_BIN_UDEC_WRAP,
    RCP_BIN_UCMP,
    RCP_BIN_SCMP,
    /* floats */
    RCP_BIN_FADD,
    RCP_BIN_FSUB,
    RCP_BIN_FMUL,
    RCP_BIN_FDIV,
    RCP_BIN_FREM,
    RCP_BIN_MINNUM,
    RCP_BIN_MAXNUM,
    RCP_BIN_MINIMUM,
    RCP_BIN_MAXIMUM,
    RCP_BIN_COPYSIGN,
    RCP_BIN_POW,
    RCP_BIN_FPCLASS /* b: LLVM's mask of classes */,
    RCP_BIN_POWI /* b is an integer */,
    RCP_BIN_LDEXP /* b is an integer */
} rcp_binary;

typedef enum rcp_unary {
    RCP_UN_BSWAP,
    RCP_UN_BITREVERSE,
    RCP_UN_CTLZ,
    RCP_UN_CTTZ,
    RCP_UN_CTPOP,
    RCP_UN_ABS,
    /* floats */
    RCP_UN_FNEG,
    RCP_UN_FABS,
    RCP_UN_SQRT,
    RCP_UN_FLOOR,
    RCP_UN_CEIL,
    RCP_UN_TRUNC,
    RCP_UN_RINT,
    RCP_UN_NEARBYINT,
    RCP_UN_ROUND,
    RCP_UN_ROUNDEVEN,
    RCP_UN_SIN,
    RCP_UN_COS,
    RCP_UN_TAN,
    RCP_UN_EXP,
    RCP_UN_EXP2,
    RCP_UN_EXP10,
    RCP_UN_LOG,
    RCP_UN_LOG2,
    RCP_UN_LOG10
} rcp_unary;

typedef enum rcp_overflow {
    RCP_OVER_UADD,
    RCP_OVER_USUB,
    RCP_OVER_UMUL,
    RCP_OVER_SADD,
    RCP_OVER_SSUB,
    RCP_OVER_SMUL
} rcp_overflow;

typedef enum rcp_conversion {
    RCP_CONV_ZEXT, /* trunc too */
    RCP_CONV_SEXT,
    RCP_CONV_SI_TO_FP,
    RCP_CONV_UI_TO_FP,
    RCP_CONV_FP_TO_SI /* saturating */,
    RCP_CONV_FP_TO_UI,
    RCP_CONV_FP,
    RCP_CONV_ROUND_TO_SI /* lrint, llrint */,
    RCP_CONV_LROUND
} rcp_conversion;

/* How a row of slots lies in memory: leaf by leaf, two slots where one is wider than 64 bits. Lanes of vectors lie bit
 * by bit without gaps; everything else is zero up to its last byte. */
typedef struct rcp_leaf {
    uint32_t offset; /* in bits */
    uint16_t bits;
    bool is_lane;
} rcp_leaf;
typedef struct rcp_layout {
    uint32_t size; /* bytes in memory */
    uint32_t n, slots;
    rcp_leaf *leaves;
} rcp_layout;

typedef struct rcp_routine rcp_routine;

typedef struct rcp_call {
    rcp_routine *routine;       /* the callee where it is known; NULL: outside, or not looked for yet */
    uint32_t looked;            /* for LEAVE: how many parts of the image there were when it was looked for */
    LLVMValueRef callee;        /* borrowed: the function that is named; NULL: indirect or inline assembly */
    const char *name;           /* for people; borrowed */
    rcp_outside_name called;    /* for LEAVE: what the name says */
    uint64_t address;           /* of the named callee, where the module has it; else 0 */
    RCP_VEC(int32_t) arguments; /* slots, in the order of the callee's argument slots */
    uint32_t layout;            /* of the result; it may have no slots */
    int32_t landing;            /* of an invoke: from its instruction to where the unwind edge begins; else 0 */
    uint32_t pad;               /* of an invoke: number of its landing pad in the function */
    bool is_assembly, returns_twice;
} rcp_call;

/* Where to go for a value: relative to the instruction. */
typedef struct rcp_switch {
    uint64_t low;           /* dense: targets[value - low], while that is below their number; 0: otherwise */
    RCP_VEC(uint64_t) keys; /* sorted, beside `targets`; empty: dense */
    RCP_VEC(int32_t) targets;
    int32_t otherwise;
} rcp_switch;

/* A stack object that is pushed when the function is entered (program/ir/frame.h). */
typedef struct rcp_stack_object {
    int32_t slot; /* takes its address; of a byval parameter it had the address of the original */
    bool is_byval;
    uint64_t size, align;
} rcp_stack_object;

struct rcp_routine {
    LLVMValueRef function;
    struct rcp_unit *unit;
    const char *name; /* borrowed from LLVM */
    uint64_t address; /* 0: it is not in the image */
    uint64_t key;     /* the same in every execution: the address, or a hash of the name */
    bool decoded;
    bool rounds;                                /* it computes floating point */
    uint32_t n_constants, n_arguments, n_slots; /* n_slots: arguments and what follows them */
    uint64_t *constants;                        /* slots -n_constants … -1 */
    RCP_VEC(rcp_ins) code;
    RCP_VEC(LLVMValueRef) origin; /* of each instruction; may be NULL */
    rcp_map slots;                /* argument or instruction → its first slot */
    RCP_VEC(rcp_stack_object) objects;
    RCP_VEC(rcp_call) calls;
    RCP_VEC(rcp_switch) switches;
    RCP_VEC(rcp_layout) layouts;
    RCP_VEC(char *) texts;
    RCP_VEC(uint32_t) parameters; /* the layout of each parameter */
};

void rcp_routine_finish(rcp_routine *routine);

#endif
