/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/prepare.h"

#include "instrument/opaque.h"

#include "module_text.h"
#include "suite.h"

typedef struct prepared {
    rcp_pass_unit unit;
    rcp_instrument_report report;
    char *text; /* of the function f */
} prepared;

static prepared prepare(const char *target, const char *module) {
    prepared p;
    unit_of_text(&p.unit, &p.report, target, module);
    rcp_code code = rcp_prepare(&p.unit);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    ck_assert_int_eq(code, RCP_OK);
    p.text = text_of(&p.unit, "f");
    return p;
}

static void finish(prepared *p) {
    LLVMDisposeMessage(p->text);
    rcp_unit_finish(&p->unit);
    rcp_instrument_report_finish(&p->report);
}

START_TEST(flags_are_dropped) {
    prepared p = prepare(AARCH64, "define i32 @f(i32 %a, i32 %b, ptr %p, double %d) {\n"
                                  "  %1 = add nsw i32 %a, %b\n  %2 = mul nuw nsw i32 %1, %b\n"
                                  "  %3 = lshr exact i32 %2, 3\n  %4 = or disjoint i32 %3, %a\n"
                                  "  %5 = getelementptr inbounds i32, ptr %p, i32 %4\n  %6 = load i32, ptr %5\n"
                                  "  %7 = fadd fast double %d, 1.0\n  %8 = fcmp nnan olt double %7, %d\n"
                                  "  %9 = select i1 %8, i32 %6, i32 %4\n  ret i32 %9\n}\n");
    ck_assert_lacks(p.text, " nsw ");
    ck_assert_has(p.text, "add i32 %a, %b, !recipe.nsw"); /* and remembered */
    ck_assert_lacks(p.text, "nuw");
    ck_assert_lacks(p.text, "exact");
    ck_assert_lacks(p.text, "disjoint");
    ck_assert_lacks(p.text, "inbounds");
    ck_assert_lacks(p.text, "fast");
    ck_assert_lacks(p.text, "nnan");
    finish(&p);
}
END_TEST

START_TEST(undefined_values_are_zero) {
    prepared p =
        prepare(AARCH64, "define <2 x i32> @f(i1 %c, i32 %a) {\n  br i1 %c, label %x, label %y\nx:\n  br label %y\n"
                         "y:\n  %1 = phi i32 [ undef, %0 ], [ %a, %x ]\n  %2 = freeze i32 %1\n"
                         "  %3 = add i32 %2, poison\n"
                         "  %4 = insertelement <2 x i32> <i32 undef, i32 4>, i32 %3, i32 0\n"
                         "  %5 = shufflevector <2 x i32> %4, <2 x i32> poison, <2 x i32> <i32 poison, i32 1>\n"
                         "  ret <2 x i32> %5\n}\n");
    ck_assert_lacks(p.text, "undef");
    ck_assert_lacks(p.text, "poison");
    ck_assert_lacks(p.text, "freeze");
    ck_assert_has(p.text, "[ 0, ");
    finish(&p);
}
END_TEST

START_TEST(shifts_and_indices_are_bounded) {
    prepared p = prepare(AARCH64, "define i64 @f(i64 %a, i64 %n, <4 x i32> %v, i24 %o) {\n  %1 = shl i64 %a, %n\n"
                                  "  %2 = lshr i64 %1, 63\n  %3 = extractelement <4 x i32> %v, i64 %n\n"
                                  "  %4 = zext i32 %3 to i64\n  %5 = add i64 %2, %4\n  %6 = shl i24 %o, %o\n"
                                  "  %7 = zext i24 %6 to i64\n  %8 = add i64 %5, %7\n  ret i64 %8\n}\n");
    ck_assert_has(p.text, "and i64 %n, 63");
    ck_assert_has(p.text, "and i64 %n, 3");
    ck_assert_has(p.text, "urem i24 %o, 24");
    ck_assert_has(p.text, ", 63\n");
    finish(&p);
}
END_TEST

START_TEST(conversions_saturate) {
    prepared p =
        prepare(AARCH64, "define i32 @f(double %d, <2 x float> %v) {\n  %1 = fptosi double %d to i32\n"
                         "  %2 = fptoui <2 x float> %v to <2 x i32>\n  %3 = extractelement <2 x i32> %2, i32 0\n"
                         "  %4 = add i32 %1, %3\n  ret i32 %4\n}\n");
    ck_assert_has(p.text, "@llvm.fptosi.sat.i32.f64");
    ck_assert_has(p.text, "@llvm.fptoui.sat.v2i32.v2f32");
    finish(&p);
}
END_TEST

static const char division[] = "define i32 @f(i32 %a, i32 %b) {\n  %1 = sdiv i32 %a, %b\n  %2 = urem i32 %1, 7\n"
                               "  %3 = srem i32 %2, %b\n  ret i32 %3\n}\n";

START_TEST(division_is_the_machines) {
    prepared p = prepare(AARCH64, division);
    ck_assert_lacks(p.text, "sdiv i32 %a, %b");
    ck_assert_has(p.text, "urem i32");
    ck_assert_uint_eq(occurrences(p.text, "icmp eq i32 %b, 0"), 2);
    finish(&p);
    p = prepare(X86_64, division); /* faults: the pass */
    ck_assert_has(p.text, "sdiv i32 %a, %b");
    finish(&p);
}
END_TEST

static const char fused[] =
    "declare double @llvm.fmuladd.f64(double, double, double)\n"
    "define double @f(double %a, double %b) #0 {\n"
    "  %1 = call double @llvm.fmuladd.f64(double %a, double %b, double 1.0)\n  ret double %1\n}\n"
    "attributes #0 = { \"target-features\"=\"+sse2,";

START_TEST(fmuladd_is_one_of_two) {
    char text[600];
    snprintf(text, sizeof text, "%s+avx\" }\n", fused);
    prepared p = prepare(AARCH64, text);
    ck_assert_has(p.text, "@llvm.fma.f64");
    finish(&p);
    p = prepare(X86_64, text);
    ck_assert_has(p.text, "fmul double %a, %b");
    finish(&p);
    snprintf(text, sizeof text, "%s+fma4,+fma\" }\n", fused);
    p = prepare(X86_64, text);
    ck_assert_has(p.text, "@llvm.fma.f64");
    finish(&p);
}
END_TEST

START_TEST(promises_are_dropped) {
    prepared p = prepare(
        AARCH64, "declare void @llvm.assume(i1)\ndeclare noalias nonnull ptr @g(ptr nocapture noundef) #1\n"
                 "define noundef i32 @f(ptr noalias nonnull dereferenceable(4) %p, i8 noundef signext %c) #0 {\n"
                 "  %1 = load i32, ptr %p, !range !0, !noundef !1\n  %2 = icmp ne i32 %1, 3\n"
                 "  call void @llvm.assume(i1 %2)\n  %3 = call nonnull ptr @g(ptr nonnull noundef %p) #1\n"
                 "  %4 = load i32, ptr %3\n  ret i32 %4\n}\n"
                 "attributes #0 = { mustprogress nofree willreturn nounwind \"unsafe-fp-math\"=\"true\" }\n"
                 "attributes #1 = { memory(none) willreturn nounwind }\n!0 = !{i32 0, i32 5}\n!1 = !{}\n");
    static const char *const gone[] = {"noalias", "nonnull", "dereferenceable", "noundef", "assume", "!range"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        ck_assert_lacks(p.text, gone[i]);
    ck_assert_has(p.text, "signext");
    char *all = LLVMPrintModuleToString(p.unit.module);
    ck_assert_lacks(all, "mustprogress nofree willreturn nounwind");
    ck_assert_lacks(all, "unsafe-fp-math");
    ck_assert_lacks(all, "attributes #1 = { nounwind willreturn memory(none)");
    ck_assert_has(all, "nounwind");
    LLVMDisposeMessage(all);
    finish(&p);
}
END_TEST

START_TEST(unreachable_traps) {
    prepared p = prepare(AARCH64, "declare void @g()\ndeclare void @stop() noreturn\n"
                                  "define void @f(i1 %c) {\n  br i1 %c, label %x, label %y\nx:\n  call void @g()\n"
                                  "  unreachable\ny:\n  call void @stop()\n  unreachable\n}\n");
    ck_assert_uint_eq(occurrences(p.text, "@llvm.trap"), 1);
    finish(&p);
}
END_TEST

START_TEST(loops_are_short) {
    prepared p = prepare(
        AARCH64, "define i32 @f(ptr %p, i64 %n) {\n  br label %test\n"
                 "test:\n  %i = phi i64 [ 0, %0 ], [ %next, %step ]\n  %s = phi i32 [ 0, %0 ], [ %sum, %step ]\n"
                 "  %more = icmp slt i64 %i, %n\n  br i1 %more, label %body, label %end\n"
                 "body:\n  %a = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %a\n"
                 "  %sum = add i32 %s, %v\n  br label %step\n"
                 "step:\n  %next = add i64 %i, 1\n  br label %test\nend:\n  ret i32 %s\n}\n");
    ck_assert_uint_eq(occurrences(p.text, "load i32"), 1);
    /* The loop is one block: its load and its branch back are one segment. */
    const char *load = strstr(p.text, "load i32");
    ck_assert_has(load, "br i1");
    ck_assert_uint_eq(occurrences(p.text, "br i1"), 2);
    finish(&p);
}
END_TEST

START_TEST(invokes_have_a_block_behind_them) {
    prepared p = prepare(
        AARCH64, "declare i32 @g()\ndeclare i32 @__gxx_personality_v0(...)\n"
                 "define i32 @f(i1 %c) personality ptr @__gxx_personality_v0 {\n  br i1 %c, label %x, label %y\n"
                 "x:\n  %1 = invoke i32 @g() to label %y unwind label %z\n"
                 "y:\n  %2 = phi i32 [ 7, %0 ], [ %1, %x ]\n  ret i32 %2\n"
                 "z:\n  %3 = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %3\n}\n");
    LLVMValueRef f = LLVMGetNamedFunction(p.unit.module, "f");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAInvokeInst(end))
            continue;
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetNormalDest(end)));
        ck_assert_ptr_nonnull(use);
        ck_assert_ptr_null(LLVMGetNextUse(use));
    }
    finish(&p);
}
END_TEST

START_TEST(inline_functions_become_the_modules_own) {
    prepared p = prepare(
        AARCH64, "$i = comdat any\n$k = comdat any\n$v = comdat any\n@v = linkonce_odr global i32 5, comdat\n"
                 "@keep = global ptr null\n"
                 "define linkonce_odr i32 @i() comdat {\n  ret i32 1\n}\n"
                 "define linkonce_odr i32 @k() comdat {\n  ret i32 2\n}\n"
                 "define linkonce_odr i32 @unused() {\n  ret i32 3\n}\n"
                 "define available_externally i32 @elsewhere() {\n  ret i32 4\n}\n"
                 "define weak i32 @w() {\n  ret i32 5\n}\n"
                 "define i32 @f() {\n  %1 = call i32 @i()\n  store ptr @k, ptr @keep\n  %2 = call i32 @elsewhere()\n"
                 "  %3 = load i32, ptr @v\n  ret i32 %3\n}\n");
    LLVMModuleRef m = p.unit.module;
    ck_assert_int_eq(LLVMGetLinkage(LLVMGetNamedFunction(m, "i")), LLVMInternalLinkage);
    ck_assert_int_eq(LLVMGetLinkage(LLVMGetNamedFunction(m, "k")), LLVMLinkOnceODRLinkage); /* compared, perhaps */
    ck_assert_int_eq(LLVMGetLinkage(LLVMGetNamedFunction(m, "w")), LLVMWeakAnyLinkage);
    ck_assert_int_eq(LLVMGetLinkage(LLVMGetNamedGlobal(m, "v")), LLVMLinkOnceODRLinkage);
    ck_assert_ptr_null(LLVMGetNamedFunction(m, "unused"));
    ck_assert(LLVMIsDeclaration(LLVMGetNamedFunction(m, "elsewhere")));
    finish(&p);
}
END_TEST

START_TEST(what_cant_be_recorded_is_said) {
    prepared p =
        prepare(AARCH64, "@t = ifunc void (), ptr @resolve\n"
                         "define ptr @resolve() {\n  ret ptr @f\n}\n"
                         "define void @n() naked {\n  call void asm sideeffect \"ret\", \"\"()\n  unreachable\n}\n"
                         "define i32 @jumps() {\n  callbr void asm sideeffect \"\", \"!i\"() to label %a [label %b]\n"
                         "a:\n  ret i32 1\nb:\n  ret i32 2\n}\n"
                         "define void @tail(i32 %a) {\n  musttail call void @tail(i32 %a)\n  ret void\n}\n"
                         "define <vscale x 4 x i32> @wide(<vscale x 4 x i32> %v) {\n  ret <vscale x 4 x i32> %v\n}\n"
                         "define void @f() {\n  ret void\n}\n");
    static const char *const opaque[] = {"resolve", "n", "jumps", "tail", "wide"};
    for (size_t i = 0; i < sizeof opaque / sizeof *opaque; i++) {
        ck_assert_msg(rcp_opaque_is(LLVMGetNamedFunction(p.unit.module, opaque[i])), "%s", opaque[i]);
        char quoted[20];
        snprintf(quoted, sizeof quoted, "'%s'", opaque[i]);
        ck_assert_has(p.report.notes.at, quoted);
    }
    ck_assert(!rcp_opaque_is(LLVMGetNamedFunction(p.unit.module, "f")));
    ck_assert_uint_eq(p.report.opaque, 5);
    finish(&p);
}
END_TEST

START_TEST(thread_local_addresses_are_asked_for) {
    prepared p = prepare(
        AARCH64, "@t = thread_local global i32 0\ndefine i32 @f() {\n  %1 = load i32, ptr @t\n  ret i32 %1\n}\n");
    ck_assert_has(p.text, "call ptr @llvm.threadlocal.address.p0(ptr @t)");
    ck_assert_lacks(p.text, "load i32, ptr @t");
    finish(&p);
}
END_TEST

START_TEST(arguments_in_memory_are_copied_in_the_open) {
    prepared p = prepare(X86_64, "%s = type { [5 x i64] }\ndeclare void @g(ptr byval(%s) align 8)\n"
                                 "define void @f(ptr %p) {\n  call void @g(ptr byval(%s) align 8 %p)\n  ret void\n}\n");
    ck_assert_has(p.text, "alloca %s");
    ck_assert_has(p.text, "@llvm.memcpy");
    ck_assert_lacks(p.text, "align 8 %p)");
    finish(&p);
}
END_TEST

START_TEST(memory_functions_are_what_they_do) {
    prepared p = prepare(
        AARCH64, "@table = global ptr @memcpy\n"
                 "declare ptr @memcpy(ptr, ptr, i64)\ndeclare ptr @mempcpy(ptr, ptr, i64)\n"
                 "declare ptr @__memset_chk(ptr, i32, i64, i64)\ndeclare ptr @__memmove_chk(ptr, ptr, i64, i64)\n"
                 "define available_externally ptr @memmove(ptr %d, ptr %s, i64 %n) alwaysinline {\n"
                 "  %1 = call ptr @__memmove_chk(ptr %d, ptr %s, i64 %n, i64 -1)\n  ret ptr %1\n}\n"
                 "define ptr @end(ptr %d, ptr %s, i64 %n) {\n  %1 = call ptr @mempcpy(ptr %d, ptr %s, i64 %n)\n"
                 "  ret ptr %1\n}\n"
                 "define ptr @checked(ptr %d, ptr %s, i64 %n, i64 %room) {\n"
                 "  %1 = call ptr @__memset_chk(ptr %d, i32 7, i64 %n, i64 %room)\n"
                 "  %2 = call ptr @memmove(ptr %d, ptr %s, i64 %n)\n  ret ptr %2\n}\n"
                 "define ptr @f() {\n  ret ptr @memmove\n}\n");
    LLVMModuleRef m = p.unit.module;
    char *whole = LLVMPrintModuleToString(m);
    ck_assert_has(whole, "@table = global ptr @recipe.memcpy");
    ck_assert_has(whole, "getelementptr i8, ptr %d, i64 %n");          /* what mempcpy returns */
    ck_assert_has(whole, "call ptr @recipe.memset_chk(ptr %d, i32 7"); /* the size of the object is not known here */
    ck_assert_has(whole, "call void @__chk_fail()");
    ck_assert_lacks(whole, "memmove.inline"); /* it has been inlined */
    ck_assert_has(whole, "call void @llvm.memmove.p0.p0.i64(ptr align 1 %d, ptr align 1 %s, i64 %n");
    ck_assert_has(whole, "ret ptr @recipe.memmove"); /* what the name means elsewhere */
    ck_assert_int_eq(LLVMGetLinkage(LLVMGetNamedFunction(m, "recipe.memcpy")), LLVMLinkOnceODRLinkage);
    LLVMDisposeMessage(whole);
    finish(&p);
    p = prepare(AARCH64, "declare ptr @memcpy(ptr, ptr, i64)\n"
                         "define ptr @f(ptr %d, ptr %s) #0 {\n  %1 = call ptr @memcpy(ptr %d, ptr %s, i64 8)\n"
                         "  ret ptr %1\n}\nattributes #0 = { \"no-builtins\" }\n");
    ck_assert_has(p.text, "call ptr @memcpy(");
    finish(&p);
}
END_TEST

#define ATOMIC_CALLS                                                                                                   \
    "declare void @__atomic_load(i64, ptr, ptr, i32)\ndeclare void @__atomic_store(i64, ptr, ptr, i32)\n"              \
    "declare void @__atomic_exchange(i64, ptr, ptr, ptr, i32)\n"                                                       \
    "declare zeroext i1 @__atomic_compare_exchange(i64, ptr, ptr, ptr, i32, i32)\n"

/* None of them says how its object is aligned: the back end makes the call again. */
START_TEST(calls_of_libatomic_are_atomics) {
    prepared p = prepare(X86_64, ATOMIC_CALLS
                         "@four = global i32 4\n"
                         "define i1 @f(ptr %p, i128 %v) {\n  %a = alloca i128\n  %b = alloca i128\n"
                         "  call void @__atomic_load(i64 16, ptr %p, ptr %a, i32 2)\n  store i128 %v, ptr %b\n"
                         "  call void @__atomic_store(i64 4, ptr %p, ptr @four, i32 3)\n"
                         "  call void @__atomic_exchange(i64 16, ptr %p, ptr %b, ptr %a, i32 0)\n"
                         "  %1 = call zeroext i1 @__atomic_compare_exchange(i64 16, ptr %p, ptr %a, ptr %b, i32 5, "
                         "i32 1)\n  ret i1 %1\n}\n");
    ck_assert_lacks(p.text, "call");
    ck_assert_lacks(p.text, "switch");
    ck_assert_has(p.text, "load atomic i128, ptr %p acquire, align 1\n");
    ck_assert_has(p.text, "store atomic i32 ");
    ck_assert_has(p.text, ", ptr %p release, align 1\n");
    ck_assert_has(p.text, "atomicrmw xchg ptr %p, i128 %v monotonic, align 1\n");
    ck_assert_has(p.text, " seq_cst acquire, align 1\n");
    finish(&p);
    p = prepare(X86_64, ATOMIC_CALLS "define i1 @f(ptr %p, ptr %a, i32 %s, i32 %f) {\n"
                                     "  %1 = call zeroext i1 @__atomic_compare_exchange(i64 8, ptr %p, ptr %a, ptr %a, "
                                     "i32 %s, i32 %f)\n  ret i1 %1\n}\n");
    ck_assert_uint_eq(occurrences(p.text, "switch i32 %s"), 1);
    ck_assert_uint_eq(occurrences(p.text, "switch i32 %f"), 5);
    ck_assert_uint_eq(occurrences(p.text, "cmpxchg ptr %p, i64 "), 15);
    finish(&p);
}
END_TEST

START_TEST(large_atomics_are_copies_under_a_lock) {
    prepared p = prepare(X86_64, ATOMIC_CALLS
                         "define i1 @f(ptr %p, ptr %a, ptr %b, i32 %o) {\n"
                         "  call void @__atomic_load(i64 24, ptr %p, ptr %a, i32 %o)\n"
                         "  call void @__atomic_store(i64 24, ptr %p, ptr %a, i32 0)\n"
                         "  call void @__atomic_exchange(i64 3, ptr %p, ptr %b, ptr %a, i32 5)\n"
                         "  %1 = call zeroext i1 @__atomic_compare_exchange(i64 40, ptr %p, ptr %a, ptr %b, i32 5, "
                         "i32 5)\n  ret i1 %1\n}\n");
    ck_assert_lacks(p.text, "call void @__atomic_");
    ck_assert_lacks(p.text, "call zeroext");
    ck_assert_uint_eq(occurrences(p.text, "call i32 @mtx_lock("), 4);
    ck_assert_uint_eq(occurrences(p.text, "call i32 @mtx_unlock("), 4);
    ck_assert_uint_eq(occurrences(p.text, "@__recipe_atomic_locks, i64 "), 4);
    finish(&p);
    /* Whoever uses the object uses the same lock: who is not recorded calls a function that is. */
    p = prepare(X86_64, ATOMIC_CALLS "define void @f(ptr %p, ptr %a) disable_sanitizer_instrumentation {\n"
                                     "  call void @__atomic_load(i64 24, ptr %p, ptr %a, i32 5)\n  ret void\n}\n");
    ck_assert_has(p.text, "call void @recipe.atomic_load_24(");
    finish(&p);
}
END_TEST

START_TEST(some_calls_of_libatomic_stay) {
    prepared p = prepare(X86_64, ATOMIC_CALLS /* how many nobody knows */
                         "define void @f(ptr %p, ptr %a, i64 %n) {\n"
                         "  call void @__atomic_store(i64 %n, ptr %p, ptr %a, i32 5)\n  ret void\n}\n");
    ck_assert_uint_eq(occurrences(p.text, "call void @__atomic_store("), 1);
    finish(&p);
    p = prepare(X86_64, ATOMIC_CALLS "define void @f(ptr %p, ptr %a) disable_sanitizer_instrumentation {\n"
                                     "  call void @__atomic_load(i64 16, ptr %p, ptr %a, i32 5)\n  ret void\n}\n");
    ck_assert_uint_eq(occurrences(p.text, "call void @__atomic_load("), 1);
    finish(&p);
}
END_TEST

#define SIZES                                                                                                          \
    "declare void @no_such_size()\n"                                                                                   \
    "define internal void @put(ptr %p, i32 %size) alwaysinline {\n"                                                    \
    "  %s = alloca i32\n  store i32 %size, ptr %s\n  %n = load i32, ptr %s\n"                                          \
    "  switch i32 %n, label %no [ i32 4, label %four ]\n"                                                              \
    "four:\n  %1 = load i32, ptr %p\n  store i32 1, ptr %p\n  store i32 2, ptr %p\n  ret void\n"                       \
    "no:\n  call void @no_such_size()\n  ret void\n}\n"

START_TEST(what_must_be_inlined_is_before_it_is_recorded) {
    prepared p = prepare(AARCH64, SIZES "define void @f(ptr %p) {\n  call void @put(ptr %p, i32 4)\n  ret void\n}\n");
    ck_assert_lacks(p.text, "no_such_size");
    ck_assert_has(p.text, "load i32, ptr %p"); /* nobody uses its value */
    ck_assert_has(p.text, "store i32 1, ptr %p");
    ck_assert_has(p.text, "store i32 2, ptr %p");
    ck_assert_ptr_null(LLVMGetNamedFunction(p.unit.module, "put"));
    finish(&p);
    p = prepare(AARCH64, SIZES "define void @f(ptr %p, i32 %n) {\n  call void @put(ptr %p, i32 %n)\n  ret void\n}\n");
    ck_assert_has(p.text, "call void @no_such_size()");
    finish(&p);
}
END_TEST

/* Its caller would not be recorded either, and what is inlined into it would not be any more. */
START_TEST(what_cant_be_recorded_is_not_inlined) {
    static const char jumps[] =
        "define internal i32 @jumps() alwaysinline {\n"
        "  callbr void asm sideeffect \"\", \"!i\"() to label %a [label %b]\n"
        "a:\n  ret i32 1\nb:\n  ret i32 2\n}\n"
        "define internal i32 @between() alwaysinline {\n  %1 = call i32 @jumps()\n  ret i32 %1\n}\n"
        "define i32 @f() {\n  %1 = call i32 @between()\n  ret i32 %1\n}\n";
    prepared p = prepare(AARCH64, jumps);
    ck_assert(!rcp_opaque_is(LLVMGetNamedFunction(p.unit.module, "f")));
    ck_assert(rcp_opaque_is(LLVMGetNamedFunction(p.unit.module, "jumps")));
    ck_assert_has(p.text, "call i32 @jumps()");
    ck_assert_lacks(p.text, "noinline");
    finish(&p);
    p = prepare(AARCH64, "@x = global i32 0\n"
                         "define internal void @put() alwaysinline {\n  store i32 1, ptr @x\n  ret void\n}\n"
                         "define void @f() disable_sanitizer_instrumentation {\n  call void @put()\n  ret void\n}\n");
    ck_assert(rcp_opaque_is(LLVMGetNamedFunction(p.unit.module, "f")));
    ck_assert(!rcp_opaque_is(LLVMGetNamedFunction(p.unit.module, "put")));
    ck_assert_has(p.text, "call void @put()");
    finish(&p);
}
END_TEST

START_TEST(other_machines_are_refused) {
    rcp_pass_unit unit;
    rcp_instrument_report report = {0};
    char directory[256], path[300];
    make_temporary(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/module.ll", directory);
    FILE *file = fopen(path, "w");
    fputs("target triple = \"riscv64-unknown-linux-gnu\"\n", file);
    fclose(file);
    ck_assert_int_eq(rcp_unit_init(&unit, path, &report), RCP_BAD_INPUT);
    ck_assert_has(rcp_borrow_cause(0), "riscv64");
    rcp_unit_finish(&unit);
    file = fopen(path, "w");
    fputs("no bitcode\n", file);
    fclose(file);
    ck_assert_int_eq(rcp_unit_init(&unit, path, &report), RCP_BAD_INPUT);
    rcp_unit_finish(&unit);
    drop_temporary(directory);
}
END_TEST

int main(void) {
    return rcp_suite_run(
        "prepare", flags_are_dropped, undefined_values_are_zero, shifts_and_indices_are_bounded, conversions_saturate,
        division_is_the_machines, fmuladd_is_one_of_two, promises_are_dropped, unreachable_traps, loops_are_short,
        invokes_have_a_block_behind_them, inline_functions_become_the_modules_own, what_cant_be_recorded_is_said,
        what_must_be_inlined_is_before_it_is_recorded, what_cant_be_recorded_is_not_inlined,
        thread_local_addresses_are_asked_for, arguments_in_memory_are_copied_in_the_open,
        memory_functions_are_what_they_do, calls_of_libatomic_are_atomics, large_atomics_are_copies_under_a_lock,
        some_calls_of_libatomic_stay, other_machines_are_refused, NULL);
}
