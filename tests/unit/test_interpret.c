/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in LLVM's text, decoded and interpreted: what they leave in a global variable is compared with what the
 * language says. Logs that a program would leave are made by hand. */
#include "program/machine/machine.h"

#include "log_builder.h"
#include "suite.h"

#include "program/ir/decode.h"

#include <llvm-c/IRReader.h>

/* Where the module's symbols are: the n-th at BASE + 4096 n. */
#define BASE UINT64_C(0xaaaaaaab0000)

typedef struct fixture {
    rcp_program program;
    rcp_space space;
    rcp_machine machine;
    log_builder log;
} fixture;

static LLVMModuleRef parse(LLVMContextRef context, const char *text) {
    LLVMModuleRef module;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    ck_assert_msg(!LLVMParseIRInContext(context, buffer, &module, &message), "%s", message ? message : "");
    return module;
}

static void set_up(fixture *f, const char *text) {
    *f = (fixture){0};
    rcp_program_init(&f->program, ".");
    rcp_space_init(&f->space);
    LLVMModuleRef module = parse(f->program.context, text);
    rcp_symbols symbols;
    rcp_symbols_init(&symbols, module);
    uint64_t *addresses = rcp_alloc_zero(symbols.symbols.len + symbols.blocks.len + 1, sizeof *addresses);
    for (size_t i = 0; i < symbols.symbols.len + symbols.blocks.len; i++)
        addresses[i] = BASE + 4096 * i;
    rcp_image_module image = {.n_symbols = symbols.symbols.len,
                              .n_blocks = symbols.blocks.len,
                              .n_tls = symbols.tls.len,
                              .symbols = addresses,
                              .blocks = addresses + symbols.symbols.len};
    rcp_symbols_finish(&symbols);
    ck_assert_int_eq(rcp_program_add_unit(&f->program, module, &image), RCP_OK);
    rcp_release(addresses);
    f->machine = (rcp_machine){.client = &rcp_client_values,
                               .program = &f->program,
                               .space = &f->space,
                               .next = UINT64_MAX,
                               .turn_end = UINT64_MAX};
    f->machine.names = rcp_thread_names_create();
    f->machine.record.tag = RCP_LOG_END;
    f->machine.current = rcp_strand_create(0);
    f->machine.current->stack = UINT64_C(0xfffff0000000);
}

static void tear_down(fixture *f) {
    rcp_strand_destroy(f->machine.current);
    rcp_thread_names_destroy(f->machine.names);
    rcp_program_finish(&f->program);
    rcp_space_finish(&f->space);
    rcp_log_close(f->machine.log);
    rcp_vec_finish(&f->log.bytes);
}

/* Enters the function of that name as a callback would. */
static void enter(fixture *f, const char *name, uint64_t a, uint64_t b) {
    rcp_unit *unit = f->program.units.at[0];
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    ck_assert_ptr_nonnull(function);
    rcp_strand *t = f->machine.current;
    rcp_activation *frame = rcp_strand_push(&f->machine, t, rcp_unit_routine(unit, function), t->pc);
    ck_assert_ptr_nonnull(frame);
    frame->is_callback = true;
    frame->state = RCP_STRAND_ROOT;
    frame->registers[0] = a;
    frame->registers[1] = b;
    t->pc = frame->routine->code.at;
    t->state = RCP_STRAND_RUNNING;
}

static rcp_pause run(fixture *f, const char *name, uint64_t a, uint64_t b) {
    enter(f, name, a, b);
    rcp_pause pause = rcp_interpret(&f->machine);
    if (pause == RCP_PAUSE_FAILED)
        rcp_print_causes(stderr);
    return pause;
}

/* Word `i` of the module's first symbol. */
static uint64_t word(fixture *f, uint64_t i) {
    uint64_t value;
    rcp_space_read(&f->space, BASE + 8 * i, &value, sizeof value);
    return value;
}

START_TEST(loops_and_calls) {
    static const char text[] = "@out = global [8 x i64] zeroinitializer\n"
                               "define internal i64 @square(i64 %x) { %y = mul i64 %x, %x ret i64 %y }\n"
                               "define void @sum(i64 %n, i64 %unused) {\n"
                               "entry: br label %loop\n"
                               "loop: %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
                               "  %s = phi i64 [ 0, %entry ], [ %t, %loop ]\n"
                               "  %q = call i64 @square(i64 %i)\n"
                               "  %t = add i64 %s, %q\n  %j = add i64 %i, 1\n"
                               "  %more = icmp ult i64 %j, %n\n  br i1 %more, label %loop, label %end\n"
                               "end: store i64 %t, ptr @out\n  ret void\n}\n";
    fixture f;
    set_up(&f, text);
    ck_assert_int_eq(run(&f, "sum", 10, 0), RCP_PAUSE_RETURNED);
    ck_assert_uint_eq(word(&f, 0), 285);
    ck_assert_uint_eq(f.machine.current->position, 10 + 1); /* ten branches, one store */
    ck_assert_uint_eq(f.machine.current->frames.len, 0);
    tear_down(&f);
}
END_TEST

/* Phis of one block that exchange their values. */
START_TEST(moves_happen_at_once) {
    static const char text[] = "@out = global [8 x i64] zeroinitializer\n"
                               "define void @swap(i64 %n, i64 %unused) {\n"
                               "entry: br label %loop\n"
                               "loop: %a = phi i64 [ 1, %entry ], [ %b, %loop ]\n"
                               "  %b = phi i64 [ 2, %entry ], [ %c, %loop ]\n"
                               "  %c = phi i64 [ 3, %entry ], [ %a, %loop ]\n"
                               "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
                               "  %j = add i64 %i, 1\n"
                               "  %more = icmp ult i64 %j, %n\n  br i1 %more, label %loop, label %end\n"
                               "end: store i64 %a, ptr @out\n"
                               "  %p = getelementptr [8 x i64], ptr @out, i64 0, i64 1\n  store i64 %b, ptr %p\n"
                               "  %q = getelementptr i8, ptr %p, i64 8\n  store i64 %c, ptr %q\n  ret void\n}\n";
    fixture f;
    set_up(&f, text);
    for (uint64_t n = 1; n < 7; n++) {
        ck_assert_int_eq(run(&f, "swap", n, 0), RCP_PAUSE_RETURNED);
        for (uint64_t i = 0; i < 3; i++)
            ck_assert_uint_eq(word(&f, i), 1 + (n - 1 + i) % 3);
    }
    tear_down(&f);
}
END_TEST

START_TEST(switches_and_blocks_by_address) {
    static const char text[] =
        "@out = global [8 x i64] zeroinitializer\n"
        "define void @choose(i64 %x, i64 %unused) {\n"
        "  switch i64 %x, label %other [ i64 1, label %one  i64 2, label %two  i64 3, label %one ]\n"
        "one: br label %end\ntwo: br label %end\nother: br label %end\n"
        "end: %v = phi i64 [ 10, %one ], [ 20, %two ], [ 30, %other ]\n  store i64 %v, ptr @out\n  ret void\n}\n"
        "define void @sparse(i64 %x, i64 %unused) {\n"
        "  switch i64 %x, label %other [ i64 -5, label %one  i64 1000000, label %two ]\n"
        "one: br label %end\ntwo: br label %end\nother: br label %end\n"
        "end: %v = phi i64 [ 1, %one ], [ 2, %two ], [ 3, %other ]\n  store i64 %v, ptr @out\n  ret void\n}\n"
        "define void @indirect(i64 %x, i64 %unused) {\n"
        "  %c = icmp eq i64 %x, 0\n"
        "  %t = select i1 %c, ptr blockaddress(@indirect, %a), ptr blockaddress(@indirect, %b)\n"
        "  indirectbr ptr %t, [ label %a, label %b ]\n"
        "a: store i64 5, ptr @out\n  ret void\nb: store i64 6, ptr @out\n  ret void\n}\n";
    static const uint64_t dense[][2] = {{0, 30}, {1, 10}, {2, 20}, {3, 10}, {4, 30}, {UINT64_MAX, 30}};
    static const uint64_t sparse[][2] = {{0, 3}, {(uint64_t)-5, 1}, {1000000, 2}, {1000001, 3}};
    fixture f;
    set_up(&f, text);
    for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
        ck_assert_int_eq(run(&f, "choose", dense[i][0], 0), RCP_PAUSE_RETURNED);
        ck_assert_uint_eq(word(&f, 0), dense[i][1]);
    }
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++) {
        ck_assert_int_eq(run(&f, "sparse", sparse[i][0], 0), RCP_PAUSE_RETURNED);
        ck_assert_uint_eq(word(&f, 0), sparse[i][1]);
    }
    for (uint64_t i = 0; i < 2; i++) {
        ck_assert_int_eq(run(&f, "indirect", i, 0), RCP_PAUSE_RETURNED);
        ck_assert_uint_eq(word(&f, 0), 5 + i);
    }
    tear_down(&f);
}
END_TEST

START_TEST(stack_objects_are_pushed_as_the_program_does) {
    static const char text[] = "@out = global [8 x i64] zeroinitializer\n"
                               "define void @objects(i64 %n, i64 %unused) {\n"
                               "  %a = alloca i32\n  %b = alloca [3 x i64], align 64\n"
                               "  %c = alloca i8, i64 %n\n"
                               "  store ptr %a, ptr @out\n"
                               "  store ptr %b, ptr getelementptr (i8, ptr @out, i64 8)\n"
                               "  store ptr %c, ptr getelementptr (i8, ptr @out, i64 16)\n  ret void\n}\n";
    fixture f;
    set_up(&f, text);
    uint64_t top = f.machine.current->stack;
    ck_assert_int_eq(run(&f, "objects", 20, 0), RCP_PAUSE_RETURNED);
    ck_assert_uint_eq(word(&f, 0), top - 16);
    ck_assert_uint_eq(word(&f, 1), top - 64);
    ck_assert_uint_eq(word(&f, 2), top - 96);
    ck_assert_uint_eq(f.machine.current->stack, top);
    tear_down(&f);
}
END_TEST

START_TEST(vectors_and_aggregates) {
    static const char text[] =
        "@out = global [8 x i64] zeroinitializer\n"
        "define internal { i64, i32 } @both(i64 %x) {\n"
        "  %a = insertvalue { i64, i32 } zeroinitializer, i64 %x, 0\n"
        "  %b = insertvalue { i64, i32 } %a, i32 7, 1\n  ret { i64, i32 } %b\n}\n"
        "define void @mix(i64 %x, i64 %lane) {\n"
        "  %s = call { i64, i32 } @both(i64 %x)\n  %f = extractvalue { i64, i32 } %s, 0\n"
        "  %g = extractvalue { i64, i32 } %s, 1\n"
        "  %h = zext i32 %g to i64\n  %sum = add i64 %f, %h\n  store i64 %sum, ptr @out\n"
        "  %v = insertelement <4 x i16> <i16 1, i16 2, i16 3, i16 4>, i16 100, i64 %lane\n"
        "  %w = mul <4 x i16> %v, <i16 3, i16 3, i16 3, i16 -1>\n"
        "  %r = shufflevector <4 x i16> %w, <4 x i16> %v, <4 x i32> <i32 3, i32 2, i32 5, i32 0>\n"
        "  store <4 x i16> %r, ptr getelementptr (i8, ptr @out, i64 8)\n"
        "  %bits = bitcast <4 x i16> %r to i64\n  store i64 %bits, ptr getelementptr (i8, ptr @out, i64 16)\n"
        "  %less = icmp slt <4 x i16> %w, %v\n  %mask = bitcast <4 x i1> %less to i4\n  %m = zext i4 %mask to i64\n"
        "  store i64 %m, ptr getelementptr (i8, ptr @out, i64 24)\n"
        "  %big = zext i64 %x to i128\n  %shifted = shl i128 %big, 100\n  %back = lshr i128 %shifted, 90\n"
        "  store i128 %back, ptr getelementptr (i8, ptr @out, i64 32)\n  ret void\n}\n";
    fixture f;
    set_up(&f, text);
    ck_assert_int_eq(run(&f, "mix", 5, 1), RCP_PAUSE_RETURNED);
    /* v = 1 100 3 4; w = 3 300 9 -4; r = w3 w2 v1 w0 */
    uint64_t r = UINT64_C(0x0003) << 48 | UINT64_C(100) << 32 | UINT64_C(9) << 16 | 0xfffc;
    ck_assert_uint_eq(word(&f, 0), 12);
    ck_assert_uint_eq(word(&f, 1), r);
    ck_assert_uint_eq(word(&f, 2), r);
    ck_assert_uint_eq(word(&f, 3), 8); /* -4 < 4 alone */
    ck_assert_uint_eq(word(&f, 4), 5 << 10);
    ck_assert_uint_eq(word(&f, 5), 0);
    tear_down(&f);
}
END_TEST

START_TEST(what_is_not_modelled_says_so) {
    static const char text[] = "@out = global [8 x i64] zeroinitializer\n"
                               "define void @huge(i64 %x, i64 %y) {\n"
                               "  %c = icmp eq i64 %x, 0\n  br i1 %c, label %fine, label %not\n"
                               "fine: ret void\n"
                               "not: %a = zext i64 %x to i256\n  %b = mul i256 %a, %a\n"
                               "  store i256 %b, ptr @out\n  ret void\n}\n";
    fixture f;
    set_up(&f, text);
    ck_assert_int_eq(run(&f, "huge", 0, 0), RCP_PAUSE_RETURNED);
    enter(&f, "huge", 1, 0);
    ck_assert_int_eq(rcp_interpret(&f.machine), RCP_PAUSE_FAILED);
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "not modelled: an integer of 256 bits"));
    ck_assert_ptr_nonnull(strstr(rcp_borrow_cause(0), "huge at"));
    tear_down(&f);
}
END_TEST

/* A miss in the middle of a segment comes before its load and after the load before it; a stop is where it is said. */
START_TEST(misses_and_stops_are_exact) {
    static const char text[] = "@in = global [8 x i64] zeroinitializer\n"
                               "define void @add(i64 %x, i64 %y) {\n"
                               "  %a = load i64, ptr @in\n  %b = load i64, ptr @in\n  %c = load i64, ptr @in\n"
                               "  %s = add i64 %a, %b\n  %t = mul i64 %s, %c\n"
                               "  store i64 %t, ptr getelementptr (i8, ptr @in, i64 64)\n  ret void\n}\n";
    fixture f;
    set_up(&f, text);
    uint64_t line[8] = {6};
    log_begin(&f.log);
    log_record(&f.log, RCP_LOG_SLICE, 0, 0, LOG_NO_MORE, 0);
    log_record(&f.log, RCP_LOG_MISS, 1, rcp_zigzag((int64_t)(BASE / 64)), LOG_NO_MORE, 0);
    log_bytes(&f.log, line, sizeof line);
    log_record(&f.log, RCP_LOG_STOP, 1, LOG_NO_MORE, 0, 0);
    log_record(&f.log, RCP_LOG_SLICE, 0, 0, LOG_NO_MORE, 0);
    log_commit(&f.log);
    ck_assert_int_eq(rcp_log_open_memory("log", f.log.bytes.at, f.log.bytes.len, &f.machine.log), RCP_OK);
    ck_assert_int_eq(rcp_machine_advance(&f.machine), RCP_OK);
    ck_assert_int_eq(rcp_machine_advance(&f.machine), RCP_OK);
    ck_assert_int_eq(run(&f, "add", 0, 0), RCP_PAUSE_STOPPED);
    ck_assert_int_eq(f.machine.current->pc->op, RCP_INS_LOAD_64);
    ck_assert_uint_eq(rcp_ins_left(f.machine.current->pc), 2);
    ck_assert_int_eq(rcp_machine_advance(&f.machine), RCP_OK);
    ck_assert_int_eq(rcp_interpret(&f.machine), RCP_PAUSE_STOPPED); /* the log says no more */
    f.machine.log_end = f.machine.next = f.machine.current->position;
    ck_assert_int_eq(rcp_interpret(&f.machine), RCP_PAUSE_RETURNED);
    ck_assert_uint_eq(word(&f, 8), (0 + 6) * 6);
    tear_down(&f);
}
END_TEST

int main(void) {
    return rcp_suite_run("interpret", loops_and_calls, moves_happen_at_once, switches_and_blocks_by_address,
                         stack_objects_are_pushed_as_the_program_does, vectors_and_aggregates,
                         what_is_not_modelled_says_so, misses_and_stops_are_exact, NULL);
}
