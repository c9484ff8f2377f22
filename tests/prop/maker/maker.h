/* SPDX-License-Identifier: Apache-2.0 */
/* Makes random C programs with threads, for the recorder and re-execution to be tested with.
 *
 * What a program does under one schedule is determined: it terminates (loops count, calls go down, locks are taken in
 * one order, waits are for what has to come), accesses no memory that is not its own, and in the end prints a checksum
 * of everything it had. Its threads race with one another, on purpose. What is undefined in C but defined under recipe
 * (wrapping, conversions of floats out of range) occurs too, except in a *serial* program: there each thread ends
 * before the next one begins, nothing is undefined once integers wrap, and so the native program prints the same.
 *
 * The same seed and size give the same text on every machine. Strings that these functions return live in the maker's
 * arena.
 */
#ifndef RECIPE_MAKER_MAKER_H
#define RECIPE_MAKER_MAKER_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "prop/random.h"

#include <stdbool.h>

/* X(name): what a program may contain. Each must occur in many programs: rcp_maker_coverage(). */
/* clang-format off */
#define RCP_FEATURES(X) \
    X(THREADS_2) X(THREADS_3) X(THREADS_4) X(SERIAL) X(MUTEX) X(MUTEX_RECURSIVE) X(MUTEX_TRYLOCK) X(RWLOCK_READ) \
    X(RWLOCK_WRITE) X(SPINLOCK) X(SEMAPHORE) X(SEMAPHORE_TRY) X(CONDITION) X(CONDITION_TIMED) X(QUEUE) X(BARRIER) \
    X(ONCE) X(SPIN_ON_FLAG) X(ATOMIC_LOAD) X(ATOMIC_STORE) X(ATOMIC_RMW) X(ATOMIC_EXCHANGE) X(ATOMIC_CAS) \
    X(ATOMIC_FENCE) X(ATOMIC_FLOAT) X(STRUCT_FIELD) X(STRUCT_NESTED) X(STRUCT_ASSIGN) X(STRUCT_ARGUMENT) \
    X(STRUCT_RESULT) X(STRUCT_LOCAL) X(BIT_FIELD) X(PACKED) X(UNION) X(ARRAY) X(ARRAY_2D) X(ARRAY_LOCAL) X(POINTER) \
    X(POINTER_SHARED) X(POINTER_ARITHMETIC) X(POINTER_COMPARE) X(INDEX_NEGATIVE) X(CARRY) X(INT_8) X(INT_16) \
    X(INT_32) X(INT_64) X(INT_128) X(BOOL) X(FLOAT) X(DOUBLE) X(LONG_DOUBLE) X(DIVIDE) X(MODULO) X(SHIFT) X(ROTATE) \
    X(MASK) X(BIT_COUNT) X(OVERFLOW) X(BYTE_SWAP) X(FLOAT_COMPARE) X(FLOAT_CONVERT) X(FLOAT_NAN) X(FLOAT_MATH) \
    X(VECTOR) X(LOOP_FOR) X(LOOP_WHILE) X(LOOP_DO) X(LOOP_NESTED) X(SWEEP) X(SWEEP_2D) X(BREAK) X(CONTINUE) X(GOTO) \
    X(GOTO_BACK) X(GOTO_COMPUTED) X(SWITCH_DENSE) X(SWITCH_SPARSE) X(FALL_THROUGH) X(EARLY_RETURN) X(CALL) \
    X(RECURSION) X(VARARGS) X(FUNCTION_POINTER) X(FUNCTION_TABLE) X(CALLBACK) X(MEMCPY) X(MEMMOVE) X(MEMSET) \
    X(MEMCMP) X(STRLEN) X(STRCMP) X(STRING_FORMAT) X(MALLOC) X(CALLOC) X(REALLOC) X(LIST) X(ALLOCA) X(VLA) \
    X(THREAD_LOCAL) X(STATIC_LOCAL) X(SETJMP) X(SHORT_CIRCUIT) X(TERNARY) X(COMPOUND) X(VOLATILE) X(INCREMENT) \
    X(COMMA)
/* clang-format on */

typedef enum rcp_feature {
#define X(name) RCP_FEATURE_##name,
    RCP_FEATURES(X)
#undef X
        RCP_FEATURE_COUNT
} rcp_feature;
extern const char *const rcp_feature_names[RCP_FEATURE_COUNT];

typedef enum rcp_ctype {
    RCP_I8,
    RCP_U8,
    RCP_I16,
    RCP_U16,
    RCP_I32,
    RCP_U32,
    RCP_I64,
    RCP_U64,
    RCP_I128,
    RCP_U128,
    RCP_BOOLEAN,
    RCP_F32,
    RCP_F64,
    RCP_CTYPES
} rcp_ctype;

typedef struct rcp_ctype_traits {
    const char *name, *word; /* in C; in the names of helpers */
    uint8_t bits;
    bool is_signed, is_float;
    uint8_t unsigned_one; /* rcp_ctype */
} rcp_ctype_traits;
extern const rcp_ctype_traits rcp_ctypes[RCP_CTYPES];

typedef struct rcp_size {
    uint32_t functions, function_statements, thread_statements;
    uint32_t cost; /* what a thread may execute, in statements, about */
} rcp_size;

/* Something that has a value and, unless it is constant, can be assigned. */
typedef struct rcp_place {
    const char *text;
    rcp_ctype type;
    bool is_constant, is_bits, is_atomic; /* a loop's variable; a bit-field: no pointers to it; via builtins alone */
    rcp_feature feature;
} rcp_place;

typedef struct rcp_array {
    const char *text; /* of rows * columns elements; rows is 0: one dimension */
    rcp_ctype type;
    uint32_t rows, columns;
    bool is_local;
} rcp_array;

typedef struct rcp_record { /* a struct type */
    const char *name;
    bool is_packed, has_bits;
    RCP_VEC(rcp_place) fields;    /* text: ".a", ".in.b" */
    RCP_VEC(const char *) values; /* places of the type */
} rcp_record;

typedef struct rcp_callee {
    const char *name;
    rcp_ctype result;
    int32_t result_record;       /* index; -1: a scalar */
    RCP_VEC(int32_t) parameters; /* rcp_ctype, or -1 - record */
    uint64_t cost;
    bool is_recursive;
} rcp_callee;

enum { RCP_HANDLERS = 4, RCP_LOCKS = 6 };

typedef struct rcp_maker {
    rcp_random random;
    rcp_size size;
    bool serial;
    rcp_arena arena;
    rcp_text out;
    bool has[RCP_FEATURE_COUNT];
    unsigned indent, threads, phases, names;
    RCP_VEC(rcp_place) places; /* those in scope: blocks cut it back */
    RCP_VEC(rcp_array) arrays;
    RCP_VEC(rcp_record) records;
    RCP_VEC(rcp_callee) callees;
    RCP_VEC(rcp_place) atomics, shared; /* globals; `shared` have addresses */
    RCP_VEC(rcp_place) pointers;        /* to a type: "*p" reads through them */
    uint64_t factor, cost, budget;      /* how often what is being made runs; what there is so far; and may be */
    unsigned lock, handlers;            /* locks from `lock` on may be taken; handlers that are there */
    bool in_loop, in_thread, may_return;
    rcp_ctype result;
    int32_t result_record;
    unsigned depth, nested; /* of statements; of indices */
} rcp_maker;

rcp_size rcp_size_default(void);
/* A whole program into maker->out. */
void rcp_maker_init(rcp_maker *maker, uint64_t seed, rcp_size size);
void rcp_maker_run(rcp_maker *maker);
void rcp_maker_finish(rcp_maker *maker);

/* maker.c */
char *rcp_say(rcp_maker *maker, const char *format, ...) RCP_PRINTF(2, 3);
void rcp_line(rcp_maker *maker, const char *format, ...) RCP_PRINTF(2, 3);
void rcp_open(rcp_maker *maker, const char *format, ...) RCP_PRINTF(2, 3); /* a line, " {" and deeper */
void rcp_block(rcp_maker *maker);                                          /* "{" alone */
void rcp_close(rcp_maker *maker, const char *behind);
const char *rcp_name(rcp_maker *maker, const char *stem);
void rcp_note(rcp_maker *maker, rcp_feature feature);
static inline uint32_t rcp_pick(rcp_maker *maker, uint32_t n) { return rcp_random_below(&maker->random, n); }
static inline bool rcp_chance(rcp_maker *maker, uint32_t percent) {
    return rcp_random_percent(&maker->random, percent);
}
rcp_ctype rcp_any_type(rcp_maker *maker);
rcp_ctype rcp_any_integer(rcp_maker *maker); /* up to 64 bits */

/* expression.c: `depth` bounds how deep it is. */
const char *rcp_expression(rcp_maker *maker, rcp_ctype type, unsigned depth);
const char *rcp_condition(rcp_maker *maker, unsigned depth);
const char *rcp_index(rcp_maker *maker, uint32_t below); /* an expression from 0 to below - 1 */
const char *rcp_literal(rcp_maker *maker, rcp_ctype type);
/* Something to assign to, of `type`; NULL: there is none. */
const char *rcp_element(rcp_maker *maker, const rcp_array *array);
const rcp_place *rcp_any_place(rcp_maker *maker, bool assigned);
const char *rcp_cast(rcp_maker *maker, rcp_ctype from, rcp_ctype to, const char *text);

/* statement.c */
void rcp_statements(rcp_maker *maker, unsigned n);
/* A block's inside: what it declares is forgotten. */
void rcp_body(rcp_maker *maker, unsigned n);
bool rcp_affords(const rcp_maker *maker, uint64_t cost);

/* idioms.c: memory, strings, calls of libraries; statements of several lines. */
void rcp_idiom(rcp_maker *maker);
/* synchronise.c */
void rcp_synchronise(rcp_maker *maker);
void rcp_synchronise_declare(rcp_maker *maker);
void rcp_synchronise_start(rcp_maker *maker);             /* in main, before there are threads */
void rcp_synchronise_begin(rcp_maker *maker, unsigned i); /* first in thread i */
void rcp_synchronise_phase(rcp_maker *maker);             /* between two phases of a thread */
void rcp_synchronise_feed(rcp_maker *maker);              /* in main, while threads run */
void rcp_synchronise_end(rcp_maker *maker);

/* declare.c */
void rcp_declare_records(rcp_maker *maker);
void rcp_declare_globals(rcp_maker *maker);
void rcp_declare_functions(rcp_maker *maker);
void rcp_fill(rcp_maker *maker);      /* in main, first: everything is something else */
void rcp_checksums(rcp_maker *maker); /* in main, in the end */

extern const char rcp_prologue[];

#endif
