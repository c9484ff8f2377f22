/* SPDX-License-Identifier: Apache-2.0 */
/* Terms are right: a function is run with terms on one input; wherever another input keeps the conditions that it told,
 * what it leaves is what the terms say for that input, and what it really leaves when it is run on it.
 *
 * The teller is this file's own: it keeps the events. */
#include "program/symbolic/symbolic.h"

#include "base/limits.h"
#include "suite.h"

#include "program/ir/decode.h"
#include "../prop/sample.h"

#include <inttypes.h>
#include <llvm-c/IRReader.h>

#define BASE UINT64_C(0xaaaaaaab0000) /* @in; @out is the next symbol */
enum { WORDS = 4, INPUTS = 24, FEW = 8 };
static int inputs(void) { return rcp_is_sample() ? FEW : INPUTS; }

typedef struct told {
    rcp_terms terms;
    RCP_VEC(rcp_event) events;
    RCP_VEC(uint8_t *)
    kept;          /* what events of more than 8 bytes have; whoever tells them borrows it for the call alone */
    uint8_t bare;  /* of each word of @in: bytes that nobody has written */
    bool asks_all; /* of rcp_symbolic_pin_all(), when the function has returned */
    bool is_apart; /* what that said */
} told;

static const uint8_t *keep_bytes(told *sink, const uint8_t *bytes, size_t n) {
    uint8_t *copy = rcp_alloc(n);
    memcpy(copy, bytes, n);
    rcp_vec_push(&sink->kept, copy);
    return copy;
}

static rcp_eid add(void *context, const rcp_strand *strand, const rcp_ins *ins, rcp_event *event) {
    (void)strand, (void)ins;
    told *sink = context;
    rcp_event kept = *event;
    if (rcp_event_is_access(event) && event->size > 8)
        kept.bytes = keep_bytes(sink, event->bytes, event->size);
    if (event->kind == RCP_RMW && event->size > 8)
        kept.written_bytes = keep_bytes(sink, event->written_bytes, event->size);
    rcp_vec_push(&sink->events, kept);
    return (rcp_eid){sink->events.len - 1};
}

static void finish_told(told *sink) {
    for (size_t i = 0; i < sink->kept.len; i++)
        rcp_release(sink->kept.at[i]);
    rcp_vec_finish(&sink->kept);
    rcp_vec_finish(&sink->events);
    rcp_terms_finish(&sink->terms);
}

static rcp_eid next_at(void *context, uint64_t address) {
    (void)address;
    const told *sink = context;
    return (rcp_eid){sink->events.len};
}

typedef struct fixture {
    rcp_program program;
    rcp_unit *unit;
} fixture;

static void set_up(fixture *f, const char *text) {
    *f = (fixture){0};
    rcp_program_init(&f->program, ".");
    LLVMModuleRef module;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    ck_assert_msg(!LLVMParseIRInContext(f->program.context, buffer, &module, &message), "%s\n%s",
                  message ? message : "", text);
    rcp_symbols symbols;
    rcp_symbols_init(&symbols, module);
    uint64_t addresses[64];
    ck_assert_uint_lt(symbols.symbols.len + symbols.blocks.len, 64);
    for (size_t i = 0; i < symbols.symbols.len + symbols.blocks.len; i++)
        addresses[i] = BASE + 4096 * i;
    rcp_image_module image = {.n_symbols = symbols.symbols.len,
                              .n_blocks = symbols.blocks.len,
                              .symbols = addresses,
                              .blocks = addresses + symbols.symbols.len};
    rcp_symbols_finish(&symbols);
    ck_assert_int_eq(rcp_program_add_unit(&f->program, module, &image), RCP_OK);
    f->unit = f->program.units.at[0];
}

static void tear_down(fixture *f) { rcp_program_finish(&f->program); }

static uint8_t bare(void *context, uint64_t address) {
    const told *sink = context;
    return address < BASE + 4096 ? sink->bare : 0;
}

/* One run over `in`; with a sink, with terms. */
static void run(fixture *f, const uint64_t in[WORDS], uint64_t out[WORDS], told *sink) {
    rcp_space space;
    rcp_space_init(&space);
    rcp_space_write(&space, BASE, in, WORDS * 8);
    rcp_space_fill(&space, BASE + 4096, 0, WORDS * 8);
    static const rcp_client with_terms = {.interpret = rcp_symbolic_interpret};
    rcp_symbolic *symbolic = NULL;
    rcp_machine m = {.client = &rcp_client_values,
                     .program = &f->program,
                     .space = &space,
                     .next = UINT64_MAX,
                     .turn_end = UINT64_MAX};
    m.names = rcp_thread_names_create();
    m.record.tag = RCP_LOG_END;
    m.current = rcp_strand_create(0);
    m.current->stack = UINT64_C(0xfffff0000000);
    if (sink) {
        const rcp_teller teller = {
            .context = sink, .terms = &sink->terms, .add = add, .next_at = next_at, .bare = sink->bare ? bare : NULL};
        m.client = &with_terms;
        m.shadow = symbolic = rcp_symbolic_create(&space, &teller);
        rcp_symbolic_share(symbolic, BASE, WORDS * 8);
        rcp_symbolic_share(symbolic, BASE + 4096, WORDS * 8);
    }
    rcp_strand *t = m.current;
    LLVMValueRef function = LLVMGetNamedFunction(f->unit->module, "f");
    ck_assert_ptr_nonnull(function);
    rcp_activation *frame = rcp_strand_push(&m, t, rcp_unit_routine(f->unit, function), NULL);
    frame->is_callback = true;
    t->pc = frame->routine->code.at;
    t->state = RCP_STRAND_RUNNING;
    rcp_pause pause = rcp_interpret(&m);
    if (pause == RCP_PAUSE_FAILED)
        rcp_print_causes(stderr);
    ck_assert_int_eq(pause, RCP_PAUSE_RETURNED);
    rcp_space_read(&space, BASE + 4096, out, WORDS * 8);
    if (sink && sink->asks_all)
        sink->is_apart = rcp_symbolic_pin_all(symbolic, t, NULL);
    rcp_symbolic_destroy(symbolic);
    rcp_strand_destroy(t);
    rcp_thread_names_destroy(m.names);
    rcp_space_finish(&space);
}

/* --- evaluating what was told, on another input --- */

typedef struct other {
    const told *sink;
    const uint8_t *in;
} other;

/* @in is only read, @out only written (or read before anything is: 0): so a read has the input's bytes. */
static rcp_eval look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    const other *o = context;
    const rcp_event *e = &o->sink->events.at[read.v];
    *value = 0;
    ck_assert_uint_ge(e->addr, BASE);
    if (e->addr < BASE + 4096)
        memcpy(value, o->in + (e->addr - BASE) + offset, bytes);
    return RCP_EVAL_OK;
}

/* Have the first `n` events read what they had read? (Those of @out do.) */
static bool has_read_the_same(const other *o, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const rcp_event *e = &o->sink->events.at[i];
        uint64_t was;
        if (!rcp_event_reads(e) || e->addr >= BASE + 4096)
            continue;
        memcpy(&was, rcp_event_bytes(e), e->size < 8 ? e->size : 8);
        if (memcmp(e->size > 8 ? rcp_event_bytes(e) : (uint8_t *)&was, o->in + (e->addr - BASE), e->size) != 0)
            return false;
    }
    return true;
}

/* Does the other input keep every condition and address? */
static bool keeps(rcp_evaluator *evaluator, const told *sink) {
    for (size_t i = 0; i < sink->events.len; i++) {
        const rcp_event *e = &sink->events.at[i];
        uint64_t value;
        ck_assert_uint_ne(e->addr_term.v, RCP_TERM_ALL.v);
        if (e->cond.v == RCP_TERM_ALL.v && !has_read_the_same(evaluator->context, i + rcp_event_reads(e)))
            return false;
        if (rcp_term_is_real(e->cond)) {
            uint64_t recorded = e->kind == RCP_BRANCH ? e->value : e->kind == RCP_RMW;
            if (rcp_evaluator_run(evaluator, e->cond, &value) != RCP_EVAL_OK || value != recorded)
                return false;
        }
        if (rcp_term_is_real(e->addr_term) &&
            (rcp_evaluator_run(evaluator, e->addr_term, &value) != RCP_EVAL_OK || value != e->addr))
            return false;
    }
    return true;
}

/* What the terms leave in @out. False: some value is undefined, or anything. */
static bool leave(rcp_evaluator *evaluator, const told *sink, uint8_t out[WORDS * 8]) {
    memset(out, 0, WORDS * 8);
    for (size_t i = 0; i < sink->events.len; i++) {
        const rcp_event *e = &sink->events.at[i];
        if (!rcp_event_writes(e))
            continue;
        ck_assert(e->addr >= BASE + 4096 && e->addr + e->size <= BASE + 4096 + WORDS * 8);
        uint64_t value = e->kind == RCP_RMW ? e->written : e->value;
        if (e->value_term.v == RCP_TERM_ALL.v && !has_read_the_same(evaluator->context, i + rcp_event_reads(e)))
            return false;
        if (e->size > 8) {
            memcpy(out + (e->addr - BASE - 4096), rcp_event_written(e), e->size);
            continue;
        }
        if (rcp_term_is_real(e->value_term) && rcp_evaluator_run(evaluator, e->value_term, &value) != RCP_EVAL_OK)
            return false;
        memcpy(out + (e->addr - BASE - 4096), &value, e->size);
    }
    return true;
}

static uint64_t any(uint64_t *state) {
    static const uint64_t choice[] = {0,    1,          2,          7,          0x7f,      0x80,
                                      0xff, 0x7fffffff, 0x80000000, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN};
    static const double numbers[] = {0.0, -0.0, 1.5, -2.25, 1e300, 3e-10, 1e10, -7.0};
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state >> 33;
    switch (x % 5) {
    case 0: return choice[x / 5 % (sizeof choice / sizeof *choice)];
    case 1: return x / 5 % 16;
    case 2: {
        uint64_t bits;
        memcpy(&bits, &numbers[x / 5 % 8], 8);
        return bits;
    }
    case 3: return *state;
    default: { /* two floats */
        float pair[2] = {(float)numbers[x / 5 % 8], (float)(x % 1000) / 8};
        uint64_t bits;
        memcpy(&bits, pair, 8);
        return bits;
    }
    }
}

/* Limits at which values are unknown: none; of reads; of values above an operation; all, at once and after a few. The
 * same where nobody has written some of the bytes. */
static const struct {
    uint64_t plenty, reads, depth, terms;
    uint8_t bare;
} modes[] = {{6 << 20, 10000, 200, 12 << 20, 0},
             {0, 0, 200, 12 << 20, 0},
             {0, 1, 200, 12 << 20, 0},
             {0, 10000, 1, 12 << 20, 0},
             {0, 10000, 200, 1, 0},
             {0, 10000, 200, 4, 0},
             {6 << 20, 10000, 200, 12 << 20, 0x2c},
             {0, 0, 200, 12 << 20, 0x2c},
             {0, 1, 200, 12 << 20, 0xf0},
             {0, 10000, 200, 4, 0x2c}};
enum { MODES = sizeof modes / sizeof *modes };

static void set_mode(size_t mode) {
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_SYMBOLIC_PLENTY, modes[mode].plenty), RCP_OK);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_SYMBOLIC_READS, modes[mode].reads), RCP_OK);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_SYMBOLIC_DEPTH, modes[mode].depth), RCP_OK);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_SYMBOLIC_TERMS, modes[mode].terms), RCP_OK);
}

/* Of the pairs of inputs, how many keep the conditions; fails where terms and truth differ. Where values are unknown
 * they must not differ either, on a few inputs. */
static unsigned agree(const char *text, uint64_t seed) {
    fixture f;
    set_up(&f, text);
    const int n = inputs();
    uint64_t in[INPUTS][WORDS], out[INPUTS][WORDS];
    unsigned kept = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < WORDS; k++)
            in[i][k] = any(&seed);
        run(&f, in[i], out[i], NULL);
    }
    enum { UNKNOWN_INPUTS = 3 };
    for (int at = 0; at < n + (MODES - 1) * UNKNOWN_INPUTS; at++) {
        int mode = at < n ? 0 : 1 + (at - n) / UNKNOWN_INPUTS, i = at < n ? at : (at - n) % UNKNOWN_INPUTS;
        told sink = {.bare = modes[mode].bare};
        uint64_t with[WORDS];
        rcp_terms_init(&sink.terms);
        set_mode((size_t)mode);
        run(&f, in[i], with, &sink);
        ck_assert_msg(!memcmp(with, out[i], sizeof with), "with terms the values differ:\n%s", text);
        for (int k = 0; k < n; k++) {
            other o = {&sink, (const uint8_t *)in[k]};
            rcp_evaluator evaluator;
            rcp_evaluator_init(&evaluator, &sink.terms, look_up, &o);
            uint8_t said[WORDS * 8];
            bool is_kept = keeps(&evaluator, &sink);
            ck_assert_msg(is_kept || i != k, "mode %d: the input itself does not keep its conditions:\n%s", mode, text);
            if (is_kept && leave(&evaluator, &sink, said)) {
                ck_assert_msg(!memcmp(said, out[k], sizeof said),
                              "mode %d: on %" PRIx64 " %" PRIx64 " the terms of %" PRIx64 " %" PRIx64 " leave %" PRIx64
                              ", the program %" PRIx64 ":\n%s",
                              mode, in[k][0], in[k][1], in[i][0], in[i][1], *(uint64_t *)(void *)said, out[k][0], text);
                kept += i != k && !mode;
            }
            rcp_evaluator_finish(&evaluator);
        }
        finish_told(&sink);
    }
    set_mode(0);
    tear_down(&f);
    return kept;
}

#define GLOBALS "@in = global [4 x i64] zeroinitializer\n@out = global [4 x i64] zeroinitializer\n"
#define SECOND  "getelementptr (i8, ptr @in, i64 8)"

static void expand(char *text, size_t room, const char *format, const char *op, const char *type) {
    size_t n = 0;
    for (const char *p = format; *p && n + 64 < room; p++) {
        if (*p == '$')
            n += (size_t)snprintf(text + n, room - n, "%s", type);
        else if (*p == '!')
            n += (size_t)snprintf(text + n, room - n, "%s", op);
        else
            text[n++] = *p;
    }
    text[n] = 0;
}

static unsigned agree_on(const char *format, const char *op, const char *type) {
    char text[4096];
    expand(text, sizeof text, format, op, type);
    return agree(text, 12345);
}

static const char *const ints[] = {"i8", "i16", "i32", "i33", "i64"};
#define EACH(i, array) for (size_t i = 0; i < sizeof(array) / sizeof *(array); i++)
#define FREE(kept)     ck_assert_int_gt((int)(kept), inputs() * inputs() / 2) /* terms, not pins */

START_TEST(integers) {
    static const char *const ops[] = {"add", "sub", "mul", "and", "or", "xor"};
    static const char *const intrinsics[] = {"umin", "umax", "smin", "smax"};
    EACH(i, ints) {
        EACH(k, ops)
            FREE(agree_on(GLOBALS
                          "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                          "\n%r = ! $ %a, %b\n%s = ! $ %r, 3\n%t = ! $ 77, %s\nstore $ %t, ptr @out\nret void\n}\n",
                          ops[k], ints[i]));
        EACH(k, intrinsics)
            FREE(agree_on(
                GLOBALS "declare $ @llvm.!.$($, $)\ndefine void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                        "\n%r = call $ @llvm.!.$($ %a, $ %b)\nstore $ %r, ptr @out\nret void\n}\n",
                intrinsics[k], ints[i]));
    }
}
END_TEST

START_TEST(divisions_and_shifts) {
    static const char *const divisions[] = {"udiv", "sdiv", "urem", "srem"}, *const shifts[] = {"shl", "lshr", "ashr"};
    EACH(i, ints) {
        EACH(k, divisions)
            ck_assert_uint_gt(agree_on(GLOBALS "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                                               "\n%r = ! $ %a, %b\n%s = ! $ %a, 7\nstore $ %r, ptr @out\n"
                                               "store $ %s, ptr getelementptr (i8, ptr @out, i64 8)\nret void\n}\n",
                                       divisions[k], ints[i]),
                              0);
        EACH(k, shifts)
            FREE(agree_on(GLOBALS
                          "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                          "\n%m = and $ %b, 7\n%r = ! $ %a, %m\n%s = ! $ %r, 5\n%t = ! $ 100, %m\n%u = add $ %s, %t\n"
                          "store $ %u, ptr @out\nret void\n}\n",
                          shifts[k], ints[i]));
    }
}
END_TEST

START_TEST(comparisons_and_selects) {
    static const char *const predicates[] = {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"};
    EACH(i, ints)
        EACH(k, predicates) {
            FREE(agree_on(GLOBALS "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                                  "\n%c = icmp ! $ %a, %b\n%d = icmp ! $ %a, 7\n%e = select i1 %c, $ %a, $ 9\n"
                                  "%g = select i1 %d, $ %e, $ %b\nstore $ %g, ptr @out\nret void\n}\n",
                          predicates[k], ints[i]));
            ck_assert_uint_gt(agree_on(GLOBALS
                                       "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                                       "\n%c = icmp ! $ %a, %b\nbr i1 %c, label %x, label %y\n"
                                       "x: %p = add $ %a, 1\nbr label %z\ny: %q = sub $ %b, 1\nbr label %z\n"
                                       "z: %r = phi $ [ %p, %x ], [ %q, %y ]\nstore $ %r, ptr @out\nret void\n}\n",
                                       predicates[k], ints[i]),
                              0);
        }
}
END_TEST

START_TEST(conversions) {
    static const char *const narrow[] = {"i1", "i7", "i8", "i16", "i31", "i32"};
    EACH(i, narrow)
        FREE(agree_on(
            GLOBALS
            "define void @f() {\n%a = load i64, ptr @in\n%t = trunc i64 %a to $\n%z = zext $ %t to i64\n"
            "%s = sext $ %t to i64\n%r = mul i64 %z, 3\n%u = add i64 %r, %s\nstore i64 %u, ptr @out\nret void\n}\n",
            "", narrow[i]));
}
END_TEST

/* Values that are wider than their terms, and results that must be cut before they are compared. */
START_TEST(widths) {
    static const char *const ops[] = {"and", "or", "xor", "add", "sub"};
    EACH(k, ops) {
        FREE(agree_on(GLOBALS "define void @f() {\n%a = load i8, ptr @in\n%z = zext i8 %a to i64\n%r = ! i64 %z, 300\n"
                              "%c = icmp ult i64 %z, 300\n%d = icmp eq i64 %r, 44\n%e = xor i1 %c, %d\n"
                              "%g = select i1 %e, i64 %r, i64 4000\nstore i64 %g, ptr @out\nret void\n}\n",
                      ops[k], ""));
        for (size_t i = 0; i < 4; i++)
            FREE(agree_on(GLOBALS
                          "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                          "\n%r = ! $ %a, %b\n%c = icmp ugt $ %r, 100\n%z = zext $ %r to i64\n%s = lshr i64 %z, 6\n"
                          "%g = select i1 %c, i64 %s, i64 5\nstore i64 %g, ptr @out\nret void\n}\n",
                          ops[k], ints[i]));
    }
}
END_TEST

START_TEST(bits) {
    static const char *const ops[] = {"bswap", "bitreverse", "ctpop"}, *const counts[] = {"ctlz", "cttz", "abs"},
                             *const funnels[] = {"fshl", "fshr"};
    static const char *const some[] = {"i16", "i32", "i64"};
    EACH(i, some) {
        EACH(k, ops)
            FREE(agree_on(GLOBALS "declare $ @llvm.!.$($)\ndefine void @f() {\n%a = load $, ptr @in\n"
                                  "%r = call $ @llvm.!.$($ %a)\nstore $ %r, ptr @out\nret void\n}\n",
                          ops[k], some[i]));
        EACH(k, counts)
            FREE(agree_on(GLOBALS "declare $ @llvm.!.$($, i1)\ndefine void @f() {\n%a = load $, ptr @in\n"
                                  "%r = call $ @llvm.!.$($ %a, i1 false)\nstore $ %r, ptr @out\nret void\n}\n",
                          counts[k], some[i]));
        EACH(k, funnels) {
            FREE(agree_on(GLOBALS "declare $ @llvm.!.$($, $, $)\ndefine void @f() {\n%a = load $, ptr @in\n"
                                  "%b = load $, ptr " SECOND "\n%r = call $ @llvm.!.$($ %a, $ %b, $ 5)\n"
                                  "%s = call $ @llvm.!.$($ %r, $ %r, $ 16)\nstore $ %s, ptr @out\nret void\n}\n",
                          funnels[k], some[i]));
            agree_on(GLOBALS "declare $ @llvm.!.$($, $, $)\ndefine void @f() {\n%a = load $, ptr @in\n"
                             "%b = load $, ptr " SECOND "\n%r = call $ @llvm.!.$($ %a, $ %a, $ %b)\n"
                             "store $ %r, ptr @out\nret void\n}\n",
                     funnels[k], some[i]);
        }
    }
}
END_TEST

START_TEST(overflows) {
    static const char *const ops[] = {"uadd", "usub", "umul", "sadd", "ssub", "smul"};
    EACH(i, ints)
        EACH(k, ops) {
            unsigned kept = agree_on(GLOBALS "declare {$, i1} @llvm.!.with.overflow.$($, $)\ndefine void @f() {\n"
                                             "%a = load $, ptr @in\n%b = load $, ptr " SECOND
                                             "\n%p = call {$, i1} @llvm.!.with.overflow.$($ %a, $ %b)\n"
                                             "%r = extractvalue {$, i1} %p, 0\n%o = extractvalue {$, i1} %p, 1\n"
                                             "%s = select i1 %o, $ 5, $ %r\nstore $ %s, ptr @out\nret void\n}\n",
                                     ops[k], ints[i]);
            if (!strstr(ops[k], "mul") || i < 3) /* products of more than 32 bits are pinned */
                FREE(kept);
        }
}
END_TEST

START_TEST(floats) {
    static const char *const types[] = {"float", "double"}, *const ops[] = {"fadd", "fsub", "fmul", "fdiv", "frem"},
                             *const unary[] = {"fabs", "sqrt", "floor", "ceil", "trunc", "rint", "round"};
    static const char *const predicates[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                             "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
    EACH(i, types) {
        EACH(k, ops)
            FREE(agree_on(GLOBALS "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                                  "\n%r = ! $ %a, %b\n%n = fneg $ %r\nstore $ %n, ptr @out\nret void\n}\n",
                          ops[k], types[i]));
        EACH(k, unary)
            FREE(agree_on(i ? GLOBALS "declare $ @llvm.!.f64($)\ndefine void @f() {\n%a = load $, ptr @in\n"
                                      "%r = call $ @llvm.!.f64($ %a)\nstore $ %r, ptr @out\nret void\n}\n"
                            : GLOBALS "declare $ @llvm.!.f32($)\ndefine void @f() {\n%a = load $, ptr @in\n"
                                      "%r = call $ @llvm.!.f32($ %a)\nstore $ %r, ptr @out\nret void\n}\n",
                          unary[k], types[i]));
        EACH(k, predicates)
            FREE(agree_on(GLOBALS
                          "define void @f() {\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                          "\n%c = fcmp ! $ %a, %b\n%r = zext i1 %c to i32\nstore i32 %r, ptr @out\nret void\n}\n",
                          predicates[k], types[i]));
        FREE(agree_on(GLOBALS
                      "declare i32 @llvm.fptosi.sat.i32.!($)\ndeclare i16 @llvm.fptoui.sat.i16.!($)\n"
                      "define void @f() {\n%a = load $, ptr @in\n%b = load i32, ptr " SECOND
                      "\n%c = call i32 @llvm.fptosi.sat.i32.!($ %a)\n%d = call i16 @llvm.fptoui.sat.i16.!($ %a)\n"
                      "%e = sitofp i32 %b to $\n%g = uitofp i32 %b to $\n%h = fadd $ %e, %g\n"
                      "store i32 %c, ptr @out\nstore i16 %d, ptr getelementptr (i8, ptr @out, i64 8)\n"
                      "store $ %h, ptr getelementptr (i8, ptr @out, i64 16)\nret void\n}\n",
                      i ? "f64" : "f32", types[i]));
    }
    FREE(agree_on(GLOBALS
                  "define void @f() {\n%a = load float, ptr @in\n%b = fpext float %a to double\n"
                  "%c = fmul double %b, 1.25\n%d = fptrunc double %c to float\nstore float %d, ptr @out\nret void\n}\n",
                  "", ""));
}
END_TEST

/* A NaN that the recorded machine makes has its sign, not this machine's. */
START_TEST(machines) {
    static const char *const names[] = {"aarch64", "x86_64"}, *const ops[] = {"fadd", "fsub", "fmul", "fdiv"};
    EACH(i, names)
        EACH(k, ops)
            agree_on("target triple = \"$-unknown-linux-gnu\"\n" GLOBALS
                     "define void @f() {\n%a = load float, ptr @in\n%b = load float, ptr " SECOND
                     "\n%r = ! float %a, %b\n%n = fneg float %r\nstore float %n, ptr @out\nret void\n}\n",
                     ops[k], names[i]);
}
END_TEST

/* Terms that memory of one's own holds: other widths, other places, copies, rows. */
START_TEST(memory) {
    FREE(agree_on(GLOBALS "define void @f() {\n%m = alloca [4 x i64]\n%a = load i64, ptr @in\nstore i64 %a, ptr %m\n"
                          "%p = getelementptr i8, ptr %m, i64 3\n%b = load i16, ptr %p\nstore i16 %b, ptr @out\n"
                          "store i8 7, ptr %p\n%c = load i64, ptr %m\n"
                          "store i64 %c, ptr getelementptr (i8, ptr @out, i64 8)\n"
                          "%q = getelementptr i8, ptr %m, i64 5\nstore i64 %c, ptr %q\n%d = load i32, ptr %q\n"
                          "store i32 %d, ptr getelementptr (i8, ptr @out, i64 17)\nret void\n}\n",
                  "", ""));
    FREE(agree_on(
        GLOBALS "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                "define void @f() {\n%m = alloca [6 x i64]\n"
                "call void @llvm.memset.p0.i64(ptr %m, i8 3, i64 48, i1 false)\n%p = getelementptr i8, ptr %m, i64 3\n"
                "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @in, i64 29, i1 false)\n"
                "call void @llvm.memset.p0.i64(ptr %p, i8 9, i64 2, i1 false)\n"
                "%q = getelementptr i8, ptr %m, i64 1\n"
                "call void @llvm.memcpy.p0.p0.i64(ptr @out, ptr %q, i64 31, i1 false)\nret void\n}\n",
        "", ""));
    FREE(agree_on(GLOBALS "define void @f() {\n%m = alloca {i8, i32, i64}\n%a = load {i8, i32, i64}, ptr @in\n"
                          "store {i8, i32, i64} %a, ptr %m\n%b = load {i8, i32, i64}, ptr %m\n"
                          "%c = extractvalue {i8, i32, i64} %b, 1\n%d = insertvalue {i8, i32, i64} %b, i8 5, 0\n"
                          "store {i8, i32, i64} %d, ptr @out\nstore i32 %c, ptr getelementptr (i8, ptr @out, i64 24)\n"
                          "ret void\n}\n",
                  "", ""));
    FREE(agree_on(
        GLOBALS
        "define void @f() {\n%a = load <4 x i32>, ptr @in\n%b = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>\n"
        "%c = extractelement <4 x i32> %b, i64 2\n%d = insertelement <4 x i32> %b, i32 9, i64 1\n"
        "store <4 x i32> %d, ptr @out\nstore i32 %c, ptr getelementptr (i8, ptr @out, i64 16)\nret void\n}\n",
        "", ""));
    ck_assert_uint_gt(agree_on(GLOBALS
                               "define void @f() {\n%m = alloca [4 x i64]\nstore i64 5, ptr %m\n"
                               "%z = getelementptr i64, ptr %m, i64 1\nstore i64 6, ptr %z\n%a = load i64, ptr @in\n"
                               "%i = and i64 %a, 1\n%p = getelementptr i64, ptr %m, i64 %i\n%b = load i64, ptr %p\n"
                               "store i64 %b, ptr @out\nret void\n}\n",
                               "", ""),
                      0);
    /* an address from the input is kept */
    ck_assert_uint_gt(agree_on(GLOBALS
                               "define void @f() {\n%m = alloca [4 x i64]\nstore i64 5, ptr %m\n"
                               "%z = getelementptr i64, ptr %m, i64 1\nstore i64 6, ptr %z\n%a = load i64, ptr @in\n"
                               "%i = and i64 %a, 1\n%p = getelementptr i64, ptr %m, i64 %i\n%b = load i64, ptr %p\n"
                               "%q = getelementptr i64, ptr @in, i64 %i\n%c = load i64, ptr %q\n%d = add i64 %b, %c\n"
                               "store i64 %d, ptr @out\nret void\n}\n",
                               "", ""),
                      0);
}
END_TEST

/* 128 bits have no words: they are pinned, and right. */
START_TEST(wide_integers) {
    static const char *const ops[] = {"add", "mul", "xor", "lshr"};
    EACH(k, ops)
        agree_on(GLOBALS "define void @f() {\n%a = load i128, ptr @in\n%c = and i128 %a, 100\n%r = ! i128 %a, %c\n"
                         "store i128 %r, ptr @out\nret void\n}\n",
                 ops[k], "");
    FREE(agree_on(GLOBALS "define void @f() {\n%a = load i128, ptr @in\nstore i128 %a, ptr @out\nret void\n}\n", "",
                  ""));
}
END_TEST

/* Each is one event, over as many words as it goes; of 128 bits what becomes of it has no words. */
START_TEST(wide_atomics) {
    agree_on(GLOBALS "define void @f() {\n%a = load atomic i128, ptr @in seq_cst, align 16\n%b = lshr i128 %a, 64\n"
                     "%c = trunc i128 %b to i64\nstore i64 %c, ptr @out\nret void\n}\n",
             "", "");
    agree_on(GLOBALS "define void @f() {\n%a = load atomic i128, ptr @in seq_cst, align 16\n"
                     "store atomic i128 %a, ptr @out seq_cst, align 16\nret void\n}\n",
             "", "");
    FREE(agree_on(GLOBALS "define void @f() {\n"
                          "%a = load atomic i32, ptr getelementptr (i8, ptr @in, i64 6) seq_cst, align 1\n"
                          "store atomic i32 %a, ptr getelementptr (i8, ptr @out, i64 5) seq_cst, align 1\n"
                          "ret void\n}\n",
                  "", ""));
}
END_TEST

START_TEST(atomics) {
    static const char *const ops[] = {"xchg", "add", "sub",  "and",  "nand",      "or",       "xor",
                                      "max",  "min", "umax", "umin", "uinc_wrap", "udec_wrap"};
    static const char *const some[] = {"i8", "i32", "i64"};
    EACH(i, some) {
        EACH(k, ops) {
            agree_on(GLOBALS "define void @f() {\n%a = load $, ptr @in\n%o = atomicrmw ! ptr @out, $ %a seq_cst\n"
                             "%p = atomicrmw ! ptr getelementptr (i8, ptr @out, i64 8), $ 3 seq_cst\nret void\n}\n",
                     ops[k], some[i]);
            agree_on(GLOBALS "define void @f() {\n%m = alloca i64\n%a = load $, ptr @in\nstore $ %a, ptr %m\n"
                             "%b = load $, ptr " SECOND "\n%o = atomicrmw ! ptr %m, $ %b seq_cst\n%n = load $, ptr %m\n"
                             "%s = add $ %n, %o\nstore $ %s, ptr @out\nret void\n}\n",
                     ops[k], some[i]);
        }
        ck_assert_uint_gt(
            agree_on(GLOBALS "define void @f() {\n%m = alloca i64\n%a = load $, ptr @in\n%b = load $, ptr " SECOND
                             "\n%l = and $ %b, 1\nstore $ %l, ptr %m\n%x = cmpxchg ptr %m, $ 1, $ %a seq_cst seq_cst\n"
                             "%n = load $, ptr %m\n%s = extractvalue {$, i1} %x, 1\n%t = select i1 %s, $ %n, $ 77\n"
                             "%y = cmpxchg ptr @out, $ 0, $ %t seq_cst seq_cst\nret void\n}\n",
                     "", some[i]),
            0);
    }
}
END_TEST

START_TEST(switches) {
    ck_assert_int_gt((int)agree_on(GLOBALS
                                   "define void @f() {\n%a = load i32, ptr @in\n%b = and i32 %a, 7\n"
                                   "switch i32 %b, label %d [ i32 1, label %x i32 3, label %x i32 4, label %y ]\n"
                                   "x: store i32 1, ptr @out\nret void\ny: store i32 2, ptr @out\nret void\n"
                                   "d: store i32 %b, ptr @out\nret void\n}\n",
                                   "", ""),
                     inputs() * inputs() / 8);
}
END_TEST

/* Calls carry terms in and out; a recursion; a target from the input. */
START_TEST(calls) {
    FREE(agree_on(GLOBALS
                  "define internal i32 @twice(i32 %x) {\n%y = shl i32 %x, 1\nret i32 %y\n}\n"
                  "define internal {i32, i32} @both(i32 %x, i32 %y) {\n%a = call i32 @twice(i32 %x)\n"
                  "%b = insertvalue {i32, i32} undef, i32 %a, 0\n%c = insertvalue {i32, i32} %b, i32 %y, 1\n"
                  "ret {i32, i32} %c\n}\ndefine void @f() {\n%a = load i32, ptr @in\n%b = load i32, ptr " SECOND
                  "\n%p = call {i32, i32} @both(i32 %a, i32 %b)\n%x = extractvalue {i32, i32} %p, 0\n"
                  "%y = extractvalue {i32, i32} %p, 1\n%z = sub i32 %x, %y\nstore i32 %z, ptr @out\nret void\n}\n",
                  "", ""));
}
END_TEST

/* What a call of unknown code keeps after `text`: everything at once, or each read but those of bare bytes. */
static bool keeps_apart(const char *text, size_t mode, uint8_t bytes, size_t reads, size_t writes) {
    fixture f;
    set_up(&f, text);
    told sink = {.bare = bytes, .asks_all = true};
    uint64_t in[WORDS] = {UINT64_C(0x1122334455667788)}, out[WORDS];
    size_t n[2] = {0};
    rcp_terms_init(&sink.terms);
    set_mode(mode);
    run(&f, in, out, &sink);
    set_mode(0);
    for (size_t i = 0; i < sink.events.len; i++) {
        n[0] += rcp_event_reads(&sink.events.at[i]);
        n[1] += rcp_event_writes(&sink.events.at[i]);
    }
    ck_assert_uint_eq(n[0], reads);
    ck_assert_uint_eq(n[1], writes);
    const rcp_event *last = &sink.events.at[sink.events.len - 1];
    ck_assert_int_eq(last->kind, RCP_BRANCH);
    ck_assert_int_eq(rcp_term_is_real(last->cond), sink.is_apart);
    rcp_eids kept = {0};
    if (sink.is_apart)
        rcp_term_reads(&sink.terms, last->cond, &kept);
    for (size_t i = 0; i < kept.len; i++)
        ck_assert_uint_eq(bytes >> (sink.events.at[kept.at[i].v].addr - BASE) & 1, 0);
    rcp_vec_finish(&kept);
    finish_told(&sink);
    tear_down(&f);
    return sink.is_apart;
}

/* Bytes that nobody has written are read and written apart. Whoever computes with them, or whose value is unknown, is
 * not taken to have moved them alone. */
START_TEST(bytes) {
    static const char moves[] =
        GLOBALS "define void @f() {\n%a = load i64, ptr @in\nstore i64 %a, ptr @out\nret void\n}\n";
    static const char adds[] =
        GLOBALS "define void @f() {\n%a = load i64, ptr @in\n%b = add i64 %a, 1\nstore i64 %b, ptr @out\nret void\n}\n";
    static const char cuts[] = GLOBALS "define void @f() {\n%a = load i64, ptr @in\n%b = trunc i64 %a to i32\n"
                                       "%c = add i32 %b, 1\nstore i32 %c, ptr @out\nret void\n}\n";
    ck_assert(!keeps_apart(moves, 0, 0, 1, 1));
    ck_assert(keeps_apart(moves, 0, 0xf0, 2, 2));
    ck_assert(keeps_apart(moves, 0, 0x24, 5, 5));
    ck_assert(!keeps_apart(adds, 0, 0xf0, 2, 1));
    ck_assert(keeps_apart(cuts, 0, 0xf0, 2, 1));
    ck_assert(!keeps_apart(cuts, 0, 0x0f, 2, 1));
    /* unknown: both parts; the second one; none, as nothing is computed; the second one; none, as there is room for it
     */
    static const bool is_known[] = {true, false, false, true, false, true};
    EACH(mode, is_known)
        ck_assert_int_eq(keeps_apart(moves, mode, 0xf0, 2, is_known[mode] ? 2 : 1), is_known[mode]);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    if (rcp_is_sample())
        printf("sampled: %d of %d inputs of a function\n", FEW, INPUTS);
    tcase_add_test(tests, integers);
    tcase_add_test(tests, divisions_and_shifts);
    tcase_add_test(tests, comparisons_and_selects);
    tcase_add_test(tests, conversions);
    tcase_add_test(tests, widths);
    tcase_add_test(tests, bits);
    tcase_add_test(tests, overflows);
    tcase_add_test(tests, floats);
    tcase_add_test(tests, machines);
    tcase_add_test(tests, memory);
    tcase_add_test(tests, wide_integers);
    tcase_add_test(tests, wide_atomics);
    tcase_add_test(tests, atomics);
    tcase_add_test(tests, switches);
    tcase_add_test(tests, calls);
    tcase_add_test(tests, bytes);
    return rcp_suite_run_case("symbolic", tests);
}
