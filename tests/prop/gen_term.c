/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/gen_term.h"

#define RANDOM(reads) ((reads)->machine->random)
#define POOL(reads)   (&(reads)->machine->trace->terms)

static const rcp_op binary[] = {RCP_OP_ADD,  RCP_OP_ADD,  RCP_OP_SUB,  RCP_OP_MUL,  RCP_OP_UDIV,
                                RCP_OP_SDIV, RCP_OP_UREM, RCP_OP_SREM, RCP_OP_AND,  RCP_OP_AND,
                                RCP_OP_OR,   RCP_OP_XOR,  RCP_OP_SHL,  RCP_OP_LSHR, RCP_OP_ASHR,
                                RCP_OP_UMIN, RCP_OP_UMAX, RCP_OP_SMIN, RCP_OP_SMAX};
static const rcp_op unary[] = {RCP_OP_CTPOP, RCP_OP_CTLZ, RCP_OP_CTTZ, RCP_OP_BITREVERSE, RCP_OP_BSWAP};
static const rcp_op compare[] = {RCP_OP_EQ,  RCP_OP_EQ,  RCP_OP_NE,  RCP_OP_ULT,
                                 RCP_OP_ULT, RCP_OP_ULE, RCP_OP_SLT, RCP_OP_SLE};
static const rcp_op floating[] = {RCP_OP_FADD, RCP_OP_FSUB, RCP_OP_FMUL, RCP_OP_FMIN, RCP_OP_FMAX};
#define PICK(reads, table) table[rcp_random_below(RANDOM(reads), sizeof table / sizeof *table)]

static const rcp_term none = {0};

bool rcp_gen_has_reads(const rcp_gen_reads *reads) {
    return reads->self || reads->machine->threads[reads->tid].n_reads;
}

/* A recent read, cut or extended to `width`. */
static rcp_term a_read(const rcp_gen_reads *reads, unsigned width) {
    const rcp_machine_thread *thread = &reads->machine->threads[reads->tid];
    rcp_eid eid;
    uint32_t size;
    if (reads->self && (!thread->n_reads || rcp_random_percent(RANDOM(reads), 60))) {
        eid = rcp_machine_next(reads->machine);
        size = reads->self;
    } else {
        uint32_t back = rcp_random_below(RANDOM(reads), thread->n_reads < 3 ? thread->n_reads : 3);
        eid = (rcp_eid){thread->reads[thread->n_reads - 1 - back]};
        size = reads->machine->trace->events.at[eid.v].size;
    }
    if (size * 8 >= width) {
        uint32_t offset =
            rcp_random_percent(RANDOM(reads), 80) ? 0 : rcp_random_below(RANDOM(reads), size - width / 8 + 1);
        return rcp_term_read(POOL(reads), eid, offset, width);
    }
    rcp_op extend = rcp_random_percent(RANDOM(reads), 80) ? RCP_OP_ZEXT : RCP_OP_SEXT;
    return rcp_term_make(POOL(reads), extend, width, rcp_term_read(POOL(reads), eid, 0, size * 8), none, none);
}

static rcp_term build(const rcp_gen_reads *reads, unsigned width, unsigned depth);

static rcp_term build_condition(const rcp_gen_reads *reads, unsigned width, unsigned depth) {
    rcp_term a = build(reads, width, depth);
    rcp_term b = rcp_random_percent(RANDOM(reads), 75)
                     ? rcp_term_const(POOL(reads), width, rcp_random_below(RANDOM(reads), 4))
                     : build(reads, width, depth);
    if (rcp_random_percent(RANDOM(reads), 20)) {
        rcp_term swap = a;
        a = b;
        b = swap;
    }
    bool as_floats = (width == 32 || width == 64) && rcp_random_percent(RANDOM(reads), 3);
    return rcp_term_make(POOL(reads), as_floats ? RCP_OP_FLT : PICK(reads, compare), 1, a, b, none);
}

static rcp_term build(const rcp_gen_reads *reads, unsigned width, unsigned depth) {
    rcp_terms *pool = POOL(reads);
    uint32_t roll = rcp_random_below(RANDOM(reads), 100);
    if (!depth || roll < 35)
        return a_read(reads, width);
    rcp_term a = build(reads, width, depth - 1);
    if (roll < 80) {
        rcp_term b = rcp_random_percent(RANDOM(reads), 70)
                         ? rcp_term_const(pool, width, rcp_random_below(RANDOM(reads), 4))
                         : build(reads, width, depth - 1);
        return rcp_term_make(pool, PICK(reads, binary), width, a, b, none);
    }
    if (roll < 88) {
        rcp_op op = PICK(reads, unary);
        return rcp_term_make(pool, op == RCP_OP_BSWAP && width % 16 ? RCP_OP_CTPOP : op, width, a, none, none);
    }
    if (roll < 96)
        return rcp_term_make(pool, RCP_OP_ITE, width, build_condition(reads, width, 0), a, a_read(reads, width));
    if (width == 32 || width == 64)
        return rcp_term_make(pool, PICK(reads, floating), width, a, a_read(reads, width), none);
    if (width >= 16) {
        rcp_term low = rcp_term_extract(pool, a, 0, width / 2);
        return rcp_term_make(pool, RCP_OP_CONCAT, width, rcp_term_extract(pool, a, width / 2, width / 2), low, none);
    }
    return a;
}

rcp_term rcp_gen_value(const rcp_gen_reads *reads, unsigned width, uint64_t *value) {
    rcp_terms *pool = POOL(reads);
    for (unsigned tries = 0; tries < 4; tries++) {
        rcp_term term = build(reads, width, 2);
        if (rcp_random_percent(RANDOM(reads), 60)) /* stay where coincidences happen */
            term = rcp_term_make(pool, RCP_OP_AND, width, term, rcp_term_const(pool, width, 3), none);
        if (rcp_machine_evaluate(reads->machine, term, value))
            return term;
    }
    rcp_term term = a_read(reads, width);
    RCP_CHECK(rcp_machine_evaluate(reads->machine, term, value));
    return term;
}

rcp_term rcp_gen_condition(const rcp_gen_reads *reads, uint64_t *value) {
    for (unsigned tries = 0;; tries++) {
        rcp_term term = build_condition(reads, 8u << rcp_random_below(RANDOM(reads), 4), tries < 4 ? 1 : 0);
        if (rcp_machine_evaluate(reads->machine, term, value))
            return term;
    }
}

rcp_term rcp_gen_address(const rcp_gen_reads *reads, uint64_t addr) {
    rcp_terms *pool = POOL(reads);
    rcp_term index = a_read(reads, 64);
    if (rcp_random_percent(RANDOM(reads), 60))
        index = rcp_term_make(pool, RCP_OP_AND, 64, index, rcp_term_const(pool, 64, 1), none);
    if (rcp_random_percent(RANDOM(reads), 60))
        index = rcp_term_make(pool, RCP_OP_SHL, 64, index, rcp_term_const(pool, 64, 3), none);
    uint64_t offset;
    RCP_CHECK(rcp_machine_evaluate(reads->machine, index, &offset));
    return rcp_term_make(pool, RCP_OP_ADD, 64, rcp_term_const(pool, 64, addr - offset), index, none);
}

rcp_term rcp_gen_equals_self(const rcp_gen_reads *reads, uint64_t expected) {
    unsigned width = reads->self * 8;
    rcp_term self = rcp_term_read(POOL(reads), rcp_machine_next(reads->machine), 0, width);
    return rcp_term_make(POOL(reads), RCP_OP_EQ, 1, self, rcp_term_const(POOL(reads), width, expected), none);
}
