/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops are taken for waiting, and which must not be: those that do work would run a round at a time. */
#include "program/ir/spins.h"

#include "module_text.h"
#include "suite.h"

enum { NONE, COUNTS, ENDLESS };

/* What the one loop of f is. */
static int kind_of(const char *module, unsigned *busy) {
    rcp_pass_unit unit;
    rcp_instrument_report report;
    rcp_spins spins = {0};
    unit_of_text(&unit, &report, AARCH64, module);
    LLVMValueRef function = LLVMGetNamedFunction(unit.module, "f");
    ck_assert_ptr_nonnull(function);
    rcp_spins_of(function, &spins);
    ck_assert_uint_le(spins.len, 1);
    int kind = !spins.len ? NONE : spins.at[0].endless ? ENDLESS : COUNTS;
    if (busy)
        *busy = spins.len ? spins.at[0].n_busy : 0;
    rcp_vec_finish(&spins);
    rcp_unit_finish(&unit);
    rcp_instrument_report_finish(&report);
    return kind;
}

/* A loop of one block: phis, a body, %go says whether it goes round. */
static int kind_of_loop(const char *phis, const char *body) {
    char module[4096];
    snprintf(
        module, sizeof module,
        "@word = global i32 0\n@other = global i32 0\n"
        "declare i32 @sched_yield()\ndeclare i32 @unknown(i32)\ndeclare i32 @pthread_mutex_trylock(ptr)\n"
        "declare ptr @strcpy(ptr, ptr)\ndeclare void @llvm.aarch64.hint(i32)\n"
        "define internal i32 @looks(ptr %%p) {\n  %%v = load atomic i32, ptr %%p acquire, align 4\n  ret i32 %%v\n}\n"
        "define internal i32 @writes(ptr %%p) {\n  store i32 1, ptr %%p\n  ret i32 0\n}\n"
        "define i32 @f(ptr %%p, i32 %%n) {\n"
        "entry:\n"
        "  %%own = alloca i32\n"
        "  br label %%loop\n"
        "loop:\n"
        "%s\n%s\n"
        "  br i1 %%go, label %%loop, label %%done\n"
        "done:\n  ret i32 0\n}\n",
        phis, body);
    return kind_of(module, NULL);
}

#define COUNTER "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]"
#define ADD     "  %next = add i32 %i, 1\n"
#define LOAD    "  %v = load i32, ptr @word\n"
#define ZERO    "  %go = icmp eq i32 %v, 0\n"

START_TEST(a_loop_that_only_looks_waits) {
    ck_assert_int_eq(kind_of_loop("", LOAD ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  %v = load atomic volatile i32, ptr %p seq_cst, align 4\n" ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  %v = atomicrmw xchg ptr %p, i32 1 seq_cst\n" ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  %x = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst\n"
                                      "  %v = extractvalue { i32, i1 } %x, 0\n" ZERO),
                     ENDLESS);
    /* through a pointer that was looked at, too */
    ck_assert_int_eq(kind_of_loop("", "  %q = load ptr, ptr %p\n  %v = load i32, ptr %q\n" ZERO), ENDLESS);
    /* what it has counted decides nothing */
    ck_assert_int_eq(kind_of_loop(COUNTER, LOAD ADD ZERO), ENDLESS);
    /* what it found in the round before */
    ck_assert_int_eq(
        kind_of_loop("  %last = phi i32 [ 0, %entry ], [ %v, %loop ]", LOAD "  %go = icmp eq i32 %v, %last\n"),
        ENDLESS);
}
END_TEST

START_TEST(calls_that_only_look_or_pass_time_are_no_work) {
    ck_assert_int_eq(kind_of_loop("", "  %v = call i32 @looks(ptr %p)\n" ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  call i32 @sched_yield()\n" LOAD ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  call void @llvm.aarch64.hint(i32 1)\n" LOAD ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  call void asm sideeffect \"yield\", \"~{memory}\"()\n" LOAD ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  call void asm sideeffect \"rep; nop\", \"~{memory}\"()\n" LOAD ZERO), ENDLESS);
    ck_assert_int_eq(kind_of_loop("", "  %v = call i32 @pthread_mutex_trylock(ptr %p)\n" ZERO), ENDLESS);
}
END_TEST

START_TEST(work_is_no_wait) {
    ck_assert_int_eq(kind_of_loop("", LOAD "  store i32 1, ptr @other\n" ZERO), NONE);
    ck_assert_int_eq(kind_of_loop("", "  call i32 @unknown(i32 0)\n" LOAD ZERO), NONE);
    ck_assert_int_eq(kind_of_loop("", "  call i32 @writes(ptr %p)\n" LOAD ZERO), NONE);
    ck_assert_int_eq(kind_of_loop("", "  call ptr @strcpy(ptr %p, ptr @word)\n" LOAD ZERO), NONE);
    ck_assert_int_eq(kind_of_loop("", "  call void asm sideeffect \"dc zva, x0\", \"~{memory}\"()\n" LOAD ZERO), NONE);
    /* a sum over an array, a list, a search: another place in each round */
    ck_assert_int_eq(
        kind_of_loop(COUNTER, ADD "  %a = getelementptr i32, ptr %p, i32 %i\n  %v = load i32, ptr %a\n" ZERO), NONE);
    ck_assert_int_eq(kind_of_loop("  %q = phi ptr [ %p, %entry ], [ %r, %loop ]",
                                  "  %r = load ptr, ptr %q\n  %go = icmp ne ptr %r, null\n"),
                     NONE);
    /* so many rounds as a variable says */
    ck_assert_int_eq(kind_of_loop(COUNTER, ADD LOAD "  %go = icmp slt i32 %i, %v\n"), NONE);
    ck_assert_int_eq(kind_of_loop(COUNTER, ADD "  %go = icmp slt i32 %i, %n\n"), NONE);
    /* a variable of its own that it counts with */
    ck_assert_int_eq(kind_of_loop("", "  %v = load volatile i32, ptr %own\n  %w = add i32 %v, 1\n"
                                      "  store volatile i32 %w, ptr %own\n" ZERO),
                     NONE);
}
END_TEST

/* while (!word && i++ < n), as a front end has it. */
START_TEST(who_counts_its_rounds_may_end) {
    ck_assert_int_eq(kind_of("@word = global i32 0\n"
                             "define void @f(i32 %n) {\n"
                             "entry:\n  br label %loop\n"
                             "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %end ]\n"
                             "  %v = load i32, ptr @word\n  %is = icmp eq i32 %v, 0\n"
                             "  br i1 %is, label %second, label %end\n"
                             "second:\n  %few = icmp slt i32 %i, %n\n  br label %end\n"
                             "end:\n  %go = phi i1 [ false, %loop ], [ %few, %second ]\n"
                             "  %next = add i32 %i, 1\n"
                             "  br i1 %go, label %loop, label %done\n"
                             "done:\n  ret void\n}\n",
                             NULL),
                     COUNTS);
}
END_TEST

/* Dekker's: one way round writes, the other one does not. And one that calls. */
START_TEST(one_way_round_is_enough) {
    static const char *const text = "@word = global i32 0\n@other = global i32 0\ndeclare void @unknown()\n"
                                    "define void @f() {\n"
                                    "entry:\n  br label %%loop\n"
                                    "loop:\n  %%v = load i32, ptr @word\n  %%is = icmp eq i32 %%v, 0\n"
                                    "  br i1 %%is, label %%busy, label %%end\n"
                                    "busy:\n  %s\n  br label %%end\n"
                                    "end:\n  %%w = load i32, ptr @other\n  %%go = icmp eq i32 %%w, 0\n"
                                    "  br i1 %%go, label %%loop, label %%done\n"
                                    "done:\n  ret void\n}\n";
    char module[2048];
    unsigned busy;
    snprintf(module, sizeof module, text, "store i32 1, ptr @other");
    ck_assert_int_eq(kind_of(module, &busy), ENDLESS);
    ck_assert_uint_eq(busy, 0);
    snprintf(module, sizeof module, text, "call void @unknown()");
    ck_assert_int_eq(kind_of(module, &busy), ENDLESS);
    ck_assert_uint_eq(busy, 1);
}
END_TEST

int main(void) {
    return rcp_suite_run("spins", a_loop_that_only_looks_waits, calls_that_only_look_or_pass_time_are_no_work,
                         work_is_no_wait, who_counts_its_rounds_may_end, one_way_round_is_enough, NULL);
}
