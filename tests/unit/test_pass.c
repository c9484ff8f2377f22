/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/pass.h"

#include "abi/hooks.h"
#include "instrument/embed.h"
#include "instrument/prepare.h"

#include "module_text.h"
#include "suite.h"

typedef struct hooked {
    rcp_pass_unit unit;
    rcp_instrument_report report;
    char *text; /* of the function f */
    char *all;
} hooked;

static void must(rcp_code code) {
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    ck_assert_int_eq(code, RCP_OK);
}

static hooked instrument(const char *target, const char *module) {
    hooked h;
    rcp_embedding embedding;
    char scratch[256], hooks[512];
    ck_assert_ptr_nonnull(getenv("RECIPE_LIBRARY_DIR"));
    make_temporary(scratch, sizeof scratch);
    unit_of_text(&h.unit, &h.report, target, module);
    snprintf(hooks, sizeof hooks, "%s/inline-%s.bc", getenv("RECIPE_LIBRARY_DIR"),
             h.unit.arch == RCP_ARCH_AARCH64 ? "aarch64" : "x86_64");
    must(rcp_prepare(&h.unit));
    must(rcp_embed_bitcode(&h.unit, scratch, &embedding));
    must(rcp_pass(&h.unit, hooks, embedding.late));
    rcp_embed_tables(&h.unit, &embedding);
    must(rcp_unit_verify(&h.unit, "the test"));
    rcp_embedding_finish(&embedding);
    drop_temporary(scratch);
    h.text = text_of(&h.unit, "f");
    h.all = LLVMPrintModuleToString(h.unit.module);
    return h;
}

static void finish(hooked *h) {
    LLVMDisposeMessage(h->text);
    LLVMDisposeMessage(h->all);
    rcp_unit_finish(&h->unit);
    rcp_instrument_report_finish(&h->report);
}

static void assert_what(const hooked *h, const char *hook, uint32_t what) {
    char words[64];
    const char *at = h->text;
    snprintf(words, sizeof words, ", i32 %u)", what);
    while ((at = strstr(at, hook))) {
        const char *end = strchr(at, '\n'), *found = strstr(at, words);
        if (found && found < end)
            return;
        at += strlen(hook);
    }
    ck_abort_msg("no call of %s with %u in:\n%s", hook, what, h->text);
}

START_TEST(one_reservation_per_segment) {
    hooked h =
        instrument(AARCH64, "declare void @g()\n"
                            "define void @f(ptr %p, ptr %q) {\n  %1 = load i32, ptr %p\n  %2 = load double, ptr %q\n"
                            "  store i32 %1, ptr %q\n  call void @g()\n  store ptr %p, ptr %q\n  ret void\n}\n");
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_reserve(i64 3)"), 1);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_reserve(i64 1)"), 1);
    assert_what(&h, "@recipe_inline_load_32", RCP_WHAT(RCP_WHAT_LOAD, 2, 3));
    assert_what(&h, "@recipe_inline_load_f64", RCP_WHAT(RCP_WHAT_LOAD, 3, 2));
    assert_what(&h, "@recipe_inline_store_32", RCP_WHAT(RCP_WHAT_STORE, 2, 1));
    assert_what(&h, "@recipe_inline_store_ptr", RCP_WHAT(RCP_WHAT_STORE, 3, 1));
    ck_assert_has(h.text, "@recipe_inline_leave(i64 ptrtoint (ptr @g to i64))");
    ck_assert_has(h.text, "@recipe_inline_back(i64 0)");
    ck_assert_uint_eq(h.report.events, 5);
    finish(&h);
}
END_TEST

START_TEST(the_hooks_value_is_used) {
    hooked h = instrument(AARCH64, "define i1 @f(ptr %p) {\n  %1 = load i1, ptr %p\n  ret i1 %1\n}\n");
    ck_assert_has(h.text, "load i1, ptr %p");
    ck_assert_has(h.text, "@recipe_inline_load_8(");
    ck_assert_lacks(h.text, "ret i1 %1\n");
    finish(&h);
}
END_TEST

/* Nobody else can write there: what is loaded is the shadow's, which the hook then need not load again. */
START_TEST(private_objects_are_read_from_their_shadow) {
    static const char module[] = "declare void @g(ptr)\n"
                                 "define i32 @f(i64 %%i) {\n  %%t = alloca [4 x i32]\n"
                                 "  %%a = getelementptr [4 x i32], ptr %%t, i64 0, i64 %%i\n"
                                 "  store i32 1, ptr %%a\n  %s\n"
                                 "  %%b = getelementptr [4 x i32], ptr %%t, i64 0, i64 2\n"
                                 "  %%v = load i32, ptr %%b\n  ret i32 %%v\n}\n";
    static const char *const known[] = {"call void @g(ptr %t)", "store ptr %t, ptr %t", "%p = ptrtoint ptr %a to i64",
                                        "%p = load volatile i32, ptr %a", "%p = select i1 true, ptr %a, ptr %t"};
    char text[1024];
    snprintf(text, sizeof text, module, "");
    hooked h = instrument(AARCH64, text);
    ck_assert_lacks(h.text, "load i32, ptr %b");
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_load_32("), 1);
    finish(&h);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        snprintf(text, sizeof text, module, known[i]);
        h = instrument(AARCH64, text);
        ck_assert_has(h.text, "load i32, ptr %b");
        finish(&h);
    }
}
END_TEST

START_TEST(own_constants_are_no_events) {
    hooked h = instrument(AARCH64, "@c = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
                                   "define i32 @f(i64 %i) {\n  %1 = getelementptr [4 x i32], ptr @c, i64 0, i64 %i\n"
                                   "  %2 = load i32, ptr %1\n  ret i32 %2\n}\n");
    ck_assert_lacks(h.text, "recipe_inline_load");
    finish(&h);
}
END_TEST

START_TEST(every_type_has_a_hook) {
    hooked h = instrument(AARCH64, "define void @f(ptr %p) {\n"
                                   "  %a = load i128, ptr %p\n  store i128 %a, ptr %p\n"
                                   "  %b = load <4 x float>, ptr %p\n  store <4 x float> %b, ptr %p\n"
                                   "  %c = load <2 x float>, ptr %p\n  store <2 x float> %c, ptr %p\n"
                                   "  %d = load fp128, ptr %p\n  store fp128 %d, ptr %p\n"
                                   "  %e = load half, ptr %p\n  store half %e, ptr %p\n"
                                   "  %g = load i24, ptr %p\n  store i24 %g, ptr %p\n"
                                   "  %h = load { i64, i32 }, ptr %p\n  store { i64, i32 } %h, ptr %p\n"
                                   "  %i = load <2 x ptr>, ptr %p\n  store <2 x ptr> %i, ptr %p\n  ret void\n}\n");
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_load_wide"), 6);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_store_wide"), 6);
    ck_assert_has(h.text, "@recipe_inline_load_64");
    ck_assert_has(h.text, "@recipe_inline_load_16");
    finish(&h);
}
END_TEST

START_TEST(atomics_tell_old_and_new) {
    static const char *const ops[] = {"xchg", "add", "sub",  "and",  "nand",      "or",       "xor",
                                      "max",  "min", "umax", "umin", "uinc_wrap", "udec_wrap"};
    char text[4096], *end = text;
    end += sprintf(end, "define void @f(ptr %%p, i32 %%v, double %%d) {\n");
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        end += sprintf(end, "  %%o%zu = atomicrmw %s ptr %%p, i32 %%v seq_cst\n", i, ops[i]);
    sprintf(
        end,
        "  %%x = atomicrmw fadd ptr %%p, double %%d monotonic\n  %%y = atomicrmw fmax ptr %%p, double %%d monotonic\n"
        "  %%z = cmpxchg ptr %%p, i8 1, i8 2 acquire monotonic\n  %%w = cmpxchg ptr %%p, i128 1, i128 2 seq_cst "
        "seq_cst\n"
        "  fence seq_cst\n  ret void\n}\n");
    hooked h = instrument(AARCH64, text);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_exchanged_32"), 13);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_exchanged_64"), 2);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_exchanged_8"), 1);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_load_wide"), 1);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_stop_if"), 16);
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_stop_detail_if"), 2);
    assert_what(&h, "@recipe_inline_stop_if", RCP_WHAT(RCP_WHAT_RMW, 2, 18) | RCP_WHAT_ATOMIC);
    assert_what(&h, "@recipe_inline_stop_detail_if", RCP_WHAT(RCP_WHAT_EXCHANGE, 0, 3) | RCP_WHAT_ATOMIC);
    assert_what(&h, "@recipe_inline_stop_detail_if", RCP_WHAT(RCP_WHAT_EXCHANGE, RCP_WHAT_WIDE, 2) | RCP_WHAT_ATOMIC);
    ck_assert_has(h.text, "@recipe_inline_reserve(i64 18)");
    assert_what(&h, "@recipe_inline_stop_if", RCP_WHAT(RCP_WHAT_FENCE, 0, 1));
    finish(&h);
}
END_TEST

START_TEST(stack_objects_are_on_the_recipe_stack) {
    hooked h =
        instrument(AARCH64, "declare void @g(ptr, ptr, ptr)\ndeclare ptr @llvm.stacksave.p0()\n"
                            "declare void @llvm.stackrestore.p0(ptr)\n"
                            "define void @f(i64 %n) {\n  %a = alloca [5 x i8], align 1\n  %b = alloca i32, i32 3\n"
                            "  %s = call ptr @llvm.stacksave.p0()\n  %c = alloca i64, i64 %n\n"
                            "  call void @g(ptr %a, ptr %b, ptr %c)\n  call void @llvm.stackrestore.p0(ptr %s)\n"
                            "  ret void\n}\n");
    ck_assert_lacks(h.text, "alloca [5");
    ck_assert_lacks(h.text, "alloca i64, i64");
    ck_assert_lacks(h.text, "stacksave");
    ck_assert_lacks(h.text, "stackrestore");
    ck_assert_has(h.text, "i64 -32");                                      /* 16 for each: program/ir/frame.h */
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_set_stack"), 4); /* statics, alloca, restore, return */
    finish(&h);
}
END_TEST

START_TEST(who_can_be_called_from_outside_asks) {
    hooked h = instrument(AARCH64, "@p = global ptr @taken\n"
                                   "define internal void @own() {\n  ret void\n}\n"
                                   "define internal void @taken() {\n  ret void\n}\n"
                                   "define internal void @called_by_opaque() {\n  ret void\n}\n"
                                   "define internal void @opaque() disable_sanitizer_instrumentation {\n"
                                   "  call void @called_by_opaque()\n  ret void\n}\n"
                                   "define void @f() {\n  call void @own()\n  call void @opaque()\n  ret void\n}\n");
    char *own = text_of(&h.unit, "own"), *taken = text_of(&h.unit, "taken"),
         *called = text_of(&h.unit, "called_by_opaque"), *opaque = text_of(&h.unit, "opaque");
    ck_assert_has(h.text, "@recipe_inline_enter(i64 ptrtoint (ptr @f to i64))");
    ck_assert_has(h.text, "@recipe_inline_exit_if");
    ck_assert_lacks(own, "recipe");
    ck_assert_has(taken, "@recipe_inline_enter");
    ck_assert_has(called, "@recipe_inline_enter");
    ck_assert_lacks(opaque, "@recipe_inline");
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_leave"), 1); /* of @opaque; @own is for good */
    LLVMDisposeMessage(own);
    LLVMDisposeMessage(taken);
    LLVMDisposeMessage(called);
    LLVMDisposeMessage(opaque);
    finish(&h);
}
END_TEST

START_TEST(arguments_of_a_callback) {
    hooked h = instrument(X86_64, "%s = type { [5 x i64] }\n"
                                  "define void @f(i8 %a, double %b, ptr byval(%s) align 8 %c, i128 %d) {\n"
                                  "  %1 = load i64, ptr %c\n  ret void\n}\n");
    ck_assert_has(h.text, "@__recipe_callback(i64 ptrtoint (ptr @f to i64), i32 4)");
    ck_assert_uint_eq(occurrences(h.text, "@__recipe_argument(i64"), 2);
    ck_assert_has(h.text, "@__recipe_argument_wide(ptr %c, i64 40)");
    ck_assert_uint_eq(occurrences(h.text, "@__recipe_argument_wide"), 2);
    ck_assert_lacks(h.text, "load i64, ptr %c"); /* but from its copy */
    ck_assert_uint_eq(occurrences(h.text, "@llvm.memcpy"), 2);
    finish(&h);
}
END_TEST

START_TEST(exceptions_and_second_returns) {
    hooked h = instrument(
        AARCH64,
        "declare { i64, i64 } @g()\ndeclare i32 @_setjmp(ptr) returns_twice\ndeclare i32 @__gxx_personality_v0(...)\n"
        "define i64 @f(ptr %b) personality ptr @__gxx_personality_v0 {\n  %1 = call i32 @_setjmp(ptr %b) "
        "returns_twice\n"
        "  %2 = invoke { i64, i64 } @g() to label %x unwind label %y\nx:\n  %3 = extractvalue { i64, i64 } %2, 0\n"
        "  ret i64 %3\ny:\n  %4 = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %4\n}\n");
    ck_assert_has(h.text, "@__recipe_setjmp_returned(i64");
    ck_assert_has(h.text, "@recipe_inline_back_wide");
    ck_assert_has(h.text, "@__recipe_landed(i64 ptrtoint (ptr @f to i64), i32 0,");
    ck_assert_has(h.text, "@recipe_inline_resume()");
    finish(&h);
}
END_TEST

START_TEST(memory_intrinsics_and_values) {
    hooked h =
        instrument(AARCH64, "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                            "declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)\ndeclare ptr @llvm.returnaddress(i32)\n"
                            "define ptr @f(ptr %p, ptr %q) {\n"
                            "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 9, i1 false)\n"
                            "  call void @llvm.memset.p0.i32(ptr %p, i8 7, i32 8, i1 false)\n"
                            "  %1 = call ptr @llvm.returnaddress(i32 0)\n"
                            "  call void asm sideeffect \"\", \"~{memory}\"()\n"
                            "  call void asm sideeffect \"nop\", \"~{memory}\"()\n"
                            "  call void asm sideeffect \"dc zva, x0\", \"~{memory}\"()\n  ret ptr %1\n}\n");
    ck_assert_has(h.text, "i64 9)\n  call void @llvm.memcpy");
    ck_assert_has(h.text, "i64 7, i64 8)\n  call void @llvm.memset");
    ck_assert_has(h.text, "@__recipe_value(");
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_leave(i64 1)"), 2);
    ck_assert_uint_eq(occurrences(h.report.notes.at, "assembly"), 1); /* of nop it is known that it touches nothing */
    finish(&h);
}
END_TEST

START_TEST(divisions_that_fault) {
    hooked h = instrument(X86_64, "define i32 @f(i32 %a, i32 %b, <2 x i64> %v) {\n  %1 = sdiv i32 %a, %b\n"
                                  "  %2 = udiv i32 %1, 10\n  %3 = urem <2 x i64> %v, %v\n"
                                  "  %4 = extractelement <2 x i64> %3, i32 0\n  %5 = trunc i64 %4 to i32\n"
                                  "  %6 = add i32 %2, %5\n  ret i32 %6\n}\n");
    ck_assert_uint_eq(occurrences(h.text, "@recipe_inline_divide"), 2);
    finish(&h);
}
END_TEST

static const char with_tls[] = "@t = thread_local global i32 0\ndefine ptr @f() {\n  ret ptr @t\n}\n"
                               "define weak void @w() {\n  ret void\n}\n";
static const char pic[] = "!llvm.module.flags = !{!0}\n!0 = !{i32 8, !\"PIC Level\", i32 2}\n";
static const char pie[] = "!llvm.module.flags = !{!0, !1}\n!0 = !{i32 8, !\"PIC Level\", i32 2}\n"
                          "!1 = !{i32 7, !\"PIE Level\", i32 2}\n";

START_TEST(shared_libraries_tell_of_themselves) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s", with_tls, pic);
    hooked h = instrument(AARCH64, text);
    ck_assert_has(h.text, "@recipe_inline_late(");
    ck_assert_has(h.all, "@__recipe_object_init");
    ck_assert_has(h.all, "@__start_recipe_modules = external hidden global");
    ck_assert_has(h.all, "@llvm.global_ctors");
    finish(&h);
    snprintf(text, sizeof text, "%s%s", with_tls, pie);
    h = instrument(AARCH64, text);
    ck_assert_lacks(h.all, "@recipe_inline_late(");
    ck_assert_lacks(h.all, "@__recipe_object_init");
    finish(&h);
}
END_TEST

START_TEST(tables) {
    hooked h = instrument(AARCH64, with_tls);
    ck_assert_has(h.all, "section \"recipe_modules\"");
    ck_assert_has(h.all, "section \"recipe_functions\"");
    ck_assert_has(h.all, "@recipe_own = private alias void (), ptr @w");
    ck_assert_has(h.all, "define internal void @recipe_tls(ptr");
    ck_assert_has(h.all, ".incbin");
    ck_assert_has(h.all, "@llvm.used = appending global");
    finish(&h);
}
END_TEST

int main(void) {
    return rcp_suite_run("pass", one_reservation_per_segment, the_hooks_value_is_used,
                         private_objects_are_read_from_their_shadow, own_constants_are_no_events, every_type_has_a_hook,
                         atomics_tell_old_and_new, stack_objects_are_on_the_recipe_stack,
                         who_can_be_called_from_outside_asks, arguments_of_a_callback, exceptions_and_second_returns,
                         memory_intrinsics_and_values, divisions_that_fault, shared_libraries_tell_of_themselves,
                         tables, NULL);
}
