/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops have a plain copy, and which must not. What the copies compute, and when they are taken, is tested by
 * running them: tests/programs/reexecute/loops.c. */
#include "instrument/regions.h"

#include "instrument/embed.h"
#include "instrument/pass.h"
#include "instrument/prepare.h"

#include "module_text.h"
#include "suite.h"

static void must(rcp_code code) {
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    ck_assert_int_eq(code, RCP_OK);
}

/* How many loops of the module have a copy; `text` takes the function f, if it is not NULL. */
static unsigned regions_of(const char *target, const char *module, char **text) {
    rcp_pass_unit unit;
    rcp_instrument_report report;
    rcp_embedding embedding;
    char scratch[256], hooks[512];
    ck_assert_ptr_nonnull(getenv("RECIPE_LIBRARY_DIR"));
    make_temporary(scratch, sizeof scratch);
    unit_of_text(&unit, &report, target, module);
    snprintf(hooks, sizeof hooks, "%s/inline-%s.bc", getenv("RECIPE_LIBRARY_DIR"),
             unit.arch == RCP_ARCH_AARCH64 ? "aarch64" : "x86_64");
    must(rcp_prepare(&unit));
    must(rcp_embed_bitcode(&unit, scratch, &embedding));
    must(rcp_pass(&unit, hooks, embedding.late));
    must(rcp_unit_verify(&unit, "the test"));
    rcp_embedding_finish(&embedding);
    drop_temporary(scratch);
    if (text)
        *text = text_of(&unit, "f");
    unsigned regions = report.regions;
    rcp_unit_finish(&unit);
    rcp_instrument_report_finish(&report);
    return regions;
}

/* for (i = start; ; ) { body; i += step; if (!(i ? end)) break; } */
static unsigned regions_of_loop(const char *start, const char *step, const char *go, const char *body, char **text) {
    char module[4096];
    snprintf(module, sizeof module,
             "declare void @g()\n"
             "define i32 @f(ptr %%p, ptr %%q, i32 %%n, i64 %%s) {\n"
             "  br label %%loop\n"
             "loop:\n"
             "  %%i = phi i32 [ %s, %%0 ], [ %%next, %%end ]\n"
             "  %%r = phi ptr [ %%q, %%0 ], [ %%r2, %%end ]\n"
             "  %%r2 = getelementptr i8, ptr %%r, i64 %%s\n"
             "  %%w = sext i32 %%i to i64\n"
             "  %%a = getelementptr i8, ptr %%p, i64 %%w\n"
             "  %s\n"
             "  br label %%end\n"
             "end:\n"
             "  %%next = add i32 %%i, %s\n"
             "  %%go = icmp %s\n"
             "  br i1 %%go, label %%loop, label %%done\n"
             "done:\n  ret i32 0\n}\n",
             start, body, step, go);
    return regions_of(AARCH64, module, text);
}

#define LOAD "%v = load i8, ptr %a"

START_TEST(counted_loops_have_copies) {
    static const struct {
        const char *start, *step, *go;
        unsigned regions;
    } all[] = {
        {"0", "1", "slt i32 %next, %n", 1},
        {"0", "1", "sgt i32 %n, %next", 1},
        {"0", "1", "ult i32 %next, %n", 1},
        {"0", "1", "sle i32 %next, %n", 1},
        {"0", "1", "ne i32 %next, %n", 1},
        {"0", "3", "slt i32 %next, %n", 1},
        {"0", "4", "ne i32 %next, %n", 1},
        {"%n", "-1", "sgt i32 %next, 0", 1},
        {"%n", "-1", "sge i32 %next, 0", 1},
        {"%n", "-1", "ne i32 %i, 0", 1},
        {"%n", "1", "slt i32 %next, 2000", 1},
        {"0", "1", "slt i32 %next, 16", 1},
        /* too few to be worth it */
        {"0", "1", "slt i32 %next, 3", 0},
        /* away from the end, or past it without a step upon it */
        {"0", "-1", "slt i32 %next, %n", 0},
        {"0", "1", "sgt i32 %next, %n", 0},
        {"0", "3", "ne i32 %next, %n", 0},
        {"0", "1", "eq i32 %next, %n", 0},
        {"0", "0", "slt i32 %next, %n", 0},
        {"0", "%n", "slt i32 %next, 100", 0},
        /* what is known now to wrap around */
        {"2147483000", "100", "sle i32 %next, 2147483647", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned regions = regions_of_loop(all[i].start, all[i].step, all[i].go, LOAD, NULL);
        ck_assert_msg(regions == all[i].regions, "from %s by %s while %s: %u copies", all[i].start, all[i].step,
                      all[i].go, regions);
    }
}
END_TEST

START_TEST(what_is_in_the_loop_decides) {
    static const struct {
        const char *body;
        unsigned regions;
    } all[] = {
        {"store i8 1, ptr %a", 1},
        {"%v = load i8, ptr %r", 1},
        {"%v = load i8, ptr %a\n  %b = getelementptr i8, ptr %a, i64 1\n  store i8 %v, ptr %b", 1},
        {"%v = load i16, ptr %a, align 1\n  %x = call i16 @llvm.abs.i16(i16 %v, i1 false)", 1},
        {"%v = load float, ptr %a\n  %x = fmul float %v, %v\n  store float %x, ptr %a", 1},
        /* more happens than loads and stores */
        {"%v = load i8, ptr %a\n  call void @g()", 0},
        {"%v = load volatile i8, ptr %a", 0},
        {"%v = load atomic i8, ptr %a monotonic, align 1", 0},
        {"store atomic i8 0, ptr %a release, align 1", 0},
        {"%v = atomicrmw add ptr %a, i32 1 seq_cst", 0},
        {"%v = load i8, ptr %a\n  fence seq_cst", 0},
        {"call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)", 0},
        /* where it goes depends on what is loaded, or in no even steps */
        {"%v = load i64, ptr %a\n  %b = getelementptr i8, ptr %p, i64 %v\n  store i8 0, ptr %b", 0},
        {"%x = mul i64 %w, %w\n  %b = getelementptr i8, ptr %p, i64 %x\n  %v = load i8, ptr %b", 0},
        {"%x = and i64 %w, 7\n  %b = getelementptr i8, ptr %p, i64 %x\n  %v = load i8, ptr %b", 0},
        {"%x = inttoptr i64 %w to ptr\n  %v = load i8, ptr %x", 0},
        /* types that the hooks see in another way */
        {"%v = load i128, ptr %a", 0},
        {"%v = load <4 x i32>, ptr %a", 0},
        {"%v = load i1, ptr %a", 0},
        /* nothing to compare and nothing to save */
        {"%x = add i32 %i, 1", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned regions = regions_of_loop("0", "1", "slt i32 %next, %n", all[i].body, NULL);
        ck_assert_msg(regions == all[i].regions, "%s: %u copies", all[i].body, regions);
    }
}
END_TEST

#define ARMS(left, right)                                                                                              \
    "%v = load i8, ptr %a\n  %c = icmp eq i8 %v, 0\n  br i1 %c, label %left, label %right\n"                           \
    "left:\n  " left "\n  br label %join\nright:\n  " right "\n  br label %join\njoin:"

START_TEST(arms) {
    /* no events; the same number of them, and of loads the same places */
    ck_assert_uint_eq(regions_of_loop("0", "1", "slt i32 %next, %n", ARMS("%x = add i32 %i, 1", ""), NULL), 1);
    ck_assert_uint_eq(
        regions_of_loop("0", "1", "slt i32 %next, %n", ARMS("store i8 1, ptr %a", "store i8 2, ptr %r"), NULL), 1);
    ck_assert_uint_eq(
        regions_of_loop("0", "1", "slt i32 %next, %n", ARMS("%y = load i8, ptr %r", "%z = load i8, ptr %r"), NULL), 1);
    /* else: what is loaded on one way alone can't be compared in front, and events could not be counted there */
    ck_assert_uint_eq(
        regions_of_loop("0", "1", "slt i32 %next, %n", ARMS("%y = load i8, ptr %r", "store i8 2, ptr %a"), NULL), 0);
    ck_assert_uint_eq(regions_of_loop("0", "1", "slt i32 %next, %n", ARMS("store i8 1, ptr %a", ""), NULL), 0);
    /* another way out, another loop within */
    ck_assert_uint_eq(regions_of_loop("0", "1", "slt i32 %next, %n",
                                      "%v = load i8, ptr %a\n  %c = icmp eq i8 %v, 0\n"
                                      "  br i1 %c, label %done, label %on\non:",
                                      NULL),
                      0);
    ck_assert_uint_eq(regions_of_loop("0", "1", "slt i32 %next, %n",
                                      "br label %in\nin:\n  %v = load i8, ptr %a\n  %c = icmp eq i8 %v, 0\n"
                                      "  br i1 %c, label %in, label %on\non:",
                                      NULL),
                      0);
}
END_TEST

START_TEST(small_functions_are_looked_into) {
    static const char module[] =
        "define internal i8 @small(i8 %%x) {\n  %s\n  ret i8 %%y\n}\n"
        "define void @f(ptr %%p, i64 %%n) {\n  br label %%loop\nloop:\n  %%i = phi i64 [ 0, %%0 ], [ %%next, %%loop ]\n"
        "  %%a = getelementptr i8, ptr %%p, i64 %%i\n  %%v = load i8, ptr %%a\n  %%w = call i8 @small(i8 %%v)\n"
        "  store i8 %%w, ptr %%a\n  %%next = add i64 %%i, 1\n  %%go = icmp ult i64 %%next, %%n\n"
        "  br i1 %%go, label %%loop, label %%done\ndone:\n  ret void\n}\n";
    char text[2048];
    snprintf(text, sizeof text, module, "%y = add i8 %x, 3");
    ck_assert_uint_eq(regions_of(AARCH64, text, NULL), 1);
    ck_assert_uint_eq(regions_of(X86_64, text, NULL), 1);
    snprintf(text, sizeof text, module, "%t = alloca i8\n  store volatile i8 %x, ptr %t\n  %y = load i8, ptr %t");
    ck_assert_uint_eq(regions_of(AARCH64, text, NULL), 0);
}
END_TEST

START_TEST(all_events_are_counted_and_the_shadow_is_read) {
    char *text;
    ck_assert_uint_eq(
        regions_of_loop("0", "1", "slt i32 %next, 16", "%v = load i8, ptr %a\n  store i8 %v, ptr %r", &text), 1);
    /* a load, a store and the branch back, 16 times */
    ck_assert_has(text, "@recipe_inline_ahead(i64 48)");
    ck_assert_uint_eq(occurrences(text, "@recipe_inline_may_pass("), 1);
    ck_assert_uint_eq(occurrences(text, "@recipe_inline_pass("), 1);
    ck_assert_uint_eq(occurrences(text, "@recipe_inline_enter_region("), 2);
    /* the loop with its hooks is still there, once */
    ck_assert_uint_eq(occurrences(text, "@recipe_inline_load_8("), 1);
    ck_assert_uint_eq(occurrences(text, "@recipe_inline_store_8("), 1);
    /* in the copy: one load, of the shadow; two stores */
    ck_assert_uint_eq(occurrences(text, "!noalias"), 3);
    LLVMDisposeMessage(text);
}
END_TEST

/* On x86_64 a division by what is not known may fault: it has a hook, and the loop no copy. */
START_TEST(divisions) {
    static const char module[] =
        "define void @f(ptr %p, i64 %n, i32 %d) {\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %0 ], [ %next, %loop "
        "]\n"
        "  %a = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %a\n  %w = udiv i32 %v, %d\n"
        "  store i32 %w, ptr %a\n  %next = add i64 %i, 1\n  %go = icmp ult i64 %next, %n\n"
        "  br i1 %go, label %loop, label %done\ndone:\n  ret void\n}\n";
    ck_assert_uint_eq(regions_of(AARCH64, module, NULL), 1);
    ck_assert_uint_eq(regions_of(X86_64, module, NULL), 0);
}
END_TEST

int main(void) {
    return rcp_suite_run("regions", counted_loops_have_copies, what_is_in_the_loop_decides, arms,
                         small_functions_are_looked_into, all_events_are_counted_and_the_shadow_is_read, divisions,
                         NULL);
}
