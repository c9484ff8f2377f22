/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "trace/model/term.h"

#include "suite.h"

#include <math.h>
#include <string.h>

static rcp_terms terms;
static uint64_t reads[4]; /* the value of R(0) … R(3) */
static rcp_eval read_how[4];

static rcp_eval look(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    (void)context;
    (void)bytes;
    *value = offset < 8 ? reads[read.v] >> (8 * offset) : 0;
    return read_how[read.v];
}

static rcp_eval eval(rcp_term term, uint64_t *value) {
    rcp_evaluator evaluator;
    rcp_evaluator_init(&evaluator, &terms, look, NULL);
    rcp_eval how = rcp_evaluator_run(&evaluator, term, value);
    rcp_evaluator_finish(&evaluator);
    return how;
}

static uint64_t apply(rcp_op op, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t value = 0xdead;
    ck_assert_int_eq(rcp_op_apply(op, width, from, a, b, c, &value), RCP_EVAL_OK);
    return value;
}

static uint64_t of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint64_t of_double(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* Each integer operator against C's own, at 8 and 32 bits, on values around every edge. */
START_TEST(integers_are_cs) {
    static const uint32_t edges[] = {0,      1,      2,          3,          7,          0x7f,       0x80,    0xff,
                                     0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 12345678};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (size_t j = 0; j < sizeof edges / sizeof *edges; j++) {
            uint32_t a = edges[i], b = edges[j];
            uint8_t a8 = (uint8_t)a, b8 = (uint8_t)b;
            ck_assert_uint_eq(apply(RCP_OP_ADD, 32, 32, a, b, 0), (uint32_t)(a + b));
            ck_assert_uint_eq(apply(RCP_OP_SUB, 8, 8, a8, b8, 0), (uint8_t)(a8 - b8));
            ck_assert_uint_eq(apply(RCP_OP_MUL, 32, 32, a, b, 0), (uint32_t)(a * b));
            ck_assert_uint_eq(apply(RCP_OP_SLT, 1, 32, a, b, 0), (int32_t)a < (int32_t)b);
            ck_assert_uint_eq(apply(RCP_OP_SLE, 1, 8, a8, b8, 0), (int8_t)a8 <= (int8_t)b8);
            ck_assert_uint_eq(apply(RCP_OP_ULT, 1, 32, a, b, 0), a < b);
            ck_assert_uint_eq(apply(RCP_OP_SMIN, 8, 8, a8, b8, 0), (int8_t)a8 < (int8_t)b8 ? a8 : b8);
            ck_assert_uint_eq(apply(RCP_OP_SEXT, 32, 8, a8, 0, 0), (uint32_t)(int8_t)a8);
            ck_assert_uint_eq(apply(RCP_OP_CONCAT, 16, 8, a8, b8, 0), (uint16_t)(a8 << 8 | b8));
            if (b)
                ck_assert_uint_eq(apply(RCP_OP_UREM, 32, 32, a, b, 0), a % b);
            if (b && !(a == 0x80000000 && b == 0xffffffff))
                ck_assert_uint_eq(apply(RCP_OP_SDIV, 32, 32, a, b, 0), (uint32_t)((int32_t)a / (int32_t)b));
            if (b8 && !(a8 == 0x80 && b8 == 0xff))
                ck_assert_uint_eq(apply(RCP_OP_SREM, 8, 8, a8, b8, 0), (uint8_t)((int8_t)a8 % (int8_t)b8));
            if (b < 32)
                ck_assert_uint_eq(apply(RCP_OP_ASHR, 32, 32, a, b, 0), (uint32_t)((int32_t)a >> b));
        }
    ck_assert_uint_eq(apply(RCP_OP_BSWAP, 32, 32, 0x11223344, 0, 0), 0x44332211);
    ck_assert_uint_eq(apply(RCP_OP_BITREVERSE, 8, 8, 0x13, 0, 0), 0xc8);
    ck_assert_uint_eq(apply(RCP_OP_CTLZ, 16, 16, 1, 0, 0), 15);
    ck_assert_uint_eq(apply(RCP_OP_CTLZ, 16, 16, 0, 0, 0), 16);
    ck_assert_uint_eq(apply(RCP_OP_CTTZ, 64, 64, 8, 0, 0), 3);
    ck_assert_uint_eq(apply(RCP_OP_CTPOP, 8, 8, 0xff, 0, 0), 8);
    ck_assert_uint_eq(apply(RCP_OP_EXTRACT, 8, 32, 0x11223344, 8, 0), 0x33);
    ck_assert_uint_eq(apply(RCP_OP_ADD, 64, 64, UINT64_MAX, 1, 0), 0);
}
END_TEST

START_TEST(what_traps_has_no_value) {
    uint64_t value;
    ck_assert_int_eq(rcp_op_apply(RCP_OP_UDIV, 32, 32, 1, 0, 0, &value), RCP_EVAL_UNDEFINED);
    ck_assert_int_eq(rcp_op_apply(RCP_OP_SREM, 32, 32, 0x80000000, 0xffffffff, 0, &value), RCP_EVAL_UNDEFINED);
    ck_assert_int_eq(rcp_op_apply(RCP_OP_SDIV, 64, 64, UINT64_C(1) << 63, UINT64_MAX, 0, &value), RCP_EVAL_UNDEFINED);
    ck_assert_int_eq(rcp_op_apply(RCP_OP_SHL, 8, 8, 1, 8, 0, &value), RCP_EVAL_UNDEFINED);
}
END_TEST

START_TEST(floats_are_ieee) {
    ck_assert_uint_eq(apply(RCP_OP_FADD, 32, 32, of_float(0.1f), of_float(0.2f), 0), of_float(0.1f + 0.2f));
    ck_assert_uint_eq(apply(RCP_OP_FDIV, 32, 32, of_float(1), of_float(3), 0), of_float(1.0f / 3.0f));
    ck_assert_uint_eq(apply(RCP_OP_FMUL, 64, 64, of_double(1e300), of_double(1e300), 0), of_double(INFINITY));
    ck_assert_uint_eq(apply(RCP_OP_FSQRT, 32, 32, of_float(2), 0, 0), of_float(sqrtf(2)));
    ck_assert_uint_eq(apply(RCP_OP_FMA, 64, 64, of_double(0.1), of_double(10), of_double(-1)),
                      of_double(fma(0.1, 10, -1)));
    ck_assert_uint_eq(apply(RCP_OP_FLT, 1, 64, of_double(3E-10), of_double(3.1E-10), 0), 1);
    ck_assert_uint_eq(apply(RCP_OP_FEQ, 1, 64, of_double(NAN), of_double(NAN), 0), 0);
    ck_assert_uint_eq(apply(RCP_OP_FUNO, 1, 32, of_float(NAN), of_float(1), 0), 1);
    ck_assert_uint_eq(apply(RCP_OP_FNEG, 32, 32, of_float(0), 0, 0), of_float(-0.0f));
    ck_assert_uint_eq(apply(RCP_OP_FMIN, 64, 64, of_double(0.0), of_double(-0.0), 0), of_double(-0.0));
    ck_assert_uint_eq(apply(RCP_OP_FTOS, 32, 64, of_double(-1e20), 0, 0), 0x80000000);
    ck_assert_uint_eq(apply(RCP_OP_FTOS, 32, 64, of_double(NAN), 0, 0), 0);
    ck_assert_uint_eq(apply(RCP_OP_FTOS, 32, 64, of_double(-7.9), 0, 0), (uint32_t)-7);
    ck_assert_uint_eq(apply(RCP_OP_FTOU, 64, 64, of_double(1e30), 0, 0), UINT64_MAX);
    ck_assert_uint_eq(apply(RCP_OP_FTOU, 8, 32, of_float(-3), 0, 0), 0);
    ck_assert_uint_eq(apply(RCP_OP_STOF, 64, 8, 0xff, 0, 0), of_double(-1));
    ck_assert_uint_eq(apply(RCP_OP_UTOF, 32, 64, UINT64_MAX, 0, 0), of_float((float)UINT64_MAX));
    ck_assert_uint_eq(apply(RCP_OP_FCUT, 32, 64, of_double(0.1), 0, 0), of_float(0.1f));
    ck_assert_uint_eq(apply(RCP_OP_FROUND, 64, 64, of_double(2.5), 0, 0), of_double(3));
    ck_assert_uint_eq(apply(RCP_OP_FRINT, 64, 64, of_double(2.5), 0, 0), of_double(2));
}
END_TEST

START_TEST(equal_terms_are_one) {
    rcp_terms_init(&terms);
    rcp_term r = rcp_term_read(&terms, (rcp_eid){3}, 0, 32), ten = rcp_term_const(&terms, 32, 10);
    rcp_term none = {0};
    rcp_term sum = rcp_term_make(&terms, RCP_OP_ADD, 0, r, ten, none);
    for (int i = 0; i < 1000; i++) /* the table grows meanwhile */
        rcp_term_make(&terms, RCP_OP_ADD, 0, r, rcp_term_const(&terms, 32, (uint64_t)i), none);
    ck_assert_uint_eq(rcp_term_make(&terms, RCP_OP_ADD, 0, r, ten, none).v, sum.v);
    ck_assert_uint_ne(rcp_term_make(&terms, RCP_OP_ADD, 0, ten, r, none).v, sum.v);
    rcp_term two = rcp_term_const(&terms, 8, 2);
    ck_assert_uint_eq(rcp_term_make(&terms, RCP_OP_ADD, 0, two, two, none).v, rcp_term_const(&terms, 8, 4).v);
    rcp_term zero = rcp_term_const(&terms, 8, 0), trap = rcp_term_make(&terms, RCP_OP_UDIV, 0, two, zero, none);
    ck_assert_int_eq(rcp_term_borrow(&terms, trap)->op, RCP_OP_UDIV); /* a trap is not folded away */
    rcp_terms_finish(&terms);
}
END_TEST

START_TEST(evaluation_follows_reads) {
    rcp_terms_init(&terms);
    rcp_term none = {0};
    rcp_term a = rcp_term_read(&terms, (rcp_eid){0}, 0, 32), b = rcp_term_read(&terms, (rcp_eid){1}, 2, 16);
    rcp_term wide = rcp_term_make(&terms, RCP_OP_ZEXT, 32, b, none, none);
    rcp_term sum = rcp_term_make(&terms, RCP_OP_ADD, 0, a, wide, none);
    rcp_term twice = rcp_term_make(&terms, RCP_OP_MUL, 0, sum, sum, none);
    reads[0] = 5;
    reads[1] = 0x00070000;
    read_how[0] = read_how[1] = RCP_EVAL_OK;
    uint64_t value;
    ck_assert_int_eq(eval(twice, &value), RCP_EVAL_OK);
    ck_assert_uint_eq(value, 144);
    rcp_eids found = {0};
    rcp_term_reads(&terms, twice, &found);
    ck_assert_uint_eq(found.len, 2);
    ck_assert_uint_eq(found.at[0].v, 0);
    ck_assert_uint_eq(found.at[1].v, 1);
    rcp_vec_finish(&found);
    read_how[1] = RCP_EVAL_UNKNOWN;
    ck_assert_int_eq(eval(twice, &value), RCP_EVAL_UNKNOWN);

    /* the side of an ite that is not chosen may be unknown or trap */
    rcp_term is_five = rcp_term_make(&terms, RCP_OP_EQ, 0, a, rcp_term_const(&terms, 32, 5), none);
    rcp_term trap = rcp_term_make(&terms, RCP_OP_UDIV, 0, a, rcp_term_const(&terms, 32, 0), none);
    rcp_term choice = rcp_term_make(&terms, RCP_OP_ITE, 0, is_five, a, trap);
    ck_assert_int_eq(eval(choice, &value), RCP_EVAL_OK);
    ck_assert_uint_eq(value, 5);
    reads[0] = 6;
    ck_assert_int_eq(eval(choice, &value), RCP_EVAL_UNDEFINED);
    ck_assert_int_eq(eval(rcp_term_make(&terms, RCP_OP_ITE, 0, is_five, a, wide), &value), RCP_EVAL_UNKNOWN);
    ck_assert_int_eq(eval(rcp_term_make(&terms, RCP_OP_ITE, 0, is_five, trap, wide), &value), RCP_EVAL_UNKNOWN);

    /* what is unknown may be what an operation can't take */
    rcp_term two = rcp_term_const(&terms, 32, 2), zero = rcp_term_const(&terms, 32, 0);
    rcp_term minus_one = rcp_term_const(&terms, 32, 0xffffffff), many = rcp_term_const(&terms, 32, 32);
    const struct {
        rcp_op op;
        rcp_term a, b;
        rcp_eval how;
    } cases[] = {
        {RCP_OP_UDIV, two, wide, RCP_EVAL_DOUBTFUL},       {RCP_OP_UDIV, wide, two, RCP_EVAL_UNKNOWN},
        {RCP_OP_UREM, wide, zero, RCP_EVAL_UNDEFINED},     {RCP_OP_UDIV, wide, minus_one, RCP_EVAL_UNKNOWN},
        {RCP_OP_SDIV, wide, minus_one, RCP_EVAL_DOUBTFUL}, {RCP_OP_SREM, wide, two, RCP_EVAL_UNKNOWN},
        {RCP_OP_SHL, two, wide, RCP_EVAL_DOUBTFUL},        {RCP_OP_ASHR, wide, two, RCP_EVAL_UNKNOWN},
        {RCP_OP_LSHR, wide, many, RCP_EVAL_UNDEFINED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(eval(rcp_term_make(&terms, cases[i].op, 0, cases[i].a, cases[i].b, none), &value),
                         cases[i].how);
    rcp_term unknown = rcp_term_make(&terms, RCP_OP_EQ, 0, wide, two, none);
    ck_assert_int_eq(eval(rcp_term_make(&terms, RCP_OP_ITE, 0, unknown, trap, a), &value), RCP_EVAL_DOUBTFUL);
    ck_assert_int_eq(eval(rcp_term_make(&terms, RCP_OP_ITE, 0, unknown, two, a), &value), RCP_EVAL_UNKNOWN);
    rcp_terms_finish(&terms);
}
END_TEST

START_TEST(deep_and_shared_terms_are_cheap) {
    rcp_terms_init(&terms);
    rcp_term none = {0}, t = rcp_term_read(&terms, (rcp_eid){0}, 0, 64);
    for (int i = 0; i < 1000000; i++) /* as a tree it would have 2^1000000 nodes */
        t = rcp_term_make(&terms, RCP_OP_ADD, 0, t, t, none);
    reads[0] = 3;
    read_how[0] = RCP_EVAL_OK;
    uint64_t value;
    ck_assert_int_eq(eval(t, &value), RCP_EVAL_OK);
    ck_assert_uint_eq(value, 0);
    rcp_terms_finish(&terms);
}
END_TEST

START_TEST(memory_of_an_evaluator_is_per_assignment) {
    rcp_terms_init(&terms);
    rcp_term r = rcp_term_read(&terms, (rcp_eid){0}, 0, 8);
    rcp_evaluator evaluator;
    rcp_evaluator_init(&evaluator, &terms, look, NULL);
    uint64_t value;
    reads[0] = 1;
    read_how[0] = RCP_EVAL_OK;
    ck_assert_int_eq(rcp_evaluator_run(&evaluator, r, &value), RCP_EVAL_OK);
    reads[0] = 2;
    ck_assert_int_eq(rcp_evaluator_run(&evaluator, r, &value), RCP_EVAL_OK);
    ck_assert_uint_eq(value, 1);
    rcp_evaluator_forget(&evaluator);
    ck_assert_int_eq(rcp_evaluator_run(&evaluator, r, &value), RCP_EVAL_OK);
    ck_assert_uint_eq(value, 2);
    rcp_evaluator_finish(&evaluator);
    rcp_terms_finish(&terms);
}
END_TEST

/* Nodes from a file: whatever breaks a rule is refused, whatever is taken can be evaluated. */
START_TEST(foreign_nodes_are_checked) {
    rcp_terms_init(&terms);
    ck_assert_int_eq(rcp_terms_append(&terms, (rcp_term_node){.op = RCP_OP_CONST, .width = 8, .word = 256}),
                     RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_terms_append(&terms, (rcp_term_node){.op = RCP_OP_CONST, .width = 65, .word = 1}),
                     RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_terms_append(&terms, (rcp_term_node){.op = RCP_OP_READ, .width = 7}), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_terms_append(&terms, (rcp_term_node){.op = RCP_OP_CTPOP, .width = 8, .a = 2}), RCP_BAD_INPUT);
    ck_assert_int_eq(rcp_terms_append(&terms, (rcp_term_node){.op = RCP_OP_CONST, .width = 8, .word = 1}), RCP_OK);
    /* who looks for a term finds it, also where the pool is somebody else's */
    ck_assert_uint_eq(rcp_term_const(&terms, 8, 1).v, RCP_TERM_FIRST);
    uint64_t seed = 1, taken = 0;
    for (int i = 0; i < 300000; i++) {
        seed = rcp_hash_u64(seed + 1);
        rcp_term_node node = {.op = (uint8_t)(seed % (RCP_OPS + 2)),
                              .width = (uint8_t)(seed >> 8 & 1 ? UINT64_C(8) << (seed >> 9 & 3) : seed >> 9 & 63)};
        uint32_t n = (uint32_t)terms.nodes.len + RCP_TERM_FIRST + 1;
        node.a = (uint32_t)(seed >> 16) % n;
        node.b = seed >> 62 ? (uint32_t)(seed >> 30) % n : 0;
        node.c = seed >> 60 & 1 ? (uint32_t)(seed >> 40) % n : 0;
        if (node.op == RCP_OP_READ)
            node.word = seed & 3;
        taken += rcp_terms_append(&terms, node) == RCP_OK;
    }
    ck_assert_uint_gt(taken, 1000);
    for (int i = 0; i < 4; i++)
        read_how[i] = RCP_EVAL_OK;
    rcp_evaluator evaluator;
    rcp_evaluator_init(&evaluator, &terms, look, NULL);
    size_t too_wide = 0;
    for (uint32_t i = 0; i < terms.nodes.len; i++) {
        uint64_t value;
        if (rcp_evaluator_run(&evaluator, (rcp_term){i + RCP_TERM_FIRST}, &value) == RCP_EVAL_OK &&
            terms.nodes.at[i].width < 64)
            too_wide += value >> terms.nodes.at[i].width != 0;
    }
    ck_assert_uint_eq(too_wide, 0);
    rcp_evaluator_finish(&evaluator);
    rcp_terms_finish(&terms);
}
END_TEST

int main(void) {
    return rcp_suite_run("term", integers_are_cs, what_traps_has_no_value, floats_are_ieee, equal_terms_are_one,
                         evaluation_follows_reads, deep_and_shared_terms_are_cheap,
                         memory_of_an_evaluator_is_per_assignment, foreign_nodes_are_checked, NULL);
}
